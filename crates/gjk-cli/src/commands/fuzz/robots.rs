//! `gjk fuzz --family ranges`: robots, whose links are proved apart over all joint values and along edges.

use super::{FuzzArgs, pool};
use crate::exit::ExitStatus;
use crate::printer::Printer;
use crate::text::{aligned, heading, plain};
use gjk_fuzz::ranges::{self, RANGE_FAMILY, RangeTally};
use std::time::Instant;

/// Runs the family of robots, which are no query lines: what is found is URDF files.
pub(super) fn run(args: &FuzzArgs, printer: &mut Printer) -> ExitStatus {
    if args.family.len() > 1 {
        printer.error(format!("the family `{RANGE_FAMILY}` runs alone"));
        return ExitStatus::BadInput;
    }
    let Some(pool) = pool(args, printer) else {
        return ExitStatus::BadInput;
    };
    let bar = printer.progress(args.cases).with_message(RANGE_FAMILY);
    let start = Instant::now();
    let run = || ranges::run(args.seed, args.from, args.cases, |count| bar.inc(count));
    let tally = pool.install(run);
    bar.finish_and_clear();
    if args.json {
        printer.json_pretty(&tally);
    } else {
        let lines = range_counts(&tally);
        lines.into_iter().for_each(|line| printer.line(line));
        let seconds = start.elapsed().as_secs_f64();
        let (cases, wrong) = (tally.cases, tally.wrong);
        printer.line(format!("\n{cases} robots in {seconds:.1} s, {wrong} wrong"));
    }
    if tally.wrong == 0 {
        return ExitStatus::Success;
    }
    let written = tally.finds.iter().try_for_each(|find| {
        std::fs::create_dir_all(&args.out)?;
        let text = format!("{}\n<!--\n{}\n-->\n", find.urdf, find.faults.join("\n"));
        let name = format!("{RANGE_FAMILY}-{}-{}.urdf", args.seed, find.case);
        std::fs::write(args.out.join(name), text)
    });
    match written {
        Ok(()) => printer.note(format!(
            "{} robots are wrong; the first of them are in {}",
            tally.wrong,
            args.out.display()
        )),
        Err(error) => printer.error(format!("{}: {error}", args.out.display())),
    }
    ExitStatus::Failure
}

/// What was counted of robots, as two tables: pairs of links over all joint values, and edges.
fn range_counts(tally: &RangeTally) -> Vec<String> {
    let rows = |columns: &[(&str, u64)]| {
        let head = columns.iter().map(|(name, _)| heading(name)).collect();
        let row = columns.iter().map(|(_, count)| plain(&count.to_string()));
        aligned(vec![head, row.collect()])
    };
    let micros = |k: usize| tally.nanoseconds[k] / 1000 / tally.cases.max(1);
    let mut lines = rows(&[
        ("pairs", tally.pairs),
        ("adjacent", tally.adjacent),
        ("never", tally.never),
        ("always", tally.always),
        ("shown", tally.shown),
        ("touch", tally.touch),
        ("open", tally.open),
        ("refused", tally.refused),
        ("leaves", tally.leaves),
        ("wrong", tally.wrong),
    ]);
    let [free, touch, undecided, close, hit] = tally.edges;
    lines.extend(rows(&[
        ("edges free", free),
        ("touch", touch),
        ("undecided", undecided),
        ("close", close),
        ("hit", hit),
        ("states", tally.states),
        ("µs prove", micros(0)),
        ("µs check", micros(1)),
        ("µs judge", micros(2)),
    ]));
    lines
}
