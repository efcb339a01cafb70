//! Whether answers are right: each is held against the reference before its time counts.

use crate::reference::{self, Core, Truth};
use bench_protocol::{Answer, Pair};

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

/// Judges the answers to one operation.
pub(crate) fn judge(
    op: &str,
    cores: &[Core],
    pairs: &[Pair],
    truths: &[Truth],
    answers: &[Answer],
) -> Accuracy {
    let each = || truths.iter().zip(answers);
    let hits = each().filter(|(t, a)| a.intersects.is_some_and(|hit| hit != (t.value <= 0.0)));
    let wrong = hits.count();
    let pairs_asked = truths.len();
    if op.starts_with("bool") {
        let missing = each().filter(|(_, a)| a.intersects.is_none()).count();
        let right = wrong == 0 && missing == 0;
        let none = f64::NAN;
        return Accuracy {
            pairs: pairs_asked,
            errors: [none; 3],
            missing,
            off: 0,
            wrong,
            points: none,
            normal: none,
            right,
        };
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
    let along = each().zip(pairs).filter_map(|((t, a), pair)| {
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
    use bench_protocol::{Place, Shape};

    /// Two unit balls, 3 between their centres: 1 apart, along x.
    fn balls() -> (Vec<Core>, Vec<Pair>, Vec<Truth>) {
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
        (vec![core], vec![pair; 1000], vec![truth; 1000])
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
        let (cores, pairs, truths) = balls();
        let found = judge(
            "dist",
            &cores,
            &pairs,
            &truths,
            &vec![said(1.0 + 1e-6); 1000],
        );
        assert!(
            found.right && found.errors[2] > 0.9e-6 && found.points < 1e-15 && found.normal < 1e-15,
            "{found:?}"
        );
    }

    #[test]
    fn one_wrong_answer_is_seen_and_two_in_a_thousand_are_too_many() {
        let (cores, pairs, truths) = balls();
        let mut answers = vec![said(1.0); 1000];
        answers[7] = said(1.02);
        let found = judge("dist", &cores, &pairs, &truths, &answers);
        assert!(found.off == 1 && found.right, "{found:?}");
        answers[8] = Answer::default();
        let found = judge("dist", &cores, &pairs, &truths, &answers);
        assert!(
            (found.off, found.missing, found.right) == (1, 1, false),
            "{found:?}"
        );
        answers[8] = said(f64::NAN);
        assert!(!judge("dist", &cores, &pairs, &truths, &answers).right);
        // A depth of one is not a distance of one.
        answers[8] = said(-1.0);
        assert_eq!(judge("dist", &cores, &pairs, &truths, &answers).off, 2);
    }

    #[test]
    fn a_loose_tolerance_is_not_right() {
        let (cores, pairs, truths) = balls();
        let found = judge(
            "dist",
            &cores,
            &pairs,
            &truths,
            &vec![said(1.0 + 2e-4); 1000],
        );
        assert!(!found.right && found.off == 0, "{found:?}");
    }

    #[test]
    fn one_wrong_or_missing_boolean_is_too_many() {
        let (cores, pairs, truths) = balls();
        let mut answers = vec![said(1.0); 1000];
        assert!(judge("bool", &cores, &pairs, &truths, &answers).right);
        answers[3].intersects = Some(true);
        assert!(!judge("bool", &cores, &pairs, &truths, &answers).right);
        answers[3].intersects = None;
        assert!(!judge("bool", &cores, &pairs, &truths, &answers).right);
    }

    #[test]
    fn a_wrong_normal_is_seen() {
        let (cores, pairs, truths) = balls();
        let answers = vec![
            Answer {
                normal: Some([0.0, 1.0, 0.0]),
                ..said(1.0)
            };
            1000
        ];
        assert!(judge("dist", &cores, &pairs, &truths, &answers).normal > 1.0);
    }
}
