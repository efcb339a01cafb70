//! Pieces as the chain's end sees them: in the frame of the joint next to them, whose axis is the third one.
//!
//! Where it sits: made once a pair of links from what `piece.rs` has; `sweep.rs` asks for their farthest points.

use crate::map::{LinkMap, V3};
use crate::piece::{LinkPiece, LinkPieces, PieceForm};
use crate::scan::CornerRows;
use gjk::Posed;
use gjk::shape::Shape;
use std::cell::OnceCell;

/// A piece as the chain's end sees it: in the frame of the joint next to it, whose axis is the third one.
#[derive(Debug)]
pub(crate) struct RootedPiece<'p> {
    pub(crate) piece: &'p LinkPiece,
    /// From the link's frame to this one.
    pub(crate) map: LinkMap,
    /// The corners; none of a smooth piece.
    pub(crate) rows: CornerRows,
    pub(crate) center: V3,
    /// How far that is from the third axis.
    pub(crate) center_rho: f64,
    /// The shape in the link's frame, where it is smooth.
    pub(crate) smooth: Option<Posed<'p, V3, Shape<V3>>>,
}

impl<'p> RootedPiece<'p> {
    pub(crate) fn new(piece: &'p LinkPiece, map: &LinkMap) -> Self {
        let points: Vec<V3> = match &piece.form {
            PieceForm::Points(rows) => {
                let corners = (0..rows.len()).map(|at| rows.corner(at));
                corners.map(|corner| map.point(corner)).collect()
            }
            PieceForm::Smooth(..) => Vec::new(),
        };
        let center = map.point(piece.center);
        Self {
            piece,
            map: *map,
            rows: CornerRows::new(&points),
            center,
            center_rho: (center.x * center.x + center.y * center.y).sqrt(),
            smooth: piece.smooth(),
        }
    }

    pub(crate) fn is_smooth(&self) -> bool {
        self.smooth.is_some()
    }
}

/// The pieces of one link that were rooted so far; halves come behind.
pub(crate) struct Rooted<'p> {
    pub(crate) pieces: Vec<RootedPiece<'p>>,
    /// How many of them are no halves of another.
    pub(crate) whole: usize,
    halves: Vec<OnceCell<[usize; 2]>>,
    map: LinkMap,
}

impl<'p> Rooted<'p> {
    pub(crate) fn new(link: &'p LinkPieces, map: LinkMap) -> Self {
        let pieces: Vec<_> = link
            .pieces
            .iter()
            .map(|piece| RootedPiece::new(piece, &map))
            .collect();
        let halves = pieces.iter().map(|_| OnceCell::new()).collect();
        Self {
            whole: pieces.len(),
            pieces,
            halves,
            map,
        }
    }

    /// The halves of a piece, by index; `None` where it is what it stands for.
    pub(crate) fn halves(&mut self, index: usize) -> Option<[usize; 2]> {
        if let Some(&known) = self.halves[index].get() {
            return Some(known);
        }
        let piece: &'p LinkPiece = self.pieces[index].piece;
        let halves = piece.halves()?;
        let first = self.pieces.len();
        for half in halves {
            self.pieces.push(RootedPiece::new(half, &self.map));
            self.halves.push(OnceCell::new());
        }
        let both = [first, first + 1];
        Some(*self.halves[index].get_or_init(|| both))
    }
}
