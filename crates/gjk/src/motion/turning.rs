//! Two bodies that move and turn: how far apart planes of one direction hold them, and for how long.
//!
//! Where it sits: under `impact.rs`, which looks for the first contact.
//! Idea: for a direction `n` that is fixed in the world or turns with a body, and two points of the bodies, the height `f(t) = n·(b − a)` has a second
//! derivative of at most `M`. So on a piece of time it is nowhere lower than the lower one of its ends by more than `M·Δ²/8`, the sag of a chord. `M` is the same for all
//! points, so one support of each body at either end proves the whole piece.
//! Numbers: the bodies do not move here. A direction is turned into the frame that each body had at the start, so that its points are the world's vertices
//! of the start, and only the direction is rounded.

use super::course::{Course, Turn};
use super::mobile::{Arm, Mobile, REACH_ROUNDINGS, Reshaped};
use super::shot::{BodyPair, trial_request};
use crate::answer::{Certificate, Contact};
use crate::cache::Cache;
use crate::math::{Pose, Scalar, Triple, Vector, Vector64, cross, dot, length, plus, subtract};
use crate::motion::answer::Carrier;
use crate::narrow::ladder;
use crate::pair::Pair;
use crate::request::{Request, contact_request};
use crate::support::AnyBody;
use core::cell::Cell;

/// Roundings of a bound `M` and of the sag, of itself: each is a sum of products of positive numbers, of some twenty operations. The rest is room.
const SAG_ROUNDINGS: f64 = 64.0;

/// Weights of a foot that are so far outside of its facet in sum are those of a sliver, of which the plane is not known. It chooses which certificates are stated, and proves nothing.
const SLIVER: f64 = 1024.0;

/// What is known of the planes of a direction at a time, whatever carries it.
pub(super) struct Heights {
    /// A lower bound of the gap for a direction that is fixed in the world.
    gap: f64,
    /// The points on the planes.
    tops: [Arm; 2],
    /// From A's centre to B's.
    centers: Triple,
    /// A direction that is off by a part of itself is higher or lower by so much of the points' distances from the centres, and of that of the centres.
    levers: f64,
    /// How far a direction that A or B carries may be off.
    turned: [f64; 2],
}

impl Heights {
    /// A lower bound of the gap, where a carrier has the direction.
    pub(super) fn gap(&self, carrier: Carrier) -> f64 {
        let turned = match carrier {
            Carrier::World => 0.0,
            Carrier::A => self.turned[0],
            Carrier::B => self.turned[1],
        };
        self.gap - turned * self.levers
    }
}

/// Two bodies that move and turn.
pub(super) struct Turning<'p, V: Vector> {
    /// The bodies at the start.
    pub(super) pair: BodyPair<'p, V>,
    pub(super) a: Mobile<'p, V>,
    pub(super) b: Mobile<'p, V>,
    /// The vertices that were nearest when a contact was asked last.
    pub(super) cache: Cell<Cache>,
}

impl<V: Vector> Turning<'_, V> {
    /// The relation of the bodies at a time, rounded there.
    pub(super) fn contact_at(&self, time: f64) -> Contact<V::Wide> {
        self.asked_at(time, &contact_request::<f64>(false))
    }

    /// The same, as near as floats tell at once.
    pub(super) fn trial_at(&self, time: f64) -> Contact<V::Wide> {
        self.asked_at(time, &trial_request())
    }

    fn asked_at(&self, time: f64, request: &Request) -> Contact<V::Wide> {
        let mut cache = self.cache.get();
        let keeps = !self.a.is_reshaped() && !self.b.is_reshaped();
        let found = if keeps && V::Scalar::ROUNDING.to_f64() == f64::ROUNDING {
            // Closed forms know the bodies by their own numbers, which are those of the search.
            let pair = Pair {
                pose_a: &self.a.posed_at(time, self.pair.pose_a),
                pose_b: &self.b.posed_at(time, self.pair.pose_b),
                ..self.pair
            };
            ladder::contact(&pair, request, Some(&mut cache), Contact::lift)
        } else {
            self.with_pair(time, |pair| {
                ladder::contact(&pair, request, Some(&mut cache), |found| found)
            })
        };
        self.cache.set(cache);
        found
    }

    /// Why the bodies are what they are at a time, rounded there. An overlap has the facets that prove its depth: they are as far from the origin, while a
    /// simplex around it may have it nearly on its surface.
    pub(super) fn why_at(&self, time: f64) -> Option<Certificate> {
        let error = self.place_error(time);
        self.with_pair(time, |pair| {
            let mut certificate = None;
            let request = contact_request::<f64>(true);
            ladder::loops(&pair, &request, None, None, &mut (), &mut certificate);
            certificate.filter(|why| match why {
                Certificate::Overlapping { facets, .. } => facets
                    .iter()
                    .all(|facet| is_clear(facet.map(|ids| difference(&pair, ids)), error)),
                _ => true,
            })
        })
    }

    /// Asks about the bodies as they are at a time, rounded there.
    fn with_pair<R>(&self, time: f64, ask: impl FnOnce(BodyPair<'_, V::Wide>) -> R) -> R {
        let (here, there) = (self.a.at(time), self.b.at(time));
        let (of_a, of_b) = (self.a.reshaped(time), self.b.reshaped(time));
        let a = Reshaped::or(&of_a, self.a.posed);
        let b = Reshaped::or(&of_b, self.b.posed);
        ask(Pair::new(a, &here, b, &there))
    }

    /// How far the distance of the rounded bodies may be from that of the true ones at a time.
    pub(super) fn place_error(&self, time: f64) -> f64 {
        self.a.place_error(time) + self.b.place_error(time) + f64::MIN_POSITIVE
    }

    /// Whether a carrier's directions are its own: those of a body that does not turn are the world's.
    pub(super) fn carries(&self, carrier: Carrier) -> bool {
        match carrier {
            Carrier::World => true,
            Carrier::A => self.a.course.turns(),
            Carrier::B => self.b.course.turns(),
        }
    }

    /// How far both have turned at a time.
    pub(super) fn turns(&self, time: f64) -> [Turn; 2] {
        [self.a.course.turn(time), self.b.course.turn(time)]
    }

    /// The direction of a carrier that is this one after the turns, along the axes of the start.
    pub(super) fn carried(&self, carrier: Carrier, direction: Triple, turns: &[Turn; 2]) -> Triple {
        match carrier {
            Carrier::World => direction,
            Carrier::A => turns[0].back(direction),
            Carrier::B => turns[1].back(direction),
        }
    }

    /// A lower bound of the gap between the planes of a direction of a carrier at a time.
    pub(super) fn gap(&self, carrier: Carrier, direction: Triple, time: f64) -> f64 {
        let turns = self.turns(time);
        let world = match carrier {
            Carrier::World => direction,
            Carrier::A => turns[0].apply(direction),
            Carrier::B => turns[1].apply(direction),
        };
        self.heights(world, &turns, time).gap(carrier)
    }

    /// The heights of the bodies along a direction of the world at a time.
    #[inline(always)] // what is not read is not computed
    pub(super) fn heights(&self, world: Triple, turns: &[Turn; 2], time: f64) -> Heights {
        let (a, b) = (&self.a.course, &self.b.course);
        let [of_a, of_b] = turns;
        let (local_a, local_b) = (of_a.back(world), of_b.back(world));
        let tops = [
            self.a.arm(local_a, time),
            self.b.arm(local_b.map(|x| -x), time),
        ];
        let centers = b.center - a.center + (b.linear - a.linear) * time;
        let radii = self.a.posed.radius() + self.b.posed.radius();
        let heights = dot(local_b, tops[1].point) - dot(local_a, tops[0].point);
        let errors = [
            self.a.height_error(time, of_a.error),
            self.b.height_error(time, of_b.error),
            f64::MIN_POSITIVE,
        ];
        Heights {
            gap: dot(world, centers.to_f64()) + heights - radii - errors.iter().sum::<f64>(),
            tops,
            centers: centers.to_f64(),
            levers: self.a.reach[0] + self.b.reach[0] + centers.norm(),
            turned: [of_a.error, of_b.error],
        }
    }

    /// About how fast the gap changes at a time, as the points on the planes move: for a direction in the world, in A and in B.
    pub(super) fn slopes(
        &self,
        found: &Heights,
        world: Triple,
        turns: &[Turn; 2],
        time: f64,
    ) -> [f64; 3] {
        let (a, b) = (&self.a.course, &self.b.course);
        let [top, bottom] = found.tops;
        let (arm_a, arm_b) = (turns[0].apply(top.point), turns[1].apply(bottom.point));
        let drift = subtract(turns[1].apply(bottom.drift), turns[0].apply(top.drift));
        let whirls = [a.whirl_at(time), b.whirl_at(time)];
        let turned = subtract(cross(whirls[1], arm_b), cross(whirls[0], arm_a));
        let way = (b.linear - a.linear).to_f64();
        let rate = dot(world, plus(plus(way, turned, 1.0), drift, 1.0));
        // A direction that a body carries moves too.
        let apart = plus(found.centers, subtract(arm_b, arm_a), 1.0);
        let carried = |whirl: Triple| rate + dot(cross(whirl, world), apart);
        [rate, carried(whirls[0]), carried(whirls[1])]
    }

    /// How far a height may sag below the chord of its ends on a part of a piece, over the square of the part's length.
    pub(super) fn bend(&self, carrier: Carrier, direction: Triple, times: [f64; 2]) -> f64 {
        let (a, b) = (&self.a, &self.b);
        let second = match carrier {
            Carrier::World => {
                let of = |body: &Mobile<'_, V>| {
                    let course = &body.course;
                    let [rate, _] = course.rates(times);
                    let turned =
                        course.acceleration(times) * body.reach[1] + 2.0 * rate * body.drift;
                    turned * course.across(direction)
                };
                of(a) + of(b)
            }
            Carrier::A => seen(&a.course, b, times),
            Carrier::B => seen(&b.course, a, times),
        };
        // The direction across an axis is rounded, beside its length.
        let rounded = |body: &Mobile<'_, V>| {
            let [rate, _] = body.course.rates(times);
            let own = body.course.acceleration(times) * body.reach[0] + 2.0 * rate * body.drift;
            own * SAG_ROUNDINGS * f64::ROUNDING
        };
        let room = rounded(a) + rounded(b);
        (second + room) / 8.0 * (1.0 + SAG_ROUNDINGS * f64::ROUNDING)
    }

    /// A bound of the rate at which the signed distance changes.
    pub(super) fn speed(&self) -> f64 {
        let way = self.b.course.linear - self.a.course.linear;
        let sum = way.norm() + self.a.whirl() + self.b.whirl();
        sum * (1.0 + SAG_ROUNDINGS * f64::ROUNDING)
    }

    /// Whether all numbers of the motion are floats until a time.
    pub(super) fn is_finite(&self, time: f64) -> bool {
        let sums = [
            self.place_error(time),
            self.speed() * time,
            self.speed() * self.speed(),
        ];
        sums.iter().all(|x| x.is_finite())
    }
}

/// The bound of the second derivative for a direction fixed in a body: of the other's points as seen from it.
fn seen<V: Vector>(own: &Course<V::Wide>, other: &Mobile<'_, V>, times: [f64; 2]) -> f64 {
    let (course, reach) = (&other.course, other.reach[0]);
    let (way, apart) = (course.linear - own.linear, course.center - own.center);
    // The centres move in straight lines, so that they are farthest apart at an end.
    let far = times.map(|time| (apart + way * time).norm());
    let sizes = own.size(times[1]) + course.size(times[1]);
    let distance = far[0].max(far[1]) + REACH_ROUNDINGS * f64::ROUNDING * sizes;
    let speed = way.norm() + REACH_ROUNDINGS * f64::ROUNDING * way.sum_abs();
    let [w, _] = own.rates(times);
    let [o, _] = course.rates(times);
    own.acceleration(times) * (distance + reach)
        + 2.0 * w * (speed + o * reach + other.drift)
        + course.acceleration(times) * reach
        + 2.0 * o * other.drift
}

/// The difference of two vertices in the world.
fn difference<W: Vector64>(pair: &BodyPair<'_, W>, [i, j]: [u32; 2]) -> Triple {
    let place = |body: &AnyBody<'_, W>, pose: &Pose<W>, id: u32| {
        let vertex = body.vertex(id).unwrap_or(W::ZERO);
        pose.point(vertex).to_f64()
    };
    subtract(place(pair.a, pair.pose_a, i), place(pair.b, pair.pose_b, j))
}

/// Whether the plane of a facet is still on the same side of the origin when each of its points is moved by an error.
///
/// The plane moves at the foot of the origin by that, times the sum of the magnitudes of the weights of the foot; of a sliver they may be large.
fn is_clear(facet: [Triple; 3], error: f64) -> bool {
    // Of any size: products of five lengths are no floats.
    let largest = facet
        .as_flattened()
        .iter()
        .fold(0.0, |m: f64, x| m.max(x.abs()));
    let [a, b, c] = facet.map(|point| point.map(|x| x / largest));
    let error = error / largest;
    let (u, v) = (subtract(b, a), subtract(c, a));
    let (normal, weights) = if b == c {
        // An edge in the plane.
        let part = -dot(a, u) / dot(u, u);
        ([u[1], -u[0], 0.0], [1.0 - part, part, 0.0])
    } else {
        let normal = cross(u, v);
        let weight = |p, q| dot(cross(p, q), normal) / dot(normal, normal);
        (normal, [weight(b, c), weight(c, a), weight(a, b)])
    };
    let height = dot(normal, a) / length(normal);
    let beyond = weights.map(f64::abs).iter().sum::<f64>() - 1.0;
    height > 0.0 && (beyond < SLIVER || height > error * (1.0 + beyond))
}
