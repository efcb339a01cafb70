//! How far apart triangles are at least, eight at once: of a box, of a triangle from boxes, and of a triangle from triangles.
//!
//! Idea: along any direction the gap of two bodies' heights is no more than their distance, so a direction may come from anywhere. For a
//! box the directions are those of its axes, the triangle's normal and the line of centers. For the distance of two triangles it is the line of
//! the nearest points that lanes find on edges and faces: wherever these lie, the gap along the line holds. Whether two triangles meet is told by
//! the normals and the directions across an edge of each, and by squares, at a third of the cost.
//! Numbers: with `u` and `S` of `relative.rs`, corners are off by `√3u` where they are rounded and by `√3·6u` where they are moved, a height of a
//! corner about the box's center or the origin by `4u`, and the gap by the direction's length, `4u`: less than 40u of S, and than the
//! slack. Lengths too small or too large for `f32` make a gap less.
//! Source: Ericson 2005 (5.1.9, two segments).

use super::fit::Corners;
use super::lanes::{Lanes, cross, dot, load, minus, range, root, same, stored};
use super::{Leaf, Obb, WIDTH, WideNode};
use fearless_simd::{Simd, f32x8, prelude::*};

#[inline(always)]
pub(super) fn corners_of<S: Simd>(simd: S, leaf: &Leaf) -> [Lanes<S>; 3] {
    [
        load(simd, &leaf.corners[0]),
        load(simd, &leaf.corners[1]),
        load(simd, &leaf.corners[2]),
    ]
}

#[inline(always)]
pub(super) fn in_all_lanes<S: Simd>(simd: S, corners: &Corners) -> [Lanes<S>; 3] {
    [
        same(simd, &corners[0]),
        same(simd, &corners[1]),
        same(simd, &corners[2]),
    ]
}

#[inline(always)]
fn about<S: Simd>(corners: &[Lanes<S>; 3], origin: &Lanes<S>) -> [Lanes<S>; 3] {
    [
        minus(&corners[0], origin),
        minus(&corners[1], origin),
        minus(&corners[2], origin),
    ]
}

/// A box about the origin: its axes, and how far it reaches along each.
struct BoxSides<S: Simd> {
    axes: [Lanes<S>; 3],
    half: Lanes<S>,
}

impl<S: Simd> BoxSides<S> {
    /// A lower bound of the distance of the box and a triangle, whose corners are about the box's center.
    #[inline(always)]
    fn gap(&self, simd: S, corners: &[Lanes<S>; 3]) -> f32x8<S> {
        let [normal, centers] = directions(corners);
        let along_normal = self.gap_along(simd, corners, &normal) / length(simd, &normal);
        let along_centers = self.gap_along(simd, corners, &centers) / length(simd, &centers);
        let square = self.square_along_axes(simd, corners);
        square.sqrt().max(along_normal).max(along_centers)
    }

    /// The lanes that the same directions do not part, as bits.
    #[inline(always)]
    fn not_parted(&self, simd: S, corners: &[Lanes<S>; 3], beyond: &Beyond<S>) -> u32 {
        let by_axes = self.square_along_axes(simd, corners);
        let mut parted = by_axes.simd_gt(beyond.square).to_bitmask() as u32;
        for along in directions(corners) {
            let gap = self.gap_along(simd, corners, &along);
            parted |= beyond.is_exceeded(gap, &along);
        }
        !parted
    }

    /// The square of how far they are apart along the axes.
    #[inline(always)]
    fn square_along_axes(&self, simd: S, corners: &[Lanes<S>; 3]) -> f32x8<S> {
        let zero = f32x8::splat(simd, 0.0);
        let mut squares = zero;
        for i in 0..3 {
            let [low, high] = range(corners, &self.axes[i]);
            let gap = low.max(zero - high) - self.half[i];
            let gap = gap.max(zero);
            squares += gap * gap;
        }
        squares
    }

    /// How far they are apart along a direction, times its length.
    #[inline(always)]
    fn gap_along(&self, simd: S, corners: &[Lanes<S>; 3], along: &Lanes<S>) -> f32x8<S> {
        let zero = f32x8::splat(simd, 0.0);
        let [low, high] = range(corners, along);
        let mut reach = zero;
        for i in 0..3 {
            reach += self.half[i] * dot(&self.axes[i], along).abs();
        }
        low.max(zero - high) - reach
    }
}

/// A triangle's normal, and the direction of its middle.
#[inline(always)]
fn directions<S: Simd>(corners: &[Lanes<S>; 3]) -> [Lanes<S>; 2] {
    let edges = [
        minus(&corners[1], &corners[0]),
        minus(&corners[2], &corners[0]),
    ];
    [cross(&edges[0], &edges[1]), sum(corners)]
}

#[inline(always)]
fn length<S: Simd>(simd: S, along: &Lanes<S>) -> f32x8<S> {
    root(simd, dot(along, along))
}

/// What a gap must exceed to part two bodies, told by squares: without roots and quotients. What is tiny when squared parts nothing.
#[derive(Clone, Copy)]
struct Beyond<S: Simd> {
    square: f32x8<S>,
    zero: f32x8<S>,
    least: f32x8<S>,
}

impl<S: Simd> Beyond<S> {
    #[inline(always)]
    fn new(simd: S, beyond: f32) -> Self {
        Self {
            square: f32x8::splat(simd, beyond * beyond),
            zero: f32x8::splat(simd, 0.0),
            least: f32x8::splat(simd, f32::MIN_POSITIVE),
        }
    }

    /// The lanes whose gap, a direction's length too long, exceeds it, as bits.
    #[inline(always)]
    fn is_exceeded(&self, gap: f32x8<S>, along: &Lanes<S>) -> u32 {
        let gap = gap.max(self.zero);
        let room = (self.square * dot(along, along)).max(self.least);
        (gap * gap).simd_gt(room).to_bitmask() as u32
    }
}

/// A box, and the triangles of a leaf about its center.
#[inline(always)]
fn box_and_leaf<S: Simd>(simd: S, one: &Obb, leaf: &Leaf) -> (BoxSides<S>, [Lanes<S>; 3]) {
    let sides = BoxSides {
        axes: [
            same(simd, &one.axes[0]),
            same(simd, &one.axes[1]),
            same(simd, &one.axes[2]),
        ],
        half: same(simd, &one.half),
    };
    let corners = about(&corners_of(simd, leaf), &same(simd, &one.center));
    (sides, corners)
}

/// The boxes of a node, and a triangle about their centers.
#[inline(always)]
fn node_and_triangle<S: Simd>(
    simd: S,
    one: &Corners,
    node: &WideNode,
) -> (BoxSides<S>, [Lanes<S>; 3]) {
    let sides = BoxSides {
        axes: [
            load(simd, &node.axes[0]),
            load(simd, &node.axes[1]),
            load(simd, &node.axes[2]),
        ],
        half: load(simd, &node.half),
    };
    let corners = about(&in_all_lanes(simd, one), &load(simd, &node.center));
    (sides, corners)
}

/// A lower bound of the distance of a box and each triangle of a leaf, in one frame, to the slack.
#[inline(always)]
pub(super) fn box_gaps<S: Simd>(simd: S, one: &Obb, leaf: &Leaf) -> [f32; WIDTH] {
    let (sides, corners) = box_and_leaf(simd, one, leaf);
    stored(simd, sides.gap(simd, &corners))
}

/// A lower bound of the distance of a triangle and each box of a node, in one frame, to the slack.
#[inline(always)]
pub(super) fn triangle_gaps<S: Simd>(simd: S, one: &Corners, node: &WideNode) -> [f32; WIDTH] {
    let (sides, corners) = node_and_triangle(simd, one, node);
    stored(simd, sides.gap(simd, &corners))
}

/// The triangles of a leaf that a box is not parted from by more than `beyond`, as bits.
#[inline(always)]
pub(super) fn near_box<S: Simd>(simd: S, one: &Obb, leaf: &Leaf, beyond: f32) -> u32 {
    let (sides, corners) = box_and_leaf(simd, one, leaf);
    sides.not_parted(simd, &corners, &Beyond::new(simd, beyond))
}

/// The boxes of a node that a triangle is not parted from by more than `beyond`, as bits.
#[inline(always)]
pub(super) fn near_triangle<S: Simd>(simd: S, one: &Corners, node: &WideNode, beyond: f32) -> u32 {
    let (sides, corners) = node_and_triangle(simd, one, node);
    sides.not_parted(simd, &corners, &Beyond::new(simd, beyond))
}

/// The nearest points found so far: the square of their distance, and from the one to the other.
pub(super) struct Closest<S: Simd> {
    pub(super) square: f32x8<S>,
    pub(super) between: Lanes<S>,
}

impl<S: Simd> Closest<S> {
    #[inline(always)]
    pub(super) fn offer(&mut self, square: f32x8<S>, between: &Lanes<S>) {
        let nearer = square.simd_lt(self.square);
        self.square = nearer.select(square, self.square);
        for (known, new) in self.between.iter_mut().zip(between) {
            *known = nearer.select(*new, *known);
        }
    }
}

/// A triangle, its edges, the squares of their lengths, and a normal.
pub(super) struct Edged<S: Simd> {
    corners: [Lanes<S>; 3],
    edges: [Lanes<S>; 3],
    squares: [f32x8<S>; 3],
    normal: Lanes<S>,
}

impl<S: Simd> Edged<S> {
    #[inline(always)]
    pub(super) fn new(corners: [Lanes<S>; 3]) -> Self {
        let edges = [
            minus(&corners[1], &corners[0]),
            minus(&corners[2], &corners[1]),
            minus(&corners[0], &corners[2]),
        ];
        let squares = [
            dot(&edges[0], &edges[0]),
            dot(&edges[1], &edges[1]),
            dot(&edges[2], &edges[2]),
        ];
        Self {
            corners,
            normal: cross(&edges[0], &edges[1]),
            edges,
            squares,
        }
    }
}

/// A lower bound of the distance of a triangle and each of a leaf, in one frame, to the slack; a quick one where that is enough.
#[inline(always)]
pub(super) fn distances<S: Simd>(
    simd: S,
    one: &Corners,
    leaf: &Leaf,
    wanted: &Wanted,
) -> [f32; WIDTH] {
    let (a, b) = (in_all_lanes(simd, one), corners_of(simd, leaf));
    let along = gap_along(simd, &a, &b, &same(simd, &wanted.along));
    if along.simd_gt(f32x8::splat(simd, wanted.beyond)).all_true() {
        return stored(simd, along);
    }
    let (a, b) = (Edged::new(a), Edged::new(b));
    let zero = f32x8::splat(simd, 0.0);
    let quick = quick(simd, &a, &b).max(along);
    if quick.simd_ge(f32x8::splat(simd, wanted.enough)).all_true() {
        return stored(simd, quick);
    }
    let mut best = Closest {
        square: f32x8::splat(simd, f32::INFINITY),
        between: [zero; 3],
    };
    let inverse = inverse(simd, &a, &b);
    for i in 0..3 {
        for j in 0..3 {
            of_edges(simd, &mut best, &a, &b, [i, j], &inverse);
        }
    }
    of_corners(simd, &mut best, &a, &b.corners);
    of_corners(simd, &mut best, &b, &a.corners);
    // The gap is that of either order.
    stored(
        simd,
        gap_along(simd, &a.corners, &b.corners, &best.between).max(quick),
    )
}

/// The triangles of a leaf that a triangle, in one frame, is not parted from by more than `beyond`, as bits, along the normals and across an edge
/// of each: some such direction parts two triangles that are apart. All corners are asked, since a rounded direction is across no edge.
#[inline(always)]
pub(super) fn near_triangles<S: Simd>(simd: S, one: &Corners, leaf: &Leaf, beyond: f32) -> u32 {
    let a = Edged::new(in_all_lanes(simd, one));
    let b = Edged::new(corners_of(simd, leaf));
    let mut near = not_parted(simd, &a, &b, beyond) & ALL_LANES;
    let beyond = Beyond::new(simd, beyond);
    for i in 0..3 {
        if near == 0 {
            break;
        }
        for j in 0..3 {
            let along = cross(&a.edges[i], &b.edges[j]);
            let gap = gap_times(&a.corners, &b.corners, &along);
            near &= !beyond.is_exceeded(gap, &along);
        }
    }
    near
}

/// A bit for each lane.
const ALL_LANES: u32 = (1 << WIDTH) - 1;

/// What is wanted of the bounds of triangles.
pub(super) struct Wanted {
    /// A direction that may tell much.
    pub(super) along: [f32; 3],
    /// A larger bound leaves a pair out.
    pub(super) beyond: f32,
    /// Between this and `beyond` floats are asked, whatever lanes say.
    pub(super) enough: f32,
}

/// The inverse squares of the edges' lengths.
#[inline(always)]
fn inverse<S: Simd>(simd: S, a: &Edged<S>, b: &Edged<S>) -> [Lanes<S>; 2] {
    let one = f32x8::splat(simd, 1.0);
    let (x, y) = (&a.squares, &b.squares);
    [
        [one / x[0], one / x[1], one / x[2]],
        [one / y[0], one / y[1], one / y[2]],
    ]
}

/// The nearest points of two edges.
#[inline(always)]
fn of_edges<S: Simd>(
    simd: S,
    best: &mut Closest<S>,
    one: &Edged<S>,
    other: &Edged<S>,
    [i, j]: [usize; 2],
    inverse: &[Lanes<S>; 2],
) {
    let (d, e) = (&one.edges[i], &other.edges[j]);
    let r = minus(&one.corners[i], &other.corners[j]);
    let (b, c, f) = (dot(d, e), dot(d, &r), dot(e, &r));
    let area = one.squares[i] * other.squares[j] - b * b;
    let s = within(simd, (b * f - c * other.squares[j]) / area);
    let zero = f32x8::splat(simd, 0.0);
    let s = area.simd_gt(zero).select(s, zero);
    let t = within(simd, (b * s + f) * inverse[1][j]);
    let s = within(simd, (b * t - c) * inverse[0][i]);
    let between = minus(&minus(&times(e, t), &r), &times(d, s));
    best.offer(dot(&between, &between), &between);
}

/// Corners over the inside of a face: from the face to the corner.
#[inline(always)]
fn of_corners<S: Simd>(simd: S, best: &mut Closest<S>, face: &Edged<S>, corners: &[Lanes<S>; 3]) {
    let zero = f32x8::splat(simd, 0.0);
    let nothing = f32x8::splat(simd, f32::INFINITY);
    let normal = &face.normal;
    let inverse = f32x8::splat(simd, 1.0) / dot(normal, normal);
    let walls = [
        cross(normal, &face.edges[0]),
        cross(normal, &face.edges[1]),
        cross(normal, &face.edges[2]),
    ];
    for corner in corners {
        let from = about(&face.corners, corner);
        let beyond = dot(&walls[0], &from[0])
            .max(dot(&walls[1], &from[1]))
            .max(dot(&walls[2], &from[2]));
        let height = zero - dot(normal, &from[0]);
        let part = height * inverse;
        let square = beyond.simd_le(zero).select(height * part, nothing);
        best.offer(square, &times(normal, part));
    }
}

/// The gap of two triangles along a direction, times its length.
#[inline(always)]
fn gap_times<S: Simd>(a: &[Lanes<S>; 3], b: &[Lanes<S>; 3], along: &Lanes<S>) -> f32x8<S> {
    let [a_low, a_high] = range(a, along);
    let [b_low, b_high] = range(b, along);
    (a_low - b_high).max(b_low - a_high)
}

/// The gap of two triangles along a direction.
#[inline(always)]
fn gap_along<S: Simd>(simd: S, a: &[Lanes<S>; 3], b: &[Lanes<S>; 3], along: &Lanes<S>) -> f32x8<S> {
    gap_times(a, b, along) / length(simd, along)
}

/// The normals and the line of middles.
#[inline(always)]
fn quick_directions<S: Simd>(a: &Edged<S>, b: &Edged<S>) -> [Lanes<S>; 3] {
    let between = minus(&sum(&b.corners), &sum(&a.corners));
    [a.normal, b.normal, between]
}

/// The gap along the normals and the line of middles.
#[inline(always)]
fn quick<S: Simd>(simd: S, a: &Edged<S>, b: &Edged<S>) -> f32x8<S> {
    let [x, y, z] = quick_directions(a, b);
    let gap = |along: &Lanes<S>| gap_along(simd, &a.corners, &b.corners, along);
    gap(&x).max(gap(&y)).max(gap(&z))
}

/// The lanes whose triangles these directions do not part by more than `beyond`, as bits.
#[inline(always)]
pub(super) fn not_parted<S: Simd>(simd: S, a: &Edged<S>, b: &Edged<S>, beyond: f32) -> u32 {
    let beyond = Beyond::new(simd, beyond);
    let mut parted = 0;
    for along in &quick_directions(a, b) {
        parted |= beyond.is_exceeded(gap_times(&a.corners, &b.corners, along), along);
    }
    !parted
}

/// Three times the middle.
#[inline(always)]
fn sum<S: Simd>(corners: &[Lanes<S>; 3]) -> Lanes<S> {
    [
        corners[0][0] + corners[1][0] + corners[2][0],
        corners[0][1] + corners[1][1] + corners[2][1],
        corners[0][2] + corners[1][2] + corners[2][2],
    ]
}

#[inline(always)]
pub(super) fn within<S: Simd>(simd: S, x: f32x8<S>) -> f32x8<S> {
    x.max(f32x8::splat(simd, 0.0)).min(f32x8::splat(simd, 1.0))
}

#[inline(always)]
pub(super) fn times<S: Simd>(a: &Lanes<S>, by: f32x8<S>) -> Lanes<S> {
    [a[0] * by, a[1] * by, a[2] * by]
}
