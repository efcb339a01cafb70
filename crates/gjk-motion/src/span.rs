//! The bound of a span of time: how near two pieces come while the joints run on their curves.
//!
//! Where it sits: `search.rs` asks it for each span of a segment. docs/paths.md derives the bound.
//! Idea: in the frame behind some joints of the chain each point of a piece runs on a curve whose second derivative is bounded by the
//! joints' rates and how far the piece is from their axes. A curve is within `½(h/2)²·M` of its chord, `h` the span and `M` that bound.
//! So the differences of the pieces' points are within such a ball of the hull of the two differences that stand at the ends: one support
//! function, one direction to prove them apart. Both ends are taken at the same time, so it does not matter that both pieces move. Where
//! links stand at a time is the same for all pairs: `placed.rs` places them once.
//! Numbers: a place is off by roundings of its link's way from the root, a joint's value by its curve's slack, which each arm turns into a
//! length.

use crate::chain::{JointChain, StepKind};
use crate::curve::PathSegment;
use crate::map::{LinkMap, V3};
use crate::piece::{LinkPiece, PieceForm};
use crate::prove::settings;
use gjk::loops::gjk::{self as gjk_loop, FirstSimplex, Goal, Outcome};
use gjk::math::Vector;
use gjk::shape::Shape;
use gjk::{MinkowskiDifference, NO_ID, Posed, Support, SupportPoint};
use gjk_scene::Affine;

/// A joint between two links that moves in a span.
#[derive(Clone, Copy, Debug)]
struct MovingStep {
    kind: StepKind,
    /// The link behind it.
    behind: usize,
    /// In the middle of the span: its axis, and a point on that.
    axis: V3,
    origin: V3,
    /// At least the largest first and second derivative of its value by `u`.
    speed: f64,
    acceleration: f64,
    /// How far the value may be off.
    slack: f64,
    /// How far any point of either piece is from the axis at most; of a slide one, which is what a point moves a unit of it.
    arms: [f64; 2],
}

/// How far the points of one side's piece may be from their chords: sums over its joints from the piece outward.
#[derive(Clone, Copy, Debug, Default)]
struct CurvatureSum {
    /// The bound of the second derivative.
    acceleration: f64,
    /// That of the first one.
    speed: f64,
    /// What the slacks of the values come to.
    slack: f64,
}

impl CurvatureSum {
    /// With one joint more outside. It turns the velocity that the inner ones give, twice, and the point itself.
    fn with(self, step: &MovingStep, side: usize) -> Self {
        let (own, arm) = (step.speed, step.arms[side]);
        let turned = match step.kind {
            StepKind::Turn => own * (arm * own + 2.0 * self.speed),
            StepKind::Slide => 0.0,
        };
        Self {
            acceleration: self.acceleration + turned + arm * step.acceleration,
            speed: self.speed + arm * own,
            slack: self.slack + arm * step.slack,
        }
    }
}

/// What the joints between two links do to two pieces in a span; its memory is used again.
#[derive(Debug, Default)]
pub(crate) struct SpanMotion {
    steps: Vec<MovingStep>,
    /// What the second side leaves over behind each step.
    second: Vec<CurvatureSum>,
    /// The link before the first step.
    first_link: usize,
    /// Half the span.
    half: f64,
    /// From the first piece's centre to the second's, in the middle of the span.
    pub(crate) between: V3,
    /// How far the joints move the pieces from there at most: of each the lesser side.
    pub(crate) least: f64,
}

impl SpanMotion {
    /// The motion of two pieces, with where the links stand in the middle of the span.
    pub(crate) fn set(
        &mut self,
        chain: &JointChain,
        segment: &PathSegment,
        span: [f64; 2],
        middle: &[Affine],
        pieces: [&LinkPiece; 2],
    ) {
        self.half = 0.5 * (span[1] - span[0]);
        self.first_link = chain.links[0];
        self.steps.clear();
        for (step, &behind) in chain.steps.iter().zip(&chain.links[1..]) {
            let curve = &segment.curves[chain.variables[step.variable].joint];
            if curve.is_still() {
                continue;
            }
            let (rates, factor) = (curve.rates(span), step.factor.abs());
            let place = &middle[step.link];
            self.steps.push(MovingStep {
                kind: step.kind,
                behind,
                axis: V3::from_f64(place.apply_vector(step.axis.to_f64())),
                origin: V3::from_f64(place.translation),
                speed: factor * rates.speed,
                acceleration: factor * rates.acceleration,
                slack: factor * curve.slack(),
                arms: [1.0; 2],
            });
        }
        let centers = [0, 1].map(|side| center_of(pieces[side], &middle[chain.ends[side]]));
        self.between = centers[1] - centers[0];
        let half = self.half;
        reach(
            self.steps.iter_mut(),
            0,
            (centers[0], pieces[0].reach),
            half,
        );
        reach(
            self.steps.iter_mut().rev(),
            1,
            (centers[1], pieces[1].reach),
            half,
        );
        let moves = self.steps.iter();
        self.least = moves
            .map(|step| step.chord(half) * step.arms[0].min(step.arms[1]))
            .sum();
    }

    /// The link whose frame leaves least over, and what it leaves over.
    pub(crate) fn best_frame(&mut self) -> (usize, f64) {
        let half = self.half;
        let over = |sum: CurvatureSum| 0.5 * half * half * sum.acceleration + sum.slack;
        self.second.clear();
        let mut second = CurvatureSum::default();
        for step in self.steps.iter().rev() {
            self.second.push(second);
            second = second.with(step, 1);
        }
        let mut first = CurvatureSum::default();
        let mut best = (self.first_link, over(second));
        for (step, &second) in self.steps.iter().zip(self.second.iter().rev()) {
            first = first.with(step, 0);
            let both = over(first) + over(second);
            if both < best.1 {
                best = (step.behind, both);
            }
        }
        best
    }

    /// How far balls around the pieces keep apart in all of the span.
    pub(crate) fn gap_of_balls(&self, pieces: [&LinkPiece; 2], slack: f64) -> f64 {
        let radii = pieces.map(|piece| piece.reach + piece.radius);
        self.between.norm() - radii[0] - radii[1] - self.least - slack
    }
}

impl MovingStep {
    /// How far its value is from that in the middle at most.
    fn chord(&self, half: f64) -> f64 {
        self.speed * half + self.slack
    }
}

/// How far a piece is from the axes of joints at most, from the piece outward.
fn reach<'m>(
    steps: impl Iterator<Item = &'m mut MovingStep>,
    side: usize,
    (center, reach): (V3, f64),
    half: f64,
) {
    // How far the centre is moved by what is inside.
    let mut moved = 0.0;
    for step in steps {
        let chord = step.chord(half);
        match step.kind {
            StepKind::Turn => {
                let across = step.axis.cross(center - step.origin).norm() + moved;
                step.arms[side] = across + reach;
                moved += across * chord;
            }
            StepKind::Slide => moved += chord,
        }
    }
}

/// A piece's centre where its link stands so.
pub(crate) fn center_of(piece: &LinkPiece, link: &Affine) -> V3 {
    V3::from_f64(link.apply(piece.center.to_f64()))
}

/// The differences of two pieces' points at one time or two, and how far those in between may be from their hull.
#[derive(Debug)]
pub(crate) struct SpanDifference<'p, const TIMES: usize> {
    pieces: [&'p LinkPiece; 2],
    /// The shapes in their links' frames, where they are smooth.
    smooth: [Option<Posed<'p, V3, Shape<V3>>>; 2],
    /// From both links' frames, at each time.
    maps: [[LinkMap; 2]; TIMES],
    /// What the curves leave over, radii and the rounding slack.
    pub(crate) beyond: f64,
}

/// What the curves leave over, radii and the rounding slack.
pub(crate) fn beyond_of(pieces: [&LinkPiece; 2], (over, slack): (f64, f64)) -> f64 {
    over + pieces[0].radius + pieces[1].radius + slack
}

impl<'p, const TIMES: usize> SpanDifference<'p, TIMES> {
    /// The pieces of two links, in the frame of a third, where all links stand so at each time; what the curves leave over, and the rounding
    /// slack.
    pub(crate) fn new(
        pieces: [&'p LinkPiece; 2],
        (ends, frame): ([usize; 2], usize),
        times: [&[Affine]; TIMES],
        (over, slack): (f64, f64),
    ) -> Self {
        // No `map`, which copies what it makes.
        let mut maps = [[LinkMap::IDENTITY; 2]; TIMES];
        for (maps, links) in maps.iter_mut().zip(times) {
            let to_frame = LinkMap::of_affine(&links[frame]).inverse();
            for (map, link) in maps.iter_mut().zip(ends) {
                *map = to_frame.compose(&LinkMap::of_affine(&links[link]));
            }
        }
        let mut smooth = [const { None }; 2];
        for (smooth, piece) in smooth.iter_mut().zip(pieces) {
            if matches!(piece.form, PieceForm::Smooth(..)) {
                *smooth = piece.smooth();
            }
        }
        Self {
            pieces,
            smooth,
            maps,
            beyond: beyond_of(pieces, (over, slack)),
        }
    }

    /// The differences of the pieces' corners at one of the times, for pictures; none of smooth pieces.
    pub(crate) fn points(&self, time: usize) -> Vec<V3> {
        let corners = |side: usize| -> Vec<V3> {
            let map = &self.maps[time][side];
            match &self.pieces[side].form {
                PieceForm::Points(rows) => (0..rows.len())
                    .map(|at| map.point(rows.corner(at)))
                    .collect(),
                PieceForm::Smooth(..) => Vec::new(),
            }
        };
        let (a, b) = (corners(0), corners(1));
        let of = |p: &V3| b.iter().map(|q| *p - *q).collect::<Vec<V3>>();
        a.iter().flat_map(of).collect()
    }

    /// A lower bound of the distance in the whole span, from one direction, which points from the first piece to the second.
    pub(crate) fn bound_along(&self, direction: V3) -> f64 {
        let length = direction.norm();
        if !(length > 0.0) {
            return -f64::INFINITY;
        }
        -direction.dot(self.farthest(direction)) / length - self.beyond
    }

    /// The farthest point of a piece along a direction.
    fn farthest_of(&self, side: usize, map: &LinkMap, direction: V3) -> V3 {
        let local = map.local_direction(direction);
        let point = match (&self.pieces[side].form, &self.smooth[side]) {
            (PieceForm::Points(rows), _) => rows.corner(rows.highest(local).at),
            (_, Some(smooth)) => smooth.support(local, NO_ID).point,
            (PieceForm::Smooth(..), None) => V3::ZERO,
        };
        map.point(point)
    }

    /// The farthest difference of a point of the first piece and one of the second.
    fn farthest(&self, direction: V3) -> V3 {
        let mut best = (-f64::INFINITY, V3::ZERO);
        for [a, b] in &self.maps {
            let (a, b) = (
                self.farthest_of(0, a, direction),
                self.farthest_of(1, b, -direction),
            );
            let point = a - b;
            let height = direction.dot(point);
            if height > best.0 {
                best = (height, point);
            }
        }
        best.1
    }

    /// Runs GJK towards a goal, from a direction that points from the first piece to the second.
    pub(crate) fn run(&self, goal: Goal, first: V3) -> Outcome<V3> {
        let difference = MinkowskiDifference {
            a: self,
            b: &Origin,
        };
        gjk_loop::run(
            &difference,
            first,
            FirstSimplex::Vertices(&[]),
            &settings(goal),
            &mut (),
        )
    }
}

impl<const TIMES: usize> Support<V3> for SpanDifference<'_, TIMES> {
    fn support(&self, direction: V3, _hint: u32) -> SupportPoint<V3> {
        SupportPoint {
            point: self.farthest(direction),
            id: NO_ID,
        }
    }
}

/// The point from which differences are looked at.
struct Origin;

impl Support<V3> for Origin {
    fn support(&self, _direction: V3, _hint: u32) -> SupportPoint<V3> {
        SupportPoint {
            point: V3::ZERO,
            id: NO_ID,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::slack_of;
    use crate::piece::LinkPieces;
    use crate::placed::{PlacedLinks, PlacedMemory, PlacedTimes};
    use gjk_check::parts::{Meshes, build};
    use gjk_check::states::Splitmix64;
    use gjk_scene::{JointLimits, LimitSet, LoadOptions, load_text};

    /// Turns and slides in turn, one that follows another, about axes askew.
    const ROBOT: &str = r#"<robot name="askew">
      <link name="a"><collision><origin xyz="0.3 0.1 0"/><geometry><box size="0.5 0.3 0.2"/></geometry></collision></link>
      <link name="b"/><link name="c"/><link name="d"/><link name="e"/>
      <link name="f"><collision><origin xyz="0 0.4 0.1"/><geometry><box size="0.2 0.6 0.4"/></geometry></collision></link>
      <joint name="u" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.2 0 0.7" rpy="0.3 0 0"/><axis xyz="0 0 1"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
      <joint name="v" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="0.5 0 0"/><axis xyz="1 1 0"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
      <joint name="w" type="revolute"><parent link="c"/><child link="d"/><origin xyz="0 0.3 0.1" rpy="0 0.4 0"/><axis xyz="0 1 1"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
      <joint name="x" type="revolute"><parent link="d"/><child link="e"/><origin xyz="0.4 0 0"/><axis xyz="1 0 0"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/><mimic joint="u" multiplier="-0.5" offset="0.2"/></joint>
      <joint name="y" type="prismatic"><parent link="e"/><child link="f"/><origin xyz="0 0 0.2"/><axis xyz="0 0 1"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
    </robot>"#;

    /// On random curves and spans, the bound along any direction is below what stands at times in between.
    #[test]
    fn bounds_hold_at_times_in_between() {
        let scene =
            load_text(ROBOT, "askew.urdf".as_ref(), &LoadOptions::default()).expect("a robot");
        let robot = scene.robot.as_ref().expect("a robot");
        let bodies = build(&scene, Meshes::Exact).expect("bodies");
        let links: Vec<_> = bodies.iter().map(LinkPieces::of_body).collect();
        let limits = JointLimits::from(LimitSet::Hard);
        let chain = JointChain::new(robot, [0, 5], &limits).expect("a chain");
        let pieces = [&links[0].pieces[0], &links[1].pieces[0]];
        let slack = slack_of(chain.length, pieces[0], pieces[1]);
        let all = PlacedLinks::new(robot, 0..robot.links.len());
        let mut random = Splitmix64(3);
        let mut motion = SpanMotion::default();
        let mut frames = [0; 6];
        for _ in 0..2000 {
            let mut draw = || random.unit() * 2.0 - 1.0;
            let curves = robot.joints.iter().map(|_| [0; 6].map(|_| draw()));
            let segment = PathSegment::of_coefficients(curves.collect());
            let from = 0.8 * draw().abs();
            let span = [from, from + 0.2 * draw().abs()];
            let direction = V3::new(draw(), draw(), draw());
            let placed = PlacedTimes::new(&all, &segment, PlacedMemory::default());
            let middle = placed.at(0.5 * span[0] + 0.5 * span[1]);
            motion.set(&chain, &segment, span, &middle, pieces);
            let (frame, over) = motion.best_frame();
            frames[frame] += 1;
            let ends = span.map(|u| placed.at(u));
            let times = [&ends[0][..], &ends[1][..]];
            let swept = SpanDifference::new(pieces, (chain.ends, frame), times, (over, slack));
            let bound = swept.bound_along(direction);
            for k in 0..=16 {
                let u = span[0] + (span[1] - span[0]) * f64::from(k) / 16.0;
                let at = placed.at(u);
                let here =
                    SpanDifference::new(pieces, (chain.ends, frame), [&at[..]], (0.0, slack));
                assert!(bound <= here.bound_along(direction) + 1e-12);
            }
        }
        assert!(
            frames.iter().filter(|&&count| count > 0).count() > 2,
            "{frames:?}"
        );
    }

    /// One joint that turns at a constant rate: the bound is what a circle needs, but for the fourth order.
    #[test]
    fn a_circle_needs_nearly_all_of_the_bound() {
        let text = r#"<robot name="wheel">
          <link name="a"><collision><origin xyz="9 0 0"/><geometry><box size="0.01 0.01 0.01"/></geometry></collision></link>
          <link name="b"><collision><origin xyz="3 0 0"/><geometry><box size="0.01 0.01 0.01"/></geometry></collision></link>
          <joint name="u" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
        </robot>"#;
        let scene =
            load_text(text, "wheel.urdf".as_ref(), &LoadOptions::default()).expect("a robot");
        let robot = scene.robot.as_ref().expect("a robot");
        let bodies = build(&scene, Meshes::Exact).expect("bodies");
        let links: Vec<_> = bodies.iter().map(LinkPieces::of_body).collect();
        let limits = JointLimits::from(LimitSet::Hard);
        let chain = JointChain::new(robot, [0, 1], &limits).expect("a chain");
        let pieces = [&links[0].pieces[0], &links[1].pieces[0]];
        let slack = slack_of(chain.length, pieces[0], pieces[1]);
        let segment = PathSegment::line(robot, &[-0.1], &[0.1]).expect("a line");
        let span = [0.0, 1.0];
        let all = PlacedLinks::new(robot, 0..robot.links.len());
        let placed = PlacedTimes::new(&all, &segment, PlacedMemory::default());
        let mut motion = SpanMotion::default();
        motion.set(&chain, &segment, span, &placed.at(0.5), pieces);
        let (frame, over) = motion.best_frame();
        assert_eq!(frame, 0);
        let ends = span.map(|u| placed.at(u));
        let times = [&ends[0][..], &ends[1][..]];
        let swept = SpanDifference::new(pieces, (chain.ends, frame), times, (over, slack));
        let bound = swept.bound_along(V3::new(-1.0, 0.0, 0.0));
        // The wheel's box is nearest to the other one in the middle.
        let least = 6.0 - 0.01;
        assert!(bound <= least && bound > least - 1e-3, "{bound} {least}");
    }
}
