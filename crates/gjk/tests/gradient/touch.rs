//! Bodies that touch: closed forms of the rates from outside and from inside, and differences of the signed distance.

use gjk::query::{self, Interval, TouchingRate, Twist, Verdict};
use gjk::shape::{Ball, Cuboid, Polytope, Rounded, Segment, Shape};
use gjk::{Pose, Vec2, Vec3, Vector};

type V = Vec3<f64>;

fn cube() -> Shape<V> {
    Cuboid::new(V::new(1.0, 1.0, 1.0)).unwrap().into()
}

fn hull<W: Vector<Scalar = f64>, const N: usize>(points: [W; N]) -> Shape<W> {
    Polytope::new(&points).unwrap().into()
}

fn slide(x: f64, y: f64, z: f64) -> Twist<V> {
    Twist::new(V::new(x, y, z), [0.0; 3], V::ZERO).unwrap()
}

/// The rates of a body that moves from a place against one that rests, and touches it there.
fn rates<W: Vector<Scalar = f64>>(
    a: &Shape<W>,
    b: &Shape<W>,
    place: W,
    twist: &Twist<W>,
) -> TouchingRate<f64> {
    let (here, there, rest) = (
        Pose::identity(),
        Pose::from_translation(place),
        Twist::rest(),
    );
    let found = query::contact(a, &here, b, &there, &Default::default());
    assert_eq!(found.verdict, Verdict::Touching);
    let rate = query::touching_derivatives(a, &here, &rest, b, &there, twist).unwrap();
    let along = query::directional_derivative(a, &here, &rest, b, &there, twist);
    assert_eq!(along, Some(rate.outside));
    assert!(rate.inside.lower <= rate.outside.upper);
    // Exchanged bodies have the same.
    let other = query::touching_derivatives(b, &there, twist, a, &here, &rest).unwrap();
    assert!(meets(other.outside, rate.outside) && meets(other.inside, rate.inside));
    rate
}

fn meets(x: Interval<f64>, y: Interval<f64>) -> bool {
    x.lower <= y.upper && y.lower <= x.upper
}

fn near(found: TouchingRate<f64>, outside: f64, inside: f64) {
    for (interval, truth) in [(found.outside, outside), (found.inside, inside)] {
        assert!(interval.contains(truth), "{truth}: {found:?}");
        assert!(interval.width() < 1e-11, "{found:?}");
    }
}

#[test]
fn a_face_on_a_face_has_one_rate() {
    let place = V::new(0.5, 0.0, 2.0);
    near(
        rates(&cube(), &cube(), place, &slide(3.0, 1.0, -2.0)),
        -2.0,
        -2.0,
    );
    let tilt = |x, y, z| Twist::new(V::ZERO, [x, y, z], V::ZERO).unwrap();
    // B over A is [-0.5, 1] by [-1, 1] about its centre at 0.5: any turn lowers a corner.
    near(
        rates(&cube(), &cube(), place, &tilt(1.0, 0.0, 0.0)),
        -1.0,
        -1.0,
    );
    near(
        rates(&cube(), &cube(), place, &tilt(0.0, 1.0, 0.0)),
        -0.5,
        -0.5,
    );
    near(
        rates(&cube(), &cube(), place, &tilt(0.0, -1.0, 0.0)),
        -1.0,
        -1.0,
    );
    near(
        rates(&cube(), &cube(), place, &tilt(0.0, 0.0, 1.0)),
        0.0,
        0.0,
    );
}

#[test]
fn an_edge_on_an_edge_is_left_by_the_nearest_point_or_through_a_face() {
    let place = V::new(2.0, 0.5, 2.0);
    near(
        rates(&cube(), &cube(), place, &slide(3.0, 7.0, 4.0)),
        5.0,
        4.0,
    );
    near(
        rates(&cube(), &cube(), place, &slide(3.0, 0.0, -4.0)),
        3.0,
        3.0,
    );
    near(
        rates(&cube(), &cube(), place, &slide(-3.0, 0.0, -4.0)),
        -3.0,
        -3.0,
    );
    // What is common goes from -1.5 to 0.5 about B's centre, in its edge at (-1, ., -1): a turn about z moves its ends by (-y, -1).
    let turn = Twist::new(V::new(0.0, 0.0, 0.0), [0.0, 0.0, 1.0], V::ZERO).unwrap();
    near(rates(&cube(), &cube(), place, &turn), 0.0, 0.0);
    let rising = Twist::new(V::new(0.5, 0.0, 1.0), [0.0, 0.0, 1.0], V::ZERO).unwrap();
    // The ends move by (2, 1) and (0, 1) along x and z: along (0, 1) both by 1, and no direction does more for the second.
    near(rates(&cube(), &cube(), place, &rising), 1.0, 1.0);
}

#[test]
fn a_corner_on_a_corner() {
    let place = V::new(2.0, 2.0, 2.0);
    near(
        rates(&cube(), &cube(), place, &slide(1.0, 2.0, 2.0)),
        3.0,
        2.0,
    );
    near(
        rates(&cube(), &cube(), place, &slide(3.0, 4.0, -1.0)),
        5.0,
        4.0,
    );
    near(
        rates(&cube(), &cube(), place, &slide(1.0, -1.0, 0.0)),
        1.0,
        1.0,
    );
    near(
        rates(&cube(), &cube(), place, &slide(-1.0, -2.0, -3.0)),
        -1.0,
        -1.0,
    );
}

#[test]
fn a_corner_on_a_face_and_edges_that_cross() {
    let drop = hull(
        [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 1.0],
            [-1.0, 1.0, 1.0],
            [-1.0, -1.0, 1.0],
        ]
        .map(V::from),
    );
    let place = V::new(0.25, 0.5, 1.0);
    near(
        rates(&cube(), &drop, place, &slide(1.0, 2.0, -3.0)),
        -3.0,
        -3.0,
    );
    // About the origin of the world's axes through a point 0.5 to the side the corner rises by the lever.
    let about = Twist::new(V::ZERO, [0.0, 1.0, 0.0], V::new(0.5, 0.0, 0.0)).unwrap();
    near(rates(&cube(), &drop, place, &about), 0.5, 0.5);
    let roof = hull(
        [
            [-1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, -1.0],
            [0.0, -1.0, -1.0],
        ]
        .map(V::from),
    );
    let keel = hull(
        [
            [0.0, -1.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0, 0.0, 1.0],
            [-1.0, 0.0, 1.0],
        ]
        .map(V::from),
    );
    let place = V::new(0.25, 0.375, 0.0);
    near(rates(&roof, &keel, place, &slide(5.0, 5.0, 2.0)), 2.0, 2.0);
    let turn = Twist::new(V::ZERO, [1.0, 0.0, 0.0], V::ZERO).unwrap();
    // They cross at 0.375 below B's centre along y.
    near(rates(&roof, &keel, place, &turn), -0.375, -0.375);
}

#[test]
fn the_plane_has_corners_too() {
    type P = Vec2<f64>;
    let square: Shape<P> = Cuboid::new(P::new(1.0, 1.0)).unwrap().into();
    let moves = |x, y, turn| Twist::new(P::new(x, y), [0.0, 0.0, turn], P::ZERO).unwrap();
    near(
        rates(&square, &square, P::new(2.0, 2.0), &moves(3.0, 4.0, 0.0)),
        5.0,
        4.0,
    );
    near(
        rates(&square, &square, P::new(2.0, 2.0), &moves(-3.0, -4.0, 0.0)),
        -3.0,
        -3.0,
    );
    near(
        rates(&square, &square, P::new(0.5, 2.0), &moves(0.0, 0.0, 1.0)),
        -1.0,
        -1.0,
    );
    near(
        rates(&square, &square, P::new(0.5, 2.0), &moves(0.0, 0.0, -1.0)),
        -0.5,
        -0.5,
    );
    let drop = hull([[0.0, 0.0], [1.0, 1.0], [-1.0, 1.0]].map(P::from));
    near(
        rates(&square, &drop, P::new(0.5, 1.0), &moves(1.0, 2.0, 3.0)),
        2.0,
        2.0,
    );
}

#[test]
fn rounded_bodies_have_one_normal() {
    let ball: Shape<V> = Ball::new(0.5).unwrap().into();
    near(
        rates(
            &cube(),
            &ball,
            V::new(0.25, 0.0, 1.5),
            &slide(1.0, 0.0, 2.0),
        ),
        2.0,
        2.0,
    );
    let round: Shape<V> = Rounded::new(cube(), 0.5).unwrap().into();
    near(
        rates(
            &cube(),
            &round,
            V::new(0.25, 0.0, 2.5),
            &slide(1.0, 0.0, 2.0),
        ),
        2.0,
        2.0,
    );
}

#[test]
fn nothing_is_claimed_of_flat_differences_and_of_others() {
    let (here, rest) = (Pose::identity(), Twist::rest());
    let bar: Shape<V> = Segment::new(V::ZERO, V::new(1.0, 0.0, 0.0)).unwrap().into();
    let ask = |a: &Shape<V>, b: &Shape<V>, place: V| {
        let there = Pose::from_translation(place);
        query::touching_derivatives(a, &here, &rest, b, &there, &slide(1.0, 0.0, 0.0))
    };
    assert_eq!(ask(&bar, &bar, V::new(1.0, 0.0, 0.0)), None);
    assert_eq!(ask(&bar, &bar, V::new(0.5, 0.0, 0.0)), None);
    assert_eq!(ask(&cube(), &cube(), V::new(3.0, 0.0, 0.0)), None);
    assert_eq!(ask(&cube(), &cube(), V::new(1.0, 0.0, 0.0)), None);
    let many: Vec<V> = (0..60)
        .map(|k| {
            let (sine, cosine) = (0.1 * f64::from(k)).sin_cos();
            V::new(cosine, sine, f64::from(k % 2))
        })
        .collect();
    let many: Shape<V> = Polytope::new(&many).unwrap().into();
    assert_eq!(ask(&many, &many, V::new(0.0, 0.0, 1.0)), None);
}

/// Boxes and hulls on a lattice, which touch in all ways that there are; the rate is what the signed distance does in a short time.
#[test]
fn rates_are_what_differences_say() {
    let mut state = 7u64;
    let mut next = |most: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % (2 * most + 1)) as f64 - most as f64
    };
    let step = 1e-7;
    let mut counts = [0; 2];
    for _ in 0..4000 {
        let points: Vec<V> = (0..6).map(|_| V::new(next(2), next(2), next(2))).collect();
        let a: Shape<V> = cube();
        let Ok(b) = Polytope::new(&points) else {
            continue;
        };
        let b: Shape<V> = b.into();
        let place = V::new(next(3), next(3), next(3));
        let (here, there) = (Pose::identity(), Pose::from_translation(place));
        let velocity = V::new(next(4), next(4), next(4)) * 0.25;
        let angular = [next(4), next(4), next(4)].map(|x| x / 8.0);
        let twist = Twist::new(velocity, angular, V::ZERO).unwrap();
        let rest = Twist::rest();
        let Some(rate) = query::touching_derivatives(&a, &here, &rest, &b, &there, &twist) else {
            continue;
        };
        let moved = twist.pose_at(&there, step);
        let found = query::contact(&a, &here, &b, &moved, &Default::default());
        let distance = found.signed_distance;
        let slope = (distance.lower + distance.upper) / 2.0 / step;
        let room = 1e-5;
        assert!(
            rate.outside.lower - room <= slope && slope <= rate.outside.upper + room,
            "{slope} {rate:?} {points:?} {place:?} {twist:?}"
        );
        // Deeper, both are the same.
        counts[usize::from(slope < -1e-3)] += 1;
        if slope < -1e-3 && angular == [0.0; 3] {
            assert!((rate.inside.lower - slope).abs() < room, "{slope} {rate:?}");
        }
        assert!(rate.outside.width() < 1e-9, "{rate:?}");
    }
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
}
