//! Whether a certificate is about the path that somebody asks about: its numbers, its pairs and its clearance.
//!
//! Where it sits: in front of [`check_certificate`], which checks what a certificate claims, whatever that is.

use super::objection::{CertificateChecked, CertificateObjection};
use super::whole::{check_certificate, head_of};
use crate::certificate::{ProvedPath, ProvedSegment, RobotCertificate};
use crate::curve::PathSegment;
use gjk_check::parts::Body;
use gjk_scene::Scene;

/// Checks a certificate against the robot of a scene, whose bodies these are, and that it is about these segments and pairs of bodies.
///
/// # Errors  the first thing that is wrong with it.
pub fn check_path_certificate(
    (scene, bodies): (&Scene, &[Body]),
    segments: &[&PathSegment],
    pairs: &[(usize, usize)],
    clearance: f64,
    certificate: &RobotCertificate,
) -> Result<CertificateChecked, CertificateObjection> {
    // The robot first: what is wrong with another robot's path says nothing.
    head_of(scene, certificate)?;
    let Some(path) = &certificate.path else {
        let what = "it is about all joint values, and no path: `gjk acm` checks it";
        return Err(CertificateObjection::new(what));
    };
    if !(path.clearance >= clearance) {
        let found = path.clearance;
        let what = format!("it is about a clearance of {found}, not of {clearance}");
        return Err(CertificateObjection::new(what));
    }
    for &(a, b) in pairs {
        let [a, b] = [a, b].map(|body| &bodies[body].name);
        let is_of = |[one, other]: &[String; 2]| (one, other) == (a, b) || (one, other) == (b, a);
        if !path.pairs.iter().any(is_of) {
            let what =
                "it says nothing of them: was it made with other bodies, or another SRDF file?";
            return Err(CertificateObjection::of_pair(a, b, what.to_owned().into()));
        }
    }
    let (found, wanted) = (path.segments.len(), segments.len());
    if found != wanted {
        let what = format!("it is about another path: it has {found} segments, this path {wanted}");
        return Err(CertificateObjection::new(what));
    }
    for (index, (&asked, proved)) in segments.iter().zip(&path.segments).enumerate() {
        let different = difference(scene, path, asked, proved);
        if let Some(what) = different {
            let what = format!("it is about another path: {what}");
            return Err(CertificateObjection::of_segment(index, what));
        }
    }
    check_certificate(scene, bodies, certificate)
}

/// In what a segment is another one.
fn difference(
    scene: &Scene,
    path: &ProvedPath,
    asked: &PathSegment,
    proved: &ProvedSegment,
) -> Option<String> {
    if asked.time != proved.time {
        let ([a, b], [c, d]) = (proved.time, asked.time);
        return Some(format!("its time is from {a} to {b}, here from {c} to {d}"));
    }
    let (own, other) = (proved.curve.as_str(), asked.kind.as_str());
    if own != other {
        return Some(format!(
            "its joints run on {own} curves, here on {other} ones"
        ));
    }
    let robot = scene.robot.as_ref()?;
    for (joint, of) in robot.joints.iter().enumerate() {
        if !of.is_independent() {
            continue;
        }
        let name = &of.name;
        let place = path.joints.iter().position(|known| known == name);
        let stated = place.and_then(|place| proved.values.get(place));
        let wanted = asked.numbers(joint);
        if stated != Some(&wanted) {
            let words = |numbers: &[f64]| {
                let all = numbers.iter().map(f64::to_string);
                all.collect::<Vec<_>>().join(", ")
            };
            let stated = stated.map_or_else(|| "nothing".to_owned(), |stated| words(stated));
            let wanted = words(&wanted);
            return Some(format!(
                "joint `{name}` has the numbers {stated}, here {wanted}"
            ));
        }
    }
    None
}
