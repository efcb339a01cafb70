//! Contact manifolds.
//!
//! Where it sits: the face over `manifold/`.

use crate::manifold::{self, Manifold, ManifoldCache, ManifoldOptions};
use crate::math::{Pose, Vector};
use crate::support::Support;

/// The points at which two bodies bear on each other, or will when they come nearer by the prediction.
///
/// Normal and signed distance are those of [`super::contact`]. The points are the corners of the intersection of the two supporting faces, seen along
/// the normal. There is none if, and only if, the signed distance is proved greater than the prediction, or the bodies leave the range of floats.
/// # Accuracy  each separation is a proven interval, along the normal as stated; points are on the bodies to the rounding of their scalar. Of a rounded
/// body they are those of its core, moved along the normal by the radius.
/// # Complexity  that of a contact, and O(n + m) for the vertices, O(p·q) for faces of p and q corners.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, ContactFeature, ManifoldKind}, shape::Cuboid};
/// let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
/// let above = Pose::from_translation(Vec3::new(1.0, 0.5, 2.0));
/// let found = query::manifold(&cube, &Pose::identity(), &cube, &above, &Default::default());
/// assert_eq!((found.kind, found.points.len(), found.area), (ManifoldKind::FaceFace, 4, 1.5));
/// assert_eq!((&found.face_a[..], &found.face_b[..]), (&[4, 5, 7, 6][..], &[0, 2, 3, 1][..]));
/// assert!(found.points.iter().any(|p| (p.feature_a, p.feature_b) == (ContactFeature::Face, ContactFeature::Vertex(0))));
/// ```
pub fn manifold<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &ManifoldOptions<V::Scalar>,
) -> Manifold<V> {
    manifold::answer(a, pose_a, b, pose_b, options, None)
}

/// [`manifold`], with what stays of the pair's last one in a cache: the same answer to the last bit, sooner where the bodies moved little.
///
/// Of boxes whose faces bear on each other the corners, their order and ids are those of the last step, where the present places of the faces prove that they are. A cache
/// of other bodies costs time, never truth.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, ManifoldCache}, shape::Cuboid};
/// let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
/// let (here, options) = (Pose::identity(), Default::default());
/// let mut impulses = ManifoldCache::default();
/// for step in 0..10 {
///     let above = Pose::from_translation(Vec3::new(0.25 + 0.01 * f64::from(step), 0.5, 1.99));
///     let found = query::manifold_warm(&cube, &here, &cube, &above, &options, &mut impulses);
///     assert_eq!(found, query::manifold(&cube, &here, &cube, &above, &options));
///     for impulse in impulses.matched(&found, || 0.0) { *impulse += 1.0; }
/// }
/// assert_eq!(impulses.values(), [10.0; 4]);
/// ```
pub fn manifold_warm<T, V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &ManifoldOptions<V::Scalar>,
    cache: &mut ManifoldCache<T>,
) -> Manifold<V> {
    manifold::kept_answer(a, pose_a, b, pose_b, options, cache)
}

/// The points at which two bodies bear on each other along a normal that the caller has, from A to B: that of a mesh's face, of which A is a triangle.
///
/// As [`manifold`], but for the normal. The points are those corners of the intersection of the faces, edges or vertices that support the bodies along it which are within the prediction; there
/// is none where these, seen along the normal, are not over one another. Of the contact, `signed_distance` is the gap of the planes that support the bodies: it is at most
/// the distance, and minus it at least the depth. The verdict is what the gap proves: [`super::Verdict::Separated`], or else [`super::Verdict::Undecided`].
/// # Accuracy  as [`manifold`]. A normal that is not of length 1 within rounding makes separations of no unit.
/// # Complexity  O(n + m) for the vertices, O(p·q) for faces of p and q corners.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query, shape::{Cuboid, Triangle}};
/// let floor = Triangle::new(Vec3::new(-9.0, -9.0, 0.0), Vec3::new(9.0, -9.0, 0.0), Vec3::new(0.0, 9.0, 0.0)).unwrap();
/// let cube = Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).unwrap();
/// let (here, deep) = (Pose::identity(), Pose::from_translation(Vec3::new(0.0, 0.0, -0.4)));
/// let found = query::manifold_along(&floor, &here, &cube, &deep, Vec3::new(0.0, 0.0, 1.0), &Default::default());
/// // The shortest way out is down, by 0.1, and the given one up.
/// assert_eq!(found.points.len(), 4);
/// assert!(found.points.iter().all(|point| (point.separation.upper + 0.9f64).abs() < 1e-12));
/// ```
pub fn manifold_along<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    normal: V,
    options: &ManifoldOptions<V::Scalar>,
) -> Manifold<V> {
    manifold::along(a, pose_a, b, pose_b, normal, options)
}
