//! The triangles near a segment, from a tree in its own frame: eight boxes or triangles at once.
//!
//! Where it sits: asked by `inside.rs`, whose rays are segments; `boxes.rs` answers where there is no such tree.
//! Idea: a direction tells a segment from a box that has them apart along it. Tried are the segment's own, two across it, along which it is a point, and the
//! box's axes; of triangles the first three.
//! Numbers: along a direction, ends and boxes are off by no more than the slack of `relative.rs`. What is not surely missed is asked by exact signs.

use super::lanes::{Lanes, dot, load, minus, range, same};
use super::relative::PointFrame;
use super::triangles::corners_of;
use super::{LEAF, Leaf, Tree, WIDTH, WideNode};
use crate::signs::Point;
use crate::vector;
use fearless_simd::{Level, Simd, dispatch, f32x8, prelude::*};

impl Tree {
    /// Visits the triangles that are not proved to be off a segment of the world.
    pub(crate) fn near_segment(
        &self,
        frame: &PointFrame,
        ends: [Point; 2],
        visit: &mut dyn FnMut(u32),
    ) {
        let [(from, slack), (to, other)] = ends.map(|end| frame.place(self, end));
        let segment = Segment::new(from, to, slack.max(other));
        dispatch!(Level::new(), simd => near_segment(simd, self, &segment, visit));
    }
}

/// A segment in a tree's frame.
struct Segment {
    middle: [f32; 3],
    /// Its direction and two across it, of length 1, and how far it reaches along each.
    axes: [[f32; 3]; 3],
    reach: [f32; 3],
    /// From its middle to an end.
    half: [f32; 3],
    /// How far apart bounds may be found that are not.
    slack: f32,
}

impl Segment {
    fn new(from: [f32; 3], to: [f32; 3], slack: f64) -> Self {
        let [from, to] = [from, to].map(|p| p.map(f64::from));
        let half = vector::times(vector::minus(to, from), 0.5);
        let middle = vector::plus(from, half);
        let along = vector::unit(half).unwrap_or([1.0, 0.0, 0.0]);
        // Across the direction's least coordinate, which is far from the direction.
        let least = (0..3).fold(0, |best, k| {
            if along[k].abs() < along[best].abs() {
                k
            } else {
                best
            }
        });
        let mut axis = [0.0; 3];
        axis[least] = 1.0;
        let across = vector::unit(vector::cross(along, axis)).unwrap_or([0.0, 1.0, 0.0]);
        let axes = [along, across, vector::cross(along, across)];
        Self {
            middle: middle.map(|x| x as f32),
            axes: axes.map(|axis| axis.map(|x| x as f32)),
            reach: axes.map(|axis| vector::dot(axis, half).abs() as f32),
            half: half.map(|x| x as f32),
            slack: (slack as f32).next_up(),
        }
    }
}

#[inline(always)]
fn near_segment<S: Simd>(simd: S, tree: &Tree, segment: &Segment, visit: &mut dyn FnMut(u32)) {
    let mut stack: Vec<u32> = Vec::with_capacity(32);
    stack.push(tree.nodes[0].child[0]);
    while let Some(opened) = stack.pop() {
        let number = (opened & !LEAF) as usize;
        if opened & LEAF != 0 {
            let leaf = &tree.leaves[number];
            let gaps = triangle_gaps(simd, segment, leaf);
            for (gap, triangle) in gaps
                .into_iter()
                .zip(leaf.triangles)
                .take(leaf.count() as usize)
            {
                if gap <= segment.slack {
                    visit(triangle);
                }
            }
            continue;
        }
        let node = &tree.nodes[number];
        let gaps = box_gaps(simd, segment, node);
        for (gap, child) in gaps.into_iter().zip(node.child).take(node.count as usize) {
            if gap <= segment.slack {
                stack.push(child);
            }
        }
    }
}

/// How far a segment is from each box of a node at least, to the slack; less than 0 says nothing.
#[inline(always)]
fn box_gaps<S: Simd>(simd: S, segment: &Segment, node: &WideNode) -> [f32; WIDTH] {
    let from = minus(&load(simd, &node.center), &same(simd, &segment.middle));
    let own = same(simd, &segment.half);
    let half = load(simd, &node.half);
    let axes = [
        load(simd, &node.axes[0]),
        load(simd, &node.axes[1]),
        load(simd, &node.axes[2]),
    ];
    let mut gap = f32x8::splat(simd, f32::NEG_INFINITY);
    for k in 0..3 {
        let along = dot(&axes[k], &from).abs() - (half[k] + dot(&axes[k], &own).abs());
        gap = gap.max(along);
        let axis = same(simd, &segment.axes[k]);
        let mut reach = f32x8::splat(simd, segment.reach[k]);
        for j in 0..3 {
            reach += half[j] * dot(&axes[j], &axis).abs();
        }
        gap = gap.max(dot(&axis, &from).abs() - reach);
    }
    kept(gap)
}

/// How far a segment is from each triangle of a leaf at least, to the slack; less than 0 says nothing.
#[inline(always)]
fn triangle_gaps<S: Simd>(simd: S, segment: &Segment, leaf: &Leaf) -> [f32; WIDTH] {
    let [p, q, r] = corners_of(simd, leaf);
    let middle: Lanes<S> = same(simd, &segment.middle);
    let corners = [minus(&p, &middle), minus(&q, &middle), minus(&r, &middle)];
    let mut gap = f32x8::splat(simd, f32::NEG_INFINITY);
    for k in 0..3 {
        let [low, high] = range(&corners, &same(simd, &segment.axes[k]));
        let zero = f32x8::splat(simd, 0.0);
        let reach = f32x8::splat(simd, segment.reach[k]);
        gap = gap.max(low.max(zero - high) - reach);
    }
    kept(gap)
}

#[inline(always)]
fn kept<S: Simd>(gap: f32x8<S>) -> [f32; WIDTH] {
    let mut out = [0.0; WIDTH];
    gap.store_slice(&mut out);
    out
}
