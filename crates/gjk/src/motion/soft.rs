//! Rays against any convex body: the beginning of contact between a plane and a contact.
//!
//! Idea: for a direction `n` with `n·v < 0`, the ray is apart from the body until it crosses the supporting plane along `n`. So each support point gives
//! a lower bound of the time, and the best one is the time itself. The next `n` is that of the signed distance at the bound: this is Newton's method on a
//! convex function, which never passes the root. An upper bound is any time at which contact is proved. Where the ray leaves again without contact, the
//! last plane proves that there is none after the lower bound, as the planes before prove that there is none until then.
//! Numbers: `GAP_ROUNDINGS_…` bound the gap before a plane, [`STEPS_MAX`] the steps; the interval is as narrow as rounding lets it be.

use super::track::{Mover, Track};
use crate::answer::{Contact, Verdict};
use crate::math::{Pose, Scalar, Vector};
use crate::narrow::ladder;
use crate::pair::Pair;
use crate::request::{Request, Wanted, width};
use crate::support::{NO_ID, Posed, Support};

/// Steps of the search. Smooth bodies need some ten; a ray that grazes halves an interval of floats.
const STEPS_MAX: u32 = 160;

/// Roundings of the gap between the ray's place and the plane of a support point, of the shape's size: the choice of the point 12, the world's rounding of
/// it and of the true one 8, and the gap's own difference and product 4. Two are room.
const GAP_ROUNDINGS_OF_SHAPE: f64 = 26.0;
/// Of the size of the body's place: the world's rounding 8 and the gap's own 4. Two are room.
const GAP_ROUNDINGS_OF_WORLD: f64 = 14.0;
/// Of the ray's origin and the radii: the gap's own 4, and 4 for the normal's length and the sums.
const GAP_ROUNDINGS_OF_RAY: f64 = 8.0;

/// Roundings of a product `n·v` of three terms, of the sum of their magnitudes.
const RATE_ROUNDINGS: f64 = 4.0;

/// An interval of times is narrow at so many roundings of what bounds it. It chooses, and proves nothing.
const NARROW_ROUNDINGS: f64 = 6.0;

/// Roundings of a time: a quotient, and the sums of errors above and below it.
const TIME_ROUNDINGS: f64 = 8.0;

/// The first time tried for a contact is so many errors beyond the bound; then it grows by this factor. It chooses, and proves nothing.
const TRIAL_GROWTH: f64 = 4.0;

/// Times tried for a signed distance that falls, each half of the one before: later ones move by less than roundings. It proves nothing where none is found.
const FALL_HALVINGS: i32 = 48;

/// A body at its pose and a ray.
pub(super) struct Soft<'p, V: Vector, S: ?Sized> {
    pub(super) posed: &'p Posed<'p, V, S>,
    pub(super) track: Track<V::Wide>,
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

/// A supporting plane against the ray: `gap + rate·t` is how far the ray is before it.
struct RayPlane {
    gap: f64,
    /// How far `gap` may be off.
    error: f64,
    rate: f64,
    rate_error: f64,
}

impl RayPlane {
    /// A time until which the plane separates; `None` where the ray does not surely approach it.
    fn crossing(&self) -> Option<f64> {
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

    /// Whether the plane separates the ray from the time `from` on.
    fn separates_after(&self, from: f64) -> bool {
        let moved = self.rate * from;
        let error = self.error
            + (self.rate_error + f64::ROUNDING * Scalar::abs(self.rate)) * Scalar::abs(from);
        self.rate >= self.rate_error && self.gap + moved > 2.0 * error
    }
}

impl<'p, V: Vector, S: Support<V> + ?Sized> Soft<'p, V, S> {
    /// The relation of the body and the moving point at a time.
    pub(super) fn contact_at(&self, time: f64) -> Contact<V::Wide> {
        let here = Pose::identity();
        let mover = Mover {
            at: self.track.place(time),
            radius: self.track.radius,
        };
        let request = Request {
            wanted: Wanted::Contact,
            width: width::<f64>(true),
            cutoff: None,
            tolerance_relative: None,
            iterations_max: 1000,
            certificate: false,
            facets: false,
            float_only: false,
        };
        ladder::contact(
            &Pair::new(self.posed, &here, &mover, &here),
            &request,
            None,
            |found| found,
        )
    }

    /// How far a computed gap may be off.
    fn gap_error(&self) -> f64 {
        let [shape, world] = self.posed.sizes();
        let ray = self.posed.radius() + self.track.radius + self.track.origin.sum_abs();
        let roundings = GAP_ROUNDINGS_OF_SHAPE * shape
            + GAP_ROUNDINGS_OF_WORLD * world
            + GAP_ROUNDINGS_OF_RAY * ray;
        // A shape that computes in a narrower scalar errs by that scalar's roundings.
        let coarse = self.posed.shape_rounding() - f64::ROUNDING;
        roundings * f64::ROUNDING
            + GAP_ROUNDINGS_OF_SHAPE * coarse * shape
            + self.posed.underflow()
            + f64::MIN_POSITIVE
    }

    /// The supporting plane along a unit direction.
    fn plane(&self, normal: V::Wide) -> RayPlane {
        let point = self.posed.support(normal, NO_ID).point;
        let direction = self.track.direction;
        let terms = V::Wide::from_fn(|k| normal.component(k) * direction.component(k));
        RayPlane {
            gap: normal.dot(self.track.origin - point) - self.posed.radius() - self.track.radius,
            error: self.gap_error(),
            rate: normal.dot(direction),
            rate_error: RATE_ROUNDINGS * f64::ROUNDING * terms.sum_abs() + f64::MIN_POSITIVE,
        }
    }

    /// A plane that the ray does not approach, near one that it hardly approaches: whether it separates them from `from` on.
    fn passes(&self, normal: V::Wide, plane: &RayPlane, from: f64) -> bool {
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
        let [size, _] = self.posed.sizes();
        let reach = size + self.posed.radius() + self.track.radius;
        let unit = (reach / self.track.speed()).min(f64::MAX);
        (0..FALL_HALVINGS).any(|k| {
            let time = unit.scale_by_power(-k);
            let later = self.contact_at(time).signed_distance.upper;
            later + self.track.place_error(time) < start
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
            if self.step(&mut found, &mut search) {
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
        let here = self.contact_at(time);
        let reach = here.signed_distance.upper + self.track.place_error(time);
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
        found.free
    }
}

/// Where the search looks next.
struct TimeSearch {
    time: f64,
    /// The ray is apart here, and leaves.
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
        // A ray that passes the body is nearest to it between; else contact is near the lower bound.
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
        let moves = next > found.lower && next < beyond && next.is_finite();
        self.time = next;
        moves
    }
}
