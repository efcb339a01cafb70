//! The point of a surface that is farthest from a body, by branch and bound.
//!
//! Idea: as for protrusions (`depth/protrusion.rs`), outward: the distance changes by no more than the point moves, so a cell is no farther than its
//! middle plus its radius; and the distance to a convex set of the body is convex, so a cell is no farther than its corner that is
//! farthest from that set. Cells are cut along the borders of the triangles that are nearest, or halved.
//! Numbers: what is left when the work ends makes the interval wide, and it holds all the same.

use super::target::Target;
use crate::depth::cell::{Cell, Split};
use crate::signs::{Point, Triangle};
use crate::vector::{cross, dot, minus};
use core::cmp::Ordering;
use gjk::query::Interval;
use std::collections::BinaryHeap;

/// Distances of less than so many roundings of the coordinates are not told from none.
const FAR_FLOOR_ROUNDINGS: f64 = 64.0;

/// A cell is cut along a border that leaves at least this part of its size on either side.
const BORDER_SHARE: f64 = 1e-6;

/// How far a surface is from a body at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Farthest {
    /// The greatest distance, as a proved interval.
    pub distance: Interval<f64>,
    /// A point of the surface that is at least the lower end away, and a point of the body near it; `None` where that is zero.
    pub points: Option<[[f64; 3]; 2]>,
    /// Whether the interval is as narrow as was asked.
    pub ended: bool,
}

impl Farthest {
    /// Nothing is away.
    pub(super) const NOWHERE: Self = Self {
        distance: Interval {
            lower: 0.0,
            upper: 0.0,
        },
        points: None,
        ended: true,
    };
}

/// A piece of the surface.
#[derive(Clone, Copy)]
pub(super) struct FarCell {
    pub(super) cell: Cell,
    /// Whether all of it belongs to the surface, so that its points count; else it only bounds.
    pub(super) counts: bool,
    /// What it is a piece of.
    pub(super) source: u32,
}

/// A cell that may be so far away.
struct Pending {
    upper: f64,
    piece: FarCell,
}

/// The search.
struct FarSearch<'t, T> {
    target: &'t T,
    queue: BinaryHeap<Pending>,
    relative: f64,
    floor: f64,
    found: Farthest,
    rest: f64,
}

/// The farthest point of some cells from a body: to `relative` of the distance, or after so many more cells. Cells whose source is near for another
/// reason are left out.
pub(super) fn farthest<T: Target>(
    target: &T,
    cells: Vec<FarCell>,
    relative: f64,
    cells_max: usize,
    mut is_near: impl FnMut(u32) -> bool,
) -> Farthest {
    let size = cells.iter().fold(0.0, |size: f64, piece| {
        let corners = piece.cell.corners();
        corners
            .as_flattened()
            .iter()
            .fold(size, |size, x| size.max(x.abs()))
    });
    let cells_max = cells_max.saturating_add(cells.len());
    let queue = cells.into_iter().map(|piece| Pending {
        upper: f64::INFINITY,
        piece,
    });
    let mut search = FarSearch {
        target,
        queue: queue.collect(),
        relative,
        floor: FAR_FLOOR_ROUNDINGS * f64::EPSILON * size,
        found: Farthest::NOWHERE,
        rest: 0.0,
    };
    let mut looked_at = 0;
    while let Some(pending) = search.queue.pop() {
        if search.is_near_enough(pending.upper) {
            search.rest = search.rest.max(pending.upper);
            break;
        }
        if looked_at == cells_max {
            search.rest = search.rest.max(pending.upper);
            search.found.ended = false;
            break;
        }
        looked_at += 1;
        if !is_near(pending.piece.source) {
            search.look_at(&pending);
        }
    }
    let distance = &mut search.found.distance;
    distance.upper = search.rest.max(distance.lower);
    search.found
}

impl<T: Target> FarSearch<'_, T> {
    fn is_near_enough(&self, upper: f64) -> bool {
        let lower = self.found.distance.lower;
        upper <= lower + self.relative * lower + self.floor
    }

    fn look_at(&mut self, pending: &Pending) {
        let FarCell { cell, counts, .. } = pending.piece;
        let (middle, radius) = cell.middle_and_radius();
        let found = self.target.at(middle);
        if counts {
            self.learn(middle, cell.middle_slack(), found.distance, found.near);
        }
        let mut upper = pending
            .upper
            .min(found.distance.upper + radius + cell.slack());
        let Some((set, _)) = found.near else {
            self.split(pending, Split::Longest, upper);
            return;
        };
        let corners = cell.corners();
        let to_set = corners.map(|p| self.target.to_set(p, set));
        let farthest = (0..3).fold(0, |k, j| if to_set[j] > to_set[k] { j } else { k });
        upper = upper.min(to_set[farthest] + cell.slack());
        if self.is_near_enough(upper) {
            self.rest = self.rest.max(upper);
            return;
        }
        if counts && to_set[farthest] > self.found.distance.lower {
            let corner = corners[farthest];
            let found = self.target.at(corner);
            self.learn(corner, cell.slack(), found.distance, found.near);
        }
        let how = self
            .target
            .triangle(set)
            .and_then(|over| border(&over, &corners));
        self.split(pending, how.unwrap_or(Split::Steepest(to_set)), upper);
    }

    /// A point of the surface, to so much, and how far it is.
    fn learn(
        &mut self,
        point: Point,
        slack: f64,
        distance: Interval<f64>,
        near: Option<(u32, Point)>,
    ) {
        let lower = distance.lower - slack;
        if let Some((_, near)) = near
            && lower > self.found.distance.lower
        {
            self.found.distance.lower = lower;
            self.found.points = Some([point, near]);
        }
    }

    fn split(&mut self, pending: &Pending, how: Split, upper: f64) {
        let piece = pending.piece;
        let pieces = piece.cell.pieces(how).map(|cell| Pending {
            upper,
            piece: FarCell { cell, ..piece },
        });
        self.queue.extend(pieces);
    }
}

/// The border of a triangle beyond which a cell reaches farthest, if it has a good part of the cell on either side.
fn border(over: &Triangle, corners: &Triangle) -> Option<Split> {
    let [a, b, c] = *over;
    let normal = cross(minus(b, a), minus(c, a));
    let length = |v: Point| dot(v, v).sqrt();
    let size = (0..3).fold(0.0, |size: f64, k| {
        size.max(length(minus(corners[(k + 1) % 3], corners[k])))
    });
    let least = BORDER_SHARE * size;
    let mut farthest: Option<([f64; 3], f64)> = None;
    for (from, to) in [(a, b), (b, c), (c, a)] {
        let inward = cross(normal, minus(to, from));
        let scale = length(inward);
        // A flat triangle has no inside.
        if scale.is_nan() || scale <= 0.0 {
            return None;
        }
        let heights = corners.map(|p| dot(inward, minus(p, from)) / scale);
        let lowest = heights.into_iter().fold(f64::INFINITY, f64::min);
        let highest = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let cuts = -lowest > least && highest > least;
        if cuts && farthest.is_none_or(|(_, beyond)| -lowest > beyond) {
            farthest = Some((heights, -lowest));
        }
    }
    farthest.map(|(heights, _)| Split::Plane(heights))
}

impl PartialEq for Pending {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Pending {}

impl PartialOrd for Pending {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pending {
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper.total_cmp(&other.upper)
    }
}
