//! Contacts of gjk in parry's place: a `QueryDispatcher` and a `PersistentQueryDispatcher` that physics engines on parry, such as rapier, accept.
//!
//! ```
//! # #[cfg(feature = "parry3d")] {
//! use parry3d::{math::Pose, query::QueryDispatcher, shape::Cuboid};
//! let (cube, above) = (Cuboid::new([1.0, 1.0, 1.0].into()), Pose::translation(0.5, 0.0, 2.5));
//! let dispatcher = gjk_parry::dim3::with_parry();
//! assert_eq!(dispatcher.distance(&above, &cube, &cube).unwrap().distance, 0.5);
//! # }
//! ```
//!
//! In rapier: `NarrowPhase::with_query_dispatcher(gjk_parry::dim3::with_parry())`.
//!
//! **Answered by gjk**: pairs of ball, cuboid, capsule, segment, triangle, convex polyhedron or polygon, cylinder, cone, and the rounded ones of parry.
//! Of meshes, height fields, polylines and compounds parry finds the parts that are near, and gjk answers for each of them.
//!
//! **Left to parry**, by `chain`: half-spaces, voxels, shapes of the caller's, sizes of zero that make a shape flat (a segment, a triangle and a
//! ball may be degenerate), numbers that are not finite, a motion that gjk leaves undecided, and the manifold of two parts where parry's rule for inner edges of a mesh turns
//! the normal. [`dim3::GjkDispatcher`] alone says `Unsupported` of them, but for that manifold and the parts of a composite shape.
//!
//! **Frames** are parry's: points and normals are in the frame of their own shape.
//!
//! A crate of parry's is a feature here, and a module: `parry3d` (default) is [`dim3`], `parry3d-f64` is `dim3_f64`, `parry2d` is `dim2`, and
//! `parry2d-f64` is `dim2_f64`. All are one source.

#[cfg(feature = "parry2d")]
pub mod dim2;
#[cfg(feature = "parry2d-f64")]
pub mod dim2_f64;
#[cfg(feature = "parry3d")]
pub mod dim3;
#[cfg(feature = "parry3d-f64")]
pub mod dim3_f64;
