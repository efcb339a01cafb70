//! Solids of unit cells, of which everything is known by looking at the cells: the oracle of closed meshes, shells and insides.

mod cells;
mod relations;

use cells::{Cells, SIZE};
use gjk_mesh::{MeshKind, Side, TriMesh};

#[test]
fn solids_of_cells_are_solids_with_their_insides() {
    let mut random = fastrand::Rng::with_seed(17);
    let (mut with_cavities, mut several) = (0, 0);
    for case in 0..120 {
        let cells = Cells::random(&mut random);
        let (vertices, triangles) = cells.surface(&mut random);
        if triangles.is_empty() {
            continue;
        }
        let mesh = TriMesh::new(&vertices, &triangles).expect("a mesh");
        assert!(
            mesh.shells().iter().all(|shell| shell.is_closed()),
            "case {case}"
        );
        mesh.self_contacts(|contact| panic!("case {case}: {contact:?}"));
        let MeshKind::Solid {
            shells,
            cavities,
            shells_meet: false,
            inside_out: false,
        } = mesh.kind()
        else {
            panic!("case {case}: {:?}", mesh.kind());
        };
        // Edges connect shells that faces of cells do not.
        assert!((1..=cells.flooded(true)).contains(&shells), "case {case}");
        assert!(cavities < cells.flooded(false), "case {case}");
        with_cavities += usize::from(cavities > 0);
        several += usize::from(shells > 1);
        for _ in 0..40 {
            let doubled = [(); 3].map(|()| random.i32(-1..=2 * SIZE + 1));
            let point = doubled.map(|x| 0.5 * f64::from(x));
            assert_eq!(
                mesh.side_of(point),
                Some(cells.side(doubled)),
                "case {case}: {point:?}"
            );
        }
    }
    assert!(
        with_cavities > 3 && several > 20,
        "{with_cavities} {several}"
    );
}

#[test]
fn a_solid_turned_inside_out_is_told_and_encloses_nothing() {
    let mut random = fastrand::Rng::with_seed(3);
    let cube = Cells((0..SIZE * SIZE * SIZE).map(|k| k == 0).collect());
    let (vertices, mut triangles) = cube.surface(&mut random);
    triangles.iter_mut().for_each(|corners| corners.swap(0, 1));
    let mesh = TriMesh::new(&vertices, &triangles).expect("a mesh");
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
    let mut random = fastrand::Rng::with_seed(8);
    let cells = Cells(
        Cells::all()
            .map(|[x, y, z]| [x, y, z] != [1, 1, 1])
            .collect(),
    );
    for _ in 0..8 {
        let (vertices, triangles) = cells.surface(&mut random);
        let mesh = TriMesh::new(&vertices, &triangles).expect("a mesh");
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
