//! Newton's step across a direction, towards a least height.

use super::followed::PieceMix;
use super::local_height::{Base, Quadratic};
use crate::math::{Scalar, Vector64};

/// No step is longer.
const DESCENT_REACH: f64 = 0.4;
/// The square of the sine between two kinks below which they are nearly one line.
const CORNER_LEAST: f64 = 1e-20;
/// The step across a height that curves down, until another piece is met.
const DESCENT_DOWN: f64 = 0.15;

/// A step across the direction, and how the second pieces' shares change.
pub(crate) struct DescentStep {
    pub(crate) way: [f64; 2],
    pub(crate) shares: [f64; 2],
    pub(crate) length: f64,
    /// Whether it is Newton's, of a height that curves up.
    pub(crate) sure: bool,
}

/// Newton's step, for both pieces of a body that has two.
///
/// With the gradient `g`, the second derivatives `H` less the height (a unit direction falls off by `t²/2` of it), and of two pieces
/// the difference `l` of their gradients and `s` of their heights: `Ht + Δλ·l = −g`, `l·t = −s`.
pub(crate) fn step<V: Vector64>(base: &Base<V>, places: &[PieceMix<V>; 2]) -> Option<DescentStep> {
    let point = places[0].point() + places[1].point();
    let g = base.across.map(|x| x.dot(point));
    let round = Quadratic {
        xx: 1.0,
        xy: 0.0,
        yy: 1.0,
    };
    let h = places[0]
        .hessian()
        .plus(places[1].hessian(), 1.0)
        .plus(round, -point.dot(base.normal()));
    let [of_a, of_b] = [0, 1].map(|k| places[k].second.as_ref().map(|x| (x.kink, x.rise)));
    let one = |(kink, rise): ([f64; 2], f64)| level_step(kink, rise, g, h);
    let (mut way, mut shares, mut sure) = match (of_a, of_b) {
        (Some(a), Some(b)) => corner_step(a, b, g, h)?,
        (Some(a), None) => one(a).map(|(way, share, sure)| (way, [share, 0.0], sure))?,
        (None, Some(b)) => one(b).map(|(way, share, sure)| (way, [0.0, share], sure))?,
        (None, None) => {
            let (way, sure) = free_step(g, h);
            (way, [0.0; 2], sure)
        }
    };
    let length = Scalar::sqrt(way[0] * way[0] + way[1] * way[1]);
    if !(length < f64::MAX) {
        return None;
    }
    if length > DESCENT_REACH {
        let part = DESCENT_REACH / length;
        way = way.map(|x| x * part);
        (shares, sure) = (shares.map(|share| share * part), false);
    }
    Some(DescentStep {
        way,
        shares,
        length,
        sure,
    })
}

/// To the direction in which two pieces of each body are level; along the longer of two kinks that are nearly one line.
fn corner_step(
    (k, rise): ([f64; 2], f64),
    (l, climb): ([f64; 2], f64),
    g: [f64; 2],
    h: Quadratic,
) -> Option<([f64; 2], [f64; 2], bool)> {
    let cross = |x: [f64; 2], y: [f64; 2]| x[0] * y[1] - x[1] * y[0];
    let square = |x: [f64; 2]| x[0] * x[0] + x[1] * x[1];
    let determinant = cross(k, l);
    if !(determinant * determinant > CORNER_LEAST * square(k) * square(l)) {
        return if square(k) >= square(l) {
            level_step(k, rise, g, h).map(|(way, share, sure)| (way, [share, 0.0], sure))
        } else {
            level_step(l, climb, g, h).map(|(way, share, sure)| (way, [0.0, share], sure))
        };
    }
    let way = [
        (climb * k[1] - rise * l[1]) / determinant,
        (rise * l[0] - climb * k[0]) / determinant,
    ];
    let rest = [
        -(g[0] + h.xx * way[0] + h.xy * way[1]),
        -(g[1] + h.xy * way[0] + h.yy * way[1]),
    ];
    let shares = [cross(rest, l) / determinant, cross(k, rest) / determinant];
    Some((way, shares, true))
}

/// Along the directions in which two pieces are level.
fn level_step(l: [f64; 2], rise: f64, g: [f64; 2], h: Quadratic) -> Option<([f64; 2], f64, bool)> {
    let length = Scalar::sqrt(l[0] * l[0] + l[1] * l[1]);
    if !(length > 0.0) {
        return None;
    }
    let (e, f) = (l.map(|x| x / length), [-l[1] / length, l[0] / length]);
    let times = |x: [f64; 2]| [h.xx * x[0] + h.xy * x[1], h.xy * x[0] + h.yy * x[1]];
    let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
    let (he, hf) = (times(e), times(f));
    let curve = dot(f, hf);
    if !(curve > 0.0) {
        return None;
    }
    let along = -rise / length;
    let across = -(dot(g, f) + dot(he, f) * along) / curve;
    let share = -(dot(g, e) + dot(he, e) * along + dot(hf, e) * across) / length;
    Some(([0, 1].map(|k| e[k] * along + f[k] * across), share, true))
}

/// Of one piece each: by the axes of the form, down where it curves down.
fn free_step(g: [f64; 2], h: Quadratic) -> ([f64; 2], bool) {
    let determinant = h.xx * h.yy - h.xy * h.xy;
    if determinant > 0.0 && h.xx > 0.0 {
        let x = (h.xy * g[1] - h.yy * g[0]) / determinant;
        let y = (h.xy * g[0] - h.xx * g[1]) / determinant;
        return ([x, y], true);
    }
    let half = (h.xx - h.yy) * 0.5;
    let root = Scalar::sqrt(half * half + h.xy * h.xy);
    let (middle, double) = ((h.xx + h.yy) * 0.5, [half, h.xy]);
    // The axis of the larger eigenvalue: half the angle of (half, xy).
    let axis = if root > 0.0 {
        let cosine = Scalar::sqrt((1.0 + double[0] / root) * 0.5);
        let sine = Scalar::sqrt((1.0 - double[0] / root) * 0.5);
        [cosine, if double[1] < 0.0 { -sine } else { sine }]
    } else {
        [1.0, 0.0]
    };
    let mut way = [0.0; 2];
    for (axis, curve) in [(axis, middle + root), ([-axis[1], axis[0]], middle - root)] {
        let slope = g[0] * axis[0] + g[1] * axis[1];
        let part = if curve > 0.0 {
            -slope / curve
        } else if slope > 0.0 {
            -DESCENT_DOWN
        } else {
            DESCENT_DOWN
        };
        way = [0, 1].map(|k| way[k] + axis[k] * part);
    }
    (way, false)
}
