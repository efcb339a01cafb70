//! Pairs of triangles of one tree that lanes do not tell apart: where a mesh may meet itself.
//!
//! Idea: a node's boxes and a leaf's triangles are compared with one another, and what is near is descended. Neighbours are never told apart, so
//! triangles are asked only along the lines that are quick to find.

use super::bound::overlaps;
use super::descend::{WIDTH_U32, not_beyond};
use super::triangles::{Edged, box_gaps, corners_of, in_all_lanes, not_parted};
use super::{LEAF, Leaf, Tree, WIDTH};
use core::ops::ControlFlow;
use fearless_simd::{Level, Simd, dispatch};

impl Tree {
    /// Visits the pairs of triangles that are not proved to be apart, each once, in no particular order, until the visitor breaks.
    ///
    /// # Complexity  the stack holds at most 16 pairs for each level.
    pub(crate) fn own_pairs(
        &self,
        visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        dispatch!(Level::new(), simd => own_pairs(simd, self, visit))
    }
}

#[inline(always)]
fn own_pairs<S: Simd>(
    simd: S,
    tree: &Tree,
    visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let beyond = (tree.own_slack() as f32).next_up();
    for leaf in &tree.leaves {
        within_leaf(simd, leaf, beyond, visit)?;
    }
    let mut stack = Vec::with_capacity(64);
    for (number, node) in (0..).zip(&tree.nodes) {
        for lane in 1..node.count {
            let near = overlaps(simd, &node.obb(lane as usize), node);
            for other in 0..lane {
                if near[other as usize] <= beyond {
                    stack.push([number * WIDTH_U32 + other, number * WIDTH_U32 + lane]);
                }
            }
        }
        while let Some(slots) = stack.pop() {
            match slots.map(|slot| tree.child(slot)) {
                [a, b] if a & b & LEAF != 0 => between_leaves(simd, tree, slots, beyond, visit)?,
                [a, b] => {
                    let size = |slot: u32| {
                        tree.nodes[(slot / WIDTH_U32) as usize].size[(slot % WIDTH_U32) as usize]
                    };
                    let opens_first =
                        b & LEAF != 0 || a & LEAF == 0 && size(slots[0]) >= size(slots[1]);
                    let (opened, other) = if opens_first {
                        (a, slots[1])
                    } else {
                        (b, slots[0])
                    };
                    let node = &tree.nodes[opened as usize];
                    let near = overlaps(simd, &tree.obb(other), node);
                    for (slot, near) in (opened * WIDTH_U32..).zip(near).take(node.count as usize) {
                        if near <= beyond {
                            stack.push([slot, other]);
                        }
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

#[inline(always)]
fn within_leaf<S: Simd>(
    simd: S,
    leaf: &Leaf,
    beyond: f32,
    visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let all = Edged::new(corners_of(simd, leaf));
    for lane in 1..leaf.count() as usize {
        let one = Edged::new(in_all_lanes(simd, &leaf.corners(lane)));
        let mut near = not_parted(simd, &one, &all, beyond) & ((1 << lane) - 1);
        while near != 0 {
            let other = near.trailing_zeros() as usize % WIDTH;
            near &= near - 1;
            let [i, j] = [leaf.triangles[lane], leaf.triangles[other]];
            visit(i.min(j), i.max(j))?;
        }
    }
    ControlFlow::Continue(())
}

#[inline(always)]
fn between_leaves<S: Simd>(
    simd: S,
    tree: &Tree,
    slots: [u32; 2],
    beyond: f32,
    visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let leaf = |slot: u32| &tree.leaves[(tree.child(slot) & !LEAF) as usize];
    let [a, b] = slots.map(leaf);
    let of_a = box_gaps(simd, &tree.obb(slots[1]), a);
    let of_b = box_gaps(simd, &tree.obb(slots[0]), b);
    let near_b = not_beyond(simd, &of_b, beyond) & ((1 << b.count()) - 1);
    let mut left_a = not_beyond(simd, &of_a, beyond) & ((1 << a.count()) - 1);
    if near_b == 0 {
        return ControlFlow::Continue(());
    }
    let all = Edged::new(corners_of(simd, b));
    while left_a != 0 {
        let lane = left_a.trailing_zeros() as usize % WIDTH;
        left_a &= left_a - 1;
        let one = Edged::new(in_all_lanes(simd, &a.corners(lane)));
        let mut left_b = not_parted(simd, &one, &all, beyond) & near_b;
        while left_b != 0 {
            let other = left_b.trailing_zeros() as usize % WIDTH;
            left_b &= left_b - 1;
            let [i, j] = [a.triangles[lane], b.triangles[other]];
            visit(i.min(j), i.max(j))?;
        }
    }
    ControlFlow::Continue(())
}
