//! In space, `f64`: for `parry3d_f64`.

#[path = "each/mod.rs"]
#[allow(clippy::duplicate_mod)]
mod each;
#[path = "space.rs"]
#[allow(clippy::duplicate_mod)]
mod kind;

use parry3d_f64 as parry;

pub use each::{GjkDispatcher, with_parry};
