//! The signed distance of two bodies: the least over the pairs of their parts.
//!
//! Idea: part pairs are queried in the order of their boxes' gap; what was found so far cuts the later ones short, and a pair
//! whose boxes are farther apart than that is not queried at all. Each omission is a proof, so the answer stays an interval.

use crate::Criteria;
use crate::broad_phase::Aabb;
use crate::pairs::Pairs;
use gjk::query::{Contact, Options, Pair, ProofOptions, Verdict};
use gjk::shape::Shape;
use gjk::{Pose3, Stop, Vec3};

/// A part in the world.
pub(crate) struct Placed<'a> {
    /// Its shape.
    pub(crate) shape: &'a Shape<Vec3<f64>>,
    /// Its pose.
    pub(crate) pose: Pose3<f64>,
    /// A box around it.
    pub(crate) bounds: Aabb,
    /// The scene's body that it belongs to.
    pub(crate) scene_body: usize,
}

/// What was found for two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Proximity {
    /// The relation.
    pub verdict: Verdict,
    /// True when the verdict is proved for the shapes as rounded.
    pub exact: bool,
    /// A lower bound of the signed distance.
    pub lower: f64,
    /// An upper bound of the signed distance.
    pub upper: f64,
    /// Unit, from the first body to the second.
    pub normal: [f64; 3],
    /// On the first body's surface.
    pub point_a: [f64; 3],
    /// On the second body's surface.
    pub point_b: [f64; 3],
    /// Why the search ended that left the interval as wide as it is.
    pub stop: Stop,
    /// The parts where it was found.
    pub parts: (usize, usize),
}

/// An interval that is wider than this part of its larger end is wide: people see two numbers, and want a reason.
const WIDE_RELATIVE: f64 = 1e-6;

/// Overlaps that are this part of their coordinates are taken to come from rounding: 1e4 roundings of a double, and far less
/// than anyone can make.
const ROUNDING_DEPTH: f64 = 1e-12;

impl Proximity {
    /// True where the ends of the interval differ in the first six digits.
    pub fn is_wide(&self) -> bool {
        self.upper - self.lower > WIDE_RELATIVE * self.lower.abs().max(self.upper.abs())
    }

    /// The touch band that calls an overlap touching, where the overlap is no deeper than the rounding of its coordinates.
    pub fn rounding_band(&self) -> Option<f64> {
        let size = self.point_a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let band = ROUNDING_DEPTH * size;
        (self.verdict == Verdict::Overlapping && -self.lower <= band).then_some(band)
    }
}

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
        let found = query_parts(&a[i], &b[j], (i, j), reach.min(criteria.reach()), criteria);
        all_exact &= found.exact;
        best = Some(best.map_or(found, |best| nearer(best, found)));
    }
    best.map(|best| Proximity {
        exact: best.exact && (all_exact || best.verdict == Verdict::Overlapping),
        ..best
    })
}

/// The part pairs within reach, those with the nearest boxes first.
fn by_gap(
    a: &[Placed<'_>],
    b: &[Placed<'_>],
    pairs: &Pairs,
    reach: f64,
) -> Vec<(f64, usize, usize)> {
    let mut order = Vec::new();
    for (i, one) in a.iter().enumerate() {
        for (j, other) in b.iter().enumerate() {
            let gap = one.bounds.gap(&other.bounds);
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
        stop: contact.stop,
        parts,
    };
    in_band(found, &contact, criteria.touch_band)
}

/// Calls a gap or an overlap within the touch band touching.
fn in_band(found: Proximity, contact: &Contact<Vec3<f64>>, touch_band: f64) -> Proximity {
    let is_close = found.lower >= -touch_band && found.upper <= touch_band;
    if touch_band > 0.0 && is_close && contact.verdict != Verdict::Touching {
        return Proximity {
            verdict: Verdict::Touching,
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
        lower: better.lower.min(other.lower),
        upper: better.upper.min(other.upper),
        ..better
    }
}

/// The order of verdicts, the most severe first.
pub fn severity(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Overlapping => 0,
        Verdict::Touching => 1,
        Verdict::Undecided => 2,
        Verdict::Separated => 3,
    }
}

/// The components, without negative zeros.
fn plain(v: Vec3<f64>) -> [f64; 3] {
    [v.x + 0.0, v.y + 0.0, v.z + 0.0]
}
