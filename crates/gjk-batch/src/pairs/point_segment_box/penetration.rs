//! The depth of a point or a segment in a box: all facets of their difference, a pair a lane.
//!
//! Where it sits: `mod.rs` calls it where the cores are not separated. Read [`depth`].
//! Idea: the difference of a box and a core of at most one generator is a zonotope of three or four generators shared
//! `t_b − t_a`. Its facets' normals are the products of two generators, whatever the map; over each the depth is
//! `(Σ|n·gₖ| − |n·(t_b − t_a)|) / |n|` of the generators that are left. The least is the depth.
//!
//! What rounding costs, with the sizes of `mod.rs` and `scale = |gᵢ||gⱼ|`: a product's components err by `2u` of sums of two
//! products, a vector at most `1.16·scale` long, so a normal by `2.4u·scale`: that moves a height by `2.4u·scale·size` and, by
//! the normal's length, the depth by as much again. Inner products 3, their sum 2, and of the depth the length 2, its inverse and
//! the product 2: below `14u·size·scale/|n|`. Rounded generators and centres move the bodies by `2u·size`, and those are
//! within `4u·shapes + u·place` of the exact ones: 20 in all, and [`CORE_LANES_OF_SIZE`] is above. Test: `bounds_are_needed`.

use super::core_bounds::{CORE_LANES_OF_SIZE, CoreBounds, clamped, world_error};
use crate::layout::posed::{CoreLanes, PairSizes};
use crate::rounding::{LANES_SIZE_RANGE, RoundingBound, bound};
use crate::simd::{F64s, Mask, Vec3s};
use fearless_simd::{Simd, prelude::*};

/// A witness this far outside its facet, in parts of the generator, is on a neighbour that ties with it: also where another
/// generator lies in the facet, which then is no parallelogram.
const CORE_LANES_WITNESS_OUTSIDE: f64 = 1e-9;

/// The deepest facet so far.
#[derive(Clone, Copy)]
struct DeepestFacet<S: Simd> {
    lower: F64s<S>,
    upper: F64s<S>,
    depth: F64s<S>,
    /// Of the normal's length, with the sign that orients the normal from A to B.
    inverse: F64s<S>,
    product: Vec3s<S>,
    /// The generators that span the facet, and the two others: A's first, if it is not in the facet.
    span: [Vec3s<S>; 2],
    rest: [Vec3s<S>; 2],
    /// The first that spans is A's.
    crossed: Mask<S>,
    proven: Mask<S>,
}

impl<S: Simd> DeepestFacet<S> {
    /// Looks at the facets of `u` and `v`.
    #[inline(always)]
    fn look(
        &mut self,
        simd: S,
        [u, v]: [Edge<S>; 2],
        rest: [Vec3s<S>; 2],
        crossed: bool,
        shared: &Shared<S>,
    ) {
        let (one, zero) = (F64s::<S>::splat(simd, 1.0), F64s::<S>::splat(simd, 0.0));
        let product = u.generator.cross(v.generator);
        let norm = product.dot(product).sqrt();
        let inverse = one / norm;
        let scale = u.length * v.length;
        let height = shared.between.dot(product);
        let reach = product.dot(rest[0]).abs() + product.dot(rest[1]).abs();
        let depth = (reach - height.abs()) * inverse;
        let noise = shared.noise * scale * inverse;
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
        normal: Vec3s<S>,
        between: Vec3s<S>,
    ) -> ([Vec3s<S>; 2], Mask<S>) {
        let (one, zero) = (F64s::<S>::splat(simd, 1.0), F64s::<S>::splat(simd, 0.0));
        let nothing = Vec3s::splat(simd, 0.0);
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
            good &= part.abs().simd_le(1.0 + CORE_LANES_WITNESS_OUTSIDE);
            *part = clamped(simd, *part);
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
struct Edge<S: Simd> {
    generator: Vec3s<S>,
    length: F64s<S>,
}

impl<S: Simd> Edge<S> {
    #[inline(always)]
    fn of(generator: Vec3s<S>) -> Self {
        Self {
            generator,
            length: generator.dot(generator).sqrt(),
        }
    }
}

/// What all facets share.
struct Shared<S: Simd> {
    between: Vec3s<S>,
    noise: F64s<S>,
}

impl<S: Simd> DeepestFacet<S> {
    /// None yet.
    #[inline(always)]
    fn none(simd: S, usable: Mask<S>) -> Self {
        let nothing = Vec3s::splat(simd, 0.0);
        let infinite = F64s::<S>::splat(simd, f64::INFINITY);
        Self {
            lower: infinite,
            upper: infinite,
            depth: infinite,
            inverse: infinite,
            product: nothing,
            span: [nothing; 2],
            rest: [nothing; 2],
            crossed: Mask::<S>::splat(simd, false),
            proven: usable,
        }
    }
}

/// The depth of A, a point or a segment, in the box B, and the lanes where it is proved.
#[inline(always)]
pub(super) fn depth<S: Simd, const N: usize, const M: usize>(
    simd: S,
    a: &CoreLanes<S, N>,
    b: &CoreLanes<S, M>,
    sizes: &PairSizes<S>,
) -> (CoreBounds<S>, Mask<S>) {
    let shared = Shared {
        between: sizes.between,
        noise: (sizes.all * CORE_LANES_OF_SIZE + world_error(sizes))
            * bound(RoundingBound::Facets, 1.0),
    };
    let mut deepest = DeepestFacet::none(simd, sizes.all.simd_gt(LANES_SIZE_RANGE[0]));
    let half = [
        Edge::of(b.generators[0]),
        Edge::of(b.generators[1]),
        Edge::of(b.generators[2]),
    ];
    let segment = Edge::of(if N == 1 {
        a.generators[0]
    } else {
        Vec3s::splat(simd, 0.0)
    });
    // The edges' first, so that a face found later is not taken for one.
    if N == 1 {
        for k in 0..3 {
            let rest = [half[(k + 1) % 3].generator, half[(k + 2) % 3].generator];
            deepest.look(simd, [segment, half[k]], rest, true, &shared);
        }
    }
    for k in 0..3 {
        let rest = [segment.generator, half[k].generator];
        let before = deepest.upper;
        let span = [half[(k + 1) % 3], half[(k + 2) % 3]];
        deepest.look(simd, span, rest, false, &shared);
        deepest.crossed &= !deepest.upper.simd_lt(before);
    }
    let normal = deepest.product.times(deepest.inverse);
    let (points, proven) = deepest.points(simd, N == 1, normal, sizes.between);
    let found = CoreBounds {
        lower: -deepest.upper,
        upper: -deepest.lower,
        normal,
        points,
    };
    (found, proven)
}
