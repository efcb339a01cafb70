//! Certified convex collision queries in 2D and 3D, for `f32` and `f64`, from one code.
//!
//! ```
//! use gjk::{Axis, Pair, Pose, Vec3, query::Verdict, shape::{Capsule, Cuboid}, verify::verify};
//! let table = Cuboid::new(Vec3::new(1.0, 1.0, 0.05)).unwrap();
//! let finger = Capsule::new(0.04, 0.01, Axis::Z).unwrap();
//! let (here, above) = (Pose::identity(), Pose::from_translation(Vec3::new(0.3, 0.2, 0.11)));
//! let pair = Pair { a: &table, pose_a: &here, b: &finger, pose_b: &above };
//! // The fast path: plain data, an interval that contains the truth.
//! let answer = pair.contact();
//! assert_eq!(answer.verdict, Verdict::Separated);
//! assert!(answer.signed_distance.contains(0.01) && answer.signed_distance.width() < 1e-13);
//! // The same with a certificate, held to its definition in exact arithmetic.
//! let proof = pair.prove();
//! assert!(verify(&table, &here, &finger, &above, &proof).unwrap().verdict);
//! ```
//!
//! **Conventions.** Every query takes `(a, pose_a, b, pose_b, options)`, or is a method of [`Pair`]; answers are in world
//! coordinates. Normals are unit and point from A to B. A signed distance is positive when separated, zero when touching,
//! negative in overlap. Lengths are in the caller's unit, angles in radians, axes right-handed.
//!
//! **Exactness.** A polytope at a pose *is* the hull of its vertices `L·x + t` computed in `f64`, each coordinate
//! rounded at every operation; for these points verdicts are exact. The rounding moves a vertex by at most `4·2⁻⁵³` of
//! its coordinates' sizes. Without a pose, or with translations that add exactly, the points are the input itself. Two
//! coplanar bodies in 3D, and collinear ones in 2D, share no inner points, so they can at most touch.
//!
//! **Reading order.** To use the crate: [`query`] for what is answered, [`Support`] for what a shape must say. To read its
//! source: `ARCHITECTURE.md`, "A newcomer's hour". It begins with the loops in `src/loops/` (`gjk.rs`, `simplex.rs`, `epa/`),
//! which [`trace`] shows at work, and goes on to the steps of a query in `src/narrow/ladder.rs`.
//!
//! **Features.** `std` (default) or `libm` for square roots; `serde`; `mint`; `glam-034`; `nalgebra-035`.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!("crate `gjk` needs feature `std` or feature `libm` for square roots");

mod answer;
mod bounds;
mod cache;
mod gradient;
pub mod hull;
#[doc(hidden)]
pub mod loops;
mod manifold;
pub mod math;
mod motion;
mod narrow;
mod pair;
mod pairs;
pub mod query;
#[cfg(test)]
mod random;
mod request;
mod rounding;
pub mod shape;
mod simd;
mod support;
pub mod verify;
mod vertices;

pub use loops::gjk::Stop;
pub use loops::trace;
pub use math::{Axis, Pose, Pose2, Pose3, Scalar, Vec2, Vec3, Vector};
pub use pair::Pair;
pub use support::{
    Core, Discs, Form, MinkowskiDifference, NO_ID, Posed, Revolution, Support, SupportPair,
    SupportPoint,
};
pub use vertices::HullVertices;
