//! The polygon against one clipped by another method, the reduction against its area, and closed forms.

use crate::laws::options;
use crate::oracle::Rng;
use crate::resting::{cuboid, resting};
use gjk::query::{ContactFeature, Manifold, ManifoldKind, ManifoldOptions, manifold};
use gjk::shape::{Cone, Cylinder, Polytope, Shape};
use gjk::verify::verify_manifold;
use gjk::{Axis, Pose, Pose3, Vec2, Vec3, Vector};

type Flat = [f64; 2];

fn turn(a: Flat, b: Flat, c: Flat) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn area(ring: &[Flat]) -> f64 {
    (1..ring.len().max(2) - 1)
        .map(|k| turn(ring[0], ring[k], ring[k + 1]))
        .sum::<f64>()
        / 2.0
}

/// Sutherland and Hodgman.
fn clipped(subject: &[Flat], clip: &[Flat]) -> Vec<Flat> {
    let mut ring = subject.to_vec();
    for k in 0..clip.len() {
        let (from, to) = (clip[k], clip[(k + 1) % clip.len()]);
        let mut next = Vec::new();
        for i in 0..ring.len() {
            let (p, q) = (ring[i], ring[(i + 1) % ring.len()]);
            let (s, t) = (turn(from, to, p), turn(from, to, q));
            if s >= 0.0 {
                next.push(p);
            }
            if (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0) {
                let u = s / (s - t);
                next.push([p[0] + u * (q[0] - p[0]), p[1] + u * (q[1] - p[1])]);
            }
        }
        ring = next;
    }
    ring
}

/// The ring of a face across a normal, counter-clockwise about it.
fn across(
    shape: &Shape<Vec3<f64>>,
    pose: &Pose3<f64>,
    ring: &[u32],
    normal: Vec3<f64>,
) -> Vec<Flat> {
    use gjk::Support;
    let x = normal.perpendicular().normalized().unwrap();
    let y = normal.cross(x);
    let mut ring: Vec<Flat> = ring
        .iter()
        .map(|&id| pose.point(shape.vertex(id).unwrap()))
        .map(|p| [p.dot(x), p.dot(y)])
        .collect();
    if area(&ring) < 0.0 {
        ring.reverse();
    }
    ring
}

fn of_points(found: &Manifold<Vec3<f64>>) -> f64 {
    let normal = found.contact.normal;
    let x = normal.perpendicular().normalized().unwrap();
    let y = normal.cross(x);
    let ring: Vec<Flat> = found
        .points
        .iter()
        .map(|p| [p.point_a.dot(x), p.point_a.dot(y)])
        .collect();
    area(&ring)
}

#[test]
fn the_polygon_is_the_intersection_and_four_points_keep_half_of_it() {
    let mut rng = Rng(41);
    let (mut polygons, mut worst) = (0, 1.0f64);
    for case in 0..3000 {
        let pair = resting::<f64>(&mut rng, [-0.3, 0.0][case % 2]);
        let [a, b] = &pair.shapes;
        let everything = ManifoldOptions::default()
            .with_prediction(9.0)
            .with_all_points();
        let found = manifold(a, &pair.poses[0], b, &pair.poses[1], &everything);
        assert!(found.complete);
        if found.kind != ManifoldKind::FaceFace {
            continue;
        }
        let normal = found.contact.normal;
        let rings = [
            across(a, &pair.poses[0], &found.face_a, normal),
            across(b, &pair.poses[1], &found.face_b, normal),
        ];
        let expected = area(&clipped(&rings[0], &rings[1]));
        assert!(
            (found.area - expected).abs() < 1e-12,
            "{case} {} {expected} {pair:?} {found:?}",
            found.area
        );
        assert!(
            (of_points(&found) - found.area).abs() < 1e-12,
            "counter-clockwise: {pair:?} {found:?}"
        );
        let four = manifold(
            a,
            &pair.poses[0],
            b,
            &pair.poses[1],
            &everything.with_points_max(4),
        );
        assert!(four.points.len() <= 4 && four.area == found.area);
        assert_eq!(four.complete, found.points.len() <= 4);
        if expected > 1e-9 {
            polygons += 1;
            worst = worst.min(of_points(&four) / expected);
        }
    }
    assert!(polygons > 1000 && worst >= 0.5, "{polygons} {worst}");
}

/// Two edges that cross at right angles, box3d's `CrossedEdge`: the distance of their centres less √2.
#[test]
fn edges_that_cross_are_one_point() {
    let cube = cuboid::<Vec3<f64>>([0.5; 3]);
    let half = std::f64::consts::FRAC_PI_8;
    let about = |axis: [f64; 3], at: Vec3<f64>| {
        let s = half.sin();
        Pose3::from_quaternion([axis[0] * s, axis[1] * s, axis[2] * s, half.cos()], at).unwrap()
    };
    for d in [1.3, 1.4, 1.5, 2.0] {
        let (a, b) = (
            about([0.0, 1.0, 0.0], Vec3::ZERO),
            about([0.0, 0.0, 1.0], Vec3::new(d, 0.0, 0.0)),
        );
        let found = manifold(&cube, &a, &cube, &b, &options().with_prediction(1.0));
        let expected = d - 2f64.sqrt();
        let [point] = found.points[..] else {
            panic!("{found:?}");
        };
        assert!((point.separation.middle() - expected).abs() < 1e-12);
        let middle = (point.point_a + point.point_b) * 0.5;
        assert!(
            (middle - Vec3::new(d / 2.0, 0.0, 0.0)).norm() < 1e-12,
            "{point:?}"
        );
        assert!(matches!(
            (point.feature_a, point.feature_b),
            (ContactFeature::Edge(_), ContactFeature::Edge(_))
        ));
        assert_eq!(found.kind, ManifoldKind::EdgeEdge);
    }
}

/// Two edges that are parallel, box3d's `ParallelEdge`: both ends of the shorter part, at any roll in which no face is level.
#[test]
fn parallel_edges_are_two_points() {
    let cube = cuboid::<Vec3<f64>>([0.5; 3]);
    for step in -5..=5 {
        let roll = std::f64::consts::FRAC_PI_4 + f64::from(step) * 0.05;
        let turned = |at: f64| {
            let (s, c) = (at / 2.0).sin_cos();
            [0.0, s, 0.0, c]
        };
        let upright = std::f64::consts::FRAC_PI_4;
        let top = 0.5 * (roll.sin() + roll.cos());
        // B's lowest edge, 0.01 above A's highest.
        let aside = 0.5 * (roll.cos() - roll.sin());
        let lower = Pose3::from_quaternion(turned(roll), Vec3::ZERO).unwrap();
        let highest = lower.point(Vec3::new(0.5f64.copysign(-aside), 0.0, 0.5));
        let highest = if (highest.z - top).abs() < 1e-12 {
            highest
        } else {
            lower.point(Vec3::new(0.5f64.copysign(aside), 0.0, 0.5))
        };
        let at = Vec3::new(highest.x, 0.25, top + 0.5f64.sqrt() + 0.01);
        let upper = Pose3::from_quaternion(turned(upright), at).unwrap();
        let found = manifold(&cube, &lower, &cube, &upper, &options());
        assert_eq!(found.points.len(), 2, "{roll} {found:?}");
        assert_eq!(found.kind, ManifoldKind::EdgeEdge);
        let spread = (found.points[0].point_a - found.points[1].point_a).norm();
        assert!((spread - 0.75).abs() < 1e-9, "{roll} {found:?}");
    }
}

/// A vertex near a vertex is a point: there is none only where the distance is proved greater than the prediction.
#[test]
fn vertices_that_face_each_other_are_a_point() {
    let cube = cuboid::<Vec3<f64>>([0.5; 3]);
    let at = |x: f64| Pose::from_translation(Vec3::new(x, x, x));
    let found = manifold(
        &cube,
        &at(0.0),
        &cube,
        &at(1.0625),
        &options().with_prediction(0.125),
    );
    let [point] = found.points[..] else {
        panic!("{found:?}");
    };
    assert_eq!(
        (point.feature_a, point.feature_b),
        (ContactFeature::Vertex(7), ContactFeature::Vertex(0))
    );
    assert_eq!(found.kind, ManifoldKind::Point);
    assert!(
        manifold(
            &cube,
            &at(0.0),
            &cube,
            &at(1.0625),
            &options().with_prediction(0.1)
        )
        .points
        .is_empty()
    );
}

/// Equal squares on each other: every corner of one is a corner of the other, whatever rounding does.
#[test]
fn equal_faces_meet_in_their_vertices() {
    let mut rng = Rng(43);
    let cube = cuboid::<Vec3<f64>>([0.5; 3]);
    for _ in 0..500 {
        let world = Pose3::from_quaternion(rng.quaternion(), Vec3::new(0.1, 0.2, 0.3)).unwrap();
        let upper = world.compose(&Pose::from_translation(Vec3::new(0.0, 0.0, 0.99)));
        let found = manifold(&cube, &world, &cube, &upper, &options());
        let names: Vec<_> = found
            .points
            .iter()
            .map(|p| (p.feature_a, p.feature_b))
            .collect();
        assert_eq!(names.len(), 4, "{found:?}");
        let corners = |(a, b): &_| matches!((a, b), (ContactFeature::Vertex(a), ContactFeature::Vertex(b)) if a - 4 == *b);
        assert!(names.iter().all(corners), "{names:?}");
        assert!((found.area - 1.0).abs() < 1e-12);
    }
}

/// A cap of many corners is one face, although its rounded corners are on no plane.
#[test]
fn a_cap_of_many_corners_is_one_face() {
    let mut rng = Rng(44);
    for corners in [16u32, 64, 200] {
        let tilted = Pose3::from_quaternion(rng.quaternion(), Vec3::new(0.2, 0.1, 0.4)).unwrap();
        let points: Vec<Vec3<f64>> = (0..2 * corners)
            .map(|k| {
                let (s, c) =
                    (f64::from(k / 2) / f64::from(corners) * std::f64::consts::TAU).sin_cos();
                tilted.point(Vec3::new(c, s, f64::from(k % 2)))
            })
            .collect();
        let wheel = Polytope::new(&points).unwrap();
        let table = cuboid::<Vec3<f64>>([3.0, 3.0, 0.5]);
        let under = tilted.compose(&Pose::from_translation(Vec3::new(0.0, 0.0, -0.499)));
        let found = manifold(&table, &under, &wheel, &Pose::identity(), &options());
        assert_eq!(found.face_b.len(), corners as usize);
        assert_eq!(found.points.len(), corners as usize);
    }
}

/// In the plane: the overlap of two sides.
#[test]
fn sides_overlap_in_the_plane() {
    let square = cuboid::<Vec2<f64>>([0.5; 3]);
    let above = Pose::from_translation(Vec2::new(0.25, 1.0));
    let found = manifold(
        &square,
        &Pose::identity(),
        &square,
        &above,
        &Default::default(),
    );
    let at: Vec<_> = found.points.iter().map(|p| p.point_a).collect();
    assert_eq!(at, [Vec2::new(0.5, 0.5), Vec2::new(-0.25, 0.5)]);
    assert_eq!(found.kind, ManifoldKind::EdgeEdge);
    assert_eq!(found.points[0].feature_a, ContactFeature::Vertex(3));
    assert_eq!(found.points[0].feature_b, ContactFeature::Edge([0, 1]));
}

/// A cylinder stands on sixteen corners of its cap, lies on its side line, and leans on the deepest point of its rim; a cone too.
#[test]
fn cylinders_and_cones_stand_lie_and_lean() {
    let table = cuboid::<Vec3<f64>>([3.0, 3.0, 0.5]);
    let bodies: [Shape<Vec3<f64>>; 2] = [
        Cylinder::new(1.0, 0.5, Axis::Z).unwrap().into(),
        Cone::new(1.0, 0.5, Axis::Z).unwrap().into(),
    ];
    let near = options().with_prediction(0.3);
    let ask = |body: &Shape<Vec3<f64>>, angle: f64, height: f64| {
        let (s, c) = (angle / 2.0).sin_cos();
        let pose =
            Pose3::from_quaternion([0.0, s, 0.0, c], Vec3::new(0.1, 0.2, 0.5 + height)).unwrap();
        let found = manifold(&table, &Pose::identity(), body, &pose, &near);
        verify_manifold(&table, &Pose::identity(), body, &pose, &near, &found).unwrap();
        found
    };
    for body in &bodies {
        let stands = ask(body, 0.0, 1.0);
        assert_eq!(
            (stands.points.len(), stands.kind),
            (16, ManifoldKind::FaceFace)
        );
        assert!(
            stands
                .points
                .iter()
                .all(|p| matches!(p.feature_b, ContactFeature::Rim(_)))
        );
        let angle = 0.1f64;
        let leans = ask(body, angle, angle.cos() + 0.5 * angle.sin());
        assert!(leans.points.len() > 4, "{leans:?}");
        assert_eq!(leans.points[0].feature_b, ContactFeature::Rim(0));
        assert!(
            leans.points[0].separation.contains(0.0)
                || leans.points[0].separation.upper.abs() < 1e-9
        );
    }
    for (body, slope) in bodies.iter().zip([0.0, 0.25f64.atan()]) {
        // The side line is level.
        let angle = std::f64::consts::FRAC_PI_2 + slope;
        let height = if slope == 0.0 { 0.5 } else { slope.sin() };
        let lies = ask(body, angle, height);
        assert_eq!(
            (lies.points.len(), lies.kind),
            (2, ManifoldKind::FaceEdge),
            "{lies:?}"
        );
        assert!(
            lies.points
                .iter()
                .all(|p| matches!(p.feature_b, ContactFeature::Side(_)))
        );
    }
}
