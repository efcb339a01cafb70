//! Contact manifolds: points, names and laws.

#![allow(clippy::unwrap_used)] // a test panics on purpose

#[path = "../oracle/mod.rs"]
mod oracle;

mod extremes;
mod invariants;
mod lattice;
mod laws;
mod motions;
mod resting;
mod stack;
mod truth;
mod warm;
