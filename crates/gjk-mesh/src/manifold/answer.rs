//! What a caller may choose of a mesh's manifold, and what it says.

use crate::shape::ShapeContact;
use gjk::Vec3;
use gjk::query::{ManifoldOptions, ManifoldPoint};

/// Which sides of a surface bear. A solid bears on its outside, whatever is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshSides {
    /// Both: a body is on the side of a face on which the shortest way out is, or else its centre.
    #[default]
    Both,
    /// That from which the corners of triangles run counter-clockwise: what is behind passes.
    Front,
}

/// Options of [`crate::PosedBody::manifold`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeshManifoldOptions {
    /// The prediction, the most points of one normal, and the tilt, as of two convex bodies.
    pub points: ManifoldOptions<f64>,
    /// Which sides of a surface bear.
    pub sides: MeshSides,
}

/// A point at which a mesh and a body bear on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshPoint {
    /// As of two convex bodies, with the mesh as A. Vertices and edges of the mesh have the numbers of the input. [`gjk::query::ContactFeature::Face`] of the mesh is the face of this point; its
    /// `id` is a hash of both features, with the number of the face, or the ring of the body's supporting face.
    pub point: ManifoldPoint<Vec3<f64>>,
    /// The lowest triangle of the face, the triangles of one plane that edges connect: it stays as the body slides over their inner edges.
    pub face: u32,
    /// The triangle itself.
    pub triangle: u32,
}

/// The points of one normal.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshPatch {
    /// Unit, from the mesh to the body.
    pub normal: Vec3<f64>,
    /// Counter-clockwise seen against the normal, from the deepest on; never none.
    pub points: Vec<MeshPoint>,
    /// No point was left out to keep to the number wanted.
    pub complete: bool,
}

/// The answer of [`crate::PosedBody::manifold`].
#[derive(Clone, Debug, PartialEq)]
pub struct MeshManifold {
    /// How the body is to the mesh, within the prediction.
    pub contact: ShapeContact,
    /// By normal, the deepest first.
    pub patches: Vec<MeshPatch>,
}
