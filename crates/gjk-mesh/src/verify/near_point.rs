//! What two pieces share next to a point of both surfaces.
//!
//! Idea: near the point each surface is a set of sectors of planes. On the sphere of directions these are arcs, which part it into regions; next to the
//! point neither piece changes within a region. Each region has a corner: an end of an arc, or a crossing of two. So it is enough to look, at
//! each such corner `v`, between all planes through it: just beside `v`, along a plane, and just off that plane, on each side in turn.
//! Winding numbers there tell which pieces the region is in.

use super::bodies::{Fraction, GridBody, edges, edges_at, normal};
use super::common_points::ways_along;
use super::winding::Column;
use super::{PieceFacts, Pieces};
use core::cmp::Ordering;
use gjk_exact::integer::{Int3, common_factor, cross, dot, is_zero, neg, sign};
use std::collections::BTreeSet;

/// A triangle of a surface at one of its points.
struct Sector {
    normal: Int3,
    /// The edges that the point is on; the triangle is to the left of each.
    edges: Vec<Int3>,
    /// Directions in which its arc ends, or any two within where it is a circle.
    ends: Vec<Int3>,
}

impl Sector {
    /// The triangle's sector at a point; `None` where the point is not on it.
    fn new(body: &GridBody<'_>, triangle: u32, point: &Fraction) -> Option<Self> {
        let corners = body.corners(triangle);
        let normal = normal(corners);
        if is_zero(&normal) || !dot(&normal, &point.minus(corners[0])).is_zero() {
            return None;
        }
        let on = edges_at(corners, &normal, point)?;
        let all = edges(corners);
        let mut at: Vec<Int3> = Vec::new();
        for (edge, _) in all.iter().zip(on).filter(|x| x.1) {
            at.push(edge.clone());
        }
        let ends = if at.is_empty() { &all[..1] } else { &at[..] };
        Some(Self {
            ends: ends.iter().flat_map(|e| [e.clone(), neg(e)]).collect(),
            normal,
            edges: at,
        })
    }

    /// Whether a direction of its plane, moved along others, is within: less outside, equal on an end.
    fn side(&self, by: &[&Int3]) -> Ordering {
        let sides = self.edges.iter().map(|edge| {
            let mut signs = by.iter().map(|d| sign(&dot(&self.normal, &cross(edge, d))));
            signs.find(|sign| sign.is_ne()).unwrap_or(Ordering::Equal)
        });
        sides.min().unwrap_or(Ordering::Greater)
    }
}

/// The sectors of a piece at a point.
fn sectors(body: &GridBody<'_>, piece: u32, point: &Fraction) -> Vec<Sector> {
    let here = point.around();
    let triangles = body.pieces[piece as usize].iter();
    triangles
        .filter(|&&triangle| here.touches(body.box_of(triangle)))
        .filter_map(|&triangle| Sector::new(body, triangle, point))
        .collect()
}

/// Where the segments of a surface go from a point, its triangles without an area.
fn segments(body: &GridBody<'_>, piece: u32, point: &Fraction) -> Vec<Int3> {
    let here = point.around();
    let triangles = body.pieces[piece as usize].iter();
    triangles
        .filter(|&&triangle| here.touches(body.box_of(triangle)) && body.is_flat(triangle))
        .flat_map(|&triangle| ways_along(body.corners(triangle), point))
        .collect()
}

/// Whether a point is on a piece's surface.
pub(super) fn is_on(body: &GridBody<'_>, piece: u32, point: &Fraction) -> bool {
    let is_on_segment = || !body.plain.solid && !segments(body, piece, point).is_empty();
    !sectors(body, piece, point).is_empty() || is_on_segment()
}

/// The same direction in lowest terms.
fn primitive(direction: &Int3) -> Int3 {
    let factor = common_factor(direction);
    [0, 1, 2].map(|k| &direction[k] / &factor)
}

/// The same line, whichever way it is given.
fn line(direction: &Int3) -> Int3 {
    let d = primitive(direction);
    let first = d.iter().map(sign).find(|sign| sign.is_ne());
    if first == Some(Ordering::Less) {
        neg(&d)
    } else {
        d
    }
}

/// GridTriangle of regions: ends of arcs, and crossings of two.
fn corners(sectors: &[Sector]) -> BTreeSet<Int3> {
    let ends = sectors.iter().flat_map(|sector| &sector.ends);
    let mut corners: BTreeSet<Int3> = ends.map(primitive).collect();
    for (k, a) in sectors.iter().enumerate() {
        for b in &sectors[k + 1..] {
            let along = cross(&a.normal, &b.normal);
            if is_zero(&along) {
                continue;
            }
            for direction in [neg(&along), along] {
                if [a, b].iter().all(|s| s.side(&[&direction]).is_ge()) {
                    corners.insert(primitive(&direction));
                }
            }
        }
    }
    corners
}

/// What the pieces are to each other next to a point that is on both surfaces.
pub(super) fn learn_at(pieces: &Pieces<'_>, point: &Fraction, learned: &mut PieceFacts) {
    let stars = [0, 1].map(|k| sectors(pieces.bodies[k], pieces.numbers[k], point));
    let columns = [0, 1].map(|k| Column::new(pieces.bodies[k], pieces.numbers[k], point));
    match [0, 1].map(|k: usize| pieces.bodies[k].plain.solid) {
        [true, true] => between_solids(pieces, stars, &columns, learned),
        [false, true] => along_surface(pieces, 0, point, &stars, &columns[1], learned),
        [true, false] => along_surface(pieces, 1, point, &stars, &columns[0], learned),
        // Two surfaces have no inside; see `relation.rs`.
        [false, false] => {}
    }
}

fn between_solids(
    pieces: &Pieces<'_>,
    [a, b]: [Vec<Sector>; 2],
    columns: &[Column; 2],
    learned: &mut PieceFacts,
) {
    let sectors: Vec<Sector> = a.into_iter().chain(b).collect();
    let planes: BTreeSet<Int3> = sectors.iter().map(|s| line(&s.normal)).collect();
    for corner in corners(&sectors) {
        for plane in planes.iter().filter(|n| dot(n, &corner).is_zero()) {
            let along = cross(plane, &corner);
            for along in [neg(&along), along] {
                if learned.is_complete() {
                    return;
                }
                let off = cross(&corner, &along);
                let by = [corner.clone(), along, off];
                let inside =
                    [0, 1].map(|k| pieces.bodies[k].plain.has_inside(columns[k].winding(&by)));
                learned.add(inside);
            }
        }
    }
}

/// Looks along the segments of a surface, and along its sectors between their crossings with the solid's.
fn along_surface(
    pieces: &Pieces<'_>,
    surface: usize,
    point: &Fraction,
    stars: &[Vec<Sector>; 2],
    solid_column: &Column,
    learned: &mut PieceFacts,
) {
    let solid = pieces.bodies[1 - surface].plain;
    let others = &stars[1 - surface];
    for way in segments(pieces.bodies[surface], pieces.numbers[surface], point) {
        if !others.iter().any(|other| other.holds(&[&way])) {
            let winding = solid_column.winding(&[way]);
            learned.add_surface(surface, solid.has_inside(winding));
        }
    }
    for sector in &stars[surface] {
        let mut corners: BTreeSet<Int3> = sector.ends.iter().map(primitive).collect();
        for other in others {
            let along = cross(&sector.normal, &other.normal);
            if !is_zero(&along) {
                corners.extend([primitive(&along), primitive(&neg(&along))]);
            }
            // In one plane the ends of the other's arc are on this one.
            else {
                corners.extend(other.ends.iter().map(primitive));
            }
        }
        for corner in corners {
            let along = cross(&sector.normal, &corner);
            for along in [neg(&along), along] {
                let by = [&corner, &along];
                if !sector.side(&by).is_gt() || others.iter().any(|o| o.holds(&by)) {
                    continue;
                }
                let winding = solid_column.winding(&[corner.clone(), along]);
                learned.add_surface(surface, solid.has_inside(winding));
            }
        }
    }
}

impl Sector {
    /// Whether a direction, moved along another, is on it.
    fn holds(&self, by: &[&Int3]) -> bool {
        by.iter().all(|d| dot(&self.normal, d).is_zero()) && self.side(by).is_ge()
    }
}
