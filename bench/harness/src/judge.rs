//! Whether answers are right: each is held against the reference before its time counts.

mod motion;

use crate::reference::{self, Core, Truth};
use bench_protocol::{Answer, Workload};

/// Relative errors are of the value; of a motion of its duration, of a manifold of the bodies' mean size.
/// A relative error above this is an answer that is off.
const OFF: f64 = 0.01;
/// A file is right when 99 % of its errors are at most this …
const P99_MAX: f64 = 1e-4;
/// … and at most this part of its answers is missing or off.
const BAD_MAX: f64 = 1e-3;

/// How right the answers to one file are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Accuracy {
    /// Answers asked for.
    pub(crate) pairs: usize,
    /// Relative errors of the values: median, 99th percentile, largest; of those that came.
    pub(crate) errors: [f64; 3],
    /// No value, or none that is a number.
    pub(crate) missing: usize,
    /// More than 1 % off.
    pub(crate) off: usize,
    /// Verdicts that are not the truth.
    pub(crate) wrong: usize,
    /// 99th percentile of the relative error of the distance of the two witness points; NaN where none came.
    pub(crate) points: f64,
    /// 99th percentile of the relative error of the separation along the normal; NaN where none came.
    pub(crate) normal: f64,
    /// Whether the time counts.
    pub(crate) right: bool,
}

/// What answers are held against.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) workload: &'a Workload,
    pub(crate) cores: &'a [Core],
    pub(crate) truths: &'a [Truth],
}

/// Judges the answers to one operation.
pub(crate) fn judge(op: &str, asked: Asked<'_>, answers: &[Answer]) -> Accuracy {
    let query = op.trim_start_matches("track-");
    match query.split('-').next() {
        Some("ray" | "cast" | "toi") => motion::judge_motion(op, asked, answers),
        Some("manifold") => motion::judge_manifold(asked, answers),
        Some("gradient") => motion::judge_gradient(asked, answers),
        _ => judge_distance(op, asked, answers),
    }
}

/// Of distances, depths and booleans.
fn judge_distance(op: &str, asked: Asked<'_>, answers: &[Answer]) -> Accuracy {
    let Asked {
        workload,
        cores,
        truths,
    } = asked;
    let each = || truths.iter().zip(answers);
    let hits = each().filter(|(t, a)| a.intersects.is_some_and(|hit| hit != (t.value <= 0.0)));
    let wrong = hits.count();
    let pairs_asked = truths.len();
    if op.starts_with("bool") {
        let missing = each().filter(|(_, a)| a.intersects.is_none()).count();
        return of_booleans(pairs_asked, missing, wrong);
    }
    let relative = |said: f64, t: &Truth| ((said - t.value) / t.value).abs();
    let errors = sorted(each().filter_map(|(t, a)| Some(relative(a.value?, t))));
    let missing = pairs_asked - errors.len();
    let off = errors.iter().filter(|&&e| e > OFF).count();
    let points = each().filter_map(|(t, a)| {
        let [p, q] = a.points?;
        let length = (0..3).map(|k| (q[k] - p[k]).powi(2)).sum::<f64>().sqrt();
        Some(relative(length.copysign(t.value), t))
    });
    let along = each().zip(&workload.pairs).filter_map(|((t, a), pair)| {
        Some(relative(reference::separation(cores, pair, a.normal?), t))
    });
    let errors = [0.5, 0.99, 1.0].map(|part| quantile(&errors, part));
    let right = errors[1] <= P99_MAX && (missing + off) as f64 <= BAD_MAX * pairs_asked as f64;
    let (points, normal) = (
        quantile(&sorted(points), 0.99),
        quantile(&sorted(along), 0.99),
    );
    Accuracy {
        pairs: pairs_asked,
        errors,
        missing,
        off,
        wrong,
        points,
        normal,
        right,
    }
}

/// Where only a verdict is asked.
fn of_booleans(pairs: usize, missing: usize, wrong: usize) -> Accuracy {
    let none = f64::NAN;
    Accuracy {
        pairs,
        errors: [none; 3],
        missing,
        off: 0,
        wrong,
        points: none,
        normal: none,
        right: wrong == 0 && missing == 0,
    }
}

/// The numbers among them, ascending. What is not a number counts as missing.
fn sorted(errors: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = errors.filter(|e| !e.is_nan()).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// NaN of nothing.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let at = (part * sorted.len() as f64).ceil() as usize;
    sorted
        .get(at.clamp(1, sorted.len().max(1)) - 1)
        .copied()
        .unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bench_protocol::{Pair, Place, Shape};

    type Balls = (Vec<Core>, Workload, Vec<Truth>);

    /// Two unit balls, 3 between their centres: 1 apart, along x.
    fn balls() -> Balls {
        let place = |x: f64| Place {
            rotation: [0.0, 0.0, 0.0, 1.0],
            translation: [x, 0.0, 0.0],
        };
        let pair = Pair {
            shapes: [0, 0],
            places: [place(0.0), place(3.0)],
        };
        let truth = Truth {
            value: 1.0,
            gap: 0.0,
            normal: [1.0, 0.0, 0.0],
        };
        let Ok(core) = Core::new(&Shape::Ball(1.0), 3) else {
            panic!("a ball has a core")
        };
        let workload = Workload {
            name: "balls".into(),
            dim: 3,
            op: "dist".into(),
            track: false,
            within: 0.0,
            shapes: vec![Shape::Ball(1.0)],
            pairs: vec![pair; 1000],
            moves: Vec::new(),
        };
        (vec![core], workload, vec![truth; 1000])
    }

    fn judged(op: &str, (cores, workload, truths): &Balls, answers: &[Answer]) -> Accuracy {
        let asked = Asked {
            workload,
            cores,
            truths,
        };
        judge(op, asked, answers)
    }

    fn said(value: f64) -> Answer {
        let points = Some([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
        Answer {
            intersects: Some(false),
            value: Some(value),
            normal: Some([1.0, 0.0, 0.0]),
            points,
            ..Answer::default()
        }
    }

    #[test]
    fn right_answers_are_right() {
        let balls = balls();
        let found = judged("dist", &balls, &vec![said(1.0 + 1e-6); 1000]);
        assert!(
            found.right && found.errors[2] > 0.9e-6 && found.points < 1e-15 && found.normal < 1e-15,
            "{found:?}"
        );
    }

    #[test]
    fn one_wrong_answer_is_seen_and_two_in_a_thousand_are_too_many() {
        let balls = balls();
        let mut answers = vec![said(1.0); 1000];
        answers[7] = said(1.02);
        let found = judged("dist", &balls, &answers);
        assert!(found.off == 1 && found.right, "{found:?}");
        answers[8] = Answer::default();
        let found = judged("dist", &balls, &answers);
        assert!(
            (found.off, found.missing, found.right) == (1, 1, false),
            "{found:?}"
        );
        answers[8] = said(f64::NAN);
        assert!(!judged("dist", &balls, &answers).right);
        // A depth of one is not a distance of one.
        answers[8] = said(-1.0);
        assert_eq!(judged("dist", &balls, &answers).off, 2);
    }

    #[test]
    fn a_loose_tolerance_is_not_right() {
        let balls = balls();
        let found = judged("dist", &balls, &vec![said(1.0 + 2e-4); 1000]);
        assert!(!found.right && found.off == 0, "{found:?}");
    }

    #[test]
    fn one_wrong_or_missing_boolean_is_too_many() {
        let balls = balls();
        let mut answers = vec![said(1.0); 1000];
        assert!(judged("bool", &balls, &answers).right);
        answers[3].intersects = Some(true);
        assert!(!judged("bool", &balls, &answers).right);
        answers[3].intersects = None;
        assert!(!judged("bool", &balls, &answers).right);
    }

    #[test]
    fn a_wrong_normal_is_seen() {
        let balls = balls();
        let answers = vec![
            Answer {
                normal: Some([0.0, 1.0, 0.0]),
                ..said(1.0)
            };
            1000
        ];
        assert!(judged("dist", &balls, &answers).normal > 1.0);
    }
}
