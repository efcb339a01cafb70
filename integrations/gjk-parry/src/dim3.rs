//! In space, `f32`: for `parry3d`.

#[path = "each/mod.rs"]
#[allow(clippy::duplicate_mod)]
mod each;
#[path = "space.rs"]
#[allow(clippy::duplicate_mod)]
mod kind;

use parry3d as parry;

pub use each::{GjkDispatcher, with_parry};
