//! The first portal: vertices whose shadow along the direction holds the line.
//!
//! Idea: in space the shadow is a polygon in the plane, and the line is the origin of that plane. One pass over the vertices
//! keeps the wedge of directions in which their shadows lie. A vertex outside of the wedge widens it, until it is half a turn or
//! more: then the origin is in the hull of three shadows. A wedge of less than half a turn proves a miss.

use super::view::Line;
use crate::determinant::sign_2;
use crate::integer::{self, Int, Int3};
use crate::number::{Dyadic, Number, common};
use crate::problem::Points;
use core::cmp::Ordering::{self, Equal, Greater, Less};

/// What is known of the line before the first portal is refined.
pub(super) enum Start {
    /// The line misses: this direction separates it from the hull.
    Misses(Int3),
    /// A portal with the line in the shadow of the hull's inside.
    Inside([u32; 3]),
    /// A portal with the line on the border of the hull's shadow.
    OnBorder([u32; 3]),
    /// The shadow has no area and holds the line: this coordinate may be dropped.
    Flat { dropped: usize },
}

/// Finds the first portal.
pub(super) fn find<P: Points + ?Sized>(line: &Line<'_, P>) -> Start {
    match line.dim {
        3 => in_space(line),
        2 => in_plane(line),
        _ => on_line(line),
    }
}

/// On a line there is nothing to look along: the whole hull is the line's.
fn on_line<P: Points + ?Sized>(_: &Line<'_, P>) -> Start {
    Start::Inside([0; 3])
}

/// The sides of the vertices, left of the line or right of it.
fn in_plane<P: Points + ?Sized>(line: &Line<'_, P>) -> Start {
    let along = line.along();
    let mut found: [Option<u32>; 3] = [None; 3];
    for vertex in 0..line.points.count() {
        let from_origin = line.seen(vertex);
        let side = line.sign([&along, &from_origin, &along]);
        found[(side as i8 + 1) as usize].get_or_insert(vertex);
        if let [Some(right), _, Some(left)] = found {
            return Start::Inside([left, right, right]);
        }
    }
    match found {
        [None, Some(on), Some(left)] => Start::OnBorder([left, on, on]),
        [Some(right), Some(on), None] => Start::OnBorder([on, right, right]),
        [None, _, Some(_)] => Start::Misses(aside(line, Greater)),
        [Some(_), _, None] => Start::Misses(aside(line, Less)),
        _ => {
            // All of the hull is on the line: any coordinate that the direction moves will do.
            let [x, _, _] = line.axes;
            Start::Flat {
                dropped: usize::from(line.direction[x] != 0.0),
            }
        }
    }
}

/// The direction at a right angle to a line of the plane, towards one of its sides.
fn aside<P: Points + ?Sized>(line: &Line<'_, P>, side: Ordering) -> Int3 {
    let [x, y, _] = line.axes;
    let [dx, dy] = integer::common(&[line.direction[x], line.direction[y]]);
    let mut direction = Int3::default();
    (direction[x], direction[y]) = if side.is_gt() { (-dy, dx) } else { (dy, -dx) };
    direction
}

/// The wedge of the shadows' directions, from its first vertex counter-clockwise to its last.
#[derive(Clone, Copy)]
enum Wedge {
    /// All shadows that are not the origin itself have one direction.
    Ray(u32),
    /// Less than half a turn.
    Between(u32, u32),
    /// The shadows are on both sides of the origin on one straight line.
    Straight(u32, u32),
    /// Half a turn, with a vertex inside of it.
    Half(u32, u32, u32),
}

/// The shadows of the vertices, as seen along the direction.
struct Shadows<'l, P: ?Sized> {
    line: &'l Line<'l, P>,
    /// A coordinate that the direction moves, and the two others.
    depth: usize,
    across: [usize; 2],
}

impl<P: Points + ?Sized> Shadows<'_, P> {
    /// Whether vertex `j` is counter-clockwise of vertex `i`.
    fn turn(&self, i: u32, j: u32) -> Ordering {
        let (from_i, from_j) = (self.line.seen(i), self.line.seen(j));
        self.line.sign([&self.line.along(), &from_i, &from_j])
    }

    /// The signs of a shadow's two coordinates, times the sign of the direction's depth.
    fn quadrant(&self, vertex: u32) -> [Ordering; 2] {
        let [from, to] = self.line.seen(vertex);
        let direction = self.line.direction;
        self.across.map(|k| {
            let pair = |x: [f64; 3]| [x[self.depth], x[k]];
            sign_2(&[[0.0; 2], pair(direction)], &[pair(from), pair(to)])
        })
    }

    /// The wedge with one more vertex; `Err` with three vertices that hold the line between them.
    fn widened(&self, wedge: Wedge, new: u32) -> Result<Wedge, [u32; 3]> {
        Ok(match wedge {
            Wedge::Ray(only) => match self.turn(only, new) {
                Greater => Wedge::Between(only, new),
                Less => Wedge::Between(new, only),
                Equal if self.quadrant(only) == self.quadrant(new) => wedge,
                Equal => Wedge::Straight(only, new),
            },
            Wedge::Straight(first, last) => match self.turn(first, new) {
                Greater => Wedge::Half(first, new, last),
                Less => Wedge::Half(last, new, first),
                Equal => wedge,
            },
            Wedge::Between(first, last) => match (self.turn(first, new), self.turn(last, new)) {
                (Greater, Greater) => Wedge::Between(first, new),
                (Greater, _) => wedge,
                (Equal, Greater) => Wedge::Half(first, last, new),
                (Equal, _) => wedge,
                (Less, Greater) => return Err([first, last, new]),
                (Less, Less) => Wedge::Between(new, last),
                (Less, Equal) => Wedge::Half(new, first, last),
            },
            Wedge::Half(first, between, last) => match self.turn(first, new) {
                Less => return Err([first, between, last]),
                _ => wedge,
            },
        })
    }
}

fn in_space<P: Points + ?Sized>(line: &Line<'_, P>) -> Start {
    let size = |k: usize| line.direction[k].abs();
    let depth = (1..3).fold(0, |best, k| if size(k) > size(best) { k } else { best });
    let across = [(depth + 1) % 3, (depth + 2) % 3];
    let shadows = Shadows {
        line,
        depth,
        across,
    };
    let (mut wedge, mut on_line) = (None, None);
    for vertex in 0..line.points.count() {
        if shadows.quadrant(vertex) == [Equal; 2] {
            on_line.get_or_insert(vertex);
            continue;
        }
        wedge = Some(match wedge {
            None => Wedge::Ray(vertex),
            Some(wedge) => match shadows.widened(wedge, vertex) {
                Ok(wedge) => wedge,
                Err(vertices) => return Start::Inside(vertices),
            },
        });
    }
    match (wedge, on_line) {
        (Some(Wedge::Half(first, between, last)), _) => Start::OnBorder([first, between, last]),
        (Some(Wedge::Between(first, last)), Some(corner)) => Start::OnBorder([first, last, corner]),
        (Some(Wedge::Between(first, last)), None) => Start::Misses(beside(line, first, last)),
        (Some(Wedge::Ray(only)), None) => Start::Misses(towards(line, only)),
        (Some(Wedge::Straight(vertex, _) | Wedge::Ray(vertex)), _) => Start::Flat {
            // The hull is in the plane of the direction and this vertex, which is not at a right angle to the dropped axis: the
            // depth and the coordinate that is kept span it.
            dropped: match shadows.quadrant(vertex) {
                [Equal, _] => across[0],
                _ => across[1],
            },
        },
        // All of the hull is on the line.
        (None, _) => Start::Flat { dropped: across[1] },
    }
}

/// Differences as integers on one grid.
fn integers<P: Points + ?Sized>(line: &Line<'_, P>, vertices: [u32; 2]) -> [Int3; 3] {
    let grid = |s: [[f64; 3]; 2]| {
        let [x, y, z] = [0, 1, 2].map(|k| Dyadic::difference(s[1][k], s[0][k]));
        common([&x, &y, &z])
    };
    let [first, last] = vertices.map(|vertex| grid(line.seen(vertex)));
    [grid(line.along()), first, last]
}

/// Towards the middle of a wedge.
///
/// `v × p − v × q`, for shadows `p` and `q` that are a wedge's first and last: its products with both are `[v, p, q] > 0`. Each of the
/// two terms may be scaled alone, since the wedge is between two half planes.
fn beside<P: Points + ?Sized>(line: &Line<'_, P>, first: u32, last: u32) -> Int3 {
    let [v, first, last] = integers(line, [first, last]);
    integer::sub(&integer::cross(&v, &first), &integer::cross(&v, &last))
}

/// Towards a shadow: `w·|v|² − v·(w·v)`.
fn towards<P: Points + ?Sized>(line: &Line<'_, P>, vertex: u32) -> Int3 {
    let [v, w, _] = integers(line, [vertex; 2]);
    let (square, along): (Int, Int) = (integer::dot(&v, &v), integer::dot(&w, &v));
    integer::sub(&integer::scale(&w, &square), &integer::scale(&v, &along))
}
