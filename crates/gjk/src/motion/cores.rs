//! The numbered vertices of two bodies, as the exact layer reads them.

use super::shot::PosedBody;
use super::track::Track;
use crate::math::{Vector, Vector64};
use crate::support::AnyBody;
use crate::support::Vertices;
use gjk_exact::Points;
use gjk_exact::line::Line;

/// The cores of two polytopes, rounded or not.
pub(super) struct Cores<'p, W: Vector> {
    pub(super) a: Vertices<'p, W, AnyBody<'p, W>>,
    pub(super) b: Vertices<'p, W, AnyBody<'p, W>>,
}

/// The line of two cores.
pub(super) type CoreLine<'c> = Line<'c, dyn Points + 'c, dyn Points + 'c>;

impl<'p, W: Vector64> Cores<'p, W> {
    /// `None` for bodies that are no hulls of numbered vertices.
    pub(super) fn of<V: Vector<Wide = W>>(
        a: &'p PosedBody<'p, V>,
        b: &'p PosedBody<'p, V>,
    ) -> Option<Self> {
        let (of_a, of_b): (&AnyBody<'_, W>, &AnyBody<'_, W>) = (a, b);
        Some(Self {
            a: Vertices::of(of_a, a.vertex_count())?,
            b: Vertices::of(of_b, b.vertex_count())?,
        })
    }

    /// The line of their relative motion.
    pub(super) fn line(&self, track: &Track<W>) -> CoreLine<'_> {
        let velocities = track.velocities.map(W::to_f64);
        CoreLine::new(&self.a, &self.b, W::DIM, velocities)
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
