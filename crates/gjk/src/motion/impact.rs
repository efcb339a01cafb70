//! The first contact of bodies that turn, and the end of a contact.
//!
//! Idea: where the bodies are apart, the normal of their distance is a direction that separates them. Fixed in the world or carried by a body it goes on to
//! separate them for a while, which `turning.rs` proves; a secant finds how long. So the free time grows by pieces, each from the end of the one before, until what is left of the gap
//! is rounding. A time with a proved contact, looked for from there on, is the other end. Nothing is ever taken from samples but a contact.
//! Numbers: the constants below choose which times are tried, and prove nothing.

use super::soft::{TIME_ROUNDINGS, TRIAL_GROWTH};
use super::turning::Turning;
use super::watch::{MotionStep, Watch, looked};
use crate::answer::{Contact, Verdict};
use crate::math::{Scalar, Vector};
use crate::motion::answer::{Carrier, ChainPiece, Crossing, MotionStop};
use alloc::vec::Vec;

/// Ends of a piece that are tried for one direction.
const ENDS_TRIED: u32 = 12;

/// The part of the gap that a secant leaves at first, so that its end is on the safe side; it grows by [`SHORTER`].
const GAP_LEFT: f64 = 1.0 / 1024.0;
const SHORTER: f64 = 4.0;

/// The least part of the gap that is left where the points hardly bend.
const GAP_LEFT_LEAST: f64 = 1.0 / ((1u64 << 30) as f64);

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
    /// Bodies without volume pass through each other until `upper`.
    pub(super) crossing: Option<Crossing>,
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

    /// The first contact after a time at which they are apart, perhaps with the contact there that floats tell at once.
    pub(super) fn first(&self, from: f64, mut known: Option<Contact<V::Wide>>) -> Impact<V::Wide> {
        let mut found = Impact {
            lower: from,
            upper: f64::INFINITY,
            free: false,
            open: false,
            last: None,
            contact: None,
            pieces: Vec::new(),
            crossing: None,
            stop: MotionStop::TimeResolution,
            steps: 0,
        };
        loop {
            if found.pieces.len() as u64 >= u64::from(self.pieces_max) {
                found.stop = MotionStop::PiecesLimit;
                break;
            }
            let trial = || self.bodies.trial_at(found.lower);
            let mut here = known.take().unwrap_or_else(trial);
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
        match self.bodies.flat_ring() {
            Some(ring) => self.pass(&mut found, &ring, from),
            None => self.meet(&mut found),
        }
        found
    }

    /// The longest piece from a time on that the direction between the bodies proves, in the world or carried by a body.
    pub(super) fn longest(&self, here: &Contact<V::Wide>, from: f64) -> Option<ChainPiece> {
        let world = here.normal.normalized()?.to_f64();
        let turns = self.bodies.turns(from);
        let heights = self.bodies.heights(world, &turns, from);
        let slopes = self.bodies.slopes(&heights, world, &turns, from);
        let mut tries: [Option<Try>; 3] = [0, 1, 2].map(|k| {
            let carrier = Carrier::ALL[k];
            let start = heights.gap(carrier);
            let carried = self.bodies.carries(carrier) && start > 0.0;
            carried.then(|| {
                let direction = self.bodies.carried(carrier, world, &turns);
                let piece = ChainPiece {
                    to: from,
                    direction,
                    carrier,
                };
                self.aimed(piece, [start, slopes[k]])
            })
        });
        // The one that promises most is tried first, and those that promise less than it proves are not.
        tries.sort_by(|x, y| aim_of(y).total_cmp(&aim_of(x)));
        let mut best: Option<ChainPiece> = None;
        for of in tries.into_iter().flatten() {
            let enough = |best: ChainPiece| best.to - from >= (of.aim - from) / (1.0 + LONGER);
            if best.is_some_and(enough) {
                continue;
            }
            let Some(to) = self.farthest(of) else {
                continue;
            };
            if best.is_none_or(|best| to > best.to) {
                best = Some(ChainPiece { to, ..of.piece });
            }
        }
        best
    }

    /// A piece, and the end that is tried first: where the two points that are nearest now would meet, as they move now.
    fn aimed(&self, piece: ChainPiece, [start, slope]: [f64; 2]) -> Try {
        let (carrier, direction, from) = (piece.carrier, piece.direction, piece.to);
        let mut of = Try {
            piece,
            start,
            aim: self.end,
            bend: self.bodies.bend(carrier, direction, [from, self.end]),
            left: GAP_LEFT,
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
            of.bend = self.bodies.bend(carrier, direction, [from, of.aim]);
        }
        of
    }

    /// The end of the longest piece that is found for a direction.
    fn farthest(&self, mut of: Try) -> Option<f64> {
        let (carrier, direction, from) = (of.piece.carrier, of.piece.direction, of.piece.to);
        let start = of.start;
        let mut best = None;
        let (mut to, mut left) = (of.aim, of.left);
        for _ in 0..ENDS_TRIED {
            let length = to - from;
            if to > of.aim {
                of.bend = self.bodies.bend(carrier, direction, [from, to]);
                of.aim = to;
            }
            let sag = of.sag(length);
            let end = self.bodies.gap(carrier, direction, to);
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

    /// Looks for a piece of time around the end of the free part in which bodies without volume pass through each other.
    fn pass(&self, found: &mut Impact<V::Wide>, ring: &[[u32; 2]], start: f64) {
        let normal = found.last.and_then(|last| last.normal.normalized());
        let Some(direction) = normal.map(V::Wide::to_f64) else {
            return;
        };
        let first = self.first_trial(found.lower);
        let mut trial = first;
        let from = loop {
            let from = (found.lower - trial).max(start);
            if self.bodies.tells_side(ring, from) {
                break from;
            }
            if from <= start {
                return;
            }
            trial *= TRIAL_GROWTH;
        };
        trial = first;
        loop {
            let to = (found.lower + trial).min(self.end);
            found.steps += 1;
            found.crossing = self.bodies.crossing(ring, direction, [from, to]);
            if found.crossing.is_some() {
                (found.upper, found.contact) = (to, Some(self.bodies.contact_at(to)));
                let is_narrow = to - found.lower <= NARROW * self.resolution(found.lower);
                if is_narrow && found.stop != MotionStop::PiecesLimit {
                    found.stop = MotionStop::GapClosed;
                }
                return;
            }
            if to >= self.end {
                return;
            }
            trial *= TRIAL_GROWTH;
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
            self.tell(|| looked(found.lower, &here));
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

/// A direction, and how far it may lead.
#[derive(Clone, Copy)]
struct Try {
    /// Without a length yet.
    piece: ChainPiece,
    /// The gap at its start.
    start: f64,
    /// The end that is tried first.
    aim: f64,
    /// See [`Turning::bend`], from the start to that end.
    bend: f64,
    /// The part of the gap that is left at the end that is tried first.
    left: f64,
}

impl Try {
    /// How far a height may sag on a piece of a length.
    fn sag(&self, length: f64) -> f64 {
        let sag = self.bend * length * length;
        // Both products are rounded, and may underflow.
        sag * (1.0 + 4.0 * f64::ROUNDING) + f64::MIN_POSITIVE
    }
}

fn aim_of(of: &Option<Try>) -> f64 {
    of.map_or(f64::NEG_INFINITY, |of| of.aim)
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
