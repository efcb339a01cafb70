//! A facet's normal, the side of it that a point is on, and its plane as a proven interval.

use super::unit;
use crate::direction::{self, DirectionKind, Operand, SymbolicDirection};
use crate::nearest;
use crate::number::{Double, Number};
use crate::plane;
use crate::sign::{AdaptiveSigns, SignOracle};
use crate::vertex::{self, Vertex};
use core::cmp::Ordering;

/// A facet's plane.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// Unit, with an error of at most [`Plane::normal_error`].
    pub normal: [f64; 3],
    /// Bound of each component's error.
    pub normal_error: f64,
    /// A lower bound of the plane's signed distance from the origin.
    pub lower: f64,
    /// An upper bound of the plane's signed distance from the origin.
    pub upper: f64,
}

/// The normal of a facet's vertices: an edge's in the plane, a triangle's in space.
pub fn normal(dim: usize, facet: &[Vertex]) -> SymbolicDirection {
    if dim == 2 {
        DirectionKind::Line([facet[0], facet[1]]).into()
    } else {
        DirectionKind::Plane([facet[0], facet[1], facet[2]]).into()
    }
}

/// The exact side of `p`: greater where the normal of the facet through `corners` points. For plain points, not differences.
///
/// An edge in the plane (`dim` 2) has its normal to the right, a triangle where it appears counter-clockwise.
pub fn side(dim: usize, corners: &[[f64; 3]], p: [f64; 3]) -> Ordering {
    let vertex = |x: [f64; 3]| Vertex::new([0; 2], x, [0.0; 3]);
    let facet = [0, 1, dim - 1].map(|k| vertex(corners[k]));
    AdaptiveSigns::default().sign(&normal(dim, &facet), &Operand::Between(facet[0], vertex(p)))
}

/// The plane of a triangle from pairs of floats; `None` where they know less than usual, or could know it without any error.
fn quick_plane(facet: &[Vertex]) -> Option<Plane> {
    let facet: &[Vertex; 3] = facet.try_into().ok()?;
    if !facet.iter().all(Vertex::is_plain) || vertex::exact_in_floats(facet, 3) {
        return None;
    }
    let plane::Offset {
        normal,
        offset: (high, low),
        error,
    } = plane::offset(facet)?;
    // The sum with the error rounds by a rounding of some roundings of the offset.
    let room = error + high.abs() * (f64::EPSILON * f64::EPSILON * 4.0);
    let down = |high: f64, low: f64| {
        Double::from_f64(high)
            .plus(&Double::from_f64(low - room))
            .interval()
            .0
    };
    Some(Plane {
        normal,
        normal_error: 2.0 * f64::EPSILON,
        lower: down(high, low),
        upper: -down(-high, -low),
    })
}

/// The plane of a facet that is not degenerate.
pub fn plane(dim: usize, facet: &[Vertex]) -> Plane {
    if let Some(quick) = quick_plane(facet) {
        return quick;
    }
    let formula = normal(dim, facet);
    if facet.iter().all(Vertex::is_plain) {
        let n = formula.vector::<Double>();
        let length = direction::dot(&n, &n).sqrt();
        let height = direction::dot(&n, &facet[0].difference());
        let norm = length.value().0;
        if let Some(offset) = height.quotient(&length) {
            let (lower, upper) = offset.interval();
            let sharp = n.iter().all(|x| x.error() <= norm * (f64::EPSILON / 64.0));
            if sharp && upper - lower <= 4.0 * f64::EPSILON * upper.abs().max(f64::MIN_POSITIVE) {
                return Plane {
                    normal: n.map(|x| x.value().0 / norm),
                    normal_error: 2.0 * f64::EPSILON,
                    lower,
                    upper,
                };
            }
        }
    }
    let [lower, upper] = nearest::plane_distance(&formula, &facet[0]);
    Plane {
        normal: unit(&formula),
        normal_error: 2.0 * f64::EPSILON,
        lower,
        upper,
    }
}
