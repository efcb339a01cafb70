//! The pair solvers: closed forms for pairs of simple bodies, without a loop.
//!
//! Where they sit: called by [`crate::narrow::dispatch`], which has the table of solvers for each pair of kinds. A solver reads
//! two cores, their poses and a request, writes [`crate::bounds::Bounds`] and returns a [`crate::bounds::Conclusion`]. It decides
//! nothing else: it knows no options, no certificate and no other solver.

pub(crate) mod box_box;
pub(crate) mod parallel_axes;
pub(crate) mod point_round;
pub(crate) mod point_segment_box;
pub(crate) mod polygon_polygon;
mod polygon_soa;
pub(crate) mod rectangles;
