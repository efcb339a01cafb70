//! The axis along which two triangles are farthest apart, exactly.
//!
//! Idea: the nearest points are on a corner or an edge of each, or a corner and a face. Each such pair of features has one direction, which integers
//! state; the best of all of them is the axis.

use core::cmp::Ordering;
use gjk::query::{BigInt, Direction};
use gjk_exact::integer::{
    Int, Int3, common_factor, cross, dot, grid_of, is_zero, neg, on_grid, scale, sign, sub,
    to_limbs,
};

/// The axis with the widest gap from the first triangle to the second; `None` where there is no gap.
pub(super) fn widest(triangles: [&[[f64; 3]; 3]; 2]) -> Option<Direction> {
    let grid = grid_of(triangles.iter().copied().flatten().flatten().copied()).min(0);
    let [a, b] = triangles.map(|t| t.map(|p| p.map(|x| on_grid(x, grid))));
    let candidates = directions(&a, &b).into_iter().filter(|d| !is_zero(d));
    let gaps = candidates.flat_map(|d| [neg(&d), d]).filter_map(|d| {
        let low = a.iter().map(|p| dot(&d, p)).max()?;
        let high = b.iter().map(|p| dot(&d, p)).min()?;
        let gap = high - low;
        sign(&gap).is_gt().then_some((gap, d))
    });
    let (_, best) = gaps.reduce(|best, next| {
        if wider(&next, &best).is_gt() {
            next
        } else {
            best
        }
    })?;
    let factor = common_factor(&best);
    Some(Direction::Integer(best.map(|x| {
        let (negative, limbs) = to_limbs(&(x / &factor));
        BigInt::from_limbs(negative, limbs)
    })))
}

/// Compares two gaps, each in units of its axis's length.
fn wider((gap, axis): &(Int, Int3), (other, along): &(Int, Int3)) -> Ordering {
    (gap * gap * dot(along, along)).cmp(&(other * other * dot(axis, axis)))
}

/// The directions between features of two triangles.
fn directions(a: &[Int3; 3], b: &[Int3; 3]) -> Vec<Int3> {
    let edges = |t: &[Int3; 3]| [0, 1, 2].map(|k: usize| sub(&t[(k + 1) % 3], &t[k]));
    let [u, v] = [edges(a), edges(b)];
    let mut found = vec![cross(&u[0], &u[1]), cross(&v[0], &v[1])];
    for i in 0..3 {
        for j in 0..3 {
            let between = sub(&b[j], &a[i]);
            found.push(cross(&u[i], &v[j]));
            found.push(across(&between, &u[i]));
            found.push(across(&between, &v[j]));
            found.push(between);
        }
    }
    found
}

/// What of a direction is at a right angle to an edge, times the edge's square.
fn across(direction: &Int3, edge: &Int3) -> Int3 {
    sub(
        &scale(direction, &dot(edge, edge)),
        &scale(edge, &dot(direction, edge)),
    )
}
