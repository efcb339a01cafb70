//! `parry3d`.

use parry3d as parry;

#[path = "spatial.rs"]
mod build;
#[path = "motion.rs"]
mod motion;
#[path = "queries.rs"]
pub(crate) mod queries;
