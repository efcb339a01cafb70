//! Two bodies at their poses in relative motion, and what they are at the start.
//!
//! Where it sits: `solve.rs` asks it first.

use super::cores::Cores;
use super::ends::{LineEnds, Side};
use super::rounded::RoundedLine;
use super::sharp::Sharp;
use super::soft::Soft;
use super::track::Track;
use super::watch::Watch;
use crate::answer::{Certificate, Contact, Verdict};
use crate::math::{Interval, Ring, Scalar, Vector};
use crate::narrow::ladder;
use crate::pair::Pair;
use crate::request::{Request, contact_request};
use crate::support::AnyBody;
use crate::support::{Posed, Support};
use core::cmp::Ordering;
use gjk_exact::number::two_sum;

/// Two of them at their poses.
pub(super) type BodyPair<'p, V> = Pair<'p, V, AnyBody<'p, V>, AnyBody<'p, V>>;

/// One of them in the world.
pub(super) type PosedBody<'p, V> = Posed<'p, V, AnyBody<'p, V>>;

/// The part of itself that a distance at a tried time may be unsure by: then its direction is as good. It chooses, and proves nothing.
const TRIAL_WIDTH: f64 = 1.0;

/// What a search asks at a time that it tries: as near as floats tell.
pub(super) fn trial_request() -> Request {
    Request {
        width: TRIAL_WIDTH,
        float_only: true,
        ..contact_request::<f64>(false)
    }
}

/// Two bodies at their poses, and how they move.
pub(super) struct Shot<'p, V: Vector> {
    pub(super) pair: BodyPair<'p, V>,
    pub(super) a: &'p PosedBody<'p, V>,
    pub(super) b: &'p PosedBody<'p, V>,
    pub(super) track: Track<V::Wide>,
    /// Of A, of B and the distance up to which there is contact, which is in the radius of the body `b` too.
    pub(super) radii: [f64; 3],
    pub(super) watch: Watch<'p>,
}

impl<V: Vector> Shot<'_, V> {
    /// The vertices of both bodies, if both are hulls of some.
    pub(super) fn cores(&self) -> Option<Cores<'_, V::Wide>> {
        Cores::of(self.a, self.b)
    }

    /// Whether anything is to be swept over the cores.
    pub(super) fn is_sharp(&self) -> bool {
        self.radii == [0.0; 3]
    }

    /// Whether the bodies in the world and their motion are made of floats.
    pub(super) fn is_finite(&self) -> bool {
        let moves = self.track.velocities.iter().all(|v| v.is_finite());
        let [a, b, distance] = self.radii;
        let radius = a + b + distance;
        let (of_a, of_b) = (self.a.sizes(), self.b.sizes());
        let size = of_a[0] + of_a[1] + of_b[0] + of_b[1] + radius;
        if size.is_finite() && self.track.direction.is_finite() {
            return moves;
        }
        // Signs do without sums.
        let (Some(m), Some(n)) = (self.a.vertex_count(), self.b.vertex_count()) else {
            return false;
        };
        let finite = |vertex: Option<V::Wide>| vertex.is_some_and(|x| x.is_finite());
        let a_is_finite = (0..m).all(|id| finite(self.a.vertex(id)));
        let b_is_finite = (0..n).all(|id| finite(self.b.vertex(id)));
        moves && radius == 0.0 && a_is_finite && b_is_finite
    }

    /// Whether the radius of the body `b` is the sum that is meant.
    pub(super) fn is_radius_exact(&self) -> bool {
        let [_, b, distance] = self.radii;
        two_sum(b, distance).1 == 0.0
    }

    /// Whether floats tell at once that the bodies are apart at the start.
    pub(super) fn starts_apart(&self) -> bool {
        let trial = || ladder::contact(&self.pair, &trial_request(), None, |found| found.verdict);
        self.is_radius_exact() && trial() == Verdict::Separated
    }

    /// The contact at the start, and why it is so.
    pub(super) fn start(&self, proof: bool) -> (Contact<V>, Option<Certificate>) {
        let request = contact_request::<V::Scalar>(proof);
        let mut certificate = None;
        let found = if proof {
            ladder::loops(&self.pair, &request, None, None, &mut (), &mut certificate)
        } else {
            ladder::contact(&self.pair, &request, None, |found| found)
        };
        let stated = certificate.filter(|_| self.is_radius_exact());
        (self.decided(found), stated)
    }

    /// The contact at the start, decided by signs where numbers span more than the loops can hold, or a radius is rounded.
    fn decided(&self, found: Contact<V>) -> Contact<V> {
        let open = found.verdict == Verdict::Undecided;
        if !open && self.is_radius_exact() {
            return found;
        }
        let Some(verdict) = self.start_by_signs().filter(|&v| v != found.verdict) else {
            return found;
        };
        let zero = V::Scalar::ZERO;
        let lower = match verdict {
            Verdict::Overlapping if open => -V::Scalar::INFINITY,
            _ if open => zero,
            _ => Scalar::min(found.signed_distance.lower, zero),
        };
        Contact {
            verdict,
            exact: true,
            signed_distance: Interval { lower, upper: zero },
            ..found
        }
    }

    /// A line through the start: any will do, to say where the start is on it.
    pub(super) fn through_start(&self) -> Track<V::Wide> {
        let axis = V::Wide::axis(0);
        Track {
            velocities: [V::Wide::ZERO, axis],
            direction: axis,
            ..self.track
        }
    }

    /// The relation of polytopes, rounded or not, at the start.
    pub(super) fn start_by_signs(&self) -> Option<Verdict> {
        let cores = self.cores()?;
        let track = self.through_start();
        if !self.is_sharp() {
            let rounded = RoundedLine::of(&cores, &track, self.radii)?;
            return Some(match rounded.order_at(0.0)? {
                Ordering::Less => Verdict::Overlapping,
                Ordering::Equal => Verdict::Touching,
                Ordering::Greater => Verdict::Separated,
            });
        }
        let sharp = Sharp::of(&cores, &track)?;
        let ends = sharp.sign(Side::Enter).zip(sharp.sign(Side::Exit));
        Some(match ends {
            None | Some((Ordering::Greater, _) | (_, Ordering::Less)) => Verdict::Separated,
            Some((Ordering::Less, Ordering::Greater)) if !sharp.grazes() => Verdict::Overlapping,
            _ => Verdict::Touching,
        })
    }

    /// What is known at the start, before the policies: its verdict alone.
    pub(super) fn verdict_at_start(&self, soft: &Soft<'_, V>) -> Verdict {
        if self.starts_apart() {
            return Verdict::Separated;
        }
        let found = soft.contact_at(0.0).verdict;
        if found != Verdict::Undecided && self.is_radius_exact() {
            return found;
        }
        self.start_by_signs().unwrap_or(found)
    }

    /// The same with another motion, for bodies that planes and contacts decide.
    pub(super) fn soft(&self, track: Track<V::Wide>) -> Soft<'_, V> {
        Soft {
            pair: self.pair,
            a: self.a,
            b: self.b,
            track,
            watch: self.watch,
        }
    }

    /// Whether the motion makes the signed distance fall at once.
    pub(super) fn deepens(&self, start: &Contact<V>) -> bool {
        let soft = self.soft(self.track);
        soft.falls_below(start.signed_distance.lower.to_f64())
    }

    /// The points that meet at a time, on A and on B, where B is one point, perhaps with a ball about it.
    fn points_of_one(&self, time: f64, normal: V::Wide) -> Option<[V::Wide; 2]> {
        let center = self.b.vertex_count().filter(|&n| n == 1);
        let center = center.and_then(|_| self.b.vertex(0))?;
        let [_, radius, distance] = self.radii;
        let place = center + self.track.velocities[1] * time;
        Some([
            place - normal * (radius + distance),
            place - normal * radius,
        ])
    }

    /// The points that meet at a time, on A and on B.
    pub(super) fn points_at(&self, time: f64, normal: Option<V::Wide>) -> Option<[V::Wide; 2]> {
        if !time.is_finite() {
            return None;
        }
        let normal = normal.unwrap_or(V::Wide::ZERO);
        let found = self.points_of_one(time, normal).unwrap_or_else(|| {
            // There A rests.
            let contact = self.soft(self.track).contact_at(time);
            let moved = self.track.velocities[0] * time;
            let [_, _, distance] = self.radii;
            [
                contact.point_a + moved,
                contact.point_b + normal * distance + moved,
            ]
        });
        found.iter().all(|x| x.is_finite()).then_some(found)
    }
}
