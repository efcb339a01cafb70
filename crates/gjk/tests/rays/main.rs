//! Rays: verdicts, times and certificates against integers that know neither our portals nor our loops.

#![allow(clippy::unwrap_used)] // a test panics on purpose

#[path = "../oracle/mod.rs"]
mod oracle;

mod bad_input;
mod found;
mod lattice;
mod laws;
mod policies;
mod smooth;
mod truth;
