//! Polytopes whose numbers span more than a frame holds: the exact layer alone decides.
//!
//! Where it sits: `ladder.rs` calls it in place of the loops.
//! Idea: a frame multiplies the world by a power of two, and a body of 10³⁰⁰ leaves no room there for a place of 10⁻³⁰⁰. The exact layer needs no
//! frame. It takes the world's vertices as they are, and tells the verdict, and the distance of cores that are apart. The depth of cores that overlap
//! it does not tell: that answer's stop is still [`Stop::Overflow`].

use super::core_answer::{consistent, overflow};
use super::frame::in_world;
use super::hulls::Hulls;
use super::statement::{compared, exact_combination, stated};
use crate::Stop;
use crate::answer::{Certificate, Contact, Verdict};
use crate::bounds::less_radii;
use crate::math::{Interval, Scalar, Vector};
use crate::pair::Pair;
use crate::support::{Core, Support};
use alloc::vec::Vec;
use gjk_exact::{Class, Nearest};

/// What the exact layer tells.
struct Told {
    verdict: Verdict,
    ends: [f64; 2],
    /// Along the normal, if it is known.
    direction: [f64; 3],
    nearest: Option<Nearest>,
    certificate: Option<Certificate>,
}

/// The answer for a pair that no frame holds. Where a body is no polytope, or its vertices are not finite, nothing is known.
#[cold]
#[inline(never)]
pub(super) fn decide<V, A, B>(
    pair: &Pair<'_, V, A, B>,
    cores: &[Core<'_, V>; 2],
    certificate: &mut Option<Certificate>,
) -> Contact<V>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let difference = in_world(pair, cores);
    let radii = [difference.a.radius(), difference.b.radius()];
    let hulls = Hulls::of(&difference)
        .filter(|hulls| hulls.are_finite() && radii.iter().all(|r| r.is_finite()));
    let Some(told) = hulls.and_then(|hulls| told(&hulls, radii)) else {
        return overflow();
    };
    *certificate = told.certificate;
    let [lower, upper] = told.ends;
    let lower = V::Scalar::round_down(lower);
    let upper = -V::Scalar::round_down(-upper);
    let (lower, upper) = consistent(told.verdict, lower, upper);
    let mut answer = Contact {
        verdict: told.verdict,
        exact: true,
        signed_distance: Interval { lower, upper },
        ..overflow()
    };
    let normal = V::Wide::from_f64(told.direction).normalized();
    let weights = told
        .nearest
        .and_then(|near| Some((near, near.rounded_weights()?)));
    if let (Some(normal), Some((near, weights))) = (normal, weights) {
        let [a, b] = near.points(&weights).map(V::Wide::from_f64);
        answer.stop = Stop::Exact;
        answer.normal = normal.lift();
        answer.point_a = (a + normal * radii[0]).lift();
        answer.point_b = (b - normal * radii[1]).lift();
    }
    answer
}

/// The relation of the cores, and what the radii make of it.
fn told<V, A, B>(hulls: &Hulls<'_, V, A, B>, radii: [f64; 2]) -> Option<Told>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    let start = hulls.first()?;
    let rounded = radii != [0.0; 2];
    Some(match hulls.problem().classify(&[start]) {
        Class::Separated { nearest, direction } => {
            let (verdict, certificate) = compared(&nearest, hulls.towards(&nearest), &radii);
            Told {
                verdict,
                ends: nearest.gap(&radii),
                direction: stated(&direction).1,
                nearest: Some(nearest),
                certificate: Some(certificate),
            }
        }
        Class::Touching { nearest, direction } => {
            let (direction, floats) = stated(&direction);
            let combination = exact_combination(&nearest);
            let (verdict, certificate) = if rounded {
                let nearest = combination;
                (
                    Verdict::Overlapping,
                    Certificate::Near { direction, nearest },
                )
            } else {
                let nearest = combination;
                (
                    Verdict::Touching,
                    Certificate::Touching { direction, nearest },
                )
            };
            Told {
                verdict,
                ends: less_radii([0.0; 2], radii),
                direction: floats,
                nearest: Some(nearest),
                certificate: Some(certificate),
            }
        }
        Class::Overlapping(enclosure) => {
            let pairs = enclosure.vertices().iter().map(|v| v.pair).collect();
            Told {
                verdict: Verdict::Overlapping,
                ends: [f64::NEG_INFINITY, less_radii([0.0; 2], radii)[1]],
                direction: [0.0; 3],
                nearest: None,
                certificate: Some(Certificate::Overlapping {
                    pairs,
                    facets: Vec::new(),
                }),
            }
        }
    })
}
