//! The batch against single queries, exact truth and brute force.
//!
//! `scenes.rs` makes pairs of every regime; `same.rs` compares verdicts and intervals with single queries and `gjk::verify`'s
//! oracles; `running.rs` is threads, progress, cancellation, errors.
#![allow(clippy::unwrap_used)] // tests

#[path = "../../../gjk/tests/oracle/mod.rs"]
mod oracle;
mod running;
mod same;
mod scenes;
