//! Touching or overlapping, once the origin is known to be in the Minkowski difference `M`.
//!
//! Given a minimal simplex `S` with the origin in its relative interior, the question is whether the origin is also in
//! the interior of `M`: whether every direction orthogonal to `S` has points of `M` strictly on both sides. A direction
//! with `h(d) = 0` is a supporting plane through the origin, so the bodies touch. Otherwise the supports found on the
//! way enclose the origin together with `S`: 4 to 6 points (Steinitz: at most twice the dimension).

use crate::direction::{DirectionKind, Operand, SymbolicDirection};
use crate::problem::{Points, Problem};
use crate::sign::SignOracle;
use crate::solver::Simplex;
use crate::vertex::Vertex;
use core::cmp::Ordering::{Equal, Greater, Less};

/// Vertices whose hull holds the origin strictly inside: at most 6.
#[derive(Clone, Copy, Debug)]
pub struct Enclosure {
    vertices: [Vertex; 6],
    len: usize,
}

impl Enclosure {
    fn new(simplex: &Simplex, more: &[Vertex]) -> Self {
        let start = simplex.vertices();
        let mut enclosure = Self {
            vertices: [start[0]; 6],
            len: start.len() + more.len(),
        };
        enclosure.vertices[..start.len()].copy_from_slice(start);
        enclosure.vertices[start.len()..enclosure.len].copy_from_slice(more);
        enclosure
    }

    /// The vertices.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.len]
    }
}

/// What the search found.
#[derive(Debug)]
pub enum Interior {
    /// A direction `d ≠ 0` with `d · w ≤ 0` for all of `M`.
    Touching(SymbolicDirection),
    /// Vertices whose hull holds the origin strictly inside.
    Overlapping(Enclosure),
}

/// Decides for a simplex of 2 or more vertices with the origin in its relative interior.
///
/// # Complexity  at most one support a vertex of `M`'s projection (edge case in 3D), two otherwise.
pub(crate) fn decide<A: Points + ?Sized, B: Points + ?Sized, S: SignOracle>(
    problem: &Problem<'_, A, B, S>,
    simplex: &Simplex,
) -> Interior {
    match (simplex.vertices(), problem.dim) {
        (&[a, b], 2) => both_sides(problem, simplex, DirectionKind::Line([a, b]).into()),
        (&[a, b, c], 3) => both_sides(problem, simplex, DirectionKind::Plane([a, b, c]).into()),
        (&[a, b], _) => wrap(problem, simplex, [a, b]),
        _ => Interior::Overlapping(Enclosure::new(simplex, &[])),
    }
}

/// The support along `d`; `None` when it is at height zero, so that `d` supports `M` at the origin.
fn beyond<A, B, S>(problem: &Problem<'_, A, B, S>, d: SymbolicDirection) -> Option<Vertex>
where
    A: Points + ?Sized,
    B: Points + ?Sized,
    S: SignOracle,
{
    let x = problem.support(&d);
    (problem.signs.sign(&d, &Operand::Vertex(x)) != Equal).then_some(x)
}

/// The direction normal to a hyperplane through the origin: one support on each side decides.
fn both_sides<A, B, S>(
    problem: &Problem<'_, A, B, S>,
    simplex: &Simplex,
    n: SymbolicDirection,
) -> Interior
where
    A: Points + ?Sized,
    B: Points + ?Sized,
    S: SignOracle,
{
    let Some(x) = beyond(problem, n) else {
        return Interior::Touching(n);
    };
    let Some(y) = beyond(problem, -n) else {
        return Interior::Touching(-n);
    };
    Interior::Overlapping(Enclosure::new(simplex, &[x, y]))
}

/// Gift wrapping around the edge in 3D: the wedge from `first` to `last` grows strictly, so the walk ends.
fn wrap<A, B, S>(problem: &Problem<'_, A, B, S>, simplex: &Simplex, [a, b]: [Vertex; 2]) -> Interior
where
    A: Points + ?Sized,
    B: Points + ?Sized,
    S: SignOracle,
{
    let around = |w: Vertex| SymbolicDirection::from(DirectionKind::Around([a, b, w]));
    let enclosed = |more: &[Vertex]| Interior::Overlapping(Enclosure::new(simplex, more));
    let start = across(problem, [a, b]);
    let Some(first) = beyond(problem, start) else {
        return Interior::Touching(start);
    };
    let mut last = first;
    loop {
        let Some(x) = beyond(problem, around(last)) else {
            return Interior::Touching(around(last));
        };
        match problem.signs.sign(&around(first), &Operand::Vertex(x)) {
            Greater => last = x,
            Less => return enclosed(&[first, last, x]),
            Equal => {
                // `first`, `x` and the edge are in one plane, with `last` on one side of it.
                let Some(y) = beyond(problem, -around(first)) else {
                    return Interior::Touching(-around(first));
                };
                return enclosed(&[first, last, x, y]);
            }
        }
    }
}

/// Some non-zero direction orthogonal to the edge.
fn across<A: Points + ?Sized, B: Points + ?Sized, S: SignOracle>(
    problem: &Problem<'_, A, B, S>,
    [a, b]: [Vertex; 2],
) -> SymbolicDirection {
    let upright = (0..2).all(|k| {
        let mut unit = [0.0; 3];
        unit[k] = 1.0;
        problem
            .signs
            .sign(&DirectionKind::Given(unit).into(), &Operand::Between(a, b))
            == Equal
    });
    if upright {
        DirectionKind::Given([1.0, 0.0, 0.0]).into()
    } else {
        DirectionKind::Across([a, b]).into()
    }
}
