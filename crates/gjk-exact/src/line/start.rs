//! The first portal: vertices whose shadow along the direction holds the line.
//!
//! Idea: in space the shadow is a polygon in the plane, and the line is the origin of that plane. A wedge of directions holds the shadows that are known.
//! The vertex farthest beyond one of its borders widens it, until it is half a turn or more: then the origin is in the hull of three shadows. A wedge of
//! less than half a turn with nothing beyond its borders proves a miss.

use super::portal::STEPS_MAX;
use super::view::{Line, sign};
use crate::direction::{Operand, SymbolicDirection};
use crate::integer::{self, Int, Int3};
use crate::number::{Dyadic, Number, common};
use crate::problem::Points;
use crate::vertex::Vertex;
use core::cmp::Ordering::{self, Equal, Greater, Less};

/// What is known of the line before the first portal is refined.
pub(super) enum Start {
    /// The line misses: this direction separates it from the hull.
    Misses(Int3),
    /// A portal with the line in the shadow of the hull's inside.
    Inside([Vertex; 3]),
    /// A portal with the line on the border of the hull's shadow.
    OnBorder([Vertex; 3]),
    /// The shadow has no area and holds the line: this coordinate may be dropped.
    Flat { dropped: usize },
}

/// Finds the first portal; `None` after more steps than any hull can need.
pub(super) fn find<A: Points + ?Sized, B: Points + ?Sized>(line: &Line<'_, A, B>) -> Option<Start> {
    match line.dim {
        3 => in_space(line),
        2 => Some(in_plane(line)),
        // On a line there is nothing to look along: the whole hull is the line's.
        _ => Some(Start::Inside([line.vertex([0; 2]); 3])),
    }
}

/// The outermost vertices left of the line and right of it.
fn in_plane<A: Points + ?Sized, B: Points + ?Sized>(line: &Line<'_, A, B>) -> Start {
    let leftward = line.across(line.along());
    let (left, right) = (line.support(&leftward), line.support(&-leftward));
    let side = |vertex| sign(&leftward, &Operand::Vertex(vertex));
    match (side(right), side(left)) {
        (Less, Greater) => Start::Inside([left, right, right]),
        (Equal, Greater) | (Less, Equal) => Start::OnBorder([left, right, right]),
        (Greater, _) => Start::Misses(aside(line, Greater)),
        (_, Less) => Start::Misses(aside(line, Less)),
        _ => {
            // All of the hull is on the line: any coordinate that the direction moves will do.
            let v = line.along();
            Start::Flat {
                dropped: usize::from(v.a[0] != v.b[0]),
            }
        }
    }
}

/// The direction at a right angle to a line of the plane, towards one of its sides.
fn aside<A: Points + ?Sized, B: Points + ?Sized>(line: &Line<'_, A, B>, side: Ordering) -> Int3 {
    let leftward = line.across(line.along()).integers();
    line.whole(if side.is_gt() {
        leftward
    } else {
        integer::neg(&leftward)
    })
}

/// The wedge of the shadows' directions, from its first vertex counter-clockwise to its last.
#[derive(Clone, Copy)]
enum Wedge {
    /// One direction.
    Ray(Vertex),
    /// Less than half a turn.
    Between(Vertex, Vertex),
    /// Half a turn, with a vertex inside of it.
    Half(Vertex, Vertex, Vertex),
    /// More than half a turn: these three hold the line between them.
    Whole(Vertex, Vertex, Vertex),
}

/// The shadows of the vertices, as seen along the direction.
struct Shadows<'l, 'p, A: ?Sized, B: ?Sized> {
    line: &'l Line<'p, A, B>,
    /// Two coordinates across one that the direction moves.
    across: [usize; 2],
    /// The directions of the shadows' two coordinates.
    axes: [SymbolicDirection; 2],
}

impl<'l, 'p, A: Points + ?Sized, B: Points + ?Sized> Shadows<'l, 'p, A, B> {
    fn of(line: &'l Line<'p, A, B>) -> Self {
        let v = line.along();
        let size = |k: usize| (v.a[k] - v.b[k]).abs();
        let depth = (1..3).fold(0, |best, k| if size(k) > size(best) { k } else { best });
        let across = [(depth + 1) % 3, (depth + 2) % 3];
        // `v_depth w_k − v_k w_depth` is `[e, v, w]`, with `e` the third axis, or its negative.
        let axes = [
            -line.across(Line::<A, B>::axis(across[1])),
            line.across(Line::<A, B>::axis(across[0])),
        ];
        Self { line, across, axes }
    }

    /// The signs of a shadow's two coordinates, times the sign of the direction's depth.
    fn quadrant(&self, vertex: Vertex) -> [Ordering; 2] {
        let vertex = Operand::Vertex(vertex);
        self.axes.map(|axis| sign(&axis, &vertex))
    }

    /// The vertex farthest on one side of a shadow, if it is on that side.
    fn beyond(&self, border: Vertex, side: Ordering) -> Option<Vertex> {
        let leftward = self.line.across(border);
        let farthest = self
            .line
            .support(&if side.is_gt() { leftward } else { -leftward });
        (self.line.turn(border, farthest) == side).then_some(farthest)
    }

    /// The wedge with one more vertex, beyond one of its borders.
    fn widened(&self, wedge: Wedge, new: Vertex) -> Wedge {
        let turn = |from, to| self.line.turn(from, to);
        match wedge {
            Wedge::Ray(only) if turn(only, new).is_gt() => Wedge::Between(only, new),
            Wedge::Ray(only) => Wedge::Between(new, only),
            Wedge::Between(first, last) => match (turn(first, new), turn(last, new)) {
                (Greater, _) => Wedge::Between(first, new),
                (Equal, _) => Wedge::Half(first, last, new),
                (Less, Greater) => Wedge::Whole(first, last, new),
                (Less, Less) => Wedge::Between(new, last),
                (Less, Equal) => Wedge::Half(new, first, last),
            },
            Wedge::Half(first, between, last) => Wedge::Whole(first, between, last),
            Wedge::Whole(..) => wedge,
        }
    }

    /// A vertex beyond one of a wedge's borders.
    fn outside(&self, wedge: Wedge) -> Option<Vertex> {
        match wedge {
            Wedge::Ray(only) => self
                .beyond(only, Greater)
                .or_else(|| self.beyond(only, Less)),
            Wedge::Between(first, last) => self
                .beyond(last, Greater)
                .or_else(|| self.beyond(first, Less)),
            Wedge::Half(first, _, _) => self.beyond(first, Less),
            Wedge::Whole(..) => None,
        }
    }

    /// What a wedge with nothing beyond its borders says.
    fn decided(&self, wedge: Wedge) -> Start {
        let line = self.line;
        match wedge {
            Wedge::Half(first, between, last) => Start::OnBorder([first, between, last]),
            Wedge::Whole(first, between, last) => Start::Inside([first, between, last]),
            Wedge::Between(first, last) => {
                // The way into the wedge; the vertex farthest back may be on the line itself.
                let into = line.across_edge(last, first);
                let back = line.support(&-into);
                if self.quadrant(back) == [Equal; 2] {
                    Start::OnBorder([first, last, back])
                } else {
                    Start::Misses(into.integers())
                }
            }
            Wedge::Ray(only) => {
                let quadrant = self.quadrant(only);
                let k = usize::from(quadrant[0].is_eq());
                let ahead = self.axes[k];
                let back = line.support(&if quadrant[k].is_gt() { -ahead } else { ahead });
                if self.quadrant(back)[k] == quadrant[k] {
                    return Start::Misses(towards(line, only));
                }
                // The hull is in the plane of the direction and this vertex, which is not at a right angle to the dropped axis: the
                // depth and the coordinate that is kept span it.
                Start::Flat {
                    dropped: self.across[1 - k],
                }
            }
        }
    }
}

fn in_space<A: Points + ?Sized, B: Points + ?Sized>(line: &Line<'_, A, B>) -> Option<Start> {
    let shadows = Shadows::of(line);
    let [x, y] = shadows.axes;
    let outermost = [x, -x, y, -y].map(|direction| line.support(&direction));
    let is_off = |vertex: &&Vertex| shadows.quadrant(**vertex) != [Equal; 2];
    let Some(&off) = outermost.iter().find(is_off) else {
        // All of the hull is on the line.
        let dropped = shadows.across[1];
        return Some(Start::Flat { dropped });
    };
    let mut wedge = Wedge::Ray(off);
    for _ in 0..STEPS_MAX {
        let Some(vertex) = shadows.outside(wedge) else {
            return Some(shadows.decided(wedge));
        };
        wedge = shadows.widened(wedge, vertex);
    }
    None
}

/// Towards a shadow: `w·|v|² − v·(w·v)`.
fn towards<A: Points + ?Sized, B: Points + ?Sized>(line: &Line<'_, A, B>, vertex: Vertex) -> Int3 {
    let grid = |vertex: Vertex| {
        let [x, y, z] = [0, 1, 2].map(|k| Dyadic::difference(vertex.a[k], vertex.b[k]));
        common([&x, &y, &z])
    };
    let (v, w) = (grid(line.along()), grid(vertex));
    let (square, along): (Int, Int) = (integer::dot(&v, &v), integer::dot(&w, &v));
    integer::sub(&integer::scale(&w, &square), &integer::scale(&v, &along))
}
