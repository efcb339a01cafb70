//! The facet of a hull that is tilted least against a direction, by the planes that the hull has.
//!
//! Where it sits: `placed.rs` asks it for hulls with facets before it asks `faces.rs`, which searches all vertices of any body.
//! Idea: of all facets the one whose normal is nearest to the direction is tilted least, and so it is among those at the highest vertex if it is one of them,
//! which `faces.rs` looks at. Where another is tilted nearly as little, or the limit is near, the search decides: so the answers are those of the search.

use super::view::unit;
use crate::math::Scalar;
use crate::math::triple::{Triple, dot};
use crate::vertices::Facets;

/// What the tangent of a tilt must be off another one, or off the limit, to be clear: more than the poses and vertices of `f32` are rounded, and tangents near
/// zero, which are roots of roundings.
const CLEAR_TILT: f64 = 1e-5;

/// The ring of the facet of a posed hull along a direction, up to the tangent of a tilt, if it is clear which it is. The pose has these columns.
pub(super) fn least_tilted<'f>(
    facets: &'f Facets,
    columns: &[Triple; 3],
    along: Triple,
    tangent: f64,
) -> Option<&'f [u32]> {
    let local = unit([
        dot(columns[0], along),
        dot(columns[1], along),
        dot(columns[2], along),
    ])?;
    let (facet, [most, next]) = facets.most_along(local);
    let tilt = |cosine: f64| Scalar::sqrt(Scalar::max(0.0, 1.0 - cosine * cosine)) / cosine;
    let own = tilt(most);
    let is_clear =
        most > 0.0 && own + CLEAR_TILT < tangent && (next <= 0.0 || own + CLEAR_TILT < tilt(next));
    is_clear.then(|| facets.ring(facet))
}
