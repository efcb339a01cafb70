//! Where one tree, a point or a box is in the frame of another tree, and how far bounds in `f32` can be off.

use super::fit::Corners;
use super::{Obb, Tree};
use crate::signs::Point;
use gjk::{Pose3, Vec3, Vector};

/// Roundings of `f32` that a bound is off by at most, in parts of `S = rA + rB + |t|`, the radii of the trees and how far their centers are
/// apart. With `u = 2⁻²⁴`: a moved center is a sum of three products of rounded factors and the rounded translation, each coordinate off by
/// `6u`, so `d` is off by `√3·6u + u < 12u`. An axis `b` that was moved is off by `√3·5u < 9u`, and its cosines with the other axes by `13u`.
/// Along an axis the difference of centers is off by `12u + 4u + 9u`, what a box reaches by `√3·13u < 23u` of its radius and its sum by `4u`:
/// together `52u`. The root of three such squares is off by `√3` times that, `90u`, and its own roundings by `4u`. Axes that are not perpendicular
/// and of length 1 by `2u` make a root of squares too large by `4u` of it. Along the centers, whose rounded difference is a direction as any
/// other, the difference is off by `12u + 6u`, and what both reach by `2(13u + 5u)`. Together less than 100u; 128u is the next power of two.
/// `bodies_that_share_one_vertex_meet_in_any_frame` holds it.
const SLACK_ROUNDINGS: f64 = 128.0;

/// A pose whose columns are off a rotation by more than this is not asked in lanes: a stretched box is no box.
const RIGID_SHARE: f64 = 1.0 / (1u64 << 20) as f64;

/// What a pose that is off a rotation by `e` (the columns' products, summed) takes from bounds in parts of `S`: `e` where points are taken
/// back by the transpose, `√3·√3·e` where a box's axes are not perpendicular after the pose, `e/2` for lengths, of each body: at most `5e`.
const RIGID_ROUNDINGS: f64 = 8.0;

/// Roundings of `f64`, in parts of the largest coordinates in the world: a vertex that a pose moves is off by 4 of each coordinate, twice where
/// it was moved again, and the pose in the other's frame by twice 6. That is `√3·(8 + 12)`.
const PLACE_ROUNDINGS: f64 = 40.0;

/// A frame in another one: `rows·x + origin`.
#[derive(Clone, Copy, Debug)]
struct Frame {
    rows: [[f32; 3]; 3],
    origin: [f32; 3],
}

impl Frame {
    #[inline(always)]
    fn vector(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let [u, v, w] = &self.rows;
        [
            u[0] * x + u[1] * y + u[2] * z,
            v[0] * x + v[1] * y + v[2] * z,
            w[0] * x + w[1] * y + w[2] * z,
        ]
    }

    #[inline(always)]
    fn point(&self, p: [f32; 3]) -> [f32; 3] {
        let [x, y, z] = self.vector(p);
        let o = &self.origin;
        [x + o[0], y + o[1], z + o[2]]
    }
}

/// Two trees, each in the frame of the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative {
    /// Of the second in the first, and of the first in the second.
    frames: [Frame; 2],
    /// The directions of the world's axes in the frame of each, by rows.
    world: [[[f32; 3]; 3]; 2],
    /// A bound is at most so much above the distance of the vertices as they are rounded in the world.
    pub(super) slack: f64,
}

impl Relative {
    /// For trees at their poses. `None` where a pose is not rigid, or too far away for `f32`.
    pub(crate) fn new(trees: [&Tree; 2], [a, b]: [&Pose3<f64>; 2]) -> Option<Self> {
        let off = skew(a) + skew(b);
        let centers = [0, 1].map(|k| {
            let [x, y, z] = trees[k].center;
            Vec3::new(x, y, z)
        });
        let (at_a, at_b) = (a.point(centers[0]), b.point(centers[1]));
        let between = at_b - at_a;
        let apart = a.direction_to_local(between);
        let back = b.direction_to_local(-between);
        let radii = trees[0].radius + trees[1].radius;
        let size = radii + stretch(off) * between.norm();
        let world = largest_in_world(trees[0], a, off) + largest_in_world(trees[1], b, off);
        let slack = slack(size, off, world);
        let fits = off < RIGID_SHARE && size < super::build::RADII[1] && slack.is_finite();
        let turn = [0, 1, 2].map(|i| {
            let row = |j: usize| a.columns()[i].dot(b.columns()[j]) as f32;
            [row(0), row(1), row(2)]
        });
        let turned_back = [0, 1, 2].map(|i| [turn[0][i], turn[1][i], turn[2][i]]);
        let frame = |rows, origin: Vec3<f64>| Frame {
            rows,
            origin: origin.to_f64().map(|x| x as f32),
        };
        fits.then(|| Self {
            frames: [frame(turn, apart), frame(turned_back, back)],
            world: [a, b].map(|pose| {
                let column = |k: usize| pose.columns()[k].to_f64().map(|x| x as f32);
                [column(0), column(1), column(2)]
            }),
            slack,
        })
    }

    /// A direction of the world in the frame of each; any will do.
    pub(super) fn directions(&self, [x, y, z]: Point) -> [[f32; 3]; 2] {
        let [x, y, z] = [x as f32, y as f32, z as f32];
        let along = |column: &[f32; 3]| column[0] * x + column[1] * y + column[2] * z;
        [0, 1].map(|k| {
            let [u, v, w] = &self.world[k];
            [along(u), along(v), along(w)]
        })
    }

    /// A triangle of the other tree in the frame of this one, 0 or 1.
    #[inline(always)]
    pub(super) fn moved_triangle(&self, to: usize, corners: &Corners) -> Corners {
        let frame = &self.frames[to];
        [
            frame.point(corners[0]),
            frame.point(corners[1]),
            frame.point(corners[2]),
        ]
    }

    /// A box of the other tree in the frame of this one, 0 or 1.
    #[inline(always)]
    pub(super) fn moved(&self, to: usize, obb: &Obb) -> Obb {
        let frame = &self.frames[to];
        Obb {
            center: frame.point(obb.center),
            half: obb.half,
            axes: [
                frame.vector(obb.axes[0]),
                frame.vector(obb.axes[1]),
                frame.vector(obb.axes[2]),
            ],
        }
    }
}

/// A box in the world: the points `center + Σ sᵢ axisᵢ` with `|sᵢ| ≤ halfᵢ`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorldBox {
    pub(crate) center: Vec3<f64>,
    pub(crate) axes: [Vec3<f64>; 3],
    pub(crate) half: [f64; 3],
    /// How far the axes are from perpendicular ones of length 1.
    off: f64,
    /// Numbers that took part in its place are no larger.
    world: f64,
}

impl WorldBox {
    /// The box between two corners.
    pub(crate) fn along_axes([low, high]: [Vec3<f64>; 2]) -> Self {
        Self {
            center: low * 0.5 + high * 0.5,
            axes: [0, 1, 2].map(Vec3::axis),
            half: (high * 0.5 - low * 0.5).to_f64(),
            off: 0.0,
            world: low.norm() + high.norm(),
        }
    }

    /// That box, taken to its place by a pose; `None` where the pose makes no box of it.
    pub(crate) fn posed(self, pose: &Pose3<f64>) -> Option<Self> {
        let columns = [0, 1, 2].map(|k| pose.columns()[k]);
        let lengths = columns.map(Vec3::norm);
        let axes = [0, 1, 2].map(|k| columns[k] * (1.0 / lengths[k]));
        let off = skew_of(&axes);
        let longest = lengths.iter().fold(0.0, |most, x| f64::max(most, *x));
        let one = Self {
            center: pose.point(self.center),
            axes,
            half: [0, 1, 2].map(|k| self.half[k] * lengths[k]),
            off,
            world: pose.translation().norm() + longest * self.world,
        };
        (off < RIGID_SHARE && one.world.is_finite()).then_some(one)
    }
}

/// Where points of the world are in a tree's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointFrame {
    pose: Pose3<f64>,
    /// How far the pose is off a rotation, and how large coordinates of the tree get in the world.
    off: f64,
    world: f64,
}

impl PointFrame {
    /// For a tree at a pose. `None` where the pose is not rigid.
    pub(crate) fn new(tree: &Tree, pose: &Pose3<f64>) -> Option<Self> {
        let off = skew(pose);
        let world = largest_in_world(tree, pose, off);
        (off < RIGID_SHARE && world.is_finite()).then_some(Self {
            pose: *pose,
            off,
            world,
        })
    }

    /// Where a point is about the tree's center, and how far above the truth bounds of its distances may be.
    pub(super) fn place(&self, tree: &Tree, [x, y, z]: Point) -> ([f32; 3], f64) {
        let [cx, cy, cz] = tree.center;
        let point = Vec3::new(x, y, z);
        let from = point - self.pose.point(Vec3::new(cx, cy, cz));
        let at = self.pose.direction_to_local(from);
        let size = tree.radius + at.norm();
        // Squares of larger bounds overflow, and nothing is left out.
        let slack = if size < super::build::RADII[1] {
            slack(size, self.off, self.world + point.norm())
        } else {
            f64::INFINITY
        };
        (at.to_f64().map(|x| x as f32), slack)
    }

    /// A plane of the world about the tree's center: its normal and its height.
    pub(super) fn place_plane(
        &self,
        tree: &Tree,
        normal: Vec3<f64>,
        height: f64,
    ) -> ([f32; 3], f32) {
        let [x, y, z] = tree.center;
        let center = self.pose.point(Vec3::new(x, y, z));
        let local = self.pose.direction_to_local(normal).to_f64();
        let height = height - normal.dot(center);
        (local.map(|x| x as f32), height as f32)
    }

    /// Where a box is about the tree's center, and how far above the truth bounds of its distances may be.
    pub(super) fn place_box(&self, tree: &Tree, one: &WorldBox) -> (Obb, f64) {
        let [cx, cy, cz] = tree.center;
        let from = one.center - self.pose.point(Vec3::new(cx, cy, cz));
        let local = |v: Vec3<f64>| self.pose.direction_to_local(v);
        let single = |v: Vec3<f64>| v.to_f64().map(|x| x as f32);
        let at = local(from);
        let [x, y, z] = one.half;
        let size = tree.radius + at.norm() + Vec3::new(x, y, z).norm();
        let slack = if size < super::build::RADII[1] {
            slack(size, self.off + one.off, self.world + one.world)
        } else {
            f64::INFINITY
        };
        let placed = Obb {
            center: single(at),
            half: one.half.map(|x| x as f32),
            axes: one.axes.map(|axis| single(local(axis))),
        };
        (placed, slack)
    }
}

impl Tree {
    /// What a bound of two of the tree's own boxes or triangles is off by at most, where its vertices are not moved.
    pub(super) fn own_slack(&self) -> f64 {
        let [x, y, z] = self.center;
        let size = 2.0 * self.radius;
        slack(size, 0.0, 2.0 * Vec3::new(x, y, z).norm() + size)
    }
}

/// See [`SLACK_ROUNDINGS`], [`RIGID_ROUNDINGS`], [`PLACE_ROUNDINGS`].
fn slack(size: f64, off: f64, world: f64) -> f64 {
    SLACK_ROUNDINGS * 0.5 * f64::from(f32::EPSILON) * size
        + RIGID_ROUNDINGS * off * size
        + PLACE_ROUNDINGS * 0.5 * f64::EPSILON * world
}

/// At least the largest coordinate of a tree at a pose, and of what it is made of.
fn largest_in_world(tree: &Tree, pose: &Pose3<f64>, off: f64) -> f64 {
    pose.translation().norm() + stretch(off) * tree.farthest
}

/// What a pose that is off a rotation by so much makes of a length 1 at most: its square is no more than the largest sum of a row of the columns'
/// products.
fn stretch(off: f64) -> f64 {
    1.0 + off
}

/// How far the columns are from perpendicular ones of length 1.
fn skew(pose: &Pose3<f64>) -> f64 {
    skew_of(pose.columns())
}

fn skew_of(columns: &[Vec3<f64>]) -> f64 {
    let product = |i: usize, j: usize| columns[i].dot(columns[j]);
    let lengths = [0, 1, 2].map(|i| (product(i, i) - 1.0).abs());
    let across = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| 2.0 * product(i, j).abs());
    lengths.iter().sum::<f64>() + across.iter().sum::<f64>()
}
