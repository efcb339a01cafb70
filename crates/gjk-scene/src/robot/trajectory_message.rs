//! Trajectories as messages of ROS, in YAML or JSON.
//! Where it sits: [`super::trajectory`] hands over the text and keeps what is read.
//! Source: trajectory_msgs/JointTrajectory, moveit_msgs/RobotTrajectory and DisplayTrajectory, control_msgs' goal of
//! FollowJointTrajectory. Times are `sec` and `nanosec` (ROS 2) or `secs` and `nsecs` (ROS 1). Headers and efforts say nothing of
//! places and are left out; any other key that is not known is left out with a warning.

use super::states::settable;
use super::trajectory::{Collected, TrajectoryPoint};
use crate::document::Documents;
use crate::error::{QueryError, QueryErrorKind, SceneError, SceneErrorKind as Kind};
use crate::value::{self, At, Object, Value};

/// How far a stated start may be from the first point before that is told: MoveIt's own tolerance when it executes.
const START_TOLERANCE: f64 = 0.01;
/// What `ros2 topic echo` writes in place of the rest of a long list.
const CUT: &str = "...";

/// A fault and the path of its place.
struct MessageFault {
    path: String,
    error: SceneError,
}

impl From<QueryError> for MessageFault {
    fn from(fault: QueryError) -> Self {
        Self {
            error: SceneError::from_query(&fault),
            path: fault.at,
        }
    }
}

impl MessageFault {
    fn new(at: &At<'_>, error: SceneError) -> Self {
        let path = at.to_string();
        let error = if path.is_empty() {
            error
        } else {
            error.with_element(path.clone())
        };
        Self { path, error }
    }
}

/// Reads all messages of a text.
pub(super) fn read(
    text: &str,
    extension: &str,
    collected: &mut Collected<'_>,
) -> Result<(), SceneError> {
    let mut documents = Documents::read(text, extension)?;
    let values = std::mem::take(&mut documents.values);
    let (count, start) = (values.len(), collected.state.clone());
    if count == 0 {
        return Err(SceneError::new(Kind::Missing, "the file has no message")
            .with_expected("a message with `joint_names` and `points`"));
    }
    for (index, value) in values.into_iter().enumerate() {
        // Each message is a trajectory of its own, which goes on from no other.
        collected.state.clone_from(&start);
        collected.stated.clear();
        let mut reader = MessageReader {
            documents: &documents,
            index,
            place: if count > 1 {
                format!("document {}", index + 1)
            } else {
                String::new()
            },
            collected: &mut *collected,
        };
        reader.message(value, &At::ROOT).map_err(|fault| {
            let error = documents.place(fault.error, index, &fault.path);
            if count > 1 {
                error.with_element(format!("document {}", index + 1))
            } else {
                error
            }
        })?;
    }
    Ok(())
}

struct MessageReader<'d, 'c, 'r> {
    documents: &'d Documents<'d>,
    index: usize,
    place: String,
    collected: &'c mut Collected<'r>,
}

impl MessageReader<'_, '_, '_> {
    fn message(&mut self, value: Value, at: &At<'_>) -> Result<(), MessageFault> {
        let Value::Object(entries) = &value else {
            return Err(
                value::wrong_type(&value, at, "a message with `joint_names` and `points`").into(),
            );
        };
        let kind = |key: &str| {
            entries
                .iter()
                .find(|(own, _)| own == key)
                .map(|(_, value)| value)
        };
        if kind("joint_trajectory").is_some() {
            return self.robot_trajectory(value, at);
        }
        match kind("trajectory") {
            Some(Value::Array(_)) => self.display_trajectory(value, at),
            // The goal of an action; what stands beside the trajectory are tolerances.
            Some(Value::Object(_)) => {
                let mut goal = Object::open(value, at)?;
                refuse_multi(&mut goal, "multi_dof_trajectory")?;
                let trajectory = goal.required("trajectory", |value, _| Ok(value))?;
                self.message(trajectory, &at.key("trajectory"))
            }
            _ if kind("joint_names").is_some() || kind("points").is_some() => {
                self.joint_trajectory(value, at)
            }
            _ => {
                let error = SceneError::new(Kind::Unsupported, "the message is no trajectory")
                    .with_expected("`joint_names` and `points`, `joint_trajectory`, or a list `trajectory`")
                    .with_help("print a JointTrajectory, a RobotTrajectory or a DisplayTrajectory, such as `ros2 topic echo --full-length /display_planned_path`");
                Err(MessageFault::new(at, error))
            }
        }
    }

    fn display_trajectory(&mut self, value: Value, at: &At<'_>) -> Result<(), MessageFault> {
        let mut message = Object::open(value, at)?;
        let model = message
            .optional("model_id", value::string)?
            .unwrap_or_default();
        let robot = &self.collected.robot.name;
        if !model.is_empty() && model != *robot {
            let text = format!("the message is for the robot `{model}`, read for `{robot}`");
            self.warn(&at.key("model_id"), &model, text.clone(), text);
        }
        if let Some(start) = message.take("trajectory_start") {
            self.start_state(start, &at.key("trajectory_start"))?;
        }
        let list = at.key("trajectory");
        let trajectories = message.required("trajectory", value::array)?;
        self.left_out(&message);
        if trajectories.is_empty() {
            let error = SceneError::new(Kind::Missing, "the message has no trajectory");
            return Err(MessageFault::new(
                &list,
                error.with_expected("at least one"),
            ));
        }
        let document = self.place.clone();
        for (index, trajectory) in trajectories.into_iter().enumerate() {
            let own = list.index(index);
            self.place = format!("{document} {own}").trim_start().to_owned();
            self.robot_trajectory(trajectory, &own)?;
        }
        Ok(())
    }

    /// The state that comes before a trajectory: what it says of joints that the trajectory does not name.
    fn start_state(&mut self, value: Value, at: &At<'_>) -> Result<(), MessageFault> {
        let mut state = Object::open(value, at)?;
        let joints_at = at.key("joint_state");
        if let Some(joints) = state.take("joint_state") {
            let mut joints = Object::open(joints, &joints_at)?;
            let names = joints.optional("name", names)?.unwrap_or_default();
            let positions_at = joints_at.key("position");
            let positions = joints.take("position").unwrap_or(Value::Array(Vec::new()));
            let positions = numbers(positions, &positions_at, &names)?;
            for (name, position) in names.iter().zip(positions) {
                let robot = self.collected.robot;
                let joint = robot.joint_index(name);
                let Some(joint) = joint else {
                    let text =
                        format!("the start state names `{name}`, which is no joint of the robot");
                    let plural = "names in the start state are no joints of the robot";
                    self.warn(&joints_at, name, text, plural.to_owned());
                    continue;
                };
                if robot.joints[joint].is_independent() {
                    self.collected.state[joint] = position;
                    self.collected.stated.insert(joint);
                }
            }
            let robot = self.collected.robot;
            robot.follow_mimics(&mut self.collected.state);
        }
        let mut left_out = |key: &'static str, is_empty: bool, what: &str| {
            if !is_empty {
                self.warn(
                    &at.key(key),
                    key,
                    format!("{what}; left out"),
                    what.to_owned(),
                );
            }
        };
        let multi = state
            .take("multi_dof_joint_state")
            .map(|value| has_joints(&value));
        left_out(
            "multi_dof_joint_state",
            multi != Some(true),
            "the start state places joints of several values",
        );
        let attached = state.take("attached_collision_objects");
        let none = !matches!(attached, Some(Value::Array(list)) if !list.is_empty());
        left_out(
            "attached_collision_objects",
            none,
            "the start state has attached objects",
        );
        Ok(())
    }

    fn robot_trajectory(&mut self, value: Value, at: &At<'_>) -> Result<(), MessageFault> {
        let mut message = Object::open(value, at)?;
        refuse_multi(&mut message, "multi_dof_joint_trajectory")?;
        let trajectory = message.required("joint_trajectory", |value, _| Ok(value))?;
        self.left_out(&message);
        self.joint_trajectory(trajectory, &at.key("joint_trajectory"))
    }

    fn joint_trajectory(&mut self, value: Value, at: &At<'_>) -> Result<(), MessageFault> {
        let mut message = Object::open(value, at)?;
        message.take("header");
        let names_at = at.key("joint_names");
        let names = message.required("joint_names", names)?;
        let mut joints: Vec<usize> = Vec::with_capacity(names.len());
        for (index, name) in names.iter().enumerate() {
            let own = |error: SceneError| {
                MessageFault::new(
                    &names_at.index(index),
                    error.with_element(format!("joint `{name}`")),
                )
            };
            let joint = settable(self.collected.robot, name).map_err(own)?;
            if joints.contains(&joint) {
                let error = SceneError::new(Kind::Duplicate, "the joint stands twice in the list");
                return Err(own(error));
            }
            joints.push(joint);
        }
        if joints.is_empty() {
            let error = SceneError::new(Kind::Missing, "the trajectory names no joint");
            return Err(MessageFault::new(
                &names_at,
                error.with_expected("at least one"),
            ));
        }
        let list = at.key("points");
        let mut points = Vec::new();
        for (index, value) in message
            .required("points", value::array)?
            .into_iter()
            .enumerate()
        {
            points.push(self.point(value, &list.index(index), &names)?);
        }
        self.left_out(&message);
        self.warn_of_a_jump(&joints, &points, &list);
        let line = |point: Option<usize>| match point {
            Some(point) => self
                .documents
                .line(self.index, &list.index(point).to_string()),
            None => self.documents.line(self.index, &list.to_string()),
        };
        let added = self
            .collected
            .add(self.place.clone(), joints, points, true, &line);
        added.map_err(|error| MessageFault::new(&list, error))
    }

    fn point(
        &mut self,
        value: Value,
        at: &At<'_>,
        names: &[String],
    ) -> Result<TrajectoryPoint, MessageFault> {
        refuse_cut(&value, at)?;
        let mut message = Object::open(value, at)?;
        let mut list = |key: &'static str| -> Result<Option<Vec<f64>>, MessageFault> {
            match message.take(key) {
                None => Ok(None),
                Some(Value::Array(items)) if items.is_empty() => Ok(None),
                Some(value) => numbers(value, &at.key(key), names).map(Some),
            }
        };
        let (positions, velocities) = (list("positions")?, list("velocities")?);
        let accelerations = list("accelerations")?;
        let Some(positions) = positions else {
            let error = SceneError::new(Kind::Missing, "the point has no positions")
                .with_expected(format!("{}, one a joint", names.len()));
            return Err(MessageFault::new(at, error));
        };
        message.take("effort");
        let time = message.required("time_from_start", seconds)?;
        self.left_out(&message);
        Ok(TrajectoryPoint {
            time,
            positions,
            velocities,
            accelerations,
        })
    }

    /// Tells of a stated start that is elsewhere than the first point: nothing says how the robot comes from one to the other.
    fn warn_of_a_jump(&mut self, joints: &[usize], points: &[TrajectoryPoint], at: &At<'_>) {
        let Some(first) = points.first() else { return };
        let jumps: Vec<_> = joints
            .iter()
            .zip(&first.positions)
            .map(|(&joint, &position)| (joint, (position - self.collected.state[joint]).abs()))
            .filter(|(joint, jump)| {
                self.collected.stated.contains(joint) && !(*jump <= START_TOLERANCE)
            })
            .collect();
        for (joint, jump) in jumps {
            let name = &self.collected.robot.joints[joint].name;
            let text = format!(
                "joint `{name}` starts {jump} away from the first point; the way there is in no trajectory"
            );
            let plural =
                "joints start away from the first point; the way there is in no trajectory";
            self.warn(&at.index(0), name, text, plural.to_owned());
        }
    }

    fn left_out(&mut self, message: &Object<'_>) {
        let keys: Vec<String> = message.left().map(str::to_owned).collect();
        for key in keys {
            let text = format!("the key `{key}` is not known and left out");
            let plural = "keys are not known and left out".to_owned();
            self.warn(&message.at().key(&key), &key, text, plural);
        }
    }

    fn warn(&mut self, at: &At<'_>, name: &str, text: String, plural: String) {
        // The line is told for the first of a kind alone; a look-up goes through the whole text.
        let line = match self.collected.warnings.has(&plural) {
            true => None,
            false => self.documents.line(self.index, &at.to_string()),
        };
        let name = format!("`{name}`");
        self.collected
            .warnings
            .add(line.unwrap_or(1), &name, text, plural);
    }
}

fn names(value: Value, at: &At<'_>) -> Result<Vec<String>, QueryError> {
    value::list(value, at, |item, at| {
        refuse_cut(&item, at)?;
        value::string(item, at)
    })
}

/// One number a name.
fn numbers(value: Value, at: &At<'_>, names: &[String]) -> Result<Vec<f64>, MessageFault> {
    let items = value::array(value, at)?;
    if let Some(last) = items.last() {
        refuse_cut(last, &at.index(items.len() - 1))?;
    }
    if items.len() != names.len() {
        let message = format!(
            "expected {} numbers, one a joint, found {}",
            names.len(),
            items.len()
        );
        return Err(QueryError::new(QueryErrorKind::Dimension, at, message).into());
    }
    let number = |(index, (item, name)): (usize, (Value, &String))| {
        value::number(item, &at.index(index)).map_err(|mut fault| {
            fault.message = format!("joint `{name}`: {}", fault.message);
            MessageFault::from(fault)
        })
    };
    items
        .into_iter()
        .zip(names)
        .enumerate()
        .map(number)
        .collect()
}

fn refuse_cut(value: &Value, at: &At<'_>) -> Result<(), QueryError> {
    if *value != Value::String(CUT.to_owned()) {
        return Ok(());
    }
    let message =
        "the list was cut when it was printed; run `ros2 topic echo` with `--full-length`";
    Err(QueryError::new(QueryErrorKind::BadValue, at, message))
}

/// Refuses a trajectory of joints of several values, unless it is empty.
fn refuse_multi(message: &mut Object<'_>, key: &'static str) -> Result<(), MessageFault> {
    if !message.take(key).as_ref().is_some_and(has_joints) {
        return Ok(());
    }
    let text = "joints of several values (planar or floating) are not moved";
    let error = SceneError::new(Kind::Unsupported, text)
        .with_expected(format!("an empty `{key}`"))
        .with_help("plan with the base in place, and state its pose by a fixed joint");
    Err(MessageFault::new(&message.at().key(key), error))
}

/// True for a message of joints of several values that names one.
fn has_joints(value: &Value) -> bool {
    let Value::Object(entries) = value else {
        return *value != Value::Null;
    };
    entries.iter().any(|(key, value)| {
        matches!(key.as_str(), "joint_names" | "points" | "transforms")
            && !matches!(value, Value::Null)
            && !matches!(value, Value::Array(items) if items.is_empty())
    })
}

/// Seconds of a duration: the nearest double, up to a hundred days.
fn seconds(value: Value, at: &At<'_>) -> Result<f64, QueryError> {
    let mut duration = Object::open(value, at)?;
    let mut part = |words: [&'static str; 2]| -> Result<Option<u64>, QueryError> {
        for word in words {
            if let Some(found) = duration.optional(word, whole)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    };
    let (whole_seconds, nanoseconds) = (part(["sec", "secs"])?, part(["nanosec", "nsecs"])?);
    duration.finish()?;
    if whole_seconds.is_none() && nanoseconds.is_none() {
        let message = "the time has neither `sec` nor `nanosec` (ROS 1: `secs`, `nsecs`)";
        return Err(QueryError::new(QueryErrorKind::MissingKey, at, message));
    }
    // One rounding: the sum of two rounded parts would be off by one in the last place.
    let total = whole_seconds.unwrap_or(0) * 1_000_000_000 + nanoseconds.unwrap_or(0);
    Ok(total as f64 / 1e9)
}

/// A whole number that is not negative and fits a duration's parts.
fn whole(value: Value, at: &At<'_>) -> Result<u64, QueryError> {
    let number = value::length(value, at)?;
    if number.fract() != 0.0 || number > f64::from(u32::MAX) {
        let message = format!("{number} is no whole number of a duration");
        return Err(QueryError::new(QueryErrorKind::OutOfRange, at, message));
    }
    Ok(number as u64)
}
