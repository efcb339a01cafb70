//! The batch against single queries, exact truth and brute force.
//!
//! `scenes.rs` makes pairs of every regime; `same.rs` compares verdicts and intervals with single queries and `gjk::verify`'s
//! oracles; `motions.rs` compares rays and casts and `manifolds.rs` manifolds with single queries; `single_rows.rs` compares rows of them from columns; `round.rs` holds balls, capsules and boxes against `double.rs`, the truth in twice the digits; `running.rs` is
//! threads, progress, cancellation, errors.
#![allow(clippy::unwrap_used)] // tests

mod double;
mod manifolds;
mod motions;
#[path = "../../../gjk/tests/oracle/mod.rs"]
mod oracle;
mod round;
mod rows;
mod running;
mod same;
mod scenes;
mod single_rows;
