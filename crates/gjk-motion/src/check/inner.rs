//! How large a ball about a point is inside of a part.
//!
//! Where it sits: `overlap.rs` asks it for the points of a leaf.
//! Idea: a solid's surface that is nowhere nearer than a radius, and winds around the point, has the ball inside. Of a triangle the direction to
//! its nearest point says how far it is at least: it is a plane.

use super::enclosed::{Enclosed, Vec3Bounds, difference, dot, exactly, norm, rounded, sum, times};
use super::pair::CheckedPart;
use super::solid::{PartSolid, SmoothForm, SolidForm};
use super::winding::turns_around;

/// A ball of this radius about a point of the link's frame is inside of the part; below zero where none is known to be.
pub(super) fn inner_radius(part: &CheckedPart, point: [f64; 3]) -> f64 {
    let solid = &part.solid;
    if solid.surface().is_some() {
        return if part.is_solid && turns_around(solid, point).abs() > 0.5 {
            distance_to_surface(solid, point)
        } else {
            f64::NEG_INFINITY
        };
    }
    let at = solid.place.inverse().point(&exactly(point));
    if let Some(half) = solid.half_sides {
        let room = [0, 1, 2].map(|k: usize| Enclosed::exact(half[k]).sub(magnitude(at[k])).lo);
        return room.into_iter().fold(f64::INFINITY, f64::min);
    }
    match &solid.form {
        SolidForm::Points(points, radius) if *radius > 0.0 => {
            let off = off_core(points, &at);
            Enclosed::exact(*radius).sub(Enclosed::exact(off)).lo
        }
        SolidForm::Smooth(SmoothForm::Cylinder { half, radius, axis }) => {
            let mut across = at;
            across[*axis] = Enclosed::exact(0.0);
            let side = Enclosed::exact(*radius).sub(norm(&across)).lo;
            let cap = Enclosed::exact(*half).sub(magnitude(at[*axis])).lo;
            side.min(cap)
        }
        _ => f64::NEG_INFINITY,
    }
}

fn magnitude(x: Enclosed) -> Enclosed {
    Enclosed::exact(x.magnitude())
}

/// How far a point is from a ball's middle or a capsule's segment at most.
fn off_core(points: &[[f64; 3]], at: &Vec3Bounds) -> f64 {
    let to = |q: &Vec3Bounds| norm(&difference(at, q)).hi;
    match points {
        [one] => to(&exactly(*one)),
        [one, other] => {
            let (start, way) = (exactly(*one), difference(&exactly(*other), &exactly(*one)));
            let along = dot(&difference(at, &start), &way).middle().0;
            let share = (along / dot(&way, &way).middle().0).clamp(0.0, 1.0);
            let share = if share.is_nan() { 0.0 } else { share };
            // Any point of the segment is as near as this at most.
            to(&sum(&start, &times(&way, Enclosed::exact(share))))
        }
        _ => f64::INFINITY,
    }
}

/// No point of the surface is nearer.
fn distance_to_surface(solid: &PartSolid, point: [f64; 3]) -> f64 {
    let Some(surface) = solid.surface() else {
        return f64::NEG_INFINITY;
    };
    let at = exactly(point);
    let vertices = surface.vertices().iter();
    let rays: Vec<Vec3Bounds> = vertices
        .map(|v| difference(&solid.place.point(&solid.scaled(v)), &at))
        .collect();
    let near: Vec<[f64; 3]> = rays.iter().map(|ray| rounded(ray).0).collect();
    let mut least = f64::INFINITY;
    for corners in surface.triangles() {
        let ids = corners.map(|id| id as usize);
        let along = exactly(nearest(ids.map(|id| near[id])));
        let heights = ids.map(|id| dot(&along, &rays[id]).lo);
        let height = heights.into_iter().fold(f64::INFINITY, f64::min);
        let distance = (height / norm(&along).hi).next_down();
        // A surface through the point has no direction.
        least = least.min(if distance.is_nan() { 0.0 } else { distance });
    }
    least
}

/// The point of a triangle that is nearest to the origin, about: the foot on its plane, or on one of its edges.
fn nearest([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let dot = |x: [f64; 3], y: [f64; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    let minus = |x: [f64; 3], y: [f64; 3]| [x[0] - y[0], x[1] - y[1], x[2] - y[2]];
    let cross = |x: [f64; 3], y: [f64; 3]| {
        let entry = |i: usize, j: usize| x[i] * y[j] - x[j] * y[i];
        [entry(1, 2), entry(2, 0), entry(0, 1)]
    };
    let normal = cross(minus(b, a), minus(c, a));
    let sides = [[a, b], [b, c], [c, a]];
    let is_over = sides
        .iter()
        .all(|&[p, q]| dot(cross(minus(q, p), minus([0.0; 3], p)), normal) >= 0.0);
    if is_over && dot(normal, normal) > 0.0 {
        let share = dot(a, normal) / dot(normal, normal);
        return normal.map(|x| x * share);
    }
    let feet = sides.map(|[p, q]| {
        let way = minus(q, p);
        let share = (-dot(p, way) / dot(way, way)).clamp(0.0, 1.0);
        let share = if share.is_nan() { 0.0 } else { share };
        [0, 1, 2].map(|k: usize| p[k] + share * way[k])
    });
    let least = feet
        .into_iter()
        .min_by(|x, y| dot(*x, *x).total_cmp(&dot(*y, *y)));
    least.unwrap_or(a)
}
