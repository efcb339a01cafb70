//! The pieces of the bodies that a search for a least height follows: of each body one, or two that are level.

use super::local_height::{Base, LocalHeight, Quadratic};
use crate::math::Vector64;
use crate::support::{MinkowskiDifference, Piece, Support};

/// One body about a direction: a piece, or the hull of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceMix<V> {
    pub(crate) first: LocalHeight<V>,
    pub(crate) second: Option<SecondPiece<V>>,
}

/// The second of two pieces. What it differs by is of the two points' difference: the heights of points far from the world's
/// origin have few digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecondPiece<V> {
    pub(crate) local: LocalHeight<V>,
    /// Its share, from 0 to 1.
    pub(crate) share: f64,
    /// From the first one's point to its own.
    pub(crate) way: V,
    /// The difference of the gradients of the second and the first.
    pub(crate) kink: [f64; 2],
    /// How much higher it is.
    pub(crate) rise: f64,
    /// Whether it has the axes of the first.
    pub(crate) alike: bool,
}

impl<V: Vector64> PieceMix<V> {
    pub(crate) fn point(&self) -> V {
        match &self.second {
            Some(second) => self.first.point + second.way * second.share,
            None => self.first.point,
        }
    }

    pub(crate) fn hessian(&self) -> Quadratic {
        let first = self.first.hessian();
        match &self.second {
            Some(SecondPiece { local, share, .. }) => {
                first.plus(first, -share).plus(local.hessian(), *share)
            }
            None => first,
        }
    }
}

/// The pieces of one body that are followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FollowedPieces<V> {
    pub(crate) first: Piece<V>,
    pub(crate) second: Option<Piece<V>>,
    pub(crate) share: f64,
}

impl<V: Vector64> FollowedPieces<V> {
    /// One piece.
    pub(crate) fn one(first: Piece<V>) -> Self {
        Self {
            first,
            second: None,
            share: 0.0,
        }
    }

    /// Both bodies about a direction; `root` as [`LocalHeight::of`] has it.
    pub(crate) fn places(
        bodies: &[Self; 2],
        base: &Base<V>,
        root: f64,
    ) -> Option<[PieceMix<V>; 2]> {
        Some([bodies[0].place(base, root)?, bodies[1].place(base, root)?])
    }

    fn place(&self, base: &Base<V>, root: f64) -> Option<PieceMix<V>> {
        let first = LocalHeight::of(&self.first, base, root)?;
        let Some(piece) = &self.second else {
            return Some(PieceMix {
                first,
                second: None,
            });
        };
        let local = LocalHeight::of(piece, base, root)?;
        let way = local.point - first.point;
        let second = SecondPiece {
            local,
            share: self.share,
            way,
            kink: base.across.map(|x| x.dot(way)),
            rise: way.dot(base.normal()),
            alike: piece.axes == self.first.axes,
        };
        Some(PieceMix {
            first,
            second: Some(second),
        })
    }

    pub(crate) fn other_axes(&self) -> core::slice::Iter<'_, V> {
        self.second
            .as_ref()
            .map_or([].iter(), |piece| piece.axes.iter())
    }

    /// Whether a piece is one of those that are followed.
    pub(crate) fn holds(&self, top: &Piece<V>) -> bool {
        top.id == self.first.id || self.second.is_some_and(|second| second.id == top.id)
    }

    /// Whether both pieces have a share.
    pub(crate) fn has_shares(&self) -> bool {
        self.second.is_none() || (0.0..=1.0).contains(&self.share)
    }

    /// The body with a share that each piece can have.
    pub(crate) fn clamped(&self) -> Self {
        Self {
            share: self.share.clamp(0.0, 1.0),
            ..*self
        }
    }

    /// Leaves a second piece that has no share, or a first one.
    pub(crate) fn settle(&mut self) {
        let Some(second) = self.second else { return };
        if self.share < 0.0 || self.share > 1.0 {
            if self.share > 1.0 {
                self.first = second;
            }
            self.second = None;
        }
    }

    /// Takes in the piece that is highest along a new direction; beside the first where that may be.
    pub(crate) fn meet(&mut self, top: Piece<V>, beside: bool) {
        if top.id == self.first.id {
            self.first = top;
            return;
        }
        match &mut self.second {
            Some(second) if second.id == top.id => *second = top,
            Some(second) => {
                if self.share > 0.5 {
                    self.first = *second;
                }
                (*second, self.share) = (top, 0.5);
            }
            None if beside => (self.second, self.share) = (Some(top), 0.5),
            None => self.first = top,
        }
    }
}

/// The pieces of both bodies along a direction, B's mirrored.
pub(crate) fn pieces<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    normal: V,
    hints: [u32; 2],
) -> Option<[Piece<V>; 2]> {
    let a = difference.a.piece(normal, hints[0])?;
    let b = difference.b.piece(-normal, hints[1])?;
    Some([a, b.mirrored()])
}
