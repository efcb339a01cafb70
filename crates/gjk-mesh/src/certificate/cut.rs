//! Makes the cut of two meshes.
//!
//! Idea: both lists are halved by the middles of triangles, the wider part first, until an axis tells two parts apart: an axis of the world, or the line
//! between the nearest points of the two parts' hulls. Floats find the axes; where they cannot be sure of one the parts are halved further.

use super::{Cut, CutNode};
use crate::distance::convex;
use crate::in_place::InPlace;
use crate::vector::{dot, minus};
use core::ops::Range;
use gjk::query::{Options, Verdict};

use gjk::{Core, NO_ID, Pair, Pose3, Support, SupportPoint, Vec3};

/// Roundings of a height along an axis, in parts of the sum of the products' sizes: three products and two sums each lose one, and the difference of
/// two heights one more.
const HEIGHT_ROUNDINGS: f64 = 8.0;

/// Both meshes in the order of their cut.
pub(super) struct Cutter {
    order: [Vec<u32>; 2],
    /// By body, in that order: the corners.
    corners: [Vec<[[f64; 3]; 3]>; 2],
    /// Parts are apart by at least so much, or more than nothing for 0.
    gap: f64,
}

/// Some triangles of a list, and their box.
#[derive(Clone)]
struct Part {
    range: Range<usize>,
    low: [f64; 3],
    high: [f64; 3],
}

impl Part {
    fn size(&self) -> f64 {
        (0..3).fold(0.0, |size, k| f64::max(size, self.high[k] - self.low[k]))
    }
}

impl Cutter {
    pub(super) fn new(meshes: [&InPlace<'_>; 2], gap: f64) -> Self {
        let order = meshes.map(|mesh| {
            let mut all: Vec<u32> = (0..mesh.mesh.triangles().len() as u32).collect();
            sort(mesh, &mut all);
            all
        });
        let corners =
            [0, 1].map(|k: usize| order[k].iter().map(|&t| meshes[k].corners(t)).collect());
        Self {
            order,
            corners,
            gap,
        }
    }

    pub(super) fn cut(self) -> Cut {
        let mut nodes = Vec::new();
        let whole = [0, 1].map(|k: usize| self.part(k, 0..self.order[k].len()));
        let mut open = vec![whole];
        while let Some(parts) = open.pop() {
            if let Some(axis) = self.axis(&parts) {
                nodes.push(CutNode::Apart(axis));
                continue;
            }
            let counts = [0, 1].map(|k: usize| parts[k].range.len());
            let body = match counts {
                [..=1, ..=1] => {
                    nodes.push(self.last(&parts));
                    continue;
                }
                [1, _] => 1,
                [_, 1] => 0,
                _ => usize::from(parts[1].size() > parts[0].size()),
            };
            let range = &parts[body].range;
            let at = range.start + range.len() / 2;
            nodes.push(CutNode::Split {
                body,
                at: at as u32,
            });
            for half in [at..range.end, range.start..at] {
                let mut next = parts.clone();
                next[body] = self.part(body, half);
                open.push(next);
            }
        }
        Cut {
            order: self.order,
            nodes,
        }
    }

    fn part(&self, body: usize, range: Range<usize>) -> Part {
        let mut part = Part {
            range: range.clone(),
            low: [f64::INFINITY; 3],
            high: [f64::NEG_INFINITY; 3],
        };
        for corner in self.corners[body][range].iter().flatten() {
            for k in 0..3 {
                part.low[k] = part.low[k].min(corner[k]);
                part.high[k] = part.high[k].max(corner[k]);
            }
        }
        part
    }

    /// An axis along which the second part is ahead of the first by the gap, for sure.
    fn axis(&self, parts: &[Part; 2]) -> Option<[f64; 3]> {
        let [a, b] = parts;
        for k in 0..3 {
            let mut axis = [0.0; 3];
            let (ahead, behind) = (b.low[k] - a.high[k], a.low[k] - b.high[k]);
            axis[k] = if ahead > behind { 1.0 } else { -1.0 };
            if ahead.max(behind) > 0.0 && self.is_apart(parts, axis) {
                return Some(axis);
            }
        }
        let axis = self.between(parts)?;
        self.is_apart(parts, axis).then_some(axis)
    }

    /// The direction from the first part's hull to the second's, where floats find them apart.
    fn between(&self, parts: &[Part; 2]) -> Option<[f64; 3]> {
        let hulls = [0, 1].map(|k: usize| CornersHull(&self.corners[k][parts[k].range.clone()]));
        let here = Pose3::identity();
        let found = Pair::new(&hulls[0], &here, &hulls[1], &here).distance();
        let normal = found.normal;
        (found.verdict == Verdict::Separated).then_some([normal.x, normal.y, normal.z])
    }

    fn is_apart(&self, parts: &[Part; 2], axis: [f64; 3]) -> bool {
        let corners = |k: usize| self.corners[k][parts[k].range.clone()].iter().flatten();
        let heights = |k: usize| corners(k).map(|&p| dot(axis, p));
        let size = [0, 1].into_iter().flat_map(corners).fold(0.0, |size, p| {
            f64::max(size, dot(axis.map(f64::abs), p.map(f64::abs)))
        });
        let low = heights(0).fold(f64::NEG_INFINITY, f64::max);
        let high = heights(1).fold(f64::INFINITY, f64::min);
        let slack = HEIGHT_ROUNDINGS * f64::EPSILON * (size + self.gap);
        high - low > self.gap * dot(axis, axis).sqrt() + slack
    }

    /// Two triangles that floats do not tell apart for sure: an axis that is exact to a rounding, where a distance is asked.
    fn last(&self, parts: &[Part; 2]) -> CutNode {
        let [a, b] = [0, 1].map(|k: usize| &self.corners[k][parts[k].range.clone()][0]);
        let (Some(a), Some(b), true) = (convex(a), convex(b), self.gap > 0.0) else {
            return CutNode::Near;
        };
        let here = Pose3::identity();
        let found = Pair::new(&a, &here, &b, &here)
            .with(&Options::tight())
            .distance();
        if found.verdict != Verdict::Separated {
            return CutNode::Near;
        }
        CutNode::Apart([found.normal.x, found.normal.y, found.normal.z])
    }
}

/// Orders triangles so that halves of the list, and halves of these, are near one another.
fn sort(mesh: &InPlace<'_>, triangles: &mut [u32]) {
    let middle = |t: u32| {
        let [a, b, c] = mesh.corners(t);
        [0, 1, 2].map(|k: usize| a[k] + b[k] + c[k])
    };
    let mut open = vec![triangles];
    while let Some(part) = open.pop() {
        if part.len() < 2 {
            continue;
        }
        let mut ends = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for &t in &*part {
            let at = middle(t);
            for k in 0..3 {
                ends[0][k] = ends[0][k].min(at[k]);
                ends[1][k] = ends[1][k].max(at[k]);
            }
        }
        let widths = minus(ends[1], ends[0]);
        let axis = (0..3).fold(0, |best, k| if widths[k] > widths[best] { k } else { best });
        let half = part.len() / 2;
        part.select_nth_unstable_by(half, |&s, &t| {
            let by_place = middle(s)[axis].total_cmp(&middle(t)[axis]);
            by_place.then(s.cmp(&t))
        });
        let (low, high) = part.split_at_mut(half);
        open.push(low);
        open.push(high);
    }
}

/// The hull of triangles' corners.
struct CornersHull<'c>(&'c [[[f64; 3]; 3]]);

impl Support<Vec3<f64>> for CornersHull<'_> {
    fn support(&self, d: Vec3<f64>, _hint: u32) -> SupportPoint<Vec3<f64>> {
        let mut best = (f64::NEG_INFINITY, 0, self.0[0][0]);
        for (id, &corner) in (0..).zip(self.0.iter().flatten()) {
            let height = dot([d.x, d.y, d.z], corner);
            if height > best.0 {
                best = (height, id, corner);
            }
        }
        let (_, id, [x, y, z]) = best;
        SupportPoint {
            point: Vec3::new(x, y, z),
            id,
        }
    }

    fn core(&self) -> Core<'_, Vec3<f64>> {
        let known = Core::of_support(|direction| self.support(direction, NO_ID).point);
        Core {
            vertex_count: Some(3 * self.0.len() as u32),
            ..known
        }
    }

    fn vertex(&self, id: u32) -> Option<Vec3<f64>> {
        let [x, y, z] = *self.0.iter().flatten().nth(id as usize)?;
        Some(Vec3::new(x, y, z))
    }
}
