//! On which side of a plane a point is, of a line in the plane, and how directions turn: exact signs of points of one body.
//!
//! Where it sits: below everything of this crate. The signs are those of `gjk-exact`: floats with a bound first, big integers last.

use crate::vector::{cross, dot, minus};
use core::cmp::Ordering;
use gjk_exact::determinant::{sign_2, sign_3};

/// A point.
pub(crate) type Point = [f64; 3];

/// Three corners.
pub(crate) type Triangle = [Point; 3];

/// The difference of two points, which is not zero: a direction that nothing rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    ends: [Point; 2],
}

impl Span {
    pub(crate) const fn new(from: Point, to: Point) -> Self {
        Self { ends: [from, to] }
    }

    /// The direction with these coordinates.
    pub(crate) const fn of_coordinates(to: Point) -> Self {
        Self::new([0.0; 3], to)
    }

    pub(crate) fn ends(&self) -> [Point; 2] {
        self.ends
    }

    pub(crate) fn reversed(&self) -> Self {
        let [from, to] = self.ends;
        Self::new(to, from)
    }

    /// Which way another direction turns from this one when both lose a coordinate; see [`turn`].
    pub(crate) fn turn(&self, other: &Self, dropped: usize) -> Ordering {
        let flat = |span: &Self| span.ends.map(|p| without(dropped, p));
        sign_2(&flat(self), &flat(other))
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
            core::array::from_fn(|k| s.ends[1][k].partial_cmp(&s.ends[0][k]))
        };
        self == other || steps(self) == steps(other) && self.turn_to(other).is_none()
    }
}

/// The sign of the determinant of three directions: greater where they are a right-handed frame.
pub(crate) fn determinant(u: &Span, v: &Span, w: &Span) -> Ordering {
    sign_3(&u.ends, &v.ends, &w.ends)
}

/// The side of a triangle's plane that a point is on: greater where the corners run counter-clockwise seen from there.
///
/// Equal also for every point where the triangle is flat.
pub(crate) fn side([a, b, c]: &Triangle, p: Point) -> Ordering {
    sign_3(&[*a, *b], &[*a, *c], &[*a, p])
}

/// Roundings of a height over a plane, in parts of the sum of its products' sizes: three differences, two products, and three sums on the longest
/// way, each off by one, make 8; the size is off by as many.
const PLANE_ROUNDINGS: f64 = 16.0;

/// Products of sizes between these, and of parts of them, lose less by an underflow than what is left of the roundings.
const PLANE_SIZES: [f64; 2] = [f64::from_bits(523 << 52), f64::from_bits(1523 << 52)];

/// The plane of a triangle, for many points: a height in floats decides where its sign is sure, and [`side`] where it is not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    normal: Point,
    /// By coordinate, the sum of the sizes of the normal's two products.
    size: Point,
    /// By coordinate, whether both products have a factor that is zero.
    is_zero: [bool; 3],
}

impl Plane {
    pub(crate) fn of([a, b, c]: &Triangle) -> Self {
        let (u, v) = (minus(*b, *a), minus(*c, *a));
        let size = |i: usize, j: usize| (u[i] * v[j]).abs() + (u[j] * v[i]).abs();
        let is_zero =
            |i: usize, j: usize| (u[i] == 0.0 || v[j] == 0.0) && (u[j] == 0.0 || v[i] == 0.0);
        Self {
            normal: cross(u, v),
            size: [size(1, 2), size(2, 0), size(0, 1)],
            is_zero: [is_zero(1, 2), is_zero(2, 0), is_zero(0, 1)],
        }
    }

    /// A coordinate to drop from the triangle so that it keeps an area, as [`dropped`]; perhaps another one.
    pub(crate) fn dropped(&self, triangle: &Triangle) -> Option<usize> {
        let is_sure = |&k: &usize| {
            let bound = PLANE_ROUNDINGS * 0.5 * f64::EPSILON * self.size[k];
            self.normal[k].abs() > bound && self.size[k] > PLANE_SIZES[0]
        };
        (0..3).find(is_sure).or_else(|| dropped(triangle))
    }

    /// The side of the plane that a point is on; the triangle is that of the plane.
    #[inline]
    pub(crate) fn side(&self, triangle: &Triangle, p: Point) -> Ordering {
        if let Some(side) = self.sure_side(triangle[0], p) {
            return side;
        }
        // As on planes along the axes.
        if (0..3).all(|k| self.is_zero[k] || p[k] == triangle[0][k]) {
            return Ordering::Equal;
        }
        side(triangle, p)
    }

    /// The side of a point that is off the plane, where floats are sure of it. `corner`: one of the triangle's, the first.
    #[inline]
    pub(crate) fn sure_side(&self, corner: Point, p: Point) -> Option<Ordering> {
        let from = minus(p, corner);
        let height = dot(self.normal, from);
        let reach = from.map(f64::abs);
        let size = dot(self.size, reach);
        let bound = PLANE_ROUNDINGS * 0.5 * f64::EPSILON * size;
        let [least, most] = PLANE_SIZES;
        let is_sure = height.abs() > bound && size > least && reach[0] + reach[1] + reach[2] < most;
        let side = if height > 0.0 {
            Ordering::Greater
        } else {
            Ordering::Less
        };
        is_sure.then_some(side)
    }
}

/// The coordinate to drop from a triangle so that it keeps an area; `None` for a flat one.
pub(crate) fn dropped(triangle: &Triangle) -> Option<usize> {
    (0..3).find(|&axis| turn(axis, *triangle).is_ne())
}

/// Whether a triangle has no area: its corners are on a line.
pub(crate) fn is_flat(triangle: &Triangle) -> bool {
    dropped(triangle).is_none()
}

/// Which way three points turn that lose a coordinate: greater to the left, looking against the dropped axis.
pub(crate) fn turn(dropped: usize, points: Triangle) -> Ordering {
    let [a, b, c] = points.map(|p| without(dropped, p));
    sign_2(&[a, b], &[a, c])
}

/// A point without a coordinate: the next two, in cyclic order.
fn without(dropped: usize, p: Point) -> [f64; 2] {
    [p[(dropped + 1) % 3], p[(dropped + 2) % 3]]
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

    /// Floats that are not sure leave the sign to integers: of points of the plane, next to it, and of all sizes.
    #[test]
    fn a_plane_has_the_sides_of_its_triangle() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut equal = 0;
        for case in 0..20_000 {
            let scale = [1.0, 1e-3, 1e-160, 1e150][case % 4];
            let mut point = || [(); 3].map(|()| f64::from(random.i32(-4..5)) * 0.1 * scale);
            let triangle = [point(), point(), point()];
            let [a, b, c] = triangle;
            let mut p = point();
            if case % 3 == 0 {
                // In the plane, but for a rounding.
                p = [0, 1, 2].map(|k: usize| a[k] + 0.3 * (b[k] - a[k]) + 0.7 * (c[k] - a[k]));
            }
            let sign = side(&triangle, p);
            assert_eq!(
                Plane::of(&triangle).side(&triangle, p),
                sign,
                "{triangle:?} {p:?}"
            );
            equal += usize::from(sign.is_eq());
        }
        assert!((500..15_000).contains(&equal), "{equal}");
    }

    #[test]
    fn the_last_bit_decides() {
        let one = 1.0 + f64::EPSILON;
        let triangle = [[0.1, 0.1, 0.1], [0.3, 0.1, 0.1], [0.1, 0.7, 0.1]];
        assert_eq!(side(&triangle, [9.0, 9.0, 0.1]), Equal);
        assert_eq!(side(&triangle, [9.0, 9.0, 0.1 * one]), Greater);
    }
}
