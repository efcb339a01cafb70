//! Two bodies that move and turn: how far apart planes of one direction hold them, and for how long.
//!
//! Where it sits: under `impact.rs`, which looks for the first contact.
//! Idea: for a direction `n` that is fixed in the world or turns with a body, and two points of the bodies, the height `f(t) = n·(b − a)` has a second
//! derivative of at most `M`. So on a piece of time it is nowhere lower than the lower one of its ends by more than `M·Δ²/8`, the sag of a chord. `M` is the same for all
//! points, so one support of each body at either end proves the whole piece.
//! Numbers: the bodies do not move here. A direction is turned into the frame that each body had at the start, so that its points are the world's vertices
//! of the start, and only the direction is rounded.

use super::course::Course;
use super::shot::{BodyPair, PosedBody, trial_request};
use super::soft::gap_error;
use crate::answer::{Certificate, Contact};
use crate::math::{
    Pose, Scalar, Triple, Vector, Vector64, cross, dot, length, plus, subtract, sum_abs,
};
use crate::motion::answer::Carrier;
use crate::narrow::ladder;
use crate::pair::Pair;
use crate::request::{Request, contact_request};
use crate::support::{AnyBody, NO_ID, Support};

/// Roundings of a height, of the centres' places, the way and the points' distances from the centres: the centre's difference from the point 1, the way 2, the sums 3,
/// the products 3, the normal's length 4. Three are room.
const HEIGHT_OF_CENTER_ROUNDINGS: f64 = 16.0;

/// Roundings of a bound `M` and of the sag, of itself: each is a sum of products of positive numbers, of some twenty operations. The rest is room.
const SAG_ROUNDINGS: f64 = 64.0;

/// Roundings of the place of a turned body, of its points' sizes, its centre and the way: the pose's translation 8, its columns and its translation once more 6 each, a point's products
/// and sums 6. Six are room.
const MOVED_ROUNDINGS: f64 = 32.0;

/// Roundings of a distance of points from a centre or an axis, of itself.
const REACH_ROUNDINGS: f64 = 16.0;

/// Weights of a foot that are so far outside of its facet in sum are those of a sliver, of which the plane is not known. It chooses which certificates are stated, and proves nothing.
const SLIVER: f64 = 1024.0;

/// A body that moves and turns.
pub(super) struct Mobile<'p, V: Vector> {
    posed: &'p PosedBody<'p, V>,
    course: Course<V::Wide>,
    /// The largest distance of its core's points from the centre, and from the axis.
    reach: [f64; 2],
    /// How far a support height may be off.
    error: f64,
}

impl<'p, V: Vector> Mobile<'p, V> {
    pub(super) fn new(posed: &'p PosedBody<'p, V>, course: Course<V::Wide>) -> Self {
        let error = gap_error(posed);
        let reach = reach(posed, &course, error);
        Self {
            posed,
            course,
            reach,
            error,
        }
    }

    /// The body where it is at a time, rounded.
    fn at(&self, time: f64) -> Pose<V::Wide> {
        self.course.pose_at(time)
    }

    /// Its own pose at a time, rounded: `pose` is that of the start.
    fn posed_at(&self, time: f64, pose: &Pose<V>) -> Pose<V> {
        if self.course.rests() {
            return *pose;
        }
        self.at(time).compose(&pose.lift()).lift()
    }

    /// How far a point may be from the true one at a time.
    fn place_error(&self, time: f64) -> f64 {
        let [shape, world] = self.posed.sizes();
        let size = shape + world + self.posed.radius() + self.course.size(time);
        let turned = self.course.turn(time).error * self.reach[0];
        MOVED_ROUNDINGS * f64::ROUNDING * size + turned + self.posed.underflow()
    }

    /// How far a height of its points may be off at a time, beside that of the support.
    fn height_error(&self, time: f64, turn: f64) -> f64 {
        let size = self.course.size(time) + self.reach[0];
        self.error + HEIGHT_OF_CENTER_ROUNDINGS * f64::ROUNDING * size + turn * self.reach[0]
    }

    /// The highest point along a direction of the frame of the start, from the centre.
    fn arm(&self, direction: Triple) -> Triple {
        let along = V::Wide::from_f64(direction);
        let found = self.posed.support(along, NO_ID).point;
        subtract(found.to_f64(), self.course.center.to_f64())
    }

    /// The fastest that a point of its core moves about the centre.
    fn whirl(&self) -> f64 {
        self.course.fastest() * self.reach[1]
    }
}

/// The largest distance of the core's points from the centre, and from the axis through it. Of bodies without numbered vertices by a box about them.
fn reach<V: Vector>(posed: &PosedBody<'_, V>, course: &Course<V::Wide>, error: f64) -> [f64; 2] {
    let center = course.center.to_f64();
    let up = 1.0 + REACH_ROUNDINGS * f64::ROUNDING;
    let Some(count) = posed.vertex_count() else {
        let across = |k: usize| {
            let axis = V::Wide::axis(k);
            let ends = [axis, -axis].map(|d| posed.support(d, NO_ID).point.component(k));
            ends.iter()
                .fold(0.0, |m: f64, x| m.max((x - center[k]).abs()))
                + error
        };
        let corner = [0, 1, 2].map(|k| if k < V::DIM { across(k) } else { 0.0 });
        return [length(corner) * up; 2];
    };
    let mut found = [0.0; 2];
    for id in 0..count {
        let vertex = posed.vertex(id).map_or(center, V::Wide::to_f64);
        let arm = subtract(vertex, center);
        let lengths = [length(arm), course.across(arm)];
        found = [0, 1].map(|k| lengths[k].max(found[k]));
    }
    // What the differences and the axis are rounded, beside their length.
    let room = error + REACH_ROUNDINGS * f64::ROUNDING * (found[0] + sum_abs(center));
    [
        found[0] * up + room,
        (found[1] * up + room).min(found[0] * up + room),
    ]
}

/// The planes along a direction that support two bodies, which are between them.
#[derive(Clone, Copy)]
pub(super) struct TurnedPlanes {
    /// A lower bound of the gap.
    pub(super) gap: f64,
    /// About how fast the gap changes, as the points on the planes move. It chooses, and proves nothing.
    pub(super) slope: f64,
}

/// Two bodies that move and turn.
pub(super) struct Turning<'p, V: Vector> {
    /// The bodies at the start.
    pub(super) pair: BodyPair<'p, V>,
    pub(super) a: Mobile<'p, V>,
    pub(super) b: Mobile<'p, V>,
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
        if V::Scalar::ROUNDING.to_f64() == f64::ROUNDING {
            // Closed forms know the bodies by their own numbers, which are those of the search.
            let pair = Pair {
                pose_a: &self.a.posed_at(time, self.pair.pose_a),
                pose_b: &self.b.posed_at(time, self.pair.pose_b),
                ..self.pair
            };
            return ladder::contact(&pair, request, None, Contact::lift);
        }
        let (here, there) = (self.a.at(time), self.b.at(time));
        let pair: BodyPair<'_, V::Wide> = Pair::new(self.a.posed, &here, self.b.posed, &there);
        ladder::contact(&pair, request, None, |found| found)
    }

    /// Why the bodies are what they are at a time, rounded there. An overlap has the facets that prove its depth: they are as far from the origin, while a
    /// simplex around it may have it nearly on its surface.
    pub(super) fn why_at(&self, time: f64) -> Option<Certificate> {
        let (here, there) = (self.a.at(time), self.b.at(time));
        let pair: BodyPair<'_, V::Wide> = Pair::new(self.a.posed, &here, self.b.posed, &there);
        let mut certificate = None;
        let request = contact_request::<f64>(true);
        ladder::loops(&pair, &request, None, None, &mut (), &mut certificate);
        let error = self.place_error(time);
        certificate.filter(|why| match why {
            Certificate::Overlapping { facets, .. } => facets
                .iter()
                .all(|facet| is_clear(facet.map(|ids| difference(&pair, ids)), error)),
            _ => true,
        })
    }

    /// How far the distance of the rounded bodies may be from that of the true ones at a time.
    pub(super) fn place_error(&self, time: f64) -> f64 {
        self.a.place_error(time) + self.b.place_error(time) + f64::MIN_POSITIVE
    }

    /// The carriers of which the directions differ.
    pub(super) fn carriers(&self) -> impl Iterator<Item = Carrier> + use<V> {
        let (a, b) = (self.a.course.turns(), self.b.course.turns());
        let all = [(Carrier::World, true), (Carrier::A, a), (Carrier::B, b)];
        all.into_iter()
            .filter(|(_, turns)| *turns)
            .map(|(carrier, _)| carrier)
    }

    /// The direction of a carrier that is this one at a time, along the axes of the start.
    pub(super) fn carried(&self, carrier: Carrier, direction: Triple, time: f64) -> Triple {
        match carrier {
            Carrier::World => direction,
            Carrier::A => self.a.course.turn(time).back(direction),
            Carrier::B => self.b.course.turn(time).back(direction),
        }
    }

    /// The planes of a direction at a time.
    pub(super) fn planes(&self, carrier: Carrier, direction: Triple, time: f64) -> TurnedPlanes {
        let (a, b) = (&self.a.course, &self.b.course);
        let (of_a, of_b) = (a.turn(time), b.turn(time));
        let (world, turned) = match carrier {
            Carrier::World => (direction, 0.0),
            Carrier::A => (of_a.apply(direction), of_a.error),
            Carrier::B => (of_b.apply(direction), of_b.error),
        };
        let local_a = if carrier == Carrier::A {
            direction
        } else {
            of_a.back(world)
        };
        let local_b = if carrier == Carrier::B {
            direction
        } else {
            of_b.back(world)
        };
        let arm_a = self.a.arm(local_a);
        let arm_b = self.b.arm(local_b.map(|x| -x));
        let way = (b.linear - a.linear).to_f64();
        let centers = b.center - a.center + (b.linear - a.linear) * time;
        let radii = self.a.posed.radius() + self.b.posed.radius();
        let heights = dot(local_b, arm_b) - dot(local_a, arm_a);
        let errors = [
            self.a.height_error(time, of_a.error + turned),
            self.b.height_error(time, of_b.error + turned),
            turned * centers.norm(),
        ];
        let error = errors.iter().sum::<f64>() + f64::MIN_POSITIVE;
        let (arm_a, arm_b) = (of_a.apply(arm_a), of_b.apply(arm_b));
        let (whirl_a, whirl_b) = (a.whirl_at(time), b.whirl_at(time));
        let turns = match carrier {
            Carrier::World => [0.0; 3],
            Carrier::A => whirl_a,
            Carrier::B => whirl_b,
        };
        // The points move, and so does the direction.
        let moves = plus(
            way,
            subtract(cross(whirl_b, arm_b), cross(whirl_a, arm_a)),
            1.0,
        );
        let apart = plus(centers.to_f64(), subtract(arm_b, arm_a), 1.0);
        TurnedPlanes {
            gap: dot(world, centers.to_f64()) + heights - radii - error,
            slope: dot(world, moves) + dot(cross(turns, world), apart),
        }
    }

    /// How far a height may sag below the chord of its ends on a piece.
    pub(super) fn sag(&self, carrier: Carrier, direction: Triple, [from, to]: [f64; 2]) -> f64 {
        let (a, b) = (&self.a, &self.b);
        let times = [from, to];
        let second = match carrier {
            Carrier::World => {
                let of = |body: &Mobile<'_, V>| {
                    let course = &body.course;
                    course.acceleration(times) * body.reach[1] * course.across(direction)
                };
                of(a) + of(b)
            }
            Carrier::A => seen(&a.course, b, times),
            Carrier::B => seen(&b.course, a, times),
        };
        // The direction across an axis is rounded, beside its length.
        let rounded = |body: &Mobile<'_, V>| {
            body.course.acceleration(times) * body.reach[0] * SAG_ROUNDINGS * f64::ROUNDING
        };
        let room = rounded(a) + rounded(b);
        let length = to - from;
        let sag = (second + room) * length * length / 8.0;
        sag * (1.0 + SAG_ROUNDINGS * f64::ROUNDING) + f64::MIN_POSITIVE
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
        + 2.0 * w * (speed + o * reach)
        + course.acceleration(times) * reach
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
