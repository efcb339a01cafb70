//! A stack of a hundred unit boxes, each resting on the next: the everyday contact that floats guess at.
//!
//! Unrotated, all 99 neighbours touch. Rotated together, the poses are rounded, and neighbours are what their rounded
//! vertices say: a few 2⁻⁵³ apart, touching, or as deep. Every verdict's certificate is held to its definition in integers
//! by `gjk::verify`, which shares nothing with the solver but the arithmetic.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test panics on purpose; counts are printed with --nocapture

mod oracle;

use gjk::query::{Contact, Options, ProofOptions, Verdict};
use gjk::shape::Cuboid;
use gjk::{Pose, Pose3, Scalar, Vec3, Vector, verify};
use oracle::Rng;

const BOXES: usize = 100;

fn vector<T: Scalar>(x: f64, y: f64, z: f64) -> Vec3<T> {
    Vec3::from_f64([x, y, z])
}

/// The answers of all neighbours, each verified, with the stack turned by `turn`.
fn neighbours<T: Scalar>(turn: &Pose3<T>) -> Vec<Contact<Vec3<T>>> {
    let cube = Cuboid::new(vector::<T>(0.5, 0.5, 0.5)).unwrap();
    let place = |k: usize| turn.compose(&Pose::from_translation(vector::<T>(0.0, 0.0, k as f64)));
    let options = ProofOptions::default().with_facets(true);
    let ask = |a: &Pose3<T>, b: &Pose3<T>| {
        gjk::Pair::new(&cube, a, &cube, b)
            .with(&Options::default())
            .prove_with(&options)
    };
    (1..BOXES)
        .map(|k| {
            let (below, above) = (place(k - 1), place(k));
            let answer = ask(&below, &above);
            let proved = verify::verify(&cube, &below, &cube, &above, &answer);
            let proved =
                proved.unwrap_or_else(|objection| panic!("box {k}: {objection}\n{answer:?}"));
            assert!(
                proved.verdict && proved.lower && proved.upper,
                "box {k}: {proved:?}\n{answer:?}"
            );
            let swapped = ask(&above, &below);
            assert_eq!(answer.contact.verdict, swapped.contact.verdict, "box {k}");
            answer.contact
        })
        .collect()
}

fn upright<T: Scalar>() {
    for answer in neighbours(&Pose3::<T>::identity()) {
        assert_eq!(answer.verdict, Verdict::Touching);
        assert!(answer.exact);
        assert_eq!(answer.signed_distance.lower.to_f64(), 0.0);
        assert_eq!(answer.signed_distance.upper.to_f64(), 0.0);
        assert_eq!(answer.normal, vector(0.0, 0.0, 1.0));
    }
}

/// Counts by verdict over random rotations, and the largest distance in roundings of the scalar.
fn turned<T: Scalar>(rotations: usize) -> [usize; 3] {
    let mut rng = Rng(4);
    let mut counts = [0; 3];
    let mut largest = 0.0f64;
    for _ in 0..rotations {
        let q = rng.quaternion().map(T::from_f64);
        let turn = Pose3::from_quaternion(q, vector(0.0, 0.0, 0.0)).unwrap();
        let axis = turn.vector(vector(0.0, 0.0, 1.0));
        for answer in neighbours(&turn) {
            counts[match answer.verdict {
                Verdict::Separated => 0,
                Verdict::Touching => 1,
                Verdict::Overlapping => 2,
                Verdict::Undecided => panic!("boxes are decided"),
            }] += 1;
            let interval = answer.signed_distance;
            largest = largest.max(
                interval.lower.abs().max(interval.upper.abs()).to_f64() / T::ROUNDING.to_f64(),
            );
            // Zero depth or nearly: the normal is the stack's axis all the same, to the poses' rounding.
            let aligned = answer.normal.dot(axis).to_f64();
            assert!(aligned > 1.0 - 1e-3, "{aligned} {answer:?}");
        }
    }
    println!(
        "{}: separated, touching, overlapping: {counts:?}, within {largest:.0} roundings",
        T::NAME
    );
    counts
}

#[test]
fn an_upright_stack_touches_everywhere() {
    upright::<f32>();
    upright::<f64>();
}

#[test]
fn a_turned_stack_is_what_its_rounded_vertices_say() {
    for counts in [turned::<f32>(20), turned::<f64>(20)] {
        assert_eq!(counts.iter().sum::<usize>(), 20 * (BOXES - 1));
        assert!(counts[0] > 0 && counts[2] > 0, "{counts:?}");
    }
}
