//! What stays of a manifold of two boxes for the next step: which corners the two faces have in common, and ids.
//!
//! Where it sits: `boxes.rs` asks whether it still holds, and a [`super::ManifoldCache`] keeps it.
//! Idea: what corners there are is told by signs alone: on which side of each side of a face each corner of the other face is. They are computed of the present
//! places, each beyond rounding. Where all of them are those of the plan, so is all that follows from them, and from the numbers of the faces' vertices: nothing
//! else is read, so that a plan of other bodies holds where it is right for these.

use super::box_corners::BoxRecipes;
use super::box_face::SideSigns;
use super::few::FEW;

/// The corners of two faces, for as long as they are those.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BoxPlan {
    /// The vertices of both faces, and where they are: none are all zero.
    rings: [[u32; 4]; 2],
    signs: [SideSigns; 2],
    pub(super) recipes: BoxRecipes,
    ids: [u64; FEW],
    /// A bit for each id that is known.
    known: u8,
}

impl BoxPlan {
    /// Whether faces of these vertices with these signs have the corners of the plan in common.
    #[inline(always)]
    pub(super) fn holds(&self, rings: &[[u32; 4]; 2], signs: &[SideSigns; 2]) -> bool {
        self.rings == *rings && self.signs == *signs
    }

    /// Becomes the plan of these faces, whose corners these are.
    #[inline(always)]
    pub(super) fn remember(
        &mut self,
        rings: [[u32; 4]; 2],
        signs: [SideSigns; 2],
        recipes: BoxRecipes,
    ) {
        *self = Self {
            rings,
            signs,
            recipes,
            ..Self::default()
        };
    }

    /// The id of a corner.
    #[inline(always)]
    pub(super) fn id(&mut self, n: usize, id: impl Fn() -> u64) -> u64 {
        let n = n & (FEW - 1);
        if self.known >> n & 1 == 0 {
            self.ids[n] = id();
            self.known |= 1 << n;
        }
        self.ids[n]
    }

    /// Numbers the ids that are known, to be found again.
    #[cfg(test)]
    pub(super) fn mark_ids(&mut self) {
        self.ids = core::array::from_fn(|k| k as u64);
    }
}
