//! The corners of what two triangles share.
//!
//! Idea: two triangles share a convex set. Each corner of it is a corner of one on the other, or a point in which an edge of one meets the
//! other's plane or an edge of it.

use super::bodies::{Fraction, GridTriangle, edges_at, normal};
use gjk_exact::integer::{Int, Int3, cross, dot, is_zero, neg, sign, sub};

/// The corners of what two triangles share; none where they share nothing. A triangle without an area is a segment.
pub(super) fn common_points(a: GridTriangle<'_>, b: GridTriangle<'_>) -> Vec<Fraction> {
    let normals = [normal(a), normal(b)];
    let mut found = Vec::new();
    for (own, other, normal) in [(a, b, &normals[1]), (b, a, &normals[0])] {
        if is_zero(normal) {
            let corners = own.iter().map(|corner| Fraction::of(corner));
            found.extend(
                corners.filter(|corner| {
                    !ways_along(other, corner).is_empty() || is_point(other, corner)
                }),
            );
            continue;
        }
        let heights = own.map(|corner| dot(normal, &sub(corner, other[0])));
        for (corner, height) in own.iter().zip(&heights) {
            if height.is_zero() {
                keep(&mut found, Fraction::of(corner), other, normal);
            }
        }
        for k in 0..3 {
            let next = (k + 1) % 3;
            let [p, q] = [&heights[k], &heights[next]];
            if sign(p).is_ne() && sign(p) == sign(q).reverse() {
                let point = between(own[k], own[next], [p, q]);
                keep(&mut found, point, other, normal);
            }
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let point = crossing([a[i], a[(i + 1) % 3]], [b[j], b[(j + 1) % 3]]);
            found.extend(point);
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The directions in which a triangle without an area goes from a point of it; none where the point is off it.
pub(super) fn ways_along(triangle: GridTriangle<'_>, point: &Fraction) -> Vec<Int3> {
    let from = triangle.map(|corner| point.minus(corner));
    let mut ways = Vec::new();
    for k in 0..3 {
        let next = (k + 1) % 3;
        let edge = sub(triangle[next], triangle[k]);
        if is_zero(&edge) || !is_zero(&cross(&edge, &from[k])) {
            continue;
        }
        let [after, before] = [&from[k], &from[next]].map(|step| sign(&dot(&edge, step)));
        if after.is_ge() && before.is_lt() {
            ways.push(edge.clone());
        }
        if after.is_gt() && before.is_le() {
            ways.push(neg(&edge));
        }
    }
    ways
}

/// Whether a triangle is one point, and this one.
fn is_point(triangle: GridTriangle<'_>, point: &Fraction) -> bool {
    triangle.iter().all(|corner| is_zero(&point.minus(corner)))
}

/// Whether an edge of a triangle passes through the inside of another; neither if one has no area.
pub(super) fn passes_through(own: GridTriangle<'_>, other: GridTriangle<'_>) -> bool {
    if is_zero(&normal(own)) {
        return false;
    }
    let normal = normal(other);
    let heights = own.map(|corner| dot(&normal, &sub(corner, other[0])));
    (0..3).any(|k| {
        let next = (k + 1) % 3;
        let [p, q] = [&heights[k], &heights[next]];
        sign(p).is_ne()
            && sign(p) == sign(q).reverse()
            && edges_at(other, &normal, &between(own[k], own[next], [p, q])) == Some([false; 3])
    })
}

/// Keeps a point of a triangle's plane that is on the triangle.
fn keep(found: &mut Vec<Fraction>, point: Fraction, triangle: GridTriangle<'_>, normal: &Int3) {
    if edges_at(triangle, normal, &point).is_some() {
        found.push(point);
    }
}

/// Where a segment has height 0, whose ends have heights of both signs.
fn between(p: &Int3, q: &Int3, [at_p, at_q]: [&Int; 2]) -> Fraction {
    let at = [0, 1, 2].map(|k| &p[k] * at_q - &q[k] * at_p);
    Fraction::new(&at, &(at_q - at_p))
}

/// Where two segments of one plane cross, each between its ends.
fn crossing([p, q]: [&Int3; 2], [r, s]: [&Int3; 2]) -> Option<Fraction> {
    let (e, f, gap) = (sub(q, p), sub(s, r), sub(r, p));
    let axis = cross(&e, &f);
    if is_zero(&axis) || !dot(&axis, &gap).is_zero() {
        return None;
    }
    // p + e t = r + f u, so t = det(gap, f, axis) / |axis|² and u = det(gap, e, axis) / |axis|².
    let whole = dot(&axis, &axis);
    let along = [&f, &e].map(|other| dot(&cross(&gap, other), &axis));
    let within = along
        .iter()
        .all(|x| sign(x).is_gt() && sign(&(x - &whole)).is_lt());
    let at = [0, 1, 2].map(|k| &p[k] * &whole + &e[k] * &along[0]);
    within.then(|| Fraction::new(&at, &whole))
}
