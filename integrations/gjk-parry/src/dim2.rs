//! In the plane, `f32`: for `parry2d`.

#[path = "each/mod.rs"]
#[allow(clippy::duplicate_mod)]
mod each;
#[path = "plane.rs"]
#[allow(clippy::duplicate_mod)]
mod kind;

use parry2d as parry;

pub use each::{GjkDispatcher, with_parry};
