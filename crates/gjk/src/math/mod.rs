//! The small vector kernel: scalars, vectors and poses, generic over `f32` and `f64`, 2D and 3D.

mod convert;
mod pose;
mod scalar;
mod triple;
mod vector;

pub use pose::{Pose, Pose2, Pose3};
pub(crate) use scalar::exponent_of;
pub use scalar::{Ring, Scalar};
pub(crate) use triple::{Triple, cross, dot, length, plus, sum_abs};
pub use vector::{Vec2, Vec3, Vector, Vector64};
