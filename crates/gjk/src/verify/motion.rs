//! Is the answer on a motion true? The checker of rays and casts, in integers and fractions.
//!
//! Where it sits: beside [`super::verify`], under the same rule: it shares no line with what found the answer, only the bodies' vertices and big integers.
//! Idea: with `v` the velocity of B less that of A, `w(t) = b − a + t·v` for vertices of the cores, and `R` the radii, three facts suffice. A direction `d` with
//! `d·w(t) > R|d|` for all `w` proves that there is no contact at that time; if `d·v` has the right sign it proves the same for all times before or after. A
//! combination of `w(t)` that is no longer than `R` proves contact at `t`. One that is no longer than `R` at some time proves it for the time when it is shortest.
//! A ray is a B of one vertex.

use super::error::VerifyError;
use super::integer::{Int, Int3, cross, dot, grid_of, is_zero, on_grid, scale, sign, sub};
use super::posed_vertices::weights;
use super::{Verified, verify};
use crate::answer::{Certificate, Combination, Contact, Direction, Iterations, Proof, Verdict};
use crate::loops::gjk::Stop;
use crate::math::{BigInt, Interval, Pose, Ring, Scalar, Vector};
use crate::motion::{
    CastAnswer, CastCertificate, CastProof, Meeting, MotionOptions, MotionStop, Moving, Ray,
};
use crate::shape::{Ball, Point};
use crate::support::{Inflated, Posed, Support};
use alloc::vec::Vec;

/// Roundings of the scalar that a unit normal's squared length may be off: see `NORMAL_LENGTH_ROUNDINGS` of `plain.rs`, twice for the square.
const SQUARE_ROUNDINGS: f64 = 16.0;

/// Checks the answer on a ray against the body, the ray and the options, in exact arithmetic.
///
/// An answer without a certificate is only checked against itself; nothing of it is then proved. A graze that is passed over has none.
/// # Errors  the first thing found wrong: a bug in this library, or an answer of another body or ray.
/// # Complexity  O(n) for n vertices.
pub fn verify_ray<V: Vector, A: Support<V> + ?Sized>(
    body: &A,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
    proof: &CastProof<V>,
) -> Result<Verified, VerifyError> {
    let a = Moving {
        shape: &body,
        pose,
        velocity: V::ZERO,
    };
    let end = options.max_time();
    // A point, or a ball about it.
    if options.distance() == V::Scalar::ZERO {
        let b = Moving {
            shape: &Point::new(ray.origin()).map_err(|_| wrong("is of no point"))?,
            pose: &Pose::identity(),
            velocity: ray.direction(),
        };
        return checked(&a, &b, end, V::Scalar::ZERO, proof);
    }
    let ball: Ball<V> = Ball::new(options.distance()).map_err(|_| wrong("is of no ball"))?;
    let b = Moving {
        shape: &ball,
        pose: &Pose::from_translation(ray.origin()),
        velocity: ray.direction(),
    };
    checked(&a, &b, end, V::Scalar::ZERO, proof)
}

/// Checks the answer on two bodies in motion, as [`verify_ray`] does.
///
/// # Errors  the first thing found wrong: a bug in this library, or an answer of other bodies or motions.
/// # Complexity  O(m + n) for m and n vertices.
#[allow(clippy::too_many_arguments)] // those of the question, and its answer
pub fn verify_cast<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &A,
    pose_a: &Pose<V>,
    velocity_a: V,
    b: &B,
    pose_b: &Pose<V>,
    velocity_b: V,
    options: &MotionOptions<V::Scalar>,
    proof: &CastProof<V>,
) -> Result<Verified, VerifyError> {
    let a = Moving {
        shape: &a,
        pose: pose_a,
        velocity: velocity_a,
    };
    let b = Moving {
        shape: &b,
        pose: pose_b,
        velocity: velocity_b,
    };
    checked(&a, &b, options.max_time(), options.distance(), proof)
}

fn checked<V: Vector>(
    a: &Moving<'_, V>,
    b: &Moving<'_, V>,
    end: Option<V::Scalar>,
    distance: V::Scalar,
    proof: &CastProof<V>,
) -> Result<Verified, VerifyError> {
    let answer = &proof.answer;
    consistent(answer)?;
    let Some(certificate) = &proof.certificate else {
        return Ok(Verified::default());
    };
    if let CastCertificate::Start(start) = certificate {
        return at_start(a, b, distance, answer, start);
    }
    let Some(scene) = Scene::of(a, b, end, distance)? else {
        return Ok(Verified::default());
    };
    match (answer.verdict, certificate) {
        (Meeting::Free, CastCertificate::Free { direction }) => scene.free(direction),
        (Meeting::Hits, end) => scene.ends(answer, end, false),
        (Meeting::Exits, CastCertificate::Exit { start, end }) => {
            if starts_in_contact([a, b], distance, start)? {
                scene.ends(answer, end, true)
            } else {
                Ok(Verified::default())
            }
        }
        _ => Err(wrong("is of another verdict")),
    }
}

/// Whether a certificate proves a contact of the start, of which the answer no longer says what kind it is.
pub(super) fn starts_in_contact<V: Vector>(
    [a, b]: [&Moving<'_, V>; 2],
    distance: V::Scalar,
    start: &Certificate,
) -> Result<bool, VerifyError> {
    let verdict = match start {
        Certificate::Touching { .. } => Verdict::Touching,
        Certificate::Overlapping { .. } | Certificate::Near { .. } => Verdict::Overlapping,
        Certificate::Separated { .. } => return Err(wrong("is apart at the start")),
    };
    starts(a, b, distance, verdict, start)
}

pub(super) fn wrong(what: &'static str) -> VerifyError {
    VerifyError::Motion { what }
}

/// What needs no proof: no NaN, an interval, a unit normal, numbers that the verdict has.
pub(super) fn consistent<V: Vector>(answer: &CastAnswer<V>) -> Result<(), VerifyError> {
    let Interval { lower, upper } = answer.time.unwrap_or(Interval {
        lower: V::Scalar::ZERO,
        upper: V::Scalar::ZERO,
    });
    if !(lower <= upper) {
        return Err(wrong("has an empty interval of times"));
    }
    let zero = V::Scalar::ZERO;
    let fits = match answer.verdict {
        Meeting::Free => answer.time.is_none(),
        Meeting::Hits => answer.time.is_some() && lower >= zero && upper > zero,
        Meeting::Exits => answer.time.is_some() && lower >= zero,
        Meeting::StartsTouching | Meeting::StartsOverlapping => lower == zero && upper == zero,
        Meeting::Undecided => !answer.exact || answer.time.is_none(),
    };
    if !fits {
        return Err(wrong("has a time that does not fit the verdict"));
    }
    let points = [answer.normal, answer.point_a, answer.point_b];
    if points.iter().flatten().any(|x| !x.is_finite()) {
        return Err(VerifyError::NotANumber { field: "point" });
    }
    let slack = SQUARE_ROUNDINGS * V::Scalar::ROUNDING.to_f64();
    let off = |n: V| Scalar::abs(n.norm_squared().to_f64() - 1.0) > slack;
    match answer.normal {
        Some(normal) if off(normal) => Err(VerifyError::NormalLength),
        _ => Ok(()),
    }
}

/// A start in contact: an answer on a pair at rest.
pub(super) fn at_start<V: Vector>(
    a: &Moving<'_, V>,
    b: &Moving<'_, V>,
    distance: V::Scalar,
    answer: &CastAnswer<V>,
    start: &Certificate,
) -> Result<Verified, VerifyError> {
    let verdict = match answer.verdict {
        Meeting::StartsTouching => Verdict::Touching,
        Meeting::StartsOverlapping => Verdict::Overlapping,
        _ => return Err(wrong("is of a start, and the verdict is not")),
    };
    let verdict_alone = || {
        Ok(Verified {
            verdict: starts(a, b, distance, verdict, start)?,
            ..Verified::default()
        })
    };
    if distance != V::Scalar::ZERO {
        return verdict_alone();
    }
    let (Some(signed_distance), Some(normal), Some(point_a), Some(point_b)) = (
        answer.signed_distance,
        answer.normal,
        answer.point_a,
        answer.point_b,
    ) else {
        // Bodies that leave the range of floats have a verdict and no numbers, also where they rest on each other; all others have both.
        let may_lack = [MotionStop::Start(Stop::Overflow), MotionStop::Resting];
        return if may_lack.contains(&answer.stop) {
            verdict_alone()
        } else {
            Err(wrong("is of a start without numbers"))
        };
    };
    let contact = Contact {
        verdict,
        exact: answer.exact,
        signed_distance,
        normal,
        point_a,
        point_b,
        stop: Stop::Exact,
        iterations: Iterations::default(),
    };
    let proof = Proof {
        contact,
        certificate: Some(start.clone()),
    };
    verify(a.shape, a.pose, b.shape, b.pose, &proof)
}

/// Whether a certificate proves a verdict at the start.
fn starts<V: Vector>(
    a: &Moving<'_, V>,
    b: &Moving<'_, V>,
    distance: V::Scalar,
    verdict: Verdict,
    start: &Certificate,
) -> Result<bool, VerifyError> {
    let certificate = Some(start);
    if distance == V::Scalar::ZERO {
        let (a, b) = ((a.shape, a.pose), (b.shape, b.pose));
        return super::verify_verdict(a.0, a.1, b.0, b.1, verdict, certificate);
    }
    let (a, b) = (Posed::new(a.shape, *a.pose), Posed::new(b.shape, *b.pose));
    let distance = distance.to_f64();
    let (radius, inflated) = (b.radius(), Inflated::new(&b, distance));
    let sum = radius + distance;
    let numbers = [radius, distance, sum];
    let grid = grid_of(numbers.into_iter()).min(0);
    let [radius, distance, sum] = numbers.map(|x| on_grid(x, grid));
    if radius + distance != sum {
        return Err(wrong("is of a radius that is no float"));
    }
    let here = Pose::identity();
    super::verify_verdict(&a, &here, &inflated, &here, verdict, certificate)
}

/// A fraction with a positive denominator.
struct Time(Int, Int);

impl Time {
    /// A finite float.
    fn of(x: f64) -> Self {
        let grid = grid_of([x].into_iter()).min(0);
        Self(on_grid(x, grid), Int::ONE << grid.unsigned_abs() as usize)
    }

    fn is_at_most(&self, other: &Self) -> bool {
        &self.0 * &other.1 <= &other.0 * &self.1
    }

    /// Within an interval of floats, whose ends may be infinite.
    fn is_within(&self, lower: f64, upper: f64) -> bool {
        let above = !lower.is_finite() || Self::of(lower).is_at_most(self);
        above && (!upper.is_finite() || self.is_at_most(&Self::of(upper)))
    }
}

/// The bodies and their motion as integers: lengths in units of `2^grid`.
struct Scene {
    /// Of A and of B.
    vertices: [Vec<Int3>; 2],
    /// The relative velocity, in units of `2^grid` too.
    direction: Int3,
    radius: Int,
    end: Option<Time>,
    dim: usize,
}

/// The vertices of a core in the world.
pub(super) fn vertices<V: Vector, S: Support<V> + ?Sized>(
    posed: &Posed<'_, V, S>,
) -> Result<Vec<[f64; 3]>, VerifyError> {
    let count = posed.vertex_count().ok_or(VerifyError::NotPolytopes)?;
    let points: Option<Vec<[f64; 3]>> = (0..count)
        .map(|id| posed.vertex(id).map(V::Wide::to_f64))
        .collect();
    points.ok_or(VerifyError::NotPolytopes)
}

impl Scene {
    /// `None` where a body leaves the range of `f64`.
    fn of<V: Vector>(
        a: &Moving<'_, V>,
        b: &Moving<'_, V>,
        end: Option<V::Scalar>,
        distance: V::Scalar,
    ) -> Result<Option<Self>, VerifyError> {
        let velocities = [a.velocity.to_f64(), b.velocity.to_f64()];
        let (a, b) = (Posed::new(a.shape, *a.pose), Posed::new(b.shape, *b.pose));
        let points = [vertices(&a)?, vertices(&b)?];
        let radii = [a.radius(), b.radius(), distance.to_f64()];
        let numbers = || {
            let points = points.iter().flatten().chain(&velocities).flatten();
            points.chain(&radii).copied()
        };
        if !numbers().all(f64::is_finite) {
            return Ok(None);
        }
        let grid = grid_of(numbers()).min(0);
        let whole = |p: &[f64; 3]| p.map(|x| on_grid(x, grid));
        let [from, to] = velocities.each_ref().map(whole);
        Ok(Some(Self {
            vertices: points.each_ref().map(|set| set.iter().map(whole).collect()),
            direction: sub(&to, &from),
            radius: radii.iter().map(|&r| on_grid(r, grid)).sum(),
            end: end.map(|t| Time::of(t.to_f64())),
            dim: V::DIM,
        }))
    }

    /// The direction as integers.
    fn normal(&self, direction: &Direction) -> Result<Int3, VerifyError> {
        if let Direction::Float(components) = direction
            && components.iter().any(|x| !x.is_finite())
        {
            return Err(VerifyError::Direction {
                what: "is not finite",
            });
        }
        let normal = direction.exact();
        if is_zero(&normal) {
            return Err(VerifyError::Direction { what: "is zero" });
        }
        if self.dim == 2 && !normal[2].is_zero() {
            return Err(VerifyError::Direction {
                what: "leaves the plane",
            });
        }
        Ok(normal)
    }

    /// The least `normal · w(time)`, times the time's denominator.
    fn least(&self, normal: &Int3, time: &Time) -> Result<Int, VerifyError> {
        let [a, b] = &self.vertices;
        let highest = a.iter().map(|a| dot(normal, a)).max();
        let lowest = b.iter().map(|b| dot(normal, b)).min();
        let (Some(highest), Some(lowest)) = (highest, lowest) else {
            return Err(VerifyError::NotPolytopes);
        };
        Ok((lowest - highest) * &time.1 + dot(normal, &self.direction) * &time.0)
    }

    /// Whether a direction separates by more than the radius at a time.
    fn separates(&self, normal: &Int3, time: &Time) -> Result<bool, VerifyError> {
        let least = self.least(normal, time)?;
        let needed = &self.radius * &time.1;
        let square = &needed * &needed * dot(normal, normal);
        Ok(sign(&least).is_gt() && &least * &least > square)
    }

    /// No contact from the start to the end.
    fn free(&self, direction: &Direction) -> Result<Verified, VerifyError> {
        let normal = self.normal(direction)?;
        let after = match &self.end {
            Some(end) => self.separates(&normal, end)?,
            None => sign(&dot(&normal, &self.direction)).is_ge(),
        };
        if !after || !self.separates(&normal, &Time::of(0.0))? {
            return Err(wrong("has a direction that does not separate the bodies"));
        }
        Ok(Verified {
            verdict: true,
            ..Verified::default()
        })
    }

    /// The combination of `w(time)`, times the time's denominator, and the sum of the weights.
    fn combined(&self, point: &Combination, time: &Time) -> Result<(Int3, Int), VerifyError> {
        let weights = weights(&point.weights, point.pairs.len())?;
        let total: Int = weights.iter().sum();
        let mut sum = scale(&scale(&self.direction, &time.0), &total);
        let [a, b] = &self.vertices;
        for (&pair, weight) in point.pairs.iter().zip(&weights) {
            let (Some(a), Some(b)) = (a.get(pair[0] as usize), b.get(pair[1] as usize)) else {
                let counts = [a.len() as u32, b.len() as u32];
                return Err(VerifyError::PairRange { pair, counts });
            };
            // `sum − (a − b)·weight`.
            sum = sub(&sum, &scale(&sub(a, b), &(weight * &time.1)));
        }
        Ok((sum, total))
    }

    /// The begin of a contact, or its end.
    fn ends<V: Vector>(
        &self,
        answer: &CastAnswer<V>,
        certificate: &CastCertificate,
        leaves: bool,
    ) -> Result<Verified, VerifyError> {
        let time = answer.time.ok_or(wrong("has no time"))?;
        let bounds = [time.lower.to_f64(), time.upper.to_f64()];
        match certificate {
            CastCertificate::Facet {
                direction,
                time,
                combination,
            } => self.facet(direction, time, combination, bounds, leaves),
            CastCertificate::Rounded {
                outside,
                before,
                inside,
                after,
                touch,
            } => {
                let inside = Some(*inside).filter(|_| !touch);
                self.rounded(
                    [*outside, bounds[0], bounds[1]],
                    before,
                    inside,
                    after,
                    leaves,
                )
            }
            _ => Err(wrong("is of another verdict")),
        }
    }

    fn facet(
        &self,
        direction: &Direction,
        [above, below]: &[BigInt; 2],
        point: &Combination,
        [lower, upper]: [f64; 2],
        leaves: bool,
    ) -> Result<Verified, VerifyError> {
        let normal = self.normal(direction)?;
        let time = Time(above.to_exact(), below.to_exact());
        if sign(&time.1).is_le() || !self.radius.is_zero() {
            return Err(wrong("has a time or a radius that it cannot have"));
        }
        if self.end.as_ref().is_some_and(|end| !time.is_at_most(end)) {
            return Err(wrong("has a time after the end"));
        }
        if !self.least(&normal, &time)?.is_zero() {
            return Err(wrong(
                "has a plane that does not touch both bodies at the time",
            ));
        }
        let slope = sign(&dot(&normal, &self.direction));
        let fits = if leaves {
            slope.is_gt()
        } else {
            self.separates(&normal, &Time::of(0.0))?
        };
        if !fits {
            return Err(wrong("has a plane that does not separate before the time"));
        }
        if !is_zero(&self.combined(point, &time)?.0) {
            return Err(wrong("has a combination that is no common point"));
        }
        if !time.is_within(lower, upper) {
            return Err(wrong("has a time outside of the interval"));
        }
        Ok(Verified {
            verdict: true,
            lower: true,
            upper: true,
        })
    }

    fn rounded(
        &self,
        [outside, lower, upper]: [f64; 3],
        before: &Direction,
        inside: Option<f64>,
        point: &Combination,
        leaves: bool,
    ) -> Result<Verified, VerifyError> {
        if !outside.is_finite() || inside.is_some_and(|t| !t.is_finite()) {
            return Err(wrong("has a time that is not finite"));
        }
        let normal = self.normal(before)?;
        let slope = sign(&dot(&normal, &self.direction));
        let towards = if leaves { slope.is_ge() } else { slope.is_le() };
        if !towards || !self.separates(&normal, &Time::of(outside))? {
            return Err(wrong(
                "has a plane that does not separate outside of the contact",
            ));
        }
        let touched = match inside {
            Some(inside) => self.within(point, Time::of(inside))?,
            None => self.touched(point)?,
        };
        if self
            .end
            .as_ref()
            .is_some_and(|end| !leaves && !touched.is_at_most(end))
        {
            return Err(wrong("has a time after the end"));
        }
        let (outside, start) = (Time::of(outside), Time::of(0.0));
        let ordered = start.is_at_most(&touched)
            && if leaves {
                touched.is_at_most(&outside)
            } else {
                outside.is_at_most(&touched)
            };
        if !ordered {
            return Err(wrong("has times in the wrong order"));
        }
        let (at_lower, at_upper) = if leaves {
            (touched, outside)
        } else {
            (outside, touched)
        };
        Ok(Verified {
            verdict: true,
            lower: Time::of(lower).is_at_most(&at_lower),
            upper: !upper.is_finite() || at_upper.is_at_most(&Time::of(upper)),
        })
    }

    /// The time, if the combination is no longer than the radius then.
    fn within(&self, point: &Combination, time: Time) -> Result<Time, VerifyError> {
        let (sum, total) = self.combined(point, &time)?;
        let allowed = &self.radius * &total * &time.1;
        if dot(&sum, &sum) > &allowed * &allowed {
            return Err(wrong("has points that are farther than the radius"));
        }
        Ok(time)
    }

    /// The time at which the combination is shortest, if it is no longer than the radius then.
    fn touched(&self, point: &Combination) -> Result<Time, VerifyError> {
        let (sum, total) = self.combined(point, &Time::of(0.0))?;
        let across = cross(&sum, &self.direction);
        let square = dot(&self.direction, &self.direction);
        let allowed = &self.radius * &total;
        if dot(&across, &across) > &allowed * &allowed * &square {
            return Err(wrong("has points that pass beyond the radius"));
        }
        Ok(Time(-dot(&sum, &self.direction), total * square))
    }
}
