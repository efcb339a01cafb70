//! `gjk check`: which bodies of a scene overlap, touch or come too close.

use super::scene::{self, package};
use crate::check::files::{OutputFile, output_path};
use crate::check::{certificates, checked::Checked, junit::JunitReport};
use crate::exit::ExitStatus;
use crate::printer::Printer;
use gjk_check::decomposition;
use gjk_check::parts::{self, Body, Fidelity, Meshes};
use gjk_check::states::States;
use gjk_check::{Check, CheckResult, Criteria, Verification, example, pairs::Pairs};
use gjk_scene::{Robot, Scene, SceneError, SceneErrorKind, Srdf, counted, read_states};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

const HELP: &str = "\
Examples:
  gjk check                                       the built-in example
  gjk check robot.urdf --srdf robot.srdf          a robot with all joints at zero
  gjk check robot.urdf --random 1000 --seed 1     1000 random states
  gjk check robot.urdf --states path.csv --clearance 0.02 --json
  gjk check parts/                                a folder of meshes, a body each
  gjk check parts/ --depth 1%                     with how far they reach into one another
  gjk check parts/ --html report.html             and a page that shows each pair found, in space
  gjk check parts/ --junit report.xml             and a report for CI systems

A mesh is taken as it is: convex, a closed solid, or a surface, and the report says which. With
--meshes hull its hull stands for it, with --meshes parts DIR the convex parts that another program made of it.
Exit codes: 0 nothing overlaps (nor is nearer than the clearance, when one is given), 1 something
does, 2 bad input or usage, 3 a bug.";

/// Options of `gjk check`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, allow_negative_numbers = true)]
pub struct CheckArgs {
    /// A URDF, a mesh, a folder of meshes, or a scene file (JSON, TOML); none: a built-in example.
    scene: Option<PathBuf>,
    /// An SRDF file: the pairs that its `disable_collisions` name are skipped.
    #[arg(long, value_name = "FILE")]
    srdf: Option<PathBuf>,
    /// Look also at links that one joint joins.
    #[arg(long)]
    include_adjacent: bool,
    /// Take links that only fixed joints hold together as one body.
    #[arg(long)]
    group_fixed: bool,
    /// States from a CSV file: joint names in the header, radians and metres, a row a state.
    #[arg(long, value_name = "FILE")]
    states: Option<PathBuf>,
    /// N states drawn uniformly within the joints' limits.
    #[arg(long, value_name = "N", conflicts_with = "states", value_parser = clap::value_parser!(u32).range(1..))]
    random: Option<u32>,
    /// Which random states: the same seed gives the same ones, everywhere.
    #[arg(long, value_name = "S", default_value_t = 0, requires = "random")]
    seed: u64,
    /// Report also pairs that are not proved to be D apart; they, and touches, then fail the check.
    #[arg(long, value_name = "D", value_parser = length)]
    clearance: Option<f64>,
    /// Report every pair that is looked at, with its distance.
    #[arg(long)]
    all_pairs: bool,
    /// Call gaps and overlaps of at most D touching.
    #[arg(long, value_name = "D", value_parser = length)]
    touch_band: Option<f64>,
    /// Measure how deep meshes overlap, to this part of the depth: `0.01` or `1%`. Without it a mesh that is not convex only overlaps.
    #[arg(long, value_name = "RELATIVE", value_parser = share)]
    depth: Option<f64>,
    /// Answer by floats alone, without the exact layer, to see which pairs they cannot decide.
    #[arg(long)]
    float_only: bool,
    /// What a mesh that is not convex is taken for.
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    meshes: MeshesArg,
    /// With `--meshes parts`: the folder of the parts. Those of arm.stl are the mesh files in DIR/arm/, or DIR/arm_0.obj and so on, or DIR/arm.obj.
    #[arg(long, value_name = "DIR", required_if_eq("meshes", "parts"))]
    parts: Option<PathBuf>,
    /// Whether bodies of one pose are compared in their own frame (on), before the pose rounds them, or in the world too (off).
    #[arg(long, value_enum, value_name = "ON|OFF", default_value_t)]
    flush: FlushArg,
    /// Fail where a mesh is neither convex nor a solid.
    #[arg(long)]
    require_solid: bool,
    /// Have each pair found checked by a second program that shares nothing with the first but integers, by certificates: with --json `verified` says what
    /// is proved. A summary on standard error; a wrong answer is exit code 3.
    #[arg(long)]
    verify: bool,
    /// Write also what proves the relation and the distance or depth of each pair of meshes, for programs of others: JSON Lines (a line's layout: `gjk schema certificate`).
    #[arg(long, value_name = "FILE", value_parser = output_path)]
    certificates: Option<PathBuf>,
    /// Print the report as JSON (its layout: `gjk schema check`).
    #[arg(long)]
    json: bool,
    /// Write also a page for the browser, one file: the pairs found, and the bodies in space.
    #[arg(long, value_name = "FILE", value_parser = output_path)]
    html: Option<PathBuf>,
    /// Write also a report for CI systems, as JUnit XML: a case a pair, and one for all that nothing was found of.
    #[arg(long, value_name = "FILE", value_parser = output_path)]
    junit: Option<PathBuf>,
    /// Print at most N rows of pairs; 0: all.
    #[arg(long, value_name = "N", default_value_t = 40, conflicts_with = "json")]
    rows: usize,
    /// Where a `package://NAME/` is.
    #[arg(long, value_name = "NAME=DIR", value_parser = package)]
    package: Vec<(String, PathBuf)>,
}

/// What a mesh that is not convex is taken for.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum MeshesArg {
    /// Itself: a closed mesh is a solid, any other is a surface.
    #[default]
    Exact,
    /// Its hull, which is larger.
    Hull,
    /// Convex parts that were made of it, in files of `--parts`.
    Parts,
}

/// Where bodies of one pose are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum FlushArg {
    /// In their own frame: what was designed to touch touches.
    #[default]
    On,
    /// In the world, as the pose rounds them.
    Off,
}

impl From<MeshesArg> for Meshes {
    fn from(how: MeshesArg) -> Self {
        match how {
            MeshesArg::Exact => Self::Exact,
            // Parts take the meshes' places before; of each its hull is meant.
            MeshesArg::Hull | MeshesArg::Parts => Self::Hull,
        }
    }
}

pub(super) fn length(text: &str) -> Result<f64, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| "expected a number in the scene's length unit".to_owned())?;
    if number.is_finite() && number >= 0.0 {
        Ok(number)
    } else {
        Err("expected a finite number, 0 or more".to_owned())
    }
}

/// A part of a number: `0.01` or `1%`.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = text
        .strip_suffix('%')
        .map_or((text, 1.0), |number| (number, 0.01));
    let number: f64 = number
        .trim()
        .parse()
        .map_err(|_| "expected a part of the depth: a number or per cent".to_owned())?;
    let share = number * unit;
    if share > 0.0 && share <= 1.0 {
        Ok(share)
    } else {
        Err("expected more than 0 and at most 1, or 100%".to_owned())
    }
}

/// Runs the command.
pub fn run(args: &CheckArgs, printer: &mut Printer) -> ExitStatus {
    let files = match Files::open(args) {
        Ok(files) => files,
        Err(error) => {
            printer.scene_error(&error);
            return ExitStatus::BadInput;
        }
    };
    let status = check(args, &files, printer);
    if status.is_none() {
        files.forget();
    }
    status.unwrap_or(ExitStatus::BadInput)
}

/// The files that are written beside the report.
#[derive(Default)]
struct Files {
    html: Option<OutputFile>,
    junit: Option<OutputFile>,
    certificates: Option<OutputFile>,
}

impl Files {
    /// Sees before the long run whether they can be written.
    fn open(args: &CheckArgs) -> Result<Self, SceneError> {
        let named = [
            ("--html", &args.html),
            ("--junit", &args.junit),
            ("--certificates", &args.certificates),
        ];
        for (k, (option, path)) in named.iter().enumerate() {
            let same = named[..k]
                .iter()
                .find(|(_, other)| path.is_some() && other == path);
            if let (Some((other, _)), Some(path)) = (same, path) {
                let message = format!("{other} and {option} name the same file");
                return Err(SceneError::new(SceneErrorKind::BadValue, message)
                    .with_file(path)
                    .with_help("give each a file of its own"));
            }
        }
        let mut files = Self::default();
        let places = [&mut files.html, &mut files.junit, &mut files.certificates];
        let mut refused = None;
        for (place, (_, path)) in places.into_iter().zip(named) {
            match path.as_deref().map(OutputFile::open).transpose() {
                Ok(file) => *place = file,
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        let Some(error) = refused else {
            return Ok(files);
        };
        files.forget();
        Err(error)
    }

    fn forget(&self) {
        let files = [&self.html, &self.junit, &self.certificates];
        files.into_iter().flatten().for_each(OutputFile::forget);
    }
}

/// Checks and reports; `None` where that was not possible, and was said.
fn check(args: &CheckArgs, files: &Files, printer: &mut Printer) -> Option<ExitStatus> {
    let start = Instant::now();
    let read = scene::read(
        args.scene.as_deref(),
        args.srdf.as_deref(),
        &args.package,
        printer,
    );
    let (mut scene, srdf) = read.map_err(|error| printer.scene_error(&error)).ok()?;
    take_parts(args, &mut scene, printer)?;
    if let Some(option) = robot_option(args).filter(|_| scene.robot.is_none()) {
        printer.error(format!(
            "{option} needs a robot (URDF), and `{}` is none",
            scene.name
        ));
        return None;
    }
    if scene.bodies.len() < 2 {
        let count = if scene.bodies.is_empty() { "no" } else { "one" };
        printer.warning(format!(
            "`{}` has {count} body that can collide: there is no pair to look at",
            scene.name
        ));
    }
    let answer = answer(args, &scene, srdf.as_ref(), printer).map_err(|error| {
        let error = args
            .scene
            .iter()
            .fold(error, |error, path| error.with_file(path));
        printer.scene_error(&error);
    });
    let answer = answer.ok()?;
    let seconds = start.elapsed().as_secs_f64();
    let criteria = criteria(args);
    let checked = answer.checked(&scene, &criteria);
    let written = report(args, files, &checked, seconds, printer);
    if criteria.verify {
        verified(&answer, printer);
    }
    printer.note(format!("{:.2} s", start.elapsed().as_secs_f64()));
    let status = checked.status();
    Some(match written {
        Ok(()) => status,
        Err(error) => {
            printer.scene_error(&error);
            ExitStatus::BadInput
        }
    })
}

/// Says what the checker said.
fn verified(answer: &Answer<'_>, printer: &mut Printer) {
    let said = || {
        answer
            .result
            .pairs
            .iter()
            .filter_map(|pair| pair.verification.as_ref())
    };
    let count = |of: fn(&Verification) -> bool| said().filter(|said| of(said)).count();
    for pair in &answer.result.pairs {
        let objection = pair
            .verification
            .as_ref()
            .and_then(|said| said.objection.as_ref());
        if let Some(objection) = objection {
            let name = |body: usize| &answer.bodies[body].name;
            printer.error(format!(
                "state {}: {} and {}: {objection}. This is a bug in gjk, not in your input: please report it.",
                pair.state,
                name(pair.bodies.0),
                name(pair.bodies.1)
            ));
        }
    }
    let objections = count(|said| said.objection.is_some());
    let ends: Vec<bool> = said()
        .filter_map(|said| said.protrusion)
        .flat_map(|of| of.into_iter().flatten().flatten())
        .collect();
    let reaches = if ends.is_empty() {
        String::new()
    } else {
        let proved = ends.iter().filter(|end| **end).count();
        format!(", {proved} of {} ends of protrusions", ends.len())
    };
    printer.note(format!(
        "{}: {} verified, {}, {}{reaches}; {}",
        counted(said().count(), "pair", "pairs"),
        counted(count(Verification::is_proved), "relation", "relations"),
        counted(count(|said| said.lower), "lower end", "lower ends"),
        counted(count(|said| said.upper), "upper end", "upper ends"),
        counted(objections, "objection", "objections"),
    ));
}

/// Puts the parts in the place of their meshes where that is asked for; `None` where that was not possible, and was said.
fn take_parts(args: &CheckArgs, scene: &mut Scene, printer: &mut Printer) -> Option<()> {
    let (MeshesArg::Parts, Some(folder)) = (args.meshes, &args.parts) else {
        if args.parts.is_some() {
            printer.error("--parts DIR is for --meshes parts: give both");
            return None;
        }
        return Some(());
    };
    let replaced = decomposition::replace(scene, folder);
    let replaced = replaced.map_err(|error| printer.scene_error(&error)).ok()?;
    let count: usize = replaced.iter().map(|mesh| mesh.parts).sum();
    printer.note(format!(
        "{} taken as {} of {}; `gjk audit MESH --parts DIR` says how near they are",
        counted(replaced.len(), "mesh", "meshes"),
        counted(count, "convex part", "convex parts"),
        folder.display()
    ));
    Some(())
}

/// What was checked, and what was found.
struct Answer<'a> {
    bodies: Vec<Body>,
    pairs: Pairs,
    states: States<'a>,
    result: CheckResult,
}

impl Answer<'_> {
    fn checked<'a>(&'a self, scene: &'a Scene, criteria: &'a Criteria) -> Checked<'a> {
        Checked {
            scene,
            bodies: &self.bodies,
            pairs: &self.pairs,
            states: &self.states,
            criteria,
            result: &self.result,
        }
    }
}

/// Prints the report for programs or for people, and writes the files.
fn report(
    args: &CheckArgs,
    files: &Files,
    checked: &Checked<'_>,
    seconds: f64,
    printer: &mut Printer,
) -> Result<(), SceneError> {
    let table = checked.table(args.rows);
    if args.json {
        printer.json_line(&checked.report());
    } else {
        table.lines().iter().for_each(|line| printer.line(line));
    }
    if let Some(file) = &files.junit {
        let junit = JunitReport {
            scene: checked.scene,
            table: &table,
            seconds,
        };
        file.write(&junit.xml())?;
        printer.note(format!("wrote {}", file.path().display()));
    }
    if let Some(file) = &files.certificates {
        let (lines, count) = certificates::lines(checked.bodies, checked.result)
            .map_err(|error| cannot_write(file, &error.to_string()))?;
        file.write(&lines)?;
        let count = counted(count, "certificate", "certificates");
        printer.note(format!("wrote {} ({count})", file.path().display()));
    }
    if let Some(file) = &files.html {
        let html = checked
            .html(args.rows, printer.warnings())
            .map_err(|error| cannot_write(file, &error.to_string()))?;
        file.write(&html)?;
        let size = html.len() as f64 / 1e6;
        printer.note(format!("wrote {} ({size:.1} MB)", file.path().display()));
    }
    Ok(())
}

fn cannot_write(file: &OutputFile, why: &str) -> SceneError {
    SceneError::new(SceneErrorKind::Io, format!("cannot be written: {why}")).with_file(file.path())
}

/// What to look for; the example shows its near miss unasked.
fn criteria(args: &CheckArgs) -> Criteria {
    let clearance = args
        .clearance
        .or(args.scene.is_none().then_some(example::CLEARANCE));
    Criteria {
        clearance,
        touch_band: args.touch_band.unwrap_or(0.0),
        all_pairs: args.all_pairs,
        float_only: args.float_only,
        depth: args.depth,
        only_in_world: args.flush == FlushArg::Off,
        verify: args.verify || args.certificates.is_some(),
        keep_certificates: args.certificates.is_some(),
    }
}

/// The first option given that only a robot has a use for.
fn robot_option(args: &CheckArgs) -> Option<&'static str> {
    let given = [
        (args.srdf.is_some(), "--srdf"),
        (args.include_adjacent, "--include-adjacent"),
        (args.group_fixed, "--group-fixed"),
        (args.states.is_some(), "--states"),
        (args.random.is_some(), "--random"),
    ];
    given
        .into_iter()
        .find(|(is_given, _)| *is_given)
        .map(|(_, option)| option)
}

fn answer<'a>(
    args: &CheckArgs,
    scene: &'a Scene,
    srdf: Option<&Srdf>,
    printer: &mut Printer,
) -> Result<Answer<'a>, SceneError> {
    let states = states(args, scene, printer)?;
    let meshes = parts::meshes_of(scene).len() as u64;
    let progress = printer.progress(meshes).with_message("meshes");
    let built = parts::build_watched(scene, args.meshes.into(), &|| progress.inc(1));
    progress.finish_and_clear();
    let mut bodies = built?;
    if args.require_solid {
        require_solid(&bodies)?;
    }
    if args.group_fixed {
        bodies = parts::group_fixed(bodies, scene);
    }
    let pairs = Pairs::new(scene, &bodies, srdf, args.include_adjacent);
    let stop = stop_on_interrupt();
    let progress = printer.progress(states.len() as u64).with_message("states");
    let result = Check::new(&bodies, &pairs)
        .criteria(criteria(args))
        .stop(&stop)
        .on_state(&|| progress.inc(1))
        .run(&states);
    progress.finish_and_clear();
    Ok(Answer {
        bodies,
        pairs,
        states,
        result: result?,
    })
}

/// An error for the first mesh that is neither convex nor a solid.
fn require_solid(bodies: &[Body]) -> Result<(), SceneError> {
    let parts = bodies
        .iter()
        .flat_map(|body| body.parts.iter().map(move |part| (body, part)));
    for (body, part) in parts {
        let why = match part.fidelity {
            Fidelity::Surface { reason } => format!("a surface and no solid: {reason}"),
            Fidelity::Hull { .. } => "no solid: its hull stands for it".to_owned(),
            _ => continue,
        };
        return Err(SceneError::new(SceneErrorKind::BadValue, format!("it is {why}"))
            .with_element(format!("body `{}`: mesh `{}`", body.name, part.source))
            .with_help("`gjk audit` shows where it is open; without --require-solid it is taken as it is"));
    }
    Ok(())
}

fn states<'a>(
    args: &CheckArgs,
    scene: &'a Scene,
    printer: &mut Printer,
) -> Result<States<'a>, SceneError> {
    match (&scene.robot, &args.states, args.random) {
        (Some(robot), Some(path), _) => from_file(scene, robot, path, printer),
        (Some(robot), None, Some(count)) => {
            Ok(States::random(scene, robot, count as usize, args.seed))
        }
        _ => Ok(States::zero(scene)),
    }
}

fn from_file<'a>(
    scene: &'a Scene,
    robot: &Robot,
    path: &Path,
    printer: &mut Printer,
) -> Result<States<'a>, SceneError> {
    let read = read_states(path, robot)?;
    read.warnings
        .iter()
        .for_each(|warning| printer.warning(format!("{}: {warning}", path.display())));
    Ok(States::new(scene, read.states))
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program as usual.
pub(super) fn stop_on_interrupt() -> Arc<AtomicBool> {
    /// What a shell reports for a program that SIGINT ended.
    const INTERRUPTED: i32 = 130;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Without a handler Ctrl-C ends the program at once, which is no worse than before.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    });
    stop
}
