//! What a certificate was found to prove, or what is wrong with it.
//!
//! Where it sits: the answer of the checker, `whole.rs`.

use super::pair::{TreeCounts, TreeFault};

/// What a certificate was found to prove.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CertificateChecked {
    /// Pairs that keep apart, proved here.
    pub pairs: usize,
    /// Pairs that overlap for all joint values, proved here.
    pub overlapping: usize,
    /// Trees of pairs that keep apart.
    pub trees: usize,
    /// Their nodes.
    pub nodes: u64,
    /// Those that close a cell.
    pub leaves: u64,
    /// How often a leaf was halved because its direction did not hold in one go.
    pub halved: u64,
    /// Pairs that a state shows to overlap or to be near, decided by the library in that state.
    pub witnesses: usize,
    /// Pairs that no joint moves, decided by the library in one state.
    pub rigid: usize,
    /// Pairs of a path.
    pub path_pairs: usize,
    /// Segments of a path.
    pub segments: usize,
    /// Those of which all pairs keep the clearance at all times, proved here.
    pub free: usize,
    /// Those that are proved up to a meeting, which the library decided in its state.
    pub meetings: usize,
    /// Those with spans of which nothing is claimed.
    pub open: usize,
}

impl CertificateChecked {
    pub(super) fn count(&mut self, counts: TreeCounts) {
        self.nodes += counts.nodes;
        self.leaves += counts.leaves;
        self.halved += counts.halved;
    }
}

/// What is wrong with a certificate: the first fault in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateObjection {
    /// The segment of the path, where it is about one.
    pub segment: Option<usize>,
    /// The links, where it is about a pair.
    pub pair: Option<(String, String)>,
    /// The tree, as an index into the pair's.
    pub tree: Option<usize>,
    /// The node, as an index into the tree's.
    pub node: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl CertificateObjection {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self {
            segment: None,
            pair: None,
            tree: None,
            node: None,
            reason: reason.into(),
        }
    }

    pub(super) fn of_segment(segment: usize, reason: impl Into<String>) -> Self {
        Self {
            segment: Some(segment),
            ..Self::new(reason)
        }
    }

    pub(super) fn of_pair(a: &str, b: &str, fault: TreeFault) -> Self {
        Self {
            segment: None,
            pair: Some((a.to_owned(), b.to_owned())),
            tree: fault.tree,
            node: fault.node,
            reason: fault.reason,
        }
    }
}

impl core::fmt::Display for CertificateObjection {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if let Some(segment) = self.segment {
            write!(f, "segment {segment}: ")?;
        }
        if let Some((a, b)) = &self.pair {
            write!(f, "`{a}` and `{b}`: ")?;
        }
        if let Some(tree) = self.tree {
            write!(f, "tree {tree}: ")?;
        }
        if let Some(node) = self.node {
            write!(f, "node {node}: ")?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for CertificateObjection {}
