//! Lengths as proven intervals: the distance of a separated pair, the height of a facet.
//!
//! Where it sits: beside [`crate::classify`](mod@crate::classify), for callers that know the nearest face or a facet and
//! want numbers.
//! Idea: any direction gives a lower bound of the distance, any combination of vertices an upper one. Both are evaluated
//! in [`Double`], whose bound of its own error is some 2⁻¹⁰⁰ of what it adds up, and rounded outward once. What is left is
//! the rounding of the direction to floats: turned by `u`, the bound falls by `u` times the size of the faces it touches.
//! Points that [`Double`] cannot hold go to integers.

use crate::formula::{self, Formula, Ladder, Operand, Shape, Signs, Vertex};
use crate::integer;
use crate::nearest::{self, Nearest};
use crate::number::{Double, Dyadic, Filter, Number, in_range, root};
use crate::plane;
use crate::problem::{FARTHEST_MAX, Points, Problem, Scan};
use crate::solver::Simplex;
use core::cmp::Ordering;

/// Numbers of a separated pair.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Unit to a rounding or two a component, from A to B; the lower bound is proved for it as it is.
    pub direction: [f64; 3],
    /// Non-negative numerators of the face's vertices; the upper bound is proved for them as they are.
    pub weights: [f64; 4],
    /// At most the distance.
    pub lower: f64,
    /// At least the distance.
    pub upper: f64,
}

/// A facet's plane.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// Unit, with an error of at most [`Plane::blur`].
    pub normal: [f64; 3],
    /// Bound of each component's error.
    pub blur: f64,
    /// At most the plane's signed distance from the origin.
    pub lower: f64,
    /// At least the plane's signed distance from the origin.
    pub upper: f64,
}

/// Weights below this part of the whole are dropped, so that products of weights stay on [`Double`]'s grid.
const LEAST_WEIGHT: f64 = 1.0 / (1u128 << 90) as f64;

/// The normal of a facet's vertices: an edge's in the plane, a triangle's in space.
pub fn normal(dim: usize, facet: &[Vertex]) -> Formula {
    if dim == 2 {
        Shape::Line([facet[0], facet[1]]).into()
    } else {
        Shape::Plane([facet[0], facet[1], facet[2]]).into()
    }
}

/// The exact side of `p`: greater where the normal of the facet through `corners` points. For plain points, not differences.
///
/// An edge in the plane (`dim` 2) has its normal to the right, a triangle where it appears counter-clockwise.
pub fn side(dim: usize, corners: &[[f64; 3]], p: [f64; 3]) -> Ordering {
    let vertex = |x: [f64; 3]| Vertex::new([0; 2], x, [0.0; 3]);
    let facet = [0, 1, dim - 1].map(|k| vertex(corners[k]));
    Ladder::default().sign(&normal(dim, &facet), &Operand::Between(facet[0], vertex(p)))
}

/// The formula as floats of length 1 to a rounding or two; zero for zero.
fn unit(formula: &Formula) -> [f64; 3] {
    if formula.is_plain() {
        let double = formula.vector::<Double>();
        let largest = double
            .iter()
            .fold(0.0, |m: f64, x| m.max(x.value().0.abs()));
        let error = double.iter().fold(0.0, |m: f64, x| m.max(x.error()));
        if largest > 0.0 && error <= largest * (f64::EPSILON / 64.0) {
            return scaled_to_unit(double.map(|x| x.value().0 / largest));
        }
    }
    scaled_to_unit(integer::to_float(&formula.integers()))
}

/// A vector with largest component 1 (or zero) divided by its length.
fn scaled_to_unit(d: [f64; 3]) -> [f64; 3] {
    let squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    let length = root(squared);
    if length > 0.0 {
        d.map(|x| x / length)
    } else {
        d
    }
}

/// True when floats prove that the origin is strictly inside the simplex of these differences, each rounded once.
///
/// With `M` the largest coordinate, each determinant that tells the origin's side of a facet has a permanent of at most
/// `6M³` (`2M²` in the plane), and Shewchuk's bound A of its error is below `8u` of that: below `64u·M³`.
pub fn surely_encloses(dim: usize, w: &[[f64; 3]]) -> bool {
    if w.len() != dim + 1 {
        return false;
    }
    let largest = w.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    let bound = 32.0
        * f64::EPSILON
        * if dim == 2 {
            largest * largest
        } else {
            largest * largest * largest
        };
    // Outside this range a product may have underflowed or overflowed.
    if !(bound > 1e-250 && bound < 1e250) {
        return false;
    }
    let parts = if dim == 2 {
        let turn = |a: [f64; 3], b: [f64; 3]| a[0] * b[1] - a[1] * b[0];
        [
            turn(w[1], w[2]),
            turn(w[2], w[0]),
            turn(w[0], w[1]),
            turn(w[1], w[2]),
        ]
    } else {
        let minors = |a: [f64; 3], b: [f64; 3]| {
            [
                a[1] * b[2] - a[2] * b[1],
                a[2] * b[0] - a[0] * b[2],
                a[0] * b[1] - a[1] * b[0],
            ]
        };
        let det = |a: [f64; 3], m: [f64; 3]| a[0] * m[0] + a[1] * m[1] + a[2] * m[2];
        let (last, first) = (minors(w[2], w[3]), minors(w[0], w[1]));
        [
            det(w[1], last),
            -det(w[0], last),
            det(w[3], first),
            -det(w[2], first),
        ]
    };
    parts.iter().all(|&x| x > bound) || parts.iter().all(|&x| x < -bound)
}

/// The plane of a triangle from pairs of floats; `None` where they know less than usual, or could know it without any error.
fn quick_plane(facet: &[Vertex]) -> Option<Plane> {
    let facet: &[Vertex; 3] = facet.try_into().ok()?;
    if !facet.iter().all(Vertex::is_plain) || formula::exact_in_floats(facet, 3) {
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
        blur: 2.0 * f64::EPSILON,
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
        let length = formula::dot(&n, &n).sqrt();
        let height = formula::dot(&n, &facet[0].difference());
        let norm = length.value().0;
        if let Some(offset) = height.quotient(&length) {
            let (lower, upper) = offset.interval();
            let sharp = n.iter().all(|x| x.error() <= norm * (f64::EPSILON / 64.0));
            if sharp && upper - lower <= 4.0 * f64::EPSILON * upper.abs().max(f64::MIN_POSITIVE) {
                return Plane {
                    normal: n.map(|x| x.value().0 / norm),
                    blur: 2.0 * f64::EPSILON,
                    lower,
                    upper,
                };
            }
        }
    }
    let [lower, upper] = nearest::plane_distance(&formula, &facet[0]);
    Plane {
        normal: unit(&formula),
        blur: 2.0 * f64::EPSILON,
        lower,
        upper,
    }
}

impl<A: Points + ?Sized, B: Points + ?Sized, S: Signs> Problem<'_, A, B, S> {
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

/// The length of the weighted combination of the vertices' differences, as an interval.
///
/// Weights are not negative, the largest is of the order of 1.
pub fn length(vertices: &[Vertex], weights: &[f64; 4]) -> [f64; 2] {
    let plain = vertices.iter().all(Vertex::is_plain) && in_range(weights.iter().copied());
    if plain {
        let zero = || Double::from_f64(0.0);
        let total = weights[..vertices.len()]
            .iter()
            .fold(zero(), |sum, &x| sum.plus(&Double::from_f64(x)));
        let mut sum = [zero(), zero(), zero()];
        for (v, &weight) in vertices.iter().zip(weights) {
            let w = v.difference::<Double>();
            sum = core::array::from_fn(|k| sum[k].plus(&w[k].times(&Double::from_f64(weight))));
        }
        if let Some(found) = formula::dot(&sum, &sum).sqrt().quotient(&total) {
            let (lower, upper) = found.interval();
            return [lower, upper];
        }
    }
    nearest::combination_length(vertices, weights)
}

/// The barycentric shares of the origin's projection on a facet's plane, to a few roundings; negative where it is outside.
pub fn shares(dim: usize, facet: &[Vertex]) -> Option<[f64; 3]> {
    let face = Nearest::new(dim, Simplex::new(&facet[..dim]));
    let fast = || {
        let parts = face.parts::<Double>()?;
        let total = parts[0].plus(&parts[1]).plus(&parts[2]);
        let share = |k: usize| {
            let share = parts[k].quotient(&total)?;
            (share.error() <= f64::EPSILON * share.value().0.abs().max(1.0))
                .then_some(share.value().0)
        };
        Some([share(0)?, share(1)?, share(2)?])
    };
    let plain = facet.iter().all(Vertex::is_plain);
    plain
        .then(fast)
        .flatten()
        .or_else(|| nearest::shares(&face.weights()))
}

impl Nearest {
    /// The formula of the direction from the origin to the face, `None` when the face's span contains the origin.
    pub fn direction<S: Signs>(&self, signs: &S) -> Option<Formula> {
        let v = self.vertices();
        if v.len() == self.dim() {
            let normal = normal(self.dim(), v);
            return match signs.sign(&normal, &Operand::Vertex(v[0])) {
                Ordering::Greater => Some(normal),
                Ordering::Less => Some(-normal),
                _ => None,
            };
        }
        match v {
            [a] => (!a.is_zero()).then(|| Shape::Point(*a).into()),
            [a, b] => Some(Shape::Edge([*a, *b]).into()),
            _ => None,
        }
    }

    /// The weights' numerators on a rung: those of an edge or a triangle.
    fn parts<N: Number>(&self) -> Option<[N; 3]> {
        match self.vertices() {
            [a, b] => {
                let (a, b) = (a.difference::<N>(), b.difference::<N>());
                let ab = core::array::from_fn(|k| b[k].minus(&a[k]));
                Some([
                    formula::dot(&b, &ab),
                    formula::dot(&a, &ab).negated(),
                    N::difference(0.0, 0.0),
                ])
            }
            [a, b, c] if self.dim() == 3 => {
                let n = Shape::Plane([*a, *b, *c]).vector::<N>();
                let [a, b, c] = [a, b, c].map(Vertex::difference::<N>);
                Some(
                    [(&b, &c), (&c, &a), (&a, &b)]
                        .map(|(p, q)| formula::dot(&n, &formula::cross(p, q))),
                )
            }
            _ => None,
        }
    }

    /// The weights' numerators as floats, when floats state them exactly.
    pub fn stated_weights(&self) -> Option<[f64; 4]> {
        let degree = if self.vertices().len() == 3 { 4 } else { 2 };
        match self.vertices() {
            [_] => Some([1.0, 0.0, 0.0, 0.0]),
            v if formula::exact_in_floats(v, degree) => {
                let [a, b, c] = self.parts::<Filter>()?.map(|x| x.value());
                Some([a, b, c, 0.0])
            }
            _ => None,
        }
    }

    /// The weights of the point nearest the origin as floats, each to a few roundings; `None` when there are none.
    pub fn rounded_weights(&self) -> Option<[f64; 4]> {
        let v = self.vertices();
        if v.len() == 1 {
            return Some([1.0, 0.0, 0.0, 0.0]);
        }
        let plain = v.iter().all(Vertex::is_plain);
        plain
            .then(|| self.double_weights())
            .flatten()
            .or_else(|| nearest::rounded(&self.weights()))
    }

    /// The weights from pairs of floats; `None` where they say too little, as on the thinnest slivers.
    fn double_weights(&self) -> Option<[f64; 4]> {
        let clamped = self.parts::<Double>()?.map(|x| {
            if x.value().0 > 0.0 {
                x
            } else {
                Double::from_f64(0.0)
            }
        });
        let total = clamped[0].plus(&clamped[1]).plus(&clamped[2]);
        let mut weights = [0.0; 4];
        for (slot, part) in weights.iter_mut().zip(clamped) {
            let share = part.quotient(&total)?;
            if share.error() > f64::EPSILON {
                return None;
            }
            let share = share.value().0;
            *slot = if share < LEAST_WEIGHT { 0.0 } else { share };
        }
        Some(weights)
    }

    /// The weighted points of A and of B, to a few roundings.
    pub fn points(&self, weights: &[f64; 4]) -> [[f64; 3]; 2] {
        let total: f64 = weights.iter().sum();
        [|v: &Vertex| v.a, |v: &Vertex| v.b].map(|point| {
            let mut sum = [0.0; 3];
            for (v, weight) in self.vertices().iter().zip(weights) {
                let (p, share) = (point(v), weight / total);
                sum = core::array::from_fn(|k| sum[k] + p[k] * share);
            }
            sum
        })
    }
}
