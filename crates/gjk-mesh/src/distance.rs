//! The distance of two surfaces: the least of two triangles, by boxes.
//!
//! Idea: boxes that are farther apart than what was found so far hold nothing nearer. The nearer children are entered first. Two
//! triangles are two convex bodies, and the library answers for them, with a proved interval.
//! Numbers: the gap of two boxes is rounded down; see [`crate::boxes`].

use crate::body::PosedBody;
use crate::mesh::InPlace;
use core::cell::Cell;
use core::ops::ControlFlow;
use gjk::query::{Options, Verdict};
use gjk::shape::Triangle;
use gjk::{Pair, Pose3, Vec3};

/// So many pairs of triangles are measured: surfaces that lie side by side have as many as triangles squared, all nearly as near.
const PAIRS_MAX: usize = 1 << 18;

/// The distance of two bodies' surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDistance {
    /// At most the truth.
    pub lower: f64,
    /// At least the truth.
    pub upper: f64,
    /// A nearest point of each, in the world.
    pub points: [[f64; 3]; 2],
    /// Unit, from the first to the second; zero where they meet.
    pub normal: [f64; 3],
    /// The triangles, by the numbers of the input.
    pub triangles: [u32; 2],
    /// Whether the search ended before its end, with an interval that holds all the same.
    pub stopped: bool,
}

impl PosedBody<'_> {
    /// The distance of the surfaces at their poses; `None` where it is proved to be more than `reach`.
    ///
    /// # Accuracy  that of [`gjk::query::distance`], unless `stopped`.
    /// # Complexity  what boxes along the axes cannot exclude: fine surfaces that face each other cost thousands of triangles.
    pub fn distance(&self, other: &PosedBody<'_>, reach: f64) -> Option<SurfaceDistance> {
        let [a, b] = [self.in_place(false), other.in_place(false)];
        let mut best: Option<SurfaceDistance> = None;
        let mut measured = 0;
        let limit = Cell::new(reach);
        let left_out = a.tree.nearest_pairs(b.tree, &limit, |i, j| {
            if measured == PAIRS_MAX {
                return ControlFlow::Break(());
            }
            measured += 1;
            let found = of_triangles([&a, &b], [i, j]);
            let lower = best.map_or(found.lower, |best| best.lower.min(found.lower));
            let nearer = best
                .filter(|best| best.upper <= found.upper)
                .unwrap_or(found);
            best = Some(SurfaceDistance { lower, ..nearer });
            limit.set(limit.get().min(nearer.upper));
            ControlFlow::Continue(())
        });
        let best = best.map(|best| SurfaceDistance {
            lower: left_out.map_or(best.lower, |gap| gap.min(best.lower)),
            stopped: left_out.is_some(),
            ..best
        });
        best.filter(|best| best.lower <= reach)
    }
}

fn of_triangles(meshes: [&InPlace<'_>; 2], triangles: [u32; 2]) -> SurfaceDistance {
    let named = [0, 1].map(|k| meshes[k].mesh.source(triangles[k]));
    let corners = [0, 1].map(|k| meshes[k].corners(triangles[k]));
    let shapes = corners.map(|triangle| convex(&triangle));
    let [Some(a), Some(b)] = shapes else {
        return SurfaceDistance {
            lower: 0.0,
            upper: f64::INFINITY,
            points: [corners[0][0], corners[1][0]],
            normal: [0.0; 3],
            triangles: named,
            stopped: false,
        };
    };
    let here = Pose3::identity();
    let found = Pair::new(&a, &here, &b, &here)
        .with(&Options::tight())
        .distance();
    let plain = |v: Vec3<f64>| [v.x, v.y, v.z];
    let is_apart = found.verdict == Verdict::Separated;
    SurfaceDistance {
        lower: found.distance.lower,
        upper: found.distance.upper,
        points: [plain(found.point_a), plain(found.point_b)],
        normal: if is_apart {
            plain(found.normal)
        } else {
            [0.0; 3]
        },
        triangles: named,
        stopped: false,
    }
}

/// A triangle as a convex body; `None` where its coordinates are not finite.
pub(crate) fn convex(corners: &[[f64; 3]; 3]) -> Option<Triangle<Vec3<f64>>> {
    let [a, b, c] = corners.map(|[x, y, z]| Vec3::new(x, y, z));
    Triangle::new(a, b, c).ok()
}
