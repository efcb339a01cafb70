//! Is an answer true? A checker that trusts nothing but integers.
//!
//! Where it sits: beside the queries, not under them. It shares no line with the loops, the signs or the exact solver:
//! only the bodies' vertices in the world ([`crate::Posed`]) and big-integer arithmetic. Read [`verify`].
//!
//! Idea: finding an answer is hard, checking one is not. With `M` the difference of the cores, all `a − b`, and `R` the
//! sum of the radii, the signed distance of the bodies is that of the cores less `R`, and four facts bound that of the
//! cores. Each holds whatever made the answer:
//!
//! 1. *A direction.* The cores' signed distance is the largest `least(d) / |d|` over all directions, where `least(d)` is
//!    the least `d · (b − a)` over all vertices. So every direction is a lower bound of it, positive or not.
//! 2. *A combination.* Weights that are not negative make a point of `M`; its length is an upper bound.
//! 3. *Pairs around the origin.* If the origin is strictly inside the hull of some points of `M`, the cores share inner
//!    points, and the hull's facet nearest the origin is an upper bound: minus its distance.
//! 4. *A surface of facets around the origin.* The same with more facets: the nearest of their planes, see
//!    `enclosure.rs` for the proof.
//!
//! | certificate | the verdict is proved by | lower end by | upper end by |
//! |---|---|---|---|
//! | separated | 1 above `R` | 1 | 2 |
//! | touching | 1 not below `R`, 2 equal to `R` | 1 | 2 |
//! | near | 2 below `R` | 1, or 1 of the answer's normal | 2 |
//! | overlapping | 3 | 1, of the answer's normal or the nearest facet's | 4, or 3 without facets |
//!
//! Heights and lengths are square roots of fractions; they are compared by their squares, in integers. An end that the
//! certificate does not reach is reported as not proved. An end that it proves false is a [`VerifyError`], as is a
//! certificate that is not what it claims to be, and a normal or witness points that do not fit: those are floats, and held
//! to the roundings that their computation costs.
//!
//! # Complexity
//! O(n + m) for the vertices, and O(f log f) for f facets.

mod chain;
mod enclosure;
mod error;
mod manifold;
mod motion;
mod number;
mod pace;
mod plain;
mod posed_vertices;
mod span;
mod turned_contact;

pub use chain::verify_toi;
pub use error::VerifyError;
pub use manifold::verify_manifold;
pub use motion::{verify_cast, verify_ray};

use crate::answer::{Certificate, Combination, Direction, Verdict};
use crate::math::{Pose, Vector};
use crate::support::Support;
use core::cmp::Ordering;
use gjk_exact::integer;
use number::{Dyadic, Root};
use plain::Plain;
use posed_vertices::PosedVertices;

/// What the certificate of an answer proves. What it does not prove may still be true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Verified {
    /// The verdict.
    pub verdict: bool,
    /// The interval's lower end. An infinite end claims nothing and is never counted as proved.
    pub lower: bool,
    /// The interval's upper end.
    pub upper: bool,
}

/// The angle between a touching answer's normal and the certificate's direction, in roundings of the scalar: integers to
/// floats costs 4, the normalisation 5, the scalar 1, each a component, and the length of three such errors is below
/// twice the largest. The same slack is granted to a normal at a right angle.
const ANGLE_ROUNDINGS: f64 = 20.0;

/// Checks the answer of a query against the bodies of that query, in exact arithmetic.
///
/// An answer without a certificate (smooth shapes have none) is only checked against itself: signs, a unit normal, witness
/// points as far apart as the interval says; nothing of it is then proved. Nor is it where the bodies leave the range of
/// `f64`.
///
/// # Errors  the first thing found wrong: a bug in this library, or an answer of other bodies.
/// # Complexity  O(n + m) for n and m vertices, and O(f log f) for f facets of the certificate.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query, shape::Cuboid, verify};
/// let cube = Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).unwrap();
/// let (here, beside) = (Pose::identity(), Pose::from_translation(Vec3::new(1.0, 0.25, 0.0)));
/// let mut answer = query::prove(&cube, &here, &cube, &beside);
/// let proved = verify::verify(&cube, &here, &cube, &beside, &answer).unwrap();
/// assert!(proved.verdict && proved.lower && proved.upper);
/// answer.contact.verdict = query::Verdict::Overlapping;
/// assert!(verify::verify(&cube, &here, &cube, &beside, &answer).is_err());
/// ```
pub fn verify<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    answer: &crate::answer::Proof<V>,
) -> Result<Verified, VerifyError> {
    let size = plain::size(a, pose_a) + plain::size(b, pose_b);
    let plain = Plain::of(&answer.contact, size);
    plain.check()?;
    let Some(certificate) = &answer.certificate else {
        return Ok(Verified::default());
    };
    let Some(cores) = PosedVertices::of(a, pose_a, b, pose_b)? else {
        return Ok(Verified::default());
    };
    let mut proof = prove(&cores, answer.contact.verdict, certificate)?;
    agreement(&cores, &plain, certificate)?;
    if answer.contact.verdict == Verdict::Overlapping {
        proof.below[1] = Some(along_normal(&cores, &plain)?);
    }
    ends(&cores, &plain, &proof)
}

/// Checks the verdict alone: for [`crate::query::Intersection`], which has nothing else. True when it is proved.
///
/// # Errors  as [`verify`].
pub fn verify_verdict<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    b: &B,
    pose_b: &Pose<V>,
    verdict: Verdict,
    certificate: Option<&Certificate>,
) -> Result<bool, VerifyError> {
    let Some(certificate) = certificate else {
        return Ok(false);
    };
    let Some(cores) = PosedVertices::of(a, pose_a, b, pose_b)? else {
        return Ok(false);
    };
    prove(&cores, verdict, certificate).map(|_| true)
}

/// What a certificate says of the cores' signed distance.
struct Checked {
    /// It is at least each of these.
    below: [Option<Root>; 2],
    /// It is at most this.
    above: Option<Root>,
}

/// Proves the verdict by the certificate.
fn prove(
    cores: &PosedVertices,
    verdict: Verdict,
    certificate: &Certificate,
) -> Result<Checked, VerifyError> {
    match (certificate, verdict) {
        (Certificate::Separated { direction, nearest }, Verdict::Separated) => {
            by_direction(cores, verdict, direction, nearest.as_ref())
        }
        (Certificate::Touching { direction, nearest }, Verdict::Touching)
        | (Certificate::Near { nearest, direction }, Verdict::Overlapping) => {
            by_direction(cores, verdict, direction, Some(nearest))
        }
        (Certificate::Overlapping { pairs, facets }, Verdict::Overlapping) => {
            by_enclosure(cores, pairs, facets)
        }
        _ => Err(VerifyError::Kind {
            verdict,
            certificate: kind(certificate),
        }),
    }
}

/// Proves an overlap by pairs around the origin, and its depth by the facets or else by the pairs.
fn by_enclosure(
    cores: &PosedVertices,
    pairs: &[[u32; 2]],
    facets: &[[[u32; 2]; 3]],
) -> Result<Checked, VerifyError> {
    let inner = enclosure::inside(cores, pairs)?;
    let nearest = if facets.is_empty() {
        inner
    } else {
        enclosure::surface(cores, facets)?
    };
    let height = cores.height(&nearest.normal).value;
    let below = Root::height(&height, &nearest.normal, cores.grid);
    Ok(Checked {
        below: [Some(below), None],
        above: Some(nearest.distance.negated()),
    })
}

/// Proves a verdict by the heights along a direction and by the length of a combination.
fn by_direction(
    cores: &PosedVertices,
    verdict: Verdict,
    direction: &Direction,
    nearest: Option<&Combination>,
) -> Result<Checked, VerifyError> {
    let direction = cores.direction(direction)?;
    let least = cores.height(&direction);
    let below = Root::height(&least.value, &direction, cores.grid);
    let separation = below.compare(&cores.radius);
    let enough = match verdict {
        Verdict::Separated => separation.is_gt(),
        Verdict::Touching => separation.is_ge(),
        _ => true,
    };
    if !enough {
        return Err(VerifyError::Gap {
            verdict,
            vertices: least.vertices,
        });
    }
    let above = nearest
        .map(|combination| cores.length(combination))
        .transpose()?;
    let length = above.as_ref().map(|length| length.compare(&cores.radius));
    let fits = match verdict {
        Verdict::Touching => length == Some(Ordering::Equal),
        Verdict::Overlapping => length == Some(Ordering::Less),
        _ => true,
    };
    if fits {
        Ok(Checked {
            below: [Some(below), None],
            above,
        })
    } else {
        Err(VerifyError::CombinationLength { verdict })
    }
}

/// The certificate's name in the query format.
fn kind(certificate: &Certificate) -> &'static str {
    match certificate {
        Certificate::Separated { .. } => "separated",
        Certificate::Touching { .. } => "touching",
        Certificate::Overlapping { .. } => "overlapping",
        Certificate::Near { .. } => "near",
    }
}

/// The normal does not point against the certificate's direction; of touching bodies it is that direction.
///
/// Why not against: with the origin outside the cores' difference, the vector from A to B between any two of their points
/// has a positive product with every direction that separates them.
fn agreement(
    cores: &PosedVertices,
    plain: &Plain,
    certificate: &Certificate,
) -> Result<(), VerifyError> {
    let (Certificate::Separated { direction, .. }
    | Certificate::Touching { direction, .. }
    | Certificate::Near { direction, .. }) = certificate
    else {
        return Ok(());
    };
    let normal = integer::common(&plain.normal);
    let cosine = Root::cosine(&normal, &cores.direction(direction)?);
    let angle = ANGLE_ROUNDINGS * plain.rounding;
    let fits = match plain.verdict {
        Verdict::Touching => {
            let sine = Root::sine(&normal, &cores.direction(direction)?);
            cosine.compare(&Dyadic::of(0.0)).is_gt() && sine.compare(&Dyadic::of(angle)).is_le()
        }
        _ => cosine.compare(&Dyadic::of(-angle)).is_ge(),
    };
    if fits {
        Ok(())
    } else {
        Err(VerifyError::NormalDirection {
            verdict: plain.verdict,
        })
    }
}

/// The least height along the answer's normal, which bounds the depth; moving B by the depth must separate the bodies.
fn along_normal(cores: &PosedVertices, plain: &Plain) -> Result<Root, VerifyError> {
    let normal = integer::common(&plain.normal);
    let least = cores.height(&normal);
    let height = Root::height(&least.value, &normal, cores.grid);
    let slack = plain.slack();
    if let Some(end) = cores.end(plain.lower).filter(|_| slack.is_finite())
        && height.compare(&end.minus(&Dyadic::of(slack))).is_lt()
    {
        return Err(VerifyError::NormalShort {
            vertices: least.vertices,
        });
    }
    Ok(height)
}

/// Holds the interval's ends against what is proved.
fn ends(cores: &PosedVertices, plain: &Plain, proof: &Checked) -> Result<Verified, VerifyError> {
    let (lower, upper) = (cores.end(plain.lower), cores.end(plain.upper));
    let order =
        |bound: &Option<Root>, end: &Option<Dyadic>| Some(bound.as_ref()?.compare(end.as_ref()?));
    if order(&proof.above, &lower) == Some(Ordering::Less) {
        return Err(VerifyError::End {
            end: "lower",
            value: plain.lower,
        });
    }
    if proof
        .below
        .iter()
        .any(|bound| order(bound, &upper) == Some(Ordering::Greater))
    {
        return Err(VerifyError::End {
            end: "upper",
            value: plain.upper,
        });
    }
    Ok(Verified {
        verdict: true,
        lower: proof
            .below
            .iter()
            .any(|bound| order(bound, &lower).is_some_and(Ordering::is_ge)),
        upper: order(&proof.above, &upper).is_some_and(Ordering::is_le),
    })
}
