//! The one descent of two trees: pairs of boxes that are not proved too far apart, the nearest first.

use super::bound::gaps;
use super::{Relative, TRIANGLE, Tree, WIDTH};
use crate::ask::Ask;
use core::ops::ControlFlow;
use fearless_simd::{Level, Simd, dispatch};

/// A pair of boxes: `WIDTH` times the node, and the lane, of each tree.
#[derive(Clone, Copy)]
struct Entry {
    bound: f32,
    slots: [u32; 2],
}

const WIDTH_U32: u32 = WIDTH as u32;

impl Tree {
    /// Visits the pairs of triangles of this tree and another that bounds do not leave out. Where the visitor breaks: a lower bound of
    /// the distance of all pairs that were not visited.
    ///
    /// # Complexity  the stack holds at most 8 pairs for each level of either tree.
    pub(crate) fn descend(
        &self,
        other: &Self,
        relative: &Relative,
        ask: &mut dyn Ask,
    ) -> Option<f64> {
        dispatch!(Level::new(), simd => descend(simd, [self, other], relative, ask))
    }

    fn child(&self, slot: u32) -> u32 {
        self.nodes[(slot / WIDTH_U32) as usize].child[(slot % WIDTH_U32) as usize]
    }

    /// How large a box is, to choose the larger of two.
    fn size(&self, slot: u32) -> f32 {
        let half = &self.nodes[(slot / WIDTH_U32) as usize].half;
        let lane = (slot % WIDTH_U32) as usize;
        half[0][lane].max(half[1][lane]).max(half[2][lane])
    }
}

#[inline(always)]
fn descend<S: Simd>(
    simd: S,
    trees: [&Tree; 2],
    relative: &Relative,
    ask: &mut dyn Ask,
) -> Option<f64> {
    let mut stack = Vec::with_capacity(64);
    stack.push(Entry {
        bound: 0.0,
        slots: [0, 0],
    });
    let proved = |bound: f32| f64::from(bound) - relative.slack;
    while let Some(Entry { bound, slots }) = stack.pop() {
        let limit = ask.limit();
        if proved(bound) > limit {
            continue;
        }
        let [a, b] = [trees[0].child(slots[0]), trees[1].child(slots[1])];
        let of_triangle = [a & TRIANGLE != 0, b & TRIANGLE != 0];
        if of_triangle == [true, true] {
            if let ControlFlow::Break(()) = ask.pair(a & !TRIANGLE, b & !TRIANGLE) {
                let rest = stack.iter().map(|entry| proved(entry.bound));
                return Some(rest.fold(proved(bound), f64::min).max(0.0));
            }
            continue;
        }
        let larger = usize::from(trees[1].size(slots[1]) > trees[0].size(slots[0]));
        // The tree whose box is opened.
        let of = if of_triangle[larger] {
            1 - larger
        } else {
            larger
        };
        let number = [a, b][of];
        let slot = slots[1 - of];
        let one = trees[1 - of].nodes[(slot / WIDTH_U32) as usize].obb((slot % WIDTH_U32) as usize);
        let one = relative.moved(of, &one);
        let node = &trees[of].nodes[number as usize];
        let bounds = gaps(simd, &one, node);
        let from = stack.len();
        for lane in 0..node.count {
            let bound = bounds[lane as usize].max(bound);
            if proved(bound) > limit {
                continue;
            }
            let mut slots = slots;
            slots[of] = number * WIDTH_U32 + lane;
            // The nearest one is popped first.
            let mut at = stack.len();
            stack.push(Entry { bound, slots });
            while at > from && stack[at - 1].bound < bound {
                stack.swap(at - 1, at);
                at -= 1;
            }
        }
    }
    None
}
