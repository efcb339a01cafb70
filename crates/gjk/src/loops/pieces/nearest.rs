//! The nearest points of two smooth bodies that are apart, by Newton's steps to the direction of the least height.
//!
//! Where it sits: `narrow/smooth.rs` asks where GJK's bounds are not as narrow as wanted.
//! Idea: of bodies that are apart the height over all directions is convex, and the least is the distance, negated. A step that ends
//! higher has met a piece that is to be followed, or is too long. Each direction gives a lower bound of the distance, and the points that
//! are followed an upper one, so the search ends when the two meet: how it came there matters to nothing.

use super::followed::{FollowedPieces, pieces};
use super::local_height::Base;
use super::step::step;
use crate::math::Vector64;
use crate::support::{MinkowskiDifference, NO_ID, Piece, Support};

/// Steps towards the nearest points.
const NEAREST_STEPS: usize = 24;
/// A step that ends higher is taken for this part of it.
const SHORTER_STEP: f64 = 0.25;
/// So near to a disc's axis, as a part of its axes, the gradient is noise.
const NEAREST_ROOT_MIN: f64 = 1e-9;

/// A direction, two points of the bodies, and the bounds of the distance that they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest<V> {
    /// From A to B.
    pub(crate) normal: V,
    /// On A and on B.
    pub(crate) points: [V; 2],
    /// Along the direction the bodies are so far apart; negative where they are not.
    pub(crate) lower: f64,
    /// The points are so far apart.
    pub(crate) upper: f64,
}

impl<V: Vector64> Nearest<V> {
    pub(crate) fn width(&self) -> f64 {
        self.upper - self.lower
    }
}

/// The pieces that are followed, about a direction.
struct NearestSearch<V> {
    base: Base<V>,
    bodies: [FollowedPieces<V>; 2],
    /// What is highest along the direction.
    tops: [Piece<V>; 2],
    /// The part of the next step that is taken.
    part: f64,
    /// How far the bodies reach along the direction.
    height: f64,
}

/// The nearest points, as near as a search from a direction comes to them; it ends where the bounds are this narrow.
pub(crate) fn nearest<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    from: V,
    wanted: f64,
) -> Option<Nearest<V>> {
    let base = Base::about(from)?;
    let tops = pieces(difference, base.normal(), [NO_ID; 2])?;
    let mut search = NearestSearch {
        height: reach(&tops, &base)?,
        base,
        bodies: tops.map(FollowedPieces::one),
        tops,
        part: 1.0,
    };
    let mut best: Option<Nearest<V>> = None;
    for _ in 0..NEAREST_STEPS {
        let Some(moved) = search.advance(difference, wanted) else {
            break;
        };
        if !moved {
            continue;
        }
        let Some(points) = search.points() else {
            break;
        };
        let found = Nearest {
            normal: search.base.normal(),
            points,
            lower: -search.height,
            upper: (points[0] - points[1]).norm(),
        };
        if best.is_none_or(|best| found.width() < best.width()) {
            best = Some(found);
        }
        if found.width() <= wanted {
            break;
        }
        search.bodies.iter_mut().for_each(FollowedPieces::settle);
        search.meet();
    }
    // The bodies' own farthest points state the bound, not their pieces.
    best.map(|best| Nearest {
        lower: -difference.support_pair(best.normal).w.dot(best.normal),
        ..best
    })
}

/// How far pieces reach along a direction, B's mirrored.
fn reach<V: Vector64>(tops: &[Piece<V>; 2], base: &Base<V>) -> Option<f64> {
    let places = FollowedPieces::places(&tops.map(FollowedPieces::one), base, NEAREST_ROOT_MIN)?;
    Some((places[0].point() + places[1].point()).dot(base.normal()))
}

impl<V: Vector64> NearestSearch<V> {
    /// A step; `false` where it would end higher, and what it met there is followed, or a shorter one is taken next. `None` where no
    /// step is known.
    fn advance<A: Support<V>, B: Support<V>>(
        &mut self,
        difference: &MinkowskiDifference<A, B>,
        room: f64,
    ) -> Option<bool> {
        let places = FollowedPieces::places(&self.bodies, &self.base, NEAREST_ROOT_MIN)?;
        let stepped = step(&self.base, &places)?;
        let moved = Base::about(self.base.moved(stepped.way.map(|x| x * self.part)))?;
        let hints = [self.bodies[0].first.vertex, self.bodies[1].first.vertex];
        let tops = pieces(difference, moved.normal(), hints)?;
        let height = reach(&tops, &moved)?;
        let known = (0..2).all(|k| self.bodies[k].holds(&tops[k]));
        if height > self.height + room {
            if self.part < 1.0 || known {
                self.shorten(stepped.shares);
            } else {
                self.tops = tops;
                self.meet();
            }
            return Some(false);
        }
        for (body, share) in self.bodies.iter_mut().zip(stepped.shares) {
            body.share += share * self.part;
        }
        (self.base, self.tops, self.height, self.part) = (moved, tops, height, 1.0);
        Some(true)
    }

    /// The points of the pieces that are followed.
    fn points(&self) -> Option<[V; 2]> {
        let bodies = [self.bodies[0].clamped(), self.bodies[1].clamped()];
        let places = FollowedPieces::places(&bodies, &self.base, NEAREST_ROOT_MIN)?;
        Some([places[0].point(), -places[1].point()])
    }

    /// Follows what is highest.
    fn meet(&mut self) {
        for (body, top) in self.bodies.iter_mut().zip(self.tops) {
            body.meet(top, true);
        }
    }

    /// Takes a shorter step next, without pieces that would have no share.
    fn shorten(&mut self, shares: [f64; 2]) {
        for (body, share) in self.bodies.iter_mut().zip(shares) {
            let before = body.share;
            body.share += share;
            body.settle();
            body.share = before.clamp(0.0, 1.0);
        }
        self.part *= SHORTER_STEP;
    }
}
