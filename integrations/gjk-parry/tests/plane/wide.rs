//! `f64`.

#[path = "laws.rs"]
#[allow(clippy::duplicate_mod)]
mod laws;

use gjk_parry::dim2_f64 as ours;
use parry2d_f64 as parry;

/// What parry may be off in this scalar, for bodies of a metre: its loop ends by absolute tolerances.
const CLOSE: f64 = 1e-4;
