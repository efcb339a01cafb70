//! `gjk edges`: straight edges between states, each free or with its first hit.

use super::check::stop_on_interrupt;
use super::path::{RobotArgs, robot_of, status};
use super::proof::AskedPath;
use crate::check::files::OutputFile;
use crate::exit::ExitStatus;
use crate::path::table::PathUnit;
use crate::path::{CheckedPath, PathsFound};
use crate::printer::Printer;
use gjk_motion::{LinkPath, PathOptions, PathSegment};
use gjk_scene::{Robot, SceneError, StateEdge, read_edges};
use std::path::PathBuf;
use std::time::Instant;

const HELP: &str = "\
Examples:
  gjk edges robot.urdf edges.csv --srdf robot.srdf      which edges of a roadmap are free
  gjk edges robot.urdf edges.csv --scene cell.json      also of the bodies that stand around it
  gjk edges robot.urdf edges.csv --json                 a verdict an edge, for programs
  gjk edges robot.urdf edges.csv --certificate proof.json.gz         with what proves it, for a checker
  gjk edges robot.urdf edges.csv --check-certificate proof.json.gz   proves nothing, and checks that

EDGES: CSV with a row an edge. Columns are `JOINT:start` and `JOINT:goal` for each joint that moves, in any order.
All joints go in straight lines at once, from s = 0 to s = 1. The whole edge is checked, not samples.
Exit codes: 0 all are free, 1 a hit, too close, or not decided, or a certificate that does not hold, 2 bad input or usage, 3 a bug.";

/// Options of `gjk edges`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, allow_negative_numbers = true)]
pub struct EdgesArgs {
    /// What is shared with `gjk path`.
    #[command(flatten)]
    robot: RobotArgs,
    /// The edges: a CSV file.
    #[arg(value_name = "EDGES")]
    edges: PathBuf,
}

/// Runs the command.
pub fn run(args: &EdgesArgs, printer: &mut Printer) -> ExitStatus {
    let start = Instant::now();
    let answer = args.robot.proof.open().and_then(|file| {
        let answer = answer(args, file.as_ref(), printer);
        if answer.is_err() {
            file.iter().for_each(OutputFile::forget);
        }
        answer
    });
    let answer = answer.unwrap_or_else(|error| {
        printer.scene_error(&error);
        ExitStatus::BadInput
    });
    printer.note(format!("{:.2} s", start.elapsed().as_secs_f64()));
    answer
}

fn answer(
    args: &EdgesArgs,
    file: Option<&OutputFile>,
    printer: &mut Printer,
) -> Result<ExitStatus, SceneError> {
    let read = args.robot.read(printer)?;
    let robot = robot_of(&read.scene, &args.robot.files.urdf)?;
    let read_file = read_edges(&args.edges, robot, &read.start)?;
    read_file
        .warnings
        .iter()
        .for_each(|text| printer.warning(text));
    let segments = segments_of(args, robot, &read_file.edges)?;
    let bodies = args.robot.bodies(&read.scene, printer)?;
    let options = PathOptions {
        // A planner wants to know whether, not how deep.
        depth_samples: 0,
        ..args.robot.options()
    };
    let proof = &args.robot.proof;
    let rounds = 1 + usize::from(proof.is_made());
    let stop = stop_on_interrupt();
    let progress = printer
        .progress((segments.len() * rounds) as u64)
        .with_message("edges");
    let on_segment = || progress.inc(1);
    let path = LinkPath::new(&read.scene, robot, &bodies, read.srdf.as_ref(), options)
        .without_standing()?
        .stop(&stop)
        .on_segment(&on_segment);
    let mut found = PathsFound::new(&read.scene, robot, &bodies, &options, &path);
    found.warn_of_standing(printer);
    let asked = AskedPath {
        scene: &read.scene,
        bodies: &bodies,
        path: &path,
        segments: segments.iter().collect(),
        clearance: options.clearance,
    };
    if let Some(file) = &proof.check_certificate {
        return asked.check_file(file, printer);
    }
    let begin = Instant::now();
    let answer = path.check(&segments)?;
    let seconds = begin.elapsed().as_secs_f64();
    found.paths.push(CheckedPath {
        place: String::new(),
        answer,
        slices: Vec::new(),
    });
    let proved = asked.certify(proof, &found.paths, file, printer)?;
    progress.finish_and_clear();
    found.is_verified = proof.verify && proved == ExitStatus::Success;
    tell(args, &found, printer);
    printer.note(format!("{seconds:.3} s for the edges alone"));
    Ok(status(&found, printer).worst(proved))
}

/// The edges as segments.
fn segments_of(
    args: &EdgesArgs,
    robot: &Robot,
    edges: &[StateEdge],
) -> Result<Vec<PathSegment>, SceneError> {
    let segment = |edge: &StateEdge| {
        let [from, to] = &edge.ends;
        let at = |error: SceneError| error.with_line(edge.line).with_file(&args.edges);
        PathSegment::line(robot, from, to).map_err(at)
    };
    edges.iter().map(segment).collect()
}

/// Prints what was found.
fn tell(args: &EdgesArgs, found: &PathsFound<'_>, printer: &mut Printer) {
    if args.robot.json {
        printer.json_line(&found.edges_report());
    } else {
        let lines = found.lines(PathUnit::Edge, args.robot.rows);
        lines.iter().for_each(|line| printer.line(line));
    }
}
