//! A part of a body about a direction: what the body's surface is there, beside its farthest point.
//!
//! Where it sits: [`super::Support::piece`] answers with a [`Piece`], and `loops/epa/caps.rs` reads two of them.
//! Idea: every shape of this crate is the hull of points, ellipses and ellipsoids, and so it stays under any affine map. Each of
//! them is a centre and up to three half axes.

use super::function::{NO_ID, SupportPoint};
use crate::math::{Pose, Vector};

/// A point, ellipse or ellipsoid `center + Σ s_k·axes_k` with `|s| ≤ 1` that the body contains. Its height along a direction `x`
/// is `center·x + |(axes_k·x)_k|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece<W> {
    /// Its centre.
    pub center: W,
    /// Its half axes, in any order; zero where there are fewer.
    pub axes: [W; 3],
    /// Tells the pieces of one body apart.
    pub id: u32,
    /// The number of the vertex that it is, or [`NO_ID`].
    pub vertex: u32,
}

impl<W: Vector<Scalar = f64, Wide = W>> Piece<W> {
    /// A numbered vertex; `None` for other points.
    pub(crate) fn of_vertex(found: SupportPoint<W>) -> Option<Self> {
        (found.id != NO_ID).then_some(Self {
            center: found.point,
            axes: [W::ZERO; 3],
            id: found.id,
            vertex: found.id,
        })
    }

    /// A point that is no numbered vertex.
    pub(crate) fn point(center: W, id: u32) -> Self {
        Self {
            center,
            axes: [W::ZERO; 3],
            id,
            vertex: NO_ID,
        }
    }

    /// The disc about a point of this radius, across an axis.
    pub(crate) fn disc(center: W, axis: usize, radius: f64, id: u32) -> Self {
        let across = |k: usize| W::axis((axis + k) % W::DIM) * radius;
        Self {
            axes: [across(1), across(2), W::ZERO],
            ..Self::point(center, id)
        }
    }

    /// The piece under a pose.
    #[inline]
    pub(crate) fn posed(&self, pose: &Pose<W>) -> Self {
        Self {
            center: pose.point(self.center),
            axes: self.axes.map(|axis| pose.vector(axis)),
            ..*self
        }
    }

    /// The piece with a radius swept over it: a point becomes a ball, and of other pieces nothing is known.
    pub(crate) fn swept(self, radius: f64) -> Option<Self> {
        if radius == 0.0 {
            return Some(self);
        }
        (self.axes == [W::ZERO; 3]).then(|| Self {
            axes: core::array::from_fn(|k| {
                if k < W::DIM {
                    W::axis(k) * radius
                } else {
                    W::ZERO
                }
            }),
            ..self
        })
    }

    /// The piece by a change of scale.
    pub(crate) fn shown(&self, show: impl Fn(W) -> W) -> Self {
        Self {
            center: show(self.center),
            axes: self.axes.map(show),
            ..*self
        }
    }

    /// The piece mirrored at the origin: that of `−B`.
    pub(crate) fn mirrored(&self) -> Self {
        Self {
            center: -self.center,
            ..*self
        }
    }
}
