//! The distance of a separated pair, from below along any direction and from above by any face.

use super::{unit, weights::length};
use crate::nearest::{self, Nearest};
use crate::number::{Double, Dyadic, Number, in_range};
use crate::problem::{FARTHEST_MAX, Points, Problem, Scan};
use crate::sign::SignOracle;
use crate::vertex::Vertex;

/// Numbers of a separated pair.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Unit to a rounding or two a component, from A to B; the lower bound is proved for it as it is.
    pub direction: [f64; 3],
    /// Non-negative numerators of the face's vertices; the upper bound is proved for them as they are.
    pub weights: [f64; 4],
    /// A lower bound of the distance.
    pub lower: f64,
    /// An upper bound of the distance.
    pub upper: f64,
}

impl<A: Points + ?Sized, B: Points + ?Sized, S: SignOracle> Problem<'_, A, B, S> {
    /// Bounds of the distance from the face of the difference that is, or should be, nearest the origin.
    ///
    /// The bounds are true for any face; they are tight for the nearest one. `None` for a face through the origin.
    /// # Complexity  O(n + m), twice.
    pub fn measure(&self, face: &Nearest) -> Option<Measured> {
        let outward = face.direction(self.signs)?;
        let direction = unit(&-outward);
        let weights = face.rounded_weights()?;
        let lower = self.separation(direction, &face.vertices()[0]);
        let [_, upper] = length(face.vertices(), &weights);
        Some(Measured {
            direction,
            weights,
            lower,
            upper,
        })
    }

    /// A lower bound of the distance: the least of `direction · (b − a)` over all points, over the direction's length.
    ///
    /// `base` is any vertex; heights are taken of it.
    pub fn separation(&self, direction: [f64; 3], base: &Vertex) -> f64 {
        let top_a = highest(self.a, direction, base.a);
        let top_b = highest(self.b, direction.map(|x| -x), base.b);
        let between = height(direction, base.b, base.a)[0];
        let gap = Double::from_f64(between)
            .minus(&Double::from_f64(top_a))
            .minus(&Double::from_f64(top_b));
        let squares = direction.map(|x| Double::from_f64(x).times(&Double::from_f64(x)));
        let norm = squares[0].plus(&squares[1]).plus(&squares[2]).sqrt();
        gap.quotient(&norm)
            .map_or(f64::NEG_INFINITY, |x| x.interval().0)
    }
}

/// An upper bound of the largest `direction · (p − origin)` over all points, to a rounding of itself.
fn highest<P: Points + ?Sized>(points: &P, direction: [f64; 3], origin: [f64; 3]) -> f64 {
    let mut found = [0; FARTHEST_MAX];
    match points.farthest(direction, [0.0; 3], &mut found) {
        Some(len) => highest_of(points, found[..len].iter().copied(), direction, origin),
        None => highest_of(points, 0..points.count(), direction, origin),
    }
}

/// [`highest`] among the points with these indices.
fn highest_of<P: Points + ?Sized>(
    points: &P,
    indices: impl Iterator<Item = u32> + Clone,
    direction: [f64; 3],
    origin: [f64; 3],
) -> f64 {
    let scan = Scan {
        direction,
        error: [0.0; 3],
    };
    let mut floor = f64::NEG_INFINITY;
    for i in indices.clone() {
        floor = floor.max(scan.height(points.point(i), origin)[0]);
    }
    let mut top = f64::NEG_INFINITY;
    for i in indices {
        let p = points.point(i);
        if scan.height(p, origin)[1] >= floor {
            top = top.max(height(direction, p, origin)[1]);
        }
    }
    top
}

/// `direction · (p − q)`, as an interval of neighbouring floats or so.
fn height(direction: [f64; 3], p: [f64; 3], q: [f64; 3]) -> [f64; 2] {
    if p == q {
        return [0.0; 2];
    }
    if in_range(direction.into_iter().chain(p).chain(q)) {
        let term = |k: usize| Double::from_f64(direction[k]).times(&Double::difference(p[k], q[k]));
        let (lower, upper) = term(0).plus(&term(1)).plus(&term(2)).interval();
        return [lower, upper];
    }
    let term =
        |k: usize| Dyadic::difference(direction[k], 0.0).times(&Dyadic::difference(p[k], q[k]));
    nearest::interval(&term(0).plus(&term(1)).plus(&term(2)))
}
