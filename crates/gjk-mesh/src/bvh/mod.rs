//! A tree of boxes in any direction, eight at a node, over the triangles of a mesh in its own frame.
//!
//! Where it sits: built by [`crate::TriMesh`] when first needed, once; no pose moves it. `pairs.rs` asks it.
//! Idea: two patches that lie side by side are told apart only by boxes that lie along them, so boxes have directions of their own. A
//! box or a triangle of one tree is compared with eight of the other at once, in lanes of `f32`.
//! Numbers: lanes propose. A bound counts only beyond the slack of `relative.rs`, which covers every rounding between a box and
//! the vertices in the world, and what is left is decided by exact signs or measured.
//! Source: Gottschalk, Lin, Manocha 1996 (boxes with directions); Wald et al. 2008 (wide nodes).

mod bound;
mod box_near;
mod build;
mod descend;
mod fit;
mod lanes;
mod near;
mod own_pairs;
mod point;
mod ray;
mod relative;
mod split;
mod triangles;
mod watched;

pub(crate) use box_near::SearchLimits;
pub(crate) use relative::{PointFrame, Relative, WorldBox};

use crate::boxes::Box3;
use crate::signs::Point;
use fit::Corners;

/// Children of a node, and triangles of a leaf.
const WIDTH: usize = 8;

/// A child with this bit is a leaf, and a slot with it is a triangle's.
const LEAF: u32 = 1 << 31;

/// The boxes of up to eight children. Numbers are those of a frame along the mesh's axes about the tree's center.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct WideNode {
    center: [[f32; WIDTH]; 3],
    half: [[f32; WIDTH]; 3],
    /// By axis of the box, by coordinate.
    axes: [[[f32; WIDTH]; 3]; 3],
    /// The largest of each box's sides.
    size: [f32; WIDTH],
    child: [u32; WIDTH],
    count: u32,
}

/// Up to eight triangles; lanes without one have copies of the first.
#[derive(Clone, Debug)]
#[repr(align(32))]
struct Leaf {
    /// By corner, by coordinate.
    corners: [[[f32; WIDTH]; 3]; 3],
    /// Their numbers; [`NONE`] in lanes without one.
    triangles: [u32; WIDTH],
}

/// No triangle.
const NONE: u32 = u32::MAX;

/// The tree.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// The first one has one child, which is everything.
    nodes: Vec<WideNode>,
    leaves: Vec<Leaf>,
    center: Point,
    /// No vertex is farther from the center.
    radius: f64,
    /// No vertex is farther from the origin, but for a rounding.
    farthest: f64,
    /// The box of all vertices, along the mesh's axes.
    bounds: Box3,
}

impl Tree {
    /// The box of all vertices, along the mesh's axes.
    pub(crate) fn bounds(&self) -> &Box3 {
        &self.bounds
    }
}

/// A box: the points `center + Σ sᵢ axisᵢ` with `|sᵢ| ≤ halfᵢ`.
#[derive(Clone, Copy, Debug)]
struct Obb {
    center: [f32; 3],
    half: [f32; 3],
    axes: [[f32; 3]; 3],
}

/// A lane's coordinates.
#[inline(always)]
fn at(rows: &[[f32; WIDTH]; 3], lane: usize) -> [f32; 3] {
    [rows[0][lane], rows[1][lane], rows[2][lane]]
}

impl WideNode {
    const EMPTY: Self = Self {
        center: [[0.0; WIDTH]; 3],
        half: [[0.0; WIDTH]; 3],
        axes: [[[0.0; WIDTH]; 3]; 3],
        size: [0.0; WIDTH],
        child: [0; WIDTH],
        count: 0,
    };

    #[inline(always)]
    fn obb(&self, lane: usize) -> Obb {
        Obb {
            center: at(&self.center, lane),
            half: at(&self.half, lane),
            axes: [
                at(&self.axes[0], lane),
                at(&self.axes[1], lane),
                at(&self.axes[2], lane),
            ],
        }
    }

    fn push(&mut self, obb: &Obb, child: u32) {
        let lane = self.count as usize;
        for k in 0..3 {
            self.center[k][lane] = obb.center[k];
            self.half[k][lane] = obb.half[k];
            for i in 0..3 {
                self.axes[i][k][lane] = obb.axes[i][k];
            }
        }
        self.size[lane] = obb.half[0].max(obb.half[1]).max(obb.half[2]);
        self.child[lane] = child;
        self.count += 1;
    }
}

impl Leaf {
    /// Of up to eight triangles, each with its number.
    fn new(members: impl ExactSizeIterator<Item = (Corners, u32)> + Clone) -> Self {
        let mut leaf = Self {
            corners: [[[0.0; WIDTH]; 3]; 3],
            triangles: [NONE; WIDTH],
        };
        let count = members.len();
        for (lane, (corners, number)) in members.cycle().take(WIDTH).enumerate() {
            for (row, corner) in leaf.corners.iter_mut().zip(corners) {
                for (row, x) in row.iter_mut().zip(corner) {
                    row[lane] = x;
                }
            }
            if lane < count {
                leaf.triangles[lane] = number;
            }
        }
        leaf
    }

    /// How many triangles it has.
    #[inline(always)]
    fn count(&self) -> u32 {
        let mut count = 0;
        for triangle in self.triangles {
            count += u32::from(triangle != NONE);
        }
        count
    }

    #[inline(always)]
    fn corners(&self, lane: usize) -> Corners {
        let [a, b, c] = &self.corners;
        [at(a, lane), at(b, lane), at(c, lane)]
    }
}
