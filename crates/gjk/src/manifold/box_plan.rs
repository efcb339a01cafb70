//! What stays of a manifold of two boxes for the next step: which corners the two faces have in common, their order, and ids.
//!
//! Where it sits: `boxes.rs` asks whether it still holds, and a [`super::ManifoldCache`] keeps it.
//! Idea: what corners there are is told by signs alone: on which side of each side of a face each corner of the other face is. They are computed of the present
//! places, each beyond rounding. Where all of them are those of the plan, so is all that follows from them, and from the numbers of the faces' vertices: nothing
//! else is read, so that a plan of other bodies holds where it is right for these. The order is that of numbers that rise, which is tested.

use super::box_corners::BoxRecipes;
use super::box_face::SideSigns;
use super::few::{ChoiceHint, CornerNumbers, FEW};
use super::polygon::{few_in_order, turned_around};

/// The corners of two faces, for as long as they are those.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BoxPlan {
    /// The vertices of both faces, and where they are: none are all zero.
    rings: [[u32; 4]; 2],
    signs: [SideSigns; 2],
    pub(super) recipes: BoxRecipes,
    order: [u8; FEW],
    /// Where in the order the first corner was.
    start: u8,
    hint: ChoiceHint,
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
            order: core::array::from_fn(|k| k as u8),
            ..Self::default()
        };
    }

    /// The order of the corners, counter-clockwise: that of the plan, if it is one, from where it begins.
    #[inline(always)]
    pub(super) fn order(&mut self, numbers: &CornerNumbers) -> [usize; FEW] {
        let count = self.recipes.count();
        let keys = turned_around(count, &numbers.x, &numbers.y);
        let at = |k: usize| keys[usize::from(self.order[k]) & (FEW - 1)];
        let (mut falls, mut start) = (0, 0);
        for k in 0..count {
            let next = if k + 1 == count { 0 } else { k + 1 };
            let rises = at(k) < at(next);
            falls += u32::from(!rises);
            start = if rises { start } else { next };
        }
        if falls != 1 {
            let order = few_in_order(count, &numbers.x, &numbers.y);
            for (slot, &n) in self.order.iter_mut().zip(&order) {
                *slot = n as u8;
            }
            start = 0;
        }
        if falls != 1 || usize::from(self.start) != start {
            self.start = start as u8;
            self.hint = ChoiceHint::default();
        }
        let mut order = [0; FEW];
        for (k, slot) in order[..count].iter_mut().enumerate() {
            let from = start + k;
            let from = if from < count { from } else { from - count };
            *slot = usize::from(self.order[from & (FEW - 1)]);
        }
        order
    }

    /// The corners that were kept the last time.
    #[inline(always)]
    pub(super) fn hint(&self) -> ChoiceHint {
        self.hint
    }

    /// Keeps the corners that were kept.
    #[inline(always)]
    pub(super) fn keep(&mut self, hint: ChoiceHint) {
        self.hint = hint;
    }

    /// The id of a corner.
    #[inline(always)]
    pub(super) fn id(&mut self, n: usize, id: &dyn Fn() -> u64) -> u64 {
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
