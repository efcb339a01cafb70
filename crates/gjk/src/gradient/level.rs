//! The corners of what two faces, or two edges, have in common that are level along one direction.

use crate::hull::{PlanarHull, convex_hull_2};
use crate::manifold::{Corner, Flat, View, crossing, intersect, side, size};
use crate::math::planar;
use crate::math::triple::{Triple, plus};
use crate::rounding::UNIT_ROUNDOFF;
use alloc::vec::Vec;

/// What a corner may be off, in roundings, beside the sine at which two sides cross: a place is three products of coordinates up to 4, and the band in which
/// corners count as one is as wide.
pub(super) const CORNER_ERROR: f64 = 128.0 * UNIT_ROUNDOFF;

/// What is common is wide if it is this many times as long as its corners may be off: less may be rounding.
const WIDE_ERRORS: f64 = 1e3;

/// The corners of a common face or edge, on A, and what they may be off.
pub(super) struct Level {
    pub(super) corners: Vec<Triple>,
    pub(super) error: f64,
}

/// What two level faces have in common, seen along their unit normal; `None` where it is not surely wide.
pub(super) fn common(
    dim: usize,
    normal: Triple,
    points: [&[Triple]; 2],
    ids: [&[u32]; 2],
) -> Option<Level> {
    let origin = *points[0].get(*ids[0].first()? as usize)?;
    let view = View::new(dim, normal, origin);
    let [a, b] = [0, 1].map(|k| ring(&view, points[k], ids[k]));
    let (a, b) = (a?, b?);
    let mut sine: f64 = 1.0;
    let mut corners: Vec<Flat> = Vec::new();
    for corner in intersect(&a, &b, CORNER_ERROR) {
        let place = match corner {
            Corner::First(k, _) => a[k],
            Corner::Second(k, _) => b[k],
            Corner::Cross(i, j, _) => {
                let (first, second) = (side(&a, i), side(&b, j));
                let least = sine_of(first, second);
                sine = if least < sine { least } else { sine };
                let part = crossing(first, second);
                let [from, to] = first;
                [0, 1].map(|k| from[k] + part * (to[k] - from[k]))
            }
        };
        // Corners of both in one place are one.
        let is_new = |other: &Flat| size(planar::subtract(place, *other)) > CORNER_ERROR;
        if corners.iter().all(is_new) {
            corners.push(place);
        }
    }
    let error = CORNER_ERROR / sine;
    let wide = WIDE_ERRORS * error;
    let is_wide = width(&corners, a.len().min(b.len()) > 2) > wide
        && match (&a[..], &b[..]) {
            ([_, _], face) | (face, [_, _]) if face.len() > 2 => is_within(&corners, face, wide),
            _ => true,
        };
    let lifted = |[x, y]: Flat| plus(plus(origin, view.across[0], x), view.across[1], y);
    is_wide.then(|| Level {
        corners: corners.into_iter().map(lifted).collect(),
        error,
    })
}

/// The places of vertices across the direction: a point, the ends of a segment, or the corners of a polygon counter-clockwise. Vertices of one line are a
/// segment, whatever rounding made of them; `None` of a polygon that is hardly wider.
pub(super) fn ring(view: &View, points: &[Triple], ids: &[u32]) -> Option<Vec<Flat>> {
    let flat: Vec<Flat> = ids
        .iter()
        .map(|&id| view.flat(points[id as usize]))
        .collect();
    let order = match convex_hull_2(&flat).ok()? {
        PlanarHull::Point(only) => return Some([flat[only as usize]].into()),
        PlanarHull::Segment(from, to) => [from, to].into(),
        PlanarHull::Polygon(order) => order,
    };
    let corners: Vec<Flat> = order.into_iter().map(|k| flat[k as usize]).collect();
    if corners.len() == 2 || width(&corners, true) > WIDE_ERRORS * CORNER_ERROR {
        return Some(corners);
    }
    let farthest = |from: Flat| {
        let far = |x: &Flat| size(planar::subtract(*x, from));
        let best = corners.iter().copied();
        best.max_by(|x, y| far(x).total_cmp(&far(y)))
            .unwrap_or(from)
    };
    let end = farthest(corners[0]);
    (width(&corners, true) <= CORNER_ERROR).then(|| [farthest(end), end].into())
}

fn sine_of([a, b]: [Flat; 2], [c, d]: [Flat; 2]) -> f64 {
    let (u, v) = (planar::subtract(b, a), planar::subtract(d, c));
    planar::cross(u, v).abs() / (size(u) * size(v))
}

/// The length of what has these corners, of a face how far it is across, too: its area beside its length.
fn width(corners: &[Flat], is_face: bool) -> f64 {
    let (mut longest, mut area) = (0.0, 0.0);
    for &p in corners {
        for &q in corners {
            let length = size(planar::subtract(q, p));
            longest = if length > longest { length } else { longest };
            for &r in corners {
                let twice = planar::cross(planar::subtract(q, p), planar::subtract(r, p)).abs();
                area = if twice > area { twice } else { area };
            }
        }
    }
    match is_face {
        false => longest,
        true if longest > 0.0 => area / longest,
        true => 0.0,
    }
}

/// Whether the middle of an edge is well inside of a face: an edge along a side of the face may be beside it, and then the normal is not the face's.
fn is_within(edge: &[Flat], face: &[Flat], room: f64) -> bool {
    let [from, to] = *edge else { return false };
    let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    margin(middle, face) > room
}

/// How far a point is inside of a polygon, counter-clockwise; not positive outside.
pub(super) fn margin(point: Flat, polygon: &[Flat]) -> f64 {
    if polygon.len() < 3 {
        return 0.0;
    }
    let mut least = f64::INFINITY;
    for (k, &from) in polygon.iter().enumerate() {
        let side = planar::subtract(polygon[(k + 1) % polygon.len()], from);
        let inside = planar::cross(side, planar::subtract(point, from)) / size(side);
        least = if inside < least { inside } else { least };
    }
    least
}
