//! Why a contact lasts: pieces of time, one after the other, each proved by where the bodies are at its begin.
//!
//! Where it sits: under `toi.rs`, which states them; beside `impact.rs`, which finds how long a contact lasts.
//! Idea: a polytope of vertex pairs is around the origin, and none of its planes is nearer to it than a clearance. So a ball of this radius is in the hull of the pairs. Points that
//! have moved by less than it still have the origin in their hull, and the radii are as much room again. Nothing moves faster than a bound.
//! Numbers: a clearance counts what the checker may find less, because the places here are rounded.

use super::answer::{Apart, HeldPiece};
use super::soft::TIME_ROUNDINGS;
use super::turning::{SeenPlane, Turning};
use crate::answer::{Certificate, Combination};
use crate::math::{Scalar, Triple, Vector, length, plus};
use alloc::vec::Vec;

/// A plane that the rounding of its corners may tilt by more than this is not known.
const TILT_MAX: f64 = 0.25;

impl<V: Vector> Turning<'_, V> {
    /// Pieces of contact from the start to a time; fewer where rounding leaves no clearance.
    pub(super) fn held(&self, until: f64, pieces_max: u32) -> Vec<HeldPiece> {
        let (mut pieces, mut from) = (Vec::new(), 0.0);
        let speed = self.speed();
        while from < until && (pieces.len() as u64) < u64::from(pieces_max) {
            let Some(why) = self.why_at(from) else { break };
            let Some(clearance) = self.clearance(&why, from) else {
                break;
            };
            let stays = clearance / speed * (1.0 - TIME_ROUNDINGS * f64::ROUNDING);
            let to = from + stays - TIME_ROUNDINGS * f64::ROUNDING * (from + stays);
            let to = Scalar::min(to, until);
            if !(to > from) {
                break;
            }
            pieces.push(HeldPiece { to, why });
            from = to;
        }
        pieces
    }

    /// The plane that separates the bodies at a time, if floats prove that it does.
    pub(super) fn apart(&self, time: f64) -> Option<Apart> {
        let direction = self.contact_at(time).normal.normalized()?.to_f64();
        let gap = self.heights(direction, &self.turns(time), time).gap(0.0);
        (gap > 0.0).then_some(Apart { direction, time })
    }

    /// How far every vertex pair may move while the bodies surely stay in contact.
    fn clearance(&self, why: &Certificate, time: f64) -> Option<f64> {
        let error = self.place_error(time);
        let radii = self.a.posed.radius() + self.b.posed.radius();
        match why {
            Certificate::Overlapping { facets, .. } if !facets.is_empty() => {
                let planes = self.planes_at(facets, time);
                let clear = planes.iter().map(|plane| left_of(plane, error));
                let least = clear.reduce(|x, y| Some(Scalar::min(x?, y?)))??;
                (least > 0.0).then_some(least + radii * (1.0 - f64::EPSILON))
            }
            Certificate::Near { nearest, .. } => {
                let room = radii - self.length_of(nearest, time)? - 2.0 * error;
                (room > 0.0).then_some(room)
            }
            _ => None,
        }
    }

    /// The length of a combination of differences at a time.
    fn length_of(&self, point: &Combination, time: f64) -> Option<f64> {
        let weights = point.weights.shares()?;
        let places = self.differences_at(&point.pairs, time);
        let sum = |sum: Triple, (place, weight): (&Triple, &f64)| plus(sum, *place, *weight);
        Some(length(places.iter().zip(&weights).fold([0.0; 3], sum)))
    }
}

/// How far a plane is from the origin at least, when its corners are moved by an error: its foot moves by that times the weights' magnitudes, and the plane tilts about it.
fn left_of(plane: &SeenPlane, error: f64) -> Option<f64> {
    let tilt = 4.0 * error / plane.altitude;
    // Also where the tilt is no number.
    if !(tilt < TILT_MAX) {
        return None;
    }
    // A cosine is at least one less half the square of its angle.
    Some(plane.height * (1.0 - tilt * tilt) - error * plane.lever)
}
