//! Surfaces with one side and with two, plates thinner than the depth, and bodies of which most is behind.

use super::boxes::cut_box;
use super::made::{asked, grid, predicted, turned, vec3};
use gjk::Pose3;
use gjk::query::Verdict;
use gjk::shape::{Ball, Cuboid};
use gjk_mesh::{MeshBody, MeshManifoldOptions, MeshSides};

#[test]
fn a_surface_bears_on_both_sides_or_on_its_front() {
    let floor = grid(8, |_, _| 0.0);
    let cube = Cuboid::new(vec3([0.5; 3])).unwrap();
    let front = MeshManifoldOptions {
        sides: MeshSides::Front,
        ..predicted(0.0)
    };
    for (height, side) in [(0.45, 1.0), (-0.45, -1.0)] {
        let pose = turned([0.0; 3], [0.2, 0.1, height]);
        let both = asked(&floor, &Pose3::identity(), &cube, &pose, &predicted(0.0));
        assert_eq!(both.patches.len(), 1);
        assert!((both.patches[0].normal.z - side).abs() < 1e-12);
        assert_eq!(both.patches[0].points.len(), 4);
        let one = asked(&floor, &Pose3::identity(), &cube, &pose, &front);
        assert_eq!(one.patches.len(), usize::from(side > 0.0), "{one:#?}");
        assert_eq!(one.contact.verdict, Verdict::Overlapping);
    }
}

/// A pose that mirrors has the front that the file has, and a solid that is inside out bears on its outside.
#[test]
fn mirrors_and_solids_inside_out() {
    let cube = Cuboid::new(vec3([0.5; 3])).unwrap();
    let floor = grid(4, |_, _| 0.0);
    let mirror = Pose3::from_columns(
        [
            vec3([1.0, 0.0, 0.0]),
            vec3([0.0, 1.0, 0.0]),
            vec3([0.0, 0.0, -1.0]),
        ],
        vec3([0.0; 3]),
    );
    let front = MeshManifoldOptions {
        sides: MeshSides::Front,
        ..predicted(0.0)
    };
    let below = turned([0.0; 3], [0.2, 0.1, -0.45]);
    let found = asked(&floor, &mirror, &cube, &below, &front);
    assert_eq!(found.patches.len(), 1);
    assert!((found.patches[0].normal.z + 1.0).abs() < 1e-12);
    let plain = cut_box([-2.0; 3], [2.0; 3], 2);
    let turned_faces: Vec<[u32; 3]> = plain
        .triangles()
        .iter()
        .map(|&[a, b, c]| [a, c, b])
        .collect();
    let inside_out =
        MeshBody::new(gjk_mesh::TriMesh::new(plain.vertices(), &turned_faces).unwrap());
    for solid in [&MeshBody::new(plain), &inside_out] {
        assert!(solid.kind().is_solid());
        let found = asked(
            solid,
            &Pose3::identity(),
            &cube,
            &turned([0.0; 3], [0.3, 0.1, 2.45]),
            &predicted(0.0),
        );
        assert_eq!(found.patches.len(), 1, "{found:#?}");
        assert!((found.patches[0].normal.z - 1.0).abs() < 1e-12);
        // At the edge of the solid, a ridge from outside.
        let ball = Ball::new(0.5).unwrap();
        let found = asked(
            solid,
            &Pose3::identity(),
            &ball,
            &turned([0.0; 3], [2.25, 2.25, 0.1]),
            &predicted(0.0),
        );
        assert_eq!(found.patches.len(), 1, "{found:#?}");
        assert!((found.patches[0].normal.x - 0.5_f64.sqrt()).abs() < 1e-9);
    }
}

/// A box that goes through a plate is pushed out on the side of its centre; one of which most is in a solid is pushed out where it is least deep.
#[test]
fn deep_bodies_are_pushed_out() {
    let plate = MeshBody::new(cut_box([-4.0, -4.0, -0.05], [4.0, 4.0, 0.0], 5));
    let cube = Cuboid::new(vec3([0.5; 3])).unwrap();
    for step in 0..40 {
        let pose = turned(
            [0.0, 0.0, 0.1],
            [0.1 * f64::from(step) - 2.0, 0.33, 0.5 - 0.1],
        );
        let found = asked(&plate, &Pose3::identity(), &cube, &pose, &predicted(0.0));
        assert_eq!(found.patches.len(), 1, "{step} {found:#?}");
        assert!((found.patches[0].normal.z - 1.0).abs() < 1e-9, "{step}");
        assert_eq!(found.patches[0].points.len(), 4);
    }
    let block = MeshBody::new(cut_box([-4.0, -4.0, -4.0], [4.0, 4.0, 0.0], 3));
    for depth in [0.6, 0.8, 0.99] {
        let pose = turned([0.0, 0.0, 0.1], [0.1, 0.33, 0.5 - depth]);
        let found = asked(&block, &Pose3::identity(), &cube, &pose, &predicted(0.0));
        assert_eq!(found.patches.len(), 1, "{depth} {found:#?}");
        assert!(
            (found.patches[0].normal.z - 1.0).abs() < 1e-9,
            "{depth} {found:#?}"
        );
        assert!(
            found.patches[0]
                .points
                .iter()
                .any(|p| (p.point.separation.middle() + depth).abs() < 1e-9)
        );
    }
}
