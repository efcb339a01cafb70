//! Small polygons, many of which meet along their sides: floats against exact signs, and a point that both share.

use crate::lattice::{Moved, asked, proved};
use crate::oracle::Rng;
use core::f64::consts::PI;
use gjk::query::{Meeting, MotionOptions};
use gjk::shape::{Cuboid, Polytope};
use gjk::{Pose, Vec2, Vector};

type V = Vec2<f64>;

/// A regular polygon, turned, with its corners in order.
fn polygon(count: u32, size: f64, turn: f64) -> Vec<V> {
    let corner = |k: u32| {
        let (sin, cos) = (turn + 2.0 * PI * f64::from(k) / f64::from(count)).sin_cos();
        Vec2::new(size * cos, size * sin)
    };
    (0..count).map(corner).collect()
}

fn moved(corners: &[V], at: V, velocity: V) -> Moved<V> {
    Moved {
        shape: Polytope::new(corners).unwrap().into(),
        pose: Pose::from_translation(at),
        velocity,
    }
}

/// A rectangle by its half extents, as its own shape, and its corners.
fn rectangle(half: [f64; 2], at: V, velocity: V) -> (Vec<V>, Moved<V>) {
    let [x, y] = half;
    let corners = [[-x, -y], [x, -y], [x, y], [-x, y]]
        .map(Vec2::from)
        .to_vec();
    let shape = Cuboid::new(Vec2::new(x, y)).unwrap().into();
    let moved = Moved {
        shape,
        ..moved(&corners, at, velocity)
    };
    (corners, moved)
}

/// How far a point is beyond the sides of a polygon that has moved for some time; negative within.
fn beyond(corners: &[V], body: &Moved<V>, time: f64, point: V) -> f64 {
    let local = point - body.pose.translation() - body.velocity * time;
    let height = |k: usize| {
        let (from, to) = (corners[k], corners[(k + 1) % corners.len()]);
        let [step, way] = [to - from, local - from];
        let cross = step.component(1) * way.component(0) - step.component(0) * way.component(1);
        cross / step.norm()
    };
    (0..corners.len())
        .map(height)
        .fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn polygons_meet_along_their_sides() {
    let mut rng = Rng(77);
    let mut hits = 0;
    for round in 0..400 {
        let [count_a, count_b] = [0, 1].map(|_| [4, 6, 8][rng.below(3) as usize]);
        let mut between = |low: f64, high: f64| rng.range(low, high);
        let turn = between(0.0, 7.0);
        // Every second pair has the same turn, and so sides along each other.
        let other = if round % 2 == 0 {
            turn
        } else {
            between(0.0, 7.0)
        };
        let mut of_a = polygon(count_a, between(0.1, 3.0), turn);
        let of_b = polygon(count_b, between(0.1, 3.0), other);
        let (sin, cos) = between(0.0, 7.0).sin_cos();
        let place = Vec2::new(9.0 * cos, 9.0 * sin);
        let drift = Vec2::new(between(-2.0, 2.0), between(-2.0, 2.0));
        let (zero, velocity) = (Vec2::new(0.0, 0.0), place * 0.5 + drift);
        let mut a = moved(&of_a, zero, velocity);
        if round % 3 == 0 {
            let half = [between(0.1, 3.0), between(0.1, 3.0)];
            (of_a, a) = rectangle(half, zero, velocity);
        }
        let b = moved(&of_b, place, -place);
        let options = MotionOptions::default().with_exit(true);
        let (found, proof) = (asked(&a, &b, &options), proved(&a, &b, &options).answer);
        assert_eq!(found.verdict, proof.verdict);
        if found.verdict != Meeting::Hits {
            continue;
        }
        hits += 1;
        let (time, exact) = (found.time.unwrap(), proof.time.unwrap());
        assert!(
            time.lower <= exact.upper && exact.lower <= time.upper,
            "{time:?} {exact:?}"
        );
        let (left, exact) = (found.exit.unwrap(), proof.exit.unwrap());
        assert!(
            left.lower <= exact.upper && exact.lower <= left.upper,
            "{left:?} {exact:?}"
        );
        assert!((found.normal.unwrap() - proof.normal.unwrap()).norm() < 1e-12);
        let point = found.point_a.unwrap();
        let off = [(&of_a, &a), (&of_b, &b)]
            .map(|(corners, body)| beyond(corners, body, time.upper, point));
        assert!(off.iter().all(|off| off.abs() < 1e-12), "{off:?}");
        assert_eq!(asked(&a, &b, &MotionOptions::default()).exit, None);
    }
    assert!(hits > 200, "{hits}");
}
