//! Rounded polytopes in motion where floats do not decide: distances compared in integers.
//!
//! Idea: the line's place nearest the core is a fraction, and its distance is compared with the radius exactly. If it is larger the line misses, if it
//! is the same it grazes, and else contact begins before that place. The floats beside its beginning are found by halving, with an exact comparison
//! at each float.

use super::cores::{CoreLine, Cores};
use super::sharp::stated;
use super::track::Track;
use crate::answer::{BigInt, Combination, Weights};
use crate::math::Vector64;
use crate::motion::answer::CastCertificate;
use alloc::vec::Vec;
use core::cmp::Ordering;
use gjk_exact::Int;
use gjk_exact::line::{LineNearest, Passing};

/// Halvings of an interval of floats: there are fewer than `2⁶⁴` floats.
const HALVINGS_MAX: u32 = 70;

/// Two cores, their line and the radii.
pub(super) struct RoundedLine<'c> {
    line: CoreLine<'c>,
    radii: [f64; 3],
    passing: Passing,
}

impl<'c> RoundedLine<'c> {
    /// The line of a motion. What counts is the sum of the radii.
    pub(super) fn of<V: Vector64>(
        cores: &'c Cores<'_, V>,
        track: &Track<V>,
        radii: [f64; 3],
    ) -> Option<Self> {
        let line = cores.line(track);
        Some(Self {
            passing: line.passing(&radii)?,
            line,
            radii,
        })
    }

    /// The distance of the whole line from the core against the radius.
    pub(super) fn order(&self) -> Ordering {
        self.passing.nearest.order
    }

    /// Whether a motion that touches at the start is about to meet inner points.
    pub(super) fn closes_in(&self) -> bool {
        self.order().is_lt() && self.passing.place.compare(0.0).is_gt()
    }

    /// The distance at a time against the radius.
    fn at(&self, time: f64) -> Option<LineNearest> {
        self.line.nearest_at(time, &self.radii)
    }

    /// The distance of the place at a time against the radius.
    pub(super) fn order_at(&self, time: f64) -> Option<Ordering> {
        Some(self.at(time)?.order)
    }

    /// The floats beside the first contact of a motion that is apart at the time `from`; `None` where there is none until `end`.
    pub(super) fn first(&self, from: f64, end: f64) -> Option<[f64; 2]> {
        let ahead = self.passing.place.compare(from).is_gt();
        if self.order().is_gt() || !ahead {
            return None;
        }
        if self.order().is_eq() {
            let (lower, upper) = self.passing.first.neighbours();
            return (upper <= end).then_some([lower, upper]);
        }
        let beyond = |time: f64| {
            let in_contact = self.at(time).is_some_and(|near| near.order.is_le());
            in_contact || self.passing.place.compare(time).is_le()
        };
        if end.is_finite() && !beyond(end) {
            return None;
        }
        let (mut lower, mut upper) = (from, self.passing.place.neighbours().1.min(end));
        for _ in 0..HALVINGS_MAX {
            let middle = between(lower, upper);
            if middle <= lower || middle >= upper {
                break;
            }
            if beyond(middle) {
                upper = middle;
            } else {
                lower = middle;
            }
        }
        Some([lower, upper])
    }

    /// The normal and the vertices of each core at a time.
    pub(super) fn contact<V: Vector64>(&self, time: f64) -> Option<(V, [Vec<u32>; 2])> {
        let near = if self.order().is_eq() {
            self.passing.nearest.clone()
        } else {
            self.at(time)?
        };
        let normal = V::from_f64(gjk_exact::integer::to_float(&near.direction));
        Some((normal.normalized()?, vertices_of(&near.pairs)))
    }

    /// Why bodies at rest are apart.
    pub(super) fn apart(&self) -> Option<CastCertificate> {
        let near = self.at(0.0)?;
        near.order.is_gt().then(|| CastCertificate::Free {
            direction: stated(&near.direction),
        })
    }

    /// Why there is no contact from the time 0 to `end`.
    pub(super) fn free(&self, end: f64) -> Option<CastCertificate> {
        let behind = self.passing.place.compare(0.0).is_le();
        let near = if self.order().is_gt() {
            self.passing.nearest.clone()
        } else if behind || !end.is_finite() {
            self.at(0.0)?
        } else {
            self.at(end)?
        };
        near.order.is_gt().then(|| CastCertificate::Free {
            direction: stated(&near.direction),
        })
    }

    /// Why contact begins, or ends, between two times: the plane is of the one outside, the point of the one inside.
    pub(super) fn ends(&self, outside: f64, inside: f64) -> Option<CastCertificate> {
        let apart = |time| {
            let near = self.at(time).filter(|near| near.order.is_gt());
            near.map(|near| (time, near))
        };
        // A graze at a float is apart at the float before.
        let (outside, before) = apart(outside).or_else(|| apart(outside.next_down()))?;
        // A contact may lie between two floats: of a graze, or of a motion that cuts off almost nothing; or beyond all floats.
        let near = Some(inside).filter(|time| time.is_finite());
        let near = near.and_then(|time| self.at(time));
        let near = near.filter(|near| near.order.is_le() && self.order().is_ne());
        let touch = near.is_none();
        let after = if self.order().is_eq() {
            combination(&self.passing.touched.0, &self.passing.touched.1)
        } else {
            let near = near.as_ref().unwrap_or(&self.passing.nearest);
            combination(&near.pairs, &near.weights)
        };
        Some(CastCertificate::Rounded {
            outside,
            before: stated(&before.direction),
            inside,
            after,
            touch,
        })
    }
}

/// The vertices of each body in some pairs.
pub(super) fn vertices_of(pairs: &[[u32; 2]]) -> [Vec<u32>; 2] {
    [0, 1].map(|body| {
        let mut vertices: Vec<u32> = pairs.iter().map(|pair| pair[body]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    })
}

fn combination(pairs: &[[u32; 2]], weights: &[Int]) -> Combination {
    Combination {
        pairs: pairs.to_vec(),
        weights: Weights::Integer(weights.iter().map(BigInt::from_exact).collect()),
    }
}

/// The float halfway between two, counted in floats.
fn between(lower: f64, upper: f64) -> f64 {
    let order = |x: f64| {
        let bits = x.to_bits() as i64;
        if bits < 0 { i64::MIN - bits } else { bits }
    };
    let (low, high) = (i128::from(order(lower)), i128::from(order(upper)));
    let middle = ((low + high) >> 1) as i64;
    f64::from_bits(if middle < 0 {
        i64::MIN - middle
    } else {
        middle
    } as u64)
}
