//! Every pair of small integer bodies against all hyperplanes in exact integers.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod oracle;

use gjk::query::{self, Verdict};
use gjk::shape::{Polytope, Shape, Triangle};
use gjk::{Pose, Vec2, Vec3};
use oracle::Rng;

fn expected(relation: i32) -> Verdict {
    [Verdict::Separated, Verdict::Touching, Verdict::Overlapping][(relation + 1) as usize]
}

/// All triangle pairs on a 3 × 3 lattice, degenerate ones too, both argument orders, f32 and f64.
#[test]
fn all_lattice_triangle_pairs_in_the_plane() {
    let points: Vec<[i64; 3]> = (0..9).map(|i| [i % 3, i / 3, 0]).collect();
    let mut triangles = Vec::new();
    for i in 0..9 {
        for j in i..9 {
            triangles.extend((j..9).map(|k| [points[i], points[j], points[k]]));
        }
    }
    let here64 = Pose::identity();
    let here32 = Pose::identity();
    let mut counts = [0; 3];
    for a in &triangles {
        for b in &triangles {
            let want = oracle::exact_relation(2, a, b);
            counts[(want + 1) as usize] += 1;
            let f64s = |t: &[[i64; 3]; 3]| {
                let [p, q, r] = t.map(|v| Vec2::new(v[0] as f64, v[1] as f64));
                Triangle::new(p, q, r).unwrap()
            };
            let f32s = |t: &[[i64; 3]; 3]| {
                let [p, q, r] = t.map(|v| Vec2::new(v[0] as f32, v[1] as f32));
                Triangle::new(p, q, r).unwrap()
            };
            let got = query::contact(
                &f64s(a),
                &here64,
                &f64s(b),
                &here64,
                &gjk::query::Options::tight(),
            );
            assert_eq!(got.verdict, expected(want), "{a:?} {b:?} {got:?}");
            assert!(got.exact);
            let got = query::intersects(&f32s(a), &here32, &f32s(b), &here32, &Default::default());
            assert_eq!(got.verdict, expected(want), "f32 {a:?} {b:?} {got:?}");
        }
    }
    assert!(
        counts.iter().all(|&c| c > 1000),
        "the lattice must reach all three verdicts: {counts:?}"
    );
}

/// Random small integer hulls in space, half of them flat, with many duplicates and touching pairs.
#[test]
fn random_lattice_hulls_in_space() {
    let mut rng = Rng(1);
    let mut counts = [0; 3];
    for case in 0..30_000 {
        let radius = 1 + rng.below(4) as i64;
        let mut body = || -> Vec<[i64; 3]> {
            let n = 1 + rng.below(6);
            let flat = rng.below(4);
            (0..n)
                .map(|_| {
                    let mut c = || rng.below(2 * radius as u64 + 1) as i64 - radius;
                    let (x, y, z) = (c(), c(), c());
                    [x, y, [z, 0, x + y, z][flat as usize]]
                })
                .collect()
        };
        let (a, b) = (body(), body());
        let want = oracle::exact_relation(3, &a, &b);
        counts[(want + 1) as usize] += 1;
        let shape = |points: &[[i64; 3]]| -> Shape<Vec3<f64>> {
            let points: Vec<_> = points
                .iter()
                .map(|p| Vec3::new(p[0] as f64, p[1] as f64, p[2] as f64))
                .collect();
            Polytope::new(&points).unwrap().into()
        };
        let here = Pose::identity();
        let (x, y) = (shape(&a), shape(&b));
        let got = query::contact(&x, &here, &y, &here, &gjk::query::Options::tight());
        assert_eq!(
            got.verdict,
            expected(want),
            "case {case}: {a:?} {b:?} {got:?}"
        );
        let f =
            |p: &[[i64; 3]]| -> Vec<[f64; 3]> { p.iter().map(|p| p.map(|x| x as f64)).collect() };
        let truth = oracle::signed_distance(3, &f(&a), &f(&b));
        let interval = got.signed_distance;
        let room = 1e-13;
        assert!(
            interval.lower <= truth + room
                && truth - room <= interval.upper
                && interval.upper - interval.lower < 1e-11,
            "case {case}: {truth} not in {interval:?}: {a:?} {b:?} {got:?}"
        );
    }
    assert!(
        counts.iter().all(|&c| c > 500),
        "the generator must reach all three verdicts: {counts:?}"
    );
}
