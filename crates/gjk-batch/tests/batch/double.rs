//! The signed distance of two round bodies in twice the digits: an oracle that is no closed form of the library's.
//!
//! A core is a centre and generators, and so is the difference of two: `c + Σ sₖgₖ`, `|sₖ| ≤ 1`. Its point nearest the origin has
//! some parts at an end and the others where the gradient is zero: all 3ⁿ choices are tried. Inside, the least height over all
//! products of two generators is the depth.

use super::scenes::Scene;
use core::cmp::Ordering;
use core::ops::{Add, Div, Mul, Neg, Sub};
use gjk::shape::Shape;
use gjk::{Pose, Scalar, Support};
use gjk_batch::{Answer, Body, Pair};

/// A sum of two floats; operations are off by some 2⁻¹⁰⁰.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Double(f64, f64);

pub(crate) type Vector = [Double; 3];

const ZERO: Double = Double(0.0, 0.0);
const ONE: Double = Double(1.0, 0.0);

fn two_sum(a: f64, b: f64) -> Double {
    let sum = a + b;
    let part = sum - a;
    Double(sum, (a - (sum - part)) + (b - part))
}

impl Double {
    pub(crate) fn sqrt(self) -> Self {
        if self.0 <= 0.0 {
            return ZERO;
        }
        let root = Double(self.0.sqrt(), 0.0);
        root + (self - root * root) / (root + root)
    }
    pub(crate) fn abs(self) -> Self {
        if self.0 < 0.0 { -self } else { self }
    }
    pub(crate) fn to_f64(self) -> f64 {
        self.0
    }
}

impl From<f64> for Double {
    fn from(x: f64) -> Self {
        Double(x, 0.0)
    }
}

impl PartialEq for Double {
    fn eq(&self, o: &Self) -> bool {
        self.0 == o.0 && self.1 == o.1
    }
}

impl PartialOrd for Double {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        (self.0, self.1).partial_cmp(&(o.0, o.1))
    }
}

impl Add for Double {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        let Double(high, low) = two_sum(self.0, o.0);
        let Double(rest, last) = two_sum(self.1, o.1);
        let Double(high, low) = two_sum(high, low + rest);
        two_sum(high, low + last)
    }
}

impl Neg for Double {
    type Output = Self;
    fn neg(self) -> Self {
        Double(-self.0, -self.1)
    }
}

impl Sub for Double {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Mul for Double {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let high = self.0 * o.0;
        two_sum(
            high,
            self.0.mul_add(o.0, -high) + (self.0 * o.1 + self.1 * o.0),
        )
    }
}

impl Div for Double {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let first = Double(self.0 / o.0, 0.0);
        let rest = self - o * first;
        first + Double(rest.0 / o.0, 0.0)
    }
}

pub(crate) fn dot(a: Vector, b: Vector) -> Double {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn plus(a: Vector, b: Vector, part: Double) -> Vector {
    core::array::from_fn(|k| a[k] + b[k] * part)
}

pub(crate) fn wide(x: [f64; 3]) -> Vector {
    x.map(Double::from)
}

/// The parts of the free generators where the gradient is zero; nothing where they are dependent.
fn stationary(at: Vector, free: &[Vector]) -> Option<Vec<Double>> {
    let n = free.len();
    let mut rows: Vec<Vec<Double>> = (0..n)
        .map(|i| {
            (0..n)
                .map(|j| dot(free[i], free[j]))
                .chain([-dot(free[i], at)])
                .collect()
        })
        .collect();
    for i in 0..n {
        let pivot = rows[i][i];
        if pivot <= dot(free[i], free[i]) * Double(1e-24, 0.0) {
            return None;
        }
        for j in (0..n).filter(|&j| j != i) {
            let factor = rows[j][i] / pivot;
            rows[j] = rows[j]
                .iter()
                .zip(&rows[i])
                .map(|(&x, &y)| x - factor * y)
                .collect();
        }
    }
    Some((0..n).map(|i| rows[i][n] / rows[i][i]).collect())
}

/// The point of `center + Σ sₖgₖ` nearest the origin.
pub(crate) fn nearest(center: Vector, generators: &[Vector]) -> Vector {
    let mut best = wide([f64::MAX.sqrt(), 0.0, 0.0]);
    for choice in 0..3usize.pow(generators.len() as u32) {
        let (mut at, mut free) = (center, Vec::new());
        for (k, &g) in generators.iter().enumerate() {
            match choice / 3usize.pow(k as u32) % 3 {
                0 => free.push(g),
                1 => at = plus(at, g, ONE),
                _ => at = plus(at, g, -ONE),
            }
        }
        let Some(parts) = stationary(at, &free) else {
            continue;
        };
        if parts.iter().all(|part| part.abs() <= ONE) {
            for (&g, &part) in free.iter().zip(&parts) {
                at = plus(at, g, part);
            }
            best = if dot(at, at) < dot(best, best) {
                at
            } else {
                best
            };
        }
    }
    best
}

/// The least height of the origin in the zonotope; negative outside, nothing without an interior.
fn depth(center: Vector, generators: &[Vector]) -> Option<Double> {
    let mut best: Option<Double> = None;
    for i in 0..generators.len() {
        for j in 0..i {
            let (u, v) = (generators[i], generators[j]);
            let normal = cross(u, v);
            let square = dot(normal, normal);
            if square <= dot(u, u) * dot(v, v) * Double(1e-40, 0.0) {
                continue;
            }
            let reach = generators
                .iter()
                .fold(ZERO, |sum, &g| sum + dot(normal, g).abs());
            let height = (reach - dot(normal, center).abs()) / square.sqrt();
            if best.is_none_or(|best| height < best) {
                best = Some(height);
            }
        }
    }
    best.filter(|_| generators.len() >= 3)
}

/// The signed distance of two cores whose difference this is.
pub(crate) fn signed_distance(center: Vector, generators: &[Vector]) -> Double {
    match depth(center, generators) {
        Some(depth) if depth > ZERO => -depth,
        _ => {
            let point = nearest(center, generators);
            dot(point, point).sqrt()
        }
    }
}

/// A core in twice the digits, and its radius.
pub(crate) struct Core {
    pub(crate) center: Vector,
    pub(crate) generators: Vec<Vector>,
    pub(crate) radius: f64,
}

/// `None` for other shapes, for maps that keep no ball round, and in the plane.
pub(crate) fn core<V: gjk::Vector>(scene: &Scene<V>, body: Body) -> Option<Core> {
    if V::DIM == 2 {
        return None;
    }
    let (shape, pose): (&Shape<_>, &Pose<_>) =
        (scene.shapes.get(body.shape)?, scene.poses.get(body.pose)?);
    let extent = gjk::Vector::to_f64(shape.core().extent);
    let count = match shape {
        Shape::Ball(_) => 0,
        Shape::Capsule(_) => 1,
        Shape::Cuboid(_) => 3,
        _ => return None,
    };
    let generators = (0..3).filter(|&k| extent[k] > 0.0).map(|k| {
        let column = pose.columns()[k].to_f64();
        column.map(|x| Double::from(x) * extent[k].into())
    });
    let radius = if count == 3 {
        0.0
    } else {
        shape.core().radius * pose.uniform_scale()?.to_f64()
    };
    let generators: Vec<Vector> = generators.collect();
    assert_eq!(generators.len(), count);
    Some(Core {
        center: wide(pose.translation().to_f64()),
        generators,
        radius,
    })
}

/// The difference of two cores.
pub(crate) fn difference(a: &Core, b: &Core) -> (Vector, Vec<Vector>) {
    let center = core::array::from_fn(|k| b.center[k] - a.center[k]);
    (
        center,
        a.generators.iter().chain(&b.generators).copied().collect(),
    )
}

/// The signed distance of two cores less the radii.
pub(crate) fn truth(a: &Core, b: &Core) -> Double {
    let (center, generators) = difference(a, b);
    signed_distance(center, &generators) - a.radius.into() - b.radius.into()
}

pub(crate) fn size(core: &Core) -> f64 {
    let sum = |v: &Vector| v.iter().map(|x| x.to_f64().abs()).sum::<f64>();
    core.generators.iter().map(sum).sum::<f64>() + sum(&core.center) + core.radius
}

/// Of the centre's coordinates, the sum.
pub(crate) fn place(core: &Core) -> f64 {
    core.center.iter().map(|x| x.to_f64().abs()).sum()
}

/// An answer's interval.
pub(crate) fn bounds<V: gjk::Vector>(answer: &Answer<V>) -> [Double; 2] {
    [answer.interval.lower, answer.interval.upper].map(|x| Double::from(x.to_f64()))
}

/// Whether the interval of a lane's answer for round bodies misses the truth; `single` is the single query's answer.
#[allow(dead_code)] // for the library's own tests
pub(crate) fn misses<V: gjk::Vector>(
    scene: &Scene<V>,
    pair: Pair,
    answer: &Answer<V>,
    single: &Answer<V>,
) -> bool {
    let (Some(a), Some(b)) = (core(scene, pair.a), core(scene, pair.b)) else {
        return false;
    };
    if answer == single || a.radius + b.radius == 0.0 {
        return false;
    }
    let ([lower, upper], truth) = (bounds(answer), truth(&a, &b));
    !(lower <= truth && truth <= upper)
}

#[test]
fn the_oracle_knows_what_is_known() {
    let v = |x, y, z| wide([x, y, z]);
    let axes = [v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0), v(0.0, 0.0, 1.0)];
    let near =
        |x: Double, y: f64| assert!((x - y.into()).abs().to_f64() < 1e-25, "{x:?} is not {y}");
    near(signed_distance(v(3.0, 4.0, 0.0), &[]), 5.0);
    near(signed_distance(v(4.0, 5.0, 0.0), &axes), 5.0);
    near(signed_distance(v(0.0, 0.0, 0.25), &axes), -0.75);
    // Crossing segments; then a segment that comes out of a box.
    near(signed_distance(v(0.5, 0.5, 0.0), &axes[..2]), 0.0);
    near(
        signed_distance(
            v(0.0, 0.0, 0.5),
            &[axes[0], axes[1], axes[2], v(0.0, 0.0, 2.0)],
        ),
        -1.0,
    );
    assert!(
        (Double::from(2.0).sqrt() * Double::from(2.0).sqrt() - 2.0.into())
            .abs()
            .to_f64()
            < 1e-30
    );
}
