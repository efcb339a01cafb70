//! Neighbours that share nothing but their corners in common, where floats are sure of it.
//!
//! Idea: any plane parts two triangles that has them on its two sides, however its normal was found. Two with one corner in common are parted by a
//! plane through it, two with an edge in common by being unfolded.
//! Numbers: a height counts beyond its roundings only. What is not sure is asked by exact signs.

use crate::signs::{Point, Triangle};
use crate::vector::{cross, dot, minus, plus, unit};

/// Roundings of a height along a direction, in parts of the sum of its products' sizes: a difference, a product and two sums, and the size is off by
/// as many. Of the product of two normals each part has twice as many.
const HEIGHT_ROUNDINGS: f64 = 16.0;

/// Smaller products may have lost more by an underflow.
const SIZE_MIN: f64 = 1e-280;

/// A value that is off by its roundings, in parts of this size: whether it is above 0 for sure.
fn is_above(value: f64, size: f64) -> bool {
    value > HEIGHT_ROUNDINGS * 0.5 * f64::EPSILON * size && value > SIZE_MIN && size.is_finite()
}

/// Whether a point is strictly on the side of a plane through another, to which its normal points.
fn is_ahead(normal: Point, from: Point, to: Point) -> bool {
    let step = minus(to, from);
    is_above(
        dot(normal, step),
        dot(normal.map(f64::abs), step.map(f64::abs)),
    )
}

/// Two triangles without a common corner that are apart.
pub(super) fn are_apart(a: &Triangle, b: &Triangle) -> bool {
    let middle = |t: &Triangle| plus(plus(t[0], t[1]), t[2]);
    if are_apart_along(minus(middle(b), middle(a)), a, b) {
        return true;
    }
    // Beside one another in one plane, or about one: what is across an edge of either.
    let across = |of: &Triangle, from: &Triangle, to: &Triangle, outward: f64| {
        let [x, y, z] = *of;
        let normal = cross(minus(y, x), minus(z, x)).map(|c| outward * c);
        [[x, y], [y, z], [z, x]]
            .into_iter()
            .any(|[p, q]| are_apart_along(cross(minus(q, p), normal), from, to))
    };
    across(a, a, b, 1.0) || across(b, a, b, -1.0)
}

/// Whether two triangles are apart along a direction, the second one ahead.
fn are_apart_along(direction: Point, a: &Triangle, b: &Triangle) -> bool {
    let Some(axis) = unit(direction) else {
        return false;
    };
    let height = |p: &Point| dot(axis, *p);
    let farthest = |best: Point, p: &Point| if height(p) > height(&best) { *p } else { best };
    let last = a.iter().fold(a[0], farthest);
    b.iter().all(|&p| is_ahead(axis, last, p))
        && a.iter().all(|&p| p == last || is_ahead(axis, p, last))
}

/// Two triangles whose first corner is one, and that share nothing else.
pub(super) fn at_corner([o, p, q]: &Triangle, [_, r, s]: &Triangle) -> bool {
    let towards = |to: &Point| unit(minus(*to, *o));
    let (Some(p_way), Some(q_way), Some(r_way), Some(s_way)) =
        (towards(p), towards(q), towards(r), towards(s))
    else {
        return false;
    };
    let normal = minus(plus(p_way, q_way), plus(r_way, s_way));
    [p, q].iter().all(|to| is_ahead(normal, *o, **to))
        && [r, s].iter().all(|to| is_ahead(normal, **to, *o))
}

/// Two triangles whose first two corners are the same, the second with the corner `q`, that are not folded onto one another.
pub(super) fn at_edge([u, v, p]: &Triangle, q: Point) -> bool {
    let edge = minus(*v, *u);
    let normal_to = |to: Point| {
        let step = minus(to, *u);
        let size = [(1, 2), (2, 0), (0, 1)]
            .map(|(i, j): (usize, usize)| (edge[i] * step[j]).abs() + (edge[j] * step[i]).abs());
        (cross(edge, step), size)
    };
    let ((n, n_size), (m, m_size)) = (normal_to(*p), normal_to(q));
    is_above(-dot(n, m), dot(n_size, m_size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TriMesh;

    /// What floats are sure of, exact signs say too; and floats are sure of most neighbours.
    #[test]
    fn parted_neighbours_have_no_contact() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut sure = [0; 3];
        for case in 0..30_000 {
            let scale = [1.0, 0.1, 1e-12][case % 3];
            let mut point = || [(); 3].map(|()| f64::from(random.i32(0..6)) * scale);
            let (a, mut b) = ([point(), point(), point()], [point(), point(), point()]);
            let shared = case / 3 % 3;
            b[..shared].copy_from_slice(&a[..shared]);
            let is_sure = match shared {
                0 => are_apart(&a, &b),
                1 => at_corner(&a, &b),
                _ => at_edge(&a, b[2]),
            };
            if !is_sure {
                continue;
            }
            sure[shared] += 1;
            let vertices: Vec<Point> = a.iter().chain(&b).copied().collect();
            let mesh = TriMesh::new(&vertices, &[[0, 1, 2], [3, 4, 5]]).expect("triangles");
            let exact = mesh.triangles().len() == 2 && mesh.contact_of(0, 1).is_some();
            assert!(!exact, "{a:?} {b:?}");
        }
        assert!(sure.iter().all(|&count| count > 2000), "{sure:?}");
    }
}
