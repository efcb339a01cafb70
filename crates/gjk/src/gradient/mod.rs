//! Gradients: how the signed distance of two bodies changes with their poses.
//!
//! Where it sits: above `narrow/`, which gives normal and points, and `manifold/`, which gives the corners where more than one pair of points is
//! nearest; below [`crate::query`], which is the face. Read `solve.rs`: it has the steps, in order.
//! Idea: the signed distance is the largest gap over all directions, so that its rate is that of the gap along the best direction, with both points held
//! (Danskin). That is the derivative only where one direction and one pair of points are best. So the vertices that may be highest along the true normal
//! are counted (`highest.rs`): one of either body, or two edges that cross, make one pair. Of an overlap the facets that may be nearest must be of one
//! plane, by integers (`facets.rs`). Faces that are level have a polygon of points that are equally good (`level.rs`).
//! `closest.rs` says how far the contact's numbers may be off,
//! and `rate.rs` what that makes of a rate. `quick.rs` is the usual case, and `touch.rs` that of cores that touch.
//!
//! Frame: plane bodies are flat bodies in space, so one code serves both. Numbers are of the world, scaled by a power of two.

mod answer;
mod closest;
mod facets;
mod highest;
mod level;
mod quick;
mod rate;
mod solve;
mod touch;

pub use answer::{Gradient, GradientVertex, PoseGradient};
pub(crate) use solve::{along, answer, touching};
pub use touch::TouchingRate;
