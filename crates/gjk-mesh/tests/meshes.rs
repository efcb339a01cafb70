//! Meshes of which the answer is known by looking: cases that users of such tools report, and what is odd in files.

use gjk_mesh::{
    Contact, LeftOut, MeshBody, MeshError, MeshKind, Side, SurfaceReason, TriMesh, triangulated,
};
use std::ops::ControlFlow;

/// The corners of a box from `low` to `high`; bit k of a number is axis k.
fn corners(low: [f64; 3], high: [f64; 3]) -> Vec<[f64; 3]> {
    (0..8)
        .map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 1 { high[k] } else { low[k] }))
        .collect()
}

/// The faces of a box, facing outward.
const BOX: [[u32; 3]; 12] = [
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
];

/// Boxes as one mesh; those of negative facing are inside out.
fn boxes(list: &[([f64; 3], [f64; 3], bool)]) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for &(low, high, outward) in list {
        let base = vertices.len() as u32;
        vertices.extend(corners(low, high));
        triangles.extend(BOX.map(|[a, b, c]| {
            let [b, c] = if outward { [b, c] } else { [c, b] };
            [a, b, c].map(|k| base + k)
        }));
    }
    TriMesh::new(&vertices, &triangles).expect("boxes")
}

fn contacts(mesh: &TriMesh) -> Vec<(Contact, bool)> {
    let mut found = Vec::new();
    mesh.self_contacts(|contact| {
        found.push((contact.contact, contact.same_shell));
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    found
}

#[test]
fn the_middle_of_a_box_is_inside() {
    let mesh = boxes(&[([-1.0; 3], [1.0; 3], true)]);
    assert_eq!(mesh.side_of([0.0; 3]), Some(Side::Inside));
    assert_eq!(mesh.side_of([1.0, 0.5, 0.25]), Some(Side::Boundary));
    assert_eq!(
        mesh.side_of([1.0f64.next_up(), 0.5, 0.25]),
        Some(Side::Outside)
    );
    assert_eq!(
        mesh.side_of([1.0f64.next_down(), 0.5, 0.25]),
        Some(Side::Inside)
    );
    assert_eq!(mesh.side_of([f64::NAN, 0.0, 0.0]), None);
}

#[test]
fn a_body_that_is_inside_out_has_its_middle_inside_and_a_surface_has_no_inside() {
    let turned = MeshBody::new(boxes(&[([-1.0; 3], [1.0; 3], false)]));
    assert_eq!(turned.side_of([0.0; 3]), Some(Side::Inside));
    assert_eq!(turned.side_of([2.0, 0.0, 0.0]), Some(Side::Outside));
    let open = TriMesh::new(&corners([-1.0; 3], [1.0; 3]), &BOX[1..]).expect("an open box");
    assert_eq!(MeshBody::new(open).side_of([0.0; 3]), None);
}

#[test]
fn a_grid_of_coplanar_neighbours_does_not_meet_itself() {
    let size = 12;
    let vertices: Vec<[f64; 3]> = (0..size * size)
        .map(|k| [0.1 * f64::from(k % size), 0.1 * f64::from(k / size), 0.3])
        .collect();
    let mut triangles = Vec::new();
    for y in 0..(size - 1) as u32 {
        for x in 0..(size - 1) as u32 {
            let [a, b, c, d] =
                [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[i, j]| x + i + size as u32 * (y + j));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let mesh = TriMesh::new(&vertices, &triangles).expect("a grid");
    assert_eq!(contacts(&mesh), []);
    assert!(matches!(
        mesh.kind(),
        MeshKind::Surface(SurfaceReason::OpenEdge(_))
    ));
}

#[test]
fn a_soup_of_triangles_that_share_no_vertices_is_welded() {
    let cube = corners([0.0; 3], [0.1; 3]);
    let vertices: Vec<[f64; 3]> = BOX.iter().flatten().map(|&k| cube[k as usize]).collect();
    let triangles: Vec<[u32; 3]> = (0..12).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let mesh = TriMesh::new(&vertices, &triangles).expect("a soup");
    assert_eq!((mesh.vertices().len(), mesh.shells().len()), (8, 1));
    assert!(mesh.kind().is_solid());
}

#[test]
fn two_triangles_back_to_back_are_no_solid() {
    let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = TriMesh::new(&vertices, &[[0, 1, 2], [2, 1, 0]]).expect("two triangles");
    let left_out = LeftOut {
        cancelled: 2,
        ..LeftOut::default()
    };
    assert_eq!((mesh.left_out(), mesh.triangles().len()), (left_out, 0));
    assert_eq!(mesh.kind(), MeshKind::Surface(SurfaceReason::NoVolume));
    assert_eq!(mesh.side_of([0.2, 0.2, 0.0]), Some(Side::Outside));
}

#[test]
fn a_wall_between_two_rooms_cancels() {
    let mesh = boxes(&[
        ([0.0; 3], [1.0; 3], true),
        ([1.0, 0.0, 0.0], [2.0, 1.0, 1.0], true),
    ]);
    assert_eq!(
        mesh.left_out(),
        LeftOut {
            cancelled: 4,
            ..LeftOut::default()
        }
    );
    assert!(mesh.kind().is_solid(), "{:?}", mesh.kind());
    assert_eq!(mesh.side_of([0.5; 3]), Some(Side::Inside));
    assert_eq!(mesh.side_of([1.5, 0.5, 0.5]), Some(Side::Inside));
}

#[test]
fn copies_of_a_shell_are_one_shell() {
    let mesh = boxes(&[([0.0; 3], [1.0; 3], true), ([0.0; 3], [1.0; 3], true)]);
    assert_eq!((mesh.left_out(), mesh.copies()), (LeftOut::default(), 12));
    assert_eq!(contacts(&mesh), []);
    assert!(matches!(mesh.kind(), MeshKind::Solid { shells: 1, .. }));
    assert_eq!(mesh.side_of([0.5; 3]), Some(Side::Inside));
}

#[test]
fn a_cavity_is_one_only_within_a_shell() {
    let within = boxes(&[([0.0; 3], [3.0; 3], true), ([1.0; 3], [2.0; 3], false)]);
    assert!(matches!(
        within.kind(),
        MeshKind::Solid {
            shells: 1,
            cavities: 1,
            ..
        }
    ));
    assert_eq!(within.side_of([1.5; 3]), Some(Side::Outside));
    let beside = boxes(&[([0.0; 3], [3.0; 3], true), ([4.0; 3], [5.0; 3], false)]);
    assert_eq!(
        beside.kind(),
        MeshKind::Surface(SurfaceReason::InsideOut(1))
    );
    let nested = boxes(&[([0.0; 3], [3.0; 3], true), ([1.0; 3], [2.0; 3], true)]);
    assert!(matches!(
        nested.kind(),
        MeshKind::Solid {
            shells: 2,
            cavities: 0,
            shells_meet: false,
            ..
        }
    ));
}

#[test]
fn shells_may_cross_one_another_but_a_shell_not_itself() {
    let crossing = boxes(&[
        ([0.0; 3], [2.0; 3], true),
        ([1.0, 0.5, 0.5], [3.0, 1.5, 1.5], true),
    ]);
    assert!(contacts(&crossing).contains(&(Contact::Crossing, false)));
    assert!(matches!(
        crossing.kind(),
        MeshKind::Solid {
            shells: 2,
            shells_meet: true,
            ..
        }
    ));
    // A strip that passes through itself: its ends are joined to one shell by a corner's triangles.
    let vertices = [
        [0.0, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [0.0, 4.0, 0.0],
        [4.0, 4.0, 1.0],
        [1.0, 1.0, -1.0],
        [1.5, 1.0, 1.0],
    ];
    let mesh =
        TriMesh::new(&vertices, &[[0, 1, 2], [2, 1, 3], [3, 1, 4], [3, 4, 5]]).expect("a strip");
    assert_eq!(mesh.shells().len(), 1);
    assert!(contacts(&mesh).contains(&(Contact::Crossing, true)));
}

#[test]
fn a_neighbour_folded_back_shares_an_area() {
    let vertices = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [1.0, 2.0, 0.0],
        [1.0, 1.0, 0.0],
        [1.0, -1.0, 0.0],
    ];
    let folded = TriMesh::new(&vertices, &[[0, 1, 2], [1, 0, 3]]).expect("a fold");
    assert_eq!(contacts(&folded), [(Contact::Coplanar, true)]);
    let spread = TriMesh::new(&vertices, &[[0, 1, 2], [1, 0, 4]]).expect("a quad");
    assert_eq!(contacts(&spread), []);
}

#[test]
fn triangles_of_one_corner_may_meet_elsewhere() {
    let apex = [0.0, 0.0, 0.0];
    let meets = |other: [[f64; 3]; 2]| {
        let vertices = [apex, [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], other[0], other[1]];
        let mesh = TriMesh::new(&vertices, &[[0, 1, 2], [0, 3, 4]]).expect("two triangles");
        contacts(&mesh).first().map(|x| x.0)
    };
    assert_eq!(
        meets([[1.0, 1.0, 1.0], [1.0, 1.0, -1.0]]),
        Some(Contact::Crossing)
    );
    assert_eq!(
        meets([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]),
        Some(Contact::Touching)
    );
    assert_eq!(
        meets([[3.0, 3.0, 1.0], [3.0, 3.0, -1.0]]),
        Some(Contact::Crossing)
    );
    assert_eq!(meets([[-1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]]), None);
    assert_eq!(meets([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]), None);
    assert_eq!(
        meets([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0]]),
        Some(Contact::Coplanar)
    );
    assert_eq!(
        meets([[5.0, 0.0, 0.0], [0.0, -1.0, 0.0]]),
        Some(Contact::Touching)
    );
}

#[test]
fn a_vertex_on_a_neighbours_edge_leaves_the_mesh_open() {
    let vertices = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, 2.0, 0.0],
        [1.0, 1.0, 0.0],
        [2.0, 2.0, 0.0],
    ];
    let mesh = TriMesh::new(&vertices, &[[0, 1, 2], [1, 4, 3], [3, 4, 2]]).expect("a T");
    assert_eq!(mesh.shells().len(), 2);
    assert!(matches!(
        mesh.kind(),
        MeshKind::Surface(SurfaceReason::OpenEdge(_))
    ));
    assert!(
        contacts(&mesh)
            .iter()
            .all(|x| *x == (Contact::Touching, false))
    );
}

#[test]
fn the_nearest_vertices_at_open_edges_are_those_of_a_gap() {
    let mut soup: Vec<[f64; 3]> = corners([0.0; 3], [1.0; 3]);
    // One triangle has its own copy of a corner, off by a bit.
    soup.push([1.0f64.next_up(), 1.0, 1.0]);
    let mut triangles = BOX;
    triangles[11] = [1, 8, 5];
    let mesh = TriMesh::new(&soup, &triangles).expect("a box with a gap");
    let near = mesh.nearest_open_vertices().expect("two vertices");
    let names = near.vertices.map(|k| mesh.vertex_source(k));
    assert_eq!((names, near.distance), ([7, 8], f64::EPSILON));
    assert_eq!(
        boxes(&[([0.0; 3], [1.0; 3], true)]).nearest_open_vertices(),
        None
    );
}

#[test]
fn faces_that_face_another_way_than_their_neighbours_are_turned() {
    let cube = corners([0.0; 3], [1.0; 3]);
    let mut triangles = BOX;
    triangles[0].swap(0, 1);
    let mesh = TriMesh::new(&cube, &triangles).expect("a box");
    assert!(mesh.kind().is_solid());
    assert_eq!(
        (mesh.shells()[0].turned, mesh.side_of([0.5; 3])),
        (1, Some(Side::Inside))
    );
    // Most faces face inward, and some do not.
    triangles
        .iter_mut()
        .skip(3)
        .for_each(|corners| corners.swap(0, 1));
    let mesh = TriMesh::new(&cube, &triangles).expect("a box");
    assert!(matches!(
        mesh.kind(),
        MeshKind::Solid {
            inside_out: false,
            ..
        }
    ));
    assert_eq!(
        (mesh.shells()[0].turned, mesh.side_of([0.5; 3])),
        (10, Some(Side::Inside))
    );
}

#[test]
fn of_an_open_shell_the_fewer_triangles_are_turned() {
    let vertices = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 2.0, 0.0],
    ];
    let mesh = TriMesh::new(&vertices, &[[0, 1, 2], [1, 2, 3], [2, 3, 4]]).expect("a strip");
    assert_eq!(mesh.shells()[0].turned, 1);
    assert_eq!(mesh.triangles(), [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
}

#[test]
fn boxes_that_share_an_edge_are_two_shells() {
    let mesh = boxes(&[
        ([0.0; 3], [1.0; 3], true),
        ([1.0, 1.0, 0.0], [2.0, 2.0, 1.0], true),
    ]);
    assert_eq!(
        (mesh.shells().len(), mesh.left_out()),
        (2, LeftOut::default())
    );
    assert!(matches!(
        mesh.kind(),
        MeshKind::Solid {
            shells: 2,
            shells_meet: false,
            ..
        }
    ));
}

#[test]
fn of_three_at_one_place_a_pair_cancels() {
    let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = TriMesh::new(&vertices, &[[0, 2, 1], [0, 1, 2], [1, 2, 0]]).expect("three");
    let left_out = LeftOut {
        cancelled: 2,
        ..LeftOut::default()
    };
    assert_eq!(
        (mesh.left_out(), mesh.copies(), mesh.triangles().len()),
        (left_out, 0, 1)
    );
    assert_eq!(mesh.source(0), 1);
    assert_eq!(
        mesh.nearest_open_vertices(),
        None,
        "all of them are neighbours"
    );
}

#[test]
fn the_two_zeros_are_one_place() {
    let vertices = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [-0.0, 0.0, -0.0],
        [0.0, -1.0, 0.0],
    ];
    let mesh = TriMesh::new(&vertices, &[[0, 1, 2], [3, 4, 1]]).expect("two triangles");
    assert_eq!((mesh.vertices().len(), mesh.shells().len()), (4, 1));
}

#[test]
fn a_fin_is_an_open_shell_of_its_own() {
    let mut vertices = corners([0.0; 3], [1.0; 3]);
    vertices.push([0.5, -1.0, -1.0]);
    // Three triangles at an edge of the box.
    let mut triangles = BOX.to_vec();
    triangles.push([0, 1, 8]);
    let mesh = TriMesh::new(&vertices, &triangles).expect("a box with a fin");
    let closed: Vec<bool> = mesh
        .shells()
        .iter()
        .map(gjk_mesh::Shell::is_closed)
        .collect();
    assert_eq!(
        (closed, mesh.shells()[1].open_edges),
        (vec![true, false], 3)
    );
    assert!(matches!(
        mesh.kind(),
        MeshKind::Surface(SurfaceReason::OpenEdge(_))
    ));
}

#[test]
fn contacts_of_a_soup_are_those_of_all_its_pairs() {
    let mut random = fastrand::Rng::with_seed(4);
    let vertices: Vec<[f64; 3]> = (0..180).map(|_| [(); 3].map(|()| random.f64())).collect();
    let triangles: Vec<[u32; 3]> = (0..60).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let mesh = TriMesh::new(&vertices, &triangles).expect("a soup");
    let corners = |k: usize| mesh.triangles()[k].map(|v| mesh.vertices()[v as usize]);
    let mut expected = Vec::new();
    for j in 0..60 {
        for i in 0..j {
            let found = gjk_mesh::triangles::contact(&corners(i), &corners(j));
            expected.extend(found.map(|contact| ([i as u32, j as u32], contact)));
        }
    }
    let mut found = Vec::new();
    mesh.self_contacts(|pair| {
        found.push((pair.triangles, pair.contact));
        ControlFlow::Continue(())
    });
    expected.sort_unstable();
    found.sort_unstable();
    assert!(
        found == expected && found.len() > 50,
        "{} {}",
        found.len(),
        expected.len()
    );
}

#[test]
fn a_moebius_strip_faces_no_way() {
    let vertices: Vec<[f64; 3]> = (0..10)
        .map(|k| {
            let (turn, side) = (f64::from(k / 2), f64::from(k % 2 * 2 - 1));
            let (sin, cos) = (turn * std::f64::consts::TAU / 5.0).sin_cos();
            let (s, c) = (turn * std::f64::consts::PI / 5.0).sin_cos();
            [(3.0 + side * c) * cos, (3.0 + side * c) * sin, side * s]
        })
        .collect();
    let mut triangles = Vec::new();
    for k in 0..5u32 {
        let [a, b] = [2 * k, 2 * k + 1];
        let [c, d] = if k == 4 { [1, 0] } else { [a + 2, b + 2] };
        triangles.extend([[a, c, b], [b, c, d]]);
    }
    let mesh = TriMesh::new(&vertices, &triangles).expect("a strip");
    let shell = &mesh.shells()[0];
    assert_eq!(
        (mesh.shells().len(), shell.turned, shell.open_edges),
        (1, 0, 10)
    );
    assert_eq!(contacts(&mesh), []);
}

#[test]
fn needles_and_plates_are_solids_at_any_scale() {
    for scale in [1e-150, 1e-9, 1.0, 1e9, 1e150] {
        let high = [1e-6 * scale, scale, 1e6 * scale];
        let mesh = boxes(&[([0.0; 3], high, true)]);
        assert!(mesh.kind().is_solid(), "{scale:e}");
        assert_eq!(
            mesh.side_of(high.map(|x| 0.25 * x)),
            Some(Side::Inside),
            "{scale:e}"
        );
        assert_eq!(
            mesh.side_of(high.map(|x| 1.25 * x)),
            Some(Side::Outside),
            "{scale:e}"
        );
    }
}

#[test]
fn bad_input_is_named() {
    let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, f64::NAN, 0.0]];
    assert_eq!(
        TriMesh::new(&vertices, &[]).map(|_| ()),
        Err(MeshError::Empty)
    );
    let index = TriMesh::new(&vertices, &[[0, 1, 3]]).expect_err("a bad index");
    assert_eq!(
        index.to_string(),
        "triangle 0 (counted from 0): index 3 names no vertex; there are 3"
    );
    let nan = TriMesh::new(&vertices, &[[0, 1, 2]]).expect_err("a NaN");
    assert_eq!(
        nan.to_string(),
        "vertex 2 (counted from 0): (0, NaN, 0) is not finite; repair the mesh"
    );
    let collapsed = TriMesh::new(&vertices, &[[0, 1, 0]]).expect("nothing");
    assert_eq!(collapsed.left_out().collapsed, 1);
    assert_eq!(collapsed.kind(), MeshKind::Surface(SurfaceReason::NoVolume));
}

#[test]
fn a_soup_and_a_long_strip_end() {
    // All boxes of the soup meet: the visitor ends it. All triangles of the fan share a corner.
    let mut random = fastrand::Rng::with_seed(1);
    let vertices: Vec<[f64; 3]> = (0..3_000).map(|_| [(); 3].map(|()| random.f64())).collect();
    let triangles: Vec<[u32; 3]> = (0..1_000).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let soup = TriMesh::new(&vertices, &triangles).expect("a soup");
    let mut found = 0;
    soup.self_contacts(|_| {
        found += 1;
        if found < 100 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    assert_eq!(found, 100);
    let flat: Vec<[f64; 3]> = (0..5_000)
        .map(|k| [f64::from(k / 2), f64::from(k % 2), 0.0])
        .collect();
    let strip: Vec<[u32; 3]> = (0..4_998)
        .map(|k| {
            if k % 2 == 0 {
                [k, k + 2, k + 1]
            } else {
                [k, k + 1, k + 2]
            }
        })
        .collect();
    assert_eq!(contacts(&TriMesh::new(&flat, &strip).expect("a strip")), []);
}

#[test]
fn polygons_become_fans() {
    let (triangles, face_of) = triangulated(&[vec![0, 1, 2, 3], vec![4, 5], vec![6, 7, 8]]);
    assert_eq!(triangles, [[0, 1, 2], [0, 2, 3], [6, 7, 8]]);
    assert_eq!(face_of, [0, 0, 2]);
}
