//! Answers of the library as the protocol has them.

use bench_protocol::Answer;
use gjk::query::{Interval, Verdict};
use gjk::{Scalar, Vector};

/// An answer; its value is the middle of the interval.
pub fn said<V: Vector>(
    verdict: Verdict,
    interval: Interval<V::Scalar>,
    normal: V,
    points: [V; 2],
) -> Answer {
    let middle = 0.5 * (interval.lower.to_f64() + interval.upper.to_f64());
    let (intersects, points) = (of_verdict(verdict), points.map(wide));
    Answer {
        intersects,
        value: Some(middle),
        normal: Some(wide(normal)),
        points: Some(points),
        ..Answer::default()
    }
}

/// A vector of the protocol: in 2D the third is zero.
pub fn wide<V: Vector>(v: V) -> [f64; 3] {
    std::array::from_fn(|k| {
        if k < V::DIM {
            v.component(k).to_f64()
        } else {
            0.0
        }
    })
}

/// Whether bodies of a verdict share a point; nothing when it is open.
pub fn of_verdict(verdict: Verdict) -> Option<bool> {
    match verdict {
        Verdict::Separated => Some(false),
        Verdict::Touching | Verdict::Overlapping => Some(true),
        Verdict::Undecided => None,
    }
}
