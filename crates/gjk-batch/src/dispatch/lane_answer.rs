//! How a batch writes down what lanes proved: as a verdict, or with numbers.

use crate::answer::Answer;
use crate::bounds::{Bounds, Conclusion};
use crate::layout::world::{Pair, World};
use crate::request::Request;
use crate::single;
use gjk::query::{Interval, Verdict};
use gjk::{Scalar, Vector};

/// What stands for a pair in a batch's answers.
pub(crate) trait LaneAnswer<V: Vector>: Copy + Send {
    /// What stands where nothing is answered yet; never handed out.
    fn blank() -> Self;
    /// The answer of a single query.
    fn single(world: World<'_, V>, pair: Pair, request: Request) -> Self;
    /// What a solver proved.
    fn measured(bounds: &Bounds) -> Self;
    /// What the axes of two boxes decided, without numbers but for a point of each body.
    fn decided(overlapping: bool, centers: impl Fn() -> [[f64; 3]; 2]) -> Self;
    /// The same of pairs in a row, a bit a pair.
    fn decided_all(slots: &mut [Self], overlapping: u64, centers: impl Fn(usize) -> [[f64; 3]; 2]) {
        for (lane, slot) in slots.iter_mut().enumerate() {
            *slot = Self::decided(overlapping >> lane & 1 == 1, || centers(lane));
        }
    }
}

/// Eight verdicts by their bits: written as one value, which is faster than a choice a verdict.
const VERDICTS: [[Verdict; 8]; 256] = {
    let mut table = [[Verdict::Separated; 8]; 256];
    let mut bits = 0;
    while bits < 8 * 256 {
        if ((bits / 8) >> (bits % 8)) & 1 == 1 {
            table[bits / 8][bits % 8] = Verdict::Overlapping;
        }
        bits += 1;
    }
    table
};

impl<V: Vector> LaneAnswer<V> for Verdict {
    fn blank() -> Self {
        Verdict::Undecided
    }

    fn single(world: World<'_, V>, pair: Pair, _: Request) -> Self {
        single::verdict(world, pair)
    }

    fn measured(bounds: &Bounds) -> Self {
        verdict(bounds.conclusion)
    }

    fn decided(overlapping: bool, _: impl Fn() -> [[f64; 3]; 2]) -> Self {
        if overlapping {
            Verdict::Overlapping
        } else {
            Verdict::Separated
        }
    }

    fn decided_all(slots: &mut [Self], overlapping: u64, _: impl Fn(usize) -> [[f64; 3]; 2]) {
        for (eight, slots) in slots.chunks_mut(8).enumerate() {
            let verdicts = &VERDICTS[(overlapping >> (8 * eight) & 255) as usize];
            if let Ok(slots) = <&mut [Verdict; 8]>::try_from(&mut *slots) {
                *slots = *verdicts;
            } else {
                slots.copy_from_slice(&verdicts[..slots.len()]);
            }
        }
    }
}

impl<V: Vector> LaneAnswer<V> for Answer<V> {
    fn blank() -> Self {
        Answer::default()
    }

    fn single(world: World<'_, V>, pair: Pair, request: Request) -> Self {
        if request.wants_depth() {
            single::contact(world, pair)
        } else {
            single::distance(world, pair)
        }
    }

    /// The ends are rounded outward to the bodies' scalar.
    fn measured(bounds: &Bounds) -> Self {
        let [lower, upper] = bounds.interval;
        Answer {
            verdict: verdict(bounds.conclusion),
            interval: Interval {
                lower: V::Scalar::round_down(lower),
                upper: -V::Scalar::round_down(-upper),
            },
            normal: V::from_f64(bounds.normal),
            point_a: V::from_f64(bounds.points[0]),
            point_b: V::from_f64(bounds.points[1]),
        }
    }

    fn decided(overlapping: bool, centers: impl Fn() -> [[f64; 3]; 2]) -> Self {
        Self::measured(&Bounds {
            conclusion: if overlapping {
                Conclusion::Overlapping
            } else {
                Conclusion::Separated
            },
            normal: [1.0, 0.0, 0.0],
            points: centers(),
            ..Bounds::default()
        })
    }
}

fn verdict(conclusion: Conclusion) -> Verdict {
    match conclusion {
        Conclusion::Separated => Verdict::Separated,
        Conclusion::Overlapping => Verdict::Overlapping,
        Conclusion::Undecided => Verdict::Undecided,
    }
}
