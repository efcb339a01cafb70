//! Casts of one body against another: verdicts, times and certificates against integers that know neither our portals nor our loops.

#![allow(clippy::unwrap_used)] // a test panics on purpose

#[path = "../oracle/mod.rs"]
mod oracle;

mod bad_input;
mod closed;
mod hits;
mod lattice;
mod laws;
mod polygons;
#[path = "../rays/truth.rs"]
mod truth;
