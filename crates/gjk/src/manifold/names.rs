//! What a corner of the intersection is called.
//!
//! Idea: a corner that is within rounding of a vertex or an edge is called by it, whatever exact signs say of the rounded places: so a name does not
//! change where only rounding does.

use super::answer::ContactFeature;
use super::faces::{Bearing, place_on};
use super::polygon::{from_line, side, sides};
use super::round::{Naming, SECTORS};
use super::view::{Flat, next_of};
use crate::math::planar;

/// The feature of a face that a place is on, within a band.
pub(super) fn feature(face: &Bearing, place: Flat, band: f64) -> ContactFeature {
    named(face, numbered(face, place, band))
}

/// What a feature by numbers is called.
fn named(face: &Bearing, feature: ContactFeature) -> ContactFeature {
    match (face.naming, feature) {
        (Naming::Vertices, _) => feature,
        (Naming::Nothing, _) => ContactFeature::Smooth,
        (Naming::Cap(end), ContactFeature::Vertex(k)) => {
            ContactFeature::Rim(2 * (SECTORS * end + k))
        }
        (Naming::Cap(end), ContactFeature::Edge([low, high])) => {
            // The side after the last corner has the first and the last one's numbers.
            let k = if high == low + 1 { low } else { high };
            ContactFeature::Rim(2 * (SECTORS * end + k) + 1)
        }
        (Naming::Cap(end), _) => ContactFeature::Cap(end),
        (Naming::Side, ContactFeature::Vertex(k)) => ContactFeature::Side(k),
        (Naming::Side, _) => ContactFeature::Side(2),
    }
}

fn numbered(face: &Bearing, place: Flat, band: f64) -> ContactFeature {
    if face.ids.is_empty() {
        return ContactFeature::Smooth;
    }
    if let Some(k) = nearest_corner(face, place, band) {
        return ContactFeature::Vertex(face.ids[k]);
    }
    let near_side = (0..sides(&face.flat)).find(|&k| {
        let [from, to] = side(&face.flat, k);
        let part = place_on(from, to, place);
        face.ids.len() == 2 || (part > 0.0 && part < 1.0 && from_line([from, to], place) <= band)
    });
    near_side.map_or(ContactFeature::Face, |k| edge(face, k))
}

/// The corner that a place is at: of those within a band the nearest; of a vertex that one.
fn nearest_corner(face: &Bearing, place: Flat, band: f64) -> Option<usize> {
    let mut best = (0, f64::INFINITY);
    for (k, &corner) in face.flat.iter().enumerate() {
        let step = planar::subtract(corner, place);
        let squared = planar::dot(step, step);
        if squared < best.1 {
            best = (k, squared);
        }
    }
    (face.ids.len() == 1 || best.1 <= band * band).then_some(best.0)
}

/// What a corner of a face is called.
pub(super) fn corner(face: &Bearing, k: usize) -> ContactFeature {
    let id = face.ids.get(k).copied();
    named(
        face,
        id.map_or(ContactFeature::Smooth, ContactFeature::Vertex),
    )
}

/// What the inside of a face is called.
pub(super) fn inside(face: &Bearing) -> ContactFeature {
    named(face, ContactFeature::Face)
}

/// The side after a corner.
fn edge(face: &Bearing, k: usize) -> ContactFeature {
    let (from, to) = (face.ids[k], face.ids[next_of(k, face.ids.len())]);
    ContactFeature::Edge([from.min(to), from.max(to)])
}

/// What the side after a corner is called.
pub(super) fn side_of(face: &Bearing, k: usize) -> ContactFeature {
    named(face, edge(face, k))
}

/// A crossing's feature: the side, unless the place is at a corner.
pub(super) fn crossed(face: &Bearing, k: usize, place: Flat, band: f64) -> ContactFeature {
    let feature = match nearest_corner(face, place, band) {
        Some(k) => ContactFeature::Vertex(face.ids[k]),
        None => edge(face, k),
    };
    named(face, feature)
}
