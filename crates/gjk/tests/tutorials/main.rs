//! One named test for every row of the five tutorials that is not the lab's.
//!
//! T1 Dubious Engine, T2 higgs.at, T3 Suominen, T4 the polygon article, T5 Bittle. Rows to look at (T2.5 to T2.8, T3.11,
//! T4.2, T4.4) belong to the lab. A module has a tutorial's rows; here is what they share.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod bittle;
mod dubious_engine;
mod higgs;
#[path = "../oracle/mod.rs"]
mod oracle;
mod polygon_article;
mod suominen;

use gjk::loops::simplex::{Reduced, Simplex, reduce};
use gjk::query::{self, Cache, Options, ProofOptions, Question, Verdict};
use gjk::shape::{
    Affine, Ball, Capsule, ConvexPolyhedron, Cuboid, Ellipsoid, Polytope, Shape, ShapeError,
};
use gjk::trace::{Recorder, Region, Step};
use gjk::{Axis, NO_ID, Pose, Stop, Support, SupportPair, SupportPoint, Vec2, Vec3, Vector};
use oracle::Rng;

fn polygon(points: &[[f64; 2]]) -> Polytope<Vec2<f64>> {
    Polytope::new(&points.iter().map(|&p| p.into()).collect::<Vec<_>>()).unwrap()
}
fn hull(points: &[[f64; 3]]) -> Polytope<Vec3<f64>> {
    Polytope::new(&points.iter().map(|&p| p.into()).collect::<Vec<_>>()).unwrap()
}
fn cube(half: f64) -> Cuboid<Vec3<f64>> {
    Cuboid::new(Vec3::new(half, half, half)).unwrap()
}
fn at3(x: f64, y: f64, z: f64) -> Pose<Vec3<f64>> {
    Pose::from_translation(Vec3::new(x, y, z))
}
fn contact3<A: Support<Vec3<f64>>, B: Support<Vec3<f64>>>(
    a: &A,
    b: &B,
    pose: &Pose<Vec3<f64>>,
) -> query::Contact<Vec3<f64>> {
    query::contact(a, &Pose::identity(), b, pose, &Options::tight())
}
fn pair<V: Vector>(w: V, id: u32) -> SupportPair<V> {
    SupportPair {
        a: w,
        b: V::ZERO,
        w,
        ids: [id, 0],
    }
}
/// Reduces a simplex given newest first.
fn reduced<V: gjk::math::Vector64>(points: &[V]) -> Option<(Vec<u32>, V)> {
    let mut simplex = Simplex::from_pair(pair(points[points.len() - 1], points.len() as u32 - 1));
    for (id, &w) in points.iter().enumerate().rev().skip(1) {
        simplex = simplex.with(pair(w, id as u32));
    }
    match reduce(&simplex) {
        Reduced::Face { simplex, .. } => Some((
            simplex.pairs().iter().map(|p| p.ids[0]).collect(),
            simplex.points()[0],
        )),
        Reduced::Enclosed => None,
    }
}
