//! Directions across a flat end: a cylinder's cap, a cone's base.
//!
//! Where it sits: `narrow/smooth.rs` asks for bodies that are apart. There the height has no gradient, so no step of [`super::nearest`] leads to it.
//! Idea: across the disc, the nearest points are any point of the disc and the other body's that is over it.

use super::followed::pieces;
use super::nearest::Nearest;
use crate::math::{Scalar, Vector64};
use crate::support::{MinkowskiDifference, NO_ID, Piece, Support};

/// A disc is looked at whose axis is within this cosine of the direction.
const DISC_COSINE: f64 = 0.995;
/// The end of an edge is looked for so far beside the direction that it is level along.
const DISC_TILT: f64 = 1.0 / 1024.0;

/// So often it is looked for less far beside, as the bend of a round side asks for.
const DISC_ROUNDS: usize = 6;

/// The direction across a disc not far from a direction, and the nearest points there; `known` are points of A and B, perhaps the nearest.
pub(crate) fn on_disc<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    from: V,
    known: [V; 2],
) -> Option<Nearest<V>> {
    let from = from.normalized()?;
    let mut best: Option<Nearest<V>> = None;
    for (k, disc) in pieces(difference, from, [NO_ID; 2])?.iter().enumerate() {
        let Some(normal) = across(disc, from) else {
            continue;
        };
        // A, or B mirrored: the other body.
        let farthest = |direction: V| {
            if k == 0 {
                -difference.b.support(-direction, NO_ID).point
            } else {
                difference.a.support(direction, NO_ID).point
            }
        };
        let known = if k == 0 { -known[1] } else { known[0] };
        let lower = -difference.support_pair(normal).w.dot(normal);
        for other in candidates(disc, normal, known, farthest) {
            let under = within(disc, -other);
            let points = if k == 0 {
                [under, -other]
            } else {
                [other, -under]
            };
            let upper = (under + other).norm();
            let found = Nearest {
                normal,
                points,
                lower,
                upper,
            };
            if best
                .as_ref()
                .is_none_or(|best| found.width() < best.width())
            {
                best = Some(found);
            }
        }
    }
    best
}

/// The unit direction across a disc on the side of a direction that is not far from it.
fn across<V: Vector64>(piece: &Piece<V>, from: V) -> Option<V> {
    let [u, v, rest] = piece.axes;
    if u == V::ZERO || v == V::ZERO || rest != V::ZERO {
        return None;
    }
    let axis = V::cross_product(u, v).normalized()?;
    let cosine = axis.dot(from);
    (Scalar::abs(cosine) > DISC_COSINE).then(|| if cosine < 0.0 { -axis } else { axis })
}

/// Points of the other body: the one farthest along the direction, a known one, and where that is beside the disc what is level with
/// it, or nearly, towards the disc: an edge's place over it, or a round side's.
fn candidates<V: Vector64>(
    disc: &Piece<V>,
    normal: V,
    known: V,
    farthest: impl Fn(V) -> V,
) -> [V; 2 + 2 * DISC_ROUNDS] {
    let one = farthest(normal);
    let mut others = [one; 2 + 2 * DISC_ROUNDS];
    others[1] = known;
    let across = |x: V| x - normal * x.dot(normal);
    let miss = across(-one - within(disc, -one));
    let inward = across(-one - disc.center);
    let aside = inward.normalized().unwrap_or(V::ZERO);
    let mut tilt = DISC_TILT;
    for pair in others[2..].chunks_exact_mut(2) {
        let edge = farthest(normal + aside * tilt) - one;
        let square = edge.dot(edge);
        if !(square > 0.0) {
            break;
        }
        let part = |way: V| (edge.dot(way) / square).clamp(0.0, 1.0);
        pair[0] = one + edge * part(inward);
        pair[1] = one + edge * part(miss);
        tilt *= part(miss);
    }
    others
}

/// The point of a disc under a point; at the rim towards it where it is beside the disc.
fn within<V: Vector64>(disc: &Piece<V>, over: V) -> V {
    let [u, v, _] = disc.axes;
    let way = over - disc.center;
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let determinant = uu * vv - uv * uv;
    let (x, y) = (way.dot(u), way.dot(v));
    let (p, q) = (
        (x * vv - y * uv) / determinant,
        (y * uu - x * uv) / determinant,
    );
    let far = Scalar::sqrt(p * p + q * q).max(1.0);
    disc.center + u * (p / far) + v * (q / far)
}
