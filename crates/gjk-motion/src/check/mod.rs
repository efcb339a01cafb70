//! The checker of certificates: it proves again, by its own arithmetic, all that a certificate claims.
//!
//! Where it sits: beside the prover, of which it uses nothing: only the certificate's layout and the readers of files. Read
//! [`check_certificate`], then `tree.rs` and `bound.rs`.
//! Idea: the ranges must be those of the robot, the cells of a tree all joint values, and in each leaf the two pieces apart along the one
//! direction that it states. docs/acm-certificates.md says why that is a proof.
//! Numbers: all ends are rounded outward (`enclosed.rs`), and nothing is taken from the certificate but what is looked at.

mod bound;
mod enclosed;
mod groups;
mod solid;
#[cfg(test)]
mod tests;
mod tree;
mod walk;
mod winding;

use crate::certificate::{ACM_CERTIFICATE_SCHEMA, AcmCertificate, ProvedPair, robot_hash};
use gjk::query::Verdict;
use gjk_check::pairs::Pairs;
use gjk_check::parts::Body;
use gjk_check::{Check, Criteria};
use gjk_mesh::{MeshBody, MeshKind};
use gjk_scene::{Robot, Scene};
use groups::TriangleGroups;
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use solid::PartSolid;
use std::f64::consts::TAU;
use tree::{CheckedPart, PairChecker, TreeCounts, TreeFault};
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
}

/// What is wrong with a certificate: the first fault in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateObjection {
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
            pair: None,
            tree: None,
            node: None,
            reason: reason.into(),
        }
    }

    fn of_pair(a: &str, b: &str, fault: TreeFault) -> Self {
        Self {
            pair: Some((a.to_owned(), b.to_owned())),
            tree: fault.tree,
            node: fault.node,
            reason: fault.reason,
        }
    }
}

impl core::fmt::Display for CertificateObjection {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
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

impl From<String> for TreeFault {
    fn from(reason: String) -> Self {
        Self {
            tree: None,
            node: None,
            reason,
        }
    }
}

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
    certificate: &AcmCertificate,
) -> Result<CertificateChecked, CertificateObjection> {
    let Some(robot) = &scene.robot else {
        return Err(CertificateObjection::new("the scene is no robot"));
    };
    head(scene, robot, certificate)?;
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
        let TreeCounts {
            nodes,
            leaves,
            halved,
        } = counts?;
        checked.nodes += nodes;
        checked.leaves += leaves;
        checked.halved += halved;
    }
    by_the_library(scene, robot, bodies, certificate)?;
    Ok(checked)
}

/// The layout, the robot and the limits.
fn head(
    scene: &Scene,
    robot: &Robot,
    certificate: &AcmCertificate,
) -> Result<(), CertificateObjection> {
    let fault = |reason: String| Err(CertificateObjection::new(reason));
    if certificate.schema != ACM_CERTIFICATE_SCHEMA {
        let found = &certificate.schema;
        return fault(format!(
            "the layout is `{found}`, not `{ACM_CERTIFICATE_SCHEMA}`"
        ));
    }
    let hash = robot_hash(scene);
    if certificate.robot_hash != hash {
        let (of, found) = (&certificate.robot, &certificate.robot_hash);
        return fault(format!(
            "it is about a robot `{of}` with other numbers: its hash is {found}, this robot's {hash}"
        ));
    }
    if !matches!(certificate.limits.set.as_str(), "soft" | "hard" | "none") {
        let set = &certificate.limits.set;
        return fault(format!("`{set}` is no set of limits"));
    }
    for (name, [lower, upper]) in &certificate.limits.joints {
        if robot.joint_index(name).is_none() {
            return fault(format!(
                "the robot has no joint `{name}`, which has a range"
            ));
        }
        if !(lower <= upper && lower.is_finite() && upper.is_finite()) {
            return fault(format!("joint `{name}`: {lower} to {upper} is no range"));
        }
    }
    Ok(())
}

/// The parts of each body, and how the certificate divides them.
fn parts_of(
    scene: &Scene,
    certificate: &AcmCertificate,
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
    certificate: &AcmCertificate,
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
    let parts = [&parts[a][..], &parts[b][..]];
    match PairChecker::new(pair, walk, parts) {
        Some(checker) => checker.check(),
        None => Err("no joint moves it".to_owned().into()),
    }
}

/// The joints between the two links, and all of their values.
fn ranges(
    robot: &Robot,
    certificate: &AcmCertificate,
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
        let wanted = match certificate.limits.joints.get(name) {
            Some(&range) => Some(range),
            None => match range_of(&robot.joints[joint], &certificate.limits.set) {
                Some(range) => range,
                None => return Err(format!("joint `{name}` has no range")),
            },
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

/// What the library says in a state: of witnesses, and of pairs that no joint moves.
fn by_the_library(
    scene: &Scene,
    robot: &Robot,
    bodies: &[Body],
    certificate: &AcmCertificate,
) -> Result<(), CertificateObjection> {
    let all = Pairs::new(scene, bodies, None, true);
    let near = |a: &str, b: &str, state: &[f64]| {
        let (a, b) = (body_of(scene, a)?, body_of(scene, b)?);
        if a == b || a >= bodies.len() || b >= bodies.len() {
            return Err("it is no pair".to_owned());
        }
        let criteria = Criteria {
            all_pairs: true,
            ..Criteria::default()
        };
        let poses = robot.forward_kinematics(state);
        let found = Check::new(bodies, &all)
            .criteria(criteria)
            .between((a.min(b), a.max(b)), &poses)
            .map_err(|error| error.to_string())?;
        found.ok_or_else(|| "nothing is known of it".to_owned())
    };
    for pair in &certificate.rigid {
        let wrong = |reason: String| CertificateObjection::of_pair(&pair.a, &pair.b, reason.into());
        let is_moved = || {
            let link = |name: &str| body_of(scene, name).map(|body| scene.bodies[body].link);
            let links = (link(&pair.a)?.unwrap_or(0), link(&pair.b)?.unwrap_or(0));
            Ok(!LinkWalk::new(robot, links.0, links.1)?.variables.is_empty())
        };
        if is_moved().map_err(wrong)? {
            return Err(wrong("joints move it".to_owned()));
        }
        let here = near(&pair.a, &pair.b, &robot.zero_state()).map_err(wrong)?;
        if !(here.lower >= pair.distance) || here.verdict == Verdict::Overlapping {
            return Err(wrong(format!("they are {} apart at least", here.lower)));
        }
    }
    for pair in &certificate.witnesses {
        let wrong = |reason: String| CertificateObjection::of_pair(&pair.a, &pair.b, reason.into());
        let state = state_of(robot, certificate, pair).map_err(wrong)?;
        let here = near(&pair.a, &pair.b, &state).map_err(wrong)?;
        let overlaps = here.verdict == Verdict::Overlapping;
        if overlaps != pair.overlaps || !(here.lower <= pair.distance) {
            let what = "the state does not show what is claimed of it";
            return Err(wrong(what.to_owned()));
        }
    }
    Ok(())
}

/// A witness's state, whose values are within the limits.
fn state_of(
    robot: &Robot,
    certificate: &AcmCertificate,
    pair: &crate::certificate::WitnessPair,
) -> Result<Vec<f64>, String> {
    let mut state = robot.zero_state();
    for (name, &value) in &pair.state {
        let Some(joint) = robot.joint_index(name) else {
            return Err(format!("the robot has no joint `{name}`"));
        };
        if !robot.joints[joint].is_independent() {
            return Err(format!("joint `{name}` is not set by a state"));
        }
        let range = match certificate.limits.joints.get(name) {
            Some(&range) => Some(range),
            None => range_of(&robot.joints[joint], &certificate.limits.set).unwrap_or(None),
        };
        let is_within = range.is_none_or(|[lower, upper]| lower <= value && value <= upper);
        if !(value.is_finite() && is_within) {
            return Err(format!("joint `{name}`: {value} is not within its limits"));
        }
        state[joint] = value;
    }
    robot.follow_mimics(&mut state);
    Ok(state)
}
