//! `gjk acm`: which pairs of a robot's links need no check, each with its reason and what that rests on.

use super::check::{length, stop_on_interrupt};
use super::path::{bodies_of, robot_of};
use super::proof::{ProofArgs, check_ranges};
use super::scene::{self, package};
use crate::acm::changes::{Action, ComparedPair, wanted};
use crate::acm::report::MatrixFound;
use crate::acm::{cases, page, table};
use crate::check::files::{OutputFile, output_path};
use crate::exit::ExitStatus;
use crate::printer::Printer;
use gjk::query::Interval;
use gjk_motion::{
    AlwaysRule, Basis, LinkMatrix, MatrixOptions, RangeOptions, RobotCertificate, check_certificate,
};
use gjk_scene::{
    JointLimits, LimitSet, Robot, Scene, SceneError, SceneErrorKind, Srdf, counted, read_limits,
    read_states, write_srdf,
};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

const HELP: &str = "\
Examples:
  gjk acm robot.urdf                                  the matrix, with a reason and its basis for each pair
  gjk acm robot.urdf --srdf robot.srdf --diff         what the file has wrong, with the states that show it
  gjk acm robot.urdf --update robot.srdf              the file with its pairs put right, all else to the byte
  gjk acm robot.urdf --out new.srdf --margin 0.002    pairs that may come within 2 mm stay checked
  gjk acm robot.urdf --scene cell.json                the same, with the bodies that stand around it
  gjk acm robot.urdf --limits hard --json             within the hard limits, for programs
  gjk acm robot.urdf --certificate proof.json.gz      with what proves it, for a checker
  gjk acm robot.urdf --check-certificate proof.json.gz   proves nothing, and checks that

Never is proved over all joint values within the limits, not sampled; a pair that collides is shown by a state.
Exit codes: 0 nothing is wrong, 1 a pair that the SRDF file has not checked collides (with --only-proved also: a
pair is open) or a certificate does not hold, 2 bad input or usage, 3 a bug.";

/// Options of `gjk acm`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, allow_negative_numbers = true)]
pub struct AcmArgs {
    /// A URDF file.
    robot: PathBuf,
    /// An SRDF file to compare to.
    #[arg(long, value_name = "FILE", conflicts_with = "check_certificate")]
    srdf: Option<PathBuf>,
    /// Print only pairs of which the SRDF file says something else, and a table of its reasons against those that were found.
    #[arg(long, requires = "srdf")]
    diff: bool,
    /// Write the matrix as an SRDF file: that of --srdf with other pairs, or a small one of its own.
    #[arg(long, value_name = "FILE", value_parser = output_path, conflicts_with = "check_certificate")]
    out: Option<PathBuf>,
    /// Put an SRDF file right in place: its pairs, and nothing else of it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "srdf", "check_certificate"])]
    update: Option<PathBuf>,
    /// Bodies that stand around the robot, in the frame of its root link: a scene file (`gjk schema scene`), a mesh or a folder of meshes. Pairs of a link and such a body are decided as well.
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,
    /// How far joints go: `soft` (as MoveIt: the safety controller's limits within the joint's), `hard`, `none` (a full turn), or a file of ranges.
    #[arg(long, value_name = "soft|hard|none|FILE", default_value = "soft")]
    limits: String,
    /// Which state is the default one: `moveit` (0, or the middle of the range), `zero`, a group state of the SRDF file, or a CSV file.
    #[arg(long, value_name = "moveit|zero|STATE|FILE", default_value = "moveit")]
    default_state: String,
    /// Pairs that may come nearer than D stay checked.
    #[arg(long, value_name = "D", value_parser = length, default_value_t = 0.0)]
    margin: f64,
    /// Random states a pair, to tell how often it collides.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    samples: u32,
    /// Which random states: the same seed gives the same ones, everywhere.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// At most so many cells a pair; a pair that they do not suffice for is open.
    #[arg(long, value_name = "N", default_value_t = 300_000)]
    cells: u64,
    /// How narrow the least distance must be, to this part of it: `0.1` or `10%`.
    #[arg(long, value_name = "RELATIVE", value_parser = super::check::share, default_value = "10%")]
    width: f64,
    /// At most so many cells a pair for that; the interval is as wide as they leave it.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    measure: u64,
    /// Give no reason to a pair that is not proved; an open pair then fails the command.
    #[arg(long)]
    only_proved: bool,
    /// What counts as always: `proof`, or a part of the random states such as 0.95.
    #[arg(long, value_name = "proof|PART", default_value = "proof", value_parser = always_rule)]
    always: AlwaysRule,
    /// Measure how deep every pair is that collides, which may take a second a pair; without it those alone that the SRDF file has wrong.
    #[arg(long)]
    depth: bool,
    /// Print the report as JSON (its layout: `gjk schema acm`).
    #[arg(long)]
    json: bool,
    /// Write also a page for the browser, one file: the matrix, and each pair in space in the state that shows what is said of it.
    #[arg(long, value_name = "FILE", value_parser = output_path)]
    html: Option<PathBuf>,
    /// Write also a report for CI systems, as JUnit XML: a case a pair.
    #[arg(long, value_name = "FILE", value_parser = output_path)]
    junit: Option<PathBuf>,
    /// Print at most N rows; 0: all.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "json")]
    rows: usize,
    /// Certificates.
    #[command(flatten)]
    proof: ProofArgs,
    /// Where a `package://NAME/` is.
    #[arg(long, value_name = "NAME=DIR", value_parser = package)]
    package: Vec<(String, PathBuf)>,
}

fn always_rule(text: &str) -> Result<AlwaysRule, String> {
    if text == "proof" {
        return Ok(AlwaysRule::Proof);
    }
    let fraction: f64 = text
        .parse()
        .map_err(|_| "expected `proof`, or a part of the random states such as 0.95".to_owned())?;
    if fraction > 0.0 && fraction <= 1.0 {
        Ok(AlwaysRule::Fraction(fraction))
    } else {
        Err("expected more than 0 and at most 1".to_owned())
    }
}

/// Runs the command.
pub fn run(args: &AcmArgs, printer: &mut Printer) -> ExitStatus {
    acm(args, printer).unwrap_or_else(|error| {
        printer.scene_error(&error);
        ExitStatus::BadInput
    })
}

fn acm(args: &AcmArgs, printer: &mut Printer) -> Result<ExitStatus, SceneError> {
    let start = Instant::now();
    let srdf_path = args.update.as_deref().or(args.srdf.as_deref());
    let out = args.out.as_deref().or(args.update.as_deref());
    let mut files = Outputs::default();
    let answer = files
        .open(out, args)
        .and_then(|()| answer(args, srdf_path, &files, start, printer));
    if answer.is_err() {
        files.forget();
    }
    printer.note(format!("{:.2} s", start.elapsed().as_secs_f64()));
    answer
}

/// The files that are written beside the report.
#[derive(Default)]
struct Outputs {
    srdf: Option<OutputFile>,
    html: Option<OutputFile>,
    junit: Option<OutputFile>,
    certificate: Option<OutputFile>,
}

impl Outputs {
    /// Sees before the long run whether they can be written.
    fn open(&mut self, srdf: Option<&Path>, args: &AcmArgs) -> Result<(), SceneError> {
        self.srdf = srdf.map(OutputFile::open).transpose()?;
        self.html = args.html.as_deref().map(OutputFile::open).transpose()?;
        self.junit = args.junit.as_deref().map(OutputFile::open).transpose()?;
        self.certificate = args.proof.open()?;
        Ok(())
    }

    /// Writes the reports for CI systems and for browsers.
    fn write_reports(
        &self,
        found: &MatrixFound<'_>,
        only_proved: bool,
        seconds: f64,
        printer: &mut Printer,
    ) -> Result<(), SceneError> {
        if let Some(file) = &self.junit {
            file.write(&cases::xml(found, only_proved, seconds))?;
            printer.note(format!("wrote {}", file.path().display()));
        }
        if let Some(file) = &self.html {
            file.write(&page::html(found, printer.warnings(), file.path())?)?;
            printer.note(format!("wrote {}", file.path().display()));
        }
        Ok(())
    }

    fn forget(&self) {
        let files = [&self.srdf, &self.html, &self.junit, &self.certificate];
        files.into_iter().flatten().for_each(OutputFile::forget);
    }
}

fn answer(
    args: &AcmArgs,
    srdf_path: Option<&Path>,
    files: &Outputs,
    start: Instant,
    printer: &mut Printer,
) -> Result<ExitStatus, SceneError> {
    let (mut scene, srdf) = scene::read(Some(&args.robot), srdf_path, &args.package, printer)?;
    robot_of(&scene, &args.robot)?;
    scene::add_world(&mut scene, args.scene.as_deref(), printer)?;
    let robot = robot_of(&scene, &args.robot)?;
    args.proof
        .refuse(&scene, args.scene.as_ref().unwrap_or(&args.robot))?;
    let options = options(args, robot, srdf.as_ref(), printer)?;
    let bodies = bodies_of(&scene, printer)?;
    if let Some(path) = &args.proof.check_certificate {
        return check_ranges(path, (&scene, &bodies), printer);
    }
    let matrix = LinkMatrix::new(&scene, robot, &bodies, &options)?;
    let stop = stop_on_interrupt();
    let progress = printer.progress(matrix.len() as u64).with_message("pairs");
    let on_pair = || progress.inc(1);
    let maker = matrix.stop(&stop).on_pair(&on_pair);
    let result = maker.run();
    progress.finish_and_clear();
    let matrix = result?;
    let made = || maker.certificate(&matrix);
    let check = |made: &RobotCertificate| check_certificate(&scene, &bodies, made);
    let file = files.certificate.as_ref();
    let proved = args.proof.certify(made, check, file, printer)?;
    let mut found = MatrixFound {
        scene: &scene,
        robot,
        bodies: &bodies,
        options: &options,
        matrix: &matrix,
        srdf: srdf.as_ref(),
        depths: HashMap::new(),
        is_verified: args.proof.verify && proved == ExitStatus::Success,
    };
    found.depths = depths(args, &maker, &found)?;
    let compared = found.compared();
    if args.json {
        printer.json_line(&found.report());
    } else {
        let lines = table::lines(&found, args.rows, args.diff);
        lines.iter().for_each(|line| printer.line(line));
    }
    if matrix.is_partial {
        printer.warning("stopped: the pairs above are decided, the others were not looked at");
    } else if let Some(out) = &files.srdf {
        write(out, srdf_path, &scene, robot, &compared, printer)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    files.write_reports(&found, args.only_proved, seconds, printer)?;
    Ok(status(args, &compared).worst(proved))
}

/// How deep pairs overlap in the states that show it: those that the file has wrong, or all.
fn depths(
    args: &AcmArgs,
    maker: &LinkMatrix<'_>,
    found: &MatrixFound<'_>,
) -> Result<HashMap<(usize, usize), Interval<f64>>, SceneError> {
    let mut depths = HashMap::new();
    for pair in found.compared() {
        if (args.depth || pair.is_contradiction()) && !found.matrix.is_partial {
            let depth = maker.depth(pair.found)?;
            depths.extend(depth.map(|depth| (pair.found.bodies, depth)));
        }
    }
    Ok(depths)
}

/// Writes the SRDF file.
fn write(
    out: &OutputFile,
    old: Option<&Path>,
    scene: &Scene,
    robot: &Robot,
    compared: &[ComparedPair<'_>],
    printer: &mut Printer,
) -> Result<(), SceneError> {
    let text = old.map(|path| {
        std::fs::read_to_string(path).map_err(|error| {
            SceneError::new(SceneErrorKind::Io, format!("cannot be read: {error}")).with_file(path)
        })
    });
    let text = text.transpose()?;
    let file = old.unwrap_or(out.path());
    let edit = write_srdf(text.as_deref(), file, robot, &wanted(compared, scene))?;
    edit.warnings
        .iter()
        .for_each(|warning| printer.warning(warning));
    out.write(&edit.text)?;
    printer.note(format!(
        "wrote {}: {} added, {} removed, {} changed, {} as they were, {} left alone",
        out.path().display(),
        counted(edit.added, "pair", "pairs"),
        edit.removed,
        edit.changed,
        edit.unchanged,
        edit.left_alone,
    ));
    Ok(())
}

fn status(args: &AcmArgs, compared: &[ComparedPair<'_>]) -> ExitStatus {
    let is_open = |pair: &ComparedPair<'_>| matches!(pair.found.basis, Basis::Samples { .. });
    let is_wrong = |pair: &ComparedPair<'_>| {
        let stays = args.update.is_none() || pair.action != Action::Remove;
        (pair.is_contradiction() && stays) || (args.only_proved && is_open(pair))
    };
    if compared.iter().any(is_wrong) {
        ExitStatus::Failure
    } else {
        ExitStatus::Success
    }
}

fn options(
    args: &AcmArgs,
    robot: &Robot,
    srdf: Option<&Srdf>,
    printer: &mut Printer,
) -> Result<MatrixOptions, SceneError> {
    let limits = limits(&args.limits, robot, printer)?;
    let default_state = default_state(&args.default_state, robot, srdf, printer)?;
    Ok(MatrixOptions {
        limits,
        default_state,
        range: RangeOptions {
            margin: args.margin,
            width: args.width,
            cells_max: args.cells,
            measure_cells: args.measure,
            keep_nodes: args.proof.is_made(),
        },
        samples: args.samples,
        seed: args.seed,
        always: args.always,
        only_proved: args.only_proved,
    })
}

pub(super) fn limits(
    text: &str,
    robot: &Robot,
    printer: &mut Printer,
) -> Result<JointLimits, SceneError> {
    let set = match text {
        "soft" => LimitSet::Soft,
        "hard" => LimitSet::Hard,
        "none" => LimitSet::Unlimited,
        path => {
            let file = read_limits(Path::new(path), robot)?;
            file.warnings
                .iter()
                .for_each(|warning| printer.warning(warning));
            return Ok(JointLimits {
                set: LimitSet::Soft,
                overrides: file.ranges,
            });
        }
    };
    Ok(set.into())
}

/// A state by its name; `None` for MoveIt's, which depends on the limits.
pub(super) fn default_state(
    text: &str,
    robot: &Robot,
    srdf: Option<&Srdf>,
    printer: &mut Printer,
) -> Result<Option<Vec<f64>>, SceneError> {
    match text {
        "moveit" => return Ok(None),
        "zero" => return Ok(Some(robot.zero_state())),
        _ => {}
    }
    let named = srdf.and_then(|srdf| srdf.group_states.iter().find(|state| state.name == text));
    if let Some(state) = named {
        return Ok(Some(state.over(robot, &robot.zero_state())));
    }
    let path = Path::new(text);
    if !path.exists() {
        let error = SceneError::new(
            SceneErrorKind::BadValue,
            format!("`{text}` is neither a group state of the SRDF file nor a file"),
        );
        return Err(error
            .with_expected("`moveit`, `zero`, a group state's name with --srdf, or a CSV file"));
    }
    let read = read_states(path, robot)?;
    read.warnings
        .iter()
        .for_each(|warning| printer.warning(warning));
    Ok(read.states.into_iter().next())
}
