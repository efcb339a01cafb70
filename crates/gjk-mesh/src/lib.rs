//! Triangle meshes as they are: what encloses an inside, and where a mesh meets itself, by exact signs.
//!
//! What it answers: is a mesh a *solid*, the union of closed shells with their cavities, or a *surface*, the set of its triangles
//! and no inside; where is it open; where do its triangles meet beyond the corners that they share; is a point inside. How two of them, or one and a
//! convex body, are to each other; when a ray or a convex body in motion first meets one, and at which points such a body bears on it.
//!
//! Where it sits: between `gjk-exact`, which decides signs, and the programs that read mesh files. It knows no files:
//! every answer is about the floats of the vertices that it is given, or as a pose rounds them.
//!
//! Reading order: [`TriMesh`], [`shells`] (which triangles belong together, and which way they face), [`triangles`] (the contact
//! of two triangles), [`self_contact`], [`inside`], then [`MeshKind`], which is made of all of them; [`relation`], and [`trace`], which
//! says what it did; [`PosedBody::ray`], [`PosedBody::cast`] and [`PosedBody::manifold`].
//!
//! Frame: the mesh's own.  Units: the caller's.  Vertices are welded where they are equal as numbers, never by distance. No
//! decision has a tolerance: each is an exact sign of the vertices' coordinates. Distances and depths are intervals.

mod ask;
mod body;
mod boxes;
mod bvh;
mod by_vertex;
mod cells;
pub mod certificate;
mod cone;
mod depth;
mod distance;
mod error;
mod fans;
mod flat;
mod in_place;
pub mod inside;
mod kind;
mod manifold;
mod mesh;
mod nesting;
mod open_edges;
mod pairs;
mod parts;
pub mod relation;
pub mod self_contact;
mod shape;
pub mod shells;
mod signs;
mod sweep;
mod topology;
pub mod trace;
pub mod triangles;
mod vector;
pub mod verify;

pub use body::{MeshBody, PosedBody};
pub use depth::{Depth, DepthOptions, Escape, InnerBall, Protrusion};
pub use distance::{DistanceOptions, NearTriangles, SurfaceDistance, Warm};
pub use error::MeshError;
pub use inside::Side;
pub use kind::{MeshKind, SurfaceReason};
pub use manifold::{MeshManifold, MeshManifoldOptions, MeshPatch, MeshPoint, MeshSides};
pub use mesh::{LeftOut, TriMesh, triangulated};
pub use open_edges::NearVertices;
pub use parts::{Containment, ConvexParts, Farthest, PartsAnswer, PartsOptions};
pub use relation::{Feature, Relation, RelationAnswer, SurfaceContact};
pub use self_contact::SelfContact;
pub use shape::ShapeContact;
pub use shells::Shell;
pub use sweep::{MeshCast, MeshHit, SweepError};
pub use triangles::Contact;
