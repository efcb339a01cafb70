//! The oracle: a line against the difference of two hulls by brute force, in integers.
//!
//! A line meets a hull between points of triangles, edges and vertices of its points. It is intersected with each, by Cramer's rule. Each coordinate is
//! an integer on the grid of all floats, so each place is a fraction.

use core::cmp::Ordering;
use gjk::Scalar;
use gjk::query::Interval;
use gjk_exact::Int;
use gjk_exact::integer::{Int3, cross, dot, grid_of, is_zero, neg, on_grid, sub};

/// A fraction with a positive denominator.
#[derive(Clone, Debug)]
pub(crate) struct Place(Int, Int);

impl Place {
    fn of(above: Int, below: Int) -> Self {
        if below < Int::ZERO {
            Self(-above, -below)
        } else {
            Self(above, below)
        }
    }
    /// Against a float, which may be infinite.
    pub(crate) fn compare(&self, x: f64) -> Ordering {
        if x.is_infinite() {
            return if x > 0.0 {
                Ordering::Less
            } else {
                Ordering::Greater
            };
        }
        let grid = grid_of([x].into_iter()).min(0);
        let scale = Int::ONE << grid.unsigned_abs() as usize;
        (&self.0 * &scale).cmp(&(on_grid(x, grid) * &self.1))
    }
    fn order(&self, other: &Self) -> Ordering {
        (&self.0 * &other.1).cmp(&(&other.0 * &self.1))
    }
}

/// What a line and a hull have in common.
#[derive(Debug)]
pub(crate) struct Truth {
    /// The first place and the last.
    pub(crate) ends: Option<[Place; 2]>,
    /// The line has inner points.
    pub(crate) inside: bool,
}

/// The truth on two hulls with these velocities: on the line through the origin along their difference, against all differences of points.
pub(crate) fn truth(dim: usize, [a, b]: [&[[f64; 3]]; 2], velocities: [[f64; 3]; 2]) -> Truth {
    let numbers = a.iter().chain(b).chain(&velocities).flatten();
    let grid = grid_of(numbers.copied()).min(0);
    let integer = |p: &[f64; 3]| p.map(|x| on_grid(x, grid));
    let [from, to] = velocities.each_ref().map(integer);
    let v = sub(&to, &from);
    let pairs = a.iter().flat_map(|p| b.iter().map(move |q| (p, q)));
    let mut w: Vec<Int3> = pairs.map(|(p, q)| sub(&integer(p), &integer(q))).collect();
    w.sort();
    w.dedup();
    let places = places(&w, &v);
    let least = places.iter().min_by(|x, y| x.order(y)).cloned();
    let greatest = places.iter().max_by(|x, y| x.order(y)).cloned();
    Truth {
        ends: least.zip(greatest).map(|(x, y)| [x, y]),
        inside: !places.is_empty() && meets_inside(dim, &w, &v),
    }
}

fn places(w: &[Int3], v: &Int3) -> Vec<Place> {
    let mut found = Vec::new();
    let positive = |x: &Int| *x >= Int::ZERO;
    let negative = |x: &Int| *x <= Int::ZERO;
    for (i, a) in w.iter().enumerate() {
        if is_zero(&cross(a, v)) {
            found.push(Place::of(dot(a, v), dot(v, v)));
        }
        for (j, b) in w.iter().enumerate().skip(i + 1) {
            let e = sub(b, a);
            let across = cross(&e, v);
            let below = dot(&across, &across);
            if !below.is_zero() && dot(a, &across).is_zero() {
                let share = dot(&cross(v, a), &across);
                if positive(&share) && share <= below {
                    found.push(Place::of(dot(&cross(&e, a), &across), below));
                }
            }
            for c in w.iter().skip(j + 1) {
                let n = cross(&e, &sub(c, a));
                let below = dot(&n, v);
                let weights = [cross(b, c), cross(c, a), cross(a, b)].map(|x| dot(v, &x));
                if !below.is_zero()
                    && (weights.iter().all(positive) || weights.iter().all(negative))
                {
                    found.push(Place::of(dot(&n, a), below));
                }
            }
        }
    }
    found
}

/// Whether the line, which meets the hull, has inner points: then each plane through the line has points of the hull on both sides.
fn meets_inside(dim: usize, w: &[Int3], v: &Int3) -> bool {
    let up: Int3 = [Int::ZERO, Int::ZERO, Int::ONE];
    let edges: Vec<Int3> = w.iter().map(|p| sub(p, &w[0])).collect();
    let third: &[Int3] = if dim == 2 {
        core::slice::from_ref(&up)
    } else {
        &edges
    };
    let solid = edges.iter().any(|e| {
        edges
            .iter()
            .any(|f| third.iter().any(|g| !dot(&cross(e, f), g).is_zero()))
    });
    let split = |n: &Int3| {
        let both = |sign: Ordering| w.iter().any(|p| dot(n, p).cmp(&Int::ZERO) == sign);
        both(Ordering::Less) && both(Ordering::Greater)
    };
    if dim == 2 {
        return solid && split(&cross(&up, v));
    }
    solid
        && w.iter().all(|p| {
            let n = cross(v, p);
            is_zero(&n) || split(&n) && split(&neg(&n))
        })
}

/// Without a proof a time may be a few roundings wider, and holds that of the proof.
pub(crate) fn holds<S: Scalar>(
    plain: Option<Interval<S>>,
    exact: Option<Interval<S>>,
    what: &dyn Fn() -> String,
) {
    let (Some(plain), Some(exact)) = (plain, exact) else {
        assert_eq!(plain, exact, "{}", what());
        return;
    };
    let around = plain.lower <= exact.lower && exact.upper <= plain.upper;
    let size = Scalar::max(Scalar::abs(plain.lower), Scalar::abs(plain.upper)).to_f64();
    let wide = (plain.upper.to_f64() - plain.lower.to_f64())
        > size * (2f64.powi(-40) + 4.0 * S::ROUNDING.to_f64());
    assert!(around && !wide, "{plain:?} {exact:?} {}", what());
}
