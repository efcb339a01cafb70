//! Bodies on level floors of many triangles.

use super::boxes::cut_box;
use super::made::{asked, body, fan, grid, predicted, turned, vec3};
use gjk::query::ContactFeature;
use gjk::shape::{Ball, Capsule, Cuboid, Cylinder, Ellipsoid};
use gjk::{Axis, Pose3, Vector};
use gjk_mesh::MeshBody;
use std::collections::BTreeSet;

fn floors() -> [MeshBody; 4] {
    [
        grid(8, |_, _| 0.0),
        fan(),
        MeshBody::new(cut_box([-4.0, -4.0, -1.0], [4.0, 4.0, 0.0], 16)),
        MeshBody::new(cut_box([-4.0, -4.0, -0.25], [4.0, 4.0, 0.0], 3)),
    ]
}

/// The place of a step of the slide: on edges and vertices of the grids, on diagonals, and anywhere.
fn place(step: usize, random: &mut fastrand::Rng) -> [f64; 2] {
    let eighth = |k: usize| (k % 17) as f64 * 0.25 - 2.0;
    match step % 4 {
        0 => [eighth(step), eighth(step / 17)],
        1 => [eighth(step), eighth(step) + 0.125],
        2 => [eighth(step), 4.0 * random.f64() - 2.0],
        _ => [4.0 * random.f64() - 2.0, 4.0 * random.f64() - 2.0],
    }
}

/// A thousand places, turns and depths from apart to through some of the triangles: always the floor's normal, and the four corners of the box.
#[test]
fn a_box_that_slides_over_a_floor_has_four_points_and_its_normal() {
    let mut random = fastrand::Rng::with_seed(1);
    let cube = Cuboid::new(vec3([0.75, 0.5, 0.5])).unwrap();
    for (number, floor) in floors().iter().enumerate() {
        for step in 0..1000 {
            let [x, y] = place(step, &mut random);
            let turn = [0.0, core::f64::consts::FRAC_PI_4, random.f64()][step % 3];
            let depth = [0.0, 0.001, 0.05, 0.25, -0.01][step % 5];
            let pose = turned([0.0, 0.0, turn], [x, y, 0.5 - depth]);
            let what = (number, step, x, y, turn, depth);
            let found = asked(floor, &Pose3::identity(), &cube, &pose, &predicted(0.02));
            assert_eq!(found.patches.len(), 1, "{what:?} {found:#?}");
            let patch = &found.patches[0];
            assert!(
                (patch.normal - vec3([0.0, 0.0, 1.0])).norm() < 1e-12,
                "{what:?}"
            );
            assert_eq!(patch.points.len(), 4, "{what:?} {patch:#?}");
            for point in &patch.points {
                assert!(
                    point.point.separation.contains(-depth)
                        || (point.point.separation.middle() + depth).abs() < 1e-12,
                    "{what:?}"
                );
                assert_eq!(point.point.feature_a, ContactFeature::Face, "{what:?}");
                assert!(
                    matches!(point.point.feature_b, ContactFeature::Vertex(_)),
                    "{what:?}"
                );
            }
        }
    }
}

/// A floor of which a file has turned and rounded all vertices: one face, though no four of its vertices are in one plane.
#[test]
fn a_floor_that_was_turned_is_one_face() {
    let cube = Cuboid::new(vec3([0.75, 0.5, 0.5])).unwrap();
    let mut random = fastrand::Rng::with_seed(8);
    for tilt in [[0.3, 0.2, 0.1], [1.0, -0.7, 0.4], [0.0, 0.01, 0.0]] {
        let to = turned(tilt, [3.0, -2.0, 7.0]);
        let level = grid(8, |_, _| 0.0);
        let vertices: Vec<[f64; 3]> = level
            .mesh()
            .vertices()
            .iter()
            .map(|&p| to.point(vec3(p)).to_f64())
            .collect();
        let floor = body(&vertices, level.mesh().triangles());
        for step in 0..100 {
            let [x, y] = place(step, &mut random);
            let depth = [1e-3, 0.05][step % 2];
            let own = turned([0.0, 0.0, 0.3], [x, y, 0.5 - depth]);
            let columns = [0, 1, 2].map(|k| to.point(own.columns()[k]) - to.translation());
            let pose = Pose3::from_columns(columns, to.point(own.translation()));
            let found = asked(&floor, &Pose3::identity(), &cube, &pose, &predicted(0.0));
            assert_eq!(found.patches.len(), 1, "{step} {found:#?}");
            assert_eq!(found.patches[0].points.len(), 4, "{step} {found:#?}");
            for point in &found.patches[0].points {
                assert!((point.point.separation.middle() + depth).abs() < 1e-9);
                assert_eq!(point.face, 0);
            }
        }
    }
}

/// Two squares of one floor, one of them cut in small ones, so that vertices are on the other's edge and not shared.
#[test]
fn a_floor_with_t_junctions_has_no_other_normal() {
    let mut vertices = vec![
        [-4.0, -4.0, 0.0],
        [0.0, -4.0, 0.0],
        [0.0, 4.0, 0.0],
        [-4.0, 4.0, 0.0],
    ];
    let mut faces = vec![[0, 1, 2], [0, 2, 3]];
    for i in 0..4 {
        for j in 0..8 {
            let base = vertices.len() as u32;
            let (x, y) = (f64::from(i), f64::from(j) - 4.0);
            vertices.extend([
                [x, y, 0.0],
                [x + 1.0, y, 0.0],
                [x + 1.0, y + 1.0, 0.0],
                [x, y + 1.0, 0.0],
            ]);
            faces.extend([[base, base + 1, base + 2], [base, base + 2, base + 3]]);
        }
    }
    let floor = body(&vertices, &faces);
    let mut random = fastrand::Rng::with_seed(6);
    let cube = Cuboid::new(vec3([0.75, 0.5, 0.5])).unwrap();
    let ball = Ball::new(0.5).unwrap();
    for step in 0..200 {
        let [x, y] = place(step, &mut random);
        let depth = [0.0, 0.01, 0.2][step % 3];
        let pose = turned([0.0, 0.0, [0.0, 0.3][step % 2]], [0.4 * x, y, 0.5 - depth]);
        for found in [
            asked(&floor, &Pose3::identity(), &cube, &pose, &predicted(1e-9)),
            asked(&floor, &Pose3::identity(), &ball, &pose, &predicted(1e-9)),
        ] {
            assert_eq!(found.patches.len(), 1, "{step} {found:#?}");
            assert!(
                (found.patches[0].normal.z - 1.0).abs() < 1e-12,
                "{step} {found:#?}"
            );
        }
    }
}

/// The same names all the way, though the triangles beneath change.
#[test]
fn ids_stay_as_a_box_slides() {
    let cube = Cuboid::new(vec3([0.75, 0.5, 0.5])).unwrap();
    for floor in &floors()[..3] {
        let mut seen: Option<BTreeSet<u64>> = None;
        let mut triangles = BTreeSet::new();
        for step in 0..150 {
            let x = -2.0 + 0.01 * f64::from(step);
            let pose = turned([0.0, 0.0, 0.3], [x, 0.25 * x, 0.49]);
            let found = asked(floor, &Pose3::identity(), &cube, &pose, &predicted(0.0));
            let ids: BTreeSet<u64> = found.patches[0].points.iter().map(|x| x.point.id).collect();
            triangles.extend(found.patches[0].points.iter().map(|x| x.triangle));
            assert_eq!(ids.len(), 4);
            assert_eq!(*seen.get_or_insert_with(|| ids.clone()), ids, "{step}");
        }
        assert!(triangles.len() > 4);
    }
}

/// A box that stands on its lowest corner or edge, in as deep as may be: of the floor alone.
#[test]
fn a_tilted_box_has_the_floor_s_normal() {
    let mut random = fastrand::Rng::with_seed(2);
    let cube = Cuboid::new(vec3([0.5; 3])).unwrap();
    for (number, floor) in floors().iter().enumerate().take(3) {
        for step in 0..100 {
            let [x, y] = place(step, &mut random);
            let tilt = [
                [0.1, 0.0, 0.0],
                [0.0, 0.5, 0.0],
                [0.6, 0.5, 0.2],
                [0.01, 0.02, 0.3],
            ][step % 4];
            let lowest = |z: f64| turned(tilt, [x, y, z]);
            let pose = lowest(0.0);
            let bottom = (0..8).map(|k: u32| {
                let corner = [0, 1, 2].map(|a| if k >> a & 1 == 1 { 0.5 } else { -0.5 });
                pose.point(vec3(corner)).z
            });
            let low = bottom.fold(f64::INFINITY, f64::min);
            let depth = [0.0, 0.02, 0.1][step % 3];
            let pose = lowest(-low - depth);
            let found = asked(floor, &Pose3::identity(), &cube, &pose, &predicted(0.0));
            let what = (number, step, x, y, tilt, depth);
            assert_eq!(found.patches.len(), 1, "{what:?} {found:#?}");
            assert!((found.patches[0].normal.z - 1.0).abs() < 1e-12, "{what:?}");
            let deepest = found.patches[0].points[0].point.separation;
            assert!(
                (deepest.middle() + depth).abs() < 1e-9,
                "{what:?} {deepest}"
            );
        }
    }
}

/// Round bodies: one point beneath a ball and an ellipsoid, two of a capsule, a cap's four of a standing cylinder, two of a lying one.
#[test]
fn round_bodies_roll_over_inner_edges() {
    let mut random = fastrand::Rng::with_seed(3);
    let up = vec3([0.0, 0.0, 1.0]);
    for (number, floor) in floors().iter().enumerate().take(3) {
        for step in 0..100 {
            let [x, y] = place(step, &mut random);
            let depth = [0.0, 0.001, 0.05][step % 3];
            let at = |height: f64| turned([0.0, 0.0, random.clone().f64()], [x, y, height - depth]);
            let what = (number, step, x, y, depth);
            let check = |found: &gjk_mesh::MeshManifold, count: usize| {
                assert_eq!(found.patches.len(), 1, "{what:?} {found:#?}");
                assert!(
                    (found.patches[0].normal - up).norm() < 1e-6,
                    "{what:?} {found:#?}"
                );
                assert_eq!(found.patches[0].points.len(), count, "{what:?} {found:#?}");
                let middle = found.patches[0].points[0].point.separation.middle();
                assert!((middle + depth).abs() < 1e-6, "{what:?} {middle}");
            };
            let options = predicted(1e-9);
            let here = Pose3::identity();
            check(
                &asked(floor, &here, &Ball::new(0.5).unwrap(), &at(0.5), &options),
                1,
            );
            let capsule = Capsule::new(0.5, 0.25, Axis::X).unwrap();
            check(&asked(floor, &here, &capsule, &at(0.25), &options), 2);
            let standing = Cylinder::new(0.5, 0.4, Axis::Z).unwrap();
            check(&asked(floor, &here, &standing, &at(0.5), &options), 4);
            let lying = Cylinder::new(0.5, 0.4, Axis::X).unwrap();
            check(&asked(floor, &here, &lying, &at(0.4), &options), 2);
            let egg = Ellipsoid::new(vec3([0.5, 0.25, 0.4])).unwrap();
            check(&asked(floor, &here, &egg, &at(0.4), &options), 1);
        }
    }
}
