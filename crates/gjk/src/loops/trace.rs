//! The trace: what a loop did, step by step, in the vocabulary that the command line and the lab speak.
//!
//! Where it sits: the GJK loop and the EPA loop take `&mut impl Observe<V>`. `()` observes nothing and compiles to nothing;
//! [`Recorder`] keeps every step. The loops take the same steps either way. A query that is observed leaves out the closed forms
//! that would answer without a loop: its trace shows how the loops answer, not every shortcut of the unobserved query.

use crate::math::Vector;
use crate::support::SupportPair;
use alloc::vec::Vec;

/// Receives the steps of a run.
pub trait Observe<V: Vector> {
    /// True when steps should be built at all.
    const ENABLED: bool = true;
    /// Called once a step.
    fn observe(&mut self, step: Step<V>);
}

/// Observes nothing, at no cost.
impl<V: Vector> Observe<V> for () {
    const ENABLED: bool = false;
    fn observe(&mut self, _: Step<V>) {}
}

/// The region of a simplex that the origin fell in: that of its nearest face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "snake_case")
)]
pub enum Region {
    /// A vertex is nearest.
    Vertex,
    /// The inside of an edge is nearest.
    Edge,
    /// The inside of a triangle in space is nearest.
    Face,
    /// The simplex is full and encloses the origin.
    Enclosed,
    /// The new vertex was of no use: the simplex is the one before.
    Dropped,
}

impl Region {
    /// The name in traces.
    pub fn name(self) -> &'static str {
        match self {
            Region::Vertex => "vertex",
            Region::Edge => "edge",
            Region::Face => "face",
            Region::Enclosed => "enclosed",
            Region::Dropped => "dropped",
        }
    }

    /// The region of a nearest face with this many vertices.
    pub(crate) fn of_face(vertices: usize) -> Self {
        match vertices {
            1 => Region::Vertex,
            2 => Region::Edge,
            3 => Region::Face,
            _ => Region::Enclosed,
        }
    }
}

impl core::fmt::Display for Region {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// One step of a query. Frame: the world's. Directions of GJK have the length that the loop gave them.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "algorithm", rename_all = "snake_case")
)]
#[cfg_attr(
    feature = "serde",
    serde(bound = "V: serde::Serialize, V::Scalar: serde::Serialize")
)]
pub enum Step<V: Vector> {
    /// One support step of GJK and the reduction after it.
    Gjk {
        /// Counts from 1.
        iteration: u32,
        /// The search direction: the support is taken on A along it and on B against it.
        direction: V,
        /// The support pair along it.
        support: SupportPair<V>,
        /// `direction · w`; negative: the direction separates the cores.
        projection: V::Scalar,
        /// The simplex after the step, newest first.
        simplex: Vec<SupportPair<V>>,
        /// The weights of its point nearest the origin; empty when the origin is enclosed.
        weights: Vec<V::Scalar>,
        /// The best lower bound of the cores' distance so far.
        lower: V::Scalar,
        /// The distance of the simplex: the upper bound.
        upper: V::Scalar,
        /// The region of the simplex that the origin fell in.
        region: Region,
    },
    /// One expansion of EPA.
    Epa {
        /// Counts from 1.
        iteration: u32,
        /// The nearest facet's vertices, counter-clockwise from outside.
        nearest: Vec<SupportPair<V>>,
        /// Its outer normal, of length one up to rounding.
        normal: V,
        /// The support along that normal.
        support: SupportPair<V>,
        /// Facets of the polytope before the step.
        facets: Vec<Vec<V>>,
        /// Lower bound of the cores' depth: the nearest facet's distance.
        lower: V::Scalar,
        /// Upper bound: the least support height seen.
        upper: V::Scalar,
    },
}

/// Keeps every step.
#[derive(Clone, Debug, Default)]
pub struct Recorder<V: Vector> {
    /// The steps in order: GJK's, then EPA's.
    pub steps: Vec<Step<V>>,
}

impl<V: Vector> Recorder<V> {
    /// An empty recorder.
    pub fn new() -> Self {
        Self { steps: Vec::new() }
    }
}

impl<V: Vector> Observe<V> for Recorder<V> {
    fn observe(&mut self, step: Step<V>) {
        self.steps.push(step);
    }
}
