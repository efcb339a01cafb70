//! The states to check: none, a file's, or random ones that are the same on every machine and in every version.

use gjk_scene::{Affine, Robot, Scene};
use std::ops::Range;

/// The states, as joint values.
pub struct States<'a> {
    robot: Option<&'a Robot>,
    /// The joints on the ways to the links that have geometry.
    joints: Vec<usize>,
    values: Vec<Vec<f64>>,
}

impl<'a> States<'a> {
    /// These states of the scene's robot; one state where there is no robot.
    pub fn new(scene: &'a Scene, values: Vec<Vec<f64>>) -> Self {
        let robot = scene.robot.as_ref();
        let links = scene.bodies.iter().filter_map(|body| body.link);
        Self {
            robot,
            joints: robot.map_or_else(Vec::new, |robot| robot.joints_to(links)),
            values,
        }
    }

    /// All joints at zero, clamped into their limits.
    pub fn zero(scene: &'a Scene) -> Self {
        let values = scene
            .robot
            .as_ref()
            .map(Robot::zero_state)
            .unwrap_or_default();
        Self::new(scene, vec![values])
    }

    /// `count` states drawn uniformly within limits; the first states do not depend on `count`.
    pub fn random(scene: &'a Scene, robot: &Robot, count: usize, seed: u64) -> Self {
        let mut draw = Splitmix64(seed);
        Self::new(
            scene,
            (0..count)
                .map(|_| robot.sample(&mut || draw.unit()))
                .collect(),
        )
    }

    /// One value a joint of the robot in each.
    pub fn values(&self) -> &[Vec<f64>] {
        &self.values
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether the states are those of a robot.
    pub(crate) fn has_robot(&self) -> bool {
        self.robot.is_some()
    }

    /// Where the links that have geometry stand in some states, one state after the other, in memory that is used again.
    pub(crate) fn link_poses_of(&self, block: Range<usize>, links: &mut BlockLinks) {
        let BlockLinks { values, one, all } = links;
        all.clear();
        let Some(robot) = self.robot else { return };
        for state in &self.values[block] {
            values.clone_from(state);
            robot.place_along(&self.joints, values, one);
            all.extend_from_slice(one);
        }
    }

    /// Where the links stand in a state.
    pub fn link_poses(&self, index: usize) -> Vec<Affine> {
        self.robot
            .map(|robot| robot.forward_kinematics(&self.values[index]))
            .unwrap_or_default()
    }
}

/// Where links stand, and what it takes to place them.
#[derive(Default)]
pub(crate) struct BlockLinks {
    values: Vec<f64>,
    one: Vec<Affine>,
    /// Those of one state after the other.
    pub(crate) all: Vec<Affine>,
}

/// Steele, Lea and Flood's splitmix64 ("Fast splittable pseudorandom number generators", OOPSLA 2014). Fixed for good:
/// `--random N
/// --seed S` must give the same states in every version.
#[derive(Clone, Copy, Debug)]
pub struct Splitmix64(pub u64);

impl Splitmix64 {
    /// The next 64 bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in [0, 1): the upper 53 bits, all of which a double holds.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference program's first outputs for the seed 1234567.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut draw = Splitmix64(1_234_567);
        assert_eq!(
            [draw.next(), draw.next()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
        assert!((0..1000).all(|_| (0.0..1.0).contains(&draw.unit())));
    }
}
