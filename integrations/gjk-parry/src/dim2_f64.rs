//! In the plane, `f64`: for `parry2d_f64`.

#[path = "each/mod.rs"]
#[allow(clippy::duplicate_mod)]
mod each;
#[path = "plane.rs"]
#[allow(clippy::duplicate_mod)]
mod kind;

use parry2d_f64 as parry;

pub use each::{GjkDispatcher, with_parry};
