//! The loops in lanes: GJK in lock-step, the nearest face of its simplex, and support points.
//!
//! Where it sits: called by the pair solvers of `pairs/` and through `kernels.rs`.

pub(crate) mod lockstep_gjk;
pub(crate) mod simplex;
pub(crate) mod support;
pub(crate) mod support_large;
