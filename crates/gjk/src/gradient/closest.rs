//! The nearest points of a few vertices of two bodies, by the closed form of their features, with what they may be off.
//!
//! Idea: `solve.rs` knows that the nearest points are in the hulls of these vertices. Where the foot of the closed form is surely inside of its edge or
//! face, it is they. That tells the normal to some roundings, where the bounds of the distance tell it to the root of them.

use super::highest::LEVEL_ERROR;
use super::level::{margin, ring};
use crate::manifold::{View, unit};
use crate::math::triple::{Triple, cross, dot, length, plus, subtract};
use crate::rounding::UNIT_ROUNDOFF;

/// What a foot on a line may be off, in roundings of the lengths that it is made of: differences, two inner products, a quotient and a sum.
const EDGE_FOOT_ERROR: f64 = 32.0 * UNIT_ROUNDOFF;

/// Nearest points.
pub(super) struct Closest {
    /// Unit, from A to B.
    pub(super) normal: Triple,
    /// On the cores.
    pub(super) points: [Triple; 2],
    pub(super) normal_error: f64,
    pub(super) point_error: f64,
}

/// `None` where the foot may be at the end of its edge or face, and where more than a face is level.
pub(super) fn closest(dim: usize, points: [&[Triple]; 2], ids: [&[u32]; 2]) -> Option<Closest> {
    let at = |k: usize, i: usize| points[k][ids[k][i] as usize];
    match (ids[0].len(), ids[1].len()) {
        (1, 1) => between([at(0, 0), at(1, 0)], subtract(at(1, 0), at(0, 0)), 0.0),
        (1, 2) => on_edge(at(0, 0), [at(1, 0), at(1, 1)]),
        (2, 1) => on_edge(at(1, 0), [at(0, 0), at(0, 1)]).map(Closest::exchanged),
        (2, 2) if dim == 3 => crossed([at(0, 0), at(0, 1)], [at(1, 0), at(1, 1)]),
        (1, _) if dim == 3 => on_face(at(0, 0), points[1], ids[1]),
        (_, 1) if dim == 3 => on_face(at(1, 0), points[0], ids[0]).map(Closest::exchanged),
        _ => None,
    }
}

impl Closest {
    fn exchanged(self) -> Self {
        Self {
            normal: self.normal.map(|x| -x),
            points: [self.points[1], self.points[0]],
            ..self
        }
    }
}

/// The points, and the step from one to the other, which is off by so much at most beside its own roundings.
fn between(points: [Triple; 2], step: Triple, error: f64) -> Option<Closest> {
    let normal_error = 2.0 * error / length(step) + EDGE_FOOT_ERROR;
    normal_error.is_finite().then_some(Closest {
        normal: unit(step)?,
        points,
        normal_error,
        point_error: error + LEVEL_ERROR,
    })
}

/// A point and its foot on an edge.
fn on_edge(point: Triple, [from, to]: [Triple; 2]) -> Option<Closest> {
    let edge = subtract(to, from);
    let (part, error) = foot(from, edge, point);
    let margin = error / length(edge);
    if part > margin && part < 1.0 - margin {
        beside(from, edge, point).map(Closest::exchanged)
    } else {
        None
    }
}

/// The foot of a point on a line, and the point.
pub(super) fn beside(from: Triple, along: Triple, point: Triple) -> Option<Closest> {
    let (part, error) = foot(from, along, point);
    // Not from the places: their roundings are those of their coordinates.
    let step = plus(subtract(point, from), along, -part);
    between([plus(from, along, part), point], step, error)
}

/// Where the foot of a point on a line is, in parts of a vector along it, and how far it may be off in the world.
fn foot(from: Triple, along: Triple, point: Triple) -> (f64, f64) {
    let (size, step) = (length(along), subtract(point, from));
    let part = dot(step, along) / (size * size);
    (part, EDGE_FOOT_ERROR * (size + length(step)))
}

/// The feet of the common perpendicular of two edges.
fn crossed([a, a_end]: [Triple; 2], [b, b_end]: [Triple; 2]) -> Option<Closest> {
    let (u, v, step) = (subtract(a_end, a), subtract(b_end, b), subtract(b, a));
    let normal = cross(u, v);
    let (size_u, size_v, size) = (length(u), length(v), length(normal));
    let sine = size / (size_u * size_v);
    let squared = size * size;
    let (s, t) = (
        dot(cross(step, v), normal) / squared,
        dot(cross(step, u), normal) / squared,
    );
    let error = EDGE_FOOT_ERROR * (length(step) + size_u + size_v) / (sine * sine);
    let is_inside = |part: f64, size: f64| part > error / size && part < 1.0 - error / size;
    if !(is_inside(s, size_u) && is_inside(t, size_v)) {
        return None;
    }
    let points = [plus(a, u, s), plus(b, v, t)];
    let normal = unit(normal)?;
    let toward = dot(normal, step);
    let normal_error = EDGE_FOOT_ERROR / sine;
    normal_error.is_finite().then_some(Closest {
        normal: if toward < 0.0 {
            normal.map(|x| -x)
        } else {
            normal
        },
        points,
        normal_error,
        point_error: error + LEVEL_ERROR,
    })
}

/// A point and its foot on a face that is level within rounding.
///
/// Let `f` be what vertices are off the plane of three of them, and `m` how far the foot is inside of their polygon. If the true normal is tilted by the
/// tangent `τ` against the plane's, the face's place at `m` from the foot against the tilt is below the nearest point by `mτ` or more, but no lower than `2f`:
/// so `τ ≤ 2f/m`.
fn on_face(point: Triple, points: &[Triple], ids: &[u32]) -> Option<Closest> {
    let at = |id: u32| points[id as usize];
    let farthest = |measure: &dyn Fn(Triple) -> f64| {
        let best = ids
            .iter()
            .copied()
            .max_by(|&i, &j| measure(at(i)).total_cmp(&measure(at(j))));
        best.map(at)
    };
    let anchor = at(*ids.first()?);
    let far = farthest(&|x| length(subtract(x, anchor)))?;
    let line = subtract(far, anchor);
    let wide = farthest(&|x| length(cross(line, subtract(x, anchor))))?;
    let across = subtract(wide, anchor);
    let normal = cross(line, across);
    let size = length(normal);
    let own_error = EDGE_FOOT_ERROR * length(line) * length(across) / size;
    let normal = unit(normal)?;
    let height = dot(normal, subtract(anchor, point));
    let (normal, height) = if height < 0.0 {
        (normal.map(|x| -x), -height)
    } else {
        (normal, height)
    };
    let off = ids
        .iter()
        .map(|&id| dot(normal, subtract(at(id), anchor)).abs());
    let flat = off.fold(0.0, |m: f64, x| if x > m { x } else { m })
        + LEVEL_ERROR
        + own_error * length(line);
    let view = View::new(3, normal, point);
    let inside = margin([0.0; 2], &ring(&view, points, ids)?) - LEVEL_ERROR;
    if !(inside > 0.0) {
        return None;
    }
    let normal_error = 2.0 * flat / inside + own_error;
    normal_error.is_finite().then_some(Closest {
        normal,
        points: [point, plus(point, normal, height)],
        normal_error,
        point_error: height * normal_error + flat,
    })
}
