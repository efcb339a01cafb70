//! `cargo xtask bench python`: rows as called from Python, here and by other libraries.
//!
//! Where it sits: beside the benchmark proper. `bench/python/compare.py` measures, and says a line a round; here they become a table, goals and a record.
//! Read [`run`]. Idea: engines take turns within a round, so the ratio of a round is of one minute, and the median of the rounds counts.

use crate::goals::{self, PythonGoal, listed};
use crate::points::unique;
use crate::{Settings, keep_texts, record};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

const OURS: &str = "gjk";

/// What is run: Python, and the folder with our package.
#[derive(Clone, Debug)]
pub(crate) struct PythonSettings {
    pub(crate) program: PathBuf,
    pub(crate) package: PathBuf,
}

/// An engine on a workload, at a number of rows a call.
#[derive(Clone, Debug, PartialEq)]
struct Series {
    workload: String,
    op: String,
    rows: u64,
    engine: String,
    /// Nanoseconds a row, by round.
    ns: Vec<f64>,
    judged: u64,
    differ: u64,
    error: f64,
}

/// Measures, prints and records; false when a goal's own answers differ.
pub(crate) fn run(settings: &Settings, python: &PythonSettings) -> Result<bool, String> {
    let lines = measured(settings, python)?;
    let (about, rows): (Vec<&String>, Vec<&String>) =
        lines.iter().partition(|line| line.starts_with('#'));
    let series = grouped(&rows)?;
    let goals = goals::read(&settings.bench.join("goals.toml"))?;
    let told = told(&goals.python, &series);
    print!("{}{told}", table(&series));
    let (machine, lscpu) = record::machine();
    let mut text = record::facts(&[], &machine);
    about.iter().for_each(|line| text += &format!("{line}\n"));
    text += &csv(&series);
    let texts = [
        (".python.csv", text.as_str()),
        (".python.goals.txt", told.as_str()),
    ];
    keep_texts(settings, !settings.quick, &machine, &texts, &lscpu)?;
    Ok(series.iter().all(|s| s.engine != OURS || s.differ == 0))
}

/// The lines of the program, each shown as it comes.
fn measured(settings: &Settings, python: &PythonSettings) -> Result<Vec<String>, String> {
    let script = settings.bench.join("python/compare.py");
    let mut command = Command::new(&python.program);
    command
        .arg(&script)
        .args(["--rounds", &settings.rounds.to_string()]);
    command
        .arg("--data")
        .arg(settings.bench.join("../../shared/data"));
    if settings.quick {
        command.arg("--quick");
    }
    command
        .env("PYTHONPATH", &python.package)
        // Threads of numpy's that wait would be counted.
        .env("OPENBLAS_NUM_THREADS", "1")
        .stdout(Stdio::piped());
    let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", script.display());
    let mut child = command.spawn().map_err(|why| failed(&why))?;
    let said = child.stdout.take().ok_or("no output")?;
    let mut lines = Vec::new();
    for line in BufReader::new(said).lines() {
        let line = line.map_err(|why| failed(&why))?;
        eprintln!("{line}");
        lines.push(line);
    }
    let status = child.wait().map_err(|why| failed(&why))?;
    if status.success() {
        Ok(lines)
    } else {
        Err(failed(&status))
    }
}

/// The lines of a series together, in the order of the first ones.
fn grouped(lines: &[&String]) -> Result<Vec<Series>, String> {
    let mut all: Vec<Series> = Vec::new();
    for line in lines {
        let one = parsed(line).ok_or_else(|| format!("compare.py said `{line}`"))?;
        let same = |s: &&mut Series| {
            (&s.workload, &s.op, s.rows, &s.engine)
                == (&one.workload, &one.op, one.rows, &one.engine)
        };
        match all.iter_mut().find(same) {
            Some(known) => {
                known.ns.extend(&one.ns);
                known.differ = known.differ.max(one.differ);
                known.error = known.error.max(one.error);
            }
            None => all.push(one),
        }
    }
    Ok(all)
}

fn parsed(line: &str) -> Option<Series> {
    let words: Vec<&str> = line.split(',').collect();
    let [workload, op, rows, engine, _, ns, judged, differ, error] = words[..] else {
        return None;
    };
    Some(Series {
        workload: workload.into(),
        op: op.into(),
        rows: rows.parse().ok()?,
        engine: engine.into(),
        ns: vec![ns.parse().ok()?],
        judged: judged.parse().ok()?,
        differ: differ.parse().ok()?,
        error: error.parse().ok()?,
    })
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n => 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]),
    }
}

impl Series {
    fn median(&self) -> f64 {
        median(self.ns.iter().copied())
    }

    fn least(&self) -> f64 {
        self.ns.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// How many times ours it takes, of the same rounds.
    fn times(&self, ours: &Self) -> f64 {
        median(self.ns.iter().zip(&ours.ns).map(|(peer, own)| peer / own))
    }
}

/// A block a workload and operation: engines with their times, and peers by ours at each number of rows.
fn table(series: &[Series]) -> String {
    let mut text = String::from(
        "ns a row: median, least; a peer's median ratio to ours; rows judged, answered otherwise, largest error\n",
    );
    for (workload, op) in unique(series.iter().map(|s| (s.workload.clone(), s.op.clone()))) {
        let here: Vec<&Series> = series
            .iter()
            .filter(|s| s.workload == workload && s.op == op)
            .collect();
        let _ = writeln!(text, "{workload} {op}");
        for one in &here {
            let called = format!("{} {}", one.engine, rows_of(one.rows));
            let mut line = format!("  {called:24} {:>9.0} {:>9.0}  ", one.median(), one.least());
            if one.engine != OURS {
                for own in here.iter().filter(|own| own.engine == OURS) {
                    line += &format!(" {:.1}x at {};", one.times(own), rows_of(own.rows));
                }
            }
            let judged = format!(" {} {} {:.0e}", one.judged, one.differ, one.error);
            let _ = writeln!(text, "{}{judged}", line.trim_end_matches(';'));
        }
    }
    text
}

fn rows_of(rows: u64) -> String {
    match rows {
        1 => "1 row".into(),
        n => format!("{n} rows"),
    }
}

fn csv(series: &[Series]) -> String {
    let mut text = String::from(
        "workload,op,rows,engine,ns_min,ns_median,rounds,judged,differ,error_max,right\n",
    );
    for s in series {
        let _ = writeln!(
            text,
            "{},{},{},{},{:.2},{:.2},{},{},{},{:.2e},{}",
            s.workload,
            s.op,
            s.rows,
            s.engine,
            s.least(),
            s.median(),
            s.ns.len(),
            s.judged,
            s.differ,
            s.error,
            s.differ == 0
        );
    }
    text
}

/// A line a goal.
fn told(goals: &[PythonGoal], series: &[Series]) -> String {
    listed("Python", goals.iter().map(|goal| one_told(goal, series)))
}

fn one_told(goal: &PythonGoal, series: &[Series]) -> (Option<bool>, String) {
    let find = |engine: &str, rows: Option<u64>| {
        series.iter().find(|s| {
            s.workload == goal.workload
                && s.op == goal.op
                && s.engine == engine
                && rows.is_none_or(|rows| rows == s.rows)
        })
    };
    let head = format!("{} {}, {}", goal.workload, goal.op, rows_of(goal.rows));
    let Some(own) = find(OURS, Some(goal.rows)) else {
        return (None, format!("{head}: ours did not run"));
    };
    if let Some(most) = goal.ns_max {
        // What else runs on a machine only adds.
        let least = own.least();
        return (
            Some(least <= most),
            format!("{head}: {least:.0} ns a row (goal {most})"),
        );
    }
    let peer = goal.against.as_deref().unwrap_or_default();
    match find(peer, None) {
        Some(rival) => {
            let times = rival.times(own);
            let line = format!("{head}: {times:.2} times {peer} (goal {})", goal.ratio);
            (Some(times >= goal.ratio), line)
        }
        None => (None, format!("{head}: {peer} did not run")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(lines: &[&str]) -> Vec<Series> {
        let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        grouped(&lines.iter().collect::<Vec<_>>()).expect("lines")
    }

    #[test]
    fn ratios_are_of_the_same_round() {
        let all = series(&[
            "box,boolean,1000,gjk,0,100,1000,0,0",
            "box,boolean,1,peer,0,1000,1000,0,0",
            "box,boolean,1000,gjk,1,300,1000,0,0",
            "box,boolean,1,peer,1,3000,1000,2,1e-3",
        ]);
        assert_eq!(all.len(), 2);
        assert!((all[1].times(&all[0]) - 10.0).abs() < 1e-12);
        assert_eq!((all[1].differ, all[1].error), (2, 1e-3));
        assert!(table(&all).contains("10.0x at 1000 rows"));
        assert!(csv(&all).contains("box,boolean,1,peer,1000.00,2000.00,2,1000,2,1.00e-3,false"));
    }

    #[test]
    fn a_goal_is_a_ratio_or_a_limit() {
        let all = series(&[
            "box,boolean,1000,gjk,0,100,1000,0,0",
            "box,boolean,1,peer,0,1000,1000,0,0",
        ]);
        let goal = |text: &str| -> Option<bool> {
            let text = format!("workload = \"box\"\nop = \"boolean\"\n{text}");
            one_told(&toml::from_str(&text).expect("a goal"), &all).0
        };
        assert_eq!(
            goal("rows = 1000\nagainst = \"peer\"\nratio = 9"),
            Some(true)
        );
        assert_eq!(
            goal("rows = 1000\nagainst = \"peer\"\nratio = 11"),
            Some(false)
        );
        assert_eq!(goal("rows = 1000\nns_max = 99"), Some(false));
        assert_eq!(goal("rows = 1\nns_max = 99"), None);
        assert_eq!(goal("rows = 1000\nagainst = \"other\"\nratio = 1"), None);
    }

    #[test]
    fn other_lines_are_refused() {
        let line = "box,boolean".to_owned();
        assert!(grouped(&[&line]).is_err());
    }
}
