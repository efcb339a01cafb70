//! Two surfaces by all pairs of their triangles: no tree, and nothing of what `gjk-mesh` does with boxes and lanes.
//!
//! Idea: the distance of each pair of triangles that could be the nearest, by the benchmark's reference in double-double
//! (`../reference/apart.rs`); only pairs whose middles prove them farther than another are left out. Whether they meet is the exact
//! contact of two triangles, asked of every pair whose boxes meet.
//! Vertices are where the library's poses put them, rounded once.

use crate::reference;
use bench_protocol::{Pair, Shape, Workload};
use gjk::{Pose3, Vec3};

type Point = [f64; 3];

/// The triangles of two meshes at their poses.
pub(crate) struct Brute {
    triangles: [Vec<Ball>; 2],
}

/// A triangle, its middle, and how far its corners are from there.
struct Ball {
    corners: [Point; 3],
    middle: Point,
    radius: f64,
}

/// Slack of what floats say, of the largest coordinate.
const SLACK: f64 = 1e-12;

impl Brute {
    /// None where a shape is no mesh or a pose is none.
    pub(super) fn new(workload: &Workload, pair: &Pair) -> Option<Self> {
        let side = |k: usize| {
            let Shape::Mesh(vertices, triangles) = &workload.shapes[pair.shapes[k]] else {
                return None;
            };
            let place = &pair.places[k];
            let [x, y, z] = place.translation;
            let pose = Pose3::from_quaternion(place.rotation, Vec3::new(x, y, z)).ok()?;
            let moved = |&[x, y, z]: &Point| {
                let Vec3 { x, y, z } = pose.point(Vec3::new(x, y, z));
                [x, y, z]
            };
            let points: Vec<Point> = vertices.iter().map(moved).collect();
            let ball = |ids: &[u32; 3]| Ball::new(ids.map(|id| points[id as usize]));
            Some(triangles.iter().map(ball).collect())
        };
        Some(Self {
            triangles: [side(0)?, side(1)?],
        })
    }

    /// Triangles by their corners in the world.
    pub(crate) fn of_triangles(triangles: [Vec<[Point; 3]>; 2]) -> Self {
        Self {
            triangles: triangles.map(|those| those.into_iter().map(Ball::new).collect()),
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (&Ball, &Ball)> {
        let [a, b] = &self.triangles;
        a.iter().flat_map(move |p| b.iter().map(move |q| (p, q)))
    }

    /// Whether two triangles share a point.
    pub(crate) fn meets(&self) -> bool {
        let boxes_meet = |p: &Ball, q: &Ball| {
            (0..3).all(|k| {
                let range = |t: &Ball| {
                    let all = t.corners.map(|c| c[k]);
                    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
                    (least, all.iter().copied().fold(f64::NEG_INFINITY, f64::max))
                };
                let ((l, h), (low, high)) = (range(p), range(q));
                l <= high && low <= h
            })
        };
        self.pairs()
            .filter(|(p, q)| boxes_meet(p, q))
            .any(|(p, q)| gjk_mesh::triangles::contact(&p.corners, &q.corners).is_some())
    }

    /// Bounds of the distance.
    pub(super) fn distance(&self) -> [f64; 2] {
        // Middles are points of the triangles, so the nearest two bound the distance from above.
        let apart = |p: &Ball, q: &Ball| length(p.middle, q.middle);
        let all = self.triangles.iter().flatten().flat_map(|t| t.corners);
        let slack = SLACK * all.flatten().map(f64::abs).fold(0.0, f64::max);
        let mut best = self
            .pairs()
            .map(|(p, q)| apart(p, q))
            .fold(f64::INFINITY, f64::min);
        let mut near = Vec::new();
        for (p, q) in self.pairs() {
            if apart(p, q) - p.radius - q.radius - slack > best {
                continue;
            }
            let [lower, upper] = reference::apart_in_floats(&p.corners, &q.corners);
            best = best.min(upper + slack);
            near.push((lower, p, q));
        }
        near.retain(|(lower, ..)| lower - slack <= best);
        let sharp = near
            .iter()
            .map(|(_, p, q)| reference::apart(&p.corners, &q.corners));
        sharp.fold([f64::INFINITY; 2], |[l, u], [lower, upper]| {
            [l.min(lower), u.min(upper)]
        })
    }
}

impl Ball {
    fn new(corners: [Point; 3]) -> Self {
        let middle = [0, 1, 2].map(|k| corners.iter().map(|c| c[k]).sum::<f64>() / 3.0);
        let radius = corners
            .iter()
            .map(|&c| length(c, middle))
            .fold(0.0, f64::max);
        Self {
            corners,
            middle,
            radius,
        }
    }
}

fn length(p: Point, q: Point) -> f64 {
    (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt()
}
