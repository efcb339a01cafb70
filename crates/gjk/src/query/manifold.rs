//! Contact manifolds.
//!
//! Where it sits: the face over `manifold/`.

use crate::manifold::{self, Manifold, ManifoldOptions};
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
    manifold::answer(a, pose_a, b, pose_b, options)
}
