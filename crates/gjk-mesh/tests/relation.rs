//! Relations of solids of several pieces, by cases whose answer is seen.

mod boxes;

use boxes::cut_box;
use gjk::{Pose3, Vec3};
use gjk_mesh::{MeshBody, Relation, Side, TriMesh};

/// The body of several meshes before an eighth of a turn about z that also makes it smaller by √2, and that pose: all numbers are whole.
fn before_a_turn(meshes: &[TriMesh]) -> (MeshBody, Pose3<f64>) {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for mesh in meshes {
        let first = vertices.len() as u32;
        let moved = mesh.vertices().iter();
        vertices.extend(moved.map(|&[x, y, z]| [x - y, x + y, z]));
        let own = mesh.triangles().iter();
        triangles.extend(own.map(|corners| corners.map(|corner| first + corner)));
    }
    let mesh = TriMesh::new(&vertices, &triangles).expect("meshes");
    let columns = [
        Vec3::new(0.5, -0.5, 0.0),
        Vec3::new(0.5, 0.5, 0.0),
        Vec3::new(0.0, 0.0, 1.0),
    ];
    let pose = Pose3::from_columns(columns, Vec3::new(0.0, 0.0, 0.0));
    (MeshBody::new(mesh), pose)
}

/// One piece is within a box and one is beside it. No corner of the second is among the outermost ones before the pose, and its box is
/// beside the other's: the body leaves the box all the same. `gjk fuzz --family tetrahedra --seed 23`, case 374181.
#[test]
fn a_piece_beside_a_box_leaves_it() {
    let outer = cut_box([-8.0, -8.0, -2.0], [8.0, 8.0, 2.0], 1);
    let within = cut_box([-7.0, -7.0, -1.0], [7.0, 7.0, 1.0], 1);
    let beside = cut_box([-1.0, 10.0, 0.0], [1.0, 11.0, 1.0], 1);
    let (body, pose) = before_a_turn(&[within, beside]);
    let outer = MeshBody::new(outer);
    let (body, outer) = (body.at(&pose), outer.at(&Pose3::identity()));
    assert_eq!(body.relation(&outer).relation, Relation::Overlapping);
    assert_eq!(outer.relation(&body).relation, Relation::Overlapping);
}

/// The extent of the box is beyond the largest float, and a corner of the cube lies so that lines along the axes go through edges: other lines tell that it
/// is inside. `fuzz_calls.py --seed 37 --only 18737`: it was told to be apart.
#[test]
fn a_cube_in_a_box_of_the_largest_numbers_is_inside() {
    let cube = MeshBody::new(cut_box([0.0; 3], [1.0; 3], 1));
    for size in [1e300, 8e307, 1e308, f64::MAX] {
        let outer = MeshBody::new(cut_box([-2.0, -2.0, -size], [2.0, 2.0, size], 1));
        assert_eq!(outer.side_of([0.0; 3]), Some(Side::Inside), "{size}");
        let here = Pose3::identity();
        let found = outer.at(&here).relation(&cube.at(&here));
        assert_eq!(
            (found.relation, found.exact),
            (Relation::Contains, true),
            "{size}"
        );
    }
}

/// A tetrahedron in a box, with four triangles without an area at one of its edges, whose corners are outside of the box. They bound
/// nothing: that corners are outside does not say that the tetrahedron is.
#[test]
fn a_corner_outside_does_not_take_a_solid_out_of_a_box() {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [10.0, 0.0, 0.0],
        [12.0, 0.0, 0.0],
    ];
    let faces = [
        [0, 2, 1],
        [0, 1, 3],
        [0, 3, 2],
        [1, 2, 3],
        [0, 1, 4],
        [1, 0, 5],
        [4, 1, 5],
        [0, 4, 5],
    ];
    let spiked = MeshBody::new(TriMesh::new(&corners, &faces).expect("a mesh"));
    assert!(spiked.kind().is_solid(), "{:?}", spiked.kind());
    let outer = MeshBody::new(cut_box([-2.0; 3], [2.0; 3], 1));
    let here = Pose3::identity();
    let (a, b) = (spiked.at(&here), outer.at(&here));
    for found in [a.relation(&b), b.relation(&a)] {
        let meets = ![Relation::Separated, Relation::Touching].contains(&found.relation);
        assert!(meets, "{found:?}");
    }
}
