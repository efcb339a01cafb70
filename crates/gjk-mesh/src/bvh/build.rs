//! Building the tree: from the root down, by halves of numbers of triangles, three times a node.
//!
//! Numbers: halving by number bounds the depth whatever the triangles are, a million in one plane or in one place. Halves are
//! multiples of eight where there are more, so that the nodes above triangles are full.

use super::fit::{Corners, PADDING_ROUNDINGS, fit};
use super::{Obb, TRIANGLE, Tree, WIDTH, WideNode};
use crate::signs::{Point, Triangle};

/// Between these radii no product of the lanes underflows or overflows so that it matters: squares of bounds are above `2⁻¹⁰⁰` where they
/// are above the slack, and below `2¹⁰⁰`. Other meshes have no such tree, and the boxes along the axes answer for them.
pub(super) const RADII: [f64; 2] = [1.0 / (1u64 << 30) as f64, (1u64 << 40) as f64];

/// Triangles of a node that is yet to be made, where its box is.
struct Task {
    start: usize,
    end: usize,
    node: usize,
    lane: usize,
}

impl Tree {
    /// The tree of so many triangles; `None` where they are too large or too small for `f32`.
    ///
    /// # Complexity  O(n log n).
    pub(crate) fn new(count: usize, corners: impl Fn(u32) -> Triangle) -> Option<Self> {
        let all = || (0..count as u32).flat_map(|k| corners(k).into_iter());
        let center = center(all());
        let squares = all().map(|p| (0..3).map(|k| (p[k] - center[k]).powi(2)).sum::<f64>());
        // A rounding of each coordinate, its square, two sums and a root.
        let radius = squares.fold(0.0, f64::max).sqrt() * (1.0 + 8.0 * f64::EPSILON);
        if !(RADII[0]..RADII[1]).contains(&radius) {
            return None;
        }
        let local = |k| corners(k).map(|p| core::array::from_fn(|i| (p[i] - center[i]) as f32));
        let triangles: Vec<Corners> = (0..count as u32).map(local).collect();
        let mut builder = Builder {
            order: (0..count as u32).map(|k| (0.0, k)).collect(),
            padding: radius * PADDING_ROUNDINGS * 0.5 * f64::from(f32::EPSILON),
            nodes: Vec::with_capacity(count / 6 + 2),
            triangles,
        };
        builder.all();
        Some(Self {
            nodes: builder.nodes,
            center,
            radius,
        })
    }
}

/// The middle of the points' box.
fn center(points: impl Iterator<Item = Point>) -> Point {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in points {
        for k in 0..3 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    }
    core::array::from_fn(|k| 0.5 * low[k] + 0.5 * high[k])
}

struct Builder {
    triangles: Vec<Corners>,
    /// Triangles, those of a node in a row, each with its height along the axis that was last split.
    order: Vec<(f32, u32)>,
    nodes: Vec<WideNode>,
    padding: f64,
}

impl Builder {
    fn all(&mut self) {
        let mut root = WideNode::EMPTY;
        let whole = self.fit(0, self.order.len());
        root.push(&whole, 0);
        self.nodes.push(root);
        let mut tasks = vec![Task {
            start: 0,
            end: self.order.len(),
            node: 0,
            lane: 0,
        }];
        while let Some(task) = tasks.pop() {
            let own = if task.end - task.start == 1 {
                self.order[task.start].1 | TRIANGLE
            } else {
                self.node(&task, &mut tasks)
            };
            self.nodes[task.node].child[task.lane] = own;
        }
    }

    fn node(&mut self, task: &Task, tasks: &mut Vec<Task>) -> u32 {
        let axes = self.nodes[task.node].obb(task.lane).axes;
        let number = self.nodes.len();
        let mut node = WideNode::EMPTY;
        for (start, end) in self.parts(axes, task.start, task.end) {
            tasks.push(Task {
                start,
                end,
                node: number,
                lane: node.count as usize,
            });
            node.push(&self.fit(start, end), 0);
        }
        self.nodes.push(node);
        number as u32
    }

    fn fit(&self, start: usize, end: usize) -> Obb {
        let mine = self.order[start..end].iter();
        fit(mine.map(|x| &self.triangles[x.1 as usize]), self.padding)
    }

    /// Up to eight parts of a node's triangles.
    fn parts(&mut self, axes: [[f32; 3]; 3], start: usize, end: usize) -> Vec<(usize, usize)> {
        if end - start <= WIDTH {
            return (start..end).map(|k| (k, k + 1)).collect();
        }
        let mut parts = vec![(start, end)];
        for _ in 0..3 {
            let mut halves = Vec::with_capacity(WIDTH);
            for (start, end) in parts {
                if end - start <= WIDTH {
                    halves.push((start, end));
                    continue;
                }
                let middle = start + ((end - start) / 2).next_multiple_of(WIDTH);
                self.split(&axes, start, middle, end);
                halves.extend([(start, middle), (middle, end)]);
            }
            parts = halves;
        }
        parts
    }

    /// Orders triangles about a place, along the axis on which their middles lie farthest apart.
    fn split(&mut self, axes: &[[f32; 3]; 3], start: usize, middle: usize, end: usize) {
        let triangles = &self.triangles;
        let height = |axis: &[f32; 3], k: u32| {
            let [a, b, c] = &triangles[k as usize];
            (0..3).map(|i| axis[i] * (a[i] + b[i] + c[i])).sum::<f32>()
        };
        let mine = &mut self.order[start..end];
        let spread = |axis: &[f32; 3]| {
            let heights = mine.iter().map(|x| height(axis, x.1));
            let nothing = (f32::INFINITY, f32::NEG_INFINITY);
            let (low, high) = heights.fold(nothing, |(l, h), x| (l.min(x), h.max(x)));
            high - low
        };
        let spreads = [spread(&axes[0]), spread(&axes[1]), spread(&axes[2])];
        let wider = |best: usize, k: usize| if spreads[k] > spreads[best] { k } else { best };
        let axis = &axes[wider(wider(0, 1), 2)];
        for x in mine.iter_mut() {
            x.0 = height(axis, x.1);
        }
        mine.select_nth_unstable_by(middle - start, |x, y| {
            x.0.total_cmp(&y.0).then(x.1.cmp(&y.1))
        });
    }
}
