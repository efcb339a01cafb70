//! The triangles of a tree that are near something, near ones first: eight boxes or triangles at once.
//!
//! Where it sits: `point.rs` and `box_near.rs` say how far something is from eight boxes or triangles at least. Read [`near`].
//! Numbers: lanes propose beyond a slack, and the visitor measures what is left.

use super::{LEAF, Leaf, Tree, WIDTH, WideNode};
use core::cell::Cell;
use fearless_simd::Simd;

/// How far something is from eight boxes or triangles at least, to the slack.
pub(super) trait LaneBounds<S: Simd> {
    /// From the boxes of a node.
    fn of_node(&self, simd: S, node: &WideNode) -> [f32; WIDTH];

    /// From the triangles of a leaf.
    fn of_leaf(&self, simd: S, leaf: &Leaf) -> [f32; WIDTH];
}

/// Visits the triangles that are not proved to be farther than the limit, which the visitor may lower; `slack` is by how much bounds may be
/// above the distance.
#[inline(always)]
pub(super) fn near<S: Simd>(
    simd: S,
    tree: &Tree,
    bounds: &impl LaneBounds<S>,
    slack: f64,
    limit: &Cell<f64>,
    visit: &mut dyn FnMut(u32),
) {
    let beyond = || ((limit.get() + slack) as f32).next_up();
    let mut stack: Vec<(f32, u32)> = Vec::with_capacity(32);
    stack.push((0.0, tree.nodes[0].child[0]));
    while let Some((bound, opened)) = stack.pop() {
        if bound > beyond() {
            continue;
        }
        let number = (opened & !LEAF) as usize;
        if opened & LEAF != 0 {
            let leaf = &tree.leaves[number];
            let of_leaf = bounds.of_leaf(simd, leaf);
            let mut order = [(0.0, 0); WIDTH];
            for (entry, told) in order
                .iter_mut()
                .zip(of_leaf.into_iter().zip(leaf.triangles))
            {
                *entry = told;
            }
            let order = &mut order[..leaf.count() as usize];
            order.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
            for &(bound, triangle) in order.iter() {
                if bound > beyond() {
                    break;
                }
                visit(triangle);
            }
            continue;
        }
        let node = &tree.nodes[number];
        let of_node = bounds.of_node(simd, node);
        let from = stack.len();
        let limit = beyond();
        for (bound, child) in of_node
            .into_iter()
            .zip(node.child)
            .take(node.count as usize)
        {
            if bound <= limit {
                stack.push((bound, child));
            }
        }
        stack[from..].sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(y.1.cmp(&x.1)));
    }
}
