//! What proves the segments of a path, in the layout of certificates.
//!
//! Where it sits: the key `path` of a [`RobotCertificate`](crate::RobotCertificate). docs/robot-certificates.md says what each entry means.
//! Idea: the path itself, by the numbers of its points, and for each segment and pair of links a tree over time.

use super::node::{self, CertificateNode};
use super::witness::WitnessPair;
use serde::{Deserialize, Serialize};

/// A path, and what is proved of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProvedPath {
    /// The distance that links keep where nothing else is said.
    pub clearance: f64,
    /// All joints that a state sets.
    pub joints: Vec<String>,
    /// The pairs of links of which something is said.
    pub pairs: Vec<[String; 2]>,
    /// The segments, in their order.
    pub segments: Vec<ProvedSegment>,
}

/// A segment, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProvedSegment {
    /// When it begins and ends.
    pub time: [f64; 2],
    /// What joints do on it: `state`, `linear`, `cubic` or `quintic`.
    pub curve: String,
    /// Of each joint: its value where it stands still, else the values at both ends, then the velocities, then the accelerations, as many as
    /// the curve has.
    pub values: Vec<Vec<f64>>,
    /// All pairs keep this distance, but where `meeting` and `open` say otherwise.
    pub distance: f64,
    /// The first meeting; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meeting: Option<PathMeeting>,
    /// Spans in which nothing is claimed of a pair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<OpenStretch>,
    /// A tree for each pair, in their order: for each part of the first link one for each part of the second.
    pub trees: Vec<SpanTree>,
}

/// The first meeting of a segment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PathMeeting {
    /// Nothing is claimed from the first part of the segment on; at the second one a pair meets.
    pub part: [f64; 2],
    /// The pair in the state at the second one.
    pub shown: WitnessPair,
}

/// A span in which nothing is claimed of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OpenStretch {
    /// The pair, as an index into the path's.
    pub pair: usize,
    /// From one part of the segment to another.
    pub part: [f64; 2],
}

/// The tree of spans of two parts: a node, the tree of its first half, then that of its second half.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct SpanTree {
    /// A word each, separated by spaces.
    #[serde(with = "node")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub nodes: Vec<CertificateNode>,
}
