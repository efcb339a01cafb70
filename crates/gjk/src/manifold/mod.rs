//! Contact manifolds: the points at which two bodies bear on each other, named so that they can be found again.
//!
//! Where it sits: above `narrow/`, which gives normal and signed distance, and below [`crate::query`], which is the face. Read `solve.rs`: it has the
//! steps, in order.
//! Idea: along the normal each body is its supporting face, or edge, or vertex (`faces.rs`). Seen along the normal these are two convex polygons,
//! and the manifold is the intersection of the two (`polygon.rs`): each of its corners is a vertex over a face or two edges that cross, which is its
//! name. No face is the reference, so that nothing flips. `names.rs` names what is within rounding by the lower-dimensional feature. `reduce.rs`
//! keeps a few of the points, `keep.rs` of any points; `cache.rs` carries values of the caller from one manifold to the next.
//!
//! Frame: plane bodies are flat bodies in space, so one code serves both. Numbers are of the world, scaled by a power of two.

mod along;
mod answer;
mod box_corners;
mod box_face;
mod box_plan;
mod boxes;
mod cache;
mod chosen;
mod cuboid;
mod edges;
mod faces;
mod facet;
mod few;
mod inline;
mod keep;
mod measures;
mod names;
mod options;
mod placed;
mod planar;
mod polygon;
mod reduce;
mod round;
mod solve;
mod tilt;
mod view;

pub(crate) use along::along;
pub use answer::{ContactFeature, Manifold, ManifoldKind, ManifoldPoint, feature_id};
pub use cache::ManifoldCache;
pub use inline::{FaceRing, ManifoldPoints};
pub use keep::kept_points;
pub use options::ManifoldOptions;
pub(crate) use placed::{Placed, placed};
pub(crate) use polygon::{Corner, crossing, intersect, side};
pub(crate) use solve::{answer, kept_answer};
pub(crate) use view::{Flat, View, size, unit};
