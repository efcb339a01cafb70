//! What proves the relations, distances and depths of meshes, for programs of others: `gjk check --certificates FILE`.
//!
//! A line of JSON for each pair of meshes. It has all that is needed to check it: the triangles where the query had them, and the certificate.
//! Numbers: floats as they are, in the digits that read back as the same double; larger integers as strings of digits.

mod depth;

use crate::check::report::RelationWord;
use depth::DepthReport;
use gjk::query::Certificate;
use gjk_check::parts::Body;
use gjk_check::{CheckResult, MeshCertificate, MeshDistance};
use gjk_mesh::certificate::{Cut, CutNode, PlainBody, Sight};
use gjk_query::certificate::{Exact, direction_in_space, weights_of};
use schemars::JsonSchema;
use serde::Serialize;

/// What proves the relation of two meshes, and their distance or depth.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Certificate")]
pub struct CertificateLine<'a> {
    /// The layout's name: `gjk-certificate/1`.
    pub schema: &'static str,
    /// The state's index.
    pub state: usize,
    /// The first body.
    pub a: &'a str,
    /// The second body.
    pub b: &'a str,
    /// The index of the mesh in the parts of each.
    pub parts: [usize; 2],
    /// True where the meshes are as they are before the pose that both have, false in the world.
    pub flush: bool,
    /// How the meshes are to each other.
    pub relation: RelationWord,
    /// The meshes.
    pub bodies: [TrianglesReport<'a>; 2],
    /// Of an overlap, or a surface that crosses: where it can be seen.
    pub sights: Vec<SightReport>,
    /// Of any other relation: which triangles are apart.
    pub cut: Option<CutReport<'a>>,
    /// The distance of the meshes in the world, where it is reported.
    pub distance: Option<DistanceReport<'a>>,
    /// How deep they overlap, where that was asked.
    pub depth: Option<DepthReport<'a>>,
}

/// A mesh.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Triangles")]
pub struct TrianglesReport<'a> {
    /// Where its vertices are.
    pub vertices: &'a [[f64; 3]],
    /// Its triangles.
    pub triangles: &'a [[u32; 3]],
    /// The piece of each triangle; null for those of shells that enclose nothing.
    pub pieces: &'a [Option<u32>],
    /// Whether pieces have an inside: what they wind around.
    pub solid: bool,
    /// Whether triangles run clockwise seen from outside.
    pub reversed: bool,
}

/// Where an overlap can be seen.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Sight")]
#[serde(untagged)]
pub enum SightReport {
    /// Beside a point that a triangle of each share.
    Triangles {
        /// Their indices.
        triangles: [u32; 2],
    },
    /// In the middle of a triangle that is off a piece of the other mesh.
    Middle {
        /// Of which mesh, 0 or 1.
        body: usize,
        /// The triangle's index.
        triangle: u32,
        /// The other mesh's piece.
        piece: u32,
    },
}

/// All pairs of triangles, told apart by axes as far as they are.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Cut")]
pub struct CutReport<'a> {
    /// Each mesh's triangles in the order of a list. The first pair of parts is both lists.
    pub order: &'a [Vec<u32>; 2],
    /// What becomes of each pair of parts, the first half of a split before the second.
    pub nodes: Vec<NodeReport>,
}

/// What becomes of a pair of parts.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Node")]
#[serde(rename_all = "snake_case")]
pub enum NodeReport {
    /// One of the two is halved: which, and before which place of its list.
    Split([u32; 2]),
    /// Along this axis all of the second is ahead of all of the first. Integers that doubles do not state are strings of digits.
    Apart(#[schemars(with = "Vec<serde_json::Value>")] Vec<Exact>),
    /// Their triangles are to be looked at.
    Near,
}

/// A distance.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Distance")]
pub struct DistanceReport<'a> {
    /// At most the truth.
    pub lower: f64,
    /// At least the truth.
    pub upper: f64,
    /// The meshes in the world; null where those of the line are.
    pub bodies: Option<[TrianglesReport<'a>; 2]>,
    /// All pairs are apart by the lower end; null where that is 0.
    pub cut: Option<CutReport<'a>>,
    /// Two triangles that are as near as the upper end.
    pub triangles: [u32; 2],
    /// Pairs of corners of them, by 0, 1 and 2.
    pub pairs: Vec<[u32; 2]>,
    /// What each pair's difference counts for in a difference as short as the upper end: a number, or `"p/q"`.
    #[schemars(with = "Vec<serde_json::Value>")]
    pub weights: Vec<Exact>,
}

impl CertificateLine<'_> {
    /// The JSON Schema of a line.
    pub fn json_schema() -> schemars::Schema {
        schemars::generate::SchemaSettings::draft2020_12()
            .for_serialize()
            .into_generator()
            .into_root_schema_for::<Self>()
    }
}

/// All lines of a run, and how many they are.
pub fn lines(bodies: &[Body], result: &CheckResult) -> Result<(String, usize), serde_json::Error> {
    let (mut text, mut count) = (String::new(), 0);
    for pair in &result.pairs {
        let name = |body: usize| bodies[body].name.as_str();
        for kept in pair.verification.iter().flat_map(|said| &said.certificates) {
            let line = CertificateLine {
                schema: "gjk-certificate/1",
                state: pair.state,
                a: name(pair.bodies.0),
                b: name(pair.bodies.1),
                parts: kept.parts.into(),
                flush: kept.flush,
                relation: kept.relation.into(),
                bodies: kept.bodies.each_ref().map(TrianglesReport::new),
                sights: kept
                    .certificate
                    .sights
                    .iter()
                    .map(SightReport::new)
                    .collect(),
                cut: kept.certificate.cut.as_ref().map(CutReport::new),
                distance: kept
                    .distance
                    .as_ref()
                    .map(|of| DistanceReport::new(of, kept)),
                depth: kept.depth.as_ref().map(|of| DepthReport::new(of, kept)),
            };
            text += &serde_json::to_string(&line)?;
            text.push('\n');
            count += 1;
        }
    }
    Ok((text, count))
}

impl<'a> TrianglesReport<'a> {
    fn new(body: &'a PlainBody) -> Self {
        Self {
            vertices: &body.vertices,
            triangles: &body.triangles,
            pieces: &body.pieces,
            solid: body.solid,
            reversed: body.reversed,
        }
    }
}

impl SightReport {
    fn new(sight: &Sight) -> Self {
        match *sight {
            Sight::Triangles(triangles) => Self::Triangles { triangles },
            Sight::Middle {
                body,
                triangle,
                piece,
            } => Self::Middle {
                body,
                triangle,
                piece,
            },
        }
    }
}

impl<'a> CutReport<'a> {
    fn new(cut: &'a Cut) -> Self {
        let node = |node: &CutNode| match node {
            CutNode::Split { body, at } => NodeReport::Split([*body as u32, *at]),
            CutNode::Apart(axis) => NodeReport::Apart(direction_in_space(axis)),
            CutNode::Near => NodeReport::Near,
        };
        Self {
            order: &cut.order,
            nodes: cut.nodes.iter().map(node).collect(),
        }
    }
}

impl<'a> DistanceReport<'a> {
    fn new(of: &'a MeshDistance, kept: &MeshCertificate) -> Self {
        let certificate = &of.certificate;
        let nearest = match &certificate.nearest.certificate {
            Some(Certificate::Separated { nearest, .. }) => nearest.as_ref(),
            Some(Certificate::Touching { nearest, .. }) => Some(nearest),
            _ => None,
        };
        Self {
            lower: of.lower,
            upper: of.upper,
            bodies: (of.bodies != kept.bodies)
                .then(|| of.bodies.each_ref().map(TrianglesReport::new)),
            cut: (of.lower > 0.0).then(|| CutReport::new(&certificate.cut)),
            triangles: certificate.triangles,
            pairs: nearest.map_or_else(Vec::new, |nearest| nearest.pairs.clone()),
            weights: nearest.map_or_else(Vec::new, weights_of),
        }
    }
}
