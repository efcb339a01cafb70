//! Times of impact of bodies that turn: closed forms, dense sampling, laws, certificates and bad input.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod bad_input;
mod certificates;
mod closed;
mod held;
mod laws;
mod policies;
mod polygons;
mod scene;
mod short_edges;
mod vertices;
