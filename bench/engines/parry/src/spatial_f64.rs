//! `parry3d_f64`.

use parry3d_f64 as parry;

#[path = "spatial.rs"]
mod build;
#[path = "motion.rs"]
mod motion;
#[path = "queries.rs"]
pub(crate) mod queries;
