//! The way from one link to another, walked again from the robot's numbers, and how far its joints go.
//!
//! Where it sits: `whole.rs` walks once a pair of links; `bound.rs` goes through the steps.
//! Idea: the robot is the one that the file's numbers say. What the reader rounded, a matrix from `rpy` and a unit axis, is widened by
//! more than that, so that the exact turn is inside, and the inverse of a turn is its transpose.

use super::enclosed::{
    Enclosed, Map3Bounds, ONE, Vec3Bounds, ZERO, dot, exactly, image, sum, transposed,
};
use gjk_scene::{Affine, Joint, JointKind, Robot};

/// An entry of a matrix from `rpy` is two products of three and their sum, each factor off by a rounding or two: 14 roundings.
/// Test: `the_exact_turn_is_inside_of_a_widened_one`.
const ORIGIN_ROUNDINGS: f64 = 16.0;

/// An entry of a unit axis is divided twice, by the largest entry and by a root of a sum of three squares: 6 roundings.
/// Test: `the_exact_turn_is_inside_of_a_widened_one`.
const AXIS_ROUNDINGS: f64 = 8.0;

const ROUNDING: f64 = 0.5 * f64::EPSILON;

/// A turn and then a shift.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceBounds {
    pub(super) turn: Map3Bounds,
    pub(super) shift: Vec3Bounds,
}

/// A step of the way.
#[derive(Clone, Copy, Debug)]
pub(super) enum WalkStep {
    /// It stands still: `x ↦ R·x + t`.
    Still(PlaceBounds),
    /// It turns about a unit axis.
    Turning(Moving),
    /// It slides along a unit axis.
    Sliding(Moving),
}

/// A joint that a variable moves to `factor · variable + offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub(super) axis: Vec3Bounds,
    pub(super) variable: usize,
    pub(super) factor: Enclosed,
    pub(super) offset: Enclosed,
    /// Whether a turn of the variable turns it a whole number of times.
    pub(super) is_whole: bool,
}

/// The steps from one link to another.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkWalk {
    pub(super) steps: Vec<WalkStep>,
    /// The joints that move them, as indices into the robot's.
    pub(super) variables: Vec<usize>,
}

impl PlaceBounds {
    /// Where a joint or a part stands, as the file says: a turn and a shift.
    pub(super) fn of(place: &Affine) -> Self {
        let is_plain = place.linear == Affine::IDENTITY.linear;
        let entry = |x: f64| {
            if is_plain {
                Enclosed::exact(x)
            } else {
                Enclosed::near(x, ORIGIN_ROUNDINGS * ROUNDING)
            }
        };
        Self {
            turn: place.linear.map(|row| row.map(entry)),
            shift: exactly(place.translation),
        }
    }

    /// The place of the first frame in the second: `x ↦ Rᵀ·x − Rᵀ·t`.
    pub(super) fn inverse(&self) -> Self {
        let turn = transposed(&self.turn);
        let shift = image(&turn, &self.shift).map(Enclosed::neg);
        Self { turn, shift }
    }

    pub(super) fn point(&self, x: &Vec3Bounds) -> Vec3Bounds {
        sum(&image(&self.turn, x), &self.shift)
    }

    /// The direction along which points have the heights before this place that they have along `d` behind it, but for the shift's.
    pub(super) fn direction(&self, d: &Vec3Bounds) -> Vec3Bounds {
        image(&transposed(&self.turn), d)
    }

    /// What the shift adds to these heights.
    pub(super) fn height(&self, d: &Vec3Bounds) -> Enclosed {
        dot(d, &self.shift)
    }
}

impl WalkStep {
    /// The same step the other way.
    pub(super) fn inverse(&self) -> Self {
        let back = |moving: &Moving| Moving {
            factor: moving.factor.neg(),
            offset: moving.offset.neg(),
            ..*moving
        };
        match self {
            Self::Still(place) => Self::Still(place.inverse()),
            Self::Turning(moving) => Self::Turning(back(moving)),
            Self::Sliding(moving) => Self::Sliding(back(moving)),
        }
    }

    pub(super) fn moving(&self) -> Option<&Moving> {
        match self {
            Self::Still(_) => None,
            Self::Turning(moving) | Self::Sliding(moving) => Some(moving),
        }
    }
}

impl LinkWalk {
    /// The way from link `a` to link `b`.
    ///
    /// # Errors  a joint that no value moves, in words.
    pub(super) fn new(robot: &Robot, a: usize, b: usize) -> Result<Self, String> {
        let (mut up, mut down) = (to_root(robot, a)?, to_root(robot, b)?);
        while up.last().is_some() && up.last() == down.last() {
            up.pop();
            down.pop();
        }
        let mut walk = Self::default();
        for joint in up {
            walk.joint(robot, joint, true)?;
            let origin = PlaceBounds::of(&robot.joints[joint].origin);
            walk.steps.push(WalkStep::Still(origin.inverse()));
        }
        for joint in down.into_iter().rev() {
            let origin = PlaceBounds::of(&robot.joints[joint].origin);
            walk.steps.push(WalkStep::Still(origin));
            walk.joint(robot, joint, false)?;
        }
        Ok(walk)
    }

    fn joint(&mut self, robot: &Robot, index: usize, is_up: bool) -> Result<(), String> {
        let joint = &robot.joints[index];
        match joint.kind {
            JointKind::Fixed => return Ok(()),
            JointKind::Planar | JointKind::Floating => {
                return Err(format!("joint `{}` is {}", joint.name, joint.kind.as_str()));
            }
            _ => {}
        }
        let axis = unit(joint);
        let (mut leader, mut factor, mut offset) = (index, ONE, ZERO);
        let mut is_whole = true;
        // As many steps as there are joints, so that a circle ends.
        for _ in 0..robot.joints.len() {
            let Some(mimic) = robot.joints[leader].mimic else {
                break;
            };
            is_whole &= mimic.multiplier.fract() == 0.0;
            offset = offset.add(factor.mul(Enclosed::exact(mimic.offset)));
            factor = factor.mul(Enclosed::exact(mimic.multiplier));
            leader = mimic.joint;
        }
        if robot.joints[leader].mimic.is_some() {
            return Err(format!("joint `{}` follows itself", joint.name));
        }
        if matches!(
            robot.joints[leader].kind,
            JointKind::Planar | JointKind::Floating
        ) {
            let name = &robot.joints[leader].name;
            return Err(format!("joint `{name}` moves with more than one value"));
        }
        if is_up {
            (factor, offset) = (factor.neg(), offset.neg());
        }
        let is_still = robot.joints[leader].kind == JointKind::Fixed;
        let variable = if is_still { 0 } else { self.variable(leader) };
        let moving = Moving {
            axis,
            variable,
            factor,
            offset,
            is_whole,
        };
        let is_slide = joint.kind == JointKind::Prismatic;
        self.steps.push(match (is_still, is_slide) {
            (true, _) => WalkStep::Still(held(&moving, is_slide)),
            (false, true) => WalkStep::Sliding(moving),
            (false, false) => WalkStep::Turning(moving),
        });
        Ok(())
    }

    fn variable(&mut self, joint: usize) -> usize {
        let known = self.variables.iter().position(|&known| known == joint);
        known.unwrap_or_else(|| {
            self.variables.push(joint);
            self.variables.len() - 1
        })
    }

    /// Before which step the frame is that stands behind `cut` moving joints: before the next one, and behind the last one of all.
    pub(super) fn place_of(&self, cut: usize) -> Option<usize> {
        let mut moving = (0..self.steps.len()).filter(|&k| self.steps[k].moving().is_some());
        match moving.clone().nth(cut) {
            Some(next) => Some(next),
            None => moving.nth(cut.checked_sub(1)?).map(|last| last + 1),
        }
    }
}

/// A joint that follows one that stands still.
fn held(moving: &Moving, is_slide: bool) -> PlaceBounds {
    let axis = &moving.axis;
    if is_slide {
        return PlaceBounds {
            turn: PlaceBounds::of(&Affine::IDENTITY).turn,
            shift: axis.map(|x| x.mul(moving.offset)),
        };
    }
    let (cos, sin) = (moving.offset.cos(), moving.offset.sin());
    let rest = ONE.sub(cos);
    let cross = [
        [ZERO, axis[2].neg(), axis[1]],
        [axis[2], ZERO, axis[0].neg()],
        [axis[1].neg(), axis[0], ZERO],
    ];
    let entry = |i: usize, j: usize| {
        let own = if i == j { cos } else { ZERO };
        own.add(rest.mul(axis[i]).mul(axis[j]))
            .add(sin.mul(cross[i][j]))
    };
    PlaceBounds {
        turn: [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j))),
        shift: [ZERO; 3],
    }
}

/// A joint's axis, of length one.
fn unit(joint: &Joint) -> Vec3Bounds {
    let is_plain = joint.axis.iter().filter(|x| **x != 0.0).count() == 1;
    joint.axis.map(|x| {
        if is_plain || x == 0.0 {
            Enclosed::exact(x)
        } else {
            Enclosed::near(x, AXIS_ROUNDINGS * ROUNDING * x.abs())
        }
    })
}

/// The joints from a link up to the root.
fn to_root(robot: &Robot, link: usize) -> Result<Vec<usize>, String> {
    let mut joints = Vec::new();
    let mut at = link;
    while let Some(joint) = robot.joints.iter().position(|joint| joint.child == at) {
        joints.push(joint);
        at = robot.joints[joint].parent;
        if joints.len() > robot.joints.len() {
            return Err("the links are no tree".to_owned());
        }
    }
    Ok(joints)
}

/// All values of a joint within limits: `Some(None)` where it turns freely, `None` where it has no range.
pub(super) fn range_of(joint: &Joint, set: &str) -> Option<Option<[f64; 2]>> {
    let turns = joint.kind != JointKind::Prismatic;
    let hard = joint.limits.map(|limits| [limits.lower, limits.upper]);
    let soft = joint.soft_limits.map(|limits| [limits.lower, limits.upper]);
    let range = match (set, hard, soft) {
        ("none", ..) if turns => None,
        ("soft", Some([a, b]), Some([c, d])) => Some([a.max(c), b.min(d)]),
        ("soft", None, soft) => soft,
        ("soft" | "hard" | "none", hard, _) => hard,
        _ => return None,
    };
    match range {
        Some([lower, upper]) => (lower <= upper).then_some(Some([lower, upper])),
        None => turns.then_some(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A turn's rows have length one and are square to each other: the bounds must allow that, and be narrow.
    #[test]
    fn the_exact_turn_is_inside_of_a_widened_one() {
        for k in 0..500 {
            let x = f64::from(k) * 0.037 - 9.0;
            let place = Affine::from_roll_pitch_yaw([x, 1.7 * x - 0.3, 0.6 - x * 0.9]);
            let turn = PlaceBounds::of(&place).turn;
            for i in 0..3 {
                for j in 0..3 {
                    let product = dot(&turn[i], &turn[j]);
                    let wanted = if i == j { 1.0 } else { 0.0 };
                    assert!(product.lo <= wanted && wanted <= product.hi);
                    assert!(product.hi - product.lo < 3e-14);
                }
            }
        }
        let joint = |axis: [f64; 3]| {
            let norm = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
            axis.map(|x| x / norm)
        };
        for k in 0..500 {
            let x = f64::from(k) * 0.01;
            let axis = joint([x, 1.0 - x, 0.3]);
            let wide = axis.map(|x| Enclosed::near(x, AXIS_ROUNDINGS * ROUNDING * x.abs()));
            let length = super::super::enclosed::norm(&wide);
            assert!(length.lo <= 1.0 && 1.0 <= length.hi);
        }
    }
}
