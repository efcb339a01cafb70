//! Two bodies that move and turn.
//!
//! Where it sits: the face over `motion/`.

use super::cast::moving;
use crate::math::{Pose, Vector};
use crate::motion::compiled::CompiledMotion;
use crate::motion::{CastAnswer, CastProof, MotionStep, ToiOptions, Twist};
use crate::support::Support;

/// When two bodies first meet that move and turn, and where: the time of impact.
///
/// Frame: the world; `pose_a` and `pose_b` are where the bodies are at time 0, and a [`Twist`] is how one moves from there. Sign: the normal points from A to B.
/// [`super::Meeting::Free`] is proved for the whole motion, also where both ends of it are far from contact. Of [`super::Meeting::Hits`] it is proved that there is no contact
/// before `time.lower`, and contact at `time.upper`. A motion that only touches within rounding is [`super::Meeting::Undecided`].
/// # Accuracy  the time is as narrow as the rounding of places over the closing speed, or as the options ask; the verdict is proved, and never rests on samples.
/// # Complexity  some three distances, and some six supports of each body beside them; a miss by a hair takes some more for each power of ten, up to the options' bound.
/// # Examples
/// A bar swings through a floor though it is clear of it at both ends of the motion:
/// ```
/// use gjk::{Pose, Vec2, query::{self, Meeting, Twist}, shape::Cuboid};
/// let (bar, floor) = (Cuboid::new(Vec2::new(1.0, 0.05)).unwrap(), Cuboid::new(Vec2::new(10.0, 1.0)).unwrap());
/// let (above, below) = (Pose::from_angle(-0.5, Vec2::new(0.0, 0.9)), Pose::from_translation(Vec2::new(0.0, -1.0)));
/// let zero = Vec2::new(0.0, 0.0);
/// let swing = Twist::new(zero, [0.0, 0.0, -2.14], zero).unwrap();
/// let answer = query::toi(&floor, &below, &Twist::rest(), &bar, &above, &swing, &Default::default());
/// assert_eq!(answer.verdict, Meeting::Hits);
/// assert!(answer.time.unwrap().upper - answer.time.unwrap().lower < 1e-12);
/// ```
/// # Source  Mirtich 1996 (conservative advancement); Catto 2013 (separating axes that turn with a body); the chord bound is docs/toi.md's.
pub fn toi<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    twist_a: &Twist<V>,
    b: &B,
    pose_b: &Pose<V>,
    twist_b: &Twist<V>,
    options: &ToiOptions<V::Scalar>,
) -> CastAnswer<V> {
    let (a, b) = (moving(&a, pose_a, V::ZERO), moving(&b, pose_b, V::ZERO));
    V::Scalar::toi(&a, &b, [twist_a, twist_b], options, false, None).answer
}

/// [`toi`], with the certificate that proves it.
///
/// # Complexity  as [`toi`], with allocations.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, CastCertificate, Twist}, shape::Cuboid, verify};
/// let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
/// let (here, there) = (Pose::identity(), Pose::from_translation(Vec3::new(5.0, 0.5, 0.0)));
/// let zero = Vec3::new(0.0, 0.0, 0.0);
/// let (rest, comes) = (Twist::rest(), Twist::new(Vec3::new(-4.0, 0.0, 0.0), [0.1, 0.2, 0.3], zero).unwrap());
/// let proof = query::prove_toi(&cube, &here, &rest, &cube, &there, &comes, &Default::default());
/// assert!(matches!(proof.certificate, Some(CastCertificate::Chain { .. })));
/// ```
pub fn prove_toi<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    twist_a: &Twist<V>,
    b: &B,
    pose_b: &Pose<V>,
    twist_b: &Twist<V>,
    options: &ToiOptions<V::Scalar>,
) -> CastProof<V> {
    let (a, b) = (moving(&a, pose_a, V::ZERO), moving(&b, pose_b, V::ZERO));
    V::Scalar::toi(&a, &b, [twist_a, twist_b], options, true, None)
}

/// [`toi`], with an observer of every step of the search.
///
/// # Accuracy  as [`toi`]: the same steps. Of rectangles and small polygons in the plane [`toi`] is told by their sides, with the same verdict and other last bits.
/// # Complexity  as [`toi`], with allocations for the steps.
/// # Examples
/// ```
/// use gjk::{Pose, Vec2, query::{self, MotionStep, Twist}, shape::Cuboid};
/// use core::cell::Cell;
/// let square = Cuboid::new(Vec2::new(1.0, 1.0)).unwrap();
/// let (here, there) = (Pose::identity(), Pose::from_translation(Vec2::new(5.0, 0.0)));
/// let spin = Twist::new(Vec2::new(-4.0, 0.0), [0.0, 0.0, 3.0], Vec2::new(0.0, 0.0)).unwrap();
/// let pieces = Cell::new(0);
/// let count = |step| pieces.set(pieces.get() + usize::from(matches!(step, MotionStep::Piece { .. })));
/// let seen = query::observe_toi(&square, &here, &Twist::rest(), &square, &there, &spin, &Default::default(), &count);
/// assert!(pieces.get() > 0);
/// let plain = query::toi(&square, &here, &Twist::rest(), &square, &there, &spin, &Default::default());
/// assert_eq!(seen.verdict, plain.verdict);
/// assert!(seen.time.zip(plain.time).is_some_and(|(x, y)| x.overlaps(&y)));
/// ```
#[allow(clippy::too_many_arguments)] // those of the question, and who watches
pub fn observe_toi<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    twist_a: &Twist<V>,
    b: &B,
    pose_b: &Pose<V>,
    twist_b: &Twist<V>,
    options: &ToiOptions<V::Scalar>,
    observe: &dyn Fn(MotionStep),
) -> CastAnswer<V> {
    let (a, b) = (moving(&a, pose_a, V::ZERO), moving(&b, pose_b, V::ZERO));
    let twists = [twist_a, twist_b];
    V::Scalar::toi(&a, &b, twists, options, false, Some(observe)).answer
}
