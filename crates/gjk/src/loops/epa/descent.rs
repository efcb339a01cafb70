//! From a direction of a low height to one of a least height, by Newton's steps on the sphere.
//!
//! Where it sits: the loop in [`super`] calls [`descend`] with the best direction that it knows, and [`super::caps`] proves what is
//! found. Nothing here is a proof. `loops/pieces/` has what is followed, and the step.
//! Idea: about a direction each body is a piece, whose height has a gradient and second derivatives. Where steps change one
//! body's piece, the least height may be where both are highest, as on a cylinder's side or on an edge: then both are kept, their
//! shares are an unknown more, and their equality is an equation more.

use crate::loops::pieces::followed::{FollowedPieces, PieceMix, pieces};
use crate::loops::pieces::local_height::{Base, CAP_ROOT_MIN};
use crate::loops::pieces::step::step;
use crate::math::{Scalar, Vector64};
use crate::support::{MinkowskiDifference, NO_ID, Support, SupportPair};

/// Steps towards a least height.
const DESCENT_STEPS: usize = 12;
/// A step of this length ends the descent: the next one would be within rounding.
const DESCENT_NEAR: f64 = 1e-7;

/// A direction about which the height is stationary, or nearly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stationary<V> {
    pub(super) base: Base<V>,
    /// Of A, and of B mirrored.
    pub(super) places: [PieceMix<V>; 2],
    /// The pieces that the places are of.
    bodies: [FollowedPieces<V>; 2],
}

impl<V: Vector64> Stationary<V> {
    /// A point of the difference.
    pub(super) fn point(&self) -> V {
        self.places[0].point() + self.places[1].point()
    }

    /// Its height.
    pub(super) fn height(&self) -> f64 {
        self.point().dot(self.base.normal())
    }

    pub(super) fn gradient(&self) -> [f64; 2] {
        let point = self.point();
        self.base.across.map(|x| x.dot(point))
    }

    /// It on A and on B.
    pub(super) fn points(&self) -> [V; 2] {
        [self.places[0].point(), -self.places[1].point()]
    }

    /// The size of what enters a cap's form: the point, the pieces' axes, and the way between two pieces.
    pub(super) fn size(&self) -> f64 {
        let axes = |body: &FollowedPieces<V>| {
            let axes = body.first.axes.iter().chain(body.other_axes());
            axes.fold(0.0, |sum, axis| sum + axis.max_abs())
        };
        let ways = self
            .places
            .iter()
            .filter_map(|place| place.second.as_ref())
            .fold(0.0, |sum, second| sum + second.way.max_abs());
        self.point().norm() + axes(&self.bodies[0]) + axes(&self.bodies[1]) + ways
    }

    /// What unequal heights of two pieces take off a cap's bound.
    pub(super) fn level_gap(&self) -> f64 {
        self.places
            .iter()
            .filter_map(|place| place.second.as_ref())
            .fold(0.0, |sum, second| sum + Scalar::abs(second.rise))
    }

    /// The points of the difference at the ends of what is level, for a polytope: one, or two.
    pub(super) fn pairs(&self) -> [Option<SupportPair<V>>; 2] {
        let pair = |second: bool| {
            let [(a, id_a), (b, id_b)] =
                [0, 1].map(|k| match (&self.places[k].second, &self.bodies[k].second) {
                    (Some(other), Some(piece)) if second => (other.local.point, piece.vertex),
                    _ => (self.places[k].first.point, self.bodies[k].first.vertex),
                });
            SupportPair {
                a,
                b: -b,
                w: a + b,
                ids: [id_a, id_b],
            }
        };
        let two = self.places.iter().any(|place| place.second.is_some());
        [Some(pair(false)), two.then(|| pair(true))]
    }
}

/// A stationary height not far from a direction; `None` where no step leads to one, as where the least height is that of a facet.
pub(super) fn descend<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    from: V,
) -> Option<Stationary<V>> {
    let mut base = Base::about(from)?;
    let mut bodies = pieces(difference, base.normal(), [NO_ID; 2])?.map(FollowedPieces::one);
    for _ in 0..DESCENT_STEPS {
        let places = FollowedPieces::places(&bodies, &base, CAP_ROOT_MIN)?;
        let stepped = step(&base, &places)?;
        for (body, share) in bodies.iter_mut().zip(stepped.shares) {
            body.share += share;
        }
        base = Base::about(base.moved(stepped.way))?;
        let near = stepped.length < DESCENT_NEAR && stepped.sure;
        if near && bodies.iter().all(FollowedPieces::has_shares) {
            return Some(Stationary {
                base,
                places: FollowedPieces::places(&bodies, &base, CAP_ROOT_MIN)?,
                bodies,
            });
        }
        let hints = [bodies[0].first.vertex, bodies[1].first.vertex];
        let tops = pieces(difference, base.normal(), hints)?;
        bodies.iter_mut().for_each(FollowedPieces::settle);
        let changed = [0, 1].map(|k| !bodies[k].holds(&tops[k]));
        for k in [0, 1] {
            // A place where both bodies are the hull of two pieces has no cap.
            let alone = bodies[1 - k].second.is_none() && !changed[1 - k];
            bodies[k].meet(tops[k], alone);
        }
    }
    None
}
