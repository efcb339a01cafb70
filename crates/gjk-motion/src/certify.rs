//! The certificate of a matrix, from the trees that its prover kept.
//!
//! Where it sits: `gjk acm --certificate` asks [`LinkMatrix::certificate`]; `certificate/` has the layout.

use crate::certificate::{
    CertificateLimits, CertificateNode, OverlappingPair, ProvedJoint, ProvedPair, ProvedTree,
    RigidPair, RobotCertificate, WitnessPair,
};
use crate::chain::JointChain;
use crate::divided::DividedParts;
use crate::matrix::{Basis, LinkMatrix, Matrix, PairReason};
use crate::range::ProofNode;

impl LinkMatrix<'_> {
    /// What proves the pairs of its matrix, whose trees were kept (see [`RangeOptions::keep_nodes`](crate::RangeOptions::keep_nodes)).
    ///
    /// Pairs that touch, or of which samples only speak, are left out; so are those that overlap in all states where no ball inside of each
    /// shows it.
    #[must_use]
    pub fn certificate(&self, matrix: &Matrix) -> RobotCertificate {
        let robot = self.robot;
        let overrides = self.options.limits.overrides.iter();
        let mut made = RobotCertificate {
            limits: Some(CertificateLimits {
                set: self.options.limits.set.as_str().to_owned(),
                joints: overrides
                    .map(|(&joint, range)| {
                        let name = robot.joints[joint].name.clone();
                        (name, [range.lower, range.upper])
                    })
                    .collect(),
            }),
            ..RobotCertificate::about(self.scene)
        };
        let mut divided = DividedParts::new(&self.links);
        for pair in &matrix.pairs {
            self.add(pair, &mut made, &mut divided);
        }
        made.divisions = divided.listed(self.scene);
        made
    }

    fn add(&self, pair: &PairReason, made: &mut RobotCertificate, divided: &mut DividedParts<'_>) {
        let name = |body: usize| self.scene.bodies[body].name.clone();
        let (a, b) = (name(pair.bodies.0), name(pair.bodies.1));
        if pair.always_too || pair.basis == Basis::AlwaysOverlapping {
            made.overlapping.extend(self.overlapping(pair));
        }
        match &pair.basis {
            Basis::Apart { distance, .. } if pair.joints.is_empty() => {
                let distance = distance.lower;
                made.rigid.push(RigidPair { a, b, distance });
            }
            Basis::Apart { distance, .. } => {
                if let Some(joints) = self.proved_joints(pair) {
                    made.pairs.push(ProvedPair {
                        a,
                        b,
                        distance: distance.lower,
                        joints,
                        trees: self.trees(pair, divided),
                    });
                }
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

    /// The joints of a pair with all values that count.
    fn proved_joints(&self, pair: &PairReason) -> Option<Vec<ProvedJoint>> {
        let link = |body: usize| self.scene.bodies[body].link.unwrap_or(0);
        let links = [link(pair.bodies.0), link(pair.bodies.1)];
        let chain = JointChain::new(self.robot, links, &self.options.limits).ok()?;
        let joints = chain.variables.iter().map(|variable| ProvedJoint {
            name: self.robot.joints[variable.joint].name.clone(),
            lower: variable.range.lower,
            upper: variable.range.upper,
        });
        Some(joints.collect())
    }

    /// A pair that overlaps in all states, where a tree says so.
    fn overlapping(&self, pair: &PairReason) -> Option<OverlappingPair> {
        if pair.nodes.is_empty() {
            return None;
        }
        let nodes = pair.nodes.iter().map(|node| match *node {
            ProofNode::Range {
                variable,
                low_first,
            } => Some(CertificateNode::Range {
                joint: variable,
                low_first,
            }),
            ProofNode::Overlap { parts, at } => Some(CertificateNode::Overlap { parts, at }),
            _ => None,
        });
        let name = |body: usize| self.scene.bodies[body].name.clone();
        Some(OverlappingPair {
            a: name(pair.bodies.0),
            b: name(pair.bodies.1),
            joints: self.proved_joints(pair)?,
            nodes: nodes.collect::<Option<_>>()?,
        })
    }

    /// The trees of a pair, with the divisions that they use.
    fn trees(&self, pair: &PairReason, divided: &mut DividedParts<'_>) -> Vec<ProvedTree> {
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
                    low_first,
                } => {
                    open.extend([groups; 2]);
                    CertificateNode::Range {
                        joint: variable,
                        low_first,
                    }
                }
                ProofNode::Triangles { side } => {
                    let body = [pair.bodies.0, pair.bodies.1][side];
                    let part = tree.parts[side];
                    for group in divided.halves(body, part, groups[side]) {
                        let mut groups = groups;
                        groups[side] = group;
                        open.push(groups);
                    }
                    CertificateNode::Triangles { link: side }
                }
                ProofNode::Overlap { .. } | ProofNode::Parts { .. } => break,
            });
        }
        trees
    }
}
