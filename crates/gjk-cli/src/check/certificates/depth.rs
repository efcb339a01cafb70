//! What proves the numbers of an overlap.

use super::{CutReport, TrianglesReport};
use gjk_check::MeshCertificate;
use gjk_mesh::certificate::{
    BallCertificate, CertifiedDepth, CoverCertificate, CoverNode, ProtrusionCertificate,
};
use gjk_mesh::{Escape, InnerBall};
use schemars::JsonSchema;
use serde::Serialize;

/// How deep two meshes overlap.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Depth")]
pub struct DepthReport<'a> {
    /// True where it was measured before the pose that both meshes have: lengths are to be taken times its scale.
    pub flush: bool,
    /// The meshes there; null where those of the line are.
    pub bodies: Option<[TrianglesReport<'a>; 2]>,
    /// A ball inside of both: no translation that is shorter than its diameter separates them.
    pub ball: Option<BallReport<'a>>,
    /// A translation that separates them.
    pub escape: Option<EscapeReport<'a>>,
    /// How far the surface of each reaches into the other; null beside a surface.
    pub protrusion: [Option<ReachReport<'a>>; 2],
}

/// A ball inside of a piece of each of some meshes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Ball")]
pub struct BallReport<'a> {
    /// Its center.
    pub center: [f64; 3],
    /// Its radius.
    pub radius: f64,
    /// That it is inside, of each mesh that it is said to be inside of.
    pub inside: Vec<InsideReport<'a>>,
}

/// What proves that a ball is inside of a piece.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Inside")]
pub struct InsideReport<'a> {
    /// The piece, which winds around the center.
    pub piece: u32,
    /// The first list is one triangle, with all corners at the center; the second has the triangles of the piece, numbered in their order. All
    /// pairs are apart by the radius.
    pub cut: CutReport<'a>,
}

/// A translation.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Escape")]
pub struct EscapeReport<'a> {
    /// What is added to the vertices of the first mesh, without a rounding.
    pub by: [f64; 3],
    /// Its length, at least.
    pub length: f64,
    /// As of a relation: the meshes are separated or touch then.
    pub cut: CutReport<'a>,
}

/// How far a surface reaches into a mesh.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Reach")]
pub struct ReachReport<'a> {
    /// At most the truth.
    pub lower: f64,
    /// At least the truth.
    pub upper: f64,
    /// What proves the lower end; null where that is 0.
    pub point: Option<PointReport<'a>>,
    /// What proves the upper end; null where it is not proved, or by `escape`, which is no longer.
    pub cover: Option<CoverReport<'a>>,
}

/// What proves that no point of a surface is deeper in the other mesh, a solid of one piece.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Cover")]
pub struct CoverReport<'a> {
    /// What becomes of each triangle of the surface's pieces, in their order, and of each part of it, the first half of a split before the second.
    pub nodes: Vec<CoverPart>,
    /// The first list has the parts that are outside, in the order of the nodes, the second the triangles of the other mesh.
    pub cut: CutReport<'a>,
}

/// What becomes of a part of a triangle.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Part")]
#[serde(rename_all = "snake_case")]
pub enum CoverPart {
    /// It is cut at a point of an edge: the edge from which corner to the next, and how much of it is before the point. The first half has the
    /// edge's first end, the point and the third corner; the second the point, the other end and the third corner.
    Split(u32, f64),
    /// Its corners are as near to this triangle of the other mesh as the upper end.
    Near(u32),
    /// It meets no triangle of the other mesh, and is outside.
    Outside,
}

/// A point of a surface that is deep in the other mesh.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Point")]
pub struct PointReport<'a> {
    /// A triangle of the surface.
    pub triangle: u32,
    /// What each of its corners counts for in the point, over the sum of the three.
    pub weights: [f64; 3],
    /// A ball in the other mesh, whose center is no farther from the point than its radius is larger than `lower`.
    pub ball: BallReport<'a>,
}

impl<'a> DepthReport<'a> {
    pub(super) fn new(of: &'a CertifiedDepth, kept: &MeshCertificate) -> Self {
        let (depth, certificate) = (&of.measured, &of.certificate);
        let bodies =
            (of.bodies != kept.bodies).then(|| of.bodies.each_ref().map(TrianglesReport::new));
        let ball = depth.ball.as_ref().zip(certificate.ball.as_ref());
        let escape = depth.escape.as_ref().zip(certificate.escape.as_ref());
        Self {
            flush: of.flush,
            bodies,
            ball: ball.map(|(ball, inside)| BallReport::new(ball, inside)),
            escape: escape.map(|(&Escape { by, length }, cut)| EscapeReport {
                by,
                length,
                cut: CutReport::new(cut),
            }),
            protrusion: [0, 1].map(|k: usize| {
                let reach = depth.protrusion[k]?;
                Some(ReachReport {
                    lower: reach.lower,
                    upper: reach.upper,
                    point: certificate.protrusion[k].as_ref().map(PointReport::new),
                    cover: certificate.cover[k].as_ref().map(CoverReport::new),
                })
            }),
        }
    }
}

impl<'a> BallReport<'a> {
    fn new(ball: &InnerBall, inside: &'a [BallCertificate]) -> Self {
        let inside = inside.iter().map(|of| InsideReport {
            piece: of.piece,
            cut: CutReport::new(&of.cut),
        });
        Self {
            center: ball.center,
            radius: ball.radius,
            inside: inside.collect(),
        }
    }
}

impl<'a> CoverReport<'a> {
    fn new(of: &'a CoverCertificate) -> Self {
        let part = |node: &CoverNode| match *node {
            CoverNode::Split { edge, part } => CoverPart::Split(edge as u32, part),
            CoverNode::Near(triangle) => CoverPart::Near(triangle),
            CoverNode::Outside => CoverPart::Outside,
        };
        Self {
            nodes: of.nodes.iter().map(part).collect(),
            cut: CutReport::new(&of.cut),
        }
    }
}

impl<'a> PointReport<'a> {
    fn new(of: &'a ProtrusionCertificate) -> Self {
        Self {
            triangle: of.triangle,
            weights: of.weights,
            ball: BallReport::new(&of.ball, core::slice::from_ref(&of.inside)),
        }
    }
}
