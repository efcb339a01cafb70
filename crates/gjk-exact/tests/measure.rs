//! Intervals of distances, facets and gaps against exact fractions.
//!
//! The truth is the squared length as a fraction in integers, by brute force over vertices, edges and triangles of the
//! difference. An interval is held to it by comparing squares, so that nothing here is rounded.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod common;

use common::{Rng, exact_relation, floats, lattice};
use core::cmp::Ordering;
use dashu_int::IBig;
use gjk_exact::integer::{Int3, cross, dot, sub};
use gjk_exact::number::{Dyadic, Number};
use gjk_exact::{AdaptiveSigns, Class, Nearest, Problem, Simplex, Vertex, measure};

type Point = [i64; 3];

fn big(p: Point) -> Int3 {
    p.map(IBig::from)
}

fn difference(a: &[Point], b: &[Point]) -> Vec<Int3> {
    a.iter()
        .flat_map(|p| {
            b.iter()
                .map(move |q| big(core::array::from_fn(|k| p[k] - q[k])))
        })
        .collect()
}

/// A non-negative fraction.
type Fraction = (IBig, IBig);

fn less(x: &Fraction, y: &Fraction) -> bool {
    &x.0 * &y.1 < &y.0 * &x.1
}

/// The squared distance of the origin to the hull of `m`, which does not contain it: the least over its simplexes.
fn squared_distance(m: &[Int3]) -> Fraction {
    let mut best: Option<Fraction> = None;
    let mut offer = |found: Fraction| {
        if best.as_ref().is_none_or(|b| less(&found, b)) {
            best = Some(found);
        }
    };
    for (i, a) in m.iter().enumerate() {
        offer((dot(a, a), IBig::ONE));
        for (j, b) in m.iter().enumerate().skip(i + 1) {
            let ab = sub(b, a);
            let squared = dot(&ab, &ab);
            let along = -dot(a, &ab);
            if along > IBig::ZERO && along < squared {
                let c = cross(a, &ab);
                offer((dot(&c, &c), squared));
            }
            for c in m.iter().skip(j + 1) {
                let n = cross(&ab, &sub(c, a));
                let squared = dot(&n, &n);
                let parts = [(b, c), (c, a), (a, b)].map(|(p, q)| dot(&n, &cross(p, q)));
                if squared > IBig::ZERO && parts.iter().all(|x| *x > IBig::ZERO) {
                    let h = dot(&n, a);
                    offer((&h * &h, squared));
                }
            }
        }
    }
    best.unwrap()
}

/// `x²` against a fraction, exactly, for `x ≥ 0`.
fn compare_square(x: f64, fraction: &Fraction) -> Ordering {
    let x = Dyadic::difference(x, 0.0);
    let scaled = |n: &IBig| -> Dyadic {
        // Integers of at most 53 bits a limb: split, so that no conversion rounds.
        let mut rest = n.clone();
        let mut sum = Dyadic::difference(0.0, 0.0);
        let mut power = 1.0;
        while rest != IBig::ZERO {
            let low = &rest % IBig::from(1 << 30);
            sum = sum.plus(
                &Dyadic::difference(i64::try_from(&low).unwrap() as f64, 0.0)
                    .times(&Dyadic::difference(power, 0.0)),
            );
            rest = (&rest - &low) / IBig::from(1 << 30);
            power *= f64::from(1 << 30);
        }
        sum
    };
    x.times(&x)
        .times(&scaled(&fraction.1))
        .minus(&scaled(&fraction.0))
        .sign()
        .unwrap()
}

fn holds([lower, upper]: [f64; 2], squared: &Fraction, case: &str) {
    assert!(lower <= upper, "{case}: [{lower}, {upper}]");
    assert!(
        lower < 0.0 || compare_square(lower, squared).is_le(),
        "{case}: {lower} is above the truth"
    );
    assert!(
        compare_square(upper, squared).is_ge(),
        "{case}: {upper} is below the truth"
    );
}

#[test]
fn distances_are_held_by_narrow_intervals() {
    let mut rng = Rng(41);
    let mut widest = 0.0f64;
    for case in 0..6000 {
        let dim = 2 + case % 2;
        let (a, mut b) = (lattice(&mut rng, dim), lattice(&mut rng, dim));
        let shift = rng.below(9) as i64;
        b.iter_mut().for_each(|p| p[0] += shift);
        if exact_relation(dim, &a, &b) != -1 {
            continue;
        }
        // Once near one, once out of the range of pairs of floats. The scales are powers of four: squares stay integers.
        let scale = [1.0, 2f64.powi(-400)][case / 2 % 2];
        let (fa, fb) = (floats(&a, scale), floats(&b, scale));
        let signs = AdaptiveSigns::default();
        let problem = Problem::new(dim, &fa[..], &fb[..], &signs);
        let Class::Separated { nearest, .. } = problem.classify(&[problem.vertex([0, 0])]) else {
            panic!("{case}")
        };
        let truth = squared_distance(&difference(&a, &b));
        let name = format!("case {case}: {a:?} {b:?}");
        let measured = problem.measure(&nearest).unwrap();
        let unscaled = |x: f64| x / scale;
        holds(
            [unscaled(measured.lower), unscaled(measured.upper)],
            &truth,
            &name,
        );
        holds(nearest.distance().map(unscaled), &truth, &name);
        widest = widest.max(unscaled(measured.upper - measured.lower));
        // Any other face gives true bounds as well.
        let other = problem.vertex([
            rng.below(a.len() as u64) as u32,
            rng.below(b.len() as u64) as u32,
        ]);
        if let Some(measured) = problem.measure(&Nearest::new(dim, Simplex::new(&[other]))) {
            holds(
                [unscaled(measured.lower), unscaled(measured.upper)],
                &truth,
                &name,
            );
        }
        // The points are as far apart as the distance.
        let [p, q] = nearest.points(&nearest.rounded_weights().unwrap());
        let apart = (0..3)
            .map(|k| (unscaled(p[k]) - unscaled(q[k])).powi(2))
            .sum::<f64>()
            .sqrt();
        assert!(
            (apart - unscaled(measured.upper)).abs() < 1e-12
                || apart >= unscaled(measured.lower) - 1e-12,
            "{name}"
        );
        let [lower, upper] = nearest.distance().map(unscaled);
        assert!(
            apart >= lower - 1e-13 && apart <= upper + 1e-13,
            "{name}: {apart}"
        );
    }
    // Coordinates to 13: a width of some of their roundings.
    assert!(widest < 8.0 * 13.0 * f64::EPSILON, "{widest}");
}

/// The sign and size of `D − R` survive where the subtraction of floats would not.
#[test]
fn gaps_have_the_sign_of_the_exact_difference() {
    let mut rng = Rng(43);
    let mut signs = [0; 3];
    for case in 0..4000 {
        // Pythagorean distances: 3-4-5 and 1-2-2, scaled, so that equality happens.
        let k = 1 + rng.below(50) as i64;
        let (d, length) = [([3, 4, 0], 5), ([1, 2, 2], 3), ([2, 3, 6], 7)][case % 3];
        let p: Point = d.map(|x: i64| x * k);
        // Squares leave the range of floats at the two last.
        let scale = [0, -700, 900].map(|power| 2f64.powi(power))[case / 3 % 3];
        let vertex = Vertex::new([0, 0], p.map(|x| x as f64 * scale), [0.0; 3]);
        let nearest = Nearest::new(3, Simplex::new(&[vertex]));
        let radius = length as f64 * k as f64 / 4.0 * scale;
        let other = [
            radius * 3.0,
            (radius * 3.0).next_up(),
            (radius * 3.0).next_down(),
        ][rng.below(3) as usize];
        let radii = [radius, other];
        let [lower, upper] = nearest.gap(&radii);
        let truth = (radius * 3.0 - other) * 1.0;
        let sign = nearest.compare(&radii);
        signs[(sign as i8 + 1) as usize] += 1;
        assert_eq!(Some(sign), truth.partial_cmp(&0.0), "case {case}");
        assert!(
            lower <= truth && truth <= upper,
            "case {case}: {truth} in [{lower}, {upper}]"
        );
        assert!(
            upper - lower <= truth.abs() * 1e-14,
            "case {case}: {truth} in [{lower}, {upper}]"
        );
    }
    assert!(signs.iter().all(|&n| n > 500), "{signs:?}");
}

#[test]
fn planes_and_sides_are_exact_on_slivers_and_out_of_range() {
    let mut rng = Rng(47);
    let mut flat = 0;
    for case in 0..20_000 {
        let reach = [5, 1 << 20, 1 << 26][case % 3];
        let mut point = || -> Point {
            core::array::from_fn(|_| rng.below(2 * reach + 1) as i64 - reach as i64)
        };
        let corners = [point(), point(), point()];
        let scale = [1.0, 2f64.powi(-700)][case / 3 % 2];
        let vertex = |p: Point| Vertex::new([0, 0], p.map(|x| x as f64 * scale), [0.0; 3]);
        let facet = corners.map(vertex);
        let [a, b, c] = corners.map(big);
        let n = cross(&sub(&b, &a), &sub(&c, &a));
        if n.iter().all(|x| *x == IBig::ZERO) {
            flat += 1;
            // A direction of zero stays zero, and is not divided by its length.
            assert_eq!(measure::plane(3, &facet).normal, [0.0; 3], "case {case}");
            continue;
        }
        let height = dot(&n, &a);
        let squared = (&height * &height, dot(&n, &n));
        let plane = measure::plane(3, &facet);
        let mirror = |[lower, upper]: [f64; 2]| {
            if height < IBig::ZERO {
                [-upper, -lower]
            } else {
                [lower, upper]
            }
        };
        holds(
            mirror([plane.lower / scale, plane.upper / scale]),
            &squared,
            &format!("case {case}"),
        );
        assert!(
            plane.upper - plane.lower <= 8.0 * f64::EPSILON * plane.upper.abs(),
            "case {case}: {plane:?}"
        );
        let norm = plane.normal.iter().map(|x| x * x).sum::<f64>();
        assert!(
            (norm - 1.0).abs() < 8.0 * f64::EPSILON,
            "case {case}: {plane:?}"
        );
        let p = point();
        let side = dot(&n, &sub(&big(p), &a)).cmp(&IBig::ZERO);
        let float = |p: Point| p.map(|x| x as f64 * scale);
        assert_eq!(
            measure::side(3, &corners.map(float), float(p)),
            side,
            "case {case}"
        );
        assert_eq!(
            measure::side(3, &corners.map(float), float(corners[1])),
            Ordering::Equal,
            "case {case}"
        );
    }
    assert!((10..2000).contains(&flat), "{flat} flat facets");
}

/// What floats call enclosed is; most that is, they call so.
#[test]
fn surely_encloses_is_never_wrong() {
    let mut rng = Rng(53);
    let mut counts = [0; 3];
    for case in 0..40_000 {
        let dim = 2 + case % 2;
        let reach = [2, 1000][case / 2 % 2];
        let points: Vec<Point> = (0..=dim)
            .map(|_| {
                let mut c = || rng.below(2 * reach + 1) as i64 - reach as i64;
                [c(), c(), if dim == 3 { c() } else { 0 }]
            })
            .collect();
        let inside = exact_relation(dim, &points, &[[0; 3]]) == 1;
        let claimed = measure::surely_encloses(dim, &floats(&points, 1.0));
        assert!(inside || !claimed, "case {case}: {points:?}");
        counts[usize::from(inside) + usize::from(claimed)] += 1;
    }
    assert!(
        counts[2] > 1000 && counts[1] * 20 < counts[2],
        "outside, missed, claimed: {counts:?}"
    );
}
