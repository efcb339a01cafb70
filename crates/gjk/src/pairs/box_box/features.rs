//! Two boxes along one axis: the gap, and the points of the features that face each other.
//!
//! Where it sits: `box_box/mod.rs` chooses the axis. Read [`OrientedBoxes::axis`], then [`OrientedBoxes::facing`].
//! Idea: along a face's normal the other box's nearest feature is a corner, an edge or a face, which is clipped by the sides of
//! that face; its middle is the witness. Along a product of two edges the nearest points of their lines are.
//! Numbers: the axis is taken from the bodies' own edges, so that the gap along it is measured to
//! [`crate::rounding::CORE_ERROR`].
//! Source: Sutherland, Hodgman 1974 (clipping).

use super::gaps::{EdgeRows, FIRST_PRODUCT, edges_of, place_of, row_of};
use super::{OrientedBoxes, smaller};
use crate::math::{Scalar, Triple, cross, dot, length, plus};
use crate::rounding::UNIT_ROUNDOFF;
use fearless_simd::{Simd, f64x4, prelude::*};

/// An edge at less than this angle to a face lies in it; between this and [`BOX_TILTED_HEIGHT`] rounding decides which end is
/// nearest, and the loops do better. It places a witness; what an edge that lies in the face rises over its length is added to
/// the distance's upper bound.
const BOX_FLAT_HEIGHT: f64 = 1e-14;
/// See [`BOX_FLAT_HEIGHT`].
const BOX_TILTED_HEIGHT: f64 = 1e-6;

/// An axis of the bodies' own edges, from A to B, and what is along it.
pub(super) struct MeasuredAxis {
    /// Its number: see [`super::gaps`].
    pub(super) at: usize,
    pub(super) unit: Triple,
    /// The length of the unnormalised axis.
    pub(super) length: f64,
    /// The heights of A's edges and of B's, of length one, over the unnormalised axis.
    heights: [[f64; 4]; 2],
    pub(super) gap: f64,
    /// The error of the gap along the axis as it is stated.
    pub(super) noise: f64,
    /// The error of the gap along the axis that the bodies have.
    pub(super) loose: f64,
}

/// Features that face each other along an axis.
pub(super) struct Facing {
    /// A point of A and one of B, from the centre of A.
    pub(super) points: [Triple; 2],
    /// What B's point may be farther than the gap: because an edge that is taken to lie in a face rises, or edges cross at a small angle.
    pub(super) rise: f64,
}

/// The nearest vertex, edge or face of a box over a face of the other one.
struct NearestFeature {
    /// Its middle, from the centre of its box.
    middle: Triple,
    /// The half edges that lie in the face.
    flat: [Triple; 2],
    flat_count: usize,
    rise: f64,
}

/// From the middle of a feature to the middle of its part over a face.
struct Shift {
    along: Triple,
    /// What the shifted point may be off the feature, and a point of the face beneath it off the face.
    off: f64,
}

impl MeasuredAxis {
    /// The edges of A and of B whose product the axis is, if it is one.
    #[inline(always)]
    pub(super) fn edges(&self) -> (usize, usize) {
        edges_of(self.at)
    }

    /// A lower bound of the overlap along the product of the two edges that the axis was computed as, by a point on each of them.
    ///
    /// The bodies overlap along a direction by no less than two points of them do. The product is off by 4 roundings, and its edges by 2 each where a scale
    /// was divided out: so the stated axis is turned by no more than 8 roundings by the length, doubled here.
    pub(super) fn least_overlap(&self, [on_a, on_b]: [Triple; 2]) -> f64 {
        let between = plus(on_a, on_b, -1.0);
        let turned = 16.0 * UNIT_ROUNDOFF / self.length;
        dot(self.unit, between) - self.noise - turned * length(between)
    }
}

/// How far a box reaches along a direction, over which its edges have these heights.
#[inline(always)]
fn radius<S: Simd>(half: &Triple, heights: f64x4<S>) -> f64 {
    let [x, y, z, _]: [f64; 4] = heights.abs().into();
    half[0] * x + half[1] * y + half[2] * z
}

impl OrientedBoxes {
    /// One of the 15 axes, measured.
    #[inline(always)]
    pub(super) fn axis<S: Simd>(&self, rows: &EdgeRows<S>, at: usize) -> MeasuredAxis {
        let Self {
            columns: [a, b],
            half: [g, h],
            ..
        } = self;
        let (i, j) = edges_of(at);
        let direction = match row_of(at) {
            0 => cross(a[(j + 1) % 3], a[(j + 2) % 3]),
            1 => cross(b[(j + 1) % 3], b[(j + 2) % 3]),
            _ => cross(a[i], b[j]),
        };
        let height = dot(self.offset, direction);
        let direction = if height < 0.0 {
            direction.map(|x| -x)
        } else {
            direction
        };
        let norm = length(direction);
        let reciprocal = 1.0 / norm;
        let heights = [rows.dots(0, direction), rows.dots(1, direction)];
        let gap = (height.abs() - (radius(g, heights[0]) + radius(h, heights[1]))) * reciprocal;
        let unit = direction.map(|x| x * reciprocal);
        let loose = self.noise * reciprocal;
        MeasuredAxis {
            at,
            unit,
            length: norm,
            heights: [heights[0].into(), heights[1].into()],
            gap,
            // Any direction separates that is computed to separate: what a product of edges is off by itself does not matter.
            noise: if at < FIRST_PRODUCT {
                loose
            } else {
                self.noise
            },
            loose,
        }
    }

    /// The features that face each other along an axis; `None` if there are none, or not surely.
    #[inline(always)]
    pub(super) fn facing(&self, axis: &MeasuredAxis) -> Option<Facing> {
        if axis.at >= FIRST_PRODUCT {
            return self.crossing(axis);
        }
        let owner = usize::from(row_of(axis.at) > 0);
        let NearestFeature {
            middle: mut point,
            flat,
            flat_count,
            rise,
        } = self.nearest(axis, 1 - owner, 3)?;
        let over_owner = plus(point, self.offset, if owner == 0 { 1.0 } else { -1.0 });
        let mut rise = rise;
        if flat_count > 0 {
            let shift = self.shift_over_face(axis, over_owner, &flat[..flat_count])?;
            point = plus(point, shift.along, 1.0);
            // Of points that are off each other across the axis: by no more than that, nor than its square by twice the gap.
            rise += shift.off * smaller(1.0, shift.off / (2.0 * axis.gap));
        } else if !self.is_over_face(axis, over_owner) {
            return None;
        }
        let points = if owner == 0 {
            let point = plus(point, self.offset, 1.0);
            [plus(point, axis.unit, -axis.gap), point]
        } else {
            [point, plus(point, axis.unit, axis.gap)]
        };
        Some(Facing { points, rise })
    }

    /// The feature of a box that is nearest to the other one along an axis, without the edge `left_out`; `None` if that is
    /// decided by rounding.
    #[inline(always)]
    fn nearest(&self, axis: &MeasuredAxis, of: usize, left_out: usize) -> Option<NearestFeature> {
        let (edges, half, heights) = (&self.columns[of], &self.half[of], &axis.heights[of]);
        let toward_other = if of == 0 { 1.0 } else { -1.0 };
        let mut middle = [0.0; 3];
        let mut tilted = true;
        for k in 0..3 {
            let part = if k == left_out {
                0.0
            } else {
                half[k].copysign(toward_other * heights[k])
            };
            tilted &= (k == left_out) | (heights[k].abs() > BOX_TILTED_HEIGHT * axis.length);
            middle = plus(middle, edges[k], part);
        }
        if tilted {
            return Some(NearestFeature {
                middle,
                flat: [[0.0; 3]; 2],
                flat_count: 0,
                rise: 0.0,
            });
        }
        if left_out < 3 {
            return None;
        }
        self.nearest_flat(axis, of)
    }

    /// The nearest feature of a box whose edges are not all tilted to a face of the other.
    #[inline(never)]
    fn nearest_flat(&self, axis: &MeasuredAxis, of: usize) -> Option<NearestFeature> {
        let toward_other = if of == 0 { 1.0 } else { -1.0 };
        let mut nearest = NearestFeature {
            middle: [0.0; 3],
            flat: [[0.0; 3]; 2],
            flat_count: 0,
            rise: 0.0,
        };
        for k in 0..3 {
            let (edge, half) = (self.columns[of][k], self.half[of][k]);
            let height = axis.heights[of][k];
            if height.abs() < BOX_FLAT_HEIGHT * axis.length {
                // Three flat edges would be a box without volume.
                *nearest.flat.get_mut(nearest.flat_count)? = edge.map(|x| x * half);
                nearest.flat_count += 1;
                nearest.rise += 2.0 * half * height.abs() / axis.length;
            } else if height.abs() > BOX_TILTED_HEIGHT * axis.length {
                let part = half.copysign(toward_other * height);
                nearest.middle = plus(nearest.middle, edge, part);
            } else {
                return None;
            }
        }
        Some(nearest)
    }

    /// Whether a point, from the centre of the box that has the face, is surely over the face.
    #[inline(always)]
    fn is_over_face(&self, axis: &MeasuredAxis, point: Triple) -> bool {
        let (edges, half) = self.sides(axis);
        (dot(edges[0], point).abs() < half[0] - self.error)
            & (dot(edges[1], point).abs() < half[1] - self.error)
    }

    /// The edges of the face whose normal the axis is, and half their lengths.
    #[inline(always)]
    fn sides(&self, axis: &MeasuredAxis) -> ([Triple; 2], [f64; 2]) {
        let (owner, k) = (usize::from(row_of(axis.at) > 0), place_of(axis.at));
        let (u, v) = ((k + 1) % 3, (k + 2) % 3);
        let (edges, half) = (&self.columns[owner], &self.half[owner]);
        ([edges[u], edges[v]], [half[u], half[v]])
    }

    /// From the middle of an edge or a face with these half edges to the middle of its part over the face whose normal the axis
    /// is.
    ///
    /// The part is found in coordinates that are off by what the boxes differ from right-angled ones, which the error bounds. A
    /// middle that is inside of both features by more is on both; otherwise a point on each is no farther off than the error.
    #[inline(never)]
    fn shift_over_face(
        &self,
        axis: &MeasuredAxis,
        middle: Triple,
        flat: &[Triple],
    ) -> Option<Shift> {
        let (edges, half) = self.sides(axis);
        let coordinates = |x: Triple| [dot(edges[0], x), dot(edges[1], x)];
        let from = coordinates(middle);
        let mut polygon = ClippedFace::default();
        match flat {
            [e] => {
                for sign in [-1.0, 1.0] {
                    polygon.push(coordinates(plus(middle, *e, sign)));
                }
            }
            [e, f] => {
                for (s, r) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    polygon.push(coordinates(plus(plus(middle, *e, s), *f, r)));
                }
            }
            _ => return None,
        }
        let to = polygon.middle_within(half)?;
        let along = edges[0].map(|x| x * (to[0] - from[0]));
        let along = plus(along, edges[1], to[1] - from[1]);
        // On an edge the point must stay on its line.
        let along = match flat {
            [e] => e.map(|x| x * (dot(along, *e) / dot(*e, *e))),
            _ => along,
        };
        let mut inside = (0..2).all(|k| to[k].abs() < half[k] - self.error);
        for e in flat {
            let reach = length(*e);
            inside &= dot(*e, along).abs() < reach * (reach - self.error);
        }
        let off = if inside { 0.0 } else { self.error };
        Some(Shift { along, off })
    }

    /// Where two edges pass each other.
    #[inline(always)]
    fn crossing(&self, axis: &MeasuredAxis) -> Option<Facing> {
        let Self {
            columns: [a, b],
            half: [g, h],
            noise,
            ..
        } = self;
        let (i, j) = axis.edges();
        let from = self.nearest(axis, 0, i)?.middle;
        let to = plus(self.nearest(axis, 1, j)?.middle, self.offset, 1.0);
        let (between, cosine) = (plus(to, from, -1.0), dot(a[i], b[j]));
        let (on_a, on_b) = (dot(between, a[i]), dot(between, b[j]));
        let per = 1.0 / (axis.length * axis.length);
        let (x, y) = ((on_a - cosine * on_b) * per, (cosine * on_a - on_b) * per);
        // Where the edges pass each other just beyond an end, these points are farther apart than the gap, which is told.
        let room = 2.0 * noise * per;
        if !((x.abs() < g[i] - room) & (y.abs() < h[j] - room)) {
            return None;
        }
        // The two points may be off each other across the axis: by as much they are farther apart than the gap.
        let points = [plus(from, a[i], x), plus(to, b[j], y)];
        let distance = length(plus(points[1], points[0], -1.0));
        Some(Facing {
            points,
            rise: Scalar::max(0.0, distance - axis.gap),
        })
    }
}

/// A polygon of up to 8 points in the plane of a face, in order.
#[derive(Clone, Copy, Default)]
struct ClippedFace {
    points: [[f64; 2]; 8],
    len: usize,
}

impl ClippedFace {
    fn push(&mut self, point: [f64; 2]) {
        // A polygon of four corners cut by four lines has at most eight.
        if let Some(slot) = self.points.get_mut(self.len) {
            *slot = point;
            self.len += 1;
        }
    }

    /// The mean of the corners of the part within a rectangle of these half edges; `None` when nothing is left.
    fn middle_within(mut self, half: [f64; 2]) -> Option<[f64; 2]> {
        for (k, side) in half.into_iter().enumerate() {
            for sign in [-1.0, 1.0] {
                self = self.cut(k, sign, side);
            }
        }
        let corners = &self.points[..self.len];
        let sum = corners
            .iter()
            .fold([0.0; 2], |s, p| [s[0] + p[0], s[1] + p[1]]);
        let mean = |k: usize| (sum[k] / self.len as f64).clamp(-half[k], half[k]);
        (self.len > 0).then(|| [mean(0), mean(1)])
    }

    /// The part with `sign · coordinate ≤ side`.
    fn cut(&self, k: usize, sign: f64, side: f64) -> Self {
        let mut kept = Self::default();
        for at in 0..self.len {
            let (p, q) = (self.points[at], self.points[(at + 1) % self.len]);
            let (over_p, over_q) = (sign * p[k] - side, sign * q[k] - side);
            if over_p <= 0.0 {
                kept.push(p);
            }
            if (over_p < 0.0) != (over_q < 0.0) && over_p != 0.0 && over_q != 0.0 {
                let part = over_p / (over_p - over_q);
                kept.push([p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])]);
            }
        }
        kept
    }
}
