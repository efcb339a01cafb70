//! One body that moves, turns, and perhaps changes its shape: where its points are at a time, and how far they may be off.
//!
//! Where it sits: under `turning.rs`, which has two of them.
//! Idea: a body of moving vertices is held by lines, an arm from the centre and what it changes by in a unit of time, which the turn takes along. At a time it is
//! a body of vertices like any other.

use super::course::{Course, Turn};
use super::shot::PosedBody;
use super::soft::gap_error;
use super::turning::Orbit;
use crate::math::{
    Pose, Scalar, Triple, Vector, Vector64, dot, length_of_any, plus, subtract, sum_abs,
};
use crate::shape::Cuboid;
use crate::support::{AnyBody, Core, NO_ID, Support, SupportPoint, box_corners};
use alloc::vec::Vec;

/// Roundings of a height, of the centres' places, the way and the points' distances from the centres: the centre's difference from the point 1, the way 2, the sums 3,
/// the products 3, the normal's length 4, a vertex on its line 3.
const HEIGHT_OF_CENTER_ROUNDINGS: f64 = 16.0;

/// Roundings of the place of a turned body, of its points' sizes, its centre and the way: the pose's translation 10, its columns 8, a point's products
/// and sums 6, a vertex on its line 3. The rest is room.
const MOVED_ROUNDINGS: f64 = 32.0;

/// Vertices that are lower than the highest by less than this part of the reach are on its edge. It chooses, and proves nothing.
const LEVEL: f64 = 1e-6;

/// Roundings of a distance of points from a centre or an axis, of itself.
pub(super) const REACH_ROUNDINGS: f64 = 16.0;

/// A vertex that moves by itself: its arm from the centre at the start, and what that changes by in a unit of time.
#[derive(Clone, Copy)]
struct VertexLine {
    arm: Triple,
    drift: Triple,
}

impl VertexLine {
    fn at(&self, time: f64) -> Triple {
        plus(self.arm, self.drift, time)
    }
}

/// The highest point of a body along a direction, from its centre, both along the axes of the start.
#[derive(Clone, Copy)]
pub(super) struct Arm {
    pub(super) point: Triple,
    /// How fast it moves beside the turn.
    pub(super) drift: Triple,
}

/// A body that moves and turns.
pub(super) struct Mobile<'p, V: Vector> {
    pub(super) posed: &'p PosedBody<'p, V>,
    pub(super) course: &'p Course<V::Wide>,
    /// The largest distance of its core's points from the centre, and from the axis, until the end of the motion.
    pub(super) reach: [f64; 2],
    /// How fast its vertices move by themselves at most.
    pub(super) drift: f64,
    /// Of each vertex, where they move by themselves; else none.
    lines: Vec<VertexLine>,
    /// Of a box.
    corners: Option<BoxCorners>,
    /// The same box in `f64`, where its own scalar is narrower: closed forms answer in a body's scalar.
    wide: Option<Cuboid<V::Wide>>,
    /// How far a support height may be off.
    error: f64,
}

/// The corners of a box from the centre of its motion, both along the axes of the start, numbered as [`crate::shape::Cuboid`]'s.
struct BoxCorners {
    arms: [Triple; 8],
    /// The columns of its pose; in the plane the third is zero.
    edges: [Triple; 3],
}

impl BoxCorners {
    fn of<V: Vector>(posed: &PosedBody<'_, V>, course: &Course<V::Wide>) -> Option<Self> {
        let half = posed.half_extents()?;
        let (mut arms, mut edges) = ([[0.0; 3]; 8], [[0.0; 3]; 3]);
        box_corners(&half, posed.pose(), &mut arms);
        let center = course.center.to_f64();
        for arm in &mut arms[..1 << V::DIM] {
            *arm = subtract(*arm, center);
        }
        for (edge, column) in edges.iter_mut().zip(posed.pose().columns()) {
            *edge = column.to_f64();
        }
        Some(Self { arms, edges })
    }

    /// The highest corner along a direction; a zero counts as positive, as it does for the box.
    #[inline(always)]
    fn highest(&self, direction: Triple) -> Triple {
        let bit = |k: usize| usize::from(dot(direction, self.edges[k]) >= 0.0) << k;
        // In the plane there is no third edge, and no corner of its number.
        let third = if self.edges[2] == [0.0; 3] { 0 } else { bit(2) };
        self.arms[bit(0) | bit(1) | third]
    }
}

impl<'p, V: Vector> Mobile<'p, V> {
    pub(super) fn new(posed: &'p PosedBody<'p, V>, course: &'p Course<V::Wide>, end: f64) -> Self {
        let error = gap_error(posed);
        let lines = lines(posed, course);
        let corners = BoxCorners::of(posed, course).filter(|_| lines.is_empty());
        let up = 1.0 + REACH_ROUNDINGS * f64::ROUNDING;
        let fastest = |most: f64, line: &VertexLine| most.max(length_of_any(line.drift) * up);
        let drift = lines.iter().fold(0.0, fastest);
        let room = error + drift * end * f64::ROUNDING;
        let mut reach = reach(posed, course, (&lines, &corners), room);
        // What the differences of the ends are rounded.
        let drift = drift + if drift > 0.0 { error } else { 0.0 };
        // A vertex on a line is farthest from the centre, and from the axis, at one of its ends.
        let room = REACH_ROUNDINGS * f64::ROUNDING * drift * end;
        for arm in lines.iter().map(|line| line.at(end)) {
            let lengths = [length_of_any(arm), course.across(arm)];
            reach = [0, 1].map(|k| reach[k].max(lengths[k] * up + room));
        }
        Self {
            reach,
            drift,
            wide: corners.as_ref().and_then(|_| wide(posed)),
            corners,
            posed,
            course,
            lines,
            error,
        }
    }

    /// Whether its vertices move by themselves.
    pub(super) fn is_reshaped(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Where the motion takes the world of the start by a time, rounded.
    pub(super) fn at(&self, turn: &Turn, time: f64) -> Pose<V::Wide> {
        if self.course.turns() {
            self.course.taken(turn, time, &Pose::identity())
        } else {
            Pose::from_translation(self.course.linear * time)
        }
    }

    /// Its own pose at a time, rounded: `pose` is that of the start.
    pub(super) fn posed_at(&self, turn: &Turn, time: f64, pose: &Pose<V>) -> Pose<V> {
        self.course.pose_at(turn, time, pose)
    }

    /// The body as its vertices are at a time, where they move by themselves, at the place of the start.
    pub(super) fn reshaped(&self, time: f64) -> Option<Reshaped<V::Wide>> {
        let center = self.course.center.to_f64();
        let place = |line: &VertexLine| V::Wide::from_f64(plus(center, line.at(time), 1.0));
        self.is_reshaped().then(|| Reshaped {
            vertices: self.lines.iter().map(place).collect(),
            radius: self.posed.radius(),
        })
    }

    /// A vertex in the world at a time.
    pub(super) fn vertex(&self, id: u32, turn: &Turn, time: f64) -> Option<Triple> {
        let arm = match self.lines.get(id as usize) {
            Some(line) => line.at(time),
            None => subtract(self.posed.vertex(id)?.to_f64(), self.course.center.to_f64()),
        };
        Some(plus(
            self.course.center_at(time).to_f64(),
            turn.apply(arm),
            1.0,
        ))
    }

    /// How far a point may be from the true one at a time.
    pub(super) fn place_error(&self, time: f64) -> f64 {
        let [shape, world] = self.posed.sizes();
        let drifted = self.drift * Scalar::abs(time);
        let size = shape + world + self.posed.radius() + self.course.size(time) + drifted;
        let turned = self.course.turn_error(time) * self.reach[0];
        MOVED_ROUNDINGS * f64::ROUNDING * size + turned + self.posed.underflow()
    }

    /// How far a height of its points may be off at a time, beside that of the support.
    pub(super) fn height_error(&self, time: f64, turn: f64) -> f64 {
        let drifted = self.drift * Scalar::abs(time);
        let size = self.course.size(time) + self.reach[0] + drifted;
        self.error + HEIGHT_OF_CENTER_ROUNDINGS * f64::ROUNDING * size + turn * self.reach[0]
    }

    /// The highest point along a direction of the frame of the start, at a time.
    #[inline(always)]
    pub(super) fn arm(&self, direction: Triple, time: f64) -> Arm {
        let drift = [0.0; 3];
        if let Some(corners) = &self.corners {
            let point = corners.highest(direction);
            return Arm { point, drift };
        }
        if self.is_reshaped() {
            return self.highest(direction, time);
        }
        let along = V::Wide::from_f64(direction);
        let found = self.posed.support(along, NO_ID).point;
        let point = subtract(found.to_f64(), self.course.center.to_f64());
        Arm { point, drift }
    }

    fn highest(&self, direction: Triple, time: f64) -> Arm {
        let mut best = (f64::NEG_INFINITY, [0.0; 3], [0.0; 3]);
        for line in &self.lines {
            let point = line.at(time);
            let height = dot(direction, point);
            if height > best.0 {
                best = (height, point, line.drift);
            }
        }
        let (_, point, drift) = best;
        Arm { point, drift }
    }

    /// Whether it is a box that keeps its shape.
    pub(super) fn is_box(&self) -> bool {
        self.corners.is_some()
    }

    /// It as a box in `f64`, and where it is at a time, rounded; `None` of other bodies, and where its own scalar is that.
    pub(super) fn wide_box_at(&self, turn: &Turn, time: f64) -> Option<WideBox<'_, V::Wide>> {
        let pose = || self.course.pose_at(turn, time, self.posed.pose());
        self.wide.as_ref().map(|body| (body, pose()))
    }

    /// How many vertices are about as high along a direction of the frame of the start as the highest, three for more.
    pub(super) fn features(&self, direction: Triple) -> usize {
        if let Some(corners) = &self.corners {
            let margin = LEVEL * self.reach[0];
            let level = |k: usize| (dot(direction, corners.edges[k]).abs() < margin) as usize;
            return [1, 2, 3, 3][level(0) + level(1) + if V::DIM == 3 { level(2) } else { 0 }];
        }
        if self.posed.vertex_count().is_none() || self.is_reshaped() {
            return 1;
        }
        let (_, _, others) = self.level(direction);
        (1 + others).min(3)
    }

    /// The highest vertex along a direction of the frame of the start, another that is about as high, and how many are.
    fn level(&self, direction: Triple) -> (u32, Option<u32>, usize) {
        let along = V::Wide::from_f64(direction);
        let top = self.posed.support(along, NO_ID).id;
        let (mut other, mut count) = (None, 0);
        let margin = LEVEL * self.reach[0];
        self.posed.vertices_near(along, top, margin, &mut |id| {
            if id != top {
                (other, count) = (Some(id), count + 1);
            }
        });
        (top, other, count)
    }

    /// The vertices of the edge that is highest along a direction of the frame of the start, if an edge is.
    pub(super) fn edge(&self, direction: Triple) -> Option<[u32; 2]> {
        match self.level(direction) {
            (top, Some(other), 1) if self.posed.vertex_count().is_some() => Some([top, other]),
            _ => None,
        }
    }

    /// The unit vector from one vertex to another at the start.
    pub(super) fn along(&self, [from, to]: [u32; 2]) -> Option<Triple> {
        let step = self.posed.vertex(to)? - self.posed.vertex(from)?;
        step.normalized().map(V::Wide::to_f64)
    }

    /// The most that one of its points is accelerated by on a piece of time: as far as the points are from the centre (0), or from the axis (1).
    pub(super) fn acceleration(&self, times: [f64; 2], reach: usize) -> f64 {
        let reach = self.reach[reach];
        Orbit {
            reach,
            ..self.orbit()
        }
        .acceleration(times)
    }

    /// Its points about its centre.
    pub(super) fn orbit(&self) -> Orbit<'_, V::Wide> {
        Orbit {
            course: self.course,
            reach: self.reach[0],
            drift: self.drift,
        }
    }

    /// The fastest that a point of its core moves about the centre, and by itself.
    pub(super) fn whirl(&self) -> f64 {
        self.course.fastest() * self.reach[1] + self.drift
    }
}

/// A box in `f64` at a pose.
pub(super) type WideBox<'m, W> = (&'m Cuboid<W>, Pose<W>);

fn wide<V: Vector>(posed: &PosedBody<'_, V>) -> Option<Cuboid<V::Wide>> {
    let is_narrow = V::Scalar::ROUNDING.to_f64() > f64::ROUNDING;
    // A box that a ball is swept over is none.
    let is_sharp = posed.radius() == 0.0;
    let half = posed.half_extents().filter(|_| is_narrow && is_sharp)?;
    Cuboid::new(half).ok()
}

/// The lines of a body whose vertices move by themselves.
fn lines<V: Vector>(posed: &PosedBody<'_, V>, course: &Course<V::Wide>) -> Vec<VertexLine> {
    let center = course.center.to_f64();
    if posed.end_vertex(0).is_none() {
        return Vec::new();
    }
    let line = |id: u32| {
        let (from, to) = (posed.vertex(id)?.to_f64(), posed.end_vertex(id)?.to_f64());
        Some(VertexLine {
            arm: subtract(from, center),
            drift: subtract(to, from),
        })
    };
    let count = posed.vertex_count().unwrap_or(0);
    let all: Option<Vec<VertexLine>> = (0..count).map(line).collect();
    all.unwrap_or_default()
}

/// The largest distance of the core's points from the centre, and from the axis through it, at the start. Of bodies without numbered vertices by a box about them.
fn reach<V: Vector>(
    posed: &PosedBody<'_, V>,
    course: &Course<V::Wide>,
    (lines, corners): (&[VertexLine], &Option<BoxCorners>),
    error: f64,
) -> [f64; 2] {
    let center = course.center.to_f64();
    let up = 1.0 + REACH_ROUNDINGS * f64::ROUNDING;
    if posed.vertex_count().is_none() {
        let across = |k: usize| {
            let axis = V::Wide::axis(k);
            let ends = [axis, -axis].map(|d| posed.support(d, NO_ID).point.component(k));
            ends.iter()
                .fold(0.0, |m: f64, x| m.max((x - center[k]).abs()))
                + error
        };
        let corner = [0, 1, 2].map(|k| if k < V::DIM { across(k) } else { 0.0 });
        return [length_of_any(corner) * up; 2];
    }
    let rounding = REACH_ROUNDINGS * f64::ROUNDING;
    if lines.is_empty()
        && let Some((found, off)) = posed.farthest(course.center, course.axis())
    {
        let room = error + off + rounding * (found[0] + sum_abs(center));
        let most = found[0] * up + room;
        return [most, most.min(found[1] * up + room)];
    }
    let mut found = [0.0; 2];
    let mut visit = |arm: Triple| {
        let lengths = [length_of_any(arm), course.across(arm)];
        found = [0, 1].map(|k| Scalar::max(lengths[k], found[k]));
    };
    lines.iter().for_each(|line| visit(line.arm));
    if let Some(corners) = corners {
        corners.arms[..1 << V::DIM]
            .iter()
            .for_each(|&arm| visit(arm));
    } else if lines.is_empty() {
        posed.each_vertex(&mut |x| visit(subtract(x.to_f64(), center)));
    }
    // What the differences and the axis are rounded, beside their length.
    let room = error + REACH_ROUNDINGS * f64::ROUNDING * (found[0] + sum_abs(center));
    [
        found[0] * up + room,
        (found[1] * up + room).min(found[0] * up + room),
    ]
}

/// A body as its moving vertices are at a time, in the world of the start.
pub(super) struct Reshaped<W> {
    vertices: Vec<W>,
    radius: f64,
}

impl<W: Vector64> Reshaped<W> {
    /// It, or a body that keeps its shape.
    pub(super) fn or<'r>(
        reshaped: &'r Option<Self>,
        body: &'r AnyBody<'r, W>,
    ) -> &'r AnyBody<'r, W> {
        match reshaped {
            Some(reshaped) => reshaped,
            None => body,
        }
    }
}

impl<W: Vector64> Support<W> for Reshaped<W> {
    fn support(&self, direction: W, _hint: u32) -> SupportPoint<W> {
        let (id, point) = crate::vertices::highest_of(&self.vertices, direction);
        SupportPoint { point, id }
    }
    fn core(&self) -> Core<'_, W> {
        Core {
            radius: self.radius,
            vertex_count: Some(self.vertices.len() as u32),
            ..Core::new(self.vertices[0], crate::vertices::extent(&self.vertices))
        }
    }
    fn vertex(&self, id: u32) -> Option<W> {
        self.vertices.get(id as usize).copied()
    }
}
