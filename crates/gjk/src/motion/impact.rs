//! The first contact of bodies that turn, and the end of a contact.
//!
//! Idea: where the bodies are apart, the normal of their distance is a direction that separates them. Fixed in the world or carried by a body it goes on to
//! separate them for a while, which `turning.rs` proves; a secant finds how long. So the free time grows by pieces, each from the end of the one before, until what is left of the gap
//! is rounding. A time with a proved contact, looked for from there on, is the other end. Nothing is ever taken from samples but a contact.
//! Numbers: the constants below choose which times are tried, and prove nothing.

use super::soft::{TIME_ROUNDINGS, TRIAL_GROWTH};
use super::turning::{TurnedPlanes, Turning};
use super::watch::{MotionStep, Watch, looked};
use crate::answer::{Contact, Verdict};
use crate::math::{Scalar, Vector};
use crate::motion::answer::{ChainPiece, MotionStop};
use alloc::vec::Vec;

/// Ends of a piece that are tried for one direction.
const ENDS_TRIED: u32 = 12;

/// The part of the gap that a secant leaves at first, so that its end is on the safe side; it grows by [`SHORTER`].
const GAP_LEFT: f64 = 1.0 / 1024.0;
const SHORTER: f64 = 4.0;

/// An end that a secant finds within such a part of one that is proved is not worth another try.
const LONGER: f64 = 1.0 / 16.0;

/// Halvings of the time between the free part and a contact.
const HALVINGS: u32 = 4;

/// So many resolutions of time are not halved any more.
const HALVED: f64 = 2.0;

/// So many resolutions of time are as narrow as asked: what is left is between the last piece and the first time tried.
pub(super) const NARROW: f64 = 8.0;

/// What is known of the motion from a time on.
pub(super) struct Impact<W: Vector> {
    /// There is no contact from the time of the start of the search to here.
    pub(super) lower: f64,
    /// There is contact here; infinite where none is known.
    pub(super) upper: f64,
    /// It is proved that there is none until the end.
    pub(super) free: bool,
    /// Between the two is a time at which they are apart: what is before it is not known.
    pub(super) open: bool,
    /// The bodies at the last time that was free, and in contact at `upper`.
    pub(super) last: Option<Contact<W>>,
    pub(super) contact: Option<Contact<W>>,
    pub(super) pieces: Vec<ChainPiece>,
    pub(super) stop: MotionStop,
    /// Distances that were measured.
    pub(super) steps: u32,
}

/// What the bodies are at a time, beyond rounding.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Apart,
    Within,
    Open,
}

/// A search for the first contact, or for the end of one.
pub(super) struct ImpactSearch<'t, 'p, V: Vector> {
    pub(super) bodies: &'t Turning<'p, V>,
    pub(super) end: f64,
    /// The least time that counts, an absolute one.
    pub(super) least: f64,
    pub(super) pieces_max: u32,
    pub(super) watch: Watch<'t>,
}

impl<V: Vector> ImpactSearch<'_, '_, V> {
    /// Tells who watches.
    fn tell(&self, step: impl FnOnce() -> MotionStep) {
        if let Some(watch) = self.watch {
            watch(step());
        }
    }

    /// What the true bodies are at a time, and the rounded ones: as near as floats tell at once, and as near as they can where that leaves it open.
    pub(super) fn relation(&self, time: f64) -> (Relation, Contact<V::Wide>) {
        let error = self.bodies.place_error(time);
        let trial = self.bodies.trial_at(time);
        let relation = relation_of(&trial, error);
        self.tell(|| looked(time, &trial));
        if relation != Relation::Open {
            return (relation, trial);
        }
        let found = self.bodies.contact_at(time);
        (relation_of(&found, error), found)
    }

    /// The first contact after a time at which they are apart.
    pub(super) fn first(&self, from: f64) -> Impact<V::Wide> {
        let mut found = Impact {
            lower: from,
            upper: f64::INFINITY,
            free: false,
            open: false,
            last: None,
            contact: None,
            pieces: Vec::new(),
            stop: MotionStop::TimeResolution,
            steps: 0,
        };
        loop {
            if found.pieces.len() as u64 >= u64::from(self.pieces_max) {
                found.stop = MotionStop::PiecesLimit;
                break;
            }
            let mut here = self.bodies.trial_at(found.lower);
            self.tell(|| looked(found.lower, &here));
            found.steps += 1;
            let mut piece = self.longest(&here, found.lower);
            if piece.is_none() {
                here = self.bodies.contact_at(found.lower);
                self.tell(|| looked(found.lower, &here));
                found.steps += 1;
                piece = self.longest(&here, found.lower);
            }
            let Some(piece) = piece else {
                found.last = Some(here);
                break;
            };
            let from = found.lower;
            self.tell(|| MotionStep::Piece { from, piece });
            let moved = piece.to - found.lower;
            found.lower = piece.to;
            found.pieces.push(piece);
            found.last = Some(here);
            if piece.to >= self.end {
                found.free = true;
                found.stop = MotionStop::SeparatingPlane;
                return found;
            }
            if moved < self.resolution(piece.to) {
                break;
            }
        }
        self.meet(&mut found);
        found
    }

    /// The longest piece from a time on that the direction between the bodies proves, in the world or carried by a body.
    pub(super) fn longest(&self, here: &Contact<V::Wide>, from: f64) -> Option<ChainPiece> {
        let world = here.normal.normalized()?.to_f64();
        let pieces = self.bodies.carriers().filter_map(|carrier| {
            let direction = self.bodies.carried(carrier, world, from);
            let mut piece = ChainPiece {
                to: from,
                direction,
                carrier,
            };
            piece.to = self.farthest(&piece, from)?;
            Some(piece)
        });
        pieces.reduce(|best, piece| if piece.to > best.to { piece } else { best })
    }

    /// The end of the longest piece that is found for a direction.
    fn farthest(&self, piece: &ChainPiece, from: f64) -> Option<f64> {
        let (carrier, direction) = (piece.carrier, piece.direction);
        let planes = |time: f64| self.bodies.planes(carrier, direction, time);
        let TurnedPlanes { gap: start, slope } = planes(from);
        if !(start > 0.0) {
            return None;
        }
        let mut best = None;
        let (mut to, mut left) = (self.end, GAP_LEFT);
        if slope < 0.0 {
            // Where the two points that are nearest now would meet.
            let length = self.end - from;
            let sag = self.bodies.sag(carrier, direction, [from, self.end]);
            let next = from + secant([start, start + slope * length], sag, length, left);
            to = next.min(self.end);
        }
        for _ in 0..ENDS_TRIED {
            let sag = self.bodies.sag(carrier, direction, [from, to]);
            let end = planes(to).gap;
            let proved = start > sag && end > sag;
            self.tell(|| MotionStep::Tried {
                times: [from, to],
                direction,
                carrier,
                gaps: [start, end],
                sag,
                proved,
            });
            if proved {
                best = best.max_time(to);
                if to >= self.end {
                    break;
                }
            }
            let length = to - from;
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
        best.filter(|&to| to > from || to >= self.end)
    }

    /// Looks for a contact after the free part.
    fn meet(&self, found: &mut Impact<V::Wide>) {
        let mut trial = self.first_trial(found.lower);
        let mut near = false;
        loop {
            let time = (found.lower + trial).min(self.end);
            found.steps += 1;
            let (relation, contact) = self.relation(time);
            match relation {
                Relation::Within => {
                    (found.upper, found.contact) = (time, Some(contact));
                    break;
                }
                Relation::Apart => found.open |= near,
                Relation::Open => near = true,
            }
            if time >= self.end {
                return;
            }
            trial *= TRIAL_GROWTH;
        }
        if !found.open {
            self.halve(found);
        }
    }

    /// Brings a contact nearer to the free part.
    fn halve(&self, found: &mut Impact<V::Wide>) {
        let resolution = self.resolution(found.lower);
        let mut low = found.lower;
        for _ in 0..HALVINGS {
            let middle = low + (found.upper - low) / 2.0;
            let moves = middle > low && middle < found.upper;
            if !moves || found.upper - found.lower <= HALVED * resolution {
                break;
            }
            found.steps += 1;
            match self.relation(middle) {
                (Relation::Within, contact) => {
                    (found.upper, found.contact) = (middle, Some(contact));
                }
                _ => low = middle,
            }
        }
        let is_narrow = found.upper - found.lower <= NARROW * resolution;
        if is_narrow && found.stop != MotionStop::PiecesLimit {
            found.stop = MotionStop::GapClosed;
        }
    }

    /// Times that are nearer to each other than this are not told apart.
    fn resolution(&self, time: f64) -> f64 {
        self.least.max(TIME_ROUNDINGS * f64::ROUNDING * time)
    }

    /// How far from a time the bodies are sooner within rounding of it than not.
    pub(super) fn first_trial(&self, from: f64) -> f64 {
        let error = self.bodies.place_error(from);
        let sooner = TRIAL_GROWTH * error / self.bodies.speed();
        let trial = Scalar::max(sooner, self.resolution(from)).max(f64::TINIEST);
        Scalar::min(trial, f64::MAX)
    }

    /// The time until which bodies that are in contact stay so, and one at which they are apart; infinite where it outlasts the motion.
    pub(super) fn exit(&self) -> Exit {
        let mut found = Exit {
            lower: 0.0,
            upper: f64::INFINITY,
            outlasts: false,
            steps: 0,
        };
        let speed = self.bodies.speed();
        while found.steps < self.pieces_max {
            let here = self.bodies.contact_at(found.lower);
            found.steps += 1;
            let error = self.bodies.place_error(found.lower);
            let depth = -(here.signed_distance.upper + error);
            // Nothing moves the boundary of the difference faster than this.
            let stays = depth / speed * (1.0 - TIME_ROUNDINGS * f64::ROUNDING);
            if !(stays > self.resolution(found.lower)) || here.verdict == Verdict::Separated {
                break;
            }
            found.lower += stays - TIME_ROUNDINGS * f64::ROUNDING * (found.lower + stays);
            if found.lower >= self.end {
                found.outlasts = true;
                return found;
            }
        }
        let mut trial = self.first_trial(found.lower);
        loop {
            let time = (found.lower + trial).min(self.end);
            found.steps += 1;
            if self.relation(time).0 == Relation::Apart {
                found.upper = time;
                return found;
            }
            if time >= self.end {
                return found;
            }
            trial *= TRIAL_GROWTH;
        }
    }
}

/// What bodies are beyond an error of their distance.
fn relation_of<W: Vector<Scalar = f64>>(found: &Contact<W>, error: f64) -> Relation {
    let distance = found.signed_distance;
    if distance.lower > error {
        Relation::Apart
    } else if distance.upper + error < 0.0 && found.verdict != Verdict::Separated {
        Relation::Within
    } else {
        Relation::Open
    }
}

/// The end of a contact.
pub(super) struct Exit {
    /// There is contact until here.
    pub(super) lower: f64,
    /// There is none here.
    pub(super) upper: f64,
    /// It lasts until the end of the motion.
    pub(super) outlasts: bool,
    pub(super) steps: u32,
}

/// The later of two times.
trait MaxTime {
    fn max_time(self, time: f64) -> Self;
}

impl MaxTime for Option<f64> {
    fn max_time(self, time: f64) -> Self {
        Some(self.map_or(time, |best| best.max(time)))
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
