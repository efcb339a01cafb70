//! Is there contact at the end of a chain of pieces? Part of the checker of times of impact.
//!
//! Where it sits: under `chain.rs`, whose bodies it asks where their vertices are at a time.

use super::chain::TurnedScene;
use super::enclosure;
use super::error::VerifyError;
use super::motion::wrong;
use super::posed_vertices::weights;
use super::span::{Span, Span3, cross, dot, length_above, minus, plus, scale};
use crate::answer::{Certificate, Combination};
use crate::motion::{Apart, Carrier, Crossing, HeldPiece};
use alloc::vec::Vec;

impl TurnedScene {
    /// Whether a certificate proves an overlap at a time.
    pub(super) fn meets(&self, time: f64, why: &Certificate) -> Result<(), VerifyError> {
        let vertices = self.vertices(time)?;
        let difference = |pair| vertices.difference(pair);
        match why {
            Certificate::Overlapping { pairs, facets } if facets.is_empty() => {
                let points: Result<Vec<Span3>, _> = pairs.iter().map(|&p| difference(p)).collect();
                self.simplex(&points?)
            }
            Certificate::Overlapping { facets, .. } => {
                enclosure::closed(self.dim, facets)?;
                for (at, facet) in facets.iter().enumerate() {
                    let [a, b, c] = [
                        difference(facet[0])?,
                        difference(facet[1])?,
                        difference(facet[2])?,
                    ];
                    if !self.beyond([&a, &b, &c]).is_positive() {
                        return Err(VerifyError::FacetOutside { facet: at });
                    }
                }
                Ok(())
            }
            Certificate::Near { nearest, .. } => self.near(nearest, difference),
            _ => Err(wrong("has a contact that is none")),
        }
    }

    /// Until when there is contact on all pieces, one after the other.
    pub(super) fn holds(&self, pieces: &[HeldPiece]) -> Result<f64, VerifyError> {
        let mut begin = 0.0;
        for piece in pieces {
            if !piece.to.is_finite() || !(piece.to >= begin) {
                return Err(wrong("has pieces that are not in order"));
            }
            self.held(begin, piece)?;
            begin = piece.to;
        }
        Ok(begin)
    }

    /// Whether no difference of vertices moves so far on a piece that contact may end. The planes of a closed surface around the origin are those of a ball that its hull holds: moved
    /// points still reach beyond the origin in every direction, by the ball's radius less how far they moved.
    fn held(&self, begin: f64, piece: &HeldPiece) -> Result<(), VerifyError> {
        let moved = self.moved([begin, piece.to]);
        let moved = moved.ok_or_else(|| wrong("has more turns than can be checked"))?;
        let vertices = self.vertices(begin)?;
        let difference = |pair| vertices.difference(pair);
        let room = moved.minus(&self.radius);
        match &piece.why {
            Certificate::Overlapping { facets, .. } if !facets.is_empty() => {
                enclosure::closed(self.dim, facets)?;
                for (at, facet) in facets.iter().enumerate() {
                    let [a, b, c] = [
                        difference(facet[0])?,
                        difference(facet[1])?,
                        difference(facet[2])?,
                    ];
                    let size = self.size([&a, &b, &c]);
                    let beyond = self.beyond([&a, &b, &c]);
                    if !beyond.is_positive() || !beyond.exceeds(&room.times(&size)) {
                        return Err(VerifyError::FacetOutside { facet: at });
                    }
                }
                Ok(())
            }
            Certificate::Near { nearest, .. } => {
                self.near_within(nearest, &room.negated(), difference)
            }
            _ => Err(wrong("has a contact that is none")),
        }
    }

    /// Whether a plane separates the bodies by more than the radii at a time.
    pub(super) fn parts(&self, apart: &Apart) -> Result<(), VerifyError> {
        let Apart { time, direction } = apart;
        if !direction.iter().all(|x| x.is_finite()) || self.dim == 2 && direction[2] != 0.0 {
            return Err(wrong(
                "has a direction that is not finite, or leaves the plane",
            ));
        }
        let direction = direction.map(|x| Span::of(x, 0));
        let gap = self.gap(Carrier::World, &direction, &self.time(*time))?;
        if gap.exceeds(&self.radius.times(&length_above(&direction))) {
            Ok(())
        } else {
            Err(wrong("has a plane that does not separate"))
        }
    }

    /// At least the length of the normal that [`Self::beyond`] is times.
    fn size(&self, [a, b, c]: [&Span3; 3]) -> Span {
        if self.dim == 2 {
            return length_above(&minus(b, a));
        }
        length_above(&cross(&minus(b, a), &minus(c, a)))
    }

    /// How far the plane of a facet is beyond the origin, times the length of its normal.
    fn beyond(&self, [a, b, c]: [&Span3; 3]) -> Span {
        if self.dim == 2 {
            let edge = minus(b, a);
            return edge[1].times(&a[0]).minus(&edge[0].times(&a[1]));
        }
        dot(&cross(&minus(b, a), &minus(c, a)), a)
    }

    /// Whether the origin is surely strictly inside a simplex.
    fn simplex(&self, points: &[Span3]) -> Result<(), VerifyError> {
        let count = points.len();
        if count != self.dim + 1 {
            let range = [self.dim + 1, self.dim + 1];
            return Err(VerifyError::PairCount { count, range });
        }
        let side = |skipped: usize| {
            let kept: Vec<&Span3> = (0..count)
                .filter(|&k| k != skipped)
                .map(|k| &points[k])
                .collect();
            let corners = [kept[0], kept[1], kept[self.dim - 1]];
            let volume = self.beyond(corners);
            if skipped.is_multiple_of(2) {
                volume
            } else {
                volume.negated()
            }
        };
        let sides: Vec<Span> = (0..count).map(side).collect();
        if sides.iter().all(Span::is_positive) || sides.iter().all(Span::is_negative) {
            Ok(())
        } else {
            Err(wrong("has pairs that are not around the origin"))
        }
    }

    /// Whether a combination is surely shorter than the radius.
    fn near(
        &self,
        point: &Combination,
        difference: impl Fn([u32; 2]) -> Result<Span3, VerifyError>,
    ) -> Result<(), VerifyError> {
        self.near_within(point, &self.radius, difference)
    }

    /// Whether a combination is surely shorter than a length.
    fn near_within(
        &self,
        point: &Combination,
        length: &Span,
        difference: impl Fn([u32; 2]) -> Result<Span3, VerifyError>,
    ) -> Result<(), VerifyError> {
        let weights = weights(&point.weights, point.pairs.len())?;
        let mut sum = [Span::zero(), Span::zero(), Span::zero()];
        let mut total = Span::zero();
        for (&pair, weight) in point.pairs.iter().zip(&weights) {
            let weight = Span::whole(weight);
            sum = plus(&sum, &scale(&difference(pair)?, &weight));
            total = total.plus(&weight);
        }
        if length.times(&total).exceeds(&length_above(&sum)) {
            Ok(())
        } else {
            Err(wrong("has points that are farther than the radius"))
        }
    }

    /// Whether bodies surely pass through each other on a piece of time.
    pub(super) fn crosses(&self, crossing: &Crossing) -> Result<(), VerifyError> {
        let Crossing { from, to, ring, .. } = crossing;
        self.is_ring(ring)?;
        let points = |time: f64| -> Result<Vec<Span3>, VerifyError> {
            let vertices = self.vertices(time)?;
            ring.iter().map(|&pair| vertices.difference(pair)).collect()
        };
        let (first, last) = (points(*from)?, points(*to)?);
        let far = || wrong("has more turns than can be checked");
        let moved = self.moved([*from, *to]).ok_or_else(far)?;
        let sides = [self.side(&first), self.side(&last)];
        let passes = sides[0].is_positive() && sides[1].is_negative()
            || sides[0].is_negative() && sides[1].is_positive();
        if !passes {
            return Err(wrong("has a crossing that does not pass from side to side"));
        }
        let at_all_times: Vec<Span3> = first
            .iter()
            .map(|point| point.each_ref().map(|x| x.widened(&moved)))
            .collect();
        let turns = self.turns(&crossing.direction.map(|x| Span::of(x, 0)), &at_all_times);
        if turns.iter().all(Span::is_positive) || turns.iter().all(Span::is_negative) {
            Ok(())
        } else {
            Err(wrong(
                "has a crossing that is not surely inside of its ring",
            ))
        }
    }

    /// Whether pairs are the corners of a flat difference: two or three of any, or four of two edges.
    fn is_ring(&self, ring: &[[u32; 2]]) -> Result<(), VerifyError> {
        let fits = match *ring {
            [_, _] => self.dim == 2,
            [_, _, _] => self.dim == 3,
            [[i, k], [j, l], [m, n], [o, p]] => {
                self.dim == 3 && [j, l, m, n, o, p] == [m, k, j, p, i, n]
            }
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(wrong("has a crossing of pairs that are no ring"))
        }
    }

    /// The volume of the first three points and the origin; in the plane the area of both.
    fn side(&self, points: &[Span3]) -> Span {
        if self.dim == 2 {
            let [a, b] = [&points[0], &points[1]];
            return a[0].times(&b[1]).minus(&a[1].times(&b[0]));
        }
        dot(&points[0], &cross(&points[1], &points[2]))
    }

    /// On which side of the planes through the origin and the sides of a ring a direction is; in the plane, of its points.
    fn turns(&self, direction: &Span3, ring: &[Span3]) -> Vec<Span> {
        if self.dim == 2 {
            let across = |point: &Span3| {
                let cross = direction[0].times(&point[1]);
                cross.minus(&direction[1].times(&point[0]))
            };
            return [across(&ring[0]), across(&ring[1]).negated()].into();
        }
        let next = ring.iter().cycle().skip(1);
        let sides = ring.iter().zip(next);
        sides
            .map(|(from, to)| dot(direction, &cross(from, to)))
            .collect()
    }
}
