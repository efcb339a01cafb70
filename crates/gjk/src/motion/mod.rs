//! Rays against a body: whether, when and where.
//!
//! Where it sits: above `narrow/`, which answers for the start, and below [`crate::query`], which is the face. Read `solve.rs`: it has the steps,
//! in order. `ray.rs`, `options.rs` and `answer.rs` are what goes in and out.
//! Idea: a ray is a point that moves, or a ball. Against a convex body it is in contact on one interval of times, so three things are wanted: whether
//! it starts in contact, when contact begins, and when it ends. `sharp.rs` answers for polytopes by exact signs. `soft.rs` answers for all other
//! bodies by planes, which bound the time from below, and by contacts, which bound it from above; what it leaves open of rounded polytopes goes to
//! `rounded.rs`, which compares distances in integers.

mod answer;
mod options;
mod ray;
mod rounded;
mod sharp;
mod shot;
mod soft;
mod solve;
mod track;

pub use answer::{Meeting, MotionStop, RayAnswer, RayCertificate, RayProof};
pub use options::{RayOptions, Start, Touch};
pub use ray::{Ray, RayError};
pub(crate) use solve::answer;
