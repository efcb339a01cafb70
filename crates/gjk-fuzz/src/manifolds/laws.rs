//! Other questions that have the same answer.

use super::oracle::{ExpectedPolygon, Gauge};
use super::{AskedPair, ManifoldCase, ManifoldTally};
use crate::case::{Body, Form};
use gjk::math::Scalar;
use gjk::query::{
    Manifold, ManifoldCache, ManifoldOptions, ManifoldPoint, manifold, manifold_warm,
};
use gjk::{Pose, Vector};
use gjk_query::convert::Space as QuerySpace;
use std::collections::BTreeSet;

/// Powers of two by which a pair is scaled.
const NEAR_POWERS: [i32; 2] = [-5, 9];

/// Others, of `f32` and of `f64`.
const FAR_POWERS: [[i32; 2]; 2] = [[-60, 60], [-600, 500]];

/// Where the second body goes, one after the other.
const WARM_STEPS: [f64; 8] = [0.0, 1e-9, 1e-3, -1e-3, -1e-3, 0.0, 0.0, 0.03];

/// The motion that changes no name where nothing is near.
const SMALL_MOTION: f64 = 1e-9;

fn ids<V: Vector>(found: &Manifold<V>) -> BTreeSet<u64> {
    found.points.iter().map(|point| point.id).collect()
}

/// Holds a manifold against those of other questions.
#[allow(clippy::too_many_arguments)] // what is known of one case
pub(super) fn hold<V: QuerySpace>(
    case: &ManifoldCase,
    pair: &AskedPair<V>,
    few: &ManifoldOptions<V::Scalar>,
    found: &Manifold<V>,
    gauge: &Gauge,
    expected: &ExpectedPolygon,
    tally: &mut ManifoldTally,
) -> Result<(), String> {
    let all = few.with_all_points();
    let [a, b] = case.bodies.clone();
    let exchanged = AskedPair::<V>::of(&[b, a]).ok_or("exchanged bodies are refused")?;
    let other = exchanged.ask(&all);
    let opposite = (other.contact.normal + found.contact.normal)
        .norm()
        .to_f64()
        <= gauge.band;
    let of = |point: &ManifoldPoint<V>| found.exchanged_id(point);
    let names: BTreeSet<u64> = found.points.iter().map(of).collect();
    // Of two nearest faces contact may choose either.
    if opposite && !expected.at_band && ids(&other) != names {
        return Err(format!(
            "exchanged: {:?}, and {:?}",
            other.points, found.points
        ));
    }
    scaled(case, &all, found, gauge, expected)?;
    turned(pair, &all, found, gauge, expected)?;
    renumbered(case, &all, found, gauge, expected)?;
    warm(pair, [few, &all])?;
    moved(pair, &all, found, expected, tally)
}

/// Everything times a power of two: the same bits but for the exponent. Far from one, where other ways lead to the contact: the same names along the same normal.
fn scaled<V: QuerySpace>(
    case: &ManifoldCase,
    all: &ManifoldOptions<V::Scalar>,
    found: &Manifold<V>,
    gauge: &Gauge,
    expected: &ExpectedPolygon,
) -> Result<(), String> {
    let is_double = V::Scalar::NAME == "f64";
    for power in NEAR_POWERS
        .into_iter()
        .chain(FAR_POWERS[usize::from(is_double)])
    {
        let factor = f64::exp2(power.into());
        let pair = AskedPair::<V>::of(&case.bodies.each_ref().map(|body| grown(body, factor)))
            .ok_or("scaled bodies are refused")?;
        let options = all.with_prediction(V::Scalar::from_f64(case.prediction * factor));
        let other = pair.ask(&options);
        let same_bits = |(x, y): (&ManifoldPoint<V>, &ManifoldPoint<V>)| {
            x.id == y.id && x.point_a * V::Scalar::from_f64(factor) == y.point_a
        };
        let is_same = if NEAR_POWERS.contains(&power) {
            found.points.len() == other.points.len()
                && found.points.iter().zip(&other.points).all(same_bits)
        } else {
            let turn = (other.contact.normal - found.contact.normal).norm();
            let decided_by_rounding = turn.to_f64() > gauge.band
                || expected.at_band
                || at_prediction(found, 1.0, case.prediction, gauge.band)
                || at_prediction(&other, factor, case.prediction, gauge.band);
            decided_by_rounding || ids(&other) == ids(found)
        };
        if !is_same {
            return Err(format!(
                "times 2^{power}: {:?}, and {:?}",
                other.points, found.points
            ));
        }
    }
    Ok(())
}

/// Whether a point of a world times a factor is about as far apart as the prediction.
fn at_prediction<V: Vector>(found: &Manifold<V>, factor: f64, prediction: f64, band: f64) -> bool {
    let apart = |point: &ManifoldPoint<V>| point.separation.middle().to_f64() / factor;
    let mut points = found.points.iter();
    points.any(|point| (apart(point) - prediction).abs() <= band)
}

fn grown(body: &Body, factor: f64) -> Body {
    let mut body = body.clone();
    body.for_each_length(|x| *x *= factor);
    body
}

/// The world turned by a quarter: the same vertices, in other coordinates.
fn turned<V: QuerySpace>(
    pair: &AskedPair<V>,
    all: &ManifoldOptions<V::Scalar>,
    found: &Manifold<V>,
    gauge: &Gauge,
    expected: &ExpectedPolygon,
) -> Result<(), String> {
    let next = |x: V| {
        let [x, y, z] = x.to_f64();
        V::from_f64(if V::DIM == 2 { [-y, x, 0.0] } else { [z, x, y] })
    };
    let poses = pair.poses.map(|pose| {
        let mut columns = V::identity();
        for (to, from) in columns.as_mut().iter_mut().zip(pose.columns()) {
            *to = next(*from);
        }
        Pose::from_columns(columns, next(pose.translation()))
    });
    let other = AskedPair {
        shapes: pair.shapes.clone(),
        poses,
    }
    .ask(all);
    let same_normal = (other.contact.normal - next(found.contact.normal))
        .norm()
        .to_f64();
    let clear = V::DIM == 3 && expected.area.is_some() && !expected.at_band;
    if same_normal <= gauge.band && clear && ids(&other) != ids(found) {
        return Err(format!(
            "turned: {:?}, and {:?}",
            other.points, found.points
        ));
    }
    Ok(())
}

/// Vertices in the opposite order: the same places.
fn renumbered<V: QuerySpace>(
    case: &ManifoldCase,
    all: &ManifoldOptions<V::Scalar>,
    found: &Manifold<V>,
    gauge: &Gauge,
    expected: &ExpectedPolygon,
) -> Result<(), String> {
    let mut bodies = case.bodies.clone();
    for body in &mut bodies {
        if !matches!(body.form, Form::Box(_)) {
            body.points.reverse();
        }
    }
    let pair = AskedPair::<V>::of(&bodies).ok_or("other numbers are refused")?;
    let other = pair.ask(all);
    let away = (other.contact.normal - found.contact.normal)
        .norm()
        .to_f64();
    if away > gauge.band || !(V::DIM == 3 && expected.steady > gauge.clear) {
        return Ok(());
    }
    let near = |point: &ManifoldPoint<V>| {
        let place = |p: &ManifoldPoint<V>| (p.point_a - point.point_a).norm().to_f64();
        other
            .points
            .iter()
            .any(|p| place(p) <= gauge.clear / expected.sine)
    };
    if found.points.len() != other.points.len() || !found.points.iter().all(near) {
        return Err(format!(
            "renumbered: {:?}, and {:?}",
            other.points, found.points
        ));
    }
    Ok(())
}

/// A warm manifold is the cold one, with the cache of an earlier place, of other options and of the exchanged bodies.
fn warm<V: QuerySpace>(
    pair: &AskedPair<V>,
    options: [&ManifoldOptions<V::Scalar>; 2],
) -> Result<(), String> {
    let [a, b] = &pair.shapes;
    let mut cache = ManifoldCache::<u8>::default();
    for (k, step) in WARM_STEPS.into_iter().enumerate() {
        let step = V::from_f64([0.6, -0.64, 0.48].map(|x| x * step));
        let pose_a = &pair.poses[0];
        let pose_b = &Pose::from_translation(step).compose(&pair.poses[1]);
        let options = options[k / 3 % 2];
        let (cold, warm) = if k == 5 {
            let cold = manifold(b, pose_b, a, pose_a, options);
            (
                cold,
                manifold_warm(b, pose_b, a, pose_a, options, &mut cache),
            )
        } else {
            let cold = manifold(a, pose_a, b, pose_b, options);
            (
                cold,
                manifold_warm(a, pose_a, b, pose_b, options, &mut cache),
            )
        };
        if cold != warm {
            return Err(format!("warm: {warm:?}, and cold: {cold:?}"));
        }
    }
    Ok(())
}

/// A small motion changes no name where nothing is near.
fn moved<V: QuerySpace>(
    pair: &AskedPair<V>,
    all: &ManifoldOptions<V::Scalar>,
    found: &Manifold<V>,
    expected: &ExpectedPolygon,
    tally: &mut ManifoldTally,
) -> Result<(), String> {
    let single = V::Scalar::ROUNDING.to_f64() > f64::ROUNDING;
    if V::DIM == 2 || single || !(expected.steady > 64.0 * SMALL_MOTION) {
        return Ok(());
    }
    let mut poses = pair.poses;
    let step = V::from_f64([0.6, -0.64, 0.48].map(|x| x * SMALL_MOTION));
    poses[1] = Pose::from_translation(step).compose(&poses[1]);
    let other = AskedPair {
        shapes: pair.shapes.clone(),
        poses,
    }
    .ask(all);
    let away = (other.contact.normal - found.contact.normal)
        .norm()
        .to_f64();
    if away > 64.0 * SMALL_MOTION {
        return Ok(());
    }
    tally.moved += 1;
    if ids(&other) != ids(found) {
        return Err(format!(
            "moved by 1e-9: {:?}, and {:?}",
            other.points, found.points
        ));
    }
    Ok(())
}
