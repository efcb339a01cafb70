//! `gjk fuzz`: adversarial pairs against exact oracles, counted by family; what is found becomes query lines.

mod robots;
mod tables;

use crate::exit::ExitStatus;
use crate::printer::Printer;
use crate::text::{aligned, heading, plain};
use gjk_fuzz::families::{FAMILIES, Family};
use gjk_fuzz::manifolds::{self, MANIFOLD_FAMILY, MANIFOLD_FAMILY_ABOUT, ManifoldTally};
use gjk_fuzz::motions::{self, MotionFamily, MotionTally};
use gjk_fuzz::ranges::{RANGE_FAMILY, RANGE_FAMILY_ABOUT};
use gjk_fuzz::report::Row;
use gjk_fuzz::solids::{self, MESH_FAMILIES, MeshFamily};
use gjk_fuzz::{Space, Task};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  gjk fuzz                                        every family, 1000 cases each
  gjk fuzz --list                                 what the families are
  gjk fuzz --family needles --cases 10000000      a campaign
  gjk fuzz --family solids --cases 1000000        pairs of meshes, run alone; so do `tetrahedra` and `ranges` (robots)
  gjk fuzz --family rays --cases 100000           rays against bodies; it, `casts`, `tois`, `vertices`, those of brinks and `manifolds` run alone
  gjk fuzz --family needles --seed 1 --from 4711 --cases 1 --dim 3 --scalar f32
                                                  one case again

Columns:
  sep touch over undec   verdicts of `contact`
  wrong                  verdicts that are not the oracles'
  uncert                 certificates that prove nothing
  missed                 intervals that miss the truth, or are none
  disagr                 cases on which two queries disagree
  slow                   answers of the exact layer
  facets lp proved       cases judged by facets, by linear program; proved by `gjk::verify`
  iter ulps              most iterations; widest interval in ulps of the pair's size
  wide                   intervals wider than 4e-14 of that size, 1e-12 of the distance and the scalar's roundings
  ns others judge        nanoseconds a case: `contact`, the other queries, judging
  slowest                microseconds of the slowest answer, other programs that ran meanwhile included

Exit codes:
  0  nothing was found
  1  something was found: the cases are in the folder of --out
  2  a family or folder that does not exist
  3  a bug in gjk fuzz itself";

/// Options of `gjk fuzz`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct FuzzArgs {
    /// A family, several with commas, or `all` families of convex bodies.
    #[arg(long, default_value = "all", value_delimiter = ',')]
    family: Vec<String>,

    /// Cases of each family in each space; families of large bodies do a part of them.
    #[arg(long, default_value_t = 1000)]
    cases: u64,

    /// Another seed, other cases.
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The first case.
    #[arg(long, default_value_t = 0)]
    from: u64,

    /// Which dimensions.
    #[arg(long, default_value = "both")]
    dim: Dimensions,

    /// Which scalars.
    #[arg(long, default_value = "both")]
    scalar: Scalars,

    /// Threads; 0: one a core. Answers do not depend on it.
    #[arg(long, default_value_t = 0)]
    threads: usize,

    /// The folder for what is found.
    #[arg(long, value_name = "DIR", default_value = "gjk-finds")]
    out: PathBuf,

    /// Ask the linear program too on every n-th case; 0: never. By default as the family's cost allows.
    #[arg(long, value_name = "N")]
    oracle_every: Option<u64>,

    /// Ask the facet oracle and the other queries on every n-th case only; every answer's proof is checked all the same.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    sample: u64,

    /// Print the families and what they are.
    #[arg(long)]
    list: bool,

    /// Print the counts as JSON.
    #[arg(long)]
    json: bool,
}

/// The dimensions to run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Dimensions {
    /// The plane.
    #[value(name = "2")]
    Two,
    /// Space.
    #[value(name = "3")]
    Three,
    /// Both.
    Both,
}

/// The scalars to run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Scalars {
    /// Single precision.
    F32,
    /// Double precision.
    F64,
    /// Both.
    Both,
}

/// The report as JSON.
#[derive(Debug, Serialize)]
struct FuzzReport<'r> {
    seed: u64,
    seconds: f64,
    found: u64,
    rows: &'r [Row],
}

/// Runs the families that were asked for.
pub fn run(args: &FuzzArgs, printer: &mut Printer) -> ExitStatus {
    if args.list {
        list(printer);
        return ExitStatus::Success;
    }
    let of_meshes = |family: &&MeshFamily| args.family.iter().any(|name| name == family.name);
    if let Some(family) = MESH_FAMILIES.iter().find(of_meshes) {
        return run_meshes(family, args, printer);
    }
    let of_motions = |family: &MotionFamily| args.family.iter().any(|name| name == family.name());
    if let Some(family) = MotionFamily::ALL.into_iter().find(of_motions) {
        return run_motions(family, args, printer);
    }
    if args.family.iter().any(|name| name == MANIFOLD_FAMILY) {
        return run_manifolds(args, printer);
    }
    if args.family.iter().any(|name| name == RANGE_FAMILY) {
        return robots::run(args, printer);
    }
    run_pairs(args, printer)
}

/// Runs families of convex bodies.
fn run_pairs(args: &FuzzArgs, printer: &mut Printer) -> ExitStatus {
    let families = match families(&args.family) {
        Ok(families) => families,
        Err(unknown) => {
            printer.error(format!(
                "there is no family `{unknown}`; see `gjk fuzz --list`"
            ));
            return ExitStatus::BadInput;
        }
    };
    let Some(pool) = pool(args, printer) else {
        return ExitStatus::BadInput;
    };
    gjk_fuzz::judge::silence_panics();
    let tasks: Vec<Task> = families
        .iter()
        .flat_map(|family| tasks(args, family))
        .collect();
    let bar = printer.progress(tasks.iter().map(|task| task.cases).sum());
    let start = Instant::now();
    let mut rows = Vec::new();
    for task in &tasks {
        bar.set_message(task.family.name);
        let tally = pool.install(|| gjk_fuzz::run(task, |count| bar.inc(count)));
        rows.push(Row::new(task.family.name, task.space, tally));
    }
    bar.finish_and_clear();
    let found = rows.iter().map(|row| row.tally.faulty).sum();
    let report = FuzzReport {
        seed: args.seed,
        seconds: start.elapsed().as_secs_f64(),
        found,
        rows: &rows,
    };
    print(args, &report, printer);
    if found == 0 {
        return ExitStatus::Success;
    }
    match save(args, &rows) {
        Ok(()) => printer.note(format!(
            "{found} cases are wrong; the first of them are in {}",
            args.out.display()
        )),
        Err(error) => printer.error(format!("{}: {error}", args.out.display())),
    }
    ExitStatus::Failure
}

fn pool(args: &FuzzArgs, printer: &mut Printer) -> Option<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads);
    match pool.build() {
        Ok(pool) => Some(pool),
        Err(error) => {
            printer.error(format!("cannot start {} threads: {error}", args.threads));
            None
        }
    }
}

/// Runs a family of meshes, which are no query lines: what is found is mesh files.
fn run_meshes(family: &MeshFamily, args: &FuzzArgs, printer: &mut Printer) -> ExitStatus {
    if args.family.len() > 1 {
        printer.error(format!("the family `{}` runs alone", family.name));
        return ExitStatus::BadInput;
    }
    let Some(pool) = pool(args, printer) else {
        return ExitStatus::BadInput;
    };
    let bar = printer.progress(args.cases).with_message(family.name);
    let start = Instant::now();
    let run = || family.run(args.seed, args.from, args.cases, |count| bar.inc(count));
    let tally = pool.install(run);
    bar.finish_and_clear();
    if args.json {
        printer.json_pretty(&tally);
    } else {
        for line in tables::mesh_counts(&tally) {
            printer.line(line);
        }
        let seconds = start.elapsed().as_secs_f64();
        printer.line(format!(
            "\n{} cases in {seconds:.1} s, {} wrong",
            tally.cases, tally.wrong
        ));
    }
    if tally.wrong == 0 {
        return ExitStatus::Success;
    }
    for find in &tally.finds {
        printer.note(format!("case {}: {}", find.number, find.message));
        let folder = args.out.join(format!("{}-{}", family.name, find.number));
        match save_meshes(&folder, find) {
            Ok(()) => printer.note(format!("  gjk check {}", folder.display())),
            Err(error) => printer.error(format!("{}: {error}", folder.display())),
        }
    }
    ExitStatus::Failure
}

/// Runs a family of motions, whose query lines are of another kind.
fn run_motions(family: MotionFamily, args: &FuzzArgs, printer: &mut Printer) -> ExitStatus {
    if args.family.len() > 1 {
        printer.error(format!("the family `{}` runs alone", family.name()));
        return ExitStatus::BadInput;
    }
    let Some(pool) = pool(args, printer) else {
        return ExitStatus::BadInput;
    };
    let spaces = spaces(args);
    let bar = printer.progress(args.cases * spaces.len() as u64);
    let (mut faulty, mut finds) = (0, Vec::new());
    let mut tallies = Vec::new();
    for space in spaces {
        let run = || {
            motions::run(family, space, args.seed, args.from, args.cases, |count| {
                bar.inc(count)
            })
        };
        let tally = pool.install(run);
        faulty += tally.faulty();
        finds.extend(tally.finds.iter().map(|find| find.spec.to_line() + "\n"));
        tallies.push((space, tally));
    }
    bar.finish_and_clear();
    if args.json {
        let rows: Vec<&MotionTally> = tallies.iter().map(|(_, tally)| tally).collect();
        printer.json_pretty(&rows);
    } else {
        for line in tables::motion_counts(&tallies) {
            printer.line(line);
        }
    }
    ended(args, printer, family.name(), faulty, &finds)
}

/// Writes the query lines that were found, if any.
fn ended(
    args: &FuzzArgs,
    printer: &mut Printer,
    family: &str,
    faulty: u64,
    finds: &[String],
) -> ExitStatus {
    if faulty == 0 {
        return ExitStatus::Success;
    }
    let file = args.out.join(format!("{family}.jsonl"));
    let written =
        std::fs::create_dir_all(&args.out).and_then(|()| std::fs::write(&file, finds.concat()));
    match written {
        Ok(()) => printer.note(format!("{faulty} cases are wrong; see {}", file.display())),
        Err(error) => printer.error(format!("{}: {error}", file.display())),
    }
    ExitStatus::Failure
}

/// Runs the family of manifolds, whose query lines are of another kind too.
fn run_manifolds(args: &FuzzArgs, printer: &mut Printer) -> ExitStatus {
    if args.family.len() > 1 {
        printer.error(format!("the family `{MANIFOLD_FAMILY}` runs alone"));
        return ExitStatus::BadInput;
    }
    let Some(pool) = pool(args, printer) else {
        return ExitStatus::BadInput;
    };
    gjk_fuzz::judge::silence_panics();
    let spaces = spaces(args);
    let bar = printer.progress(args.cases * spaces.len() as u64);
    let mut tallies = Vec::new();
    for space in spaces {
        let run = || {
            manifolds::run(space, args.seed, args.from, args.cases, |count| {
                bar.inc(count)
            })
        };
        tallies.push((space, pool.install(run)));
    }
    bar.finish_and_clear();
    if args.json {
        let rows: Vec<&ManifoldTally> = tallies.iter().map(|(_, tally)| tally).collect();
        printer.json_pretty(&rows);
    } else {
        for line in tables::manifold_counts(&tallies) {
            printer.line(line);
        }
    }
    let faulty = tallies.iter().map(|(_, tally)| tally.wrong).sum();
    let finds = tallies.iter().flat_map(|(_, tally)| &tally.finds);
    let finds: Vec<String> = finds.map(|find| find.spec.to_line() + "\n").collect();
    ended(args, printer, MANIFOLD_FAMILY, faulty, &finds)
}

/// Writes a find as two mesh files.
fn save_meshes(folder: &Path, find: &solids::Find) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, (vertices, triangles)) in ["a.obj", "b.obj"].iter().zip(&find.surfaces) {
        let vertices = vertices
            .iter()
            .map(|[x, y, z]| format!("v {x:?} {y:?} {z:?}\n"));
        let faces = triangles
            .iter()
            .map(|face| face.map(|k| k + 1))
            .map(|[a, b, c]| format!("f {a} {b} {c}\n"));
        let text: String = vertices.chain(faces).collect();
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

fn families(names: &[String]) -> Result<Vec<&'static Family>, &String> {
    if names.iter().any(|name| name == "all") {
        return Ok(FAMILIES.iter().collect());
    }
    names
        .iter()
        .map(|name| {
            FAMILIES
                .iter()
                .find(|family| family.name == name)
                .ok_or(name)
        })
        .collect()
}

/// The spaces that were asked for.
fn spaces(args: &FuzzArgs) -> Vec<Space> {
    let mut spaces = Vec::new();
    for (dim, dims) in [(2, Dimensions::Two), (3, Dimensions::Three)] {
        for (single, scalars) in [(true, Scalars::F32), (false, Scalars::F64)] {
            if [dims, Dimensions::Both].contains(&args.dim)
                && [scalars, Scalars::Both].contains(&args.scalar)
            {
                spaces.push(Space { dim, single });
            }
        }
    }
    spaces
}

fn tasks(args: &FuzzArgs, family: &'static Family) -> Vec<Task> {
    let spaces = spaces(args).into_iter();
    let wanted = spaces.filter(|space| family.planar || space.dim == 3);
    wanted
        .map(|space| Task {
            family,
            space,
            seed: args.seed,
            from: args.from,
            cases: args.cases.div_ceil(family.share),
            program_every: args.oracle_every.unwrap_or(family.program_every),
            sample: args.sample,
        })
        .collect()
}

fn list(printer: &mut Printer) {
    let rows = FAMILIES.iter().map(|family| {
        let space = if family.planar { "2D 3D" } else { "3D" };
        vec![heading(family.name), plain(space), plain(family.about)]
    });
    let of_meshes = MESH_FAMILIES
        .iter()
        .map(|family| vec![heading(family.name), plain("3D"), plain(family.about)]);
    let of_motions = MotionFamily::ALL.into_iter().map(|family| {
        vec![
            heading(family.name()),
            plain("2D 3D"),
            plain(family.about()),
        ]
    });
    let of_others = [
        (MANIFOLD_FAMILY, "2D 3D", MANIFOLD_FAMILY_ABOUT),
        (RANGE_FAMILY, "3D", RANGE_FAMILY_ABOUT),
    ]
    .map(|(name, space, about)| vec![heading(name), plain(space), plain(about)]);
    let rows = rows.chain(of_meshes).chain(of_motions).chain(of_others);
    for line in aligned(rows.collect()) {
        printer.line(line);
    }
}

fn print(args: &FuzzArgs, report: &FuzzReport<'_>, printer: &mut Printer) {
    if args.json {
        printer.json_pretty(report);
        return;
    }
    for line in tables::pair_counts(report) {
        printer.line(line);
    }
}

/// Writes what was found, a file a family.
fn save(args: &FuzzArgs, rows: &[Row]) -> std::io::Result<()> {
    std::fs::create_dir_all(&args.out)?;
    let mut names: Vec<&str> = rows
        .iter()
        .filter(|row| row.tally.faulty > 0)
        .map(|row| row.family)
        .collect();
    names.dedup();
    for name in names {
        let finds = rows
            .iter()
            .filter(|row| row.family == name)
            .flat_map(|row| &row.tally.finds);
        let text: String = finds.map(|find| find.spec.to_line() + "\n").collect();
        std::fs::write(args.out.join(format!("{name}.jsonl")), text)?;
    }
    Ok(())
}
