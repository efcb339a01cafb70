//! The checker of certificates: it proves again, by its own arithmetic, all that a certificate claims.
//!
//! Where it sits: beside the prover, of which it uses nothing: only the certificate's layout and the readers of files. Read
//! [`check_certificate`], then `tree.rs` and `bound.rs`.
//! Idea: the ranges must be those of the robot, the cells of a tree all joint values, and in each leaf the two pieces apart along the one
//! direction that it states. docs/robot-certificates.md says why that is a proof.
//! Numbers: all ends are rounded outward (`enclosed.rs`), and nothing is taken from the certificate but what is looked at.

mod asked;
mod bound;
mod enclosed;
mod groups;
mod library;
mod pair;
mod path;
mod polynomial;
mod solid;
mod span;
#[cfg(test)]
mod tests;
mod tree;
mod walk;
mod winding;

use crate::certificate::{ProvedPair, ROBOT_CERTIFICATE_SCHEMA, RobotCertificate};
use crate::robot_hash::robot_hash;
pub use asked::check_path_certificate;
use gjk_check::parts::Body;
use gjk_mesh::{MeshBody, MeshKind};
use gjk_scene::{Robot, Scene};
use groups::TriangleGroups;
use library::StateLibrary;
use pair::{CheckedPart, LinkPair, TreeCounts, TreeFault};
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use solid::PartSolid;
use std::f64::consts::TAU;
use tree::PairChecker;
use walk::{LinkWalk, WalkStep, range_of};

/// A range that turns a joint once around is at most this much longer than a turn.
/// Test: `a_turn_that_is_too_short_or_too_long_is_rejected`.
const TURN_EXCESS_MAX: f64 = 1e-12;

/// What a certificate was found to prove.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CertificateChecked {
    /// Pairs that keep apart, proved here.
    pub pairs: usize,
    /// Trees.
    pub trees: usize,
    /// Their nodes.
    pub nodes: u64,
    /// Those that close a cell.
    pub leaves: u64,
    /// How often a leaf was halved because its direction did not hold in one go.
    pub halved: u64,
    /// Pairs that a state shows to overlap or to be near, decided by the library in that state.
    pub witnesses: usize,
    /// Pairs that no joint moves, decided by the library in one state.
    pub rigid: usize,
    /// Pairs of a path.
    pub path_pairs: usize,
    /// Segments of a path.
    pub segments: usize,
    /// Those of which all pairs keep the clearance at all times, proved here.
    pub free: usize,
    /// Those that are proved up to a meeting, which the library decided in its state.
    pub meetings: usize,
    /// Those with spans of which nothing is claimed.
    pub open: usize,
}

impl CertificateChecked {
    fn count(&mut self, counts: TreeCounts) {
        self.nodes += counts.nodes;
        self.leaves += counts.leaves;
        self.halved += counts.halved;
    }
}

/// What is wrong with a certificate: the first fault in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateObjection {
    /// The segment of the path, where it is about one.
    pub segment: Option<usize>,
    /// The links, where it is about a pair.
    pub pair: Option<(String, String)>,
    /// The tree, as an index into the pair's.
    pub tree: Option<usize>,
    /// The node, as an index into the tree's.
    pub node: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl CertificateObjection {
    fn new(reason: impl Into<String>) -> Self {
        Self {
            segment: None,
            pair: None,
            tree: None,
            node: None,
            reason: reason.into(),
        }
    }

    fn of_segment(segment: usize, reason: impl Into<String>) -> Self {
        Self {
            segment: Some(segment),
            ..Self::new(reason)
        }
    }

    fn of_pair(a: &str, b: &str, fault: TreeFault) -> Self {
        Self {
            segment: None,
            pair: Some((a.to_owned(), b.to_owned())),
            tree: fault.tree,
            node: fault.node,
            reason: fault.reason,
        }
    }
}

impl core::fmt::Display for CertificateObjection {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if let Some(segment) = self.segment {
            write!(f, "segment {segment}: ")?;
        }
        if let Some((a, b)) = &self.pair {
            write!(f, "`{a}` and `{b}`: ")?;
        }
        if let Some(tree) = self.tree {
            write!(f, "tree {tree}: ")?;
        }
        if let Some(node) = self.node {
            write!(f, "node {node}: ")?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for CertificateObjection {}

/// Why no certificate of a scene's links could be checked: the first part that the checker does not know, with its body.
#[must_use]
pub fn certificate_refusal(scene: &Scene) -> Option<String> {
    let mut parts = scene.bodies.iter().flat_map(|body| {
        let parts = body.parts.iter();
        parts.map(move |part| (body, part))
    });
    parts.find_map(|(body, part)| {
        let what = PartSolid::new(part).err()?;
        Some(format!("`{}` has {what}", body.name))
    })
}

/// Checks a certificate against the robot of a scene, whose bodies these are.
///
/// # Errors  the first thing that is wrong with it.
pub fn check_certificate(
    scene: &Scene,
    bodies: &[Body],
    certificate: &RobotCertificate,
) -> Result<CertificateChecked, CertificateObjection> {
    let robot = head_of(scene, certificate)?;
    let parts = parts_of(scene, certificate)?;
    let check = |pair: &ProvedPair| {
        pair_of(scene, robot, &parts, certificate, pair)
            .map_err(|fault| CertificateObjection::of_pair(&pair.a, &pair.b, fault))
    };
    #[cfg(feature = "parallel")]
    let found: Vec<_> = certificate.pairs.par_iter().map(check).collect();
    #[cfg(not(feature = "parallel"))]
    let found: Vec<_> = certificate.pairs.iter().map(check).collect();
    let mut checked = CertificateChecked {
        pairs: certificate.pairs.len(),
        trees: certificate.pairs.iter().map(|pair| pair.trees.len()).sum(),
        witnesses: certificate.witnesses.len(),
        rigid: certificate.rigid.len(),
        ..CertificateChecked::default()
    };
    for counts in found {
        checked.count(counts?);
    }
    let library = StateLibrary::new(scene, robot, bodies);
    library.rigid(certificate)?;
    library.witnesses(certificate)?;
    if let Some(path) = &certificate.path {
        path::check_path(path, (scene, robot), &parts, &library, &mut checked)?;
    }
    Ok(checked)
}

/// The layout, the robot and the limits; the robot.
fn head_of<'s>(
    scene: &'s Scene,
    certificate: &RobotCertificate,
) -> Result<&'s Robot, CertificateObjection> {
    let Some(robot) = &scene.robot else {
        return Err(CertificateObjection::new("the scene is no robot"));
    };
    let fault = |reason: String| Err(CertificateObjection::new(reason));
    if certificate.schema != ROBOT_CERTIFICATE_SCHEMA {
        let found = &certificate.schema;
        return fault(format!(
            "the layout is `{found}`, not `{ROBOT_CERTIFICATE_SCHEMA}`"
        ));
    }
    let hash = robot_hash(scene);
    if certificate.robot_hash != hash {
        let (of, found) = (&certificate.robot, &certificate.robot_hash);
        return fault(format!(
            "it is about a robot `{of}` with other numbers: its hash is {found}, this robot's {hash}"
        ));
    }
    let Some(limits) = &certificate.limits else {
        let is_said = !certificate.pairs.is_empty() || !certificate.witnesses.is_empty();
        let what = "it says something of all joint values, and has no `limits`";
        return if is_said {
            fault(what.to_owned())
        } else {
            Ok(robot)
        };
    };
    if !matches!(limits.set.as_str(), "soft" | "hard" | "none") {
        let set = &limits.set;
        return fault(format!("`{set}` is no set of limits"));
    }
    for (name, [lower, upper]) in &limits.joints {
        if robot.joint_index(name).is_none() {
            return fault(format!(
                "the robot has no joint `{name}`, which has a range"
            ));
        }
        if !(lower <= upper && lower.is_finite() && upper.is_finite()) {
            return fault(format!("joint `{name}`: {lower} to {upper} is no range"));
        }
    }
    Ok(robot)
}

/// The parts of each body, and how the certificate divides them.
fn parts_of(
    scene: &Scene,
    certificate: &RobotCertificate,
) -> Result<Vec<Vec<CheckedPart>>, CertificateObjection> {
    let fault = |reason: String| CertificateObjection::new(reason);
    let mut all = Vec::with_capacity(scene.bodies.len());
    for body in &scene.bodies {
        let part = |part: &gjk_scene::Part| {
            let solid = PartSolid::new(part).map_err(|what| {
                CertificateObjection::new(format!("link `{}`: {what}", body.name))
            })?;
            Ok(CheckedPart {
                solid,
                groups: TriangleGroups::default(),
                is_solid: false,
            })
        };
        let parts: Result<Vec<_>, CertificateObjection> = body.parts.iter().map(part).collect();
        all.push(parts?);
    }
    for divisions in &certificate.divisions {
        let (link, index) = (&divisions.link, divisions.part);
        let body = body_of(scene, link).map_err(fault)?;
        let Some(part) = all[body].get_mut(index) else {
            return Err(fault(format!("link `{link}` has no part {index}")));
        };
        let Some(surface) = part.solid.surface() else {
            let what = "has no triangles to divide";
            return Err(fault(format!("link `{link}`: part {index} {what}")));
        };
        let kind = MeshBody::new(surface.clone());
        part.is_solid = matches!(kind.kind(), MeshKind::Solid { .. });
        part.groups = TriangleGroups::new(surface.triangles().len(), divisions).map_err(fault)?;
    }
    Ok(all)
}

/// The body that is a link with geometry.
fn body_of(scene: &Scene, link: &str) -> Result<usize, String> {
    let mut bodies = scene.bodies.iter();
    let found = bodies.position(|body| body.link.is_some() && body.name == link);
    found.ok_or_else(|| format!("the robot has no link `{link}` with geometry"))
}

/// One pair.
fn pair_of(
    scene: &Scene,
    robot: &Robot,
    parts: &[Vec<CheckedPart>],
    certificate: &RobotCertificate,
    pair: &ProvedPair,
) -> Result<TreeCounts, TreeFault> {
    let (a, b) = (body_of(scene, &pair.a)?, body_of(scene, &pair.b)?);
    if a == b {
        return Err("it is one link".to_owned().into());
    }
    if !(pair.distance >= 0.0 && pair.distance.is_finite()) {
        return Err(format!("{} is no distance", pair.distance).into());
    }
    let link = |body: usize| scene.bodies[body].link.unwrap_or(0);
    let walk = LinkWalk::new(robot, link(a), link(b))?;
    ranges(robot, certificate, pair, &walk)?;
    if walk.variables.is_empty() {
        return Err("no joint moves it".to_owned().into());
    }
    let links = LinkPair::new(walk, [&parts[a][..], &parts[b][..]]);
    PairChecker::new(pair, links).check()
}

/// All values of a joint, by the certificate's limits: `Some(None)` where it turns freely, `None` where it has no range.
fn stated_range(
    robot: &Robot,
    certificate: &RobotCertificate,
    joint: usize,
) -> Option<Option<[f64; 2]>> {
    let limits = certificate.limits.as_ref()?;
    match limits.joints.get(&robot.joints[joint].name) {
        Some(&range) => Some(Some(range)),
        None => range_of(&robot.joints[joint], &limits.set),
    }
}

/// The joints between the two links, and all of their values.
fn ranges(
    robot: &Robot,
    certificate: &RobotCertificate,
    pair: &ProvedPair,
    walk: &LinkWalk,
) -> Result<(), String> {
    let names = walk
        .variables
        .iter()
        .map(|&joint| &robot.joints[joint].name);
    if !names
        .clone()
        .eq(pair.joints.iter().map(|joint| &joint.name))
    {
        let names: Vec<&str> = names.map(String::as_str).collect();
        return Err(format!("the joints between them are {}", names.join(", ")));
    }
    for (index, (&joint, stated)) in walk.variables.iter().zip(&pair.joints).enumerate() {
        let (name, lower, upper) = (&stated.name, stated.lower, stated.upper);
        if !(lower <= upper && lower.is_finite() && upper.is_finite()) {
            return Err(format!("joint `{name}`: {lower} to {upper} is no range"));
        }
        let Some(wanted) = stated_range(robot, certificate, joint) else {
            return Err(format!("joint `{name}` has no range"));
        };
        if wanted == Some([lower, upper]) {
            continue;
        }
        // A turn is all there is where it brings back all that the joint moves.
        let mut steps = walk.steps.iter();
        let is_whole = steps.all(|step| match step {
            WalkStep::Still(_) => true,
            WalkStep::Turning(moving) => moving.variable != index || moving.is_whole,
            WalkStep::Sliding(moving) => moving.variable != index,
        });
        let width = upper - lower;
        // The difference rounds by less than the next double is above a turn.
        let is_turn = width >= TAU.next_up() && width <= TAU + TURN_EXCESS_MAX;
        let is_less = wanted.is_none_or(|[from, to]| to - from >= width);
        if !(is_turn && is_whole && is_less) {
            return Err(format!(
                "joint `{name}`: {lower} to {upper} are not all values that its limits allow"
            ));
        }
    }
    Ok(())
}
