//! Robot states as CSV: a header of joint names, then a row a state.
//! Where it sits: `gjk check --states FILE` reads through [`read_states`].

use std::path::Path;

use super::{Joint, Robot};
use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::unreadable;
use crate::text::counted;

/// The states of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct States {
    /// One value a joint in the order of [`Robot::joints`]; mimic joints follow.
    pub states: Vec<Vec<f64>>,
    /// What was odd, for people.
    pub warnings: Vec<String>,
}

/// Reads states in radians and the robot's length unit. Joints that the header does not name stay at zero, clamped into their
/// limits.
///
/// A value outside its joint's limits is taken as it is, with one warning a column.
/// # Errors
/// The line and the column: a joint that does not exist, does not move or follows another; a number that is none; a row of
/// another length.
pub fn read_states(path: &Path, robot: &Robot) -> Result<States, SceneError> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    parse(&bytes, robot).map_err(|error| error.with_file(path))
}

fn parse(bytes: &[u8], robot: &Robot) -> Result<States, SceneError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(bytes);
    let header = reader.headers().map_err(|error| bad_csv(&error))?.clone();
    let columns = columns(header.iter(), robot)?;
    let zero: Vec<f64> = robot.joints.iter().map(Joint::zero).collect();
    let mut outside: Vec<Option<String>> = vec![None; columns.len()];
    let mut states = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| bad_csv(&error))?;
        let start = record.position().map_or(0, csv::Position::byte);
        let line = || line_of(bytes, start);
        if record.len() != columns.len() {
            let message = format!("the row has {}", counted(record.len(), "value", "values"));
            return Err(SceneError::new(Kind::Syntax, message)
                .with_line(line())
                .with_expected(format!("{}, one a column of the header", columns.len())));
        }
        let mut state = zero.clone();
        for ((word, joint), outside) in record.iter().zip(&columns).zip(&mut outside) {
            let value = value(word).map_err(|error| {
                let column = format!("column `{}`", robot.joints[*joint].name);
                error.with_element(column).with_line(line())
            })?;
            state[*joint] = value;
            if outside.is_none() {
                *outside = out_of_limits(value, &robot.joints[*joint])
                    .map(|what| format!("line {}: {what}", line()));
            }
        }
        robot.follow_mimics(&mut state);
        states.push(state);
    }
    if states.is_empty() {
        return Err(SceneError::new(Kind::Missing, "the file has no state")
            .with_expected("a header of joint names and at least one row of values"));
    }
    Ok(States {
        states,
        warnings: outside.into_iter().flatten().collect(),
    })
}

/// The joints that a header names, in its order.
pub(super) fn columns<'n>(
    names: impl Iterator<Item = &'n str>,
    robot: &Robot,
) -> Result<Vec<usize>, SceneError> {
    let mut columns: Vec<usize> = Vec::new();
    for name in names {
        let owner = |error: SceneError| {
            let error = error.with_line(1);
            error.with_element(format!("column `{name}`"))
        };
        let index = settable(robot, name).map_err(owner)?;
        if columns.contains(&index) {
            let message = "the joint stands twice in the header";
            let error = SceneError::new(Kind::Duplicate, message);
            return Err(owner(error.with_help(joints_to_set(robot))));
        }
        columns.push(index);
    }
    Ok(columns)
}

/// The index of a joint that a state sets, by its name.
pub(super) fn settable(robot: &Robot, name: &str) -> Result<usize, SceneError> {
    let bad =
        |kind, message: String| Err(SceneError::new(kind, message).with_help(joints_to_set(robot)));
    let Some(index) = robot.joint_index(name) else {
        return bad(Kind::UnknownName, "the robot has no such joint".to_owned());
    };
    let joint = &robot.joints[index];
    if !joint.kind.has_value() {
        let message = format!("a {} joint cannot be set", joint.kind.as_str());
        return bad(Kind::BadValue, message);
    }
    if let Some(mimic) = joint.mimic {
        let followed = &robot.joints[mimic.joint].name;
        let message = format!("the joint follows `{followed}` and cannot be set");
        return bad(Kind::BadValue, message);
    }
    Ok(index)
}

fn joints_to_set(robot: &Robot) -> String {
    let joints = robot.joints.iter().filter(|joint| joint.is_independent());
    let names: Vec<_> = joints.map(|joint| joint.name.as_str()).collect();
    format!("the joints to set are {}", names.join(", "))
}

/// The value that a word of CSV says.
pub(super) fn value(word: &str) -> Result<f64, SceneError> {
    let value = word.parse().ok().filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| {
        SceneError::new(Kind::BadValue, format!("`{word}` is no joint value"))
            .with_expected("a finite number in radians or metres")
    })
}

pub(super) fn out_of_limits(value: f64, joint: &Joint) -> Option<String> {
    let limits = joint.limits?;
    if (limits.lower..=limits.upper).contains(&value) {
        return None;
    }
    let (lower, upper) = (limits.lower, limits.upper);
    Some(format!(
        "joint `{}`: {value} is outside its limits {lower} to {upper}; used as it is",
        joint.name
    ))
}

/// The line of the record that starts at a byte, counted from 1.
pub(super) fn line_of(bytes: &[u8], start: u64) -> usize {
    LineCounter::default().line_of(bytes, start)
}

/// The lines of records one after the other: each byte is looked at once.
#[derive(Default)]
pub(super) struct LineCounter {
    at: usize,
    ends: usize,
}

impl LineCounter {
    /// The line of a record that starts at a byte behind those that were asked for. The csv crate gives the line before the blank ones
    /// that it skipped.
    pub(super) fn line_of(&mut self, bytes: &[u8], start: u64) -> usize {
        let start = usize::try_from(start)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        let blank = bytes[start..]
            .iter()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .count();
        let until = (start + blank).max(self.at);
        let passed = &bytes[self.at..until];
        self.ends += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at = until;
        1 + self.ends
    }
}

pub(super) fn bad_csv(error: &csv::Error) -> SceneError {
    let found = SceneError::new(Kind::Syntax, format!("not CSV: {error}"));
    match error.position() {
        Some(position) => found.with_line(position.line() as usize),
        None => found,
    }
}
