//! The joints between two links, and the ranges of the variables that move them.
//!
//! Where it sits: made once a pair of links; `cell.rs` bounds what its joints do, `prove.rs` divides the ranges.
//! Idea: only the joints on the tree's path from one link to the other move the two against each other:
//! `T(q) = F₀ M₁(θ₁) F₁ … M_k(θ_k) F_k` places the second link in the first one's frame, with `θᵢ = cᵢ·q + oᵢ`. A joint that the path
//! climbs turns the other way, which is in the sign of `cᵢ`; one that mimics another has its factor there.

use crate::map::{LinkMap, V3};
use gjk::math::Vector;
use gjk_check::states::Splitmix64;
use gjk_scene::{JointKind, JointLimits, JointRange, Limits, Robot, SceneError};
use std::f64::consts::PI;

/// How a step of the chain moves what is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// It turns it about the axis.
    Turn,
    /// It slides it along the axis.
    Slide,
}

/// A joint between the two links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainStep {
    pub(crate) kind: StepKind,
    /// Unit, through the origin of the joint's frame.
    pub(crate) axis: V3,
    /// The link that it moves: its frame's origin is on the axis.
    pub(crate) link: usize,
    /// The variable that sets it, as an index into [`JointChain::variables`].
    pub(crate) variable: usize,
    /// What the variable is multiplied by: the sign of the way through the joint, and the factor of one that mimics.
    pub(crate) factor: f64,
    /// What is added to that.
    pub(crate) offset: f64,
}

impl ChainStep {
    /// The joint's value for one of its variable.
    #[inline(always)]
    pub(crate) fn value(&self, variable: f64) -> f64 {
        self.factor * variable + self.offset
    }

    /// What the joint does at a value.
    pub(crate) fn motion(&self, value: f64) -> LinkMap {
        match self.kind {
            StepKind::Turn => {
                let (sin, cos) = libm::sincos(value);
                LinkMap::turn(self.axis, [cos, sin])
            }
            StepKind::Slide => LinkMap::shift(self.axis * value),
        }
    }
}

/// A variable of the chain: a joint of the robot that a state sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainVariable {
    /// The joint, as an index into [`Robot::joints`].
    pub joint: usize,
    /// All values that it takes.
    pub range: Limits,
}

/// The joints between two links.
#[derive(Clone, Debug)]
pub struct JointChain {
    /// The variables, in the order in which the chain meets them.
    pub variables: Vec<ChainVariable>,
    pub(crate) steps: Vec<ChainStep>,
    /// `F₀ … F_k`.
    pub(crate) fixed: Vec<LinkMap>,
    /// Their inverses.
    pub(crate) inverse: Vec<LinkMap>,
    /// The two links.
    pub(crate) ends: [usize; 2],
    /// Links before the first step and behind each, whose frames stand still between the two steps.
    pub(crate) links: Vec<usize>,
    /// No coordinate of a frame of the chain, seen from another, is larger.
    pub(crate) length: f64,
}

impl JointChain {
    /// The chain from link `a` to link `b`, as indices into [`Robot::links`].
    ///
    /// # Errors  a joint between the links of which no range is known, by name.
    pub fn new(
        robot: &Robot,
        [a, b]: [usize; 2],
        limits: &JointLimits,
    ) -> Result<Self, SceneError> {
        let mut chain = Self {
            variables: Vec::new(),
            steps: Vec::new(),
            fixed: vec![LinkMap::IDENTITY],
            inverse: Vec::new(),
            ends: [a, b],
            links: vec![a],
            length: 0.0,
        };
        let (up, down) = path(robot, a, b);
        for joint in up {
            chain.step(robot, joint, -1.0, limits)?;
            chain.then(&LinkMap::of_affine(&robot.joints[joint].origin).inverse());
        }
        for joint in down {
            chain.then(&LinkMap::of_affine(&robot.joints[joint].origin));
            chain.step(robot, joint, 1.0, limits)?;
        }
        chain.narrow_to_turns();
        chain.inverse = chain.fixed.iter().map(LinkMap::inverse).collect();
        chain.length = chain.length_in(|variable| variable.range);
        Ok(chain)
    }

    /// A fixed map behind the last step.
    fn then(&mut self, map: &LinkMap) {
        if let Some(last) = self.fixed.last_mut() {
            *last = last.compose(map);
        }
    }

    /// The joint as a step, unless it is fixed; `sign` says which way the path goes through it.
    fn step(
        &mut self,
        robot: &Robot,
        index: usize,
        sign: f64,
        limits: &JointLimits,
    ) -> Result<(), SceneError> {
        let joint = &robot.joints[index];
        let kind = match joint.kind {
            JointKind::Fixed => return Ok(()),
            JointKind::Prismatic => StepKind::Slide,
            // Free joints have no range, which says so by name below.
            _ => StepKind::Turn,
        };
        let (leader, factor, offset) = leader(robot, index);
        let held = ChainStep {
            kind,
            axis: V3::from_f64(joint.axis),
            link: joint.child,
            variable: 0,
            factor: sign * factor,
            offset: sign * offset,
        };
        let variable = match self.variables.iter().position(|v| v.joint == leader) {
            Some(known) => known,
            None => {
                let range = match robot.joint_range(leader, limits)? {
                    JointRange::Between(range) | JointRange::Turn(range) => range,
                    // It follows one that stands still, and stands where that holds it.
                    JointRange::Still | JointRange::Follows(_) => {
                        self.then(&held.motion(sign * offset));
                        return Ok(());
                    }
                };
                let joint = leader;
                self.variables.push(ChainVariable { joint, range });
                self.variables.len() - 1
            }
        };
        self.steps.push(ChainStep { variable, ..held });
        self.fixed.push(LinkMap::IDENTITY);
        let behind = if sign < 0.0 {
            joint.parent
        } else {
            joint.child
        };
        self.links.push(behind);
        Ok(())
    }

    /// One turn is enough of a range of more, where it brings every joint of this chain back that the variable moves.
    fn narrow_to_turns(&mut self) {
        for (index, variable) in self.variables.iter_mut().enumerate() {
            let mut steps = self.steps.iter().filter(|step| step.variable == index);
            let turns_back =
                steps.all(|step| step.kind == StepKind::Turn && step.factor.fract() == 0.0);
            let middle = variable.range.middle();
            if turns_back && variable.range.upper - variable.range.lower > 2.0 * TURN_HALF {
                variable.range = Limits {
                    lower: (middle - TURN_HALF).next_down(),
                    upper: (middle + TURN_HALF).next_up(),
                };
            }
        }
    }

    /// An upper bound of the distance between the origins of any two of its frames, for values of the variables in these ranges.
    pub(crate) fn length_in(&self, range: impl Fn(&ChainVariable) -> Limits) -> f64 {
        let fixed: f64 = self.fixed.iter().map(|map| map.translation.norm()).sum();
        let slides = self
            .steps
            .iter()
            .filter(|step| step.kind == StepKind::Slide)
            .map(|step| {
                let range = range(&self.variables[step.variable]);
                step.value(range.lower)
                    .abs()
                    .max(step.value(range.upper).abs())
            });
        fixed + slides.sum::<f64>()
    }

    /// The state of the whole robot in which these variables have these values and all else has `base`'s.
    #[must_use]
    pub fn state(&self, robot: &Robot, base: &[f64], values: &[f64]) -> Vec<f64> {
        let mut state = base.to_vec();
        for (variable, &value) in self.variables.iter().zip(values) {
            state[variable.joint] = value;
        }
        robot.follow_mimics(&mut state);
        state
    }

    /// Values of the variables, drawn uniformly from their ranges.
    pub(crate) fn draw(&self, draw: &mut Splitmix64) -> Vec<f64> {
        let ranges = self.variables.iter().map(|variable| variable.range);
        ranges
            .map(|Limits { lower, upper }| {
                (lower + draw.unit() * (upper - lower)).clamp(lower, upper)
            })
            .collect()
    }

    /// The second link's place in the frame of the first.
    pub(crate) fn place(&self, values: &[f64]) -> LinkMap {
        let mut map = self.fixed[0];
        for (step, fixed) in self.steps.iter().zip(&self.fixed[1..]) {
            let motion = step.motion(step.value(values[step.variable]));
            map = map.compose(&motion).compose(fixed);
        }
        map
    }
}

/// Half a turn, rounded up: a turn from end to end is a whole one.
const TURN_HALF: f64 = PI + 1e-15;

/// The joint that a state sets to move this one, and by what factor and offset.
pub(crate) fn leader(robot: &Robot, joint: usize) -> (usize, f64, f64) {
    let mut index = joint;
    let (mut factor, mut offset) = (1.0, 0.0);
    // The reader refuses joints that mimic in a circle.
    while let Some(mimic) = robot.joints[index].mimic {
        offset += factor * mimic.offset;
        factor *= mimic.multiplier;
        index = mimic.joint;
    }
    (index, factor, offset)
}

/// The joints that the path climbs from `a`, and those that it descends to `b`, in its order.
fn path(robot: &Robot, a: usize, b: usize) -> (Vec<usize>, Vec<usize>) {
    let to_root = |link: usize| {
        let mut joints = Vec::new();
        let mut at = link;
        while let Some(joint) = robot.joints.iter().position(|joint| joint.child == at) {
            joints.push(joint);
            at = robot.joints[joint].parent;
        }
        joints
    };
    let (mut up, mut down) = (to_root(a), to_root(b));
    while let (Some(one), Some(other)) = (up.last(), down.last())
        && one == other
    {
        up.pop();
        down.pop();
    }
    down.reverse();
    (up, down)
}
