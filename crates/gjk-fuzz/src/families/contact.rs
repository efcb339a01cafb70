//! Contacts by construction: A below a plane, B above it, features of both on it around the origin, then a unimodular
//! map and an integer translation. The map keeps the relation and every incidence; the grid keeps the numbers exact.

use super::{finish, floats, lattice_point};
use crate::case::Case;
use crate::rng::Rng;
use gjk::query::Verdict;

/// What lies on the common plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Feature {
    /// The origin.
    Vertex,
    /// A segment through the origin.
    Edge,
    /// A segment along the direction that both bodies share.
    SharedEdge,
    /// A polygon around the origin.
    Face,
}
use Feature::{Edge, Face, SharedEdge, Vertex};

/// All kinds of contact, for families that mix them.
pub(crate) const KINDS: [(Feature, Feature); 7] = [
    (Face, Face),
    (Face, Edge),
    (Face, Vertex),
    (Edge, Edge),
    (SharedEdge, SharedEdge),
    (Edge, Vertex),
    (Vertex, Vertex),
];

macro_rules! touching {
    ($($name:ident: $a:expr, $b:expr;)*) => {$(
        pub(super) fn $name(rng: &mut Rng, case: &mut Case) {
            let size = 1 << rng.int(1, 14);
            integers(rng, case, ($a, $b), size, 0);
            case.known = Some(Verdict::Touching);
            finish(rng, case);
        }
    )*};
}
touching! {
    face_face: Face, Face;
    face_edge: Face, Edge;
    face_vertex: Face, Vertex;
    edge_edge_crossing: Edge, Edge;
    edge_edge_parallel: SharedEdge, SharedEdge;
    edge_vertex: Edge, Vertex;
    vertex_vertex: Vertex, Vertex;
}

pub(super) fn grid_gap(rng: &mut Rng, case: &mut Case) {
    let kind = rng.pick(&KINDS);
    integers(rng, case, kind, 1 << 14, 1);
    case.known = Some(Verdict::Separated);
    finish(rng, case);
}

pub(super) fn grid_overlap(rng: &mut Rng, case: &mut Case) {
    let kind = rng.pick(&KINDS);
    integers(rng, case, kind, 1 << 14, -1);
    finish(rng, case);
}

/// A contact on the integer grid: below 2^18 for sizes to 2^14. `gap` moves B away before the map.
pub(super) fn integers(
    rng: &mut Rng,
    case: &mut Case,
    kind: (Feature, Feature),
    size: i64,
    gap: i64,
) {
    let shift = if rng.one_in(2) {
        [0; 3]
    } else {
        lattice_point(rng, case.dim, 1 << 17)
    };
    let map = unimodular(rng, case.dim);
    mapped_integers(rng, case, kind, size, gap, &map);
    for point in case.a.points.iter_mut().chain(&mut case.b.points) {
        *point = std::array::from_fn(|k| point[k] + shift[k] as f64);
    }
}

/// A contact at the origin under a map of the grid.
pub(super) fn mapped_integers(
    rng: &mut Rng,
    case: &mut Case,
    kind: (Feature, Feature),
    size: i64,
    gap: i64,
    map: &[[i64; 3]; 3],
) {
    let dim = case.dim;
    let shared = lattice_direction(rng, dim, size);
    let (kind_a, kind_b) = if rng.one_in(2) {
        kind
    } else {
        (kind.1, kind.0)
    };
    for (body, kind, up, lift) in [(&mut case.a, kind_a, -1, 0), (&mut case.b, kind_b, 1, gap)] {
        let mut points = [[0i64; 3]; 10];
        let mut count = on_plane(rng, dim, kind, size, shared, &mut points);
        let more = if rng.one_in(8) { 0 } else { rng.int(1, 4) } as usize;
        for point in &mut points[count..count + more] {
            *point = lattice_point(rng, dim, size);
            point[dim - 1] = up * rng.int(1, size);
        }
        count += more;
        for point in &mut points[..count] {
            point[dim - 1] += lift;
            body.points.push(floats(mapped(map, *point, dim)));
        }
    }
}

/// Points on the plane with the origin in the interior of their hull; how many.
fn on_plane(
    rng: &mut Rng,
    dim: usize,
    kind: Feature,
    size: i64,
    shared: [i64; 3],
    out: &mut [[i64; 3]; 10],
) -> usize {
    let along = |u: [i64; 3], s: i64| u.map(|x| x * s);
    match (kind, dim) {
        (Vertex, _) => 1,
        (Edge | SharedEdge, _) | (Face, 2) => {
            let u = if kind == SharedEdge {
                shared
            } else {
                lattice_direction(rng, dim, size)
            };
            out[0] = along(u, rng.int(1, 4));
            out[1] = along(u, -rng.int(1, 4));
            2
        }
        (Face, _) => {
            let (u, v) = (
                lattice_direction(rng, dim, size),
                lattice_direction(rng, dim, size),
            );
            let (s, t) = (rng.int(1, 2), rng.int(1, 2));
            (out[0], out[1]) = (u, v);
            if rng.one_in(2) {
                out[2] = std::array::from_fn(|k| -s * u[k] - t * v[k]);
                return 3;
            }
            (out[2], out[3]) = (along(u, -s), along(v, -t));
            4
        }
    }
}

/// A non-zero vector in the plane, a quarter of the size so that its multiples stay within it.
fn lattice_direction(rng: &mut Rng, dim: usize, size: i64) -> [i64; 3] {
    let quarter = (size / 4).max(1);
    loop {
        let mut u = lattice_point(rng, dim, quarter);
        u[dim - 1] = 0;
        if u != [0; 3] {
            return u;
        }
    }
}

/// Two shears, a permutation and mirrors: rows of a matrix of determinant ±1 with entries to 9.
pub(super) fn unimodular(rng: &mut Rng, dim: usize) -> [[i64; 3]; 3] {
    let mut rows = STRAIGHT;
    for _ in 0..2 {
        let i = rng.below(dim as u64) as usize;
        let j = (i + 1 + rng.below(dim as u64 - 1) as usize) % dim;
        let factor = rng.int(-2, 2);
        rows[i] = std::array::from_fn(|k| rows[i][k] + factor * rows[j][k]);
    }
    let i = rng.below(dim as u64) as usize;
    rows.swap(0, i);
    for row in &mut rows[..dim] {
        if rng.one_in(2) {
            *row = row.map(|x| -x);
        }
    }
    rows
}

/// The grid as it is.
pub(super) const STRAIGHT: [[i64; 3]; 3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

fn mapped(rows: &[[i64; 3]; 3], p: [i64; 3], dim: usize) -> [i64; 3] {
    std::array::from_fn(|i| {
        if i < dim {
            (0..dim).map(|k| rows[i][k] * p[k]).sum()
        } else {
            0
        }
    })
}
