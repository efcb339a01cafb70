//! A body at its pose and a ray, and what they are at the start.
//!
//! Where it sits: `solve.rs` asks it first.

use super::ray::Ray;
use super::rounded::RoundedLine;
use super::sharp::{Sharp, Side};
use super::soft::Soft;
use super::track::{Mover, Track};
use crate::answer::{Certificate, Contact, Verdict};
use crate::math::{Interval, Pose, Ring, Scalar, Vector};
use crate::narrow::ladder;
use crate::pair::Pair;
use crate::request::{Request, Wanted, width};
use crate::support::{Posed, Support, Vertices};
use core::cmp::Ordering;

/// A body at its pose, and a ray.
pub(super) struct Shot<'p, V: Vector, S: ?Sized> {
    pub(super) body: &'p S,
    pub(super) pose: &'p Pose<V>,
    pub(super) posed: &'p Posed<'p, V, S>,
    pub(super) ray: &'p Ray<V>,
    pub(super) track: Track<V::Wide>,
}

impl<V: Vector, S: Support<V> + ?Sized> Shot<'_, V, S> {
    /// Whether the body in the world is made of floats.
    pub(super) fn is_finite(&self) -> bool {
        let sizes = self.posed.sizes();
        let radius = self.posed.radius() + self.track.radius;
        let place = self.track.origin.sum_abs();
        if (sizes[0] + sizes[1] + radius + place).is_finite() {
            return true;
        }
        let Some(count) = self.posed.vertex_count() else {
            return false;
        };
        let finite = |id| self.posed.vertex(id).is_some_and(|x| x.is_finite());
        radius == 0.0 && (0..count).all(finite)
    }

    /// The contact at the start, and why it is so.
    pub(super) fn start(&self, proof: bool) -> (Contact<V>, Option<Certificate>) {
        let here = Pose::identity();
        let mover = Mover {
            at: self.ray.origin(),
            radius: self.track.radius,
        };
        let pair = Pair::new(self.body, self.pose, &mover, &here);
        let request = Request {
            wanted: Wanted::Contact,
            width: width::<V::Scalar>(true),
            cutoff: None,
            tolerance_relative: None,
            iterations_max: 1000,
            certificate: proof,
            facets: proof,
            float_only: false,
        };
        let mut certificate = None;
        let found = if proof {
            ladder::loops(&pair, &request, None, None, &mut (), &mut certificate)
        } else {
            ladder::contact(&pair, &request, None, |found| found)
        };
        (self.decided(found), certificate)
    }

    /// The contact at the start, decided by signs where numbers span more than the loops can hold.
    pub(super) fn decided(&self, found: Contact<V>) -> Contact<V> {
        if found.verdict != Verdict::Undecided {
            return found;
        }
        let Some(verdict) = self.start_by_signs() else {
            return found;
        };
        let zero = V::Scalar::ZERO;
        let lower = match verdict {
            Verdict::Overlapping => -V::Scalar::INFINITY,
            _ => zero,
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
        Track {
            direction: V::Wide::axis(0),
            ..self.track
        }
    }

    /// The relation of a polytope, rounded or not, and the ray at its start.
    pub(super) fn start_by_signs(&self) -> Option<Verdict> {
        let vertices = Vertices::of(self.posed, self.posed.vertex_count())?;
        let track = self.through_start();
        if self.posed.radius() + self.track.radius > 0.0 {
            let rounded = RoundedLine::of(&vertices, &track, self.posed.radius())?;
            return Some(match rounded.order_at(0.0)? {
                Ordering::Less => Verdict::Overlapping,
                Ordering::Equal => Verdict::Touching,
                Ordering::Greater => Verdict::Separated,
            });
        }
        let sharp = Sharp::of(&vertices, &track)?;
        let ends = sharp.sign(Side::Enter).zip(sharp.sign(Side::Exit));
        Some(match ends {
            None | Some((Ordering::Greater, _) | (_, Ordering::Less)) => Verdict::Separated,
            Some((Ordering::Less, Ordering::Greater)) if !sharp.grazes() => Verdict::Overlapping,
            _ => Verdict::Touching,
        })
    }

    /// Whether the motion makes the signed distance fall at once.
    pub(super) fn deepens(&self, start: &Contact<V>) -> bool {
        let soft = Soft {
            posed: self.posed,
            track: self.track,
        };
        soft.falls_below(start.signed_distance.lower.to_f64())
    }
}
