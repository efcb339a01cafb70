//! Motions, compiled in this crate once for each vector: see `narrow/compiled.rs`.
//!
//! Where it sits: [`crate::query`] comes here.

use super::cast;
use super::found::{CastFound, MotionFound};
use super::watch::Watch;
use super::{CastProof, MotionOptions, Moving, Ray, ToiOptions, Twist};
use crate::math::{Pose, Vec2, Vec3, Vector};
use crate::support::AnyBody;

/// What a scalar has for its vectors `V`. It is for this crate alone.
pub trait CompiledMotion<V: Vector> {
    /// What is known at once of a ray.
    fn ray_at_once(
        body: &AnyBody<'_, V>,
        pose: &Pose<V>,
        ray: &Ray<V>,
        options: &MotionOptions<V::Scalar>,
    ) -> Option<MotionFound>;
    /// The answer on a ray by a search, for who wants a proof or watches.
    fn searched_ray(
        body: &AnyBody<'_, V>,
        pose: &Pose<V>,
        ray: &Ray<V>,
        options: &MotionOptions<V::Scalar>,
        proof: bool,
        watch: Watch<'_>,
    ) -> CastProof<V>;
    /// What is known at once of two bodies that do not turn.
    fn cast_at_once(
        a: &Moving<'_, V>,
        b: &Moving<'_, V>,
        options: &MotionOptions<V::Scalar>,
    ) -> Option<CastFound>;
    /// The answer on them by a search.
    fn searched_cast(
        a: &Moving<'_, V>,
        b: &Moving<'_, V>,
        options: &MotionOptions<V::Scalar>,
        proof: bool,
        watch: Watch<'_>,
    ) -> CastProof<V>;
    /// The answer on two bodies that may turn.
    fn toi(
        a: &Moving<'_, V>,
        b: &Moving<'_, V>,
        twists: [&Twist<V>; 2],
        options: &ToiOptions<V::Scalar>,
        proof: bool,
        watch: Watch<'_>,
    ) -> CastProof<V>;
}

macro_rules! compiled {
    ($($scalar:ty: $vector:ty;)*) => {$(
        impl CompiledMotion<$vector> for $scalar {
            #[cfg_attr(debug_assertions, inline)]
            fn ray_at_once(
                body: &AnyBody<'_, $vector>,
                pose: &Pose<$vector>,
                ray: &Ray<$vector>,
                options: &MotionOptions<$scalar>,
            ) -> Option<MotionFound> {
                cast::ray_at_once(body, pose, ray, options)
            }
            #[cfg_attr(debug_assertions, inline)]
            fn searched_ray(
                body: &AnyBody<'_, $vector>,
                pose: &Pose<$vector>,
                ray: &Ray<$vector>,
                options: &MotionOptions<$scalar>,
                proof: bool,
                watch: Watch<'_>,
            ) -> CastProof<$vector> {
                cast::searched_ray(body, pose, ray, options, proof, watch)
            }
            #[cfg_attr(debug_assertions, inline)]
            fn cast_at_once(
                a: &Moving<'_, $vector>,
                b: &Moving<'_, $vector>,
                options: &MotionOptions<$scalar>,
            ) -> Option<CastFound> {
                cast::cast_at_once(a, b, options)
            }
            #[cfg_attr(debug_assertions, inline)]
            fn searched_cast(
                a: &Moving<'_, $vector>,
                b: &Moving<'_, $vector>,
                options: &MotionOptions<$scalar>,
                proof: bool,
                watch: Watch<'_>,
            ) -> CastProof<$vector> {
                cast::searched_cast(a, b, options, proof, watch)
            }
            #[cfg_attr(debug_assertions, inline)]
            fn toi(
                a: &Moving<'_, $vector>,
                b: &Moving<'_, $vector>,
                twists: [&Twist<$vector>; 2],
                options: &ToiOptions<$scalar>,
                proof: bool,
                watch: Watch<'_>,
            ) -> CastProof<$vector> {
                cast::toi(a, b, twists, options, proof, watch)
            }
        }
    )*};
}
compiled! { f32: Vec2<f32>; f32: Vec3<f32>; f64: Vec2<f64>; f64: Vec3<f64>; }
