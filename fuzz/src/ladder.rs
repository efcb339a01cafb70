//! Target `ladder`: the exact layer on two point sets.
//!
//! Held: every class carries its proof, checked in integers of this crate's own; exchanging the bodies, scaling by a
//! power of two and moving both by an exact step change nothing; the distance's floats are around the exact distance.
//! One input in four is an expression for `numbers.rs` instead.

use crate::bytes::Bytes;
use crate::exact::{Grid, Vector, combination, cross, dot, encloses_origin, is_zero, minus};
use crate::numbers;
use core::cmp::Ordering;
use dashu_int::IBig;
use gjk_exact::{Class, Nearest, Vertex, classify};

const POINTS_MAX: usize = 24;

#[derive(Debug)]
struct Input {
    dim: usize,
    sets: [Vec<[f64; 3]>; 2],
    hint: [f64; 3],
    radius: f64,
    exponent: i32,
    step: [f64; 3],
}

fn decode(data: &[u8]) -> Input {
    let mut bytes = Bytes::new(data);
    let mode = bytes.byte();
    let dim = if mode & 1 == 1 { 2 } else { 3 };
    let exponent = i32::from(bytes.byte() as i8);
    let step = core::array::from_fn(|k| if k < dim { bytes.small() } else { 0.0 });
    let hint = bytes.point(dim);
    let radius = bytes.number().abs();
    let counts = [0; 2].map(|_: usize| bytes.below(POINTS_MAX + 1));
    let small = mode & 2 == 2;
    let mut point = || {
        if small {
            core::array::from_fn(|k| if k < dim { bytes.small() } else { 0.0 })
        } else {
            bytes.point(dim)
        }
    };
    let sets = counts.map(|count| (0..count).map(|_| point()).collect());
    Input {
        dim,
        sets,
        hint,
        radius,
        exponent,
        step,
    }
}

/// Encodes two sets as seeds.
pub fn encode(dim: usize, sets: [&[[f64; 3]]; 2]) -> Vec<u8> {
    let mut writer = crate::bytes::Writer::default();
    writer.byte(if dim == 2 { 1 } else { 0 });
    writer.byte(3);
    (0..dim).for_each(|_| writer.byte(1));
    writer.numbers(&[1.0, 0.0, 0.0][..dim]);
    writer.number(0.5);
    sets.iter()
        .for_each(|set| writer.byte(set.len().min(POINTS_MAX) as u8));
    sets.iter()
        .flat_map(|set| set.iter().take(POINTS_MAX))
        .for_each(|p| writer.numbers(&p[..dim]));
    writer.bytes
}

/// The sets, the hint, and what is tried beside.
pub fn describe(data: &[u8]) -> String {
    match expression(data) {
        Some(rest) => numbers::describe(rest),
        None => format!("{:?}", decode(data)),
    }
}

/// The bytes of an expression, when the first byte says that they are one.
fn expression(data: &[u8]) -> Option<&[u8]> {
    data.split_first()
        .filter(|(first, _)| **first & 12 == 12)
        .map(|(_, rest)| rest)
}

/// Classifies and checks.
pub fn run(data: &[u8]) {
    if let Some(rest) = expression(data) {
        return numbers::run(rest);
    }
    let input = decode(data);
    let Input {
        dim,
        sets: [a, b],
        hint,
        ..
    } = &input;
    let finite = |set: &[[f64; 3]]| !set.is_empty() && set.iter().flatten().all(|x| x.is_finite());
    let Some(class) = classify(*dim, a, b, *hint) else {
        assert!(!finite(a) || !finite(b), "finite sets have a class");
        return;
    };
    assert!(finite(a) && finite(b));
    check(&input, a, b, &class);
    let swapped = classify(*dim, b, a, *hint).expect("as the other way round");
    assert_eq!(rank(&class), rank(&swapped), "the bodies exchanged");
    check(&input, b, a, &swapped);
    let factor = 2f64.powi(input.exponent * 4);
    let scaled = [a, b].map(|set| moved(set, |x, _| x * factor, |y, _| y / factor));
    let steps = [a, b].map(|set| moved(set, |x, k| x + input.step[k], |y, k| y - input.step[k]));
    for sets in [scaled, steps] {
        if let [Some(a), Some(b)] = sets {
            let other = classify(*dim, &a, &b, *hint).expect("finite sets");
            assert_eq!(rank(&class), rank(&other), "an exact map of both sets");
        }
    }
}

/// The set under a map of its coordinates, when the map is exact for all of them.
fn moved(
    set: &[[f64; 3]],
    there: impl Fn(f64, usize) -> f64,
    back: impl Fn(f64, usize) -> f64,
) -> Option<Vec<[f64; 3]>> {
    let image: Vec<[f64; 3]> = set
        .iter()
        .map(|p| core::array::from_fn(|k| there(p[k], k)))
        .collect();
    let exact =
        |x: f64, y: f64, k: usize| y.is_finite() && back(y, k) == x && there(back(y, k), k) == y;
    // A sum is exact when the integers agree; comparing back alone would pass a rounding that comes back.
    let all = set.iter().zip(&image).all(|(p, q)| {
        (0..3).all(|k| {
            exact(p[k], q[k], k) && {
                let shift = there(0.0, k);
                let grid = Grid::of([&p[k], &q[k], &shift]);
                shift == 0.0 || grid.integer(p[k]) + grid.integer(shift) == grid.integer(q[k])
            }
        })
    });
    all.then_some(image)
}

fn rank(class: &Class) -> i32 {
    match class {
        Class::Separated { .. } => -1,
        Class::Touching { .. } => 0,
        Class::Overlapping(_) => 1,
    }
}

/// The lowest height of B less the highest of A.
fn gap(direction: &Vector, a: &[Vector], b: &[Vector]) -> IBig {
    let height = |p: &Vector| dot(direction, p);
    let lowest = b.iter().map(height).min();
    let highest = a.iter().map(height).max();
    lowest.expect("no empty set has a class") - highest.expect("no empty set has a class")
}

fn check(input: &Input, a: &[[f64; 3]], b: &[[f64; 3]], class: &Class) {
    let grid = Grid::of(a.iter().chain(b).flatten());
    let (points_a, points_b) = (grid.points(a), grid.points(b));
    let differences = |vertices: &[Vertex]| -> Vec<Vector> {
        let one = |v: &Vertex| minus(&points_b[v.pair[1] as usize], &points_a[v.pair[0] as usize]);
        vertices.iter().map(one).collect()
    };
    let gap = |d: &Vector| gap(d, &points_a, &points_b);
    match class {
        Class::Overlapping(enclosure) => {
            let points = differences(enclosure.vertices());
            assert!((3..=if input.dim == 2 { 5 } else { 6 }).contains(&points.len()));
            assert!(
                encloses_origin(input.dim, &points),
                "the pairs do not enclose the origin: {enclosure:?}"
            );
        }
        Class::Touching { direction, nearest } => {
            let direction = direction.integers();
            assert!(
                !is_zero(&direction) && gap(&direction) >= IBig::ZERO,
                "no supporting plane"
            );
            let points = differences(nearest.vertices());
            assert!(
                is_zero(&combination(&nearest.weights(), &points)),
                "no common point"
            );
            check_nearest(input, nearest, IBig::ZERO, IBig::ONE, grid);
        }
        Class::Separated { direction, nearest } => {
            let direction = direction.integers();
            let gap = gap(&direction);
            assert!(gap > IBig::ZERO, "the plane does not separate");
            let weights = nearest.weights();
            let v = combination(&weights, &differences(nearest.vertices()));
            let sum: IBig = weights.iter().sum();
            assert!(
                is_zero(&cross(&v, &direction)) && dot(&v, &direction) > IBig::ZERO,
                "not along the shortest way"
            );
            // The plane through v supports the difference, so v is its nearest point.
            assert_eq!(
                &gap * &sum,
                dot(&v, &direction),
                "the nearest point is not at the gap"
            );
            check_nearest(input, nearest, dot(&v, &v), &sum * &sum, grid);
        }
    }
}

/// The weights, the floats around the distance `√(numerator / denominator) · 2^grid`, and its comparison with a radius.
fn check_nearest(input: &Input, nearest: &Nearest, numerator: IBig, denominator: IBig, grid: Grid) {
    let weights = nearest.weights();
    assert!(weights.len() <= input.dim && nearest.vertices().len() == weights.len());
    assert!(weights.iter().all(|w| *w >= IBig::ZERO) && weights.iter().sum::<IBig>() > IBig::ZERO);
    let [lower, upper] = nearest.distance();
    assert!(
        -f64::from_bits(1) <= lower && lower <= upper,
        "{lower:e} {upper:e}"
    );
    // How `x` compares with the distance. A distance below all floats has a lower end just below zero.
    let compare = |x: f64| {
        if x < 0.0 {
            return Ordering::Less;
        }
        let fine = Grid(Grid::of([&x]).0.min(grid.0));
        let x = fine.integer(x);
        (&x * &x * &denominator).cmp(&(&numerator << (2 * (grid.0 - fine.0) as usize)))
    };
    assert!(
        compare(lower) != Ordering::Greater,
        "the lower end {lower} is above the distance"
    );
    assert!(
        upper.is_infinite() || compare(upper) != Ordering::Less,
        "the upper end {upper} is below the distance"
    );
    let radius = input.radius;
    if radius.is_finite() {
        assert_eq!(
            nearest.compare(&[radius]),
            compare(radius).reverse(),
            "the distance against a radius"
        );
        if radius / 2.0 * 2.0 == radius {
            assert_eq!(
                nearest.compare(&[radius / 2.0; 2]),
                compare(radius).reverse(),
                "against two radii"
            );
        }
    }
}
