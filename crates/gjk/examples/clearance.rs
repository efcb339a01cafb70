//! A robot's link against a table: is it clear by five millimetres, and who can check that?
#![allow(clippy::print_stdout)]

use gjk::query::{Options, Verdict};
use gjk::shape::{Capsule, Cuboid, ShapeError};
use gjk::{Axis, Pair, Pose3, Vec3, verify};

const CLEARANCE: f64 = 0.005;

fn main() -> Result<(), ShapeError> {
    let table = Cuboid::new(Vec3::new(0.6, 0.4, 0.02))?;
    let link = Capsule::new(0.15, 0.03, Axis::Z)?;
    let world = Pose3::identity();
    let elbow = Pose3::from_translation(Vec3::new(0.1, 0.0, 0.21));
    let pair = Pair::new(&table, &world, &link, &elbow);

    // The lower end of the interval is proved, so "clear" never rests on a rounding.
    let gap = pair.with(&Options::tight()).distance().distance;
    println!("{:.6} m to {:.6} m apart", gap.lower, gap.upper);
    println!("clear by {CLEARANCE} m: {}", gap.lower > CLEARANCE);

    // The same with a certificate, checked by code that shares nothing with the solver.
    let proof = pair.prove();
    assert_eq!(proof.contact.verdict, Verdict::Separated);
    match verify::verify(&table, &world, &link, &elbow, &proof) {
        Ok(checked) => println!("verified: {checked:?}"),
        Err(wrong) => println!("not true: {wrong}"),
    }
    Ok(())
}
