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

/// Corners within so many times the depth that is looked for, of a triangle's plane, are near.
const NEAR: f64 = 4.0;

/// Outside of a triangle's plane a cut leaves this part of the depth that is looked for.
const CUT_OUTSIDE: f64 = 0.5;

/// Distances that differ by less than this part are one: the choice of an edge is by its length then.
const CHANGE_MIN: f64 = 1e-3;

/// A piece of a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    corners: Triangle,
    /// How far the corners may be from the triangle that the cell is a piece of.
    slack: f64,
}

/// How a cell is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Split {
    /// The longest edge in two.
    Longest,
    /// The edge in two along which these distances of the corners change most: where a ridge is deepest, pieces become long along it.
    Steepest([f64; 3]),
    /// By a plane: the heights of the corners over it.
    Plane([f64; 3]),
}

fn vector([x, y, z]: Point) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

impl Cell {
    pub(crate) fn new(corners: Triangle) -> Self {
        Self::with_slack(corners, 0.0)
    }

    /// A piece whose corners may be off the triangle by so much.
    pub(crate) fn with_slack(corners: Triangle, slack: f64) -> Self {
        Self { corners, slack }
    }

    pub(crate) fn corners(&self) -> Triangle {
        self.corners
    }

    pub(crate) fn slack(&self) -> f64 {
        self.slack
    }

    /// How far the middle may be from the triangle: as far as a corner, and by its own roundings.
    pub(crate) fn middle_slack(&self) -> f64 {
        self.slack + CUT_ROUNDINGS * f64::EPSILON * self.size()
    }

    /// The greatest coordinate.
    fn size(&self) -> f64 {
        let all = self.corners.as_flattened().iter();
        all.fold(0.0, |size, x| size.max(x.abs()))
    }

    /// A point near the middle, and an upper bound of how far the cell's points are from it.
    pub(crate) fn middle_and_radius(&self) -> (Point, f64) {
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

    /// How to cut the cell if the triangle `over`, counter-clockwise seen from outside, is the nearest one at its middle, the corners
    /// have these distances from it, and parts need no more cuts that are no deeper than `enough`, of which `best` is known.
    ///
    /// A cell that is near is cut where the room over the triangle ends, a little beyond its edges and outside of its plane: what is
    /// within is bounded by the triangle alone, and what is beyond keeps a distance from it.
    pub(crate) fn best_split(
        &self,
        over: &Triangle,
        distances: [f64; 3],
        [best, enough]: [f64; 2],
    ) -> Split {
        let [a, b, c] = over.map(vector);
        let size = [b - a, c - b, a - c].map(|edge| edge.norm());
        let size = size.into_iter().fold(0.0, f64::max);
        let Some(normal) = (b - a).cross(c - a).normalized() else {
            return Split::Longest;
        };
        let corners = self.corners.map(vector);
        let heights = corners.map(|p| normal.dot(a - p));
        let is_near = heights.iter().all(|height| height.abs() <= NEAR * enough);
        if !is_near || size < CUT_SIZE * self.middle_and_radius().1 {
            return Split::Longest;
        }
        let inner = heights.into_iter().fold(0.0, f64::max);
        let room = |height: f64| enough * enough - height * height;
        let beyond = CUT_BEYOND * room(inner).max(room(best)).max(0.0).sqrt();
        let borders = [(a, b), (b, c), (c, a)].map(|(from, to)| {
            let inward = normal.cross(to - from).normalized();
            let inward = inward.unwrap_or(Vec3::new(0.0, 0.0, 0.0));
            (corners.map(|p| inward.dot(p - from) + beyond), beyond)
        });
        let outside = CUT_OUTSIDE * enough;
        let planes = borders
            .into_iter()
            .chain([(heights.map(|height| height + outside), outside)]);
        let mut farthest: Option<([f64; 3], f64)> = None;
        for (heights, offset) in planes {
            let least = heights.into_iter().fold(f64::INFINITY, f64::min);
            let most = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let cuts = -least > 0.5 * offset && most > 0.5 * offset;
            if cuts && farthest.is_none_or(|(_, excess)| -least > excess) {
                farthest = Some((heights, -least));
            }
        }
        farthest.map_or(Split::Steepest(distances), |(heights, _)| {
            Split::Plane(heights)
        })
    }

    /// The pieces of the cell after a cut.
    pub(crate) fn pieces(&self, how: Split) -> impl Iterator<Item = Self> + use<> {
        let pieces: Vec<Triangle> = match how {
            Split::Longest => self.halves([0.0; 3]),
            Split::Steepest(distances) => self.halves(distances),
            Split::Plane(heights) => self.cut(heights),
        };
        let slack = self.slack + CUT_ROUNDINGS * f64::EPSILON * self.size();
        pieces
            .into_iter()
            .map(move |corners| Self { corners, slack })
    }

    /// Both parts after a cut of an edge, which goes from the corner of its number to the next one: that with its first end, and that with its other.
    pub(crate) fn cut_at(&self, edge: usize, part: f64) -> [Self; 2] {
        let [a, b, c] = [0, 1, 2].map(|k| self.corners[(edge + k) % 3]);
        let at = on_edge(a, b, part);
        let slack = self.slack + CUT_ROUNDINGS * f64::EPSILON * self.size();
        [[a, at, c], [at, b, c]].map(|corners| Self { corners, slack })
    }

    /// The edge along which a distance changes most, or the longest where it does not.
    pub(crate) fn steepest_edge(&self, distances: [f64; 3]) -> usize {
        let size = distances.into_iter().fold(0.0, f64::max);
        let change = |k: usize| {
            let change = (distances[k] - distances[(k + 1) % 3]).abs();
            if change > CHANGE_MIN * size {
                change
            } else {
                0.0
            }
        };
        let length = |k: usize| distance(self.corners[k], self.corners[(k + 1) % 3]);
        let steepest = (0..3).max_by(|&i, &j| {
            let by_change = change(i).total_cmp(&change(j));
            by_change.then(length(i).total_cmp(&length(j)))
        });
        steepest.unwrap_or(0)
    }

    /// The pieces where that edge is halved.
    fn halves(&self, distances: [f64; 3]) -> Vec<Triangle> {
        let first = self.steepest_edge(distances);
        let [a, b, c] = [0, 1, 2].map(|k| self.corners[(first + k) % 3]);
        let middle = on_edge(a, b, 0.5);
        vec![[a, middle, c], [middle, b, c]]
    }

    /// The pieces on both sides of a plane over which the corners have these heights.
    fn cut(&self, heights: [f64; 3]) -> Vec<Triangle> {
        let Some((k, parts)) = tip_of(heights) else {
            return vec![self.corners];
        };
        let [tip, left, right] = [k, k + 1, k + 2].map(|k| self.corners[k % 3]);
        let (p, q) = (on_edge(tip, left, parts[0]), on_edge(tip, right, parts[1]));
        vec![[tip, p, q], [p, left, right], [p, right, q]]
    }
}

/// The corner that is alone on its side of a plane, and where the plane cuts its edges to the next corner and to the one after it.
pub(crate) fn tip_of(heights: [f64; 3]) -> Option<(usize, [f64; 2])> {
    let above = |k: usize| heights[k] > 0.0;
    let k = (0..3).find(|&k| above(k) != above((k + 1) % 3) && above(k) != above((k + 2) % 3))?;
    let part = |to: usize| heights[k] / (heights[k] - heights[to % 3]);
    Some((k, [part(k + 1), part(k + 2)]))
}

fn on_edge(a: Point, b: Point, part: f64) -> Point {
    core::array::from_fn(|k| a[k] * (1.0 - part) + b[k] * part)
}

fn distance(a: Point, b: Point) -> f64 {
    (vector(a) - vector(b)).norm()
}
