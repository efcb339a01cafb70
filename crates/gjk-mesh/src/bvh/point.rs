//! The triangles near a point, from a tree in its own frame: eight boxes or triangles at once.
//!
//! Where it sits: asked by `depth/` for bodies at poses; `boxes.rs` answers where there is no such tree.
//! Idea: the point goes into the tree's frame, where its distance to a box is that of its heights beyond the box's sides.
//! Numbers: lanes propose beyond the slack of `relative.rs`, and the caller measures what is left.

use super::lanes::{Lanes, cross, dot, load, minus, range, root, same, stored};
use super::near::{LaneBounds, near};
use super::relative::PointFrame;
use super::triangles::{Closest, corners_of, times, within};
use super::{Leaf, Tree, WIDTH, WideNode};
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
    near(simd, tree, &OfPoint(same(simd, &at)), slack, limit, visit);
}

/// The bounds of a point.
struct OfPoint<S: Simd>(Lanes<S>);

impl<S: Simd> LaneBounds<S> for OfPoint<S> {
    #[inline(always)]
    fn of_node(&self, simd: S, node: &WideNode) -> [f32; WIDTH] {
        point_gaps(simd, &self.0, node)
    }

    #[inline(always)]
    fn of_leaf(&self, simd: S, leaf: &Leaf) -> [f32; WIDTH] {
        point_distances(simd, &self.0, leaf)
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
