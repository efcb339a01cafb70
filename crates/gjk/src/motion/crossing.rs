//! The proof that a point passes through a triangle, a segment through a segment, or in the plane a point through a segment.
//!
//! Where it sits: beside `impact.rs`, which asks for it where no overlap can be found: the difference of such bodies has no inner points.
//! Idea: the difference is a flat ring of vertex pairs. Along a direction the origin is inside of the ring's shadow for a whole piece of time, and it is on one side of the
//! ring's plane at the begin of the piece, and on the other at its end. So at some time between it is in the plane, and inside of the ring.
//! Numbers: all is done with the ring divided by its size. Each test has a bound of its rounding and of what the piece moves, twice.

use super::turning::Turning;
use crate::math::{Scalar, Triple, Vector, cross, dot, length, subtract};
use crate::motion::answer::Crossing;
use alloc::vec::Vec;

/// Roundings of a product of two or three differences, of the product of their lengths: a cross product 4, a dot product 3, each length 4. The rest is room.
const TURN_OF_RING_ROUNDINGS: f64 = 32.0;

/// So many times its bound a test must be clear by: a checker has bounds of its own.
const CLEARANCE: f64 = 2.0;

/// A ring of pairs at a time.
struct RingAt {
    /// B's vertex less A's.
    points: Vec<Triple>,
    /// How far each may be off.
    error: f64,
}

impl<V: Vector> Turning<'_, V> {
    /// The pairs of vertices around a flat difference, if the bodies are of so few vertices that it is flat in any place, and sharp.
    pub(super) fn flat_ring(&self) -> Option<Vec<[u32; 2]>> {
        let [a, b] = [self.a.posed, self.b.posed];
        if a.radius() + b.radius() != 0.0 {
            return None;
        }
        let counts = (V::DIM, a.vertex_count()?, b.vertex_count()?);
        let ring: &[[u32; 2]] = match counts {
            (3, 1, 3) => &[[0, 0], [0, 1], [0, 2]],
            (3, 3, 1) => &[[0, 0], [1, 0], [2, 0]],
            (3, 2, 2) => &[[0, 0], [1, 0], [1, 1], [0, 1]],
            (2, 1, 2) => &[[0, 0], [0, 1]],
            (2, 2, 1) => &[[0, 0], [1, 0]],
            _ => return None,
        };
        Some(ring.to_vec())
    }

    /// The proof that the bodies of a ring pass through each other on a piece of time, along a direction.
    pub(super) fn crossing(
        &self,
        ring: &[[u32; 2]],
        direction: Triple,
        [from, to]: [f64; 2],
    ) -> Option<Crossing> {
        let (first, last) = (self.ring_at(ring, from)?, self.ring_at(ring, to)?);
        let moved = self.speed() * (to - from);
        let sides = [first.side(V::DIM)?, last.side(V::DIM)?];
        let passes = sides[0] < 0.0 && sides[1] > 0.0 || sides[0] > 0.0 && sides[1] < 0.0;
        (passes && first.surrounds(V::DIM, direction, moved)).then(|| Crossing {
            from,
            to,
            direction,
            ring: ring.to_vec(),
        })
    }

    /// Whether the side of the ring's plane on which the origin is can be told at a time.
    pub(super) fn tells_side(&self, ring: &[[u32; 2]], time: f64) -> bool {
        let found = self.ring_at(ring, time);
        found.and_then(|ring| ring.side(V::DIM)).is_some()
    }

    fn ring_at(&self, ring: &[[u32; 2]], time: f64) -> Option<RingAt> {
        let [of_a, of_b] = self.turns(time);
        let point = |&[i, j]: &[u32; 2]| {
            let (a, b) = (
                self.a.vertex(i, &of_a, time)?,
                self.b.vertex(j, &of_b, time)?,
            );
            Some(subtract(b, a))
        };
        let points: Option<Vec<Triple>> = ring.iter().map(point).collect();
        Some(RingAt {
            points: points?,
            error: self.place_error(time),
        })
    }
}

impl RingAt {
    /// The ring and a length divided by the ring's size.
    fn unit(&self, length: f64) -> (Vec<Triple>, f64) {
        let all = self.points.as_flattened().iter();
        let size = all.fold(f64::MIN_POSITIVE, |m: f64, x| m.max(x.abs()));
        let points = self.points.iter().map(|point| point.map(|x| x / size));
        (points.collect(), length / size)
    }

    /// On which side of the ring's plane the origin is: the sign of the volume of it and three of the ring; in the plane of the area. `None` if rounding hides it.
    fn side(&self, dim: usize) -> Option<f64> {
        let (points, error) = self.unit(self.error);
        let [a, b] = [points[0], points[1]];
        let (volume, bound) = if dim == 2 {
            let lengths = [length(a), length(b)];
            let moved = error * (lengths[0] + lengths[1] + error);
            let rounded = lengths[0] * lengths[1];
            (a[0] * b[1] - a[1] * b[0], moved + rounding(rounded))
        } else {
            let c = points[2];
            let turned = cross(b, c);
            let cofactors = length(turned) + length(cross(c, a)) + length(cross(a, b));
            let sizes = [a, b, c].map(length);
            let moved = error * (cofactors + error * (sizes.iter().sum::<f64>() + error));
            let product = sizes.iter().product::<f64>();
            (
                dot(a, turned),
                moved + rounding(product + error * sizes.iter().sum::<f64>()),
            )
        };
        (volume.abs() > CLEARANCE * bound).then_some(volume)
    }

    /// Whether the origin is inside of the ring's shadow along a direction, for as long as no point moves farther than this.
    fn surrounds(&self, dim: usize, direction: Triple, moved: f64) -> bool {
        let (points, moved) = self.unit(self.error + moved);
        let reach = length(direction);
        // The double area of the origin and a side, times the direction's length.
        let turn = |from: Triple, to: Triple| {
            let sizes = [length(from), length(to)];
            let bound = moved * (sizes[0] + sizes[1] + moved) + rounding(sizes[0] * sizes[1]);
            (dot(direction, cross(from, to)), CLEARANCE * bound * reach)
        };
        let beyond = |(value, bound): (f64, f64)| if value.abs() > bound { value } else { 0.0 };
        let signs: Vec<f64> = if dim == 2 {
            // On either side of the line through the origin.
            let across = |point: Triple| {
                let value = direction[0] * point[1] - direction[1] * point[0];
                let bound = CLEARANCE * (moved + rounding(length(point))) * reach;
                beyond((value, bound))
            };
            [across(points[0]), -across(points[1])].into()
        } else {
            let next = points.iter().cycle().skip(1);
            let sides = points.iter().zip(next);
            sides.map(|(&from, &to)| beyond(turn(from, to))).collect()
        };
        signs.iter().all(|x| *x > 0.0) || signs.iter().all(|x| *x < 0.0)
    }
}

fn rounding(size: f64) -> f64 {
    TURN_OF_RING_ROUNDINGS * f64::ROUNDING * size
}
