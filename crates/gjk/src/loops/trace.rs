//! The trace: what a loop did, step by step, in the vocabulary that the command line and the lab speak.
//!
//! Where it sits: the loops of [`crate::loops::gjk`] and [`crate::loops::epa`] take `&mut impl Observe<V>`. `()` observes nothing and
//! compiles to nothing; [`Recorder`] keeps every step. It is the same loop either way, so a picture shows the real run.

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

/// One step of a query. Frame: the world's; directions as the loop had them, not normalised.
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
        /// The direction asked: the support is taken on A along it and on B against it.
        direction: V,
        /// What the support functions answered.
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
        /// The region the origin fell in: `vertex`, `edge`, `face`, `enclosed`, or `dropped` for a vertex of no use.
        region: &'static str,
    },
    /// One expansion of EPA.
    Epa {
        /// Counts from 1.
        iteration: u32,
        /// The nearest facet's vertices, counter-clockwise from outside.
        nearest: Vec<SupportPair<V>>,
        /// Its outer normal, not normalised.
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

impl<V: Vector> Step<V> {
    /// The name of the face that a reduced simplex is.
    pub(crate) fn region(vertices: usize) -> &'static str {
        ["none", "vertex", "edge", "face"]
            .get(vertices)
            .copied()
            .unwrap_or("enclosed")
    }
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
