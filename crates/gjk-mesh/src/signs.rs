//! On which side of a plane a point is, and of a line in the plane: exact signs of points of one body.
//!
//! Where it sits: below everything of this crate. The signs are those of `gjk-exact`: floats with a bound first, big integers last.
//! Its formulas are of differences `a − b`; here `b` is the origin, so that they are of `a` alone.

use core::cmp::Ordering;
use gjk_exact::{AdaptiveSigns, DirectionKind, Operand, SignOracle, Vertex};

/// A point.
pub(crate) type Point = [f64; 3];

/// Three corners.
pub(crate) type Triangle = [Point; 3];

fn vertex(p: Point) -> Vertex {
    Vertex::new([0; 2], p, [0.0; 3])
}

/// The difference of two points, which is not zero: a direction that nothing rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    from: Point,
    to: Point,
}

impl Span {
    pub(crate) const fn new(from: Point, to: Point) -> Self {
        Self { from, to }
    }

    /// The direction with these coordinates.
    pub(crate) const fn of_coordinates(to: Point) -> Self {
        Self { from: [0.0; 3], to }
    }

    pub(crate) fn reversed(&self) -> Self {
        Self::new(self.to, self.from)
    }

    fn difference(&self) -> Vertex {
        Vertex::new([0; 2], self.to, self.from)
    }

    /// Which way another direction turns from this one when both lose a coordinate; see [`turn`].
    pub(crate) fn turn(&self, other: &Self, dropped: usize) -> Ordering {
        let [x, y] = [(dropped + 1) % 3, (dropped + 2) % 3];
        let flat = |p: &Point| [p[x], p[y], 0.0];
        let line = DirectionKind::Line([vertex(flat(&self.from)), vertex(flat(&self.to))]);
        AdaptiveSigns::default()
            .sign(
                &line.into(),
                &Operand::Points(flat(&other.to), flat(&other.from)),
            )
            .reverse()
    }

    /// A coordinate to drop so that another direction turns from this one, and which way; `None` for parallel ones.
    pub(crate) fn turn_to(&self, other: &Self) -> Option<(usize, Ordering)> {
        (0..3)
            .map(|axis| (axis, self.turn(other, axis)))
            .find(|(_, turn)| turn.is_ne())
    }

    /// Whether two directions are one.
    pub(crate) fn is_along(&self, other: &Self) -> bool {
        let steps = |s: &Self| -> [Option<Ordering>; 3] {
            core::array::from_fn(|k| s.to[k].partial_cmp(&s.from[k]))
        };
        self == other || steps(self) == steps(other) && self.turn_to(other).is_none()
    }
}

/// The sign of the determinant of three directions: greater where they are a right-handed frame.
pub(crate) fn determinant(u: &Span, v: &Span, w: &Span) -> Ordering {
    let normal = DirectionKind::Around([vertex(u.from), vertex(u.to), v.difference()]);
    AdaptiveSigns::default().sign(&normal.into(), &Operand::Points(w.to, w.from))
}

/// The side of a triangle's plane that a point is on: greater where the corners run counter-clockwise seen from there.
///
/// Equal also for every point where the triangle is flat.
pub(crate) fn side([a, b, c]: &Triangle, p: Point) -> Ordering {
    let normal = DirectionKind::Plane([vertex(*a), vertex(*b), vertex(*c)]);
    AdaptiveSigns::default().sign(&normal.into(), &Operand::Points(p, *a))
}

/// The coordinate to drop from a triangle so that it keeps an area; `None` for a flat one.
pub(crate) fn dropped(triangle: &Triangle) -> Option<usize> {
    let [a, b, c] = *triangle;
    (0..3).find(|&axis| turn(axis, [a, b, c]).is_ne())
}

/// Which way three points turn that lose a coordinate: greater to the left, looking against the dropped axis.
pub(crate) fn turn(dropped: usize, points: Triangle) -> Ordering {
    let [x, y] = [(dropped + 1) % 3, (dropped + 2) % 3];
    let [a, b, c] = points.map(|p| [p[x], p[y], 0.0]);
    let line = DirectionKind::Line([vertex(a), vertex(b)]);
    // The line's normal is to the right.
    AdaptiveSigns::default()
        .sign(&line.into(), &Operand::Points(c, a))
        .reverse()
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cmp::Ordering::{Equal, Greater, Less};

    #[test]
    fn the_side_is_where_the_corners_run_counter_clockwise() {
        let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(side(&triangle, [0.3, 0.3, 1e-300]), Greater);
        assert_eq!(side(&triangle, [0.3, 0.3, -1e-300]), Less);
        assert_eq!(side(&triangle, [5.0, 7.0, 0.0]), Equal);
    }

    #[test]
    fn a_turn_to_the_left_is_greater_for_each_dropped_axis() {
        for axis in 0..3 {
            let mut points = [[0.0; 3]; 3];
            points[1][(axis + 1) % 3] = 1.0;
            points[2][(axis + 2) % 3] = 1.0;
            assert_eq!(turn(axis, points), Greater);
            points.swap(1, 2);
            assert_eq!(turn(axis, points), Less);
            assert_eq!(dropped(&points), Some(axis));
        }
        let flat = [[0.0; 3], [1.0, 2.0, 3.0], [2.0, 4.0, 6.0]];
        assert_eq!(dropped(&flat), None);
    }

    #[test]
    fn the_last_bit_decides() {
        let one = 1.0 + f64::EPSILON;
        let triangle = [[0.1, 0.1, 0.1], [0.3, 0.1, 0.1], [0.1, 0.7, 0.1]];
        assert_eq!(side(&triangle, [9.0, 9.0, 0.1]), Equal);
        assert_eq!(side(&triangle, [9.0, 9.0, 0.1 * one]), Greater);
    }
}
