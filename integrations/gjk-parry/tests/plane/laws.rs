//! The laws of the plane, for any scalar.

use super::{CLOSE, ours, parry};
use ours::GjkDispatcher;
use parry::math::{Pose, Vector};
use parry::query::{
    ContactManifold, DefaultQueryDispatcher, NonlinearRigidMotion, PersistentQueryDispatcher,
    QueryDispatcher, ShapeCastOptions, Unsupported,
};
use parry::shape::{Ball, Capsule, ConvexPolygon, Cuboid, Polyline, RoundShape, Shape, Triangle};

/// How fast the bar of the swing turns.
const RATE: parry::math::Real = 3.1;

fn asked<T>(answer: Result<T, Unsupported>) -> T {
    answer.expect("gjk answers it")
}

#[test]
fn distances_and_contacts_are_those_of_parry() {
    let square = Cuboid::new(Vector::new(0.5, 0.5));
    let points = [(0.5, 0.0), (0.1, 0.6), (-0.4, 0.2), (-0.2, -0.5)];
    let polygon = ConvexPolygon::from_convex_hull(&points.map(|(x, y)| Vector::new(x, y)));
    let polygon = polygon.expect("a polygon");
    let round = RoundShape {
        inner_shape: polygon.clone(),
        border_radius: 0.1,
    };
    let capsule = Capsule::new(Vector::new(-0.3, 0.1), Vector::new(0.4, -0.2), 0.2);
    let triangle = Triangle::new(
        Vector::new(0.5, 0.0),
        Vector::new(0.0, 0.5),
        Vector::new(-0.4, -0.3),
    );
    let shapes: [&dyn Shape; 6] = [
        &Ball::new(0.4),
        &square,
        &polygon,
        &round,
        &capsule,
        &triangle,
    ];
    for (a, b) in shapes.iter().flat_map(|a| shapes.map(|b| (*a, b))) {
        for (x, y, angle) in [(0.1, 0.3, 0.4), (0.8, -0.2, 2.0), (-1.5, 1.0, -1.0)] {
            let pose = Pose::new(Vector::new(x, y), angle);
            let own = asked(GjkDispatcher.distance(&pose, a, b)).distance;
            let theirs = asked(DefaultQueryDispatcher.distance(&pose, a, b)).distance;
            assert!((own - theirs).abs() < CLOSE, "{own} {theirs}");
            let found = asked(GjkDispatcher.contact(&pose, a, b, 10.0)).expect("within 10");
            let gap = pose * found.point2 - found.point1 - found.normal1 * found.dist;
            assert!(gap.length() < 1e-5 && (found.dist.max(0.0) - own).abs() < 1e-5);
        }
    }
}

#[test]
fn a_square_stands_on_two_points_that_keep_their_data() {
    let (ground, square) = (
        Cuboid::new(Vector::new(5.0, 1.0)),
        Cuboid::new(Vector::new(0.5, 0.5)),
    );
    let corners = [(-5.0, 1.0), (0.2, 1.0), (5.0, 1.0)].map(|(x, y)| Vector::new(x, y));
    let line = Polyline::new(corners.into(), None);
    let dispatcher: &dyn PersistentQueryDispatcher<(), u32> = &GjkDispatcher;
    for ground in [&ground as &dyn Shape, &line] {
        let (mut manifolds, mut workspace) = (Vec::<ContactManifold<(), u32>>::new(), None);
        for step in 0..3u32 {
            let pose = Pose::translation(0.0, 1.499).append_translation(Vector::X * 1e-3);
            asked(dispatcher.contact_manifolds(
                &pose,
                ground,
                &square,
                0.02,
                &mut manifolds,
                &mut workspace,
            ));
            let mut points: Vec<_> = manifolds.iter_mut().flat_map(|m| &mut m.points).collect();
            assert!(points.len() >= 2);
            for (k, point) in points.iter_mut().enumerate() {
                assert!((point.dist + 1e-3).abs() < 1e-5, "{}", point.dist);
                assert!(step == 0 || point.data == k as u32 + 1);
                point.data = k as u32 + 1;
            }
        }
    }
}

#[test]
fn bodies_in_motion_meet() {
    let (floor, bar) = (
        Cuboid::new(Vector::new(10.0, 1.0)),
        Cuboid::new(Vector::new(1.0, 0.05)),
    );
    let below = Pose::translation(0.0, -1.0);
    let options = ShapeCastOptions::default();
    let from = Pose::translation(0.0, 3.05);
    let hit = asked(GjkDispatcher.cast_shapes(&from, -Vector::Y, &floor, &bar, options));
    assert!((hit.expect("it falls").time_of_impact - 2.0).abs() < 1e-5);
    // Both ends of the motion are clear of the floor.
    let rest = NonlinearRigidMotion::constant_position(below);
    let start = Pose::new(Vector::new(0.0, 0.9), -0.3);
    let swing = NonlinearRigidMotion::new(start, Vector::ZERO, Vector::ZERO, -RATE);
    let hit = GjkDispatcher.cast_shapes_nonlinear(&rest, &floor, &swing, &bar, 0.0, 1.0, true);
    let time = asked(hit).expect("it swings").time_of_impact;
    // The end of the bar is on the floor: sin θ + 0.05 cos θ = 0.9.
    assert!((0.3 + RATE * time - 1.067_242).abs() < 1e-4, "{time}");
}
