//! Two bodies at their poses, as a value.

use crate::math::{Pose, Vector};
use crate::support::{Core, Support};

/// Two bodies at their poses: what every query is about.
///
/// Frame: both poses are in the world.  The four fields are borrowed, so a pair is copied freely.
/// # Examples
/// ```
/// use gjk::{Pair, Pose, Vec3, query::Verdict, shape::Ball};
/// let ball = Ball::new(0.5).unwrap();
/// let (here, there) = (Pose::identity(), Pose::from_translation(Vec3::new(2.0, 0.0, 0.0)));
/// let pair = Pair { a: &ball, pose_a: &here, b: &ball, pose_b: &there };
/// assert_eq!(pair.contact().verdict, Verdict::Separated);
/// assert!(pair.distance().distance.contains(1.0));
/// ```
#[derive(Debug)]
pub struct Pair<'p, V: Vector, A: ?Sized, B: ?Sized> {
    /// The first body.
    pub a: &'p A,
    /// Its pose.
    pub pose_a: &'p Pose<V>,
    /// The second body.
    pub b: &'p B,
    /// Its pose.
    pub pose_b: &'p Pose<V>,
}

impl<V: Vector, A: ?Sized, B: ?Sized> Clone for Pair<'_, V, A, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Vector, A: ?Sized, B: ?Sized> Copy for Pair<'_, V, A, B> {}

impl<'p, V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized> Pair<'p, V, A, B> {
    /// The pair of `a` at `pose_a` and `b` at `pose_b`.
    pub fn new(a: &'p A, pose_a: &'p Pose<V>, b: &'p B, pose_b: &'p Pose<V>) -> Self {
        Self {
            a,
            pose_a,
            b,
            pose_b,
        }
    }

    /// What the two cores are. Each step of a query reads it once, and the compiler drops what the step does not read.
    #[inline(always)]
    pub(crate) fn cores(&self) -> [Core<'p, V>; 2] {
        [self.a.core(), self.b.core()]
    }
}
