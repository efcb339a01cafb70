//! The bound of a span of time: how near two pieces come while the joints run on their curves.
//!
//! Where it sits: `search.rs` asks it for each span of a segment. docs/paths.md derives the bound.
//! Idea: in the frame behind some joints of the chain each point of a piece runs on a curve whose second derivative is bounded by the
//! joints' rates and the radii of the span (`cell.rs` has these). A curve is within `½(h/2)²·M` of its chord, `h` the span and `M` that bound.
//! So the differences of the pieces' points are within such a ball of the hull of the two differences that stand at the ends: one support
//! function, one direction to prove them apart. Both ends are taken at the same time, so it does not matter that both pieces move.
//! Numbers: maps are rounded as those of a cell; a joint's value may be off by its curve's slack, which each arm turns into a length.

use crate::cell::{CellMotion, PairFrame, RangeCell};
use crate::chain::{ChainStep, StepKind};
use crate::curve::PathSegment;
use crate::map::{LinkMap, V3};
use crate::prove::settings;
use crate::rooted::RootedPiece;
use crate::sweep::SweptPiece;
use gjk::loops::gjk::{self as gjk_loop, Goal, Outcome};
use gjk::math::Vector;
use gjk::{MinkowskiDifference, NO_ID, Support, SupportPoint};
use gjk_scene::Limits;

/// What the joints between two links do in a span of time.
#[derive(Debug)]
pub(crate) struct SpanRates {
    /// All values that the chain's variables take.
    pub(crate) cell: RangeCell,
    /// At least the largest first and second derivative of each variable by `u`.
    speed: Vec<f64>,
    acceleration: Vec<f64>,
    /// How far a value may be off.
    slack: Vec<f64>,
}

impl SpanRates {
    pub(crate) fn new(frame: &PairFrame<'_>, segment: &PathSegment, span: [f64; 2]) -> Self {
        let count = frame.chain.variables.len();
        let mut rates = Self {
            cell: RangeCell {
                lower: Vec::with_capacity(count),
                upper: Vec::with_capacity(count),
            },
            speed: Vec::with_capacity(count),
            acceleration: Vec::with_capacity(count),
            slack: Vec::with_capacity(count),
        };
        for variable in &frame.chain.variables {
            let curve = &segment.curves[variable.joint];
            let bounds = curve.bounds(span);
            rates.cell.lower.push(bounds.value.lower);
            rates.cell.upper.push(bounds.value.upper);
            rates.speed.push(bounds.speed);
            rates.acceleration.push(bounds.acceleration);
            rates.slack.push(curve.slack());
        }
        rates
    }
}

/// How long a chain is on a segment, whatever the joints do on others.
pub(crate) fn length_on(frame: &PairFrame<'_>, segment: &PathSegment) -> f64 {
    frame.chain.length_in(|variable| {
        let value = segment.curves[variable.joint].bounds([0.0, 1.0]).value;
        Limits {
            lower: value.lower,
            upper: value.upper,
        }
    })
}

/// The values of a chain's variables at a time.
pub(crate) fn values(frame: &PairFrame<'_>, segment: &PathSegment, u: f64) -> Vec<f64> {
    let variables = frame.chain.variables.iter();
    variables
        .map(|variable| segment.curves[variable.joint].value(u))
        .collect()
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
    fn with(self, step: &ChainStep, arm: f64, rates: &SpanRates) -> Self {
        let k = step.variable;
        let factor = step.factor.abs();
        let (own, bend) = (factor * rates.speed[k], factor * rates.acceleration[k]);
        let turned = match step.kind {
            StepKind::Turn => own * (arm * own + 2.0 * self.speed),
            StepKind::Slide => 0.0,
        };
        Self {
            acceleration: self.acceleration + turned + arm * bend,
            speed: self.speed + arm * own,
            slack: self.slack + arm * factor * rates.slack[k],
        }
    }
}

/// The frame that leaves least over, as the number of joints before it; and what it leaves over.
pub(crate) fn best_cut(
    frame: &PairFrame<'_>,
    motion: &CellMotion,
    rates: &SpanRates,
    span: [f64; 2],
) -> (usize, f64) {
    let steps = &frame.chain.steps;
    let half = 0.5 * (span[1] - span[0]);
    let over = |sum: CurvatureSum| 0.5 * half * half * sum.acceleration + sum.slack;
    let mut second = vec![CurvatureSum::default(); steps.len() + 1];
    for k in (0..steps.len()).rev() {
        second[k] = second[k + 1].with(&steps[k], motion.arm(1, k), rates);
    }
    let mut first = CurvatureSum::default();
    let mut best = (0, over(second[0]));
    for (k, step) in steps.iter().enumerate() {
        first = first.with(step, motion.arm(0, k), rates);
        let both = over(first) + over(second[k + 1]);
        if both < best.1 {
            best = (k + 1, both);
        }
    }
    best
}

/// The differences of two pieces' points at one time or two, and how far those in between may be from their hull.
#[derive(Debug)]
pub(crate) struct SpanDifference<'p> {
    /// Both pieces, at each time.
    placed: Vec<[SweptPiece<'p>; 2]>,
    /// What the curves leave over, radii and the rounding slack.
    pub(crate) beyond: f64,
}

impl<'p> SpanDifference<'p> {
    /// The pieces where the variables have these values, each a time, in the frame behind `cut` joints; what the curves leave over, and the
    /// rounding slack.
    pub(crate) fn new(
        frame: &PairFrame<'_>,
        pieces: [&'p RootedPiece<'p>; 2],
        cut: usize,
        times: &[&[f64]],
        (over, slack): (f64, f64),
    ) -> Self {
        let steps = &frame.chain.steps;
        let placed = times.iter().map(|values| {
            let motion = |k: usize| steps[k].motion(steps[k].value(values[steps[k].variable]));
            let back = |k: usize| {
                let step = ChainStep {
                    factor: -steps[k].factor,
                    offset: -steps[k].offset,
                    ..steps[k]
                };
                step.motion(step.value(values[step.variable]))
            };
            let maps = [frame.placed(0, cut, back), frame.placed(1, cut, motion)];
            let swept = |side: usize, map: LinkMap| SweptPiece {
                piece: pieces[side],
                maps: vec![map],
                arc: None,
            };
            [swept(0, maps[0]), swept(1, maps[1])]
        });
        let [a, b] = pieces.map(|piece| piece.piece);
        Self {
            placed: placed.collect(),
            beyond: over + a.radius + b.radius + slack,
        }
    }

    /// The differences of the pieces' corners at one of the times, for pictures; none of smooth pieces.
    pub(crate) fn points(&self, time: usize) -> Vec<V3> {
        let [a, b] = &self.placed[time];
        let (a, b) = (a.points(), b.points());
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

    /// The farthest difference of a point of the first piece and one of the second.
    fn farthest(&self, direction: V3) -> V3 {
        let mut best = (-f64::INFINITY, V3::ZERO);
        for [a, b] in &self.placed {
            let point = a.farthest(direction) - b.farthest(-direction);
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
        gjk_loop::run(&difference, first, &[], &settings(goal), &mut ())
    }
}

impl Support<V3> for SpanDifference<'_> {
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
    use crate::chain::JointChain;
    use crate::piece::LinkPieces;
    use crate::rooted::Rooted;
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
        let frame = PairFrame::new(&chain);
        let rooted = [0, 1].map(|k| Rooted::new(&links[k], frame.rooted[k]));
        let pieces = [&rooted[0].pieces[0], &rooted[1].pieces[0]];
        let slack = frame.slack(pieces[0].piece, pieces[1].piece);
        let mut random = Splitmix64(3);
        let mut motion = CellMotion::default();
        let mut cuts = [0; 6];
        for _ in 0..2000 {
            let mut draw = || random.unit() * 2.0 - 1.0;
            let curves = robot.joints.iter().map(|_| [0; 6].map(|_| draw()));
            let segment = PathSegment::of_coefficients(curves.collect());
            let from = 0.8 * draw().abs();
            let span = [from, from + 0.2 * draw().abs()];
            let direction = V3::new(draw(), draw(), draw());
            let rates = SpanRates::new(&frame, &segment, span);
            frame.motion(&rates.cell, pieces, &mut motion);
            let (cut, over) = best_cut(&frame, &motion, &rates, span);
            cuts[cut] += 1;
            let ends = span.map(|u| values(&frame, &segment, u));
            let swept =
                SpanDifference::new(&frame, pieces, cut, &[&ends[0], &ends[1]], (over, slack));
            let bound = swept.bound_along(direction);
            for k in 0..=16 {
                let u = span[0] + (span[1] - span[0]) * f64::from(k) / 16.0;
                let at = values(&frame, &segment, u);
                let here = SpanDifference::new(&frame, pieces, cut, &[&at], (0.0, slack));
                assert!(bound <= here.bound_along(direction) + 1e-12);
            }
        }
        assert!(
            cuts.iter().filter(|&&count| count > 0).count() > 2,
            "{cuts:?}"
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
        let frame = PairFrame::new(&chain);
        let rooted = [0, 1].map(|k| Rooted::new(&links[k], frame.rooted[k]));
        let pieces = [&rooted[0].pieces[0], &rooted[1].pieces[0]];
        let slack = frame.slack(pieces[0].piece, pieces[1].piece);
        let segment = PathSegment::line(robot, &[-0.1], &[0.1]).expect("a line");
        let span = [0.0, 1.0];
        let rates = SpanRates::new(&frame, &segment, span);
        let mut motion = CellMotion::default();
        frame.motion_in_middle(&rates.cell, pieces, &mut motion);
        let (cut, over) = best_cut(&frame, &motion, &rates, span);
        assert_eq!(cut, 0);
        let ends = span.map(|u| values(&frame, &segment, u));
        let swept = SpanDifference::new(&frame, pieces, cut, &[&ends[0], &ends[1]], (over, slack));
        let bound = swept.bound_along(V3::new(-1.0, 0.0, 0.0));
        // The wheel's box is nearest to the other one in the middle.
        let least = 6.0 - 0.01;
        assert!(bound <= least && bound > least - 1e-3, "{bound} {least}");
    }
}
