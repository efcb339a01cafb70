//! The nearest facet of a pair's last query, tried before the loop: mostly it is the nearest again.
//!
//! Where it sits: `narrow/at_once.rs` asks it where the caller keeps a cache. What it does not prove goes to [`super::gjk`], which would take the same first step
//! and have the same answer, to the last bit: here no simplex has to be stored.

use super::gjk::{Ending, SearchDirection, Settings};
use super::simplex::nearest_face;
use crate::Stop;
use crate::math::Vector64;
use crate::support::{MinkowskiDifference, Support};

/// Support steps: the facet's own vertices, and the one that shows that there is none nearer.
const STEPS: u32 = 2;

/// The end of the loop on the facet of these vertices, newest first; `None` where it is no facet, or does not hold the nearest point.
///
/// # Complexity  one support; no allocation.
#[inline(always)]
pub(crate) fn nearest_again<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    ids: &[[u32; 2]],
    settings: &Settings,
) -> Option<Ending<V>> {
    if ids.len() != V::DIM || settings.iterations_max < STEPS {
        return None;
    }
    let (p, q) = (
        difference.vertex_pair(ids[0])?,
        difference.vertex_pair(ids[1])?,
    );
    // In the plane it is of no use, and has no weight.
    let r = match ids.get(2) {
        Some(&third) => difference.vertex_pair(third)?,
        None => q,
    };
    let face = nearest_face(&[p.w, q.w, r.w, p.w], V::DIM)?;
    if face.len != V::DIM {
        return None;
    }
    let search = SearchDirection::along(face.direction);
    let (direction, inverse_length) = (search.vector, search.inverse_length);
    let upper = f64::abs(direction.dot(p.w) * inverse_length);
    if !(upper > settings.slack) {
        return None;
    }
    let highest = difference.support_pair_from(-direction, ids[0]);
    let lower = direction.dot(highest.w) * inverse_length;
    let is_its_own = highest.same(&p) || highest.same(&q) || highest.same(&r);
    let stop = if is_its_own {
        Stop::VertexRepeated
    } else if settings.is_closed(lower, upper, highest.w) {
        Stop::GapClosed
    } else {
        return None;
    };
    let [a, b, c] = face.numerators();
    let total = a + b + c;
    let weights = [a / total, b / total, c / total];
    let points = [
        weighted([p.w, q.w, r.w], &weights),
        weighted([p.a, q.a, r.a], &weights),
        weighted([p.b, q.b, r.b], &weights),
    ];
    Some(Ending {
        points,
        direction,
        nearest: face.direction,
        lower,
        upper: points[0].norm(),
        iterations: STEPS,
        stop,
    })
}

// No closure: it would not have the instructions that this is compiled for.
#[inline(always)]
fn weighted<V: Vector64>([x, y, z]: [V; 3], weights: &[f64; 3]) -> V {
    x * weights[0] + y * weights[1] + z * weights[2]
}
