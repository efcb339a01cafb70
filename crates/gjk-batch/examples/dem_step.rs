//! A step of a discrete element simulation: all contacts of grains in one batch, then forces.
#![allow(clippy::print_stdout)]

use gjk::shape::Ball;
use gjk::{Pose3, Vec3};
use gjk_batch::{Options, Pair, Poses, Shapes, World, contact_into};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut shapes = Shapes::new();
    let grain = shapes.push(Ball::new(0.01)?);
    let mut at: Vec<Vec3<f64>> = (0..1000)
        .map(|k| Vec3::new(0.0199 * f64::from(k), 0.0, 0.0))
        .collect();
    // Neighbours in a row; a simulation takes them from its cell list.
    let pairs: Vec<Pair> = (0..999)
        .map(|k| Pair::new((grain, k), (grain, k + 1)))
        .collect();
    let mut contacts = Vec::new();
    for step in 0..3 {
        let poses: Poses<_> = at.iter().map(|&x| Pose3::from_translation(x)).collect();
        let world = World {
            shapes: &shapes,
            poses: &poses,
        };
        // The memory of the answers is the caller's, and serves the next step too.
        contact_into(world, &pairs, &Options::default(), &mut contacts)?;
        let mut deepest: f64 = 0.0;
        for (pair, contact) in pairs.iter().zip(&contacts) {
            let depth = -contact.interval.middle();
            let push = contact.normal * (0.25 * depth.max(0.0));
            let [i, j] = [pair.a.pose, pair.b.pose].map(|k| k as usize);
            (at[i], at[j]) = (at[i] - push, at[j] + push);
            deepest = deepest.max(depth);
        }
        println!("step {step}: {} pairs, deepest {deepest:.6}", pairs.len());
    }
    Ok(())
}
