//! A case of any family, all of it times a power of two: no answer may depend on the unit of length.

use super::by_power;
use crate::case::{Body, Case, Form, Placement};
use crate::rng::Rng;

/// The least and the greatest power of two that a scalar holds, and the bits of its significand.
struct Range {
    lowest: i32,
    highest: i32,
    bits: i32,
}

const SINGLE: Range = Range {
    lowest: -149,
    highest: 127,
    bits: 24,
};
const DOUBLE: Range = Range {
    lowest: -1074,
    highest: 1023,
    bits: 53,
};

/// So many powers of two are left above the largest number: distances and sums of a few coordinates stay finite.
const ROOM: i32 = 5;

/// Multiplies all lengths by a power of two by which they stay exact.
pub(super) fn scale_anywhere(rng: &mut Rng, case: &mut Case) {
    let Range {
        lowest,
        highest,
        bits,
    } = if case.single { SINGLE } else { DOUBLE };
    let [least, most] = magnitudes(case);
    if most == 0.0 {
        return;
    }
    // Rounding of the places in the world is the same as long as none is subnormal.
    let least_bit = exponent(least) - (bits - 1);
    let (low, high) = (lowest - least_bit, highest - ROOM - exponent(most));
    if low >= high {
        return;
    }
    let far = rng.int(low.into(), high.into());
    let near_low = (low + bits).min(high);
    let power = rng.pick(&[far, far, low.into(), near_low.into(), high.into()]) as i32;
    let scaled = |x: &mut f64| *x = by_power(*x, power);
    case.a.for_each_length(scaled);
    case.b.for_each_length(scaled);
    if let Some([lower, upper]) = &mut case.known_distance {
        *lower = by_power(*lower, power).next_down();
        *upper = by_power(*upper, power).next_up();
    }
}

/// The exponent of the power of two that is next below.
fn exponent(x: f64) -> i32 {
    x.log2().floor() as i32
}

/// The least and the largest magnitude of all numbers that are not zero: lengths, and all that a place in the world is a sum of.
fn magnitudes(case: &Case) -> [f64; 2] {
    let [mut least, mut most] = [f64::INFINITY, 0.0_f64];
    let mut take = |x: f64| {
        let x = x.abs();
        if x > 0.0 {
            (least, most) = (least.min(x), most.max(x));
        }
    };
    for body in [&case.a, &case.b] {
        body.clone().for_each_length(|x| take(*x));
        let columns = body.pose.map_or(Placement::STRAIGHT, |pose| pose.columns);
        for point in extreme_points(body) {
            for (x, column) in point.into_iter().zip(columns) {
                column.into_iter().for_each(|c| take(c * x));
            }
            body.world(point).into_iter().for_each(&mut take);
        }
    }
    [least, most]
}

/// The points of a body, or of a smooth one the corner of its box.
fn extreme_points(body: &Body) -> Vec<[f64; 3]> {
    match body.form {
        Form::Cylinder(half, radius, _) | Form::Cone(half, radius, _) => {
            vec![[half.max(radius); 3]]
        }
        Form::Ellipsoid(radii) => vec![radii],
        _ => body.points.clone(),
    }
}
