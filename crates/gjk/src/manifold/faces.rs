//! The supporting face of a body along a direction; else its edge; else its vertex.
//!
//! Where it sits: `solve.rs` asks it for either body. `tilt.rs` finds which of the faces at the highest vertex it is.
//! Idea: the vertices of a posed body are rounded, so a face of four is a plane only within rounding: its ring is all vertices within a slack of the
//! plane of three of them that are far apart.

use super::tilt::{TiltedFace, Tilts};
use super::view::{Flat, View, unit};
use crate::hull::{PlanarHull, convex_hull_2};
use crate::math::triple::{Triple, cross, dot, length, plus, subtract};
use alloc::vec::Vec;

/// The most that vertices may be off a plane by which a face is looked for, in sizes of the body, however short its edges are.
const ROUGH_MAX: f64 = 1e-6;

/// A face, an edge or a vertex.
#[derive(Clone, Debug)]
pub(super) struct Face {
    /// Counter-clockwise seen against the view's direction.
    pub(super) ids: Vec<u32>,
    pub(super) points: Vec<Triple>,
    /// The same across the direction.
    pub(super) flat: Vec<Flat>,
    /// Of three or more points: unit, outward.
    pub(super) normal: Triple,
    /// How far the body's surface may be from the plane, along the direction.
    pub(super) off: f64,
}

impl Face {
    /// A vertex of no number.
    pub(super) fn smooth(point: Triple, view: &View) -> Self {
        Self {
            ids: Vec::new(),
            points: [point].into(),
            flat: [view.flat(point)].into(),
            normal: view.along,
            off: 0.0,
        }
    }

    /// The same, of a body that is seen from the other side, in this view: the other way around.
    pub(super) fn turned(mut self, view: &View) -> Self {
        self.ids.reverse();
        self.points.reverse();
        self.flat = self.points.iter().map(|&x| view.flat(x)).collect();
        self
    }

    /// The point of the face, of its plane or its line, that is at a place across the direction.
    pub(super) fn lift(&self, from: Triple, place: Flat, view: &View) -> Triple {
        let anchor = self.points[0];
        match self.points.len() {
            1 => anchor,
            2 => {
                let along = subtract(self.points[1], anchor);
                let part = place_on(self.flat[0], self.flat[1], place);
                plus(anchor, along, part)
            }
            _ => {
                let rise = dot(self.normal, subtract(anchor, from)) / dot(self.normal, view.along);
                plus(from, view.along, rise)
            }
        }
    }
}

/// The place along a segment, from 0 to 1, that is nearest to a point.
pub(super) fn place_on(from: Flat, to: Flat, point: Flat) -> f64 {
    let step = super::view::minus(to, from);
    let squared = super::view::inner(step, step);
    if squared > 0.0 {
        (super::view::inner(super::view::minus(point, from), step) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// What supports a body along a view's direction, up to the tangent of a tilt. There is at least one point.
///
/// `slack` is what the points may be off by rounding.
pub(super) fn supporting(points: &[Triple], view: &View, tangent: f64, slack: f64) -> Face {
    let height = |x: &Triple| dot(view.along, subtract(*x, view.origin));
    let top = points
        .iter()
        .map(height)
        .fold(f64::NEG_INFINITY, |m, x| if x > m { x } else { m });
    // A level edge has two highest vertices, and other faces at either. A level face is found from any of its vertices.
    let highest =
        (0..points.len() as u32).filter(|&id| height(&points[id as usize]) >= top - slack);
    let (mut face, mut edge, mut vertex) = (None, None, 0);
    for (count, id) in highest.take(2).enumerate() {
        if count == 0 {
            vertex = id;
        }
        let tilts = around(points, id, view, tangent);
        if let Some(found) = tilts.face()
            && face.is_none_or(|(_, best): (u32, TiltedFace)| found.tilt < best.tilt)
        {
            face = Some((id, found));
        }
        if let Some((end, tilt)) = tilts.edge()
            && edge.is_none_or(|(_, best)| tilt < best)
        {
            edge = Some(([id.min(end), id.max(end)], tilt));
        }
    }
    if let Some((id, found)) = face
        && let Some(face) = ring(points, [id, found.edges[0], found.edges[1]], view, slack)
    {
        return face;
    }
    let ids = match edge {
        Some((ends, _)) => ends.into(),
        None => [vertex].into(),
    };
    of(points, ids, view, view.along, 0.0)
}

/// The tilts of the planes that support a body at a vertex.
fn around(points: &[Triple], id: u32, view: &View, tangent: f64) -> Tilts {
    let mut tilts = Tilts::up_to(tangent);
    let vertex = points[id as usize];
    for (other, &point) in points.iter().enumerate() {
        let step = subtract(point, vertex);
        let (across, below) = (view.across(step), -dot(view.along, step));
        if other as u32 != id && across != [0.0; 2] {
            tilts.cut(other as u32, across, if below > 0.0 { below } else { 0.0 });
        }
    }
    tilts
}

fn of(points: &[Triple], ids: Vec<u32>, view: &View, normal: Triple, off: f64) -> Face {
    let points: Vec<Triple> = ids.iter().map(|&id| points[id as usize]).collect();
    Face {
        flat: points.iter().map(|&x| view.flat(x)).collect(),
        points,
        ids,
        normal,
        off,
    }
}

/// A plane through a vertex, and how far vertices are above it.
struct Plane {
    anchor: Triple,
    normal: Triple,
}

impl Plane {
    /// Through three points, seen from the side that the direction comes from.
    fn through([anchor, b, c]: [Triple; 3], along: Triple) -> Option<Self> {
        let normal = unit(cross(subtract(b, anchor), subtract(c, anchor)))?;
        let rise = dot(normal, along);
        let normal = if rise < 0.0 {
            normal.map(|x| -x)
        } else {
            normal
        };
        (rise != 0.0).then_some(Self { anchor, normal })
    }

    fn above(&self, x: Triple) -> f64 {
        dot(self.normal, subtract(x, self.anchor))
    }

    fn highest(&self, points: &[Triple]) -> f64 {
        let heights = points.iter().map(|&x| self.above(x));
        heights.fold(0.0, |m: f64, x| if x > m { x } else { m })
    }
}

/// The plane of three points of a rough face that are far apart, if it supports the body.
fn refined(points: &[Triple], rough: &Plane, wide: f64, view: &View, slack: f64) -> Option<Plane> {
    let anchor = rough.anchor;
    let near = || points.iter().filter(|&&x| rough.above(x).abs() <= wide);
    let farthest = |measure: &dyn Fn(Triple) -> f64| {
        let mut best = (anchor, 0.0);
        for &x in near() {
            let value = measure(x);
            if value > best.1 {
                best = (x, value);
            }
        }
        best.0
    };
    let far = farthest(&|x| length(subtract(x, anchor)));
    let line = subtract(far, anchor);
    let wide = farthest(&|x| length(cross(line, subtract(x, anchor))));
    let plane = Plane::through([anchor, far, wide], view.along)?;
    (plane.highest(points) <= slack).then_some(plane)
}

/// The face between two edges at a vertex.
fn ring(points: &[Triple], ids: [u32; 3], view: &View, slack: f64) -> Option<Face> {
    let corners = ids.map(|id| points[id as usize]);
    let rough = Plane::through(corners, view.along)?;
    let [a, b] = [1, 2].map(|k| subtract(corners[k], corners[0]));
    let reach = points
        .iter()
        .map(|&x| length(subtract(x, corners[0])))
        .fold(0.0, |m: f64, x| if x > m { x } else { m });
    // How much farther off than its three points the plane is at the far side.
    let (short, long) = (length(a).min(length(b)), length(a).max(length(b)));
    let spread = length(cross(a, b)) / long;
    let wide = (slack * (1.0 + reach / spread.min(short))).min(ROUGH_MAX * reach);
    let plane = refined(points, &rough, wide, view, slack).unwrap_or(rough);
    let members: Vec<u32> = (0..points.len() as u32)
        .filter(|&id| plane.above(points[id as usize]) >= -slack || ids.contains(&id))
        .collect();
    let flat: Vec<Flat> = members
        .iter()
        .map(|&id| view.flat(points[id as usize]))
        .collect();
    let PlanarHull::Polygon(order) = convex_hull_2(&flat).ok()? else {
        return None;
    };
    let ids: Vec<u32> = order.iter().map(|&k| members[k as usize]).collect();
    let off = ids
        .iter()
        .map(|&id| plane.above(points[id as usize]).abs())
        .fold(plane.highest(points), |m, x| if x > m { x } else { m });
    let off = off / dot(plane.normal, view.along);
    Some(of(points, ids, view, plane.normal, off))
}
