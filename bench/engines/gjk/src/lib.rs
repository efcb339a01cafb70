//! What the engine and the sweep of sizes share: workloads in the library's own types, and the batched operations.
//!
//! Where it sits: `main.rs` is the engine that the harness asks by `../../PROTOCOL.md`; `bin/sweep` measures by size.
//! Reading order: [`Questions`], then `batch.rs`.

mod answers;
mod batch;
mod questions;

pub use answers::{of_verdict, said};
pub use batch::{Answers, Ask, Columns};
pub use questions::{Questions, Space};
