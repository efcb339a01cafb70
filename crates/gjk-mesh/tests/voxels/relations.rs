//! The relations of bodies, against sets of cells.

use crate::cells::{Cells, SIZE};
use gjk::{Pose3, Vec3};
use gjk_mesh::{MeshBody, Relation, TriMesh};

/// How two sets of cells are to each other, the second moved by whole cells.
fn relation(a: &Cells, b: &Cells, offset: [i32; 3]) -> Relation {
    let filled_a: Vec<[i32; 3]> = Cells::all().filter(|&cell| a.is_filled(cell)).collect();
    let moved = |[x, y, z]: [i32; 3]| [x + offset[0], y + offset[1], z + offset[2]];
    let filled_b: Vec<[i32; 3]> = Cells::all()
        .filter(|&cell| b.is_filled(cell))
        .map(moved)
        .collect();
    let overlap = filled_a.iter().any(|cell| filled_b.contains(cell));
    let a_within = filled_a.iter().all(|cell| filled_b.contains(cell));
    let b_within = filled_b.iter().all(|cell| filled_a.contains(cell));
    let near = |x: &[i32; 3], y: &[i32; 3]| (0..3).all(|k| (x[k] - y[k]).abs() <= 1);
    let touch = filled_a.iter().any(|x| filled_b.iter().any(|y| near(x, y)));
    match (overlap, a_within, b_within) {
        (true, true, true) => Relation::Equal,
        (true, true, false) => Relation::Inside,
        (true, false, true) => Relation::Contains,
        (true, false, false) => Relation::Overlapping,
        _ if touch => Relation::Touching,
        _ => Relation::Separated,
    }
}

/// The body of cells, sheared by whole numbers.
fn body(cells: &Cells, shear: &[i32; 3], random: &mut fastrand::Rng) -> Option<MeshBody> {
    let (vertices, triangles) = cells.surface(random);
    let sheared = |[x, y, z]: [f64; 3]| {
        let [p, q, r] = shear.map(f64::from);
        [x + p * y + q * z, y + r * z, z]
    };
    let vertices: Vec<[f64; 3]> = vertices.into_iter().map(sheared).collect();
    (!triangles.is_empty())
        .then(|| MeshBody::new(TriMesh::new(&vertices, &triangles).expect("a mesh")))
}

fn translation(shear: &[i32; 3], [x, y, z]: [i32; 3]) -> Pose3<f64> {
    let [p, q, r] = *shear;
    let moved = [x + p * y + q * z, y + r * z, z].map(f64::from);
    Pose3::from_translation(Vec3::new(moved[0], moved[1], moved[2]))
}

#[test]
fn solids_of_cells_are_related_as_their_sets() {
    let mut random = fastrand::Rng::with_seed(71);
    let mut counts = std::collections::HashMap::new();
    let cases = std::env::var("GJK_CASES").map_or(300, |n| n.parse().expect("a count"));
    for case in 0..cases {
        let a = Cells::random(&mut random);
        let b = match random.u32(..5) {
            0 => a.clone(),
            // A part of it.
            1 => Cells(a.0.iter().map(|&x| x && random.bool()).collect()),
            // More than it.
            3 => Cells(a.0.iter().map(|&x| x || random.bool()).collect()),
            // What it leaves.
            2 => Cells(a.0.iter().map(|&x| !x && random.bool()).collect()),
            _ => Cells::random(&mut random),
        };
        let shear = [(); 3].map(|()| random.i32(-2..=2));
        let offset = if random.bool() {
            [0; 3]
        } else {
            [(); 3].map(|()| random.i32(-SIZE..=SIZE))
        };
        let bodies = [&a, &b].map(|cells| body(cells, &shear, &mut random));
        let [Some(body_a), Some(body_b)] = &bodies else {
            continue;
        };
        let truth = relation(&a, &b, offset);
        let (at_a, at_b) = (
            body_a.at(&Pose3::identity()),
            body_b.at(&translation(&shear, offset)),
        );
        let found = at_a.relation(&at_b);
        let allowed = match truth {
            // Within two pieces together is not within one.
            Relation::Inside if b.flooded(true) > 1 => vec![truth, Relation::Overlapping],
            Relation::Contains if a.flooded(true) > 1 => vec![truth, Relation::Overlapping],
            Relation::Equal if a.flooded(true) > 1 => vec![truth, Relation::Overlapping],
            _ => vec![truth],
        };
        assert!(
            found.exact && allowed.contains(&found.relation),
            "case {case}: {found:?}, but {truth:?}\n{a:?}\n{b:?} {offset:?} {shear:?}"
        );
        let swapped = match found.relation {
            Relation::Inside => Relation::Contains,
            Relation::Contains => Relation::Inside,
            same => same,
        };
        let other_way = at_b.relation(&at_a);
        assert_eq!(
            (other_way.relation, other_way.exact),
            (swapped, true),
            "case {case}"
        );
        *counts.entry(truth).or_insert(0) += 1;
    }
    assert!(
        counts.len() == 6 && counts.values().all(|&n| n > 10),
        "{counts:?}"
    );
}
