//! What is asked of the pairs of triangles of two bodies.
//!
//! Where it sits: below the trees, which leave out pairs that are too far apart, and above nothing.

use crate::signs::Point;
use crate::trace::Compared;
use core::ops::ControlFlow;

/// A question about two surfaces that some pairs of triangles answer.
pub(crate) trait Ask {
    /// Pairs that are proved to be farther apart than this are left out. It may only fall.
    fn limit(&self) -> f64;

    /// A pair of triangles that is not left out, of the first and of the second surface. A break ends the search.
    fn pair(&mut self, i: u32, j: u32) -> ControlFlow<()>;

    /// The way from the first surface's nearest point known to the second's, in the world: along it many pairs are as far apart as the limit.
    fn direction(&self) -> Option<Point> {
        None
    }

    /// Whether somebody wants to know what was compared: asked once, before a search.
    fn is_watched(&self) -> bool {
        false
    }

    /// Two boxes or triangles were compared: a lower bound of how far what is in them is apart, and whether it is beyond the limit.
    fn compared(&mut self, _parts: [Compared; 2], _apart: f64, _left_out: bool) {}
}

/// Asks for all pairs that no box tells apart.
pub(crate) struct Touching<F>(pub(crate) F);

impl<F: FnMut(u32, u32) -> ControlFlow<()>> Ask for Touching<F> {
    fn limit(&self) -> f64 {
        0.0
    }

    fn pair(&mut self, i: u32, j: u32) -> ControlFlow<()> {
        (self.0)(i, j)
    }
}
