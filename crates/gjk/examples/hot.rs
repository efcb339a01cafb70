//! The hot queries, one kind a run, for profilers and instruction counts: `hot KIND ROUNDS`.
//!
//! Every kind asks the same fixed pairs again and again. `cargo xtask instructions` counts the rounds alone, and compares
//! them with `bench/instructions.csv`.

#![allow(clippy::print_stdout, clippy::print_stderr)] // a measurement is its output

use gjk::query::{self, MotionOptions, Options, Ray, ToiOptions, Twist};
use gjk::shape::{Cuboid, Polytope};
use gjk::{Pose, Pose2, Pose3, Scalar, Support, Vec2, Vec3, Vector};
use std::hint::black_box;

/// Pairs of one kind.
const PAIRS: usize = 64;

/// What is asked.
#[derive(Clone, Copy, PartialEq)]
enum Ask {
    Intersects,
    Distance,
    Contact,
    /// When B's origin, on its way past A's, meets A.
    Ray,
    /// When B, on that way, meets A.
    Cast,
    /// The same of a B that turns on its way.
    Toi,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next().unwrap_or_default();
    let rounds = arguments
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1000);
    let Some((shape, regime, ask, scalar)) = parse(&kind) else {
        eprintln!(
            "usage: hot SHAPE-REGIME-ASK[-f32] ROUNDS, e.g. box-near-distance or hull32-deep-contact or polygon8-far-ray"
        );
        std::process::exit(2);
    };
    let pairs: Vec<Pair> = (0..PAIRS)
        .map(|k| Pair::new(k as u64, shape, regime))
        .collect();
    let once = if shape.starts_with("polygon") {
        run::<Vec2<f64>>(&pairs, ask, rounds, planar_shape, planar_pose)
    } else if scalar == "f32" {
        run::<Vec3<f32>>(&pairs, ask, rounds, shape_of, pose_of)
    } else {
        run::<Vec3<f64>>(&pairs, ask, rounds, shape_of, pose_of)
    };
    println!("{kind}: {once:.1} ns a query, least of {rounds} rounds");
}

fn parse(kind: &str) -> Option<(&str, &str, Ask, &str)> {
    let mut parts = kind.split('-');
    let (shape, regime) = (parts.next()?, parts.next()?);
    let ask = match parts.next()? {
        "intersects" => Ask::Intersects,
        "distance" => Ask::Distance,
        "contact" => Ask::Contact,
        "ray" => Ask::Ray,
        "cast" => Ask::Cast,
        "toi" => Ask::Toi,
        _ => return None,
    };
    ["far", "near", "shallow", "deep"]
        .contains(&regime)
        .then_some(())?;
    Some((shape, regime, ask, parts.next().unwrap_or("f64")))
}

/// The numbers that a pair is made of.
struct Pair {
    points: [Vec<[f64; 3]>; 2],
    quaternions: [[f64; 4]; 2],
    at: [[f64; 3]; 2],
}

impl Pair {
    fn new(seed: u64, shape: &str, regime: &str) -> Self {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995);
        for _ in 0..8 {
            rng.unit();
        }
        let count: usize = shape
            .trim_start_matches(char::is_alphabetic)
            .parse()
            .unwrap_or(0);
        let planar = shape.starts_with("polygon");
        let mut body = || match count {
            0 => vec![[
                rng.range(0.3, 1.0),
                rng.range(0.3, 1.0),
                rng.range(0.3, 1.0),
            ]],
            n => (0..n)
                .map(|k| rng.on_ellipsoid(planar.then_some(k as f64 / n as f64)))
                .collect(),
        };
        let points = [body(), body()];
        let quaternions = [rng.quaternion(), rng.quaternion()];
        let from = rng.vector();
        let mut along = rng.vector();
        if planar {
            along[2] = 0.0;
        }
        let mut pair = Self {
            points,
            quaternions,
            at: [from, from],
        };
        // Bisect the offset along the line to the regime's signed distance.
        let signed = |pair: &Self| pair.signed(planar);
        let deepest = signed(&pair);
        let target = match regime {
            "far" => 2.0 * rng.range(0.8, 1.2),
            "near" => 2.0 * rng.range(0.01, 0.05),
            "shallow" => -2.0 * rng.range(0.01, 0.05).min(-0.9 * deepest / 2.0),
            _ => deepest * rng.range(0.3, 0.6),
        };
        let (mut low, mut high) = (0.0, 16.0);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            pair.at[1] = core::array::from_fn(|k| from[k] + middle * along[k]);
            if signed(&pair) < target {
                low = middle
            } else {
                high = middle
            }
        }
        pair
    }

    fn signed(&self, planar: bool) -> f64 {
        if planar {
            let [a, b] = [0, 1].map(|k| (planar_shape(self, k), planar_pose(self, k)));
            query::contact(&a.0, &a.1, &b.0, &b.1, &Options::tight())
                .signed_distance
                .lower
        } else {
            let [a, b] = [0, 1].map(|k| (shape_of::<f64>(self, k), pose_of::<f64>(self, k)));
            query::contact(&a.0, &a.1, &b.0, &b.1, &Options::tight())
                .signed_distance
                .lower
        }
    }
}

fn shape_of<T: Scalar>(pair: &Pair, k: usize) -> gjk::shape::Shape<Vec3<T>> {
    let points: Vec<Vec3<T>> = pair.points[k].iter().map(|&p| Vec3::from_f64(p)).collect();
    match points.as_slice() {
        [half] => Cuboid::new(*half).expect("positive").into(),
        _ => Polytope::new(&points).expect("finite").into(),
    }
}

fn pose_of<T: Scalar>(pair: &Pair, k: usize) -> Pose3<T> {
    Pose3::from_quaternion(
        pair.quaternions[k].map(T::from_f64),
        Vec3::from_f64(pair.at[k]),
    )
    .expect("a rotation")
}

fn planar_shape(pair: &Pair, k: usize) -> gjk::shape::Shape<Vec2<f64>> {
    let points: Vec<Vec2<f64>> = pair.points[k].iter().map(|&p| Vec2::from_f64(p)).collect();
    Polytope::new(&points).expect("finite").into()
}

fn planar_pose(pair: &Pair, k: usize) -> Pose2<f64> {
    Pose2::from_angle(pair.quaternions[k][0] * 3.0, Vec2::from_f64(pair.at[k]))
}

fn run<V: Vector>(
    pairs: &[Pair],
    ask: Ask,
    rounds: usize,
    shape: impl Fn(&Pair, usize) -> gjk::shape::Shape<V>,
    pose: impl Fn(&Pair, usize) -> Pose<V>,
) -> f64 {
    let posed: Vec<_> = pairs
        .iter()
        .map(|pair| [0, 1].map(|k| (shape(pair, k), pose(pair, k))))
        .collect();
    type Posed<'p, S, V> = [(&'p S, &'p Pose<V>); 2];
    let boxes: Option<Vec<Posed<'_, Cuboid<V>, V>>> = posed
        .iter()
        .map(|[a, b]| match (&a.0, &b.0) {
            (gjk::shape::Shape::Cuboid(x), gjk::shape::Shape::Cuboid(y)) => {
                Some([(x, &a.1), (y, &b.1)])
            }
            _ => None,
        })
        .collect();
    let hulls: Vec<Posed<'_, Polytope<V>, V>> = posed
        .iter()
        .filter_map(|[a, b]| match (&a.0, &b.0) {
            (gjk::shape::Shape::Polytope(x), gjk::shape::Shape::Polytope(y)) => {
                Some([(x, &a.1), (y, &b.1)])
            }
            _ => None,
        })
        .collect();
    match &boxes {
        Some(boxes) => time(boxes, ask, rounds),
        None => time(&hulls, ask, rounds),
    }
}

fn time<V: Vector, S: Support<V>>(pairs: &[[(&S, &Pose<V>); 2]], ask: Ask, rounds: usize) -> f64 {
    let options = Options::default();
    let mut stops: Vec<(&str, usize)> = Vec::new();
    let mut iterations = 0;
    for [(a, pose_a), (b, pose_b)] in pairs {
        let answer = query::contact(*a, pose_a, *b, pose_b, &options);
        iterations += answer.iterations.gjk + answer.iterations.epa;
        match stops
            .iter_mut()
            .find(|(name, _)| *name == answer.stop.name())
        {
            Some((_, count)) => *count += 1,
            None => stops.push((answer.stop.name(), 1)),
        }
    }
    eprintln!(
        "{:.2} iterations a contact, stops {stops:?}",
        f64::from(iterations) / pairs.len() as f64
    );
    let once = |_| {
        let start = std::time::Instant::now();
        answer_all(pairs, ask, &options);
        start.elapsed().as_nanos() as f64 / pairs.len() as f64
    };
    (0..rounds).map(once).fold(f64::INFINITY, f64::min)
}

/// One round. `cargo xtask instructions` counts what runs within this function, by its name.
#[inline(never)]
fn answer_all<V: Vector, S: Support<V>>(
    pairs: &[[(&S, &Pose<V>); 2]],
    ask: Ask,
    options: &Options<V::Scalar>,
) {
    let (motion, turning) = (MotionOptions::default(), ToiOptions::default());
    // About no axis of a body, by some 57 degrees.
    let [x, y] = if V::DIM == 2 { [0.0; 2] } else { [0.5, 0.3] };
    let angular = [x, y, -0.8].map(V::Scalar::from_f64);
    // Beside the centre by a part of the length one: some pass by.
    let way = |from: &Pose<V>, to: &Pose<V>| {
        to.translation() - from.translation() + from.columns()[0] * V::Scalar::from_f64(0.6)
    };
    for [(a, pose_a), (b, pose_b)] in pairs {
        match ask {
            Ask::Intersects => drop(black_box(query::intersects(
                *a, pose_a, *b, pose_b, options,
            ))),
            Ask::Distance => drop(black_box(query::distance(*a, pose_a, *b, pose_b, options))),
            Ask::Contact => drop(black_box(query::contact(*a, pose_a, *b, pose_b, options))),
            Ask::Ray => {
                let ray = Ray::new(pose_b.translation(), way(pose_b, pose_a)).expect("finite");
                black_box(query::ray(*a, pose_a, &ray, &motion));
            }
            Ask::Cast => {
                let (rest, way) = (V::ZERO, way(pose_b, pose_a));
                black_box(query::cast(*a, pose_a, rest, *b, pose_b, way, &motion));
            }
            Ask::Toi => {
                let twist = Twist::new(way(pose_b, pose_a), angular, V::ZERO).expect("finite");
                let rest = Twist::rest();
                black_box(query::toi(*a, pose_a, &rest, *b, pose_b, &twist, &turning));
            }
        }
    }
}

/// A xorshift generator: the pairs are the same everywhere.
struct Rng(u64);

impl Rng {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
    /// A unit vector.
    fn vector(&mut self) -> [f64; 3] {
        loop {
            let v: [f64; 3] = core::array::from_fn(|_| self.range(-1.0, 1.0));
            let squared: f64 = v.iter().map(|x| x * x).sum();
            if (0.01..1.0).contains(&squared) {
                return v.map(|x| x / squared.sqrt());
            }
        }
    }
    fn quaternion(&mut self) -> [f64; 4] {
        let [x, y, z] = self.vector();
        let w = self.range(-1.0, 1.0);
        [x, y, z, w]
    }
    /// A point of an ellipsoid of axes 1 to 2, or of an ellipse at a part of its turn.
    fn on_ellipsoid(&mut self, turn: Option<f64>) -> [f64; 3] {
        match turn {
            Some(turn) => {
                let (sin, cos) =
                    (core::f64::consts::TAU * (turn + self.range(0.0, 0.02))).sin_cos();
                [cos, 0.6 * sin, 0.0]
            }
            None => {
                let [x, y, z] = self.vector();
                [x, 0.6 * y, 0.8 * z]
            }
        }
    }
}
