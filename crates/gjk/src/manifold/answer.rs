//! What a manifold says.

use super::inline::{FaceRing, ManifoldPoints};
use crate::answer::Contact;
use crate::math::{Interval, Vector};

/// What of a body takes part in a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ContactFeature {
    /// A vertex.
    Vertex(u32),
    /// An edge by its two vertices, the lower first.
    Edge([u32; 2]),
    /// The body's supporting face: [`Manifold::face_a`] or [`Manifold::face_b`].
    Face,
    /// A cylinder's or cone's cap: 0 is the one at the negative end of its axis.
    Cap(u32),
    /// A place on a cap's rim: 32 for each end, and twice the sector, counted from the deepest direction; odd between two sectors.
    Rim(u32),
    /// A cylinder's or cone's side line: its two ends, 0 and 1, and 2 between them.
    Side(u32),
    /// A place of a surface that has no numbered vertices.
    Smooth,
}

/// What bears on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ManifoldKind {
    /// Two faces; the points are the corners of a polygon.
    FaceFace,
    /// A face and an edge: up to two points.
    FaceEdge,
    /// Two edges: one point, or two where they are parallel. In the plane this is the usual one.
    EdgeEdge,
    /// One point: a vertex, or the nearest points of the bodies.
    Point,
}

impl ManifoldKind {
    /// The name in the motion format.
    pub fn name(self) -> &'static str {
        match self {
            ManifoldKind::FaceFace => "face_face",
            ManifoldKind::FaceEdge => "face_edge",
            ManifoldKind::EdgeEdge => "edge_edge",
            ManifoldKind::Point => "point",
        }
    }
}

/// A point of a manifold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint<V: Vector> {
    /// On A, world frame.
    pub point_a: V,
    /// On B: `point_a` and the separation along the normal.
    pub point_b: V,
    /// How far the bodies' supporting faces are apart there, along the normal; negative in overlap.
    pub separation: Interval<V::Scalar>,
    /// What of A meets.
    pub feature_a: ContactFeature,
    /// What of B meets.
    pub feature_b: ContactFeature,
    /// A hash of both features, for caches: see [`Manifold::exchanged_id`] for the one that the exchanged bodies have.
    pub id: u64,
}

/// The answer of [`crate::query::manifold`].
#[derive(Clone, Debug, PartialEq)]
pub struct Manifold<V: Vector> {
    /// What [`crate::query::contact`] says of the pair; its normal is that of every point.
    pub contact: Contact<V>,
    /// What bears on what; [`ManifoldKind::Point`] where there are no points.
    pub kind: ManifoldKind,
    /// In space counter-clockwise seen against the normal, from the deepest on; in the plane along the normal's left.
    pub points: ManifoldPoints<V>,
    /// The vertices of A's supporting face, counter-clockwise seen from outside, the lowest first; of an edge or a vertex those. Empty where A is
    /// smooth or round.
    pub face_a: FaceRing,
    /// Likewise of B.
    pub face_b: FaceRing,
    /// The area of the polygon of all points within the prediction, before it was reduced; zero in the plane.
    pub area: V::Scalar,
    /// No point was left out to keep to the number wanted.
    pub complete: bool,
}

impl<V: Vector> Manifold<V> {
    /// The id that a point has when the bodies are exchanged.
    pub fn exchanged_id(&self, point: &ManifoldPoint<V>) -> u64 {
        feature_id(
            [point.feature_b, point.feature_a],
            [&self.face_b, &self.face_a],
        )
    }
}

/// The hash of nothing by FNV-1a.
const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// The prime of FNV-1a.
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// Its power by which four bytes are taken in of which three are zero.
const FNV_PRIME_4: u64 = FNV_PRIME
    .wrapping_mul(FNV_PRIME)
    .wrapping_mul(FNV_PRIME)
    .wrapping_mul(FNV_PRIME);

/// The hash of two features that is a point's [`ManifoldPoint::id`]: FNV-1a over their kinds and numbers, and the rings of faces.
#[inline]
pub fn feature_id([a, b]: [ContactFeature; 2], [face_a, face_b]: [&[u32]; 2]) -> u64 {
    with_feature(with_feature(FNV_BASIS, a, face_a), b, face_b)
}

/// The same of a vertex and an edge, of which either is the first: without a branch, for which one it is is as good as random.
#[inline(always)]
pub(super) fn vertex_and_edge_id(vertex_is_first: bool, vertex: u32, [low, high]: [u32; 2]) -> u64 {
    let [first, second, third, fourth, last] = if vertex_is_first {
        [0, vertex, 1, low, high]
    } else {
        [1, low, high, 0, vertex]
    };
    let hash = taken_in(taken_in(FNV_BASIS, first), second);
    taken_in(taken_in(taken_in(hash, third), fourth), last)
}

/// A hash after a feature.
#[inline(always)]
fn with_feature(hash: u64, feature: ContactFeature, face: &[u32]) -> u64 {
    match feature {
        ContactFeature::Vertex(id) => taken_in(taken_in(hash, 0), id),
        ContactFeature::Edge([low, high]) => taken_in(taken_in(taken_in(hash, 1), low), high),
        ContactFeature::Face => {
            let mut hash = taken_in(taken_in(hash, 2), face.len() as u32);
            for &id in face {
                hash = taken_in(hash, id);
            }
            hash
        }
        ContactFeature::Smooth => taken_in(hash, 3),
        ContactFeature::Cap(end) => taken_in(taken_in(hash, 4), end),
        ContactFeature::Rim(place) => taken_in(taken_in(hash, 5), place),
        ContactFeature::Side(place) => taken_in(taken_in(hash, 6), place),
    }
}

/// A hash after the four bytes of a number.
#[inline(always)]
fn taken_in(hash: u64, number: u32) -> u64 {
    if number < 256 {
        return (hash ^ u64::from(number)).wrapping_mul(FNV_PRIME_4);
    }
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
    number.to_le_bytes().into_iter().fold(hash, step)
}
