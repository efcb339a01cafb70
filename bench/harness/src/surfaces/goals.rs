//! The goals of `../../goals.toml` about surfaces: reached or not, and by how much.

use super::sets::Kind;
use super::{OURS, Row};
use crate::goals::{SurfaceGoal, listed};

/// A line a goal.
pub(super) fn told(goals: &[SurfaceGoal], rows: &[Row]) -> String {
    let one = |goal: &SurfaceGoal| match &goal.against {
        Some(peer) => ratio(goal, peer, rows),
        None => limit(goal, rows),
    };
    listed("surfaces", goals.iter().map(one))
}

fn row<'r>(rows: &'r [Row], set: &str, op: &str, engine: &str) -> Option<&'r Row> {
    rows.iter()
        .find(|r| r.set == set && r.op == op && r.engine.starts_with(engine))
}

/// Their times by ours, over the sets of pairs.
fn ratio(goal: &SurfaceGoal, peer: &str, rows: &[Row]) -> (Option<bool>, String) {
    let their_op = goal.against_op.as_deref().unwrap_or(&goal.op);
    let ours = rows
        .iter()
        .filter(|r| r.kind == Kind::Pairs && r.op == goal.op && r.engine == OURS);
    let ratios: Vec<(f64, &str, bool)> = ours
        .filter_map(|own| {
            let rival = row(rows, &own.set, their_op, peer)?;
            Some((rival.times(own), own.set.as_str(), rival.wrong == 0))
        })
        .collect();
    let head = format!("{} against {peer}", goal.op);
    if ratios.is_empty() {
        return (None, format!("{head}: not both ran"));
    }
    let mean = (ratios.iter().map(|r| r.0.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let least = ratios.iter().min_by(|x, y| x.0.total_cmp(&y.0));
    let (low, set) = least.map_or((f64::NAN, ""), |least| (least.0, least.1));
    let is_reached =
        goal.mean.is_none_or(|goal| mean >= goal) && goal.least.is_none_or(|goal| low >= goal);
    let wanted = |x: Option<f64>| x.map_or_else(String::new, |x| format!(" (goal {x})"));
    let wrong = ratios.iter().filter(|r| !r.2).count();
    let wrong = if wrong > 0 {
        format!("; {wrong} sets with answers of theirs that are not ours")
    } else {
        String::new()
    };
    let line = format!(
        "{head}: {mean:.2} times over {} sets{}, least {low:.2} on {set}{}{wrong}",
        ratios.len(),
        wanted(goal.mean),
        wanted(goal.least),
    );
    (Some(is_reached), line)
}

/// The worst of our own numbers: of each set's time that of the quietest process, since what else runs only adds to it.
fn limit(goal: &SurfaceGoal, rows: &[Row]) -> (Option<bool>, String) {
    let here = || {
        rows.iter().filter(|r| {
            let asked = goal.set.as_ref().is_none_or(|set| *set == r.set);
            r.engine == OURS && r.op == goal.op && asked
        })
    };
    let mut line = goal.op.clone();
    let mut is_reached = true;
    let mut add = |unit: &str, max: Option<f64>, of: fn(&Row) -> Option<f64>| -> Option<()> {
        let Some(max) = max else {
            return Some(());
        };
        let worst = here()
            .filter_map(|r| Some((of(r)?, r.set.as_str())))
            .max_by(|x, y| x.0.total_cmp(&y.0))?;
        is_reached &= worst.0 <= max;
        line += &format!(
            " at most {:.3} {unit} on {} (goal {max});",
            worst.0, worst.1
        );
        Some(())
    };
    let done = add("us", goal.us_max, |r| {
        r.medians
            .iter()
            .copied()
            .reduce(f64::min)
            .map(|ns| 1e-3 * ns)
    })
    .and_then(|()| add("bytes", goal.bytes_max, |r| r.bytes));
    match done {
        Some(()) => (Some(is_reached), line.trim_end_matches(';').to_owned()),
        None => (None, format!("{}: ours did not run", goal.op)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(set: &str, op: &str, engine: &str, ns: f64) -> Row {
        Row {
            set: set.into(),
            kind: Kind::Pairs,
            op: op.into(),
            engine: engine.into(),
            triangles: 1000,
            pairs: 10,
            ns_min: ns,
            medians: vec![ns],
            bytes: Some(0.1 * ns),
            wrong: 0,
        }
    }

    fn goal(text: &str) -> SurfaceGoal {
        toml::from_str(text).expect("a goal")
    }

    #[test]
    fn a_mean_is_geometric_and_the_least_counts() {
        let rows = [
            row("a", "meet", OURS, 100.0),
            row("a", "meet", "pqp", 200.0),
            row("b", "meet", OURS, 100.0),
            row("b", "meet", "pqp", 800.0),
        ];
        let (reached, line) = ratio(&goal("op = \"meet\"\nmean = 3.9"), "pqp", &rows);
        assert_eq!(reached, Some(true), "{line}");
        assert!(line.contains("4.00 times over 2 sets") && line.contains("least 2.00 on a"));
        let least = goal("op = \"meet\"\nmean = 3.9\nleast = 2.1");
        assert_eq!(ratio(&least, "pqp", &rows).0, Some(false));
        assert_eq!(
            ratio(&goal("op = \"within\"\nmean = 1"), "pqp", &rows).0,
            None
        );
    }

    #[test]
    fn what_ran_in_one_round_is_compared_and_a_limit_is_of_the_quietest_process() {
        let with = |engine: &str, medians: [f64; 3]| Row {
            medians: medians.to_vec(),
            ..row("a", "meet", engine, 0.0)
        };
        // The machine is half as fast in the second round, and while a peer runs in the third.
        let rows = [
            with(OURS, [100.0, 200.0, 100.0]),
            with("pqp", [400.0, 800.0, 900.0]),
        ];
        let (_, line) = ratio(&goal("op = \"meet\"\nmean = 4"), "pqp", &rows);
        assert!(line.contains("4.00 times"), "{line}");
        let (reached, line) = limit(&goal("op = \"meet\"\nus_max = 0.1"), &rows);
        assert_eq!(reached, Some(true), "{line}");
    }

    #[test]
    fn a_limit_is_of_the_worst_set_or_of_one() {
        let rows = [
            row("a", "build", OURS, 500.0),
            row("b", "build", OURS, 1500.0),
        ];
        let of = |text: &str| limit(&goal(text), &rows).0;
        assert_eq!(of("op = \"build\"\nus_max = 1"), Some(false));
        assert_eq!(of("op = \"build\"\nus_max = 1\nset = \"a\""), Some(true));
        assert_eq!(
            of("op = \"build\"\nus_max = 1\nset = \"a\"\nbytes_max = 49"),
            Some(false)
        );
        assert_eq!(of("op = \"inside\"\nus_max = 1"), None);
    }
}
