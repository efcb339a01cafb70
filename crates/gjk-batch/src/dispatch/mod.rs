//! One chunk of a batch: pairs sorted by kind, lanes first, the rest one by one.
//!
//! Where it sits: `run.rs` hands chunks to threads. Read [`Chunk::run`], then [`table::solvers`], which says what answers which
//! pair. This is the only place that decides what comes next; solvers only say what they proved.

pub(crate) mod lane_answer;
mod table;

use self::lane_answer::LaneAnswer;
use self::table::{Bucket, Buckets, STEPS_FIRST, STEPS_LARGE, STEPS_MAX, Solver, solvers};
use crate::answer::Statistics;
use crate::bounds::BoundsLanes;
use crate::kernels::Kernels;
use crate::layout::shapes::ShapeKind;
use crate::layout::world::{Pair, World, WorldView};
use crate::pairs::box_box::axes::BoxAxes;
use crate::pairs::point_segment_box::width_max;
use crate::request::Request;
use gjk::{Scalar, Vector};

/// Boxes that their axes did not decide, as indices into the chunk, each with the axis that is nearest.
#[derive(Default)]
struct Boxes {
    members: Vec<u32>,
    axes: Vec<f64>,
}

impl Boxes {
    #[inline]
    fn push(&mut self, at: u32, axis: f32) {
        self.members.push(at);
        self.axes.push(f64::from(axis));
    }

    /// Groups of at most `len` pairs.
    fn groups(&self, len: usize) -> impl Iterator<Item = (&[u32], &[f64])> {
        self.members.chunks(len).zip(self.axes.chunks(len))
    }
}

/// One chunk.
pub(crate) struct Chunk<'c, V: Vector, T: LaneAnswer<V>> {
    world: World<'c, V>,
    pairs: &'c [Pair],
    request: Request,
    answers: &'c mut [T],
    /// Boxes that are separated or undecided, on their way from the axes to the distance.
    far_boxes: Boxes,
    /// Boxes that overlap, on their way from the axes to the depth.
    deep_boxes: Boxes,
    statistics: Statistics,
}

impl<'c, V: Vector, T: LaneAnswer<V>> Chunk<'c, V, T> {
    /// Answers the pairs of a chunk.
    pub(crate) fn run(
        world: World<'c, V>,
        pairs: &'c [Pair],
        request: Request,
        answers: &'c mut [T],
        kernels: Option<Kernels>,
    ) -> Statistics {
        let mut chunk = Self {
            world,
            pairs,
            request,
            answers,
            far_boxes: Boxes::default(),
            deep_boxes: Boxes::default(),
            statistics: Statistics::default(),
        };
        if let Some(kernels) = kernels {
            chunk.by_lanes(kernels);
        } else {
            (0..pairs.len()).for_each(|at| chunk.single(at));
            chunk.statistics.single += pairs.len();
        }
        chunk.statistics
    }

    fn single(&mut self, at: usize) {
        self.answers[at] = T::single(self.world, self.pairs[at], self.request);
    }

    /// Every bucket through its solvers, then single queries.
    fn by_lanes(&mut self, kernels: Kernels) {
        let buckets = self.buckets();
        for bucket in Bucket::BY_LANES {
            let members = buckets.list(bucket);
            let only_boxes = bucket == Bucket::BoxBox && self.only_boxes();
            if members.is_empty() && !only_boxes {
                continue;
            }
            let mut left: Option<Vec<u32>> = None;
            for &solver in solvers(bucket, self.request) {
                let members = left.as_deref().unwrap_or(members);
                left = Some(self.solve(kernels, solver, members));
            }
            for at in left.unwrap_or_default() {
                self.single(at as usize);
                self.statistics.fallback += 1;
            }
        }
        for &at in buckets.list(Bucket::Single) {
            self.single(at as usize);
            self.statistics.single += 1;
        }
    }

    /// The pairs by kind; empty where all are boxes in space, which need no list: it would be all pairs.
    fn buckets(&self) -> Buckets {
        let shapes = &self.world.shapes.lanes;
        match shapes.only {
            Some(ShapeKind::Cuboid) => Buckets::default(),
            Some(kind) => Buckets::of_one(kind, self.pairs.len()),
            None => Buckets::of(&shapes.kinds, self.pairs),
        }
    }

    fn only_boxes(&self) -> bool {
        self.world.shapes.lanes.only == Some(ShapeKind::Cuboid)
    }

    /// Sends pairs through a solver, and returns those that it leaves over.
    fn solve(&mut self, kernels: Kernels, solver: Solver, members: &[u32]) -> Vec<u32> {
        match solver {
            Solver::BoxAxes if self.only_boxes() => self.box_axes(kernels, self.pairs, &[]),
            Solver::BoxAxes => {
                let pairs: Vec<Pair> = members.iter().map(|&at| self.pairs[at as usize]).collect();
                self.box_axes(kernels, &pairs, members)
            }
            Solver::BoxPenetration => self.box_penetration(kernels, members),
            Solver::BoxDistance => self.box_distance(kernels, members),
            _ => {
                let (mut left, mut bounds) = (Vec::new(), BoundsLanes::default());
                for members in members.chunks(kernels.f64_lanes) {
                    self.solve_group(kernels, solver, members, &mut bounds);
                    self.keep(solver, members, &bounds, &mut left);
                }
                left
            }
        }
    }

    /// As many pairs as there are lanes, by a solver that needs nothing else.
    fn solve_group(
        &self,
        kernels: Kernels,
        solver: Solver,
        members: &[u32],
        out: &mut BoundsLanes,
    ) {
        let (view, request, planar) = (self.view(), self.request, V::DIM == 2);
        let width = width_max(V::Scalar::ROUNDING.to_f64());
        match solver {
            Solver::PolygonPenetration => kernels.polygon_penetration(view, members, out),
            Solver::HullDistance if planar => {
                kernels.polygon_distance(view, members, request, STEPS_MAX, out)
            }
            Solver::HullDistance => kernels.hull_distance(view, members, request, STEPS_MAX, out),
            Solver::LargeHullDistance if planar => {
                kernels.large_polygon_distance(view, members, request, STEPS_LARGE, out)
            }
            Solver::LargeHullDistance => {
                kernels.large_hull_distance(view, members, request, STEPS_LARGE, out)
            }
            Solver::BallBall => kernels.cores([0, 0], view, members, request, width, out),
            Solver::BallCapsule => kernels.cores([0, 1], view, members, request, width, out),
            Solver::CapsuleCapsule => kernels.cores([1, 1], view, members, request, width, out),
            Solver::BallBox => kernels.cores([0, 3], view, members, request, width, out),
            Solver::CapsuleBox => kernels.cores([1, 3], view, members, request, width, out),
            // They carry an axis: see `solve`.
            Solver::BoxAxes | Solver::BoxPenetration | Solver::BoxDistance => {}
        }
    }

    /// Boxes over their 15 axes: `pairs`, and where they are in the chunk; in their order if that is empty. What is not decided
    /// goes to the two lists of boxes; returned are overlaps whose nearest axis is not clear.
    fn box_axes(&mut self, kernels: Kernels, pairs: &[Pair], places: &[u32]) -> Vec<u32> {
        let (mut left, lanes) = (Vec::new(), kernels.f32_lanes);
        let mut found = Vec::with_capacity(pairs.len() / lanes + 1);
        kernels.box_axes(self.view(), pairs, self.request, &mut found);
        for (group, axes) in found.iter().enumerate() {
            let from = group * lanes;
            let pairs = &pairs[from..pairs.len().min(from + lanes)];
            // Where numbers are wanted, the pair is only on its way.
            let separated = if self.request.wants_distance() {
                0
            } else {
                axes.separated
            };
            let overlapping = if self.request.wants_depth() {
                0
            } else {
                axes.overlapping
            };
            let decided = separated | overlapping;
            self.statistics.by_lanes += decided.count_ones() as usize;
            if decided.count_ones() as usize == pairs.len() && places.is_empty() {
                // A box's centre is a point of it.
                let poses = &self.world.poses.lanes;
                let slots = &mut self.answers[from..from + pairs.len()];
                T::decided_all(slots, overlapping, |lane| poses.centers(&pairs[lane]));
                continue;
            }
            if decided == 0 && places.is_empty() && self.hand_on_all(axes, from, pairs.len()) {
                continue;
            }
            for (lane, pair) in pairs.iter().enumerate() {
                let at = places
                    .get(from + lane)
                    .map_or(from + lane, |&at| at as usize);
                if decided >> lane & 1 == 1 {
                    let centers = || self.world.poses.lanes.centers(pair);
                    self.answers[at] = T::decided(overlapping >> lane & 1 == 1, centers);
                } else if !self.hand_on(kernels, axes, lane, at as u32) {
                    left.push(at as u32);
                }
            }
        }
        left
    }

    /// The same as [`Self::hand_on`] of pairs in a row, if all go to one list; false if they do not.
    fn hand_on_all(&mut self, axes: &BoxAxes, from: usize, count: usize) -> bool {
        let all = (1u64 << count) - 1;
        let list = if axes.overlapping == 0 {
            &mut self.far_boxes
        } else if axes.overlapping & axes.clear == all {
            &mut self.deep_boxes
        } else {
            return false;
        };
        list.members.extend(from as u32..(from + count) as u32);
        let nearest = &axes.nearest[..count];
        list.axes
            .extend(nearest.iter().map(|&axis| f64::from(axis)));
        true
    }

    /// Puts a pair that the axes did not decide on the list of what is next; false if there is nothing next.
    #[inline]
    fn hand_on(&mut self, kernels: Kernels, axes: &BoxAxes, lane: usize, at: u32) -> bool {
        let axis = axes.nearest[lane];
        if axes.overlapping >> lane & 1 == 0 {
            self.far_boxes.push(at, axis);
        } else if axes.clear >> lane & 1 == 1 {
            self.deep_boxes.push(at, axis);
        } else if let Some(axis) = kernels.clear_box_axis(self.view(), at) {
            self.deep_boxes.push(at, f32::from(axis));
        } else {
            return false;
        }
        true
    }

    /// Boxes that overlap, along their axes. `before`: what is left over already.
    fn box_penetration(&mut self, kernels: Kernels, before: &[u32]) -> Vec<u32> {
        let (mut left, mut bounds) = (before.to_vec(), BoundsLanes::default());
        let boxes = core::mem::take(&mut self.deep_boxes);
        for (members, axes) in boxes.groups(kernels.f64_lanes) {
            kernels.box_penetration(self.view(), members, axes, &mut bounds);
            self.keep(Solver::BoxPenetration, members, &bounds, &mut left);
        }
        left
    }

    /// The other boxes. Those that a first look leaves over are grouped anew, and start again.
    fn box_distance(&mut self, kernels: Kernels, before: &[u32]) -> Vec<u32> {
        let (mut left, mut bounds) = (before.to_vec(), BoundsLanes::default());
        let (view, request) = (self.view(), self.request);
        let boxes = core::mem::take(&mut self.far_boxes);
        let mut again = Boxes::default();
        for (members, axes) in boxes.groups(kernels.f64_lanes) {
            kernels.box_distance(view, members, axes, request, STEPS_FIRST, &mut bounds);
            let before = again.members.len();
            self.keep(Solver::BoxDistance, members, &bounds, &mut again.members);
            let mut undecided = again.members[before..].iter();
            let mut next = undecided.next();
            for (at, &axis) in members.iter().zip(axes) {
                if next == Some(at) {
                    again.axes.push(axis);
                    next = undecided.next();
                }
            }
        }
        for (members, axes) in again.groups(kernels.f64_lanes) {
            kernels.box_distance(view, members, axes, request, STEPS_MAX, &mut bounds);
            self.keep(Solver::BoxDistance, members, &bounds, &mut left);
        }
        left
    }

    fn view(&self) -> WorldView<'c> {
        WorldView {
            shapes: &self.world.shapes.lanes,
            poses: &self.world.poses.lanes,
            pairs: self.pairs,
            hulls: self.world.shapes,
        }
    }

    /// Writes what is proved, and puts what is not on the list `left`.
    fn keep(&mut self, solver: Solver, members: &[u32], bounds: &BoundsLanes, left: &mut Vec<u32>) {
        // An overlap that is not measured is no answer where depths are wanted.
        let overlapping = if self.request.wants_depth() && !solver.measures_depth() {
            0
        } else {
            bounds.overlapping
        };
        let decided = (bounds.separated | overlapping) & ((1 << members.len()) - 1);
        self.statistics.by_lanes += decided.count_ones() as usize;
        for (lane, &at) in members.iter().enumerate() {
            if decided >> lane & 1 == 1 {
                self.answers[at as usize] = T::measured(&bounds.lane(lane));
            } else {
                left.push(at);
            }
        }
    }
}
