//! Polytopes in motion: exact verdicts, and times between neighbouring floats.

use super::cores::{CoreLine, Cores};
use super::ends::{LineEnds, Side};
use super::track::Track;
use crate::answer::{BigInt, Combination, Direction, Weights};
use crate::math::Vector64;
use crate::motion::answer::CastCertificate;
use alloc::vec::Vec;
use core::cmp::Ordering;
use gjk_exact::integer::{Int3, neg};
use gjk_exact::line::{Crossing, Portal, cross};

/// Two polytopes and their line, and what they have in common.
pub(super) struct Sharp<'c, 'p, V: Vector64> {
    cores: &'c Cores<'p, V>,
    line: CoreLine<'c>,
    crossing: Crossing,
}

impl<'c, 'p, V: Vector64> Sharp<'c, 'p, V> {
    /// The line of a motion, against vertices; `None` after more steps than any hull needs.
    pub(super) fn of(cores: &'c Cores<'p, V>, track: &Track<V>) -> Option<Self> {
        let line = cores.line(track);
        Some(Self {
            crossing: cross(&line)?,
            cores,
            line,
        })
    }

    /// The facet of one end; `None` where the line misses.
    fn portal(&self, side: Side) -> Option<&Portal> {
        match (&self.crossing, side) {
            (Crossing::Misses { .. }, _) => None,
            (Crossing::Crosses { enter, .. }, Side::Enter) => Some(enter),
            (Crossing::Crosses { exit, .. }, Side::Exit) => Some(exit),
        }
    }

    fn outward(&self, portal: &Portal, side: Side) -> Int3 {
        let along = portal.normal(&self.line);
        if side == Side::Enter {
            neg(&along)
        } else {
            along
        }
    }
}

impl<V: Vector64> LineEnds<V> for Sharp<'_, '_, V> {
    fn sign(&self, side: Side) -> Option<Ordering> {
        Some(self.portal(side)?.sign(&self.line))
    }

    fn grazes(&self) -> bool {
        matches!(self.crossing, Crossing::Crosses { grazes: true, .. })
    }

    fn time(&self, side: Side) -> Option<[f64; 2]> {
        let (lower, upper) = self.portal(side)?.ratio(&self.line).neighbours();
        // No negative zero.
        Some([lower + 0.0, upper + 0.0])
    }

    fn normal(&self, side: Side) -> Option<V> {
        let along = V::from_f64(self.portal(side)?.normal_in_floats(&self.line));
        let outward = if side == Side::Enter { -along } else { along };
        // Adding zero leaves no negative zeros.
        outward.normalized().map(|unit| unit + V::ZERO)
    }

    fn features(&self, side: Side) -> [Vec<u32>; 2] {
        self.portal(side).map_or_else(Default::default, |portal| {
            portal.features(&self.line, side.sense())
        })
    }

    fn point(&self, side: Side) -> Option<V> {
        let portal = self.portal(side)?;
        let weights = portal.weights_in_floats(&self.line);
        Some(self.cores.mean_of_b(&portal.pairs(), &weights))
    }

    fn free(&self, side: Side) -> Option<CastCertificate> {
        let direction = match (&self.crossing, self.portal(side)) {
            (Crossing::Misses { direction }, _) => neg(direction),
            (_, Some(portal)) => self.outward(portal, side),
            _ => return None,
        };
        Some(CastCertificate::Free {
            direction: stated(&direction),
        })
    }

    fn facet(&self, side: Side) -> Option<CastCertificate> {
        let portal = self.portal(side)?;
        let time = portal.ratio(&self.line).integers();
        let weights = portal.weights(&self.line);
        Some(CastCertificate::Facet {
            direction: stated(&self.outward(portal, side)),
            time: time.each_ref().map(BigInt::from_exact),
            combination: Combination {
                pairs: portal.pairs(),
                weights: Weights::Integer(weights.iter().map(BigInt::from_exact).collect()),
            },
        })
    }
}

/// Integers as a certificate states them.
pub(super) fn stated(direction: &Int3) -> Direction {
    Direction::Integer(direction.each_ref().map(BigInt::from_exact))
}
