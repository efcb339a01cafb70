//! Balls, capsules and boxes in lanes against the truth in twice the digits, and against single queries.

use crate::double::{
    Core, Double, bounds, core, difference, dot, nearest, place, size, truth, wide,
};
use crate::scenes::{Scene, kissing_round, round, round_grid, round_scales};
use gjk::query::Verdict;
use gjk::shape::{Ball, Shape};
use gjk::{Pose, Scalar, Vec3, Vector as _};
use gjk_batch::{
    Answer, Body, Lanes, Options, Pair, World, classify_many, contact_many, distance_many,
};

fn with(lanes: Lanes) -> Options<'static> {
    Options {
        threads: Some(1),
        lanes,
        ..Options::default()
    }
}

/// The points are on the bodies, the normal is unit and runs along them; of a lane's answer as well as it can.
fn realises<T: Scalar>(
    name: &str,
    [a, b]: [&Core; 2],
    answer: &Answer<Vec3<T>>,
    truth: f64,
    of_lane: bool,
) {
    let rounding = if T::NAME == "f32" { 1e-6 } else { 1e-14 };
    let [x, y, n] = [answer.point_a, answer.point_b, answer.normal].map(|v| wide(v.to_f64()));
    let slack = 20.0 * rounding * (size(a) + size(b));
    assert!(
        (dot(n, n).to_f64() - 1.0).abs() < 10.0 * rounding,
        "{name}: {n:?}"
    );
    for (body, point) in [(a, x), (b, y)] {
        let at = Core {
            center: point,
            generators: Vec::new(),
            radius: 0.0,
        };
        let off = crate::double::truth(body, &at).to_f64();
        assert!(
            off.abs() <= slack,
            "{name}: a point is {off} from its body, {answer:?}"
        );
    }
    let between = ::core::array::from_fn(|k| y[k] - x[k]);
    let along = dot(between, n);
    assert!(
        (along.to_f64() - truth).abs() <= slack,
        "{name}: {answer:?} is not {truth}"
    );
    let across = ::core::array::from_fn(|k| between[k] - n[k] * along);
    let across = dot(across, across).sqrt().to_f64();
    // Of a box that a scene sheared by 1e-9 points are so far aside, as a single query's are.
    let beside = if of_lane { 4e-9 } else { 1e-6 };
    assert!(
        across <= slack + beside * (size(a) + size(b)),
        "{name}: {across} beside {answer:?}"
    );
}

/// Verdicts, intervals, points and normals of every pair.
fn judge<T: Scalar>(scene: &Scene<Vec3<T>>) {
    let options = with(Lanes::Widest);
    let verdicts = classify_many(scene.world(), &scene.pairs, &options)
        .unwrap()
        .answers;
    let distances = distance_many(scene.world(), &scene.pairs, &options)
        .unwrap()
        .answers;
    let contacts = contact_many(scene.world(), &scene.pairs, &options)
        .unwrap()
        .answers;
    let single = contact_many(scene.world(), &scene.pairs, &with(Lanes::Off))
        .unwrap()
        .answers;
    for (k, pair) in scene.pairs.iter().enumerate() {
        let name = format!("{} {} pair {k}", scene.name, T::NAME);
        let verdict = single[k].verdict;
        assert_eq!(
            [verdicts[k], distances[k].verdict, contacts[k].verdict],
            [verdict; 3],
            "{name}"
        );
        let (Some(a), Some(b)) = (core(scene, pair.a), core(scene, pair.b)) else {
            continue;
        };
        // Of two boxes nothing is new, and the oracle's own range is that of its products of sixth degree.
        let all = size(&a) + size(&b);
        if a.radius + b.radius == 0.0 || !(1e-40..1e40).contains(&all) {
            continue;
        }
        let truth = truth(&a, &b);
        let contact = &contacts[k];
        let [lower, upper] = bounds(contact);
        // A single query's bodies are the rounded ones, a lane's interval is of both.
        let of_lane = *contact != single[k];
        let moved: Double = if of_lane {
            0.0
        } else {
            1e-15 * (all + place(&a) + place(&b))
        }
        .into();
        assert!(
            lower - moved <= truth && truth <= upper + moved,
            "{name}: {truth:?} is not in {contact:?}"
        );
        // Lanes are as narrow as single queries, or the answer is a single query's.
        let part = if T::NAME == "f32" {
            0.25 / (1u64 << 24) as f64
        } else {
            1.0 / (1u64 << 38) as f64
        };
        let ends = 5.0 * T::ROUNDING.to_f64();
        let narrow = (upper - lower).to_f64()
            <= (part + ends) * upper.to_f64().abs().max(lower.to_f64().abs());
        assert!(
            narrow || !of_lane,
            "{name}: {contact:?} against {:?}",
            single[k]
        );
        match verdict {
            Verdict::Separated => {
                assert!(
                    distances[k].interval == contact.interval,
                    "{name}: {:?}",
                    distances[k]
                );
                realises(&name, [&a, &b], &distances[k], truth.to_f64(), of_lane);
            }
            Verdict::Overlapping => {
                assert!(
                    distances[k].interval.upper == T::ZERO
                        && distances[k].interval.lower == T::ZERO,
                    "{name}"
                );
            }
            _ => continue,
        }
        let cores = (truth + a.radius.into() + b.radius.into()).to_f64();
        if of_lane && cores > 0.0 {
            let (center, generators) = difference(&a, &b);
            let (line, n) = (nearest(center, &generators), wide(contact.normal.to_f64()));
            let off = ::core::array::from_fn(|k| line[k] - n[k] * cores.into());
            assert!(
                dot(off, off).sqrt().to_f64() <= 1e-6 * cores,
                "{name}: {line:?} is not along {contact:?}"
            );
        }
        if narrow {
            realises(&name, [&a, &b], contact, truth.to_f64(), of_lane);
        }
    }
}

#[test]
fn round_bodies_are_where_double_precision_says() {
    judge(&round::<Vec3<f64>>(4000));
    judge(&kissing_round::<Vec3<f64>>(4000));
    judge(&round_grid::<Vec3<f64>>(2000));
    judge(&round_scales::<Vec3<f64>>(2000));
}

#[test]
fn round_bodies_of_f32_are_where_double_precision_says() {
    judge(&round::<Vec3<f32>>(2000));
    judge(&kissing_round::<Vec3<f32>>(2000));
    judge(&round_grid::<Vec3<f32>>(1000));
    judge(&round_scales::<Vec3<f32>>(1000));
}

/// A pair asked the other way round has the same bits: lanes turn it themselves.
#[test]
fn exchanged_bodies_mirror_the_answer() {
    let scene = round::<Vec3<f64>>(3000);
    let count = |body: Body| core(&scene, body).map(|core| core.generators.len());
    let unlike = |a: Body, b: Body| count(a).zip(count(b)).is_some_and(|(a, b)| a != b);
    let pairs: Vec<Pair> = scene
        .pairs
        .iter()
        .copied()
        .filter(|pair| unlike(pair.a, pair.b))
        .collect();
    let answers = |pairs: &[Pair], lanes: Lanes| {
        contact_many(scene.world(), pairs, &with(lanes))
            .unwrap()
            .answers
    };
    let mirrored: Vec<Pair> = pairs
        .iter()
        .map(|&Pair { a, b }| Pair { a: b, b: a })
        .collect();
    let (there, back) = (
        answers(&pairs, Lanes::Widest),
        answers(&mirrored, Lanes::Widest),
    );
    let (single, single_back) = (answers(&pairs, Lanes::Off), answers(&mirrored, Lanes::Off));
    assert!(pairs.len() > 1000);
    for k in 0..pairs.len() {
        let (x, y) = (&there[k], &back[k]);
        let same = x.interval == y.interval
            && x.point_a == y.point_b
            && x.point_b == y.point_a
            && x.normal == -y.normal;
        assert!(
            same || (*x == single[k] && *y == single_back[k]),
            "pair {k}: {x:?} and {y:?}"
        );
    }
}

/// Radii beyond the lanes' range, and beyond that of floats once posed, are for single queries.
#[test]
fn radii_out_of_range_are_single() {
    let balls = [1.0, 1e50, 1e200].map(|r| Shape::from(Ball::new(r).unwrap()));
    let at = Pose::from_translation(Vec3::new(3.0, 0.0, 0.0));
    let scale = Vec3::new(1e150, 1e150, 1e150);
    let (shapes, poses) = (
        balls.into_iter().collect(),
        [Pose::identity(), at, at.scaled(scale)]
            .into_iter()
            .collect(),
    );
    let world = World {
        shapes: &shapes,
        poses: &poses,
    };
    let pairs = [(1, 1), (2, 1), (0, 2), (2, 2)].map(|body| Pair::new((0, 0), body));
    for lanes in [Lanes::Widest, Lanes::Off] {
        let found = contact_many(world, &pairs, &with(lanes)).unwrap();
        assert_eq!(found.statistics.by_lanes, 0, "{found:?}");
        assert_eq!(
            classify_many(world, &pairs, &with(lanes))
                .unwrap()
                .statistics
                .by_lanes,
            0
        );
    }
}

/// The lanes must not vanish: their share of random pairs, those of rotations that are right-angled only in `f32` among them.
#[test]
fn random_round_pairs_are_wide() {
    share(round::<Vec3<f64>>(20000));
    share(round::<Vec3<f32>>(20000));
}

fn share<T: Scalar>(mut scene: Scene<Vec3<T>>) {
    let radius = |body: Body| core(&scene, body).map(|core| core.radius);
    let known = |pair: &Pair| {
        radius(pair.a)
            .zip(radius(pair.b))
            .is_some_and(|(a, b)| a + b > 0.0)
    };
    scene.pairs = scene.pairs.iter().copied().filter(known).collect();
    for found in [
        classify_many(scene.world(), &scene.pairs, &with(Lanes::Widest))
            .unwrap()
            .statistics,
        distance_many(scene.world(), &scene.pairs, &with(Lanes::Widest))
            .unwrap()
            .statistics,
        contact_many(scene.world(), &scene.pairs, &with(Lanes::Widest))
            .unwrap()
            .statistics,
    ] {
        assert!(
            found.by_lanes as f64 >= 0.99 * scene.pairs.len() as f64,
            "{} {found:?}",
            T::NAME
        );
    }
}
