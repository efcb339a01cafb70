//! Caps: cones of directions in which no height is below a bound, by what is known of the surface there.
//!
//! Where it sits: the loop in [`super`] asks for one about a direction of least height, and leaves alone the facets whose
//! directions are inside. Read [`Caps::excuse`], then [`cap_about`]; `descent.rs` finds the direction.
//! Idea: an inner polytope needs rings of ever finer facets about the nearest point to prove a depth narrowly. But near a
//! least height `h(n)` the surface is known: it is the sum of two pieces, or of a piece and of the hull of two (a cylinder's
//! side, an edge). Their heights have lower bounds of second order, which prove the height least on a whole cone. The polytope is
//! then needed for other directions only, where some ten facets do.
//!
//! # Which facets need not be looked at
//!
//! Let `δ` be the bound that is proved on the cone of half angle `θ` about `n`. A unit direction `x` of a height below `δ` has
//! its point `δx` outside of the difference, hence outside of the polytope, hence beyond some facet's plane: `δ(x·m) > d` for the
//! facet's normal `m` and distance `d`. So `x` is within the angle `acos(d/δ)` of `m`. If the sum of that and of the angle between
//! `m` and `n` is at most `θ`, then `x` would be in the cone, where there is no such direction: the facet is *excused*.
//!
//! # The bound on a cone
//!
//! Let `x = n + t`, `t` across `n`, `|t| ≤ T = tan θ`. A piece has the height `c·x + |u + v|` with `u = (axes·n)`, `v = (axes·t)`.
//! With `û = u/|u|`, `α = û·v` and `e² = |v|² − α²`,
//!
//! `|u + v| − (|u| + α) = √((|u|+α)² + e²) − (|u|+α) = e² / (√((|u|+α)² + e²) + |u| + α) ≥ c·e²`,
//! `c = 1 / (√(A² + E²) + A)`, `A = |u| + |∇α|T`, `E = |axes|T`,
//!
//! since the quotient falls with `α` and with `e`. So a piece is at least linear, with its point at `n` as the gradient, and a
//! form `q(t)`. Let `m` be that bound. Two pieces of a body are its hull's: `max(m₀, m₁) ≥ (1−σ)m₀ + σm₁` for any `σ` from 0 to 1.
//! With `σ = λ ± κ`, whichever is larger, that is `m_λ + κ|m₁ − m₀|`, where `|m₁ − m₀| ≥ |l·t| − |s| − |q₁ − q₀|` for the difference
//! `l` of their points and `s` of their heights at `n`; and `|l·t| ≥ (l·t)² / (|l|T)`: a form again. `λ` is what makes the sum's gradient across `n`,
//! `g`, vanish.
//!
//! The sum is at least `h + g·t + Q(t)`. With `√(1 + t²) ≤ 1 + t²/2` its height over the unit direction is at least `δ` where
//! `(h − δ) + g·t + Q(t) − δt²/2 ≥ 0`. For `μ`, the least eigenvalue of `Q − δ/2`, the left side is at least
//! `h − δ − g²/4μ` if `μ > 0`, and anyway at least `h − δ − |g|T + min(μ, 0)T²`.
//!
//! Numbers: a piece's computed point is one of the body but for roundings, whatever its direction is off; docs/tolerances.md counts
//! them. `c ≤ 1/E`, so a form is off by some twenty roundings of the size over `T`; [`CAP_FORM_ROOM`] of the size is taken off `μ`.
//! Test: `caps_hold_in_their_cones`.

use super::descent::Stationary;
use super::expanding_polytope::plane::{FACET_NORMAL_ERROR_MAX, FacetPlane};
use crate::loops::pieces::followed::PieceMix;
use crate::loops::pieces::local_height::Quadratic;
use crate::math::{Scalar, Vector64};

/// At most so many caps.
const CAPS_MAX: usize = 6;
/// What is taken off the least eigenvalue of a cap's form, in parts of the difference's size there: some twenty roundings over the
/// least of [`CAP_TANGENTS`], and room.
const CAP_FORM_ROOM: f64 = 1e-12;
/// A cosine of the sum of two angles must be above the cone's by so much. A facet's normal is off by [`FACET_NORMAL_ERROR_MAX`] a
/// component, in all by √3 of it, and the cosines by roundings; near to an angle of zero the root of a difference from one is off by some
/// 10⁻⁸.
const CAP_COSINE_ROOM: f64 = 1e-5;
/// A cap that loses more than this part of the height to its gradient is none. It chooses only.
const CAP_LOSS_MAX: f64 = 1.0 / (1u64 << 50) as f64;
/// The tangents of half angles that are tried, widest first. They choose only.
const CAP_TANGENTS: [f64; 11] = [1.2, 0.8, 0.55, 0.4, 0.28, 0.2, 0.14, 0.1, 0.07, 0.05, 0.03];

/// A cone about a direction.
#[derive(Clone, Copy, Debug)]
struct Cap<V> {
    normal: V,
    cosine: f64,
}

/// A least height with the points that have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<V> {
    pub(super) normal: V,
    /// No direction in the caps is lower, but for the slack.
    pub(super) lower: f64,
    /// The height along it, of the bodies' own farthest points.
    pub(super) upper: f64,
    pub(super) points: [V; 2],
}

/// The caps of a difference.
#[derive(Debug)]
pub(super) struct Caps<V> {
    caps: [Option<Cap<V>>; CAPS_MAX],
    count: usize,
    found: Option<Found<V>>,
}

impl<V: Vector64> Caps<V> {
    pub(super) fn new() -> Self {
        Self {
            caps: [None; CAPS_MAX],
            count: 0,
            found: None,
        }
    }

    /// The least height that a cap is about.
    pub(super) fn found(&self) -> Option<&Found<V>> {
        self.found.as_ref()
    }

    /// The bound that holds in all caps; infinite where there is none.
    #[inline(always)]
    pub(super) fn lower(&self) -> f64 {
        self.found
            .as_ref()
            .map_or(f64::INFINITY, |found| found.lower)
    }

    /// Whether there is room for one more.
    pub(super) fn has_room(&self) -> bool {
        self.count < CAPS_MAX
    }

    /// Whether a facet of this plane has nothing lower beyond it than [`Caps::lower`].
    #[inline]
    pub(super) fn excuse(&self, plane: &FacetPlane<V>) -> bool {
        let Some(found) = &self.found else {
            return false;
        };
        let (normal, share) = (plane.unit_normal(), plane.lower / found.lower);
        if !(share > 0.0 && plane.normal_error < FACET_NORMAL_ERROR_MAX) {
            return false;
        }
        let share = if share < 1.0 { share } else { 1.0 };
        let inside = |cap: &Cap<V>| {
            let cosine = normal.dot(cap.normal).clamp(0.0, 1.0);
            let sines = (1.0 - cosine * cosine) * (1.0 - share * share);
            cosine > 0.0 && cosine * share - Scalar::sqrt(sines) >= cap.cosine + CAP_COSINE_ROOM
        };
        self.caps[..self.count].iter().flatten().any(inside)
    }

    /// The cones, as directions and cosines.
    #[cfg(test)]
    pub(super) fn cones(&self) -> impl Iterator<Item = (V, f64)> {
        let cones = self.caps[..self.count].iter().flatten();
        cones.map(|cap| (cap.normal, cap.cosine))
    }

    /// Whether a direction is well inside a cap.
    pub(super) fn contains(&self, normal: V) -> bool {
        let near = |cap: &Cap<V>| normal.dot(cap.normal) > cap.cosine;
        self.caps[..self.count].iter().flatten().any(near)
    }

    /// Takes in the cap about a stationary direction of this height; `false` where there is none.
    pub(super) fn add(&mut self, at: &Stationary<V>, upper: f64) -> bool {
        let Some((cosine, lower)) = cap_about(at, self.lower()) else {
            return false;
        };
        if !self.has_room() {
            return false;
        }
        self.caps[self.count] = Some(Cap {
            normal: at.base.normal(),
            cosine,
        });
        self.count += 1;
        if lower < self.lower() {
            self.found = Some(Found {
                normal: at.base.normal(),
                lower,
                upper,
                points: at.points(),
            });
        }
        true
    }
}

/// The widest cone on which no height is below a bound that is at most `wanted`: its cosine and the bound.
fn cap_about<V: Vector64>(at: &Stationary<V>, wanted: f64) -> Option<(f64, f64)> {
    let (height, gradient) = (at.height(), at.gradient());
    let residual = Scalar::sqrt(gradient[0] * gradient[0] + gradient[1] * gradient[1]);
    let delta = height.min(wanted);
    let size = at.size();
    for tangent in CAP_TANGENTS {
        let least = form(at, tangent)
            .plus(
                Quadratic {
                    xx: 1.0,
                    xy: 0.0,
                    yy: 1.0,
                },
                -0.5 * delta,
            )
            .least()
            - CAP_FORM_ROOM * size;
        let loss = if least > 0.0 {
            (residual * residual / (4.0 * least)).min(residual * tangent)
        } else {
            residual * tangent - least * tangent * tangent
        } + at.level_gap();
        let bound = (height - loss).min(delta);
        // Of a height above what is wanted there is room.
        if height - loss >= delta || loss <= CAP_LOSS_MAX * height {
            return Some((1.0 / Scalar::sqrt(1.0 + tangent * tangent), bound));
        }
    }
    None
}

/// The form of the sum's lower bound on a cone.
fn form<V: Vector64>(at: &Stationary<V>, tangent: f64) -> Quadratic {
    at.places.iter().fold(Quadratic::default(), |sum, place| {
        sum.plus(place_form(place, tangent), 1.0)
    })
}

fn place_form<V: Vector64>(place: &PieceMix<V>, tangent: f64) -> Quadratic {
    let first = place.first.form(tangent);
    let Some(second) = &place.second else {
        return first;
    };
    let (weight, kink) = (second.share, second.kink);
    // Where the two forms are the same, their difference takes nothing.
    let (off, taken) = if second.alike {
        (weight.min(1.0 - weight), 0.0)
    } else {
        let half = 0.5 * weight.min(1.0 - weight);
        (half, half)
    };
    let length = Scalar::sqrt(kink[0] * kink[0] + kink[1] * kink[1]);
    first
        .plus(first, -weight - taken)
        .plus(second.local.form(tangent), weight - taken)
        .plus(Quadratic::square(kink), off / (length * tangent))
}
