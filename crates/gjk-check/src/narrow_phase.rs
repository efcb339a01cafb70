//! The signed distance of two bodies: the least over the pairs of their parts.
//!
//! Idea: part pairs are queried in the order of their boxes' gap; what was found so far cuts the later ones short, and a pair
//! whose boxes are farther apart than that is not queried at all. Each omission is a proof, so the answer stays an interval.
//! Parts that are not convex are asked by their hulls first, which settles most; what is left goes to `surfaces.rs`.

use crate::Criteria;
use crate::pairs::Pairs;
use crate::proximity::{Placed, Proximity, SearchStop, plain, severity};
use crate::surfaces;
use gjk::query::{Options, Pair, ProofOptions, Verdict};
use gjk_mesh::Relation;

/// The nearest or deepest of all part pairs; `None` when no pair is within reach.
pub(crate) fn nearest(
    a: &[Placed<'_>],
    b: &[Placed<'_>],
    pairs: &Pairs,
    criteria: &Criteria,
) -> Option<Proximity> {
    let mut best: Option<Proximity> = None;
    let mut all_exact = true;
    for (gap, i, j) in by_gap(a, b, pairs, criteria.reach()) {
        // A deeper overlap may be anywhere where boxes overlap; a smaller distance only where the boxes are nearer.
        let reach = best.map_or(criteria.reach(), |best| {
            best.upper.max(criteria.touch_band).max(0.0)
        });
        if gap > reach {
            break;
        }
        let cutoff = reach.min(criteria.reach());
        let found = query_parts(&a[i], &b[j], (i, j), cutoff, criteria);
        all_exact &= found.exact;
        best = Some(best.map_or(found, |best| nearer(best, found)));
    }
    best.map(|best| Proximity {
        exact: best.exact && (all_exact || best.verdict == Verdict::Overlapping),
        ..best
    })
}

/// The worst that two parts are to each other, without how near or deep: an overlap ends the search.
pub(crate) fn verdict(a: &[Placed<'_>], b: &[Placed<'_>], pairs: &Pairs) -> Verdict {
    // One pair is in order, and its hulls tell what boxes would.
    if let ([one], [other]) = (a, b)
        && !pairs.is_skipped_in_scene(one.scene_body, other.scene_body)
    {
        return verdict_of_parts(one, other);
    }
    let mut worst = Verdict::Separated;
    for (_, i, j) in by_gap(a, b, pairs, 0.0) {
        let found = verdict_of_parts(&a[i], &b[j]);
        if severity(found) < severity(worst) {
            worst = found;
        }
        if worst == Verdict::Overlapping {
            break;
        }
    }
    worst
}

fn verdict_of_parts(a: &Placed<'_>, b: &Placed<'_>) -> Verdict {
    let hulls = Pair::new(a.shape, &a.pose, b.shape, &b.pose).intersects();
    verdict_after_hulls(hulls.verdict, a, b)
}

/// What two parts are, whose hulls are this to one another.
pub(crate) fn verdict_after_hulls(hulls: Verdict, a: &Placed<'_>, b: &Placed<'_>) -> Verdict {
    if hulls == Verdict::Separated {
        return Verdict::Separated;
    }
    let found = Proximity {
        verdict: hulls,
        exact: hulls != Verdict::Undecided,
        lower: -f64::INFINITY,
        upper: f64::INFINITY,
        normal: [0.0; 3],
        point_a: [0.0; 3],
        point_b: [0.0; 3],
        stop: SearchStop::HullDepth,
        parts: (0, 0),
        relation: of_verdict(hulls),
        flush: false,
        contact: None,
        depths: None,
    };
    surfaces::refine(found, a, b, 0.0).verdict
}

/// The part pairs within reach, those with the nearest boxes first.
pub(crate) fn by_gap(
    a: &[Placed<'_>],
    b: &[Placed<'_>],
    pairs: &Pairs,
    reach: f64,
) -> Vec<(f64, usize, usize)> {
    let mut order = Vec::new();
    for (i, one) in a.iter().enumerate() {
        for (j, other) in b.iter().enumerate() {
            let gap = one.bounds().gap(other.bounds());
            if gap <= reach && !pairs.is_skipped_in_scene(one.scene_body, other.scene_body) {
                order.push((gap, i, j));
            }
        }
    }
    order.sort_by(|one, other| one.0.total_cmp(&other.0));
    order
}

fn query_parts(
    a: &Placed<'_>,
    b: &Placed<'_>,
    parts: (usize, usize),
    cutoff: f64,
    criteria: &Criteria,
) -> Proximity {
    let cutoff = cutoff.is_finite().then_some(cutoff);
    let mut options = Options::tight();
    options.cutoff = cutoff;
    let query = Pair::new(a.shape, &a.pose, b.shape, &b.pose).with(&options);
    let contact = if criteria.float_only {
        let floats = ProofOptions::default()
            .with_certificate(false)
            .with_float_only(true);
        query.prove_with(&floats).contact
    } else {
        query.contact()
    };
    let found = Proximity {
        verdict: contact.verdict,
        exact: contact.exact,
        lower: contact.signed_distance.lower,
        upper: contact.signed_distance.upper,
        normal: plain(contact.normal),
        point_a: plain(contact.point_a),
        point_b: plain(contact.point_b),
        stop: SearchStop::Query(contact.stop),
        parts,
        relation: of_verdict(contact.verdict),
        flush: false,
        contact: None,
        depths: None,
    };
    let found = surfaces::refine(found, a, b, cutoff.unwrap_or(f64::INFINITY));
    let found = in_band(found, criteria.touch_band);
    surfaces::with_depths(found, a, b, criteria)
}

/// The relation that a verdict says; an overlap may be any of several.
fn of_verdict(verdict: Verdict) -> Option<Relation> {
    match verdict {
        Verdict::Separated => Some(Relation::Separated),
        Verdict::Touching => Some(Relation::Touching),
        Verdict::Overlapping | Verdict::Undecided => None,
    }
}

/// Calls a gap or an overlap within the touch band touching.
fn in_band(found: Proximity, touch_band: f64) -> Proximity {
    let is_close = found.lower >= -touch_band && found.upper <= touch_band;
    if touch_band > 0.0 && is_close && found.verdict != Verdict::Touching {
        return Proximity {
            verdict: Verdict::Touching,
            relation: Some(Relation::Touching),
            exact: false,
            ..found
        };
    }
    found
}

/// The more severe of two verdicts, then the lesser distance, with an interval that holds for both together.
fn nearer(best: Proximity, found: Proximity) -> Proximity {
    let key = |found: &Proximity| (severity(found.verdict), found.upper);
    let (better, other) = if key(&found) < key(&best) {
        (found, best)
    } else {
        (best, found)
    };
    // The reason is that of the lower end which stays.
    let stop = if other.lower < better.lower {
        other.stop
    } else {
        better.stop
    };
    Proximity {
        stop,
        // Of several parts that overlap one relation does not tell that of the bodies.
        relation: if other.verdict == Verdict::Overlapping {
            None
        } else {
            better.relation
        },
        lower: better.lower.min(other.lower),
        upper: better.upper.min(other.upper),
        ..better
    }
}
