//! How far joints go: soft or hard limits, or none, with ranges that the caller states by name.
//! Where it sits: methods of [`Robot`]; what proves something for all states asks [`Robot::joint_range`] for each joint.
//! Idea: a proof over a range that the joint does not keep is worse than none. So a joint that has no range is an error that
//! names it, and never an empty range or a guess.
//! Source: urdfdom's defaults of `safety_controller`; MoveIt intersects its limits with `limit`, and its default state is 0 where
//! the range has 0, else the middle (`robot_model.cpp`, `revolute_joint_model.cpp`).

use std::collections::BTreeMap;

use super::{Joint, JointKind, Limits, Mimic, Robot};
use crate::error::{SceneError, SceneErrorKind as Kind};

/// The least double above π, so that a turn from `-HALF_TURN` to `HALF_TURN` leaves out no angle.
const HALF_TURN: f64 = std::f64::consts::PI.next_up();

/// Which limits of the file hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LimitSet {
    /// `<limit>` intersected with the soft limits of `<safety_controller>`: what MoveIt plans in.
    #[default]
    Soft,
    /// `<limit>` alone.
    Hard,
    /// One full turn for joints that turn, whatever their limits; joints that slide keep `<limit>`.
    Unlimited,
}

impl LimitSet {
    /// The word of the command line: `soft`, `hard` or `none`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Soft => "soft",
            Self::Hard => "hard",
            Self::Unlimited => "none",
        }
    }
}

/// The limits that a question is asked for: a set, and joints with ranges of their own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JointLimits {
    /// What holds for joints without a range of their own.
    pub set: LimitSet,
    /// Ranges that replace those of the set, by index into [`Robot::joints`].
    pub overrides: BTreeMap<usize, Limits>,
}

impl From<LimitSet> for JointLimits {
    fn from(set: LimitSet) -> Self {
        Self {
            set,
            overrides: BTreeMap::new(),
        }
    }
}

/// How far one joint goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointRange {
    /// Its value is between two ends.
    Between(Limits),
    /// It turns freely: the ends are one full turn apart or a few units in the last place more, so that every angle is in it.
    Turn(Limits),
    /// It does not move.
    Still,
    /// It follows another joint, whose range says how far.
    Follows(Mimic),
}

impl Robot {
    /// How far a joint (an index into [`Robot::joints`]) goes within limits.
    ///
    /// # Errors
    /// The joint's name and what to do, where no range can be told: a prismatic joint without limits, a planar or a floating
    /// joint, soft limits without a value in common with the hard ones, and a joint that turns freely while another joint follows it
    /// such that one turn does not show all places of the follower (a prismatic one, or a multiplier that is no integer).
    pub fn joint_range(
        &self,
        joint: usize,
        limits: &JointLimits,
    ) -> Result<JointRange, SceneError> {
        let Some(found) = self.range_if_any(joint, limits)? else {
            return Err(self.no_range(&self.joints[joint]));
        };
        if matches!(found, JointRange::Turn(_))
            && let Some(follower) = self.follower_beyond_a_turn(joint)
        {
            let message = format!(
                "it turns freely, and one turn does not show all places of joint `{follower}`, which follows it"
            );
            return Err(self
                .joint_error(&self.joints[joint], message)
                .with_expected("limits")
                .with_help("state the joint's range in a file of limits"));
        }
        Ok(found)
    }

    /// MoveIt's default state: each independent joint at 0 where its range has 0, else in the middle; mimic joints follow.
    ///
    /// Joints without a range are at 0. [`Robot::zero_state`] differs: it clamps 0 into the hard limits.
    /// # Errors
    /// A joint whose soft limits have no value in common with the hard ones.
    pub fn default_state(&self, limits: &JointLimits) -> Result<Vec<f64>, SceneError> {
        let mut values = vec![0.0; self.joints.len()];
        for (joint, value) in values.iter_mut().enumerate() {
            if let Some(JointRange::Between(range) | JointRange::Turn(range)) =
                self.range_if_any(joint, limits)?
            {
                *value = range.default_value();
            }
        }
        self.follow_mimics(&mut values);
        Ok(values)
    }

    /// The range of a joint, `None` where it has none.
    fn range_if_any(
        &self,
        index: usize,
        limits: &JointLimits,
    ) -> Result<Option<JointRange>, SceneError> {
        let Some(joint) = self.joints.get(index) else {
            let message = format!("the robot has no joint {index}");
            return Err(SceneError::new(Kind::UnknownName, message).with_file(&self.path));
        };
        if joint.kind == JointKind::Fixed {
            return Ok(Some(JointRange::Still));
        }
        if !joint.kind.has_value() {
            return Ok(None);
        }
        if let Some(mimic) = joint.mimic {
            return Ok(Some(JointRange::Follows(mimic)));
        }
        if let Some(range) = limits.overrides.get(&index) {
            return Ok(Some(JointRange::Between(*range)));
        }
        let turns = joint.kind != JointKind::Prismatic;
        let range = match limits.set {
            LimitSet::Soft => self.within_soft_limits(joint)?,
            LimitSet::Unlimited if turns => None,
            LimitSet::Hard | LimitSet::Unlimited => joint.limits,
        };
        Ok(match range {
            Some(range) => Some(JointRange::Between(range)),
            None if turns => Some(JointRange::Turn(joint.turn())),
            None => None,
        })
    }

    fn within_soft_limits(&self, joint: &Joint) -> Result<Option<Limits>, SceneError> {
        let (Some(hard), Some(soft)) = (joint.limits, joint.soft_limits) else {
            return Ok(joint.limits.or(joint.soft_limits));
        };
        hard.intersection(soft).map(Some).ok_or_else(|| {
            let message = format!(
                "its soft limits {} to {} and its limits {} to {} have no value in common",
                soft.lower, soft.upper, hard.lower, hard.upper
            );
            self.joint_error(joint, message)
                .with_expected("soft limits within the limits")
                .with_help("correct `<safety_controller>`, or ask for the hard limits")
        })
    }

    fn no_range(&self, joint: &Joint) -> SceneError {
        let kind = joint.kind.as_str();
        if joint.kind == JointKind::Prismatic {
            return self
                .joint_error(joint, "a prismatic joint without limits has no range".to_owned())
                .with_expected("`<limit lower=\"…\" upper=\"…\"/>`")
                .with_help("add the limit to the robot's file, or state the joint's range in a file of limits");
        }
        self.joint_error(joint, format!("a {kind} joint has no range of one value"))
            .with_expected("revolute, continuous, prismatic or fixed")
            .with_help("make the joint fixed, or split it into joints of one value with limits")
    }

    /// A joint that follows this one, directly or not, and for which its values a turn apart are two places.
    fn follower_beyond_a_turn(&self, leader: usize) -> Option<&str> {
        let mut multipliers: Vec<Option<f64>> = vec![None; self.joints.len()];
        multipliers[leader] = Some(1.0);
        for &index in &self.mimic_order {
            let joint = &self.joints[index];
            multipliers[index] = joint
                .mimic
                .and_then(|mimic| Some(mimic.multiplier * multipliers[mimic.joint]?));
        }
        let beyond = |(joint, multiplier): (&Joint, &Option<f64>)| {
            multiplier.is_some_and(|m| {
                m != 0.0 && (joint.kind == JointKind::Prismatic || m.fract() != 0.0)
            })
        };
        let mut all = self.joints.iter().zip(&multipliers);
        all.find(|pair| beyond(*pair))
            .map(|(joint, _)| joint.name.as_str())
    }

    fn joint_error(&self, joint: &Joint, message: String) -> SceneError {
        SceneError::new(Kind::BadValue, message)
            .with_element(format!("joint `{}`", joint.name))
            .with_file(&self.path)
    }
}

impl Joint {
    /// One full turn, about the middle of the limits where there are any.
    fn turn(&self) -> Limits {
        match self.limits.map(Limits::middle) {
            Some(middle) if middle != 0.0 => Limits {
                lower: (middle - HALF_TURN).next_down(),
                upper: (middle + HALF_TURN).next_up(),
            },
            _ => Limits {
                lower: -HALF_TURN,
                upper: HALF_TURN,
            },
        }
    }
}

impl Limits {
    /// The value between the ends.
    #[must_use]
    pub fn middle(self) -> f64 {
        // Halves first: the sum of two large ends would not be finite.
        self.lower / 2.0 + self.upper / 2.0
    }

    /// True when the value is between the ends or one of them.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        (self.lower..=self.upper).contains(&value)
    }

    /// The values that both ranges have, `None` when there is none.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        let (lower, upper) = (self.lower.max(other.lower), self.upper.min(other.upper));
        (lower <= upper).then_some(Self { lower, upper })
    }

    /// 0 where the range has 0, else the middle: MoveIt's rule.
    fn default_value(self) -> f64 {
        if self.contains(0.0) {
            0.0
        } else {
            self.middle()
        }
    }
}
