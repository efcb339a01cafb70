//! What a corner of the intersection is called.
//!
//! Idea: a corner that is within rounding of a vertex or an edge is called by it, whatever exact signs say of the rounded places: so a name does not
//! change where only rounding does.

use super::answer::ContactFeature;
use super::faces::{Bearing, place_on};
use super::polygon::{from_line, side, sides};
use super::round::{Naming, SECTORS};
use super::view::{Flat, minus, size};

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
    let distance = |k: usize| size(minus(face.flat[k], place));
    let nearest = (0..face.flat.len()).reduce(|best, k| {
        if distance(k) < distance(best) {
            k
        } else {
            best
        }
    });
    match nearest {
        Some(k) if face.ids.len() == 1 || distance(k) <= band => {
            return ContactFeature::Vertex(face.ids[k]);
        }
        _ => {}
    }
    let near_side = (0..sides(&face.flat)).find(|&k| {
        let [from, to] = side(&face.flat, k);
        let part = place_on(from, to, place);
        face.ids.len() == 2 || (part > 0.0 && part < 1.0 && from_line([from, to], place) <= band)
    });
    near_side.map_or(ContactFeature::Face, |k| edge(face, k))
}

/// The side after a corner.
fn edge(face: &Bearing, k: usize) -> ContactFeature {
    let (from, to) = (face.ids[k], face.ids[(k + 1) % face.ids.len()]);
    ContactFeature::Edge([from.min(to), from.max(to)])
}

/// A crossing's feature: the side, unless the place is at a corner.
pub(super) fn crossed(face: &Bearing, k: usize, place: Flat, band: f64) -> ContactFeature {
    let feature = match numbered(face, place, band) {
        vertex @ ContactFeature::Vertex(_) => vertex,
        _ => edge(face, k),
    };
    named(face, feature)
}
