//! When a box that moves in a straight line can meet one at rest.
//!
//! Idea: along each axis the boxes meet during one interval of time; they may meet while they do so along all three.
//! Numbers: each difference and quotient is rounded away from the other box, so that no contact is before the time that is told.

use crate::boxes::Box3;
use crate::signs::Point;
use gjk_exact::number::two_sum;

/// A box, and how it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    start: Box3,
    /// The least and the largest that the velocity may be along each axis.
    velocity: [[f64; 2]; 3],
    end: f64,
}

impl Course {
    /// What is within a box at the time 0 and moves by the second velocity, as seen by what moves by the first, until an end.
    pub(super) fn new(start: Box3, [of_mesh, own]: [Point; 2], end: f64) -> Self {
        let difference = |k: usize| {
            let (sum, lost) = two_sum(own[k], -of_mesh[k]);
            if lost == 0.0 {
                [sum, sum]
            } else {
                [sum.next_down(), sum.next_up()]
            }
        };
        Self {
            start,
            velocity: [0, 1, 2].map(difference),
            end,
        }
    }

    /// A time before which the box does not meet another; `None` where it never does.
    pub(super) fn time_of(&self, other: &Box3) -> Option<f64> {
        let ([low, high], [to_low, to_high]) = (self.start.corners(), other.corners());
        let (mut enter, mut leave) = (0.0_f64, self.end);
        for k in 0..3 {
            let [slow, fast] = self.velocity[k];
            // Seen along the motion.
            let along = if slow >= 0.0 {
                [low[k], high[k], to_low[k], to_high[k], slow, fast]
            } else if fast <= 0.0 {
                [-high[k], -low[k], -to_high[k], -to_low[k], -fast, -slow]
            } else {
                // Rounding hides which way: only a bound on the speed counts.
                let gap = (to_low[k] - high[k]).max(low[k] - to_high[k]);
                let time = quotient_down(gap, fast.max(-slow));
                enter = enter.max(time);
                continue;
            };
            let [enters, leaves] = times(along);
            enter = enter.max(enters);
            leave = leave.min(leaves);
        }
        // A number that is none excludes nothing.
        (!(enter > leave) && enter < f64::INFINITY).then_some(enter)
    }
}

/// From when and until when a segment that moves forward meets one at rest: bounds from outside.
fn times([low, high, to_low, to_high, slow, fast]: [f64; 6]) -> [f64; 2] {
    let enters = if high >= to_low {
        0.0
    } else if fast == 0.0 {
        f64::INFINITY
    } else {
        quotient_down(to_low - high, fast)
    };
    let leaves = if low > to_high {
        f64::NEG_INFINITY
    } else if slow == 0.0 {
        f64::INFINITY
    } else {
        ((to_high - low).next_up() / slow).next_up()
    };
    [enters, leaves]
}

/// At most the quotient of a rounded difference and a positive number; zero of what is not positive.
fn quotient_down(gap: f64, by: f64) -> f64 {
    let quotient = (gap.next_down() / by).next_down();
    if quotient > 0.0 { quotient } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_box(at: f64) -> Box3 {
        Box3::of(&[[at, 0.0, 0.0], [at + 1.0, 1.0, 1.0]])
    }

    #[test]
    fn boxes_meet_when_their_sides_do() {
        let rest = [0.0; 3];
        let of = |velocity: Point, end: f64| {
            Course::new(unit_box(0.0), [rest, velocity], end).time_of(&unit_box(3.0))
        };
        let near = |time: Option<f64>, truth: f64| {
            let time = time.unwrap_or(f64::NAN);
            assert!(time <= truth && time > truth - 1e-14, "{time} {truth}");
        };
        near(of([2.0, 0.0, 0.0], 9.0), 1.0);
        // One that ends just then, or touches along a side all the way, meets it.
        near(of([2.0, 0.0, 0.0], 1.0), 1.0);
        near(of([1.0, 0.5, 0.0], 9.0), 2.0);
        assert_eq!(of([2.0, 0.0, 0.0], 0.999), None);
        assert_eq!(of([-2.0, 0.0, 0.0], 9.0), None);
        assert_eq!(of([0.0, 1.0, 0.0], f64::INFINITY), None);
        assert_eq!(of([1.0, 0.51, 0.0], 9.0), None);
        assert_eq!(of([0.0; 3], f64::INFINITY), None);
        let moves = [1e300, 0.0, 0.0];
        assert!(of(moves, 9.0).is_some_and(|time| time <= 2e-300));
    }

    /// A difference of velocities that no float is, and of which not even the sign is one.
    #[test]
    fn a_rounded_velocity_excludes_nothing_that_is_met() {
        let tiny = f64::from_bits(1);
        let course = Course::new(
            unit_box(0.0),
            [[-1.0, 0.0, 0.0], [tiny, 0.0, 0.0]],
            f64::INFINITY,
        );
        assert!(
            course
                .time_of(&unit_box(3.0))
                .is_some_and(|time| time <= 2.0)
        );
        let all = Box3::of(&[[f64::MIN; 3], [f64::MAX; 3]]);
        assert_eq!(course.time_of(&all), Some(0.0));
    }
}
