//! The depth of a point or a segment in a box: all facets of their difference, a pair a lane.
//!
//! Where it sits: `cores.rs` asks where the cores are not apart. Read [`overlapping`].
//! Idea: the difference of a box and a core of at most one generator is a zonotope of three or four generators about
//! `t_b − t_a`. Its facets' normals are the products of two generators, whatever the map; over each the depth is
//! `(Σ|n·gₖ| − |n·(t_b − t_a)|) / |n|` of the generators that are left. The least is the depth.
//!
//! What rounding costs, with the sizes of `cores.rs` and `scale = |gᵢ||gⱼ|`: a product's components err by `2u` of sums of two products,
//! a vector at most `1.16·scale` long, so a normal by `2.4u·scale`: that moves a height by `2.4u·scale·size` and, by the
//! normal's length, the depth by as much again. Inner products 3, their sum 2, and of the depth the length 2, its inverse and
//! the product 2: below `14u·size·scale/|n|`. Rounded generators and centres move the bodies by `2u·size`, and those are
//! within `4u·shapes + u·place` of the exact ones: 20 in all, and [`FACET`] is above. Test: `bounds_are_needed`.

use super::distance::{Apart, NOISE};
use crate::layout::posed::Core;
use crate::rounding::{Bound, SIZES, bound};
use crate::simd::{Mask, V3, Wide};
use fearless_simd::{Simd, prelude::*};

/// Of the size, the generators' lengths and the normal's inverse.
const FACET: f64 = NOISE;

/// A witness this far outside its facet, in parts of the generator, is on a neighbour that ties with it: also where another generator
/// lies in the facet, which then is no parallelogram.
const BESIDE: f64 = 1e-9;

/// What the facets say; it counts where it is proven.
pub(super) struct Facet<S: Simd> {
    pub(super) proven: Mask<S>,
    pub(super) found: Apart<S>,
}

/// The deepest facet so far.
#[derive(Clone, Copy)]
struct Least<S: Simd> {
    lower: Wide<S>,
    upper: Wide<S>,
    depth: Wide<S>,
    /// Of the normal's length, with the sign that turns the normal from A to B.
    inverse: Wide<S>,
    product: V3<S>,
    /// The generators that span the facet, and the two others: A's first, if it is not in the facet.
    span: [V3<S>; 2],
    rest: [V3<S>; 2],
    /// The first that spans is A's.
    crossed: Mask<S>,
    proven: Mask<S>,
}

impl<S: Simd> Least<S> {
    /// Looks at the facets of `u` and `v`.
    #[inline(always)]
    fn look(
        &mut self,
        simd: S,
        [u, v]: [Side<S>; 2],
        rest: [V3<S>; 2],
        crossed: bool,
        about: &About<S>,
    ) {
        let (one, zero) = (Wide::<S>::splat(simd, 1.0), Wide::<S>::splat(simd, 0.0));
        let product = u.generator.cross(v.generator);
        let norm = product.dot(product).sqrt();
        let inverse = one / norm;
        let scale = u.length * v.length;
        let height = about.between.dot(product);
        let reach = product.dot(rest[0]).abs() + product.dot(rest[1]).abs();
        let depth = (reach - height.abs()) * inverse;
        let noise = about.noise * scale * inverse;
        // Generators that are nearly parallel have more noise than depth, or NaN: neither is proven.
        self.proven &= depth.simd_gt(noise);
        let (lower, upper) = (depth - noise, depth + noise);
        self.lower = lower.simd_lt(self.lower).select(lower, self.lower);
        let nearer = upper.simd_lt(self.upper);
        self.upper = nearer.select(upper, self.upper);
        self.depth = nearer.select(depth, self.depth);
        self.inverse = nearer.select(height.simd_lt(zero).select(-inverse, inverse), self.inverse);
        self.product = product.or(nearer, self.product);
        for k in 0..2 {
            self.rest[k] = rest[k].or(nearer, self.rest[k]);
        }
        self.span = [
            u.generator.or(nearer, self.span[0]),
            v.generator.or(nearer, self.span[1]),
        ];
        if crossed {
            self.crossed |= nearer;
        }
    }

    /// Points of A and B that realise the depth, and where they do.
    #[inline(always)]
    fn points(
        &self,
        simd: S,
        segment: bool,
        normal: V3<S>,
        between: V3<S>,
    ) -> ([V3<S>; 2], Mask<S>) {
        let (one, zero) = (Wide::<S>::splat(simd, 1.0), Wide::<S>::splat(simd, 0.0));
        let nothing = V3::splat(simd, 0.0);
        let mut corners = [nothing; 2];
        let mut good = self.proven;
        // The facet is the farthest back along the normal.
        for (k, generator) in self.rest.iter().enumerate() {
            if k == 0 && !segment {
                continue;
            }
            let rise = normal.dot(*generator);
            let corner = generator.times(rise.simd_gt(zero).select(-one, one));
            if k == 1 {
                corners[1] = corners[1].plus(corner);
            } else {
                // Over an edge of A both others are B's. The difference runs against A's generators.
                corners[1] = corners[1].plus(corner.or(self.crossed, nothing));
                corners[0] = nothing.or(self.crossed, corner.times(-one));
            }
        }
        let square = one / self.product.dot(self.product);
        let left = normal
            .times(-self.depth)
            .minus(between)
            .plus(corners[0])
            .minus(corners[1]);
        let (mut parts, over) = ([zero; 2], self.product.times(square));
        parts[0] = left.cross(self.span[1]).dot(over);
        parts[1] = self.span[0].cross(left).dot(over);
        for part in &mut parts {
            good &= part.abs().simd_le(1.0 + BESIDE);
            *part = super::distance::clamped(simd, *part);
        }
        let first = self.span[0].times(parts[0]);
        let x = corners[0].minus(first.or(self.crossed, nothing));
        let y = corners[1]
            .plus(nothing.or(self.crossed, first))
            .plus(self.span[1].times(parts[1]));
        ([x, y], good)
    }
}

/// A generator and its length.
#[derive(Clone, Copy)]
struct Side<S: Simd> {
    generator: V3<S>,
    length: Wide<S>,
}

impl<S: Simd> Side<S> {
    #[inline(always)]
    fn of(generator: V3<S>) -> Self {
        Self {
            generator,
            length: generator.dot(generator).sqrt(),
        }
    }
}

/// What all facets share.
struct About<S: Simd> {
    between: V3<S>,
    noise: Wide<S>,
}

/// The depth of A, a point or a segment, in the box B.
#[inline(always)]
pub(super) fn overlapping<S: Simd, const N: usize, const M: usize>(
    simd: S,
    a: &Core<S, N>,
    b: &Core<S, M>,
    between: V3<S>,
    size: Wide<S>,
    world: Wide<S>,
) -> Facet<S> {
    let nothing = V3::splat(simd, 0.0);
    let infinite = Wide::<S>::splat(simd, f64::INFINITY);
    let about = About {
        between,
        noise: (size * FACET + world) * bound(Bound::Facets, 1.0),
    };
    let mut least = Least {
        lower: infinite,
        upper: infinite,
        depth: infinite,
        inverse: infinite,
        product: nothing,
        span: [nothing; 2],
        rest: [nothing; 2],
        crossed: Mask::<S>::splat(simd, false),
        proven: size.simd_gt(SIZES[0]),
    };
    let half = [
        Side::of(b.generators[0]),
        Side::of(b.generators[1]),
        Side::of(b.generators[2]),
    ];
    let segment = Side::of(if N == 1 { a.generators[0] } else { nothing });
    // The edges' first, so that a face found later is not taken for one.
    if N == 1 {
        for k in 0..3 {
            let rest = [half[(k + 1) % 3].generator, half[(k + 2) % 3].generator];
            least.look(simd, [segment, half[k]], rest, true, &about);
        }
    }
    for k in 0..3 {
        let rest = [segment.generator, half[k].generator];
        let before = least.upper;
        least.look(
            simd,
            [half[(k + 1) % 3], half[(k + 2) % 3]],
            rest,
            false,
            &about,
        );
        least.crossed &= !least.upper.simd_lt(before);
    }
    let normal = least.product.times(least.inverse);
    let (points, good) = least.points(simd, N == 1, normal, between);
    let (lower, upper) = (-least.upper, -least.lower);
    Facet {
        proven: good,
        found: Apart {
            lower,
            upper,
            normal,
            points,
        },
    }
}
