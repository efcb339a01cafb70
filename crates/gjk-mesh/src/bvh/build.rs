//! Building the tree: from the root down, three splits in two at a node (`split.rs`).

use super::fit::{Corners, PADDING_ROUNDINGS, fit};
use super::split::{Member, split};
use super::{LEAF, Leaf, Obb, Tree, WIDTH, WideNode};
use crate::boxes::Box3;
use crate::signs::Point;
use crate::vector::{dot, minus};

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
    /// The tree of triangles with corners among these points; `None` where they are too large or too small for `f32`, too many, or none.
    ///
    /// # Complexity  O(n log n).
    pub(crate) fn new(points: &[Point], triangles: &[[u32; 3]]) -> Option<Self> {
        let count = triangles.len();
        if count == 0 || count > TRIANGLES_MAX {
            return None;
        }
        let bounds = Box3::of(points);
        let center = bounds.middle();
        let square = |p: &Point| {
            let from = minus(*p, center);
            dot(from, from)
        };
        let square = points.iter().map(square).fold(0.0, f64::max);
        // A rounding of each coordinate, its square, two sums and a root.
        let radius = square.sqrt() * (1.0 + 8.0 * f64::EPSILON);
        if !(RADII[0]..RADII[1]).contains(&radius) {
            return None;
        }
        let local = |&v: &u32| minus(points[v as usize], center).map(|x| x as f32);
        let triangles: Vec<Corners> = triangles.iter().map(|t| t.each_ref().map(local)).collect();
        let mut builder = Builder {
            order: (0..count as u32).collect(),
            members: Vec::new(),
            moved: Vec::new(),
            padding: radius * PADDING_ROUNDINGS * 0.5 * f64::from(f32::EPSILON),
            nodes: Vec::with_capacity(count / 32 + 2),
            leaves: Vec::with_capacity(count / 7 + 1),
            triangles,
        };
        builder.all();
        builder.nodes.shrink_to_fit();
        builder.leaves.shrink_to_fit();
        Some(Self {
            nodes: builder.nodes,
            leaves: builder.leaves,
            center,
            radius,
            farthest: dot(center, center).sqrt() + radius,
            bounds,
        })
    }
}

struct Builder {
    /// Triangles, those of a node in a row, and their numbers.
    triangles: Vec<Corners>,
    order: Vec<u32>,
    /// Those of one node.
    members: Vec<Member>,
    moved: Vec<(Corners, u32)>,
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
        let mine = task.start..task.end;
        let (corners, numbers) = (&self.triangles[mine.clone()], &self.order[mine]);
        let members = corners.iter().copied().zip(numbers.iter().copied());
        self.leaves.push(Leaf::new(members));
        number | LEAF
    }

    fn node(&mut self, task: &Task, tasks: &mut Vec<Task>) -> u32 {
        let axes = self.nodes[task.node].obb(task.lane).axes;
        let number = self.nodes.len();
        let mut node = WideNode::EMPTY;
        let parts = self.parts(axes, task.start, task.end);
        for (start, end) in parts.ends.into_iter().take(parts.count) {
            let (start, end) = (task.start + start, task.start + end);
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
        fit(&self.triangles[start..end], self.padding)
    }

    /// Up to eight parts of a node's triangles, which are more, by their places among these.
    fn parts(&mut self, axes: [[f32; 3]; 3], start: usize, end: usize) -> Parts {
        let members = &mut self.members;
        members.clear();
        members.extend(
            (0..)
                .zip(&self.triangles[start..end])
                .map(|(at, corners)| Member::new(&axes, corners, at)),
        );
        let mut parts = Parts::all(members.len());
        let unit = unit(members.len());
        while let Some(largest) = parts.largest().filter(|&k| parts.size(k) > unit) {
            parts.split(largest, members);
        }
        while let Some(part) = parts.smallest_with_room() {
            parts.split(part, members);
        }
        let (triangles, order) = (&mut self.triangles[start..end], &mut self.order[start..end]);
        let from = |member: &Member| {
            let at = member.number as usize;
            (triangles[at], order[at])
        };
        self.moved.clear();
        self.moved.extend(members.iter().map(from));
        for ((corners, number), moved) in triangles.iter_mut().zip(order).zip(&self.moved) {
            (*corners, *number) = *moved;
        }
        parts
    }
}

/// The triangles of full children: of leaves, of nodes of full leaves, and so on.
fn unit(triangles: usize) -> usize {
    let mut unit = WIDTH;
    while unit * WIDTH < triangles {
        unit *= WIDTH;
    }
    unit
}

/// First and last of the triangles of up to eight parts.
struct Parts {
    ends: [(usize, usize); WIDTH],
    count: usize,
}

impl Parts {
    fn all(count: usize) -> Self {
        Self {
            ends: [(0, count); WIDTH],
            count: 1,
        }
    }

    fn size(&self, part: usize) -> usize {
        self.ends[part].1 - self.ends[part].0
    }

    /// The largest part, where there is room for another one.
    fn largest(&self) -> Option<usize> {
        let all = 0..self.count;
        let largest = all.max_by_key(|&k| self.size(k));
        largest.filter(|_| self.count < WIDTH)
    }

    /// The smallest part that is more than a leaf, where there is room for its leaves in its place: a node of few is spared.
    fn smallest_with_room(&self) -> Option<usize> {
        let fits = (WIDTH + 1)..=(WIDTH + 1 - self.count) * WIDTH;
        let all = (0..self.count).filter(|&k| fits.contains(&self.size(k)));
        all.min_by_key(|&k| self.size(k))
    }

    fn split(&mut self, part: usize, members: &mut [Member]) {
        let (start, end) = self.ends[part];
        let middle = start + split(&mut members[start..end]);
        self.ends[part] = (start, middle);
        self.ends[self.count] = (middle, end);
        self.count += 1;
    }
}
