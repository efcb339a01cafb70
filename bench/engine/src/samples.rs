//! Workloads so small that their answers are known by hand, and the check of an engine against them.
//!
//! An engine calls [`check`] in a test of its own. The files are in `samples/`.

use crate::{Answer, Query, Runner, Unsupported, parse};

struct Sample {
    family: &'static str,
    text: &'static str,
    /// Signed distance and normal of each pair.
    known: &'static [(f64, [f64; 3])],
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const MINUS_X: [f64; 3] = [-1.0, 0.0, 0.0];
const MINUS_Y: [f64; 3] = [0.0, -1.0, 0.0];
const MINUS_Z: [f64; 3] = [0.0, 0.0, -1.0];

const SAMPLES: &[Sample] = &[
    Sample {
        family: "polytopes",
        text: include_str!("../samples/polytopes_dist.txt"),
        known: &[(1.0, X), (1.5, Y), (0.5, MINUS_X), (1.0, X)],
    },
    Sample {
        family: "polytopes",
        text: include_str!("../samples/polytopes_pen.txt"),
        known: &[(-0.25, X), (-0.125, Y), (-0.125, MINUS_X)],
    },
    Sample {
        family: "rounds",
        text: include_str!("../samples/rounds_dist.txt"),
        known: &[(1.0, X), (1.5, Z), (1.25, Z), (2.5, X), (1.25, X), (1.25, Z)],
    },
    Sample {
        family: "rounds",
        text: include_str!("../samples/rounds_pen.txt"),
        known: &[(-0.25, X), (-0.25, Z), (-0.25, Z), (-0.125, X), (-0.125, X), (-0.25, Z)],
    },
    Sample { family: "cylinders", text: include_str!("../samples/cylinders_dist.txt"), known: &[(3.0, X), (1.5, Y)] },
    Sample {
        family: "cylinders",
        text: include_str!("../samples/cylinders_pen.txt"),
        known: &[(-0.25, X), (-0.25, Y)],
    },
    Sample {
        family: "cones",
        text: include_str!("../samples/cones_dist.txt"),
        known: &[(1.5, Z), (1.5, MINUS_Z), (1.0, MINUS_Z)],
    },
    Sample {
        family: "cones",
        text: include_str!("../samples/cones_pen.txt"),
        known: &[(-0.25, Z), (-0.25, MINUS_Z), (-0.125, MINUS_Z)],
    },
    Sample {
        family: "ellipsoids",
        text: include_str!("../samples/ellipsoids_dist.txt"),
        known: &[(2.5, Z), (1.5, MINUS_Y)],
    },
    Sample { family: "ellipsoids", text: include_str!("../samples/ellipsoids_pen.txt"), known: &[(-0.25, Z)] },
    Sample {
        family: "polygons",
        text: include_str!("../samples/polygons_dist.txt"),
        known: &[(1.0, X), (0.5, X), (0.5, MINUS_X)],
    },
    Sample {
        family: "polygons",
        text: include_str!("../samples/polygons_pen.txt"),
        known: &[(-0.25, X), (-0.25, MINUS_X)],
    },
    Sample {
        family: "tracks",
        text: include_str!("../samples/track_dist.txt"),
        known: &[(0.5, X), (0.625, X), (0.75, X)],
    },
    Sample {
        family: "tracks",
        text: include_str!("../samples/track_pen.txt"),
        known: &[(-0.25, X), (-0.375, X), (-0.25, X)],
    },
    Sample {
        family: "surfaces",
        text: include_str!("../samples/surfaces_dist.txt"),
        known: &[(0.5, X), (0.25, X), (8.0, Z)],
    },
    Sample { family: "surfaces", text: include_str!("../samples/surfaces_meet.txt"), known: &[(0.0, X), (-0.5, X)] },
];

/// Runs all that the engine offers on the families of samples named in `families` (polytopes, rounds, cylinders, cones,
/// ellipsoids, polygons, tracks, surfaces) and compares with the known answers to the relative tolerance `tolerance`.
///
/// Distances are asked of the separated samples, depths of the overlapping ones, verdicts of both. What an engine may
/// leave unsaid it may leave unsaid here, but not the value, nor the verdict if that is all it was asked for. The result
/// is the number of answers checked, or what is wrong.
pub fn check(engine: &dyn Runner, families: &str, tolerance: f64) -> Result<usize, String> {
    let name = engine.offer().name;
    let mut checked = 0;
    for family in families.split_whitespace() {
        let before = checked;
        for sample in SAMPLES.iter().filter(|sample| sample.family == family) {
            checked += check_sample(engine, sample, tolerance).map_err(|why| format!("{name}: {why}"))?;
        }
        if checked == before {
            return Err(format!("{name} answers nothing of `{family}`"));
        }
    }
    Ok(checked)
}

fn check_sample(engine: &dyn Runner, sample: &Sample, tolerance: f64) -> Result<usize, String> {
    let workload = parse(sample.text)?;
    let mut checked = 0;
    for op in engine.offer().ops {
        let suits = is_boolean(op.query) || workload.regime == op.query.to_string();
        if !suits || op.is_track() != workload.track {
            continue;
        }
        let (_, answers) = engine.run(op, &workload, 1).map_err(|Unsupported(why)| format!("{op}: {why}"))?;
        if answers.len() != sample.known.len() {
            return Err(format!("{op}: {} answers to {} pairs", answers.len(), sample.known.len()));
        }
        for (index, (answer, &known)) in answers.iter().zip(sample.known).enumerate() {
            let nearness = if op.query == Query::Within { workload.within } else { 0.0 };
            check_answer(op.query, answer, known, (tolerance, nearness))
                .map_err(|why| format!("{}, pair {index}, {op}: {why}: {answer}", workload.name))?;
            checked += 1;
        }
    }
    Ok(checked)
}

/// Is it answered by yes or no?
fn is_boolean(query: Query) -> bool {
    matches!(query, Query::Bool | Query::Meet | Query::Within)
}

/// The limits are a relative tolerance, and up to which distance a verdict is yes.
fn check_answer(query: Query, answer: &Answer, known: (f64, [f64; 3]), limits: (f64, f64)) -> Result<(), String> {
    let ((value, normal), (tolerance, nearness)) = (known, limits);
    if answer.verdict.is_none() && is_boolean(query)
        || answer.verdict.is_some_and(|verdict| verdict != (value <= nearness))
    {
        return Err("wrong verdict".to_owned());
    }
    if is_boolean(query) {
        return Ok(());
    }
    let limit = tolerance * value.abs();
    if !answer.value.is_some_and(|said| (said - value).abs() <= limit) {
        return Err(format!("the value is {value}"));
    }
    if answer.normal.is_some_and(|said| far(said, normal, tolerance)) {
        return Err(format!("the normal is {normal:?}"));
    }
    // From the witness on A to that on B, value times normal; so for an overlap too.
    let between = |[a, b]: [[f64; 3]; 2]| [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    if answer.witnesses.is_some_and(|points| far(between(points), normal.map(|x| x * value), limit)) {
        return Err("the witness points are not a step apart".to_owned());
    }
    Ok(())
}

fn far(a: [f64; 3], b: [f64; 3], limit: f64) -> bool {
    !a.iter().zip(b).all(|(a, b)| (a - b).abs() <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_has_an_answer_for_each_pair() {
        for sample in SAMPLES {
            let workload = parse(sample.text).expect("samples are well formed");
            assert_eq!(workload.pairs.len(), sample.known.len(), "{}", workload.name);
        }
    }

    #[test]
    fn a_wrong_answer_is_told() {
        let right = Answer {
            verdict: Some(false),
            value: Some(2.0),
            normal: Some(X),
            witnesses: Some([[1.0, 0.0, 0.0], [3.0, 0.0, 0.0]]),
            ..Answer::default()
        };
        let check = |answer: Answer| check_answer(Query::Dist, &answer, (2.0, X), (1e-6, 0.0));
        assert_eq!(check(right.clone()), Ok(()));
        assert!(check(Answer { verdict: Some(true), ..right.clone() }).is_err());
        assert!(check(Answer { value: Some(2.1), ..right.clone() }).is_err());
        assert!(check(Answer { value: None, ..right.clone() }).is_err());
        assert!(check(Answer { normal: Some(MINUS_X), ..right.clone() }).is_err());
        assert!(check(Answer { witnesses: Some([[3.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), ..right.clone() }).is_err());
        assert!(check_answer(Query::Bool, &Answer::default(), (2.0, X), (1e-6, 0.0)).is_err());
    }
}
