//! What solids of cells are by themselves: shells, cavities and insides; and a short run of the family.

use super::brute::{BodyKind, FaceSet, met};
use super::cells::{Cells, SIZE, Surface};
use super::{MESH_FAMILIES, RELATIONS};
use crate::Rng;
use gjk_mesh::{Contact, MeshKind, Side, TriMesh};

/// Where a point with halves for coordinates is: by the cells that it is in or between.
fn side(cells: &Cells, doubled: [i32; 3]) -> Side {
    let around = |x: i32| {
        if x % 2 == 0 {
            vec![x / 2 - 1, x / 2]
        } else {
            vec![x.div_euclid(2)]
        }
    };
    let mut filled = Vec::new();
    for x in around(doubled[0]) {
        for y in around(doubled[1]) {
            for z in around(doubled[2]) {
                filled.push(cells.is_filled([x, y, z]));
            }
        }
    }
    match (filled.contains(&true), filled.contains(&false)) {
        (true, false) => Side::Inside,
        (false, _) => Side::Outside,
        (true, true) => Side::Boundary,
    }
}

pub(super) fn halves(node: [i32; 3]) -> [f64; 3] {
    node.map(|x| 0.5 * f64::from(x))
}

pub(super) fn mesh((vertices, triangles): &Surface) -> TriMesh {
    TriMesh::new(vertices, triangles).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn solids_of_cells_are_solids_with_their_insides() {
    let mut random = Rng::of_case(17, "kinds", 3, 0);
    let (mut with_cavities, mut several) = (0, 0);
    for case in 0..120 {
        let cells = Cells::random(&mut random, SIZE);
        let mesh = mesh(&cells.surface(&mut random, halves));
        assert!(
            mesh.shells().iter().all(|shell| shell.is_closed()),
            "{case}"
        );
        mesh.self_contacts(|contact| panic!("{case}: {contact:?}"));
        let MeshKind::Solid {
            shells,
            cavities,
            shells_meet: false,
            inside_out: false,
        } = mesh.kind()
        else {
            panic!("{case}: {:?}", mesh.kind());
        };
        // Edges connect shells that faces of cells do not.
        assert!((1..=cells.flooded(true)).contains(&shells), "{case}");
        assert!(cavities < cells.flooded(false), "{case}");
        with_cavities += usize::from(cavities > 0);
        several += usize::from(shells > 1);
        for _ in 0..40 {
            let doubled = [0; 3].map(|_| random.int(-1, 2 * i64::from(SIZE) + 1) as i32);
            assert_eq!(
                mesh.side_of(halves(doubled)),
                Some(side(&cells, doubled)),
                "{case}: {doubled:?}"
            );
        }
    }
    assert!(
        with_cavities > 3 && several > 10,
        "{with_cavities} {several}"
    );
}

#[test]
fn a_solid_turned_inside_out_is_told_and_encloses_nothing() {
    let mut random = Rng::of_case(3, "kinds", 3, 0);
    let cube = Cells::new(2, |cell| cell == [0; 3]);
    let (vertices, mut triangles) = cube.surface(&mut random, halves);
    triangles.iter_mut().for_each(|corners| corners.swap(0, 1));
    let mesh = mesh(&(vertices, triangles));
    assert!(matches!(
        mesh.kind(),
        MeshKind::Solid {
            shells: 1,
            inside_out: true,
            ..
        }
    ));
    assert_eq!(mesh.side_of([0.5; 3]), Some(Side::Outside));
}

#[test]
fn the_inside_does_not_depend_on_how_faces_are_cut() {
    let mut random = Rng::of_case(8, "kinds", 3, 0);
    let cells = Cells::new(3, |cell| cell != [1; 3]);
    for _ in 0..8 {
        let mesh = mesh(&cells.surface(&mut random, halves));
        assert!(matches!(
            mesh.kind(),
            MeshKind::Solid {
                shells: 1,
                cavities: 1,
                ..
            }
        ));
        assert_eq!(mesh.side_of([1.5; 3]), Some(Side::Outside));
        assert_eq!(mesh.side_of([0.5, 1.5, 1.5]), Some(Side::Inside));
        assert_eq!(mesh.side_of([1.0, 1.5, 1.25]), Some(Side::Boundary));
    }
}

#[test]
fn solids_of_cells_are_related_as_their_sets() {
    let tally = MESH_FAMILIES[0].run(1, 0, 150, |_| {});
    assert_eq!(
        tally.wrong,
        0,
        "{:?}",
        tally.finds.first().map(|find| &find.message)
    );
    assert_eq!(tally.not_exact, 0);
    // Solids do not cross, which is the last one.
    for (relation, count) in RELATIONS[..6].iter().zip(tally.relations) {
        assert!(count > 1, "{relation:?}: {count}");
    }
}

#[test]
fn tetrahedra_are_related_as_whole_numbers_say() {
    let tally = MESH_FAMILIES[1].run(7, 0, 1500, |_| {});
    let messages: Vec<&String> = tally.finds.iter().map(|find| &find.message).collect();
    assert_eq!(tally.wrong, 0, "{messages:?}");
    // Every relation is met.
    assert!(
        tally.relations[..6].iter().all(|&count| count > 3),
        "{:?}",
        tally.relations
    );
}

#[test]
fn surfaces_and_nested_solids_are_as_whole_numbers_say() {
    for (family, cases) in [(2, 1500), (3, 150)] {
        let family = &MESH_FAMILIES[family];
        let tally = family.run(4, 0, cases, |_| {});
        let messages: Vec<&String> = tally.finds.iter().map(|find| &find.message).collect();
        assert_eq!(tally.wrong, 0, "{}: {messages:?}", family.name);
        assert!(tally.verified > 5, "{}", family.name);
        let known = tally.cases - tally.left_open;
        assert!(known * 10 > tally.cases * 8, "{}: {known}", family.name);
        let met = tally.relations.iter().filter(|&&count| count > 0).count();
        assert!(met > 5, "{}: {:?}", family.name, tally.relations);
    }
}

#[test]
fn rays_hit_what_whole_numbers_say() {
    let tally = MESH_FAMILIES[4].run(4, 0, 4000, |_| {});
    let messages: Vec<&String> = tally.finds.iter().map(|find| &find.message).collect();
    assert_eq!((tally.wrong, tally.not_exact), (0, 0), "{messages:?}");
    // Free, grazed, gone through, and from inside.
    let met = tally.relations.iter().filter(|&&count| count > 20).count();
    assert!(met >= 4, "{:?}", tally.relations);
}

#[test]
fn two_triangles_meet_as_they_are_seen_to() {
    let floor = [[0, 0, 0], [8, 0, 0], [0, 8, 0]];
    let contact = |b| met(&floor, &b).map(|met| (met.contact, met.passes));
    let through = [[2, 2, -1], [2, 2, 1], [3, 9, 1]];
    assert_eq!(contact(through), Some((Contact::Crossing, true)));
    let standing = [[2, 2, 0], [2, 2, 1], [3, 9, 1]];
    assert_eq!(contact(standing), Some((Contact::Touching, false)));
    let beside = [[8, 0, 0], [0, 8, 0], [8, 8, 0]];
    assert_eq!(contact(beside), Some((Contact::Touching, false)));
    let over = [[1, 1, 0], [9, 1, 0], [1, 9, 0]];
    assert_eq!(contact(over), Some((Contact::Coplanar, false)));
    // From edge to edge, through no edge's inside.
    let cutting = [[4, 0, -1], [4, 0, 1], [0, 4, 0]];
    assert_eq!(contact(cutting), Some((Contact::Touching, true)));
    assert_eq!(contact([[2, 2, 1], [3, 2, 1], [2, 3, 1]]), None);
}

#[test]
fn sets_of_triangles_are_solids_or_surfaces() {
    let corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(|f| f.map(|k: usize| corners[k]));
    let kind = |faces: &[_]| FaceSet::new(faces.to_vec()).kind(false);
    let solid = |shells, inside_out| BodyKind::Solid {
        shells,
        shells_meet: false,
        inside_out,
    };
    assert_eq!(kind(&faces), solid(1, false));
    assert_eq!(FaceSet::new(faces.to_vec()).kind(true), solid(1, true));
    assert_eq!(kind(&faces[1..]), BodyKind::OpenEdge);
    assert_eq!(FaceSet::new(faces[1..].to_vec()).open_edges(), 3);
    let mut doubled = faces.to_vec();
    doubled.extend(faces);
    assert_eq!(kind(&doubled), BodyKind::ManyAtAnEdge);
    let moved = faces.map(|f| f.map(|[x, y, z]| [x + 9, y, z]));
    assert_eq!(kind(&[faces, moved].concat()), solid(2, false));
    // A back takes its triangle out.
    let [a, b, c] = faces[0];
    let set = FaceSet::new(vec![faces[0], [b, a, c], faces[1]]);
    assert_eq!(set.kept, [2]);
    let mut random = Rng::of_case(1, "counts", 3, 0);
    let tetrahedron = FaceSet::new(faces.to_vec());
    assert_eq!(tetrahedron.winding(&mut random, [1; 3]), Some(1));
    assert_eq!(tetrahedron.winding(&mut random, [3; 3]), Some(0));
    assert_eq!(tetrahedron.winding(&mut random, [1, 1, 2]), None);
}

/// Of bodies of a few neighbouring floats more is true than the depth that is told: that is no fault of the checker.
#[test]
fn depths_of_bodies_of_neighbouring_floats_may_be_larger_by_a_rounding() {
    let mut tally = super::Tally::default();
    super::judge(47, 18_794, &mut tally);
    assert_eq!((tally.depths, tally.wrong), (1, 0), "{:?}", tally.finds);
}

/// A plane parts two bodies that touch where a cone cannot be told: both the plain query and the watched one are exact.
#[test]
fn what_a_plane_parts_is_exact_whoever_watches() {
    for number in [12_426, 32_568] {
        let mut tally = super::Tally::default();
        super::nested::judge(23, number, &mut tally);
        assert_eq!(tally.wrong, 0, "{:?}", tally.finds);
    }
}
