//! Pairs whose derivative is known, and those that have none.

use gjk::query::{self, Interval, Twist, Verdict};
use gjk::shape::{Ball, Capsule, Cuboid, Cylinder, Polytope, Shape};
use gjk::{Axis, Pose, Pose3, Support, Vec2, Vec3, Vector};

fn cube() -> Cuboid<Vec3<f64>> {
    Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose3<f64> {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn turn(x: f64, y: f64, z: f64) -> Twist<Vec3<f64>> {
    Twist::new(
        Vec3::new(0.0, 0.0, 0.0),
        [x, y, z],
        Vec3::new(0.0, 0.0, 0.0),
    )
    .unwrap()
}

/// The rate that is claimed when a body at a pose moves, and another of the same shape at the origin rests.
fn rate<V: Vector, S: Support<V>>(
    shape: &S,
    twist: &Twist<V>,
    pose: &Pose<V>,
) -> Interval<V::Scalar> {
    let (here, rest) = (Pose::identity(), Twist::rest());
    let rate = query::directional_derivative(shape, &here, &rest, shape, pose, twist).unwrap();
    assert!(rate.lower <= rate.upper);
    rate
}

fn near(Interval { lower, upper }: Interval<f64>, truth: f64) {
    assert!(
        lower <= truth && truth <= upper,
        "{truth} is not in [{lower}, {upper}]"
    );
    assert!(upper - lower < 1e-12, "[{lower}, {upper}] is wide");
}

#[test]
fn a_ball_over_a_box_has_one() {
    let ball = Ball::new(0.5).unwrap();
    for (z, verdict) in [(2.0, Verdict::Separated), (1.25, Verdict::Overlapping)] {
        let pose = at(0.5, 0.25, z);
        let found = query::gradient(&cube(), &Pose::identity(), &ball, &pose);
        assert_eq!(found.contact.verdict, verdict);
        assert!(found.unique && found.vertices.is_empty());
        assert_eq!(found.b.linear, Vec3::new(0.0, 0.0, 1.0));
        assert_eq!(found.b.angular, [0.0; 3]);
        // The point of the box is (0.5, 0.25, 1), pushed down: (0.5, 0.25, 1) × (0, 0, −1).
        assert_eq!(found.a.angular, [-0.25, 0.5, 0.0]);
    }
}

#[test]
fn level_boxes_have_none_and_the_least_rate_counts() {
    for z in [3.0, 2.5, 1.75] {
        let pose = at(0.5, 0.0, z);
        let found = query::gradient(&cube(), &Pose::identity(), &cube(), &pose);
        assert!(!found.unique, "at {z}");
        assert_eq!(found.vertices.len(), 4);
        assert!(
            found
                .vertices
                .iter()
                .all(|vertex| vertex.normal == Vec3::new(0.0, 0.0, 1.0))
        );
        // B over A is [-0.5, 1] by [-1, 1] about its centre at 0.5: any turn lowers a corner.
        near(rate(&cube(), &turn(1.0, 0.0, 0.0), &pose), -1.0);
        near(rate(&cube(), &turn(-1.0, 0.0, 0.0), &pose), -1.0);
        near(rate(&cube(), &turn(0.0, 1.0, 0.0), &pose), -0.5);
        near(rate(&cube(), &turn(0.0, -1.0, 0.0), &pose), -1.0);
        near(rate(&cube(), &turn(0.0, 0.0, 1.0), &pose), 0.0);
    }
}

#[test]
fn a_corner_over_a_face_has_one_however_near() {
    let (sine, cosine) = (0.5f64.sin(), 0.5f64.cos());
    for gap in [1e-9, 1e-3, 1.0, 1e3] {
        let turned = Pose::from_quaternion(
            [0.3 * sine, 0.4 * sine, 0.75f64.sqrt() * sine, cosine],
            Vec3::new(0.0, 0.0, 0.0),
        )
        .unwrap();
        let low = (0..8).map(|k| {
            let sign = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            turned.vector(Vec3::new(sign(2), sign(1), sign(0))).z
        });
        let low = low.fold(f64::INFINITY, f64::min);
        let pose = Pose::from_columns(
            [0, 1, 2].map(|k| turned.columns()[k]),
            Vec3::new(0.0, 0.0, 1.0 - low + gap),
        );
        let found = query::gradient(&cube(), &Pose::identity(), &cube(), &pose);
        assert!(found.unique, "at a gap of {gap}: {found:?}");
    }
}

#[test]
fn several_ways_out_are_all_listed() {
    let pose = at(0.0, 0.0, 0.0);
    let found = query::gradient(&cube(), &Pose::identity(), &cube(), &pose);
    assert_eq!(found.contact.verdict, Verdict::Overlapping);
    assert!(!found.unique);
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut wanted = [0.0; 3];
            wanted[axis] = sign;
            let is_listed = found.vertices.iter().any(|vertex| {
                let n = [vertex.normal.x, vertex.normal.y, vertex.normal.z];
                (0..3).all(|k| (n[k] - wanted[k]).abs() < 1e-7)
            });
            assert!(is_listed, "{wanted:?}");
        }
    }
    // Whatever way it moves, some side is left sooner: a cube within a cube parts by the largest component.
    let slide = Twist::new(Vec3::new(1.0, 0.5, 0.0), [0.0; 3], Vec3::new(0.0, 0.0, 0.0)).unwrap();
    assert!(rate(&cube(), &slide, &pose).contains(1.0));
}

#[test]
fn crossed_and_parallel_edges() {
    // Two capsules whose segments cross at a right angle, and two that are parallel.
    let (a, b) = (
        Capsule::new(1.0, 0.25, Axis::X).unwrap(),
        Capsule::new(1.0, 0.25, Axis::Y).unwrap(),
    );
    let pose = at(0.25, 0.5, 1.0);
    let found = query::gradient(&a, &Pose::identity(), &b, &pose);
    assert!(found.unique);
    assert_eq!(found.b.angular, [-0.5, 0.0, 0.0]);
    let pose = at(0.5, 0.0, 1.0);
    let found = query::gradient(&a, &Pose::identity(), &a, &pose);
    assert!(!found.unique);
    assert_eq!(found.vertices.len(), 2);
    // About y the ends of B's common part, at -1 and 0.5 from its centre, move down by their places.
    near(rate(&a, &turn(0.0, 1.0, 0.0), &pose), -0.5);
    near(rate(&a, &turn(0.0, -1.0, 0.0), &pose), -1.0);
}

#[test]
fn sides_in_the_plane() {
    let square = Polytope::new(
        &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vec2::new(x, y)),
    )
    .unwrap();
    let here = Pose::identity();
    let spin =
        |rate| Twist::new(Vec2::new(0.0, 0.0), [0.0, 0.0, rate], Vec2::new(0.0, 0.0)).unwrap();
    for y in [2.5, 1.75] {
        let pose = Pose::from_translation(Vec2::new(0.5, y));
        let found = query::gradient(&square, &here, &square, &pose);
        assert!(!found.unique);
        near(rate(&square, &spin(1.0), &pose), -1.0);
        near(rate(&square, &spin(-1.0), &pose), -0.5);
        let turned = Pose::from_angle(0.3, Vec2::new(0.25, y));
        let found = query::gradient(&square, &here, &square, &turned);
        assert!(found.unique);
        assert_eq!(found.b.angular[..2], [0.0, 0.0]);
    }
}

#[test]
fn no_derivative_is_claimed_of_touch_and_no_rate_of_smooth_bodies() {
    let (here, cylinder) = (Pose::identity(), Cylinder::new(1.0, 1.0, Axis::Z).unwrap());
    let bodies: [(Shape<_>, f64, Verdict); 2] = [
        (cube().into(), 2.0, Verdict::Touching),
        (cylinder.into(), 3.0, Verdict::Separated),
    ];
    for (body, z, verdict) in bodies {
        let pose = at(0.0, 0.0, z);
        let found = query::gradient(&body, &here, &cube(), &pose);
        assert_eq!((found.contact.verdict, found.unique), (verdict, false));
        assert_eq!(found.vertices.len(), 1);
        assert_eq!(found.b.linear, Vec3::new(0.0, 0.0, 1.0));
        let (rest, turn) = (Twist::rest(), turn(1.0, 0.0, 0.0));
        let rate = query::directional_derivative(&body, &here, &rest, &cube(), &pose, &turn);
        // A touch has a rate, and a cylinder none.
        assert_eq!(rate.is_some(), verdict == Verdict::Touching);
    }
}

/// Numbers at both ends of the range: an answer, or none, and never a number that is not one.
#[test]
fn bad_numbers_claim_nothing() {
    for size in [1e-310, 1e-160, 1e150, 1e300, 1.7e308] {
        let body = Cuboid::new(Vec3::new(size, size, size)).unwrap();
        for place in [0.0, 0.3 * size, 2.5 * size, 1e300, 1e-320] {
            let pose = at(place, 0.1 * place, 0.0);
            let found = query::gradient(&body, &Pose::identity(), &cube(), &pose);
            let numbers = [found.b.linear.x, found.b.linear.y, found.b.linear.z];
            assert!(numbers.iter().all(|x| !x.is_nan()), "{size} {place}");
            let (turn_a, turn_b) = (turn(1.0, 1.0, 0.0), turn(0.0, 1e300, 1.0));
            let here = Pose::identity();
            let along =
                query::directional_derivative(&body, &here, &turn_a, &cube(), &pose, &turn_b);
            assert!(
                along.is_none_or(|along| along.lower <= along.upper),
                "{size} {place}"
            );
        }
    }
}
