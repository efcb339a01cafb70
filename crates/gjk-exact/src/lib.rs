//! Exact decisions for convex polytopes given by float vertices.
//!
//! What it answers: are two convex bodies, each the hull of finitely many `f64` points, separated, touching or
//! overlapping? The answer is exact for those points and carries a certificate made of vertex indices and an integer
//! direction, see [`Class`].
//!
//! Where it sits: below crate `gjk`, which comes here only when its float bounds could not decide. This crate knows no
//! shapes and no poses: it sees two slices of points.
//!
//! Reading order: [`vertex`] and [`direction`] (what signs are taken of), [`sign`] (adaptive precision), [`determinant`] (signs of one body), [`number`] (its
//! stages), [`solver`] (the nearest face of a simplex), [`problem`] (supports), [`interior`] (touching or overlapping once the
//! origin is in the difference), then [`classify`](fn@classify).
//!
//! Every decision is an exact sign. Floats only leave out what a proven bound excludes.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!("crate `gjk-exact` needs feature `std` or feature `libm` for square roots");

pub mod classify;
pub mod determinant;
pub mod direction;
pub mod integer;
pub mod interior;
pub mod line;
pub mod measure;
pub mod nearest;
pub mod number;
mod plane;
pub mod problem;
pub mod rounding;
pub mod sign;
pub mod solver;
pub mod vertex;

pub use classify::{Class, classify};
pub use direction::{DirectionKind, Operand, SymbolicDirection};
pub use integer::{Int, Int3};
pub use measure::{Measured, Plane};
pub use nearest::Nearest;
pub use problem::{Points, Problem};
pub use sign::{AdaptiveSigns, SignOracle, StageCounts};
pub use solver::Simplex;
pub use vertex::Vertex;
