//! The hull of points in the plane: sort, then one exact turn test a step.

use super::HullError;
use super::cloud::Cloud;
use alloc::vec::Vec;

/// The convex hull of points in the plane, by indices into the input. Where points coincide, the lowest index stands
/// for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanarHull {
    /// All points coincide.
    Point(u32),
    /// All points lie on one line; the two ends, in lexicographic order of their coordinates.
    Segment(u32, u32),
    /// Three or more strictly convex corners, counter-clockwise; the lexicographically smallest comes first.
    Polygon(Vec<u32>),
}

/// Returns the convex hull of a point set in the plane, decided exactly.
///
/// Shapes: `points` is `[n]`, n ≥ 1, any order; duplicates, inner and collinear points are dropped.
/// # Accuracy    exact for every finite input: the corners are those of the true hull.
/// # Errors      [`HullError::Empty`], [`HullError::NotFinite`], [`HullError::TooManyPoints`].   # Panics  never.
/// # Complexity  O(n log n) time, O(n) memory.
/// # Examples
/// ```
/// use gjk::hull::{convex_hull_2, PlanarHull};
/// let points = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [2.0, 2.0], [1.0, 0.0]];
/// assert_eq!(convex_hull_2(&points), Ok(PlanarHull::Polygon(vec![0, 1, 3])));
/// ```
/// # Source      Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions".
pub fn convex_hull_2(points: &[[f64; 2]]) -> Result<PlanarHull, HullError> {
    let cloud = Cloud::new(points)?;
    let mut order: Vec<u32> = (0..cloud.len()).collect();
    order.sort_unstable_by(|&i, &j| cloud.compare(i, j).then(i.cmp(&j)));
    order.dedup_by(|later, kept| cloud.compare(*later, *kept).is_eq());
    if let [only] = order[..] {
        return Ok(PlanarHull::Point(only));
    }
    let mut ring = Vec::new();
    push_chain(&cloud, &mut ring, order.iter().copied());
    ring.pop(); // the last point begins the upper chain
    let lower = ring.len();
    push_chain(&cloud, &mut ring, order.iter().rev().copied());
    ring.pop(); // the first point began the lower chain
    if ring.len() == 2 {
        return Ok(PlanarHull::Segment(ring[0], ring[1]));
    }
    debug_assert!(lower >= 1 && ring.len() >= 3);
    Ok(PlanarHull::Polygon(ring))
}

/// Appends the chain of strict left turns through `order`; what `ring` held before is left alone.
fn push_chain(cloud: &Cloud<'_, 2>, ring: &mut Vec<u32>, order: impl Iterator<Item = u32>) {
    let start = ring.len();
    for i in order {
        while let [.., a, b] = ring[start..] {
            if cloud.turn([0, 1], a, b, i).is_gt() {
                break;
            }
            ring.pop();
        }
        ring.push(i);
    }
}
