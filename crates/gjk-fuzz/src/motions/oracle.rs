//! The truth on a line and a hull, by brute force in integers.

use gjk::query::Meeting;
use gjk_exact::Int;
use gjk_exact::integer::{Int3, cross, dot, grid_of, is_zero, on_grid, sub};
use std::cmp::Ordering;

/// A fraction with a positive denominator.
#[derive(Clone, Debug)]
pub(super) struct Place(Int, Int);

impl Place {
    fn of(above: Int, below: Int) -> Self {
        if below < Int::ZERO {
            Self(-above, -below)
        } else {
            Self(above, below)
        }
    }

    /// Against a float, which may be infinite.
    pub(super) fn compare(&self, x: f64) -> Ordering {
        if x.is_infinite() {
            return if x > 0.0 {
                Ordering::Less
            } else {
                Ordering::Greater
            };
        }
        let grid = grid_of([x].into_iter()).min(0);
        let shift = grid.unsigned_abs() as usize;
        (&self.0 << shift).cmp(&(on_grid(x, grid) * &self.1))
    }

    fn order(&self, other: &Self) -> Ordering {
        (&self.0 * &other.1).cmp(&(&other.0 * &self.1))
    }
}

/// What a line and a hull have in common.
pub(super) struct MotionTruth {
    /// The first place and the last.
    pub(super) ends: Option<[Place; 2]>,
    /// The line has inner points.
    pub(super) inside: bool,
}

impl MotionTruth {
    /// How a motion that ends at `end` meets, if a start in contact is a hit and touch counts.
    pub(super) fn meeting(&self, end: f64) -> Meeting {
        let Some([first, last]) = &self.ends else {
            return Meeting::Free;
        };
        match (first.compare(0.0), last.compare(0.0)) {
            (_, Ordering::Less) => Meeting::Free,
            (Ordering::Greater, _) if first.compare(end).is_gt() => Meeting::Free,
            (Ordering::Greater, _) => Meeting::Hits,
            (Ordering::Less, Ordering::Greater) if self.inside => Meeting::StartsOverlapping,
            _ => Meeting::StartsTouching,
        }
    }

    /// Whether a motion that hits meets no inner point until its end.
    pub(super) fn touches_only(&self, end: f64) -> bool {
        let at_end = |[first, _]: &[Place; 2]| first.compare(end).is_eq();
        !self.inside || self.ends.as_ref().is_some_and(at_end)
    }
}

/// The truth on two hulls with these velocities: on the line through the origin along their difference, and all differences of points.
pub(super) fn truth(
    dim: usize,
    [a, b]: [&[[f64; 3]]; 2],
    velocities: [[f64; 3]; 2],
) -> MotionTruth {
    let numbers = a.iter().chain(b).chain(&velocities).flatten();
    let grid = grid_of(numbers.copied()).min(0);
    let integer = |p: &[f64; 3]| p.map(|x| on_grid(x, grid));
    let [from, to] = velocities.each_ref().map(integer);
    let v = sub(&to, &from);
    let pairs = a.iter().flat_map(|p| b.iter().map(move |q| (p, q)));
    let mut seen: Vec<Int3> = pairs.map(|(p, q)| sub(&integer(p), &integer(q))).collect();
    seen.sort();
    seen.dedup();
    let places = places(&seen, &v);
    let least = places.iter().min_by(|x, y| x.order(y)).cloned();
    let greatest = places.iter().max_by(|x, y| x.order(y)).cloned();
    MotionTruth {
        ends: least.zip(greatest).map(|(x, y)| [x, y]),
        inside: !places.is_empty() && meets_inside(dim, &seen, &v),
    }
}

/// Where the line meets vertices, edges and triangles of points that are seen from its origin.
fn places(seen: &[Int3], v: &Int3) -> Vec<Place> {
    let mut found = Vec::new();
    for (i, a) in seen.iter().enumerate() {
        if is_zero(&cross(a, v)) {
            found.push(Place::of(dot(a, v), dot(v, v)));
        }
        for (j, b) in seen.iter().enumerate().skip(i + 1) {
            let e = sub(b, a);
            let across = cross(&e, v);
            let below = dot(&across, &across);
            if !below.is_zero() && dot(a, &across).is_zero() {
                let share = dot(&cross(v, a), &across);
                if share >= Int::ZERO && share <= below {
                    found.push(Place::of(dot(&cross(&e, a), &across), below));
                }
            }
            for c in seen.iter().skip(j + 1) {
                let n = cross(&e, &sub(c, a));
                let below = dot(&n, v);
                if below.is_zero() {
                    continue;
                }
                let sides = [cross(b, c), cross(c, a), cross(a, b)].map(|x| dot(v, &x));
                let within =
                    sides.iter().all(|x| *x >= Int::ZERO) || sides.iter().all(|x| *x <= Int::ZERO);
                if within {
                    found.push(Place::of(dot(&n, a), below));
                }
            }
        }
    }
    found
}

/// Whether a line that meets a hull has inner points of it: the hull is solid, and each plane through the line and a point has points on both sides.
fn meets_inside(dim: usize, seen: &[Int3], v: &Int3) -> bool {
    let up: [Int3; 1] = [[Int::ZERO, Int::ZERO, Int::ONE]];
    let edges: Vec<Int3> = seen.iter().map(|p| sub(p, &seen[0])).collect();
    let third: &[Int3] = if dim == 2 { &up } else { &edges };
    let spans = |e: &Int3, f: &Int3| {
        let normal = cross(e, f);
        third.iter().any(|g| !dot(&normal, g).is_zero())
    };
    let solid = edges.iter().any(|e| edges.iter().any(|f| spans(e, f)));
    let split = |n: &Int3| {
        let side = |sign: Ordering| seen.iter().any(|p| dot(n, p).cmp(&Int::ZERO) == sign);
        side(Ordering::Less) && side(Ordering::Greater)
    };
    if dim == 2 {
        return solid && split(&cross(&up[0], v));
    }
    let mut planes = seen.iter().map(|p| cross(v, p)).filter(|n| !is_zero(n));
    solid && planes.all(|n| split(&n))
}
