//! Convex hulls of any finite point set, in the plane and in space, and the proof that a mesh is convex.
//!
//! Where it sits: shape constructors and the mesh audit call it; of the crate it uses only the products of triples and the unit
//! roundoff. Read [`convex_hull_3`], then `spatial.rs` (the loop) and `facets.rs` (the merge).
//!
//! Idea: quickhull on triangles. The surface is at all times a closed, weakly convex triangulation: a point is added
//! only when it is *strictly* outside some triangle, and only the strictly visible triangles are replaced. A point in
//! the plane of a triangle never makes it visible, hence no new triangle is flat; coplanar triangles are merged into
//! polygons once, at the end.
//!
//! Numbers: there is no tolerance. Every decision is the exact sign of a determinant of the given coordinates, for
//! every finite `f64` (see `cloud.rs` for the filter; what it leaves is decided by `gjk-exact`). Floats
//! only choose which point is added first, so a rounding error can cost time but never change the answer. Scaling the
//! input by a power of two leaves the answer bit-equal.
//!
//! Source: Barber, Dobkin, Huhdanpaa, "The quickhull algorithm for convex hulls", ACM TOMS 22, 1996; planar: Andrew,
//! "Another efficient algorithm for convex hulls in two dimensions", IPL 9, 1979. We differ: no facet is ever thick
//! and none is merged on the way.

mod cloud;
mod cone;
mod facets;
mod mesh;
mod planar;
mod spatial;
mod triangle;
mod validate;

pub use facets::{HullMesh, Neighbours};
pub use mesh::{MeshStats, mesh_stats, mesh_volume};
pub use planar::{PlanarHull, convex_hull_2};
pub use spatial::{SpatialHull, convex_hull_3};
pub use validate::{ConvexityError, check_convex_mesh};

/// Why a point set has no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HullError {
    /// There are no points.
    Empty,
    /// A coordinate is infinite or not a number.
    NotFinite {
        /// The point, as an index into the input.
        index: usize,
        /// The coordinate: 0 is x, 1 is y, 2 is z.
        axis: usize,
    },
    /// More points than 32-bit indices can name: the limit is 2³¹ − 1.
    TooManyPoints,
}

impl core::fmt::Display for HullError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Empty => f.write_str("no points, so no hull"),
            Self::NotFinite { index, axis } => {
                let name = ["x", "y", "z"].get(*axis).copied().unwrap_or("?");
                write!(f, "point {index}: its {name} is not a finite number")
            }
            Self::TooManyPoints => f.write_str("more than 2147483647 points"),
        }
    }
}

impl core::error::Error for HullError {}
