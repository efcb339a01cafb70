//! Pairs of triangles of one tree that lanes do not tell apart: where a mesh may meet itself.
//!
//! Idea: a node's boxes and a leaf's triangles are compared with one another, and what is near is descended. Neighbours are never told apart, so
//! triangles are asked only along the lines that are quick to find.

use super::bound::gaps;
use super::descend::WIDTH_U32;
use super::lanes::stored;
use super::triangles::{Edged, box_gaps, corners_of, in_all_lanes, quick};
use super::{LEAF, Leaf, Tree};
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
            let near = gaps(simd, &node.obb(lane as usize), node);
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
                    let near = gaps(simd, &tree.obb(other), node);
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
        let near = stored(simd, quick(simd, &one, &all));
        for (near, other) in near.into_iter().zip(leaf.triangles).take(lane) {
            if near <= beyond {
                let [i, j] = [leaf.triangles[lane], other];
                visit(i.min(j), i.max(j))?;
            }
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
    let all = Edged::new(corners_of(simd, b));
    for (lane, of_box) in of_a.into_iter().enumerate().take(a.count() as usize) {
        if of_box > beyond {
            continue;
        }
        let one = Edged::new(in_all_lanes(simd, &a.corners(lane)));
        let near = stored(simd, quick(simd, &one, &all));
        for (near, other) in near.into_iter().zip(b.triangles).take(b.count() as usize) {
            if near <= beyond {
                let [i, j] = [a.triangles[lane], other];
                visit(i.min(j), i.max(j))?;
            }
        }
    }
    ControlFlow::Continue(())
}
