//! The distance of two separated polytopes, between two bounds.
//!
//! Idea: the point of A − B nearest the origin, by an active set of vertex pairs (Wolfe 1976). Every subset of the set is
//! tried, and the best that is a true convex combination is kept: slow, and nothing to get wrong. What is answered does not
//! rest on the search: the combination's length is an upper bound whatever found it, and the plane across it, moved to the
//! lowest vertex, a lower one.

use super::real::{Real, V, add, dot, norm, scale, sub};

/// What a search found.
#[derive(Debug)]
pub(crate) struct Apart<R> {
    /// Vertex ids of A and B whose differences span the face of A − B nearest the origin.
    pub(crate) pairs: Vec<[u32; 2]>,
    /// A point of A − B.
    pub(crate) nearest: V<R>,
    /// No point of A − B is nearer than this; not above zero when none was proved.
    pub(crate) lower: R,
}

const STEPS_MAX: usize = 500;

/// The nearest point of `a − b`, from a set of pairs or from the first one.
pub(crate) fn nearest<R: Real>(dim: usize, a: &[V<R>], b: &[V<R>], start: &[[u32; 2]]) -> Apart<R> {
    let at = |pair: &[u32; 2]| sub(a[pair[0] as usize], b[pair[1] as usize]);
    let first = if start.is_empty() {
        &[[0, 0]][..]
    } else {
        start
    };
    let (mut pairs, mut v) = reduce(dim, first, at);
    let mut lower = R::new(0.0);
    for _ in 0..STEPS_MAX {
        let squared = dot(v, v);
        if pairs.len() > dim || !(squared > R::new(0.0)) {
            // The origin is inside the set.
            return Apart {
                pairs,
                nearest: v,
                lower: R::new(0.0),
            };
        }
        let pair = [least(a, v), least(b, scale(v, R::new(-1.0)))];
        let height = dot(v, at(&pair));
        lower = height / norm(v);
        if squared - height <= R::new(R::TOLERANCE) * squared || pairs.contains(&pair) {
            break;
        }
        let mut more = pairs.clone();
        more.push(pair);
        let (kept, better) = reduce(dim, &more, at);
        if !(dot(better, better) < squared) {
            break;
        }
        (pairs, v) = (kept, better);
    }
    Apart {
        pairs,
        nearest: v,
        lower,
    }
}

/// The vertex least along a direction.
pub(crate) fn least<R: Real>(points: &[V<R>], direction: V<R>) -> u32 {
    let mut best = (0, dot(points[0], direction));
    for (i, &p) in points.iter().enumerate().skip(1) {
        let height = dot(p, direction);
        if height < best.1 {
            best = (i, height);
        }
    }
    best.0 as u32
}

/// A simplex of full dimension holds the origin when its point is this near, squared and relative to its corners. A flat
/// one, whose equations are singular, has its nearest point on a smaller subset.
const INSIDE: f64 = 1e-20;

/// The subset whose affine nearest point is a convex combination, and the nearest such point.
fn reduce<R: Real>(
    dim: usize,
    pairs: &[[u32; 2]],
    at: impl Fn(&[u32; 2]) -> V<R>,
) -> (Vec<[u32; 2]>, V<R>) {
    let points: Vec<V<R>> = pairs.iter().map(at).collect();
    let mut best: Option<(usize, V<R>)> = None;
    for mask in 1..1_usize << points.len() {
        let chosen: Vec<V<R>> = (0..points.len())
            .filter(|i| mask >> i & 1 == 1)
            .map(|i| points[i])
            .collect();
        let Some(v) = affine(&chosen) else {
            continue;
        };
        let solid_without_origin = || {
            let size = chosen
                .iter()
                .map(|&p| dot(p, p).to_f64())
                .fold(0.0, f64::max);
            chosen.len() > dim && dot(v, v).to_f64() > INSIDE * size
        };
        if solid_without_origin() {
            continue;
        }
        if best.is_none_or(|(_, old)| dot(v, v) < dot(old, old)) {
            best = Some((mask, v));
        }
    }
    let (mask, v) = best.unwrap_or((1, points[0]));
    (
        pairs
            .iter()
            .enumerate()
            .filter(|(i, _)| mask >> i & 1 == 1)
            .map(|(_, p)| *p)
            .collect(),
        v,
    )
}

/// The point of the affine hull nearest the origin, when all its weights are positive.
///
/// With edges eᵢ = pᵢ − p₀ the weights t solve the normal equations (eᵢ·eⱼ) t = −eᵢ·p₀.
#[allow(clippy::needless_range_loop)] // rows and columns of a matrix
fn affine<R: Real>(points: &[V<R>]) -> Option<V<R>> {
    let zero = R::new(0.0);
    let k = points.len() - 1;
    let edges: Vec<V<R>> = points[1..].iter().map(|&p| sub(p, points[0])).collect();
    let mut rows = [[zero; 4]; 3];
    for i in 0..k {
        for j in 0..k {
            rows[i][j] = dot(edges[i], edges[j]);
        }
        rows[i][3] = -dot(edges[i], points[0]);
    }
    for i in 0..k {
        if !(rows[i][i] > zero) {
            return None;
        }
        for below in i + 1..k {
            let factor = rows[below][i] / rows[i][i];
            for column in i..4 {
                rows[below][column] = rows[below][column] - factor * rows[i][column];
            }
        }
    }
    let mut weights = [zero; 3];
    for i in (0..k).rev() {
        let known = (i + 1..k).fold(rows[i][3], |sum, j| sum - rows[i][j] * weights[j]);
        weights[i] = known / rows[i][i];
    }
    let first = weights[..k].iter().fold(R::new(1.0), |sum, &t| sum - t);
    if !(first > zero) || weights[..k].iter().any(|&t| !(t > zero)) {
        return None;
    }
    Some(
        edges
            .iter()
            .zip(weights)
            .fold(points[0], |v, (&e, t)| add(v, scale(e, t))),
    )
}
