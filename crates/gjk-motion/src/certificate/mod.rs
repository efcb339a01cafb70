//! What proves pairs of a robot's links, for programs of others: layout `gjk-robot-certificate/1`.
//!
//! Where it sits: `certify.rs` writes one of a matrix and `certify_path.rs` one of a path; `check` reads one and shares nothing with what
//! wrote it but this layout. docs/robot-certificates.md says what each entry means.
//! Idea: the ranges, the trees of cells, and one direction a leaf; how triangles are divided is listed once a part, by their ids, so
//! that nobody has to divide them likewise.

mod node;
mod path;
mod witness;

use crate::robot_hash::robot_hash;
use gjk_scene::Scene;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use node::CertificateNode;
pub use path::{OpenStretch, PathMeeting, ProvedPath, ProvedSegment, SpanTree};
pub use witness::WitnessPair;

/// The layout's name.
pub const ROBOT_CERTIFICATE_SCHEMA: &str = "gjk-robot-certificate/1";

/// What proves that pairs of a robot's links keep apart, and what shows that others do not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RobotCertificate {
    /// The layout's name: `gjk-robot-certificate/1`.
    pub schema: String,
    /// The robot's name.
    pub robot: String,
    /// FNV-1a, 64 bits, of the robot's numbers, as 16 hexadecimal digits.
    pub robot_hash: String,
    /// How far joints go; absent where nothing is said of all joint values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<CertificateLimits>,
    /// How the surfaces of parts are divided, by triangles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub divisions: Vec<PartDivisions>,
    /// The pairs that are proved apart for all joint values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<ProvedPair>,
    /// The pairs that are proved to overlap for all joint values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlapping: Vec<OverlappingPair>,
    /// Pairs that no joint moves against each other: their distance was found in one state, which no tree here proves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rigid: Vec<RigidPair>,
    /// Pairs that overlap, or come nearer than was asked, in a state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<WitnessPair>,
    /// What is proved of a path; absent where it is about none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<ProvedPath>,
}

impl RobotCertificate {
    /// Of the robot of a scene, which says nothing yet.
    pub(crate) fn about(scene: &Scene) -> Self {
        let robot = scene.robot.as_ref();
        Self {
            schema: ROBOT_CERTIFICATE_SCHEMA.to_owned(),
            robot: robot.map_or_else(String::new, |robot| robot.name.clone()),
            robot_hash: robot_hash(scene),
            limits: None,
            divisions: Vec::new(),
            pairs: Vec::new(),
            overlapping: Vec::new(),
            rigid: Vec::new(),
            witnesses: Vec::new(),
            path: None,
        }
    }
}

/// How far joints go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CertificateLimits {
    /// Which limits of the robot's file hold: `soft`, `hard` or `none`.
    pub set: String,
    /// Ranges that replace those of the file, by joint.
    pub joints: BTreeMap<String, [f64; 2]>,
}

/// How the triangles of a part are divided. Group 0 is all of them; division `k` makes group `2k + 1` of its list and group `2k + 2` of
/// what is left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PartDivisions {
    /// The link.
    pub link: String,
    /// Which of its collision elements.
    pub part: usize,
    /// The divisions, at most one of a group.
    pub divisions: Vec<TriangleDivision>,
}

/// A group of triangles in two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TriangleDivision {
    /// The group.
    pub group: u32,
    /// The triangles of the first half.
    pub first: Vec<u32>,
}

/// A pair of links that keeps apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProvedPair {
    /// The first link.
    pub a: String,
    /// The second link.
    pub b: String,
    /// They are nowhere nearer than this.
    pub distance: f64,
    /// The joints between them that a state sets, in the order of the way from the first link to the second, with all values that count.
    pub joints: Vec<ProvedJoint>,
    /// A tree for each part of the first link and each of the second.
    pub trees: Vec<ProvedTree>,
}

/// A pair of links that overlaps for all joint values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OverlappingPair {
    /// The first link.
    pub a: String,
    /// The second link.
    pub b: String,
    /// The joints between them, as of a pair that keeps apart.
    pub joints: Vec<ProvedJoint>,
    /// A node, the tree of its first half, then that of its second half: a word each, separated by spaces.
    #[serde(with = "node")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub nodes: Vec<CertificateNode>,
}

/// A joint and the values that the trees are about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProvedJoint {
    /// Its name.
    pub name: String,
    /// From this value.
    pub lower: f64,
    /// To this one.
    pub upper: f64,
}

/// The tree of cells of two parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProvedTree {
    /// Which collision element of the first link, and which of the second.
    pub parts: [usize; 2],
    /// A node, the tree of its first half, then that of its second half: a word each, separated by spaces.
    #[serde(with = "node")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub nodes: Vec<CertificateNode>,
}

/// A pair that no joint moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RigidPair {
    /// The first link.
    pub a: String,
    /// The second link.
    pub b: String,
    /// They are no nearer than this.
    pub distance: f64,
}
