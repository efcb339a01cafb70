//! Target `hull`: points of every scale and every degeneracy, and meshes of arbitrary faces.
//!
//! Held: no panic; every point is inside or on the hull, in integers; the corners are corners; the mesh is closed and
//! convex; a mesh that [`gjk::hull::check_convex_mesh`] accepts has all its vertices on the inner side of every face.

use crate::bytes::Bytes;
use crate::exact::{Grid, Vector, cross, dot, is_zero, minus};
use dashu_int::IBig;
use gjk::hull::{
    HullMesh, PlanarHull, SpatialHull, check_convex_mesh, convex_hull_2, convex_hull_3, mesh_stats,
    mesh_volume,
};

/// The checks are quadratic in the points.
const POINTS_MAX: usize = 64;

/// What the bytes mean.
#[derive(Debug)]
struct Input {
    dim: usize,
    points: Vec<[f64; 3]>,
    /// Faces to audit; empty: build the hull.
    faces: Vec<Vec<u32>>,
}

fn decode(data: &[u8]) -> Input {
    let mut bytes = Bytes::new(data);
    let mode = bytes.below(8);
    let dim = if mode == 1 { 2 } else { 3 };
    let mut faces = Vec::new();
    let mut points = Vec::new();
    if mode == 4 {
        let count = bytes.below(12);
        faces = (0..count)
            .map(|_| {
                (0..bytes.below(6))
                    .map(|_| bytes.below(16) as u32)
                    .collect()
            })
            .collect();
    }
    let frame: [[f64; 3]; 3] = if mode >= 5 {
        core::array::from_fn(|_| bytes.point(3))
    } else {
        [[0.0; 3]; 3]
    };
    while !bytes.is_empty() && points.len() < POINTS_MAX {
        points.push(match mode {
            2 => core::array::from_fn(|_| bytes.small()),
            // Near one plane, one line, or one point: small steps in a frame, each coordinate rounded.
            5.. => {
                let (s, t) = (bytes.small(), if mode == 6 { 0.0 } else { bytes.small() });
                let bump = if mode == 7 {
                    bytes.small() * f64::EPSILON
                } else {
                    0.0
                };
                core::array::from_fn(|k| {
                    (frame[0][k] + s * frame[1][k] + t * frame[2][k]) * (1.0 + bump)
                })
            }
            _ => bytes.point(dim),
        });
    }
    Input { dim, points, faces }
}

/// The points and faces.
pub fn describe(data: &[u8]) -> String {
    format!("{:?}", decode(data))
}

/// Builds or audits, and checks.
pub fn run(data: &[u8]) {
    let input = decode(data);
    if !input.faces.is_empty() {
        return audit(&input);
    }
    let finite = input.points.iter().flatten().all(|x| x.is_finite());
    let valid = finite && !input.points.is_empty();
    if input.dim == 2 {
        let planar: Vec<[f64; 2]> = input.points.iter().map(|p| [p[0], p[1]]).collect();
        match convex_hull_2(&planar) {
            Ok(hull) => check_planar(&input.points, &hull),
            Err(error) => assert!(!valid, "{error}"),
        }
    } else {
        match convex_hull_3(&input.points) {
            Ok(hull) => check_spatial(&input.points, &hull),
            Err(error) => assert!(!valid, "{error}"),
        }
    }
}

/// Arbitrary faces over arbitrary points: what is accepted must be convex.
fn audit(input: &Input) {
    let _ = mesh_stats(&input.points, &input.faces);
    let _ = mesh_volume(&input.points, &input.faces);
    if check_convex_mesh(&input.points, &input.faces).is_err() {
        return;
    }
    let points = Grid::of(input.points.iter().flatten()).points(&input.points);
    for face in &input.faces {
        let Some((normal, offset)) = plane(&points, face) else {
            continue;
        };
        for &i in input.faces.iter().flatten() {
            assert!(
                dot(&normal, &points[i as usize]) <= offset,
                "vertex {i} is outside {face:?}"
            );
        }
    }
}

/// The outward plane of a ring, `None` when it has no area.
fn plane(points: &[Vector], ring: &[u32]) -> Option<(Vector, IBig)> {
    let at = |k: usize| &points[ring[k] as usize];
    // Twice the area vector: right for every ring, also one with collinear corners.
    let mut normal: Vector = [IBig::ZERO, IBig::ZERO, IBig::ZERO];
    for k in 1..ring.len().saturating_sub(1) {
        let part = cross(&minus(at(k), at(0)), &minus(at(k + 1), at(0)));
        normal = core::array::from_fn(|i| &normal[i] + &part[i]);
    }
    (!is_zero(&normal)).then(|| (normal.clone(), dot(&normal, at(0))))
}

fn check_planar(floats: &[[f64; 3]], hull: &PlanarHull) {
    let points = Grid::of(floats.iter().flatten()).points(floats);
    match hull {
        PlanarHull::Point(i) => assert!(points.iter().all(|p| *p == points[*i as usize])),
        PlanarHull::Segment(i, j) => check_segment(&points, *i, *j),
        PlanarHull::Polygon(ring) => {
            check_ring(&points, ring, &[IBig::ZERO, IBig::ZERO, IBig::ONE]);
            check_around(&points, ring, &[IBig::ZERO, IBig::ZERO, IBig::ONE]);
        }
    }
}

fn check_spatial(floats: &[[f64; 3]], hull: &SpatialHull) {
    let points = Grid::of(floats.iter().flatten()).points(floats);
    match hull {
        SpatialHull::Point(i) => assert!(points.iter().all(|p| *p == points[*i as usize])),
        SpatialHull::Segment(i, j) => check_segment(&points, *i, *j),
        SpatialHull::Polygon { ring } => {
            let Some((normal, offset)) = plane(&points, ring) else {
                panic!("a ring without area: {ring:?}")
            };
            assert!(
                points.iter().all(|p| dot(&normal, p) == offset),
                "a flat hull of points that are not flat"
            );
            check_ring(&points, ring, &normal);
            check_around(&points, ring, &normal);
        }
        SpatialHull::Polyhedron(mesh) => check_mesh(floats, &points, mesh),
    }
}

/// All points are on the segment.
fn check_segment(points: &[Vector], i: u32, j: u32) {
    let (a, b) = (&points[i as usize], &points[j as usize]);
    let along = minus(b, a);
    assert!(!is_zero(&along), "a segment of one point");
    for p in points {
        let from_a = minus(p, a);
        let t = dot(&from_a, &along);
        assert!(is_zero(&cross(&from_a, &along)) && t >= IBig::ZERO && t <= dot(&along, &along));
    }
}

/// Strictly convex, counter-clockwise about the normal.
fn check_ring(points: &[Vector], ring: &[u32], normal: &Vector) {
    assert!(ring.len() >= 3);
    let at = |k: usize| &points[ring[k % ring.len()] as usize];
    for k in 0..ring.len() {
        let turn = cross(&minus(at(k + 1), at(k)), &minus(at(k + 2), at(k + 1)));
        assert!(
            dot(&turn, normal) > IBig::ZERO,
            "no strict turn at {}",
            ring[(k + 1) % ring.len()]
        );
    }
}

/// All points are on the inner side of the ring's edges.
fn check_around(points: &[Vector], ring: &[u32], normal: &Vector) {
    for k in 0..ring.len() {
        let (a, b) = (
            &points[ring[k] as usize],
            &points[ring[(k + 1) % ring.len()] as usize],
        );
        let inward = cross(normal, &minus(b, a));
        for p in points {
            assert!(
                dot(&inward, &minus(p, a)) >= IBig::ZERO,
                "a point is outside the polygon"
            );
        }
    }
}

fn check_mesh(floats: &[[f64; 3]], points: &[Vector], mesh: &HullMesh) {
    for face in &mesh.faces {
        let Some((normal, offset)) = plane(points, face) else {
            panic!("a face without area: {face:?}")
        };
        check_ring(points, face, &normal);
        for (i, p) in points.iter().enumerate() {
            let height = dot(&normal, p);
            assert!(height <= offset, "point {i} is outside {face:?}");
            let is_corner = mesh.vertices.contains(&(i as u32));
            assert!(
                !is_corner || face.contains(&(i as u32)) || height < offset,
                "corner {i} lies in {face:?}"
            );
        }
    }
    assert!(
        mesh.vertices.is_sorted()
            && mesh
                .vertices
                .iter()
                .all(|i| mesh.faces.iter().any(|f| f.contains(i)))
    );
    assert_eq!(
        mesh.vertices.len() + mesh.faces.len(),
        mesh.edge_count() + 2,
        "Euler's formula"
    );
    let stats = mesh_stats(floats, &mesh.faces);
    assert_eq!(
        (
            stats.open_edges,
            stats.nonmanifold_edges,
            stats.misoriented_edges
        ),
        (0, 0, 0)
    );
    assert_eq!(check_convex_mesh(floats, &mesh.faces), Ok(()));
}
