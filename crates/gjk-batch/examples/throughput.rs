//! What a pair costs: `cargo run --release -p gjk-batch --example throughput [pairs] [filter] [rounds] [brief]`.
//!
//! Each line is a workload: nanoseconds a pair on one thread, least of many rounds, by every width of lanes, by the widest
//! with poses in any order, and by single queries, and the share of pairs that the lanes decided. Poses are world poses, one
//! of each body a pair, shapes are 32. With a fourth word only the widest lanes are measured, for a profile.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // an example's own numbers

use gjk::query::{self, Verdict};
use gjk::shape::{Cuboid, Polytope, Shape};
use gjk::{Pose, Pose2, Pose3, Vec2, Vec3, Vector};
use gjk_batch::{Lanes, Options, Pair, Poses, Shapes, Statistics, World};
use std::time::Instant;

#[path = "../../gjk/tests/oracle/mod.rs"]
mod oracle;

use oracle::Rng;

fn direction<V: Vector>(rng: &mut Rng) -> V {
    V::from_f64(rng.direction(V::DIM))
}

/// What a kind of vector needs here: a turned pose at a place.
trait Place: Vector<Scalar = f64> {
    fn turned(rng: &mut Rng, at: Self) -> Pose<Self>;
}

impl Place for Vec3<f64> {
    fn turned(rng: &mut Rng, at: Self) -> Pose3<f64> {
        let q = [0; 4].map(|_| rng.range(-1.0, 1.0));
        Pose3::from_quaternion(q, at).unwrap_or(Pose::from_translation(at))
    }
}

impl Place for Vec2<f64> {
    fn turned(rng: &mut Rng, at: Self) -> Pose2<f64> {
        Pose2::from_angle(rng.range(0.0, 6.0), at)
    }
}

struct Work<V: Vector> {
    shapes: Shapes<V>,
    poses: Poses<V>,
    pairs: Vec<Pair>,
}

/// The gap aimed at, in parts of the pair's size: a positive range apart, a negative one overlapping.
const REGIMES: [(&str, [f64; 2]); 4] = [
    ("far", [0.8, 1.2]),
    ("near", [0.01, 0.05]),
    ("shallow", [-0.05, -0.01]),
    ("deep", [-0.3, -0.2]),
];

fn work<V: Place>(shapes: &[Shape<V>], gap: [f64; 2], count: usize) -> Work<V> {
    let mut rng = Rng(7);
    let mut made = Work {
        shapes: shapes.iter().cloned().collect(),
        poses: Poses::new(),
        pairs: Vec::new(),
    };
    let half = count as u32;
    let mut second = Vec::new();
    for k in 0..half {
        let (a, b) = (
            (rng.unit() * shapes.len() as f64) as usize,
            (rng.unit() * shapes.len() as f64) as usize,
        );
        let place = direction::<V>(&mut rng) * rng.range(0.0, 10.0);
        let pose_a = V::turned(&mut rng, place);
        let (line, turned) = (direction::<V>(&mut rng), V::turned(&mut rng, V::ZERO));
        let goal = rng.range(gap[0], gap[1]);
        // The signed distance grows along a line from the centre: bisect it.
        let at = |far: f64| Pose::from_columns(columns(&turned), place + line * far);
        let (mut low, mut high) = (0.0, 8.0);
        for _ in 0..24 {
            let middle = 0.5 * (low + high);
            let found = query::contact(
                &shapes[a],
                &pose_a,
                &shapes[b],
                &at(middle),
                &Default::default(),
            );
            if found.signed_distance.lower < goal {
                low = middle
            } else {
                high = middle
            }
        }
        made.poses.push(pose_a);
        second.push(at(high));
        made.pairs
            .push(Pair::new((a as u32, k), (b as u32, half + k)));
    }
    for pose in second {
        made.poses.push(pose);
    }
    made
}

/// The same pairs with their poses in any order.
fn shuffled<V: Vector>(work: &Work<V>) -> Work<V> {
    let mut rng = Rng(11);
    let mut order: Vec<u32> = (0..work.poses.len() as u32).collect();
    for k in (1..order.len()).rev() {
        order.swap(k, (rng.unit() * (k + 1) as f64) as usize);
    }
    let mut place = vec![0; order.len()];
    for (at, &pose) in order.iter().enumerate() {
        place[pose as usize] = at as u32;
    }
    let mut pairs = work.pairs.clone();
    for pair in &mut pairs {
        (pair.a.pose, pair.b.pose) = (place[pair.a.pose as usize], place[pair.b.pose as usize]);
    }
    let poses = order
        .iter()
        .filter_map(|&pose| work.poses.get(pose).copied())
        .collect();
    Work {
        shapes: work.shapes.clone(),
        poses,
        pairs,
    }
}

fn columns<V: Vector>(pose: &Pose<V>) -> V::Columns {
    let mut columns = V::identity();
    columns.as_mut().copy_from_slice(pose.columns());
    columns
}

#[derive(Clone, Copy, PartialEq)]
enum Operation {
    Classify,
    Distance,
    Contact,
}

/// Nanoseconds a pair, and how the pairs were decided.
fn measure<V: Vector>(
    work: &Work<V>,
    operation: Operation,
    lanes: Lanes,
    rounds: usize,
) -> (f64, usize) {
    let world = World {
        shapes: &work.shapes,
        poses: &work.poses,
    };
    let options = Options {
        threads: Some(1),
        lanes,
        ..Options::default()
    };
    let (mut verdicts, mut answers) = (Vec::<Verdict>::new(), Vec::new());
    // Pieces of every round are timed, and each piece's least time is summed: an interruption spoils a piece, not a round.
    let mut best = vec![f64::INFINITY; work.pairs.len().div_ceil(PIECE)];
    let mut found = vec![Statistics::default(); best.len()];
    for _ in 0..rounds {
        for ((pairs, best), found) in work.pairs.chunks(PIECE).zip(&mut best).zip(&mut found) {
            let start = Instant::now();
            *found = match operation {
                Operation::Classify => {
                    gjk_batch::classify_into(world, pairs, &options, &mut verdicts)
                }
                Operation::Distance => {
                    gjk_batch::distance_into(world, pairs, &options, &mut answers)
                }
                Operation::Contact => gjk_batch::contact_into(world, pairs, &options, &mut answers),
            }
            .unwrap();
            *best = best.min(start.elapsed().as_nanos() as f64);
        }
    }
    (
        best.iter().sum::<f64>() / work.pairs.len() as f64,
        found.iter().map(|s| s.by_lanes).sum(),
    )
}

/// Pairs a call that is timed.
const PIECE: usize = 256;

fn rows<V: Place>(
    name: &str,
    shapes: &[Shape<V>],
    [count, rounds, brief]: [usize; 3],
    filter: &str,
) {
    for (regime, gap) in REGIMES {
        let apart = gap[0] > 0.0;
        let second = if apart {
            ("distance", Operation::Distance)
        } else {
            ("contact", Operation::Contact)
        };
        let wanted: Vec<_> = [("classify", Operation::Classify), second]
            .into_iter()
            .filter(|(what, _)| format!("{name} {regime} {what}").contains(filter))
            .collect();
        if wanted.is_empty() {
            continue;
        }
        let work = work(shapes, gap, count);
        let mixed = shuffled(&work);
        for (what, operation) in wanted {
            if brief > 0 {
                let (time, found) = measure(&work, operation, Lanes::Widest, rounds);
                println!(
                    "{name:8} {regime:8} {what:9} {time:8.1} {:8.2} %",
                    100.0 * found as f64 / work.pairs.len() as f64
                );
                continue;
            }
            let times = [Lanes::Widest, Lanes::Avx2, Lanes::Baseline]
                .map(|lanes| measure(&work, operation, lanes, rounds));
            let single = measure(&work, operation, Lanes::Off, 5).0;
            let any = measure(&mixed, operation, Lanes::Widest, rounds).0;
            let share = 100.0 * times[0].1 as f64 / work.pairs.len() as f64;
            let [widest, avx2, baseline] = times.map(|t| t.0);
            println!(
                "{name:8} {regime:8} {what:9} {widest:8.1} {avx2:8.1} {baseline:8.1} {any:8.1} {single:9.1} {share:8.2} %"
            );
        }
    }
}

fn hulls<V: Vector<Scalar = f64>>(vertices: usize, stretch: [f64; 3]) -> Vec<Shape<V>> {
    let mut rng = Rng(vertices as u64);
    let mut point = || {
        let d = rng.direction(V::DIM);
        V::from_f64(core::array::from_fn(|k| 0.5 * stretch[k] * d[k]))
    };
    let mut hull = || Polytope::new(&(0..vertices).map(|_| point()).collect::<Vec<V>>()).unwrap();
    (0..32).map(|_| hull().into()).collect()
}

fn boxes(rng: &mut Rng, stretch: [f64; 3]) -> Vec<Shape<Vec3<f64>>> {
    let mut size = |k: usize| stretch[k] * rng.range(0.2, 0.7);
    let mut cuboid = || Cuboid::new(Vec3::new(size(0), size(1), size(2))).unwrap();
    (0..32).map(|_| cuboid().into()).collect()
}

fn main() {
    let mut args = std::env::args().skip(1);
    let count = args.next().and_then(|x| x.parse().ok()).unwrap_or(16384);
    let filter = args.next().unwrap_or_default();
    let rounds = args.next().and_then(|x| x.parse().ok()).unwrap_or(60);
    let brief = args.next().is_some() as usize;
    let work = [count, rounds, brief];
    println!(
        "workload                      widest     avx2 baseline any order   single  by lanes   (ns a pair, {count} pairs)"
    );
    let mut rng = Rng(1);
    rows("box", &boxes(&mut rng, [1.0; 3]), work, &filter);
    rows(
        "thin box",
        &boxes(&mut rng, [1.0, 1.0, 0.001]),
        work,
        &filter,
    );
    rows(
        "hull 8",
        &hulls::<Vec3<f64>>(8, [1.0, 2.0, 1.0]),
        work,
        &filter,
    );
    rows(
        "hull 32",
        &hulls::<Vec3<f64>>(32, [1.0, 2.0, 1.0]),
        [count.min(4096), rounds, brief],
        &filter,
    );
    for vertices in [128, 512, 2048] {
        let name = format!("hull {vertices}");
        rows(
            &name,
            &hulls::<Vec3<f64>>(vertices, [1.0, 2.0, 1.0]),
            [count.min(1024), rounds.min(20), brief],
            &filter,
        );
    }
    rows(
        "2D 4",
        &hulls::<Vec2<f64>>(4, [1.0, 2.0, 0.0]),
        work,
        &filter,
    );
    rows(
        "2D 8",
        &hulls::<Vec2<f64>>(8, [1.0, 2.0, 0.0]),
        work,
        &filter,
    );
}
