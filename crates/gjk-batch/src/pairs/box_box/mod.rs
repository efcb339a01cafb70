//! Two boxes in space: which of 15 axes separates them or is nearest, and the depth along one of them.

pub(crate) mod axes;
pub(crate) mod distance;
pub(crate) mod facet;
pub(crate) mod penetration;
