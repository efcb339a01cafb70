//! The small vector kernel: scalars, vectors and poses, generic over `f32` and `f64`, 2D and 3D.

mod axis;
mod big_int;
mod convert;
mod interval;
pub(crate) mod planar;
mod pose;
mod pose_error;
mod rotation;
mod scalar;
pub(crate) mod triple;
mod vector;

pub use axis::{Axis, AxisError};
pub use big_int::{BigInt, BigIntError};
pub use interval::Interval;
pub use pose::{Pose, Pose2, Pose3};
pub use pose_error::PoseError;
pub(crate) use rotation::quaternion_of;
pub use scalar::{Ring, Scalar};
pub(crate) use scalar::{exponent_of, larger, smaller};
pub(crate) use triple::{
    Triple, cross, dot, is_plain_square, length, length_of_any, negative, per_length, plus,
    subtract, sum_abs,
};
pub use vector::{Vec2, Vec3, Vector, Vector64};
