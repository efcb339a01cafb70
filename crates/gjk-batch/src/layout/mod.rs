//! How bodies lie in memory, and how lanes are filled from there.
//!
//! Where it sits: below every kernel; it knows none of them.

pub(crate) mod box_lanes;
pub(crate) mod lane_bodies;
pub(crate) mod posed;
pub(crate) mod poses;
pub(crate) mod shapes;
pub(crate) mod shared;
pub(crate) mod tiles;
pub(crate) mod transpose;
pub(crate) mod world;
