//! All pairs of a segment at once: spans of time in which balls and boxes prove a pair apart, before it is searched by itself.
//!
//! Where it sits: `path.rs` asks it for each segment; what it leaves goes to `search.rs`, pair by pair. Read [`SpanScratch::screen`].
//! Idea: most pairs of most edges are far apart. The links are placed once for all pairs, in the middle of a span, and a pair is closed if
//! balls or boxes around its parts are farther apart than the joints between can move them in half of the span. The bound of that is one
//! product a joint: its rate, and an arm that holds in all states. What is left is halved, until it moves little beside its size.
//! Numbers: the motion is that of docs/paths.md's first bound: one joint after the other moves one of the two sides rigidly, by at most its
//! rate times the side's arm; the lesser side may be taken of each. Rounding has the slack of `search.rs`, and the screen's own.

use crate::cell::SWEEP_ROUNDINGS;
use crate::chain::{ChainStep, JointChain, StepKind};
use crate::curve::JointCurve;
use crate::piece::LinkPieces;
use crate::placed::PlacedTimes;
use crate::worker::PathPair;
use gjk::math::Vector;
use gjk_check::screen::{PlacedParts, StateScreen};

/// A span goes to the search of its pair once the joints move it by less than this part of its size: then boxes say what they can.
const SEARCH_SHARE: f64 = 0.4;

/// How often a segment is halved at most.
const SCREEN_DEPTH_MAX: u32 = 7;

/// How far points of a pair are from its joints at most, in all states.
pub(crate) struct PairSizes {
    steps: Vec<ArmStep>,
    /// What their arms come to, without what slides add.
    arms: f64,
    /// Which of them slide.
    slides: Vec<usize>,
    /// How long the chain is without its slides, and how large both links are, from their frames.
    fixed: f64,
    size: f64,
}

/// A joint of a pair, and how far the links' points before it and behind it are from it at most, without what slides add.
struct ArmStep {
    joint: usize,
    /// What [`ArmStep::arm_with`] says where nothing slides.
    arm: f64,
    is_slide: bool,
    /// What the joint's value is multiplied by, and what is added, without their signs.
    factor: f64,
    offset: f64,
    before: f64,
    behind: f64,
}

/// What a joint does on a segment.
#[derive(Clone, Copy)]
struct JointRate {
    /// The largest value, without its sign.
    extent: f64,
    speed: f64,
    /// How far its value may be off.
    slack: f64,
}

/// What a pair may do on a segment.
#[derive(Clone, Copy)]
struct PairRate {
    /// How fast the two are moved against each other at most, by a part of the segment.
    speed: f64,
    /// What rounding may come to, and the clearance.
    margin: f64,
    size: f64,
}

/// What a screen uses again from segment to segment.
#[derive(Default)]
pub(crate) struct SpanScratch {
    parts: PlacedParts,
    joints: Vec<JointRate>,
    rates: Vec<PairRate>,
    stack: Vec<([f64; 2], u32, Vec<u32>)>,
    /// By pair, the spans that are left, in their order.
    pub(crate) open: Vec<Vec<[f64; 2]>>,
    /// Spans of pairs that were looked at.
    pub(crate) looks: u64,
}

impl SpanScratch {
    /// Finds the spans of each pair that are left; all of them where there is no screen, because a part has no valid pose, which the search
    /// names.
    pub(crate) fn screen(
        &mut self,
        screen: Option<&StateScreen<'_>>,
        times: &PlacedTimes<'_>,
        clearance: f64,
        pairs: &[PathPair],
    ) {
        self.rate(times, clearance, pairs);
        let Self {
            parts,
            rates,
            stack,
            open,
            looks,
            ..
        } = self;
        *looks = 0;
        open.resize_with(pairs.len(), Vec::new);
        open.iter_mut().for_each(Vec::clear);
        let Some(screen) = screen else {
            open.iter_mut().for_each(|spans| spans.push([0.0, 1.0]));
            return;
        };
        stack.clear();
        stack.push(([0.0, 1.0], 0, (0..pairs.len() as u32).collect()));
        while let Some((span, depth, mut left)) = stack.pop() {
            let half = 0.5 * (span[1] - span[0]);
            let at = span[0] + half;
            screen.place(&times.at(at), parts);
            *looks += left.len() as u64;
            left.retain(|&index| {
                let rate = &rates[index as usize];
                let moved = half * rate.speed;
                let is_small = depth >= SCREEN_DEPTH_MAX || moved <= SEARCH_SHARE * rate.size;
                let is_closed = screen.is_apart(index as usize, parts, moved + rate.margin);
                if !is_closed && is_small {
                    open[index as usize].push(span);
                }
                !is_closed && !is_small
            });
            if !left.is_empty() {
                stack.push(([at, span[1]], depth + 1, left.clone()));
                stack.push(([span[0], at], depth + 1, left));
            }
        }
    }
}

impl SpanScratch {
    /// What each pair may do on a segment.
    fn rate(&mut self, times: &PlacedTimes<'_>, clearance: f64, pairs: &[PathPair]) {
        let Self { joints, rates, .. } = self;
        joints.clear();
        joints.extend(times.segment.curves.iter().map(JointRate::of));
        rates.clear();
        let slack = joints.iter().map(|joint| joint.slack).fold(0.0, f64::max);
        let of = |pair: &PathPair| pair.sizes.rate(joints, slack, clearance);
        rates.extend(pairs.iter().map(of));
    }

    /// The pairs of which spans are left, what is open earliest first: a meeting ends the search of all that is later.
    pub(crate) fn earliest_first(&self) -> Vec<usize> {
        let from = |index: &usize| self.open[*index].first().map(|span| span[0]);
        let mut order: Vec<usize> = (0..self.open.len()).filter(|k| from(k).is_some()).collect();
        order.sort_by(|a, b| from(a).unwrap_or(0.0).total_cmp(&from(b).unwrap_or(0.0)));
        order
    }
}

impl JointRate {
    fn of(curve: &JointCurve) -> Self {
        Self {
            extent: curve.extent(),
            speed: curve.rates([0.0, 1.0]).speed,
            slack: curve.slack(),
        }
    }
}

impl PairSizes {
    pub(crate) fn new(links: [&LinkPieces; 2], chain: &JointChain) -> Self {
        let size = |link: &LinkPieces| {
            let sizes = link.pieces.iter();
            let sizes = sizes.map(|piece| piece.center.norm() + piece.reach + piece.radius);
            sizes.fold(0.0, f64::max)
        };
        let ends = links.map(size);
        let size = ends[0] + ends[1];
        let fixed: Vec<f64> = chain
            .fixed
            .iter()
            .map(|map| map.translation.norm())
            .collect();
        let total: f64 = fixed.iter().sum();
        let mut before = ends[0];
        let step = |(step, fixed): (&ChainStep, &f64)| {
            before += fixed;
            let mut made = ArmStep {
                joint: chain.variables[step.variable].joint,
                arm: 0.0,
                is_slide: step.kind == StepKind::Slide,
                factor: step.factor.abs(),
                offset: step.offset.abs(),
                before,
                behind: (size + total - before).max(0.0),
            };
            made.arm = made.arm_with(0.0, 0.0);
            made
        };
        let steps: Vec<ArmStep> = chain.steps.iter().zip(&fixed).map(step).collect();
        Self {
            arms: steps.iter().map(|step| step.arm).sum(),
            slides: (0..steps.len()).filter(|&at| steps[at].is_slide).collect(),
            steps,
            fixed: total,
            size,
        }
    }

    /// What it may do where the joints do this, none of which is off by more than `slack`.
    fn rate(&self, joints: &[JointRate], slack: f64, clearance: f64) -> PairRate {
        let slides: f64 = self
            .slides
            .iter()
            .map(|&at| self.steps[at].slide(joints))
            .sum();
        let (mut speed, mut arms) = (0.0, self.arms);
        if self.slides.is_empty() {
            for step in &self.steps {
                speed += step.arm * joints[step.joint].speed;
            }
        } else {
            let mut passed = 0.0;
            arms = 0.0;
            for step in &self.steps {
                let slide = if step.is_slide {
                    step.slide(joints)
                } else {
                    0.0
                };
                let arm = step.arm_with(passed, slides - passed - slide);
                speed += arm * joints[step.joint].speed;
                arms += arm;
                passed += slide;
            }
        }
        let rounded = SWEEP_ROUNDINGS * f64::EPSILON * 0.5 * (self.fixed + slides + self.size);
        PairRate {
            speed,
            margin: clearance + rounded + arms * slack,
            size: self.size,
        }
    }
}

impl ArmStep {
    /// By how much a unit of the joint moves points at most, the lesser side taken, where slides add so much to either side.
    fn arm_with(&self, before: f64, behind: f64) -> f64 {
        let (before, behind) = (self.before + before, self.behind + behind);
        let arm = if before < behind { before } else { behind };
        self.factor * if self.is_slide { 1.0 } else { arm }
    }

    /// How far a slide goes at most.
    fn slide(&self, joints: &[JointRate]) -> f64 {
        self.factor * joints[self.joint].extent + self.offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::PathSegment;
    use crate::path::{LinkPath, PathOptions};
    use crate::placed::PlacedMemory;
    use gjk_check::parts::{Meshes, build};
    use gjk_check::states::Splitmix64;
    use gjk_scene::{LoadOptions, load_text};

    /// Two turns, a slide between them, one that follows it by half, and links large and small.
    const ROBOT: &str = r#"<robot name="askew">
      <link name="a"><collision><origin xyz="0.3 0.1 0"/><geometry><box size="0.5 0.3 0.2"/></geometry></collision></link>
      <link name="b"><collision><geometry><cylinder radius="0.1" length="0.5"/></geometry></collision></link>
      <link name="c"/>
      <link name="d"><collision><origin xyz="0.2 0 0"/><geometry><box size="0.4 0.1 0.1"/></geometry></collision></link>
      <link name="e"><collision><origin xyz="0 0.4 0.1"/><geometry><sphere radius="0.15"/></geometry></collision></link>
      <joint name="u" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.2 0 0.9" rpy="0.3 0 0"/><axis xyz="0 0 1"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
      <joint name="v" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="0.5 0 0"/><axis xyz="1 1 0"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
      <joint name="w" type="revolute"><parent link="c"/><child link="d"/><origin xyz="0 0.3 0.1" rpy="0 0.4 0"/><axis xyz="0 1 1"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
      <joint name="x" type="revolute"><parent link="d"/><child link="e"/><origin xyz="0.4 0 0"/><axis xyz="1 0 0"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/><mimic joint="v" multiplier="-0.5" offset="0.2"/></joint>
    </robot>"#;

    /// Whatever the screen closes is apart at all times of the span, by more than the clearance.
    #[test]
    fn what_is_closed_is_apart() {
        let scene = load_text(ROBOT, "askew.urdf".as_ref(), &LoadOptions::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let robot = scene.robot.as_ref().unwrap_or_else(|| panic!("no robot"));
        let bodies = build(&scene, Meshes::Exact).unwrap_or_else(|error| panic!("{error}"));
        let path = LinkPath::new(&scene, robot, &bodies, None, PathOptions::default());
        let mut draw = Splitmix64(9);
        let (mut closed, mut open) = (0, 0);
        let mut tightest = f64::INFINITY;
        for round in 0..120 {
            let step = [0.2, 1.0, 3.0][round % 3];
            let from = robot.sample(&mut || draw.unit());
            let mut to: Vec<f64> = from
                .iter()
                .map(|x| x + step * (2.0 * draw.unit() - 1.0))
                .collect();
            robot.follow_mimics(&mut to);
            let segment =
                PathSegment::line(robot, &from, &to).unwrap_or_else(|error| panic!("{error}"));
            let pairs = path.chains().unwrap_or_else(|error| panic!("{error}"));
            assert!(pairs.len() > 2);
            let times = PlacedTimes::new(path.placed_links(), &segment, PlacedMemory::default());
            let clearance = [0.0, 0.1, 0.3, 0.6][round % 4];
            let mut scratch = SpanScratch::default();
            scratch.screen(path.screen(), &times, clearance, pairs);
            for (pair, spans) in pairs.iter().zip(&scratch.open) {
                assert!(spans.is_sorted_by(|one, other| one[1] <= other[0]));
                for k in 0..=64 {
                    let u = f64::from(k) / 64.0;
                    if spans.iter().any(|span| span[0] <= u && u <= span[1]) {
                        open += 1;
                        continue;
                    }
                    closed += 1;
                    let state = segment.state(robot, u);
                    let here = path.judge().judge(pair.bodies, &state, f64::INFINITY);
                    let here = here.unwrap_or_else(|error| panic!("{error}"));
                    assert!(here.distance.lower > clearance, "{round} {u}");
                    tightest = tightest.min(here.distance.lower - clearance);
                }
            }
        }
        assert!(
            closed > 5000 && open > 1000 && tightest < 0.2,
            "{closed} {open} {tightest}"
        );
    }

    /// A small box on a wheel meets one at its rim at the end of a turn: the chord is the motion, and less would close the span.
    #[test]
    fn the_rim_of_a_wheel_moves_by_its_arm() {
        let text = |angle: f64| {
            let (sin, cos) = angle.sin_cos();
            format!(
                r#"<robot name="wheel">
                <link name="a"><collision><origin xyz="{cos} {sin} 0"/><geometry><box size="0.01 0.01 0.01"/></geometry></collision></link>
                <link name="b"><collision><origin xyz="1 0 0"/><geometry><box size="0.01 0.01 0.01"/></geometry></collision></link>
                <joint name="u" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>"#
            )
        };
        for turn in [0.1, 0.5, 1.5] {
            let scene = load_text(&text(turn), "wheel.urdf".as_ref(), &LoadOptions::default())
                .unwrap_or_else(|error| panic!("{error}"));
            let robot = scene.robot.as_ref().unwrap_or_else(|| panic!("no robot"));
            let bodies = build(&scene, Meshes::Exact).unwrap_or_else(|error| panic!("{error}"));
            let mut path = LinkPath::new(&scene, robot, &bodies, None, PathOptions::default());
            path.look_at(&[(0, 1)]);
            let line = PathSegment::line(robot, &[-turn], &[turn]);
            let line = line.unwrap_or_else(|error| panic!("{error}"));
            let pairs = path.chains().unwrap_or_else(|error| panic!("{error}"));
            let times = PlacedTimes::new(path.placed_links(), &line, PlacedMemory::default());
            let mut scratch = SpanScratch::default();
            scratch.screen(path.screen(), &times, 0.0, pairs);
            let last = scratch.open[0].last();
            assert!(last.is_some_and(|span| span[1] == 1.0), "{turn}: {last:?}");
        }
    }
}
