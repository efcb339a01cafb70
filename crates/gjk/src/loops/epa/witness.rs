//! Where the ray along the answer's normal leaves the polytope: the witness points.
//!
//! Where it sits: the end of the loop in [`super`]. Read [`of_facet`] first, then [`of_ray`].
//! Idea: the exit point has barycentric weights in its facet; the same weights combine the facet's points on A and on B,
//! whose difference is then depth times normal. For a proved facet the exit point is the origin's projection, which is in one of
//! the facets of that plane; else all facets that the ray may leave through compete, by how far their point is from the ray's.
//! Such a point also bounds the distance of its plane, see [`Foot`].

use super::expanding_polytope::ExpandingPolytope;
use crate::math::{Scalar, Vector64};
use crate::support::SupportPair;
use gjk_exact::measure;

/// Triangles with twice an area of at least this part of their longest edge's square have weights from plain floats.
///
/// Corners relative to the projection are off by some `4uM`, so a weight by `12uML` over twice the area, and the witness by
/// `L` times that: with this part, by `100uM`, of the order of the pair's slack. It chooses between two ways, and proves nothing.
const WITNESS_FATNESS_MIN: f64 = 0.125;

/// Multiples of `uM` that a [`Foot`]'s distance may be off, for weights whose magnitudes sum to one: derived at [`Foot`]. Test:
/// `a_foot_is_no_farther_than_its_plane`.
const FOOT_ROUNDINGS: f64 = 24.0;
/// A [`Foot`] whose weights' magnitudes sum to more is refused: it is far from its facet, and its bound is wide. It chooses only.
const FOOT_WEIGHTS_MAX: f64 = 8.0;
/// Triangles fatter than this have a [`Foot`] that is fit for witness points: as [`WITNESS_FATNESS_MIN`], of a slimmer kind,
/// since the foot's own bound is checked. It chooses only.
const FOOT_FATNESS_MIN: f64 = 1.0 / 64.0;

/// Nearly the origin's projection on a facet's plane, and by it a bound of the plane's distance to some roundings of the size.
///
/// Let `λ` be floats near weights of the projection, `P = Σ λᵢWᵢ / Σ λᵢ` for the true vertices, `m = P/|P|`, and `N` the
/// true unit normal. `P` is in the plane, whatever the weights, so the plane's distance is `N·P = |P| (1 − |N − m|²/2)`: an
/// error of the direction counts by its square, which in the plane's own bounds counts as it is.
///
/// *Length.* With `s = Σ|λᵢ| ≥ 1`, a component of the computed point `p` is off by `suM` for the vertices, `3suM` for products
/// and sums, and `3su·√3M` since `Σ λᵢ` is one but for the rounding of quotients and their sum: together `9.2suM`, by length
/// `16suM`. `|p|` rounds by another `3u·√3M`. The sum is below **`24suM`**.
///
/// *Direction.* `|N − n| ≤ √3·normal_error` for the float normal `n`, and `|n − m|` is measured: `|p − |p|n| / |p|`, off by twice
/// the error of `p` and 8 roundings.
pub(super) struct Foot {
    weights: [f64; 3],
    /// A lower bound of the plane's distance.
    pub(super) lower: f64,
}

/// Where a facet's plane is nearest the origin; `None` on slivers, and far from the facet.
///
/// `any_shape` accepts slivers too, whose foot bounds the distance but is no witness point.
pub(super) fn foot<V: Vector64>(
    polytope: &ExpandingPolytope<V>,
    facet: u16,
    any_shape: bool,
) -> Option<Foot> {
    let plane = polytope.plane(facet);
    let normal = plane.unit_normal();
    let weights = weights(
        polytope,
        facet,
        normal * plane.offset(),
        if any_shape { 0.0 } else { FOOT_FATNESS_MIN },
    )?;
    let points = polytope.points(facet);
    let mut point = points[0] * weights[0] + points[1] * weights[1];
    let mut sum = Scalar::abs(weights[0]) + Scalar::abs(weights[1]);
    if V::DIM == 3 {
        point = point + points[2] * weights[2];
        sum += Scalar::abs(weights[2]);
    }
    let length = point.norm();
    let error = FOOT_ROUNDINGS * sum * polytope.rounding_of_size();
    let distance_to_ray = (point - normal * length).norm() + 2.0 * error;
    let angle = distance_to_ray / length + 2.0 * plane.normal_error + 8.0 * f64::ROUNDING;
    let lower = length - error - length * angle * angle;
    // False on NaN too.
    (sum <= FOOT_WEIGHTS_MAX && lower <= length).then_some(Foot { weights, lower })
}

/// The foot as points on A and on B.
pub(super) fn of_foot<V: Vector64>(
    polytope: &ExpandingPolytope<V>,
    facet: u16,
    foot: &Foot,
) -> [V; 2] {
    let least = (0..V::DIM).fold(0, |k, j| {
        if foot.weights[j] < foot.weights[k] {
            j
        } else {
            k
        }
    });
    if foot.weights[least] >= 0.0 {
        return combine(polytope, facet, foot.weights);
    }
    // It may be beyond the ridge across from that vertex, in the other half of a quadrilateral.
    let (plane, other) = (polytope.plane(facet), polytope.across(facet, least));
    let coplanar = (polytope.plane(other).unit_normal() - plane.unit_normal()).max_abs()
        <= plane.normal_error + polytope.plane(other).normal_error;
    let weights = weights(
        polytope,
        other,
        plane.unit_normal() * plane.offset(),
        FOOT_FATNESS_MIN,
    );
    match weights.filter(|weights| coplanar && weights[..V::DIM].iter().all(|&x| x >= 0.0)) {
        Some(weights) => combine(polytope, other, weights),
        None => of_ray(polytope, plane.unit_normal(), true),
    }
}

/// The origin's projection on a facet of the difference, as points on A and on B.
pub(super) fn of_facet<V: Vector64>(
    polytope: &ExpandingPolytope<V>,
    facet: u16,
    hulls: bool,
) -> [V; 2] {
    let plane = polytope.plane(facet);
    let (normal, foot) = (plane.unit_normal(), plane.unit_normal() * plane.offset());
    // It may be in another facet of the same plane.
    for coplanar in polytope.coplanar(facet) {
        let fat = weights(polytope, coplanar, foot, WITNESS_FATNESS_MIN);
        if let Some(weights) = fat.filter(|weights| weights[..V::DIM].iter().all(|&x| x >= 0.0)) {
            return combine(polytope, coplanar, weights);
        }
    }
    of_ray(polytope, normal, hulls)
}

/// The point where the ray from the origin along `direction` leaves the polytope, as points on A and on B.
///
/// The ray leaves through the facet that holds its intersection with the facet's plane. Facets in one plane are
/// distinguished by this where their distances are equal.
///
/// Of `hulls` the weights along a facet's own normal are exact; of smooth bodies the facet's corners are no better known than that.
pub(super) fn of_ray<V: Vector64>(
    polytope: &ExpandingPolytope<V>,
    direction: V,
    hulls: bool,
) -> [V; 2] {
    let slope = |facet: u16| polytope.plane(facet).unit_normal().dot(direction);
    let ahead = || polytope.alive().filter(|&facet| slope(facet) > 0.0);
    // Where the ray may leave through a facet's plane, by the bounds of its offset and of its normal.
    let exit = |facet: u16| {
        let (plane, slope) = (polytope.plane(facet), slope(facet));
        let largest = Scalar::abs(plane.upper).max(Scalar::abs(plane.lower));
        let error = (plane.normal_error + f64::ROUNDING) * 4.0 * largest / slope;
        [(plane.lower - error) / slope, (plane.upper + error) / slope]
    };
    // It leaves at the first plane; those that may be the first compete.
    let first = ahead().fold(f64::INFINITY, |m, facet| m.min(exit(facet)[1]));
    let (mut least, mut best) = (f64::INFINITY, None);
    for facet in ahead() {
        let plane = polytope.plane(facet);
        let at = plane.offset() / slope(facet);
        // Planes nearly along the ray may be anywhere by their bounds; they would only add rounding from far away.
        if exit(facet)[0] > first || !(at <= first + Scalar::abs(first)) {
            continue;
        }
        let point = direction * at;
        // Along the facet's own normal the point is the origin's projection, whose weights are good on slivers too; nearly along
        // it they may be better than those in floats.
        let own = (plane.unit_normal() - direction).max_abs() <= 2.0 * plane.normal_error;
        let fat = weights(polytope, facet, point, WITNESS_FATNESS_MIN);
        let shares = if own && hulls || fat.is_none() {
            measure::shares(V::DIM, &polytope.exact(facet)[..V::DIM])
        } else {
            None
        };
        let plain = if own && shares.is_some() {
            None
        } else {
            fat.or_else(|| weights(polytope, facet, point, 0.0))
        };
        for weights in [shares, plain].into_iter().flatten() {
            let found = combine(polytope, facet, weights);
            let miss = ((found[0] - found[1]) - point).norm_squared();
            // False on NaN, as of a facet without area.
            if miss < least {
                (least, best) = (miss, Some(found));
            }
        }
    }
    best.unwrap_or_else(|| combine(polytope, polytope.nearest(), [1.0; 3]))
}

/// The weighted points of a facet, negative weights as zero.
fn combine<V: Vector64>(polytope: &ExpandingPolytope<V>, facet: u16, weights: [f64; 3]) -> [V; 2] {
    let clamped = weights.map(|x| Scalar::max(x, 0.0));
    let total = clamped[..V::DIM].iter().fold(0.0, |sum, &x| sum + x);
    let sum = |point: fn(&SupportPair<V>) -> V| {
        let weighted = polytope
            .pairs(facet)
            .zip(clamped)
            .map(|(pair, weight)| point(pair) * (weight / total));
        weighted.fold(V::ZERO, |sum, x| sum + x)
    };
    [sum(|p| p.a), sum(|p| p.b)]
}

/// Barycentric coordinates of a point of the facet's plane, negative where it is outside; `None` on slivers of which
/// floats know nothing, that is of at most `least` of their longest edge's square.
fn weights<V: Vector64>(
    polytope: &ExpandingPolytope<V>,
    facet: u16,
    point: V,
    least: f64,
) -> Option<[f64; 3]> {
    let [a, b, c] = polytope.points(facet).map(|w| w - point);
    if V::DIM == 2 {
        let edge = b - a;
        let parts = [b.dot(edge), -a.dot(edge), 0.0];
        let total = parts[0] + parts[1];
        return (total > 0.0).then(|| parts.map(|x| x / total));
    }
    let normal = polytope.plane(facet).unit_normal();
    let parts = [(b, c), (c, a), (a, b)].map(|(p, q)| V::triple(normal, p, q));
    let total = parts[0] + parts[1] + parts[2];
    let longest = [b - a, c - b, a - c]
        .iter()
        .fold(0.0, |m: f64, e| m.max(e.norm_squared()));
    (total > least * longest).then(|| parts.map(|x| x / total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec2, Vec3};
    use crate::random::Random;

    fn feet<V: Vector64>() {
        let mut random = Random(3);
        let (mut bounded, mut wide) = (0, 0);
        for case in 0..20_000 {
            // Points that are far from each other round their differences.
            let far = [0.0, 3.0, 100.0][case % 3];
            let mut simplex = [SupportPair::default(); 4];
            for (id, slot) in simplex.iter_mut().enumerate() {
                let b = V::from_f64(random.vector(V::DIM, far));
                let a = b + V::from_f64(random.vector(V::DIM, 1.0));
                *slot = SupportPair {
                    a,
                    b,
                    w: a - b,
                    ids: [id as u32; 2],
                };
            }
            let mut polytope = ExpandingPolytope::new();
            if !polytope.start(&simplex[..=V::DIM]) {
                continue;
            }
            for facet in 0..=V::DIM as u16 {
                let Some(foot) = foot(&polytope, facet, true) else {
                    continue;
                };
                let sum: f64 = foot.weights[..V::DIM].iter().map(|x| Scalar::abs(*x)).sum();
                let room = FOOT_ROUNDINGS * sum * polytope.rounding_of_size();
                let clear = polytope.plane(facet).normal_error < 1e-9;
                polytope.refine(facet);
                let plane = polytope.plane(facet);
                assert!(foot.lower <= plane.upper, "{simplex:?} {facet}");
                if clear && plane.lower > 1e-3 {
                    assert!(
                        foot.lower >= plane.lower - 2.0 * room,
                        "{simplex:?} {facet}"
                    );
                }
                bounded += 1;
                wide += u32::from(foot.lower + room > plane.upper);
            }
        }
        // The bound is what makes them right.
        assert!(bounded > 10_000 && wide > 1000, "{bounded} {wide}");
    }

    /// The distance by a point of the plane is at most the plane's, and hardly less. Without the bound it is not.
    #[test]
    fn a_foot_is_no_farther_than_its_plane() {
        feet::<Vec3<f64>>();
        feet::<Vec2<f64>>();
    }
}
