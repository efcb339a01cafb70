//! What of a triangle is outside of convex bodies, exactly.
//!
//! Idea: a plane is a line in the triangle's own coordinates, the weights of its corners: its heights over the three corners. A piece of
//! the triangle is a convex polygon between such lines, and a corner of the piece is where two of them meet. So whatever was cut before,
//! a corner has degree 6 in the coordinates of the input, and its side of a plane degree 9. What is left of a triangle outside of closed bodies is
//! open in it, so pieces without an area need not be kept. A triangle that is flat itself is cut the same way.
//! Numbers: big integers; floats with a bound decide first on which side of a plane the whole triangle is.
//! Source: Sutherland and Hodgman 1974, for the cut of a convex polygon.

use crate::signs::{Point, Triangle, side};
use core::cmp::Ordering;
use gjk_exact::integer::{cross, dot, grid_of, on_grid, sign, sub, to_float};
use gjk_exact::{Int, Int3};

/// A corner's coordinates as floats are off by fewer roundings of the triangle's greatest coordinate.
const PIECE_ROUNDINGS: f64 = 32.0;

/// A corner of a piece.
#[derive(Clone, Debug)]
struct PieceCorner {
    /// The weights of the triangle's corners: none is negative, and not all are zero.
    at: Int3,
    /// The line to the next corner: linear in weights, zero along the edge.
    next: Int3,
}

/// A convex piece of a triangle, with an area in the triangle's own coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    ring: Vec<PieceCorner>,
    is_whole: bool,
}

/// What is left of a triangle.
pub(crate) struct Remains {
    pub(crate) pieces: Vec<Piece>,
    /// Whether the bodies were all taken away. Else the pieces hold all that is outside, and maybe more.
    pub(crate) complete: bool,
}

/// How often pieces may still be cut.
pub(crate) struct CutBudget(pub(crate) usize);

impl Piece {
    /// The triangle itself.
    fn whole() -> Self {
        let unit = |k: usize| -> Int3 { core::array::from_fn(|j| Int::from(u8::from(j == k))) };
        // From corner k to the next one runs the line where the weight of the third is zero.
        let corner = |k: usize| PieceCorner {
            at: unit(k),
            next: unit((k + 2) % 3),
        };
        Self {
            ring: vec![corner(0), corner(1), corner(2)],
            is_whole: true,
        }
    }

    /// The parts on the positive and on the negative side of a line; `None` for one without an area.
    fn cut(&self, line: &Int3) -> [Option<Self>; 2] {
        let signs: Vec<Ordering> = self.ring.iter().map(|c| sign(&dot(line, &c.at))).collect();
        let has = |which: Ordering| signs.contains(&which);
        match (has(Ordering::Greater), has(Ordering::Less)) {
            (true, true) => {}
            (true, false) => return [Some(self.clone()), None],
            (false, _) => return [None, Some(self.clone())],
        }
        [Ordering::Greater, Ordering::Less].map(|which| Some(self.half(line, &signs, which)))
    }

    /// The part on one side of a line that passes through the piece's inside.
    fn half(&self, line: &Int3, signs: &[Ordering], which: Ordering) -> Self {
        let count = self.ring.len();
        let mut ring = Vec::with_capacity(count + 1);
        for (k, corner) in self.ring.iter().enumerate() {
            let (here, there) = (signs[k], signs[(k + 1) % count]);
            if here == which {
                ring.push(corner.clone());
            } else if here.is_eq() {
                // The border begins or ends here.
                let next = if there == which { &corner.next } else { line };
                ring.push(PieceCorner {
                    at: corner.at.clone(),
                    next: next.clone(),
                });
            }
            if here.is_ne() && there == here.reverse() {
                let leaves = here == which;
                ring.push(PieceCorner {
                    at: meeting(&corner.next, line),
                    next: if leaves { line } else { &corner.next }.clone(),
                });
            }
        }
        Self {
            ring,
            is_whole: false,
        }
    }

    /// The corners as floats, and how far they may be off.
    pub(crate) fn corners(&self, triangle: &Triangle) -> (Vec<Point>, f64) {
        if self.is_whole {
            return (triangle.to_vec(), 0.0);
        }
        let corner = |corner: &PieceCorner| at_weights(triangle, to_float(&corner.at));
        let all = triangle.as_flattened().iter();
        let size = all.fold(0.0, |size: f64, x| size.max(x.abs()));
        let corners = self.ring.iter().map(corner).collect();
        (corners, PIECE_ROUNDINGS * f64::EPSILON * size)
    }

    /// The piece as triangles, and how far their corners may be off.
    pub(crate) fn triangles(&self, triangle: &Triangle) -> (Vec<Triangle>, f64) {
        let (corners, slack) = self.corners(triangle);
        let fan = (2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]);
        (fan.collect(), slack)
    }

    /// Its part of the triangle's area, to a few roundings.
    pub(crate) fn share(&self) -> f64 {
        let flat = |corner: &PieceCorner| {
            let [x, y, z] = to_float(&corner.at);
            let sum = x + y + z;
            [x / sum, y / sum]
        };
        let corners: Vec<[f64; 2]> = self.ring.iter().map(flat).collect();
        let fan = (2..corners.len()).map(|k| {
            let [p, q] = [corners[k - 1], corners[k]].map(|p| [0, 1].map(|j| p[j] - corners[0][j]));
            p[0] * q[1] - p[1] * q[0]
        });
        fan.sum::<f64>().abs()
    }
}

/// The point of a triangle with these weights.
fn at_weights(triangle: &Triangle, weights: [f64; 3]) -> Point {
    let sum: f64 = weights.iter().sum();
    let [a, b, c] = weights.map(|weight| weight / sum);
    let [p, q, r] = triangle;
    core::array::from_fn(|k| a * p[k] + b * q[k] + c * r[k])
}

/// Where two lines meet within the triangle.
fn meeting(p: &Int3, q: &Int3) -> Int3 {
    let at = cross(p, q);
    let is_turned = at.iter().any(|x| sign(x).is_lt());
    if is_turned { at.map(|x| -x) } else { at }
}

/// The heights of a triangle's corners over the plane of another, times one positive number: the line where the plane cuts it.
fn line_of(plane: &Triangle, triangle: &Triangle) -> Int3 {
    let all = [plane, triangle].into_iter().flatten().flatten().copied();
    let grid = grid_of(all);
    let whole = |p: &Point| -> Int3 { core::array::from_fn(|k| on_grid(p[k], grid)) };
    let [a, b, c] = plane.each_ref().map(whole);
    let normal = cross(&sub(&b, &a), &sub(&c, &a));
    triangle
        .each_ref()
        .map(|p| dot(&normal, &sub(&whole(p), &a)))
}

/// How a convex body lies to a triangle.
enum Lie {
    /// It holds all of it.
    Holds,
    /// It holds none of its inside.
    Apart,
    /// It may hold a part: within these lines.
    Cuts(Vec<Int3>),
}

/// A convex body as planes: three points of each facet, counter-clockwise seen from outside.
fn lie(planes: &[Triangle], triangle: &Triangle) -> Lie {
    let mut lines = Vec::new();
    for plane in planes {
        let signs = triangle.map(|p| side(plane, p));
        let is_beyond = signs.contains(&Ordering::Greater);
        if is_beyond && !signs.contains(&Ordering::Less) {
            return Lie::Apart;
        }
        if is_beyond {
            lines.push(plane);
        }
    }
    if lines.is_empty() {
        return Lie::Holds;
    }
    Lie::Cuts(
        lines
            .into_iter()
            .map(|plane| line_of(plane, triangle))
            .collect(),
    )
}

/// What of a triangle is outside of all of some convex bodies, each given by its planes.
pub(crate) fn outside<'p>(
    triangle: &Triangle,
    bodies: impl Iterator<Item = &'p [Triangle]>,
    budget: &mut CutBudget,
) -> Remains {
    let mut cutting = Vec::new();
    for planes in bodies {
        match lie(planes, triangle) {
            Lie::Holds => {
                return Remains {
                    pieces: Vec::new(),
                    complete: true,
                };
            }
            Lie::Apart => {}
            Lie::Cuts(lines) => cutting.push(lines),
        }
    }
    let mut pieces = vec![Piece::whole()];
    for lines in &cutting {
        let mut left = Vec::new();
        for piece in pieces {
            if budget.0 < lines.len() {
                return Remains {
                    pieces: vec![Piece::whole()],
                    complete: false,
                };
            }
            budget.0 -= lines.len();
            take_away(piece, lines, &mut left);
        }
        pieces = left;
    }
    Remains {
        pieces,
        complete: true,
    }
}

/// Adds to `left` what of a piece is outside of a body.
fn take_away(piece: Piece, lines: &[Int3], left: &mut Vec<Piece>) {
    let before = left.len();
    let mut rest = piece.clone();
    for line in lines {
        let [beyond, within] = rest.cut(line);
        let Some(within) = within else {
            // The body holds none of the piece's inside.
            left.truncate(before);
            left.push(piece);
            return;
        };
        left.extend(beyond);
        rest = within;
    }
}
