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
use super::normal::{EdgePair, MovingNormal};
use super::short::contracted;
use super::shot::{BodyPair, trial_request};
use crate::answer::{Certificate, Contact};
use crate::cache::Cache;
use crate::math::triple::negative;
use crate::math::{
    Pose, Scalar, Triple, Vector, Vector64, cross, dot, length, length_of_any, plus, subtract,
    sum_abs,
};
use crate::motion::answer::Carrier;
use crate::narrow::ladder;
use crate::pair::Pair;
use crate::request::{Request, contact_request};
use crate::support::AnyBody;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

/// Roundings of a bound `M` and of the sag, of itself: each is a sum of products of positive numbers, of some twenty operations. The rest is room.
const SAG_ROUNDINGS: f64 = 64.0;

/// The part that is taken of the length that a sag allows. It chooses, and proves nothing.
const SAG_LEFT: f64 = 0.95;

/// Edges whose product is shorter than this are taken to be parallel. It chooses, and proves nothing.
const PARALLEL: f64 = 1.0 / 64.0;

/// Weights of a foot that are so far outside of its facet in sum are those of a sliver, of which the plane is not known. It chooses which certificates are stated, and proves nothing.
const SLIVER: f64 = 1024.0;

/// How far a height may sag below the chord of its ends, over the square of the time between them.
#[derive(Clone, Copy)]
pub(super) struct Bend(f64);

impl Bend {
    /// Of a height that has such a second derivative at most.
    #[inline(always)]
    pub(super) fn of(second: f64) -> Self {
        Self(second / 8.0 * (1.0 + SAG_ROUNDINGS * f64::ROUNDING))
    }

    /// How far on a part of a length.
    pub(super) fn over(self, length: f64) -> f64 {
        // Both products are rounded, and may underflow.
        self.0 * length * length * (1.0 + 4.0 * f64::ROUNDING) + f64::MIN_POSITIVE
    }

    /// About how long a piece may be on which a gap begins so and changes at a rate: `2·√sag` is the sum of both roots there.
    pub(super) fn reach(self, start: f64, rate: f64) -> f64 {
        let level = Scalar::sqrt(start / self.0);
        let steep = rate / (4.0 * self.0);
        // Before the longest the gap is gone.
        if level + 2.0 * steep < 0.0 {
            return f64::INFINITY;
        }
        SAG_LEFT * (level + steep)
    }
}

/// What is known of the planes of a direction at a time, whatever carries it.
#[derive(Clone, Copy)]
pub(super) struct Heights {
    /// A lower bound of the gap for a direction that is fixed in the world.
    gap: f64,
    /// The direction in the world.
    pub(super) world: Triple,
    /// The points on the planes.
    pub(super) tops: [Arm; 2],
    /// From A's centre to B's.
    centers: Triple,
    /// A direction that is off by a part of itself is higher or lower by so much of the points' distances from the centres, and of that of the centres.
    levers: f64,
}

impl Heights {
    /// A lower bound of the gap, where the direction is off by a part of itself.
    pub(super) fn gap(&self, turned: f64) -> f64 {
        self.gap - turned * self.levers
    }

    /// The highest point of the body that carries a direction: it is the same at all times.
    pub(super) fn own_top(&self, normal: &MovingNormal) -> Option<Arm> {
        match normal {
            MovingNormal::A(_) => Some(self.tops[0]),
            MovingNormal::B(_) => Some(self.tops[1]),
            _ => None,
        }
    }
}

/// How the points on two planes move.
pub(super) struct MovingPoints {
    /// The point of B less that of A: how fast, and where it is.
    moves: Triple,
    apart: Triple,
    whirls: [Triple; 2],
}

impl MovingPoints {
    /// About how fast the gap along a direction changes, which is there after the turns.
    pub(super) fn of(&self, normal: &MovingNormal, world: Triple, turns: &[Turn; 2]) -> f64 {
        let rate = normal.rate(turns, self.whirls, world);
        dot(world, self.moves) + dot(rate, self.apart)
    }
}

/// Two bodies that move and turn.
pub(super) struct Turning<'p, V: Vector> {
    /// The bodies at the start.
    pub(super) pair: BodyPair<'p, V>,
    pub(super) a: &'p Mobile<'p, V>,
    pub(super) b: &'p Mobile<'p, V>,
    centers: Centers,
    /// The sum of the radii.
    pub(super) radii: f64,
    /// The vertices that were nearest when a contact was asked last.
    cache: RefCell<Cache>,
    /// How far both had turned at the time that was asked last.
    turned: (Cell<f64>, [Cell<Turn>; 2]),
}

impl<'p, V: Vector> Turning<'p, V> {
    /// Two bodies from the start of their motion.
    pub(super) fn new(pair: BodyPair<'p, V>, a: &'p Mobile<'p, V>, b: &'p Mobile<'p, V>) -> Self {
        let (of_a, of_b) = (&a.course, &b.course);
        Self {
            pair,
            centers: Centers::of(of_a, of_b),
            radii: a.posed.radius() + b.posed.radius(),
            a,
            b,
            cache: RefCell::default(),
            turned: (
                Cell::new(0.0),
                [of_a.turn(0.0), of_b.turn(0.0)].map(Cell::new),
            ),
        }
    }

    /// Whether vertices move by themselves.
    pub(super) fn is_reshaped(&self) -> bool {
        self.a.is_reshaped() || self.b.is_reshaped()
    }

    /// The relation of the bodies at a time, rounded there.
    pub(super) fn contact_at(&self, time: f64) -> Contact<V::Wide> {
        self.asked_at(time, &contact_request::<f64>(false))
    }

    /// The same, as near as floats tell at once.
    pub(super) fn trial_at(&self, time: f64) -> Contact<V::Wide> {
        self.asked_at(time, &trial_request())
    }

    fn asked_at(&self, time: f64, request: &Request) -> Contact<V::Wide> {
        let cache = &mut *self.cache.borrow_mut();
        if !self.is_reshaped() && V::Scalar::ROUNDING.to_f64() == f64::ROUNDING {
            // Closed forms know the bodies by their own numbers, which are those of the search.
            let [of_a, of_b] = &self.turns(time);
            let pair = Pair {
                pose_a: &self.a.posed_at(of_a, time, self.pair.pose_a),
                pose_b: &self.b.posed_at(of_b, time, self.pair.pose_b),
                ..self.pair
            };
            return ladder::contact(&pair, request, Some(cache), Contact::lift);
        }
        let [of_a, of_b] = &self.turns(time);
        let wide = (
            self.a.wide_box_at(of_a, time),
            self.b.wide_box_at(of_b, time),
        );
        if let (Some((a, pose_a)), Some((b, pose_b))) = &wide {
            let pair = Pair::new(*a as &AnyBody<'_, V::Wide>, pose_a, *b, pose_b);
            ladder::contact(&pair, request, Some(cache), |found| found)
        } else {
            self.with_pair(time, |pair| {
                ladder::contact(&pair, request, Some(cache), |found| found)
            })
        }
    }

    /// Why the bodies are what they are at a time, rounded there. An overlap has the facets that prove its depth: they are as far from the origin, while a
    /// simplex around it may have it nearly on its surface.
    pub(super) fn why_at(&self, time: f64) -> Option<Certificate> {
        let error = self.place_error(time);
        self.with_pair(time, |pair| {
            let mut certificate = None;
            let request = contact_request::<f64>(true);
            ladder::loops(&pair, &request, None, None, &mut (), &mut certificate);
            let mut why = certificate?;
            if let Certificate::Overlapping { facets, .. } = &mut why {
                let place = |ids| difference(&pair, ids);
                let clear = |facet| is_clear(facet, error);
                if !facets.iter().all(|facet| clear(facet.map(place))) {
                    *facets = contracted(facets, place, clear)?;
                }
            }
            Some(why)
        })
    }

    /// The planes of facets of the difference at a time.
    pub(super) fn planes_at(&self, facets: &[[[u32; 2]; 3]], time: f64) -> Vec<SeenPlane> {
        let plane = |pair: &BodyPair<'_, V::Wide>, facet: &[[u32; 2]; 3]| {
            SeenPlane::of(facet.map(|ids| difference(pair, ids)))
        };
        self.with_pair(time, |pair| {
            facets.iter().map(|facet| plane(&pair, facet)).collect()
        })
    }

    /// The differences of vertices at a time.
    pub(super) fn differences_at(&self, pairs: &[[u32; 2]], time: f64) -> Vec<Triple> {
        self.with_pair(time, |pair| {
            pairs.iter().map(|&ids| difference(&pair, ids)).collect()
        })
    }

    /// Asks about the bodies as they are at a time, rounded there.
    fn with_pair<R>(&self, time: f64, ask: impl FnOnce(BodyPair<'_, V::Wide>) -> R) -> R {
        let [of_a, of_b] = &self.turns(time);
        let (here, there) = (self.a.at(of_a, time), self.b.at(of_b, time));
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
            Carrier::A => self.a.course.turns(),
            Carrier::B => self.b.course.turns(),
            _ => true,
        }
    }

    /// Whether any of them turns.
    pub(super) fn turn(&self) -> bool {
        self.a.course.turns() || self.b.course.turns()
    }

    /// How far both have turned at a time.
    #[inline(always)]
    pub(super) fn turns(&self, time: f64) -> [Turn; 2] {
        let (at, turns) = &self.turned;
        if at.get() == time {
            return [turns[0].get(), turns[1].get()];
        }
        // What is new is not read again: it would wait until it is written.
        let new = [self.a.course.turn(time), self.b.course.turn(time)];
        at.set(time);
        turns[0].set(new[0]);
        turns[1].set(new[1]);
        new
    }

    /// What is known of the planes of a direction at a time, and how far the direction is off; of edges heights of the points along their product.
    /// `own` is the highest point of the body that carries it, if one does.
    pub(super) fn view(
        &self,
        normal: &MovingNormal,
        own: Option<Arm>,
        time: f64,
    ) -> (Heights, f64) {
        let turns = self.turns(time);
        let (world, turned) = normal.after(&turns);
        let own = own.filter(|_| !self.is_reshaped());
        let mut tops = [None; 2];
        match normal {
            MovingNormal::A(_) => tops[0] = own,
            MovingNormal::B(_) => tops[1] = own,
            _ => {}
        }
        (self.heights_beside(world, tops, &turns, time), turned)
    }

    /// The heights of the bodies along a direction of the world at a time.
    pub(super) fn heights(&self, world: Triple, turns: &[Turn; 2], time: f64) -> Heights {
        self.heights_beside(world, [None; 2], turns, time)
    }

    /// The same, where the highest points of some are known.
    #[inline(always)]
    fn heights_beside(
        &self,
        world: Triple,
        tops: [Option<Arm>; 2],
        turns: &[Turn; 2],
        time: f64,
    ) -> Heights {
        let [of_a, of_b] = turns;
        let (local_a, local_b) = (of_a.back(world), of_b.back(world));
        let tops = [
            tops[0].unwrap_or_else(|| self.a.arm(local_a, time)),
            tops[1].unwrap_or_else(|| self.b.arm(negative(local_b), time)),
        ];
        let centers = self.centers.at(time);
        let heights = dot(local_b, tops[1].point) - dot(local_a, tops[0].point);
        let errors = self.a.height_error(time, of_a.error)
            + self.b.height_error(time, of_b.error)
            + f64::MIN_POSITIVE;
        Heights {
            gap: dot(world, centers) + heights - self.radii - errors,
            world,
            tops,
            centers,
            levers: self.a.reach[0] + self.b.reach[0] + sum_abs(centers),
        }
    }

    /// About how fast the gap changes at a time, as the points on the planes move.
    pub(super) fn slopes(&self, found: &Heights, turns: &[Turn; 2], time: f64) -> MovingPoints {
        let (a, b) = (&self.a.course, &self.b.course);
        let [top, bottom] = found.tops;
        let (arm_a, arm_b) = (turns[0].apply(top.point), turns[1].apply(bottom.point));
        let drift = subtract(turns[1].apply(bottom.drift), turns[0].apply(top.drift));
        let whirls = [a.whirl_at(time), b.whirl_at(time)];
        let turned = subtract(cross(whirls[1], arm_b), cross(whirls[0], arm_a));
        MovingPoints {
            moves: plus(plus(self.centers.way, turned, 1.0), drift, 1.0),
            apart: plus(found.centers, subtract(arm_b, arm_a), 1.0),
            whirls,
        }
    }

    /// What carries the normal of a distance: the body whose face it is, or an edge of each.
    pub(super) fn fit(&self, world: Triple, turns: &[Turn; 2]) -> Option<Carrier> {
        let boxes = self.a.is_box() && self.b.is_box();
        let known = if boxes { None } else { self.last_features() };
        let [a, b] = known.unwrap_or_else(|| {
            let a = self.a.features(turns[0].back(world));
            [a, self.b.features(turns[1].back(negative(world)))]
        });
        // A body that does not turn carries the world's directions.
        let of = |which: Carrier| {
            if self.carries(which) {
                which
            } else {
                Carrier::World
            }
        };
        if a >= V::DIM {
            Some(of(Carrier::A))
        } else if b >= V::DIM {
            Some(of(Carrier::B))
        } else if V::DIM == 3 && a == 2 && b == 2 {
            let edges = Carrier::Edges([[0; 2]; 2]);
            Some(if self.turn() { edges } else { Carrier::World })
        } else {
            None
        }
    }

    /// The edges of both bodies that are nearest along a direction at a time, if it is those that are nearest.
    pub(super) fn edges(&self, world: Triple, turns: &[Turn; 2]) -> Option<EdgePair> {
        // The product is shorter than both edges, so that radii would count for more than they are.
        if V::DIM == 2 || self.radii > 0.0 || self.is_reshaped() {
            return None;
        }
        let ids = self.last_edges().or_else(|| {
            let against = world.map(|x| -x);
            Some([
                self.a.edge(turns[0].back(world))?,
                self.b.edge(turns[1].back(against))?,
            ])
        })?;
        let mut pair = EdgePair {
            ids,
            edges: [self.a.along(ids[0])?, self.b.along(ids[1])?],
        };
        let (product, _) = MovingNormal::Edges(pair).after(turns);
        let cosine = dot(product, world);
        if cosine < 0.0 {
            pair.ids[1].reverse();
            pair.edges[1] = pair.edges[1].map(|x| -x);
        }
        (cosine.abs() > PARALLEL).then_some(pair)
    }

    /// How many vertices of each body the last simplex has, three for more; `None` where no search left one.
    fn last_features(&self) -> Option<[usize; 2]> {
        let cache = self.cache.borrow();
        let ids = cache.ids();
        let count = |body: usize| {
            let is_new = |k: &usize| ids[..*k].iter().all(|pair| pair[body] != ids[*k][body]);
            (0..ids.len()).filter(is_new).count().min(3)
        };
        (!ids.is_empty()).then(|| [count(0), count(1)])
    }

    /// The edges of the last simplex, if it is of two vertices of each body.
    fn last_edges(&self) -> Option<[[u32; 2]; 2]> {
        let cache = self.cache.borrow();
        let two = |body: usize| {
            let mut ids = cache.ids().iter().map(|pair| pair[body]);
            let first = ids.next()?;
            let second = ids.clone().find(|&id| id != first)?;
            let both = ids.all(|id| id == first || id == second);
            both.then_some([first, second])
        };
        Some([two(0)?, two(1)?])
    }

    /// How far a height may sag below the chord of its ends on parts of a piece.
    pub(super) fn bend(&self, normal: &MovingNormal, times: [f64; 2]) -> Bend {
        let (a, b) = (self.a, self.b);
        let second = match normal {
            MovingNormal::World(direction) => {
                let of = |body: &Mobile<'_, V>| {
                    body.acceleration(times, 1) * body.course.across(*direction)
                };
                of(a) + of(b)
            }
            MovingNormal::A(_) => self.centers.seen(a.course, &b.orbit(), times),
            MovingNormal::B(_) => self.centers.seen(b.course, &a.orbit(), times),
            MovingNormal::Edges(_) => self.bend_of_edges(times),
        };
        // The direction across an axis is rounded, beside its length.
        let rounded =
            |body: &Mobile<'_, V>| body.acceleration(times, 0) * SAG_ROUNDINGS * f64::ROUNDING;
        Bend::of(second + rounded(a) + rounded(b))
    }

    /// The bound of the second derivative for the product of two unit vectors of which each body carries one.
    fn bend_of_edges(&self, times: [f64; 2]) -> f64 {
        let (a, b) = (self.a, self.b);
        let [[w, _], [o, _]] = [a.course.rates(times), b.course.rates(times)];
        let (far, speed) = (self.centers.farthest(times), self.centers.speed);
        let moves = speed + w * a.reach[0] + a.drift + o * b.reach[0] + b.drift;
        let turns = a.course.acceleration(times) + 2.0 * w * o + b.course.acceleration(times);
        turns * (far + a.reach[0] + b.reach[0])
            + 2.0 * (w + o) * moves
            + a.acceleration(times, 0)
            + b.acceleration(times, 0)
    }

    /// A bound of the rate at which the signed distance changes.
    pub(super) fn speed(&self) -> f64 {
        let sum = self.centers.speed + self.a.whirl() + self.b.whirl();
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

/// The points of a body about the center of its motion: how far they are from it at most, and how fast they move beside the turn.
pub(super) struct Orbit<'c, W> {
    pub(super) course: &'c Course<W>,
    pub(super) reach: f64,
    pub(super) drift: f64,
}

impl<W: Vector64> Orbit<'_, W> {
    /// The most that one of its points is accelerated by on a piece of time.
    #[inline(always)]
    pub(super) fn acceleration(&self, times: [f64; 2]) -> f64 {
        let [rate, _] = self.course.rates(times);
        self.course.acceleration(times) * self.reach + 2.0 * rate * self.drift
    }
}

/// How the centre of B moves as seen from that of A.
pub(super) struct Centers {
    /// Where it is at the start.
    pub(super) apart: Triple,
    pub(super) way: Triple,
    /// At least as fast as it moves.
    pub(super) speed: f64,
    /// What rounding may take of a distance: so much, and so much more in a unit of time.
    errors: [f64; 2],
}

impl Centers {
    pub(super) fn of<W: Vector64>(a: &Course<W>, b: &Course<W>) -> Self {
        let way = (b.linear - a.linear).to_f64();
        let errors = [0.0, 1.0].map(|time| a.size(time) + b.size(time));
        let room = REACH_ROUNDINGS * f64::ROUNDING;
        Self {
            apart: (b.center - a.center).to_f64(),
            way,
            speed: length_of_any(way) + room * sum_abs(way),
            errors: [errors[0] * room, (errors[1] - errors[0]) * room],
        }
    }

    fn at(&self, time: f64) -> Triple {
        plus(self.apart, self.way, time)
    }

    /// At least the largest distance on a piece of time: they move in straight lines, so that it is that of an end.
    fn farthest(&self, [from, to]: [f64; 2]) -> f64 {
        let far = [from, to].map(|time| length_of_any(self.at(time)));
        far[0].max(far[1]) + self.errors[0] + self.errors[1] * to
    }

    /// The bound of the second derivative for a direction fixed in a body: of the other's points as seen from it.
    #[inline(always)]
    pub(super) fn seen<W: Vector64>(
        &self,
        own: &Course<W>,
        other: &Orbit<'_, W>,
        times: [f64; 2],
    ) -> f64 {
        let [w, _] = own.rates(times);
        let [o, _] = other.course.rates(times);
        own.acceleration(times) * (self.farthest(times) + other.reach)
            + 2.0 * w * (self.speed + o * other.reach + other.drift)
            + other.acceleration(times)
    }
}

/// The difference of two vertices in the world.
fn difference<W: Vector64>(pair: &BodyPair<'_, W>, [i, j]: [u32; 2]) -> Triple {
    let place = |body: &AnyBody<'_, W>, pose: &Pose<W>, id: u32| {
        let vertex = body.vertex(id).unwrap_or(W::ZERO);
        pose.point(vertex).to_f64()
    };
    subtract(place(pair.a, pair.pose_a, i), place(pair.b, pair.pose_b, j))
}

/// The plane of a facet, as seen from the origin.
pub(super) struct SeenPlane {
    /// How far the origin is below it.
    pub(super) height: f64,
    /// The sum of the magnitudes of the weights of its foot: where each corner is moved by an error, the plane moves at the foot by at most so many times that. Of
    /// a sliver it may be large.
    pub(super) lever: f64,
    /// The least height of a corner over the edge beyond it; in the plane the edge's length.
    pub(super) altitude: f64,
}

impl SeenPlane {
    fn of(facet: [Triple; 3]) -> Self {
        // Of any size: products of five lengths are no floats.
        let largest = facet
            .as_flattened()
            .iter()
            .fold(0.0, |m: f64, x| m.max(x.abs()));
        let [a, b, c] = facet.map(|point| point.map(|x| x / largest));
        let (u, v) = (subtract(b, a), subtract(c, a));
        let (normal, weights, altitude) = if b == c {
            // An edge in the plane.
            let part = -dot(a, u) / dot(u, u);
            ([u[1], -u[0], 0.0], [1.0 - part, part, 0.0], length(u))
        } else {
            let normal = cross(u, v);
            let weight = |p, q| dot(cross(p, q), normal) / dot(normal, normal);
            let sides = [length(u), length(v), length(subtract(c, b))];
            let longest = sides.into_iter().fold(0.0, f64::max);
            let weights = [weight(b, c), weight(c, a), weight(a, b)];
            (normal, weights, length(normal) / longest)
        };
        Self {
            height: dot(normal, a) / length(normal) * largest,
            lever: weights.map(f64::abs).iter().sum::<f64>(),
            altitude: altitude * largest,
        }
    }
}

/// Whether the plane of a facet is still on the same side of the origin when each of its points is moved by an error. One with a corner that the error may move beyond the opposite edge has no side that is known.
fn is_clear(facet: [Triple; 3], error: f64) -> bool {
    let SeenPlane {
        height,
        lever,
        altitude,
    } = SeenPlane::of(facet);
    let has_side = height > 0.0 && altitude > 2.0 * error;
    has_side && (lever - 1.0 < SLIVER || height > error * lever)
}
