//! The nearest point of `conv S` to the origin, decided by signs alone.
//!
//! Idea: Wolfe's minimum-norm point. The newest vertex of a simplex is always in the face nearest the origin (else the
//! support step would not have improved on the last one), so only the faces that contain it are tried. A face's
//! direction `d`, parallel to its nearest point `v`, is a polynomial: nothing is divided.
//!
//! | face | `d` | degree |
//! |---|---|---|
//! | vertex `a` | `a` | 1 |
//! | edge `a b` | `a·|ab|² − ab·(a·ab)` | 3 |
//! | triangle, `n = ab × ac` | `n·sign(n·a)` | 2 |
//!
//! Source: Wolfe 1976; regions as in Ericson 2005, 5.1.5 and 5.1.6, with triple products.

use crate::integer::{Int3, cross, dot, is_zero, neg, scale, sign, sub};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering::{Greater, Less};

/// A vertex of the Minkowski difference: which points made it, and its integer coordinates.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Index in A and index in B.
    pub pair: [u32; 2],
    /// `a - b` on the grid.
    pub w: Int3,
}

/// A face of a simplex with the direction of its nearest point.
#[derive(Clone, Debug)]
pub struct Face {
    /// Positions in the simplex, newest first.
    pub kept: Vec<usize>,
    /// Parallel to the nearest point `v`, zero exactly when `v` is.
    pub direction: Int3,
}

/// The face of the simplex nearest the origin; `None` when the origin is strictly inside a tetrahedron.
///
/// The simplex holds 1 to 4 affinely independent vertices, newest first, all but the newest being the last result.
pub fn nearest(simplex: &[Vertex]) -> Option<Face> {
    let at = |k: usize| &simplex[k].w;
    match simplex.len() {
        1 => Some(vertex(at(0))),
        2 => Some(edge(at(0), at(1), [0, 1])),
        3 => Some(triangle(at(0), at(1), at(2), [0, 1, 2])),
        _ => tetrahedron(simplex),
    }
}

fn vertex(a: &Int3) -> Face {
    Face { kept: vec![0], direction: a.clone() }
}

fn edge(a: &Int3, b: &Int3, ids: [usize; 2]) -> Face {
    let ab = sub(b, a);
    let along = dot(a, &ab);
    if is_zero(a) || sign(&along) != Less {
        return vertex(a);
    }
    let direction = sub(&scale(a, &dot(&ab, &ab)), &scale(&ab, &along));
    Face { kept: vec![ids[0], ids[1]], direction }
}

fn triangle(a: &Int3, b: &Int3, c: &Int3, ids: [usize; 3]) -> Face {
    if is_zero(a) {
        return vertex(a);
    }
    let (ab, ac) = (sub(b, a), sub(c, a));
    let n = cross(&ab, &ac);
    let before = |e: &Int3| sign(&dot(a, e)) != Less;
    let outside = |outward: &Int3| sign(&dot(a, outward)) != Greater;
    if !before(&ab) && outside(&cross(&ab, &n)) {
        return edge(a, b, [ids[0], ids[1]]);
    }
    if !before(&ac) && outside(&cross(&n, &ac)) {
        return edge(a, c, [ids[0], ids[2]]);
    }
    if before(&ab) && before(&ac) {
        return vertex(a);
    }
    let direction = match sign(&dot(&n, a)) {
        Greater => n,
        Less => neg(&n),
        _ => Default::default(),
    };
    Face { kept: ids.to_vec(), direction }
}

fn tetrahedron(simplex: &[Vertex]) -> Option<Face> {
    let a = &simplex[0].w;
    let mut inside = true;
    for [i, j, opposite] in [[1, 2, 3], [2, 3, 1], [3, 1, 2]] {
        let (b, c, o) = (&simplex[i].w, &simplex[j].w, &simplex[opposite].w);
        let n = cross(&sub(b, a), &sub(c, a));
        let origin_side = sign(&-dot(&n, a));
        if origin_side == sign(&dot(&n, &sub(o, a))) {
            continue;
        }
        inside = false;
        let face = triangle(a, b, c, [0, i, j]);
        // The nearest face of the triangle is that of the tetrahedron when the fourth vertex lies beyond its plane.
        let d = &face.direction;
        if is_zero(d) || sign(&dot(d, &sub(o, a))) != Less {
            return Some(face);
        }
    }
    debug_assert!(inside, "one face containing the newest vertex is nearest");
    None
}
