//! What is known of a pair, what the library answered, and what can be wrong with that.
//!
//! Where it sits: below `judge.rs`, which asks, and `examine.rs`, which compares.

use super::gradients::AskedGradient;
use super::oracle::Truth;
use super::oracle::proof::Claim;
use gjk::Vector;
use gjk::query::{Contact, Distance, Intersection, Proof, Verdict};
use std::cmp::Ordering;

/// What can be wrong, one kind a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The verdict is not the oracle's, or not the construction's.
    Verdict,
    /// An interval misses the truth, or is none.
    Interval,
    /// A certificate does not prove its verdict.
    Certificate,
    /// Two queries disagree.
    Disagreement,
    /// A query panicked.
    Panic,
    /// The oracles disagree: a bug of ours.
    Oracle,
}

impl Kind {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Interval => "interval",
            Self::Certificate => "certificate",
            Self::Disagreement => "disagreement",
            Self::Panic => "panic",
            Self::Oracle => "oracle",
        }
    }
}

/// Something wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Which kind.
    pub kind: Kind,
    /// What exactly.
    pub message: String,
}

/// The answers of all queries about one pair.
#[derive(Clone, Debug)]
pub struct Answers<V: Vector> {
    /// The answer of `prove`.
    pub proof: Proof<V>,
    /// The answer of `prove`, the bodies swapped.
    pub swapped: Proof<V>,
    /// The answer of `prove` for the verdict alone.
    pub verdict: Proof<V>,
    /// The answer of `intersects`.
    pub intersects: Intersection,
    /// The answer of `distance`.
    pub distance: Distance<V>,
    /// The answer of `contact`, by the fast path.
    pub quick: Contact<V>,
    /// The answer of `gradient`.
    pub gradient: AskedGradient<V>,
    /// Of both poses.
    pub translations: [V; 2],
}

/// A fault of a kind.
pub(crate) fn fault(kind: Kind, message: impl Into<String>) -> Fault {
    Fault {
        kind,
        message: message.into(),
    }
}

/// What is known of a pair without asking the library.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By the facet oracle, of the cores.
    pub truth: Option<Truth>,
    /// By the linear program, of the cores.
    pub relation: Option<Verdict>,
    /// By construction, of the bodies.
    pub verdict: Option<Verdict>,
    /// By construction, for smooth pairs.
    pub distance: Option<[f64; 2]>,
    /// Whether both bodies are polytopes, rounded or not.
    pub polytopes: bool,
    /// Swept radii.
    pub radii: [f64; 2],
    /// World vertices of the cores by the library's ids.
    pub vertices: [Vec<[f64; 3]>; 2],
}

impl Known {
    pub(crate) fn radius_sum(&self) -> f64 {
        self.radii[0] + self.radii[1]
    }

    /// What an answer says of the pair.
    pub(crate) fn claim(
        &self,
        dim: usize,
        verdict: Verdict,
        interval: Option<[f64; 2]>,
    ) -> Claim<'_> {
        let vertices = [&self.vertices[0][..], &self.vertices[1][..]];
        Claim {
            dim,
            vertices,
            radii: self.radii,
            verdict,
            interval,
        }
    }

    /// The true verdict of the bodies, radii included.
    pub fn verdict(&self) -> Option<Verdict> {
        if let Some(truth) = &self.truth {
            if self.radius_sum() == 0.0 {
                return Some(truth.verdict);
            }
            return Some(match truth.compare(&self.radii) {
                Ordering::Greater => Verdict::Separated,
                Ordering::Equal => Verdict::Touching,
                Ordering::Less => Verdict::Overlapping,
            });
        }
        match (self.relation, self.radius_sum() > 0.0) {
            (Some(Verdict::Touching | Verdict::Overlapping), true) => Some(Verdict::Overlapping),
            (Some(relation), false) => Some(relation),
            _ => self.verdict,
        }
    }
}
