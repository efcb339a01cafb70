//! The nearest face of a simplex to the origin, decided by signs alone, in the plane and in space.
//!
//! Idea: Wolfe's minimum-norm point. The newest vertex of a simplex is always in the face nearest the origin (else the
//! support step would not have improved on the last one), so only the faces that contain it are tried. The direction of a
//! face's nearest point is a [`SymbolicDirection`]: nothing is divided.
//!
//! The signs have degree 2 in the plane, and 2 to 4 in space (docs/exactness.md has the table).
//!
//! Source: Wolfe 1976; regions as in Ericson 2005, 5.1.5 and 5.1.6, with triple products.

use crate::direction::{DirectionKind, Operand, SymbolicDirection};
use crate::sign::SignOracle;
use crate::vertex::Vertex;
use core::cmp::Ordering::{Equal, Greater, Less};

/// Up to four affinely independent vertices, newest first.
#[derive(Clone, Copy, Debug)]
pub struct Simplex {
    vertices: [Vertex; 4],
    len: usize,
}

impl Simplex {
    /// A simplex of one to four vertices.
    pub fn new(vertices: &[Vertex]) -> Self {
        let mut simplex = Self {
            vertices: [vertices[0]; 4],
            len: vertices.len(),
        };
        simplex.vertices[..vertices.len()].copy_from_slice(vertices);
        simplex
    }

    /// The vertices, newest first.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.len]
    }

    /// This simplex with a newer vertex; it must have room.
    pub fn with(&self, newest: Vertex) -> Self {
        let mut grown = Self {
            vertices: [newest; 4],
            len: self.len + 1,
        };
        grown.vertices[1..=self.len].copy_from_slice(self.vertices());
        grown
    }
}

/// A face of a simplex with the direction of its nearest point.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// The face's vertices, newest first.
    pub simplex: Simplex,
    /// Parallel to the nearest point, from the origin; `None` when that is the origin itself.
    pub direction: Option<SymbolicDirection>,
}

/// The face of the simplex nearest the origin.
///
/// All vertices but the newest are the last result. The origin strictly inside a full simplex is answered by all its
/// vertices without a direction.
pub fn nearest(signs: &impl SignOracle, dim: usize, simplex: &Simplex) -> Face {
    match *simplex.vertices() {
        [a] => vertex(a),
        [a, b] => edge(signs, dim, a, b),
        [a, b, c] if dim == 3 => triangle(signs, a, b, c),
        _ => full(signs, dim, simplex),
    }
}

fn vertex(a: Vertex) -> Face {
    Face {
        simplex: Simplex::new(&[a]),
        direction: (!a.is_zero()).then_some(DirectionKind::Point(a).into()),
    }
}

fn edge(signs: &impl SignOracle, dim: usize, a: Vertex, b: Vertex) -> Face {
    // The origin is not beyond b: b alone was the last result, or the edge contains the nearest point.
    if a.is_zero() || signs.sign(&DirectionKind::Point(a).into(), &Operand::Between(a, b)) != Less {
        return vertex(a);
    }
    let simplex = Simplex::new(&[a, b]);
    if dim == 2 {
        return Face {
            simplex,
            direction: toward(signs, DirectionKind::Line([a, b]), a),
        };
    }
    // The line passes through the origin exactly when the cross product of the edge and `a` is zero.
    let normal: SymbolicDirection = DirectionKind::Around([a, b, a]).into();
    let zero = (0..3).all(|k| signs.sign(&normal, &axis(k)) == Equal);
    Face {
        simplex,
        direction: (!zero).then_some(DirectionKind::Edge([a, b]).into()),
    }
}

/// A unit axis as an operand.
pub(crate) fn axis(k: usize) -> Operand {
    let mut unit = [0.0; 3];
    unit[k] = 1.0;
    Operand::Points(unit, [0.0; 3])
}

/// A facet's normal, oriented from the origin to the facet; `None` when its plane contains the origin.
fn toward(signs: &impl SignOracle, normal: DirectionKind, on: Vertex) -> Option<SymbolicDirection> {
    let normal: SymbolicDirection = normal.into();
    match signs.sign(&normal, &Operand::Vertex(on)) {
        Greater => Some(normal),
        Less => Some(-normal),
        Equal => None,
    }
}

fn triangle(signs: &impl SignOracle, a: Vertex, b: Vertex, c: Vertex) -> Face {
    if a.is_zero() {
        return vertex(a);
    }
    let before =
        |x: Vertex| signs.sign(&DirectionKind::Point(a).into(), &Operand::Between(a, x)) != Less;
    // `ab × (ab × ac)` points away from c: the origin is beyond the edge, or over it, unless its height on `a` is positive.
    let beyond = |x: Vertex, other: Vertex| {
        signs.sign(
            &DirectionKind::Outward([a, x, other]).into(),
            &Operand::Vertex(a),
        ) != Greater
    };
    let (before_b, before_c) = (before(b), before(c));
    if !before_b && beyond(b, c) {
        return edge(signs, 3, a, b);
    }
    if !before_c && beyond(c, b) {
        return edge(signs, 3, a, c);
    }
    if before_b && before_c {
        return vertex(a);
    }
    Face {
        simplex: Simplex::new(&[a, b, c]),
        direction: toward(signs, DirectionKind::Plane([a, b, c]), a),
    }
}

/// A full simplex: one of the facets at the newest vertex that have the origin outside, or the inside.
fn full(signs: &impl SignOracle, dim: usize, simplex: &Simplex) -> Face {
    let v = simplex.vertices();
    let a = v[0];
    for opposite in 1..=dim {
        let i = if opposite == 1 { 2 } else { 1 };
        let j = if dim == 2 { i } else { 6 - opposite - i };
        let normal: SymbolicDirection = if dim == 2 {
            DirectionKind::Line([a, v[i]]).into()
        } else {
            DirectionKind::Plane([a, v[i], v[j]]).into()
        };
        let inner = signs.sign(&normal, &Operand::Between(a, v[opposite]));
        // The origin's side of the facet is opposite to that of `a` from the origin.
        if signs.sign(&-normal, &Operand::Vertex(a)) == inner {
            continue;
        }
        let face = if dim == 2 {
            edge(signs, 2, a, v[i])
        } else {
            triangle(signs, a, v[i], v[j])
        };
        // The facet's nearest face is the simplex's own when the remaining vertex does not lie nearer.
        match face.direction {
            Some(d) if signs.sign(&d, &Operand::Between(a, v[opposite])) == Less => {}
            _ => return face,
        }
    }
    Face {
        simplex: *simplex,
        direction: None,
    }
}
