//! Triangles without an area: segments of surfaces, and what of a solid bounds nothing. Relations by hand, their proofs, meets and distances.

use gjk::{Pose3, Vec3};
use gjk_mesh::verify::verify_relation;
use gjk_mesh::{MeshBody, Relation, TriMesh};

/// Corners and faces of a tetrahedron at the origin.
fn tetrahedron() -> MeshBody {
    let corners = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    MeshBody::new(TriMesh::new(&corners, &faces).expect("a tetrahedron"))
}

/// A triangle without an area is the segment that it covers, whichever corner comes first, in one triangle or two.
#[test]
fn a_triangle_without_an_area_is_a_segment() {
    let solid = tetrahedron();
    let sheet = MeshBody::new(
        TriMesh::new(&[[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0]], &[[0, 1, 2]]).expect("a sheet"),
    );
    let stick = [[0.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 1.0, 3.0]];
    let stick = MeshBody::new(TriMesh::new(&stick, &[[0, 1, 2]]).expect("a bent sheet"));
    // Of the tetrahedron, the triangle z = 0, and one in the plane x = 0.
    let cases = [
        // In a corner, along the face x = 0, on an edge, in the face.
        (
            [[1.0; 3], [-1.0; 3], [-3.0; 3]],
            [Crossing, Touching, Touching],
        ),
        (
            [[1.0; 3], [0.0; 3], [-3.0; 3]],
            [Crossing, Touching, Touching],
        ),
        ([[0.0; 3], [-1.0; 3], [-3.0; 3]], [Touching; 3]),
        ([[-1.0; 3], [-2.0; 3], [-3.0; 3]], [Separated; 3]),
        (
            [[1.0; 3], [1.5; 3], [2.0; 3]],
            [Contains, Separated, Separated],
        ),
        // It passes through the face z = 0 inside of it, by its middle corner or not.
        (
            [[1.0, 2.0, -1.0], [1.0, 2.0, 0.0], [1.0, 2.0, 2.0]],
            [Crossing, Touching, Separated],
        ),
        (
            [[1.0, 2.0, -1.0], [1.0, 2.0, 0.5], [1.0, 2.0, 2.0]],
            [Crossing, Touching, Separated],
        ),
        // From a face into the solid, and away from it.
        (
            [[1.0, 2.0, 0.0], [1.0, 2.0, 1.0], [1.0, 2.0, 2.0]],
            [Contains, Touching, Separated],
        ),
        (
            [[1.0, 2.0, 0.0], [1.0, 2.0, -1.0], [1.0, 2.0, -2.0]],
            [Touching, Touching, Separated],
        ),
        // Along an edge, in a face and out of it over an edge.
        (
            [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [9.0, 0.0, 0.0]],
            [Touching, Touching, Separated],
        ),
        (
            [[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [9.0, 1.0, 0.0]],
            [Touching, Touching, Separated],
        ),
        // Through two edges and the inside between them; beside an edge by a bit.
        (
            [[-1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [9.0, 1.0, 1.0]],
            [Crossing, Separated, Touching],
        ),
        (
            [[3.0, -3.0, 0.0], [0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]],
            [Touching, Touching, Touching],
        ),
        (
            [
                [3.0, -3.0 - 1e-15, 0.0],
                [0.0, -1e-15, 0.0],
                [-3.0, 3.0 - 1e-15, 0.0],
            ],
            [Separated; 3],
        ),
    ];
    use Relation::{Contains, Crossing, Inside, Separated, Touching};
    let here = Pose3::identity();
    for (line, expected) in cases {
        for first in 0..3 {
            let [a, b, c] = [0, 1, 2].map(|k: u32| (first + k) % 3);
            for faces in [vec![[a, b, c]], vec![[c, b, a]]] {
                let flat = MeshBody::new(TriMesh::new(&line, &faces).expect("a line"));
                for (other, expected) in [&solid, &sheet, &stick].into_iter().zip(expected) {
                    let is_solid = other.kind().is_solid();
                    let (other, flat) = (other.at(&here), flat.at(&here));
                    let told = format!("{line:?} {expected:?}");
                    let (found, certificate) = other.relation_certified(&flat);
                    assert_eq!(found.relation, expected, "{told}");
                    assert!(found.exact, "{told}");
                    let plain = [&other.plain(&flat), &flat.plain(&other)];
                    let proved = verify_relation(plain, expected, &certificate);
                    assert!(proved.is_ok(), "{told} {proved:?}");
                    let of_two_surfaces = !is_solid && expected == Touching;
                    assert_eq!(proved, Ok(!of_two_surfaces), "{told}");
                    let swapped = flat.relation(&other).relation;
                    assert_eq!(
                        swapped,
                        if expected == Contains {
                            Inside
                        } else {
                            expected
                        }
                    );
                    let meets = other.meets(&flat).is_some();
                    assert_eq!(meets, found.contact.is_some(), "{told}");
                    let distance = other.distance(&flat, f64::INFINITY).expect("a distance");
                    assert_eq!(distance.upper == 0.0, meets, "{told}");
                }
            }
        }
    }
}

/// A segment that reaches out of a solid from a triangle within it. `gjk fuzz --family surfaces --seed 17`, case 363156.
#[test]
fn a_surface_reaches_as_far_as_its_segments() {
    let solid = tetrahedron();
    let within = [
        [1.0; 3],
        [2.0, 1.0, 1.0],
        [1.0, 2.0, 1.0],
        [-1.0; 3],
        [-3.0; 3],
    ];
    let flat_too = [[0, 1, 2], [0, 3, 4]];
    for (faces, expected) in [
        (&flat_too[..1], Relation::Contains),
        (&flat_too[..], Relation::Crossing),
    ] {
        let sheet = MeshBody::new(TriMesh::new(&within, faces).expect("a sheet"));
        let [solid, sheet] = [&solid, &sheet].map(|body| body.at(&Pose3::identity()));
        let (found, certificate) = solid.relation_certified(&sheet);
        assert_eq!(found.relation, expected, "{faces:?}");
        let plain = [&solid.plain(&sheet), &sheet.plain(&solid)];
        for claimed in [Relation::Contains, Relation::Crossing] {
            let proved = verify_relation(plain, claimed, &certificate);
            assert_eq!(proved == Ok(true), claimed == expected, "{proved:?}");
        }
    }
}

/// What of a solid has no area bounds nothing: where only that is met, the bodies touch. The first tetrahedron has a thorn of four triangles on a line.
#[test]
fn a_thorn_of_a_solid_is_touched() {
    let corners = [
        [0.0; 3],
        [8.0, 0.0, 0.0],
        [0.0, 8.0, 0.0],
        [0.0, 0.0, 8.0],
        [0.0, 0.0, -1.0],
        [0.0, 0.0, -2.0],
        [0.0, 0.0, -4.0],
    ];
    let faces = [
        [0, 2, 1],
        [0, 1, 3],
        [1, 2, 3],
        [2, 0, 3],
        [0, 4, 5],
        [0, 5, 6],
        [0, 6, 4],
        [4, 6, 5],
    ];
    let thorny = MeshBody::new(TriMesh::new(&corners, &faces).expect("a thorn"));
    assert!(thorny.kind().is_solid(), "{:?}", thorny.kind());
    let solid = tetrahedron();
    // Below: the thorn ends in it, at its top, before it.
    for (z, expected) in [
        (-11.0, Relation::Touching),
        (-12.0, Relation::Touching),
        (-13.0, Relation::Separated),
    ] {
        let here = Pose3::identity();
        let there = Pose3::from_translation(Vec3::new(0.0, 0.0, z));
        let (a, b) = (thorny.at(&here), solid.at(&there));
        let (found, certificate) = a.relation_certified(&b);
        assert_eq!(found.relation, expected, "{z}");
        let plain = [&a.plain(&b), &b.plain(&a)];
        assert_eq!(verify_relation(plain, expected, &certificate), Ok(true));
        let distance = a.distance(&b, f64::INFINITY).expect("a distance");
        assert_eq!(distance.upper == 0.0, expected == Relation::Touching);
    }
}

/// A triangle lies in a face of one piece and passes through another: it leaves the first. `gjk fuzz --family surfaces --seed 41`, case 245969.
#[test]
fn what_lies_in_a_face_of_a_piece_leaves_it() {
    let above = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    let across = [
        [1.0, 1.0, -4.0],
        [3.0, 1.0, -4.0],
        [1.0, 3.0, -4.0],
        [1.0, 1.0, 4.0],
    ];
    let corners = [above, across].concat();
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let both = [faces, faces.map(|face: [u32; 3]| face.map(|k| k + 4))].concat();
    let solid = MeshBody::new(TriMesh::new(&corners, &both).expect("two tetrahedra"));
    let in_face = [[0.5, 0.5, 0.0], [6.0, 1.0, 0.0], [1.0, 6.0, 0.0]];
    let sheet = MeshBody::new(TriMesh::new(&in_face, &[[0, 1, 2]]).expect("a triangle"));
    let here = Pose3::identity();
    let (solid, sheet) = (solid.at(&here), sheet.at(&here));
    let (found, certificate) = sheet.relation_certified(&solid);
    assert_eq!(found.relation, Relation::Crossing);
    let plain = [&sheet.plain(&solid), &solid.plain(&sheet)];
    assert_eq!(
        verify_relation(plain, Relation::Crossing, &certificate),
        Ok(true)
    );
}
