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
    let all = check.criteria(Criteria {
        all_pairs: true,
        ..Criteria::default()
    });
    let mut random = Splitmix64(asked.seed);
    for largest in MOVES {
        let count = if settings.quick {
            BLOCK
        } else {
            CLEARANCE_EDGES
        };
        let edges = drawn(&sampler, &mut random, largest, count)?;
        let (mut ratios, mut ms, mut wrong) = (Vec::new(), 0.0, 0);
        for edge in &edges {
            let segment = std::slice::from_ref(&edge.segment);
            let (seconds, slice) = fastest(settings.rounds, || proved(&path, segment));
            let (sampled, least) = fastest(settings.rounds, || sampled(&sampler, &all, edge));
            ms += 1e3 * seconds;
            ratios.push(seconds / sampled);
            let slice = slice?;
            wrong += usize::from(!slice.is_proved || least?.max(0.0) < slice.clearance.lower);
        }
        let case = format!("clearance of edges of {largest}");
        ratios.sort_by(f64::total_cmp);
        let part = |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
        found.push(&case, count, "ms of a proof to 1 mm", ms / count as f64);
        let by = "proof by distances at 1 degree";
        found.push(&case, count, &format!("{by} median"), part(0.5));
        found.push(&case, count, &format!("{by} p95"), part(0.95));
        if wrong > 0 {
            found
                .failed
                .push(format!("{case}: {wrong} are open, or a state is nearer"));
        }
    }
    Ok(())
}

fn proved(path: &LinkPath<'_>, segment: &[PathSegment]) -> Result<ClearanceSlice, String> {
    let slices = path.profile(segment, 1, TOLERANCE);
    let slices = slices.map_err(|why| why.to_string())?;
    slices.first().copied().ok_or_else(|| "no clearance".into())
}

/// The least upper end of a distance of the states at 1°.
fn sampled(sampler: &Sampler<'_>, all: &Check<'_>, edge: &Edge) -> Result<f64, String> {
    let mut least = f64::INFINITY;
    for state in sampler.states(edge, Step::Largest(1.0_f64.to_radians())) {
        let poses = sampler.robot.forward_kinematics(&state);
        for &pair in sampler.path.checked_pairs() {
            let near = all.between(pair, &poses).map_err(|why| why.to_string())?;
            least = near.map_or(least, |near| least.min(near.upper));
        }
    }
    Ok(least)
}
