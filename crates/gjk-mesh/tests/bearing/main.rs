//! Manifolds of meshes: no normal that a surface does not have, at no place and of no cut.

#![allow(clippy::unwrap_used)] // a test panics on purpose

#[path = "../boxes/mod.rs"]
mod boxes;
mod edges;
mod floors;
mod laws;
mod made;
mod sides;
