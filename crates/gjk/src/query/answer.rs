//! What a query answers.

use crate::gjk::Stop;
use crate::math::Vector;
use alloc::vec::Vec;
use gjk_exact::{Int, Int3};

/// The relation of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Verdict {
    /// They share no point.
    Separated,
    /// They share points of their surfaces only.
    Touching,
    /// They share inner points.
    Overlapping,
    /// A smooth pair whose interval straddles zero in this precision.
    Undecided,
}

impl Verdict {
    /// The name in the query format.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Separated => "separated",
            Verdict::Touching => "touching",
            Verdict::Overlapping => "overlapping",
            Verdict::Undecided => "undecided",
        }
    }
}

/// A proven interval: `lower ≤ truth ≤ upper`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interval<S> {
    /// At most the truth.
    pub lower: S,
    /// At least the truth.
    pub upper: S,
}

/// A direction from A to B that a checker can evaluate exactly.
#[derive(Clone, Debug, PartialEq)]
pub enum Direction {
    /// Components that floats state.
    Float([f64; 3]),
    /// Components that only integers state; common factors do not matter.
    Integer(Int3),
}

/// Why a verdict on polytopes is true, in a form that a stranger can check with exact arithmetic.
///
/// Pairs are vertex ids of A and B in [`crate::Support::vertex`]'s numbering.
#[derive(Clone, Debug, PartialEq)]
pub enum Certificate {
    /// `direction · a < direction · b` for all vertices of the cores, by more than the radii together.
    Separated {
        /// From A to B.
        direction: Direction,
    },
    /// `direction · a ≤ direction · b` for all vertices, and the weighted pairs coincide.
    Touching {
        /// From A to B.
        direction: Direction,
        /// The vertices of the common point.
        pairs: Vec<[u32; 2]>,
        /// Numerators of their weights; the denominator is their sum.
        weights: Vec<Int>,
    },
    /// The origin is strictly inside the hull of the pairs' differences.
    Overlapping {
        /// 3 to 5 in 2D, 4 to 6 in 3D.
        pairs: Vec<[u32; 2]>,
    },
}

/// Iterations of the two loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Iterations {
    /// Support steps of GJK.
    pub gjk: u32,
    /// Expansions of EPA.
    pub epa: u32,
}

/// The answer of [`super::intersects`].
#[derive(Clone, Debug, PartialEq)]
pub struct Intersection {
    /// The relation.
    pub verdict: Verdict,
    /// The relation under the caller's touching policy; `None` when undecided.
    pub intersects: Option<bool>,
    /// True when the verdict is proved for the bodies as rounded, false when it rests on an interval of a smooth pair.
    pub exact: bool,
    /// Why the work ended.
    pub stop: Stop,
    /// How long it took.
    pub iterations: Iterations,
    /// The proof, for polytopes.
    pub certificate: Option<Certificate>,
}

/// The answer of [`super::distance`].
#[derive(Clone, Debug, PartialEq)]
pub struct Distance<V: Vector> {
    /// The relation.
    pub verdict: Verdict,
    /// True when the verdict is proved for the bodies as rounded.
    pub exact: bool,
    /// The distance; `[0, 0]` when touching or overlapping. Its upper end is loose when a cut-off stopped the work.
    pub distance: Interval<V::Scalar>,
    /// Unit, from A to B; when overlapping, only the last direction tried.
    pub normal: V,
    /// On A's surface, world frame; when overlapping, a point of A.
    pub point_a: V,
    /// On B's surface, world frame; when overlapping, a point of B.
    pub point_b: V,
    /// Why the work ended.
    pub stop: Stop,
    /// How long it took.
    pub iterations: Iterations,
}

/// The answer of [`super::contact`].
#[derive(Clone, Debug, PartialEq)]
pub struct Contact<V: Vector> {
    /// The relation.
    pub verdict: Verdict,
    /// True when the verdict is proved for the bodies as rounded.
    pub exact: bool,
    /// Positive when separated, `[0, 0]` when touching, negative when overlapping: minus the depth.
    pub signed_distance: Interval<V::Scalar>,
    /// Unit, from A to B: moving B along it by the depth separates the bodies.
    pub normal: V,
    /// On A's surface, world frame.
    pub point_a: V,
    /// On B's surface, world frame.
    pub point_b: V,
    /// Why the work ended.
    pub stop: Stop,
    /// How long it took.
    pub iterations: Iterations,
    /// The proof, for polytopes.
    pub certificate: Option<Certificate>,
}
