//! The queries: do two convex bodies meet, how far apart, how deep, where, and how sure is the answer.
//!
//! Where it sits: the public face over `narrow/`. Read [`contact`], then [`prove`], then `with.rs`, which makes the request and
//! calls `narrow/ladder.rs`.
//! Idea: [`intersects`], [`distance`] and [`contact`] answer fast, without allocation but where exact signs decide; their answers
//! are plain data. [`prove`] answers the same with a certificate that a stranger can check. Each of them takes five arguments
//! here, and is a method of [`Pair`]; [`Pair::with`] gives them options, [`Pair::warm`] a cache.
//!
//! Frame: world coordinates in and out.  Sign: normals point from A to B; a signed distance is negative in overlap.
//! Units: the caller's. No query panics, loops without bound, or returns NaN for shapes and poses of finite numbers.

mod cast;
mod gradient;
mod hits;
mod manifold;
mod options;
mod ray;
mod toi;
mod with;

pub use crate::answer::{
    BigInt, Certificate, Combination, Contact, Direction, Distance, Intersection, Interval,
    Iterations, Proof, Verdict, Weights,
};
pub use crate::cache::Cache;
pub use crate::gradient::{Gradient, GradientVertex, PoseGradient, TouchingRate};
pub use crate::manifold::{
    ContactFeature, FaceRing, Manifold, ManifoldCache, ManifoldKind, ManifoldOptions,
    ManifoldPoint, ManifoldPoints, feature_id, kept_points,
};
pub use crate::motion::{
    Apart, Carrier, CastAnswer, CastCertificate, CastProof, ChainContact, ChainPiece, Crossing,
    HeldPiece, Meeting, MotionError, MotionOptions, MotionStep, MotionStop, Ray, Start, ToiOptions,
    Touch, Twist,
};
pub use crate::narrow::dispatch::{PairSolvers, pair_solvers};
pub use crate::pair::Pair;
pub use cast::{cast, observe_cast, prove_cast};
pub use gradient::{directional_derivative, gradient, touching_derivatives};
pub use hits::{Hit, all_hits, first_hits};
pub use manifold::{manifold, manifold_along, manifold_warm};
pub use options::{Options, Precision, ProofOptions, Question};
pub use ray::{observe_ray, prove_ray, ray};
pub use toi::{observe_toi, prove_toi, toi};
pub use with::Query;

use crate::math::{Pose, Vector};
use crate::support::Support;

/// Decides whether two bodies are separated, touching or overlapping.
///
/// # Accuracy  exact for polytopes and rounded polytopes; smooth shapes may be [`Verdict::Undecided`].
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query, shape::Cuboid};
/// let cube = Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).unwrap();
/// let beside = Pose::from_translation(Vec3::new(1.0, 0.25, 0.0));
/// let answer = query::intersects(&cube, &Pose::identity(), &cube, &beside, &Default::default());
/// assert_eq!(answer.verdict, query::Verdict::Touching);
/// assert!(answer.exact);
/// ```
pub fn intersects<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &Options<V::Scalar>,
) -> Intersection {
    Pair::new(a, pose_a, b, pose_b).with(options).intersects()
}

/// The distance of two bodies with the points that realise it; zero when they touch or overlap.
///
/// With [`Options::cutoff`] set it stops as soon as the bodies are proved farther apart than that.
/// # Examples
/// ```
/// use gjk::{Pose, Vec2, query, shape::Polytope};
/// let a = Polytope::new(&[Vec2::new(4.0, 11.0), Vec2::new(4.0, 5.0), Vec2::new(9.0, 9.0)]).unwrap();
/// let b = Polytope::new(&[Vec2::new(8.0, 6.0), Vec2::new(15.0, 6.0), Vec2::new(13.0, 1.0), Vec2::new(10.0, 2.0)]).unwrap();
/// let here = Pose::identity();
/// let answer = query::distance(&a, &here, &b, &here, &Default::default());
/// assert!((answer.distance.upper - 11.0 / 41.0f64.sqrt()).abs() < 1e-12);
/// ```
pub fn distance<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &Options<V::Scalar>,
) -> Distance<V> {
    Pair::new(a, pose_a, b, pose_b).with(options).distance()
}

/// The signed distance of two bodies, with witness points and normal, for either sign. The depth of an overlap is its negative.
///
/// # Accuracy  `signed_distance` contains the truth; [`Options::precision`] says how wide it may be.
/// # Complexity  O(n + m) an iteration for hulls of n and m vertices; no allocation unless exact signs decide.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query, shape::{Ball, Cuboid}};
/// let floor = Cuboid::new(Vec3::new(5.0, 5.0, 1.0)).unwrap();
/// let ball = Ball::new(0.5).unwrap();
/// let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 1.25));
/// let answer = query::contact(&floor, &Pose::identity(), &ball, &pose, &Default::default());
/// assert_eq!(answer.normal, Vec3::new(0.0, 0.0, 1.0));
/// assert!((answer.signed_distance.lower + 0.25f64).abs() < 1e-12);
/// ```
/// # Source  Gilbert, Johnson, Keerthi 1988; van den Bergen 2001 (EPA); Wolfe 1976 (exact layer).
pub fn contact<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &Options<V::Scalar>,
) -> Contact<V> {
    Pair::new(a, pose_a, b, pose_b).with(options).contact()
}

/// [`contact`] at [`Precision::Tight`], with the certificate that proves it.
///
/// # Accuracy  a few roundings of the coordinates for polytopes; smooth shapes carry an interval and no certificate.
/// # Complexity  as [`contact`], with allocations for the certificate.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, Certificate, Verdict}, shape::Cuboid};
/// let cube = Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).unwrap();
/// let inside = Pose::from_translation(Vec3::new(0.25, 0.0, 0.0));
/// let proof = query::prove(&cube, &Pose::identity(), &cube, &inside);
/// assert_eq!(proof.contact.verdict, Verdict::Overlapping);
/// assert!(matches!(proof.certificate, Some(Certificate::Overlapping { pairs, .. }) if (4..=6).contains(&pairs.len())));
/// ```
pub fn prove<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
) -> Proof<V> {
    Pair::new(a, pose_a, b, pose_b).prove()
}
