//! An engine's narrow phase: the broad phase names pairs, each keeps a cache from frame to frame.
#![allow(clippy::print_stdout)]

use gjk::query::{Cache, Options};
use gjk::shape::{Ball, Cuboid, Shape, ShapeError};
use gjk::{Pair, Pose3, Vec3};
use std::collections::HashMap;

type Body = (Shape<Vec3<f64>>, Pose3<f64>);

/// Called by the broad phase for each pair whose bounding volumes overlap.
fn on_pair(bodies: &[Body], (i, j): (usize, usize), cache: &mut Cache) {
    let ((a, pose_a), (b, pose_b)) = (&bodies[i], &bodies[j]);
    // Two centimetres of margin: the search ends where the bodies are proved farther apart.
    let options = Options::default().with_cutoff(0.02);
    let query = Pair::new(a, pose_a, b, pose_b).with(&options).warm(cache);
    let contact = query.contact();
    if contact.signed_distance.lower <= 0.02 {
        let gap = contact.signed_distance.middle();
        println!("{i}-{j}: gap {gap:.4}, normal {:?}", contact.normal);
    }
}

fn main() -> Result<(), ShapeError> {
    let at = |z: f64| Pose3::from_translation(Vec3::new(0.0, 0.0, z));
    let floor = Cuboid::new(Vec3::new(5.0, 5.0, 0.5))?.into();
    let stone = Ball::new(0.3)?.into();
    let mut bodies = [(floor, at(-0.5)), (stone, at(0.35))];
    let mut caches: HashMap<(usize, usize), Cache> = HashMap::new();
    for frame in 0..4 {
        bodies[1].1 = at(0.33 - 0.02 * f64::from(frame));
        let pair = (0, 1);
        on_pair(&bodies, pair, caches.entry(pair).or_default());
    }
    Ok(())
}
