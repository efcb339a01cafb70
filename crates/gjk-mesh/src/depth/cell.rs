//! A triangle or a piece of one, and how it is cut.
//!
//! Numbers: a corner made by a cut is on its edge to the rounding of its coordinates. The cell counts these roundings.

use crate::signs::{Point, Triangle};
use gjk::{Vec3, Vector};

/// The roundings of a corner that is made on an edge: two products and a sum, of coordinates of the edge's ends.
const CUT_ROUNDINGS: f64 = 4.0;

/// A cell is cut along the border of a triangle that is at least this part of its size; around smaller ones it is halved.
const CUT_SIZE: f64 = 0.25;

/// A cut leaves this part of the room beyond the border of a triangle, so that corners on the cut are still near enough.
const CUT_BEYOND: f64 = 0.7;

/// A piece of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    corners: Triangle,
    /// How far the corners may be from the triangle that the cell is a piece of.
    slack: f64,
}

/// How a cell is cut.
#[derive(Clone, Copy, Debug)]
pub(super) enum Split {
    /// The longest edge in two.
    Halves,
    /// By a plane: the heights of the corners over it.
    Plane([f64; 3]),
}

fn vector([x, y, z]: Point) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

impl Cell {
    pub(super) fn new(corners: Triangle) -> Self {
        Self {
            corners,
            slack: 0.0,
        }
    }

    pub(super) fn corners(&self) -> Triangle {
        self.corners
    }

    pub(super) fn slack(&self) -> f64 {
        self.slack
    }

    /// The greatest coordinate.
    fn size(&self) -> f64 {
        let all = self.corners.as_flattened().iter();
        all.fold(0.0, |size, x| size.max(x.abs()))
    }

    /// A point near the middle, and an upper bound of how far the cell's points are from it.
    pub(super) fn middle_and_radius(&self) -> (Point, f64) {
        let [a, b, c] = self.corners;
        let third = |x: f64| x / 3.0;
        let middle = core::array::from_fn(|k| third(a[k]) + third(b[k]) + third(c[k]));
        (middle, self.radius_about(middle))
    }

    fn radius_about(&self, point: Point) -> f64 {
        let far = |p: &Point| distance(*p, point);
        let radius = self.corners.iter().map(far).fold(0.0, f64::max);
        // The middle itself may be off the plane by roundings of its coordinates.
        radius * (1.0 + 8.0 * f64::EPSILON) + 4.0 * f64::EPSILON * self.size()
    }

    /// How to cut the cell if the triangle `over` is the nearest one at its middle, and parts no deeper than `enough` need no more cuts.
    ///
    /// A cell so near to the triangle's plane is cut a little beyond the triangle's border: what is within is near enough, and what is
    /// beyond keeps a distance from it.
    pub(super) fn best_split(&self, over: &Triangle, enough: f64) -> Split {
        let [a, b, c] = over.map(vector);
        let normal = (b - a).cross(c - a);
        let length = normal.norm();
        if length.is_nan() || length <= 0.0 {
            return Split::Halves;
        }
        let normal = normal * (1.0 / length);
        let corners = self.corners.map(vector);
        let height = corners.iter().map(|p| normal.dot(*p - a).abs());
        let height = height.fold(0.0, f64::max);
        let size = [b - a, c - b, a - c].map(|edge| edge.norm());
        let size = size.into_iter().fold(0.0, f64::max);
        if height >= enough || size < CUT_SIZE * self.middle_and_radius().1 {
            return Split::Halves;
        }
        let beyond = CUT_BEYOND * (enough * enough - height * height).sqrt();
        let mut best: Option<([f64; 3], f64)> = None;
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let edge = to - from;
            let inward = normal.cross(edge) * (1.0 / edge.norm());
            let heights = corners.map(|p| inward.dot(p - from) + beyond);
            let least = heights.into_iter().fold(f64::INFINITY, f64::min);
            let most = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let cuts = -least > 0.5 * beyond && most > 0.5 * beyond;
            if cuts && best.is_none_or(|(_, excess)| -least > excess) {
                best = Some((heights, -least));
            }
        }
        best.map_or(Split::Halves, |(heights, _)| Split::Plane(heights))
    }

    /// The pieces of the cell after a cut.
    pub(super) fn pieces(&self, how: Split) -> impl Iterator<Item = Self> + use<> {
        let pieces: Vec<Triangle> = match how {
            Split::Halves => {
                let [a, b, c] = self.along_longest_edge();
                let middle = on_edge(a, b, 0.5);
                vec![[a, middle, c], [middle, b, c]]
            }
            Split::Plane(heights) => self.cut(heights),
        };
        let slack = self.slack + CUT_ROUNDINGS * f64::EPSILON * self.size();
        pieces
            .into_iter()
            .map(move |corners| Self { corners, slack })
    }

    /// The corners, those of the longest edge first.
    fn along_longest_edge(&self) -> Triangle {
        let [a, b, c] = self.corners;
        let turned = [[a, b, c], [b, c, a], [c, a, b]];
        let length = |t: &Triangle| distance(t[0], t[1]);
        turned
            .into_iter()
            .max_by(|s, t| length(s).total_cmp(&length(t)))
            .unwrap_or(self.corners)
    }

    /// The pieces on both sides of a plane over which the corners have these heights.
    fn cut(&self, heights: [f64; 3]) -> Vec<Triangle> {
        let above = |k: usize| heights[k] > 0.0;
        // One corner is alone on its side.
        let alone =
            (0..3).find(|&k| above(k) != above((k + 1) % 3) && above(k) != above((k + 2) % 3));
        let Some(k) = alone else {
            return vec![self.corners];
        };
        let [i, j] = [(k + 1) % 3, (k + 2) % 3];
        let [tip, left, right] = [k, i, j].map(|k| self.corners[k]);
        let part = |to: usize| heights[k] / (heights[k] - heights[to]);
        let (p, q) = (on_edge(tip, left, part(i)), on_edge(tip, right, part(j)));
        vec![[tip, p, q], [p, left, right], [p, right, q]]
    }
}

fn on_edge(a: Point, b: Point, part: f64) -> Point {
    core::array::from_fn(|k| a[k] * (1.0 - part) + b[k] * part)
}

fn distance(a: Point, b: Point) -> f64 {
    (vector(a) - vector(b)).norm()
}
