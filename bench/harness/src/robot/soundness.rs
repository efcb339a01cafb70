//! A long campaign that looks for a wrong proof of a robot: `cargo xtask robot URDF --soundness`.
//!
//! Where it sits: beside `proofs.rs`, which measures what proofs cost. Read [`run`].
//! Idea: all pairs of links are decided as `gjk acm` does. Pairs that never meet are held against random states and descents (`never_states.rs`),
//! pairs that do against all pairs of triangles in the state that shows it (`witnesses.rs`), and answers of edges against dense samples (`edge_answers.rs`).
//! Whatever contradicts is printed with its state, and ends the run with an error.

use super::RobotSettings;
use super::edge_answers::judge_edges;
use super::never_states::{NeverFound, NeverJudge, NeverPair, Refutation};
use super::sampler::Sampler;
use super::subject::{Found, Subject};
use super::witnesses::{Witnessed, witnessed};
use crate::Settings;
use crate::points::table;
use gjk_check::Check;
use gjk_check::pairs::Pairs;
use gjk_check::states::Splitmix64;
use gjk_motion::{Basis, LinkMatrix, LinkPath, Matrix, MatrixOptions, PathOptions};
use gjk_scene::{DisabledReason, Robot, Scene};
use std::time::Instant;

/// Cells of a pair, as `gjk acm` has them.
const CELLS: u64 = 300_000;
/// Random states in which links are looked at that are said to overlap always.
const ALWAYS_STATES: usize = 8;
/// A descent that ends within this part of the upper end has confirmed it.
const CONFIRMED: f64 = 0.01;
/// So many contradictions are printed.
const PRINTED: usize = 20;

/// Decides, judges, prints and records; false when something contradicts.
pub(crate) fn run(settings: &Settings, asked: &RobotSettings) -> Result<bool, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|why| why.to_string())?;
    pool.install(|| judged(settings, asked))
}

fn judged(settings: &Settings, asked: &RobotSettings) -> Result<bool, String> {
    let subject = Subject::load(asked)?;
    let mut found = Found::default();
    let options = matrix_options();
    let begin = Instant::now();
    let maker = LinkMatrix::new(&subject.scene, subject.robot()?, &subject.bodies, &options);
    let matrix = maker.and_then(|maker| maker.run());
    let matrix = matrix.map_err(|why| why.to_string())?;
    decided(&matrix, begin.elapsed().as_secs_f64(), &mut found);
    never(asked, &subject, (&matrix, &options), &mut found)?;
    witnesses(asked, &subject, (&matrix, &options), &mut found)?;
    edges(asked, subject_of_edges(&subject, &matrix), &mut found)?;
    print!("{}", table(&found.points));
    found.print_failed();
    subject.keep(settings, asked, "soundness", &found)?;
    Ok(found.failed.is_empty())
}

fn matrix_options() -> MatrixOptions {
    let mut options = MatrixOptions::default();
    options.range.cells_max = CELLS;
    options
}

/// What the matrix says, in counts.
fn decided(matrix: &Matrix, seconds: f64, found: &mut Found) {
    let size = matrix.pairs.len();
    let count = |is: fn(&Basis) -> bool| matrix.pairs.iter().filter(|pair| is(&pair.basis)).count();
    let counts = [
        (
            "adjacent or allowed",
            count(|b| matches!(b, Basis::Structure { .. } | Basis::File)),
        ),
        ("never, proved", count(|b| matches!(b, Basis::Apart { .. }))),
        (
            "always, proved",
            count(|b| matches!(b, Basis::AlwaysOverlapping)),
        ),
        (
            "meet, by a state",
            count(|b| matches!(b, Basis::Witness { .. })),
        ),
        ("touch", count(|b| matches!(b, Basis::Touches { .. }))),
        ("open", count(|b| matches!(b, Basis::Samples { .. }))),
    ];
    for (measure, value) in counts {
        found.push_in("pairs of links", "matrix", size, measure, value as f64);
    }
    found.push_in("pairs of links", "matrix", size, "seconds", seconds);
}

/// Pairs that never meet.
pub(super) fn never(
    asked: &RobotSettings,
    subject: &Subject,
    (matrix, options): (&Matrix, &MatrixOptions),
    found: &mut Found,
) -> Result<(), String> {
    let pairs: Vec<NeverPair> = matrix.pairs.iter().filter_map(NeverPair::of).collect();
    let (scene, robot) = (&subject.scene, subject.robot()?);
    let judge = NeverJudge::new(scene, robot, &subject.bodies, &options.limits, &pairs);
    let begin = Instant::now();
    let told = judge.run(asked.states, asked.seed)?;
    let seconds = begin.elapsed().as_secs_f64();
    let mut push = |measure: &str, value: f64| {
        found.push_in("never", "states and descents", pairs.len(), measure, value);
    };
    push("states", told.states as f64);
    push("states a second", told.states as f64 / told.seconds);
    push("seconds with distances", seconds);
    push("states undecided", told.undecided as f64);
    push("distances", told.distances as f64);
    push("contradictions", told.refuted.len() as f64);
    told_descents(&pairs, &told, &mut push);
    let refuted = told.refuted.iter().take(PRINTED);
    let texts = refuted.map(|refuted| refutation_text(scene, robot, refuted));
    found.failed.extend(texts);
    if told.undecided > 0 {
        println!("{} states were not decided by the judge", told.undecided);
    }
    Ok(())
}

/// How near the descents come to what is proved.
fn told_descents(pairs: &[NeverPair], told: &NeverFound, push: &mut impl FnMut(&str, f64)) {
    let moved = pairs.iter().zip(&told.nearest);
    let moved = moved.filter(|(pair, _)| !pair.joints.is_empty() && pair.proved.lower > 0.0);
    let of: Vec<(f64, f64, f64)> = moved
        .filter_map(|(pair, nearest)| {
            let (lower, upper) = (pair.proved.lower, pair.proved.upper);
            Some(((*nearest)? / lower, (*nearest)? / upper, lower / upper))
        })
        .collect();
    let count = |is: &dyn Fn(f64) -> bool| of.iter().filter(|(_, upper, _)| is(*upper)).count();
    let least = of
        .iter()
        .map(|(lower, ..)| *lower)
        .fold(f64::INFINITY, f64::min);
    let narrow = of
        .iter()
        .map(|(.., width)| *width)
        .fold(f64::INFINITY, f64::min);
    push("pairs with descents", of.len() as f64);
    push(
        "descents below the upper end",
        count(&|x| x < 1.0 - 1e-9) as f64,
    );
    push(
        "descents within 1 % of it",
        count(&|x| (x - 1.0).abs() <= CONFIRMED) as f64,
    );
    push(
        "descents that end above",
        count(&|x| x > 1.0 + CONFIRMED) as f64,
    );
    if !of.is_empty() {
        push("least part above the lower end", least - 1.0);
        push("least lower end by upper end", narrow);
    }
}

/// A contradiction in words.
pub(super) fn refutation_text(scene: &Scene, robot: &Robot, refuted: &Refutation) -> String {
    let name = |body: usize| &scene.bodies[body].name;
    let (a, b) = refuted.bodies;
    let joints = robot.joints.iter().zip(&refuted.state);
    let set = joints.filter(|(joint, _)| joint.is_independent());
    let values: Vec<String> = set
        .map(|(joint, v)| format!("{}={v:?}", joint.name))
        .collect();
    format!(
        "{} and {}: measured {:?} to {:?}, proved {:?} to {:?}, at {}",
        name(a),
        name(b),
        refuted.measured.lower,
        refuted.measured.upper,
        refuted.proved.lower,
        refuted.proved.upper,
        values.join(" ")
    )
}

/// Pairs that meet.
pub(super) fn witnesses(
    asked: &RobotSettings,
    subject: &Subject,
    (matrix, options): (&Matrix, &MatrixOptions),
    found: &mut Found,
) -> Result<(), String> {
    let (scene, robot) = (&subject.scene, subject.robot()?);
    let judge = NeverJudge::new(scene, robot, &subject.bodies, &options.limits, &[]);
    let mut random = Splitmix64(asked.seed);
    let mut counts = [0; 3];
    let mut asked_states = 0;
    for pair in &matrix.pairs {
        let states = match &pair.basis {
            Basis::Witness {
                state,
                overlaps: true,
                ..
            } => vec![state.clone()],
            Basis::AlwaysOverlapping => {
                let drawn = (0..ALWAYS_STATES).map(|_| judge.draw(&mut random));
                drawn.chain([matrix.default_state.clone()]).collect()
            }
            _ => continue,
        };
        asked_states += states.len();
        for state in &states {
            let seen = witnessed(robot, &subject.bodies, pair.bodies, state);
            counts[seen as usize] += 1;
            if seen == Witnessed::Neither {
                let (a, b) = pair.bodies;
                let (a, b) = (&scene.bodies[a].name, &scene.bodies[b].name);
                let why = format!("{a} and {b}: no triangles meet at {state:?}");
                found.failed.push(why);
            }
        }
    }
    let mut push = |measure: &str, value: usize| {
        found.push_in("witnesses", "states", asked_states, measure, value as f64);
    };
    push("triangles meet", counts[Witnessed::Surfaces as usize]);
    push(
        "one inside of the other",
        counts[Witnessed::Inside as usize],
    );
    push("not confirmed", counts[Witnessed::Neither as usize]);
    Ok(())
}

/// The robot of the edges: without an SRDF file, pairs that always overlap or do in the default state are left out, as a file would.
fn subject_of_edges(subject: &Subject, matrix: &Matrix) -> Subject {
    let mut of_edges = subject.clone();
    if subject.srdf.is_none() {
        let always = [Some(DisabledReason::Always), Some(DisabledReason::Default)];
        let pairs = matrix.pairs.iter();
        let left = pairs.filter(|pair| always.contains(&pair.reason));
        of_edges.scene.allow.extend(left.map(|pair| pair.bodies));
    }
    of_edges
}

/// Random edges.
fn edges(asked: &RobotSettings, subject: Subject, found: &mut Found) -> Result<(), String> {
    if asked.edges == 0 {
        return Ok(());
    }
    let (scene, robot, bodies) = (&subject.scene, subject.robot()?, &subject.bodies);
    let options = PathOptions {
        depth_samples: 0,
        ..PathOptions::default()
    };
    let path = LinkPath::new(scene, robot, bodies, subject.srdf.as_ref(), options);
    let path = path.without_standing().map_err(|why| why.to_string())?;
    let pairs = Pairs::new(scene, bodies, subject.srdf.as_ref(), false);
    let sampler = Sampler {
        robot,
        scene,
        check: Check::new(bodies, &pairs),
        path: &path,
    };
    judge_edges(&sampler, (asked.edges, asked.seed), found)
}
