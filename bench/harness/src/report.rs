//! The tables that people read.

use crate::engine::is_ours;
use crate::goals::{Goals, Verdict};
use crate::run::Series;
use std::fmt::Write as _;

/// ns with three digits.
fn ns(x: f64) -> String {
    if x < 100.0 {
        format!("{x:.1}")
    } else {
        format!("{x:.0}")
    }
}

/// A relative error with one digit, or a dash.
fn error(x: f64) -> String {
    if x.is_nan() {
        "-".into()
    } else {
        format!("{x:.0e}")
    }
}

/// A row an engine, fastest first, in blocks of workload and operation.
pub(crate) fn table(series: &[Series]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < series.len() {
        let head = &series[at];
        let end = series[at..]
            .iter()
            .position(|s| (&s.workload, &s.op) != (&head.workload, &head.op));
        let end = end.map_or(series.len(), |n| at + n);
        let mut block: Vec<&Series> = series[at..end].iter().collect();
        block.sort_by(|x, y| x.ns_median.total_cmp(&y.ns_median));
        let ours = block
            .iter()
            .find(|s| is_ours(&s.engine) && s.accuracy.right)
            .map(|s| s.ns_median);
        let title = format!("{} {}", head.workload, head.op);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{title:36} {:>9} {:>9} {:>7}  {:>6} {:>6} {:>6} {:>5} {:>5} {:>5}  {:>6} {:>6}",
            "ns min",
            "median",
            "/ours",
            "median",
            "p99",
            "max",
            "none",
            ">1%",
            "wrong",
            "points",
            "normal"
        );
        for s in block {
            let a = &s.accuracy;
            let ratio =
                ours.map_or_else(|| "-".into(), |ours| format!("{:.2}", s.ns_median / ours));
            let [median, p99, max] = a.errors.map(error);
            let mark = if a.right { "" } else { "  NOT RIGHT" };
            let _ = writeln!(
                text,
                "  {:34} {:>9} {:>9} {ratio:>7}  {median:>6} {p99:>6} {max:>6} {:>5} {:>5} {:>5}  {:>6} {:>6}{mark}",
                s.engine,
                ns(s.ns_min),
                ns(s.ns_median),
                a.missing,
                a.off,
                a.wrong,
                error(a.points),
                error(a.normal)
            );
        }
        at = end;
    }
    text
}

/// Every goal on a line: reached or not, the ratio asked for and the one that is; then the accuracy of our own engines.
pub(crate) fn goals(goals: &Goals, series: &[Series]) -> String {
    let mut text = format!(
        "{:20} {:16} {:>6} {:>7}  {:8}\n",
        "goal", "op", "wanted", "is", ""
    );
    let (mut reached, mut measured) = (0, 0);
    let mut left_out = 0;
    for goal in &goals.goal {
        // Part of a run has no word on the other workloads.
        if series.iter().all(|s| s.workload != goal.workload) {
            left_out += 1;
            continue;
        }
        let head = format!("{:20} {:16} {:>6}", goal.workload, goal.op, goal.ratio);
        let _ = match goal.judge(series) {
            Verdict::Measured { ratio, ours, rival } => {
                measured += 1;
                reached += usize::from(ratio >= goal.ratio);
                let mark = if ratio >= goal.ratio {
                    "reached"
                } else {
                    "NOT YET"
                };
                let [own, other] =
                    [ours, rival].map(|s| format!("{} {} {} ns", s.engine, s.op, ns(s.ns_median)));
                writeln!(text, "{head} {ratio:>7.2}  {mark:8} {own} against {other}")
            }
            Verdict::Open(why) => writeln!(text, "{head} {:>7}  {:8} {why}", "-", "open"),
        };
    }
    let (all, missed) = (goals.goal.len(), measured - reached);
    let open = all - measured - left_out;
    let _ = write!(
        text,
        "{all} goals: {reached} reached, {missed} not yet, {open} open"
    );
    text += &if left_out > 0 {
        format!(", {left_out} on workloads that did not run\n")
    } else {
        "\n".into()
    };
    let ours = series.iter().filter(|s| is_ours(&s.engine)).count();
    let broken = goals.accuracy.broken(series);
    let _ = writeln!(
        text,
        "accuracy: {} of our {ours} series keep the limits",
        ours - broken.len()
    );
    for s in broken {
        let a = &s.accuracy;
        let [_, p99, max] = a.errors.map(error);
        let (bad, engine) = (a.missing, &s.engine);
        let _ = writeln!(
            text,
            "  {} {} {engine}: p99 {p99}, max {max}, {bad} missing, {} wrong",
            s.workload, s.op, a.wrong
        );
    }
    text
}
