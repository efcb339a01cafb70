//! Two links that overlap in every state, proved.
//!
//! Where it sits: `matrix.rs` asks it where all sampled states overlap.
//! Idea: in the middle of a cell two convex parts overlap by a depth. A joint at a time, either part moves at most as far as its joint
//! moves it; a support function changes by no more, and so does the depth. Where the depth is larger than the sum the parts overlap in the
//! whole cell.

use crate::cell::{CellMotion, PairFrame, RangeCell};
use crate::piece::LinkPieces;
use crate::rooted::RootedPiece;
use gjk::Pose3;
use gjk::query::{Options, Pair, Verdict};
use gjk_check::parts::{Body, Part};
use gjk_query::convert;

/// The number of cells that prove it; `None` where a state does not overlap, or `cells_max` cells do not suffice.
pub(crate) fn always(
    frame: &PairFrame<'_>,
    bodies: [&Body; 2],
    links: [&LinkPieces; 2],
    cells_max: u64,
) -> Option<u64> {
    let rooted = [0, 1].map(|k| -> Vec<RootedPiece<'_>> {
        let pieces = links[k].pieces.iter();
        pieces
            .map(|piece| RootedPiece::new(piece, &frame.rooted[k]))
            .collect()
    });
    let mut motion = CellMotion::default();
    let mut stack = vec![RangeCell::whole(frame.chain)];
    let mut cells = 0;
    while let Some(cell) = stack.pop() {
        cells += 1;
        if cells > cells_max {
            return None;
        }
        let place = frame.chain.place(&cell.center()).pose();
        let mut least = f64::INFINITY;
        let mut widest = 0;
        for (a, one) in rooted[0].iter().enumerate() {
            for (b, other) in rooted[1].iter().enumerate() {
                let (part_a, part_b) = (&bodies[0].parts[a], &bodies[1].parts[b]);
                let Some(depth) = depth_of(part_a, part_b, &place) else {
                    continue;
                };
                frame.motion(&cell, [one, other], &mut motion);
                let slack = frame.slack(one.piece, other.piece);
                let short = motion.least_motion() + slack - depth;
                if short < least {
                    (least, widest) = (short, motion.widest(frame.chain));
                }
            }
        }
        if least < 0.0 {
            continue;
        }
        if !least.is_finite() {
            return None;
        }
        stack.extend(cell.split(widest));
    }
    Some(cells)
}

/// How deep two convex parts overlap at least; `None` where they do not, or are not convex.
fn depth_of(a: &Part, b: &Part, place: &Pose3<f64>) -> Option<f64> {
    if !a.is_convex() || !b.is_convex() {
        return None;
    }
    let pose_a: Pose3<f64> = convert::affine(&a.in_anchor);
    let pose_b = place.compose(&convert::affine(&b.in_anchor));
    let options = Options::default();
    let contact = Pair::new(&*a.shape, &pose_a, &*b.shape, &pose_b)
        .with(&options)
        .contact();
    (contact.verdict == Verdict::Overlapping).then_some(-contact.signed_distance.upper)
}
