//! Rays against a body.
//!
//! Where it sits: the face over `motion/`.

use crate::math::{Pose, Vector};
use crate::motion::compiled::CompiledMotion;
use crate::motion::{CastAnswer, CastProof, MotionOptions, MotionStep, Ray};
use crate::support::Support;

/// When a ray meets a body, and where.
///
/// Frame: the world; times are in lengths of the ray's direction.  Sign: the normal points out of the body.
/// # Accuracy  exact verdicts for polytopes and rounded polytopes, a graze included; a polytope's time is a proven interval at most 2⁻⁴⁰ of itself wide, and
/// [`prove_ray`]'s is between neighbouring floats, or exact. Smooth bodies have proven intervals, mostly at most 2⁻⁴² of themselves wide or some roundings, and may be
/// [`super::Meeting::Undecided`] within rounding of a graze.
/// # Complexity  O(n) for a polytope of n vertices, and some ten steps: in floats, or by exact signs where floats do not decide; other bodies take
/// some 20 to 50 supports, and some ten contacts where floats do not decide.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, Meeting, Ray}, shape::Cuboid};
/// let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
/// let ray = Ray::new(Vec3::new(-3.0, 0.0, 0.0), Vec3::new(6.0, 0.0, 0.0)).unwrap();
/// let answer = query::ray(&cube, &Pose::identity(), &ray, &Default::default());
/// assert_eq!(answer.verdict, Meeting::Hits);
/// assert!(answer.time.unwrap().contains(1.0 / 3.0) && answer.exit.unwrap().contains(2.0 / 3.0));
/// assert_eq!(answer.normal, Some(Vec3::new(-1.0, 0.0, 0.0)));
/// ```
/// # Source  Snethen 2008 (portals); where floats do not decide of other bodies, Newton's method on the signed distance, by van den Bergen 2004.
pub fn ray<V: Vector, A: Support<V> + ?Sized>(
    body: &A,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> CastAnswer<V> {
    // The answer is made here, so that nothing copies it to its place.
    match V::Scalar::ray_at_once(&body, pose, ray, options) {
        Some(found) => found.told(ray),
        None => V::Scalar::searched_ray(&body, pose, ray, options, false, None).answer,
    }
}

/// [`ray`], with the features that meet and the certificate that proves it.
///
/// # Accuracy  as [`ray`]; a polytope's time in `f64` is between neighbouring floats, or exact.
/// # Complexity  as [`ray`] by exact signs, with allocations, and integers for the certificate.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, Ray}, shape::Cuboid, verify};
/// let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
/// let ray = Ray::new(Vec3::new(-3.0, 1.0, 0.5), Vec3::new(2.0, 0.0, 0.0)).unwrap();
/// let proof = query::prove_ray(&cube, &Pose::identity(), &ray, &Default::default());
/// assert!(proof.answer.grazing);
/// assert_eq!(proof.features, [vec![2, 6], vec![0]]);
/// assert!(verify::verify_ray(&cube, &Pose::identity(), &ray, &Default::default(), &proof).unwrap().verdict);
/// ```
pub fn prove_ray<V: Vector, A: Support<V> + ?Sized>(
    body: &A,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> CastProof<V> {
    V::Scalar::searched_ray(&body, pose, ray, options, true, None)
}

/// [`ray`], with an observer of every step of the search.
///
/// Closed forms are left out, so that there are steps.
/// # Accuracy  as [`ray`].
/// # Complexity  as [`ray`], with allocations for the steps.
pub fn observe_ray<V: Vector, A: Support<V> + ?Sized>(
    body: &A,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
    observe: &dyn Fn(MotionStep),
) -> CastAnswer<V> {
    V::Scalar::searched_ray(&body, pose, ray, options, false, Some(observe)).answer
}
