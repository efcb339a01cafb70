//! The pair's own frame: the world moved so that the pair is at the origin, and scaled by a power of two so that no
//! product leaves the scalar's range.

use crate::math::{Pose, Ring, Scalar, Vector};
use crate::support::{MinkowskiDifference, Posed, Support};
use crate::trace::{Observe, Step};

/// The map between the world and the pair's frame, and what rounding costs in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<V: Vector> {
    /// The world point that is the frame's origin.
    origin: V,
    /// Frame lengths are world lengths times `2^exponent`.
    pub(super) exponent: i32,
    /// Bound of the error of any height `d·w/|d|` and of any support point's position, in the frame's unit.
    ///
    /// Per unit of coordinate size, in roundings: pose applied 5, difference 1, inner product and norm 6, the support
    /// vertex chosen by rounded heights 12, or a smooth support point 10; together 24. The world's vertices, for
    /// which verdicts are exact, are rounded in `f64`: 8 of its roundings of their world coordinates.
    /// Derivation: docs/tolerances.md. Test: `intervals_bracket_the_oracle`.
    pub(super) slack: V::Scalar,
}

/// Sums of at most some twenty sizes cannot overflow after scaling by `2^-8`.
const OVERFLOW_ROOM: i32 = 8;
const SLACK_ROUNDINGS: f64 = 24.0;
const WORLD_ROUNDINGS: f64 = 8.0;
const WIDE_ROUNDING: f64 = f64::EPSILON / 2.0;

impl<V: Vector> Frame<V> {
    /// The frame of a pair, and the pair in it.
    pub(super) fn of<'a, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
        a: &'a A,
        pose_a: &Pose<V>,
        b: &'a B,
        pose_b: &Pose<V>,
    ) -> (Self, MinkowskiDifference<'a, V, A, B>) {
        let plain = Self::scaled(a, pose_a, b, pose_b, 0);
        let (lowest, highest) = V::Scalar::SAFE_EXPONENTS;
        let exponent = if plain.2.is_finite() {
            exponent_of(plain.2.to_f64())
        } else {
            // The sum of the sizes overflows, each of them does not: measure them scaled down.
            exponent_of(Self::scaled(a, pose_a, b, pose_b, -OVERFLOW_ROOM).2.to_f64()) + OVERFLOW_ROOM
        };
        if plain.2 == V::Scalar::ZERO || (lowest..=highest).contains(&exponent) {
            return (plain.0, plain.1);
        }
        let scaled = Self::scaled(a, pose_a, b, pose_b, -exponent);
        (scaled.0, scaled.1)
    }

    fn scaled<'a, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
        a: &'a A,
        pose_a: &Pose<V>,
        b: &'a B,
        pose_b: &Pose<V>,
        exponent: i32,
    ) -> (Self, MinkowskiDifference<'a, V, A, B>, V::Scalar) {
        let [in_a, in_b] = [pose_a, pose_b].map(|pose| pose.scaled_by_power(exponent));
        let world = [Posed::new(a, in_a).sizes(), Posed::new(b, in_b).sizes()];
        let origin = in_a.point(a.center());
        let difference = MinkowskiDifference {
            a: Posed::new(a, in_a.relative_to(origin)),
            b: Posed::new(b, in_b.relative_to(origin)),
        };
        let local = [difference.a.sizes(), difference.b.sizes()];
        let total = |sizes: [[V::Scalar; 2]; 2]| sizes[0][0] + sizes[0][1] + sizes[1][0] + sizes[1][1];
        let size = total(local) + difference.radius();
        let slack = V::Scalar::from_f64(SLACK_ROUNDINGS) * V::Scalar::ROUNDING * size
            + V::Scalar::from_f64(WORLD_ROUNDINGS * WIDE_ROUNDING) * total(world);
        (Self { origin, exponent, slack }, difference, size)
    }

    /// A point given in the world's axes and origin but in the frame's unit.
    pub(super) fn local_from_wide(&self, x: V) -> V {
        x - self.origin
    }

    /// A point of the frame in the world.
    pub(super) fn point_to_world(&self, x: V) -> V {
        self.vector_to_world(x + self.origin)
    }

    /// A vector of the frame in the world's unit.
    pub(super) fn vector_to_world(&self, x: V) -> V {
        V::from_fn(|k| self.length_to_world(x.component(k)))
    }

    /// A length of the frame in the world's unit.
    pub(super) fn length_to_world(&self, x: V::Scalar) -> V::Scalar {
        if self.exponent == 0 { x } else { x.scale_by_power(-self.exponent) }
    }
}

/// The exponent `e` with `2^e ≤ x < 2^(e+1)`; for zero and subnormals the lowest.
fn exponent_of(x: f64) -> i32 {
    let biased = ((x.to_bits() >> 52) & 0x7ff) as i32;
    if biased == 0 { -1022 - (x.to_bits().leading_zeros() as i32 - 11) } else { biased - 1023 }
}

/// Passes steps on in the world's frame.
pub(super) struct InWorld<'o, V: Vector, O> {
    pub(super) frame: Frame<V>,
    pub(super) inner: &'o mut O,
}

impl<V: Vector, O: Observe<V>> Observe<V> for InWorld<'_, V, O> {
    const ENABLED: bool = O::ENABLED;

    fn observe(&mut self, mut step: Step<V>) {
        let frame = self.frame;
        let place = |pair: &mut crate::support::SupportPair<V>| {
            pair.a = frame.point_to_world(pair.a);
            pair.b = frame.point_to_world(pair.b);
            pair.w = frame.vector_to_world(pair.w);
        };
        match &mut step {
            Step::Gjk { support, simplex, projection, direction, lower, upper, .. } => {
                place(support);
                simplex.iter_mut().for_each(place);
                *projection = direction.dot(support.w);
                (*lower, *upper) = (frame.length_to_world(*lower), frame.length_to_world(*upper));
            }
            Step::Epa { nearest, support, facets, lower, upper, .. } => {
                place(support);
                nearest.iter_mut().for_each(place);
                for w in facets.iter_mut().flatten() {
                    *w = frame.vector_to_world(*w);
                }
                (*lower, *upper) = (frame.length_to_world(*lower), frame.length_to_world(*upper));
            }
        }
        self.inner.observe(step);
    }
}
