//! The queries: do two convex bodies meet, how far apart, how deep, where, and how sure is the answer.
//!
//! Where it sits: the public surface over the loops and `gjk-exact`. Read [`contact`], then
//! `solve.rs`, the one pipeline behind every query.
//! Idea: the float loops propose; an answer is given only with a proof. A lower bound above the rounding slack proves
//! separation; a simplex whose determinants exceed their error bound proves overlap; what is left of polytopes goes to exact
//! signs, what is left of smooth shapes is reported as an interval.
//!
//! Frame: world coordinates in and out.  Sign: normals point from A to B; a signed distance is negative in overlap.
//! Units: the caller's. No query panics, loops without bound, or returns NaN for shapes and poses of finite numbers.

mod answer;
mod boxes;
mod closed;
mod coaxial;
mod cores;
mod frame;
mod options;
mod outline;
mod polygons;
mod polytope;
mod solve;
mod turned;

pub use answer::{
    Certificate, Combination, Contact, Direction, Distance, Intersection, Interval, Iterations,
    Verdict, Weights,
};
pub use options::{Options, WarmStart};

use crate::loops::gjk::Stop;
use crate::loops::trace::Observe;
use crate::math::{Pose, Ring, Scalar, Vector};
use crate::support::Support;
use solve::{Depth, Query};
use turned::Told;

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
    options: &Options<V>,
) -> Intersection {
    let query = Query {
        a,
        pose_a,
        b,
        pose_b,
        options,
        depth: Depth::Verdict,
    };
    let told = |verdict: Verdict, stop: Stop, certificate: Option<Certificate>| Intersection {
        verdict,
        intersects: Some(verdict == Verdict::Overlapping),
        exact: true,
        stop,
        iterations: Iterations::default(),
        certificate,
    };
    // Before anything that has room for numbers.
    match query.turned() {
        Told::Separated(axis) => {
            let direction = Direction::Float(axis);
            let certificate = Certificate::Separated {
                direction,
                nearest: None,
            };
            return told(
                Verdict::Separated,
                Stop::SeparatingDirection,
                Some(certificate),
            );
        }
        Told::Overlapping if !options.certificate => {
            return told(Verdict::Overlapping, Stop::SeparatingAxes, None);
        }
        Told::Overlapping => {
            if let Some(certificate) = query.enclosure() {
                return told(
                    Verdict::Overlapping,
                    Stop::SeparatingAxes,
                    Some(certificate),
                );
            }
        }
        Told::Unknown => {}
    }
    let found = query.run(None, &mut ());
    Intersection {
        verdict: found.verdict,
        intersects: match found.verdict {
            Verdict::Separated => Some(false),
            Verdict::Touching => Some(options.touching_counts),
            Verdict::Overlapping => Some(true),
            Verdict::Undecided => None,
        },
        exact: found.exact,
        stop: found.stop,
        iterations: found.iterations,
        certificate: found.certificate,
    }
}

/// The relation of two bodies, with the certificate that proves it: [`intersects`] without a touching policy.
///
/// # Accuracy  as [`intersects`].
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, Certificate, Verdict}, shape::Cuboid};
/// let cube = Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).unwrap();
/// let inside = Pose::from_translation(Vec3::new(0.25, 0.0, 0.0));
/// let (verdict, certificate) = query::classify(&cube, &Pose::identity(), &cube, &inside);
/// assert_eq!(verdict, Verdict::Overlapping);
/// assert!(matches!(certificate, Some(Certificate::Overlapping { pairs, .. }) if (4..=6).contains(&pairs.len())));
/// ```
pub fn classify<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
) -> (Verdict, Option<Certificate>) {
    let answer = intersects(a, pose_a, b, pose_b, &Options::default());
    (answer.verdict, answer.certificate)
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
    options: &Options<V>,
) -> Distance<V> {
    measured(a, pose_a, b, pose_b, options, None)
}

/// [`distance`] from the vertices of an earlier query on the same shapes; a stale start costs time, never truth.
pub fn distance_warm<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &Options<V>,
    warm: &mut WarmStart,
) -> Distance<V> {
    measured(a, pose_a, b, pose_b, options, Some(warm))
}

fn measured<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &Options<V>,
    warm: Option<&mut WarmStart>,
) -> Distance<V> {
    let found = Query {
        a,
        pose_a,
        b,
        pose_b,
        options,
        depth: Depth::Distance,
    }
    .run(warm, &mut ());
    let zero = V::Scalar::ZERO;
    let distance = match found.verdict {
        Verdict::Touching | Verdict::Overlapping => Interval {
            lower: zero,
            upper: zero,
        },
        _ => Interval {
            lower: found.signed_distance.lower.max(zero),
            upper: found.signed_distance.upper.max(zero),
        },
    };
    Distance {
        verdict: found.verdict,
        exact: found.exact,
        distance,
        normal: found.normal,
        point_a: found.point_a,
        point_b: found.point_b,
        stop: found.stop,
        iterations: found.iterations,
    }
}

/// The penetration depth of two overlapping bodies: `None` when they are proved separated.
///
/// The depth is the negative of [`Contact::signed_distance`]; touching bodies have depth zero and a normal.
pub fn penetration<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &Options<V>,
) -> Option<Contact<V>> {
    let boolean = Options {
        cutoff: Some(V::Scalar::ZERO),
        ..options.clone()
    };
    let found = contact(a, pose_a, b, pose_b, &boolean);
    (found.verdict != Verdict::Separated).then_some(found)
}

/// The signed distance of two bodies, with witness points and normal, for either sign.
///
/// # Accuracy  `signed_distance` contains the truth; for polytopes its width is a few roundings of the coordinates.
/// # Complexity  O(n + m) an iteration for hulls of n and m vertices; no allocation unless the exact layer is asked.
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
    options: &Options<V>,
) -> Contact<V> {
    Query {
        a,
        pose_a,
        b,
        pose_b,
        options,
        depth: Depth::Penetration,
    }
    .run(None, &mut ())
}

/// [`contact`] with a caller-owned warm start and an observer of every step.
pub fn contact_observed<
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
    O: Observe<V>,
>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &Options<V>,
    warm: &mut WarmStart,
    observe: &mut O,
) -> Contact<V> {
    Query {
        a,
        pose_a,
        b,
        pose_b,
        options,
        depth: Depth::Penetration,
    }
    .run(Some(warm), observe)
}

/// [`intersects`] in the tutorials' direction-only form, observed: the same loop, second direction opposite to the first.
pub fn intersects_observed<
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
    O: Observe<V>,
>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    options: &Options<V>,
    observe: &mut O,
) -> Contact<V> {
    Query {
        a,
        pose_a,
        b,
        pose_b,
        options,
        depth: Depth::Boolean,
    }
    .run(None, observe)
}
