//! Whether the numbers of an overlap are true.
//!
//! | number | proof |
//! |---|---|
//! | thickness 2r | a ball of radius r is inside of both, and so is that of its image which any shorter translation leaves on it |
//! | escape t | after a translation of length t, at most, the bodies share no inner point |
//! | a protrusion's lower end | a point of one surface is so deep: near the center of a ball inside of the other |
//! | its upper end | all points of the surface are outside, or so near to a triangle; or it is at least t: a deeper point would stay inside of the other after the translation |

use super::bodies::after_translation;
use super::{VerifyError, ball, cover, relation};
use crate::certificate::{Cut, DepthCertificate, PlainBody, ProtrusionCertificate};
use crate::{Depth, Escape, Protrusion, Relation};
use gjk_exact::integer::{Int, common, dot, grid_of, on_grid, scale, sign, sub};

/// What is proved of a depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthProved {
    /// The ball is inside of both, or none is claimed.
    pub thickness: bool,
    /// The translation separates.
    pub escape: bool,
    /// By body: the lower and the upper end.
    pub protrusion: [[bool; 2]; 2],
}

/// Checks a depth by its certificate.
pub(super) fn check(
    bodies: [&PlainBody; 2],
    depth: &Depth,
    certificate: &DepthCertificate,
) -> Result<DepthProved, VerifyError> {
    let mut proved = DepthProved {
        thickness: depth.ball.is_none(),
        ..DepthProved::default()
    };
    if let (Some(ball), Some(of)) = (&depth.ball, &certificate.ball) {
        for k in 0..2 {
            ball::is_inside(k, bodies[k], ball, &of[k])?;
        }
        proved.thickness = true;
    }
    if let (Some(escape), Some(cut)) = (&depth.escape, &certificate.escape) {
        separates(bodies, escape, cut)?;
        proved.escape = true;
    }
    for of in 0..2 {
        let Some(claim) = &depth.protrusion[of] else {
            continue;
        };
        let lower = match &certificate.protrusion[of] {
            Some(certificate) => {
                reaches(bodies, of, claim, certificate)?;
                true
            }
            None => claim.lower <= 0.0,
        };
        if lower && claim.upper < claim.lower {
            let why = "its upper end is below its lower one";
            return Err(VerifyError::Protrusion { body: of, why });
        }
        let most = depth.escape.filter(|_| proved.escape);
        let by_escape = most.is_some_and(|escape| escape.length <= claim.upper);
        let upper = match &certificate.cover[of] {
            Some(certificate) => {
                cover::check(bodies, of, claim.upper, certificate)?;
                true
            }
            None => by_escape,
        };
        proved.protrusion[of] = [lower, upper];
    }
    Ok(proved)
}

/// Checks that a translation of the first body, no longer than is said, leaves no inner point of both.
fn separates(bodies: [&PlainBody; 2], escape: &Escape, cut: &Cut) -> Result<(), VerifyError> {
    let Escape {
        by: [x, y, z],
        length,
    } = *escape;
    if ![x, y, z, length].iter().all(|x| x.is_finite()) {
        return Err(VerifyError::Escape("it is not finite"));
    }
    let [x, y, z, length] = common(&[x, y, z, length]);
    if sign(&length).is_lt()
        || dot(&[x.clone(), y.clone(), z.clone()], &[x, y, z]) > &length * &length
    {
        return Err(VerifyError::Escape("it is longer than is said"));
    }
    if !bodies.iter().all(|body| body.solid) {
        return Err(VerifyError::Escape("a surface has no inside"));
    }
    let (moved, grid) = after_translation(bodies, escape.by);
    match relation::by_cut(&moved, grid, cut)? {
        Some(Relation::Separated | Relation::Touching) => Ok(()),
        _ => Err(VerifyError::Escape("the bodies overlap after it")),
    }
}

/// Checks that a point of a surface is as deep in the other body as is said at least.
fn reaches(
    bodies: [&PlainBody; 2],
    of: usize,
    claim: &Protrusion,
    certificate: &ProtrusionCertificate,
) -> Result<(), VerifyError> {
    let objection = |why| Err(VerifyError::Protrusion { body: of, why });
    let (surface, ball) = (bodies[of], &certificate.ball);
    let triangle = certificate.triangle as usize;
    let known = surface.triangles.get(triangle);
    let (Some(numbers), Some(Some(_))) = (known, surface.pieces.get(triangle)) else {
        return objection("there is no such triangle");
    };
    let weights = certificate.weights;
    let is_weight = |w: &f64| w.is_finite() && *w >= 0.0;
    if !weights.iter().all(is_weight) || weights == [0.0; 3] || !claim.lower.is_finite() {
        return objection("its weights are none");
    }
    ball::is_inside(1 - of, bodies[1 - of], ball, &certificate.inside)?;
    let corners = numbers.map(|v| surface.vertices[v as usize]);
    let lengths = [ball.radius, claim.lower];
    let all = corners.iter().chain([&ball.center]).flatten();
    let grid = grid_of(all.chain(&lengths).copied()).min(0);
    let at = |p: &[f64; 3]| p.map(|x| on_grid(x, grid));
    // The weighted sum of what is from the center to the corners.
    let (center, weights) = (at(&ball.center), common(&weights));
    let mut off = [Int::ZERO; 3];
    for (corner, weight) in corners.iter().zip(&weights) {
        let part = scale(&sub(&at(corner), &center), weight);
        off = [0, 1, 2].map(|k: usize| &off[k] + &part[k]);
    }
    let whole: Int = weights.into_iter().sum();
    let [radius, lower] = lengths.map(|x| on_grid(x, grid));
    let room = (radius - lower) * whole;
    if sign(&room).is_lt() || dot(&off, &off) > &room * &room {
        return objection("its point is not as deep");
    }
    Ok(())
}
