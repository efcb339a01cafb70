//! Polytopes of small integers, and posed polytopes: every answer is exact, and every certificate holds.

use crate::oracle::Rng;
use crate::oracle::pairs::{SHARP, Space, random_shape, random_vector, world_core};
use crate::truth::{holds, truth};
use core::cmp::Ordering::{Equal, Greater, Less};
use gjk::query::{CastProof, Interval, Meeting, MotionOptions, cast, prove_cast};
use gjk::shape::{Polytope, Shape};
use gjk::verify::verify_cast;
use gjk::{Pose, Scalar, Support, Vec2, Vec3, Vector};

/// A body, where it is, and how it moves.
#[derive(Clone, Debug)]
pub(crate) struct Moved<V: Vector> {
    pub(crate) shape: Shape<V>,
    pub(crate) pose: Pose<V>,
    pub(crate) velocity: V,
}

/// [`cast`] of two bodies.
pub(crate) fn asked<V: Vector>(
    a: &Moved<V>,
    b: &Moved<V>,
    options: &MotionOptions<V::Scalar>,
) -> gjk::query::CastAnswer<V> {
    cast(
        &a.shape, &a.pose, a.velocity, &b.shape, &b.pose, b.velocity, options,
    )
}

/// [`prove_cast`] of two bodies, its certificate held against the checker.
pub(crate) fn proved<V: Vector>(
    a: &Moved<V>,
    b: &Moved<V>,
    options: &MotionOptions<V::Scalar>,
) -> CastProof<V> {
    let proof = prove_cast(
        &a.shape, &a.pose, a.velocity, &b.shape, &b.pose, b.velocity, options,
    );
    let checked = verify_cast(
        &a.shape, &a.pose, a.velocity, &b.shape, &b.pose, b.velocity, options, &proof,
    );
    match checked {
        Ok(found) => assert_eq!(
            found.verdict,
            proof.certificate.is_some(),
            "{a:?}\n{b:?}\n{proof:?}"
        ),
        Err(error) => panic!("{error}\n{a:?}\n{b:?}\n{proof:?}"),
    }
    proof
}

/// Answers a cast, holds the answer against the oracle, and its certificate against the checker.
pub(crate) fn judged<V: Vector>(
    a: &Moved<V>,
    b: &Moved<V>,
    options: &MotionOptions<V::Scalar>,
) -> CastProof<V> {
    let what = || format!("{a:?}\n{b:?}\n{options:?}");
    let proof = proved(a, b, options);
    assert!(proof.certificate.is_some(), "{}", what());
    let points = [a, b].map(|body| world_core(&body.shape, &body.pose).expect("a polytope").0);
    let velocities = [a, b].map(|body| body.velocity.to_f64());
    let truth = truth(V::DIM, [&points[0], &points[1]], velocities);
    let end = options.max_time().map_or(f64::INFINITY, Scalar::to_f64);
    let expected = match &truth.ends {
        None => Meeting::Free,
        Some([first, last]) => match (first.compare(0.0), last.compare(0.0)) {
            (_, Less) => Meeting::Free,
            (Greater, _) if first.compare(end) == Greater => Meeting::Free,
            (Greater, _) => Meeting::Hits,
            (Less, Greater) if truth.inside => Meeting::StartsOverlapping,
            _ => Meeting::StartsTouching,
        },
    };
    let answer = &proof.answer;
    assert_eq!(answer.verdict, expected, "{}\n{answer:?}", what());
    assert!(answer.exact);
    let beside = |time: Interval<V::Scalar>, place: &crate::truth::Place| {
        let (lower, upper) = (time.lower.to_f64(), time.upper.to_f64());
        let around = place.compare(lower).is_ge() && place.compare(upper).is_le();
        assert!(around, "{}\n{answer:?}", what());
        assert!(time.upper <= time.lower.next_up(), "{}\n{answer:?}", what());
        let is_float = place.compare(lower) == Equal || place.compare(upper) == Equal;
        assert!(!is_float || lower == upper, "{}\n{answer:?}", what());
    };
    if let (Some([first, last]), true) = (&truth.ends, expected != Meeting::Free) {
        beside(answer.exit.expect("an exit"), last);
        if expected == Meeting::Hits {
            beside(answer.time.expect("a time"), first);
            assert_eq!(answer.grazing, !truth.inside, "{}", what());
        }
    }
    let plain = asked(a, b, &options.with_exit(true));
    assert_eq!(plain.verdict, answer.verdict, "{}", what());
    assert_eq!(plain.grazing, answer.grazing, "{}", what());
    holds(plain.exit, answer.exit, &what);
    if expected == Meeting::Hits {
        holds(plain.time, answer.time, &what);
        let named = proof.features.iter().all(|feature| !feature.is_empty());
        assert!(named, "{}", what());
        met(a, b, &proof);
    }
    proof
}

/// The features are in one plane at the time of contact, and the bodies on both sides of it.
fn met<V: Vector>(a: &Moved<V>, b: &Moved<V>, proof: &CastProof<V>) {
    let answer = &proof.answer;
    let normal = answer.normal.expect("a normal").to_f64();
    let time = answer.time.expect("a time").upper.to_f64();
    let height = |body: &Moved<V>, id: u32| {
        let point = world_core(&body.shape, &body.pose).unwrap().0[id as usize];
        let v = body.velocity.to_f64();
        (0..3)
            .map(|k| normal[k] * (point[k] + time * v[k]))
            .sum::<f64>()
    };
    let level = answer.point_a.expect("a point").to_f64();
    let level: f64 = (0..3).map(|k| normal[k] * level[k]).sum();
    let count = |body: &Moved<V>| body.shape.core().vertex_count.unwrap();
    let heights = |body: &Moved<V>| {
        (0..count(body))
            .map(|id| height(body, id).abs())
            .fold(0.0, f64::max)
    };
    let size = (heights(a) + heights(b)).max(level.abs());
    let slack = 64.0 * V::Scalar::ROUNDING.to_f64() * size;
    for (body, feature, side) in [(a, &proof.features[0], 1.0), (b, &proof.features[1], -1.0)] {
        for id in 0..count(body) {
            let above = side * (height(body, id) - level);
            assert!(above <= slack, "{a:?}\n{b:?}\n{proof:?}");
            assert!(
                !feature.contains(&id) || above >= -slack,
                "{a:?}\n{b:?}\n{proof:?}"
            );
        }
    }
}

fn count(counts: &mut [usize; 5], proof: &CastProof<impl Vector>) {
    let at = match proof.answer.verdict {
        Meeting::Free => 0,
        Meeting::Hits if proof.answer.grazing => 1,
        Meeting::Hits => 2,
        Meeting::StartsTouching => 3,
        _ => 4,
    };
    counts[at] += 1;
}

pub(crate) fn lattice<V: Vector>(rng: &mut Rng, reach: u64) -> V {
    V::from_f64(core::array::from_fn(|_| {
        rng.below(2 * reach + 1) as f64 - reach as f64
    }))
}

/// A hull of small integers, now and then flat.
pub(crate) fn lattice_body<V: Vector>(rng: &mut Rng, most: u64, far: u64) -> Moved<V> {
    let n = 1 + rng.below(most);
    let flat = rng.below(4) == 0;
    let points: Vec<V> = (0..n)
        .map(|_| {
            let p: V = lattice(rng, 2);
            let one = V::Scalar::from_f64(1.0);
            V::from_fn(|k| if flat && k == 0 { one } else { p.component(k) })
        })
        .collect();
    Moved {
        shape: Polytope::new(&points).unwrap().into(),
        pose: Pose::from_translation(lattice(rng, far)),
        velocity: lattice(rng, 2),
    }
}

fn lattice_casts<V: Vector>(cases: usize) {
    let mut rng = Rng(12);
    let mut counts = [0; 5];
    for _ in 0..cases {
        let far = 2 + rng.below(3);
        let (a, mut b): (Moved<V>, Moved<V>) =
            (lattice_body(&mut rng, 6, 1), lattice_body(&mut rng, 5, far));
        if rng.below(3) != 0 {
            // Towards A.
            b.velocity = b.velocity - b.pose.translation();
        }
        if a.velocity == b.velocity {
            continue;
        }
        let mut options = MotionOptions::default();
        if rng.below(3) == 0 {
            let end = [0.0, 0.5, 1.0, 2.0][rng.below(4) as usize];
            options = options.with_max_time(V::Scalar::from_f64(end)).unwrap();
        }
        count(&mut counts, &judged(&a, &b, &options));
    }
    assert!(counts.iter().all(|&n| n > cases / 200), "{counts:?}");
}

#[test]
fn lattice_casts_are_exact() {
    lattice_casts::<Vec2<f64>>(600);
    lattice_casts::<Vec2<f32>>(300);
    lattice_casts::<Vec3<f64>>(500);
    lattice_casts::<Vec3<f32>>(200);
}

/// Rotated bodies, aimed so that a vertex of one meets a vertex or an edge of the other, a few roundings beside it.
fn posed_casts<V: Space>(cases: usize) {
    let mut rng = Rng(6);
    let mut counts = [0; 5];
    for case in 0..cases {
        let size = [1.0, 1e-3, 1e4, 1e-30][case % 4];
        let body = |rng: &mut Rng| Moved {
            shape: random_shape::<V>(rng, SHARP - 1, size),
            pose: V::random_pose(rng, 2.0 * size),
            velocity: random_vector(rng, size),
        };
        let (a, mut b) = (body(&mut rng), body(&mut rng));
        let few = |body: &Moved<V>| body.shape.core().vertex_count.is_some_and(|n| n <= 8);
        if !few(&a) || !few(&b) {
            continue;
        }
        let vertex = |body: &Moved<V>, rng: &mut Rng| {
            let points = world_core(&body.shape, &body.pose).unwrap().0;
            points[rng.below(points.len() as u64) as usize]
        };
        let (p, q, r) = (
            vertex(&a, &mut rng),
            vertex(&a, &mut rng),
            vertex(&b, &mut rng),
        );
        let share = [0.0, 0.5, 1.0, 0.3][rng.below(4) as usize];
        let way = V::from_f64(core::array::from_fn(|k| {
            p[k] + share * (q[k] - p[k]) - r[k]
        }));
        b.velocity = way + a.velocity;
        count(&mut counts, &judged(&a, &b, &Default::default()));
    }
    assert!(counts[0] > 0 && counts[2] > cases / 20, "{counts:?}");
}

#[test]
fn casts_at_edges_and_vertices_are_exact() {
    posed_casts::<Vec2<f64>>(200);
    posed_casts::<Vec3<f64>>(120);
    posed_casts::<Vec3<f32>>(80);
}
