//! What a certificate says of links and joints by their names, held against the robot: that links are there, and that ranges are all that the
//! limits allow.
//!
//! Where it sits: `whole.rs` asks it for each pair, `library.rs` for each witness.

use super::walk::{LinkWalk, WalkStep, range_of};
use crate::certificate::{ProvedJoint, RobotCertificate};
use gjk_scene::{Robot, Scene};
use std::f64::consts::TAU;

/// A range that turns a joint once around is at most this much longer than a turn.
/// Test: `a_turn_that_is_too_short_or_too_long_is_rejected`.
const TURN_EXCESS_MAX: f64 = 1e-12;

/// The body that is a link with geometry.
pub(super) fn body_of(scene: &Scene, link: &str) -> Result<usize, String> {
    let mut bodies = scene.bodies.iter();
    let found = bodies.position(|body| body.link.is_some() && body.name == link);
    found.ok_or_else(|| format!("the robot has no link `{link}` with geometry"))
}

/// All values of a joint, by the certificate's limits: `Some(None)` where it turns freely, `None` where it has no range.
pub(super) fn stated_range(
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
pub(super) fn ranges(
    robot: &Robot,
    certificate: &RobotCertificate,
    joints: &[ProvedJoint],
    walk: &LinkWalk,
) -> Result<(), String> {
    let names = walk
        .variables
        .iter()
        .map(|&joint| &robot.joints[joint].name);
    if !names.clone().eq(joints.iter().map(|joint| &joint.name)) {
        let names: Vec<&str> = names.map(String::as_str).collect();
        return Err(format!("the joints between them are {}", names.join(", ")));
    }
    for (index, (&joint, stated)) in walk.variables.iter().zip(joints).enumerate() {
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
