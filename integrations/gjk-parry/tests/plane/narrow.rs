//! `f32`.

#[path = "laws.rs"]
#[allow(clippy::duplicate_mod)]
mod laws;

use gjk_parry::dim2 as ours;
use parry2d as parry;
