//! Exact decisions for convex polytopes given by float vertices.
//!
//! What it answers: are two convex bodies, each the hull of finitely many `f64` points, separated, touching or
//! overlapping? The answer is exact for those points and carries a certificate made of vertex indices and an integer
//! direction, see [`Class`].
//!
//! Where it sits: below crate `gjk`, which asks here only when its float filter could not decide. This crate knows no
//! shapes and no poses: it sees two slices of points.
//!
//! Reading order: [`integer`] (floats to integers on one common grid), [`solver`] (Wolfe's minimum-norm point written
//! with polynomial signs), [`interior`] (touching or overlapping once the origin is in the difference), then
//! [`classify`](fn@classify).
//!
//! Every sign here is taken on big integers. The float scan in [`integer::Cloud::extreme`] is a filter with a proven
//! bound in front of exact comparisons, never a decision.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

pub mod classify;
pub mod integer;
pub mod interior;
pub mod solver;

pub use classify::{Class, Nearest, classify, compare_distance};
pub use integer::{Int, Int3};
