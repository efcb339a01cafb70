//! The longest piece of time on which planes of one direction separate two bodies.
//!
//! Where it sits: under `impact.rs`, which strings pieces together.
//! Idea: the normal of the distance is a direction that separates the bodies. Fixed in the world, carried by a body, or as the product of an edge of each it goes on to do so
//! for a while, which `turning.rs` proves for a chosen end. The end that is tried first is where the two nearest points would meet, and a secant corrects it. Where what
//! carries the direction is what carries the normal itself, the piece is led on by Newton's method to where its planes meet.
//! Numbers: the constants below choose which ends are tried, and prove nothing.

use super::common_point::ContactPoints;
use super::mobile::Arm;
use super::normal::MovingNormal;
use super::turning::{Bend, Heights, Turning};
use super::watch::{MotionStep, Watch};
use crate::answer::Contact;
use crate::math::{Scalar, Triple, Vector};
use crate::motion::answer::{Carrier, ChainPiece};

/// Ends of a piece that are tried for one direction.
const ENDS_TRIED: u32 = 12;

/// The part of the gap that is left at first where the points bend much, so that the end is on the safe side; it grows by [`SHORTER`].
const GAP_LEFT: f64 = 1.0 / 1024.0;
const SHORTER: f64 = 4.0;

/// An end that a secant finds within such a part of one that is proved is not worth another try.
const LONGER: f64 = 1.0 / 16.0;

/// A direction that aims farther by less than this factor is not worth a try.
const MUCH_FARTHER: f64 = 1.25;

/// A piece that leaves more than this part of what it aimed at is short, and other directions are tried.
const SHORT: f64 = 1.0 / 4.0;

/// A gap that has fallen to this part of itself along a direction that fits is followed to its end.
const FALLEN: f64 = 1.0 / 16.0;

/// A search for pieces until the end of a motion.
pub(super) struct PieceSearch<'t, 'p, V: Vector> {
    pub(super) bodies: &'t Turning<'p, V>,
    pub(super) end: f64,
    pub(super) watch: Watch<'t>,
}

impl<V: Vector> PieceSearch<'_, '_, V> {
    /// The longest piece from a time on that the direction between the bodies proves: in the world, carried by a body, or as the product of an edge of each.
    pub(super) fn longest(&self, here: &Contact<V::Wide>, from: f64) -> Option<Free> {
        let along = here.normal.normalized()?.to_f64();
        let turns = self.bodies.turns(from);
        let heights = self.bodies.heights(along, &turns, from);
        let slopes = self.bodies.slopes(&heights, &turns, from);
        let fit = self.bodies.fit(along, &turns);
        let aimed = |which: Carrier| {
            let normal = match which {
                Carrier::Edges(_) => MovingNormal::Edges(self.bodies.edges(along, &turns)?),
                _ => MovingNormal::carried(which, along, &turns),
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
        let mut best = None;
        let is_fit = fit == Some(Carrier::World);
        let mut of_world = if is_fit { None } else { aimed(Carrier::World) };
        let mut of_fit = match fit {
            Some(which) => aimed(which),
            None => None,
        };
        self.farther_of(&mut of_fit, &mut of_world, &mut best);
        if best.as_ref().is_none_or(|best| best.left() > SHORT) {
            let other = |which: Carrier| {
                let is_other = self.bodies.carries(which) && fit != Some(which);
                if is_other { aimed(which) } else { None }
            };
            self.farther_of(&mut other(Carrier::A), &mut other(Carrier::B), &mut best);
        }
        if let Some(best) = &mut best {
            best.fits = matches!(
                (best.of.normal, fit),
                (MovingNormal::World(_), Some(Carrier::World))
                    | (MovingNormal::A(_), Some(Carrier::A))
                    | (MovingNormal::B(_), Some(Carrier::B))
                    | (MovingNormal::Edges(_), Some(Carrier::Edges(_)))
            );
        }
        best
    }

    /// Replaces a piece by a longer one of two directions: the first is tried first, unless the second aims much farther, and one that does not aim much farther than what is proved is not tried.
    fn farther_of(&self, one: &mut Option<Try>, other: &mut Option<Try>, best: &mut Option<Free>) {
        let aim = |of: &Option<Try>| of.as_ref().map_or(0.0, |of| of.aim - of.from);
        let order = if aim(other) > MUCH_FARTHER * aim(one) {
            [other, one]
        } else {
            [one, other]
        };
        for of in order.into_iter().flatten() {
            let is_worth = |best: &Free| of.aim - of.from > MUCH_FARTHER * (best.to - of.from);
            if best.as_ref().is_none_or(is_worth) {
                self.farthest(of, best);
            }
        }
    }

    /// A direction, and the end that is tried first: where the two points that are nearest now would meet, as they move now. `None` where they are not apart along it.
    fn aimed(
        &self,
        normal: MovingNormal,
        own: Option<Arm>,
        from: f64,
        [start, slope]: [f64; 2],
    ) -> Option<Try> {
        if !(start > 0.0) {
            return None;
        }
        let bend = self.bodies.bend(&normal, [from, from]);
        let mut length = self.end - from;
        if slope < 0.0 {
            // What the points' own acceleration may take of the gap until they meet is left of it, and no more.
            let meets = start / -slope;
            let left = Scalar::min(4.0 * bend.over(meets) / start, GAP_LEFT);
            length = length.min(meets * (1.0 - left));
        }
        length = length.min(bend.reach(start, slope));
        let aim = from + length;
        Some(Try {
            normal,
            own,
            from,
            start,
            slope,
            aim,
            bend: self.bodies.bend(&normal, [from, aim]),
        })
    }

    /// Replaces a piece by the longest that is found for a direction, if that is longer.
    fn farthest(&self, of: &mut Try, best: &mut Option<Free>) {
        let (mut to, mut left) = (of.aim, GAP_LEFT);
        let mut known = None;
        for _ in 0..ENDS_TRIED {
            let (gap, view, proved) = self.tried(of, to);
            if proved && known.is_none_or(|known| to > known) {
                known = Some(to);
                if best.as_ref().is_none_or(|best| to > best.to) {
                    *best = Some(Free {
                        of: of.clone(),
                        to,
                        gap,
                        view,
                        fits: false,
                    });
                }
                if to >= self.end {
                    break;
                }
            }
            let length = to - of.from;
            let mut next = self.end - of.from;
            if gap < of.start {
                next = next.min(length * of.start * (1.0 - left) / (of.start - gap));
            }
            next = next.min(of.bend.reach(of.start, (gap - of.start) / length));
            let worth = known.is_none_or(|known| next > (1.0 + LONGER) * (known - of.from));
            if !worth || next == length {
                break;
            }
            if !proved {
                left = (left * SHORTER).min(0.75);
            }
            to = (of.from + next).min(self.end);
            if !(to > of.from) {
                break;
            }
        }
    }

    /// Leads a piece on toward where its planes are as far apart as `least`; false where it does not get nearer.
    pub(super) fn onward(&self, free: &mut Free, least: f64) -> bool {
        let turns = self.bodies.turns(free.to);
        let slopes = self.bodies.slopes(&free.view, &turns, free.to);
        let slope = slopes.of(&free.of.normal, free.view.world, &turns);
        if !(slope < 0.0) {
            return false;
        }
        free.of.slope = slope;
        // The gap is nowhere below the parabola of the most that the points may be accelerated by.
        let steep = Scalar::sqrt(slope * slope + 16.0 * free.of.bend.over(1.0) * free.gap);
        let to = (free.to + 2.0 * (free.gap - least) / (steep - slope)).min(self.end);
        let (gap, view, proved) = self.tried(&mut free.of, to);
        if !(proved && to > free.to) {
            return false;
        }
        let falls = gap - least < FALLEN * free.gap;
        (free.to, free.gap, free.view) = (to, gap, view);
        falls && to < self.end
    }

    /// The gap at an end of a piece, the bodies as seen along its direction there, and whether the piece is proved.
    fn tried(&self, of: &mut Try, to: f64) -> (f64, Heights, bool) {
        if to > of.aim {
            of.bend = self.bodies.bend(&of.normal, [of.from, to]);
            of.aim = to;
        }
        let sag = of.bend.over(to - of.from);
        let (view, turned) = self.bodies.view(&of.normal, of.own, to);
        let gap = view.gap(turned);
        let proved = separates([of.start, gap], sag);
        if let Some(watch) = self.watch {
            let (carrier, direction) = of.normal.stated();
            watch(MotionStep::Tried {
                times: [of.from, to],
                direction,
                carrier,
                gaps: [of.start, gap],
                sag,
                proved,
            });
        }
        (gap, view, proved)
    }
}

/// Whether a gap that has these values at the ends of a piece is positive on all of it, if it sags by at most so much below its chord.
///
/// Below the gap is the parabola through its ends that sags by as much: in parts `s` of the piece `g₀·(1−s) + g₁·s − 4·sag·s·(1−s)`. It is positive if `2·√sag < √g₀ + √g₁`.
pub(super) fn separates([start, end]: [f64; 2], sag: f64) -> bool {
    let roots = Scalar::sqrt(start.max(0.0)) + Scalar::sqrt(end.max(0.0));
    // Two roots, a sum and a square are rounded.
    start > 0.0 && end > 0.0 && 4.0 * sag < roots * roots * (1.0 - 8.0 * f64::ROUNDING)
}

/// A direction, and how far it may lead.
#[derive(Clone)]
struct Try {
    normal: MovingNormal,
    /// The highest point of the body that carries it, if one does.
    own: Option<Arm>,
    from: f64,
    /// The gap then.
    start: f64,
    /// About how fast the gap changes.
    slope: f64,
    /// The end that is tried first, or the last that was.
    aim: f64,
    /// From the start to that end.
    bend: Bend,
}

/// A direction that separates from the piece before it to a time.
#[derive(Clone, Copy)]
pub(super) struct ProvedPiece {
    pub(super) normal: MovingNormal,
    /// The highest point of the body that carries it, if one does.
    pub(super) own: Option<Arm>,
    /// The gap at its begin.
    pub(super) start: f64,
    pub(super) to: f64,
}

/// A piece that is proved free.
pub(super) struct Free {
    of: Try,
    pub(super) to: f64,
    /// The gap at its end, of edges the height along their product.
    pub(super) gap: f64,
    /// The bodies along its direction there.
    view: Heights,
    /// Whether what carries its direction is what carries the normal of the distance.
    fits: bool,
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

    /// As the search keeps it.
    pub(super) fn proved(&self) -> ProvedPiece {
        ProvedPiece {
            normal: self.of.normal,
            own: self.of.own,
            start: self.of.start,
            to: self.to,
        }
    }

    /// The contact at a time just after its end, if the points on its planes show one.
    pub(super) fn met_at<V: Vector>(
        &self,
        bodies: &Turning<'_, V>,
        time: f64,
    ) -> Option<ContactPoints<V::Wide>> {
        bodies.met_at(&self.of.normal, &self.view, time)
    }

    /// The part that it leaves of what it aimed at.
    fn left(&self) -> f64 {
        (self.of.aim - self.to) / (self.of.aim - self.of.from)
    }

    /// Whether its planes are to be followed to where they meet.
    pub(super) fn leads(&self) -> bool {
        self.fits && self.gap < FALLEN * self.of.start
    }

    /// The direction that separates at its end.
    pub(super) fn direction(&self) -> Triple {
        self.view.world
    }

    /// About how fast the gap falls.
    pub(super) fn closing(&self) -> f64 {
        -self.of.slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least value of the parabola through both gaps that sags by so much in the middle.
    fn least([start, end]: [f64; 2], sag: f64) -> f64 {
        let at = |s: f64| start * (1.0 - s) + end * s - 4.0 * sag * s * (1.0 - s);
        (0..=1000)
            .map(|k| at(f64::from(k) / 1000.0))
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn a_piece_is_proved_while_its_parabola_is_positive() {
        for (start, end, sag) in [
            (1.0, 1.0, 0.99),
            (1.0, 0.25, 0.56),
            (1.0, 1e-6, 0.25),
            (0.25, 1.0, 0.56),
            (1e-12, 1e-12, 9.9e-13),
            (1.0, 0.0, 0.0),
        ] {
            assert_eq!(separates([start, end], sag), end > 0.0);
            assert!(least([start, end], sag) >= 0.0);
            let more = 1.1 * sag;
            assert!(!separates([start, end], more), "{start} {end} {more}");
            assert!(least([start, end], more) <= 0.0);
        }
        assert!(!separates([-1.0, 1.0], 0.0) && !separates([1.0, f64::NAN], 0.0));
    }
}
