//! One chunk of a batch: pairs sorted by kind, lanes first, the rest one by one.
//!
//! Where it sits: `run.rs` hands chunks to threads. Read [`Chunk::run`].
//! A pair goes down a ladder and leaves it where something is proved: two boxes in space by their 15 axes in `f32`, then
//! (separated, or not told) by the walk, or (overlapping, depth asked) over the nearest axis in `f64`; hulls by the walk,
//! polygons of at most eight vertices whose depth is asked by their edges first; balls and capsules, and either with a box, by
//! closed forms; what is left by [`crate::single`].

mod table;

use self::table::{Route, Routes};
use crate::answer::{Answer, Statistics};
use crate::bounds::{Columns, Found, Measured};
use crate::kernels::Kernels;
use crate::layout::shapes::Kind;
use crate::layout::world::{Pair, View, World};
use crate::loops::lockstep_gjk::{Aim, Goal, STEPS_FIRST, STEPS_LARGE, STEPS_MAX};
use crate::pairs::box_box::axes::Axes;
use crate::pairs::box_box::penetration::clear_axis;
use crate::pairs::point_segment_box::distance::Want;
use crate::single;
use gjk::query::{Interval, Verdict};
use gjk::{Scalar, Vector};

/// What is asked of every pair, and how it is written down.
pub(crate) trait Ask<V: Vector>: Sync {
    /// The answer for a pair.
    type Answer: Copy + Send;
    /// What the walk is for.
    const GOAL: Goal;
    /// Whether overlapping pairs are measured.
    const DEPTH: bool;
    /// What stands where nothing is answered yet; never handed out.
    fn blank() -> Self::Answer;
    /// Asks a single query.
    fn single(world: World<'_, V>, pair: Pair) -> Self::Answer;
    /// What the lanes proved, if that is all that is asked.
    fn wide(measured: &Measured) -> Self::Answer;
    /// What the axes of two boxes told, where the verdict is all that is asked; else with a point of each.
    fn told(overlapping: bool, centers: impl Fn() -> [[f64; 3]; 2]) -> Self::Answer;
    /// The same of pairs in a row, a bit a pair.
    fn told_all(
        slots: &mut [Self::Answer],
        overlapping: u64,
        centers: impl Fn(usize) -> [[f64; 3]; 2],
    ) {
        for (lane, slot) in slots.iter_mut().enumerate() {
            *slot = Self::told(overlapping >> lane & 1 == 1, || centers(lane));
        }
    }
}

/// Eight verdicts by their bits.
const VERDICTS: [[Verdict; 8]; 256] = {
    let mut table = [[Verdict::Separated; 8]; 256];
    let mut bits = 0;
    while bits < 8 * 256 {
        if ((bits / 8) >> (bits % 8)) & 1 == 1 {
            table[bits / 8][bits % 8] = Verdict::Overlapping;
        }
        bits += 1;
    }
    table
};

/// [`crate::classify_many`].
pub(crate) struct Verdicts;
/// [`crate::distance_many`].
pub(crate) struct Distances;
/// [`crate::contact_many`].
pub(crate) struct Contacts;

impl<V: Vector> Ask<V> for Verdicts {
    type Answer = Verdict;
    const GOAL: Goal = Goal::Verdict;
    const DEPTH: bool = false;
    fn blank() -> Verdict {
        Verdict::Undecided
    }
    fn single(world: World<'_, V>, pair: Pair) -> Self::Answer {
        single::verdict(world, pair)
    }
    fn wide(measured: &Measured) -> Verdict {
        verdict(measured.found)
    }
    fn told(overlapping: bool, _: impl Fn() -> [[f64; 3]; 2]) -> Verdict {
        if overlapping {
            Verdict::Overlapping
        } else {
            Verdict::Separated
        }
    }
    fn told_all(slots: &mut [Verdict], overlapping: u64, _: impl Fn(usize) -> [[f64; 3]; 2]) {
        for (eight, slots) in slots.chunks_mut(8).enumerate() {
            let verdicts = &VERDICTS[(overlapping >> (8 * eight) & 255) as usize];
            if let Ok(slots) = <&mut [Verdict; 8]>::try_from(&mut *slots) {
                *slots = *verdicts;
            } else {
                slots.copy_from_slice(&verdicts[..slots.len()]);
            }
        }
    }
}

impl<V: Vector> Ask<V> for Distances {
    type Answer = Answer<V>;
    const GOAL: Goal = Goal::Distance;
    const DEPTH: bool = false;
    fn blank() -> Answer<V> {
        Answer::default()
    }
    fn single(world: World<'_, V>, pair: Pair) -> Answer<V> {
        single::distance(world, pair)
    }
    fn wide(measured: &Measured) -> Answer<V> {
        answer(measured)
    }
    fn told(overlapping: bool, centers: impl Fn() -> [[f64; 3]; 2]) -> Answer<V> {
        let found = if overlapping {
            Found::Overlapping
        } else {
            Found::Separated
        };
        let points = centers();
        answer(&Measured {
            found,
            normal: [1.0, 0.0, 0.0],
            points,
            ..Measured::default()
        })
    }
}

impl<V: Vector> Ask<V> for Contacts {
    type Answer = Answer<V>;
    const GOAL: Goal = Goal::Distance;
    const DEPTH: bool = true;
    fn blank() -> Answer<V> {
        Answer::default()
    }
    fn single(world: World<'_, V>, pair: Pair) -> Answer<V> {
        single::contact(world, pair)
    }
    fn wide(measured: &Measured) -> Answer<V> {
        answer(measured)
    }
    fn told(overlapping: bool, centers: impl Fn() -> [[f64; 3]; 2]) -> Answer<V> {
        let found = if overlapping {
            Found::Overlapping
        } else {
            Found::Separated
        };
        let points = centers();
        answer(&Measured {
            found,
            normal: [1.0, 0.0, 0.0],
            points,
            ..Measured::default()
        })
    }
}

fn verdict(found: Found) -> Verdict {
    match found {
        Found::Separated => Verdict::Separated,
        Found::Overlapping => Verdict::Overlapping,
        Found::Unsure => Verdict::Undecided,
    }
}

/// Bounds rounded outward to the bodies' scalar.
fn answer<V: Vector>(measured: &Measured) -> Answer<V> {
    let [lower, upper] = measured.interval;
    Answer {
        verdict: verdict(measured.found),
        interval: Interval {
            lower: V::Scalar::round_down(lower),
            upper: -V::Scalar::round_down(-upper),
        },
        normal: V::from_f64(measured.normal),
        point_a: V::from_f64(measured.points[0]),
        point_b: V::from_f64(measured.points[1]),
    }
}

/// The pairs of a chunk by what is next for them, as indices into the chunk.
#[derive(Default)]
struct Lists {
    /// Boxes that are apart or not told.
    apart: Vec<u32>,
    /// Their axes.
    across: Vec<f64>,
    /// Boxes that overlap, and the axis that is nearest.
    deep: Vec<u32>,
    axes: Vec<f64>,
    tail: Vec<u32>,
}

/// One chunk.
pub(crate) struct Chunk<'c, V: Vector, K: Ask<V>> {
    world: World<'c, V>,
    pairs: &'c [Pair],
    answers: &'c mut [K::Answer],
    lists: Lists,
    statistics: Statistics,
}

impl<'c, V: Vector, K: Ask<V>> Chunk<'c, V, K> {
    /// Answers the pairs of a chunk.
    pub(crate) fn run(
        world: World<'c, V>,
        pairs: &'c [Pair],
        answers: &'c mut [K::Answer],
        kernels: Option<Kernels>,
    ) -> Statistics {
        let mut chunk = Self {
            world,
            pairs,
            answers,
            lists: Lists::default(),
            statistics: Statistics::default(),
        };
        if let Some(kernels) = kernels {
            let routes = chunk.routes();
            chunk.lanes(kernels, &routes);
            for at in core::mem::take(&mut chunk.lists.tail) {
                chunk.single(at as usize);
                chunk.statistics.tail += 1;
            }
            for &at in routes.list(Route::Single) {
                chunk.single(at as usize);
                chunk.statistics.single += 1;
            }
        } else {
            for at in 0..pairs.len() {
                chunk.single(at);
            }
            chunk.statistics.single += pairs.len();
        }
        chunk.statistics
    }

    fn single(&mut self, at: usize) {
        self.answers[at] = K::single(self.world, self.pairs[at]);
    }

    /// The pairs by kind; empty where all are boxes in space.
    fn routes(&self) -> Routes {
        if self.only_boxes() {
            return Routes::default();
        }
        let shapes = &self.world.shapes.lanes;
        match shapes.only {
            Some(kind) => Routes::of_one(kind, self.pairs.len(), K::DEPTH),
            None => Routes::of(&shapes.kinds, self.pairs, K::DEPTH),
        }
    }

    /// No list of boxes is made then: it would be all pairs.
    fn only_boxes(&self) -> bool {
        self.world.shapes.lanes.only == Some(Kind::Cuboid)
    }

    /// The wide part of the ladder.
    fn lanes(&mut self, kernels: Kernels, routes: &Routes) {
        self.cores(kernels, routes);
        let mut measured = Columns::default();
        let width = kernels.wide;
        let mut hulls = routes.list(Route::Hulls).to_vec();
        for members in routes.list(Route::Rings).chunks(width) {
            kernels.planar(self.view(), members, &mut measured);
            self.keep(members, &measured, Found::Unsure, Some(&mut hulls));
        }
        let boxes = routes.list(Route::Boxes);
        if self.only_boxes() {
            self.boxes(kernels, self.pairs, boxes);
        } else if !boxes.is_empty() {
            let pairs: Vec<Pair> = boxes.iter().map(|&at| self.pairs[at as usize]).collect();
            self.boxes(kernels, &pairs, boxes);
        }
        // Where depths are asked, an overlap that the walk finds is not measured yet.
        let unasked = if K::DEPTH {
            Found::Overlapping
        } else {
            Found::Unsure
        };
        for members in hulls.chunks(width) {
            let aim = Aim {
                goal: K::GOAL,
                steps: STEPS_MAX,
            };
            if V::DIM == 2 {
                kernels.walk_polygons(self.view(), members, aim, &mut measured);
            } else {
                kernels.walk_clouds(self.view(), members, aim, &mut measured);
            }
            self.keep(members, &measured, unasked, None);
        }
        for members in routes.list(Route::Large).chunks(width) {
            let aim = Aim {
                goal: K::GOAL,
                steps: STEPS_LARGE,
            };
            if V::DIM == 2 {
                kernels.walk_large::<true>(self.view(), members, aim, &mut measured);
            } else {
                kernels.walk_large::<false>(self.view(), members, aim, &mut measured);
            }
            self.keep(members, &measured, unasked, None);
        }
    }

    /// Round bodies.
    fn cores(&mut self, kernels: Kernels, routes: &Routes) {
        let want = Want::new(K::GOAL, K::DEPTH, V::Scalar::ROUNDING.to_f64());
        let mut measured = Columns::default();
        let mut each = |route: Route, kernel: fn(Kernels, View<'_>, &[u32], Want, &mut Columns)| {
            for members in routes.list(route).chunks(kernels.wide) {
                kernel(kernels, self.view(), members, want, &mut measured);
                self.keep(members, &measured, Found::Unsure, None);
            }
        };
        each(Route::BallBall, Kernels::cores::<0, 0>);
        each(Route::BallCapsule, Kernels::cores::<0, 1>);
        each(Route::CapsuleCapsule, Kernels::cores::<1, 1>);
        each(Route::BallBox, Kernels::cores::<0, 3>);
        each(Route::CapsuleBox, Kernels::cores::<1, 3>);
    }

    /// Boxes: `pairs`, and where they are in the chunk.
    fn boxes(&mut self, kernels: Kernels, pairs: &[Pair], places: &[u32]) {
        self.axes(kernels, pairs, places);
        let tail = core::mem::take(&mut self.lists.tail);
        let found = core::mem::replace(
            &mut self.lists,
            Lists {
                tail,
                ..Lists::default()
            },
        );
        let mut measured = Columns::default();
        let width = kernels.wide;
        for (members, axes) in found.deep.chunks(width).zip(found.axes.chunks(width)) {
            kernels.deep(self.view(), members, axes, &mut measured);
            self.keep(members, &measured, Found::Unsure, None);
        }
        // Where depths are asked, an overlap that the walk finds is not measured yet.
        let unasked = if K::DEPTH {
            Found::Overlapping
        } else {
            Found::Unsure
        };
        // Boxes twice: those that the first look leaves over are together again, and start anew.
        let aim = |steps: usize| Aim {
            goal: K::GOAL,
            steps,
        };
        let (mut late, mut late_axes) = (Vec::new(), Vec::new());
        for (members, axes) in found.apart.chunks(width).zip(found.across.chunks(width)) {
            kernels.walk_blocks(self.view(), members, axes, aim(STEPS_FIRST), &mut measured);
            let before = late.len();
            self.keep(members, &measured, unasked, Some(&mut late));
            let mut left = late[before..].iter();
            let mut next = left.next();
            for (at, &axis) in members.iter().zip(axes) {
                if next == Some(at) {
                    late_axes.push(axis);
                    next = left.next();
                }
            }
        }
        for (members, axes) in late.chunks(width).zip(late_axes.chunks(width)) {
            kernels.walk_blocks(self.view(), members, axes, aim(STEPS_MAX), &mut measured);
            self.keep(members, &measured, unasked, None);
        }
    }

    /// The first rung of boxes: pairs, and where they are in the chunk; in their order if that is empty.
    fn axes(&mut self, kernels: Kernels, pairs: &[Pair], places: &[u32]) {
        let mut found = Vec::with_capacity(pairs.len() / kernels.narrow + 1);
        kernels.boxes(self.view(), pairs, K::GOAL, K::DEPTH, &mut found);
        for (group, axes) in found.iter().enumerate() {
            let from = group * kernels.narrow;
            let pairs = &pairs[from..pairs.len().min(from + kernels.narrow)];
            // Where distances are asked a separated pair is only on its way.
            let separated = if K::GOAL == Goal::Verdict {
                axes.separated
            } else {
                0
            };
            let overlapping = if K::DEPTH { 0 } else { axes.overlapping };
            let told = separated | overlapping;
            self.statistics.wide += told.count_ones() as usize;
            if told.count_ones() as usize == pairs.len() && places.is_empty() {
                // A box's centre is a point of it.
                let poses = &self.world.poses.lanes;
                let slots = &mut self.answers[from..from + pairs.len()];
                K::told_all(slots, overlapping, |lane| poses.centers(&pairs[lane]));
                continue;
            }
            if told == 0 && places.is_empty() && self.hand_on_all(axes, from, pairs.len()) {
                continue;
            }
            for (lane, pair) in pairs.iter().enumerate() {
                let at = places
                    .get(from + lane)
                    .map_or(from + lane, |&at| at as usize);
                if told >> lane & 1 == 1 {
                    let centers = || self.world.poses.lanes.centers(pair);
                    self.answers[at] = K::told(overlapping >> lane & 1 == 1, centers);
                } else {
                    self.hand_on(axes, lane, at as u32);
                }
            }
        }
    }

    /// The same as [`Self::hand_on`] of pairs in a row, if all go to one list; false if they do not.
    fn hand_on_all(&mut self, axes: &Axes, from: usize, count: usize) -> bool {
        let (all, lists) = ((1u64 << count) - 1, &mut self.lists);
        let (at, across) = if axes.overlapping == 0 {
            (&mut lists.apart, &mut lists.across)
        } else if axes.overlapping & axes.clear == all {
            (&mut lists.deep, &mut lists.axes)
        } else {
            return false;
        };
        at.extend(from as u32..(from + count) as u32);
        across.extend(axes.nearest[..count].iter().map(|&axis| f64::from(axis)));
        true
    }

    /// Puts a pair that the axes did not tell on the list of what is next.
    fn hand_on(&mut self, axes: &Axes, lane: usize, at: u32) {
        let (axis, lists) = (f64::from(axes.nearest[lane]), &mut self.lists);
        if axes.overlapping >> lane & 1 == 0 {
            lists.apart.push(at);
            lists.across.push(axis);
        } else if axes.clear >> lane & 1 == 1 {
            lists.deep.push(at);
            lists.axes.push(axis);
        } else if let Some(axis) = clear_axis(self.view(), self.pairs[at as usize]) {
            self.lists.deep.push(at);
            self.lists.axes.push(f64::from(axis));
        } else {
            self.lists.tail.push(at);
        }
    }

    fn view(&self) -> View<'c> {
        View {
            shapes: &self.world.shapes.lanes,
            poses: &self.world.poses.lanes,
            pairs: self.pairs,
            hulls: self.world.shapes,
        }
    }

    /// Writes what is proved, and hands on what is not.
    fn keep(
        &mut self,
        members: &[u32],
        measured: &Columns,
        unasked: Found,
        next: Option<&mut Vec<u32>>,
    ) {
        let tail = &mut self.lists.tail;
        let next = next.unwrap_or(tail);
        let asked = if unasked == Found::Overlapping {
            0
        } else {
            measured.overlapping
        };
        let told = (measured.separated | asked) & ((1 << members.len()) - 1);
        self.statistics.wide += told.count_ones() as usize;
        for (lane, &at) in members.iter().enumerate() {
            if told >> lane & 1 == 1 {
                self.answers[at as usize] = K::wide(&measured.lane(lane));
            } else {
                next.push(at);
            }
        }
    }
}
