//! What proves the pairs of a matrix, for programs of others: layout `gjk-acm-certificate/1`.
//!
//! Where it sits: [`LinkMatrix::certificate`] writes one from a matrix whose trees were kept; `check` reads one and shares nothing with
//! what wrote it but this layout. docs/acm-certificates.md says what each entry means.
//! Idea: the ranges, the trees of cells, and one direction a leaf; how triangles are divided is listed once a part, by their ids, so
//! that nobody has to divide them likewise.

use crate::chain::JointChain;
use crate::matrix::{Basis, LinkMatrix, Matrix, PairReason};
use crate::piece::LinkPiece;
use crate::range::ProofNode;
use gjk_scene::{Geometry, JointKind, Scene, ShapeSpec};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The layout's name.
pub const ACM_CERTIFICATE_SCHEMA: &str = "gjk-acm-certificate/1";

/// What proves that pairs of a robot's links keep apart, and what shows that others do not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AcmCertificate {
    /// The layout's name: `gjk-acm-certificate/1`.
    pub schema: String,
    /// The robot's name.
    pub robot: String,
    /// FNV-1a, 64 bits, of the robot's numbers, as 16 hexadecimal digits.
    pub robot_hash: String,
    /// How far joints go.
    pub limits: CertificateLimits,
    /// How the surfaces of parts are divided, by triangles.
    pub divisions: Vec<PartDivisions>,
    /// The pairs that are proved apart for all joint values.
    pub pairs: Vec<ProvedPair>,
    /// Pairs that no joint moves against each other: their distance was found in one state, which no tree here proves.
    pub rigid: Vec<RigidPair>,
    /// Pairs that overlap, or come nearer than was asked, in a state.
    pub witnesses: Vec<WitnessPair>,
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
    /// A node, the tree of its first half, then that of its second half.
    pub nodes: Vec<CertificateNode>,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum CertificateNode {
    /// Along this direction the two pieces are apart by the distance in the whole cell.
    Apart {
        /// The direction is given in the frame that stands behind so many moving joints of the way.
        cut: usize,
        /// From the first link to the second, of any length.
        along: [f64; 3],
    },
    /// The range of a joint in two.
    Range {
        /// The joint, as an index into the pair's joints.
        joint: usize,
        /// Where.
        at: f64,
        /// Whether the lower half comes first.
        low_first: bool,
    },
    /// The triangles of one link's piece in two, as its part's divisions say; the first half comes first.
    Triangles {
        /// Which link: 0 or 1.
        link: usize,
    },
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

/// A pair that is shown by a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WitnessPair {
    /// The first link.
    pub a: String,
    /// The second link.
    pub b: String,
    /// Whether they overlap there; else they are nearer than was asked.
    pub overlaps: bool,
    /// Their signed distance is at most this.
    pub distance: f64,
    /// The state, by the joints that it sets.
    pub state: BTreeMap<String, f64>,
}

impl LinkMatrix<'_> {
    /// What proves the pairs of its matrix, whose trees were kept (see [`RangeOptions::keep_nodes`](crate::RangeOptions::keep_nodes)).
    ///
    /// Pairs that overlap in all states, that touch, or of which samples only speak, are left out.
    #[must_use]
    pub fn certificate(&self, matrix: &Matrix) -> AcmCertificate {
        let robot = self.robot;
        let overrides = self.options.limits.overrides.iter();
        let mut made = AcmCertificate {
            schema: ACM_CERTIFICATE_SCHEMA.to_owned(),
            robot: robot.name.clone(),
            robot_hash: robot_hash(self.scene),
            limits: CertificateLimits {
                set: self.options.limits.set.as_str().to_owned(),
                joints: overrides
                    .map(|(&joint, range)| {
                        let name = robot.joints[joint].name.clone();
                        (name, [range.lower, range.upper])
                    })
                    .collect(),
            },
            divisions: Vec::new(),
            pairs: Vec::new(),
            rigid: Vec::new(),
            witnesses: Vec::new(),
        };
        let mut divided: BTreeMap<(usize, usize), DividedPart<'_>> = BTreeMap::new();
        for pair in &matrix.pairs {
            self.add(pair, &mut made, &mut divided);
        }
        made.divisions = divided
            .into_iter()
            .filter(|(_, part)| !part.divisions.is_empty())
            .map(|((body, part), found)| PartDivisions {
                link: self.scene.bodies[body].name.clone(),
                part,
                divisions: found.divisions,
            })
            .collect();
        made
    }

    fn add<'s>(
        &'s self,
        pair: &PairReason,
        made: &mut AcmCertificate,
        divided: &mut BTreeMap<(usize, usize), DividedPart<'s>>,
    ) {
        let name = |body: usize| self.scene.bodies[body].name.clone();
        let (a, b) = (name(pair.bodies.0), name(pair.bodies.1));
        match &pair.basis {
            Basis::Apart { distance, .. } if pair.joints.is_empty() => {
                let distance = distance.lower;
                made.rigid.push(RigidPair { a, b, distance });
            }
            Basis::Apart { distance, .. } => {
                let link = |body: usize| self.scene.bodies[body].link.unwrap_or(0);
                let links = [link(pair.bodies.0), link(pair.bodies.1)];
                let Ok(chain) = JointChain::new(self.robot, links, &self.options.limits) else {
                    return;
                };
                let joints = chain.variables.iter().map(|variable| ProvedJoint {
                    name: self.robot.joints[variable.joint].name.clone(),
                    lower: variable.range.lower,
                    upper: variable.range.upper,
                });
                made.pairs.push(ProvedPair {
                    a,
                    b,
                    distance: distance.lower,
                    joints: joints.collect(),
                    trees: self.trees(pair, divided),
                });
            }
            Basis::Witness {
                state,
                distance,
                overlaps,
            } => {
                let joints = self.robot.joints.iter().zip(state);
                made.witnesses.push(WitnessPair {
                    a,
                    b,
                    overlaps: *overlaps,
                    distance: distance.upper,
                    state: joints
                        .filter(|(joint, _)| joint.is_independent())
                        .map(|(joint, &value)| (joint.name.clone(), value))
                        .collect(),
                });
            }
            _ => {}
        }
    }

    /// The trees of a pair, with the divisions that they use.
    fn trees<'s>(
        &'s self,
        pair: &PairReason,
        divided: &mut BTreeMap<(usize, usize), DividedPart<'s>>,
    ) -> Vec<ProvedTree> {
        let mut trees: Vec<ProvedTree> = Vec::new();
        // The groups of both links, of the cells that are open.
        let mut open: Vec<[usize; 2]> = Vec::new();
        for node in &pair.nodes {
            if let ProofNode::Parts { parts } = node {
                trees.push(ProvedTree {
                    parts: *parts,
                    nodes: Vec::new(),
                });
                open.push([0; 2]);
                continue;
            }
            let (Some(tree), Some(groups)) = (trees.last_mut(), open.pop()) else {
                break;
            };
            tree.nodes.push(match *node {
                ProofNode::Apart { cut, direction } => CertificateNode::Apart {
                    cut,
                    along: direction,
                },
                ProofNode::Range {
                    variable,
                    at,
                    low_first,
                } => {
                    open.extend([groups; 2]);
                    CertificateNode::Range {
                        joint: variable,
                        at,
                        low_first,
                    }
                }
                ProofNode::Triangles { side } => {
                    let body = [pair.bodies.0, pair.bodies.1][side];
                    let part = tree.parts[side];
                    let whole = &self.links[body].pieces[part];
                    let known = divided
                        .entry((body, part))
                        .or_insert_with(|| DividedPart::new(whole));
                    let first = known.divide(groups[side]);
                    // The last one is looked at next.
                    for group in [first + 1, first] {
                        let mut groups = groups;
                        groups[side] = group;
                        open.push(groups);
                    }
                    CertificateNode::Triangles { link: side }
                }
                ProofNode::Parts { .. } => break,
            });
        }
        trees
    }
}

/// The groups of a part that were asked for.
struct DividedPart<'p> {
    divisions: Vec<TriangleDivision>,
    pieces: Vec<Option<&'p LinkPiece>>,
    /// The first half of each group.
    halves: Vec<Option<usize>>,
}

impl<'p> DividedPart<'p> {
    fn new(whole: &'p LinkPiece) -> Self {
        Self {
            divisions: Vec::new(),
            pieces: vec![Some(whole)],
            halves: vec![None],
        }
    }

    /// The first half of a group; the other one is behind it.
    fn divide(&mut self, group: usize) -> usize {
        if let Some(first) = self.halves[group] {
            return first;
        }
        let first = self.pieces.len();
        // The prover looks at the second half first.
        let halves = self.pieces[group].and_then(LinkPiece::halves);
        let ids = halves.map_or(&[][..], |[_, upper]| upper.triangle_ids());
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        self.divisions.push(TriangleDivision {
            group: group as u32,
            first: ids,
        });
        self.pieces.push(halves.map(|[_, upper]| upper));
        self.pieces.push(halves.map(|[lower, _]| lower));
        self.halves[group] = Some(first);
        self.halves.extend([None, None]);
        first
    }
}

/// FNV-1a of the robot's numbers: joints, and the geometry of the links. Not of names nor of how the file is written.
#[must_use]
pub fn robot_hash(scene: &Scene) -> String {
    let mut hash = NumberHash(0xcbf2_9ce4_8422_2325);
    let joints = scene.robot.iter().flat_map(|robot| &robot.joints);
    for joint in joints {
        hash.count(match joint.kind {
            JointKind::Revolute => 0,
            JointKind::Continuous => 1,
            JointKind::Prismatic => 2,
            JointKind::Fixed => 3,
            JointKind::Floating => 4,
            JointKind::Planar => 5,
        });
        hash.count(joint.parent);
        hash.count(joint.child);
        hash.numbers(joint.origin.linear.as_flattened());
        hash.numbers(&joint.origin.translation);
        hash.numbers(&joint.axis);
        for limits in [joint.limits, joint.soft_limits] {
            hash.count(usize::from(limits.is_some()));
            limits
                .iter()
                .for_each(|l| hash.numbers(&[l.lower, l.upper]));
        }
        hash.count(joint.mimic.map_or(0, |mimic| mimic.joint + 1));
        let mimics = joint.mimic.iter();
        mimics.for_each(|mimic| hash.numbers(&[mimic.multiplier, mimic.offset]));
    }
    for body in &scene.bodies {
        hash.count(body.link.map_or(0, |link| link + 1));
        hash.count(body.parts.len());
        for part in &body.parts {
            hash.numbers(part.pose.linear.as_flattened());
            hash.numbers(&part.pose.translation);
            match &part.geometry {
                Geometry::Shape(shape) => hash.shape(shape),
                Geometry::Mesh { mesh, scale } => {
                    hash.numbers(scale);
                    hash.numbers(mesh.vertices.as_flattened());
                    for face in &mesh.faces {
                        hash.count(face.len());
                        face.iter().for_each(|&vertex| hash.count(vertex as usize));
                    }
                }
            }
        }
    }
    format!("{:016x}", hash.0)
}

struct NumberHash(u64);

impl NumberHash {
    fn bytes(&mut self, bytes: [u8; 8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn count(&mut self, count: usize) {
        self.bytes((count as u64).to_le_bytes());
    }

    fn numbers(&mut self, numbers: &[f64]) {
        for &x in numbers {
            // Zero has one hash, whatever its sign.
            self.bytes((x + 0.0).to_bits().to_le_bytes());
        }
    }

    fn shape(&mut self, shape: &ShapeSpec) {
        match shape {
            ShapeSpec::Ball { radius } => {
                self.count(1);
                self.numbers(&[*radius]);
            }
            ShapeSpec::Box { half_extents } => {
                self.count(2);
                self.numbers(half_extents);
            }
            ShapeSpec::Capsule {
                half_height,
                radius,
                axis,
            } => self.round(3, *half_height, *radius, *axis as usize),
            ShapeSpec::Cylinder {
                half_height,
                radius,
                axis,
            } => self.round(4, *half_height, *radius, *axis as usize),
            ShapeSpec::Cone {
                half_height,
                radius,
                axis,
            } => self.round(5, *half_height, *radius, *axis as usize),
            // No robot's file has another one: its numbers as they are written.
            other => {
                self.count(6);
                let text = format!("{other:?}");
                text.bytes().for_each(|byte| self.count(usize::from(byte)));
            }
        }
    }

    fn round(&mut self, kind: usize, half_height: f64, radius: f64, axis: usize) {
        self.count(kind);
        self.numbers(&[half_height, radius]);
        self.count(axis);
    }
}
