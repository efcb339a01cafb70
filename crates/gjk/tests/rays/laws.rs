//! Laws: exact motions keep the answer, powers of two scale it, and large hulls answer as small ones.

use crate::lattice::judged;
use crate::oracle::Rng;
use crate::oracle::pairs::{ALL, Space, random_shape, random_vector};
use gjk::query::{Meeting, Ray, ray};
use gjk::shape::{Cuboid, Polytope, Shape};
use gjk::{Pose, Scalar, Vec2, Vec3, Vector};

fn scaled<V: Space>(kinds: u64) {
    let mut rng = Rng(21);
    for case in 0..300 {
        let shape = random_shape::<V>(&mut rng, kinds, 1.0);
        let pose = V::random_pose(&mut rng, 1.0);
        let (origin, direction): (V, V) =
            (random_vector(&mut rng, 3.0), random_vector(&mut rng, 1.0));
        let power = [7, -9, 3][case % 3];
        let factor = V::Scalar::from_f64(2f64.powi(power));
        let mut columns = V::identity();
        for (to, &from) in columns.as_mut().iter_mut().zip(pose.columns()) {
            *to = from * factor;
        }
        let larger = Pose::from_columns(columns, pose.translation() * factor);
        let plain = ray(
            &shape,
            &pose,
            &Ray::new(origin, direction).unwrap(),
            &Default::default(),
        );
        let scaled = ray(
            &shape,
            &larger,
            &Ray::new(origin * factor, direction * factor).unwrap(),
            &Default::default(),
        );
        assert_eq!(plain.verdict, scaled.verdict, "{shape:?}");
        assert_eq!(
            (plain.time, plain.exit),
            (scaled.time, scaled.exit),
            "{shape:?}"
        );
        // Only the direction: times shrink.
        let faster = ray(
            &shape,
            &pose,
            &Ray::new(origin, direction * factor).unwrap(),
            &Default::default(),
        );
        if let (Meeting::Hits, Some(slow), Some(fast)) = (plain.verdict, plain.time, faster.time) {
            assert!(
                slow.lower <= fast.upper * factor && fast.lower * factor <= slow.upper,
                "{shape:?} {slow:?} {fast:?}"
            );
        }
    }
}

/// No absolute threshold: the same bits at every size.
#[test]
fn powers_of_two_change_nothing() {
    scaled::<Vec2<f64>>(6);
    scaled::<Vec3<f64>>(6);
    scaled::<Vec3<f32>>(6);
}

/// A quarter turn and a mirror are exact, so the answer is the same to the bit.
#[test]
fn exact_motions_keep_the_answer() {
    let mut rng = Rng(31);
    let mut hits = 0;
    for _ in 0..300 {
        let points: Vec<Vec3<f64>> = (0..10).map(|_| random_vector(&mut rng, 1.0)).collect();
        let (origin, direction): (Vec3<f64>, Vec3<f64>) =
            (random_vector(&mut rng, 3.0), random_vector(&mut rng, 1.0));
        let direction = direction - origin;
        let turned = |p: Vec3<f64>| Vec3::new(-p.y, p.z, -p.x);
        let shape: Shape<Vec3<f64>> = Polytope::new(&points).unwrap().into();
        let other: Shape<Vec3<f64>> =
            Polytope::new(&points.iter().map(|&p| turned(p)).collect::<Vec<_>>())
                .unwrap()
                .into();
        let here = Pose::identity();
        let plain = judged(&shape, &here, &Ray::new(origin, direction).unwrap()).answer;
        let moved = judged(
            &other,
            &here,
            &Ray::new(turned(origin), turned(direction)).unwrap(),
        )
        .answer;
        assert_eq!(
            (plain.verdict, plain.time, plain.exit),
            (moved.verdict, moved.time, moved.exit)
        );
        hits += usize::from(plain.verdict == Meeting::Hits);
    }
    assert!((60..240).contains(&hits), "{hits}");
}

/// The vertices of a large hull are listed by climbing, and the answer is that of all facets.
#[test]
fn large_hulls_are_crossed_at_a_facet() {
    let mut rng = Rng(41);
    let points: Vec<Vec3<f64>> = (0..600).map(|_| Vec3::from_f64(rng.direction(3))).collect();
    let hull = Polytope::new(&points).unwrap();
    let mesh = hull.mesh().unwrap();
    for _ in 0..60 {
        let (origin, target): (Vec3<f64>, Vec3<f64>) = (
            Vec3::from_f64(rng.direction(3)) * 3.0,
            random_vector(&mut rng, 0.8),
        );
        let direction = target - origin;
        let answer = ray(
            &hull,
            &Pose::identity(),
            &Ray::new(origin, direction).unwrap(),
            &Default::default(),
        );
        // Clipped by every facet's plane, in floats.
        let mut times = [f64::NEG_INFINITY, f64::INFINITY];
        for face in &mesh.faces {
            let [a, b, c] = [0, 1, 2].map(|k| hull.vertices()[face[k] as usize]);
            let n = (b - a).cross(c - a);
            let time = n.dot(a - origin) / n.dot(direction);
            if n.dot(direction) < 0.0 {
                times[0] = times[0].max(time);
            } else {
                times[1] = times[1].min(time);
            }
        }
        if times[0] < times[1] - 1e-9 {
            assert_eq!(answer.verdict, Meeting::Hits);
            let (time, exit) = (answer.time.unwrap(), answer.exit.unwrap());
            assert!((time.lower - times[0]).abs() < 1e-9 && (exit.lower - times[1]).abs() < 1e-9);
        } else if times[0] > times[1] + 1e-9 {
            assert_eq!(answer.verdict, Meeting::Free);
        }
    }
}

/// Finite numbers give no NaN, whatever the shape, and intervals are intervals.
#[test]
fn all_shapes_answer() {
    fn answers<V: Space>(cases: usize) {
        let mut rng = Rng(51);
        let (mut hits, mut undecided) = (0, 0);
        for _ in 0..cases {
            let shape = random_shape::<V>(&mut rng, ALL, 1.0);
            let pose = V::random_pose(&mut rng, 1.0);
            let origin: V = random_vector(&mut rng, 4.0);
            let target: V = random_vector(&mut rng, 1.0);
            let shot = Ray::new(origin, target - origin).unwrap();
            let answer = ray(&shape, &pose, &shot, &Default::default());
            if let Some(time) = answer.time {
                assert!(time.lower <= time.upper, "{answer:?}");
                if answer.verdict == Meeting::Hits {
                    let width = time.upper.to_f64() - time.lower.to_f64();
                    let allowed = 1e-12f64.max(4.0 * V::Scalar::ROUNDING.to_f64());
                    assert!(
                        width <= allowed * time.upper.to_f64().max(1.0),
                        "{shape:?} {pose:?} {shot:?} {answer:?}"
                    );
                }
            }
            hits += usize::from(answer.verdict == Meeting::Hits);
            undecided += usize::from(answer.verdict == Meeting::Undecided);
        }
        assert!(
            hits > cases / 5 && undecided == 0,
            "{} {hits} {undecided}",
            V::NAME
        );
    }
    answers::<Vec2<f64>>(300);
    answers::<Vec3<f64>>(300);
    answers::<Vec3<f32>>(300);
    answers::<Vec2<f32>>(300);
}

/// A cuboid is a hull like any other: its face, its edge and its corner have names.
#[test]
fn a_cuboid_names_what_is_hit() {
    let cube: Shape<Vec3<f64>> = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap().into();
    let here = Pose::identity();
    let hit =
        |o: [f64; 3], d: [f64; 3]| judged(&cube, &here, &Ray::new(o.into(), d.into()).unwrap());
    assert_eq!(
        hit([-3.0, 0.0, 0.0], [6.0, 0.0, 0.0]).features[0],
        [0, 4, 6, 2]
    );
    assert_eq!(hit([-3.0, 1.0, 0.5], [1.0, 0.0, 0.0]).features[0], [2, 6]);
    assert_eq!(hit([3.0, 3.0, 3.0], [-1.0, -1.0, -1.0]).features[0], [7]);
    let beside = hit([-3.0, 1.0f64.next_up(), 0.5], [1.0, 0.0, 0.0]);
    assert_eq!(beside.answer.verdict, Meeting::Free);
    let inside = hit([-3.0, 1.0f64.next_down(), 0.5], [1.0, 0.0, 0.0]);
    assert_eq!(
        (inside.answer.verdict, inside.answer.grazing),
        (Meeting::Hits, false)
    );
}
