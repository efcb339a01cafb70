//! The clearance over time against closed forms and samples.

use crate::{arm, point};
use gjk_motion::{Interpolation, PathOptions};

/// The straight arm beside the post: the distance of the post's centre to the arm's line less both radii.
#[test]
fn slices_hold_the_clearance_in_closed_form() {
    let arm = arm();
    let segments = arm.segments(
        vec![point(0.0, &[-1.0]), point(2.0, &[-0.3]), point(3.0, &[1.0])],
        Interpolation::Auto,
    );
    let tolerance = 1e-3;
    let path = arm.path(PathOptions::default());
    let slices = path.profile(&segments, 10, tolerance).unwrap();
    assert_eq!(slices.len(), 20);
    for slice in &slices {
        assert!(slice.is_proved);
        let width = slice.clearance.upper - slice.clearance.lower;
        assert!((0.0..=tolerance * 1.0001).contains(&width), "{slice:?}");
        let angle = |t: f64| {
            if t < 2.0 {
                -1.0 + 0.35 * t
            } else {
                -0.3 + 1.3 * (t - 2.0)
            }
        };
        let [from, to] = slice.time;
        let least = (0..=1000)
            .map(|k| {
                angle(from + (to - from) * f64::from(k) / 1000.0)
                    .sin()
                    .abs()
                    * 1.5
                    - 0.35
            })
            .fold(f64::INFINITY, f64::min)
            .max(0.0);
        assert!(
            slice.clearance.lower <= least + 1e-9 && least <= slice.clearance.upper + 1e-5,
            "{slice:?} {least}"
        );
        let (a, b) = slice.bodies.unwrap();
        assert_eq!(arm.name(a), "post");
        assert!(["upper", "fore"].contains(&arm.name(b)));
    }
    let deepest = slices.iter().find(|slice| slice.time[0] > 2.2).unwrap();
    assert_eq!(deepest.clearance.lower, 0.0);
}
