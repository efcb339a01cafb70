//! The laws, for any scalar.

use super::{CLOSE, ours, parry};
use ours::{GjkDispatcher, with_parry};
use parry::math::{Pose, Real, Vector};
use parry::query::{
    ClosestPoints, ContactManifold, DefaultQueryDispatcher, NonlinearRigidMotion,
    PersistentQueryDispatcher, QueryDispatcher, ShapeCastOptions, ShapeCastStatus, Unsupported,
};
use parry::shape::{
    Ball, Capsule, Compound, Cone, Cuboid, Cylinder, HalfSpace, RoundShape, Segment, Shape,
    SharedShape, TriMesh, TriMeshFlags, Triangle,
};

/// Numbers from −1 to 1 by a linear congruence.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> Real {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as Real / (1u32 << 23) as Real - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.next(), self.next(), self.next())
    }

    fn pose(&mut self, size: Real) -> Pose {
        Pose::new(self.vector() * size, self.vector() * 3.0)
    }
}

fn hull(numbers: &mut Numbers) -> parry::shape::ConvexPolyhedron {
    let points: Vec<Vector> = (0..20)
        .map(|_| numbers.vector().normalize_or(Vector::X) * 0.5)
        .collect();
    parry::shape::ConvexPolyhedron::from_convex_hull(&points).expect("a hull")
}

fn round<S>(inner_shape: S) -> RoundShape<S> {
    RoundShape {
        inner_shape,
        border_radius: 0.1,
    }
}

/// One of each kind that gjk answers.
fn shapes() -> Vec<SharedShape> {
    let mut numbers = Numbers(5);
    let cuboid = Cuboid::new(Vector::new(0.5, 0.3, 0.4));
    let [a, b, c] = [
        Vector::new(0.5, 0.1, 0.0),
        Vector::new(-0.3, 0.4, 0.2),
        Vector::new(0.0, -0.5, -0.1),
    ];
    let triangle = Triangle::new(a, b, c);
    let (cylinder, cone) = (Cylinder::new(0.4, 0.3), Cone::new(0.4, 0.3));
    vec![
        SharedShape::new(Ball::new(0.4)),
        SharedShape::new(cuboid),
        SharedShape::new(Capsule::new(a, b, 0.2)),
        SharedShape::new(Segment::new(b, c)),
        SharedShape::new(triangle),
        SharedShape::new(hull(&mut numbers)),
        SharedShape::new(cylinder),
        SharedShape::new(cone),
        SharedShape::new(round(cuboid)),
        SharedShape::new(round(triangle)),
        SharedShape::new(round(cylinder)),
        SharedShape::new(round(cone)),
        SharedShape::new(round(hull(&mut numbers))),
    ]
}

/// All pairs at some poses, from deep in each other to apart.
fn each_pair(mut visit: impl FnMut(&Pose, &dyn Shape, &dyn Shape)) {
    let shapes = shapes();
    let mut numbers = Numbers(11);
    for a in &shapes {
        for b in &shapes {
            for size in [0.2, 0.6, 1.0, 1.4] {
                visit(&numbers.pose(size), &**a, &**b);
            }
        }
    }
}

/// How fast the bar of the swing turns.
const RATE: parry::math::Real = 3.1;

fn asked<T>(answer: Result<T, Unsupported>) -> T {
    answer.expect("gjk answers it")
}

fn name(a: &dyn Shape, b: &dyn Shape) -> String {
    format!("{:?} {:?}", a.shape_type(), b.shape_type())
}

#[test]
fn distances_are_those_of_parry() {
    each_pair(|pose, a, b| {
        let own = asked(GjkDispatcher.distance(pose, a, b)).distance;
        let theirs = asked(DefaultQueryDispatcher.distance(pose, a, b)).distance;
        assert!(
            (own - theirs).abs() < CLOSE,
            "{}: {own} {theirs}",
            name(a, b)
        );
        let meets = asked(GjkDispatcher.intersection_test(pose, a, b)).intersecting;
        assert_eq!(meets, own == 0.0, "{}: {own}", name(a, b));
    });
}

#[test]
fn contacts_are_in_the_frames_of_their_shapes() {
    each_pair(|pose, a, b| {
        let found = asked(GjkDispatcher.contact(pose, a, b, 10.0)).expect("within 10");
        let name = name(a, b);
        let gap = *pose * found.point2 - found.point1;
        assert!(
            (gap - found.normal1 * found.dist).length() < 1e-5,
            "{name}: {gap}"
        );
        assert!((found.normal1.length() - 1.0).abs() < 1e-5, "{name}");
        let turned = pose.rotation * found.normal2 + found.normal1;
        assert!(turned.length() < 1e-5, "{name}");
        let mirrored = asked(GjkDispatcher.contact(&pose.inverse(), b, a, 10.0));
        let mirrored = mirrored.expect("within 10").dist;
        assert!(
            (mirrored - found.dist).abs() < 1e-5,
            "{name}: {mirrored} {}",
            found.dist
        );
        // Nobody finds a shorter way out.
        if let Ok(Some(theirs)) = DefaultQueryDispatcher.contact(pose, a, b, 10.0) {
            assert!(
                found.dist >= theirs.dist - CLOSE,
                "{name}: {} {}",
                found.dist,
                theirs.dist
            );
        }
        let distance = asked(GjkDispatcher.distance(pose, a, b)).distance;
        assert!((found.dist.max(0.0) - distance).abs() < 1e-5, "{name}");
        let limit = found.dist - 1e-3;
        assert!(
            asked(GjkDispatcher.contact(pose, a, b, limit)).is_none(),
            "{name}"
        );
    });
}

#[test]
fn closest_points_are_as_far_apart_as_the_bodies() {
    each_pair(|pose, a, b| {
        let distance = asked(GjkDispatcher.distance(pose, a, b)).distance;
        match asked(GjkDispatcher.closest_points(pose, a, b, 0.5)) {
            ClosestPoints::Intersecting => assert_eq!(distance, 0.0, "{}", name(a, b)),
            ClosestPoints::Disjoint => assert!(distance > 0.4999, "{}", name(a, b)),
            ClosestPoints::WithinMargin(p1, p2) => {
                let between = (*pose * p2 - p1).length();
                assert!((between - distance).abs() < 1e-5, "{}", name(a, b));
            }
        }
    });
}

#[test]
fn casts_end_in_contact_and_not_before() {
    let mut numbers = Numbers(17);
    let (mut hits, mut misses) = (0, 0);
    each_pair(|pose, a, b| {
        let velocity = numbers.vector() * 2.0 - pose.translation;
        let options = ShapeCastOptions::with_max_time_of_impact(4.0);
        let at = |time: Real| {
            let place = pose.translation + velocity * time;
            let there = Pose::from_parts(place, pose.rotation);
            asked(GjkDispatcher.distance(&there, a, b)).distance
        };
        match asked(GjkDispatcher.cast_shapes(pose, velocity, a, b, options)) {
            None => {
                misses += 1;
                assert!(
                    (0..=40).all(|k| at(0.1 * k as Real) > 0.0),
                    "{}",
                    name(a, b)
                );
            }
            Some(hit) if hit.status == ShapeCastStatus::PenetratingOrWithinTargetDist => {
                assert_eq!((hit.time_of_impact, at(0.0)), (0.0, 0.0), "{}", name(a, b));
            }
            Some(hit) => {
                hits += 1;
                let time = hit.time_of_impact;
                assert!(at(time) < 1e-4, "{}: {}", name(a, b), at(time));
                assert!(
                    (0..10).all(|k| at(0.099 * k as Real * time) > 0.0),
                    "{}",
                    name(a, b)
                );
                let place = Pose::from_parts(pose.translation + velocity * time, pose.rotation);
                assert!(
                    (place * hit.witness2 - hit.witness1).length() < 1e-3,
                    "{}",
                    name(a, b)
                );
            }
        }
    });
    assert!(hits > 100 && misses > 50, "{hits} {misses}");
}

#[test]
fn turning_bodies_meet_where_they_are_told_to() {
    let mut numbers = Numbers(23);
    let (mut hits, mut misses) = (0, 0);
    each_pair(|pose, a, b| {
        let away = Pose::from_parts(pose.translation * 3.0, pose.rotation);
        let motions = [Pose::IDENTITY, away].map(|start| {
            let (center, turn) = (numbers.vector() * 0.2, numbers.vector() * 2.0);
            let speed = numbers.vector() - start.translation * 0.5;
            NonlinearRigidMotion::new(start, center, speed, turn)
        });
        let [m1, m2] = &motions;
        let at = |time: Real| {
            let [p1, p2] = motions.map(|motion| motion.position_at_time(time));
            asked(GjkDispatcher.distance(&p1.inv_mul(&p2), a, b)).distance
        };
        let from = 0.25;
        match GjkDispatcher.cast_shapes_nonlinear(m1, a, m2, b, from, 3.0, true) {
            // A graze.
            Err(Unsupported) => {}
            Ok(None) => {
                misses += 1;
                let apart = (0..=60).all(|k| at(from + 0.0458 * k as Real) > 0.0);
                assert!(apart, "{}", name(a, b));
            }
            Ok(Some(hit)) => {
                hits += 1;
                let time = hit.time_of_impact;
                assert!(
                    time >= from && at(time) < 1e-3,
                    "{}: {}",
                    name(a, b),
                    at(time)
                );
                let [p1, p2] = motions.map(|motion| motion.position_at_time(time));
                let gap = (p1 * hit.witness1 - p2 * hit.witness2).length();
                let starts = hit.status == ShapeCastStatus::PenetratingOrWithinTargetDist;
                assert!(starts || gap < 5e-3, "{}: {gap}", name(a, b));
            }
        }
    });
    assert!(hits > 100 && misses > 50, "{hits} {misses}");
}

#[test]
fn a_bar_that_swings_through_the_floor_meets_it() {
    // Both ends of the motion are clear of the floor.
    let (floor, bar) = (
        Cuboid::new(Vector::new(10.0, 1.0, 10.0)),
        Cuboid::new(Vector::new(1.0, 0.05, 0.1)),
    );
    let rest = NonlinearRigidMotion::constant_position(Pose::translation(0.0, -1.0, 0.0));
    let start = Pose::new(Vector::new(0.0, 0.9, 0.0), Vector::Z * -0.3);
    let swing = NonlinearRigidMotion::new(start, Vector::ZERO, Vector::ZERO, Vector::Z * -RATE);
    let hit = GjkDispatcher.cast_shapes_nonlinear(&rest, &floor, &swing, &bar, 0.0, 1.0, true);
    let hit = asked(hit).expect("it does");
    let time = hit.time_of_impact;
    // The end of the bar is on the floor: sin θ + 0.05 cos θ = 0.9.
    assert!((0.3 + RATE * time - 1.067_242).abs() < 1e-4, "{time}");
    assert!((hit.normal1 - Vector::Y).length() < 1e-3);
}

/// The manifold of two shapes, after another if there is one.
fn manifold(
    pose: &Pose,
    a: &dyn Shape,
    b: &dyn Shape,
    manifolds: &mut Vec<ContactManifold<(), u32>>,
) {
    let dispatcher: &dyn PersistentQueryDispatcher<(), u32> = &GjkDispatcher;
    asked(dispatcher.contact_manifolds(pose, a, b, 0.05, manifolds, &mut None));
}

#[test]
fn points_of_a_manifold_have_names_and_places_of_their_own() {
    let mut most = 0;
    each_pair(|pose, a, b| {
        let name = name(a, b);
        // As if a step had taken them from each other: just in touch.
        let contact = asked(GjkDispatcher.contact(pose, a, b, 10.0)).expect("within 10");
        let way = contact.normal1 * (contact.dist + 0.01);
        let pose = Pose::from_parts(pose.translation - way, pose.rotation);
        let mut manifolds = Vec::new();
        manifold(&pose, a, b, &mut manifolds);
        let [found] = &mut manifolds[..] else {
            panic!("{name}: one manifold");
        };
        assert!(
            !found.points.is_empty() && found.points.len() <= 4,
            "{name}"
        );
        most = most.max(found.points.len());
        let expected = asked(GjkDispatcher.contact(&pose, a, b, 10.0))
            .expect("within 10")
            .dist;
        let least = found
            .points
            .iter()
            .map(|p| p.dist)
            .fold(Real::MAX, Real::min);
        assert!(
            (least - expected).abs() < 1e-4,
            "{name}: {least} {expected}"
        );
        for (k, point) in found.points.iter().enumerate() {
            let gap = pose * point.local_p2 - point.local_p1;
            assert!(
                (gap - found.local_n1 * point.dist).length() < 1e-5,
                "{name}"
            );
            let same = |other: &&parry::query::TrackedContact<u32>| {
                (other.fid1, other.fid2) == (point.fid1, point.fid2)
            };
            assert_eq!(found.points[k..].iter().filter(same).count(), 1, "{name}");
        }
        // Marks stay with the points when the body moves by a hair.
        for (k, point) in found.points.iter_mut().enumerate() {
            point.data = k as u32 + 1;
        }
        let before = found.points.clone();
        let moved = Pose::from_parts(pose.translation + Vector::splat(1e-5), pose.rotation);
        manifold(&moved, a, b, &mut manifolds);
        for point in &manifolds[0].points {
            let there = |old: &&parry::query::TrackedContact<u32>| {
                old.local_p1.distance(point.local_p1) < 1e-3
            };
            let mut old = before.iter().filter(there);
            if let (Some(old), None) = (old.next(), old.next()) {
                assert_eq!(point.data, old.data, "{name}");
            }
        }
    });
    assert_eq!(most, 4);
}

/// A square of two triangles in the plane y = 0.
fn square() -> TriMesh {
    let corner = |x, z| Vector::new(x, 0.0, z);
    let vertices = [
        corner(-5.0, -5.0),
        corner(-5.0, 5.0),
        corner(5.0, 5.0),
        corner(5.0, -5.0),
    ];
    let triangles = vec![[0, 1, 2], [0, 2, 3]];
    TriMesh::with_flags(vertices.into(), triangles, TriMeshFlags::FIX_INTERNAL_EDGES)
        .expect("a mesh")
}

#[test]
fn parts_of_meshes_and_compounds_are_answered() {
    let cube = Cuboid::new(Vector::splat(0.5));
    let half = SharedShape::new(Cuboid::new(Vector::new(0.25, 0.5, 0.5)));
    let halves = [-0.25, 0.25].map(|x| (Pose::translation(x, 0.0, 0.0), half.clone()));
    let compound = Compound::new(halves.into());
    let floor = square();
    let pose = Pose::translation(0.1, 0.49, 0.2);
    let dispatcher: &dyn PersistentQueryDispatcher<(), u32> = &GjkDispatcher;
    for body in [&cube as &dyn Shape, &compound] {
        let contact = asked(dispatcher.contact(&pose, &floor, body, 0.0)).expect("it is in it");
        assert!((contact.dist + 0.01).abs() < 1e-5, "{}", contact.dist);
        for (pose, a, b) in [
            (pose, &floor as &dyn Shape, body),
            (pose.inverse(), body, &floor),
        ] {
            let (mut manifolds, mut workspace) = (Vec::new(), None);
            for _ in 0..3 {
                asked(dispatcher.contact_manifolds(
                    &pose,
                    a,
                    b,
                    0.02,
                    &mut manifolds,
                    &mut workspace,
                ));
                let points: Vec<_> = manifolds.iter().flat_map(|m| &m.points).collect();
                assert!(points.len() >= 6, "{}", points.len());
                assert!(points.iter().all(|p| (p.dist + 0.01).abs() < 1e-5));
            }
        }
        let above = Pose::translation(0.1, 2.5, 0.2);
        assert!((asked(dispatcher.distance(&above, &floor, body)).distance - 2.0).abs() < 1e-5);
        let options = ShapeCastOptions::default();
        let hit = asked(dispatcher.cast_shapes(&above, -Vector::Y, &floor, body, options));
        assert!((hit.expect("it falls").time_of_impact - 2.0).abs() < 1e-4);
    }
}

#[test]
fn an_inner_edge_of_a_mesh_is_no_bump() {
    // The ball is beside the diagonal, over one triangle: what it has of the other is that edge, along a normal that is not the floor's.
    let (floor, ball) = (square(), Ball::new(0.5));
    let pose = Pose::translation(0.05, 0.495, -0.05);
    let (mut manifolds, mut workspace) = (Vec::new(), None);
    let dispatcher: &dyn PersistentQueryDispatcher<(), u32> = &GjkDispatcher;
    asked(dispatcher.contact_manifolds(&pose, &floor, &ball, 0.02, &mut manifolds, &mut workspace));
    let bearing = manifolds.iter().filter(|m| !m.points.is_empty());
    assert!(bearing.clone().count() > 0);
    for manifold in bearing {
        assert!(
            (manifold.local_n1 - Vector::Y).length() < 1e-3,
            "{}",
            manifold.local_n1
        );
    }
}

#[test]
fn what_gjk_does_not_know_is_left_to_parry() {
    let (ground, cube) = (HalfSpace::new(Vector::Y), Cuboid::new(Vector::splat(0.5)));
    let flat = Cuboid::new(Vector::new(0.5, 0.0, 0.5));
    let pose = Pose::translation(0.0, 1.0, 0.0);
    for other in [&ground as &dyn Shape, &flat] {
        assert_eq!(
            GjkDispatcher.distance(&pose, other, &cube),
            Err(Unsupported)
        );
        assert!((asked(with_parry().distance(&pose, other, &cube)).distance - 0.5).abs() < 1e-5);
    }
    let nowhere = Pose::translation(Real::NAN, 0.0, 0.0);
    assert_eq!(
        GjkDispatcher.distance(&nowhere, &cube, &cube),
        Err(Unsupported)
    );
    // Of a compound only the parts that gjk does not know.
    let parts = vec![
        (Pose::IDENTITY, SharedShape::new(flat)),
        (pose, SharedShape::new(cube)),
    ];
    let compound = Compound::new(parts);
    let above = Pose::translation(0.0, 3.0, 0.0);
    assert!((asked(GjkDispatcher.distance(&above, &compound, &cube)).distance - 1.0).abs() < 1e-5);
    // A degenerate ball is a point.
    let point = Ball::new(0.0);
    assert!((asked(GjkDispatcher.distance(&pose, &point, &cube)).distance - 0.5).abs() < 1e-5);
}
