//! The loops: GJK, the reduction of its simplex, EPA, and the trace that shows them at work.
//!
//! Where it sits: `narrow/proposal.rs` calls [`gjk::run`] for the distance of two cores. `narrow/hulls.rs` and `narrow/smooth.rs`
//! call `epa::run` for the depth of two that overlap. Read [`mod@gjk`] first, then [`simplex`], then `epa`.
//! The loops know no shape and no pose: a body is its [`crate::Support`]. They compute in `f64`, and only propose: their callers
//! certify. Other crates read [`trace`]; the rest is public for the tests and for `cargo xtask cost` only.

pub(crate) mod epa;
pub(crate) mod facet;
pub mod gjk;
mod outcome;
pub(crate) mod pieces;
pub mod simplex;
pub mod trace;
