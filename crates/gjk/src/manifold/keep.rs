//! A few of points of one normal that came from several manifolds.
//!
//! Where it sits: beside `solve.rs`, for bodies of parts: the manifolds of the parts are the caller's. The choice is that of `reduce.rs`.

use super::answer::ManifoldPoint;
use super::polygon::counter_clockwise;
use super::reduce::{Candidate, ContactPolygon};
use super::view::{View, unit};
use crate::math::{Ring, Scalar, Vector};
use alloc::vec::Vec;

/// The numbers of at most `most` of the points, which have one normal: the deepest first, the farthest from it, and then always the one that adds the
/// most area. They are counter-clockwise seen against the normal. None of a normal that is zero.
///
/// # Complexity  O(n·`most` + n log n) for n points.
pub fn kept_points<V: Vector>(points: &[ManifoldPoint<V>], normal: V, most: usize) -> Vec<usize> {
    let (Some(along), Some(first)) = (unit(normal.to_f64()), points.first()) else {
        return Vec::new();
    };
    let view = View::new(V::DIM, along, first.point_a.to_f64());
    let half = V::Scalar::from_f64(0.5);
    let mut off = V::Scalar::ZERO;
    let mut all = Vec::with_capacity(points.len());
    for point in points {
        let width = point.separation.width() * half;
        off = if width > off { width } else { off };
        all.push(Candidate {
            place: view.flat(point.point_a.to_f64()),
            separation: point.separation.middle().to_f64(),
            features: [point.feature_a, point.feature_b],
            point_a: point.point_a.to_f64(),
        });
    }
    let order = counter_clockwise(all.len(), |k| all[k].place);
    let polygon = ContactPolygon {
        corners: &all,
        order: &order,
        off: off.to_f64(),
    };
    let kept = polygon.reduced(most.max(1));
    kept.iter().map(|&k| order[k]).collect()
}
