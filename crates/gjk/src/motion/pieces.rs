//! The longest piece of time on which planes of one direction separate two bodies.
//!
//! Where it sits: under `impact.rs`, which strings pieces together.
//! Idea: the normal of the distance is a direction that separates the bodies. Fixed in the world, carried by a body, or as the product of an edge of each it goes on to do so
//! for a while, which `turning.rs` proves for a chosen end. The end that is tried first is where the two nearest points would meet, and a secant corrects it.
//! Numbers: the constants below choose which ends are tried, and prove nothing.

use super::course::Turn;
use super::normal::{EdgePair, MovingNormal};
use super::turning::Turning;
use super::watch::{MotionStep, Watch};
use crate::answer::Contact;
use crate::math::{Scalar, Triple, Vector};
use crate::motion::answer::{Carrier, ChainPiece};

/// Ends of a piece that are tried for one direction.
const ENDS_TRIED: u32 = 12;

/// The part of the gap that a secant leaves at first, so that its end is on the safe side; it grows by [`SHORTER`].
const GAP_LEFT: f64 = 1.0 / 1024.0;
const SHORTER: f64 = 4.0;

/// The least part of the gap that is left where the points hardly bend.
const GAP_LEFT_LEAST: f64 = 1.0 / ((1u64 << 30) as f64);

/// An end that a secant finds within such a part of one that is proved is not worth another try.
const LONGER: f64 = 1.0 / 16.0;

/// A piece that leaves more than this part of what it aimed at is short: where two edges meet, a direction that one of them carries leaves a tenth.
const SHORT: f64 = 1.0 / 64.0;

/// A search for pieces until the end of a motion.
pub(super) struct PieceSearch<'t, 'p, V: Vector> {
    pub(super) bodies: &'t Turning<'p, V>,
    pub(super) end: f64,
    pub(super) watch: Watch<'t>,
}

impl<V: Vector> PieceSearch<'_, '_, V> {
    /// The longest piece from a time on that the direction between the bodies proves: in the world, carried by a body, or as the product of an edge of each.
    pub(super) fn longest(
        &self,
        here: &Contact<V::Wide>,
        from: f64,
        lead: &mut Lead,
    ) -> Option<Free> {
        let world = here.normal.normalized()?.to_f64();
        let turns = self.bodies.turns(from);
        let heights = self.bodies.heights(world, &turns, from);
        let slopes = self.bodies.slopes(&heights, &turns, from);
        let aimed = |which: Carrier, edges: Option<EdgePair>| {
            let normal = match which {
                Carrier::Edges(_) => MovingNormal::Edges(edges?),
                _ => MovingNormal::carried(which, world, &turns),
            };
            let (direction, turned) = normal.after(&turns);
            let start = match normal {
                MovingNormal::Edges(_) => self.bodies.gap(&normal, from),
                _ => heights.gap(turned),
            };
            let slope = slopes.of(&normal, direction, &turns);
            self.aimed(normal, from, [start, slope])
        };
        let of = |which: Carrier, edges: Option<EdgePair>| self.farthest(aimed(which, edges)?);
        // What led here leads on, until it leaves much of what it aims at.
        let mut best = lead.carrier.and_then(|which| of(which, lead.edges));
        if best.as_ref().is_some_and(Free::is_long) {
            return best;
        }
        let others = Carrier::DIRECTIONS.map(|which| {
            let is_other = self.bodies.carries(which) && lead.carrier != Some(which);
            is_other.then(|| aimed(which, None)).flatten()
        });
        best = self.farthest_of(others, best);
        let edge = Carrier::Edges([[0; 2]; 2]);
        let is_short = best.as_ref().is_none_or(|best| !best.is_long());
        if is_short && self.bodies.turn() && lead.carrier != Some(edge) {
            lead.edges = self.bodies.edges(world, &turns);
            best = longer(best, of(edge, lead.edges));
        }
        lead.carrier = best.as_ref().map(|best| match best.of.normal {
            MovingNormal::World(_) => Carrier::World,
            MovingNormal::A(_) => Carrier::A,
            MovingNormal::B(_) => Carrier::B,
            MovingNormal::Edges(_) => edge,
        });
        best
    }

    /// The longest piece of some directions and one that is known: those that aim farthest are tried first, and those that aim no farther than what is proved are not tried.
    fn farthest_of(&self, mut tries: [Option<Try>; 3], known: Option<Free>) -> Option<Free> {
        let aim = |of: &Option<Try>| of.as_ref().map_or(f64::NEG_INFINITY, |of| of.aim);
        tries.sort_unstable_by(|x, y| aim(y).total_cmp(&aim(x)));
        let mut best = known;
        for of in tries.into_iter().flatten() {
            if best.as_ref().is_none_or(|best| of.aim > best.to) {
                best = longer(best, self.farthest(of));
            }
        }
        best
    }

    /// A direction, and the end that is tried first: where the two points that are nearest now would meet, as they move now. `None` where they are not apart along it.
    fn aimed(&self, normal: MovingNormal, from: f64, [start, slope]: [f64; 2]) -> Option<Try> {
        if !(start > 0.0) {
            return None;
        }
        let mut of = Try {
            normal,
            from,
            start,
            aim: self.end,
            bend: self.bodies.bend(&normal, [from, self.end]),
            left: GAP_LEFT,
            slope,
        };
        if slope < 0.0 {
            // What the points' own acceleration may take of the gap until they meet is left of it, and no more: so the ends come nearer to each other quadratically.
            let time = start / slope;
            let bent = 8.0 * of.bend * time * time / start;
            of.left = bent.clamp(GAP_LEFT_LEAST, GAP_LEFT);
            let length = self.end - from;
            let sag = of.sag(length);
            let next = from + secant([start, start + slope * length], sag, length, of.left);
            of.aim = next.min(self.end);
            of.bend = self.bodies.bend(&normal, [from, of.aim]);
        }
        Some(of)
    }

    /// The longest piece that is found for a direction.
    fn farthest(&self, mut of: Try) -> Option<Free> {
        let (from, start, first) = (of.from, of.start, of.aim);
        let mut best: Option<f64> = None;
        let (mut to, mut left) = (of.aim, of.left);
        for _ in 0..ENDS_TRIED {
            let length = to - from;
            if to > of.aim {
                of.bend = self.bodies.bend(&of.normal, [from, to]);
                of.aim = to;
            }
            let sag = of.sag(length);
            let end = self.bodies.gap(&of.normal, to);
            let proved = start > sag && end > sag;
            if let Some(watch) = self.watch {
                let (carrier, direction) = of.normal.stated();
                watch(MotionStep::Tried {
                    times: [from, to],
                    direction,
                    carrier,
                    gaps: [start, end],
                    sag,
                    proved,
                });
            }
            if proved {
                if best.is_none_or(|best| to > best) {
                    best = Some(to);
                }
                if to >= self.end {
                    break;
                }
            }
            let next = (from + secant([start, end], sag, length, left)).min(self.end);
            let worth = best.is_none_or(|best| next - from > (1.0 + LONGER) * (best - from));
            if !(next > from) || !worth && best.is_some() {
                break;
            }
            if !proved {
                left = (left * SHORTER).min(0.75);
            }
            to = next;
        }
        let to = best.filter(|&to| to > from || to >= self.end)?;
        of.aim = first;
        Some(Free { of, to })
    }
}

/// A direction, and how far it may lead.
#[derive(Clone, Copy)]
struct Try {
    normal: MovingNormal,
    from: f64,
    /// The gap then.
    start: f64,
    /// The end that is tried first.
    aim: f64,
    /// See [`Turning::bend`], from the start to that end.
    bend: f64,
    /// The part of the gap that is left at the end that is tried first.
    left: f64,
    /// About how fast the gap changes at the start.
    slope: f64,
}

/// A piece that is proved free.
#[derive(Clone, Copy)]
pub(super) struct Free {
    of: Try,
    pub(super) to: f64,
}

impl Free {
    /// As a certificate states it.
    pub(super) fn piece(&self) -> ChainPiece {
        let (carrier, direction) = self.of.normal.stated();
        ChainPiece {
            to: self.to,
            direction,
            carrier,
        }
    }

    /// Whether it leaves little of what it aimed at.
    fn is_long(&self) -> bool {
        self.of.aim - self.to <= SHORT * (self.of.aim - self.of.from)
    }

    /// The direction that separates at its end.
    pub(super) fn direction(&self, turns: &[Turn; 2]) -> Triple {
        self.of.normal.after(turns).0
    }

    /// About how fast the gap falls.
    pub(super) fn closing(&self) -> f64 {
        -self.of.slope
    }
}

fn longer(one: Option<Free>, other: Option<Free>) -> Option<Free> {
    match (one, other) {
        (Some(one), Some(other)) if one.to >= other.to => Some(one),
        (one, other) => other.or(one),
    }
}

/// Which direction proved the last piece, and the edges that were found.
#[derive(Clone, Copy, Default)]
pub(super) struct Lead {
    carrier: Option<Carrier>,
    edges: Option<EdgePair>,
}

impl Try {
    /// How far a height may sag on a piece of a length.
    fn sag(&self, length: f64) -> f64 {
        let sag = self.bend * length * length;
        // Both products are rounded, and may underflow.
        sag * (1.0 + 4.0 * f64::ROUNDING) + f64::MIN_POSITIVE
    }
}

/// How far a gap that is a chord over a length stays above its sag and above a part of its start.
fn secant([start, end]: [f64; 2], sag: f64, length: f64, left: f64) -> f64 {
    let kept = start * (1.0 - left);
    // kept + slope·s − curve·s² = 0, in parts of the length; the sag is that of the whole.
    let slope = end - start;
    let part = if slope < 0.0 {
        2.0 * kept / (-slope + Scalar::sqrt(slope * slope + 4.0 * sag * kept))
    } else {
        Scalar::sqrt(kept / sag)
    };
    part * length
}
