//! Polytopes of small integers, and polytopes under rotations: every answer is exact, and every certificate holds.

use crate::oracle::Rng;
use crate::oracle::pairs::{SHARP, Space, random_shape, random_vector, world_core};
use crate::truth::{holds, truth};
use core::cmp::Ordering::{Equal, Greater, Less};
use gjk::query::{CastProof, Meeting, MotionOptions, Ray, prove_ray, ray};
use gjk::shape::{Polytope, Shape};
use gjk::verify::verify_ray;
use gjk::{Pose, Scalar, Support, Vec2, Vec3, Vector};

/// [`judged_until`] without end.
pub(crate) fn judged<V: Vector>(shape: &Shape<V>, pose: &Pose<V>, shot: &Ray<V>) -> CastProof<V> {
    judged_until(shape, pose, shot, &Default::default())
}

/// Answers a ray, holds the answer against the oracle, and its certificate against the checker.
fn judged_until<V: Vector>(
    shape: &Shape<V>,
    pose: &Pose<V>,
    shot: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> CastProof<V> {
    let what = || format!("{shape:?}\n{pose:?}\n{shot:?}");
    let proof = prove_ray(shape, pose, shot, options);
    let (points, radius) = world_core(shape, pose).expect("a polytope");
    assert_eq!(radius, 0.0);
    let (origin, direction) = (shot.origin().to_f64(), shot.direction().to_f64());
    let truth = truth(V::DIM, [&points, &[origin]], [[0.0; 3], direction]);
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
    if let (Some([first, last]), true) = (&truth.ends, expected != Meeting::Free) {
        let exit = answer.exit.expect("an exit");
        let mut times = vec![(exit, last)];
        if expected == Meeting::Hits {
            times.push((answer.time.expect("a time"), first));
            assert_eq!(answer.grazing, !truth.inside, "{}", what());
        }
        for (time, place) in times {
            let (lower, upper) = (time.lower.to_f64(), time.upper.to_f64());
            assert!(
                place.compare(lower).is_ge() && place.compare(upper).is_le(),
                "{}\n{answer:?}",
                what()
            );
            assert!(time.upper <= time.lower.next_up(), "{}\n{answer:?}", what());
            let is_float = place.compare(lower) == Equal || place.compare(upper) == Equal;
            assert!(!is_float || lower == upper, "{}\n{answer:?}", what());
        }
    }
    match verify_ray(shape, pose, shot, options, &proof) {
        Ok(proved) => assert!(proved.verdict, "{}\n{proof:?}", what()),
        Err(error) => panic!("{error}\n{}\n{proof:?}", what()),
    }
    let plain = ray(shape, pose, shot, options);
    assert_eq!(plain.verdict, answer.verdict, "{}", what());
    assert_eq!(plain.grazing, answer.grazing, "{}", what());
    holds(plain.exit, answer.exit, &what);
    if expected == Meeting::Hits {
        holds(plain.time, answer.time, &what);
        assert!(!proof.features[0].is_empty(), "{}", what());
    }
    proof
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

fn lattice<V: Vector>(rng: &mut Rng, reach: u64) -> V {
    V::from_f64(core::array::from_fn(|_| {
        rng.below(2 * reach + 1) as f64 - reach as f64
    }))
}

fn lattice_rays<V: Vector>(cases: usize) {
    let mut rng = Rng(11);
    let mut counts = [0; 5];
    for _ in 0..cases {
        let reach = 1 + rng.below(3);
        let n = 1 + rng.below(12);
        let flat = rng.below(4) == 0;
        let points: Vec<V> = (0..n)
            .map(|_| {
                let p: V = lattice(&mut rng, reach);
                V::from_fn(|k| {
                    if flat && k == 0 {
                        V::Scalar::from_f64(1.0)
                    } else {
                        p.component(k)
                    }
                })
            })
            .collect();
        let shape: Shape<V> = Polytope::new(&points).unwrap().into();
        let pose = Pose::from_translation(lattice(&mut rng, 1));
        let far = 1 + rng.below(2);
        let origin: V = lattice(&mut rng, far * reach);
        let mut direction: V = lattice(&mut rng, reach);
        if rng.below(4) != 0 {
            direction = direction - origin;
        }
        if direction == V::ZERO {
            continue;
        }
        let shot = Ray::new(origin, direction).unwrap();
        let mut options = MotionOptions::default();
        if rng.below(3) == 0 {
            let end = [0.0, 0.5, 1.0, 2.0][rng.below(4) as usize];
            options = options.with_max_time(V::Scalar::from_f64(end)).unwrap();
        }
        let proof = judged_until(&shape, &pose, &shot, &options);
        count(&mut counts, &proof);
    }
    assert!(counts.iter().all(|&n| n > cases / 100), "{counts:?}");
}

#[test]
fn lattice_rays_are_exact() {
    lattice_rays::<Vec2<f64>>(2000);
    lattice_rays::<Vec2<f32>>(1000);
    lattice_rays::<Vec3<f64>>(2000);
    lattice_rays::<Vec3<f32>>(1000);
}

/// A ray aimed at a vertex or at a point of an edge of a rotated polytope, its origin moved by a few roundings.
fn posed_rays<V: Space>(cases: usize) {
    let mut rng = Rng(5);
    let mut counts = [0; 5];
    for case in 0..cases {
        let size = [1.0, 1e-3, 1e4, 1e-30][case % 4];
        let shape = random_shape::<V>(&mut rng, SHARP - 1, size);
        if shape.core().vertex_count.is_none_or(|n| n > 12) {
            continue;
        }
        let pose = V::random_pose(&mut rng, size);
        let (points, _) = world_core(&shape, &pose).unwrap();
        let pick = |rng: &mut Rng| points[rng.below(points.len() as u64) as usize];
        let (a, b, share) = (
            pick(&mut rng),
            pick(&mut rng),
            [0.0, 0.25, 0.5][rng.below(3) as usize],
        );
        let target: V = V::from_f64(core::array::from_fn(|k| a[k] + share * (b[k] - a[k])));
        let mut direction: V = random_vector(&mut rng, size);
        if rng.below(4) == 0 {
            direction = V::axis(rng.below(V::DIM as u64) as usize) * V::Scalar::from_f64(size);
        }
        let back = V::Scalar::from_f64([0.0, 1.0, 2.0, 16.0][rng.below(4) as usize]);
        let mut origin = target - direction * back;
        let axis = rng.below(V::DIM as u64) as usize;
        let moved = match rng.below(3) {
            0 => origin.component(axis).next_up(),
            1 => origin.component(axis).next_down(),
            _ => origin.component(axis),
        };
        origin = V::from_fn(|k| {
            if k == axis {
                moved
            } else {
                origin.component(k)
            }
        });
        if direction == V::ZERO {
            continue;
        }
        count(
            &mut counts,
            &judged(&shape, &pose, &Ray::new(origin, direction).unwrap()),
        );
    }
    assert!(
        counts[0] > cases / 10 && counts[2] > cases / 20,
        "{counts:?}"
    );
}

#[test]
fn rays_at_edges_and_vertices_are_exact() {
    posed_rays::<Vec2<f64>>(1200);
    posed_rays::<Vec2<f32>>(600);
    posed_rays::<Vec3<f64>>(1200);
    posed_rays::<Vec3<f32>>(600);
}
