//! What exactness costs: the exact verdict against the bare float loop, on random and on truly touching pairs.
//!
//! Both sides get the same posed shapes. The bare loop answers a boolean by floats alone, as other libraries do, and is
//! wrong where pairs nearly touch; the exact verdict carries a certificate. Times are the least of several rounds over all
//! pairs, so trust ratios more than nanoseconds.

use crate::oracle::Rng;
use gjk::loops::gjk::{FirstSimplex, Goal, Settings, run as bare};
use gjk::query;
use gjk::shape::{Cuboid, Polytope};
use gjk::{MinkowskiDifference, Pose, Pose3, Posed, Support, Vec3};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

type V = Vec3<f64>;

const PAIRS: usize = 2000;
const ROUNDS: usize = 15;

/// Prints the table.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let only = arguments.first().map_or("", String::as_str);
    let mut rng = Rng(2);
    println!("{PAIRS} pairs a row, least of {ROUNDS} rounds, one thread");
    println!(
        "{:38} {:>10} {:>10} {:>6} {:>10} {:>6}",
        "", "float ns", "exact ns", "ratio", "contact ns", "ratio"
    );
    random_rows(only, &mut rng);
    touching_rows(only, &mut rng);
    row(only, "aligned boxes on a grid of 1/4", &mut rng, |rng| {
        let at = Vec3::new(grid(rng), grid(rng), grid(rng)) * 1.5;
        (
            unit_box(),
            Pose::identity(),
            unit_box(),
            Pose::from_translation(at),
        )
    });
    ExitCode::SUCCESS
}

/// Prints the rows of pairs at random poses.
fn random_rows(only: &str, rng: &mut Rng) {
    row(only, "random boxes", rng, |rng| {
        (unit_box(), turned(rng, 0.0), unit_box(), turned(rng, 1.6))
    });
    row(only, "random hulls, 16 points", rng, |rng| {
        (
            hull(rng, 16),
            turned(rng, 0.0),
            hull(rng, 16),
            turned(rng, 1.6),
        )
    });
    row(only, "random hulls, 128 points", rng, |rng| {
        (
            hull(rng, 128),
            turned(rng, 0.0),
            hull(rng, 128),
            turned(rng, 1.6),
        )
    });
}

/// Prints the rows of boxes that truly touch.
fn touching_rows(only: &str, rng: &mut Rng) {
    row(only, "touching boxes, face on face", rng, |rng| {
        let beside = Vec3::new(1.0, grid(rng), grid(rng));
        (
            unit_box(),
            Pose::identity(),
            unit_box(),
            Pose::from_translation(beside),
        )
    });
    row(only, "touching boxes, edge on edge", rng, |rng| {
        (
            unit_box(),
            Pose::identity(),
            unit_box(),
            Pose::from_translation(Vec3::new(1.0, 1.0, grid(rng))),
        )
    });
    row(only, "touching boxes, vertex on vertex", rng, |_| {
        (
            unit_box(),
            Pose::identity(),
            unit_box(),
            Pose::from_translation(Vec3::new(1.0, 1.0, 1.0)),
        )
    });
}

fn unit_box() -> Cuboid<V> {
    Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).expect("positive")
}

/// A multiple of a quarter in (-1, 1).
fn grid(rng: &mut Rng) -> f64 {
    (rng.below(7) as f64 - 3.0) * 0.25
}

fn turned(rng: &mut Rng, away: f64) -> Pose3<f64> {
    let at = Vec3::from(rng.direction(3)) * (away * rng.range(0.3, 1.0));
    Pose3::from_quaternion(rng.quaternion(), at).expect("a unit quaternion")
}

fn hull(rng: &mut Rng, n: usize) -> Polytope<V> {
    let points: Vec<V> = (0..n).map(|_| Vec3::from(rng.direction(3)) * 0.5).collect();
    Polytope::new(&points).expect("finite points")
}

fn row<A: Support<V>, B: Support<V>>(
    only: &str,
    name: &str,
    rng: &mut Rng,
    mut pair: impl FnMut(&mut Rng) -> (A, Pose3<f64>, B, Pose3<f64>),
) {
    if !name.contains(only) {
        return;
    }
    let pairs: Vec<_> = (0..PAIRS).map(|_| pair(rng)).collect();
    let settings = Settings {
        goal: Goal::Separation(0.0),
        tolerance_relative: 1e-12,
        iterations_max: 64,
        slack: 1e-14,
    };
    let float = time(|| {
        for (a, pose_a, b, pose_b) in &pairs {
            let difference = MinkowskiDifference {
                a: Posed::new(a, *pose_a),
                b: Posed::new(b, *pose_b),
            };
            let first = pose_b.translation() - pose_a.translation();
            black_box(
                bare(
                    &difference,
                    first,
                    FirstSimplex::Vertices(&[]),
                    &settings,
                    &mut (),
                )
                .stop,
            );
        }
    });
    let options = Default::default();
    let exact = time(|| {
        for (a, pose_a, b, pose_b) in &pairs {
            black_box(query::intersects(a, pose_a, b, pose_b, &options).verdict);
        }
    });
    let contact = time(|| {
        for (a, pose_a, b, pose_b) in &pairs {
            black_box(query::contact(a, pose_a, b, pose_b, &options).signed_distance);
        }
    });
    println!(
        "{name:38} {float:>10.0} {exact:>10.0} {:>6.2} {contact:>10.0} {:>6.2}",
        exact / float,
        contact / float
    );
}

/// Nanoseconds a pair.
fn time(mut work: impl FnMut()) -> f64 {
    let once = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_nanos() as f64 / PAIRS as f64
    };
    (0..ROUNDS)
        .map(|_| once(&mut work))
        .fold(f64::INFINITY, f64::min)
}
