//! `parry2d`.

use parry2d as parry;

#[path = "planar.rs"]
mod build;
#[path = "queries.rs"]
pub(crate) mod queries;
