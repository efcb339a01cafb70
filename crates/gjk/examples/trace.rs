//! Watch a query at work: the same loop, observed.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use gjk::trace::{Recorder, Step};
use gjk::{Pose, Vec3, query, shape::Cuboid};

fn main() {
    let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
    let beside = Pose::from_translation(Vec3::new(1.5, 0.5, 0.25));
    let (options, mut warm, mut recorder) = (
        query::ProofOptions::default(),
        query::Cache::new(),
        Recorder::new(),
    );
    let answer = gjk::Pair::new(&cube, &Pose::identity(), &cube, &beside)
        .warm(&mut warm)
        .prove_observed(&options, &mut recorder)
        .contact;
    for step in &recorder.steps {
        match step {
            Step::Gjk {
                iteration,
                support,
                region,
                ..
            } => println!("GJK {iteration}: {:?}, {region}", support.w),
            Step::Epa {
                iteration,
                lower,
                upper,
                ..
            } => println!("EPA {iteration}: depth {lower} to {upper}"),
        }
    }
    println!(
        "{:?}, depth {}, along {:?}",
        answer.verdict, -answer.signed_distance.upper, answer.normal
    );
}
