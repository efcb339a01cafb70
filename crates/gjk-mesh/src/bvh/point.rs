//! The triangles near a point, from a tree in its own frame: eight boxes or triangles at once.
//!
//! Where it sits: asked by `depth/` for bodies at poses; `boxes.rs` answers where there is no such tree.
//! Idea: the point goes into the tree's frame, where its distance to a box is that of its heights beyond the box's sides.
//! Numbers: lanes propose beyond the slack of `relative.rs`, and the caller measures what is left.

use super::lanes::{Lanes, cross, dot, load, minus, range, root, same, stored};
use super::relative::PointFrame;
use super::triangles::{Closest, corners_of, times, within};
use super::{LEAF, Leaf, Tree, WIDTH, WideNode};
use core::cell::Cell;
use fearless_simd::{Level, Simd, dispatch, f32x8, prelude::*};

impl Tree {
    /// Visits the triangles that are not proved to be farther from a point than the limit, which the visitor may lower; near ones
    /// first.
    pub(crate) fn near_point(
        &self,
        frame: &PointFrame,
        point: [f64; 3],
        limit: &Cell<f64>,
        visit: &mut dyn FnMut(u32),
    ) {
        dispatch!(Level::new(), simd => near_point(simd, self, frame, point, limit, visit));
    }
}

#[inline(always)]
fn near_point<S: Simd>(
    simd: S,
    tree: &Tree,
    frame: &PointFrame,
    point: [f64; 3],
    limit: &Cell<f64>,
    visit: &mut dyn FnMut(u32),
) {
    let (at, slack) = frame.place(tree, point);
    let at = same(simd, &at);
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
            let bounds = point_distances(simd, &at, leaf);
            for (bound, triangle) in bounds
                .into_iter()
                .zip(leaf.triangles)
                .take(leaf.count() as usize)
            {
                if bound <= beyond() {
                    visit(triangle);
                }
            }
            continue;
        }
        let node = &tree.nodes[number];
        let bounds = point_gaps(simd, &at, node);
        let from = stack.len();
        let limit = beyond();
        for (bound, child) in bounds.into_iter().zip(node.child).take(node.count as usize) {
            if bound <= limit {
                stack.push((bound, child));
            }
        }
        stack[from..].sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(y.1.cmp(&x.1)));
    }
}

/// A lower bound of the distance of a point to each box of a node, to the slack.
#[inline(always)]
fn point_gaps<S: Simd>(simd: S, at: &Lanes<S>, node: &WideNode) -> [f32; WIDTH] {
    let zero = f32x8::splat(simd, 0.0);
    let from = minus(at, &load(simd, &node.center));
    let half = load(simd, &node.half);
    let mut squares = zero;
    for (axis, half) in node.axes.iter().zip(half) {
        let gap = dot(&from, &load(simd, axis)).abs() - half;
        let gap = gap.max(zero);
        squares += gap * gap;
    }
    stored(simd, squares.sqrt())
}

/// A lower bound of the distance of a point to each triangle of a leaf, to the slack.
#[inline(always)]
fn point_distances<S: Simd>(simd: S, at: &Lanes<S>, leaf: &Leaf) -> [f32; WIDTH] {
    let [p, q, r] = corners_of(simd, leaf);
    let corners = [minus(&p, at), minus(&q, at), minus(&r, at)];
    let edges = [
        minus(&corners[1], &corners[0]),
        minus(&corners[2], &corners[1]),
        minus(&corners[0], &corners[2]),
    ];
    let zero = f32x8::splat(simd, 0.0);
    let nothing = f32x8::splat(simd, f32::INFINITY);
    let mut best = Closest {
        square: nothing,
        between: [zero; 3],
    };
    let normal = cross(&edges[0], &edges[1]);
    let mut outside = zero - nothing;
    for k in 0..3 {
        let part = within(
            simd,
            (zero - dot(&corners[k], &edges[k])) / dot(&edges[k], &edges[k]),
        );
        let along = times(&edges[k], part);
        let foot = [
            corners[k][0] + along[0],
            corners[k][1] + along[1],
            corners[k][2] + along[2],
        ];
        best.offer(dot(&foot, &foot), &foot);
        outside = outside.max(dot(&cross(&normal, &edges[k]), &corners[k]));
    }
    let part = dot(&normal, &corners[0]) / dot(&normal, &normal);
    let height = dot(&normal, &corners[0]) * part;
    best.offer(
        outside.simd_le(zero).select(height, nothing),
        &times(&normal, part),
    );
    let [low, _] = range(&corners, &best.between);
    stored(simd, low / root(simd, dot(&best.between, &best.between)))
}
