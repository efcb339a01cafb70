//! How the signed distance of polytopes that touch changes along a motion: from outside, and from inside.
//!
//! Where it sits: beside `rate.rs`, whose velocities it takes. `solve.rs` asks it where the cores touch.
//! Idea: let `x` be a common point. The directions along which no point of A is above it, and none of B below, are a cone: those that keep the gap at zero. Its edges
//! are the normals of the facets of the difference that hold the origin. Bodies that part have the nearest points of the whole cone, so that the best of its unit directions
//! counts; bodies that overlap leave through a facet, so that the best edge does. Along a direction the rate is the least of the points that both have in common.
//! Integers find the cone: its edges are products of two differences of points, with none beyond. The common point is that of the contact's certificate.

use super::highest::Highest;
use super::level::common;
use super::rate::Velocities;
use crate::answer::Combination;
use crate::math::triple::{Triple, dot, length, plus, subtract};
use crate::math::{Interval, Scalar, Vector};
use crate::rounding::UNIT_ROUNDOFF;
use alloc::vec::Vec;
use gjk_exact::{Int, Int3, integer};

/// Bodies of more vertices together are not asked: the work is the cube of their number.
const VERTICES_MAX: usize = 96;

/// What a direction of a cone costs in roundings of the largest velocity, beside the rate itself: two products, a sum, a length and a quotient.
const CONE_ROUNDINGS: f64 = 64.0;

/// How the signed distance of touching bodies changes, from now on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchingRate<S: Scalar> {
    /// As bodies that part: the limit of the rates of bodies that are apart. It is the one-sided derivative.
    pub outside: Interval<S>,
    /// As bodies that go deeper: the limit of the rates of bodies that overlap. At most that of outside.
    pub inside: Interval<S>,
}

/// What is known of a touch, in the scaled world.
pub(super) struct TouchCone {
    /// The edges of the cone, unit.
    edges: Vec<Triple>,
    /// Unit directions that no direction of the cone is along: the cone is where all inner products with them are not positive.
    beyond: Vec<Triple>,
    /// The corners of what both bodies have in common.
    region: Vec<Triple>,
    /// What they may be off.
    error: f64,
}

/// The vertices around a common point, in integers.
struct Around {
    dim: usize,
    /// From it to the vertices of A, and from those of B to it, times that sum.
    steps: [Vec<Int3>; 2],
}

impl Around {
    fn new(dim: usize, points: [&[Triple]; 2], nearest: &Combination) -> Option<Self> {
        let all = points.iter().flat_map(|all| all.iter().flatten());
        let grid = integer::grid_of(all.copied());
        let place = |k: usize, id: u32| {
            let vertex = points[k].get(id as usize)?;
            Some(vertex.map(|x| integer::on_grid(x, grid)))
        };
        let weights = nearest.weights.exact();
        let sum = weights.iter().fold(Int::ZERO, |sum, weight| sum + weight);
        if sum <= Int::ZERO || weights.len() != nearest.pairs.len() {
            return None;
        }
        let combined = |k: usize| {
            let mut found = [Int::ZERO, Int::ZERO, Int::ZERO];
            for (pair, weight) in nearest.pairs.iter().zip(&weights) {
                let part = integer::scale(&place(k, pair[k])?, weight);
                found = integer::sub(&found, &integer::neg(&part));
            }
            Some(found)
        };
        let (point, other) = (combined(0)?, combined(1)?);
        if point != other {
            return None;
        }
        let step = |k: usize, id: usize| {
            let from = integer::sub(&integer::scale(&place(k, id as u32)?, &sum), &point);
            Some(if k == 0 { from } else { integer::neg(&from) })
        };
        let steps = |k: usize| {
            let ids = 0..points[k].len();
            ids.map(|id| step(k, id)).collect::<Option<Vec<Int3>>>()
        };
        Some(Self {
            dim,
            steps: [steps(0)?, steps(1)?],
        })
    }

    fn all(&self) -> Vec<&Int3> {
        let steps = self.steps.iter().flatten();
        steps.filter(|step| !integer::is_zero(step)).collect()
    }

    /// The edges of the cone; `None` where it holds a direction and its opposite, or has none.
    fn edges(&self) -> Option<Vec<Int3>> {
        let all = self.all();
        let up = [Int::ZERO, Int::ZERO, Int::ONE];
        let others: Vec<&Int3> = if self.dim == 2 {
            [&up].into()
        } else {
            all.clone()
        };
        let mut found: Vec<Int3> = Vec::new();
        for (k, first) in all.iter().enumerate() {
            let from = if self.dim == 2 { 0 } else { k + 1 };
            for second in &others[from..] {
                let normal = integer::cross(first, second);
                if integer::is_zero(&normal) {
                    continue;
                }
                let signs = || all.iter().map(|step| integer::dot(&normal, step));
                let (above, below) = (
                    signs().any(|x| x > Int::ZERO),
                    signs().any(|x| x < Int::ZERO),
                );
                let edge = match (above, below) {
                    (true, true) => continue,
                    (false, false) => return None,
                    (false, true) => normal,
                    (true, false) => integer::neg(&normal),
                };
                let is_known = |other: &Int3| {
                    integer::is_zero(&integer::cross(other, &edge))
                        && integer::dot(other, &edge) > Int::ZERO
                };
                if !found.iter().any(is_known) {
                    found.push(edge);
                }
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// The vertices of a body that are level with the common point along all of some directions.
    fn level(&self, body: usize, normals: &[Int3]) -> Highest {
        let steps = self.steps[body].iter().enumerate();
        let is_level = |step: &Int3| {
            let height = |normal: &Int3| integer::dot(normal, step);
            normals.iter().all(|normal| height(normal) == Int::ZERO)
        };
        let level = steps.filter(|(_, step)| is_level(step));
        level.map(|(id, _)| id as u32).collect()
    }

    /// Whether all of some vertices of a body are on one line.
    fn is_line(&self, body: usize, ids: &[u32]) -> bool {
        let step = |k: usize| {
            let at = |id: u32| &self.steps[body][id as usize];
            integer::sub(at(ids[k]), at(ids[0]))
        };
        let mut steps = (1..ids.len()).map(step).filter(|x| !integer::is_zero(x));
        let Some(first) = steps.next() else {
            return true;
        };
        steps.all(|x| integer::is_zero(&integer::cross(&first, &x)))
    }
}

impl TouchCone {
    /// Of cores that touch, by the certificate's common point; `None` where one of them has too many vertices, or their difference has no inner points.
    pub(super) fn new(dim: usize, points: [&[Triple]; 2], nearest: &Combination) -> Option<Self> {
        if points[0].len() + points[1].len() > VERTICES_MAX {
            return None;
        }
        let around = Around::new(dim, points, nearest)?;
        let normals = around.edges()?;
        let unit = |x: &Int3| {
            let x = integer::to_float(x);
            let size = length(x);
            x.map(|c| c / size)
        };
        let edges: Vec<Triple> = normals.iter().map(unit).collect();
        let (region, error) = around.region(points, (&normals, &edges), nearest)?;
        Some(Self {
            beyond: around.all().into_iter().map(unit).collect(),
            edges,
            region,
            error,
        })
    }

    /// The rates from outside and from inside.
    pub(super) fn rates<V: Vector>(
        &self,
        velocities: &Velocities<'_, V>,
        exponent: i32,
    ) -> Option<TouchingRate<V::Scalar>> {
        let (mut moves, mut terms) = (Vec::new(), 0.0);
        for corner in &self.region {
            let place = corner.map(|x| x.scale_by_power(-exponent));
            let found = velocities.relative(place, self.error.scale_by_power(-exponent));
            moves.push(found.0);
            terms = if found.1 > terms { found.1 } else { terms };
        }
        let error = CONE_ROUNDINGS * UNIT_ROUNDOFF * terms;
        let inside = most(self.edges.iter().map(|edge| least(*edge, &moves)));
        let [low, high] = self.outside(&moves, inside, error);
        let stated = |low: f64, high: f64| {
            let (below, above) = (low - error, high + error);
            (below.is_finite() && above.is_finite()).then(|| Interval {
                lower: V::Scalar::round_down(below),
                upper: -V::Scalar::round_down(-above),
            })
        };
        Some(TouchingRate {
            outside: stated(low, high)?,
            inside: stated(inside, inside)?,
        })
    }

    /// The best rate of all unit directions of the cone: in one of its edges, between two of them, or the velocity's own.
    fn outside(&self, moves: &[Triple], inside: f64, error: f64) -> [f64; 2] {
        let mut best = inside;
        for (k, first) in self.edges.iter().enumerate() {
            for second in &self.edges[k + 1..] {
                for direction in between(*first, *second, moves) {
                    best = most([best, least(direction, moves)].into_iter());
                }
            }
        }
        let [only] = moves else { return [best; 2] };
        let size = length(*only);
        if self.edges.len() < 3 {
            return [best; 2];
        }
        let farthest = most(self.beyond.iter().map(|step| dot(*step, *only)));
        if farthest <= -error {
            [size; 2]
        } else if farthest > error {
            [best; 2]
        } else {
            [best, most([best, size].into_iter())]
        }
    }
}

impl Around {
    /// The corners of what both bodies have in common, and what they may be off.
    fn region(
        &self,
        points: [&[Triple]; 2],
        (normals, edges): (&[Int3], &[Triple]),
        nearest: &Combination,
    ) -> Option<(Vec<Triple>, f64)> {
        let ids = [0, 1].map(|body| self.level(body, normals));
        if let Some(body) = ids.iter().position(|ids| ids.len() == 1) {
            return Some(([points[body][ids[body][0] as usize]].into(), 0.0));
        }
        let lines = [0, 1].map(|body| self.is_line(body, &ids[body]));
        let is_flat = normals.len() == 1;
        let crosses = is_flat && self.dim == 3 && lines == [true; 2];
        if crosses || normals.len() > 2 || !is_flat && self.dim == 2 {
            return Some((
                [place(points[0], nearest)?].into(),
                COMMON_POINT_ROUNDINGS * UNIT_ROUNDOFF,
            ));
        }
        let all = ids.each_ref().map(|ids| &ids[..]);
        if is_flat {
            let level = common(self.dim, edges[0], points, all)?;
            return Some((level.corners, level.error));
        }
        Some((shared(points, all), 0.0))
    }
}

/// What the place of a common point may be off, in roundings: products and sums of coordinates up to 2.
const COMMON_POINT_ROUNDINGS: f64 = 16.0;

/// The common point on A.
fn place(points: &[Triple], nearest: &Combination) -> Option<Triple> {
    let shares = nearest.weights.shares()?;
    let mut place = [0.0; 3];
    for (pair, share) in nearest.pairs.iter().zip(shares) {
        place = plus(place, *points.get(pair[0] as usize)?, share);
    }
    Some(place)
}

/// The ends of what two edges on one line have in common.
fn shared(points: [&[Triple]; 2], ids: [&[u32]; 2]) -> Vec<Triple> {
    let at = |body: usize, id: u32| points[body][id as usize];
    let from = at(0, ids[0][0]);
    let far = ids[0].iter().map(|&id| subtract(at(0, id), from));
    let along = far.fold([0.0; 3], |m, x| if length(x) > length(m) { x } else { m });
    let ends = |body: usize| {
        let places = ids[body].iter().map(|&id| at(body, id));
        let height = |x: &Triple| dot(*x, along);
        let low = places
            .clone()
            .min_by(|x, y| height(x).total_cmp(&height(y)));
        let high = places.max_by(|x, y| height(x).total_cmp(&height(y)));
        [low.unwrap_or(from), high.unwrap_or(from)]
    };
    let ([low_a, high_a], [low_b, high_b]) = (ends(0), ends(1));
    let height = |x: Triple| dot(x, along);
    let low = if height(low_a) > height(low_b) {
        low_a
    } else {
        low_b
    };
    let high = if height(high_a) < height(high_b) {
        high_a
    } else {
        high_b
    };
    [low, high].into()
}

/// The unit directions between two edges of a cone that may be best: along a velocity, or where those of both ends are as good.
fn between(first: Triple, second: Triple, moves: &[Triple]) -> Vec<Triple> {
    let cosine = dot(first, second);
    let mut found = Vec::new();
    let mut add = |parts: [f64; 2]| {
        let sum = plus(first.map(|x| x * parts[0]), second, parts[1]);
        let size = length(sum);
        if parts.iter().all(|&part| part > 0.0) && size > 0.0 {
            found.push(sum.map(|x| x / size));
        }
    };
    for moved in moves {
        let [p, q] = [dot(first, *moved), dot(second, *moved)];
        // The part of the velocity in the plane of both, times the square of their sine.
        add([p - cosine * q, q - cosine * p]);
    }
    if let [one, other] = moves {
        let apart = subtract(*one, *other);
        let [p, q] = [dot(first, apart), dot(second, apart)];
        add([q, -p]);
        add([-q, p]);
    }
    found
}

/// The least rate of some velocities along a direction.
fn least(direction: Triple, moves: &[Triple]) -> f64 {
    let rates = moves.iter().map(|moved| dot(direction, *moved));
    rates.fold(f64::INFINITY, |m, x| if x < m { x } else { m })
}

fn most(rates: impl Iterator<Item = f64>) -> f64 {
    rates.fold(f64::NEG_INFINITY, |m, x| if x > m { x } else { m })
}
