//! What the caller may choose, and what the caller may keep.

use crate::loops::epa::CachedFacets;
use crate::math::Vector;

/// Options of a query. The default is right for nearly everyone.
#[derive(Clone, Debug, PartialEq)]
pub struct Options<V: Vector> {
    /// Stop when the interval is narrower than this part of its upper end. `None`: the scalar's default, which for
    /// polytopes asks for the exact optimum.
    pub tolerance_relative: Option<V::Scalar>,
    /// At most this many iterations of each loop. Reaching it is reported with the bounds found so far, and never turned
    /// into a yes or no.
    pub iterations_max: u32,
    /// The first direction, from A to B. `None`: from centre to centre.
    pub first_direction: Option<V>,
    /// Stop as soon as the bodies are proved farther apart than this.
    pub cutoff: Option<V::Scalar>,
    /// Whether touching bodies intersect.
    pub touching_counts: bool,
    /// Answer by floats alone: what their error bounds do not decide stays [`super::Verdict::Undecided`]. For comparison.
    pub float_only: bool,
    /// Whether the answer carries its certificate. Without it two boxes may be answered by their axes alone, two polygons by
    /// their edges; the verdict and the interval are proved either way.
    pub certificate: bool,
    /// Whether distances and depths of hulls in `f64` are measured in double precision, to a few roundings, and exactly where
    /// the floats are. Without it the bounds of the loop, of boxes' axes or of polygons' edges are the answer where they are
    /// within `2⁻³⁸` of it: several times faster. Narrower scalars are always answered so, to a rounding of theirs.
    pub sharp: bool,
    /// Whether an overlap's certificate carries the facets that prove the depth; they cost an allocation.
    pub prove_depth: bool,
}

impl<V: Vector> Default for Options<V> {
    fn default() -> Self {
        Self {
            tolerance_relative: None,
            iterations_max: 1000,
            first_direction: None,
            cutoff: None,
            touching_counts: true,
            float_only: false,
            certificate: true,
            sharp: true,
            prove_depth: false,
        }
    }
}

/// Vertex ids of the last simplex of a pair, and of the facets that bounded its depth, kept by the caller between frames.
///
/// Always safe: ids that no longer exist are skipped, vertices that do not help are dropped, and facets prove a depth or are
/// forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WarmStart {
    ids: [[u32; 2]; 4],
    len: u8,
    pub(crate) surface: CachedFacets,
}

impl WarmStart {
    /// Nothing known.
    pub fn new() -> Self {
        Self::default()
    }

    /// The ids, newest first.
    pub fn ids(&self) -> &[[u32; 2]] {
        &self.ids[..usize::from(self.len).min(4)]
    }

    pub(crate) fn keep(&mut self, ids: impl Iterator<Item = [u32; 2]>) {
        self.len = 0;
        for (slot, pair) in self.ids.iter_mut().zip(ids) {
            *slot = pair;
            self.len += 1;
        }
    }
}
