//! `gjk solvers`: which ways the library has to answer a pair, in the order in which it tries them.

use crate::exit::ExitStatus;
use crate::printer::Printer;
use crate::text::{Cell, aligned, heading, plain};
use gjk::query::{PairSolvers, pair_solvers};
use serde::Serialize;

/// Options of `gjk solvers`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  gjk solvers\n  gjk solvers --json | jq 'select(.a == \"box\")'"
)]
pub struct SolversArgs {
    /// One JSON object a row instead of a table.
    #[arg(long)]
    json: bool,
}

/// A row of the table in JSON.
#[derive(Debug, Serialize)]
struct SolverRow {
    dimension: usize,
    a: &'static str,
    b: &'static str,
    solvers: Vec<&'static str>,
}

/// Prints the table.
pub fn run(args: &SolversArgs, printer: &mut Printer) -> ExitStatus {
    let rows = pair_solvers();
    if args.json {
        for PairSolvers {
            dimension,
            a,
            b,
            solvers,
            ..
        } in rows
        {
            printer.json_line(&SolverRow {
                dimension,
                a,
                b,
                solvers,
            });
        }
        return ExitStatus::Success;
    }
    let mut cells: Vec<Vec<Cell>> = vec![
        ["", "core of A", "core of B", "tried in order"]
            .map(heading)
            .to_vec(),
    ];
    cells.extend(rows.iter().map(|row| {
        let dimension = format!("{}D", row.dimension);
        let solvers = row.solvers.join(", then ");
        [&dimension, row.a, row.b, &solvers].map(plain).to_vec()
    }));
    for line in aligned(cells) {
        printer.line(line);
    }
    printer.line("");
    printer.line("A ball's core is a point, a capsule's a segment. Every other pair, and what these leave undecided, goes on:");
    printer.line("  GJK with bounds in floats, from the caller's cache if there is one;");
    printer
        .line("  hulls: the nearest face in double-double, EPA with proved facets, exact signs;");
    printer.line(
        "  smooth bodies: EPA, on sections where both are solids of revolution about one axis.",
    );
    printer.line("A proof (`prove`, `--verify`, certificates) begins with GJK.");
    ExitStatus::Success
}
