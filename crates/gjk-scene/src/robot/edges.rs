//! Edges of planners as CSV: a start and a goal a row.
//! Where it sits: `gjk edges` reads through [`read_edges`].
//! Idea: a column is a joint's name with `:start` or `:goal` behind it, so that one header says both, whatever the order.

use std::path::Path;

use super::Robot;
use super::states::{LineCounter, bad_csv, columns, out_of_limits, value};
use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::unreadable;
use crate::text::counted;

/// The two ends of an edge: what a column's name ends with.
const ENDS: [&str; 2] = [":start", ":goal"];

/// Two states, a value a joint each in the order of [`Robot::joints`]; mimic joints follow.
#[derive(Debug, Clone, PartialEq)]
pub struct StateEdge {
    /// Start and goal.
    pub ends: [Vec<f64>; 2],
    /// Its line in the file.
    pub line: usize,
}

/// The edges of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgesFile {
    /// At least one, in the file's order.
    pub edges: Vec<StateEdge>,
    /// What was odd, for people.
    pub warnings: Vec<String>,
}

/// Reads edges in radians and the robot's length unit. Joints that the header does not name have their value of `base` at both ends.
///
/// A value outside its joint's limits is taken as it is, with one warning a column.
/// # Errors
/// The line and the column: a name without `:start` or `:goal`, a joint with one of the two alone, one that does not exist, does not
/// move or follows another; a number that is none; a row of another length; no row.
pub fn read_edges(path: &Path, robot: &Robot, base: &[f64]) -> Result<EdgesFile, SceneError> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    let mut file = parse(&bytes, robot, base).map_err(|error| error.with_file(path))?;
    for warning in &mut file.warnings {
        *warning = format!("{}: {warning}", path.display());
    }
    Ok(file)
}

fn parse(bytes: &[u8], robot: &Robot, base: &[f64]) -> Result<EdgesFile, SceneError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(bytes);
    let header = reader.headers().map_err(|error| bad_csv(&error))?.clone();
    let places = places(&header, robot)?;
    let mut outside: Vec<Option<String>> = vec![None; places.len()];
    let mut edges = Vec::new();
    let mut lines = LineCounter::default();
    for record in reader.records() {
        let record = record.map_err(|error| bad_csv(&error))?;
        let start = record.position().map_or(0, csv::Position::byte);
        let line = lines.line_of(bytes, start);
        if record.len() != places.len() {
            let message = format!("the row has {}", counted(record.len(), "value", "values"));
            return Err(SceneError::new(Kind::Syntax, message)
                .with_line(line)
                .with_expected(format!("{}, one a column of the header", places.len())));
        }
        let mut ends = [base.to_vec(), base.to_vec()];
        ends.iter_mut().for_each(|end| robot.follow_mimics(end));
        for ((word, &(end, joint)), outside) in record.iter().zip(&places).zip(&mut outside) {
            let value = value(word).map_err(|error| {
                let column = format!("column `{}{}`", robot.joints[joint].name, ENDS[end]);
                error.with_element(column).with_line(line)
            })?;
            ends[end][joint] = value;
            if outside.is_none() {
                *outside = out_of_limits(value, &robot.joints[joint])
                    .map(|what| format!("line {line}: {what}"));
            }
        }
        ends.iter_mut().for_each(|end| robot.follow_mimics(end));
        edges.push(StateEdge { ends, line });
    }
    if edges.is_empty() {
        return Err(
            SceneError::new(Kind::Missing, "the file has no edge").with_expected(
                "a header of names such as `elbow:start` and `elbow:goal`, and a row an edge",
            ),
        );
    }
    Ok(EdgesFile {
        edges,
        warnings: outside.into_iter().flatten().collect(),
    })
}

/// Which end and which joint each column is.
fn places(header: &csv::StringRecord, robot: &Robot) -> Result<Vec<(usize, usize)>, SceneError> {
    let mut names: [Vec<&str>; 2] = Default::default();
    let mut ends = Vec::new();
    for name in header {
        let end = ENDS.iter().position(|end| name.ends_with(end));
        let Some(end) = end else {
            let message = "the column's name has neither `:start` nor `:goal` behind it";
            return Err(SceneError::new(Kind::Syntax, message)
                .with_element(format!("column `{name}`"))
                .with_line(1)
                .with_expected("`JOINT:start` and `JOINT:goal` for each joint that moves"));
        };
        names[end].push(name.strip_suffix(ENDS[end]).unwrap_or(name));
        ends.push(end);
    }
    let joints = [
        columns(names[0].iter().copied(), robot)?,
        columns(names[1].iter().copied(), robot)?,
    ];
    for end in [0, 1] {
        if let Some(&lone) = joints[end]
            .iter()
            .find(|joint| !joints[1 - end].contains(joint))
        {
            let name = &robot.joints[lone].name;
            let message = format!("there is no column `{name}{}`", ENDS[1 - end]);
            return Err(SceneError::new(Kind::Missing, message)
                .with_element(format!("column `{name}{}`", ENDS[end]))
                .with_line(1)
                .with_expected("both for each joint that moves"));
        }
    }
    let mut next = joints.map(Vec::into_iter);
    Ok(ends
        .into_iter()
        .filter_map(|end| Some((end, next[end].next()?)))
        .collect())
}
