//! `parry2d`.

use parry2d as parry;

#[path = "planar.rs"]
mod build;
#[path = "motion.rs"]
mod motion;
#[path = "queries.rs"]
pub(crate) mod queries;
