//! A whole certificate: its layout and robot, the parts of links, each pair, what the library says, and the path.
//!
//! Where it sits: [`check_certificate`] is the checker's door.

use super::groups::TriangleGroups;
use super::library::StateLibrary;
use super::objection::{CertificateChecked, CertificateObjection};
use super::overlap::check_overlap;
use super::pair::{CheckedPart, LinkPair, TreeCounts, TreeFault};
use super::path;
use super::ranges::{body_of, ranges};
use super::solid::PartSolid;
use super::tree::PairChecker;
use super::walk::LinkWalk;
use crate::certificate::{ProvedJoint, ProvedPair, ROBOT_CERTIFICATE_SCHEMA, RobotCertificate};
use crate::robot_hash::robot_hash;
use gjk_check::parts::Body;
use gjk_mesh::{MeshBody, MeshKind, TriMesh};
use gjk_scene::{Robot, Scene};
#[cfg(feature = "parallel")]
use rayon::prelude::*;

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
    let of = CheckedRobot {
        scene,
        robot,
        parts: &parts,
        certificate,
    };
    let check = |pair: &ProvedPair| {
        pair_of(&of, pair).map_err(|fault| CertificateObjection::of_pair(&pair.a, &pair.b, fault))
    };
    #[cfg(feature = "parallel")]
    let found: Vec<_> = certificate.pairs.par_iter().map(check).collect();
    #[cfg(not(feature = "parallel"))]
    let found: Vec<_> = certificate.pairs.iter().map(check).collect();
    let mut checked = CertificateChecked {
        pairs: certificate.pairs.len(),
        overlapping: certificate.overlapping.len(),
        trees: certificate.pairs.iter().map(|pair| pair.trees.len()).sum(),
        witnesses: certificate.witnesses.len(),
        rigid: certificate.rigid.len(),
        ..CertificateChecked::default()
    };
    for counts in found {
        checked.count(counts?);
    }
    for pair in &certificate.overlapping {
        let wrong = |fault: TreeFault| CertificateObjection::of_pair(&pair.a, &pair.b, fault);
        let links = of.links([&pair.a, &pair.b], &pair.joints);
        let links = links.map_err(|reason| wrong(reason.into()))?;
        checked.count(check_overlap(pair, &links).map_err(wrong)?);
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
pub(super) fn head_of<'s>(
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
            "the layout is `{found}`, not `{ROBOT_CERTIFICATE_SCHEMA}`: write it again"
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
        let is_said = !certificate.pairs.is_empty()
            || !certificate.overlapping.is_empty()
            || !certificate.witnesses.is_empty();
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
        part.is_solid = is_solid(surface);
        part.groups = TriangleGroups::new(surface.triangles().len(), divisions).map_err(fault)?;
    }
    let pairs = certificate.overlapping.iter();
    for link in pairs.flat_map(|pair| [&pair.a, &pair.b]) {
        let body = body_of(scene, link).map_err(fault)?;
        for part in &mut all[body] {
            part.is_solid = part.solid.surface().is_some_and(is_solid);
        }
    }
    Ok(all)
}

/// Whether a surface has an inside.
fn is_solid(surface: &TriMesh) -> bool {
    let kind = MeshBody::new(surface.clone());
    matches!(kind.kind(), MeshKind::Solid { .. })
}

/// A pair that keeps apart.
fn pair_of(checked: &CheckedRobot<'_>, pair: &ProvedPair) -> Result<TreeCounts, TreeFault> {
    if !(pair.distance >= 0.0 && pair.distance.is_finite()) {
        return Err(format!("{} is no distance", pair.distance).into());
    }
    let links = checked.links([&pair.a, &pair.b], &pair.joints)?;
    PairChecker::new(pair, links).check()
}

/// The robot that pairs are checked on, and what the certificate says of its limits.
struct CheckedRobot<'c> {
    scene: &'c Scene,
    robot: &'c Robot,
    parts: &'c [Vec<CheckedPart>],
    certificate: &'c RobotCertificate,
}

impl CheckedRobot<'_> {
    /// Two links by their names, whose joints have all the values that they may.
    fn links(&self, names: [&str; 2], joints: &[ProvedJoint]) -> Result<LinkPair<'_>, String> {
        let (a, b) = (
            body_of(self.scene, names[0])?,
            body_of(self.scene, names[1])?,
        );
        if a == b {
            return Err("it is one link".to_owned());
        }
        let link = |body: usize| self.scene.bodies[body].link.unwrap_or(0);
        let walk = LinkWalk::new(self.robot, link(a), link(b))?;
        ranges(self.robot, self.certificate, joints, &walk)?;
        if walk.variables.is_empty() {
            return Err("no joint moves it".to_owned());
        }
        Ok(LinkPair::new(
            walk,
            [&self.parts[a][..], &self.parts[b][..]],
        ))
    }
}
