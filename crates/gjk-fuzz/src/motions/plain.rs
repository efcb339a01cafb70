//! An answer without a proof, held against the one with it.

use gjk::Vector;
use gjk::math::Scalar;
use gjk::query::{CastAnswer, Interval, Meeting};

/// How wide a time of polytopes may be in an answer without a proof, in parts of itself, beside the roundings of its scalar.
const PLAIN_TIME_WIDTH: f64 = 1.0 / (1u64 << 40) as f64;

/// How far bodies may be from the plane at the place where they meet, in roundings of the scalar of the largest number there.
const PLANE_ROUNDINGS: f64 = 1e3;

/// Holds an answer without a proof against the one with it.
pub(super) fn agrees<V: Vector>(
    proof: &CastAnswer<V>,
    plain: &CastAnswer<V>,
    points: Option<[&[[f64; 3]]; 2]>,
    velocities: [V; 2],
) -> Result<(), String> {
    let sharp = points.is_some();
    // What is decided within rounding may be decided otherwise.
    if !(proof.exact && plain.exact) {
        return Ok(());
    }
    let claims = |answer: &CastAnswer<V>| (answer.verdict, answer.grazing);
    if claims(proof) != claims(plain) {
        return Err(format!("without a proof: {plain:?}"));
    }
    // Each end is rounded outward, by less than two roundings.
    let rounding = 4.0 * V::Scalar::ROUNDING.to_f64();
    let holds = |exact: Option<Interval<V::Scalar>>, found: Option<Interval<V::Scalar>>| {
        let (Some(exact), Some(found)) = (exact, found) else {
            return exact == found;
        };
        let size = Scalar::max(Scalar::abs(found.lower), Scalar::abs(found.upper)).to_f64();
        let width = found.upper.to_f64() - found.lower.to_f64();
        let around = found.lower <= exact.lower && exact.upper <= found.upper;
        // A time beyond the largest float has an infinite end.
        around && (!(width > size * (PLAIN_TIME_WIDTH + rounding)) || found == exact)
    };
    if sharp && !(holds(proof.time, plain.time) && holds(proof.exit, plain.exit)) {
        return Err(format!("without a proof the time is another: {plain:?}"));
    }
    match points {
        Some(points) if plain.verdict == Meeting::Hits && !supports(plain, points, velocities) => {
            Err(format!("without a proof the normal is none: {plain:?}"))
        }
        _ => Ok(()),
    }
}

/// Whether the plane of the contact has the bodies on its two sides, but for rounding.
fn supports<V: Vector>(
    plain: &CastAnswer<V>,
    points: [&[[f64; 3]]; 2],
    velocities: [V; 2],
) -> bool {
    let (Some(time), Some(normal)) = (plain.time, plain.normal) else {
        return false;
    };
    let (time, normal) = (time.upper.to_f64(), normal.to_f64());
    let (mut largest, mut fastest) = (0.0f64, 1.0f64);
    let mut height = |x: &[f64; 3], v: [f64; 3]| -> f64 {
        let place: [f64; 3] = std::array::from_fn(|k| x[k] + time * v[k]);
        let sizes = (0..3).map(|k| x[k].abs() + (time * v[k]).abs());
        largest = sizes.fold(largest, f64::max);
        fastest = v.iter().fold(fastest, |most, x| most.max(x.abs()));
        (0..3).map(|k| normal[k] * place[k]).sum()
    };
    let [a, b] = velocities.map(Vector::to_f64);
    let highest = points[0]
        .iter()
        .map(|x| height(x, a))
        .fold(f64::MIN, f64::max);
    let lowest = points[1]
        .iter()
        .map(|x| height(x, b))
        .fold(f64::MAX, f64::min);
    let gap = (lowest - highest).abs();
    // Numbers near the ends of the range say nothing; a time may be off by the least float.
    let rounding =
        (V::Scalar::ROUNDING.to_f64() * largest).max(V::Scalar::TINIEST.to_f64() * fastest);
    !gap.is_finite() || gap <= PLANE_ROUNDINGS * rounding
}
