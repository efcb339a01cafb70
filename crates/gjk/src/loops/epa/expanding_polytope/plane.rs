//! A facet's plane in floats, with the bounds that make it a proof.
//!
//! Where it sits: each [`super::facet::Facet`] has one; it knows numbers only. Read [`FacetPlane::through_edges`] first.
//! Idea: an expansion makes some six planes and evaluates some ten sides, nearly all of them far from zero. So a plane costs a
//! cross product and a root, a side an inner product and a compare, and their errors are bounded by sizes alone: nothing
//! is tracked. A side that the bound does not decide goes to exact signs; a plane that may be the answer is refined
//! ([`FacetPlane::refined`]).
//!
//! # The bound
//!
//! Let `u = 2⁻⁵³`, `M` the largest coordinate of all rounded differences `w = fl(a − b)`, and `L` the largest of the two
//! edges' `e = fl(w₁ − w₀)`, so that `L ≤ 2M`. Capitals are true values. To first order in `u`:
//!
//! - `|w − W| ≤ uM` and `|e − E| ≤ 2uM + uL ≤ 4uM`, by component.
//! - The normal `n = fl(e × e′)` has components of at most `2L²`. Two products are off by `2·2·L·4uM`, their roundings by
//!   `2uL² + 2uL² ≤ 8uML`: `|n − N| ≤ 24uML`.
//! - `fl(n·p)` for a vertex `p` is off by `3(2L²·uM + M·24uML) ≤ 84uM²L`, and by `3u·6L²M ≤ 36uM²L` of its own rounding: by
//!   `120uM²L`. So is the plane's height `fl(n·w₀)`. Their difference rounds by `u·12L²M ≤ 24uM²L`. A side is off by at most
//!   **264 `uM²L`**.
//! - The offset `N·W₀ / |N|` of at most `√3 M` is off by `120uM²L / |n|` for the height, by `√3·24uML·√3M / |n|`, that is
//!   `72uM²L / |n|`, for the length, and by at most 10 roundings of itself for root, quotient, product and sum: since
//!   `|n| ≤ 3L²` and `L ≤ 2M`, `M²L / |n| ≥ M/6`, and `10u·√3M ≤ 104uM²L / |n|`. The sum is **296 `uM²L / |n|`** at most.
//! - A component of the unit normal is off by `2·√3·24uML / |n|` and 4 roundings.
//!
//! `FACET_SIDE_ROUNDINGS` and `FACET_OFFSET_ROUNDINGS` add room for what is not of first order: below a millionth, as planes with
//! larger errors are refused. In the plane the normal is the edge rotated by a right angle, off by `4uM` with components of at
//! most `2M`: a side is off by `2·2(2M·uM + M·4uM) + 2·2u·4M² + u·8M² = 48uM²`, and the same constants hold with `L` replaced by
//! 1 in `uM²L`. Nothing underflows or overflows while `M` is between `2⁻²⁰⁰` and `2²⁰⁰`, or the result is refused.

use crate::math::{Scalar, Vector64};
use core::cmp::Ordering::{self, Greater, Less};
use fearless_simd::{Simd, f64x2, prelude::*};
use gjk_exact::{Vertex, measure};

/// Multiples of `uM²L` that a height over a facet may be off. Test: `a_side_is_off_by_less_than_the_filter_says`.
const FACET_SIDE_ROUNDINGS: f64 = 272.0;
/// Multiples of `uM²L / |n|` that a facet's offset may be off. Test: `an_offset_is_within_its_bounds`.
const FACET_OFFSET_ROUNDINGS: f64 = 304.0;
/// Multiples of `uML / |n|` that a component of the unit normal may be off: `2·√3·24`, and roundings.
const FACET_NORMAL_ROUNDINGS: f64 = 96.0;
/// A unit normal with a larger error is that of a sliver: its offset would be useless, and second-order errors would count.
/// Such a plane is refined at once. It is far below 1 and far above `FACET_NORMAL_ROUNDINGS · u`; between them it chooses only.
pub(in crate::loops::epa) const FACET_NORMAL_ERROR_MAX: f64 = 1e-6;
/// Sizes `M` between which no product of the derivation underflows or overflows: `2⁻²⁰⁰` and `2²⁰⁰`. Outside, floats prove
/// nothing and every side is exact.
const FACET_SIZES: (f64, f64) = (
    f64::from_bits((1023 - 200) << 52),
    f64::from_bits((1023 + 200) << 52),
);

/// The plane of a facet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FacetPlane<W> {
    /// Outer normal of any length.
    normal: W,
    /// The normal's product with the facet's points.
    height: f64,
    /// One over the normal's length.
    inverse: f64,
    /// The facet's factor in the bound of a side: `L`.
    edge_size: f64,
    /// A lower bound of the plane's signed distance from the origin.
    pub(crate) lower: f64,
    /// An upper bound of the plane's signed distance from the origin.
    pub(crate) upper: f64,
    /// Bound of the error of each component of [`FacetPlane::unit_normal`].
    pub(crate) normal_error: f64,
}

/// The polytope's factor in the bound of a side, `272uM²`; infinite where floats prove nothing.
#[inline]
pub(super) fn side_bound(size: f64) -> f64 {
    let in_range = size > FACET_SIZES.0 && size < FACET_SIZES.1;
    if in_range {
        FACET_SIDE_ROUNDINGS * f64::ROUNDING * (size * size)
    } else {
        f64::INFINITY
    }
}

/// The polytope's size as the bounds of planes need it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// `M`.
    size: f64,
    /// `uM`; infinite where floats prove nothing.
    rounding: f64,
}

impl Scale {
    pub(super) fn of(size: f64) -> Self {
        let in_range = size > FACET_SIZES.0 && size < FACET_SIZES.1;
        Self {
            size,
            rounding: if in_range {
                f64::ROUNDING * size
            } else {
                f64::INFINITY
            },
        }
    }

    /// A rounding of the largest coordinate; infinite where floats prove nothing.
    pub(super) fn rounding(self) -> f64 {
        self.rounding
    }
}

#[inline]
pub(super) fn larger(x: f64, y: f64) -> f64 {
    if y > x { y } else { x }
}

/// The largest magnitude of a component; the third of a vector in the plane is zero.
#[inline]
pub(super) fn largest<W: Vector64>(x: W) -> f64 {
    larger(
        larger(f64::abs(x.component(0)), f64::abs(x.component(1))),
        f64::abs(x.component(2)),
    )
}

fn cross<W: Vector64>(a: W, b: W) -> W {
    let minor =
        |i: usize, j: usize| a.component(i) * b.component(j) - a.component(j) * b.component(i);
    let (x, y, z) = (minor(1, 2), minor(2, 0), minor(0, 1));
    W::from_fn(|k| {
        if k == 0 {
            x
        } else if k == 1 {
            y
        } else {
            z
        }
    })
}

impl<W: Vector64> FacetPlane<W> {
    /// No plane.
    pub(super) const NOWHERE: Self = Self {
        normal: W::ZERO,
        height: 0.0,
        inverse: 0.0,
        edge_size: f64::INFINITY,
        lower: f64::INFINITY,
        upper: f64::INFINITY,
        normal_error: f64::INFINITY,
    };

    /// Becomes the plane through a facet's rounded points, among others of the scale; `false` when floats know too little of
    /// it: see [`FacetPlane::is_precise`].
    pub(super) fn through(&mut self, points: [W; 3], scale: Scale) -> bool {
        let (edge, other) = (points[1] - points[0], points[2] - points[0]);
        let edge_size = if W::DIM == 2 {
            1.0
        } else {
            larger(largest(edge), largest(other))
        };
        self.through_edges(points[0], [edge, other], edge_size, scale)
    }

    /// [`FacetPlane::through`] a point with the edges from it; `edge_size` is their largest coordinate in space and 1 in the
    /// plane.
    ///
    /// A normal that is precise is longer than `2⁻⁵⁵ M²`, so its square has not underflowed.
    #[inline(always)] // written in place: a copy would stall on store forwarding
    fn through_edges(
        &mut self,
        point: W,
        [edge, other]: [W; 2],
        edge_size: f64,
        scale: Scale,
    ) -> bool {
        let normal = if W::DIM == 2 {
            -edge.perpendicular()
        } else {
            cross(edge, other)
        };
        let inverse = 1.0 / Scalar::sqrt(normal.norm_squared());
        let size_share = scale.rounding * edge_size;
        let normal_error = FACET_NORMAL_ROUNDINGS * size_share * inverse;
        let height = normal.dot(point);
        let error = FACET_OFFSET_ROUNDINGS * size_share * scale.size;
        (self.normal, self.height, self.inverse, self.edge_size) =
            (normal, height, inverse, edge_size);
        self.lower = (height - error) * inverse;
        self.upper = (height + error) * inverse;
        self.normal_error = normal_error;
        self.is_precise()
    }

    /// [`FacetPlane::through`] the points of two facets in space, side by side; [`FacetPlane::is_precise`] says of each whether
    /// it counts.
    #[inline(always)]
    pub(super) fn two<S: Simd>(simd: S, [one, two]: [[W; 3]; 2], scale: Scale) -> [Self; 2] {
        let all = |x: f64| f64x2::splat(simd, x);
        let both = |i: usize| {
            let (x, y) = (one[i].to_f64(), two[i].to_f64());
            let at = |k: usize| f64x2::simd_from(simd, [x[k], y[k]]);
            [at(0), at(1), at(2)]
        };
        let ([px, py, pz], [bx, by, bz], [cx, cy, cz]) = (both(0), both(1), both(2));
        let (e, f) = ([bx - px, by - py, bz - pz], [cx - px, cy - py, cz - pz]);
        let far = |x: [f64x2<S>; 3]| x[2].abs().max(x[1].abs().max(x[0].abs()));
        let edge_size = far(f).max(far(e));
        let normal = [
            e[1] * f[2] - e[2] * f[1],
            e[2] * f[0] - e[0] * f[2],
            e[0] * f[1] - e[1] * f[0],
        ];
        let dot = |x: [f64x2<S>; 3]| normal[0] * x[0] + normal[1] * x[1] + normal[2] * x[2];
        let inverse = all(1.0) / dot(normal).sqrt();
        let size_share = all(scale.rounding) * edge_size;
        let (height, error) = (
            dot([px, py, pz]),
            all(FACET_OFFSET_ROUNDINGS) * size_share * all(scale.size),
        );
        let (lower, upper) = ((height - error) * inverse, (height + error) * inverse);
        let normal_error = all(FACET_NORMAL_ROUNDINGS) * size_share * inverse;
        let plane = |i: usize| Self {
            normal: W::from_f64([normal[0][i], normal[1][i], normal[2][i]]),
            height: height[i],
            inverse: inverse[i],
            edge_size: edge_size[i],
            lower: lower[i],
            upper: upper[i],
            normal_error: normal_error[i],
        };
        [plane(0), plane(1)]
    }

    /// Whether floats know enough of the plane to order facets by it. Else it is refined before it is used.
    #[inline(always)]
    pub(super) fn is_precise(&self) -> bool {
        self.normal_error < FACET_NORMAL_ERROR_MAX
    }

    /// The plane through a facet's exact vertices, to a few roundings of its offset.
    ///
    /// Its normal is unit to 4 roundings a component, its height off by as little: a side is off by less than `45uM`, and
    /// with `1/M` in place of `L` the bound is `272uM`.
    #[inline(never)]
    pub(super) fn refined(corners: &[Vertex; 3], scale: Scale) -> Self {
        let plane = measure::plane(W::DIM, &corners[..W::DIM]);
        let height = (plane.lower + plane.upper) * 0.5;
        let normal = W::from_f64(plane.normal);
        let (lower, upper, normal_error) = (plane.lower, plane.upper, plane.normal_error);
        Self {
            normal,
            height,
            inverse: 1.0,
            edge_size: 1.0 / scale.size,
            lower,
            upper,
            normal_error,
        }
    }

    /// The side of a point of the difference, where floats decide it: greater outside.
    ///
    /// `bound` is [`side_bound`] of a size that covers the point. NaN is never beyond it.
    #[inline]
    pub(in crate::loops::epa) fn side(&self, w: W, bound: f64) -> Option<Ordering> {
        let height = self.normal.dot(w) - self.height;
        let bound = bound * self.edge_size;
        if height > bound {
            Some(Greater)
        } else if height < -bound {
            Some(Less)
        } else {
            None
        }
    }

    /// The outer normal, unit up to [`FacetPlane::normal_error`].
    #[inline]
    pub(crate) fn unit_normal(&self) -> W {
        self.normal * self.inverse
    }

    /// Whether it is the very same plane, by its numbers.
    pub(super) fn same(&self, other: &Self) -> bool {
        self.lower == other.lower && self.normal == other.normal
    }

    /// The middle of the bounds.
    #[inline]
    pub(crate) fn offset(&self) -> f64 {
        (self.lower + self.upper) * 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec2, Vec3};
    use crate::random::Random;
    use fearless_simd::{Level, dispatch};
    use gjk_exact::number::{Dyadic, Number};
    use gjk_exact::{AdaptiveSigns, Operand, SignOracle};

    impl Random {
        /// A difference near `at` of two points that are `far` away, so that it is rounded.
        fn vertex(&mut self, dim: usize, at: [f64; 3], size: f64, far: f64) -> Vertex {
            let (b, step) = (self.vector(dim, far), self.vector(dim, size));
            Vertex::new([0; 2], core::array::from_fn(|k| b[k] + at[k] + step[k]), b)
        }
    }

    fn rounded<W: Vector64>(v: &Vertex) -> W {
        W::from_f64(core::array::from_fn(|k| v.a[k] - v.b[k]))
    }

    fn plus(x: [f64; 3], y: [f64; 3], factor: f64) -> [f64; 3] {
        core::array::from_fn(|k| x[k] + y[k] * factor)
    }

    /// A facet of a size of its own, perhaps thin, and points from far to nearly in its plane.
    fn cases<W: Vector64>(mut check: impl FnMut([Vertex; 3], Vertex)) {
        let mut random = Random(11);
        for case in 0..40_000 {
            let (far, size) = ([0.5, 30.0][case % 2], [1.0, 1e-2, 1e-4][case / 2 % 3]);
            let thin = [1.0, 1e-3][case / 6 % 2];
            let at = random.vector(W::DIM, 1.0);
            let a = random.vertex(W::DIM, at, size, far);
            let b = random.vertex(W::DIM, at, size, far);
            let w = [rounded::<W>(&a).to_f64(), rounded::<W>(&b).to_f64()];
            let along = plus(w[1], w[0], -1.0);
            let share = random.next();
            let c = random.vertex(W::DIM, plus(w[0], along, share), size * thin, far);
            let third = plus(rounded::<W>(&c).to_f64(), w[0], -1.0);
            let (s, t) = (
                random.next() / size,
                if W::DIM == 2 {
                    0.0
                } else {
                    random.next() / size
                },
            );
            let lift = [0.0, 1e-15, 1e-13, 1e-9, 1.0][case / 12 % 5];
            let p = random.vertex(W::DIM, plus(plus(w[0], along, s), third, t), lift, far);
            check([a, b, c], p);
        }
    }

    fn sides<W: Vector64>() {
        let (mut decided, mut wrong_without) = (0, 0);
        cases::<W>(|facet, p| {
            let points = facet.each_ref().map(rounded::<W>);
            let w = rounded::<W>(&p);
            let size = points
                .iter()
                .fold(largest(w), |m, &x| larger(m, largest(x)));
            let mut plane = FacetPlane::NOWHERE;
            if !plane.through(points, Scale::of(size)) {
                return;
            }
            let normal = measure::normal(W::DIM, &facet[..W::DIM]);
            let exact = AdaptiveSigns::default().sign(&normal, &Operand::Between(facet[0], p));
            if let Some(side) = plane.side(w, side_bound(size)) {
                assert_eq!(side, exact, "{facet:?} {p:?}");
                decided += 1;
            }
            wrong_without += u32::from(plane.side(w, 0.0) != Some(exact));
        });
        // The bound is what makes them right, and it leaves most of them to floats.
        assert!(
            decided > 10_000 && wrong_without > 1000,
            "{decided} {wrong_without}"
        );
    }

    /// Where floats decide a side, it is the exact one. Without the bound it is not.
    #[test]
    fn a_side_is_off_by_less_than_the_filter_says() {
        sides::<Vec3<f64>>();
        sides::<Vec2<f64>>();
    }

    fn offsets<W: Vector64>() {
        let (mut decided, mut wide) = (0, 0);
        cases::<W>(|facet, _| {
            let points = facet.each_ref().map(rounded::<W>);
            let size = points.iter().fold(0.0, |m, &x| larger(m, largest(x)));
            let mut plane = FacetPlane::NOWHERE;
            if !plane.through(points, Scale::of(size)) {
                return;
            }
            decided += 1;
            let formula = measure::normal(W::DIM, &facet[..W::DIM]);
            let n = formula.vector::<Dyadic>();
            let inner = |x: &[Dyadic; 3], y: &[Dyadic; 3]| {
                x[0].times(&y[0])
                    .plus(&x[1].times(&y[1]))
                    .plus(&x[2].times(&y[2]))
            };
            let (height, squared) = (inner(&n, &facet[0].difference()), inner(&n, &n));
            // x against height / |n|, both squared with their signs.
            let square = |x: &Dyadic| {
                if x.sign() == Some(Less) {
                    x.times(x).negated()
                } else {
                    x.times(x)
                }
            };
            let above = |x: f64| {
                let x = Dyadic::difference(x, 0.0);
                square(&x).times(&squared).minus(&square(&height)).sign()
            };
            assert!(
                above(plane.lower) != Some(Greater) && above(plane.upper) != Some(Less),
                "{facet:?}"
            );
            // A tenth of a thousandth of the interval would be too little.
            let part = (plane.upper - plane.lower) * 0.5e-4;
            wide += u32::from(
                above(plane.offset() - part) == Some(Greater)
                    || above(plane.offset() + part) == Some(Less),
            );
            let unit = plane.unit_normal().to_f64();
            for k in 0..W::DIM {
                // The unit normal by component: (unit ± normal_error)·|n| against n_k.
                let beyond = |end: f64| {
                    let end = square(&Dyadic::difference(end, 0.0)).times(&squared);
                    end.minus(&square(&n[k])).sign()
                };
                assert!(
                    beyond(unit[k] + plane.normal_error) != Some(Less)
                        && beyond(unit[k] - plane.normal_error) != Some(Greater)
                );
            }
        });
        assert!(decided > 10_000 && wide > 1000, "{decided} {wide}");
    }

    /// Two planes side by side are those that are made alone, bit by bit.
    #[test]
    fn two_planes_are_those_of_each() {
        let mut last = None;
        cases::<Vec3<f64>>(|facet, p| {
            let points = facet.each_ref().map(rounded::<Vec3<f64>>);
            let other = last
                .replace(points)
                .unwrap_or([points[1], rounded(&p), points[2]]);
            let size = points
                .iter()
                .chain(&other)
                .fold(0.0, |m, &x| larger(m, largest(x)));
            let scale = Scale::of(size);
            let pair =
                dispatch!(Level::baseline(), simd => FacetPlane::two(simd, [points, other], scale));
            for (points, two) in [points, other].into_iter().zip(pair) {
                let mut one = FacetPlane::NOWHERE;
                let precise = one.through(points, scale);
                let numbers = |p: &FacetPlane<Vec3<f64>>| {
                    [
                        p.normal.x,
                        p.normal.y,
                        p.normal.z,
                        p.height,
                        p.inverse,
                        p.edge_size,
                        p.lower,
                        p.upper,
                        p.normal_error,
                    ]
                    .map(f64::to_bits)
                };
                assert_eq!((numbers(&one), precise), (numbers(&two), two.is_precise()));
            }
        });
    }

    /// The true offset is within the bounds, and each component of the normal within its error, by integers.
    #[test]
    fn an_offset_is_within_its_bounds() {
        offsets::<Vec3<f64>>();
        offsets::<Vec2<f64>>();
    }
}
