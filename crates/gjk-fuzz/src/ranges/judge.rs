//! What is asked of a robot, and what refutes the answers.
//!
//! Idea: see the module. A fault is a sentence: what was claimed, and the state that shows otherwise.

use super::RangeTally;
use super::arm::Arm;
use super::oracle::{self, ROUNDING};
use crate::Rng;
use gjk_check::parts::{Body, Meshes, build};
use gjk_motion::{
    Basis, LinkMatrix, LinkPath, Matrix, MatrixOptions, PairReason, PathAnswer, PathEvent,
    PathOptions, PathSegment, PathVerdict, RangeOptions, SegmentAnswer, check_certificate,
    check_path_certificate,
};
use gjk_scene::{Geometry, LoadOptions, Mesh, Robot, Scene, load_text};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Random states a pair, and those of them from which a descent starts.
const STATES: usize = 48;
const DESCENTS: usize = 3;
/// Rounds of a descent, each along all joints.
const ROUNDS: usize = 24;
/// Edges a robot, and states along each.
const EDGES: usize = 3;
const ALONG: usize = 48;
/// Steps of the oracle: of a quick look, and of a bound that is to hold against a proof.
const QUICK: usize = 12;
const SLOW: usize = 400;
/// Cells of a proof, and of its least distance; spans of an edge.
const CELLS: u64 = 4000;
const MEASURE: u64 = 100;
const SPANS: u64 = 4000;

/// A robot as the library has it.
struct ReadArm<'a> {
    arm: &'a Arm,
    scene: Scene,
    bodies: Vec<Body>,
    /// The link of each body.
    links: Vec<usize>,
}

impl<'a> ReadArm<'a> {
    fn new(arm: &'a Arm) -> Result<Self, String> {
        let text = arm.urdf();
        let scene = load_text(&text, Path::new("arm.urdf"), &LoadOptions::default());
        let mut scene = scene.map_err(|error| error.to_string())?;
        let links: Vec<usize> = scene.bodies.iter().filter_map(|body| body.link).collect();
        for (body, &link) in scene.bodies.iter_mut().zip(&links) {
            let Some((points, faces)) = &arm.links[link].mesh else {
                continue;
            };
            let faces = faces.iter().map(|face| face.to_vec()).collect();
            let mesh = Mesh::from_arrays(Path::new("mesh.obj"), points.clone(), faces);
            let mesh = Arc::new(mesh.map_err(|error| error.to_string())?);
            for part in &mut body.parts {
                part.geometry = Geometry::Mesh {
                    mesh: Arc::clone(&mesh),
                    scale: [1.0; 3],
                };
            }
        }
        let bodies = build(&scene, Meshes::Exact).map_err(|error| error.to_string())?;
        Ok(Self {
            arm,
            scene,
            bodies,
            links,
        })
    }

    fn robot(&self) -> Result<&Robot, String> {
        self.scene
            .robot
            .as_ref()
            .ok_or_else(|| "no robot".to_owned())
    }

    fn of_bodies(&self, (a, b): (usize, usize)) -> [usize; 2] {
        [self.links[a], self.links[b]]
    }
}

/// Asks all of a robot; returns what is wrong.
pub fn judge(arm: &Arm, rng: &mut Rng, tally: &mut RangeTally) -> Vec<String> {
    judge_as(arm, arm, rng, tally)
}

/// Asks all of a robot, and holds the answers against another one of as many links, which is the truth.
pub(super) fn judge_as(
    asked: &Arm,
    truth: &Arm,
    rng: &mut Rng,
    tally: &mut RangeTally,
) -> Vec<String> {
    let mut faults = Vec::new();
    let told = ReadArm::new(asked).and_then(|read| {
        let read = ReadArm { arm: truth, ..read };
        matrix(&read, rng, tally, &mut faults)?;
        edges(&read, rng, tally, &mut faults)
    });
    faults.extend(told.err().map(|error| format!("an error: {error}")));
    faults
}

fn elapsed(since: Instant) -> u64 {
    since.elapsed().as_nanos() as u64
}

/// The matrix, its certificate, and each of its pairs.
fn matrix(
    read: &ReadArm<'_>,
    rng: &mut Rng,
    tally: &mut RangeTally,
    faults: &mut Vec<String>,
) -> Result<(), String> {
    let options = MatrixOptions {
        range: RangeOptions {
            margin: rng.pick(&[0.0, 0.0, 0.01]),
            width: rng.pick(&[0.1, 0.5]),
            measure_cells: MEASURE,
            cells_max: CELLS,
            keep_nodes: true,
        },
        samples: rng.pick(&[0, 32]),
        seed: rng.bits(),
        ..MatrixOptions::default()
    };
    let start = Instant::now();
    let maker = LinkMatrix::new(&read.scene, read.robot()?, &read.bodies, &options);
    let maker = maker.map_err(|error| error.to_string())?;
    let found = maker.run().map_err(|error| error.to_string())?;
    tally.nanoseconds[0] += elapsed(start);
    let start = Instant::now();
    certificate(read, &maker, &found, tally, faults);
    tally.nanoseconds[1] += elapsed(start);
    let start = Instant::now();
    for pair in &found.pairs {
        judge_pair(read, pair, rng, tally, faults);
    }
    tally.nanoseconds[2] += elapsed(start);
    Ok(())
}

fn certificate(
    read: &ReadArm<'_>,
    maker: &LinkMatrix<'_>,
    found: &Matrix,
    tally: &mut RangeTally,
    faults: &mut Vec<String>,
) {
    let made = maker.certificate(found);
    match check_certificate(&read.scene, &read.bodies, &made) {
        Ok(checked) => tally.leaves += checked.leaves,
        Err(objection) => faults.push(format!("the certificate: {objection}")),
    }
}

/// A state, with the distance that was found there.
type NearestSeen = (f64, Vec<f64>);

/// The nearest states of a pair: random ones, corners of the ranges, and a descent from the nearest of them.
fn nearest(
    read: &ReadArm<'_>,
    links: [usize; 2],
    rng: &mut Rng,
    tally: &mut RangeTally,
) -> NearestSeen {
    let arm = read.arm;
    let mut states: Vec<NearestSeen> = Vec::with_capacity(STATES);
    for k in 0..STATES {
        let mut value = |[low, high]: [f64; 2]| match k % 3 {
            0 if rng.one_in(2) => rng.pick(&[low, high]),
            _ => rng.range(low, high).clamp(low, high),
        };
        let state = arm.state(&mut value);
        let found = oracle::distance(arm, links, &oracle::places(arm, &state), QUICK);
        states.push((found.upper, state));
    }
    tally.states += STATES as u64;
    states.sort_by(|a, b| a.0.total_cmp(&b.0));
    states.truncate(DESCENTS);
    let descents = states
        .into_iter()
        .map(|state| descent(read, links, state, tally));
    let best = descents.min_by(|a, b| a.0.total_cmp(&b.0));
    let (_, state) = best.unwrap_or_default();
    let found = oracle::distance(arm, links, &oracle::places(arm, &state), SLOW);
    (found.upper, state)
}

/// A joint at a time, by steps that halve.
fn descent(
    read: &ReadArm<'_>,
    links: [usize; 2],
    from: NearestSeen,
    tally: &mut RangeTally,
) -> NearestSeen {
    let arm = read.arm;
    let mut best = from;
    let mut share = 0.25;
    for _ in 0..ROUNDS {
        let before = best.0;
        for (k, joint) in arm.joints.iter().enumerate() {
            if joint.mimic.is_some() || best.0 == 0.0 {
                continue;
            }
            let [low, high] = match joint.kind {
                super::arm::ArmJointKind::Fixed => continue,
                super::arm::ArmJointKind::Continuous => [-7.0, 7.0],
                _ => joint.limits,
            };
            for way in [-share, share] {
                let mut state = best.1.clone();
                state[k] = (state[k] + way * (high - low)).clamp(low, high);
                arm.follow(&mut state);
                let found = oracle::distance(arm, links, &oracle::places(arm, &state), 4 * QUICK);
                tally.states += 1;
                if found.upper < best.0 {
                    best = (found.upper, state);
                }
            }
        }
        if !(best.0 < before) {
            share *= 0.5;
        }
    }
    best
}

fn judge_pair(
    read: &ReadArm<'_>,
    pair: &PairReason,
    rng: &mut Rng,
    tally: &mut RangeTally,
    faults: &mut Vec<String>,
) {
    let links = read.of_bodies(pair.bodies);
    let [a, b] = links;
    let mut wrong = |what: String| faults.push(format!("l{a} and l{b}: {what}"));
    tally.pairs += 1;
    let is_structure = matches!(pair.basis, Basis::Structure { .. });
    if is_structure != read.arm.is_adjacent(a, b) {
        wrong(format!("adjacent: {is_structure}"));
    }
    match &pair.basis {
        Basis::Structure { .. } => tally.adjacent += 1,
        Basis::Apart { .. } => tally.never += 1,
        Basis::AlwaysOverlapping => tally.always += 1,
        Basis::Witness { .. } => {
            tally.shown += 1;
            tally.always += u64::from(pair.always_too);
        }
        Basis::Touches { .. } => tally.touch += 1,
        Basis::Samples { .. } if pair.refusal.is_some() => tally.refused += 1,
        Basis::Samples { .. } => tally.open += 1,
        Basis::File => wrong("allowed by no file".to_owned()),
    }
    if let Some(what) = refuted(read, links, &pair.basis, rng, tally) {
        wrong(what);
    }
}

/// What refutes a basis, if anything does.
fn refuted(
    read: &ReadArm<'_>,
    links: [usize; 2],
    basis: &Basis,
    rng: &mut Rng,
    tally: &mut RangeTally,
) -> Option<String> {
    let lower_at = |state: &[f64]| {
        let state = &state[..read.arm.joints.len()];
        oracle::distance(read.arm, links, &oracle::places(read.arm, state), SLOW).lower
    };
    match basis {
        Basis::Apart { distance, state } => {
            let (seen, at) = nearest(read, links, rng, tally);
            let (lower, upper) = (distance.lower, distance.upper);
            if seen < lower - ROUNDING {
                return Some(format!("proved {lower} apart, and {seen} at {at:?}"));
            }
            let here = lower_at(state);
            (here > upper + ROUNDING)
                .then(|| format!("said to be {upper} apart at {state:?}, and {here}"))
        }
        Basis::AlwaysOverlapping => {
            tally.states += STATES as u64;
            let mut draw = |[low, high]: [f64; 2]| rng.range(low, high).clamp(low, high);
            let mut states = (0..STATES).map(|_| read.arm.state(&mut draw));
            let apart = states.find(|state| lower_at(state) > ROUNDING);
            apart.map(|state| format!("proved to overlap always, and apart at {state:?}"))
        }
        Basis::Witness {
            state,
            distance,
            overlaps,
        } => {
            let here = lower_at(state);
            let most = if *overlaps { 0.0 } else { distance.upper };
            (here > most + ROUNDING)
                .then(|| format!("said to be at most {most} apart at {state:?}, and {here}"))
        }
        _ => None,
    }
}

/// Straight edges between random states.
fn edges(
    read: &ReadArm<'_>,
    rng: &mut Rng,
    tally: &mut RangeTally,
    faults: &mut Vec<String>,
) -> Result<(), String> {
    let robot = read.robot()?;
    let clearance = rng.pick(&[0.0, 0.02, 0.1]);
    let options = PathOptions {
        clearance,
        cells_max: SPANS,
        ..PathOptions::default()
    };
    let mut draw = || {
        read.arm
            .state(&mut |[low, high]| rng.range(low, high).clamp(low, high))
    };
    let ends: Vec<[Vec<f64>; 2]> = (0..EDGES).map(|_| [draw(), draw()]).collect();
    let segments = ends
        .iter()
        .map(|[from, to]| PathSegment::line(robot, from, to));
    let segments: Result<Vec<_>, _> = segments.collect();
    let segments = segments.map_err(|error| error.to_string())?;
    let start = Instant::now();
    let path = LinkPath::new(&read.scene, robot, &read.bodies, None, options);
    let found = path.check(&segments).map_err(|error| error.to_string())?;
    tally.nanoseconds[0] += elapsed(start);
    let start = Instant::now();
    certificate_of_edges(read, &path, (&segments, &found), clearance, tally, faults)?;
    tally.nanoseconds[1] += elapsed(start);
    let start = Instant::now();
    for (segment, answer) in segments.iter().zip(&found.segments) {
        judge_edge(read, (segment, answer), clearance, tally, faults)?;
    }
    tally.nanoseconds[2] += elapsed(start);
    Ok(())
}

/// What proves the edges must hold for the checker.
fn certificate_of_edges(
    read: &ReadArm<'_>,
    path: &LinkPath<'_>,
    (segments, found): (&[PathSegment], &PathAnswer),
    clearance: f64,
    tally: &mut RangeTally,
    faults: &mut Vec<String>,
) -> Result<(), String> {
    let both: Vec<_> = segments.iter().zip(&found.segments).collect();
    let made = path.certificate(&both).map_err(|error| error.to_string())?;
    let asked: Vec<&PathSegment> = segments.iter().collect();
    let of = (&read.scene, &read.bodies[..]);
    match check_path_certificate(of, &asked, path.checked_pairs(), clearance, &made) {
        Ok(checked) => tally.leaves += checked.leaves,
        Err(objection) => faults.push(format!("the certificate of edges: {objection}")),
    }
    Ok(())
}

fn judge_edge(
    read: &ReadArm<'_>,
    (segment, answer): (&PathSegment, &SegmentAnswer),
    clearance: f64,
    tally: &mut RangeTally,
    faults: &mut Vec<String>,
) -> Result<(), String> {
    let (arm, robot) = (read.arm, read.robot()?);
    tally.edges[answer.verdict as usize] += 1;
    if let Some(first) = &answer.first {
        faults.extend(judge_meeting(read, first, clearance));
    }
    // What was proved, and until when. Where links hit, only overlaps are ruled out before, which no upper bound refutes.
    let (last, least) = match (&answer.first, answer.verdict) {
        (None, PathVerdict::Free) => (1.0, clearance),
        // Up to the first time, but for itself: an edge may begin too close.
        (Some(first), PathVerdict::Close) if first.part.lower > 0.0 => {
            (first.part.lower.next_down(), clearance)
        }
        _ => return Ok(()),
    };
    for k in 0..=ALONG {
        let u = last * k as f64 / ALONG as f64;
        let state = segment.state(robot, u);
        let places = oracle::places(arm, &state);
        for a in 0..arm.links.len() {
            for b in a + 1..arm.links.len() {
                let is_solid = |k: usize| !arm.links[k].pieces.is_empty();
                if !is_solid(a) || !is_solid(b) || arm.is_adjacent(a, b) {
                    continue;
                }
                tally.states += 1;
                let quick = oracle::distance(arm, [a, b], &places, QUICK);
                let is_near =
                    quick.upper < least - ROUNDING || (least == 0.0 && quick.upper < 1e-3);
                if !is_near {
                    continue;
                }
                let found = oracle::distance(arm, [a, b], &places, SLOW);
                if found.upper < least - ROUNDING && !is_open(read, answer, [a, b], u) {
                    faults.push(format!(
                        "l{a} and l{b}: an edge from {:?} to {:?} is {} ({:?}) and proved {least} apart, but {} at {u}, {state:?}",
                        segment.state(robot, 0.0),
                        segment.state(robot, 1.0),
                        answer.verdict.as_str(),
                        answer.first.as_ref().map(|first| (first.part, first.bodies)),
                        found.upper
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Whether the answer says that nothing is proved of a pair at a time.
fn is_open(read: &ReadArm<'_>, answer: &SegmentAnswer, links: [usize; 2], u: f64) -> bool {
    let mut open = answer.open.iter();
    open.any(|event| {
        let part = event.part;
        read.of_bodies(event.bodies) == links && part.lower <= u && u <= part.upper
    })
}

/// The state of a meeting must not show the pair to be apart.
fn judge_meeting(read: &ReadArm<'_>, first: &PathEvent, clearance: f64) -> Option<String> {
    let links = read.of_bodies(first.bodies);
    let state = &first.state[..read.arm.joints.len()];
    let here = oracle::distance(read.arm, links, &oracle::places(read.arm, state), SLOW);
    let most = if first.verdict == PathVerdict::Hit {
        0.0
    } else {
        clearance
    };
    let [a, b] = links;
    (here.lower > most + ROUNDING).then(|| {
        format!(
            "l{a} and l{b}: {} at {state:?}, and {} apart",
            first.verdict.as_str(),
            here.lower
        )
    })
}
