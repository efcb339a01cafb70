//! From what a caller asks to two bodies in motion.
//!
//! Idea: a ray is a cast of a point, with a ball of the radius `distance` about it. For two bodies and a distance the ball is swept over the second,
//! in the world and in `f64`; the answer goes back to the caller's scalar.
//! What is below asks bodies by [`AnyBody`], so that it is compiled once for each vector, and not for each pair of shapes.

use super::answer::CastProof;
use super::options::MotionOptions;
use super::ray::Ray;
use super::shot::{BodyPair, Shot};
use super::solve::MotionQuestion;
use super::track::{Mover, Track};
use crate::math::{Pose, Ring, Scalar, Vector};
use crate::support::AnyBody;
use crate::support::{Inflated, Posed};

/// A body, where it is at the start, and how it moves.
pub struct Moving<'p, V: Vector> {
    pub(crate) shape: &'p AnyBody<'p, V>,
    pub(crate) pose: &'p Pose<V>,
    pub(crate) velocity: V,
}

/// The answer on a ray.
pub(crate) fn ray<V: Vector>(
    body: &AnyBody<'_, V>,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
    proof: bool,
) -> CastProof<V> {
    let distance = options.distance().to_f64();
    let mover = Mover {
        at: ray.origin(),
        radius: distance,
    };
    let here = Pose::identity();
    let pair = BodyPair::new(body, pose, &mover, &here);
    let velocities = [V::ZERO, ray.direction()];
    answer(pair, velocities, Some([0.0, distance]), options, proof)
}

/// The answer on two bodies.
pub(crate) fn cast<V: Vector>(
    a: &Moving<'_, V>,
    b: &Moving<'_, V>,
    options: &MotionOptions<V::Scalar>,
    proof: bool,
) -> CastProof<V> {
    if options.distance() == V::Scalar::ZERO {
        let pair = BodyPair::new(a.shape, a.pose, b.shape, b.pose);
        return answer(pair, [a.velocity, b.velocity], None, options, proof);
    }
    let options = options.wide();
    let (posed_a, posed_b) = (Posed::new(a.shape, *a.pose), Posed::new(b.shape, *b.pose));
    let inflated = Inflated::new(&posed_b, options.distance());
    let here = Pose::identity();
    let pair = BodyPair::new(&posed_a, &here, &inflated, &here);
    let velocities = [a.velocity.lift(), b.velocity.lift()];
    let radii = Some([posed_b.radius(), options.distance()]);
    answer(pair, velocities, radii, &options, proof).lift()
}

/// The answer on a pair in motion. `radii` are the two parts of the radius of the second body; `None` where it has but its own.
fn answer<V: Vector>(
    pair: BodyPair<'_, V>,
    velocities: [V; 2],
    radii: Option<[f64; 2]>,
    options: &MotionOptions<V::Scalar>,
    proof: bool,
) -> CastProof<V> {
    let (a, b) = (
        Posed::new(pair.a, *pair.pose_a),
        Posed::new(pair.b, *pair.pose_b),
    );
    let [own, distance] = radii.unwrap_or([b.radius(), 0.0]);
    let question = MotionQuestion {
        shot: Shot {
            pair,
            a: &a,
            b: &b,
            track: Track::of(velocities, options.max_time()),
            radii: [a.radius(), own, distance],
        },
        options: *options,
        proof,
    };
    question.answer()
}
