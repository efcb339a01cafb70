//! Answers compared with what is known, and with one another.
//!
//! Where it sits: `judge.rs` asks and hands the answers on. It takes answers as they are, so that a test can give it wrong ones.

use crate::gradients;
use crate::known::{Answers, Fault, Kind, Known, fault};
use crate::oracle::proof::{self, Claim};
use gjk::Vector;
use gjk::math::Scalar;
use gjk::query::{Certificate, Distance, Interval, Proof, Verdict};
use std::cmp::Ordering;

/// Holds a proof against what is known; everything wrong is added to `faults`.
pub(crate) fn examine_alone<V: Vector>(
    dim: usize,
    proof: &Proof<V>,
    known: &Known,
    faults: &mut Vec<Fault>,
) {
    let contact = &proof.contact;
    let interval = ends(&contact.signed_distance);
    check_oracles(known, faults);
    check_verdict(contact.verdict, contact.exact, known, faults);
    check_interval("contact", contact.verdict, interval, faults);
    check_truth("contact", interval, known, faults);
    let normal = contact.normal.norm_squared().to_f64();
    let points_finite = contact.point_a.is_finite() && contact.point_b.is_finite();
    if !((normal - 1.0).abs() < 1e-4) || !points_finite {
        faults.push(fault(
            Kind::Interval,
            format!("a normal of squared length {normal}, or points without end"),
        ));
    }
    let claim = known.claim(dim, contact.verdict, Some(interval));
    check_certificate("contact", &claim, proof.certificate.as_ref(), faults);
}

fn ends<S: Scalar>(interval: &Interval<S>) -> [f64; 2] {
    [interval.lower.to_f64(), interval.upper.to_f64()]
}

/// Holds all answers against what is known, and against one another.
pub(crate) fn examine<V: Vector>(
    dim: usize,
    answers: &Answers<V>,
    known: &Known,
    faults: &mut Vec<Fault>,
) {
    let Answers {
        distance, quick, ..
    } = answers;
    let (contact, swapped) = (&answers.proof.contact, &answers.swapped.contact);
    examine_alone(dim, &answers.proof, known, faults);
    compare_verdicts(answers, known, faults);
    let [[lower, upper], [low, high]] =
        [contact, swapped].map(|answer| ends(&answer.signed_distance));
    check_interval("swapped", swapped.verdict, [low, high], faults);
    check_interval("quick", quick.verdict, ends(&quick.signed_distance), faults);
    check_truth("quick", ends(&quick.signed_distance), known, faults);
    check_truth("swapped", [low, high], known, faults);
    check_distance(distance, ends(&distance.distance), faults);
    if distance.verdict == Verdict::Separated {
        check_truth("distance", ends(&distance.distance), known, faults);
    }
    if lower > high || low > upper {
        let message = format!("contact [{lower:?}, {upper:?}], swapped [{low:?}, {high:?}]");
        faults.push(fault(Kind::Disagreement, message));
    }
    check_other_certificates(dim, answers, known, faults);
    let Answers {
        gradient,
        translations,
        proof,
        ..
    } = answers;
    gradients::examine(gradient, proof, *translations, known, faults);
}

/// Holds the verdict of every query against the contact's.
fn compare_verdicts<V: Vector>(answers: &Answers<V>, known: &Known, faults: &mut Vec<Fault>) {
    let contact = &answers.proof.contact;
    for (name, verdict) in [
        ("swapped", answers.swapped.contact.verdict),
        ("intersects", answers.intersects.verdict),
        ("verdict", answers.verdict.contact.verdict),
        ("distance", answers.distance.verdict),
        ("quick", answers.quick.verdict),
    ] {
        // A smooth pair may be undecided for one query and decided for another.
        let either = |v: Verdict| v == Verdict::Undecided && !known.polytopes;
        if verdict != contact.verdict && !either(verdict) && !either(contact.verdict) {
            let message = format!(
                "contact says {}, {name} {}",
                contact.verdict.name(),
                verdict.name()
            );
            faults.push(fault(Kind::Disagreement, message));
        }
    }
}

/// Checks the certificates of the exchanged bodies and of the verdict alone.
fn check_other_certificates<V: Vector>(
    dim: usize,
    answers: &Answers<V>,
    known: &Known,
    faults: &mut Vec<Fault>,
) {
    let swapped = &answers.swapped.contact;
    let interval = ends(&swapped.signed_distance);
    let claim = known.claim(dim, swapped.verdict, Some(interval));
    let mirrored = Claim {
        vertices: [claim.vertices[1], claim.vertices[0]],
        radii: [known.radii[1], known.radii[0]],
        ..claim
    };
    check_certificate(
        "swapped",
        &mirrored,
        answers.swapped.certificate.as_ref(),
        faults,
    );
    let claim = known.claim(dim, answers.verdict.contact.verdict, None);
    check_certificate(
        "verdict",
        &claim,
        answers.verdict.certificate.as_ref(),
        faults,
    );
}

fn check_certificate(
    name: &str,
    claim: &Claim<'_>,
    certificate: Option<&Certificate>,
    faults: &mut Vec<Fault>,
) {
    if let Some(message) = certificate.and_then(|certificate| proof::fault(claim, certificate)) {
        faults.push(fault(Kind::Certificate, format!("{name}: {message}")));
    }
}

fn check_oracles(known: &Known, faults: &mut Vec<Fault>) {
    if let (Some(truth), Some(relation)) = (&known.truth, known.relation)
        && truth.verdict != relation
    {
        let message = format!(
            "facets say {}, the linear program {}",
            truth.verdict.name(),
            relation.name()
        );
        faults.push(fault(Kind::Oracle, message));
    }
    if let (Some(by_oracle), Some(built)) = (known.verdict(), known.verdict)
        && by_oracle != built
    {
        let message = format!(
            "the oracle says {}, the construction {}",
            by_oracle.name(),
            built.name()
        );
        faults.push(fault(Kind::Oracle, message));
    }
}

fn check_verdict(verdict: Verdict, exact: bool, known: &Known, faults: &mut Vec<Fault>) {
    if let Some(right) = known.verdict()
        && right != verdict
    {
        faults.push(fault(
            Kind::Verdict,
            format!("expected {}, got {}", right.name(), verdict.name()),
        ));
    } else if known.polytopes && !exact {
        faults.push(fault(
            Kind::Verdict,
            format!("{} is not exact", verdict.name()),
        ));
    }
}

fn check_interval(name: &str, verdict: Verdict, [lower, upper]: [f64; 2], faults: &mut Vec<Fault>) {
    let signs = match verdict {
        // Below the smallest number the end nearer to zero is zero.
        Verdict::Separated => lower >= 0.0 && upper > 0.0,
        Verdict::Touching => lower == 0.0 && upper == 0.0,
        Verdict::Overlapping => upper <= 0.0 && lower < 0.0,
        Verdict::Undecided => lower <= 0.0 && upper >= 0.0,
    };
    if !signs || !(lower <= upper) {
        let message = format!(
            "{name} [{lower:?}, {upper:?}]: no interval of {}",
            verdict.name()
        );
        faults.push(fault(Kind::Interval, message));
    }
}

/// The interval must hold the truth.
fn check_truth(name: &str, [lower, upper]: [f64; 2], known: &Known, faults: &mut Vec<Fault>) {
    let mut misses = |truth: f64| {
        faults.push(fault(
            Kind::Interval,
            format!("{name} [{lower:?}, {upper:?}] misses {truth:?}"),
        ))
    };
    if let Some(truth) = &known.truth {
        let terms = |x: f64| [x, known.radii[0], known.radii[1]];
        let below = truth.compare(&terms(lower)) == Ordering::Less;
        if below || truth.compare(&terms(upper)) == Ordering::Greater {
            misses(truth.approximate() - known.radius_sum());
        }
    }
    if let Some([least, most]) = known.distance
        && (most < lower || upper < least)
    {
        misses(least);
    }
}

fn check_distance<V: Vector>(
    found: &Distance<V>,
    [lower, upper]: [f64; 2],
    faults: &mut Vec<Fault>,
) {
    let meets = matches!(found.verdict, Verdict::Touching | Verdict::Overlapping);
    if !(0.0 <= lower && lower <= upper) || meets && upper > 0.0 {
        let message = format!(
            "distance [{lower:?}, {upper:?}]: no distance of bodies {}",
            found.verdict.name()
        );
        faults.push(fault(Kind::Interval, message));
    }
}
