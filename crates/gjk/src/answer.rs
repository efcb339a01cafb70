//! What a query answers.

use crate::Stop;
pub use crate::math::{BigInt, Interval};
use crate::math::{Ring, Scalar, Vector};
use crate::support::SupportPair;
use alloc::vec::Vec;
use gjk_exact::{Int, Int3, integer};

/// The relation of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
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

/// A direction from A to B that a checker can evaluate exactly.
#[derive(Clone, Debug, PartialEq)]
pub enum Direction {
    /// Components that floats state.
    Float([f64; 3]),
    /// Components that only integers state; common factors do not matter.
    Integer([BigInt; 3]),
}

impl Direction {
    /// The direction as integers, times some positive factor.
    pub fn integers(&self) -> [BigInt; 3] {
        match self {
            Direction::Float(_) => self.exact().each_ref().map(BigInt::from_exact),
            Direction::Integer(components) => components.clone(),
        }
    }

    /// The same for the exact layer.
    pub(crate) fn exact(&self) -> Int3 {
        match self {
            Direction::Float(components) => integer::common(components),
            Direction::Integer(components) => components.each_ref().map(BigInt::to_exact),
        }
    }
}

/// A convex combination of vertex differences `a − b`: a point of the Minkowski difference of the cores.
///
/// Pairs are vertex ids of A and B in [`crate::Support::vertex`]'s numbering.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// At most 4.
    pub pairs: Vec<[u32; 2]>,
    /// Non-negative numerators, one a pair; their sum is the common denominator.
    pub weights: Weights,
}

/// Bits of a weight that count in floats.
const WEIGHT_BITS: usize = 60;

/// Numerators of weights.
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// Numerators that floats state.
    Float(Vec<f64>),
    /// Numerators that only integers state.
    Integer(Vec<BigInt>),
}

impl Weights {
    /// The numerators as integers, times some positive factor.
    pub fn integers(&self) -> Vec<BigInt> {
        match self {
            Weights::Float(_) => self.exact().iter().map(BigInt::from_exact).collect(),
            Weights::Integer(numerators) => numerators.clone(),
        }
    }

    /// Each over the sum of all, as floats; `None` where that is not positive.
    pub(crate) fn shares(&self) -> Option<Vec<f64>> {
        let weights = self.exact();
        let sum = weights.iter().fold(Int::ZERO, |sum, weight| sum + weight);
        let (_, limbs) = integer::to_limbs(&sum);
        let unused = limbs.last()?.leading_zeros() as usize;
        let extra = (64 * limbs.len() - unused).saturating_sub(WEIGHT_BITS);
        let part = |x: &Int| i64::try_from(&(x.clone() >> extra)).ok().map(|x| x as f64);
        let whole = part(&sum).filter(|&whole| whole > 0.0)?;
        weights.iter().map(|x| Some(part(x)? / whole)).collect()
    }

    /// The same for the exact layer.
    pub(crate) fn exact(&self) -> Vec<Int> {
        match self {
            Weights::Float(numerators) => {
                let grid = integer::grid_of(numerators.iter().copied());
                numerators
                    .iter()
                    .map(|&x| integer::on_grid(x, grid))
                    .collect()
            }
            Weights::Integer(numerators) => numerators.iter().map(BigInt::to_exact).collect(),
        }
    }
}

/// Why a verdict on polytopes, rounded or not, is true, in a form that a stranger can check with exact arithmetic.
///
/// `R` is the sum of the two swept radii in the world, zero for plain polytopes. [`crate::verify`] is such a checker.
#[derive(Clone, Debug, PartialEq)]
pub enum Certificate {
    /// `direction · (b − a) > R·|direction|` for all vertices of the cores.
    ///
    /// The interval: the least of these heights over `|direction|`, less `R`, is its lower end or above; the combination's
    /// length, less `R`, is its upper end or below.
    Separated {
        /// From A to B.
        direction: Direction,
        /// Absent where no distance was wanted.
        nearest: Option<Combination>,
    },
    /// `direction · (b − a) ≥ R·|direction|` for all vertices, and the combination has length `R`.
    Touching {
        /// From A to B.
        direction: Direction,
        /// A common point of the bodies; for `R = 0` the combination is zero.
        nearest: Combination,
    },
    /// The origin is strictly inside the hull of the pairs' differences.
    Overlapping {
        /// 3 or 4 in 2D, 4 to 6 in 3D.
        pairs: Vec<[u32; 2]>,
        /// The facets of a polytope of pairs around the origin, none nearer to it than the interval's upper end (with `R`
        /// added): edges in 2D (the third pair repeats the second), triangles in 3D, counter-clockwise from outside.
        /// Empty unless [`crate::query::ProofOptions::facets`] is set.
        facets: Vec<[[u32; 2]; 3]>,
    },
    /// The combination is shorter than `R`: the cores are separated or touch, the rounded bodies overlap.
    Near {
        /// A point of the difference of the cores.
        nearest: Combination,
        /// From A to B: `direction · (b − a)` is at least its lower end plus `R`, in units of `|direction|`, for all vertices.
        direction: Direction,
    },
}

impl Certificate {
    /// The certificate of an overlap whose depth is not proved.
    pub(crate) fn enclosing<W: Vector>(points: &[SupportPair<W>]) -> Self {
        Self::Overlapping {
            pairs: points.iter().map(|p| p.ids).collect(),
            facets: Vec::new(),
        }
    }
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

/// The answer of [`crate::query::intersects`].
#[derive(Clone, Copy, Debug, PartialEq)]
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
}

/// The answer of [`crate::query::distance`].
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// The answer of [`crate::query::contact`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<V: Vector> {
    /// The relation.
    pub verdict: Verdict,
    /// True when the verdict is proved for the bodies as rounded.
    pub exact: bool,
    /// Positive when separated, `[0, 0]` when touching, negative when overlapping: minus the depth.
    pub signed_distance: Interval<V::Scalar>,
    /// Unit, from A to B: a plane across it keeps bodies apart by the interval's lower end, and moving B along it by the depth separates
    /// bodies that overlap. By the default options it may be off by some 10⁻⁶ (smooth bodies) or 10⁻⁸ (hulls).
    pub normal: V,
    /// On A's surface, world frame.
    pub point_a: V,
    /// On B's surface, world frame.
    pub point_b: V,
    /// Why the work ended.
    pub stop: Stop,
    /// How long it took.
    pub iterations: Iterations,
}

impl<V: Vector> Contact<V> {
    /// The same in another scalar, the interval rounded outward.
    pub(crate) fn lift<U: Vector>(self) -> Contact<U> {
        let Interval { lower, upper } = self.signed_distance;
        Contact {
            verdict: self.verdict,
            exact: self.exact,
            signed_distance: Interval {
                lower: U::Scalar::round_down(lower.to_f64()),
                upper: -U::Scalar::round_down(-upper.to_f64()),
            },
            normal: self.normal.lift(),
            point_a: self.point_a.lift(),
            point_b: self.point_b.lift(),
            stop: self.stop,
            iterations: self.iterations,
        }
    }
}

impl<V: Vector> Distance<V> {
    /// The distance that a signed distance says: zero in overlap.
    #[inline(always)]
    pub(crate) fn of(found: Contact<V>) -> Self {
        let zero = V::Scalar::ZERO;
        let distance = match found.verdict {
            Verdict::Touching | Verdict::Overlapping => Interval {
                lower: zero,
                upper: zero,
            },
            _ => Interval {
                lower: found.signed_distance.lower.max(zero),
                upper: found.signed_distance.upper.max(zero),
            },
        };
        Self {
            verdict: found.verdict,
            exact: found.exact,
            distance,
            normal: found.normal,
            point_a: found.point_a,
            point_b: found.point_b,
            stop: found.stop,
            iterations: found.iterations,
        }
    }
}

/// The answer of [`crate::query::prove`].
#[derive(Clone, Debug, PartialEq)]
pub struct Proof<V: Vector> {
    /// What is proved.
    pub contact: Contact<V>,
    /// Why it is true; `None` for smooth shapes, and where no certificate was wanted.
    pub certificate: Option<Certificate>,
}
