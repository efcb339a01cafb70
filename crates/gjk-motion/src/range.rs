//! What is asked of a pair of links over whole ranges, and what is answered.
//!
//! Where it sits: `prove.rs` answers, `matrix.rs` asks; the certificate is made of [`ProofNode`]s.

use gjk::query::Interval;

/// What a proof is asked for.
#[derive(Clone, Copy, Debug)]
pub struct RangeOptions {
    /// Links that come nearer than this are of interest.
    pub margin: f64,
    /// How wide the interval of the least distance may be, as a part of the distance.
    pub width: f64,
    /// At most so many cells for that; the interval is as wide as they leave it.
    pub measure_cells: u64,
    /// At most so many cells to decide whether they meet.
    pub cells_max: u64,
    /// Whether the tree of cells is kept.
    pub keep_nodes: bool,
}

impl Default for RangeOptions {
    fn default() -> Self {
        Self {
            margin: 0.0,
            width: 0.1,
            measure_cells: 1000,
            cells_max: 1_000_000,
            keep_nodes: false,
        }
    }
}

/// What the caller says of the two links in one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateDistance {
    /// True where they overlap, by an exact verdict.
    pub overlaps: bool,
    /// True where not even that could be told: whether one of several pieces contains the other.
    pub is_undecided: bool,
    /// Their signed distance.
    pub distance: Interval<f64>,
}

/// What is known of a pair of links over the whole ranges.
#[derive(Clone, Debug, PartialEq)]
pub enum RangeAnswer {
    /// They are nowhere nearer than the margin: the least distance of all states.
    Never {
        /// The least distance.
        distance: Interval<f64>,
        /// Values of the chain's variables at which they are as near as the upper end.
        at: Vec<f64>,
    },
    /// They overlap, or come nearer than the margin, at these values of the chain's variables.
    Meets {
        /// The values.
        at: Vec<f64>,
    },
    /// They come so near to touching that no state decides it.
    Touches {
        /// The values at which they were nearest.
        at: Vec<f64>,
        /// How near at least, as was proved, and at most.
        distance: Interval<f64>,
    },
    /// The cells ran out, or the caller stopped it.
    Open {
        /// The values at which they were nearest.
        at: Vec<f64>,
        /// The distance there.
        nearest: f64,
        /// The part of the ranges' volume that is proved.
        proved_share: f64,
    },
}

/// A node of the tree of cells that proves an answer, in the order in which they were looked at: a node, the tree of its first half, then
/// that of its second one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ProofNode {
    /// The tree of a part of the first link and one of the second begins: all joint values.
    Parts {
        /// The parts, by index.
        parts: [usize; 2],
    },
    /// The cell is closed: the pieces keep apart along this direction.
    Apart {
        /// How many joints of the chain stand before the frame of the direction.
        cut: usize,
        /// From the first link to the second.
        direction: [f64; 3],
    },
    /// The range of a variable is halved at a value.
    Range {
        /// The variable, as an index into [`JointChain::variables`](crate::JointChain::variables).
        variable: usize,
        /// Whether the lower half comes first.
        low_first: bool,
    },
    /// Balls around a point in either link's frame, each inside of its part, meet in the whole cell.
    Overlap {
        /// The part of each link.
        parts: [usize; 2],
        /// The points.
        at: [[f64; 3]; 2],
    },
    /// The triangles of a link's piece are halved: those with the greater centres along an axis come first.
    Triangles {
        /// Which link.
        side: usize,
    },
}

/// An answer, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeProof {
    /// What is known.
    pub answer: RangeAnswer,
    /// Cells looked at.
    pub cells: u64,
    /// Runs of GJK.
    pub loops: u64,
    /// The tree of cells of the answer [`RangeAnswer::Never`], where it was asked for.
    pub nodes: Vec<ProofNode>,
}
