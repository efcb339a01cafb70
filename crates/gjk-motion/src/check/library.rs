//! What the library says in a state: of witnesses, of meetings on a path, and of pairs that no joint moves.
//!
//! Where it sits: `whole.rs` and `path.rs` ask it. A tree proves that links keep apart; that they meet is decided by the code of `gjk check`,
//! and the checker only says how often.

use super::objection::CertificateObjection;
use super::ranges::{body_of, stated_range};
use super::walk::LinkWalk;
use crate::certificate::{RobotCertificate, WitnessPair};
use gjk::query::Verdict;
use gjk_check::pairs::Pairs;
use gjk_check::parts::Body;
use gjk_check::{Check, Criteria, Proximity};
use gjk_scene::{Robot, Scene};

/// The library, and what it is asked about.
pub(super) struct StateLibrary<'c> {
    scene: &'c Scene,
    robot: &'c Robot,
    bodies: &'c [Body],
    all: Pairs,
}

impl<'c> StateLibrary<'c> {
    pub(super) fn new(scene: &'c Scene, robot: &'c Robot, bodies: &'c [Body]) -> Self {
        Self {
            scene,
            robot,
            bodies,
            all: Pairs::new(scene, bodies, None, true),
        }
    }

    /// How near two links are in a state.
    ///
    /// # Errors  links that are none, and what the library does not know, in words.
    fn near(&self, a: &str, b: &str, state: &[f64]) -> Result<Proximity, String> {
        let (a, b) = (body_of(self.scene, a)?, body_of(self.scene, b)?);
        if a == b || a >= self.bodies.len() || b >= self.bodies.len() {
            return Err("it is no pair".to_owned());
        }
        let criteria = Criteria {
            all_pairs: true,
            ..Criteria::default()
        };
        let poses = self.robot.forward_kinematics(state);
        let found = Check::new(self.bodies, &self.all)
            .criteria(criteria)
            .between((a.min(b), a.max(b)), &poses)
            .map_err(|error| error.to_string())?;
        found.ok_or_else(|| "nothing is known of it".to_owned())
    }

    /// Pairs that no joint moves.
    pub(super) fn rigid(&self, certificate: &RobotCertificate) -> Result<(), CertificateObjection> {
        for pair in &certificate.rigid {
            let wrong =
                |reason: String| CertificateObjection::of_pair(&pair.a, &pair.b, reason.into());
            let is_moved = || {
                let link =
                    |name: &str| body_of(self.scene, name).map(|body| self.scene.bodies[body].link);
                let links = (link(&pair.a)?.unwrap_or(0), link(&pair.b)?.unwrap_or(0));
                let walk = LinkWalk::new(self.robot, links.0, links.1)?;
                Ok(!walk.variables.is_empty())
            };
            if is_moved().map_err(wrong)? {
                return Err(wrong("joints move it".to_owned()));
            }
            let here = self.near(&pair.a, &pair.b, &self.robot.zero_state());
            let here = here.map_err(wrong)?;
            if !(here.lower >= pair.distance) || here.verdict == Verdict::Overlapping {
                return Err(wrong(format!("they are {} apart at least", here.lower)));
            }
        }
        Ok(())
    }

    /// Witnesses of all joint values.
    pub(super) fn witnesses(
        &self,
        certificate: &RobotCertificate,
    ) -> Result<(), CertificateObjection> {
        for pair in &certificate.witnesses {
            let wrong =
                |reason: String| CertificateObjection::of_pair(&pair.a, &pair.b, reason.into());
            let state = self.state(pair).map_err(wrong)?;
            for (name, &value) in &pair.state {
                let joint = self.robot.joint_index(name);
                let range = joint.and_then(|joint| stated_range(self.robot, certificate, joint)?);
                if range.is_some_and(|[lower, upper]| !(lower <= value && value <= upper)) {
                    let what = format!("joint `{name}`: {value} is not within its limits");
                    return Err(wrong(what));
                }
            }
            self.shows(pair, &state).map_err(wrong)?;
        }
        Ok(())
    }

    /// A witness's state.
    ///
    /// # Errors  values of what no state sets, in words.
    pub(super) fn state(&self, pair: &WitnessPair) -> Result<Vec<f64>, String> {
        let mut state = self.robot.zero_state();
        for (name, &value) in &pair.state {
            let Some(joint) = self.robot.joint_index(name) else {
                return Err(format!("the robot has no joint `{name}`"));
            };
            if !self.robot.joints[joint].is_independent() {
                return Err(format!("joint `{name}` is not set by a state"));
            }
            if !value.is_finite() {
                return Err(format!("joint `{name}`: {value} is no value"));
            }
            state[joint] = value;
        }
        self.robot.follow_mimics(&mut state);
        Ok(state)
    }

    /// Whether a state shows what is claimed of it; how near the pair is there at most.
    ///
    /// # Errors  what it does not show, in words.
    pub(super) fn shows(&self, pair: &WitnessPair, state: &[f64]) -> Result<f64, String> {
        let here = self.near(&pair.a, &pair.b, state)?;
        let overlaps = here.verdict == Verdict::Overlapping;
        if overlaps != pair.overlaps || !(here.lower <= pair.distance) {
            return Err("the state does not show what is claimed of it".to_owned());
        }
        Ok(here.upper)
    }
}
