//! Ridges, valleys, steps and cliffs.

use super::boxes::cut_box;
use super::made::{asked, body, grid, predicted, turned, vec3};
use gjk::query::{self, ContactFeature, Meeting, Options, Verdict};
use gjk::shape::{Ball, Cuboid, Cylinder, Triangle};
use gjk::{Axis, Pose3, Vector};
use gjk_mesh::{MeshBody, MeshManifoldOptions, MeshSides};

/// Slopes on both sides of the y axis, in pieces along it.
fn slopes(rise: f64) -> MeshBody {
    grid(8, move |x, _| rise * x.abs())
}

#[test]
fn a_box_on_a_ridge_has_two_points_and_a_normal_between_the_slopes() {
    let cube = Cuboid::new(vec3([1.0, 0.75, 0.5])).unwrap();
    for rise in [-0.02, -0.3, -1.0] {
        let ridge = slopes(rise);
        for step in 0..60 {
            let depth = [0.0, 0.01][step % 2];
            let (x, y) = (0.01 * step as f64 - 0.3, 0.05 * step as f64 - 1.5);
            let pose = turned([0.0, 0.0, 0.0], [x, y, 0.5 - depth]);
            let found = asked(&ridge, &Pose3::identity(), &cube, &pose, &predicted(0.0));
            let what = (rise, step);
            assert_eq!(found.patches.len(), 1, "{what:?} {found:#?}");
            let patch = &found.patches[0];
            assert!((patch.normal.z - 1.0).abs() < 1e-9, "{what:?}");
            assert_eq!(patch.points.len(), 2, "{what:?} {patch:#?}");
            for point in &patch.points {
                assert!((point.point.separation.middle() + depth).abs() < 1e-9);
                assert!(point.point.point_a.x.abs() < 1e-9);
            }
        }
    }
}

#[test]
fn a_box_in_a_valley_bears_on_both_slopes() {
    let cube = Cuboid::new(vec3([0.5, 0.75, 0.5])).unwrap();
    for rise in [0.1, 0.5, 1.0] {
        let valley = slopes(rise);
        for step in 0..40 {
            let depth = [0.0, 0.01][step % 2];
            let y = 0.07 * step as f64 - 1.5;
            let pose = turned([0.0; 3], [0.0, y, 0.5 + 0.5 * rise - depth]);
            let found = asked(&valley, &Pose3::identity(), &cube, &pose, &predicted(1e-9));
            let what = (rise, step);
            assert_eq!(found.patches.len(), 2, "{what:?} {found:#?}");
            let steep = (1.0 + rise * rise).sqrt();
            for (patch, sign) in found.patches.iter().zip([-1.0, 1.0]) {
                let truth = vec3([sign * rise / steep, 0.0, 1.0 / steep]);
                assert!((patch.normal - truth).norm() < 1e-9, "{what:?} {patch:#?}");
                assert_eq!(patch.points.len(), 2, "{what:?} {patch:#?}");
                for point in &patch.points {
                    assert!(
                        (point.point.separation.middle() + depth / steep).abs() < 1e-9,
                        "{what:?}"
                    );
                }
            }
        }
    }
}

/// A ball on a shallow ridge is held by the slopes, and by the ridge when it is over it; in a valley by both slopes.
#[test]
fn a_ball_rolls_over_a_ridge_and_through_a_valley() {
    let ball = Ball::new(0.5).unwrap();
    for rise in [-0.3_f64, 0.3] {
        let floor = slopes(rise);
        for step in 0..200 {
            let x = 0.01 * f64::from(step) - 1.0;
            let steep = (1.0 + rise * rise).sqrt();
            // Where the surface offset by the radius is, less a little.
            let flank = rise * x.abs() + 0.5 * steep;
            let round = if x.abs() < 0.5 * rise.abs() / steep {
                (0.25 - x * x).sqrt()
            } else {
                f64::NEG_INFINITY
            };
            let height = if rise < 0.0 && round > f64::NEG_INFINITY {
                round
            } else {
                flank
            };
            let pose = turned([0.0; 3], [x, 0.3, height - 1e-3]);
            let found = asked(&floor, &Pose3::identity(), &ball, &pose, &predicted(0.0));
            let what = (rise, x);
            let near = rise > 0.0 && x.abs() < 1e-3;
            assert!(
                found.patches.len() == 1 + usize::from(near),
                "{what:?} {found:#?}"
            );
            let normal = found.patches[0].normal;
            assert!(normal.y.abs() < 1e-9, "{what:?}");
            if rise < 0.0 && round > f64::NEG_INFINITY && x.abs() > 1e-3 {
                // From the ridge to the centre.
                assert!(
                    (normal.x / normal.z - x / (height - 1e-3)).abs() < 1e-6,
                    "{what:?} {normal:?}"
                );
            } else if x.abs() > 2e-3 {
                assert!(
                    (normal.x / normal.z + rise * x.signum()).abs() < 1e-6,
                    "{what:?} {normal:?}"
                );
            }
        }
    }
}

/// A floor whose end is a wall upward, and one that ends in a cliff: one contact of each face that bears, and none of the wall beneath a floor.
#[test]
fn steps_and_cliffs() {
    let cube = Cuboid::new(vec3([0.5; 3])).unwrap();
    let here = Pose3::identity();
    // A block of two floors: the wall between them at x = 0.
    let step = {
        let low = [
            [-3.0, -3.0, 0.0],
            [0.0, -3.0, 0.0],
            [0.0, 3.0, 0.0],
            [-3.0, 3.0, 0.0],
        ];
        let high = [
            [0.0, -3.0, 2.0],
            [3.0, -3.0, 2.0],
            [3.0, 3.0, 2.0],
            [0.0, 3.0, 2.0],
        ];
        let vertices: Vec<[f64; 3]> = low.into_iter().chain(high).collect();
        body(
            &vertices,
            &[
                [0, 1, 2],
                [0, 2, 3],
                [4, 5, 6],
                [4, 6, 7],
                [1, 4, 7],
                [1, 7, 2],
            ],
        )
    };
    let front = MeshManifoldOptions {
        sides: MeshSides::Front,
        ..predicted(1e-9)
    };
    for depth in [0.0, 0.01] {
        // In the corner of the lower floor and the wall.
        let found = asked(
            &step,
            &here,
            &cube,
            &turned([0.0; 3], [-0.5 + depth, 0.2, 0.5 - depth]),
            &front,
        );
        let mut normals: Vec<[i32; 3]> = found
            .patches
            .iter()
            .map(|p| [p.normal.x, p.normal.y, p.normal.z].map(|x| x.round() as i32))
            .collect();
        normals.sort_unstable();
        assert_eq!(normals, [[-1, 0, 0], [0, 0, 1]], "{depth} {found:#?}");
        assert!(
            found.patches.iter().all(|p| p.points.len() == 4),
            "{depth} {found:#?}"
        );
        // On the upper floor, over its edge by less than a half, by more than a half, and flush with the wall.
        for x in [0.3, -0.3, 0.5] {
            let found = asked(
                &step,
                &here,
                &cube,
                &turned([0.0; 3], [x, 0.2, 2.5 - depth]),
                &front,
            );
            assert_eq!(found.patches.len(), 1, "{depth} {x} {found:#?}");
            assert!(
                (found.patches[0].normal.z - 1.0).abs() < 1e-12,
                "{depth} {x}"
            );
            assert_eq!(found.patches[0].points.len(), 4, "{depth} {x} {found:#?}");
        }
    }
    // Tilted into the corner, with its lowest corner below the floor and behind the wall.
    let deep = turned([0.0, 0.4, 0.0], [-0.62, 0.2, 0.62]);
    let found = asked(&step, &here, &cube, &deep, &predicted(0.0));
    assert!(
        found
            .patches
            .iter()
            .all(|p| p.normal.x < 1e-9 && p.normal.z > -1e-9),
        "{found:#?}"
    );
    assert!(!found.patches.is_empty());
}

/// A body apart from any surface: the nearest of all triangles has a normal that the surface has, so it is among the patches.
#[test]
fn the_nearest_contact_is_there() {
    let mut random = fastrand::Rng::with_seed(7);
    let terrain = grid(8, |x, y| 0.5 * (1.3 * x).sin() * (0.9 * y).cos());
    let wheel = Cylinder::new(0.2, 0.6, Axis::X).unwrap();
    let cube = Cuboid::new(vec3([0.5, 0.3, 0.4])).unwrap();
    let mut apart = 0;
    for case in 0..100 {
        let at = [0, 1].map(|_| 4.0 * random.f64() - 2.0);
        let tilt = [(); 3].map(|()| random.f64() - 0.5);
        let pose = turned(tilt, [at[0], at[1], 0.6 + 0.6 * random.f64()]);
        let shape: &dyn gjk::Support<gjk::Vec3<f64>> = if case % 2 == 0 { &wheel } else { &cube };
        let found = asked(&terrain, &Pose3::identity(), shape, &pose, &predicted(0.5));
        let mesh = terrain.mesh();
        let corner = |v: u32| vec3(mesh.vertices()[v as usize]);
        let all = mesh.triangles().iter().map(|&[a, b, c]| {
            let triangle = Triangle::new(corner(a), corner(b), corner(c)).unwrap();
            query::contact(
                &triangle,
                &Pose3::identity(),
                shape,
                &pose,
                &Options::tight(),
            )
        });
        let nearest = all
            .min_by(|x, y| x.signed_distance.upper.total_cmp(&y.signed_distance.upper))
            .unwrap();
        let is_near = nearest.signed_distance.upper < 0.5;
        if nearest.verdict != Verdict::Separated || !is_near {
            continue;
        }
        apart += 1;
        let has = found.patches.iter().any(|patch| {
            let depths = patch.points.iter().map(|p| p.point.separation);
            let same = depths
                .into_iter()
                .any(|s| (s.middle() - nearest.signed_distance.middle()).abs() < 1e-6);
            (patch.normal - nearest.normal).norm() < 1e-5 && same
        });
        assert!(has, "{case} {nearest:?} {found:#?}");
    }
    assert!(apart > 50, "{apart}");
}

/// A wheel that rolls over a terrain, in a little: moved along the deepest normal by the depth it is out of the face of it, and normals have no jump but where faces do.
#[test]
fn a_wheel_on_a_terrain_is_pushed_up() {
    let terrain = grid(16, |x, y| 0.2 * (1.3 * x).sin() * (0.9 * y).cos());
    let wheel = Cylinder::new(0.2, 0.6, Axis::X).unwrap();
    for step in 0..150 {
        let (x, y) = (0.2, 0.013 * f64::from(step) - 2.0);
        let high = turned([0.0; 3], [x, y, 4.0]);
        let down = vec3([0.0, 0.0, -1.0]);
        let posed = terrain.at(&Pose3::identity());
        let drop = posed
            .cast(vec3([0.0; 3]), &wheel, &high, down, &Default::default())
            .unwrap();
        assert_eq!(drop.answer.verdict, Meeting::Hits);
        let height = 4.0 - drop.answer.time.unwrap().upper;
        for depth in [-1e-6, 1e-3, 0.02] {
            let pose = turned([0.0; 3], [x, y, height - depth]);
            let found = asked(
                &terrain,
                &Pose3::identity(),
                &wheel,
                &pose,
                &predicted(1e-4),
            );
            assert!(!found.patches.is_empty(), "{step} {depth}");
            for patch in &found.patches {
                assert!(patch.normal.z > 0.7, "{step} {depth} {patch:#?}");
                let deepest = patch
                    .points
                    .iter()
                    .map(|p| p.point.separation.upper)
                    .fold(f64::INFINITY, f64::min);
                assert!(
                    deepest > -depth.max(0.0) - 1e-6,
                    "{step} {depth} {patch:#?}"
                );
            }
        }
    }
}

/// The corners and edges of a solid box bear as such, and a body inside of it is told.
#[test]
fn corners_of_a_solid_bear() {
    let solid = MeshBody::new(cut_box([-1.0; 3], [1.0; 3], 3));
    let ball = Ball::new(0.5).unwrap();
    let here = Pose3::identity();
    let corner = asked(
        &solid,
        &here,
        &ball,
        &turned([0.0; 3], [1.25, 1.25, 1.25]),
        &predicted(0.0),
    );
    assert_eq!(corner.patches.len(), 1, "{corner:#?}");
    let third = 1.0 / 3.0_f64.sqrt();
    assert!((corner.patches[0].normal - vec3([third; 3])).norm() < 1e-9);
    assert!(matches!(
        corner.patches[0].points[0].point.feature_a,
        ContactFeature::Vertex(_)
    ));
    let edge = asked(
        &solid,
        &here,
        &ball,
        &turned([0.0; 3], [1.25, 1.25, 0.1]),
        &predicted(0.0),
    );
    assert_eq!(edge.patches.len(), 1, "{edge:#?}");
    assert!((edge.patches[0].normal - vec3([0.5_f64.sqrt(), 0.5_f64.sqrt(), 0.0])).norm() < 1e-9);
    let inside = asked(
        &solid,
        &here,
        &ball,
        &turned([0.0; 3], [0.1, 0.0, 0.0]),
        &predicted(0.0),
    );
    assert!(inside.contact.inside && inside.patches.is_empty());
    let far = asked(
        &solid,
        &here,
        &ball,
        &turned([0.0; 3], [5.0, 0.0, 0.0]),
        &predicted(0.1),
    );
    assert!(far.patches.is_empty() && far.contact.verdict == Verdict::Separated);
}
