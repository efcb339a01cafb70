//! Building the tree: from the root down, three splits in two at a node (`split.rs`).

use super::fit::{Corners, PADDING_ROUNDINGS, fit};
use super::split::{Member, split};
use super::{LEAF, Leaf, Obb, Tree, WIDTH, WideNode};
use crate::boxes::Box3;
use crate::signs::Triangle;

/// Between these radii no product of the lanes underflows or overflows so that it matters: squares of bounds are above `2⁻¹⁰⁰` where they
/// are above the slack, and below `2¹⁰⁰`. Other meshes have no such tree, and the boxes along the axes answer for them.
pub(super) const RADII: [f64; 2] = [1.0 / (1u64 << 30) as f64, (1u64 << 40) as f64];

/// The most triangles: eight times the number of a leaf fits in 31 bits.
const TRIANGLES_MAX: usize = 1 << 28;

/// Triangles of a node that is yet to be made, where its box is.
struct Task {
    start: usize,
    end: usize,
    node: usize,
    lane: usize,
}

impl Tree {
    /// The tree of so many triangles; `None` where they are too large or too small for `f32`, or too many.
    ///
    /// # Complexity  O(n log n).
    pub(crate) fn new(count: usize, corners: impl Fn(u32) -> Triangle) -> Option<Self> {
        if count > TRIANGLES_MAX {
            return None;
        }
        let all = || (0..count as u32).flat_map(|k| corners(k).into_iter());
        let bounds = all().fold(Box3::NOTHING, |bounds, p| bounds.with(&Box3::of(&[p])));
        let center = bounds.middle();
        let squares = all().map(|p| (0..3).map(|k| (p[k] - center[k]).powi(2)).sum::<f64>());
        // A rounding of each coordinate, its square, two sums and a root.
        let radius = squares.fold(0.0, f64::max).sqrt() * (1.0 + 8.0 * f64::EPSILON);
        if !(RADII[0]..RADII[1]).contains(&radius) {
            return None;
        }
        let local = |k| corners(k).map(|p| core::array::from_fn(|i| (p[i] - center[i]) as f32));
        let triangles: Vec<Corners> = (0..count as u32).map(local).collect();
        let mut builder = Builder {
            order: (0..count as u32).collect(),
            padding: radius * PADDING_ROUNDINGS * 0.5 * f64::from(f32::EPSILON),
            nodes: Vec::with_capacity(count / 48 + 2),
            leaves: Vec::with_capacity(count / WIDTH + 1),
            triangles,
        };
        builder.all();
        Some(Self {
            nodes: builder.nodes,
            leaves: builder.leaves,
            center,
            radius,
            bounds,
        })
    }
}

struct Builder {
    triangles: Vec<Corners>,
    /// Triangles, those of a node in a row.
    order: Vec<u32>,
    nodes: Vec<WideNode>,
    leaves: Vec<Leaf>,
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
            let own = if task.end - task.start <= WIDTH {
                self.leaf(&task)
            } else {
                self.node(&task, &mut tasks)
            };
            self.nodes[task.node].child[task.lane] = own;
        }
    }

    fn leaf(&mut self, task: &Task) -> u32 {
        let number = self.leaves.len() as u32;
        let mine = self.order[task.start..task.end].iter();
        let members = mine.map(|&number| (self.triangles[number as usize], number));
        self.leaves.push(Leaf::new(members));
        number | LEAF
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
        fit(
            mine.map(|&number| &self.triangles[number as usize]),
            self.padding,
        )
    }

    /// Up to eight parts of a node's triangles, which are more.
    fn parts(&mut self, axes: [[f32; 3]; 3], start: usize, end: usize) -> Vec<(usize, usize)> {
        let mut members: Vec<Member> = self.order[start..end]
            .iter()
            .map(|&number| Member::new(&axes, &self.triangles[number as usize], number))
            .collect();
        let mut parts = vec![(0, members.len())];
        for _ in 0..3 {
            let mut halves = Vec::with_capacity(WIDTH);
            for (start, end) in parts {
                if end - start <= WIDTH {
                    halves.push((start, end));
                    continue;
                }
                let middle = start + split(&mut members[start..end]);
                halves.extend([(start, middle), (middle, end)]);
            }
            parts = halves;
        }
        for (number, member) in self.order[start..end].iter_mut().zip(&members) {
            *number = member.number;
        }
        let from_start = |(a, b): (usize, usize)| (start + a, start + b);
        parts.into_iter().map(from_start).collect()
    }
}
