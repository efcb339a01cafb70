//! What a descent compared, for whoever watches, and the boxes of a tree as a picture needs them.

use super::descend::{WIDTH_U32, is_triangle};
use super::{LEAF, Tree};
use crate::ask::Ask;
use crate::trace::{Compared, TreeBox};

/// Says what was compared; of a bound in lanes its slack is taken.
#[cold]
pub(super) fn tell(
    ask: &mut dyn Ask,
    trees: [&Tree; 2],
    slots: [u32; 2],
    (bound, slack): (f32, f64),
    left_out: bool,
) {
    let parts = [0, 1].map(|k| trees[k].part(slots[k]));
    ask.compared(parts, (f64::from(bound) - slack).max(0.0), left_out);
}

impl Tree {
    /// What is in a slot.
    fn part(&self, slot: u32) -> Compared {
        if is_triangle(slot) {
            Compared::Triangle(self.triangle(slot))
        } else {
            Compared::Box(slot)
        }
    }

    /// The boxes, in the mesh's own frame.
    pub(crate) fn boxes(&self) -> Vec<TreeBox> {
        let (mut boxes, mut stack) = (Vec::new(), vec![(0, 0)]);
        while let Some((slot, level)) = stack.pop() {
            let obb = self.nodes[(slot / WIDTH_U32) as usize].obb((slot % WIDTH_U32) as usize);
            boxes.push(TreeBox {
                number: slot,
                level,
                center: [0, 1, 2].map(|k| self.center[k] + f64::from(obb.center[k])),
                axes: [0, 1, 2].map(|i| obb.axes[i].map(|x| f64::from(x * obb.half[i]))),
            });
            let node = self.child(slot);
            if node & LEAF == 0 {
                let lanes = 0..self.nodes[node as usize].count;
                stack.extend(lanes.map(|lane| (node * WIDTH_U32 + lane, level + 1)));
            }
        }
        boxes
    }
}
