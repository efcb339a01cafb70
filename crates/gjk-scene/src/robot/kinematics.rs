//! Where a robot's links stand for given joint values, and which links belong together.
//! Where it sits: methods of [`Robot`], called by the CLI for each state.
//! Idea: the joints are sorted once, parents first, so that one pass places every link.

use std::f64::consts::PI;

use super::{Joint, JointKind, Robot};
use crate::affine::Affine;

impl Robot {
    /// Returns each link's pose in the root link's frame, in the order of [`Robot::links`].
    ///
    /// `values` has one value a joint in the order of [`Robot::joints`] (radians, or the file's length unit); missing ones are 0,
    /// and those of fixed and mimic joints are not read. Limits are not looked at.
    #[must_use]
    pub fn forward_kinematics(&self, values: &[f64]) -> Vec<Affine> {
        let (mut values, mut poses) = (values.to_vec(), Vec::new());
        self.forward_kinematics_into(&mut values, &mut poses);
        poses
    }

    /// [`Robot::forward_kinematics`] into memory that is used again; mimic joints get the values that they follow.
    pub fn forward_kinematics_into(&self, values: &mut Vec<f64>, poses: &mut Vec<Affine>) {
        self.place_along(&self.tree_order, values, poses);
    }

    /// The joints on the ways from the root to some links, parents first. Many links of a robot are frames without geometry, which need not
    /// be placed: see [`Robot::place_along`].
    #[must_use]
    pub fn joints_to(&self, links: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut is_wanted = vec![false; self.links.len()];
        links.into_iter().for_each(|link| is_wanted[link] = true);
        let mut joints = Vec::new();
        for &index in self.tree_order.iter().rev() {
            let joint = &self.joints[index];
            if is_wanted[joint.child] {
                is_wanted[joint.parent] = true;
                joints.push(index);
            }
        }
        joints.reverse();
        joints
    }

    /// [`Robot::forward_kinematics_into`] for the links to which these joints lead, which [`Robot::joints_to`] gives. What `poses` has of
    /// other links means nothing.
    pub fn place_along(&self, joints: &[usize], values: &mut Vec<f64>, poses: &mut Vec<Affine>) {
        self.follow_mimics(values);
        // All links on the ways but the root are children of a joint, and written below.
        poses.resize(self.links.len(), Affine::IDENTITY);
        if let Some(root) = poses.get_mut(self.root) {
            *root = Affine::IDENTITY;
        }
        for &index in joints {
            let joint = &self.joints[index];
            let placed = poses[joint.parent].compose(&joint.origin);
            poses[joint.child] = joint
                .motion(values[index])
                .map_or(placed, |motion| placed.compose(&motion));
        }
    }

    /// Sets the values of mimic joints from the ones that they follow, and grows or cuts `values` to one a joint.
    pub fn follow_mimics(&self, values: &mut Vec<f64>) {
        values.resize(self.joints.len(), 0.0);
        for (value, joint) in values.iter_mut().zip(&self.joints) {
            if !joint.kind.has_value() {
                *value = 0.0;
            }
        }
        for &index in &self.mimic_order {
            if let Some(mimic) = self.joints[index].mimic {
                values[index] = mimic.multiplier * values[mimic.joint] + mimic.offset;
            }
        }
    }

    /// The state of all joints at zero, clamped into their limits; mimic joints follow.
    #[must_use]
    pub fn zero_state(&self) -> Vec<f64> {
        let mut values = self.joints.iter().map(Joint::zero).collect();
        self.follow_mimics(&mut values);
        values
    }

    /// A state drawn uniformly within limits; `unit` gives numbers in [0, 1), one for each independent joint in order.
    ///
    /// A joint that turns without limits is drawn from [-π, π); one that slides without limits stays at 0. Mimic joints follow.
    #[must_use]
    pub fn sample(&self, unit: &mut impl FnMut() -> f64) -> Vec<f64> {
        let mut values = vec![0.0; self.joints.len()];
        for (value, joint) in values.iter_mut().zip(&self.joints) {
            if joint.is_independent() {
                let (lower, upper) = joint.sampling_range();
                *value = (lower + unit() * (upper - lower)).clamp(lower, upper);
            }
        }
        self.follow_mimics(&mut values);
        values
    }

    /// The pairs of links that one joint joins, bodies of the world left out, each with the lower index first, sorted.
    #[must_use]
    pub fn adjacent_links(&self) -> Vec<(usize, usize)> {
        let joints = self.joints.iter();
        let mut pairs: Vec<_> = joints
            .filter(|joint| !self.is_world(joint.child))
            .map(|joint| (joint.parent.min(joint.child), joint.parent.max(joint.child)))
            .collect();
        pairs.sort_unstable();
        pairs
    }

    /// The groups of links that only fixed joints hold together, as indices, a body of the world by itself; every link is in one, and both levels are sorted.
    #[must_use]
    pub fn fixed_groups(&self) -> Vec<Vec<usize>> {
        let mut leader: Vec<usize> = (0..self.links.len()).collect();
        for &index in &self.tree_order {
            let joint = &self.joints[index];
            if joint.kind == JointKind::Fixed && !self.is_world(joint.child) {
                leader[joint.child] = leader[joint.parent];
            }
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.links.len()];
        for (link, leader) in leader.into_iter().enumerate() {
            groups[leader].push(link);
        }
        groups.retain(|group| !group.is_empty());
        groups.sort_unstable();
        groups
    }
}

impl Joint {
    /// The child's motion in the joint's frame; `None` when it does not move.
    fn motion(&self, value: f64) -> Option<Affine> {
        match self.kind {
            JointKind::Revolute | JointKind::Continuous => {
                Some(Affine::from_axis_angle(self.axis, value))
            }
            JointKind::Prismatic => Some(Affine::from_translation(self.axis.map(|x| x * value))),
            JointKind::Fixed | JointKind::Floating | JointKind::Planar => None,
        }
    }

    /// The value nearest to 0 that the limits allow.
    #[must_use]
    pub fn zero(&self) -> f64 {
        match self.limits {
            // The reader promises lower <= upper and no NaN, without which clamp would panic.
            Some(limits) if self.is_independent() => 0.0_f64.clamp(limits.lower, limits.upper),
            _ => 0.0,
        }
    }

    fn sampling_range(&self) -> (f64, f64) {
        match (self.limits, self.kind) {
            (Some(limits), _) => (limits.lower, limits.upper),
            (None, JointKind::Prismatic) => (0.0, 0.0),
            (None, _) => (-PI, PI),
        }
    }
}
