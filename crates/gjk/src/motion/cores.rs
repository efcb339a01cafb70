//! The numbered vertices of two bodies, as the exact layer reads them.

use super::track::Track;
use crate::math::{Vector, Vector64};
use crate::support::{Posed, Support, Vertices};
use gjk_exact::Points;
use gjk_exact::line::Line;

/// The cores of two polytopes, rounded or not.
pub(super) struct Cores<'p, W, A: ?Sized, B: ?Sized> {
    pub(super) a: Vertices<'p, W, A>,
    pub(super) b: Vertices<'p, W, B>,
}

/// The cores of two shapes at their poses.
pub(super) type PosedCores<'p, V, A, B> =
    Cores<'p, <V as Vector>::Wide, Posed<'p, V, A>, Posed<'p, V, B>>;

/// The line of two cores.
pub(super) type CoreLine<'c, 'p, W, A, B> = Line<'c, Vertices<'p, W, A>, Vertices<'p, W, B>>;

impl<'p, V: Vector, A, B> PosedCores<'p, V, A, B>
where
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    /// `None` for bodies that are no hulls of numbered vertices.
    pub(super) fn of(a: &'p Posed<'p, V, A>, b: &'p Posed<'p, V, B>) -> Option<Self> {
        Some(Self {
            a: Vertices::of(a, a.vertex_count())?,
            b: Vertices::of(b, b.vertex_count())?,
        })
    }
}

impl<'p, W: Vector64, A: Support<W> + ?Sized, B: Support<W> + ?Sized> Cores<'p, W, A, B> {
    /// The line of their relative motion.
    pub(super) fn line(&self, track: &Track<W>) -> CoreLine<'_, 'p, W, A, B> {
        let velocities = track.velocities.map(W::to_f64);
        Line::new(&self.a, &self.b, W::DIM, velocities)
    }

    /// A combination of vertices of B, of floats that are not negative.
    pub(super) fn mean_of_b(&self, pairs: &[[u32; 2]], weights: &[f64]) -> W {
        let vertex = |pair: [u32; 2]| W::from_f64(self.b.point(pair[1]));
        let first = pairs.first().map_or(W::ZERO, |&pair| vertex(pair));
        let total: f64 = weights.iter().sum();
        pairs
            .iter()
            .zip(weights)
            .fold(first, |sum, (&pair, weight)| {
                sum + (vertex(pair) - first) * (weight / total)
            })
    }
}
