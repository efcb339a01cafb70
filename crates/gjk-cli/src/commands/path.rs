//! `gjk path`: a trajectory proved free over its whole time, or its first hit.

use super::acm::{default_state, limits};
use super::check::{length, stop_on_interrupt};
use super::proof::{AskedPath, ProofArgs};
use super::scene::{self, package};
use crate::check::files::{OutputFile, output_path};
use crate::exit::ExitStatus;
use crate::path::page::PathPage;
use crate::path::table::PathUnit;
use crate::path::{CheckedPath, PathsFound};
use crate::printer::Printer;
use gjk_check::parts::{self, Body, Meshes};
use gjk_motion::{Interpolation, LinkPath, PathAnswer, PathOptions, PathSegment};
use gjk_scene::{
    Attachment, JointRange, Robot, Scene, SceneError, SceneErrorKind, Srdf, Trajectory,
    read_trajectories,
};
use std::path::{Path, PathBuf};
use std::time::Instant;

const HELP: &str = "\
Examples:
  gjk path robot.urdf motion.csv --srdf robot.srdf      each segment free, or its first hit
  gjk path robot.urdf plan.yaml --clearance 0.005       5 mm apart at all times
  gjk path robot.urdf motion.csv --profile near.csv     how near links come, over time
  gjk path robot.urdf motion.csv --html motion.html     the path in space, with its clearance, for the browser
  gjk path robot.urdf motion.csv --first --json         the first hit, for programs
  gjk path robot.urdf motion.csv --scene cell.json      also of the bodies that stand around it
  gjk path robot.urdf motion.csv --attach hand=part.stl@0,0,0.1 --attach-touch left_finger,right_finger
  gjk path robot.urdf motion.csv --certificate proof.json.gz         with what proves it, for a checker
  gjk path robot.urdf motion.csv --check-certificate proof.json.gz   proves nothing, and checks that

PATH: CSV (joint names, and `time` in seconds), or messages of ROS as YAML or JSON (JointTrajectory, RobotTrajectory,
DisplayTrajectory). The whole time is checked, not samples; on what joints do between points, see --interpolation.
Exit codes: 0 free, 1 a hit, too close, or not decided, or a certificate that does not hold, 2 bad input or usage, 3 a bug.";

/// Options of `gjk path`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, allow_negative_numbers = true)]
#[command(group = clap::ArgGroup::new("measured").args(["profile", "html"]).multiple(true))]
pub struct PathArgs {
    /// What is shared with `gjk edges`.
    #[command(flatten)]
    robot: RobotArgs,
    /// The trajectory: a `.csv`, `.yaml`, `.yml` or `.json` file.
    #[arg(value_name = "PATH")]
    trajectory: PathBuf,
    /// What joints do between points: `auto` as ros2_controllers do (cubic where points have velocities, quintic where accelerations too).
    #[arg(long, value_name = "auto|linear|cubic|quintic", default_value = "auto", value_parser = interpolation)]
    interpolation: Interpolation,
    /// Write the least clearance over time as CSV: a row a slice, with a proved interval.
    #[arg(long, value_name = "FILE", value_parser = output_path, conflicts_with = "check_certificate")]
    profile: Option<PathBuf>,
    /// Slices of the clearance a segment; 8, and with --html as many as give 64 in all.
    #[arg(long, value_name = "N", requires = "measured")]
    slices: Option<u32>,
    /// How wide the interval of a slice may be.
    #[arg(long, value_name = "D", value_parser = length, default_value_t = 0.001, requires = "measured")]
    tolerance: f64,
    /// Write a page for the browser, one file: the path in space under a slider, and its least clearance over time.
    #[arg(long, value_name = "FILE", value_parser = output_path, conflicts_with = "check_certificate")]
    html: Option<PathBuf>,
    /// End with the first segment that has a hit.
    #[arg(long, conflicts_with_all = ["all", "certificate", "verify", "check_certificate"])]
    first: bool,
    /// Look at all segments, each up to its first hit: the default.
    #[arg(long)]
    all: bool,
    /// Within which limits joints should stay; others are warned of.
    #[arg(long, value_name = "soft|hard|none|FILE", default_value = "soft")]
    limits: String,
    /// Write the segments as JUnit XML.
    #[arg(long, value_name = "FILE", value_parser = output_path, conflicts_with = "check_certificate")]
    junit: Option<PathBuf>,
}

/// The files of a robot, and what stands around it and is held by it.
#[derive(Debug, clap::Args)]
pub struct RobotFiles {
    /// A URDF file.
    #[arg(value_name = "ROBOT")]
    pub(super) urdf: PathBuf,
    /// An SRDF file: pairs that it disables are not checked.
    #[arg(long, value_name = "FILE")]
    pub(super) srdf: Option<PathBuf>,
    /// Bodies that stand around the robot, in the frame of its root link: a scene file (`gjk schema scene`), a mesh or a folder of meshes.
    #[arg(long, value_name = "FILE")]
    pub(super) scene: Option<PathBuf>,
    /// What a link carries: a mesh, a folder of meshes or a scene file, and where it stands in the link's frame. It is next to that link.
    #[arg(long, value_name = "LINK=FILE[@X,Y,Z[,R,P,Y]]", value_parser = scene::attachment)]
    pub(super) attach: Vec<Attachment>,
    /// Links that what is attached may touch, such as fingers.
    #[arg(
        long,
        value_name = "LINK,…",
        value_delimiter = ',',
        requires = "attach"
    )]
    pub(super) attach_touch: Vec<String>,
    /// Where a `package://NAME/` is.
    #[arg(long, value_name = "NAME=DIR", value_parser = package)]
    pub(super) package: Vec<(String, PathBuf)>,
}

/// What `gjk path` and `gjk edges` have in common.
#[derive(Debug, clap::Args)]
pub struct RobotArgs {
    /// What is shared with `gjk states`.
    #[command(flatten)]
    pub(super) files: RobotFiles,
    /// Links must stay this far apart.
    #[arg(long, value_name = "D", value_parser = length, default_value_t = 0.0)]
    pub(super) clearance: f64,
    /// Where joints are that the file does not name: `zero`, `moveit`, a group state of the SRDF file, or a CSV file.
    #[arg(long, value_name = "zero|moveit|STATE|FILE", default_value = "zero")]
    pub(super) start_state: String,
    /// At most so many spans of time a pair and segment; what they do not suffice for is undecided.
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(super) spans: u64,
    /// Certificates.
    #[command(flatten)]
    pub(super) proof: ProofArgs,
    /// Print the report as JSON (its layout: `gjk schema path`, `gjk schema edges`).
    #[arg(long)]
    pub(super) json: bool,
    /// Print at most N rows; 0: all.
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "json")]
    pub(super) rows: usize,
}

fn interpolation(text: &str) -> Result<Interpolation, String> {
    match text {
        "auto" => Ok(Interpolation::Auto),
        "linear" => Ok(Interpolation::Linear),
        "cubic" => Ok(Interpolation::Cubic),
        "quintic" => Ok(Interpolation::Quintic),
        _ => Err("expected `auto`, `linear`, `cubic` or `quintic`".to_owned()),
    }
}

/// A robot that was read, and where its joints are.
pub(super) struct PathRobot {
    pub(super) scene: Scene,
    pub(super) srdf: Option<Srdf>,
    pub(super) start: Vec<f64>,
}

impl RobotFiles {
    /// The robot with what stands around it and is held by it.
    pub(super) fn read(&self, printer: &mut Printer) -> Result<(Scene, Option<Srdf>), SceneError> {
        let srdf = self.srdf.as_deref();
        let (mut scene, srdf) = scene::read(Some(&self.urdf), srdf, &self.package, printer)?;
        scene::add_world(&mut scene, self.scene.as_deref(), printer)?;
        scene::attach(&mut scene, &self.attach, &self.attach_touch, printer)?;
        Ok((scene, srdf))
    }
}

impl RobotArgs {
    pub(super) fn read(&self, printer: &mut Printer) -> Result<PathRobot, SceneError> {
        let (scene, srdf) = self.files.read(printer)?;
        let robot = robot_of(&scene, &self.files.urdf)?;
        let start = default_state(&self.start_state, robot, srdf.as_ref(), printer)?;
        let start = match start {
            Some(start) => start,
            None => robot.default_state(&gjk_scene::JointLimits::default())?,
        };
        Ok(PathRobot { scene, srdf, start })
    }

    /// The bodies of the robot; parts of which no certificate can speak are refused where one is asked for.
    pub(super) fn bodies(&self, scene: &Scene, printer: &Printer) -> Result<Vec<Body>, SceneError> {
        let file = self.files.scene.as_ref().unwrap_or(&self.files.urdf);
        self.proof.refuse(scene, file)?;
        bodies_of(scene, printer)
    }

    pub(super) fn options(&self) -> PathOptions {
        PathOptions {
            clearance: self.clearance,
            cells_max: self.spans,
            ..PathOptions::default()
        }
    }
}

/// The robot of a scene.
pub(super) fn robot_of<'s>(scene: &'s Scene, file: &Path) -> Result<&'s Robot, SceneError> {
    scene.robot.as_ref().ok_or_else(|| {
        let message = "it is no robot: joints are what moves";
        SceneError::new(SceneErrorKind::Unsupported, message)
            .with_file(file)
            .with_expected("a URDF file")
    })
}

/// The bodies of a scene, with progress.
pub(super) fn bodies_of(scene: &Scene, printer: &Printer) -> Result<Vec<Body>, SceneError> {
    let meshes = parts::meshes_of(scene).len() as u64;
    let progress = printer.progress(meshes).with_message("meshes");
    let built = parts::build_watched(scene, Meshes::Exact, &|| progress.inc(1));
    progress.finish_and_clear();
    built
}

/// Runs the command.
pub fn run(args: &PathArgs, printer: &mut Printer) -> ExitStatus {
    path(args, printer).unwrap_or_else(|error| {
        printer.scene_error(&error);
        ExitStatus::BadInput
    })
}

fn path(args: &PathArgs, printer: &mut Printer) -> Result<ExitStatus, SceneError> {
    let start = Instant::now();
    let mut files = PathOutputs::default();
    let answer = files
        .open(args)
        .and_then(|()| answer(args, &files, start, printer));
    if answer.is_err() {
        files.forget();
    }
    printer.note(format!("{:.2} s", start.elapsed().as_secs_f64()));
    answer
}

/// The files that are written beside the report.
#[derive(Default)]
struct PathOutputs {
    profile: Option<OutputFile>,
    junit: Option<OutputFile>,
    html: Option<OutputFile>,
    certificate: Option<OutputFile>,
}

impl PathOutputs {
    /// Sees before the long run whether they can be written.
    fn open(&mut self, args: &PathArgs) -> Result<(), SceneError> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::open).transpose();
        self.profile = open(&args.profile)?;
        self.junit = open(&args.junit)?;
        self.html = open(&args.html)?;
        self.certificate = args.robot.proof.open()?;
        Ok(())
    }

    /// Slices a segment, of so many segments.
    fn slices(&self, args: &PathArgs, segments: usize) -> u32 {
        match (args.slices, &self.html) {
            (Some(slices), _) => slices,
            (None, Some(_)) => CheckedPath::slices_for_page(segments),
            (None, None) => 8,
        }
    }

    fn has_clearance(&self) -> bool {
        self.profile.is_some() || self.html.is_some()
    }

    /// Writes those that are asked for.
    fn write(
        &self,
        found: &PathsFound<'_>,
        seconds: f64,
        page: &PathPage<'_, '_>,
        printer: &mut Printer,
    ) -> Result<(), SceneError> {
        write(self.profile.as_ref(), || Ok(found.profile_csv()), printer)?;
        write(self.junit.as_ref(), || Ok(found.junit(seconds)), printer)?;
        let html = self.html.as_ref();
        let text = || page.html(html.map_or(Path::new(""), OutputFile::path));
        write(html, text, printer)
    }

    fn forget(&self) {
        let files = [&self.profile, &self.junit, &self.html, &self.certificate];
        files.into_iter().flatten().for_each(OutputFile::forget);
    }
}

fn answer(
    args: &PathArgs,
    files: &PathOutputs,
    start: Instant,
    printer: &mut Printer,
) -> Result<ExitStatus, SceneError> {
    let read = args.robot.read(printer)?;
    let robot = robot_of(&read.scene, &args.robot.files.urdf)?;
    let file = read_trajectories(&args.trajectory, robot, &read.start)?;
    file.warnings.iter().for_each(|text| printer.warning(text));
    let segments = segments_of(args, robot, &file.trajectories, printer)?;
    let bodies = args.robot.bodies(&read.scene, printer)?;
    let options = PathOptions {
        first_only: args.first,
        ..args.robot.options()
    };
    let stop = stop_on_interrupt();
    let proof = &args.robot.proof;
    let count = segments.iter().map(Vec::len).sum::<usize>();
    let rounds = 1 + usize::from(files.has_clearance()) + usize::from(proof.is_made());
    let progress = printer.progress((count * rounds) as u64);
    let progress = progress.with_message("segments");
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
        segments: segments.iter().flatten().collect(),
        clearance: options.clearance,
    };
    if let Some(file) = &proof.check_certificate {
        return asked.check_file(file, printer);
    }
    let slices = files.has_clearance().then(|| files.slices(args, count));
    let tasks = file.trajectories.iter().zip(&segments);
    found.paths = checked_paths(args, &path, tasks, slices)?;
    let file = files.certificate.as_ref();
    let proved = asked.certify(proof, &found.paths, file, printer)?;
    progress.finish_and_clear();
    found.is_verified = proof.verify && proved == ExitStatus::Success;
    tell(args, &found, printer);
    let seconds = start.elapsed().as_secs_f64();
    let segments = &segments[..found.paths.len()];
    let page = PathPage {
        found: &found,
        segments,
        checked: path.checked_pairs(),
        srdf: read.srdf.as_ref(),
        warnings: printer.warnings().to_vec(),
        starts: PathPage::starts(segments),
    };
    files.write(&found, seconds, &page, printer)?;
    Ok(status(&found, printer).worst(proved))
}

/// Prints what was found.
fn tell(args: &PathArgs, found: &PathsFound<'_>, printer: &mut Printer) {
    if args.robot.json {
        printer.json_line(&found.report());
    } else {
        let lines = found.lines(PathUnit::Segment, args.robot.rows);
        lines.iter().for_each(|line| printer.line(line));
    }
}

/// Checks each trajectory, and measures its clearance in so many slices a segment.
fn checked_paths<'t>(
    args: &PathArgs,
    path: &LinkPath<'_>,
    tasks: impl Iterator<Item = (&'t Trajectory, &'t Vec<PathSegment>)>,
    slices: Option<u32>,
) -> Result<Vec<CheckedPath>, SceneError> {
    let mut checked = Vec::new();
    for (one, segments) in tasks {
        let answer = path.check(segments)?;
        let is_last = args.first && has_meeting(&answer);
        let slices = match slices {
            Some(slices) => path.profile(segments, slices, args.tolerance)?,
            None => Vec::new(),
        };
        checked.push(CheckedPath {
            place: one.place.clone(),
            answer,
            slices,
        });
        if is_last {
            break;
        }
    }
    Ok(checked)
}

/// The segments of each trajectory. Warns of joints that leave their limits.
fn segments_of(
    args: &PathArgs,
    robot: &Robot,
    trajectories: &[Trajectory],
    printer: &mut Printer,
) -> Result<Vec<Vec<PathSegment>>, SceneError> {
    let in_file = |error: SceneError| error.with_file(&args.trajectory);
    let segments = trajectories
        .iter()
        .map(|one| PathSegment::of_trajectory(robot, one, args.interpolation).map_err(in_file))
        .collect::<Result<Vec<_>, _>>()?;
    warn_of_limits(args, robot, trajectories, &segments, printer)?;
    Ok(segments)
}

/// Writes a file, where it is asked for.
fn write(
    file: Option<&OutputFile>,
    text: impl FnOnce() -> Result<String, SceneError>,
    printer: &mut Printer,
) -> Result<(), SceneError> {
    if let Some(file) = file {
        file.write(&text()?)?;
        printer.note(format!("wrote {}", file.path().display()));
    }
    Ok(())
}

fn has_meeting(answer: &PathAnswer) -> bool {
    answer.segments.iter().any(|one| one.first.is_some())
}

/// The exit code; says where nothing is known.
pub(super) fn status(found: &PathsFound<'_>, printer: &mut Printer) -> ExitStatus {
    if found.is_partial() {
        printer.warning("stopped: what is above is decided, the rest was not looked at");
    }
    if found.is_clean() {
        ExitStatus::Success
    } else {
        ExitStatus::Failure
    }
}

/// Warns of joints that leave their limits, also between points.
fn warn_of_limits(
    args: &PathArgs,
    robot: &Robot,
    trajectories: &[Trajectory],
    segments: &[Vec<PathSegment>],
    printer: &mut Printer,
) -> Result<(), SceneError> {
    let limits = limits(&args.limits, robot, printer)?;
    for (trajectory, segments) in trajectories.iter().zip(segments) {
        for &joint in &trajectory.joints {
            // A joint without a range is in it.
            let Ok(JointRange::Between(range)) = robot.joint_range(joint, &limits) else {
                continue;
            };
            let outside = segments.iter().filter_map(|segment| {
                let (u, excess) = segment.outside(joint, range)?;
                Some((segment.time_at(u), excess))
            });
            if let Some((time, excess)) = outside.max_by(|a, b| a.1.total_cmp(&b.1)) {
                printer.warning(format!(
                    "{}: joint `{}` is outside of its {} limits by {excess:.3e} at {time:.6} s",
                    args.trajectory.display(),
                    robot.joints[joint].name,
                    limits.set.as_str()
                ));
            }
        }
    }
    Ok(())
}
