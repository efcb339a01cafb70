//! A tree of boxes in any direction, eight at a node, over the triangles of a mesh in its own frame.
//!
//! Where it sits: built by [`crate::TriMesh`] when first needed, once; no pose moves it. `pairs.rs` asks it.
//! Idea: two patches that lie side by side are told apart only by boxes that lie along them, so boxes have directions of their own. A
//! box of one tree is compared with the eight of a node of the other at once, in lanes of `f32`.
//! Numbers: lanes propose. A bound counts only beyond the slack of `relative.rs`, which covers every rounding between a box and
//! the vertices in the world, and what is left is decided by exact signs or measured.
//! Source: Gottschalk, Lin, Manocha 1996 (boxes with directions); Wald et al. 2008 (wide nodes).

mod bound;
mod build;
mod descend;
mod fit;
mod relative;

pub(crate) use relative::Relative;

use crate::signs::Point;

/// Children of a node.
const WIDTH: usize = 8;

/// A child with this bit is a triangle.
const TRIANGLE: u32 = 1 << 31;

/// The boxes of up to eight children. Numbers are those of a frame along the mesh's axes about the tree's center.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct WideNode {
    center: [[f32; WIDTH]; 3],
    half: [[f32; WIDTH]; 3],
    /// By axis of the box, by coordinate.
    axes: [[[f32; WIDTH]; 3]; 3],
    child: [u32; WIDTH],
    count: u32,
}

/// The tree.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// The first one has one child, which is everything.
    nodes: Vec<WideNode>,
    center: Point,
    /// No vertex is farther from the center.
    radius: f64,
}

/// A box: the points `center + Σ sᵢ axisᵢ` with `|sᵢ| ≤ halfᵢ`.
#[derive(Clone, Copy, Debug)]
struct Obb {
    center: [f32; 3],
    half: [f32; 3],
    axes: [[f32; 3]; 3],
}

impl WideNode {
    const EMPTY: Self = Self {
        center: [[0.0; WIDTH]; 3],
        half: [[0.0; WIDTH]; 3],
        axes: [[[0.0; WIDTH]; 3]; 3],
        child: [0; WIDTH],
        count: 0,
    };

    fn obb(&self, lane: usize) -> Obb {
        let at = |row: &[[f32; WIDTH]; 3]| [row[0][lane], row[1][lane], row[2][lane]];
        Obb {
            center: at(&self.center),
            half: at(&self.half),
            axes: [at(&self.axes[0]), at(&self.axes[1]), at(&self.axes[2])],
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
        self.child[lane] = child;
        self.count += 1;
    }
}
