//! States of joints that have names: SRDF's `group_state`.
//! Where it sits: [`super::srdf`] reads them with the pairs; a command takes one as its default or start state.
//! Idea: the pairs of a file hold whatever its states say. So what is wrong with a state is a warning of its own, and a state with
//! a value that cannot be read is left out as a whole.

use roxmltree::Node;

use super::Robot;
use crate::warnings::Warnings;
use crate::xml::{self, Xml};

/// A stated value of a mimic joint this near to the one that follows says the same: files round to fewer digits.
const FOLLOWER_TOLERANCE: f64 = 1e-6;

/// A state of some joints that has a name.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupState {
    /// The state's name, such as `ready`; unique in its group.
    pub name: String,
    /// The group of joints that it is for.
    pub group: String,
    /// Values by index into [`Robot::joints`], in the file's order; only of joints that a state sets.
    pub values: Vec<(usize, f64)>,
}

impl GroupState {
    /// A full state: this one's values over those of `base`; mimic joints follow.
    #[must_use]
    pub fn over(&self, robot: &Robot, base: &[f64]) -> Vec<f64> {
        let mut state = base.to_vec();
        state.resize(robot.joints.len(), 0.0);
        for &(joint, value) in &self.values {
            if let Some(own) = state.get_mut(joint) {
                *own = value;
            }
        }
        robot.follow_mimics(&mut state);
        state
    }

    /// Reads a `group_state`; `None` with a warning when a value cannot be read.
    pub(super) fn read(
        xml: &Xml<'_>,
        node: Node<'_, '_>,
        robot: &Robot,
        warnings: &mut Warnings,
    ) -> Option<Self> {
        let own = |name: &str| node.attribute(name).unwrap_or_default().to_owned();
        let mut state = Self {
            name: own("name"),
            group: own("group"),
            values: Vec::new(),
        };
        let mut followers = Vec::new();
        for element in xml::children(node, "joint") {
            let joint = element.attribute("name").unwrap_or_default();
            let mut warn = |(one, many): (&str, &str)| {
                let text = format!("the group state `{}`: joint `{joint}` {one}", state.name);
                let plural = format!("joints of group states {many}");
                warnings.add(xml.line(element), &format!("`{joint}`"), text, plural);
            };
            let Some(index) = robot.joint_index(joint) else {
                warn(NO_JOINT);
                continue;
            };
            if !robot.joints[index].kind.has_value() {
                warn(NO_VALUE);
                continue;
            }
            let Ok(Some(value)) = xml.number(element, "value") else {
                warn(UNREADABLE);
                return None;
            };
            if robot.joints[index].mimic.is_some() {
                followers.push((element, index, value));
            } else if state.values.iter().any(|(known, _)| *known == index) {
                warn(TWICE);
            } else {
                state.values.push((index, value));
            }
        }
        let followed = state.over(robot, &robot.zero_state());
        for (element, index, value) in followers {
            // Not `>`: a difference that is no number is one.
            if !((followed[index] - value).abs() <= FOLLOWER_TOLERANCE) {
                let (joint, (one, many)) = (&robot.joints[index].name, FOLLOWS);
                let text = format!("the group state `{}`: joint `{joint}` {one}", state.name);
                let plural = format!("joints of group states {many}");
                warnings.add(xml.line(element), &format!("`{joint}`"), text, plural);
            }
        }
        Some(state)
    }
}

// What is odd about one joint, and about many.
const NO_JOINT: (&str, &str) = ("is no joint of the robot", "are no joints of the robot");
const NO_VALUE: (&str, &str) = (
    "has no value of its own; what is stated is left out",
    "have no value of their own; what is stated is left out",
);
const UNREADABLE: (&str, &str) = (
    "has no value that is one finite number; the state is left out",
    "have no value that is one finite number; their states are left out",
);
const TWICE: (&str, &str) = (
    "stands twice; the first value counts",
    "stand twice; the first values count",
);
const FOLLOWS: (&str, &str) = (
    "follows another one, and its value is left out",
    "follow another one, and their values are left out",
);
