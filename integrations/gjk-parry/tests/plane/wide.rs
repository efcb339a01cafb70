//! `f64`.

#[path = "laws.rs"]
#[allow(clippy::duplicate_mod)]
mod laws;

use gjk_parry::dim2_f64 as ours;
use parry2d_f64 as parry;
