//! Verdicts and certificates against brute force in `i128`, in stages, on integers, and at each stage.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test panics on purpose

mod common;

use common::{Machine, Rng, exact_relation, floats, lattice};
use gjk_exact::number::Dyadic;
use gjk_exact::sign::Only;
use gjk_exact::{
    AdaptiveSigns, Class, DirectionKind, Int, Operand, Problem, SignOracle, SymbolicDirection,
    Vertex, classify,
};

type Point = [i64; 3];

fn differences(a: &[Point], b: &[Point]) -> Vec<Point> {
    a.iter()
        .flat_map(|p| b.iter().map(move |q| core::array::from_fn(|k| p[k] - q[k])))
        .collect()
}

fn height(d: &[Int; 3], w: &Point) -> Int {
    (0..3).map(|k| &d[k] * Int::from(w[k])).sum()
}

/// The combination of the vertices' differences, times the sum of the weights.
fn combined(vertices: &[Vertex], weights: &[Int], at: impl Fn(&Vertex) -> Point) -> [Int; 3] {
    core::array::from_fn(|k| {
        vertices
            .iter()
            .zip(weights)
            .map(|(v, x)| x * Int::from(at(v)[k]))
            .sum()
    })
}

/// Holds a class to its definition, in integers.
fn hold(dim: usize, a: &[Point], b: &[Point], class: &Class, case: usize) -> i32 {
    let at = |v: &Vertex| -> Point {
        core::array::from_fn(|k| a[v.pair[0] as usize][k] - b[v.pair[1] as usize][k])
    };
    let all = differences(a, b);
    match class {
        Class::Separated { direction, nearest } => {
            let d = direction.integers();
            assert!(
                all.iter().all(|w| height(&d, w) < Int::ZERO),
                "case {case}: the direction does not separate"
            );
            let weights = nearest.weights();
            assert!(
                nearest.vertices().len() <= dim && weights.iter().all(|x| *x > Int::ZERO),
                "case {case}"
            );
            // The nearest point is along the direction, and no difference is lower: it is the nearest of all.
            let v = combined(nearest.vertices(), &weights, at);
            let parallel = (0..3).all(|k| &v[k] * &d[(k + 1) % 3] == &v[(k + 1) % 3] * &d[k]);
            assert!(
                parallel,
                "case {case}: the nearest point is off the direction"
            );
            let top = height(&d, &at(&nearest.vertices()[0]));
            assert!(
                all.iter().all(|w| height(&d, w) <= top),
                "case {case}: a nearer point exists"
            );
            -1
        }
        Class::Touching { direction, nearest } => {
            let d = direction.integers();
            assert!(
                d.iter().any(|x| !x.is_zero()),
                "case {case}: a zero direction"
            );
            assert!(
                all.iter().all(|w| height(&d, w) <= Int::ZERO),
                "case {case}: the plane does not support"
            );
            let weights = nearest.weights();
            assert!(
                weights.iter().all(|x| *x >= Int::ZERO) && weights.iter().any(|x| *x > Int::ZERO)
            );
            let sum = combined(nearest.vertices(), &weights, at);
            assert!(
                sum.iter().all(Int::is_zero),
                "case {case}: the weighted pairs must coincide"
            );
            0
        }
        Class::Overlapping(enclosure) => {
            let vertices = enclosure.vertices();
            assert!(
                (dim + 1..=2 * dim).contains(&vertices.len()),
                "case {case}: {} pairs",
                vertices.len()
            );
            let w: Vec<Point> = vertices.iter().map(at).collect();
            assert_eq!(
                exact_relation(dim, &w, &[[0; 3]]),
                1,
                "case {case}: the pairs do not enclose the origin"
            );
            1
        }
    }
}

/// At ordinary and extreme powers of two: the stages, and the integers they fall back to, meet the definition.
#[test]
fn verdicts_and_certificates_are_right_on_the_lattice() {
    let mut rng = Rng(77);
    let mut counts = [0; 3];
    for case in 0..60_000 {
        let dim = 2 + case % 2;
        let (a, b) = (lattice(&mut rng, dim), lattice(&mut rng, dim));
        let want = exact_relation(dim, &a, &b);
        counts[(want + 1) as usize] += 1;
        let scale = [1.0, f64::from_bits(1), 2f64.powi(1020), 2f64.powi(-40)][case / 2 % 4];
        let class = classify(dim, &floats(&a, scale), &floats(&b, scale), [0.0, 1.0, 0.0]).unwrap();
        assert_eq!(
            hold(dim, &a, &b, &class, case),
            want,
            "case {case}: {a:?} {b:?}"
        );
    }
    assert!(counts.iter().all(|&c| c > 1000), "{counts:?}");
}

/// The same generic functions on machine integers, on big integers and in stages take the same decisions.
#[test]
fn the_solver_runs_on_integers_as_in_stages() {
    fn run<S: SignOracle>(dim: usize, a: &[[f64; 3]], b: &[[f64; 3]], signs: &S) -> String {
        let problem = Problem::new(dim, a, b, signs);
        let start = problem.support(&SymbolicDirection::from(DirectionKind::Given([
            1.0, 0.0, 0.0,
        ])));
        format!("{:?}", problem.classify(&[start]))
    }
    let mut rng = Rng(13);
    for case in 0..20_000 {
        let dim = 2 + case % 2;
        let (a, b) = (
            floats(&lattice(&mut rng, dim), 1.0),
            floats(&lattice(&mut rng, dim), 1.0),
        );
        let in_stages = run(dim, &a, &b, &AdaptiveSigns::default());
        assert_eq!(
            in_stages,
            run(dim, &a, &b, &Only::<Machine>::new()),
            "case {case}"
        );
        assert_eq!(
            in_stages,
            run(dim, &a, &b, &Only::<Dyadic>::new()),
            "case {case}"
        );
    }
}

/// Any non-empty start gives the same verdict: a warm start changes the work only.
#[test]
fn every_start_gives_the_same_verdict() {
    let mut rng = Rng(99);
    for case in 0..20_000 {
        let dim = 2 + case % 2;
        let (a, b) = (lattice(&mut rng, dim), lattice(&mut rng, dim));
        let (fa, fb) = (floats(&a, 1.0), floats(&b, 1.0));
        let signs = AdaptiveSigns::default();
        let problem = Problem::new(dim, &fa[..], &fb[..], &signs);
        let start: Vec<Vertex> = (0..1 + rng.below(4))
            .map(|_| {
                problem.vertex([
                    rng.below(a.len() as u64) as u32,
                    rng.below(b.len() as u64) as u32,
                ])
            })
            .collect();
        let class = problem.classify(&start);
        assert_eq!(
            hold(dim, &a, &b, &class, case),
            exact_relation(dim, &a, &b),
            "case {case}"
        );
    }
}

/// Heights that are pure rounding noise: without the scan's bound a wrong vertex is taken as extreme.
#[test]
fn near_ties_are_decided_exactly() {
    let mut rng = Rng(5);
    let dyadic = Only::<Dyadic>::new();
    for case in 0..1500 {
        // Out of the range of floats' stages the direction comes from integers, rounded otherwise.
        let scale = [1.0, 2f64.powi(-700)][case % 2];
        let n = rng.direction();
        let points: Vec<[f64; 3]> = (0..12)
            .map(|_| {
                let d = rng.direction();
                let along = (0..3).map(|k| n[k] * d[k]).sum::<f64>();
                core::array::from_fn(|k| (d[k] - along * n[k]) * 1e6 * scale)
            })
            .collect();
        let below = [n.map(|x| -x * 1e-17 * scale)];
        let signs = AdaptiveSigns::default();
        let problem = Problem::new(3, &points[..], &below[..], &signs);
        let formula = SymbolicDirection::from(DirectionKind::Given(n.map(|x| x * scale)));
        let found = problem.support(&formula).pair[0];
        let higher = (0..12).any(|i| {
            dyadic
                .sign(
                    &formula,
                    &Operand::Points(points[i], points[found as usize]),
                )
                .is_gt()
        });
        assert!(!higher, "case {case}");
    }
}

/// Directions whose components differ by a factor of 2^900 are cut when they become floats; the scan must know what it lost.
#[test]
fn a_direction_of_very_different_components_loses_no_vertex() {
    let origin = [[0.0; 3]];
    for exponent in [880, 901, 950, 1007] {
        let far = -(2f64.powi(exponent));
        for dim in [2, 3] {
            let mut a = vec![[far, 1.0, 0.0], [2.0, -1.0, 0.0], [0.0; 3]];
            if dim == 3 {
                a.push([2.0, -1.0, 1.0]);
            }
            for hint in [
                [0.0; 3],
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [-1.0, -1.0, 0.0],
            ] {
                let class = classify(dim, &a, &origin, hint).unwrap();
                assert!(
                    matches!(class, Class::Touching { .. }),
                    "2^{exponent}, {dim}D, {hint:?}: {class:?}"
                );
            }
        }
    }
}

/// Swapping the bodies mirrors the class.
#[test]
fn swapping_the_bodies_keeps_the_verdict() {
    let mut rng = Rng(3);
    let kind = |class: &Class| core::mem::discriminant(class);
    for case in 0..10_000 {
        let dim = 2 + case % 2;
        let (a, b) = (
            floats(&lattice(&mut rng, dim), 1.0),
            floats(&lattice(&mut rng, dim), 1.0),
        );
        let (one, other) = (
            classify(dim, &a, &b, [0.0; 3]).unwrap(),
            classify(dim, &b, &a, [0.0; 3]).unwrap(),
        );
        assert_eq!(kind(&one), kind(&other), "case {case}");
    }
}

/// Near-touching floats need precision: every stage decides some signs.
#[test]
fn every_stage_is_needed() {
    let mut rng = Rng(8);
    let mut sum = [0u32; 4];
    for case in 0..4000 {
        let scale = [1.0, 1.0, f64::from_bits(1)][case % 3];
        let noise = case % 3 == 1;
        let mut body = || -> Vec<[f64; 3]> {
            let points = floats(&lattice(&mut rng, 3), scale);
            let mut shake = || 1.0 + (rng.below(3) as f64 - 1.0) * f64::EPSILON;
            points
                .iter()
                .map(|p| p.map(|x| if noise { x * 0.1 * shake() } else { x }))
                .collect()
        };
        let (a, b) = (body(), body());
        let signs = AdaptiveSigns::default();
        let problem = Problem::new(3, &a[..], &b[..], &signs);
        problem.classify(&[problem.vertex([0, 0])]);
        let counts = signs.stage_counts();
        for (slot, n) in sum.iter_mut().zip([
            counts.filter,
            counts.double,
            counts.expansion,
            counts.integer,
        ]) {
            *slot += n;
        }
    }
    assert!(
        sum.iter().all(|&n| n > 50),
        "filter, double, expansion, integer: {sum:?}"
    );
}

/// Empty sets and numbers that are not finite are refused, not computed with.
#[test]
fn bad_input_is_refused() {
    let good = [[0.0; 3]];
    assert!(classify(3, &[], &good, [0.0; 3]).is_none());
    assert!(classify(3, &good, &[[f64::NAN, 0.0, 0.0]], [0.0; 3]).is_none());
    assert!(classify(3, &good, &[[0.0, f64::INFINITY, 0.0]], [0.0; 3]).is_none());
    assert!(classify(3, &good, &good, [f64::NAN; 3]).is_some());
}
