//! An answer compared with what its line expects: `gjk query --check`, and how a line fails for `gjk reduce`.

use crate::answer::{Answer, Bounds};
use crate::convert::Space;
use gjk::query::Verdict;
use gjk_scene::{ExpectSpec, VerdictSpec};

/// How far a component of the normal may be off; a larger `tolerance` of the line counts for it too.
const NORMAL_TOLERANCE: f64 = 1e-6;

/// What is wrong with an answer: a sentence each, expected and got.
pub fn failures<V: Space>(expect: &ExpectSpec, answer: &Answer<V>) -> Vec<String> {
    let verdict = check_verdict(&expect.verdict, answer.verdict);
    let distance = expect
        .signed_distance
        .and_then(|x| check_distance(x, expect.tolerance, answer.signed_distance));
    let normal = check_normal(expect, answer.normal.as_deref());
    [verdict, distance, normal].into_iter().flatten().collect()
}

pub(crate) fn check_verdict(expected: &[VerdictSpec], got: Verdict) -> Option<String> {
    let name = |verdict: &VerdictSpec| match verdict {
        VerdictSpec::Separated => "separated",
        VerdictSpec::Touching => "touching",
        VerdictSpec::Overlapping => "overlapping",
        VerdictSpec::Undecided => "undecided",
    };
    let names: Vec<_> = expected.iter().map(name).collect();
    let right = names.is_empty() || names.contains(&got.name());
    (!right).then(|| {
        format!(
            "expected verdict {}, got {}",
            names.join(" or "),
            got.name()
        )
    })
}

/// With a tolerance both ends must be that near; without one the interval must hold the expected number.
fn check_distance(expected: f64, tolerance: Option<f64>, got: Option<Bounds>) -> Option<String> {
    let Some(Bounds { lower, upper }) = got else {
        return Some(format!(
            "expected signed_distance {expected}, got none: `intersects` computes none"
        ));
    };
    let right = match tolerance {
        Some(tolerance) => {
            (lower - expected).abs() <= tolerance && (upper - expected).abs() <= tolerance
        }
        None => lower <= expected && expected <= upper,
    };
    let within =
        tolerance.map_or_else(|| "in the interval".to_owned(), |t| format!("within {t:?}"));
    // A wide interval is a weak answer, one without the truth a wrong one: whoever reads the list wants to know which.
    let holds = if lower <= expected && expected <= upper {
        "which holds it but is wider"
    } else {
        "which misses it"
    };
    (!right).then(|| {
        format!(
            "expected signed_distance {expected:?} {within}, got [{lower:?}, {upper:?}], {holds}"
        )
    })
}

fn check_normal(expect: &ExpectSpec, got: Option<&[f64]>) -> Option<String> {
    if expect.normal.is_empty() {
        return None;
    }
    let Some(got) = got else {
        return Some("expected a normal, got none: `intersects` computes none".to_owned());
    };
    let tolerance = expect
        .tolerance
        .unwrap_or(NORMAL_TOLERANCE)
        .max(NORMAL_TOLERANCE);
    let near = |right: &Vec<f64>| {
        right
            .iter()
            .zip(got)
            .all(|(x, y)| (x - y).abs() <= tolerance)
    };
    let right = expect.normal.iter().any(near);
    let options: Vec<_> = expect.normal.iter().map(|n| format!("{n:?}")).collect();
    (!right).then(|| {
        format!(
            "expected normal {} within {tolerance}, got {got:?}",
            options.join(" or ")
        )
    })
}
