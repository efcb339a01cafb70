//! Target `queries`: any two shapes at any two finite poses, under any options.
//!
//! Bodies that leave the range of `f64` in the world are only asked, not judged: the command line refuses them.
//! Held: no panic and no NaN; the interval is one and agrees with the verdict; the four queries and the exchanged bodies
//! do not contradict one another; loops end at their limit; a certificate is true in integers.

use crate::case::Case;
use crate::exact::{Grid, Vector, combination, dot, encloses_origin, is_zero, minus};
use core::cmp::Ordering;
use dashu_int::IBig;
use gjk::math::{Ring, Scalar};
use gjk::query::{
    BigInt, Certificate, Combination, Contact, Interval, Options, Pair, Precision, Proof,
    ProofOptions, Question, Verdict,
};
use gjk::shape::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HullOf, Point, Polytope, Rounded, Segment,
    Shape, Sum, Triangle,
};
use gjk::{Pose, Posed, Support, Vec2, Vec3, Vector as Space};
use gjk_scene::{Axis, BodySpec, Place, QueryError, QueryErrorKind, ScalarKind, ShapeSpec};

/// The exact checks look at every vertex.
const VERTICES_MAX: u32 = 512;
/// Coordinates within these sizes stay far from overflow and underflow, so that vertices are the documented ones.
const PLAIN_SIZES: core::ops::Range<f64> = 1e-30..1e30;

/// The query line, with the options that it cannot say.
pub fn describe(data: &[u8]) -> String {
    let case = Case::decode(data);
    let Case {
        cutoff,
        first_direction,
        prove_depth,
        ..
    } = &case;
    format!(
        "{}\ncutoff {cutoff:?}, first direction {first_direction:?}, prove depth {prove_depth}",
        case.query.to_line()
    )
}

/// Asks and checks.
pub fn run(data: &[u8]) {
    let case = Case::decode(data);
    match (case.query.dim, case.query.scalar) {
        (2, ScalarKind::F32) => check::<Vec2<f32>>(&case, |_, _, _, _| None),
        (2, ScalarKind::F64) => check::<Vec2<f64>>(&case, |_, _, _, _| None),
        (_, ScalarKind::F32) => check::<Vec3<f32>>(&case, revolved),
        (_, ScalarKind::F64) => check::<Vec3<f64>>(&case, revolved),
    }
}

/// An integer of a certificate, to compute with.
fn big(x: &BigInt) -> IBig {
    gjk_exact::integer::from_limbs(x.is_negative(), x.limbs())
}

/// Makes the shapes that only space has: cone or not, half height, radius, axis.
type Revolved<V> = fn(bool, f64, f64, gjk::Axis) -> Option<Shape<V>>;

fn revolved<T: Scalar>(
    cone: bool,
    half_height: f64,
    radius: f64,
    axis: gjk::Axis,
) -> Option<Shape<Vec3<T>>> {
    let (half_height, radius) = (T::from_f64(half_height), T::from_f64(radius));
    if cone {
        return Some(Cone::new(half_height, radius, axis).ok()?.into());
    }
    Some(Cylinder::new(half_height, radius, axis).ok()?.into())
}

/// A body as the library takes it; `None` when its constructor refuses it or its pose is not finite.
fn body<V: Space>(spec: &BodySpec, make: Revolved<V>) -> Option<(Shape<V>, Pose<V>)> {
    let mut spec = spec.clone();
    let mut round = |x: &mut f64, at: &Place<'_>| {
        *x = V::Scalar::from_f64(*x).to_f64();
        if x.is_finite() {
            Ok(())
        } else {
            Err(QueryError::new(
                QueryErrorKind::OutOfRange,
                at,
                "not finite",
            ))
        }
    };
    spec.visit_numbers(&Place::new("body"), &mut round).ok()?;
    let affine = spec
        .pose
        .as_ref()
        .map(|pose| pose.affine())
        .unwrap_or_default();
    let mut columns = V::identity();
    for (k, column) in columns.as_mut().iter_mut().enumerate() {
        *column = V::from_fn(|row| V::Scalar::from_f64(affine.linear[row][k]));
    }
    let pose = Pose::from_columns(
        columns,
        V::from_fn(|row| V::Scalar::from_f64(affine.translation[row])),
    );
    let finite = pose.columns().iter().all(|c| c.is_finite()) && pose.translation().is_finite();
    Some((shape(&spec.shape, make)?, pose)).filter(|_| finite)
}

fn shape<V: Space>(spec: &ShapeSpec, make: Revolved<V>) -> Option<Shape<V>> {
    let number = V::Scalar::from_f64;
    let vector = |list: &[f64]| V::from_fn(|k| number(list[k]));
    let named = |axis: Axis| gjk::Axis::ALL[axis as usize];
    Some(match spec {
        ShapeSpec::Point { point } => Point::new(vector(point)).ok()?.into(),
        ShapeSpec::Segment { a, b } => Segment::new(vector(a), vector(b)).ok()?.into(),
        ShapeSpec::Triangle { a, b, c } => {
            Triangle::new(vector(a), vector(b), vector(c)).ok()?.into()
        }
        ShapeSpec::Ball { radius } => Ball::new(number(*radius)).ok()?.into(),
        ShapeSpec::Box { half_extents } => Cuboid::new(vector(half_extents)).ok()?.into(),
        ShapeSpec::Ellipsoid { radii } => Ellipsoid::new(vector(radii)).ok()?.into(),
        ShapeSpec::Capsule {
            half_height,
            radius,
            axis,
        } => Capsule::new(number(*half_height), number(*radius), named(*axis))
            .ok()?
            .into(),
        ShapeSpec::Cylinder {
            half_height,
            radius,
            axis,
        } => make(false, *half_height, *radius, named(*axis))?,
        ShapeSpec::Cone {
            half_height,
            radius,
            axis,
        } => make(true, *half_height, *radius, named(*axis))?,
        ShapeSpec::Convex { points } => {
            Polytope::new(&points.iter().map(|p| vector(p)).collect::<Vec<_>>())
                .ok()?
                .into()
        }
        ShapeSpec::Rounded { core, radius } => Rounded::new(shape(core, make)?, number(*radius))
            .ok()?
            .into(),
        ShapeSpec::Sum { of } => Sum::new(shape(&of[0], make)?, shape(&of[1], make)?).into(),
        ShapeSpec::HullOf { of } => HullOf::new(
            of.iter()
                .map(|part| shape(part, make))
                .collect::<Option<Vec<_>>>()?,
        )
        .ok()?
        .into(),
    })
}

/// Two bodies, and every way to query them.
struct Posing<V: Space> {
    shapes: [Shape<V>; 2],
    poses: [Pose<V>; 2],
    options: Options<V::Scalar>,
    /// The same without a cut-off.
    plain: Options<V::Scalar>,
    proof: ProofOptions<V>,
}

impl<V: Space> Posing<V> {
    /// `None` for bodies that a constructor refuses, that have too many vertices, or whose coordinates leave the range.
    fn new(case: &Case, make: Revolved<V>) -> Option<Self> {
        let (a, pose_a) = body(&case.query.a, make)?;
        let (b, pose_b) = body(&case.query.b, make)?;
        let many = |shape: &Shape<V>| shape.core().vertex_count.is_some_and(|n| n > VERTICES_MAX);
        if many(&a) || many(&b) {
            return None;
        }
        let spec = &case.query.options;
        let mut plain = Options::tight();
        plain.tolerance_relative = spec.tolerance_relative.map(V::Scalar::from_f64);
        plain.iterations_max = spec.iterations_max.unwrap_or(plain.iterations_max);
        let mut options = plain;
        options.cutoff = case.cutoff.map(V::Scalar::from_f64);
        let mut proof = ProofOptions::default().with_facets(case.prove_depth);
        proof.first_direction = case.first_direction.map(V::from_f64);
        Some(Self {
            shapes: [a, b],
            poses: [pose_a, pose_b],
            options,
            plain,
            proof,
        })
    }

    /// True when the coordinates are so large that sums of them may leave the scalar's range; NaN counts as too far.
    fn is_far(&self) -> bool {
        let limit = if V::Scalar::NAME == "f32" {
            f64::from(f32::MAX) / 256.0
        } else {
            f64::MAX / 256.0
        };
        let reach = |k: usize| reach(&self.shapes[k], &self.poses[k]);
        !(reach(0) + reach(1) < limit)
    }

    fn pair(&self, [i, j]: [usize; 2]) -> Pair<'_, V, Shape<V>, Shape<V>> {
        let (shapes, poses) = (&self.shapes, &self.poses);
        Pair::new(&shapes[i], &poses[i], &shapes[j], &poses[j])
    }

    fn prove(&self, order: [usize; 2], options: &Options<V::Scalar>) -> Proof<V> {
        self.pair(order).with(options).prove_with(&self.proof)
    }

    /// Every query agrees with the contact.
    fn all_agree_with(&self, contact: &Contact<V>) {
        let limited = self.prove([0, 1], &self.options).contact;
        consistent(&limited);
        let interval = Some(limited.signed_distance);
        agree("with a cut-off", contact, limited.verdict, interval);
        let pair = self.pair([0, 1]);
        let distance = pair.with(&self.options).distance();
        let gap = (distance.verdict == Verdict::Separated).then_some(distance.distance);
        assert!(
            distance.distance.lower >= V::Scalar::ZERO
                && distance.distance.lower <= distance.distance.upper
        );
        agree("distance", contact, distance.verdict, gap);
        // Boxes, polygons and simple cores are answered without a loop.
        for precision in [Precision::Fast, Precision::Tight] {
            let options = self.plain.with_precision(precision);
            let quick = pair.with(&options).contact();
            consistent(&quick);
            agree("quick", contact, quick.verdict, Some(quick.signed_distance));
            let boolean = pair.with(&options).intersects();
            agree("quick intersects", contact, boolean.verdict, None);
        }
    }
}

fn check<V: Space>(case: &Case, make: Revolved<V>) {
    let Some(pair) = Posing::new(case, make) else {
        return;
    };
    let proof = pair.prove([0, 1], &pair.plain);
    let contact = proof.contact;
    if pair.is_far() {
        return;
    }
    let mirrored = pair.prove([1, 0], &pair.plain);
    let swapped = mirrored.contact;
    let most = pair.plain.iterations_max.max(1);
    for found in [&contact, &swapped] {
        consistent(found);
        let steps = found.iterations;
        assert!(steps.gjk <= most && steps.epa <= most, "{steps:?}");
    }
    let interval = Some(swapped.signed_distance);
    agree("swapped", &contact, swapped.verdict, interval);
    let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.poses);
    let verdict = pair.proof.with_question(Question::Verdict);
    let verdict = pair.pair([0, 1]).with(&pair.options).prove_with(&verdict);
    agree("verdict", &contact, verdict.contact.verdict, None);
    pair.all_agree_with(&contact);
    let posed = [Posed::new(a, *pose_a), Posed::new(b, *pose_b)];
    for (order, found) in [
        ([0, 1], &proof.certificate),
        ([1, 0], &mirrored.certificate),
        ([0, 1], &verdict.certificate),
    ] {
        certificate(V::DIM, order.map(|k| &posed[k]), found.as_ref());
    }
}

/// How far from the world's origin the body's coordinates can be, in sum.
fn reach<V: Space>(shape: &Shape<V>, pose: &Pose<V>) -> f64 {
    let (wide, core): (Pose<V::Wide>, _) = (pose.lift(), shape.core());
    let size = wide.bound(V::Wide::from_fn(|k| core.extent.component(k) + core.radius));
    size + wide
        .translation()
        .to_f64()
        .iter()
        .map(|x| x.abs())
        .sum::<f64>()
}

/// What every contact says of itself.
fn consistent<V: Space>(found: &Contact<V>) {
    let Interval { lower, upper } = found.signed_distance;
    let zero = V::Scalar::ZERO;
    assert!(lower <= upper, "no interval: {found:?}");
    let fits = match found.verdict {
        // Below the smallest number the end nearer to zero is zero.
        Verdict::Separated => lower >= zero && upper > zero,
        Verdict::Touching => lower == zero && upper == zero,
        Verdict::Overlapping => upper <= zero && lower < zero,
        Verdict::Undecided => true,
    };
    assert!(fits, "verdict against interval: {found:?}");
    let length = found
        .normal
        .to_f64()
        .iter()
        .map(|x| x * x)
        .sum::<f64>()
        .sqrt();
    assert!(
        (length - 1.0).abs() < 1e-5,
        "a normal of length {length}: {found:?}"
    );
    let is_nan = |v: V| v.to_f64().iter().any(|x| x.is_nan());
    assert!(
        !is_nan(found.point_a) && !is_nan(found.point_b),
        "NaN: {found:?}"
    );
}

/// Two answers on the same pair do not exclude each other.
fn agree<V: Space>(
    what: &str,
    contact: &Contact<V>,
    verdict: Verdict,
    interval: Option<Interval<V::Scalar>>,
) {
    let decided = contact.verdict != Verdict::Undecided && verdict != Verdict::Undecided;
    assert!(
        !decided || contact.verdict == verdict,
        "{what}: {verdict:?} against {contact:?}"
    );
    if let Some(other) = interval {
        let own = contact.signed_distance;
        assert!(
            own.overlaps(&other),
            "{what}: {other:?} against {contact:?}"
        );
    }
}

/// The certificate's own words, in integers, over all vertices.
fn certificate<V: Space>(
    dim: usize,
    bodies: [&Posed<'_, V, Shape<V>>; 2],
    found: Option<&Certificate>,
) {
    let Some(found) = found else { return };
    let Some(bodies) = Integers::of(bodies) else {
        return;
    };
    let gap = |d: &Vector| {
        assert!(!is_zero(d), "a zero direction: {found:?}");
        bodies.gap(d)
    };
    let length = |nearest: &Combination| {
        let weights: Vec<IBig> = nearest.weights.integers().iter().map(big).collect();
        assert!(
            weights.len() == nearest.pairs.len() && weights.iter().all(|w| *w >= IBig::ZERO),
            "{found:?}"
        );
        bodies.length(&nearest.pairs, &weights)
    };
    match found {
        Certificate::Separated { direction, nearest } => {
            assert!(
                gap(&direction.integers().each_ref().map(big)).is_gt(),
                "{found:?}"
            );
            assert!(
                nearest
                    .as_ref()
                    .is_none_or(|nearest| length(nearest).is_gt()),
                "{found:?}"
            );
        }
        Certificate::Touching { direction, nearest } => {
            assert!(
                gap(&direction.integers().each_ref().map(big)).is_ge() && length(nearest).is_eq(),
                "{found:?}"
            );
        }
        Certificate::Near { nearest, .. } => assert!(length(nearest).is_lt(), "{found:?}"),
        Certificate::Overlapping { pairs, .. } => {
            assert!(
                encloses_origin(dim, &bodies.differences(pairs)),
                "{found:?}"
            );
        }
    }
}

/// The vertices of two bodies and the sum of their radii, on a common grid.
struct Integers {
    vertices: [Vec<Vector>; 2],
    radius: IBig,
}

impl Integers {
    /// `None` when a coordinate is too large or too small.
    fn of<V: Space>(bodies: [&Posed<'_, V, Shape<V>>; 2]) -> Option<Self> {
        let vertices = bodies.map(|body| {
            let count = body.vertex_count().unwrap_or(0);
            (0..count)
                .filter_map(|id| body.vertex(id))
                .map(|x| x.to_f64())
                .collect::<Vec<[f64; 3]>>()
        });
        let radii = bodies.map(|body| body.radius());
        let numbers = || vertices.iter().flatten().flatten().chain(&radii);
        if !numbers().all(|x| *x == 0.0 || PLAIN_SIZES.contains(&x.abs())) {
            return None;
        }
        let grid = Grid::of(numbers());
        let radius = radii.iter().map(|&r| grid.integer(r)).sum();
        Some(Self {
            vertices: vertices.map(|set| grid.points(&set)),
            radius,
        })
    }

    /// Vertices of the Minkowski difference `b − a`.
    fn differences(&self, pairs: &[[u32; 2]]) -> Vec<Vector> {
        let [a, b] = &self.vertices;
        let difference = |pair: &[u32; 2]| minus(&b[pair[1] as usize], &a[pair[0] as usize]);
        pairs.iter().map(difference).collect()
    }

    /// How the gap along a direction compares with the radii.
    fn gap(&self, d: &Vector) -> Ordering {
        let [a, b] = &self.vertices;
        let highest = a.iter().map(|p| dot(d, p)).max().unwrap_or_default();
        let gap = b.iter().map(|p| dot(d, p)).min().unwrap_or_default() - highest;
        if gap < IBig::ZERO {
            Ordering::Less
        } else {
            (&gap * &gap).cmp(&(&self.radius * &self.radius * dot(d, d)))
        }
    }

    /// How the length of a combination of differences compares with the radii.
    fn length(&self, pairs: &[[u32; 2]], weights: &[IBig]) -> Ordering {
        let sum: IBig = weights.iter().sum();
        let v = combination(weights, &self.differences(pairs));
        dot(&v, &v).cmp(&(&self.radius * &self.radius * &sum * &sum))
    }
}
