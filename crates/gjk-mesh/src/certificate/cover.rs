//! Makes the cover of a surface that proves how far it reaches into a solid at most.
//!
//! Idea: the search for the protrusion again, now with its answer known: each triangle is cut until every part is near one triangle of the solid, or
//! outside. Cuts are at simple parts of edges, so that integers state their corners.

use super::cut::Cutter;
use super::{Cut, all_corners};
use crate::PosedBody;
use crate::boxes::Box3;
use crate::depth::Interior;
use crate::depth::cell::{Cell, Split, tip_of};
use crate::signs::Triangle;

/// A step of a [`CoverCertificate`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoverNode {
    /// The part is cut at a point of an edge; then come the parts with the edge's first end, and with its other.
    Split {
        /// The edge from the corner of this number to the next one.
        edge: usize,
        /// Where on it.
        part: f64,
    },
    /// The corners, and so all points, are as near to this triangle of the other body as is said.
    Near(u32),
    /// The part meets no triangle of the other body, and is outside of it.
    Outside,
}

/// What proves how far a surface reaches into a solid of one piece at most.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoverCertificate {
    /// The steps, from each triangle of the surface's pieces on, in the order of their numbers.
    pub nodes: Vec<CoverNode>,
    /// The first list has the parts that are outside, in the order of the nodes, the second the other body's triangles.
    pub cut: Cut,
}

/// A cover of more nodes is given up.
const NODES_MAX: usize = 1 << 15;

/// A part of an edge has so many binary digits: corners of parts stay short.
const PART_DIGITS: i32 = 10;

/// So many cuts follow one another.
const DEPTH_MAX: usize = 40;

/// A part that is not looked at yet, how often it was cut, and how it is to be cut where that is known.
struct OpenCell {
    cell: Cell,
    depth: usize,
    cut: Option<(usize, f64)>,
}

struct Cover<'s, 'm> {
    solid: &'s Interior<'m>,
    /// The protrusion.
    ends: [f64; 2],
    nodes: Vec<CoverNode>,
    outside: Vec<Cell>,
}

/// Proves that no point of a surface is deeper in a solid than the upper end; `None` where the cover has too many nodes, or the solid several pieces.
pub(super) fn cover(
    [surface, body]: [&PosedBody<'_>; 2],
    solid: &Interior<'_>,
    ends: [f64; 2],
) -> Option<CoverCertificate> {
    if body.pieces() != 1 {
        return None;
    }
    let mut cover = Cover {
        solid,
        ends,
        nodes: Vec::new(),
        outside: Vec::new(),
    };
    for (t, corners) in (0..).zip(all_corners(&surface.in_place(false))) {
        if surface.piece_of(t).is_some() {
            cover.triangle(corners)?;
        }
    }
    let off = cover.outside.iter().map(Cell::slack).fold(0.0, f64::max);
    let outside: Vec<Triangle> = cover.outside.iter().map(Cell::corners).collect();
    let other = all_corners(&body.in_place(false));
    Some(CoverCertificate {
        nodes: cover.nodes,
        cut: Cutter::new([&outside, &other], 0.0).rounded(off).cut(),
    })
}

impl Cover<'_, '_> {
    fn triangle(&mut self, corners: Triangle) -> Option<()> {
        let mut open = vec![OpenCell {
            cell: Cell::new(corners),
            depth: 0,
            cut: None,
        }];
        while let Some(OpenCell { cell, depth, cut }) = open.pop() {
            if self.nodes.len() >= NODES_MAX || depth > DEPTH_MAX {
                return None;
            }
            let (node, next) = match cut {
                Some((edge, part)) => (CoverNode::Split { edge, part }, None),
                None => self.look_at(&cell),
            };
            self.nodes.push(node);
            let depth = depth + 1;
            let open_cell = |cell: Cell, cut| OpenCell { cell, depth, cut };
            match node {
                CoverNode::Split { edge, part } => {
                    let [first, other] = cell.cut_at(edge, part);
                    open.extend([open_cell(other, None), open_cell(first, next)]);
                }
                CoverNode::Outside => self.outside.push(cell),
                CoverNode::Near(_) => {}
            }
        }
        Some(())
    }

    /// What is said of a part, and how its first half is to be cut where it is cut by a plane.
    fn look_at(&self, cell: &Cell) -> (CoverNode, Option<(usize, f64)>) {
        let (solid, [best, most]) = (self.solid, self.ends);
        let halved = |distances| CoverNode::Split {
            edge: cell.steepest_edge(distances),
            part: 0.5,
        };
        let around = Box3::of(&cell.corners()).grown(cell.slack());
        if !around.meets(&solid.bounds()) {
            return (CoverNode::Outside, None);
        }
        let (middle, _) = cell.middle_and_radius();
        let found = solid.at(middle);
        let Some((nearest, _)) = found.nearest else {
            return (halved([0.0; 3]), None);
        };
        let heights = cell.corners().map(|p| solid.to_triangle(p, nearest).upper);
        if heights.iter().all(|height| height + cell.slack() <= most) {
            return (CoverNode::Near(nearest), None);
        }
        let is_outside = found.depth.upper < -cell.slack();
        if is_outside && solid.is_clear_of(&cell.corners(), cell.slack()) {
            return (CoverNode::Outside, None);
        }
        match cell.best_split(&solid.outward(nearest), heights, [best, most]) {
            Split::Longest => (halved([0.0; 3]), None),
            Split::Steepest(distances) => (halved(distances), None),
            Split::Plane(heights) => match tip_of(heights) {
                None => (halved([0.0; 3]), None),
                Some((edge, [to_next, to_last])) => {
                    // Of the part with the tip, the last edge leads back to it.
                    let back = (2, simple(1.0 - to_last));
                    let part = simple(to_next);
                    (CoverNode::Split { edge, part }, Some(back))
                }
            },
        }
    }
}

/// A number between 0 and 1, neither of which it is, with few binary digits.
fn simple(part: f64) -> f64 {
    let step = 2.0_f64.powi(PART_DIGITS);
    (part * step).round().clamp(1.0, step - 1.0) / step
}
