//! Trajectories: joint values at times, from CSV and from messages of ROS.
//! Where it sits: `gjk path` reads through [`read_trajectories`]; `trajectory_message` reads YAML and JSON.
//! Idea: what moves between the points is the reader's business, so points keep velocities and accelerations as stated; what does
//! not move is said once. A trajectory that is read has times that rise, finite values and one length everywhere.

use std::collections::BTreeSet;
use std::path::Path;

use super::states::{bad_csv, columns, line_of, out_of_limits, value};
use super::{Robot, trajectory_message};
use crate::document;
use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::unreadable;
use crate::text::counted;
use crate::warnings::Warnings;

/// The column of seconds.
const TIME: &str = "time";

/// Joint values at times.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    /// Where in the file it stands, such as `document 2` or `trajectory[1]`; empty when it is the only one.
    pub place: String,
    /// The joints that it moves, as indices into [`Robot::joints`], in the file's order.
    pub joints: Vec<usize>,
    /// The points in the order of time, at least one.
    pub points: Vec<TrajectoryPoint>,
    /// The full state at the first point; joints that the trajectory does not name keep their value of it.
    pub start: Vec<f64>,
    /// False where the file states no times and the points are at 0, 1, 2 and so on.
    pub timed: bool,
}

/// A point of a trajectory; each list has one number a joint of [`Trajectory::joints`].
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryPoint {
    /// Seconds from the start; above the one of the point before. Of seconds and nanoseconds it is the nearest double.
    pub time: f64,
    /// Radians, or the robot's length unit.
    pub positions: Vec<f64>,
    /// Per second, where they are stated.
    pub velocities: Option<Vec<f64>>,
    /// Per second squared, where they are stated.
    pub accelerations: Option<Vec<f64>>,
}

/// The trajectories of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryFile {
    /// At least one, in the file's order.
    pub trajectories: Vec<Trajectory>,
    /// What was odd or left out, for people.
    pub warnings: Vec<String>,
}

impl Trajectory {
    /// The full state for values of [`Trajectory::joints`]; the other joints stay, and mimic joints follow.
    #[must_use]
    pub fn state(&self, robot: &Robot, positions: &[f64]) -> Vec<f64> {
        let mut state = self.start.clone();
        for (&joint, &position) in self.joints.iter().zip(positions) {
            if let Some(value) = state.get_mut(joint) {
                *value = position;
            }
        }
        robot.follow_mimics(&mut state);
        state
    }
}

/// Reads the trajectories of a file: CSV as [`super::read_states`] reads it with an optional column `time` in seconds; in a `.yaml`,
/// `.yml` or `.json` file messages of ROS (trajectory_msgs/JointTrajectory, moveit_msgs/RobotTrajectory and DisplayTrajectory, the
/// goal of a FollowJointTrajectory), in YAML also several documents, as `ros2 topic echo` prints them.
///
/// `start` has a value a joint, which joints keep that the file says nothing of (one warning counts them). A value outside its
/// joint's limits is taken as it is, with a warning a joint.
///
/// # Errors
/// The place (line, point, joint): a joint that does not exist, does not move, follows another or stands twice; a number that is
/// none; a list of another length; a time that does not rise; a trajectory of no joint or no point; joints of several values.
pub fn read_trajectories(
    path: &Path,
    robot: &Robot,
    start: &[f64],
) -> Result<TrajectoryFile, SceneError> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    let mut collected = Collected::new(robot, start);
    let read = if document::is_document(path) {
        let extension = crate::mesh::extension(path);
        document::utf8(&bytes)
            .and_then(|text| trajectory_message::read(text, &extension, &mut collected))
    } else {
        from_csv(&bytes, &mut collected)
    };
    read.map_err(|error| error.with_file(path))?;
    Ok(collected.finish(path))
}

/// What was read of a file so far.
pub(super) struct Collected<'r> {
    pub(super) robot: &'r Robot,
    /// The state that comes before the next trajectory.
    pub(super) state: Vec<f64>,
    /// The joints of whose values in `state` the file says something.
    pub(super) stated: BTreeSet<usize>,
    pub(super) warnings: Warnings,
    trajectories: Vec<Trajectory>,
    /// Joints that some trajectory leaves where they were and nothing states.
    unnamed: BTreeSet<usize>,
    outside: BTreeSet<usize>,
}

impl<'r> Collected<'r> {
    fn new(robot: &'r Robot, start: &[f64]) -> Self {
        let mut state = start.to_vec();
        robot.follow_mimics(&mut state);
        Self {
            robot,
            state,
            stated: BTreeSet::new(),
            warnings: Warnings::default(),
            trajectories: Vec::new(),
            unnamed: BTreeSet::new(),
            outside: BTreeSet::new(),
        }
    }

    /// Adds a trajectory whose lists have one length; `line` says where it and its points are. The state goes on to its end.
    pub(super) fn add(
        &mut self,
        place: String,
        joints: Vec<usize>,
        points: Vec<TrajectoryPoint>,
        timed: bool,
        line: &dyn Fn(Option<usize>) -> Option<usize>,
    ) -> Result<(), SceneError> {
        let Some(first) = points.first() else {
            return Err(
                SceneError::new(Kind::Missing, "the trajectory has no point")
                    .with_expected("at least one"),
            );
        };
        times_rise(&points).map_err(|(error, point)| match line(Some(point)) {
            Some(line) => error.with_line(line),
            None => error,
        })?;
        self.unnamed
            .extend((0..self.robot.joints.len()).filter(|joint| {
                let independent = self.robot.joints[*joint].is_independent();
                independent && !joints.contains(joint) && !self.stated.contains(joint)
            }));
        self.warn_outside(&joints, &points, line);
        let mut trajectory = Trajectory {
            place,
            start: std::mem::take(&mut self.state),
            timed,
            joints,
            points: Vec::new(),
        };
        trajectory.start = trajectory.state(self.robot, &first.positions);
        let last = points.last().unwrap_or(first);
        self.state = trajectory.state(self.robot, &last.positions);
        self.stated.extend(&trajectory.joints);
        trajectory.points = points;
        self.trajectories.push(trajectory);
        Ok(())
    }

    fn warn_outside(
        &mut self,
        joints: &[usize],
        points: &[TrajectoryPoint],
        line: &dyn Fn(Option<usize>) -> Option<usize>,
    ) {
        for (column, &joint) in joints.iter().enumerate() {
            let own = &self.robot.joints[joint];
            let outside = |(at, point): (usize, &TrajectoryPoint)| {
                Some((at, out_of_limits(point.positions[column], own)?))
            };
            let found = points.iter().enumerate().find_map(outside);
            if let Some((at, what)) = found
                && self.outside.insert(joint)
            {
                // The text is the kind too, so that each joint has a line of its own.
                let text = format!("point {at}: {what}");
                let line = line(Some(at)).unwrap_or(1);
                self.warnings.add(line, &own.name, text.clone(), text);
            }
        }
    }

    fn finish(mut self, path: &Path) -> TrajectoryFile {
        for &joint in &self.unnamed {
            let name = format!("`{}`", self.robot.joints[joint].name);
            let text = format!("joint {name} is not named and stays where it starts");
            let plural = "joints are not named and stay where they start";
            self.warnings.add(1, &name, text, plural.to_owned());
        }
        if let [only] = self.trajectories.as_mut_slice() {
            only.place.clear();
        }
        TrajectoryFile {
            trajectories: self.trajectories,
            warnings: self.warnings.lines(path),
        }
    }
}

/// The first point whose time is not after the one before.
fn times_rise(points: &[TrajectoryPoint]) -> Result<(), (SceneError, usize)> {
    for (before, pair) in points.windows(2).enumerate() {
        let [earlier, later] = [pair[0].time, pair[1].time];
        if !(later > earlier) {
            let message =
                format!("its time of {later} s is not after the {earlier} s of point {before}");
            let error = SceneError::new(Kind::BadValue, message)
                .with_element(format!("point {}", before + 1))
                .with_expected("times that rise")
                .with_help("remove the points that stand twice, or correct the times");
            return Err((error, before + 1));
        }
    }
    Ok(())
}

fn from_csv(bytes: &[u8], collected: &mut Collected<'_>) -> Result<(), SceneError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(bytes);
    let header = reader.headers().map_err(|error| bad_csv(&error))?.clone();
    let time = time_column(&header, collected.robot)?;
    let names = header.iter().enumerate();
    let names = names.filter(|(column, _)| Some(*column) != time);
    let joints = columns(names.map(|(_, name)| name), collected.robot)?;
    if joints.is_empty() {
        return Err(SceneError::new(Kind::Missing, "the header names no joint")
            .with_line(1)
            .with_expected(
                "a header of joint names, with `time` among them where there are times",
            ));
    }
    let (mut points, mut starts) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record = record.map_err(|error| bad_csv(&error))?;
        let start = record.position().map_or(0, csv::Position::byte);
        starts.push(start);
        let point = csv_point(&record, &header, time, points.len());
        points.push(point.map_err(|error| error.with_line(line_of(bytes, start)))?);
    }
    let line =
        |point: Option<usize>| Some(starts.get(point?).map_or(1, |start| line_of(bytes, *start)));
    collected.add(String::new(), joints, points, time.is_some(), &line)
}

/// The column `time`, unless a joint has that name.
fn time_column(header: &csv::StringRecord, robot: &Robot) -> Result<Option<usize>, SceneError> {
    if robot.joint_index(TIME).is_some() {
        return Ok(None);
    }
    let mut columns = header.iter().enumerate().filter(|(_, name)| *name == TIME);
    let first = columns.next().map(|(column, _)| column);
    match columns.next() {
        None => Ok(first),
        Some(_) => Err(
            SceneError::new(Kind::Duplicate, "the header names two columns `time`").with_line(1),
        ),
    }
}

fn csv_point(
    record: &csv::StringRecord,
    header: &csv::StringRecord,
    time: Option<usize>,
    index: usize,
) -> Result<TrajectoryPoint, SceneError> {
    if record.len() != header.len() {
        let message = format!("the row has {}", counted(record.len(), "value", "values"));
        return Err(SceneError::new(Kind::Syntax, message)
            .with_expected(format!("{}, one a column of the header", header.len())));
    }
    let mut point = TrajectoryPoint {
        time: index as f64,
        positions: Vec::with_capacity(record.len()),
        velocities: None,
        accelerations: None,
    };
    for (column, (word, name)) in record.iter().zip(header).enumerate() {
        let owner = |error: SceneError| {
            let error = error.with_element(format!("column `{name}`"));
            error.with_element(format!("point {index}"))
        };
        if Some(column) == time {
            let seconds = word.parse().ok().filter(|time: &f64| time.is_finite());
            point.time = seconds.ok_or_else(|| {
                let error = SceneError::new(Kind::BadValue, format!("`{word}` is no time"));
                owner(error.with_expected("a finite number of seconds"))
            })?;
        } else {
            point.positions.push(value(word).map_err(owner)?);
        }
    }
    Ok(point)
}
