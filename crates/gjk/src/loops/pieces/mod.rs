//! Least heights of smooth bodies, by what their surfaces are.
//!
//! Where it sits: `loops/epa/descent.rs` looks for a depth, [`nearest`] and [`disc`] for a distance.
//! Idea: about a direction a body is a [`crate::support::Piece`], a point, an ellipse or an ellipsoid, or the hull of two that are level.
//! Their heights have gradients and second derivatives, so that a few of Newton's steps end where a loop of support points would close
//! in for long. Read [`followed`] first, then [`step`]. Nothing here is a proof.

pub(crate) mod disc;
pub(crate) mod followed;
pub(crate) mod local_height;
pub(crate) mod nearest;
pub(crate) mod step;
