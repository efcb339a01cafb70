//! A point that moves in a straight line against a point or a segment with a ball swept over it: a ball, a capsule.
//!
//! Where it sits: beside `tube_box.rs`; `ray_round.rs` asks it, and `tube.rs` proves what it proposes.
//! Idea: the time is told from the closest approach to the edge's start: there all products are as small as they get. Quadratics have the roots of the cylinder about the edge and of the balls about its
//! ends, and the foot of the cylinder's root on the edge says which of them the surface has there.
//! Numbers: the ends of the segment are floats, and lengths are told from its start: the bounds know the way to the point, and not how far both are from the world's origin.

use super::tube::{Beside, TubeLine, TubePassage};
use crate::math::{Scalar, Triple, dot, plus, subtract, sum_abs};

/// The squared speed across the edge, of the squared speed, below which the line is taken to be along it. It chooses, and proves nothing.
const ALONG_EDGE: f64 = 1.0 / (1u64 << 46) as f64;

/// A segment about which a ball is swept, as a moving point sees it.
#[derive(Clone, Copy)]
pub(super) struct SegmentTube {
    line: TubeLine,
    /// From the segment's start, at the start of the motion and at the closest approach to it.
    start: Triple,
    way: Triple,
    /// The time of that.
    middle: f64,
    /// Zero of a ball.
    edge: Triple,
    /// Products of the edge, the velocity and the way.
    dots: EdgeDots,
}

/// Products of the edge, the velocity and the way at the closest approach to the edge's start, which is across the velocity.
#[derive(Clone, Copy)]
struct EdgeDots {
    /// Of the velocity, and the reciprocal.
    line: f64,
    per: f64,
    edge: f64,
    edge_line: f64,
    edge_way: f64,
    way: f64,
}

/// The nearest number from 0 to 1; 0 of what is no number.
#[inline(always)]
fn within_one(x: f64) -> f64 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < 1.0 { x } else { 1.0 }
}

/// A root beside the closest approach, no number where there is none, and the place on the edge that is nearest there.
type EdgeRoot = (f64, f64);

// No closures: of several calls they are not inlined, and all that they refer to goes through memory.
impl EdgeDots {
    /// The root on the ball about the edge's start, before or after the closest approach to it: as far. `missing` is what the square of the radius has more than that of the way.
    #[inline(always)]
    fn at_start(&self, missing: f64, sign: f64) -> EdgeRoot {
        (sign * Scalar::sqrt(missing * self.per), 0.0)
    }

    /// The same about the edge's end.
    #[inline(always)]
    fn at_end(&self, missing: f64, sign: f64) -> EdgeRoot {
        let missing = missing - self.edge + 2.0 * self.edge_way;
        let rest = self.edge_line * self.edge_line * self.per + missing;
        (
            self.edge_line * self.per + sign * Scalar::sqrt(rest * self.per),
            1.0,
        )
    }

    /// The root of the cylinder, if that is beside the edge, else that of an end.
    #[inline(always)]
    fn on_edge(&self, missing: f64, sign: f64, (time, per_edge): (f64, f64)) -> EdgeRoot {
        let place = (self.edge_way + time * self.edge_line) * per_edge;
        if place > 0.0 && place < 1.0 {
            (time, place)
        } else if place > 0.5 {
            self.at_end(missing, sign)
        } else {
            self.at_start(missing, sign)
        }
    }
}

impl SegmentTube {
    /// `None` for numbers near the ends of their range.
    #[inline(always)]
    pub(super) fn of(ends: [Triple; 2], radius: f64, line: [Triple; 2]) -> Option<Self> {
        let (start, edge) = (subtract(line[0], ends[0]), subtract(ends[1], ends[0]));
        let line = TubeLine::of(line, radius, sum_abs(start) + sum_abs(edge))?;
        let direction = line.direction;
        let speed = dot(direction, direction);
        let per = 1.0 / speed;
        let middle = -dot(start, direction) * per;
        let way = plus(start, direction, middle);
        let dots = EdgeDots {
            line: speed,
            per,
            edge: dot(edge, edge),
            edge_line: dot(edge, direction),
            edge_way: dot(edge, way),
            way: dot(way, way),
        };
        Some(Self {
            line,
            start,
            way,
            middle,
            edge,
            dots,
        })
    }

    /// When the point meets the body, and leaves it if that is `asked`, after its start; `Some(None)` where it surely does not until `end`, `None` where bounds do not decide.
    #[inline(always)]
    pub(super) fn passes(&self, asked: bool, end: f64, width: f64) -> Option<Option<TubePassage>> {
        let [enter, exit] = self.roots();
        if !(enter.0 <= exit.0) {
            let normal = self.nearest();
            return self.is_beyond(normal, end).then_some(None);
        }
        if !(self.middle + exit.0 > 0.0) {
            let place = within_one(dot(self.start, self.edge) / self.dots.edge);
            let normal = plus(self.start, self.edge, -place);
            return self.is_beyond(normal, end).then_some(None);
        }
        let beside = |root: EdgeRoot| (self.middle + root.0, self.at(root));
        let exit = if asked { Some(beside(exit)) } else { None };
        self.line.passage(beside(enter), exit, end, width)
    }

    /// Where the point enters and leaves, about.
    #[inline(always)]
    fn roots(&self) -> [EdgeRoot; 2] {
        let dots = &self.dots;
        let EdgeDots {
            line,
            edge,
            edge_line,
            edge_way,
            ..
        } = *dots;
        let missing = self.line.radius * self.line.radius - dots.way;
        if !(edge > 0.0) {
            return [dots.at_start(missing, -1.0), dots.at_start(missing, 1.0)];
        }
        // Of the cylinder, of all products a multiple by the squared edge.
        let square = edge * line - edge_line * edge_line;
        if square <= ALONG_EDGE * edge * line {
            return if edge_line > 0.0 {
                [dots.at_start(missing, -1.0), dots.at_end(missing, 1.0)]
            } else {
                [dots.at_end(missing, -1.0), dots.at_start(missing, 1.0)]
            };
        }
        let linear = -edge_way * edge_line;
        let constant = edge * missing + edge_way * edge_way;
        let half = Scalar::sqrt(linear * linear + square * constant);
        let (per_square, per_edge) = (1.0 / square, 1.0 / edge);
        let (enter, exit) = ((-half - linear) * per_square, (half - linear) * per_square);
        [
            dots.on_edge(missing, -1.0, (enter, per_edge)),
            dots.on_edge(missing, 1.0, (exit, per_edge)),
        ]
    }

    /// From the edge to the point where the line is nearest to it, about.
    #[inline(never)]
    fn nearest(self) -> Triple {
        let EdgeDots {
            per,
            edge,
            edge_line,
            edge_way,
            ..
        } = self.dots;
        let square = edge - edge_line * edge_line * per;
        let place = within_one(edge_way / square);
        let time = place * edge_line * per;
        plus(plus(self.way, self.edge, -place), self.line.direction, time)
    }

    /// What is beside the point at a root.
    #[inline(always)]
    fn at(&self, (time, place): EdgeRoot) -> Beside {
        let direction = self.line.direction;
        let arm = plus(plus(self.way, self.edge, -place), direction, time);
        Beside {
            squared: dot(arm, arm),
            over: self.reach(arm, place),
            rate: dot(arm, direction),
            error: self.line.error(self.middle + time),
            arm,
        }
    }

    /// How far the edge is beyond one of its points along a direction.
    #[inline(always)]
    fn reach(&self, direction: Triple, from: f64) -> f64 {
        let along = dot(direction, self.edge);
        let (start, end) = (-from * along, (1.0 - from) * along);
        if start > end { start } else { end }
    }

    /// Whether the plane with this normal proves that the point never meets the body until a time.
    // It is handed a copy: what it had a reference to would have to be in memory.
    #[inline(never)]
    fn is_beyond(self, normal: Triple, end: f64) -> bool {
        let reach = self.reach(normal, 0.0);
        let height = |time: f64| dot(normal, plus(self.start, self.line.direction, time)) - reach;
        self.line.is_beyond(normal, end, height)
    }
}
