//! What proofs of edges cost beside samples: run by hand, with the numbers on docs/performance.md.

use crate::Built;
use crate::panda::collected;
use gjk::query::Verdict;
use gjk_check::pairs::Pairs;
use gjk_check::states::{Splitmix64, States};
use gjk_check::{Check, Criteria};
use gjk_motion::{Interpolation, PathOptions, PathSegment, PathVerdict};
use gjk_scene::{Trajectory, TrajectoryPoint};
use std::time::Instant;

/// A sampler: is any pair overlapping in any of the states.
struct Sampler<'a> {
    built: &'a Built,
    pairs: Pairs,
}

impl Sampler<'_> {
    fn hits(&self, state: &[f64]) -> bool {
        let poses = self.built.robot().forward_kinematics(state);
        let check = Check::new(&self.built.bodies, &self.pairs).criteria(Criteria::default());
        self.pairs
            .all(self.built.bodies.len())
            .into_iter()
            .any(|pair| {
                let near = check.between(pair, &poses).unwrap();
                near.is_some_and(|near| near.verdict == Verdict::Overlapping)
            })
    }

    /// In steps of so many degrees of the largest joint move: a state at a time until one hits, or all of them as `gjk check` does.
    fn edge(
        &self,
        segment: &PathSegment,
        ends: [&[f64]; 2],
        degrees: f64,
        all_at_once: bool,
    ) -> bool {
        let moves = ends[0].iter().zip(ends[1]).map(|(a, b)| (a - b).abs());
        let steps = (moves.fold(0.0, f64::max) / degrees.to_radians()).ceil();
        let mut states = (0..=steps as u32).map(|k| {
            let part = f64::from(k) / steps;
            segment.state(self.built.robot(), part)
        });
        if !all_at_once {
            return states.any(|state| self.hits(&state));
        }
        let states = States::new(&self.built.scene, states.collect());
        let check = Check::new(&self.built.bodies, &self.pairs).criteria(Criteria::default());
        let found = check.run(&states).unwrap();
        let mut pairs = found.pairs.iter();
        pairs.any(|pair| pair.proximity.verdict == Verdict::Overlapping)
    }
}

/// `cargo test -p gjk-motion --release --test paths -- --ignored --nocapture edges_of_a_panda`
#[test]
#[ignore = "a measurement"]
fn edges_of_a_panda() {
    edges_of(collected("panda/panda.urdf", "panda/panda.srdf"), 1000);
}

#[test]
#[ignore = "a measurement"]
fn edges_of_a_ur5() {
    edges_of(collected("ur5/ur5_robot.urdf", "ur5/ur5.srdf"), 1000);
}

#[test]
#[ignore = "a measurement"]
fn edges_of_a_pr2() {
    edges_of(collected("pr2/pr2.urdf", "pr2/pr2.srdf"), 50);
}

fn edges_of(robot: Option<Built>, count: usize) {
    let Some(built) = robot else { return };
    let robot = built.robot();
    let sampler = Sampler {
        built: &built,
        pairs: Pairs::new(&built.scene, &built.bodies, built.srdf.as_ref(), false),
    };
    let mut random = Splitmix64(1);
    for largest in [1.0, 0.2, 3.0] {
        let mut edges = Vec::new();
        while edges.len() < count {
            let from = robot.sample(&mut || random.unit());
            let mut way: Vec<f64> = from.iter().map(|_| random.unit() * 2.0 - 1.0).collect();
            let longest = way.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            way.iter_mut().for_each(|x| *x *= largest / longest);
            let mut to: Vec<f64> = from.iter().zip(&way).map(|(a, b)| a + b).collect();
            for (value, joint) in to.iter_mut().zip(&robot.joints) {
                *value = joint
                    .limits
                    .map_or(*value, |l| value.clamp(l.lower, l.upper));
            }
            robot.follow_mimics(&mut to);
            if !sampler.hits(&from) && !sampler.hits(&to) {
                let segment = PathSegment::line(robot, &from, &to).unwrap();
                edges.push((segment, from, to));
            }
        }
        report(&built, &sampler, &edges, largest);
    }
}

/// The least seconds of three runs: others use the machine too.
fn fastest<T>(run: impl Fn() -> T) -> (f64, T) {
    let timed = || {
        let begin = Instant::now();
        let found = run();
        (begin.elapsed().as_secs_f64(), found)
    };
    let runs = [timed(), timed(), timed()];
    let least = runs.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    least.unwrap()
}

fn report(
    built: &Built,
    sampler: &Sampler<'_>,
    edges: &[(PathSegment, Vec<f64>, Vec<f64>)],
    largest: f64,
) {
    let options = PathOptions {
        depth_samples: 0,
        ..PathOptions::default()
    };
    let path = built.path(options);
    let segments: Vec<_> = edges.iter().map(|edge| edge.0.clone()).collect();
    let (proof, answer) = fastest(|| path.check(&segments).unwrap());
    let mut rows = [(0.0, 0); 3];
    let samplers = [(5.0, false), (1.0, false), (1.0, true)];
    for (row, (degrees, at_once)) in rows.iter_mut().zip(samplers) {
        let (seconds, found) = fastest(|| -> Vec<bool> {
            let edges = edges.iter();
            edges
                .map(|(segment, from, to)| sampler.edge(segment, [from, to], degrees, at_once))
                .collect()
        });
        row.0 = seconds;
        for (one, &found) in answer.segments.iter().zip(&found) {
            let hit = one.verdict == PathVerdict::Hit;
            assert!(hit || !found, "{one:?}");
            row.1 += u32::from(hit && !found);
        }
    }
    let count = |of: PathVerdict| {
        answer
            .segments
            .iter()
            .filter(|one| one.verdict == of)
            .count()
    };
    let cells: u64 = answer.segments.iter().map(|one| one.cells).sum();
    let worst = answer
        .segments
        .iter()
        .map(|one| one.cells)
        .max()
        .unwrap_or(0);
    println!(
        "{largest} rad: proof {:.3} ms an edge, at 5 degrees {:.3}, at 1 degree {:.3} a state at a time and {:.3} all at once; {} pairs, {} spans, worst {worst}; {} hit, {} touch, {} undecided; missed {} and {}",
        proof * 1000.0 / edges.len() as f64,
        rows[0].0 * 1000.0 / edges.len() as f64,
        rows[1].0 * 1000.0 / edges.len() as f64,
        rows[2].0 * 1000.0 / edges.len() as f64,
        path.pairs(),
        cells,
        count(PathVerdict::Hit),
        count(PathVerdict::Touch),
        count(PathVerdict::Undecided),
        rows[0].1,
        rows[1].1
    );
    let some: Vec<_> = segments.iter().take(200).cloned().collect();
    let (seconds, slices) = fastest(|| path.profile(&some, 1, 1e-3).unwrap());
    let open = slices.iter().filter(|slice| !slice.is_proved).count();
    println!(
        "  clearance to 1 mm: {:.3} ms an edge, {open} of {} open",
        seconds * 1000.0 / some.len() as f64,
        slices.len()
    );
}

/// Random quintics of a Panda, swinging wide between near points: what is proved free is free in 400 states of each.
#[test]
#[ignore = "a campaign"]
fn curves_of_a_panda() {
    let Some(panda) = collected("panda/panda.urdf", "panda/panda.srdf") else {
        return;
    };
    let sampler = Sampler {
        built: &panda,
        pairs: Pairs::new(&panda.scene, &panda.bodies, panda.srdf.as_ref(), false),
    };
    let mut random = Splitmix64(5);
    let mut counts = [0; 2];
    for _ in 0..400 {
        let robot = panda.robot();
        let from = robot.sample(&mut || random.unit());
        let mut point = |time: f64, spread: f64| {
            let mut list = |size: f64| -> Vec<f64> {
                from.iter()
                    .map(|_| size * (random.unit() * 2.0 - 1.0))
                    .collect()
            };
            let moved = list(spread);
            TrajectoryPoint {
                time,
                positions: from.iter().zip(moved).map(|(a, b)| a + b).collect(),
                velocities: Some(list(2.0)),
                accelerations: Some(list(4.0)),
            }
        };
        let trajectory = Trajectory {
            place: String::new(),
            joints: (0..from.len())
                .filter(|&k| robot.joints[k].is_independent())
                .collect(),
            start: from.clone(),
            points: vec![point(0.0, 0.0), point(1.0, 1.0)],
            timed: true,
        };
        let own = |list: &[f64]| {
            trajectory
                .joints
                .iter()
                .map(|&k| list[k])
                .collect::<Vec<f64>>()
        };
        let mut trajectory = trajectory.clone();
        for point in &mut trajectory.points {
            point.positions = own(&point.positions);
            point.velocities = point.velocities.as_deref().map(own);
            point.accelerations = point.accelerations.as_deref().map(own);
        }
        let segments = PathSegment::of_trajectory(robot, &trajectory, Interpolation::Auto).unwrap();
        let answer = panda.check(&segments).segments.remove(0);
        let end = answer.first.as_ref().map_or(1.0, |first| first.part.lower);
        assert!(answer.open.is_empty(), "{answer:?}");
        counts[usize::from(answer.first.is_some())] += 1;
        if end > 0.0 {
            for k in 0..=400 {
                let state = segments[0].state(robot, end * f64::from(k) / 400.0);
                assert!(!sampler.hits(&state), "{answer:?}");
            }
        }
    }
    println!("{counts:?} free and hit");
}
