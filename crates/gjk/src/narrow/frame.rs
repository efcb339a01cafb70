//! The pair's own frame: differences of points, in a world scaled by a power of two so that no product leaves the range of
//! `f64`. Whatever the bodies' scalar, queries compute in `f64` from here on.
//!
//! Where it sits: `ladder.rs` makes the frame, and every step after reads it. Read [`in_world`], [`Frame::of`], then `measured`.
//!
//! The loops work on differences `a − b`, which do not know where the world's origin is. The points themselves stay in the
//! world, since they, rounded, are the bodies that verdicts are exact for.

use crate::loops::trace::{Observe, Step};
use crate::math::{Pose, Ring, Scalar, Vector, exponent_of};
use crate::pair::Pair;
use crate::support::{Core, MinkowskiDifference, Posed, Support, SupportPair};
use core::marker::PhantomData;

/// A pair in its frame: a difference of two posed shapes.
pub(super) type Difference<'a, V, A, B> = MinkowskiDifference<Posed<'a, V, A>, Posed<'a, V, B>>;

/// The map between the world and the pair's frame, and what rounding costs in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<W: Vector> {
    vector: PhantomData<W>,
    /// Frame lengths are world lengths times `2^exponent`.
    exponent: i32,
    /// Bound of the error of a computed difference of two points against that of the true points, and of its height over
    /// a given direction: see [`POINT_ROUNDINGS`].
    pub(super) point_slack: f64,
    /// Bound of the error of a support height, which also depends on the choice of the point: see [`HEIGHT_ROUNDINGS`].
    pub(super) slack: f64,
}

// All bounds count roundings of 2⁻⁵³ per unit of the pair's coordinate sums. Derivation, and which tests fail without
// them: docs/tolerances.md.
/// Origin subtracted 1, difference 1, weighted sum of three points or inner product with norm and quotient: below 12.
const POINT_ROUNDINGS: f64 = 12.0;
/// The vertex chosen by rounded heights: direction rotated 3 and height 3, twice; then a point's error. For smooth shapes
/// instead the support point's own 8.
const HEIGHT_ROUNDINGS: f64 = 24.0;
/// The world's vertices are rounded by 4 of their world coordinates; the choice sees the rounding of two of them.
const WORLD_ROUNDINGS: f64 = 8.0;
/// Sums of at most some twenty sizes cannot overflow after scaling by `2^-8`.
const OVERFLOW_ROOM: i32 = 8;

/// Whether no product of a size overflows or underflows.
#[inline(always)]
fn is_safe(size: f64) -> bool {
    let (lowest, highest) = f64::SAFE_EXPONENTS;
    size == 0.0 || (lowest..=highest).contains(&exponent_of(size)) && size.is_finite()
}

/// Bounds of two bodies as they are in the world: of the error of a support height over a unit direction, and of the length of a difference of two
/// of their points. `None` where a frame would have to be scaled.
pub(crate) fn slack_and_size<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    a: &Posed<'_, V, A>,
    b: &Posed<'_, V, B>,
) -> Option<[f64; 2]> {
    let (frame, size) = Frame::<V::Wide>::measured(a, b, 0);
    is_safe(size).then_some([frame.slack, size])
}

/// A pair at its poses in the world.
#[inline(always)]
pub(super) fn in_world<'a, V, A, B>(
    pair: &Pair<'a, V, A, B>,
    cores: &[Core<'_, V>; 2],
) -> Difference<'a, V, A, B>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    MinkowskiDifference {
        a: Posed::wide(pair.a, &cores[0], pair.pose_a.lift()),
        b: Posed::wide(pair.b, &cores[1], pair.pose_b.lift()),
    }
}

/// The same, of bodies that need no scale.
#[inline(always)]
pub(super) fn plain_in_world<'a, V, A, B>(
    pair: &Pair<'a, V, A, B>,
    cores: &[Core<'_, V>; 2],
) -> Option<Difference<'a, V, A, B>>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let a = Posed::plain(pair.a, &cores[0], pair.pose_a.lift())?;
    let b = Posed::plain(pair.b, &cores[1], pair.pose_b.lift())?;
    Some(MinkowskiDifference { a, b })
}

impl<W: Vector<Scalar = f64, Wide = W>> Frame<W> {
    /// The frame of a pair, of which `difference` is [`in_world`], and brings `difference` into that frame. In place: it is too
    /// long to be copied in every query.
    #[inline(always)]
    pub(super) fn of<'a, V, A, B>(
        pair: &Pair<'a, V, A, B>,
        cores: &[Core<'_, V>; 2],
        difference: &mut Difference<'a, V, A, B>,
    ) -> Self
    where
        V: Vector<Wide = W>,
        A: Support<V> + ?Sized,
        B: Support<V> + ?Sized,
    {
        let (frame, size) = Self::measured(&difference.a, &difference.b, 0);
        if is_safe(size) {
            return frame;
        }
        let (frame, rescaled) = Self::rescaled(pair, cores, size);
        *difference = rescaled;
        frame
    }

    /// The frame of a pair that needs no scale.
    #[inline(always)]
    pub(super) fn plain<V, A, B>(difference: &Difference<'_, V, A, B>) -> Option<Self>
    where
        V: Vector<Wide = W>,
        A: Support<V> + ?Sized,
        B: Support<V> + ?Sized,
    {
        let (frame, size) = Self::measured(&difference.a, &difference.b, 0);
        is_safe(size).then_some(frame)
    }

    /// The frame of a pair whose size in the world, a float or infinite, leaves the safe range.
    #[cold]
    fn rescaled<'a, V, A, B>(
        pair: &Pair<'a, V, A, B>,
        cores: &[Core<'_, V>; 2],
        size: f64,
    ) -> (Self, Difference<'a, V, A, B>)
    where
        V: Vector<Wide = W>,
        A: Support<V> + ?Sized,
        B: Support<V> + ?Sized,
    {
        let world = [pair.pose_a, pair.pose_b];
        let exponent = if size.is_finite() {
            exponent_of(size)
        } else {
            // The sum of the sizes overflows, each of them does not: measure them scaled down.
            exponent_of(Self::scaled(pair, cores, world, -OVERFLOW_ROOM).2) + OVERFLOW_ROOM
        };
        let (lowest, highest) = f64::SAFE_EXPONENTS;
        if (lowest..=highest).contains(&exponent) {
            let plain = Self::scaled(pair, cores, world, 0);
            return (plain.0, plain.1);
        }
        // Entries that move no point may be as steep as they like; they would only be in the way.
        let poses = [
            without_idle_columns(&cores[0], pair.pose_a),
            without_idle_columns(&cores[1], pair.pose_b),
        ];
        // The points' place must stay finite. What rounds there is as much larger than the bodies.
        let [far_a, far_b] = [&poses[0], &poses[1]].map(|pose| pose.translation().max_abs());
        let far = far_a.max(far_b);
        let polytopes = cores.iter().all(|core| core.vertex_count.is_some());
        let room = if polytopes { 1000 } else { 100 } - exponent_of(far.to_f64());
        // Down no farther than needed: small parts of the numbers would be lost.
        let towards = if exponent > highest {
            highest - exponent
        } else {
            -exponent
        };
        let (mut frame, difference, _) =
            Self::scaled(pair, cores, [&poses[0], &poses[1]], towards.min(room));
        if !(difference.a.is_shown() && difference.b.is_shown()) {
            frame.point_slack = f64::INFINITY;
        }
        (frame, difference)
    }

    fn scaled<'a, V, A, B>(
        pair: &Pair<'a, V, A, B>,
        cores: &[Core<'_, V>; 2],
        poses: [&Pose<V>; 2],
        exponent: i32,
    ) -> (Self, Difference<'a, V, A, B>, f64)
    where
        V: Vector<Wide = W>,
        A: Support<V> + ?Sized,
        B: Support<V> + ?Sized,
    {
        let a = Posed::scaled(pair.a, &cores[0], poses[0].lift(), exponent);
        let b = Posed::scaled(pair.b, &cores[1], poses[1].lift(), exponent);
        let difference = MinkowskiDifference { a, b };
        let (frame, size) = Self::measured(&difference.a, &difference.b, exponent);
        (frame, difference, size)
    }

    /// The frame of a pair that is scaled by `2^exponent`, and the pair's size there.
    #[inline(always)]
    fn measured<V, A, B>(a: &Posed<'_, V, A>, b: &Posed<'_, V, B>, exponent: i32) -> (Self, f64)
    where
        V: Vector<Wide = W>,
        A: Support<V> + ?Sized,
        B: Support<V> + ?Sized,
    {
        let (sizes_a, sizes_b) = (a.sizes(), b.sizes());
        let (shapes, world) = (sizes_a[0] + sizes_b[0], sizes_a[1] + sizes_b[1]);
        let at = [a.pose().translation(), b.pose().translation()];
        let between = match exponent {
            0 => at[1] - at[0],
            // In a world that is too large the difference may overflow.
            1.. => (at[1] - at[0]).scaled_by_power(exponent),
            _ => at[1].scaled_by_power(exponent) - at[0].scaled_by_power(exponent),
        };
        let between = between.sum_abs();
        let size = shapes + between + (a.radius() + b.radius());
        let own = a.shape_rounding().max(b.shape_rounding());
        // Shapes that round to a narrower scalar than f64 err by that scalar's roundings of their own size.
        let coarse = if own > f64::ROUNDING {
            HEIGHT_ROUNDINGS * own * shapes
        } else {
            0.0
        };
        let rounding = WORLD_ROUNDINGS * f64::ROUNDING * (shapes + world);
        // A smooth support point is computed, not stored: its pose rounds it like a world vertex.
        let is_polytope = a.vertex_count().is_some() && b.vertex_count().is_some();
        let smooth = if is_polytope { 0.0 } else { rounding };
        let point_slack = POINT_ROUNDINGS * f64::ROUNDING * size + smooth + coarse;
        let underflow = a.underflow() + b.underflow();
        let slack = HEIGHT_ROUNDINGS * f64::ROUNDING * size + rounding + coarse + underflow;
        (
            Self {
                vector: PhantomData,
                exponent,
                point_slack,
                slack,
            },
            size,
        )
    }

    /// The size that the slack counts roundings of: no smaller than the pair's depth.
    pub(super) fn size(&self) -> f64 {
        self.point_slack / (POINT_ROUNDINGS * f64::ROUNDING)
    }

    /// False for bodies that do not fit into `f64` once posed, or whose numbers span more than it: brought into range as far as
    /// it goes, products of their sizes still overflow, or small parts of their coordinates are lost. The sixth power of this
    /// limit is a float.
    pub(super) fn fits(&self) -> bool {
        self.size() < f64::from_bits((1023 + 160) << 52)
    }

    /// A point or vector of the frame in the world's unit, in the bodies' scalar.
    #[inline(always)]
    pub(super) fn world_vector<V: Vector<Wide = W>>(&self, x: W) -> V {
        if self.exponent == 0 {
            x.lift()
        } else {
            x.scaled_by_power(-self.exponent).lift()
        }
    }

    /// A lower bound of the frame in the world's unit, where subnormal numbers are rounded.
    #[inline(always)]
    pub(super) fn lower_to_world(&self, x: f64) -> f64 {
        let length = self.length_to_world(x);
        let rounded = self.exponent != 0 && x != 0.0 && length.abs() < 2.0 * f64::MIN_POSITIVE;
        if rounded { length.next_down() } else { length }
    }

    /// A length of the frame in the world's unit.
    #[inline(always)]
    pub(super) fn length_to_world(&self, x: f64) -> f64 {
        if self.exponent == 0 {
            x
        } else {
            x.scale_by_power(-self.exponent)
        }
    }

    /// A length of the world in the frame's unit.
    pub(super) fn length_from_world(&self, x: f64) -> f64 {
        x.scale_by_power(self.exponent)
    }
}

/// The pose without the steep columns of axes along which a core has no extent: it places the core's points as before.
fn without_idle_columns<V: Vector>(core: &Core<'_, V>, pose: &Pose<V>) -> Pose<V> {
    let mut columns = V::identity();
    let mut cleared = false;
    for (axis, (to, &from)) in columns.as_mut().iter_mut().zip(pose.columns()).enumerate() {
        let idle = core.radius == 0.0 && core.extent.component(axis) == 0.0;
        let steep = from.max_abs() > V::Scalar::ONE;
        *to = if idle && steep { V::ZERO } else { from };
        cleared |= idle && steep;
    }
    if cleared {
        Pose::from_columns(columns, pose.translation())
    } else {
        *pose
    }
}

/// Passes `f64` steps on in the world's frame and the bodies' scalar.
pub(super) struct InWorld<'o, V: Vector, O> {
    pub(super) frame: Frame<V::Wide>,
    pub(super) inner: &'o mut O,
}

impl<V: Vector, O> InWorld<'_, V, O> {
    fn pair(&self, pair: &SupportPair<V::Wide>) -> SupportPair<V> {
        SupportPair {
            a: self.frame.world_vector(pair.a),
            b: self.frame.world_vector(pair.b),
            w: self.frame.world_vector(pair.w),
            ids: pair.ids,
        }
    }

    fn length(&self, x: f64) -> V::Scalar {
        V::Scalar::from_f64(self.frame.length_to_world(x))
    }
}

impl<V: Vector, O: Observe<V>> Observe<V::Wide> for InWorld<'_, V, O> {
    const ENABLED: bool = O::ENABLED;

    fn observe(&mut self, step: Step<V::Wide>) {
        let world = &*self;
        let step = match step {
            Step::Gjk {
                iteration,
                direction,
                support,
                simplex,
                weights,
                lower,
                upper,
                region,
                ..
            } => {
                let support: SupportPair<V> = world.pair(&support);
                Step::Gjk {
                    iteration,
                    direction: direction.lift(),
                    projection: direction.lift::<V>().dot(support.w),
                    support,
                    simplex: simplex.iter().map(|p| world.pair(p)).collect(),
                    weights: weights.iter().map(|&x| V::Scalar::from_f64(x)).collect(),
                    lower: world.length(lower),
                    upper: world.length(upper),
                    region,
                }
            }
            Step::Epa {
                iteration,
                nearest,
                normal,
                support,
                facets,
                lower,
                upper,
            } => Step::Epa {
                iteration,
                nearest: nearest.iter().map(|p| world.pair(p)).collect(),
                normal: normal.lift(),
                support: world.pair(&support),
                facets: facets
                    .iter()
                    .map(|facet| facet.iter().map(|&w| world.frame.world_vector(w)).collect())
                    .collect(),
                lower: world.length(lower),
                upper: world.length(upper),
            },
        };
        self.inner.observe(step);
    }
}
