//! Any convex bodies in motion: the beginning of contact between a plane and a contact.
//!
//! Idea: for a direction `n` with `n·v < 0`, the bodies are apart until their supporting planes along `n` meet. So each pair of support points gives
//! a lower bound of the time, and the best one is the time itself. The next `n` is that of the signed distance at the bound: this is Newton's method on a
//! convex function, which never passes the root. An upper bound is any time at which contact is proved. Where they part again without contact, the
//! last plane proves that there is none after the lower bound, as the planes before prove that there is none until then.
//! Numbers: `GAP_ROUNDINGS_…` bound the gap before a plane, [`STEPS_MAX`] the steps; the interval is as narrow as rounding lets it be.

use super::shot::{BodyPair, PosedBody, trial_request};
use super::track::Track;
use super::watch::{MotionStep, Watch, looked};
use crate::answer::{Contact, Verdict};
use crate::math::{Pose, Scalar, Vector, Vector64};
use crate::narrow::ladder;
use crate::pair::Pair;
use crate::request::{Request, contact_request};
use crate::support::{NO_ID, Support};

/// Steps of the search. Smooth bodies need some ten; a graze halves an interval of floats.
const STEPS_MAX: u32 = 160;

/// Roundings of the gap between the planes of two support points, of the shapes' sizes: the choice of the point 12, the world's rounding of
/// it and of the true one 8, and the gap's own difference and product 4. Two are room.
const GAP_ROUNDINGS_OF_SHAPE: f64 = 26.0;
/// Of the sizes of the bodies' places: the world's rounding 8 and the gap's own 4. Two are room.
const GAP_ROUNDINGS_OF_WORLD: f64 = 14.0;
/// Of the radii, and of a core of one vertex, which is not chosen and is what is meant: the gap's own 4, and 4 for the normal's length and the sums.
const GAP_ROUNDINGS_OF_POINT: f64 = 8.0;

/// Roundings of a place that is moved, of the sizes of the body and the way: the pose's translation 2 of the way and 1 of itself, and a point's last sum
/// there and at the start. One is room, for the sum of a radius and a distance.
const PLACE_ROUNDINGS: f64 = 6.0;

/// Roundings of a product `n·v` of three terms, of the sum of their magnitudes: one of a difference of velocities, three of the product.
const RATE_ROUNDINGS: f64 = 5.0;

/// An interval of times is narrow at so many roundings of what bounds it. It chooses, and proves nothing.
pub(super) const NARROW_ROUNDINGS: f64 = 6.0;

/// Roundings of a time: a quotient, and the sums of errors above and below it.
pub(super) const TIME_ROUNDINGS: f64 = 8.0;

/// The first time tried for a contact is so many errors beyond the bound; then it grows by this factor. It chooses, and proves nothing.
pub(super) const TRIAL_GROWTH: f64 = 4.0;

/// Times tried for a signed distance that falls, each half of the one before: later ones move by less than roundings. It proves nothing where none is found.
const FALL_HALVINGS: i32 = 48;

/// Two bodies at their poses, and how they move.
pub(super) struct Soft<'p, V: Vector> {
    pub(super) pair: BodyPair<'p, V>,
    pub(super) a: &'p PosedBody<'p, V>,
    pub(super) b: &'p PosedBody<'p, V>,
    pub(super) track: Track<V::Wide>,
    pub(super) watch: Watch<'p>,
}

/// What is known of the first contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct First<W> {
    /// There is no contact from the start to here.
    pub(super) lower: f64,
    /// There is contact here; infinite where none is known.
    pub(super) upper: f64,
    /// It is proved that there is none until the end.
    pub(super) free: bool,
    /// Inner points are met at `upper`.
    pub(super) inner: bool,
    /// The normal of the best plane.
    pub(super) normal: Option<W>,
    pub(super) steps: u32,
}

/// Supporting planes: `gap + rate·t` is how far they are apart.
pub(super) struct PlanePair {
    pub(super) gap: f64,
    /// How far `gap` may be off.
    error: f64,
    pub(super) rate: f64,
    rate_error: f64,
}

impl PlanePair {
    /// Those along a unit normal that are so far apart at first, where the difference moves in a direction.
    pub(super) fn of<W: Vector64>(normal: W, gap: f64, error: f64, direction: W) -> Self {
        let terms = W::from_fn(|k| normal.component(k) * direction.component(k));
        Self {
            gap,
            error,
            rate: normal.dot(direction),
            rate_error: RATE_ROUNDINGS * f64::ROUNDING * terms.sum_abs() + f64::MIN_POSITIVE,
        }
    }

    /// A time until which the planes are apart; `None` where they do not surely approach.
    pub(super) fn crossing(&self) -> Option<f64> {
        let rate = -self.rate;
        if !(rate > self.rate_error) {
            return None;
        }
        let gap = self.gap - self.error;
        let slowest = if gap > 0.0 {
            rate + self.rate_error
        } else {
            rate - self.rate_error
        };
        // The quotient and the sums above it are rounded.
        let time = gap / slowest;
        Some(time - TIME_ROUNDINGS * f64::ROUNDING * Scalar::abs(time))
    }

    /// Whether the planes are apart from the time `from` on.
    fn separates_after(&self, from: f64) -> bool {
        let moved = self.rate * from;
        let error = self.error
            + (self.rate_error + f64::ROUNDING * Scalar::abs(self.rate)) * Scalar::abs(from);
        self.rate >= self.rate_error && self.gap + moved > 2.0 * error
    }
}

impl<V: Vector> Soft<'_, V> {
    /// The relation of the bodies at a time, as seen from A.
    pub(super) fn contact_at(&self, time: f64) -> Contact<V::Wide> {
        self.asked_at(time, &contact_request::<f64>(false))
    }

    fn asked_at(&self, time: f64, request: &Request) -> Contact<V::Wide> {
        let here = Pose::identity();
        let way = self.track.direction * time;
        if V::Scalar::ROUNDING.to_f64() == f64::ROUNDING {
            // Closed forms know the bodies by their own numbers, which are those of the search.
            let moved: Pose<V> = self.pair.pose_b.lift::<V::Wide>().moved(way).lift();
            let pair = Pair {
                pose_b: &moved,
                ..self.pair
            };
            return ladder::contact(&pair, request, None, Contact::lift);
        }
        let moved = self.b.moved(way);
        let pair: BodyPair<'_, V::Wide> = Pair::new(self.a, &here, &moved, &here);
        ladder::contact(&pair, request, None, |found| found)
    }

    /// How far a place of B may be from the true one at a time.
    fn place_error(&self, time: f64) -> f64 {
        let [shape, world] = self.b.sizes();
        let way = Scalar::abs(time) * self.track.direction.sum_abs();
        let size = shape + world + self.b.radius() + way;
        PLACE_ROUNDINGS * f64::ROUNDING * size + self.b.underflow() + f64::MIN_POSITIVE
    }

    /// How far a computed gap may be off.
    fn gap_error(&self) -> f64 {
        gap_error(self.a) + gap_error(self.b) + f64::MIN_POSITIVE
    }

    /// The supporting planes along a unit direction.
    fn plane(&self, normal: V::Wide) -> PlanePair {
        let a = self.a.support(normal, NO_ID).point;
        let b = self.b.support(-normal, NO_ID).point;
        let gap = normal.dot(b - a) - self.a.radius() - self.b.radius();
        PlanePair::of(normal, gap, self.gap_error(), self.track.direction)
    }

    /// Planes that do not approach, near some that hardly do: whether they are apart from `from` on.
    fn passes(&self, normal: V::Wide, plane: &PlanePair, from: f64) -> bool {
        if plane.separates_after(from) {
            return true;
        }
        let direction = self.track.direction;
        let Some(along) = direction.normalized() else {
            return false;
        };
        // Turned away by twice its slope, and once more than its rounding.
        let speed = direction.dot(along);
        let slope = 2.0 * (Scalar::abs(plane.rate) + 4.0 * plane.rate_error) / speed;
        let turned = (normal + along * slope).normalized();
        slope < 0.5 && turned.is_some_and(|n| self.plane(n).separates_after(from))
    }

    /// Whether the signed distance is less than at the start at some later time. It is a convex function of time: then it falls at once.
    pub(super) fn falls_below(&self, start: f64) -> bool {
        let reach = self.a.sizes()[0] + self.b.sizes()[0] + self.a.radius() + self.b.radius();
        let unit = (reach / self.track.speed()).min(f64::MAX);
        (0..FALL_HALVINGS).any(|k| {
            let time = unit.scale_by_power(-k);
            let later = self.contact_at(time).signed_distance.upper;
            later + self.place_error(time) < start
        })
    }

    /// The first contact after a time at which they are apart.
    pub(super) fn first(&self, from: f64) -> First<V::Wide> {
        let end = self.track.end;
        let mut found = First {
            lower: from,
            upper: f64::INFINITY,
            free: false,
            inner: false,
            normal: None,
            steps: 0,
        };
        let mut search = TimeSearch {
            time: from,
            past: f64::INFINITY,
            trial: 0.0,
            least: 0.0,
        };
        for step in 1..=STEPS_MAX {
            found.steps = step;
            let known = [found.lower, found.upper];
            if self.step(&mut found, &mut search) {
                break;
            }
            // Between them floats tell no more.
            if found.upper.is_finite() && known == [found.lower, found.upper] {
                break;
            }
            if found.lower > end {
                found.free = true;
            }
            if found.free || !search.next(&found) {
                break;
            }
        }
        found
    }

    /// Learns from one time; true where it is proved that there is no contact.
    fn step(&self, found: &mut First<V::Wide>, search: &mut TimeSearch) -> bool {
        let time = search.time;
        let here = self.asked_at(time, &trial_request());
        if let Some(watch) = self.watch {
            watch(looked(time, &here));
        }
        let reach = here.signed_distance.upper + self.place_error(time);
        if reach <= 0.0 && here.verdict != Verdict::Separated && time < found.upper {
            (found.upper, found.inner) = (time, reach < 0.0);
        }
        let Some(normal) = here.normal.normalized() else {
            return false;
        };
        let plane = self.plane(normal);
        if let Some(crossing) = plane.crossing() {
            if crossing > found.lower || found.normal.is_none() {
                found.normal = Some(normal);
            }
            found.lower = found.lower.max(crossing);
            search.least = plane.error / -plane.rate;
        } else if plane.rate > 0.0 && here.verdict == Verdict::Separated {
            search.past = search.past.min(time);
        }
        if found.upper.is_infinite() && self.passes(normal, &plane, found.lower) {
            found.free = true;
        }
        if let Some(watch) = self.watch {
            watch(MotionStep::Planes {
                direction: normal.to_f64(),
                gap: plane.gap,
                rate: plane.rate,
                bound: plane.crossing(),
                free: found.free,
            });
        }
        found.free
    }
}

/// How far a body's part of a gap may be off.
pub(super) fn gap_error<V: Vector>(posed: &PosedBody<'_, V>) -> f64 {
    let [shape, world] = posed.sizes();
    let of_radius = GAP_ROUNDINGS_OF_POINT * posed.radius() * f64::ROUNDING;
    if posed.vertex_count() == Some(1) {
        return GAP_ROUNDINGS_OF_POINT * (shape + world) * f64::ROUNDING
            + of_radius
            + posed.underflow();
    }
    let roundings = GAP_ROUNDINGS_OF_SHAPE * shape + GAP_ROUNDINGS_OF_WORLD * world;
    // A shape that computes in a narrower scalar errs by that scalar's roundings.
    let coarse = posed.shape_rounding() - f64::ROUNDING;
    roundings * f64::ROUNDING
        + of_radius
        + GAP_ROUNDINGS_OF_SHAPE * coarse * shape
        + posed.underflow()
}

/// Where the search looks next.
struct TimeSearch {
    time: f64,
    /// They are apart here, and part.
    past: f64,
    /// How far beyond the lower bound contact was tried.
    trial: f64,
    /// What rounding leaves open of the lower bound.
    least: f64,
}

impl TimeSearch {
    /// Chooses the next time; false where the bounds meet.
    fn next(&mut self, found: &First<impl Copy>) -> bool {
        let least = self.least + f64::ROUNDING * Scalar::abs(found.lower);
        let narrow = NARROW_ROUNDINGS * least;
        let beyond = found.upper.min(self.past);
        if beyond - found.lower <= narrow {
            return false;
        }
        // Newton's step, as long as it moves.
        if found.lower > self.time + narrow || found.lower > self.time && self.trial == 0.0 {
            self.time = found.lower;
            return true;
        }
        let middle = found.lower + (beyond - found.lower) / 2.0;
        let mut next = middle;
        // Bodies that pass are nearest between; else contact is near the lower bound.
        if !self.past.is_finite() || found.upper < self.past {
            self.trial = (self.trial * TRIAL_GROWTH)
                .max(TRIAL_GROWTH * least)
                .max(f64::TINIEST);
            next = found.lower + self.trial;
        }
        if beyond.is_finite() && !(next < middle) {
            next = middle;
            self.trial = 0.0;
        }
        // The time that was looked at last tells nothing new.
        let moves = next > found.lower && next < beyond && next.is_finite() && next != self.time;
        self.time = next;
        moves
    }
}
