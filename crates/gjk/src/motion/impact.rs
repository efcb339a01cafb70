//! The first contact of bodies that turn, and the end of a contact.
//!
//! Idea: where the bodies are apart, the normal of their distance is a direction that separates them. Fixed in the world or carried by a body it goes on to
//! separate them for a while, which `turning.rs` proves; a secant finds how long. So the free time grows by pieces, each from the end of the one before, until what is left of the gap
//! is rounding. A time with a proved contact, looked for from there on, is the other end. Nothing is ever taken from samples but a contact.
//! Numbers: the constants below choose which times are tried, and prove nothing.

use super::common_point::ContactPoints;
use super::pieces::{Free, PieceSearch, ProvedPiece};
use super::soft::{TIME_ROUNDINGS, TRIAL_GROWTH};
use super::turning::Turning;
use super::watch::{MotionStep, Watch, looked};
use crate::answer::{Contact, Verdict};
use crate::math::{Scalar, Vector};
use crate::motion::answer::{Crossing, MotionStop};
use alloc::vec::Vec;

/// Halvings of the time between the free part and a contact.
const HALVINGS: u32 = 4;

/// Bodies that meet within such a part of the resolution, as they close in, need no other piece.
pub(super) const MEETS_SOON: f64 = 0.25;

/// So many resolutions of time are not halved any more.
const HALVED: f64 = 2.0;

/// So many resolutions of time are as narrow as asked: what is left is between the last piece and the first time tried.
pub(super) const NARROW: f64 = 8.0;

/// A contact that lasts is deeper than so many errors of the places: one is its own, and the others are what its proof counts (`held.rs`).
const HELD_ERRORS: f64 = 4.0;

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
    /// The direction that separated them last, of any length.
    pub(super) normal: Option<W>,
    /// The bodies in contact at `upper`.
    pub(super) contact: Option<ContactPoints<W>>,
    /// What proves it, if the search keeps that.
    pub(super) pieces: Vec<ProvedPiece>,
    count: u32,
    /// Bodies without volume pass through each other until `upper`.
    pub(super) crossing: Option<Crossing>,
    pub(super) stop: MotionStop,
    /// Distances that were measured.
    pub(super) steps: u32,
}

impl<W: Vector> Impact<W> {
    /// What is known where nothing is looked at yet.
    fn from(time: f64) -> Self {
        Self {
            lower: time,
            upper: f64::INFINITY,
            free: false,
            open: false,
            normal: None,
            contact: None,
            pieces: Vec::new(),
            count: 0,
            crossing: None,
            stop: MotionStop::TimeResolution,
            steps: 0,
        }
    }
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
    /// Whether it keeps the pieces that it proves.
    pub(super) keeps: bool,
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
    pub(super) fn first(&self, from: f64, mut known: Option<&Contact<V::Wide>>) -> Impact<V::Wide> {
        let mut found = Impact::from(from);
        let (pieces, mut closing) = (self.pieces(), 0.0);
        loop {
            if found.count >= self.pieces_max {
                found.stop = MotionStop::PiecesLimit;
                break;
            }
            let trial;
            let here = match known.take() {
                Some(known) => known,
                None => {
                    trial = self.bodies.trial_at(found.lower);
                    &trial
                }
            };
            self.tell(|| looked(found.lower, here));
            found.steps += 1;
            let soon = MEETS_SOON * self.resolution(found.lower) * closing;
            if here.signed_distance.upper < soon {
                break;
            }
            // Neither this nor what was found here is moved, because copies of them are long.
            let mut longest = pieces.longest(here, found.lower);
            if longest.is_none() {
                let here = self.bodies.contact_at(found.lower);
                self.tell(|| looked(found.lower, &here));
                found.steps += 1;
                longest = pieces.longest(&here, found.lower);
                if longest.is_none() {
                    found.normal = Some(here.normal);
                }
            }
            let Some(free) = &mut longest else {
                break;
            };
            let meets = self.follow(&pieces, free);
            let moved = free.to - found.lower;
            self.append(&mut found, free);
            if free.to >= self.end {
                found.free = true;
                found.stop = MotionStop::SeparatingPlane;
                return found;
            }
            if meets && self.meets_at_once(&mut found, free) {
                return found;
            }
            if moved < self.resolution(free.to) {
                break;
            }
            closing = free.closing();
        }
        match self.bodies.flat_ring() {
            Some(ring) => self.pass(&mut found, &ring, from),
            None => self.meet(&mut found),
        }
        found
    }

    /// Leads a piece on to where its planes meet, if its direction is that of the bodies; whether they do.
    fn follow(&self, pieces: &PieceSearch<'_, '_, V>, free: &mut Free) -> bool {
        if !free.leads() {
            return false;
        }
        loop {
            let soon = MEETS_SOON * self.resolution(free.to) * free.closing();
            if free.gap < soon {
                return self.bodies.flat_ring().is_none();
            }
            if !pieces.onward(free, soon / 2.0) {
                return false;
            }
        }
    }

    /// Takes a piece to what is known.
    fn append(&self, found: &mut Impact<V::Wide>, free: &Free) {
        let from = found.lower;
        self.tell(|| MotionStep::Piece {
            from,
            piece: free.piece(),
        });
        found.lower = free.to;
        found.count += 1;
        if self.keeps {
            found.pieces.push(free.proved());
        }
        found.normal = Some(V::Wide::from_f64(free.direction()));
    }

    /// Whether they are in contact at the first time at which they are sooner so than not.
    fn meets_at_once(&self, found: &mut Impact<V::Wide>, free: &Free) -> bool {
        let time = found.lower + self.first_trial(found.lower);
        if time >= self.end {
            return false;
        }
        found.steps += 1;
        let contact = free.met_at(self.bodies, time).or_else(|| {
            let (relation, contact) = self.relation(time);
            (relation == Relation::Within).then(|| ContactPoints::of(&contact))
        });
        let Some(contact) = contact else {
            return false;
        };
        (found.upper, found.contact) = (time, Some(contact));
        if time - found.lower <= NARROW * self.resolution(found.lower) {
            found.stop = MotionStop::GapClosed;
        }
        true
    }

    /// The search for pieces of its motion.
    pub(super) fn pieces(&self) -> PieceSearch<'_, '_, V> {
        PieceSearch {
            bodies: self.bodies,
            end: self.end,
            watch: self.watch,
        }
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
                    (found.upper, found.contact) = (time, Some(ContactPoints::of(&contact)));
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
        let unit = found.normal.and_then(V::Wide::normalized);
        let Some(direction) = unit.map(V::Wide::to_f64) else {
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
                (found.upper, found.contact) =
                    (to, Some(ContactPoints::of(&self.bodies.contact_at(to))));
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
                    (found.upper, found.contact) = (middle, Some(ContactPoints::of(&contact)));
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
        resolution(self.least, time)
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
            let depth = -(here.signed_distance.upper + HELD_ERRORS * error);
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

/// Times that are nearer to each other than this are not told apart, where such a time is the least that counts.
pub(super) fn resolution(least: f64, time: f64) -> f64 {
    least.max(TIME_ROUNDINGS * f64::ROUNDING * time)
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
