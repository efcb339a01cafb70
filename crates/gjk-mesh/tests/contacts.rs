//! Contacts of two triangles against oracles that share none of its code: the exact relation of hulls, and plain integers.

use gjk_exact::{Class, classify};
use gjk_mesh::{Contact, triangles::contact};

type Triangle = [[f64; 3]; 3];

/// Whether two triangles share a point, as hulls of three points each.
fn meet(a: &Triangle, b: &Triangle) -> bool {
    !matches!(classify(3, a, b, [0.0; 3]), Some(Class::Separated { .. }))
}

/// Twice the signed volume of whole coordinates, which `i64` holds.
fn determinant(points: [[f64; 3]; 4]) -> i64 {
    let [a, b, c, d] = points.map(|p| p.map(|x| x as i64));
    let minus = |x: [i64; 3]| [x[0] - d[0], x[1] - d[1], x[2] - d[2]];
    let [a, b, c] = [a, b, c].map(minus);
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

fn has_area(t: &Triangle) -> bool {
    let [u, v] = [1, 2].map(|k| [0, 1, 2].map(|i| t[k][i] - t[0][i]));
    (0..3).any(|k| u[k] * v[(k + 1) % 3] != u[(k + 1) % 3] * v[k])
}

/// Whether an edge of one passes through the inside of the other: the crossing point's weights in whole numbers.
fn crosses(a: &Triangle, b: &Triangle) -> bool {
    (0..3).any(|k| {
        let [p, q] = [b[k], b[(k + 1) % 3]];
        let (low, high) = (
            determinant([a[0], a[1], a[2], p]),
            determinant([a[0], a[1], a[2], q]),
        );
        let weights =
            [[0, 1], [1, 2], [2, 0]].map(|[i, j]| determinant([p, q, a[i], a[j]]).signum());
        low.signum() * high.signum() == -1 && weights.iter().sum::<i64>().abs() == 3
    })
}

/// Whether coplanar triangles share an area: whether hulls of their projections to a plane overlap.
fn share_area(a: &Triangle, b: &Triangle) -> bool {
    let projected =
        |dropped: usize, t: &Triangle| t.map(|p| [p[(dropped + 1) % 3], p[(dropped + 2) % 3], 0.0]);
    let is_flat = |t: &Triangle| {
        let [u, v] = [1, 2].map(|k| [0, 1].map(|i| t[k][i] - t[0][i]));
        u[0] * v[1] == u[1] * v[0]
    };
    let axis = (0..3)
        .find(|&k| !is_flat(&projected(k, a)))
        .expect("an area");
    let [a, b] = [a, b].map(|t| projected(axis, t));
    matches!(classify(2, &a, &b, [0.0; 3]), Some(Class::Overlapping(_)))
}

#[test]
fn of_small_integers_every_contact_is_the_oracles() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut seen = [0; 4];
    for case in 0..12_000 {
        // Narrow grids are full of corners on edges, and of planes in common.
        let width = [2, 3, 6][case % 3];
        let flat = case % 5 == 0;
        let mut point = || {
            let mut p = [(); 3].map(|()| f64::from(random.i32(0..width)));
            if flat {
                p[2] = p[0] + p[1];
            }
            p
        };
        let (a, b): (Triangle, Triangle) = ([(); 3].map(|()| point()), [(); 3].map(|()| point()));
        let coplanar = has_area(&a)
            && has_area(&b)
            && b.iter().all(|&p| determinant([a[0], a[1], a[2], p]) == 0);
        let expected = if !meet(&a, &b) {
            None
        } else if crosses(&a, &b) || crosses(&b, &a) {
            Some(Contact::Crossing)
        } else if coplanar && share_area(&a, &b) {
            Some(Contact::Coplanar)
        } else {
            Some(Contact::Touching)
        };
        let found = contact(&a, &b);
        assert_eq!(found, expected, "case {case}: {a:?} {b:?}");
        assert_eq!(contact(&b, &a), expected, "case {case}, swapped");
        let turned = [a[1], a[2], a[0]];
        assert_eq!(contact(&turned, &b), expected, "case {case}, rotated");
        let mirrored = [a[0], a[2], a[1]];
        assert_eq!(
            contact(&mirrored, &b),
            expected,
            "case {case}, facing the other way"
        );
        seen[expected.map_or(0, |contact| contact as usize + 1)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}

#[test]
fn of_floats_a_bit_apart_every_contact_is_the_oracles() {
    let mut random = fastrand::Rng::with_seed(9);
    let mut met = 0;
    for case in 0..3_000 {
        // A corner of one on a point of the other, as far as floats go, and then off by a few bits.
        let mut point = || [(); 3].map(|()| random.f64() - 0.5);
        let a: Triangle = [point(), point(), point()];
        let [u, v] = [random.f64(), random.f64()];
        let on_a = [0, 1, 2].map(|k| a[0][k] + u * (a[1][k] - a[0][k]) + v * (a[2][k] - a[1][k]));
        let off = on_a.map(|x| x * (1.0 + f64::from(random.i32(-2..=2)) * f64::EPSILON));
        let mut point = || [(); 3].map(|()| random.f64() - 0.5);
        let b = [off, point(), point()];
        let scale = 2f64.powi(random.i32(-60..60));
        let scaled = |t: &Triangle| t.map(|p| p.map(|x| x * scale));
        assert_eq!(contact(&a, &b).is_some(), meet(&a, &b), "case {case}");
        assert_eq!(
            contact(&scaled(&a), &scaled(&b)),
            contact(&a, &b),
            "case {case}"
        );
        met += usize::from(meet(&a, &b));
    }
    assert!((1_000..2_900).contains(&met), "{met}");
}
