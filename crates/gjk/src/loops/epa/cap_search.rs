//! When the loop looks for a cap.
//!
//! Where it sits: the loop in [`super`] calls [`CapSearch::extend`] after each expansion. Nothing here proves anything but by
//! [`super::caps`].
//! Idea: the first search starts from the least height after a few expansions. Later ones start from directions whose heights are
//! not far above, where the polytope would need rings of facets as well. Facet-like least heights have no cap and need none.

use super::caps::Caps;
use super::descent;
use super::expanding_polytope::ExpandingPolytope;
use super::progress::Progress;
use crate::math::Vector64;
use crate::support::{MinkowskiDifference, Support};

/// The search for caps, of smooth bodies in space.
pub(super) struct CapSearch<V> {
    pub(super) caps: Caps<V>,
    /// Searches that are left.
    left: u32,
    /// No search before so many expansions.
    next: u32,
    /// The rounding bound of the pair.
    slack: f64,
}

/// How many expansions come before the first search for a cap: the polytope then has a direction not far from the best.
const CAP_FIRST: u32 = 5;
/// How many searches for caps are made.
const CAP_SEARCHES: u32 = 10;
/// A direction whose height is within this part of the least may have a least height of its own that is not far above.
const CAP_RIVAL: f64 = 0.03;

/// A height lower than the least by less than this part is rounding.
const CAP_LOWER: f64 = 1e-9;
/// A search that finds nothing counts as so many more: the least height is then mostly that of a facet.
const CAP_FAILURE: u32 = 3;

impl<V: Vector64> CapSearch<V> {
    pub(super) fn new(smooth: bool, slack: f64) -> Self {
        Self {
            caps: Caps::new(),
            left: if smooth { CAP_SEARCHES } else { 0 },
            next: CAP_FIRST,
            slack,
        }
    }

    /// Whether a cap is to be looked for: about the least height, or about the last direction where its height is not far above.
    fn wanted(&self, progress: &Progress<V>, offset: f64) -> bool {
        if self.left == 0 || progress.iterations < self.next {
            return false;
        }
        let least = self.caps.lower();
        let near = progress.height < least * (1.0 + CAP_RIVAL)
            && progress.height - offset < CAP_RIVAL * progress.height;
        !(least < f64::INFINITY)
            || progress.height < least * (1.0 - CAP_LOWER)
            || near && !self.caps.contains(progress.last)
    }

    /// Looks for a cap after an expansion of a facet at this offset, where one is wanted. `true` if there is one, and facets are to
    /// be looked at anew.
    pub(super) fn extend<A: Support<V>, B: Support<V>>(
        &mut self,
        difference: &MinkowskiDifference<A, B>,
        polytope: &mut ExpandingPolytope<V>,
        progress: &mut Progress<V>,
        offset: f64,
    ) -> bool {
        if !self.wanted(progress, offset) {
            return false;
        }
        self.left -= 1;
        // The bodies touch, or nearly.
        if offset <= self.slack
            && let Some(outward) = outward(polytope, self.slack)
        {
            progress.learn(outward, difference.support_pair(outward).w.dot(outward));
        }
        let from = match self.caps.found() {
            Some(_) => progress.last,
            None => progress.upper_normal,
        };
        let found = descent::descend(difference, from).map(|found| {
            let normal = found.base.normal();
            let height = difference.support_pair(normal).w.dot(normal);
            progress.learn(normal, height);
            (found, height)
        });
        let Some((found, height)) = found.filter(|(found, _)| found.height() > 0.0) else {
            self.left = self.left.saturating_sub(CAP_FAILURE);
            self.next = progress.iterations + progress.iterations / 2 + 2;
            return false;
        };
        self.next = progress.iterations + 1;
        for pair in found.pairs().into_iter().flatten() {
            polytope.insert_if_clear(pair);
        }
        self.caps.add(&found, height);
        true
    }
}

/// The mean of the normals of the facets whose planes are within a slack of the origin. At a tip, as a cone has, it is well inside of the directions along which the tip is highest,
/// and each of the facets' own normals is at their rim or beyond.
fn outward<V: Vector64>(polytope: &ExpandingPolytope<V>, slack: f64) -> Option<V> {
    let near = polytope
        .alive()
        .filter(|&facet| polytope.lower(facet) <= slack);
    let sum = near.fold(V::ZERO, |sum, facet| {
        sum + polytope.plane(facet).unit_normal()
    });
    sum.normalized()
}
