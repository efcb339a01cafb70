//! Makes the cut of two meshes.
//!
//! Idea: both lists are halved by the middles of triangles, the wider part first, until an axis tells two parts apart: an axis of the world, or the line
//! between the nearest points of the two parts' hulls. Floats find the axes; where they cannot be sure of one the parts are halved further.

use super::{Cut, CutNode, axis};
use crate::signs::Triangle;
use crate::vector::{dot, minus, plus, times, unit};
use core::ops::Range;
use gjk::query::{Direction, Options, Verdict};

use gjk::{Core, NO_ID, Pair, Pose3, Support, SupportPoint, Vec3};
use gjk_exact::number::two_sum;

/// Roundings of a height along an axis, in parts of the sum of the products' sizes: three products and two sums each lose one, and the difference of
/// two heights one more.
const HEIGHT_ROUNDINGS: f64 = 8.0;

/// So many axes are tried in turn for two parts; parts that need more are halved.
const AXIS_STEPS: usize = 12;

/// How well the distance of two parts' hulls is known: an axis that is off by so little tells nearly as much apart.
const HULLS_TOLERANCE: f64 = 1e-2;

/// Both lists of triangles in the order of their cut.
pub(super) struct Cutter {
    order: [Vec<u32>; 2],
    /// By body, in that order: the corners.
    corners: [Vec<Triangle>; 2],
    /// Parts are apart by at least so much, or more than nothing for 0.
    gap: f64,
    /// The corners of one of the lists are off by so much.
    off: f64,
}

/// Some triangles of a list, and their box.
#[derive(Clone)]
struct CutPart {
    range: Range<usize>,
    low: [f64; 3],
    high: [f64; 3],
}

impl CutPart {
    fn size(&self) -> f64 {
        (0..3).fold(0.0, |size, k| f64::max(size, self.high[k] - self.low[k]))
    }
}

impl Cutter {
    pub(super) fn new(triangles: [&[Triangle]; 2], gap: f64) -> Self {
        let order = triangles.map(|triangles| {
            let mut all: Vec<u32> = (0..triangles.len() as u32).collect();
            sort(triangles, &mut all);
            all
        });
        let corners =
            [0, 1].map(|k: usize| order[k].iter().map(|&t| triangles[k][t as usize]).collect());
        Self {
            order,
            corners,
            gap,
            off: 0.0,
        }
    }

    /// The same where one list's corners have been rounded: axes hold for any that are off by so much.
    pub(super) fn rounded(self, off: f64) -> Self {
        Self { off, ..self }
    }

    pub(super) fn cut(self) -> Cut {
        let mut nodes = Vec::new();
        let whole = [0, 1].map(|k: usize| self.part(k, 0..self.order[k].len()));
        let mut open = vec![whole];
        while let Some(parts) = open.pop() {
            if let Some(axis) = self.axis(&parts) {
                nodes.push(CutNode::Apart(Direction::Float(axis)));
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

    fn part(&self, body: usize, range: Range<usize>) -> CutPart {
        let mut part = CutPart {
            range: range.clone(),
            low: [f64::INFINITY; 3],
            high: [f64::NEG_INFINITY; 3],
        };
        for &corner in self.corners[body][range].iter().flatten() {
            part.low = [0, 1, 2].map(|k: usize| part.low[k].min(corner[k]));
            part.high = [0, 1, 2].map(|k: usize| part.high[k].max(corner[k]));
        }
        part
    }

    /// An axis along which the second part is ahead of the first by the gap, for sure.
    fn axis(&self, parts: &[CutPart; 2]) -> Option<[f64; 3]> {
        let [a, b] = parts;
        for k in 0..3 {
            let mut axis = [0.0; 3];
            for (near, far, sign) in [(a, b, 1.0), (b, a, -1.0)] {
                if self.is_beyond(near.high[k], far.low[k]) {
                    axis[k] = sign;
                    return Some(axis);
                }
            }
        }
        let axis = self.between(parts)?;
        if self.is_apart(parts, axis) {
            return Some(axis);
        }
        // They are apart, and by how much is asked.
        let axis = self.nearest_along(parts)?;
        self.is_apart(parts, axis).then_some(axis)
    }

    /// The direction from the first part's hull to the second's, about.
    fn nearest_along(&self, parts: &[CutPart; 2]) -> Option<[f64; 3]> {
        let hull = |body: usize| CornersHull::new(&self.corners[body], &parts[body]);
        let (a, b, here) = (hull(0), hull(1), Pose3::identity());
        let options = Options::default().with_tolerance_relative(HULLS_TOLERANCE);
        let found = Pair::new(&a, &here, &b, &here).with(&options).distance();
        let normal = found.normal;
        (found.verdict == Verdict::Separated).then_some([normal.x, normal.y, normal.z])
    }

    /// An axis that may tell two parts apart: from their middles' direction on, turned at each step off the corners that reach into one another along it.
    ///
    /// Source: Chung, Wang 1996. The library's distance would go on to decide parts that touch, which nobody asks for here.
    fn between(&self, parts: &[CutPart; 2]) -> Option<[f64; 3]> {
        let middle = |p: &CutPart| plus(p.low, p.high);
        let mut axis = unit(minus(middle(&parts[1]), middle(&parts[0])))?;
        for _ in 0..AXIS_STEPS {
            let [p, q] = self.ends(parts, axis);
            let gap = minus(q, p);
            if dot(axis, gap) > 0.0 {
                return Some(axis);
            }
            let across = unit(gap)?;
            axis = unit(minus(axis, times(across, 2.0 * dot(across, axis))))?;
        }
        None
    }

    /// The first part's farthest corner along an axis, and the second's farthest against it.
    fn ends(&self, parts: &[CutPart; 2], axis: [f64; 3]) -> [[f64; 3]; 2] {
        [(0, axis), (1, times(axis, -1.0))]
            .map(|(k, axis)| farthest(&self.corners[k][parts[k].range.clone()], axis))
    }

    /// Whether one coordinate is beyond another by the gap; without a rounding, where the corners have none.
    fn is_beyond(&self, low: f64, high: f64) -> bool {
        let (step, lost) = two_sum(high, -low);
        if self.off > 0.0 {
            return step > self.gap + 2.0 * self.off;
        }
        step > 0.0 && (step > self.gap || step == self.gap && lost >= 0.0)
    }

    fn is_apart(&self, parts: &[CutPart; 2], axis: [f64; 3]) -> bool {
        let corners = |k: usize| self.corners[k][parts[k].range.clone()].iter().flatten();
        let heights = |k: usize| corners(k).map(|&p| dot(axis, p));
        let size = [0, 1].into_iter().flat_map(corners).fold(0.0, |size, p| {
            f64::max(size, dot(axis.map(f64::abs), p.map(f64::abs)))
        });
        let low = heights(0).fold(f64::NEG_INFINITY, f64::max);
        let high = heights(1).fold(f64::INFINITY, f64::min);
        let slack = HEIGHT_ROUNDINGS * f64::EPSILON * (size + self.gap);
        high - low > (self.gap + 2.0 * self.off) * dot(axis, axis).sqrt() + slack
    }

    /// Two triangles that floats do not tell apart for sure: where a distance is asked, the axis that proves it. A rounding of the axis
    /// may cost more than one of the distance, so integers state it.
    fn last(&self, parts: &[CutPart; 2]) -> CutNode {
        let triangles = [0, 1].map(|k: usize| &self.corners[k][parts[k].range.start]);
        let asked = (self.gap > 0.0).then_some(triangles);
        asked
            .and_then(axis::widest)
            .map_or(CutNode::Near, CutNode::Apart)
    }
}

/// Orders triangles so that halves of the list, and halves of these, are near one another.
fn sort(of: &[Triangle], triangles: &mut [u32]) {
    let middle = |t: u32| {
        let [a, b, c] = of[t as usize];
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

/// The farthest corner along an axis.
fn farthest(triangles: &[Triangle], axis: [f64; 3]) -> [f64; 3] {
    let mut best = (f64::NEG_INFINITY, triangles[0][0]);
    for &corner in triangles.iter().flatten() {
        let height = dot(axis, corner);
        if height > best.0 {
            best = (height, corner);
        }
    }
    best.1
}

/// The hull of triangles' corners. It tells no vertices: a direction is wanted, and nobody asks for an exact verdict.
struct CornersHull<'c> {
    triangles: &'c [Triangle],
    /// Per axis, no coordinate is larger.
    extent: Vec3<f64>,
}

impl<'c> CornersHull<'c> {
    fn new(all: &'c [Triangle], part: &CutPart) -> Self {
        let [x, y, z] = [0, 1, 2].map(|k: usize| f64::max(-part.low[k], part.high[k]).max(0.0));
        Self {
            triangles: &all[part.range.clone()],
            extent: Vec3::new(x, y, z),
        }
    }
}

impl Support<Vec3<f64>> for CornersHull<'_> {
    fn support(&self, d: Vec3<f64>, _hint: u32) -> SupportPoint<Vec3<f64>> {
        let [x, y, z] = farthest(self.triangles, [d.x, d.y, d.z]);
        SupportPoint {
            point: Vec3::new(x, y, z),
            id: NO_ID,
        }
    }

    fn core(&self) -> Core<'_, Vec3<f64>> {
        let [x, y, z] = self.triangles[0][0];
        Core::new(Vec3::new(x, y, z), self.extent)
    }
}
