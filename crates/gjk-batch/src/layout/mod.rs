//! How bodies lie in memory, and how lanes are filled from there.
//!
//! Where it sits: below every kernel; it knows none of them.

pub(crate) mod shapes;
pub(crate) mod tiles;
pub(crate) mod transpose;
