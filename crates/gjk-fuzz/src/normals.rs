//! The normal of an answer: a plane across it keeps the bodies apart, or B moved along it by the depth is.
//!
//! Where it sits: `judge.rs` hands an answer on. Read [`examine`].
//! Idea: the bodies' heights along the normal say how far apart they are there, and no interval's lower end may say much more.

use crate::case::{Body, Case};
use crate::families::by_power;
use crate::known::{Fault, Kind, fault};
use crate::oracle::smooth;
use gjk::Vector;
use gjk::math::Scalar;
use gjk::query::Interval;

/// A normal is as the scalar rounds it: the bodies' heights along it are within so many roundings of their sizes.
const NORMAL_ROUNDINGS: f64 = 64.0;

/// The normal of the default query is off by the root of what its numbers may be: along it the bodies are apart by less, by up to this part.
const NORMAL_LOSS: f64 = 1.0 / 1024.0;

/// Sizes beyond these powers of two are brought to one, so that the squares of a height are floats. The others are as they are.
const NORMAL_POWERS: i32 = 256;

/// The least positive number, by which heights that small are rounded.
const TINIEST: f64 = f64::from_bits(1);

/// Holds the normal of an answer against the bodies' heights along it. The answer is of this name, and the bodies are of this size.
pub(crate) fn examine<V: Vector>(
    case: &Case,
    name: &str,
    normal: V,
    interval: &Interval<V::Scalar>,
    size: f64,
    faults: &mut Vec<Fault>,
) {
    let power = if size > 0.0 { size.log2() as i32 } else { 0 };
    // Vertices of hulls are as the world rounds them, and their heights have no squares.
    let squared = case.a.form.is_smooth() || case.b.form.is_smooth();
    let power = if squared && power.abs() > NORMAL_POWERS {
        power
    } else {
        0
    };
    let [lower, upper, size] =
        [interval.lower.to_f64(), interval.upper.to_f64(), size].map(|x| by_power(x, -power));
    let normal = normal.to_f64();
    let apart = if power == 0 {
        smooth::apart_along([&case.a, &case.b], normal)
    } else {
        let scaled = |body: &Body| {
            let mut body = body.clone();
            body.for_each_length(|x| *x = by_power(*x, -power));
            body
        };
        smooth::apart_along([&scaled(&case.a), &scaled(&case.b)], normal)
    };
    let (_, apart) = apart.interval();
    let rounding = NORMAL_ROUNDINGS * (V::Scalar::ROUNDING.to_f64() * size + TINIEST);
    if apart < lower - (NORMAL_LOSS * lower.abs()).max(upper - lower) - rounding {
        let message = format!(
            "{name}: along the normal {normal:?} the bodies are {apart:?} apart, not {lower:?}, in units of 2^{power}"
        );
        faults.push(fault(Kind::Interval, message));
    }
}
