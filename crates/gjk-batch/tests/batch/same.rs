//! The same verdicts as single queries, and intervals that contain the truth.

use crate::oracle;
use crate::scenes::{Scene, Space, all, boxes, hulls, in_a_row, large};
use gjk::query::{self, Verdict};
use gjk::{Pose, Scalar, Support, Vec2, Vec3, Vector};
use gjk_batch::{
    Answer, Body, Lanes, Options, Pair, Poses, World, classify_many, contact_many, distance_many,
};

fn one_thread(lanes: Lanes) -> Options<'static> {
    Options {
        threads: Some(1),
        lanes,
        ..Options::default()
    }
}

const EVERY_WIDTH: [Lanes; 3] = [Lanes::Widest, Lanes::Avx2, Lanes::Baseline];

/// Both contain the truth, so they share a point.
fn overlap<V: Vector>(
    scene: &Scene<V>,
    k: usize,
    answer: &Answer<V>,
    single: query::Interval<V::Scalar>,
) {
    let found = answer.interval;
    assert!(
        found.overlaps(&single) && found.lower <= found.upper,
        "{} pair {k}: {found:?} against {single:?}",
        scene.name
    );
}

/// Witness points realise the interval, and the normal runs along them.
fn witnesses<V: Vector>(scene: &Scene<V>, k: usize, answer: &Answer<V>) {
    let [a, b, n] = [answer.point_a, answer.point_b, answer.normal].map(|v| v.to_f64());
    let pair = scene.pairs[k];
    let reach = |body: gjk_batch::Body| {
        let (shape, pose) = (
            scene.shapes.get(body.shape).unwrap(),
            scene.poses.get(body.pose).unwrap(),
        );
        let extent = shape.core().extent;
        let pose = pose.lift::<V::Wide>();
        pose.bound(extent)
            + pose
                .translation()
                .to_f64()
                .iter()
                .map(|x| x.abs())
                .sum::<f64>()
    };
    let size = reach(pair.a) + reach(pair.b);
    if !(1e-100..1e100).contains(&size) {
        return;
    }
    let apart = oracle::dot(oracle::sub(b, a), n);
    let rounding = if V::Scalar::NAME == "f32" {
        1e-6
    } else {
        1e-14
    };
    let (lower, upper) = (
        answer.interval.lower.to_f64(),
        answer.interval.upper.to_f64(),
    );
    let slack = rounding * size * 10.0 + 2.0 * (upper - lower);
    assert!(
        (oracle::norm(n) - 1.0).abs() < 10.0 * rounding,
        "{} pair {k}: normal {n:?}",
        scene.name
    );
    assert!(
        apart > lower - slack && apart < upper + slack,
        "{} pair {k}: points {a:?} {b:?} along {n:?} are {apart} apart, not {lower}..{upper}",
        scene.name
    );
    let across = oracle::norm(core::array::from_fn(|i| b[i] - a[i] - n[i] * apart));
    assert!(
        across <= 1e-6 * size + slack,
        "{} pair {k}: points {a:?} {b:?} are not along {n:?}",
        scene.name
    );
}

fn compare<V: Space>(scene: &Scene<V>) {
    let single: Vec<_> = scene
        .pairs
        .iter()
        .map(|pair| {
            let (a, b) = (
                scene.shapes.get(pair.a.shape).unwrap(),
                scene.shapes.get(pair.b.shape).unwrap(),
            );
            let (at, to) = (
                scene.poses.get(pair.a.pose).unwrap(),
                scene.poses.get(pair.b.pose).unwrap(),
            );
            query::contact(a, at, b, to, &gjk::query::Options::tight())
        })
        .collect();
    let mut first: Option<[Vec<Answer<V>>; 2]> = None;
    for lanes in EVERY_WIDTH {
        let options = one_thread(lanes);
        let verdicts = classify_many(scene.world(), &scene.pairs, &options).unwrap();
        let distances = distance_many(scene.world(), &scene.pairs, &options).unwrap();
        let contacts = contact_many(scene.world(), &scene.pairs, &options).unwrap();
        for (k, truth) in single.iter().enumerate() {
            let (contact, distance) = (&contacts.answers[k], &distances.answers[k]);
            for verdict in [verdicts.answers[k], distance.verdict, contact.verdict] {
                assert_eq!(verdict, truth.verdict, "{} pair {k}, {lanes:?}", scene.name);
            }
            overlap(scene, k, contact, truth.signed_distance);
            if truth.verdict == Verdict::Separated {
                overlap(scene, k, distance, truth.signed_distance);
                witnesses(scene, k, distance);
            } else if truth.verdict != Verdict::Undecided {
                assert!(
                    distance.interval.lower == distance.interval.upper,
                    "{} pair {k}",
                    scene.name
                );
            }
            if truth.exact && truth.verdict != Verdict::Touching {
                witnesses(scene, k, contact);
            }
        }
        match &first {
            None => first = Some([distances.answers, contacts.answers]),
            // Every lane takes the same steps at every width.
            Some([d, c]) => assert!(
                *d == distances.answers && *c == contacts.answers,
                "{}, {lanes:?}",
                scene.name
            ),
        }
    }
}

#[test]
fn space_f64() {
    all::<Vec3<f64>>(1000).iter().for_each(compare);
}

#[test]
fn nearly_parallel_rods() {
    compare(&crate::scenes::rods(500));
}

#[test]
fn space_f32() {
    all::<Vec3<f32>>(1000).iter().for_each(compare);
}

#[test]
fn plane_f64() {
    all::<Vec2<f64>>(1000).iter().for_each(compare);
}

#[test]
fn plane_f32() {
    all::<Vec2<f32>>(1000).iter().for_each(compare);
}

/// Poses in another order are loaded in another way, and nothing else changes.
#[test]
fn the_order_of_poses_changes_nothing() {
    fn check<V: Space>(scene: &Scene<V>) {
        let count = scene.pairs.len() as u32;
        // Every second pose of each body, every pose, and no order.
        let orders: [fn(u32, u32, u32) -> u32; 3] = [
            |k, side, _| 2 * k + side,
            |k, side, n| k + n * side,
            |k, side, n| (2 * k + side) * 7 % (2 * n),
        ];
        for lanes in EVERY_WIDTH {
            let answers = orders.map(|order| {
                let mut poses: Poses<V> = (0..2 * count).map(|_| Pose::default()).collect();
                let pairs = scene.pairs.iter().zip(0..).map(|(pair, k)| {
                    let mut place = |body: Body, side: u32| {
                        let pose = order(k, side, count);
                        assert!(poses.set(pose, *scene.poses.get(body.pose).unwrap()));
                        (body.shape, pose)
                    };
                    Pair::new(place(pair.a, 0), place(pair.b, 1))
                });
                let pairs: Vec<Pair> = pairs.collect();
                let (world, options) = (
                    World {
                        shapes: &scene.shapes,
                        poses: &poses,
                    },
                    one_thread(lanes),
                );
                let verdicts = classify_many(world, &pairs, &options).unwrap();
                let distances = distance_many(world, &pairs, &options).unwrap();
                (
                    verdicts,
                    distances,
                    contact_many(world, &pairs, &options).unwrap(),
                )
            });
            assert!(
                answers[0] == answers[1] && answers[0] == answers[2],
                "{}, {lanes:?}",
                scene.name
            );
        }
    }
    // Not a multiple of seven, nor of any width.
    check(&boxes::<Vec3<f64>>(1001 + 4));
    check(&boxes::<Vec2<f64>>(1001 + 4));
    check(&hulls::<Vec2<f64>>(1001 + 4));
}

/// The lanes must not vanish: their share of random pairs.
#[test]
fn random_pairs_are_wide() {
    fn share<V: Space>(scene: &Scene<V>, least: [f64; 3]) {
        let options = one_thread(Lanes::Widest);
        let found = [
            classify_many(scene.world(), &scene.pairs, &options)
                .unwrap()
                .statistics,
            distance_many(scene.world(), &scene.pairs, &options)
                .unwrap()
                .statistics,
            contact_many(scene.world(), &scene.pairs, &options)
                .unwrap()
                .statistics,
        ];
        for (statistics, least) in found.iter().zip(least) {
            let share = statistics.by_lanes as f64 / scene.pairs.len() as f64;
            assert!(share >= least, "{}: {statistics:?}", scene.name);
        }
    }
    share(&boxes::<Vec3<f64>>(20000), [0.999, 0.999, 0.999]);
    share(&boxes::<Vec3<f32>>(20000), [0.999, 0.999, 0.999]);
    share(&boxes::<Vec2<f64>>(20000), [0.999, 0.999, 0.999]);
    // The depth of hulls in space is a single query's.
    share(&hulls::<Vec3<f64>>(20000), [0.999, 0.999, 0.3]);
    share(&hulls::<Vec2<f32>>(20000), [0.999, 0.999, 0.999]);
    share(&in_a_row::<Vec3<f64>>(20000), [0.999, 0.999, 0.999]);
    // Those that are apart.
    share(&large::<Vec3<f64>>(2000), [0.99, 0.99, 0.1]);
    share(&large::<Vec2<f64>>(2000), [0.99, 0.99, 0.04]);
}

/// Brute force over the explicit Minkowski difference agrees.
#[test]
fn the_oracle_agrees() {
    fn check<V: Space>(scene: &Scene<V>) {
        let contacts =
            contact_many(scene.world(), &scene.pairs, &one_thread(Lanes::Widest)).unwrap();
        for (k, pair) in scene.pairs.iter().enumerate() {
            let corners = |body: gjk_batch::Body| -> Vec<[f64; 3]> {
                let (shape, pose) = (
                    scene.shapes.get(body.shape).unwrap(),
                    scene.poses.get(body.pose).unwrap(),
                );
                let pose = pose.lift::<V::Wide>();
                let count = shape.core().vertex_count.unwrap();
                (0..count)
                    .map(|id| pose.point(shape.vertex(id).unwrap()).to_f64())
                    .collect()
            };
            let truth = oracle::signed_distance(V::DIM, &corners(pair.a), &corners(pair.b));
            let found = contacts.answers[k].interval;
            let slack = 1e-12;
            assert!(
                found.lower.to_f64() <= truth + slack && truth - slack <= found.upper.to_f64(),
                "{} pair {k}: {truth} not in {found:?}",
                scene.name
            );
            let width = found.upper.to_f64() - found.lower.to_f64();
            let rounding = if V::Scalar::NAME == "f32" {
                2.5e-7
            } else {
                1.3e-7
            };
            assert!(
                width <= rounding * truth.abs() + 1e-14,
                "{} pair {k}: {truth} in {found:?}",
                scene.name
            );
        }
    }
    check(&boxes::<Vec3<f64>>(1000));
    check(&hulls::<Vec3<f64>>(600));
    check(&boxes::<Vec2<f64>>(1000));
    check(&hulls::<Vec2<f32>>(1000));
    check(&hulls::<Vec3<f32>>(300));
    check(&in_a_row::<Vec3<f64>>(600));
}
