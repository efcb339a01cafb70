//! What every engine of the benchmark shares: reading a workload, the timed passes, writing the answers.
//!
//! An engine implements [`Engine`] for each library that it offers and calls [`main`]. The files and the command line are
//! described in `bench/PROTOCOL.md`, which is to be read first. Engines in C++ go through `shim` (feature `shim`).

mod answer;
mod op;
mod program;
pub mod samples;
#[cfg(feature = "shim")]
pub mod shim;
mod workload;

pub use answer::{Answer, POINT_PAIRS_MAX};
pub use op::{Mode, Op, Query};
pub use program::{Runner, Timing, main};
pub use workload::{Motion, Pair, Pairs, Planar, Shape, Spatial, Workload, parse};

/// One library under test.
pub trait Engine {
    /// Shapes and poses in the library's own types, and room for its results.
    type Scene;

    /// Name, operations and the note of the `list` command.
    fn offer(&self) -> Offer;

    /// Builds the scene; this is not timed.
    fn prepare(&self, op: Op, workload: &Workload) -> Result<Self::Scene, Unsupported>;

    /// Answers all pairs and keeps the results in the scene; this is timed.
    ///
    /// A pass starts cold: what an earlier pass cached is forgotten, unless `op` is warm. It is warm from step to step
    /// of a track, not from pass to pass, so that each pass does the same work.
    fn pass(&self, op: Op, scene: &mut Self::Scene);

    /// The results of the last pass in the benchmark's form; this is not timed.
    fn answers(&self, op: Op, scene: &Self::Scene) -> Vec<Answer>;
}

/// A line of `list`.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The engine's name on the command line.
    pub name: &'static str,
    /// What it offers, on some shapes at least.
    pub ops: Vec<Op>,
    /// Version, arithmetic and build flags.
    pub note: String,
}

impl Offer {
    /// An offer of the operations named in `ops`, separated by white space.
    ///
    /// # Panics
    ///
    /// An unknown name is a mistake in the engine's own source.
    pub fn new(name: &'static str, ops: &str, note: impl Into<String>) -> Self {
        let parse = |op: &str| op.parse().unwrap_or_else(|why| panic!("engine {name}: {why}"));
        Self { name, ops: ops.split_whitespace().map(parse).collect(), note: note.into() }
    }
}

/// Why an engine does not do an operation on a workload; the program ends with code 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl Unsupported {
    /// From a sentence.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}
