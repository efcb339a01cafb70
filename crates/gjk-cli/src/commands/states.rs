//! `gjk states`: states of a robot, each free or with a pair that is in contact.

use super::check::stop_on_interrupt;
use super::path::{RobotFiles, bodies_of, robot_of};
use crate::exit::ExitStatus;
use crate::path::states::StatesFound;
use crate::printer::Printer;
use gjk_check::states::States;
use gjk_motion::{LinkPath, PathOptions};
use gjk_scene::{SceneError, read_states};
use std::path::PathBuf;
use std::time::Instant;

const HELP: &str = "\
Examples:
  gjk states robot.urdf states.csv --srdf robot.srdf    which states are free
  gjk states robot.urdf --random 100000 --seed 1        how many of random states are
  gjk states robot.urdf states.csv --scene cell.json    also of the bodies that stand around it
  gjk states robot.urdf states.csv --json               a verdict a state, for programs

STATES: CSV with joint names in the header, in radians and metres, and a row a state; joints that it does not name are at zero.
A verdict and the pair are all that is told: `gjk check --states` measures every pair.
Exit codes: 0 all are free, 1 an overlap, a touch, or not decided, 2 bad input or usage, 3 a bug.";

/// Options of `gjk states`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP, allow_negative_numbers = true)]
pub struct StatesArgs {
    /// What is shared with `gjk path`.
    #[command(flatten)]
    files: RobotFiles,
    /// The states: a CSV file.
    #[arg(
        value_name = "STATES",
        required_unless_present = "random",
        conflicts_with = "random"
    )]
    states: Option<PathBuf>,
    /// N states drawn uniformly within the joints' limits.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    random: Option<u32>,
    /// Which random states: the same seed gives the same ones, everywhere.
    #[arg(long, value_name = "S", default_value_t = 0, requires = "random")]
    seed: u64,
    /// Print the report as JSON (its layout: `gjk schema states`).
    #[arg(long)]
    json: bool,
    /// Print at most N rows; 0: all.
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "json")]
    rows: usize,
}

/// Runs the command.
pub fn run(args: &StatesArgs, printer: &mut Printer) -> ExitStatus {
    let start = Instant::now();
    let answer = answer(args, printer).unwrap_or_else(|error| {
        printer.scene_error(&error);
        ExitStatus::BadInput
    });
    printer.note(format!("{:.2} s", start.elapsed().as_secs_f64()));
    answer
}

fn answer(args: &StatesArgs, printer: &mut Printer) -> Result<ExitStatus, SceneError> {
    let (scene, srdf) = args.files.read(printer)?;
    let robot = robot_of(&scene, &args.files.urdf)?;
    let states = match &args.states {
        Some(path) => {
            let read = read_states(path, robot)?;
            read.warnings
                .iter()
                .for_each(|warning| printer.warning(format!("{}: {warning}", path.display())));
            States::new(&scene, read.states)
        }
        None => States::random(&scene, robot, args.random.unwrap_or(1) as usize, args.seed),
    };
    let bodies = bodies_of(&scene, printer)?;
    let stop = stop_on_interrupt();
    let options = PathOptions::default();
    let path = LinkPath::new(&scene, robot, &bodies, srdf.as_ref(), options)
        .without_standing()?
        .stop(&stop);
    let begin = Instant::now();
    let verdicts = path.verdicts(&states);
    let seconds = begin.elapsed().as_secs_f64();
    let found = StatesFound::new(robot, &bodies, &path, verdicts)?;
    found.warn(printer);
    if args.json {
        printer.json_line(&found.report());
    } else {
        let lines = found.lines(args.rows);
        lines.iter().for_each(|line| printer.line(line));
    }
    let rate = found.len() as f64 / seconds.max(f64::MIN_POSITIVE);
    printer.note(format!(
        "{seconds:.3} s for the states alone, {rate:.0} states/s"
    ));
    Ok(if found.is_clean() {
        ExitStatus::Success
    } else {
        ExitStatus::Failure
    })
}
