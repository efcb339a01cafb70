//! Meshes: what is convex is proven so, and what is not is named.

use crate::oracle::{Grid, Random, brute_faces, cases, cross, dot, floats, minus, polyhedron};
use gjk::hull::{
    ConvexityError, SpatialHull, check_convex_mesh, convex_hull_3, mesh_stats, mesh_volume,
};
use std::time::Instant;

/// Every polygon as a fan of triangles.
fn fans(faces: &[Vec<u32>]) -> Vec<Vec<u32>> {
    faces
        .iter()
        .flat_map(|ring| {
            ring[1..]
                .windows(2)
                .map(|pair| vec![ring[0], pair[0], pair[1]])
        })
        .collect()
}

/// As STL files hold it: each triangle with its own three vertices.
fn soup(vertices: &[[f64; 3]], faces: &[Vec<u32>]) -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
    let corners: Vec<[f64; 3]> = faces
        .iter()
        .flatten()
        .map(|&i| vertices[i as usize])
        .collect();
    let rings = (0..corners.len() as u32 / 3)
        .map(|k| vec![3 * k, 3 * k + 1, 3 * k + 2])
        .collect();
    (corners, rings)
}

fn reversed(faces: &[Vec<u32>]) -> Vec<Vec<u32>> {
    faces
        .iter()
        .map(|ring| ring.iter().rev().copied().collect())
        .collect()
}

fn cube() -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
    let points: Vec<[f64; 3]> = (0..8)
        .map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from))
        .collect();
    let faces = polyhedron(&points).faces;
    (points, faces)
}

/// Times are printed, never asserted.
#[test]
fn own_hulls_are_proven_convex() {
    let mut random = Random(8);
    let turn = |k: usize, of: usize| (k as f64 * std::f64::consts::TAU / of as f64).sin_cos();
    let disc: Vec<[f64; 3]> = (0..5_000)
        .map(|k| turn(k, 5_000))
        .map(|(y, x)| [x, y, 0.0])
        .collect();
    let sets: Vec<Vec<[f64; 3]>> = vec![
        cube().0,
        (0..5_000).map(|_| random.sphere()).collect(),
        (0..5_000).map(|_| random.ball().map(|x| x + 1e6)).collect(),
        (0..3000)
            .map(|_| std::array::from_fn(|_| random.below(20) as f64))
            .collect(),
        disc.iter().copied().chain([[0.1, 0.2, 1.0]]).collect(),
        disc.iter()
            .copied()
            .chain([[0.1, 0.2, 1.0], [0.1, 0.2, -1.0]])
            .collect(),
        disc.iter()
            .copied()
            .chain(disc.iter().map(|&[x, y, _]| [x, y, 1.0]))
            .collect(),
        (0..200)
            .map(|_| std::array::from_fn(|k| random.unit() * [1e200, 1e-200, 1.0][k]))
            .collect(),
    ];
    for points in &sets {
        let mesh = polyhedron(points);
        let start = Instant::now();
        assert_eq!(check_convex_mesh(points, &mesh.faces), Ok(()));
        println!(
            "{} faces, {} corners: proven in {:.1?}",
            mesh.faces.len(),
            mesh.vertices.len(),
            start.elapsed()
        );
        assert_eq!(check_convex_mesh(points, &reversed(&mesh.faces)), Ok(()));
        let triangles = fans(&mesh.faces);
        assert_eq!(check_convex_mesh(points, &triangles), Ok(()));
        let (corners, rings) = soup(points, &triangles);
        assert_eq!(check_convex_mesh(&corners, &rings), Ok(()));
        let stats = mesh_stats(&corners, &rings);
        assert_eq!(stats.edges, rings.len() * 3 / 2);
        assert_eq!(
            (
                stats.open_edges,
                stats.nonmanifold_edges,
                stats.misoriented_edges,
                stats.degenerate_faces
            ),
            (0, 0, 0, 0)
        );
        assert_eq!(
            (stats.duplicate_vertices, stats.unused_vertices),
            (corners.len() - mesh.vertices.len(), 0)
        );
    }
}

#[test]
fn volume_is_signed_and_exact_on_a_far_cube() {
    let (points, faces) = cube();
    let far: Vec<[f64; 3]> = points.iter().map(|p| p.map(|x| x + 1e9)).collect();
    assert_eq!(mesh_volume(&far, &faces), 1.0);
    assert_eq!(mesh_volume(&far, &reversed(&faces)), -1.0);
    assert_eq!(mesh_volume(&[], &faces), 0.0);
}

#[test]
fn broken_topology_is_named() {
    let (points, faces) = cube();
    assert_eq!(check_convex_mesh(&points, &[]), Err(ConvexityError::Empty));
    assert_eq!(
        check_convex_mesh(&points, &faces[..5]),
        Err(ConvexityError::OpenEdge { a: 4, b: 5 })
    );
    let mut turned = faces.clone();
    turned[0].reverse();
    assert_eq!(
        check_convex_mesh(&points, &turned),
        Err(ConvexityError::InconsistentOrientation { a: 0, b: 1 })
    );
    let twice = [faces.clone(), faces.clone()].concat();
    assert_eq!(
        check_convex_mesh(&points, &twice),
        Err(ConvexityError::NonManifoldEdge {
            a: 0,
            b: 1,
            faces: 4
        })
    );
    assert_eq!(
        check_convex_mesh(&points[..7], &faces),
        Err(ConvexityError::IndexOutOfRange { face: 3, index: 7 })
    );
    let mut infinite = points.clone();
    infinite[2][1] = f64::INFINITY;
    assert_eq!(
        check_convex_mesh(&infinite, &faces),
        Err(ConvexityError::NotFinite { vertex: 2, axis: 1 })
    );
    assert_eq!(mesh_stats(&infinite, &faces).invalid_faces, 3);
    assert_eq!(mesh_stats(&points, &faces[..5]).open_edges, 4);
    assert_eq!(mesh_stats(&points, &turned).misoriented_edges, 4);
    assert_eq!(mesh_stats(&points, &twice).nonmanifold_edges, 12);
    assert_eq!(mesh_stats(&[], &[]), gjk::hull::MeshStats::default());
    let sheet = vec![vec![0, 1, 3, 2], vec![2, 3, 1, 0]];
    assert_eq!(
        check_convex_mesh(&points, &sheet),
        Err(ConvexityError::Flat)
    );
}

#[test]
fn broken_geometry_is_named_with_its_depth() {
    let (mut points, faces) = cube();
    points[7] = [1.0, 1.0, 1.25];
    assert!(
        matches!(check_convex_mesh(&points, &faces), Err(ConvexityError::NonPlanarFace { depth, .. }) if depth > 0.1)
    );
    let (mut points, mut faces) = cube();
    points.push([0.5, 0.5, 0.75]);
    let top = faces
        .iter()
        .position(|ring| ring.iter().all(|&i| i >= 4))
        .expect("a cube has a top");
    let ring = faces.remove(top);
    faces.extend((0..4).map(|k| vec![ring[k], ring[(k + 1) % 4], 8]));
    for faces in [faces.clone(), reversed(&faces)] {
        let Err(ConvexityError::ReflexEdge { a, b, depth }) = check_convex_mesh(&points, &faces)
        else {
            panic!("a dent is a valley")
        };
        assert!(a >= 4 && b == 8 && depth > 0.2, "{a} {b} {depth}");
    }
    points[8] = [0.5, 0.5, 1.0];
    assert_eq!(check_convex_mesh(&points, &faces), Ok(()));
    points[8] = [0.5, 0.5, 1.0_f64.next_down()];
    let dent = check_convex_mesh(&points, &faces);
    assert!(
        matches!(dent, Err(ConvexityError::ReflexEdge { depth, .. }) if depth > 0.0 && depth < 1e-15)
    );
    points[8] = [0.5, 0.5, 1.0_f64.next_up()];
    assert_eq!(check_convex_mesh(&points, &faces), Ok(()));
}

/// Locally convex at every edge, yet wound twice about the poles: only a global argument rejects it.
#[test]
fn star_bipyramid_is_not_convex() {
    let mut points: Vec<[f64; 3]> = (0..5)
        .map(|k| (f64::from(k) * std::f64::consts::TAU * 0.4).sin_cos())
        .map(|(y, x)| [x, y, 0.0])
        .collect();
    points.extend([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]);
    let faces: Vec<Vec<u32>> = (0..5)
        .flat_map(|k| [vec![k, (k + 1) % 5, 5], vec![(k + 1) % 5, k, 6]])
        .collect();
    let star = check_convex_mesh(&points, &faces);
    assert!(matches!(star, Err(ConvexityError::VertexOutsideFace { depth, .. }) if depth > 0.1));
    let mut pyramid: Vec<Vec<u32>> = (0..5).map(|k| vec![k, (k + 1) % 5, 5]).collect();
    pyramid.push(vec![4, 3, 2, 1, 0]);
    assert!(matches!(
        check_convex_mesh(&points, &pyramid),
        Err(ConvexityError::NonConvexFace { face: 5, .. })
    ));
}

/// Two shells that share corners but no edge: every face supports the hull, and still it is not one surface.
#[test]
fn cube_covered_twice_is_not_convex() {
    let (mut points, quads) = cube();
    let mut faces = Vec::new();
    for t in [0.5, 0.25] {
        let mut add = |p: [f64; 3]| {
            points.iter().position(|&q| q == p).unwrap_or_else(|| {
                points.push(p);
                points.len() - 1
            }) as u32
        };
        for quad in &quads {
            let corner: Vec<[f64; 3]> = quad
                .iter()
                .map(|&i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from))
                .collect();
            let blend =
                |a: [f64; 3], b: [f64; 3], t: f64| [0, 1, 2].map(|k| a[k] + t * (b[k] - a[k]));
            let centre = add(blend(corner[0], corner[2], t));
            for k in 0..4 {
                let (a, b) = (corner[k], corner[(k + 1) % 4]);
                let middle = add(if quad[k] < quad[(k + 1) % 4] {
                    blend(a, b, t)
                } else {
                    blend(b, a, t)
                });
                faces.extend([
                    vec![quad[k], middle, centre],
                    vec![middle, quad[(k + 1) % 4], centre],
                ]);
            }
        }
        let expected = if t == 0.5 {
            Ok(())
        } else {
            Err(ConvexityError::MultipleCover { layers: 2 })
        };
        assert_eq!(check_convex_mesh(&points, &faces), expected);
        assert_eq!(check_convex_mesh(&points, &reversed(&faces)), expected);
    }
    assert_eq!(
        check_convex_mesh(&points, &faces[faces.len() / 2..]),
        Ok(())
    );
}

/// CAD exports have zero-area triangles: with a repeated vertex, and as a patch between an edge and its split twin.
#[test]
fn faces_of_zero_area_are_passed_over() {
    let (mut points, mut faces) = cube();
    faces.push(vec![0, 0, 1]);
    faces.push(vec![]);
    points.push([0.5, 0.0, 0.0]);
    for ring in &mut faces {
        if let Some(k) = (0..ring.len())
            .find(|&k| ring[k] == 0 && ring[(k + 1) % ring.len()] == 1 && ring.len() == 4)
        {
            ring.insert(k + 1, 8);
        }
    }
    faces.push(vec![0, 1, 8]);
    assert_eq!(check_convex_mesh(&points, &faces), Ok(()));
    let stats = mesh_stats(&points, &faces);
    assert_eq!(
        (
            stats.degenerate_faces,
            stats.invalid_faces,
            stats.open_edges
        ),
        (2, 1, 0)
    );
}

/// Hull meshes with corners moved at random over a small grid, against the definition: all edges match, every
/// triangle has all points on its inner side, and the volume in integers is the hull's.
#[test]
fn moved_grid_meshes_are_judged_as_by_brute_force() {
    let mut random = Random(9);
    let (mut convex, mut sound) = (0, 0);
    for _ in 0..cases() {
        let mut points: Vec<Grid> = (0..4 + random.below(6))
            .map(|_| std::array::from_fn(|_| random.below(3) as i64))
            .collect();
        let Ok(SpatialHull::Polyhedron(mesh)) = convex_hull_3(&floats(&points)) else {
            continue;
        };
        let mut faces = fans(&mesh.faces);
        if random.below(2) == 0 {
            let (at, centre) = (
                random.below(faces.len() as u64) as usize,
                points.len() as u32,
            );
            let ring = faces.swap_remove(at);
            faces.extend((0..3).map(|k| vec![ring[k], ring[(k + 1) % 3], centre]));
            points.push(std::array::from_fn(|_| random.below(3) as i64));
        }
        for _ in 0..random.below(3) {
            let moved = faces[0][random.below(3) as usize] as usize;
            points[moved] = std::array::from_fn(|_| random.below(3) as i64);
        }
        let expected = brute_is_convex(&points, &faces);
        let judged = check_convex_mesh(&floats(&points), &faces);
        assert_eq!(judged.is_ok(), expected, "{judged:?} {points:?} {faces:?}");
        convex += u64::from(expected);
        sound += 1;
    }
    assert!(
        convex * 10 > sound && convex * 10 < sound * 9,
        "{convex} of {sound} are convex: not representative"
    );
}

fn brute_is_convex(points: &[Grid], faces: &[Vec<u32>]) -> bool {
    let used = |p: &Grid| faces.iter().flatten().any(|&i| points[i as usize] == *p);
    let used: Vec<Grid> = points.iter().copied().filter(used).collect();
    let six_volumes = |points: &[Grid], faces: &[Vec<u32>]| -> i64 {
        let at = |i: u32| points[i as usize];
        fans(faces)
            .iter()
            .map(|t| dot(at(t[0]), cross(at(t[1]), at(t[2]))))
            .sum()
    };
    let triangles: Vec<[Grid; 3]> = faces
        .iter()
        .map(|t| [0, 1, 2].map(|k| points[t[k] as usize]))
        .collect();
    let distinct = triangles
        .iter()
        .filter(|[a, b, c]| a != b && b != c && c != a);
    let edges: Vec<[Grid; 2]> = distinct
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .collect();
    let count = |a: Grid, b: Grid| edges.iter().filter(|&&e| e == [a, b]).count();
    let closed = edges
        .iter()
        .all(|&[a, b]| count(a, b) == 1 && count(b, a) == 1);
    let volume = six_volumes(points, faces);
    let inner = |&[a, b, c]: &[Grid; 3]| {
        let normal = cross(minus(b, a), minus(c, a));
        used.iter()
            .all(|&p| dot(normal, minus(p, a)) * volume.signum() <= 0)
    };
    let hull = brute_faces(&used).map_or(0, |rings| six_volumes(&used, &rings));
    closed && volume != 0 && triangles.iter().all(inner) && hull == volume.abs()
}
