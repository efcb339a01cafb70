//! The tree of a pair that overlaps for all joint values: that its cells cover them, and that in each the balls of a leaf meet.
//!
//! Where it sits: `whole.rs` asks it for each such pair.
//! Idea: each ball is inside of its part, and goes where its link goes. In the frame behind some of the joints one ball's middle is moved by the
//! joints before it, the other's by those behind it. Where the two are no farther from each other than both radii together, all through
//! the cell, the parts have a point in common, and more than one: they overlap.

use super::bound::moved_point;
use super::enclosed::{difference, exactly, norm};
use super::inner::inner_radius;
use super::pair::{LinkPair, TreeCounts, TreeFault};
use super::tree::halves_of_range;
use crate::certificate::{CertificateNode, OverlappingPair};

/// Checks the tree of a pair, of which the ranges were looked at.
pub(super) fn check_overlap(
    pair: &OverlappingPair,
    links: &LinkPair<'_>,
) -> Result<TreeCounts, TreeFault> {
    let joints = pair.joints.iter();
    let mut open: Vec<Vec<[f64; 2]>> = vec![joints.map(|j| [j.lower, j.upper]).collect()];
    let mut counts = TreeCounts::default();
    for (index, node) in pair.nodes.iter().enumerate() {
        let at = |reason: String| TreeFault {
            tree: None,
            node: Some(index),
            reason,
        };
        let Some(cell) = open.pop() else {
            return Err(at("the tree is complete before this node".to_owned()));
        };
        counts.nodes += 1;
        match node {
            CertificateNode::Range { joint, low_first } => {
                open.extend(halves_of_range(&cell, *joint, *low_first).map_err(at)?);
            }
            CertificateNode::Overlap { parts, at: points } => {
                counts.leaves += 1;
                meets(links, *parts, *points, &cell).map_err(at)?;
            }
            _ => return Err(at("it says nothing of an overlap".to_owned())),
        }
    }
    match open.len() {
        0 => Ok(counts),
        missing => {
            Err(format!("the tree ends with {missing} cells that nothing is said of").into())
        }
    }
}

/// Whether the balls of a leaf meet in its cell.
fn meets(
    links: &LinkPair<'_>,
    parts: [usize; 2],
    points: [[f64; 3]; 2],
    cell: &[[f64; 2]],
) -> Result<(), String> {
    let mut radii = 0.0_f64;
    for side in [0, 1] {
        let [part, point] = [parts[side], side];
        let Some(of) = links.parts[side].get(part) else {
            return Err(format!("link {side} has no part {part}"));
        };
        if !points[point].iter().all(|x| x.is_finite()) {
            return Err("a point is not finite".to_owned());
        }
        let radius = inner_radius(of, points[side]);
        if !(radius > 0.0) {
            return Err(format!(
                "the point of link {side} is not known to be inside of its part {part}"
            ));
        }
        radii = (radii + radius).next_down();
    }
    let apart = (0..=links.moving_count()).filter_map(|cut| {
        let [back, ahead] = links.whole_sides(cut)?;
        let (a, moved_a) = moved_point(back, &exactly(points[0]), cell);
        let (b, moved_b) = moved_point(ahead, &exactly(points[1]), cell);
        let apart = norm(&difference(&a, &b)).hi + moved_a;
        Some((apart.next_up() + moved_b).next_up())
    });
    let apart = apart.fold(f64::INFINITY, f64::min);
    if apart < radii {
        Ok(())
    } else {
        Err(format!(
            "its balls are up to {apart:e} apart, and their radii together {radii:e}"
        ))
    }
}
