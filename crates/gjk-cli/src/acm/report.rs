//! The report for programs: `gjk acm --json`, schema "gjk-acm/1".

use super::changes::{ComparedPair, compare, is_world};
use super::confusion::{ConfusionRow, confusion};
use gjk::query::Interval;
use gjk_check::parts::Body;
use gjk_motion::{Basis, Matrix, MatrixOptions, PairReason};
use gjk_scene::{LinkRole, Robot, Scene, Srdf};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// A matrix, and all that its reports read.
pub struct MatrixFound<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Its robot.
    pub robot: &'a Robot,
    /// Its bodies.
    pub bodies: &'a [Body],
    /// What was asked.
    pub options: &'a MatrixOptions,
    /// What was found.
    pub matrix: &'a Matrix,
    /// The file that it is compared to.
    pub srdf: Option<&'a Srdf>,
    /// How deep pairs overlap in the states that show it, where that was measured between the surfaces.
    pub depths: HashMap<(usize, usize), Interval<f64>>,
    /// Whether the trees of all pairs that are proved apart were checked again.
    pub is_verified: bool,
}

impl<'a> MatrixFound<'a> {
    /// Whether a second program checked the proof of a pair.
    pub(super) fn is_pair_verified(&self, pair: &PairReason) -> bool {
        self.is_verified && pair.has_trees()
    }

    /// All pairs beside the file.
    pub fn compared(&self) -> Vec<ComparedPair<'a>> {
        compare(self.matrix, self.scene, self.srdf)
    }

    /// A state by the joints' names; joints that another one moves, and fixed ones, are left out.
    pub fn named(&self, state: &[f64]) -> BTreeMap<&'a str, f64> {
        named(self.robot, state)
    }

    /// Whether the pair is a link and a body that stands around the robot, which no SRDF file has.
    pub fn is_world(&self, pair: &ComparedPair<'_>) -> bool {
        is_world(self.scene, pair.found.bodies)
    }

    /// A body's name, for people.
    pub fn title(&self, body: usize) -> String {
        let name = &self.bodies[body].name;
        let link = self.scene.bodies[body].link;
        if link.is_some_and(|link| self.robot.is_world(link)) {
            format!("{name} (world)")
        } else {
            name.clone()
        }
    }

    /// The values of the joints between a pair alone, in the chain's order.
    pub fn of_pair(&self, pair: &ComparedPair<'_>, state: &[f64]) -> Vec<(&'a str, f64)> {
        let joints = pair.found.joints.iter();
        joints
            .map(|&joint| (self.robot.joints[joint].name.as_str(), state[joint]))
            .collect()
    }

    /// The report for programs.
    pub fn report(&self) -> MatrixReport<'a> {
        let compared = self.compared();
        let pairs: Vec<_> = compared.iter().map(|pair| self.pair(pair)).collect();
        let count = |of: &dyn Fn(&ComparedPair<'_>) -> bool| {
            compared.iter().filter(|pair| of(pair)).count()
        };
        MatrixReport {
            schema: "gjk-acm/1",
            robot: &self.robot.name,
            limits: self.options.limits.set.as_str(),
            fidelity: "surface",
            margin: self.options.range.margin,
            seed: self.options.seed,
            samples: self.options.samples,
            default_state: self.named(&self.matrix.default_state),
            world: names_of(self.robot, LinkRole::World),
            counts: ReportCounts {
                pairs: compared.len(),
                structure: count(&|pair| matches!(pair.found.basis, Basis::Structure { .. })),
                proved_never: count(&|pair| matches!(pair.found.basis, Basis::Apart { .. })),
                proved_always: count(&|pair| {
                    pair.found.always_too || pair.found.basis == Basis::AlwaysOverlapping
                }),
                witness: count(&|pair| matches!(pair.found.basis, Basis::Witness { .. })),
                file: count(&|pair| pair.found.basis == Basis::File),
                world: count(&|pair| self.is_world(pair)),
                touch: count(&|pair| matches!(pair.found.basis, Basis::Touches { .. })),
                contradicted: count(&|pair| pair.is_contradiction()),
            },
            open: count(&|pair| matches!(pair.found.basis, Basis::Samples { .. })),
            confusion: self.srdf.map(|_| confusion(&compared)),
            pairs,
            partial: self.matrix.is_partial,
        }
    }

    fn pair(&self, pair: &ComparedPair<'a>) -> PairEntry<'a> {
        let found = pair.found;
        let name = |body: usize| self.bodies[body].name.as_str();
        let mut entry = PairEntry {
            a: name(found.bodies.0),
            b: name(found.bodies.1),
            world: self.is_world(pair),
            joints: found
                .joints
                .iter()
                .map(|&joint| self.robot.joints[joint].name.as_str())
                .collect(),
            reason: found.reason.map(|reason| reason.as_str().to_lowercase()),
            basis: found.basis.word(),
            through: None,
            distance: None,
            at: None,
            depth: None,
            state: None,
            samples: None,
            smallest: None,
            proved_share: None,
            sampled_fraction: found.sampled_fraction,
            always: found.always_too || found.basis == Basis::AlwaysOverlapping,
            cells: found.cells,
            refusal: found.refusal.clone(),
            verified: self.is_pair_verified(found).then_some(true),
            srdf: pair.srdf.map(|reason| reason.as_str()),
            action: pair.action.word(),
        };
        self.basis(&found.basis, &mut entry);
        if let Some(&depth) = self.depths.get(&found.bodies) {
            entry.depth = Some(depth.into());
        }
        entry
    }

    fn basis(&self, basis: &Basis, entry: &mut PairEntry<'a>) {
        match basis {
            Basis::Structure { through } => {
                let names = through
                    .iter()
                    .map(|&link| self.robot.links[link].name.as_str());
                entry.through = Some(names.collect());
            }
            Basis::Apart { distance, state } | Basis::Touches { state, distance } => {
                entry.distance = Some((*distance).into());
                entry.at = Some(self.named(state));
            }
            Basis::AlwaysOverlapping | Basis::File => {}
            Basis::Witness {
                state,
                distance,
                overlaps,
            } => {
                entry.state = Some(self.named(state));
                if *overlaps {
                    entry.depth = Some(depth_of(*distance));
                } else {
                    entry.distance = Some((*distance).into());
                }
            }
            Basis::Samples {
                count,
                smallest,
                state,
                proved_share,
            } => {
                entry.samples = Some(*count);
                entry.smallest = Some(*smallest).filter(|x| x.is_finite());
                entry.at = Some(self.named(state));
                entry.proved_share = *proved_share;
            }
        }
    }
}

/// The names of links of a role.
pub fn names_of(robot: &Robot, role: LinkRole) -> Vec<&str> {
    let links = robot.links.iter().filter(|link| link.role == role);
    links.map(|link| link.name.as_str()).collect()
}

/// A state by the joints' names; joints that another one moves, and fixed ones, are left out.
pub fn named<'a>(robot: &'a Robot, state: &[f64]) -> BTreeMap<&'a str, f64> {
    let joints = robot.joints.iter().zip(state);
    joints
        .filter(|(joint, _)| joint.is_independent())
        .map(|(joint, &value)| (joint.name.as_str(), value))
        .collect()
}

/// The depth of links that overlap, by their signed distance.
pub fn depth_of(distance: Interval<f64>) -> ReportInterval {
    ReportInterval {
        // Of the two zeros the positive one.
        lower: (-distance.upper).max(0.0) + 0.0,
        upper: -distance.lower,
    }
}

/// What `gjk acm --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatrixReport<'a> {
    /// The layout's name: `gjk-acm/1`.
    pub schema: &'static str,
    /// The robot's name.
    pub robot: &'a str,
    /// Which limits hold: `soft`, `hard` or `none`.
    pub limits: &'static str,
    /// What decides that two links meet: their surfaces.
    pub fidelity: &'static str,
    /// Links that come nearer than this are enabled, in the robot's length unit.
    pub margin: f64,
    /// Which random states.
    pub seed: u64,
    /// How many a pair.
    pub samples: u32,
    /// The default state, by joint.
    pub default_state: BTreeMap<&'a str, f64>,
    /// The bodies that stand around the robot; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub world: Vec<&'a str>,
    /// The pairs of links with geometry, in the order of the file; bodies of the world come last.
    pub pairs: Vec<PairEntry<'a>>,
    /// How many pairs have what basis.
    pub counts: ReportCounts,
    /// How many pairs are neither proved nor refuted.
    pub open: usize,
    /// The reasons of the SRDF file against those that were found: a row a reason, `Adjacent`, `Default`, `Always`, `Never`, `User`, none; absent without a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confusion: Option<Vec<ConfusionRow>>,
    /// True when it was stopped before its end; absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

/// How many pairs have what basis.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportCounts {
    /// All pairs.
    pub pairs: usize,
    /// Adjacent ones.
    pub structure: usize,
    /// Proved apart in all states.
    pub proved_never: usize,
    /// Proved to overlap in all states.
    pub proved_always: usize,
    /// Shown by a state.
    pub witness: usize,
    /// Allowed by the file of the bodies around the robot.
    pub file: usize,
    /// Pairs of a link and a body that stands around the robot, whatever their basis.
    pub world: usize,
    /// So near to touching that no state decides.
    pub touch: usize,
    /// Not checked by the SRDF file, and shown to collide.
    pub contradicted: usize,
}

/// Two ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportInterval {
    /// At least.
    pub lower: f64,
    /// At most; absent where no upper end is known.
    #[serde(skip_serializing_if = "is_unbounded")]
    pub upper: f64,
}

fn is_unbounded(upper: &f64) -> bool {
    !upper.is_finite()
}

impl From<Interval<f64>> for ReportInterval {
    fn from(interval: Interval<f64>) -> Self {
        Self {
            lower: interval.lower,
            upper: interval.upper,
        }
    }
}

/// A pair of links.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairEntry<'a> {
    /// The first link.
    pub a: &'a str,
    /// The second link, or a body of the world.
    pub b: &'a str,
    /// True where it is a body of the world; absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub world: bool,
    /// The joints between them that a state sets.
    pub joints: Vec<&'a str>,
    /// Why the pair need not be checked: `adjacent`, `default`, `always`, `never`, `user`; `null`: it must be.
    pub reason: Option<String>,
    /// What that rests on: `structure`, `proof`, `witness`, `touch` or `samples`; `file`: the scene file allows the two to overlap.
    pub basis: &'static str,
    /// The links without geometry between the two; absent where the basis is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub through: Option<Vec<&'a str>>,
    /// The least distance of all states, or that of the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<ReportInterval>,
    /// A state as near as the upper end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<BTreeMap<&'a str, f64>>,
    /// How deep they overlap in the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<ReportInterval>,
    /// The state that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<BTreeMap<&'a str, f64>>,
    /// How many random states there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u32>,
    /// The least distance that they had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest: Option<f64>,
    /// The part of all joint values that is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved_share: Option<f64>,
    /// The part of the random states that overlap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled_fraction: Option<f64>,
    /// True where they are proved to overlap in all states; absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub always: bool,
    /// Cells that were looked at.
    pub cells: u64,
    /// Why no proof was possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// True where the checker proved the tree of cells again (`--verify`); absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    /// The reason of the SRDF file's line; `null` where it has none.
    pub srdf: Option<&'static str>,
    /// What becomes of that line: `keep`, `add`, `remove`, `change`, `none`.
    pub action: &'static str,
}

impl MatrixReport<'_> {
    /// Its JSON Schema.
    pub fn json_schema() -> schemars::Schema {
        schemars::schema_for!(MatrixReport<'static>)
    }
}
