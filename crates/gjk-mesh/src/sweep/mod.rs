//! Rays, casts and times of impact against a mesh: when and where a motion first meets it.
//!
//! Where it sits: above [`gjk::query`], which answers for one triangle, and `boxes.rs`, whose tree is walked. `answer.rs` is what comes out, `course.rs` says when a moving box can meet another,
//! `walk.rs` visits the triangles in that order, `first.rs` puts the answers of triangles together, `ray.rs` and `cast.rs` are the questions, `passage.rs` says what a ray does at a point of the
//! surface.
//! Idea: a mesh is the union of its triangles, each of them a convex body, for which the library answers with proved times. A box that a motion meets later than a proved
//! contact holds nothing that is first. A solid is its inside too: a start there is told by a ray of exact signs.
//!
//! Frame: the world. Sign: normals point from the mesh to what moves. Times are those of [`gjk::query::MotionOptions`].

mod answer;
mod cast;
mod course;
mod first;
mod passage;
mod ray;
mod walk;

pub use answer::{MeshCast, SweepError};
pub use ray::MeshHit;
