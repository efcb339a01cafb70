//! Touching or overlapping, once the origin is known to be in the Minkowski difference `M`.
//!
//! Given a minimal simplex `S` with the origin in its relative interior, the question is whether the origin is also in
//! the interior of `M`: whether every direction orthogonal to `S` has points of `M` strictly on both sides. A direction
//! with `h(d) = 0` is a supporting plane through the origin, so the bodies touch. Otherwise the supports found on the
//! way enclose the origin together with `S`: 4 to 6 points (Steinitz: at most twice the dimension).

use crate::classify::Problem;
use crate::integer::{Int, Int3, cross, det, dot, is_zero, neg, sign};
use crate::solver::Vertex;
use alloc::vec::Vec;
use core::cmp::Ordering::{Equal, Greater, Less};

/// What the search found.
#[derive(Debug)]
pub enum Interior {
    /// A direction `d ≠ 0` with `d · w ≤ 0` for all of `M`.
    Touching(Int3),
    /// Vertices whose hull holds the origin strictly inside.
    Overlapping(Vec<Vertex>),
}

/// Decides for a simplex of 2 or more vertices with the origin in its relative interior.
///
/// # Complexity  at most one support a vertex of `M`'s projection (edge case in 3D), two otherwise.
pub(crate) fn decide(problem: &Problem<'_>, simplex: &[Vertex]) -> Interior {
    if simplex.len() > problem.dim {
        return Interior::Overlapping(simplex.to_vec());
    }
    let w = |k: usize| &simplex[k].w;
    let e = crate::integer::sub(w(1), w(0));
    if simplex.len() == 3 {
        let f = crate::integer::sub(w(2), w(0));
        return both_sides(problem, simplex, &cross(&e, &f));
    }
    if problem.dim == 2 {
        return both_sides(problem, simplex, &[-&e[1], e[0].clone(), Int::ZERO]);
    }
    wrap(problem, simplex, &e)
}

/// The direction normal to a hyperplane through the origin: one support on each side decides.
fn both_sides(problem: &Problem<'_>, simplex: &[Vertex], n: &Int3) -> Interior {
    let mut points = simplex.to_vec();
    for d in [n.clone(), neg(n)] {
        let x = problem.support(&d);
        if sign(&dot(&d, &x.w)) == Equal {
            return Interior::Touching(d);
        }
        points.push(x);
    }
    Interior::Overlapping(points)
}

/// Gift wrapping around the edge `e` in 3D: the wedge `left` grows strictly, so the walk ends.
fn wrap(problem: &Problem<'_>, simplex: &[Vertex], e: &Int3) -> Interior {
    let u = perpendicular(e);
    let first = problem.support(&u);
    if sign(&dot(&u, &first.w)) == Equal {
        return Interior::Touching(u);
    }
    let mut last = first.clone();
    let enclosed = |more: &[&Vertex]| {
        let mut points = simplex.to_vec();
        points.extend(more.iter().map(|&v| v.clone()));
        Interior::Overlapping(points)
    };
    loop {
        let d = cross(e, &last.w);
        let x = problem.support(&d);
        if sign(&dot(&d, &x.w)) == Equal {
            return Interior::Touching(d);
        }
        match sign(&det(e, &first.w, &x.w)) {
            Greater => last = x,
            Less => return enclosed(&[&first, &last, &x]),
            Equal => {
                let d = neg(&cross(e, &first.w));
                let y = problem.support(&d);
                if sign(&dot(&d, &y.w)) == Equal {
                    return Interior::Touching(d);
                }
                return enclosed(&[&first, &last, &x, &y]);
            }
        }
    }
}

/// Some non-zero vector orthogonal to `e`.
pub(crate) fn perpendicular(e: &Int3) -> Int3 {
    let u = [-&e[1], e[0].clone(), Int::ZERO];
    if is_zero(&u) { [Int::ONE, Int::ZERO, Int::ZERO] } else { u }
}
