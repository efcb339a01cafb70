//! Answered rows about one thing against many, in the order of time.
//!
//! Where it sits: above `motions.rs`, whose columns it reads. The order is [`query::all_hits`]'s, and what may be the first [`query::first_hits`]'s.

use super::motions::meeting_of;
use crate::error::BatchError;
use gjk::Vec2;
use gjk::query::{self, CastAnswer, Interval, Meeting, MotionStop};

/// Hits by what they are of: those of `of[k]` are from `offsets[k]` up to `offsets[k + 1]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HitOrder {
    /// What rows are about, in ascending order.
    pub of: Vec<i64>,
    /// Where the hits of each begin, and where the last ones end.
    pub offsets: Vec<usize>,
    /// The rows that are not free and not wrong, of each in the order of time.
    pub rows: Vec<usize>,
    /// Whether each of them may be the first.
    pub first: Vec<bool>,
}

/// Puts answered rows in order: `of` says which ray or body each row is about, all about one where it is left out. Rows that are wrong are left out, as free ones are.
///
/// # Errors  columns of different lengths.
/// # Complexity  O(n log n) for n rows.
/// # Examples
/// ```
/// use gjk_batch::rows::hit_order;
/// let (lower, upper) = ([3.0, f64::NAN, 1.0, 1.0], [3.0, f64::NAN, 1.0, 1.5]);
/// let found = hit_order(&[1, 0, 1, 1], [&lower, &upper], None).unwrap();
/// assert_eq!((found.rows, found.first), (vec![2, 3, 0], vec![true, true, false]));
/// ```
pub fn hit_order(
    verdicts: &[u8],
    [lower, upper]: [&[f64]; 2],
    of: Option<&[i64]>,
) -> Result<HitOrder, BatchError> {
    let rows = verdicts.len();
    let lengths = [lower.len(), upper.len(), of.map_or(rows, <[i64]>::len)];
    if lengths.iter().any(|&len| len != rows) {
        return Err(BatchError::Columns { rows });
    }
    let name = |row: usize| of.map_or(0, |of| of[row]);
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by_key(|&row| name(row));
    let mut found = HitOrder {
        offsets: vec![0],
        ..HitOrder::default()
    };
    for group in order.chunk_by(|&x, &y| name(x) == name(y)) {
        let times = |row: usize| Interval {
            lower: lower[row],
            upper: upper[row],
        };
        let known = |row: usize| Some((row, timed(meeting_of(verdicts[row])?, times(row))));
        let answers: Vec<_> = group.iter().filter_map(|&row| known(row)).collect();
        let mut next = answers.iter().copied();
        let first = query::first_hits(|_| next.next()).len();
        let hits = query::all_hits(answers);
        found.first.extend((0..hits.len()).map(|k| k < first));
        found.rows.extend(hits.iter().map(|hit| hit.key));
        found.of.push(name(group[0]));
        found.offsets.push(found.rows.len());
    }
    Ok(found)
}

/// An answer of which the verdict and the time are known, which is what the order looks at.
fn timed(verdict: Meeting, time: Interval<f64>) -> CastAnswer<Vec2<f64>> {
    CastAnswer {
        verdict,
        exact: false,
        time: Some(time).filter(|time| !time.lower.is_nan()),
        exit: None,
        normal: None,
        point_a: None,
        point_b: None,
        grazing: false,
        signed_distance: None,
        iterations: 0,
        stop: MotionStop::Exact,
    }
}
