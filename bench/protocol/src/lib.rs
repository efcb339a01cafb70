//! How the harness talks to an engine: `../PROTOCOL.md` in Rust, for the harness and for engines written in Rust.
//!
//! Reading order: `workload.rs` (what is asked), `answers.rs` (what comes back), `engine.rs` (a program's `main` and the
//! timing loop). It knows no geometry.

mod answers;
mod engine;
mod fields;
mod workload;

pub use answers::{Answer, POINT_PAIRS_MAX, PointPairs, read_answers, write_answers};
pub use engine::{
    Offer, Outcome, Resident, Times, locked_version, measure, measure_build, resident, serve,
    target_flags,
};
pub use workload::{Move, Pair, Place, Shape, Workload};
