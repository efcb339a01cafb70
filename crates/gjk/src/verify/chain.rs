//! Is the answer on bodies that turn true? The checker of times of impact, in intervals of long numbers.
//!
//! Where it sits: beside `motion.rs`, under the same rule: it shares no line with what found the answer, only the bodies' vertices and centres at the start.
//! Idea: with a direction `n(t)` that is fixed in the world or in a body, the height `f(t) = n·(b − a)` of two vertices has a second derivative of at most `M`. So it is nowhere in a
//! piece of time lower than the lower one of its ends by more than `M·Δ²/8`. If what is left is more than the radii, there is no contact in the piece. Pieces
//! that follow each other prove the free part, and a polytope of vertex pairs around the origin proves the contact at its end.
//! Numbers: lengths and times are scaled by powers of two to be near one; sines are power series, see `span.rs`.

use super::Verified;
use super::error::VerifyError;
use super::motion::{at_start, consistent, starts_in_contact, vertices, wrong};
use super::pace::TurnedPace;
use super::span::{Rotation, Span, Span3, cross, dot, length_above, minus, plus, scale};
use crate::math::{Pose, Scalar, Vector, exponent_of};
use crate::motion::{
    Apart, Carrier, CastAnswer, CastCertificate, CastProof, ChainContact, ChainPiece, HeldPiece,
    Meeting, Moving, Start, ToiOptions, Touch, TurnLaw, Twist,
};
use crate::support::{Posed, Support};
use alloc::vec::Vec;

/// Scaled lengths and turns below two to this power have digits enough in a [`Span`].
const LARGEST_EXPONENT: i32 = 100;

/// Checks the answer on two bodies that move and turn against the bodies, their motions and the options.
///
/// An answer without a certificate is only checked against itself; nothing of it is then proved. Nor is it where numbers span more than the checker's digits.
/// # Errors  the first thing found wrong: a bug in this library, or an answer of other bodies or motions.
/// # Complexity  O(m + n) for m and n vertices, a piece.
#[allow(clippy::too_many_arguments)] // those of the question, and its answer
pub fn verify_toi<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    twist_a: &Twist<V>,
    b: &B,
    pose_b: &Pose<V>,
    twist_b: &Twist<V>,
    options: &ToiOptions<V::Scalar>,
    proof: &CastProof<V>,
) -> Result<Verified, VerifyError> {
    let answer = &proof.answer;
    consistent(answer)?;
    let motion = options.motion();
    match &proof.certificate {
        None => Ok(Verified::default()),
        Some(CastCertificate::Start(start)) => {
            let (a, b) = (resting(&a, pose_a), resting(&b, pose_b));
            at_start(&a, &b, motion.distance(), answer, start)
        }
        Some(CastCertificate::Chain {
            from,
            pieces,
            contact,
        }) => {
            let bodies = [
                Turned::of(a, pose_a, twist_a)?,
                Turned::of(b, pose_b, twist_b)?,
            ];
            chain(options, bodies, answer, (*from, pieces, contact.as_ref()))
        }
        Some(CastCertificate::Held {
            start,
            pieces,
            apart,
        }) => {
            let rests = [resting(&a, pose_a), resting(&b, pose_b)];
            let starts = starts_in_contact([&rests[0], &rests[1]], motion.distance(), start)?;
            let bodies = [
                Turned::of(a, pose_a, twist_a)?,
                Turned::of(b, pose_b, twist_b)?,
            ];
            held(options, bodies, answer, (starts, pieces, apart))
        }
        Some(_) => Err(wrong("is of bodies that do not turn")),
    }
}

/// What a chain of pieces and a contact prove of an answer.
fn chain<V: Vector>(
    options: &ToiOptions<V::Scalar>,
    bodies: [Turned; 2],
    answer: &CastAnswer<V>,
    (from, pieces, contact): (f64, &[ChainPiece], Option<&ChainContact>),
) -> Result<Verified, VerifyError> {
    let motion = options.motion();
    let passes = motion.start == Start::Approach || motion.touch == Touch::Passes;
    let begins = from == 0.0 || from > 0.0 && from.is_finite() && passes;
    if !begins {
        return Err(wrong("begins after the start"));
    }
    let end = options.max_time().to_f64();
    let distance = motion.distance().to_f64();
    let Some(scene) = TurnedScene::of(V::DIM, bodies, distance, end) else {
        return Ok(Verified::default());
    };
    let covered = scene.pieces(from, pieces)?;
    match (answer.verdict, contact, answer.time) {
        (Meeting::Free, None, _) if covered >= end => Ok(Verified {
            verdict: !pieces.is_empty(),
            ..Verified::default()
        }),
        (Meeting::Hits, Some(contact), Some(found)) => {
            let (begin, time) = match contact {
                ChainContact::Overlap { time, .. } => (*time, *time),
                ChainContact::Crossing(crossing) => (crossing.from, crossing.to),
            };
            let in_order = from <= begin && begin <= time;
            if !in_order || !(covered..=end).contains(&time) {
                return Err(wrong("has a contact at a wrong time"));
            }
            match contact {
                ChainContact::Overlap { why, .. } => scene.meets(time, why)?,
                ChainContact::Crossing(crossing) => scene.crosses(crossing)?,
            }
            Ok(Verified {
                verdict: !pieces.is_empty(),
                lower: found.lower.to_f64() <= covered,
                upper: time <= found.upper.to_f64(),
            })
        }
        _ => Err(wrong("is of another verdict, or ends too early")),
    }
}

/// What pieces of contact and a plane after them prove of an answer; `starts` is whether the contact at the start is proved.
fn held<V: Vector>(
    options: &ToiOptions<V::Scalar>,
    bodies: [Turned; 2],
    answer: &CastAnswer<V>,
    (starts, pieces, apart): (bool, &[HeldPiece], &Apart),
) -> Result<Verified, VerifyError> {
    let motion = options.motion();
    let (Meeting::Exits, Start::Exit, Some(found)) = (answer.verdict, motion.start, answer.time)
    else {
        return Err(wrong("is of another verdict, or of an end not asked for"));
    };
    let end = options.max_time().to_f64();
    let distance = motion.distance().to_f64();
    let Some(scene) = TurnedScene::of(V::DIM, bodies, distance, end) else {
        return Ok(Verified::default());
    };
    let covered = scene.holds(pieces)?;
    if !(covered..=end).contains(&apart.time) {
        return Err(wrong("has a plane at a wrong time"));
    }
    scene.parts(apart)?;
    Ok(Verified {
        verdict: starts || !pieces.is_empty(),
        lower: found.lower.to_f64() <= covered,
        upper: apart.time <= found.upper.to_f64(),
    })
}

fn resting<'p, V: Vector, S: Support<V> + ?Sized>(
    shape: &'p &'p S,
    pose: &'p Pose<V>,
) -> Moving<'p, V> {
    Moving {
        shape,
        pose,
        velocity: V::ZERO,
    }
}

/// A body and its motion, in floats.
struct Turned {
    vertices: Vec<[f64; 3]>,
    /// Where each is at the time 1, if they move by themselves; else none.
    ends: Vec<[f64; 3]>,
    radius: f64,
    center: [f64; 3],
    linear: [f64; 3],
    spin: TurnLaw,
}

impl Turned {
    fn of<V: Vector, S: Support<V> + ?Sized>(
        shape: &S,
        pose: &Pose<V>,
        twist: &Twist<V>,
    ) -> Result<Self, VerifyError> {
        let posed = Posed::new(shape, *pose);
        let vertices = vertices(&posed)?;
        let end = |id: u32| posed.end_vertex(id).map(V::Wide::to_f64);
        let ends: Option<Vec<[f64; 3]>> = (0..vertices.len() as u32).map(end).collect();
        Ok(Self {
            vertices,
            ends: ends.unwrap_or_default(),
            radius: posed.radius(),
            center: pose.lift::<V::Wide>().point(twist.center().lift()).to_f64(),
            linear: twist.linear().to_f64(),
            spin: twist.turn_law(),
        })
    }

    /// How fast it turns, in parts of a unit of time.
    fn rates(&self) -> [f64; 3] {
        match self.spin {
            TurnLaw::Constant(angular) => angular,
            TurnLaw::Nlerp([x, y, z, _]) => [x, y, z],
        }
    }

    fn lengths(&self) -> impl Iterator<Item = f64> + '_ {
        let points = self.vertices.iter().chain(&self.ends);
        let points = points.chain([&self.center]).flatten();
        points.copied().chain([self.radius])
    }
}

/// A body and its motion: lengths and times near one.
struct TurnedBody {
    /// From the centre, at the start.
    arms: Vec<Span3>,
    /// What each changes by in a unit of time where the vertices move by themselves; else none.
    drifts: Vec<Span3>,
    /// At least the length of every one.
    drift: Span,
    center: Span3,
    linear: Span3,
    pace: TurnedPace,
    /// At least the distance of every vertex from the centre, until the end of the motion.
    reach: Span,
}

impl TurnedBody {
    fn of(body: &Turned, [length, time]: [i32; 2], end: f64) -> Self {
        let vector = |x: [f64; 3], exponent: i32| x.map(|x| Span::of(x, exponent));
        let center = vector(body.center, length);
        let arm = |x: &[f64; 3]| minus(&vector(*x, length), &center);
        let arms: Vec<Span3> = body.vertices.iter().map(arm).collect();
        let velocity = |(from, to): (&[f64; 3], &[f64; 3])| {
            minus(&vector(*to, length - time), &vector(*from, length - time))
        };
        let drifts: Vec<Span3> = body.vertices.iter().zip(&body.ends).map(velocity).collect();
        let end = Span::of(end, time);
        // What is farthest from a point or a line is at an end of its own line.
        let last = arms.iter().zip(&drifts);
        let mut all: Vec<Span3> = last.map(|(x, v)| plus(x, &scale(v, &end))).collect();
        all.extend_from_slice(&arms);
        let pace = match body.spin {
            TurnLaw::Constant(angular) => TurnedPace::constant(vector(angular, -time), &all),
            TurnLaw::Nlerp([x, y, z, w]) => {
                let lost = Span::of(1.0, -time).minus(&Span::of(w, -time));
                TurnedPace::nlerp(vector([x, y, z], -time), lost, &all)
            }
        };
        let longest = |most: Span, arm: &Span3| most.larger(length_above(arm));
        Self {
            reach: all.iter().fold(Span::zero(), longest),
            drift: drifts.iter().fold(Span::zero(), longest),
            pace,
            center,
            linear: vector(body.linear, length - time),
            arms,
            drifts,
        }
    }

    /// From the centre, along the axes of the start, at a time.
    fn arms_at(&self, time: &Span) -> Vec<Span3> {
        let mut arms = self.arms.clone();
        for (arm, drift) in arms.iter_mut().zip(&self.drifts) {
            *arm = plus(arm, &scale(drift, time));
        }
        arms
    }

    /// The vertices in the world.
    fn vertices_at(&self, time: &Span) -> Option<Vec<Span3>> {
        let (turn, center) = (self.turn(time)?, self.center_at(time));
        let arms = self.arms_at(time);
        let place = |arm: &Span3| plus(&center, &turn.apply(arm));
        Some(arms.iter().map(place).collect())
    }

    fn turn(&self, time: &Span) -> Option<Rotation> {
        self.pace.turn(time)
    }

    fn center_at(&self, time: &Span) -> Span3 {
        plus(&self.center, &scale(&self.linear, time))
    }
}

/// Two bodies that move and turn.
pub(super) struct TurnedScene {
    pub(super) dim: usize,
    a: TurnedBody,
    b: TurnedBody,
    pub(super) radius: Span,
    /// Powers of two that lengths and times are multiplied with.
    scales: [i32; 2],
}

impl TurnedScene {
    /// `None` where numbers are not finite or span too much.
    fn of(dim: usize, [a, b]: [Turned; 2], distance: f64, end: f64) -> Option<Self> {
        let lengths = || a.lengths().chain(b.lengths()).chain([distance]);
        let ends = || a.ends.iter().chain(&b.ends).flatten();
        let velocities = || a.linear.iter().chain(&b.linear).chain(ends()).copied();
        let rates = || a.rates().into_iter().chain(b.rates());
        let all = || lengths().chain(velocities()).chain(rates()).chain([end]);
        if !all().all(f64::is_finite) {
            return None;
        }
        let top = |x: f64| {
            if x == 0.0 {
                None
            } else {
                Some(exponent_of(x.abs()))
            }
        };
        let largest = lengths().filter_map(top).max().unwrap_or(0);
        let (length, time) = (-largest, -top(end).unwrap_or(0));
        let fits =
            |x: f64, exponent: i32| top(x).is_none_or(|own| own + exponent < LARGEST_EXPONENT);
        let ways = velocities().all(|x| fits(x, length - time));
        let turns = rates().all(|x| fits(x, -time));
        let radii = [a.radius, b.radius, distance].map(|x| Span::of(x, length));
        let [x, y, z] = &radii;
        (ways && turns).then(|| Self {
            dim,
            a: TurnedBody::of(&a, [length, time], end),
            b: TurnedBody::of(&b, [length, time], end),
            radius: x.plus(y).plus(z),
            scales: [length, time],
        })
    }

    pub(super) fn time(&self, time: f64) -> Span {
        Span::of(time, self.scales[1])
    }

    /// Where the pieces end, which are all free.
    fn pieces(&self, from: f64, pieces: &[ChainPiece]) -> Result<f64, VerifyError> {
        let mut start = from;
        for piece in pieces {
            // Of a motion without length a piece has none.
            if !piece.to.is_finite() || !(piece.to >= start) {
                return Err(wrong("has pieces that are not in order"));
            }
            if piece.direction.iter().any(|x| !x.is_finite()) {
                return Err(wrong("has a direction that is not finite"));
            }
            if self.dim == 2 && piece.direction[2] != 0.0 {
                return Err(wrong("has a direction that leaves the plane"));
            }
            self.piece(start, piece)?;
            start = piece.to;
        }
        Ok(start)
    }

    fn piece(&self, from: f64, piece: &ChainPiece) -> Result<(), VerifyError> {
        let direction = piece.direction.map(|x| Span::of(x, 0));
        let times = [self.time(from), self.time(piece.to)];
        // At least the length of the direction at all times.
        let size = match piece.carrier {
            Carrier::Edges(ids) => {
                let [a, b] = self.edges(ids)?;
                length_above(&a).times(&length_above(&b))
            }
            _ => length_above(&direction),
        };
        let bound = self.second_derivative(piece.carrier, (&direction, &size), &times);
        let bound = bound.ok_or_else(|| wrong("has more turns than can be checked"))?;
        let length = times[1].minus(&times[0]);
        let eighth = Span::of(0.125, 0);
        let sag = bound.times(&length).times(&length).times(&eighth);
        let needed = self.radius.times(&size).plus(&sag);
        for time in &times {
            let gap = self.gap(piece.carrier, &direction, time)?;
            if !gap.exceeds(&needed) {
                return Err(wrong("has a piece that its direction does not prove free"));
            }
        }
        Ok(())
    }

    /// The bound `M` of docs/toi.md.
    fn second_derivative(
        &self,
        carrier: Carrier,
        (direction, size): (&Span3, &Span),
        times: &[Span; 2],
    ) -> Option<Span> {
        let (a, b) = (&self.a, &self.b);
        Some(match carrier {
            Carrier::World => {
                let of = |body: &TurnedBody| body.pace.along(direction, &body.drift, times);
                of(a)?.plus(&of(b)?)
            }
            Carrier::A => size.times(&seen(a, b, times)?),
            Carrier::B => size.times(&seen(b, a, times)?),
            Carrier::Edges(_) => size.times(&both(a, b, times)?),
        })
    }

    /// The edges between vertices at the start. Those of bodies whose vertices move by themselves change.
    fn edges(&self, ids: [[u32; 2]; 2]) -> Result<[Span3; 2], VerifyError> {
        let edge = |body: &TurnedBody, ids: [u32; 2]| {
            let ends = ids.map(|id| body.arms.get(id as usize));
            match ends {
                [Some(from), Some(to)] if body.drifts.is_empty() => Ok(minus(to, from)),
                _ => Err(wrong("has an edge that is none")),
            }
        };
        Ok([edge(&self.a, ids[0])?, edge(&self.b, ids[1])?])
    }

    /// The least height of B's vertices over A's along the direction at a time.
    pub(super) fn gap(
        &self,
        carrier: Carrier,
        direction: &Span3,
        time: &Span,
    ) -> Result<Span, VerifyError> {
        let far = || wrong("has more turns than can be checked");
        let of_a = self.a.turn(time).ok_or_else(far)?;
        let of_b = self.b.turn(time).ok_or_else(far)?;
        let world = match carrier {
            Carrier::World => direction.clone(),
            Carrier::A => of_a.apply(direction),
            Carrier::B => of_b.apply(direction),
            Carrier::Edges(ids) => {
                let [edge_a, edge_b] = self.edges(ids)?;
                cross(&of_a.apply(&edge_a), &of_b.apply(&edge_b))
            }
        };
        let least = |body: &TurnedBody, turn: &Rotation, direction: &Span3| {
            let local = turn.back().apply(direction);
            let arms = body.arms_at(time);
            let heights = arms.iter().map(|arm| dot(&local, arm));
            heights.reduce(Span::least)
        };
        let against = world.each_ref().map(Span::negated);
        let highest = least(&self.a, &of_a, &against);
        let lowest = least(&self.b, &of_b, &world);
        let (Some(highest), Some(lowest)) = (highest, lowest) else {
            return Err(VerifyError::NotPolytopes);
        };
        let centers = minus(&self.b.center_at(time), &self.a.center_at(time));
        // The highest of A is minus the lowest against the direction.
        Ok(dot(&world, &centers).plus(&lowest).plus(&highest))
    }

    /// The vertices of both at a time.
    pub(super) fn vertices(&self, time: f64) -> Result<TurnedVertices, VerifyError> {
        let time = self.time(time);
        let far = || wrong("has more turns than can be checked");
        Ok(TurnedVertices {
            a: self.a.vertices_at(&time).ok_or_else(far)?,
            b: self.b.vertices_at(&time).ok_or_else(far)?,
        })
    }

    /// At least how far a difference of vertices moves on a piece of time.
    pub(super) fn moved(&self, times: [f64; 2]) -> Option<Span> {
        let times = times.map(|time| self.time(time));
        let own = |body: &TurnedBody| Some(body.pace.whirl(&times)?.plus(&body.drift));
        let way = length_above(&minus(&self.b.linear, &self.a.linear));
        let speed = way.plus(&own(&self.a)?).plus(&own(&self.b)?);
        Some(speed.times(&times[1].minus(&times[0])))
    }
}

/// The vertices of two bodies at a time.
pub(super) struct TurnedVertices {
    a: Vec<Span3>,
    b: Vec<Span3>,
}

impl TurnedVertices {
    /// A vertex of A less one of B.
    pub(super) fn difference(&self, pair: [u32; 2]) -> Result<Span3, VerifyError> {
        let ends = [self.a.get(pair[0] as usize), self.b.get(pair[1] as usize)];
        let [Some(a), Some(b)] = ends else {
            let counts = [&self.a, &self.b].map(|vertices| vertices.len() as u32);
            return Err(VerifyError::PairRange { pair, counts });
        };
        Ok(minus(a, b))
    }
}

/// The most that the height of a difference of points is accelerated by along the product of an edge of each, over the product of the edges' lengths.
fn both(a: &TurnedBody, b: &TurnedBody, times: &[Span; 2]) -> Option<Span> {
    let apart = |time: &Span| length_above(&minus(&b.center_at(time), &a.center_at(time)));
    let distance = apart(&times[0]).larger(apart(&times[1]));
    let (w, o) = (a.pace.rate(times)?, b.pace.rate(times)?);
    let (of_a, of_b) = (a.pace.acceleration(times)?, b.pace.acceleration(times)?);
    // The product's own acceleration, and its rate.
    let coupled = w.times(&o);
    let turns = of_a.plus(&of_b).plus(&coupled).plus(&coupled);
    let reach = distance.plus(&a.reach).plus(&b.reach);
    let way = length_above(&minus(&b.linear, &a.linear));
    let speed = way.plus(&w.times(&a.reach)).plus(&o.times(&b.reach));
    let middle = w.plus(&o).times(&speed.plus(&a.drift).plus(&b.drift));
    let slide = w.times(&a.drift).plus(&o.times(&b.drift));
    let points = of_a.times(&a.reach).plus(&of_b.times(&b.reach));
    let first = turns.times(&reach).plus(&middle).plus(&middle);
    Some(first.plus(&points).plus(&slide).plus(&slide))
}

/// The most that a point of a body is accelerated by, as seen from the other.
fn seen(own: &TurnedBody, other: &TurnedBody, times: &[Span; 2]) -> Option<Span> {
    let apart = |time: &Span| length_above(&minus(&other.center_at(time), &own.center_at(time)));
    let distance = apart(&times[0]).larger(apart(&times[1]));
    let speed = length_above(&minus(&other.linear, &own.linear));
    let (w, o, r) = (own.pace.rate(times)?, other.pace.rate(times)?, &other.reach);
    let first = own.pace.acceleration(times)?.times(&distance.plus(r));
    let middle = w.times(&speed.plus(&o.times(r)).plus(&other.drift));
    let coriolis = o.times(&other.drift);
    let last = other.pace.acceleration(times)?.times(r);
    let last = last.plus(&coriolis).plus(&coriolis);
    Some(first.plus(&middle).plus(&middle).plus(&last))
}
