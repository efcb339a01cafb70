//! Balls and capsules, and either with a box, by closed forms of their cores: points, segments and boxes.

pub(crate) mod distance;
pub(crate) mod penetration;
