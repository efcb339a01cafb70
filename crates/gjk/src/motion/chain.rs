//! The pieces of a certificate: those of the search, cut so that a reader needs no root.
//!
//! Where it sits: beside `pieces.rs`, whose pieces it cuts; `toi.rs` states them.
//! Idea: the search proves a piece by the parabola through both of its gaps. A certificate's pieces are proved by the lesser gap alone (docs/toi.md), so that they are shorter
//! where a gap is small: each is cut from its end backward, where the planes are nearer.
//! Numbers: the constants below choose where a piece is cut, and prove nothing.

use super::pieces::{PieceSearch, ProvedPiece};
use crate::math::{Scalar, Vector};
use crate::motion::answer::ChainPiece;
use alloc::vec::Vec;

/// The part of the longest length that a gap allows which is tried first.
const TRIED: f64 = 0.95;

/// Halvings of a length until its begin is apart enough.
const HALVINGS: u32 = 64;

/// A certificate has so many times the pieces that a search may have: most are cut into two or three.
const CUTS: u32 = 8;

impl<V: Vector> PieceSearch<'_, '_, V> {
    /// The pieces of a certificate from a time on; `None` where there would be too many.
    pub(super) fn stated(
        &self,
        mut from: f64,
        proved: &[ProvedPiece],
        most: u32,
    ) -> Option<Vec<ChainPiece>> {
        let mut all = Vec::new();
        for piece in proved {
            let first = all.len();
            let mut to = piece.to;
            while to > from || all.len() == first {
                if all.len() as u64 >= u64::from(most.saturating_mul(CUTS)) {
                    return None;
                }
                let (carrier, direction) = piece.normal.stated();
                all.push(ChainPiece {
                    to,
                    direction,
                    carrier,
                });
                to = self.begin(piece, from, to)?;
            }
            all[first..].reverse();
            from = piece.to;
        }
        Some(all)
    }

    /// The earliest begin that is found of a piece that ends at a time, as a reader of the certificate proves it.
    fn begin(&self, piece: &ProvedPiece, from: f64, to: f64) -> Option<f64> {
        let gap = |time: f64| {
            if time == from {
                return piece.start;
            }
            let (heights, turned) = self.bodies.view(&piece.normal, piece.own, time);
            heights.gap(turned)
        };
        let end = gap(to);
        let bend = self.bodies.bend(&piece.normal, [from, to]);
        let allowed = TRIED * Scalar::sqrt(end.max(0.0) / bend.over(1.0));
        let mut begin = if to - from <= allowed {
            from
        } else {
            to - allowed
        };
        for _ in 0..HALVINGS {
            if begin == to && to > from {
                return None;
            }
            let sag = bend.over(to - begin);
            if end > sag && gap(begin) > sag {
                return Some(begin);
            }
            begin = to - (to - begin) / 2.0;
        }
        None
    }
}
