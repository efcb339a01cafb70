//! What parry calls the features of a manifold's point.
//!
//! Idea: parry takes the impulse of the old point whose two names are the same. So names must differ within a manifold, and stay from step to step.
//! A feature has one name of 30 bits, and the kind of it. Vertices, ends, and edges of vertices below 2¹⁵ have a name without loss; other edges
//! and faces are hashed. Where two points of one manifold would have the same names, the later one's are changed.

use super::parry::query::TrackedContact;
use super::parry::shape::PackedFeatureId;
use gjk::query::ContactFeature;

/// A name has so many bits.
const NAME_BITS: u32 = 30;

/// An edge has a name without loss while both of its vertices have fewer bits than this.
const HALF_BITS: u32 = NAME_BITS / 2;

/// The name of a feature; `face` is the ring of the body's supporting face.
pub(super) fn packed(feature: ContactFeature, face: &[u32]) -> PackedFeatureId {
    match feature {
        ContactFeature::Vertex(id) => PackedFeatureId::vertex(short(id)),
        ContactFeature::Edge([low, high]) => edge(if high >> HALF_BITS == 0 {
            low << HALF_BITS | high
        } else {
            hash(&[low, high])
        }),
        ContactFeature::Face => PackedFeatureId::face(hash(face)),
        ContactFeature::Cap(end) => PackedFeatureId::face(short(end)),
        // Corners of the rim are even, and what is between two is odd.
        ContactFeature::Rim(place) if place % 2 == 0 => PackedFeatureId::vertex(short(place)),
        ContactFeature::Rim(place) => edge(short(place)),
        // Sides are beyond all rims.
        ContactFeature::Side(place) => edge(1 << HALF_BITS | short(place)),
        _ => PackedFeatureId::face(0),
    }
}

/// In the plane parry has no edges: sides are its faces.
fn edge(code: u32) -> PackedFeatureId {
    PackedFeatureId(0b10 << NAME_BITS | code)
}

fn short(id: u32) -> u32 {
    id & ((1 << NAME_BITS) - 1)
}

/// FNV-1a, folded.
fn hash(numbers: &[u32]) -> u32 {
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    short(hash >> NAME_BITS ^ hash)
}

/// Changes the names of points that have those of an earlier one.
pub(super) fn make_unique<D>(points: &mut [TrackedContact<D>]) {
    for k in 1..points.len() {
        let (before, rest) = points.split_at_mut(k);
        let point = &mut rest[0];
        while before
            .iter()
            .any(|other| (other.fid1, other.fid2) == (point.fid1, point.fid2))
        {
            point.fid2.0 = point.fid2.0.wrapping_add(1);
        }
    }
}
