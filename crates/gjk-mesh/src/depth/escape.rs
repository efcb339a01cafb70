//! A translation that separates two bodies which overlap.
//!
//! Idea: along some directions the shortest one is looked for, and each that is tried is checked by the relation of the bodies
//! after it. So whatever is found is an upper bound of the shortest translation, of which a ball inside of both is a lower one.
//! Numbers: a translation rounds each vertex once. What rounding may have moved must not matter: the bodies then are farther
//! apart than that, or nothing was rounded.

use crate::body::PosedBody;
use crate::relation::Relation;
use gjk::{Vec3, Vector};

/// A translation of the first body that leaves no common inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Escape {
    /// The translation.
    pub by: [f64; 3],
    /// Its length, at least.
    pub length: f64,
}

/// So often a translation is made longer, and so often the border between too short and long enough is halved.
const TRANSLATIONS_MAX: usize = 12;

/// How much longer a translation is made that is too short.
const GROWTH: f64 = 3.0;

/// The first translation along a direction is this much longer than the ball's diameter.
const FIRST: f64 = 1.0 + 1e-9;

/// A length of three coordinates is off by fewer roundings, of two units each.
const LENGTH_ROUNDINGS: f64 = 4.0;

/// Directions whose cosine is larger are one.
const SAME_DIRECTION: f64 = 0.999_999;

/// What a translation does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The bodies overlap, or that is unclear.
    TooShort,
    /// They touch, and rounding may hide an overlap.
    Touching,
    /// They are proved to be apart, or to touch.
    Separated,
}

/// The shortest translation that was found along some directions, and `shortest` if none is shorter. No translation is shorter
/// than `least`; one that is longer by `relative` of its length is as good.
pub(super) fn escape(
    bodies: [&PosedBody<'_>; 2],
    directions: &[Vec3<f64>],
    least: f64,
    relative: f64,
) -> Option<Escape> {
    let size = bodies.iter().fold(0.0, |size: f64, body| {
        let corners = body.in_place(false).tree().bounds().corners();
        let all = corners.as_flattened().iter();
        all.fold(size, |size, x| size.max(x.abs()))
    });
    let mut search = EscapeSearch {
        bodies,
        size,
        best: None,
    };
    let directions = distinct(directions);
    for &direction in &directions {
        search.whole_way(direction);
    }
    for &direction in &directions {
        if search
            .best
            .is_some_and(|best| best.length <= least * (1.0 + relative))
        {
            break;
        }
        search.along(direction, least, relative);
    }
    search.best
}

/// Unit vectors of different directions.
fn distinct(directions: &[Vec3<f64>]) -> Vec<Vec3<f64>> {
    let mut all: Vec<Vec3<f64>> = Vec::with_capacity(directions.len());
    for direction in directions.iter().filter_map(|d| d.normalized()) {
        if all
            .iter()
            .all(|known| known.dot(direction) < SAME_DIRECTION)
        {
            all.push(direction);
        }
    }
    all
}

struct EscapeSearch<'s, 'm> {
    bodies: [&'s PosedBody<'m>; 2],
    /// The greatest coordinate.
    size: f64,
    best: Option<Escape>,
}

impl EscapeSearch<'_, '_> {
    /// Roundings of coordinates after a translation by less than the bodies are large.
    fn rounding(&self, length: f64) -> f64 {
        LENGTH_ROUNDINGS * f64::EPSILON * (self.size + length)
    }

    fn learn(&mut self, by: Vec3<f64>) {
        let length = by.norm() * (1.0 + LENGTH_ROUNDINGS * f64::EPSILON);
        if length.is_finite() && self.best.is_none_or(|best| length < best.length) {
            let by = by.to_f64();
            self.best = Some(Escape { by, length });
        }
    }

    /// So far along a direction that a plane is between the bodies.
    fn whole_way(&mut self, direction: Vec3<f64>) {
        let heights = |k: usize| {
            let vertices = self.bodies[k].in_place(false).vertices();
            vertices
                .iter()
                .map(move |&[x, y, z]| direction.dot(Vec3::new(x, y, z)))
        };
        let lowest = heights(0).fold(f64::INFINITY, f64::min);
        let highest = heights(1).fold(f64::NEG_INFINITY, f64::max);
        let length = highest - lowest;
        let length = length + 2.0 * self.rounding(length);
        self.learn(direction * length);
    }

    /// Looks along a direction for a translation that is shorter than the best so far.
    fn along(&mut self, direction: Vec3<f64>, least: f64, relative: f64) {
        let limit = |search: &Self| search.best.map_or(f64::INFINITY, |best| best.length);
        let first = least * FIRST + 2.0 * self.rounding(least);
        let (mut too_short, mut length) = (first, first);
        let mut found = None;
        for _ in 0..TRANSLATIONS_MAX {
            if length >= limit(self) {
                break;
            }
            let outcome = self.outcome(direction * length);
            if outcome != Outcome::TooShort {
                found = Some((length, outcome));
                break;
            }
            too_short = length;
            length *= GROWTH;
        }
        // Between the longest that was too short and the best so far there may be one.
        let Some((mut enough, mut outcome)) = found else {
            return;
        };
        for _ in 0..TRANSLATIONS_MAX {
            if enough <= too_short * (1.0 + relative) {
                break;
            }
            let middle = 0.5 * (too_short + enough);
            match self.outcome(direction * middle) {
                Outcome::TooShort => too_short = middle,
                other => (enough, outcome) = (middle, other),
            }
        }
        match outcome {
            Outcome::Separated => self.learn(direction * enough),
            _ => self.lift(direction * enough),
        }
    }

    fn outcome(&self, by: Vec3<f64>) -> Outcome {
        let [a, b] = self.bodies;
        let (moved, is_exact) = a.translated(by);
        let found = moved.related(b, false, &mut ());
        if !found.exact {
            return Outcome::TooShort;
        }
        match found.relation {
            Relation::Separated if is_exact => Outcome::Separated,
            Relation::Separated => {
                let near = moved.distance(b, self.rounding(by.norm()));
                if near.is_none() {
                    Outcome::Separated
                } else {
                    Outcome::Touching
                }
            }
            Relation::Touching if is_exact => Outcome::Separated,
            Relation::Touching => Outcome::Touching,
            _ => Outcome::TooShort,
        }
    }

    /// Bodies that touch after a translation are moved apart by a few roundings more, this way or that.
    fn lift(&mut self, by: Vec3<f64>) {
        let step = 8.0 * self.rounding(by.norm());
        let ways = (0..27).map(|k| {
            let along = |n: i32| f64::from(n % 3 - 1) * step;
            Vec3::new(along(k), along(k / 3), along(k / 9))
        });
        for way in ways {
            if self.outcome(by + way) == Outcome::Separated {
                self.learn(by + way);
                return;
            }
        }
    }
}
