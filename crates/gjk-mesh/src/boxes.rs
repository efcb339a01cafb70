//! A tree of boxes along the axes over triangles, and the pairs of triangles whose boxes meet.
//!
//! Where it sits: built by [`crate::TriMesh`] when first needed. The boxes are exact: their sides are coordinates of vertices.
//! Numbers: boxes that share a point meet.

use crate::ask::Ask;
use crate::signs::{Point, Triangle};
use crate::trace::Compared;
use core::cell::Cell;
use core::ops::ControlFlow;
use gjk::{Pose3, Vector};

/// The most triangles of a leaf.
const LEAF: usize = 4;

/// Six roundings at most stand between the gap of two boxes and the truth: a difference, its square, two sums, a root, and this product.
/// Four units of the last place, of two roundings each, leave room.
const GAP_SHARE: f64 = 1.0 - 4.0 * f64::EPSILON;

/// Roundings of a box's side after a pose, in parts of its coordinates: four of each vertex, as many of one that is moved once more, and six of
/// the side itself. No test of its own: a vertex would have to be outside by a rounding.
const MOVED_ROUNDINGS: f64 = 16.0;

/// Squares of larger sides may overflow.
const RADIUS_MAX: f64 = 1e150;

/// A box along the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Box3 {
    low: Point,
    high: Point,
}

impl Box3 {
    pub(crate) const NOTHING: Self = Self {
        low: [f64::INFINITY; 3],
        high: [f64::NEG_INFINITY; 3],
    };

    /// The box of these least and largest coordinates.
    pub(crate) const fn spanning(low: Point, high: Point) -> Self {
        Self { low, high }
    }

    pub(crate) fn of(points: &[Point]) -> Self {
        points.iter().fold(Self::NOTHING, |all, p| {
            all.with(&Self { low: *p, high: *p })
        })
    }

    pub(crate) fn with(&self, other: &Self) -> Self {
        Self {
            low: core::array::from_fn(|k| self.low[k].min(other.low[k])),
            high: core::array::from_fn(|k| self.high[k].max(other.high[k])),
        }
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    /// Whether a plane along two axes has the boxes on its two sides: what is in them shares no inner point.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        (0..3).any(|k| self.high[k] <= other.low[k] || other.high[k] <= self.low[k])
    }

    /// A box around all points of this one after a pose, and around what they are rounded to.
    pub(crate) fn moved(&self, pose: &Pose3<f64>) -> Self {
        let (middle, extent) = self.middle_and_extent();
        let columns = [0, 1, 2].map(|j| pose.columns()[j].to_f64());
        let origin = pose.translation().to_f64();
        let side = |k: usize| {
            let mut at = [origin[k], 0.0, origin[k].abs()];
            for j in 0..3 {
                let by = columns[j][k];
                at[0] += by * middle[j];
                at[1] += by.abs() * extent[j];
                at[2] += by.abs() * (middle[j].abs() + extent[j]);
            }
            let [middle, extent, size] = at;
            let extent = extent + MOVED_ROUNDINGS * 0.5 * f64::EPSILON * size;
            let sides = [middle - extent, middle + extent];
            if sides[0] <= sides[1] {
                sides
            } else {
                [f64::NEG_INFINITY, f64::INFINITY]
            }
        };
        Self {
            low: [side(0)[0], side(1)[0], side(2)[0]],
            high: [side(0)[1], side(1)[1], side(2)[1]],
        }
    }

    /// Whether all its sides are numbers.
    pub(crate) fn is_finite(&self) -> bool {
        self.low.iter().chain(&self.high).all(|x| x.is_finite())
    }

    /// Whether another box is within this one.
    pub(crate) fn holds(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.low[k] && other.high[k] <= self.high[k])
    }

    /// The box, larger by so much on each side.
    pub(crate) fn grown(&self, by: f64) -> Self {
        Self {
            low: self.low.map(|x| (x - by).next_down()),
            high: self.high.map(|x| (x + by).next_up()),
        }
    }

    /// A lower bound of the distance of what is in two boxes.
    pub(crate) fn gap(&self, other: &Self) -> f64 {
        let along = |k: usize| {
            let (before, behind) = (other.low[k] - self.high[k], self.low[k] - other.high[k]);
            before.max(behind).max(0.0)
        };
        let (x, y, z) = (along(0), along(1), along(2));
        let length = (x * x + y * y + z * z).sqrt();
        // Squares may overflow where no side does.
        let length = if length.is_finite() {
            length
        } else {
            x.max(y).max(z)
        };
        length * GAP_SHARE
    }

    /// An upper bound of the distance of a point to what is outside of the box: zero where it is outside itself.
    pub(crate) fn depth_of(&self, point: Point) -> f64 {
        let along = |k: usize| (point[k] - self.low[k]).min(self.high[k] - point[k]);
        let least = along(0).min(along(1)).min(along(2));
        least.next_up().max(0.0)
    }

    /// The middle, and an upper bound of how far anything of the box is from it.
    pub(crate) fn middle_and_radius(&self) -> (Point, f64) {
        let (middle, extent) = self.middle_and_extent();
        let [x, y, z] = extent;
        let corners = self.corners();
        let all = corners.as_flattened().iter();
        let size = all.fold(0.0_f64, |size, x| size.max(x.abs()));
        let radius = if x.max(y).max(z) < RADIUS_MAX {
            (x * x + y * y + z * z).sqrt()
        } else {
            f64::INFINITY
        };
        // A rounding of each coordinate, and those of the root.
        (middle, (radius + size * f64::EPSILON) / GAP_SHARE)
    }

    /// The middle.
    pub(crate) fn middle(&self) -> Point {
        self.middle_and_extent().0
    }

    /// The middle and the extent of each axis, halved before they are added: neither overflows.
    fn middle_and_extent(&self) -> (Point, Point) {
        let half = |k: usize| (0.5 * self.low[k], 0.5 * self.high[k]);
        (
            core::array::from_fn(|k| half(k).0 + half(k).1),
            core::array::from_fn(|k| half(k).1 - half(k).0),
        )
    }

    /// The corners of least and largest coordinates.
    pub(crate) fn corners(&self) -> [Point; 2] {
        [self.low, self.high]
    }
}

/// A node: its box, and its triangles as a range of the order. Its two children are at `child` and `child + 1`, or it is a leaf.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Box3,
    start: u32,
    end: u32,
    child: u32,
}

/// What is below a node.
pub(crate) enum Below<'t> {
    Nodes([u32; 2]),
    Triangles(&'t [u32]),
}

/// The tree.
#[derive(Clone, Debug)]
pub(crate) struct BoxTree {
    nodes: Vec<Node>,
    /// The triangles' numbers, a leaf's in a row.
    order: Vec<u32>,
    boxes: Vec<Box3>,
}

impl BoxTree {
    /// A tree over so many triangles: halves along the axis on which a node's middles lie farthest apart. Halving by number bounds
    /// its depth, whatever the triangles are.
    pub(crate) fn new(count: usize, corners: impl Fn(u32) -> Triangle) -> Self {
        let boxes: Vec<Box3> = (0..count as u32).map(|k| Box3::of(&corners(k))).collect();
        let middles: Vec<Point> = boxes.iter().map(|b| b.middle_and_extent().0).collect();
        let mut order: Vec<u32> = (0..count as u32).collect();
        let bounds = boxes.iter().fold(Box3::NOTHING, |all, b| all.with(b));
        let mut nodes = vec![Node {
            bounds,
            start: 0,
            end: count as u32,
            child: 0,
        }];
        let mut at = 0;
        while at < nodes.len() {
            let Node { start, end, .. } = nodes[at];
            let mine = &mut order[start as usize..end as usize];
            if mine.len() > LEAF {
                let half = mine.len() / 2;
                let axis = widest(mine.iter().map(|&k| middles[k as usize]));
                mine.select_nth_unstable_by(half, |&i, &j| {
                    middles[i as usize][axis]
                        .total_cmp(&middles[j as usize][axis])
                        .then(i.cmp(&j))
                });
                nodes[at].child = nodes.len() as u32;
                let middle = start + half as u32;
                for (start, end) in [(start, middle), (middle, end)] {
                    let mine = &order[start as usize..end as usize];
                    let bounds = mine
                        .iter()
                        .fold(Box3::NOTHING, |all, &k| all.with(&boxes[k as usize]));
                    nodes.push(Node {
                        bounds,
                        start,
                        end,
                        child: 0,
                    });
                }
            }
            at += 1;
        }
        Self {
            nodes,
            order,
            boxes,
        }
    }

    /// The same tree over triangles that have moved.
    pub(crate) fn moved(&self, corners: impl Fn(u32) -> Triangle) -> Self {
        let count = self.boxes.len() as u32;
        let boxes: Vec<Box3> = (0..count).map(|k| Box3::of(&corners(k))).collect();
        let mut nodes = self.nodes.clone();
        // Children come after their parents.
        for at in (0..nodes.len()).rev() {
            let Node {
                start, end, child, ..
            } = nodes[at];
            nodes[at].bounds = match child as usize {
                0 => {
                    let mine = &self.order[start as usize..end as usize];
                    let each = mine.iter().map(|&k| boxes[k as usize]);
                    each.fold(Box3::NOTHING, |all, b| all.with(&b))
                }
                child => nodes[child].bounds.with(&nodes[child + 1].bounds),
            };
        }
        Self {
            nodes,
            order: self.order.clone(),
            boxes,
        }
    }

    /// Visits the pairs of triangles of this tree and another whose boxes are no farther apart than the limit, nearer ones first. Where the
    /// visitor breaks: a lower bound of the distance of all pairs that were not visited.
    pub(crate) fn descend(&self, other: &Self, ask: &mut dyn Ask) -> Option<f64> {
        let gap = |i: u32, j: u32| {
            self.nodes[i as usize]
                .bounds
                .gap(&other.nodes[j as usize].bounds)
        };
        let mut stack = vec![(gap(0, 0), 0, 0)];
        let is_watched = ask.is_watched();
        while let Some((apart, i, j)) = stack.pop() {
            if is_watched {
                ask.compared(
                    [Compared::Box(i), Compared::Box(j)],
                    apart,
                    apart > ask.limit(),
                );
            }
            if apart > ask.limit() {
                continue;
            }
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            if a.child == 0 && b.child == 0 {
                if self.ask_leaves(a, other, b, ask).is_break() {
                    return Some(stack.iter().map(|x| x.0).fold(apart, f64::min));
                }
                continue;
            }
            let halves_a = b.child == 0 || a.child != 0 && a.end - a.start >= b.end - b.start;
            let mut both = [0, 1].map(|k| {
                let (i, j) = if halves_a {
                    (a.child + k, j)
                } else {
                    (i, b.child + k)
                };
                (gap(i, j), i, j)
            });
            // The nearer one is popped first.
            both.sort_by(|x, y| y.0.total_cmp(&x.0));
            stack.extend(both);
        }
        None
    }

    fn ask_leaves(&self, a: &Node, other: &Self, b: &Node, ask: &mut dyn Ask) -> ControlFlow<()> {
        for &x in &self.order[a.start as usize..a.end as usize] {
            for &y in &other.order[b.start as usize..b.end as usize] {
                let apart = self.boxes[x as usize].gap(&other.boxes[y as usize]);
                if ask.is_watched() {
                    let parts = [Compared::Triangle(x), Compared::Triangle(y)];
                    ask.compared(parts, apart, apart > ask.limit());
                }
                if apart <= ask.limit() {
                    ask.pair(x, y)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits every pair of triangles whose boxes meet, the lower number first, until the visitor breaks.
    pub(crate) fn self_pairs(
        &self,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut stack = vec![[0, 0]];
        while let Some([i, j]) = stack.pop() {
            let [a, b] = [i, j].map(|k| &self.nodes[k as usize]);
            if i != j && !a.bounds.meets(&b.bounds) {
                continue;
            }
            match [a.child, b.child] {
                [0, 0] => self.leaf_pairs(a, b, i == j, &mut visit)?,
                [child, _] if i == j => {
                    stack.extend([[child, child], [child, child + 1], [child + 1, child + 1]]);
                }
                // The larger one is halved.
                [child, other]
                    if other == 0 || child != 0 && a.end - a.start >= b.end - b.start =>
                {
                    stack.extend([[child, j], [child + 1, j]]);
                }
                [_, child] => stack.extend([[i, child], [i, child + 1]]),
            }
        }
        ControlFlow::Continue(())
    }

    fn leaf_pairs(
        &self,
        a: &Node,
        b: &Node,
        same: bool,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for i in a.start..a.end {
            let first = if same { i + 1 } else { b.start };
            for j in first..b.end {
                let [x, y] = [i, j].map(|k| self.order[k as usize]);
                if self.boxes[x as usize].meets(&self.boxes[y as usize]) {
                    visit(x.min(y), x.max(y))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the triangles whose boxes are no farther from a box than the limit, which the visitor may lower; near ones first.
    pub(crate) fn near(&self, other: &Box3, limit: &Cell<f64>, mut visit: impl FnMut(u32)) {
        let gap = |node: u32| self.nodes[node as usize].bounds.gap(other);
        let mut stack = vec![(gap(0), 0)];
        while let Some((apart, at)) = stack.pop() {
            if apart > limit.get() {
                continue;
            }
            let node = &self.nodes[at as usize];
            if node.child != 0 {
                let mut both = [node.child, node.child + 1].map(|child| (gap(child), child));
                // The nearer one is popped first.
                both.sort_by(|x, y| y.0.total_cmp(&x.0));
                stack.extend(both);
                continue;
            }
            for &k in &self.order[node.start as usize..node.end as usize] {
                if self.boxes[k as usize].gap(other) <= limit.get() {
                    visit(k);
                }
            }
        }
    }

    /// What is below a node; the root is 0.
    pub(crate) fn below(&self, node: u32) -> Below<'_> {
        let Node {
            start, end, child, ..
        } = self.nodes[node as usize];
        match child {
            0 => Below::Triangles(&self.order[start as usize..end as usize]),
            child => Below::Nodes([child, child + 1]),
        }
    }

    /// The box of a node.
    pub(crate) fn bounds_of_node(&self, node: u32) -> &Box3 {
        &self.nodes[node as usize].bounds
    }

    /// Visits the triangles whose boxes meet a box.
    pub(crate) fn meeting(&self, other: &Box3, mut visit: impl FnMut(u32)) {
        // The visitor never breaks.
        let _ = self.meeting_until(other, |k| {
            visit(k);
            ControlFlow::Continue(())
        });
    }

    /// Visits the triangles whose boxes meet a box, until the visitor breaks.
    pub(crate) fn meeting_until(
        &self,
        other: &Box3,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            if !node.bounds.meets(other) {
                continue;
            }
            if node.child != 0 {
                stack.extend([node.child, node.child + 1]);
                continue;
            }
            let mine = &self.order[node.start as usize..node.end as usize];
            for &k in mine
                .iter()
                .filter(|&&k| self.boxes[k as usize].meets(other))
            {
                visit(k)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The box of a triangle.
    pub(crate) fn bounds_of(&self, triangle: u32) -> &Box3 {
        &self.boxes[triangle as usize]
    }

    /// The box of all triangles.
    pub(crate) fn bounds(&self) -> &Box3 {
        &self.nodes[0].bounds
    }
}

/// The axis on which points lie farthest apart.
fn widest(points: impl Iterator<Item = Point>) -> usize {
    let all = points.fold(Box3::NOTHING, |all, p| all.with(&Box3 { low: p, high: p }));
    let extent = all.middle_and_extent().1;
    let wider = |best: usize, k: usize| if extent[k] > extent[best] { k } else { best };
    wider(wider(0, 1), 2)
}
