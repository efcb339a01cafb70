//! One ray or one moving body against many: the hits in the order of time, and those that may be the first.
//!
//! Where it sits: beside [`super::ray()`], [`super::cast()`] and [`super::toi()`], whose answers it puts in order. The broad phase is the caller's.

use crate::math::{Ring, Scalar, Vector};
use crate::motion::{CastAnswer, Meeting};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// What was hit, and the answer that says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<K, V: Vector> {
    /// The caller's name of it.
    pub key: K,
    /// When and where.
    pub answer: CastAnswer<V>,
}

/// All hits in the order of time: by the lower end, then by the upper one, then in the order in which they came. Answers without a contact are left out; those that are
/// [`Meeting::Undecided`] are in it, as the times from which on they may hit.
///
/// Two times whose intervals share a number are not known to be in that order.
/// # Complexity  O(n log n) for n answers.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, Ray}, shape::Ball};
/// let ball = Ball::new(1.0).unwrap();
/// let poses = [9.0, 3.0, -5.0, 6.0].map(|x| Pose::from_translation(Vec3::new(x, 0.0, 0.0)));
/// let ray = Ray::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)).unwrap();
/// let answers = poses.iter().map(|pose| query::ray(&ball, pose, &ray, &Default::default()));
/// let keys: Vec<usize> = query::all_hits(answers.enumerate()).iter().map(|hit| hit.key).collect();
/// assert_eq!(keys, [1, 3, 0]);
/// ```
pub fn all_hits<K, V: Vector>(
    answers: impl IntoIterator<Item = (K, CastAnswer<V>)>,
) -> Vec<Hit<K, V>> {
    let answers = answers.into_iter();
    let mut hits: Vec<Hit<K, V>> = answers
        .map(|(key, answer)| Hit { key, answer })
        .filter(|hit| meets(&hit.answer))
        .collect();
    hits.sort_by(|x, y| order(&x.answer, &y.answer));
    hits
}

/// The hits that may be the first: one where a time is surely before all others, and all those that share it where bodies are met at once or within rounding.
/// They are in the order of [`all_hits`].
///
/// `next` asks about the next body that the caller's broad phase has, and returns its name and its answer; `None` where it has no other. It is given the time after which nothing can be
/// the first any more: `None` before the first hit, then the earliest proved contact. A broad phase leaves out what is surely later, and
/// [`super::MotionOptions::with_max_time`] of that time lets a query end early. No body is asked about twice.
/// # Complexity  a comparison for each answer.
/// # Examples
/// A row of balls, of which the second is in a box of the broad phase that begins after the hit:
/// ```
/// use gjk::{Pose, Vec3, query::{self, MotionOptions, Ray}, shape::Ball};
/// let ball = Ball::new(1.0).unwrap();
/// let ray = Ray::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)).unwrap();
/// let mut row = [3.0, 9.0].into_iter();
/// let mut asked = 0;
/// let first = query::first_hits(|until: Option<f64>| {
///     let x = row.find(|x| until.is_none_or(|until| x - 1.0 <= until))?;
///     asked += 1;
///     let mut options = MotionOptions::default();
///     if let Some(until) = until {
///         options = options.with_max_time(until).ok()?;
///     }
///     let pose = Pose::from_translation(Vec3::new(x, 0.0, 0.0));
///     Some((x, query::ray(&ball, &pose, &ray, &options)))
/// });
/// assert_eq!((first.len(), first[0].key, asked), (1, 3.0, 1));
/// assert!(first[0].answer.time.unwrap().contains(2.0));
/// ```
pub fn first_hits<K, V: Vector>(
    mut next: impl FnMut(Option<V::Scalar>) -> Option<(K, CastAnswer<V>)>,
) -> Vec<Hit<K, V>> {
    let mut until = None;
    let mut hits = Vec::new();
    while let Some((key, answer)) = next(until) {
        if !meets(&answer) {
            continue;
        }
        if let Some(upper) = contact(&answer)
            && until.is_none_or(|until| upper < until)
        {
            until = Some(upper);
        }
        hits.push(Hit { key, answer });
    }
    let may_be_first = |hit: &Hit<K, V>| until.is_none_or(|until| begin(&hit.answer) <= until);
    hits.retain(may_be_first);
    hits.sort_by(|x, y| order(&x.answer, &y.answer));
    hits
}

/// Whether there is or may be a contact.
fn meets<V: Vector>(answer: &CastAnswer<V>) -> bool {
    answer.verdict != Meeting::Free
}

/// The time from which on there may be contact: that of a start in contact is zero.
fn begin<V: Vector>(answer: &CastAnswer<V>) -> V::Scalar {
    match (answer.verdict, answer.time) {
        (Meeting::Hits | Meeting::Undecided, Some(time)) => time.lower,
        _ => V::Scalar::ZERO,
    }
}

/// A time at which there is contact, or before which there was one.
fn contact<V: Vector>(answer: &CastAnswer<V>) -> Option<V::Scalar> {
    match (answer.verdict, answer.time) {
        (Meeting::Hits | Meeting::Undecided, Some(time)) => {
            Some(time.upper).filter(|upper| upper.is_finite())
        }
        (Meeting::Hits | Meeting::Undecided, None) => None,
        _ => Some(V::Scalar::ZERO),
    }
}

fn order<V: Vector>(x: &CastAnswer<V>, y: &CastAnswer<V>) -> Ordering {
    let key = |answer: &CastAnswer<V>| {
        let upper = contact(answer).unwrap_or(V::Scalar::INFINITY);
        [begin(answer), upper]
    };
    key(x).partial_cmp(&key(y)).unwrap_or(Ordering::Equal)
}
