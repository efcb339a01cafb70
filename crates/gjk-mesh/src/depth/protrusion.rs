//! How far the surface of one body reaches into a solid: the greatest depth of its points.
//!
//! Idea: branch and bound. The depth of a point changes by no more than the point moves, so a part of the surface is no deeper than
//! its middle plus its radius. And since the distance to a triangle is convex, a part is no deeper than its corner that is farthest
//! from any one triangle of the solid: that is sharp where faces lie side by side. Parts are first nodes of the tree of boxes, then
//! triangles, then pieces of them, cut where the nearest triangle of the solid ends. The part that may be deepest is looked at first.
//! Numbers: depths of points are proved intervals; a piece of a triangle is off by the roundings of its corners, which are counted.
//! Source: the scheme is that of bounded-error Hausdorff distances (Tang, Lee, Kim 2009).

use super::cell::{Cell, Split};
use super::interior::Interior;
use crate::boxes::Below;
use crate::in_place::InPlace;
use crate::signs::Point;
use core::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

/// How far a surface reaches into a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Protrusion {
    /// At most the truth; zero where no point is proved to be inside.
    pub lower: f64,
    /// At least the truth.
    pub upper: f64,
    /// A point of the surface that is `lower` deep, and the nearest point of the solid's surface, in the world; `None` where
    /// `lower` is zero.
    pub points: Option<[[f64; 3]; 2]>,
}

/// Depths of less than so many roundings of the coordinates are not told from none.
const FLOOR_ROUNDINGS: f64 = 64.0;

/// A part of a surface.
#[derive(Clone, Copy)]
enum Part {
    /// A node of the tree of boxes.
    Node(u32),
    /// A triangle or a piece of one.
    Cell(Cell),
}

/// A part that may be so deep.
struct Candidate {
    upper: f64,
    /// Of which body.
    of: usize,
    part: Part,
}

/// What is known of one of the surfaces.
#[derive(Clone, Copy, Default)]
struct Reach {
    lower: f64,
    /// Of the parts that are not looked at any further.
    rest: f64,
    points: Option<[Point; 2]>,
}

/// The search for both surfaces at once: what one shows to be deep, spares small parts of the other.
pub(super) struct Search<'s, 'm> {
    surfaces: [InPlace<'m>; 2],
    solids: [Option<&'s Interior<'m>>; 2],
    sides: [Reach; 2],
    candidates: BinaryHeap<Candidate>,
    /// Corners that have been looked at.
    seen: [HashSet<[u64; 3]>; 2],
    relative: f64,
    floor: f64,
    /// No point is deeper.
    most: f64,
}

impl<'s, 'm> Search<'s, 'm> {
    /// A search to a part of the greater protrusion.
    pub(super) fn new(
        surfaces: [InPlace<'m>; 2],
        solids: [Option<&'s Interior<'m>>; 2],
        relative: f64,
    ) -> Self {
        let size = surfaces.iter().fold(0.0, |size, surface| {
            let corners = surface.tree().bounds().corners();
            let all = corners.as_flattened().iter();
            all.fold(size, |size: f64, x| size.max(x.abs()))
        });
        let mut candidates = BinaryHeap::new();
        for of in (0..2).filter(|&of| solids[1 - of].is_some()) {
            candidates.push(Candidate {
                upper: f64::INFINITY,
                of,
                part: Part::Node(0),
            });
        }
        Self {
            surfaces,
            solids,
            sides: Default::default(),
            candidates,
            seen: Default::default(),
            relative,
            floor: FLOOR_ROUNDINGS * f64::EPSILON * size,
            most: f64::INFINITY,
        }
    }

    /// Looks at parts until the protrusions are narrow enough, at so many at most.
    pub(super) fn run(&mut self, parts_max: usize) {
        let mut looked_at = 0;
        while let Some(candidate) = self.candidates.pop() {
            if self.is_near_enough(candidate.upper, candidate.of) {
                self.keep(candidate.upper, candidate.of);
                continue;
            }
            if looked_at == parts_max {
                self.candidates.push(candidate);
                return;
            }
            looked_at += 1;
            self.look_at(&candidate);
        }
    }

    /// Whether the protrusions are narrow enough.
    pub(super) fn has_ended(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Ends the search if it is known that no point is deeper than `most`, and that this is near enough to what was found.
    pub(super) fn limit(&mut self, most: f64) {
        self.most = self.most.min(most);
        let near = |of: usize| self.solids[1 - of].is_none() || self.is_near_enough(most, of);
        if near(0) && near(1) {
            let left = core::mem::take(&mut self.candidates);
            left.iter().for_each(|left| self.keep(left.upper, left.of));
        }
    }

    /// What is known so far: how far each surface reaches into the other body. `None` for a surface beside no solid.
    pub(super) fn found(&self) -> [Option<Protrusion>; 2] {
        [0, 1].map(|of| {
            self.solids[1 - of]?;
            let side = &self.sides[of];
            let left = self.candidates.iter().filter(|left| left.of == of);
            let upper = left.map(|left| left.upper).fold(side.rest, f64::max);
            Some(Protrusion {
                lower: side.lower,
                upper: upper.min(self.most).max(side.lower),
                points: side.points,
            })
        })
    }

    fn is_near_enough(&self, upper: f64, of: usize) -> bool {
        upper <= self.sides[of].lower + self.tolerance()
    }

    fn tolerance(&self) -> f64 {
        let greater = self.sides[0].lower.max(self.sides[1].lower);
        self.relative * greater + self.floor
    }

    fn keep(&mut self, upper: f64, of: usize) {
        let rest = &mut self.sides[of].rest;
        *rest = rest.max(upper);
    }

    fn look_at(&mut self, candidate: &Candidate) {
        let of = candidate.of;
        let Some(solid) = self.solids[1 - of] else {
            return;
        };
        match candidate.part {
            Part::Node(node) => self.look_at_node(solid, of, node, candidate.upper),
            Part::Cell(cell) => self.look_at_cell(solid, of, &cell, candidate.upper),
        }
    }

    fn look_at_node(&mut self, solid: &Interior<'m>, of: usize, node: u32, upper: f64) {
        let surface = self.surfaces[of];
        let bounds = surface.tree().bounds_of_node(node);
        if !bounds.meets(&solid.bounds()) {
            return;
        }
        let (middle, radius) = bounds.middle_and_radius();
        let upper = upper.min(solid.at(middle).depth.upper + radius);
        if upper <= 0.0 {
            return;
        }
        match surface.tree().below(node) {
            Below::Nodes(children) => {
                for child in children {
                    self.push(upper, of, Part::Node(child));
                }
            }
            Below::Triangles(triangles) => {
                for &triangle in triangles {
                    let cell = Cell::new(surface.corners(triangle));
                    self.push(upper, of, Part::Cell(cell));
                }
            }
        }
    }

    fn look_at_cell(&mut self, solid: &Interior<'m>, of: usize, cell: &Cell, upper: f64) {
        let (middle, radius) = cell.middle_and_radius();
        let found = solid.at(middle);
        let mut upper = upper.min(found.depth.upper + radius + cell.slack());
        if upper <= 0.0 {
            return;
        }
        self.learn(of, middle, cell.middle_slack(), &found);
        let Some((nearest, _)) = found.nearest else {
            self.split(of, cell, Split::Longest, upper);
            return;
        };
        let heights = cell.corners().map(|p| solid.to_triangle(p, nearest));
        let farthest = (0..3).max_by(|&i, &j| heights[i].upper.total_cmp(&heights[j].upper));
        if let Some(k) = farthest {
            upper = upper.min(heights[k].upper + cell.slack());
            if heights[k].lower > self.sides[of].lower {
                self.look_at_corner(solid, of, cell, k);
            }
        }
        if self.is_near_enough(upper, of) {
            self.keep(upper, of);
            return;
        }
        let is_outside = found.depth.upper < -cell.slack();
        if is_outside && solid.is_clear_of(&cell.corners(), cell.slack()) {
            return;
        }
        let over = solid.outward(nearest);
        let best = self.sides[of].lower;
        let limits = [best, best + self.tolerance()];
        let heights = heights.map(|height| height.upper);
        self.split(of, cell, cell.best_split(&over, heights, limits), upper);
    }

    fn look_at_corner(&mut self, solid: &Interior<'m>, of: usize, cell: &Cell, corner: usize) {
        let point = cell.corners()[corner];
        if self.seen[of].insert(point.map(f64::to_bits)) {
            let found = solid.at(point);
            self.learn(of, point, cell.slack(), &found);
        }
    }

    /// A point of the surface, to so much, and how deep it is.
    fn learn(&mut self, of: usize, point: Point, slack: f64, found: &super::interior::PointDepth) {
        let side = &mut self.sides[of];
        let lower = found.depth.lower - slack;
        if let Some((_, nearest)) = found.nearest
            && lower > side.lower
        {
            side.lower = lower;
            side.points = Some([point, nearest]);
        }
    }

    fn split(&mut self, of: usize, cell: &Cell, how: Split, upper: f64) {
        for piece in cell.pieces(how) {
            self.push(upper, of, Part::Cell(piece));
        }
    }

    fn push(&mut self, upper: f64, of: usize, part: Part) {
        self.candidates.push(Candidate { upper, of, part });
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper.total_cmp(&other.upper)
    }
}
