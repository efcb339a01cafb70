//! What proofs of pairs cost by the joints between them, and what a proved clearance costs beside distances of samples.
//!
//! Where it sits: `proofs.rs` asks it.

use super::RobotSettings;
use super::proofs::{BLOCK, MOVES};
use super::sampler::{Edge, Sampler, Step, drawn};
use super::subject::{Found, Subject, fastest};
use crate::Settings;
use gjk_check::pairs::Pairs;
use gjk_check::states::Splitmix64;
use gjk_check::{Check, Criteria};
use gjk_motion::{
    ClearanceSlice, LinkMatrix, LinkPath, MatrixOptions, PathOptions, PathSegment, RangeAnswer,
};
use std::collections::BTreeMap;
use std::time::Instant;

/// Edges of each length of which the clearance is proved: distances of all pairs cost more than verdicts.
const CLEARANCE_EDGES: usize = 2 * BLOCK;
/// How narrow the clearance is proved, in metres.
const TOLERANCE: f64 = 1e-3;

/// Cells and seconds of some pairs.
#[derive(Default)]
struct PairCosts {
    cells: Vec<f64>,
    ms: Vec<f64>,
}

/// Cells and time of each pair that is proved, by the number of joints between the links: decided alone, and with the least distance.
pub(super) fn joints(subject: &Subject, found: &mut Found) -> Result<(), String> {
    let (scene, robot) = (&subject.scene, subject.robot()?);
    let measured = MatrixOptions::default();
    let mut decided = measured.clone();
    (decided.samples, decided.range.measure_cells) = (0, 0);
    let matrix = LinkMatrix::new(scene, robot, &subject.bodies, &decided);
    let matrix = matrix.and_then(|maker| maker.run());
    let matrix = matrix.map_err(|why| why.to_string())?;
    for (case, options) in [("decided", &decided), ("with distances", &measured)] {
        let maker = LinkMatrix::new(scene, robot, &subject.bodies, options);
        let maker = maker.map_err(|why| why.to_string())?;
        let mut costs: BTreeMap<usize, PairCosts> = BTreeMap::new();
        for pair in matrix.pairs.iter().filter(|pair| pair.has_trees()) {
            let begin = Instant::now();
            let proof = maker.least_distance(pair.bodies);
            let ms = 1e3 * begin.elapsed().as_secs_f64();
            let proof = proof.map_err(|why| why.to_string())?;
            let Some(proof) = proof.filter(|p| matches!(p.answer, RangeAnswer::Never { .. }))
            else {
                found
                    .failed
                    .push(format!("{:?} is not proved again", pair.bodies));
                continue;
            };
            let of = costs.entry(pair.joints.len()).or_default();
            of.cells.push(proof.cells as f64);
            of.ms.push(ms);
        }
        for (joints, of) in costs {
            let mut push = |measure: &str, value: f64| {
                found.push_in(
                    "proved pairs by joints between their links",
                    case,
                    joints,
                    measure,
                    value,
                );
            };
            push("pairs", of.cells.len() as f64);
            for (name, values) in [("cells", of.cells), ("ms", of.ms)] {
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                push(&format!("{name} mean"), mean);
                push(
                    &format!("{name} most"),
                    values.into_iter().fold(0.0, f64::max),
                );
            }
        }
    }
    Ok(())
}

/// The least clearance of random edges, proved, beside the distances of all pairs at 1°.
pub(super) fn clearances(
    settings: &Settings,
    asked: &RobotSettings,
    subject: &Subject,
    found: &mut Found,
) -> Result<(), String> {
    let (scene, robot, bodies) = (&subject.scene, subject.robot()?, &subject.bodies);
    let srdf = subject.srdf.as_ref();
    let path = LinkPath::new(scene, robot, bodies, srdf, PathOptions::default());
    let pairs = Pairs::new(scene, bodies, srdf, false);
    let check = Check::new(bodies, &pairs);
    let sampler = Sampler {
        robot,
        scene,
        check,
        path: &path,
    };
    let mut random = Splitmix64(asked.seed);
    for largest in MOVES {
        let count = if settings.quick {
            BLOCK
        } else {
            CLEARANCE_EDGES
        };
        let edges = drawn(&sampler, &mut random, largest, count)?;
        let mut compared = ComparedClearances::default();
        for edge in &edges {
            compared.add(settings.rounds, &sampler, edge)?;
        }
        compared.told(&format!("clearance of edges of {largest}"), count, found);
    }
    Ok(())
}

/// What clearances of edges gave.
#[derive(Default)]
struct ComparedClearances {
    ms: f64,
    /// The time of a proof by that of distances at 1°: of all pairs, and of what is nearer than the nearest so far.
    ratios: [Vec<f64>; 2],
    /// Edges that are open, or of which a state is nearer.
    wrong: usize,
}

impl ComparedClearances {
    fn add(&mut self, rounds: usize, sampler: &Sampler<'_>, edge: &Edge) -> Result<(), String> {
        let segment = std::slice::from_ref(&edge.segment);
        let (seconds, slice) = fastest(rounds, || proved(sampler.path, segment));
        let slice = slice?;
        self.ms += 1e3 * seconds;
        for (ratios, is_all) in self.ratios.iter_mut().zip([true, false]) {
            let (sampled, least) = fastest(rounds, || sampled(sampler, edge, is_all));
            ratios.push(seconds / sampled);
            self.wrong += usize::from(!slice.is_proved || least?.max(0.0) < slice.clearance.lower);
        }
        Ok(())
    }

    fn told(self, case: &str, count: usize, found: &mut Found) {
        found.push(case, count, "ms of a proof to 1 mm", self.ms / count as f64);
        let names = ["all distances", "distances of the nearest"].iter();
        for (name, mut ratios) in names.zip(self.ratios) {
            ratios.sort_by(f64::total_cmp);
            let part = |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
            let by = format!("proof by {name} at 1 degree");
            found.push(case, count, &format!("{by} median"), part(0.5));
            found.push(case, count, &format!("{by} p95"), part(0.95));
        }
        if self.wrong > 0 {
            let wrong = self.wrong;
            found
                .failed
                .push(format!("{case}: {wrong} are open, or a state is nearer"));
        }
    }
}

fn proved(path: &LinkPath<'_>, segment: &[PathSegment]) -> Result<ClearanceSlice, String> {
    let slices = path.profile(segment, 1, TOLERANCE);
    let slices = slices.map_err(|why| why.to_string())?;
    slices.first().copied().ok_or_else(|| "no clearance".into())
}

/// The least upper end of a distance of the states at 1°: of all pairs, or only as far as they are nearer than what is known.
fn sampled(sampler: &Sampler<'_>, edge: &Edge, is_all: bool) -> Result<f64, String> {
    let mut least = f64::INFINITY;
    for state in sampler.states(edge, Step::Largest(1.0_f64.to_radians())) {
        let poses = sampler.robot.forward_kinematics(&state);
        for &pair in sampler.path.checked_pairs() {
            let all_pairs = is_all || least == f64::INFINITY;
            let criteria = Criteria {
                all_pairs,
                clearance: Some(least.max(0.0)).filter(|_| !all_pairs),
                ..Criteria::default()
            };
            let check = sampler.check.criteria(criteria);
            let near = check.between(pair, &poses);
            let near = near.map_err(|why| why.to_string())?;
            least = near.map_or(least, |near| least.min(near.upper));
        }
    }
    Ok(least)
}
