//! What the dispatcher of space answers, in both scalars.

#[cfg(feature = "parry3d")]
mod narrow;
#[cfg(feature = "parry3d-f64")]
mod wide;
