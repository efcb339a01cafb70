//! Gradients of the signed distance.
//!
//! Where it sits: the face over `gradient/`.

use crate::gradient::{self, Gradient, TouchingRate};
use crate::math::{Interval, Pose, Vector};
use crate::motion::Twist;
use crate::pair::Pair;
use crate::support::Support;

/// How the signed distance of two bodies changes with their poses.
///
/// The gradient is that of the contact's normal and points. [`Gradient::unique`] says whether the signed distance is proved to have it as its derivative;
/// where faces are level with each other, or an overlap has several ways out, it has none, and [`Gradient::vertices`] has the pairs of points that are as
/// good. Nothing is proved of bodies that touch and of smooth ones; of capsules, balls and rounded polytopes it is.
/// # Accuracy  that of [`super::contact`]'s normal and points.
/// # Complexity  that of a contact, and O(n + m) for the vertices; of an overlap that of a proof with its facets.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query, shape::{Ball, Cuboid}};
/// let (wall, ball) = (Cuboid::new(Vec3::new(1.0, 5.0, 5.0)).unwrap(), Ball::new(0.5).unwrap());
/// let here = Pose::identity();
/// let found = query::gradient(&wall, &here, &ball, &Pose::from_translation(Vec3::new(2.0, 1.0, 0.0)));
/// assert!(found.unique);
/// assert_eq!((found.a.linear, found.b.linear), (Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)));
/// // The wall's turn about z by a radian would bring it nearer by the ball's height over its centre; the ball's does nothing.
/// assert_eq!((found.a.angular, found.b.angular), ([0.0, 0.0, 1.0], [0.0, 0.0, 0.0]));
/// ```
/// # Source  Danskin 1966; Clarke 1983 for the generalised gradient.
pub fn gradient<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
) -> Gradient<V> {
    gradient::answer(&Pair::new(a, pose_a, b, pose_b))
}

/// The rate at which the signed distance begins to change when the bodies move by these twists from their poses.
///
/// It is the derivative from the right: of several best pairs of points the one that comes nearest counts, of several best directions of an overlap
/// the one that leaves soonest. `None` where nothing is proved: smooth bodies, those beyond the range of floats, and of bodies that touch those that [`touching_derivatives`] leaves out.
/// Unit: lengths in the twists' unit of time. Sign: positive where the bodies part.
/// # Accuracy  a proven interval: some roundings where the derivative is unique or faces are level by exact signs, else all that the rate may be.
/// # Complexity  as [`gradient`] where that is not unique at the first look.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, Twist}, shape::Cuboid};
/// let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
/// let (here, above) = (Pose::identity(), Pose::from_translation(Vec3::new(0.5, 0.0, 3.0)));
/// // Any tilt of a box over another brings a corner nearer: by 1 a radian, half the width of a box.
/// let tilt = Twist::new(Vec3::new(0.0, 0.0, 0.0), [1.0, 0.0, 0.0], Vec3::new(0.0, 0.0, 0.0)).unwrap();
/// let rate = query::directional_derivative(&cube, &here, &Twist::rest(), &cube, &above, &tilt).unwrap();
/// assert!(rate.contains(-1.0) && rate.width() < 1e-12);
/// ```
pub fn directional_derivative<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    twist_a: &Twist<V>,
    b: &B,
    pose_b: &Pose<V>,
    twist_b: &Twist<V>,
) -> Option<Interval<V::Scalar>> {
    gradient::along(&Pair::new(a, pose_a, b, pose_b), [twist_a, twist_b])
}

/// The rates at which the signed distance of two touching bodies begins to change when they move by these twists: as of bodies that part, which is the derivative that
/// [`directional_derivative`] has, and as of bodies that go deeper. They differ where the bodies touch at an edge or a corner of their difference: it is left by the
/// nearest point of an edge, and through a face.
///
/// `None` of bodies that do not touch, of smooth ones, of more than 96 vertices together, and of two whose difference has no inner points.
/// Unit and sign are those of [`directional_derivative`].
/// # Accuracy  proven intervals, some roundings wide.
/// # Complexity  that of a proof, and O(n³) for n vertices of both.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, Twist}, shape::Cuboid};
/// let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
/// // They touch along an edge, and B leaves across it.
/// let (here, beside) = (Pose::identity(), Pose::from_translation(Vec3::new(2.0, 0.5, 2.0)));
/// let away = Twist::new(Vec3::new(3.0, 0.0, 4.0), [0.0; 3], Vec3::new(0.0, 0.0, 0.0)).unwrap();
/// let rate = query::touching_derivatives(&cube, &here, &Twist::rest(), &cube, &beside, &away).unwrap();
/// assert!(rate.outside.contains(5.0) && rate.inside.contains(4.0));
/// ```
pub fn touching_derivatives<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    twist_a: &Twist<V>,
    b: &B,
    pose_b: &Pose<V>,
    twist_b: &Twist<V>,
) -> Option<TouchingRate<V::Scalar>> {
    gradient::touching(&Pair::new(a, pose_a, b, pose_b), [twist_a, twist_b])
}
