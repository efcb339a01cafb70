//! A point and an ellipsoid, by the one root of the secular equation.
//!
//! Where it sits: `mod.rs` calls [`measure`] with the point in the ellipsoid's frame.
//! Idea: the nearest point `x` of the surface has `x_k = r_k²p_k/(r_k² + t)` for the half axes `r`, where `t` is the root, above `−min r²`,
//! of `S(t) = Σ r_k²p_k²/(r_k² + t)² = 1`. Newton's steps on `1/√S` go up to it from a place below, and do not pass it. Whatever `t` they
//! end at, both ends are proved:
//!
//! - Inside, by duality: the square of the distance from the surface is at least the least of `|x − p|² + t(Σ x_k²/r_k² − 1)` over all
//!   `x`, which is `−t(1 − G)` with `G = Σ p_k²/(r_k² + t)`. The depth is at most that along the gradient `n_k = p_k/(r_k² + t)`:
//!   `(√S − G)/|n|`.
//! - Outside, the same height is the lower bound, and a point of the surface gives the upper one.
//!
//! Near the plane of the other two axes the root may be the least one there is, `t = −min r²`, and `n` has any component along the
//! least axis: the one that makes `S` one.
//! Numbers: `τ = t + min r²` is what is kept, and `r_k² − min r² = (r_k − min r)(r_k + min r)`, so that no denominator cancels.
//! Source: Conn, Gould, Toint, Trust-Region Methods, 7.3, for the steps.

use super::SurfaceDistance;
use crate::math::{Scalar, Triple, dot, length, plus, sum_abs};
use crate::rounding::{CORE_SIZES, UNIT_ROUNDOFF};

/// Steps towards the root: 15 at most of 80,000 points at all depths in bodies of up to 1e4 to 1, two to four in the mean. Bounds hold after any.
const SECULAR_STEPS: usize = 24;
/// Steps end where `√S` is this near to one. It chooses only.
const SECULAR_NEAR: f64 = 1e-15;
/// The least `τ` in parts of the least axis' square: the bound of the depth loses at most so much of that square. It chooses only.
const SECULAR_LEAST: f64 = 1.0 / (1u64 << 44) as f64;
/// What `G` and `√S` are off, of themselves: a denominator 12, a square and quotient 2, the sum 2. Room is left.
const SECULAR_ERROR: f64 = 24.0 * UNIT_ROUNDOFF;

/// The sums at a place `τ`.
struct SecularSums {
    /// The gradient there: `n`.
    gradient: Triple,
    /// `S`.
    square: f64,
    /// `Σ r_k²p_k²/(r_k² + t)³`.
    cube: f64,
}

/// An ellipsoid and a point in its frame.
struct SecularEquation {
    radii: Triple,
    point: Triple,
    /// The least of the half axes, and the square of each less that of the least.
    least: usize,
    more: Triple,
}

impl SecularEquation {
    fn new(radii: Triple, point: Triple) -> Self {
        let mut least = 0;
        for k in [1, 2] {
            if radii[k] < radii[least] {
                least = k;
            }
        }
        let more = radii.map(|r| (r - radii[least]) * (r + radii[least]));
        Self {
            radii,
            point,
            least,
            more,
        }
    }

    #[inline(always)]
    fn at(&self, tau: f64) -> SecularSums {
        let mut found = SecularSums {
            gradient: [0.0; 3],
            square: 0.0,
            cube: 0.0,
        };
        for k in 0..3 {
            let inverse = 1.0 / (self.more[k] + tau);
            let n = self.point[k] * inverse;
            let part = self.radii[k] * n;
            found.gradient[k] = n;
            found.square += part * part;
            found.cube += part * part * inverse;
        }
        found
    }

    /// The root `τ`, or the least one there is, which is no root: then `true`.
    #[inline(always)]
    fn root(&self) -> (f64, SecularSums, bool) {
        let k = self.least;
        let square = self.radii[k] * self.radii[k];
        let floor = square * SECULAR_LEAST;
        // Where one of the terms alone is one, their sum is at least that.
        let start = |k: usize| self.radii[k] * self.point[k].abs() - self.more[k];
        let mut tau = floor.max(start(0)).max(start(1)).max(start(2));
        // On the surface `t` is zero. Outside it is more; inside the other terms are at least what they are there.
        let surface = self.at(square);
        let part = self.radii[k] * surface.gradient[k];
        let rest = 1.0 - (surface.square - part * part);
        if surface.square >= 1.0 {
            tau = tau.max(square);
        } else if rest > 0.0 {
            tau = tau.max(self.radii[k] * self.point[k].abs() / Scalar::sqrt(rest));
        }
        let mut found = self.at(tau);
        for _ in 0..SECULAR_STEPS {
            let root = Scalar::sqrt(found.square);
            if !(root - 1.0 > SECULAR_NEAR) {
                break;
            }
            tau += (root - 1.0) * found.square / found.cube;
            found = self.at(tau);
        }
        let below = tau <= floor && found.square < 1.0;
        (tau, found, below)
    }
}

/// The signed distance of a point; `None` out of range.
#[inline(always)]
pub(super) fn measure(radii: Triple, point: Triple) -> Option<SurfaceDistance> {
    let size = sum_abs(radii) + sum_abs(point);
    let least = radii[0].min(radii[1]).min(radii[2]);
    if !(size < CORE_SIZES.end && least > CORE_SIZES.start) {
        return None;
    }
    let body = SecularEquation::new(radii, point);
    let (tau, mut found, below) = body.root();
    let k = body.least;
    let t = tau - radii[k] * radii[k];
    let sum = dot(found.gradient, point);
    if below {
        // Any share along the least axis is on a gradient.
        let rest = found.square - (radii[k] * found.gradient[k]) * (radii[k] * found.gradient[k]);
        let share = Scalar::sqrt(1.0 - rest) / radii[k];
        found.gradient[k] = if point[k] < 0.0 { -share } else { share };
    }
    let gradient = found.gradient;
    let (n, wide) = (length(gradient), {
        let [x, y, z] = [0, 1, 2].map(|k| radii[k] * gradient[k]);
        length([x, y, z])
    });
    let along = dot(gradient, point);
    let height = (along - wide) / n;
    let error = SECULAR_ERROR * (along.abs() + wide) / n;
    let foot = [0, 1, 2].map(|k| radii[k] * (radii[k] * gradient[k]) / wide);
    if !(n > 0.0 && wide > 0.0) {
        return None;
    }
    // `t` is a difference of two squares.
    let off = 2.0 * UNIT_ROUNDOFF * (radii[k] * radii[k]);
    let square = (-t - off) * (1.0 - sum) - SECULAR_ERROR * (-t * sum);
    // With `t < 0` and `G < 1` the point is inside.
    let upper = if t < 0.0 && square > 0.0 {
        -Scalar::sqrt(square) * (1.0 - SECULAR_ERROR)
    } else {
        length(plus(point, foot, -1.0)) + SECULAR_ERROR * size
    };
    let lower = height - error;
    Some(SurfaceDistance {
        lower,
        upper,
        normal: gradient.map(|x| x / n),
        foot,
    })
}
