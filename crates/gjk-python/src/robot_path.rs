//! Edges and trajectories of robots, proved free over their whole time: columns by row.
//!
//! Where it sits: `python/gjk/robot.py` asks; `gjk-motion` answers, on the threads of a pool that is kept.
//! Idea: what a row's verdict rests on is one event, the first hit, or else what is too close, touches or is not decided: its pair, its
//! time, its state. A row that is wrong changes no other row.

use crate::errors::GjkError;
use crate::robot::{Rows, States, independent, wrong_row};
use crate::run::{Answered, interruptible, kept_pool};
use crate::scene::{Read, Scene, refused, robot};
use gjk_batch::rows::WRONG_ROW;
use gjk_cli::{CheckedPath, PathsFound};
use gjk_motion::{
    CurveKind, Interpolation, LinkPath, PathAnswer, PathEvent, PathOptions, PathSegment,
    PathVerdict, RobotCertificate, SegmentAnswer, certificate_refusal, check_path_certificate,
};
use gjk_scene::{Robot, SceneError, Trajectory, TrajectoryPoint};
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many edges are checked before they become columns.
const BLOCK: usize = 1 << 12;

/// What a path is checked for; numbers were looked at by `python/gjk/robot.py`.
#[derive(FromPyObject)]
pub(crate) struct PathWanted {
    #[pyo3(item)]
    clearance: f64,
    #[pyo3(item)]
    spans: u64,
    #[pyo3(item)]
    first: bool,
    /// Slices a segment of the clearance over time, and how wide their intervals may be; 0: none.
    #[pyo3(item)]
    slices: u32,
    #[pyo3(item)]
    tolerance: f64,
    /// Whether the checker of certificates is to prove it all again, and whether what it checks is wanted.
    #[pyo3(item)]
    verify: bool,
    #[pyo3(item)]
    certificate: bool,
}

impl PathWanted {
    fn options(&self, depth_samples: u32) -> PathOptions {
        PathOptions {
            clearance: self.clearance,
            cells_max: self.spans,
            first_only: self.first,
            depth_samples,
            ..PathOptions::default()
        }
    }
}

/// The paths of what was read.
pub(crate) fn link_path<'a>(
    read: &'a Read,
    robot: &'a Robot,
    options: PathOptions,
) -> Result<LinkPath<'a>, SceneError> {
    LinkPath::new(
        &read.scene,
        robot,
        &read.bodies,
        read.srdf.as_ref(),
        options,
    )
    .without_standing()
}

/// Bodies must be the scene's, because joints move links and not groups of them.
pub(crate) fn refuse_groups(read: &Read) -> PyResult<()> {
    if read.is_grouped {
        let text =
            "the robot was read with group_fixed=True: proofs are of links, read it without that";
        return Err(GjkError::new_err(text));
    }
    Ok(())
}

/// The code of a verdict: its place in `gjk.robot.PathVerdict`.
fn code(verdict: PathVerdict) -> u8 {
    match verdict {
        PathVerdict::Free => 0,
        PathVerdict::Touch => 1,
        PathVerdict::Undecided => 2,
        PathVerdict::Close => 3,
        PathVerdict::Hit => 4,
    }
}

/// Answers as columns: a row a segment.
struct Columns {
    joints: Vec<usize>,
    index: Vec<i64>,
    verdict: Vec<u8>,
    kind: Vec<u8>,
    segment: Vec<f64>,
    time: Vec<f64>,
    pair: Vec<i64>,
    state: Vec<f64>,
    distance: Vec<f64>,
    deepest: Vec<f64>,
    spans: Vec<i64>,
    wrong: Vec<(usize, String)>,
}

impl Columns {
    fn new(robot: &Robot) -> Self {
        Self {
            joints: independent(robot),
            index: Vec::new(),
            verdict: Vec::new(),
            kind: Vec::new(),
            segment: Vec::new(),
            time: Vec::new(),
            pair: Vec::new(),
            state: Vec::new(),
            distance: Vec::new(),
            deepest: Vec::new(),
            spans: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// The event that a verdict rests on.
    fn reason(answer: &SegmentAnswer) -> Option<&PathEvent> {
        let mut events = answer.first.iter().chain(&answer.open);
        events.find(|event| event.verdict == answer.verdict)
    }

    fn add(&mut self, answer: &SegmentAnswer) {
        self.verdict.push(code(answer.verdict));
        self.segment.extend(answer.time);
        self.index.push(answer.index as i64);
        self.kind.push(match answer.kind {
            CurveKind::State => 0,
            CurveKind::Linear => 1,
            CurveKind::Cubic => 3,
            CurveKind::Quintic => 5,
        });
        self.event(Self::reason(answer));
        let deepest = answer.deepest.as_ref();
        self.deepest.extend(deepest.map_or([f64::NAN; 3], |event| {
            [
                event.time.upper,
                -event.distance.upper,
                -event.distance.lower,
            ]
        }));
        self.spans.push(answer.cells as i64);
    }

    fn event(&mut self, event: Option<&PathEvent>) {
        let Some(event) = event else {
            self.time.extend([f64::NAN; 2]);
            self.pair.extend([-1; 2]);
            self.state.extend(self.joints.iter().map(|_| f64::NAN));
            self.distance.extend([f64::NAN; 2]);
            return;
        };
        self.time.extend([event.time.lower, event.time.upper]);
        let (a, b) = event.bodies;
        self.pair.extend([a as i64, b as i64]);
        self.state
            .extend(self.joints.iter().map(|&joint| event.state[joint]));
        self.distance
            .extend([event.distance.lower, event.distance.upper]);
    }

    fn add_wrong(&mut self, row: usize, fault: String) {
        self.verdict.push(WRONG_ROW);
        self.segment.extend([f64::NAN; 2]);
        self.index.push(row as i64);
        self.kind.push(1);
        self.event(None);
        self.deepest.extend([f64::NAN; 3]);
        self.spans.push(0);
        self.wrong.push((row, fault));
    }

    fn named<'py>(self, py: Python<'py>) -> PyResult<Answered<'py>> {
        let columns = PyDict::new(py);
        columns.set_item("index", self.index.into_pyarray(py))?;
        columns.set_item("verdict", self.verdict.into_pyarray(py))?;
        columns.set_item("degree", self.kind.into_pyarray(py))?;
        columns.set_item("segment", self.segment.into_pyarray(py))?;
        columns.set_item("time", self.time.into_pyarray(py))?;
        columns.set_item("pair", self.pair.into_pyarray(py))?;
        columns.set_item("state", self.state.into_pyarray(py))?;
        columns.set_item("distance", self.distance.into_pyarray(py))?;
        columns.set_item("deepest", self.deepest.into_pyarray(py))?;
        columns.set_item("spans", self.spans.into_pyarray(py))?;
        Ok((columns, self.wrong))
    }
}

/// The edges of a block; those that are wrong with what is.
type Edge = Result<PathSegment, String>;

fn edge(robot: &Robot, ends: [&Rows<'_>; 2], row: usize) -> Edge {
    let [from, to] = ends.map(|end| end.state(row));
    PathSegment::line(robot, &from?, &to?).map_err(|error| error.to_string())
}

/// Answers of the segments, in their order; where one cannot be answered all are asked one by one.
fn answers(
    path: &LinkPath<'_>,
    segments: &[PathSegment],
) -> Vec<Result<Option<SegmentAnswer>, String>> {
    if let Ok(found) = path.check(segments) {
        let mut found = found.segments.into_iter().peekable();
        let row = |index: usize| found.next_if(|answer| answer.index == index);
        return (0..segments.len()).map(row).map(Ok).collect();
    }
    let one = |segment: &PathSegment| {
        let found = path.check(std::slice::from_ref(segment));
        let found = found.map_err(|error| error.to_string())?;
        Ok(found.segments.into_iter().next())
    };
    segments.iter().map(one).collect()
}

fn edges(
    read: &Read,
    robot: &Robot,
    ends: [&Rows<'_>; 2],
    wanted: &PathWanted,
    raises: bool,
    stop: &AtomicBool,
) -> Result<Result<Columns, (usize, String)>, SceneError> {
    // A planner wants to know whether, not how deep.
    let path = link_path(read, robot, wanted.options(0))?.stop(stop);
    let mut columns = Columns::new(robot);
    let count = ends[0].count;
    for start in (0..count).step_by(BLOCK) {
        let block = start..count.min(start + BLOCK);
        let rows: Vec<Edge> = block.clone().map(|row| edge(robot, ends, row)).collect();
        let right: Vec<PathSegment> = rows.iter().flatten().cloned().collect();
        let mut found = answers(&path, &right).into_iter();
        for (row, segment) in block.zip(rows) {
            match segment.and_then(|_| found.next().unwrap_or(Ok(None))) {
                Ok(Some(mut answer)) => {
                    answer.index = row;
                    columns.add(&answer);
                }
                // It was stopped.
                Ok(None) => {}
                Err(fault) if raises => return Ok(Err((row, fault))),
                Err(fault) => columns.add_wrong(row, fault),
            }
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(Ok(columns))
}

/// Checks edges: columns by row, and the rows that are wrong.
#[pyfunction]
pub(crate) fn robot_edges<'py>(
    py: Python<'py>,
    scene: &Scene,
    starts: States<'py>,
    goals: States<'py>,
    wanted: PathWanted,
    raises: bool,
    threads: usize,
) -> PyResult<Answered<'py>> {
    let read = &scene.read;
    refuse_groups(read)?;
    let robot = robot(&read.scene)?;
    let ends = [starts.rows(&read.scene)?, goals.rows(&read.scene)?];
    if ends[0].count != ends[1].count {
        return Err(GjkError::new_err(format!(
            "there are {} starts and {} goals: expected as many",
            ends[0].count, ends[1].count
        )));
    }
    let stop = AtomicBool::new(false);
    let pool = kept_pool(threads)?;
    let found = interruptible(py, &stop, || {
        let ends = [&ends[0], &ends[1]];
        pool.install(|| edges(read, robot, ends, &wanted, raises, &stop))
    })?;
    if stop.load(Ordering::Relaxed) {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    found
        .map_err(|error| refused(&error))?
        .map_err(|(row, fault)| wrong_row(row, &fault))?
        .named(py)
}

/// A trajectory as Python gives it; rows are points, columns joints that a state sets.
#[derive(FromPyObject)]
pub(crate) struct GivenTrajectory<'py> {
    #[pyo3(item)]
    times: PyReadonlyArray1<'py, f64>,
    #[pyo3(item)]
    velocities: Option<PyReadonlyArray2<'py, f64>>,
    #[pyo3(item)]
    accelerations: Option<PyReadonlyArray2<'py, f64>>,
    #[pyo3(item)]
    interpolation: String,
}

impl GivenTrajectory<'_> {
    fn trajectory(&self, robot: &Robot, states: &[Vec<f64>]) -> PyResult<Trajectory> {
        let joints = independent(robot);
        let times = self.times.as_slice()?;
        let row = |of: &Option<PyReadonlyArray2<'_, f64>>, k: usize| -> Option<Vec<f64>> {
            of.as_ref().map(|of| of.as_array().row(k).to_vec())
        };
        let points = states.iter().zip(times).enumerate();
        let points = points.map(|(k, (state, &time))| TrajectoryPoint {
            time,
            positions: joints.iter().map(|&joint| state[joint]).collect(),
            velocities: row(&self.velocities, k),
            accelerations: row(&self.accelerations, k),
        });
        Ok(Trajectory {
            place: String::new(),
            points: points.collect(),
            start: states.first().cloned().unwrap_or_default(),
            joints,
            timed: true,
        })
    }

    fn interpolation(&self) -> PyResult<Interpolation> {
        match self.interpolation.as_str() {
            "auto" => Ok(Interpolation::Auto),
            "linear" => Ok(Interpolation::Linear),
            "cubic" => Ok(Interpolation::Cubic),
            "quintic" => Ok(Interpolation::Quintic),
            other => Err(GjkError::new_err(format!(
                "interpolation is {other:?}: expected \"auto\", \"linear\", \"cubic\" or \"quintic\""
            ))),
        }
    }
}

/// What a path gives: columns by segment, columns by slice, the report of `gjk path --json`, and the certificate where it was asked for.
type AnsweredPath<'py> = (
    Bound<'py, PyDict>,
    Bound<'py, PyDict>,
    String,
    Option<String>,
);

/// Parts of which no certificate can speak.
fn refuse_uncertified(read: &Read, wanted: &PathWanted) -> PyResult<()> {
    let is_proved = wanted.verify || wanted.certificate;
    match certificate_refusal(&read.scene).filter(|_| is_proved) {
        None => Ok(()),
        Some(what) => Err(GjkError::new_err(format!(
            "no certificate can speak of this robot: {what}"
        ))),
    }
}

/// A certificate where one is wanted, and the checker's objection to it.
type PathProof = (Option<RobotCertificate>, Option<String>);

/// A trajectory checked, with its clearance over time and what proves it.
fn checked_path<'a>(
    read: &'a Read,
    robot: &'a Robot,
    (segments, options): (&[PathSegment], &'a PathOptions),
    wanted: &PathWanted,
    stop: &AtomicBool,
) -> Result<(PathsFound<'a>, PathProof), SceneError> {
    let path = link_path(read, robot, *options)?.stop(stop);
    let answer = path.check(segments)?;
    let proof = certified(read, &path, (segments, &answer), wanted)?;
    let slices = match wanted.slices {
        0 => Vec::new(),
        slices => path.profile(segments, slices, wanted.tolerance)?,
    };
    let mut found = PathsFound::new(&read.scene, robot, &read.bodies, options, &path);
    found.paths.push(CheckedPath {
        place: String::new(),
        answer,
        slices,
    });
    found.is_verified = wanted.verify && proof.0.is_some();
    Ok((found, proof))
}

/// What proves the segments, where that is wanted, and the checker's objection to it.
fn certified(
    read: &Read,
    path: &LinkPath<'_>,
    (segments, answer): (&[PathSegment], &PathAnswer),
    wanted: &PathWanted,
) -> Result<PathProof, SceneError> {
    if !(wanted.verify || wanted.certificate) || answer.segments.len() < segments.len() {
        return Ok((None, None));
    }
    let both: Vec<_> = segments.iter().zip(&answer.segments).collect();
    let made = path.certificate(&both)?;
    let asked: Vec<&PathSegment> = segments.iter().collect();
    let of = (&read.scene, &read.bodies[..]);
    let check = || {
        let pairs = path.checked_pairs();
        check_path_certificate(of, &asked, pairs, wanted.clearance, &made)
    };
    let objection = wanted.verify.then(check).and_then(Result::err);
    Ok((Some(made), objection.map(|objection| objection.to_string())))
}

/// Checks a trajectory.
#[pyfunction]
pub(crate) fn robot_path<'py>(
    py: Python<'py>,
    scene: &Scene,
    states: States<'py>,
    given: GivenTrajectory<'py>,
    wanted: PathWanted,
    threads: usize,
) -> PyResult<AnsweredPath<'py>> {
    let read = &scene.read;
    refuse_groups(read)?;
    let robot = robot(&read.scene)?;
    let trajectory = given.trajectory(robot, &states.all(&read.scene)?)?;
    let how = given.interpolation()?;
    let segments =
        PathSegment::of_trajectory(robot, &trajectory, how).map_err(|error| refused(&error))?;
    let options = wanted.options(PathOptions::default().depth_samples);
    refuse_uncertified(read, &wanted)?;
    let stop = AtomicBool::new(false);
    let pool = kept_pool(threads)?;
    let checked = interruptible(py, &stop, || {
        pool.install(|| checked_path(read, robot, (&segments, &options), &wanted, &stop))
    })?;
    if stop.load(Ordering::Relaxed) {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    let (found, (made, objection)) = checked.map_err(|error: SceneError| refused(&error))?;
    if let Some(objection) = objection {
        let text = format!("a proof does not hold, which is a bug: {objection}");
        return Err(GjkError::new_err(text));
    }
    let text = |error: serde_json::Error| GjkError::new_err(error.to_string());
    let report = serde_json::to_string(&found.report()).map_err(text)?;
    let made = made.filter(|_| wanted.certificate);
    let made = made
        .map(|made| serde_json::to_string(&made))
        .transpose()
        .map_err(text)?;
    let mut columns = Columns::new(robot);
    let checked = &found.paths[0];
    checked
        .answer
        .segments
        .iter()
        .for_each(|answer| columns.add(answer));
    let slices = profile(py, checked)?;
    Ok((columns.named(py)?.0, slices, report, made))
}

/// The clearance over time as columns.
fn profile<'py>(py: Python<'py>, checked: &CheckedPath) -> PyResult<Bound<'py, PyDict>> {
    let slices = &checked.slices;
    let columns = PyDict::new(py);
    let segment: Vec<i64> = slices.iter().map(|one| one.segment as i64).collect();
    let time: Vec<f64> = slices.iter().flat_map(|one| one.time).collect();
    let clearance = slices
        .iter()
        .flat_map(|one| [one.clearance.lower, one.clearance.upper]);
    let clearance: Vec<f64> = clearance.collect();
    let pair = slices.iter().flat_map(|one| {
        let (a, b) = one.bodies.map_or((-1, -1), |(a, b)| (a as i64, b as i64));
        [a, b]
    });
    let pair: Vec<i64> = pair.collect();
    let at: Vec<f64> = slices.iter().map(|one| one.at).collect();
    let proved: Vec<bool> = slices.iter().map(|one| one.is_proved).collect();
    columns.set_item("segment", segment.into_pyarray(py))?;
    columns.set_item("time", time.into_pyarray(py))?;
    columns.set_item("clearance", clearance.into_pyarray(py))?;
    columns.set_item("pair", pair.into_pyarray(py))?;
    columns.set_item("at", at.into_pyarray(py))?;
    columns.set_item("proved", proved.into_pyarray(py))?;
    Ok(columns)
}
