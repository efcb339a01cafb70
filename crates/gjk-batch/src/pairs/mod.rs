//! Solvers of one kind of pair, a pair a lane.
//!
//! Where they sit: `dispatch/` calls them through `kernels.rs`. They are leaves: none decides what comes next.

pub(crate) mod box_box;
pub(crate) mod hull_hull;
pub(crate) mod point_segment_box;
pub(crate) mod polygon_polygon;
