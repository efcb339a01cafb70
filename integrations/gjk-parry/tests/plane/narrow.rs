//! `f32`.

#[path = "laws.rs"]
#[allow(clippy::duplicate_mod)]
mod laws;

use gjk_parry::dim2 as ours;
use parry2d as parry;

/// What parry may be off in this scalar, for bodies of a metre: its loop ends by absolute tolerances.
const CLOSE: f32 = 1e-2;
