//! Rays, casts and times of impact against meshes: brute force over all triangles, integers, closed forms, policies.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod bodies;
#[path = "../boxes/mod.rs"]
mod boxes;
mod integers;
mod laws;
mod made;
mod rays;
