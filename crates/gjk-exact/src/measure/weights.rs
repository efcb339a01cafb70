//! The weights of a face's vertices that make its point nearest the origin, and the length that weights make.

use super::facet::normal;
use crate::direction::{self, DirectionKind, Operand, SymbolicDirection};
use crate::nearest::{self, Nearest};
use crate::number::{Double, Filter, Number, in_range};
use crate::sign::SignOracle;
use crate::solver::Simplex;
use crate::vertex::{self, Vertex};
use core::cmp::Ordering;

/// Weights below this part of the whole are dropped, so that products of weights stay on [`Double`]'s grid.
const LEAST_WEIGHT: f64 = 1.0 / (1u128 << 90) as f64;

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
        if let Some(found) = direction::dot(&sum, &sum).sqrt().quotient(&total) {
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
    pub fn direction<S: SignOracle>(&self, signs: &S) -> Option<SymbolicDirection> {
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
            [a] => (!a.is_zero()).then(|| DirectionKind::Point(*a).into()),
            [a, b] => Some(DirectionKind::Edge([*a, *b]).into()),
            _ => None,
        }
    }

    /// The weights' numerators on a stage: those of an edge or a triangle.
    fn parts<N: Number>(&self) -> Option<[N; 3]> {
        match self.vertices() {
            [a, b] => {
                let (a, b) = (a.difference::<N>(), b.difference::<N>());
                let ab = core::array::from_fn(|k| b[k].minus(&a[k]));
                Some([
                    direction::dot(&b, &ab),
                    direction::dot(&a, &ab).negated(),
                    N::difference(0.0, 0.0),
                ])
            }
            [a, b, c] if self.dim() == 3 => {
                let n = DirectionKind::Plane([*a, *b, *c]).vector::<N>();
                let [a, b, c] = [a, b, c].map(Vertex::difference::<N>);
                Some(
                    [(&b, &c), (&c, &a), (&a, &b)]
                        .map(|(p, q)| direction::dot(&n, &direction::cross(p, q))),
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
            v if vertex::exact_in_floats(v, degree) => {
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
