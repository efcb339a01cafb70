//! The longest piece of time on which planes of one direction separate two bodies.
//!
//! Where it sits: under `impact.rs`, which strings pieces together.
//! Idea: the normal of the distance is a direction that separates the bodies. Fixed in the world, carried by a body, or as the product of an edge of each it goes on to do so
//! for a while, which `turning.rs` proves for a chosen end. The end that is tried first is where the two nearest points would meet, and a secant corrects it.
//! Numbers: the constants below choose which ends are tried, and prove nothing.

use super::mobile::Arm;
use super::normal::{EdgePair, MovingNormal};
use super::turning::{Heights, Turning};
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
const SHORT: f64 = 1.0 / 4.0;
const FALLEN: f64 = 1.0 / 16.0;

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
            let (start, direction) = match normal {
                MovingNormal::Edges(_) => {
                    let (heights, turned) = self.bodies.view(&normal, None, from);
                    (heights.gap(turned), heights.world)
                }
                _ => {
                    let (direction, turned) = normal.after(&turns);
                    (heights.gap(turned), direction)
                }
            };
            let slope = slopes.of(&normal, direction, &turns);
            let own = heights.own_top(&normal);
            self.aimed(normal, own, from, [start, slope])
        };
        let fit = self.bodies.fit(world, &turns);
        let mut edges = None;
        if matches!(fit, Some(Carrier::Edges(_))) {
            edges = self.bodies.edges(world, &turns);
        }
        let mut best = None;
        let fitting = fit.and_then(|which| aimed(which, edges));
        self.farther_of(&fitting, &aimed(Carrier::World, None), &mut best);
        if best.as_ref().is_none_or(|best| best.left() > SHORT) {
            let other = |which: Carrier| {
                let is_other = self.bodies.carries(which) && fit != Some(which);
                is_other.then(|| aimed(which, None)).flatten()
            };
            self.farther_of(&other(Carrier::A), &other(Carrier::B), &mut best);
        }
        if let Some(best) = &mut best {
            best.fits = matches!(
                (best.normal, fit),
                (MovingNormal::A(_), Some(Carrier::A))
                    | (MovingNormal::B(_), Some(Carrier::B))
                    | (MovingNormal::Edges(_), Some(Carrier::Edges(_)))
            );
        }
        best
    }

    /// The piece after another along the same direction.
    pub(super) fn onward(&self, last: &Free) -> Option<Free> {
        let (normal, own, from) = (last.normal, last.own, last.to);
        let turns = self.bodies.turns(from);
        let slopes = self.bodies.slopes(&last.view, &turns, from);
        let slope = slopes.of(&normal, last.view.world, &turns);
        let mut next = None;
        self.farthest(&self.aimed(normal, own, from, [last.gap, slope])?, &mut next);
        if let Some(next) = &mut next {
            next.fits = true;
        }
        next
    }

    /// Replaces a piece by a longer one of two directions: the one that aims farther is tried first, and one that aims no farther than what is proved is not tried.
    fn farther_of(&self, one: &Option<Try>, other: &Option<Try>, best: &mut Option<Free>) {
        let aim = |of: &Option<Try>| of.as_ref().map_or(f64::NEG_INFINITY, |of| of.aim);
        let order = if aim(other) > aim(one) {
            [other, one]
        } else {
            [one, other]
        };
        for of in order.into_iter().flatten() {
            if best.as_ref().is_none_or(|best| of.aim > best.to) {
                self.farthest(of, best);
            }
        }
    }

    /// A direction, and the end that is tried first: where the two points that are nearest now would meet, as they move now. `None` where they are not apart along it.
    fn aimed(&self, normal: MovingNormal, own: Option<Arm>, from: f64, [start, slope]: [f64; 2]) -> Option<Try> {
        if !(start > 0.0) {
            return None;
        }
        let mut of = Try {
            normal,
            own,
            from,
            start,
            aim: self.end,
            bend: self.bodies.bend(&normal, [from, if slope < 0.0 { from } else { self.end }]),
            left: GAP_LEFT,
            slope,
        };
        if slope < 0.0 {
            // What the points' own acceleration may take of the gap until they meet is left of it, and no more: so the ends come nearer to each other quadratically.
            let time = start / slope;
            let bent = 8.0 * of.bend * time * time / start;
            of.left = bent.clamp(GAP_LEFT_LEAST, GAP_LEFT);
            let length = self.end - from;
            let sag = sag(of.bend, length);
            let next = from + secant([start, start + slope * length], sag, length, of.left);
            of.aim = next.min(self.end);
            of.bend = self.bodies.bend(&normal, [from, of.aim]);
        }
        Some(of)
    }

    /// Replaces a piece by the longest that is found for a direction, if that is longer.
    fn farthest(&self, of: &Try, best: &mut Option<Free>) {
        let (from, start, own) = (of.from, of.start, of.own);
        let (mut to, mut left, mut aim, mut bend) = (of.aim, of.left, of.aim, of.bend);
        let mut known = None;
        for _ in 0..ENDS_TRIED {
            let length = to - from;
            if to > aim {
                bend = self.bodies.bend(&of.normal, [from, to]);
                aim = to;
            }
            let sag = sag(bend, length);
            let (view, turned) = self.bodies.view(&of.normal, own, to);
            let gap = view.gap(turned);
            let proved = start > sag && gap > sag;
            if let Some(watch) = self.watch {
                let (carrier, direction) = of.normal.stated();
                watch(MotionStep::Tried {
                    times: [from, to],
                    direction,
                    carrier,
                    gaps: [start, gap],
                    sag,
                    proved,
                });
            }
            if proved {
                if known.is_none_or(|known| to > known) {
                    known = Some(to);
                    if best.as_ref().is_none_or(|best| to > best.to) {
                        *best = Some(Free {
                            normal: of.normal,
                            own,
                            from,
                            start,
                            aim: of.aim,
                            slope: of.slope,
                            to,
                            gap,
                            view,
                            fits: false,
                        });
                    }
                }
                if to >= self.end {
                    break;
                }
            }
            let next = (from + secant([start, gap], sag, length, left)).min(self.end);
            let worth = known.is_none_or(|known| next - from > (1.0 + LONGER) * (known - from));
            if !(next > from) || !worth && known.is_some() {
                break;
            }
            if !proved {
                left = (left * SHORTER).min(0.75);
            }
            to = next;
        }
    }
}

/// A direction, and how far it may lead.
struct Try {
    normal: MovingNormal,
    /// The highest point of the body that carries it, if one does.
    own: Option<Arm>,
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
pub(super) struct Free {
    normal: MovingNormal,
    own: Option<Arm>,
    from: f64,
    /// The gap then.
    start: f64,
    /// The end that was tried first.
    aim: f64,
    /// About how fast the gap changes at the start.
    slope: f64,
    pub(super) to: f64,
    /// The gap at its end, of edges the height along their product.
    pub(super) gap: f64,
    /// The bodies along its direction there.
    view: Heights,
    /// Whether what carries its direction is what carries the normal of the distance.
    fits: bool,
}

impl Free {
    /// Whether its direction leads on.
    pub(super) fn leads(&self) -> bool {
        self.fits && self.gap < self.start * FALLEN
    }

    /// As a certificate states it.
    pub(super) fn piece(&self) -> ChainPiece {
        let (carrier, direction) = self.normal.stated();
        ChainPiece {
            to: self.to,
            direction,
            carrier,
        }
    }

    /// The part that it leaves of what it aimed at.
    fn left(&self) -> f64 {
        (self.aim - self.to) / (self.aim - self.from)
    }

    /// The direction that separates at its end.
    pub(super) fn direction(&self) -> Triple {
        self.view.world
    }

    /// About how fast the gap falls.
    pub(super) fn closing(&self) -> f64 {
        -self.slope
    }
}

/// How far a height may sag on a piece of a length.
fn sag(bend: f64, length: f64) -> f64 {
    // Both products are rounded, and may underflow.
    bend * length * length * (1.0 + 4.0 * f64::ROUNDING) + f64::MIN_POSITIVE
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
