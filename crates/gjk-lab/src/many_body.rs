//! Many bodies as things to draw: each once, in its own frame, and placed as often as it moves.
//!
//! Where it sits: under `simulation.rs` and `robot.rs`, which say where the bodies are.

use crate::draw::{Figure, Item};
use crate::outline::outline_of;
use gjk::shape::Shape;
use gjk::{Pose, Vector};
use gjk_query::answer::components;
use gjk_query::convert::Space;
use serde::Serialize;

/// A part as it is drawn, in its own frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Model {
    /// The name of the body that it belongs to.
    pub(crate) name: String,
    /// Which layer it is drawn as while nothing is in it.
    pub(crate) layer: &'static str,
    /// Its boundary.
    #[serde(flatten)]
    pub(crate) figure: Figure,
}

impl Model {
    pub(crate) fn new<V: Space>(
        name: impl Into<String>,
        layer: &'static str,
        shape: &Shape<V>,
    ) -> Self {
        Self {
            name: name.into(),
            layer,
            figure: Figure::from(outline_of(shape, &Pose::identity())),
        }
    }
}

/// Where a model is, and whether something is in it: `x ↦ Σ columns[k]·x[k] + translation`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Place {
    columns: Vec<Vec<f64>>,
    translation: Vec<f64>,
    /// It overlaps another body.
    pub(crate) hit: bool,
}

impl Place {
    pub(crate) fn new<V: Vector>(pose: &Pose<V>, hit: bool) -> Self {
        Self {
            columns: pose
                .columns()
                .iter()
                .map(|&column| components(column))
                .collect(),
            translation: components(pose.translation()),
            hit,
        }
    }
}

/// A contact: both witness points, and the normal at the first.
pub(crate) fn contact(points: [Vec<f64>; 2], normal: Vec<f64>) -> [Item; 2] {
    let [a, b] = points;
    [
        Item::world(
            "contact",
            Figure::Dots {
                points: vec![a.clone(), b],
            },
        ),
        Item::world(
            "contact",
            Figure::Arrow {
                from: a,
                direction: normal,
            },
        ),
    ]
}

/// What was asked, and how long it took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Asked {
    /// Pairs of bodies.
    pub(crate) pairs: usize,
    /// How many of them touch or overlap.
    pub(crate) contacts: usize,
    /// For all of them together, by the environment's clock.
    pub(crate) seconds: f64,
}
