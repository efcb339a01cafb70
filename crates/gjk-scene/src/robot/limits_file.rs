//! A file of joint limits: ranges by the joints' names, in place of those of the robot's file.
//! Where it sits: `--limits FILE` reads through [`read_limits`]; [`super::JointLimits`] takes the ranges.
//! Layouts: CSV with the columns `joint`, `lower` and `upper`; JSON or YAML `{"joint": [lower, upper]}`; MoveIt's
//! `joint_limits.yaml`, of whose entries those with `has_position_limits: true` count.

use std::collections::BTreeMap;
use std::path::Path;

use super::states::{bad_csv, line_of, settable, value};
use super::{Limits, Robot};
use crate::document::{self, Documents};
use crate::error::{QueryError, QueryErrorKind, SceneError, SceneErrorKind as Kind};
use crate::mesh::unreadable;
use crate::value::{self as values, At, Object, Value};
use crate::warnings::Warnings;

const LAYOUT: &str = "`{\"joint\": [lower, upper]}`, or MoveIt's `joint_limits`";
const NOT_HELD: &str = "positions without `has_position_limits: true` are left out";
/// Mappings that parameter files of ROS put around the limits.
const WRAPPERS: [&str; 4] = [
    "/**",
    "ros__parameters",
    "robot_description_planning",
    "joint_limits",
];

/// The ranges of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LimitsFile {
    /// The ranges by index into [`Robot::joints`].
    pub ranges: BTreeMap<usize, Limits>,
    /// What was left out, for people.
    pub warnings: Vec<String>,
}

/// Reads ranges of joints in radians and the robot's length unit. A `.json`, `.yaml` or `.yml` file is told by its name; any
/// other one is CSV.
///
/// # Errors
/// The line and the joint: one that does not exist, does not move, follows another or stands twice; an end that is no finite
/// number; a lower end above the upper one; a file without a range.
pub fn read_limits(path: &Path, robot: &Robot) -> Result<LimitsFile, SceneError> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    let found = if document::is_document(path) {
        document::utf8(&bytes).and_then(|text| from_document(text, path, robot))
    } else {
        from_csv(&bytes, robot)
    };
    let found = found.map_err(|error| error.with_file(path))?;
    if found.ranges.is_empty() {
        return Err(
            SceneError::new(Kind::Missing, "the file has no range of a joint")
                .with_file(path)
                .with_expected(LAYOUT),
        );
    }
    Ok(found)
}

fn from_csv(bytes: &[u8], robot: &Robot) -> Result<LimitsFile, SceneError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(bytes);
    let header = reader.headers().map_err(|error| bad_csv(&error))?;
    if header.iter().ne(["joint", "lower", "upper"]) {
        let found = header.iter().collect::<Vec<_>>().join(",");
        return Err(
            SceneError::new(Kind::Syntax, format!("the header is `{found}`"))
                .with_line(1)
                .with_expected("`joint,lower,upper`"),
        );
    }
    let mut file = LimitsFile::default();
    for record in reader.records() {
        let record = record.map_err(|error| bad_csv(&error))?;
        let start = record.position().map_or(0, csv::Position::byte);
        let mut range = || {
            let mut words = record.iter();
            let (Some(name), Some(lower), Some(upper), None) =
                (words.next(), words.next(), words.next(), words.next())
            else {
                let message = format!("the row has {} values", record.len());
                return Err(SceneError::new(Kind::Syntax, message).with_expected("3"));
            };
            let owner = |error: SceneError| error.with_element(format!("joint `{name}`"));
            let joint = settable(robot, name).map_err(owner)?;
            let limits = limits(value(lower)?, value(upper)?).map_err(owner)?;
            file.add(joint, limits).map_err(owner)
        };
        range().map_err(|error| error.with_line(line_of(bytes, start)))?;
    }
    Ok(file)
}

impl LimitsFile {
    fn add(&mut self, joint: usize, limits: Limits) -> Result<(), SceneError> {
        match self.ranges.insert(joint, limits) {
            None => Ok(()),
            Some(_) => Err(SceneError::new(
                Kind::Duplicate,
                "the joint stands twice in the file",
            )),
        }
    }
}

fn limits(lower: f64, upper: f64) -> Result<Limits, SceneError> {
    if lower <= upper {
        return Ok(Limits { lower, upper });
    }
    let message = format!("the lower limit {lower} is above the upper limit {upper}");
    Err(SceneError::new(Kind::BadValue, message).with_help("exchange the two"))
}

fn from_document(text: &str, path: &Path, robot: &Robot) -> Result<LimitsFile, SceneError> {
    let mut documents = Documents::read(text, &crate::mesh::extension(path))?;
    let mut file = LimitsFile::default();
    let mut warnings = Warnings::default();
    for (index, document) in std::mem::take(&mut documents.values)
        .into_iter()
        .enumerate()
    {
        let (place, entries) =
            entries(document, String::new()).map_err(|fault| documents.error(index, &fault))?;
        for (name, entry) in entries {
            let path = if place.is_empty() {
                name.clone()
            } else {
                format!("{place}.{name}")
            };
            let owner = |error: SceneError| {
                documents.place(error.with_element(format!("joint `{name}`")), index, &path)
            };
            match read_entry(entry).map_err(|fault| owner(SceneError::from_query(&fault)))? {
                LimitsEntry::Range(lower, upper) => {
                    let joint = settable(robot, &name).map_err(owner)?;
                    let limits = limits(lower, upper).map_err(owner)?;
                    file.add(joint, limits).map_err(owner)?;
                }
                LimitsEntry::NotHeld => {
                    let line = owner(SceneError::new(Kind::BadValue, "")).line();
                    warnings.add(
                        line.unwrap_or(1),
                        &format!("`{name}`"),
                        format!("joint `{name}`: {NOT_HELD}"),
                        format!("joints: {NOT_HELD}"),
                    );
                }
                LimitsEntry::Other => {}
            }
        }
    }
    file.warnings = warnings.lines(path);
    Ok(file)
}

/// The joints of a document with what it says of them, and the path of the mapping that has them.
fn entries(document: Value, place: String) -> Result<(String, Vec<(String, Value)>), QueryError> {
    let Value::Object(mut entries) = document else {
        let root = At::ROOT;
        return Err(values::wrong_type(&document, &root.key(&place), LAYOUT));
    };
    let wrapper = entries.iter().position(|(key, value)| {
        WRAPPERS.contains(&key.as_str()) && matches!(value, Value::Object(_))
    });
    let Some(at) = wrapper else {
        return Ok((place, entries));
    };
    // What stands beside the limits, such as scaling factors of velocities, says nothing of positions.
    let (key, inner) = entries.swap_remove(at);
    let inside = if place.is_empty() {
        key
    } else {
        format!("{place}.{key}")
    };
    self::entries(inner, inside)
}

/// What a document says of one joint.
enum LimitsEntry {
    Range(f64, f64),
    /// Positions that the entry does not declare as limits.
    NotHeld,
    /// Nothing of positions, such as limits of velocities.
    Other,
}

fn read_entry(entry: Value) -> Result<LimitsEntry, QueryError> {
    let root = At::ROOT;
    if !matches!(entry, Value::Object(_)) {
        let ends = values::vector(entry, &root, 2, values::number)?;
        return Ok(LimitsEntry::Range(ends[0], ends[1]));
    }
    let mut entry = Object::open(entry, &root)?;
    let held = entry.optional("has_position_limits", values::boolean)?;
    let lower = entry.optional("min_position", values::number)?;
    let upper = entry.optional("max_position", values::number)?;
    match (held, lower, upper) {
        (Some(true), Some(lower), Some(upper)) => Ok(LimitsEntry::Range(lower, upper)),
        (Some(true), ..) => Err(QueryError::new(
            QueryErrorKind::MissingKey,
            "",
            "`has_position_limits` is true, and `min_position` or `max_position` is missing",
        )),
        (_, None, None) => Ok(LimitsEntry::Other),
        _ => Ok(LimitsEntry::NotHeld),
    }
}
