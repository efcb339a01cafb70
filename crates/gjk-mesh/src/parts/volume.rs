//! The volume within closed triangles, as a proved interval.
//!
//! Idea: the sum of the signed volumes of the triangles' pyramids over one point.
//! Numbers: each product of three differences is off by a few roundings, and by what the corners are off.

use crate::signs::{Point, Triangle};
use crate::vector::{cross, dot, minus};
use gjk::query::Interval;

/// Roundings of a triple product of differences and of its place in the sum, in parts of the cube of the greatest difference:
/// six products of three, each with fewer than six roundings.
const VOLUME_ROUNDINGS: f64 = 64.0;

/// The volume is so many times larger than what three corners that are off by a length each add to it, over the product of the lengths:
/// three products of two sides of at most √3 times the greatest difference, and room.
const VOLUME_SLACK: f64 = 32.0;

/// A sum of pyramids over a point.
pub(super) struct VolumeSum {
    apex: Point,
    sum: f64,
    error: f64,
}

impl VolumeSum {
    pub(super) fn over(apex: Point) -> Self {
        Self {
            apex,
            sum: 0.0,
            error: 0.0,
        }
    }

    /// Adds a triangle, counter-clockwise seen from outside, whose corners are off by at most `slack`.
    pub(super) fn add(&mut self, triangle: &Triangle, slack: f64) {
        let [a, b, c] = triangle.map(|p| minus(p, self.apex));
        let size = [a, b, c]
            .as_flattened()
            .iter()
            .fold(slack, |size: f64, x| size.max(x.abs()));
        self.sum += dot(a, cross(b, c));
        let cube = size * size * size;
        self.error += VOLUME_ROUNDINGS * f64::EPSILON * cube + VOLUME_SLACK * slack * size * size;
        self.error += f64::EPSILON * self.sum.abs();
    }

    /// The volume; `reversed`: the triangles were clockwise seen from outside.
    pub(super) fn volume(&self, reversed: bool) -> Interval<f64> {
        let sum = if reversed { -self.sum } else { self.sum };
        let lower = (sum - self.error) / 6.0;
        Interval {
            lower: lower.next_down().max(0.0),
            upper: ((sum + self.error) / 6.0).next_up(),
        }
    }
}

/// The volume within triangles.
pub(super) fn volume(triangles: impl Iterator<Item = Triangle>, reversed: bool) -> Interval<f64> {
    let mut sum: Option<VolumeSum> = None;
    for triangle in triangles {
        let sum = sum.get_or_insert_with(|| VolumeSum::over(triangle[0]));
        sum.add(&triangle, 0.0);
    }
    sum.map_or(
        Interval {
            lower: 0.0,
            upper: 0.0,
        },
        |sum| sum.volume(reversed),
    )
}
