//! What the dispatcher of the plane answers, in both scalars.

#[cfg(feature = "parry2d")]
mod narrow;
#[cfg(feature = "parry2d-f64")]
mod wide;
