//! `parry2d_f64`.

use parry2d_f64 as parry;

#[path = "planar.rs"]
mod build;
#[path = "motion.rs"]
mod motion;
#[path = "queries.rs"]
pub(crate) mod queries;
