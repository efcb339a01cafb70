//! `../goals.toml` against a run: reached or not, and by how much.

use crate::engine::is_ours;
use crate::run::Series;
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::Path;

/// One goal: how many times faster than something we mean to be.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Goal {
    pub(crate) workload: String,
    pub(crate) op: String,
    /// Their ns by ours is at least this.
    pub(crate) ratio: f64,
    /// Peers whose names begin like this alone; all of them without.
    #[serde(default)]
    against: Option<String>,
    /// Our own engines at another operation instead of peers.
    #[serde(default)]
    against_own: Option<String>,
}

/// What our own engines must not miss on any file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Limits {
    /// No error of `f32` is above this, and no boolean is wrong.
    f32_max: f64,
    /// 99 % of the errors of `f64` are at most this.
    f64_p99: f64,
}

/// The goals' file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Goals {
    pub(crate) accuracy: Limits,
    pub(crate) goal: Vec<Goal>,
    /// Of `cargo xtask surfaces`.
    pub(crate) surfaces: Vec<SurfaceGoal>,
    /// Of `cargo xtask bench python`.
    pub(crate) python: Vec<PythonGoal>,
    /// Of `cargo xtask robot --proofs`.
    pub(crate) robot: Vec<RobotGoal>,
}

/// A goal about a robot whose file's name begins so, or about every robot where none is named: at most, or at least.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RobotGoal {
    pub(crate) robot: Option<String>,
    /// What was asked, and which number of it.
    pub(crate) case: String,
    pub(crate) measure: String,
    pub(crate) most: Option<f64>,
    pub(crate) least: Option<f64>,
}

/// A goal about rows as called from Python: a ratio to a peer in the same round, or a limit of our quietest round.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PythonGoal {
    pub(crate) workload: String,
    pub(crate) op: String,
    /// Rows of a call of ours.
    pub(crate) rows: u64,
    pub(crate) against: Option<String>,
    #[serde(default)]
    pub(crate) ratio: f64,
    pub(crate) ns_max: Option<f64>,
}

/// A goal about sets of meshes: a ratio to a peer over all sets, or a limit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SurfaceGoal {
    pub(crate) op: String,
    /// The peer whose name begins like this, and at which operation where not the same.
    pub(crate) against: Option<String>,
    pub(crate) against_op: Option<String>,
    /// The geometric mean over the sets of its time by ours, and the least of all sets.
    pub(crate) mean: Option<f64>,
    pub(crate) least: Option<f64>,
    /// Of one set, or of every one.
    pub(crate) set: Option<String>,
    /// Our time of a pair (of `build` a triangle), and bytes of a triangle.
    pub(crate) us_max: Option<f64>,
    pub(crate) bytes_max: Option<f64>,
}

impl Limits {
    /// The series of ours that break a limit.
    pub(crate) fn broken<'s>(&self, series: &'s [Series]) -> Vec<&'s Series> {
        let breaks = |s: &&Series| {
            let a = &s.accuracy;
            let [_, p99, max] = a.errors;
            let spoilt = a.wrong > 0 || a.missing > 0;
            is_ours(&s.engine)
                && (spoilt
                    || if s.engine.ends_with("f32") {
                        max > self.f32_max
                    } else {
                        p99 > self.f64_p99
                    })
        };
        series.iter().filter(breaks).collect()
    }
}

/// What became of a goal.
#[derive(Clone, Debug)]
pub(crate) enum Verdict<'s> {
    /// The ratio of their medians: `rival` by `ours`.
    Measured {
        ratio: f64,
        ours: &'s Series,
        rival: &'s Series,
    },
    /// Why there is no ratio.
    Open(String),
}

/// A list of goals, whether each is reached, where both ran, and how many are.
pub(crate) fn listed(of: &str, goals: impl Iterator<Item = (Option<bool>, String)>) -> String {
    let (mut text, mut reached, mut count) = (String::new(), 0, 0);
    for (is_reached, line) in goals {
        count += 1;
        reached += usize::from(is_reached == Some(true));
        let word = match is_reached {
            Some(true) => "reached",
            Some(false) => "NOT YET",
            None => "open",
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "{word:8} {line}");
    }
    format!("goals of {of}: {reached} of {count} reached\n{text}")
}

/// Reads the goals.
pub(crate) fn read(file: &Path) -> Result<Goals, String> {
    let text = std::fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))?;
    toml::from_str(&text).map_err(|why| format!("{}: {why}", file.display()))
}

impl Goal {
    /// Against what.
    pub(crate) fn rival(&self) -> String {
        match (&self.against, &self.against_own) {
            (Some(name), _) => name.clone(),
            (None, Some(op)) => format!("our {op}"),
            (None, None) => "peer".into(),
        }
    }

    /// The ratio of the medians: fastest right rival by our fastest right engine.
    pub(crate) fn judge<'s>(&self, series: &'s [Series]) -> Verdict<'s> {
        let fastest = |op: &str, ours: bool, named: Option<&str>| {
            let here = series
                .iter()
                .filter(|s| s.workload == self.workload && s.op == op && s.accuracy.right);
            let those = here.filter(|s| {
                is_ours(&s.engine) == ours && named.is_none_or(|n| s.engine.starts_with(n))
            });
            those.min_by(|x, y| x.ns_median.total_cmp(&y.ns_median))
        };
        let Some(own) = fastest(&self.op, true, None) else {
            let ran = series
                .iter()
                .any(|s| s.workload == self.workload && s.op == self.op && is_ours(&s.engine));
            return Verdict::Open(
                if ran {
                    "ours is not right"
                } else {
                    "ours did not run"
                }
                .into(),
            );
        };
        // A batch is held against the peers' own, where they have one, and against their single queries.
        let single = self.op.trim_end_matches("-batch");
        let rival = match (&self.against_own, &self.against) {
            (Some(op), _) => fastest(op, true, None),
            (None, named) => {
                let found = [
                    fastest(&self.op, false, named.as_deref()),
                    fastest(single, false, named.as_deref()),
                ];
                found
                    .into_iter()
                    .flatten()
                    .min_by(|x, y| x.ns_median.total_cmp(&y.ns_median))
            }
        };
        match rival {
            None => Verdict::Open(format!("no right {} ran", self.rival())),
            Some(rival) => Verdict::Measured {
                ratio: rival.ns_median / own.ns_median,
                ours: own,
                rival,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Accuracy;

    /// The ratio, our engine, and the rival with its operation.
    fn measured(goal: &Goal, series: &[Series]) -> Option<(f64, String, String)> {
        match goal.judge(series) {
            Verdict::Measured { ratio, ours, rival } => Some((
                ratio,
                ours.engine.clone(),
                format!("{} {}", rival.engine, rival.op),
            )),
            Verdict::Open(_) => None,
        }
    }

    fn series(engine: &str, op: &str, ns: f64, right: bool) -> Series {
        let accuracy = Accuracy {
            pairs: 1,
            errors: [0.0; 3],
            missing: 0,
            off: 0,
            wrong: 0,
            points: 0.0,
            normal: 0.0,
            right,
        };
        let (workload, op, engine) = ("box_near".into(), op.into(), engine.into());
        Series {
            workload,
            op,
            engine,
            ns_min: ns,
            ns_median: ns,
            processes: 1,
            accuracy,
        }
    }

    #[test]
    fn the_fastest_peer_that_is_right_counts() {
        let goal = Goal {
            workload: "box_near".into(),
            op: "dist".into(),
            ratio: 2.0,
            against: None,
            against_own: None,
        };
        let all = [
            series("gjk-f32", "dist", 90.0, false),
            series("gjk-f64", "dist", 100.0, true),
            series("loose", "dist", 10.0, false),
            series("slow", "dist", 900.0, true),
            series("exact", "dist", 300.0, true),
        ];
        assert_eq!(
            measured(&goal, &all),
            Some((3.0, "gjk-f64".into(), "exact dist".into()))
        );
        let named = Goal {
            against: Some("slow".into()),
            ..goal.clone()
        };
        assert_eq!(
            measured(&named, &all),
            Some((9.0, "gjk-f64".into(), "slow dist".into()))
        );
        assert!(measured(&goal, &all[1..3]).is_none() && measured(&goal, &all[2..]).is_none());
    }

    #[test]
    fn a_batch_is_held_against_single_queries_of_peers() {
        let goal = Goal {
            workload: "box_near".into(),
            op: "dist-batch".into(),
            ratio: 2.0,
            against: None,
            against_own: None,
        };
        let all = [
            series("gjk-f32", "dist-batch", 10.0, true),
            series("peer", "dist", 80.0, true),
        ];
        assert_eq!(
            measured(&goal, &all),
            Some((8.0, "gjk-f32".into(), "peer dist".into()))
        );
        // A peer's own batch, where it has one, and our single query, which counts for nothing.
        let more = [
            series("peer", "dist-batch", 30.0, true),
            series("gjk-f32", "dist", 1.0, true),
        ];
        let all = [all.to_vec(), more.to_vec()].concat();
        assert_eq!(
            measured(&goal, &all),
            Some((3.0, "gjk-f32".into(), "peer dist-batch".into()))
        );
    }
}
