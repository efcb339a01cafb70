//! What the engine and the sweep of sizes share: workloads in the library's own types, and the batched operations.
//!
//! Where it sits: `main.rs` is the engine that the harness asks by `../../PROTOCOL.md`; `bin/sweep` measures by size.
//! Reading order: [`Questions`], then `batch.rs`, and `motion.rs` for moving bodies, manifolds and gradients. Apart from them,
//! `surfaces.rs`: triangle meshes as they are.

mod answers;
mod batch;
pub mod motion;
mod questions;
pub mod surfaces;

pub use answers::{of_verdict, said};
pub use batch::{Answers, Ask, Columns};
pub use questions::{Questions, Space};
