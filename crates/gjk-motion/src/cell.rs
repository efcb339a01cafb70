//! The bound of a cell: how near two pieces come while every variable stays in its range of the cell.
//!
//! Where it sits: `prove.rs` asks it for each cell. Read [`CellSides::new`] first; docs/joint-ranges.md derives the bound.
//! Idea: a frame inside of the chain cuts it: the joints before it move the first piece, those behind it the second. On each side the
//! joint next to the piece is swept exactly (`sweep.rs`). Every other joint stands at both ends of its range: what turns on an arc of
//! radius `R` and half angle `h` is within `R(1 − cos h)` of the chord, and within half of that of the chord moved outward by half of
//! that. A turn is rigid, so what inner joints left over is carried along, and the sum of what all leave over is one radius. Two sets
//! farther apart than these radii are apart in the whole cell, and one direction proves it.
//! Numbers: sines and cosines are off by a rounding, maps by some of the chain's length: [`SWEEP_ROUNDINGS`] holds all.

use crate::chain::{JointChain, StepKind};
use crate::map::{LinkMap, V3};
use crate::piece::LinkPiece;
use crate::rooted::RootedPiece;
use crate::step::{StepRange, middle};
use crate::sweep::SweptPiece;
use gjk::math::Vector;

/// At most so many joints of a side stand at both ends: their corners are two to that power. What the least of the others move is a
/// radius.
const CORNER_JOINTS_MAX: usize = 4;

/// The corners of these joints.
pub(crate) const CORNERS_MAX: usize = 1 << CORNER_JOINTS_MAX;

/// A height of a swept piece is off by so many roundings of the pair's size. A map of a chain of twenty joints is forty products of
/// matrices with four roundings an entry each, that is some 160, and as many for its inverse; a support and its difference add ten. The
/// rest is room: a proof's margin is a thousand times larger.
/// Test: `a_wheel_is_one_cell`.
pub(crate) const SWEEP_ROUNDINGS: f64 = 4096.0;

/// The variables' ranges in a cell.
#[derive(Clone, Debug)]
pub(crate) struct RangeCell {
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
}

impl RangeCell {
    /// All values of the chain's variables.
    pub(crate) fn whole(chain: &JointChain) -> Self {
        let ranges = chain.variables.iter().map(|variable| variable.range);
        Self {
            lower: ranges.clone().map(|range| range.lower).collect(),
            upper: ranges.map(|range| range.upper).collect(),
        }
    }

    pub(crate) fn center(&self) -> Vec<f64> {
        let ends = self.lower.iter().zip(&self.upper);
        ends.map(|(&lower, &upper)| middle(lower, upper)).collect()
    }

    /// The cell in two, at the middle of a variable's range; the lower half first.
    pub(crate) fn split(&self, variable: usize) -> [Self; 2] {
        let at = middle(self.lower[variable], self.upper[variable]);
        let (mut low, mut high) = (self.clone(), self.clone());
        low.upper[variable] = at;
        high.lower[variable] = at;
        [low, high]
    }
}

/// What a joint may do to the points behind it.
#[derive(Clone, Copy, Debug, Default)]
struct JointReach {
    /// How far a point moves at most from where it is in the middle.
    motion: f64,
    /// How far it may be from the corners' hull, where the joint stands at both ends.
    sagitta: f64,
}

/// What the joints of a cell do to the two pieces.
#[derive(Debug, Default)]
pub(crate) struct CellMotion {
    /// The steps as each side goes through them: the first one's are gone through backwards.
    steps: [Vec<StepRange>; 2],
    /// What each step does to the piece of either side, with all steps between them moving.
    reaches: [Vec<JointReach>; 2],
    /// The frame of each step in the first link's, in the middle of the cell.
    frames: Vec<LinkMap>,
}

/// The pieces of a pair as its chain sees them.
#[derive(Debug)]
pub(crate) struct PairFrame<'c> {
    pub(crate) chain: &'c JointChain,
    /// From each link's frame to its rooted frame, whose third axis is that of the joint next to it.
    pub(crate) rooted: [LinkMap; 2],
    /// Back from the rooted frame to the frame of that joint.
    basis: [LinkMap; 2],
}

/// The slack of heights of two pieces whose maps come of chains of this length.
pub(crate) fn slack_of(length: f64, a: &LinkPiece, b: &LinkPiece) -> f64 {
    let size = |piece: &LinkPiece| piece.center.norm() + piece.reach + piece.radius;
    SWEEP_ROUNDINGS * f64::EPSILON * 0.5 * (length + size(a) + size(b))
}

impl<'c> PairFrame<'c> {
    /// The frames of a chain that has at least one joint.
    pub(crate) fn new(chain: &'c JointChain) -> Self {
        let last = chain.steps.len() - 1;
        let basis = [chain.steps[0].axis, chain.steps[last].axis].map(basis_of);
        let rooted = [
            basis[0].inverse().compose(&chain.inverse[0]),
            basis[1].inverse().compose(&chain.fixed[last + 1]),
        ];
        Self {
            chain,
            rooted,
            basis,
        }
    }

    /// The slack of heights of these two pieces.
    pub(crate) fn slack(&self, a: &LinkPiece, b: &LinkPiece) -> f64 {
        slack_of(self.chain.length, a, b)
    }

    /// What the joints do in a cell.
    pub(crate) fn motion(
        &self,
        cell: &RangeCell,
        [a, b]: [&RootedPiece<'_>; 2],
        motion: &mut CellMotion,
    ) {
        let chain = self.chain;
        let [back, forth] = &mut motion.steps;
        back.clear();
        forth.clear();
        let mut frame = chain.fixed[0];
        motion.frames.clear();
        for (k, step) in chain.steps.iter().enumerate() {
            let range = StepRange::new(step, cell.lower[step.variable], cell.upper[step.variable]);
            motion.frames.push(frame);
            frame = frame.compose(&range.middle).compose(&chain.fixed[k + 1]);
            back.push(range.reversed());
            forth.push(range);
        }
        self.reaches(a, 0, motion);
        self.reaches(b, 1, motion);
    }

    /// How far each joint reaches on a side, from the piece on.
    fn reaches(&self, piece: &RootedPiece<'_>, side: usize, motion: &mut CellMotion) {
        let steps = &motion.steps[side];
        let count = steps.len();
        let found = &mut motion.reaches[side];
        found.clear();
        found.resize(count, JointReach::default());
        let mut center = self.basis[side].point(piece.center);
        // How far the centre is moved by what is inside, and how far corners may be from what they stand for.
        let (mut moved, mut over) = (0.0, 0.0);
        for inner in 0..count {
            let k = if side == 0 { inner } else { count - 1 - inner };
            let step = &steps[k];
            if inner > 0 {
                center = self.behind(side, k).point(center);
            }
            match step.kind {
                StepKind::Turn => {
                    let across = step.axis.cross(center).norm() + moved;
                    let radius = across + piece.piece.reach + over;
                    let is_exact = inner == 0 && !piece.is_smooth();
                    found[k] = JointReach {
                        motion: radius * step.chord,
                        sagitta: radius * step.sagitta,
                    };
                    over += if is_exact { 0.0 } else { found[k].sagitta };
                    moved += across * step.chord;
                }
                StepKind::Slide => {
                    found[k].motion = step.half;
                    moved += step.half;
                }
            }
            center = step.middle.point(center);
        }
    }

    /// What is fixed behind a step, on a side that goes on through another one.
    fn behind(&self, side: usize, k: usize) -> &LinkMap {
        if side == 0 {
            &self.chain.inverse[k]
        } else {
            &self.chain.fixed[k + 1]
        }
    }

    /// What is fixed before the joints of a side, for the frame behind `cut` joints.
    fn before(&self, side: usize, cut: usize) -> LinkMap {
        if side == 0 && cut > 0 && cut < self.chain.steps.len() {
            self.chain.inverse[cut]
        } else {
            LinkMap::IDENTITY
        }
    }

    /// From a piece's rooted frame to the pair's, the frame behind `cut` joints, where `step` says what each joint does as the side goes
    /// through it.
    pub(crate) fn placed(
        &self,
        side: usize,
        cut: usize,
        step: impl Fn(usize) -> LinkMap,
    ) -> LinkMap {
        let count = self.chain.steps.len();
        let mut map = self.basis[side];
        let (first, last) = if side == 0 { (0, cut) } else { (cut, count) };
        for inner in 0..last - first {
            let k = if side == 0 { inner } else { count - 1 - inner };
            if inner > 0 {
                map = self.behind(side, k).compose(&map);
            }
            map = step(k).compose(&map);
        }
        self.before(side, cut).compose(&map)
    }
}

/// The steps of a side, from the pair's frame to the piece.
fn steps_of(side: usize, cut: usize, count: usize) -> impl Iterator<Item = usize> + Clone {
    let (from, to) = if side == 0 { (0, cut) } else { (cut, count) };
    (from..to).map(move |k| if side == 0 { to - 1 - k } else { k })
}

impl CellMotion {
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    /// From the frame behind `cut` joints to the first link's, in the middle of the cell.
    pub(crate) fn to_first(&self, cut: usize) -> LinkMap {
        if cut < self.len() {
            return self.frames[cut];
        }
        let last = self.len() - 1;
        self.frames[last].compose(&self.steps[1][last].middle)
    }

    /// How fast a point of the second link moves along a direction while a variable rises, in the first link's frame.
    pub(crate) fn rate(&self, chain: &JointChain, variable: usize, point: V3, along: V3) -> f64 {
        let steps = chain.steps.iter().zip(&self.frames);
        let own = steps.filter(|(step, _)| step.variable == variable);
        own.map(|(step, frame)| {
            let axis = frame.vector(step.axis);
            let way = match step.kind {
                StepKind::Turn => axis.cross(point - frame.translation),
                StepKind::Slide => axis,
            };
            step.factor * along.dot(way)
        })
        .sum()
    }

    /// About how much the arcs of a variable's joints cost, for the frame behind `cut` joints.
    pub(crate) fn curvature(&self, chain: &JointChain, variable: usize, cut: usize) -> f64 {
        let steps = chain.steps.iter().enumerate();
        let own = steps.filter(|(_, step)| step.variable == variable);
        own.map(|(k, _)| self.reaches[usize::from(k >= cut)][k].sagitta)
            .sum()
    }

    /// How far the joints of the cell move the two pieces against each other at most: of each the lesser side.
    pub(crate) fn least_motion(&self) -> f64 {
        let sides = self.reaches[0].iter().zip(&self.reaches[1]);
        sides.map(|(a, b)| a.motion.min(b.motion)).sum()
    }

    /// The variable whose joints move the pieces most.
    pub(crate) fn widest(&self, chain: &JointChain) -> usize {
        let of = |variable: usize| -> f64 {
            let steps = chain.steps.iter().enumerate();
            let own = steps.filter(|(_, step)| step.variable == variable);
            own.map(|(k, _)| self.reaches[0][k].motion.min(self.reaches[1][k].motion))
                .sum()
        };
        (0..chain.variables.len())
            .max_by(|&i, &j| of(i).total_cmp(&of(j)))
            .unwrap_or(0)
    }

    /// Whether the joint next to a side's piece is swept exactly.
    fn arc_step(&self, piece: &RootedPiece<'_>, side: usize, cut: usize) -> Option<usize> {
        let last = if side == 0 { 0 } else { self.len() - 1 };
        let has_steps = if side == 0 { cut > 0 } else { cut < self.len() };
        let step = &self.steps[side][last];
        let is_exact = step.kind == StepKind::Turn && step.half > 0.0 && !piece.is_smooth();
        (has_steps && is_exact).then_some(last)
    }

    /// Which joints of a side stand at both ends, by a bit each: all that move, but the exact one, up to [`CORNER_JOINTS_MAX`] of those
    /// that move most. And what the corners leave over.
    fn corners(&self, piece: &RootedPiece<'_>, side: usize, cut: usize) -> (u64, f64) {
        let arc = self.arc_step(piece, side, cut);
        let reaches = &self.reaches[side];
        let moves = |k: usize| Some(k) != arc && self.steps[side][k].half > 0.0;
        let steps = || steps_of(side, cut, self.len()).filter(|&k| moves(k));
        let mut both = 0_u64;
        for _ in 0..CORNER_JOINTS_MAX {
            let rest = steps().filter(|&k| k < 64 && !has_bit(both, k));
            let most = rest.max_by(|&i, &j| reaches[i].motion.total_cmp(&reaches[j].motion));
            let Some(most) = most else { break };
            both |= 1 << most;
        }
        let over = steps().map(|k| {
            if has_bit(both, k) {
                reaches[k].sagitta
            } else {
                reaches[k].motion
            }
        });
        (both, over.sum())
    }
}

/// Whether a set of steps has this one; steps beyond the sixty-fourth are in none.
fn has_bit(set: u64, k: usize) -> bool {
    k < 64 && set >> k & 1 == 1
}

/// A rotation that takes the third axis to this one.
fn basis_of(axis: V3) -> LinkMap {
    let across = axis.perpendicular();
    let across = across.normalized().unwrap_or(V3::axis(0));
    LinkMap {
        columns: [across, axis.cross(across), axis],
        translation: V3::ZERO,
    }
}

/// Both sides of a cell: what each piece sweeps in the pair's frame, and by how much the two together may reach beyond that.
#[derive(Debug)]
pub(crate) struct CellSides<'p> {
    /// How many joints are on the first side.
    pub(crate) cut: usize,
    pub(crate) a: SweptPiece<'p>,
    pub(crate) b: SweptPiece<'p>,
    /// Radii, sagittas and the rounding slack.
    pub(crate) beyond: f64,
}

impl<'p> CellSides<'p> {
    /// The sides for the frame that leaves the least over.
    pub(crate) fn new(
        frame: &PairFrame<'_>,
        motion: &CellMotion,
        [a, b]: [&'p RootedPiece<'p>; 2],
    ) -> Self {
        let over = |cut: usize| motion.corners(a, 0, cut).1 + motion.corners(b, 1, cut).1;
        let mut best = (over(0), 0);
        for cut in 1..=motion.len() {
            let over = over(cut);
            if over < best.0 {
                best = (over, cut);
            }
        }
        let (over, cut) = best;
        let swept = |piece: &'p RootedPiece<'p>, side: usize| SweptPiece {
            piece,
            maps: corner_maps(frame, motion, piece, side, cut),
            arc: motion
                .arc_step(piece, side, cut)
                .map(|k| motion.steps[side][k].arc()),
        };
        Self {
            cut,
            a: swept(a, 0),
            b: swept(b, 1),
            beyond: over + a.piece.radius + b.piece.radius + frame.slack(a.piece, b.piece),
        }
    }

    /// The pieces in the middle of the cell, in the frame behind `cut` joints.
    pub(crate) fn middle(
        frame: &PairFrame<'_>,
        motion: &CellMotion,
        [a, b]: [&'p RootedPiece<'p>; 2],
        cut: usize,
    ) -> Self {
        let placed = |piece: &'p RootedPiece<'p>, side: usize| SweptPiece {
            piece,
            maps: vec![middle_map(frame, motion, side, cut)],
            arc: None,
        };
        Self {
            cut,
            a: placed(a, 0),
            b: placed(b, 1),
            beyond: a.piece.radius + b.piece.radius + frame.slack(a.piece, b.piece),
        }
    }

    /// A lower bound of the distance in the whole cell, from one direction, which points from the first piece to the second.
    pub(crate) fn bound_along(&self, direction: V3) -> f64 {
        let length = direction.norm();
        if !(length > 0.0) {
            return -f64::INFINITY;
        }
        let top = self.a.farthest(direction);
        let bottom = self.b.farthest(-direction);
        direction.dot(bottom - top) / length - self.beyond
    }
}

/// From a piece's rooted frame to the pair's, a corner of the cell each.
fn corner_maps(
    frame: &PairFrame<'_>,
    motion: &CellMotion,
    piece: &RootedPiece<'_>,
    side: usize,
    cut: usize,
) -> Vec<LinkMap> {
    let (both, _) = motion.corners(piece, side, cut);
    let arc = motion.arc_step(piece, side, cut);
    // From the piece outward, so that each map is composed with the fewest.
    let mut maps = vec![frame.basis[side]];
    let count = motion.len();
    let (first, last) = if side == 0 { (0, cut) } else { (cut, count) };
    for inner in 0..last - first {
        let k = if side == 0 { inner } else { count - 1 - inner };
        let step = &motion.steps[side][k];
        let behind = |map: &LinkMap| {
            if inner > 0 {
                frame.behind(side, k).compose(map)
            } else {
                *map
            }
        };
        if Some(k) == arc {
            continue;
        }
        if !has_bit(both, k) {
            for map in &mut maps {
                *map = step.middle.compose(&behind(map));
            }
            continue;
        }
        let known = maps.len();
        for at in 0..known {
            let inside = behind(&maps[at]);
            maps.push(step.outer[1].compose(&inside));
            maps[at] = step.outer[0].compose(&inside);
        }
    }
    let before = frame.before(side, cut);
    maps.iter().map(|map| before.compose(map)).collect()
}

/// From a piece's rooted frame to the pair's, in the middle of the cell.
fn middle_map(frame: &PairFrame<'_>, motion: &CellMotion, side: usize, cut: usize) -> LinkMap {
    frame.placed(side, cut, |k| motion.steps[side][k].middle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::LinkPieces;
    use gjk_check::parts::{Meshes, build};
    use gjk_check::states::Splitmix64;
    use gjk_scene::{LimitSet, load_text};
    use std::path::Path;

    const ARM: &str = r#"<robot name="arm">
        <link name="a"><collision><origin xyz="0.1 0 0.2"/><geometry><box size="0.3 0.1 0.2"/></geometry></collision></link>
        <link name="b"/><link name="c"/><link name="d"/>
        <link name="e"><collision><origin xyz="0.2 0.1 0"/><geometry><box size="0.1 0.4 0.2"/></geometry></collision></link>
        <joint name="1" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0.1 0.3" rpy="0.3 0 1"/><axis xyz="0 1 1"/>
            <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
        <joint name="2" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="0.2 0 0.1" rpy="0 0.5 0"/><axis xyz="1 0 0.5"/>
            <limit lower="-0.3" upper="0.2" effort="1" velocity="1"/></joint>
        <joint name="3" type="revolute"><parent link="c"/><child link="d"/><origin xyz="0.4 0 0" rpy="0 0.2 0.1"/><axis xyz="1 0 0"/>
            <limit lower="-1" upper="2.5" effort="1" velocity="1"/></joint>
        <joint name="4" type="revolute"><parent link="d"/><child link="e"/><origin xyz="0 0.3 0" rpy="1 0 0"/><axis xyz="0 0 1"/>
            <limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>"#;

    /// No corner of a piece moves farther by a joint than its reach says, with all joints between the two anywhere in the cell.
    #[test]
    fn reaches_hold_every_corner() {
        let scene = load_text(ARM, Path::new("arm.urdf"), &Default::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let bodies = build(&scene, Meshes::Hull).unwrap_or_else(|error| panic!("{error}"));
        let robot = scene.robot.as_ref().unwrap_or_else(|| panic!("no robot"));
        let chain = JointChain::new(robot, [0, 4], &LimitSet::Hard.into())
            .unwrap_or_else(|error| panic!("{error}"));
        let frame = PairFrame::new(&chain);
        let links = [0, 1].map(|k| LinkPieces::of_body(&bodies[k]));
        let rooted = [0, 1].map(|k| RootedPiece::new(&links[k].pieces[0], &frame.rooted[k]));
        let mut draw = Splitmix64(7);
        let mut motion = CellMotion::default();
        let mut tightest = 0.0_f64;
        for _ in 0..200 {
            let mut cell = RangeCell::whole(&chain);
            for k in 0..4 {
                let (low, high) = (cell.lower[k], cell.upper[k]);
                let ends = [0, 1].map(|_| low + draw.unit() * (high - low));
                (cell.lower[k], cell.upper[k]) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            }
            frame.motion(&cell, [&rooted[0], &rooted[1]], &mut motion);
            for (side, piece) in rooted.iter().enumerate() {
                for corner in 0..8 {
                    let mut point = frame.basis[side].point(piece.rows.corner(corner));
                    for inner in 0..4 {
                        let k = if side == 0 { inner } else { 3 - inner };
                        if inner > 0 {
                            point = frame.behind(side, k).point(point);
                        }
                        let sign = if side == 0 { -1.0 } else { 1.0 };
                        let mut step = chain.steps[k];
                        (step.factor, step.offset) = (sign * step.factor, sign * step.offset);
                        let value = |x: f64| step.motion(step.value(x)).point(point);
                        let (low, high) = (cell.lower[k], cell.upper[k]);
                        let moved = (value(high) - value(middle(low, high))).norm();
                        let reach = motion.reaches[side][k].motion;
                        assert!(moved <= reach + 1e-12, "{side} {k}: {moved} {reach}");
                        tightest = tightest.max(moved / reach.max(1e-300));
                        // What is inside moves on from anywhere in the cell: its ends, and in between.
                        let share = match draw.unit() {
                            x if x < 0.3 => 0.0,
                            x if x > 0.7 => 1.0,
                            x => x,
                        };
                        point = value(low + share * (high - low));
                    }
                }
            }
        }
        assert!(tightest > 0.99, "{tightest}");
    }
}
