//! The reports of `gjk states`: for programs, schema "gjk-states/1", and for people.

use super::report::PathPairs;
use crate::acm::report::names_of;
use crate::printer::{Printer, style};
use crate::text::{Cell, aligned, plain};
use gjk::query::Verdict;
use gjk_check::parts::Body;
use gjk_check::{StateAnswer, StateVerdict};
use gjk_motion::LinkPath;
use gjk_scene::{LinkRole, Robot, SceneError, counted};
use schemars::JsonSchema;
use serde::Serialize;

/// What was found of the states.
pub struct StatesFound<'a> {
    robot: &'a Robot,
    bodies: &'a [Body],
    pairs: PathPairs,
    standing: Vec<(usize, usize)>,
    /// By state; those that a stop left out are missing.
    verdicts: Vec<StateVerdict>,
    is_partial: bool,
}

/// What `gjk states --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatesReport<'a> {
    /// The layout's name: `gjk-states/1`.
    pub schema: &'static str,
    /// The robot's name.
    pub robot: &'a str,
    /// The bodies that stand around the robot; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub world: Vec<&'a str>,
    /// The bodies that links carry; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attached: Vec<&'a str>,
    /// The pairs of links with geometry.
    pub pairs: PathPairs,
    /// The states, in the file's order.
    pub states: Vec<StateEntry<'a>>,
    /// How many states have which verdict.
    pub counts: StateCounts,
    /// True when it was stopped before its end; absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

/// A state.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateEntry<'a> {
    /// Which one, from 0.
    pub index: usize,
    /// `free`, `touching`, `undecided` or `overlapping`: the worst that two links are.
    pub verdict: &'static str,
    /// Two links that are; the first pair that is proved to overlap ends the search. Absent of a free state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<[&'a str; 2]>,
}

/// How many states have which verdict.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateCounts {
    /// All that were looked at.
    pub all: usize,
    /// No two links are in contact.
    pub free: usize,
    /// Links touch, and none overlap.
    pub touching: usize,
    /// Not decided.
    pub undecided: usize,
    /// Links overlap.
    pub overlapping: usize,
}

impl<'a> StatesFound<'a> {
    /// # Errors  the first state that places a part beyond the range of numbers.
    pub fn new(
        robot: &'a Robot,
        bodies: &'a [Body],
        path: &LinkPath<'_>,
        answers: Vec<StateAnswer>,
    ) -> Result<Self, SceneError> {
        let mut verdicts = Vec::with_capacity(answers.len());
        let mut is_partial = false;
        for (state, answer) in answers.into_iter().enumerate() {
            let answer = answer.map_err(|error| error.with_element(format!("state {state}")))?;
            match answer.filter(|_| !is_partial) {
                Some(verdict) => verdicts.push(verdict),
                None => is_partial = true,
            }
        }
        let [adjacent, disabled] = path.skipped();
        let standing = path.standing().to_vec();
        Ok(Self {
            robot,
            bodies,
            pairs: PathPairs {
                checked: path.pairs(),
                adjacent,
                disabled,
                standing: standing.len(),
            },
            standing,
            verdicts,
            is_partial,
        })
    }

    /// How many states were looked at.
    pub fn len(&self) -> usize {
        self.verdicts.len()
    }

    /// Whether all of them are free.
    pub fn is_clean(&self) -> bool {
        !self.is_partial && self.verdicts.iter().all(|found| found.bodies.is_none())
    }

    /// Tells what was not looked at.
    pub fn warn(&self, printer: &mut Printer) {
        super::warn_of_standing(self.bodies, &self.standing, printer);
        if self.is_partial {
            printer.warning("stopped: what is below is decided, the rest was not looked at");
        }
    }

    fn names(&self, (a, b): (usize, usize)) -> [&'a str; 2] {
        [&self.bodies[a].name, &self.bodies[b].name]
    }

    /// The report for programs.
    pub fn report(&self) -> StatesReport<'a> {
        let states = self.verdicts.iter().enumerate();
        StatesReport {
            schema: "gjk-states/1",
            robot: &self.robot.name,
            world: names_of(self.robot, LinkRole::World),
            attached: names_of(self.robot, LinkRole::Attached),
            pairs: self.pairs.clone(),
            states: states
                .map(|(index, found)| StateEntry {
                    index,
                    verdict: word(found.verdict),
                    pair: found.bodies.map(|pair| self.names(pair)),
                })
                .collect(),
            counts: self.counts(),
            partial: self.is_partial,
        }
    }

    fn counts(&self) -> StateCounts {
        let count = |verdict: Verdict| {
            let of = self.verdicts.iter();
            of.filter(|found| found.verdict == verdict).count()
        };
        StateCounts {
            all: self.verdicts.len(),
            free: count(Verdict::Separated),
            touching: count(Verdict::Touching),
            undecided: count(Verdict::Undecided),
            overlapping: count(Verdict::Overlapping),
        }
    }

    /// The lines for people: a state that is not free a line, at most so many (0: all), and the counts.
    pub fn lines(&self, rows_max: usize) -> Vec<String> {
        let states = self.verdicts.iter().enumerate();
        let bad: Vec<_> = states
            .filter_map(|(index, found)| Some((index, found.verdict, found.bodies?)))
            .collect();
        let shown = if rows_max == 0 { bad.len() } else { rows_max };
        let rows = bad.iter().take(shown).map(|&(index, verdict, pair)| {
            let [a, b] = self.names(pair);
            let (mark, look, what) = match verdict {
                Verdict::Overlapping => ("✗", style::BAD, "overlap"),
                Verdict::Touching => ("✗", style::BAD, "touch"),
                _ => ("?", style::WARN, "not decided"),
            };
            vec![
                Cell {
                    text: mark.to_owned(),
                    style: look,
                },
                plain(&format!("state {index}")),
                plain(&format!("{a} and {b}: {what}")),
            ]
        });
        let mut lines = aligned(rows.collect());
        if bad.len() > shown {
            let more = counted(bad.len() - shown, "state", "states");
            lines.push(format!("  … {more} more: --rows 0 shows all"));
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let counts = self.counts();
        lines.push(format!(
            "{}: {} free, {} overlapping, {} touching, {} undecided · {} checked ({} adjacent, {} disabled: not checked)",
            counted(counts.all, "state", "states"),
            counts.free,
            counts.overlapping,
            counts.touching,
            counts.undecided,
            counted(self.pairs.checked, "pair", "pairs"),
            self.pairs.adjacent,
            self.pairs.disabled,
        ));
        lines
    }
}

impl StatesReport<'_> {
    /// Its JSON Schema.
    pub fn json_schema() -> schemars::Schema {
        schemars::schema_for!(StatesReport<'static>)
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Separated => "free",
        Verdict::Touching => "touching",
        Verdict::Undecided => "undecided",
        Verdict::Overlapping => "overlapping",
    }
}
