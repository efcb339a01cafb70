//! The depth of two cores by the facets of their difference.
//!
//! Where it sits: `mod.rs` calls it where the nearest points do not separate the cores. Read [`least_facet`], then
//! [`overlapping`].

use super::generators::Zonotope;
use crate::bounds::Bounds;
use crate::math::{Triple, cross, dot, length, plus};
use crate::rounding::{PARALLEL_SINE, parameter};

/// A generator whose height along a facet's normal is below this part of the pair's size may lie in the facet.
const CORE_LEVEL_HEIGHT: f64 = 1e-6;

/// The facet of the difference that the origin is nearest to.
struct LeastFacet {
    /// The numbers of its two generators.
    generators: [usize; 2],
    depth: f64,
    /// The product of the two, and what makes it a unit vector from A to B.
    product: Triple,
    scale: f64,
    /// Lower bound of the cores' depth.
    lower: f64,
    /// Upper bound of the cores' depth.
    upper: f64,
}

/// The least depth over all products of two generators; `None` where two are parallel, or floats do not prove the overlap.
#[inline(always)]
fn least_facet(generators: &[Triple], between: Triple, error: f64) -> Option<LeastFacet> {
    let count = generators.len();
    let (mut lower, mut upper) = (f64::INFINITY, f64::INFINITY);
    let mut best = None;
    for i in 0..count {
        for j in i + 1..count {
            let normal = cross(generators[i], generators[j]);
            let norm = length(normal);
            let scale = length(generators[i]) * length(generators[j]);
            if !(norm > PARALLEL_SINE * scale) {
                return None;
            }
            let height = dot(between, normal);
            let reach = (0..count)
                .filter(|&k| k != i && k != j)
                .fold(0.0, |sum, k| sum + dot(normal, generators[k]).abs());
            let (depth, error) = ((reach - height.abs()) / norm, error * scale / norm);
            if !(depth > error) {
                return None;
            }
            lower = if depth - error < lower {
                depth - error
            } else {
                lower
            };
            if depth + error < upper {
                upper = depth + error;
                let sign = if height < 0.0 { -1.0 } else { 1.0 };
                best = Some(([i, j], depth, normal, sign / norm));
            }
        }
    }
    let (generators, depth, product, scale) = best?;
    Some(LeastFacet {
        generators,
        depth,
        product,
        scale,
        lower,
        upper,
    })
}

/// The depth of two cores whose difference has an interior, as a signed distance; `None` where floats do not prove it, or where
/// its facet is not a parallelogram.
#[inline(always)]
pub(super) fn overlapping<const N: usize, const M: usize>(
    a: &Zonotope<N>,
    b: &Zonotope<M>,
    error: f64,
    size: f64,
) -> Option<Bounds> {
    let count = N + M;
    let mut generators = [[0.0; 3]; 4];
    for (slot, &g) in generators
        .iter_mut()
        .zip(a.generators.iter().chain(&b.generators))
    {
        *slot = g;
    }
    let generators = &generators[..count];
    let between = plus(b.center, a.center, -1.0);
    let facet = least_facet(generators, between, error)?;
    let ([i, j], product) = (facet.generators, facet.product);
    let normal = product.map(|x| x * facet.scale);
    // The facet farthest back along the normal, and the origin's projection on it in units of its two generators.
    let mut parts = [0.0; 4];
    let mut rest = plus(normal.map(|n| -facet.depth * n), between, -1.0);
    for (k, &g) in generators
        .iter()
        .enumerate()
        .filter(|&(k, _)| k != i && k != j)
    {
        let rise = dot(normal, g);
        if !(rise.abs() > CORE_LEVEL_HEIGHT * size) {
            return None;
        }
        parts[k] = if rise > 0.0 { -1.0 } else { 1.0 };
        rest = plus(rest, g, -parts[k]);
    }
    let square = dot(product, product);
    parts[i] = parameter(dot(cross(rest, generators[j]), product) / square)?;
    parts[j] = parameter(dot(cross(generators[i], rest), product) / square)?;
    let (mut on_a, mut on_b) = ([0.0; 3], [0.0; 3]);
    for (k, &part) in parts.iter().enumerate().take(count) {
        // The difference runs against A's generators.
        if k < N {
            on_a[k] = -part
        } else {
            on_b[k - N] = part
        }
    }
    Some(Bounds {
        lower: -facet.upper,
        upper: -facet.lower,
        normal,
        points: [a.at(on_a), b.at(on_b)],
        ..Bounds::default()
    })
}
