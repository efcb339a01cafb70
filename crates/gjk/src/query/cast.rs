//! Two bodies in linear motion.
//!
//! Where it sits: the face over `motion/`.

use crate::math::{Pose, Vector};
use crate::motion::compiled::CompiledMotion;
use crate::motion::{CastAnswer, CastProof, MotionOptions, MotionStep, Moving};
use crate::support::Support;

/// When two bodies meet that move in straight lines without turning, and where.
///
/// Frame: the world; `pose_a` and `pose_b` are where the bodies are at time 0, and a velocity is how far one moves in a unit of time.  Sign: the normal
/// points from A to B.  Velocities that are not finite, and bodies beyond the range of `f64`, are [`super::Meeting::Undecided`].
/// # Accuracy  as [`super::ray`], which is the cast of a point: exact verdicts for polytopes and rounded polytopes, for the real difference of the velocities.
/// # Complexity  O(m + n) for each of some ten steps: the vertices of the difference are never built.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, Meeting}, shape::Cuboid};
/// let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
/// let (here, there) = (Pose::identity(), Pose::from_translation(Vec3::new(5.0, 1.0, 0.0)));
/// let (right, left) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(-2.0, 0.0, 0.0));
/// let answer = query::cast(&cube, &here, right, &cube, &there, left, &Default::default());
/// assert_eq!(answer.verdict, Meeting::Hits);
/// assert_eq!((answer.time.unwrap().lower, answer.time.unwrap().upper), (1.0, 1.0));
/// assert_eq!(answer.normal, Some(right));
/// assert_eq!(answer.point_a.unwrap().x, 2.0);
/// ```
/// # Source  as [`super::ray`].
pub fn cast<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    velocity_a: V,
    b: &B,
    pose_b: &Pose<V>,
    velocity_b: V,
    options: &MotionOptions<V::Scalar>,
) -> CastAnswer<V> {
    let (a, b) = (
        moving(&a, pose_a, velocity_a),
        moving(&b, pose_b, velocity_b),
    );
    // The answer is made here, so that nothing copies it to its place.
    match V::Scalar::cast_at_once(&a, &b, options) {
        Some(found) => found.told(),
        None => V::Scalar::searched_cast(&a, &b, options, false, None).answer,
    }
}

/// [`cast`], with the features that meet and the certificate that proves it.
///
/// # Accuracy  as [`super::prove_ray`].
/// # Complexity  as [`cast`] by exact signs, with allocations, and integers for the certificate.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query, shape::Cuboid, verify};
/// let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
/// let (here, there) = (Pose::identity(), Pose::from_translation(Vec3::new(5.0, 2.0, 0.0)));
/// let (rest, left) = (Vec3::new(0.0, 0.0, 0.0), Vec3::new(-2.0, 0.0, 0.0));
/// let options = Default::default();
/// let proof = query::prove_cast(&cube, &here, rest, &cube, &there, left, &options);
/// assert!(proof.answer.grazing);
/// assert_eq!(proof.features, [vec![3, 7], vec![0, 4]]);
/// assert!(verify::verify_cast(&cube, &here, rest, &cube, &there, left, &options, &proof).unwrap().verdict);
/// ```
pub fn prove_cast<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    velocity_a: V,
    b: &B,
    pose_b: &Pose<V>,
    velocity_b: V,
    options: &MotionOptions<V::Scalar>,
) -> CastProof<V> {
    let (a, b) = (
        moving(&a, pose_a, velocity_a),
        moving(&b, pose_b, velocity_b),
    );
    V::Scalar::searched_cast(&a, &b, options, true, None)
}

/// [`cast`], with an observer of every step of the search.
///
/// # Accuracy  as [`cast`]: the same steps.
/// # Complexity  as [`cast`], with allocations for the steps.
#[allow(clippy::too_many_arguments)] // those of the question, and who watches
pub fn observe_cast<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    velocity_a: V,
    b: &B,
    pose_b: &Pose<V>,
    velocity_b: V,
    options: &MotionOptions<V::Scalar>,
    observe: &dyn Fn(MotionStep),
) -> CastAnswer<V> {
    let (a, b) = (
        moving(&a, pose_a, velocity_a),
        moving(&b, pose_b, velocity_b),
    );
    V::Scalar::searched_cast(&a, &b, options, false, Some(observe)).answer
}

pub(super) fn moving<'p, V: Vector, S: Support<V> + ?Sized>(
    shape: &'p &'p S,
    pose: &'p Pose<V>,
    velocity: V,
) -> Moving<'p, V> {
    Moving {
        shape,
        pose,
        velocity,
    }
}
