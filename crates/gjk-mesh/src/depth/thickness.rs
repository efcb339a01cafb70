//! The thickness of an overlap: a ball that is inside of both solids.
//!
//! Idea: no translation that is shorter than the ball's diameter separates the solids, since the ball and its image still overlap.
//! Any ball proves that. A large one is found in cubes, those first in which the largest may be, and then by steps along
//! the axes, which are halved where none helps.
//! Numbers: the radius is a lower bound of the depths of one floating point in both solids; nothing of the search is trusted.

use super::interior::Interior;
use crate::boxes::Box3;
use crate::signs::Point;
use core::cmp::Ordering;
use std::collections::BinaryHeap;

/// A ball inside of two solids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InnerBall {
    /// Its center, in the world.
    pub center: [f64; 3],
    /// Its radius, at most what the solids have room for.
    pub radius: f64,
}

/// So many points are tried in cubes.
const CUBES_MAX: usize = 256;

/// So many steps of one length are taken; each makes the ball larger.
const STEPS_MAX: usize = 64;

/// So often steps along the axes are halved.
const HALVINGS: usize = 12;

/// So many steps of one length are taken to find room for a ball.
const ROOM_STEPS: usize = 8;

/// Steps that gain less than this part of the radius are too short.
const GAIN_MIN: f64 = 1e-3;

/// A cube, and the radius of the largest ball with its center there, at most.
struct Cube {
    upper: f64,
    middle: Point,
    half: f64,
}

/// A large ball inside of both solids; some points where it may be are tried first. `None` if no point is proved to be in both.
pub(super) fn inner_ball(solids: [&Interior<'_>; 2], first: &[Point]) -> Option<InnerBall> {
    let mut search = BallSearch {
        solids,
        center: [0.0; 3],
        radius: 0.0,
    };
    for &point in first {
        search.look_at(point);
    }
    search.in_cubes();
    search.by_steps();
    (search.radius > 0.0).then_some(InnerBall {
        center: search.center,
        radius: search.radius,
    })
}

/// Whether a ball of this radius is found inside of a solid by steps from a point of it.
pub(super) fn has_room(solid: &Interior<'_>, from: Point, radius: f64) -> bool {
    let mut search = BallSearch {
        solids: [solid, solid],
        center: from,
        radius: 0.0,
    };
    search.look_at(from);
    let mut step = radius;
    for _ in 0..HALVINGS {
        for _ in 0..ROOM_STEPS {
            if search.radius >= radius {
                return true;
            }
            if !search.take_step(step) {
                break;
            }
        }
        step *= 0.5;
    }
    false
}

struct BallSearch<'s, 'm> {
    solids: [&'s Interior<'m>; 2],
    center: Point,
    radius: f64,
}

impl BallSearch<'_, '_> {
    /// Tries a point, and returns an upper bound of its depth in both.
    fn look_at(&mut self, point: Point) -> f64 {
        let first = self.solids[0].at(point).depth;
        if first.upper <= 0.0 {
            return first.upper;
        }
        let second = self.solids[1].at(point).depth;
        let lower = first.lower.min(second.lower);
        if lower > self.radius {
            self.radius = lower;
            self.center = point;
        }
        first.upper.min(second.upper)
    }

    fn in_cubes(&mut self) {
        let [a, b] = self.solids.map(|solid| solid.bounds().corners());
        let low: Point = core::array::from_fn(|k| a[0][k].max(b[0][k]));
        let high: Point = core::array::from_fn(|k| a[1][k].min(b[1][k]));
        let half = (0..3).fold(0.0, |half: f64, k| half.max(0.5 * (high[k] - low[k])));
        if half.is_nan() || half <= 0.0 || !half.is_finite() {
            return;
        }
        let common = Box3::of(&[low, high]);
        let (middle, _) = common.middle_and_radius();
        let mut cubes = BinaryHeap::from([Cube {
            upper: f64::INFINITY,
            middle,
            half,
        }]);
        let mut tried = 0;
        while let Some(cube) = cubes.pop() {
            if cube.upper <= self.radius * (1.0 + GAIN_MIN) || tried == CUBES_MAX {
                return;
            }
            tried += 1;
            let upper = self.look_at(cube.middle) + cube.half * 3.0_f64.sqrt();
            if upper <= self.radius {
                continue;
            }
            let half = 0.5 * cube.half;
            cubes.extend((0..8).map(|corner| {
                let step = |k: usize| if corner >> k & 1 == 0 { -half } else { half };
                Cube {
                    upper,
                    middle: core::array::from_fn(|k| cube.middle[k] + step(k)),
                    half,
                }
            }));
        }
    }

    /// Steps along the axes from the best point.
    fn by_steps(&mut self) {
        let mut step = self.radius;
        for _ in 0..HALVINGS {
            step *= 0.5;
            for _ in 0..STEPS_MAX {
                if !self.take_step(step) {
                    break;
                }
            }
        }
    }

    /// Whether a step along some axis makes the ball larger by a part of itself.
    fn take_step(&mut self, step: f64) -> bool {
        let (center, radius) = (self.center, self.radius);
        for k in 0..6 {
            let mut point = center;
            point[k / 2] += if k % 2 == 0 { step } else { -step };
            self.look_at(point);
        }
        self.radius > radius * (1.0 + GAIN_MIN)
    }
}

impl PartialEq for Cube {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cube {}

impl PartialOrd for Cube {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cube {
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper.total_cmp(&other.upper)
    }
}
