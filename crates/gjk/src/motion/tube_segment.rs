//! A point that moves in a straight line against a point or a segment with a ball swept over it: a ball, a capsule.
//!
//! Where it sits: beside `tube_box.rs`; `ray_round.rs` asks it, and `tube.rs` proves what it proposes.
//! Idea: the line passes through the cylinder about the edge at the roots of a quadratic. The foot of such a root on the edge, clamped to the edge, is the centre of a ball that the line passes
//! through where it passes through the capsule: the cylinder's root is that ball's too. So no case is told apart.
//! Numbers: the ends of the segment are floats, and lengths are told from its start: the bounds know the way to the point, and not how far both are from the world's origin.

use super::tube::{Beside, TubeLine, TubePassage};
use crate::math::{Scalar, Triple, dot, plus, subtract, sum_abs};
use crate::rounding::UNIT_ROUNDOFF;

/// A squared distance this part of the squared radius from it is that of a point on the surface. It chooses when to look, and the bounds hold for any.
const ON_SURFACE: f64 = 1.0 / (1u64 << 24) as f64;

/// A segment about which a ball is swept, as a moving point sees it.
pub(super) struct SegmentTube {
    line: TubeLine,
    /// From the segment's start.
    way: Triple,
    /// Zero of a ball.
    edge: Triple,
}

/// The nearest number from 0 to 1; 0 of what is no number.
#[inline(always)]
fn within_one(x: f64) -> f64 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < 1.0 { x } else { 1.0 }
}

/// The point and a ball about a point of the edge.
#[derive(Clone, Copy)]
struct NearBall {
    center: f64,
    /// From the ball's centre.
    way: Triple,
    /// The time of the closest approach, half the time within, and the arm at the closest approach; `half` is no number where there is none.
    middle: f64,
    half: f64,
    arm: Triple,
}

impl SegmentTube {
    /// `None` for numbers near the ends of their range.
    #[inline(always)]
    pub(super) fn of(ends: [Triple; 2], radius: f64, line: [Triple; 2]) -> Option<Self> {
        let (way, edge) = (subtract(line[0], ends[0]), subtract(ends[1], ends[0]));
        let line = TubeLine::of(line, radius, sum_abs(way) + sum_abs(edge))?;
        Some(Self { line, way, edge })
    }

    /// When the point meets the body, and leaves it if that is `asked`, after its start; `Some(None)` where it surely does not until `end`, `None` where bounds do not decide.
    #[inline(always)]
    pub(super) fn passes(&self, asked: bool, end: f64, width: f64) -> Option<Option<TubePassage>> {
        let per = 1.0 / dot(self.line.direction, self.line.direction);
        let [first, last] = match self.balls(per) {
            Ok(balls) => balls,
            Err(arm) => return self.is_beyond(arm, end).then_some(None),
        };
        if !(first.half >= 0.0) {
            return self.is_beyond(first.arm, end).then_some(None);
        }
        let roots = [first.middle - first.half, last.middle + last.half];
        if !(roots[1] > 0.0) {
            let place = dot(self.way, self.edge) / dot(self.edge, self.edge);
            return self
                .is_beyond(plus(self.way, self.edge, -within_one(place)), end)
                .then_some(None);
        }
        let enter = (roots[0], self.at(&first, roots[0])?);
        let exit = if asked {
            Some((roots[1], self.at(&last, roots[1])?))
        } else {
            None
        };
        self.line.passage(enter, exit, end, width)
    }

    /// The balls through which the point enters and leaves, about; the arm of the closest approach to the edge's line where it does not pass the cylinder about it. `per` is the reciprocal of the squared speed.
    #[inline(always)]
    fn balls(&self, per: f64) -> Result<[NearBall; 2], Triple> {
        let (way, edge, direction) = (self.way, self.edge, self.line.direction);
        let squared = dot(edge, edge);
        if !(squared > 0.0) {
            return Ok([self.ball(0.0, per); 2]);
        }
        let per_square = 1.0 / squared;
        let (at, part) = (
            dot(way, edge) * per_square,
            dot(direction, edge) * per_square,
        );
        let across = plus(direction, edge, -part);
        let speed = dot(across, across);
        // Along the edge it passes the balls only.
        if speed <= UNIT_ROUNDOFF * self.line.speed * self.line.speed {
            let centers = if part > 0.0 { [0.0, 1.0] } else { [1.0, 0.0] };
            return Ok(centers.map(|center| self.ball(center, per)));
        }
        let beside = plus(way, edge, -at);
        let per_across = 1.0 / speed;
        let middle = -dot(beside, across) * per_across;
        let nearest = plus(beside, across, middle);
        let rest = self.line.radius * self.line.radius - dot(nearest, nearest);
        if !(rest > 0.0) {
            return Err(nearest);
        }
        let half = Scalar::sqrt(rest * per_across);
        let ball = |time: f64| {
            let center = at + time * part;
            if center > 0.0 && center < 1.0 {
                // There it has the cylinder's root.
                NearBall {
                    center,
                    way: plus(way, edge, -center),
                    middle,
                    half,
                    arm: nearest,
                }
            } else {
                self.ball(within_one(center), per)
            }
        };
        Ok([ball(middle - half), ball(middle + half)])
    }

    /// The ball about a place of the edge; `per` is the reciprocal of the squared speed.
    #[inline(always)]
    fn ball(&self, center: f64, per: f64) -> NearBall {
        let way = plus(self.way, self.edge, -center);
        let middle = -dot(way, self.line.direction) * per;
        let arm = plus(way, self.line.direction, middle);
        let rest = self.line.radius * self.line.radius - dot(arm, arm);
        NearBall {
            half: Scalar::sqrt(rest * per),
            center,
            way,
            middle,
            arm,
        }
    }

    /// What is beside the point at a time; `None` where it is not on the ball.
    #[inline(always)]
    fn at(&self, ball: &NearBall, time: f64) -> Option<Beside> {
        let (line, radius) = (&self.line, self.line.radius);
        let arm = plus(ball.way, line.direction, time);
        let squared = dot(arm, arm);
        let ideal = radius * radius;
        if !((squared - ideal).abs() <= ON_SURFACE * ideal) {
            return None;
        }
        // No less than the root, and within the square of what it is off.
        let far = 0.5 * (squared / radius + radius);
        let per = 1.0 / far;
        Some(Beside {
            height: (squared - self.reach(arm, ball.center)) * per,
            rate: dot(arm, line.direction) * per,
            error: line.error(time),
            arm,
            far,
        })
    }

    /// How far the edge is beyond one of its points along a direction.
    #[inline(always)]
    fn reach(&self, direction: Triple, from: f64) -> f64 {
        let along = dot(direction, self.edge);
        let (start, end) = (-from * along, (1.0 - from) * along);
        if start > end { start } else { end }
    }

    /// Whether the plane with this normal proves that the point never meets the body until a time.
    fn is_beyond(&self, normal: Triple, end: f64) -> bool {
        let reach = self.reach(normal, 0.0);
        let height = |time: f64| dot(normal, plus(self.way, self.line.direction, time)) - reach;
        self.line.is_beyond(normal, end, height)
    }
}
