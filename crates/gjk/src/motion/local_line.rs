//! A ray in the frame of a body.
//!
//! Where it sits: below `ray_hull.rs` and `ray_quadric.rs`.
//! Numbers: a point of the ray counts only while it may be on the body: at a time at most `(|p| + r)/|v|` from the start, if `r` is how far the body's points are from its origin. Places are
//! bounded for twice that time.

use super::slabs::{SlabBox, fits};
use crate::math::{Pose, Triple, Vector64, dot, length, subtract};

/// Roundings of a place in the body's frame, of its size: of each of three components the way 1, the product of two columns 3, the inner product 3, the quotient 2. The rest is room.
pub(super) const LOCAL_ROUNDINGS: f64 = 18.0;

/// A ray in the frame of a body, and the sizes of which bounds are made.
pub(super) struct LocalLine {
    pub(super) point: Triple,
    pub(super) velocity: Triple,
    /// How far the point is from the body's origin at the start.
    pub(super) far: f64,
    pub(super) speed: f64,
    /// How far the body's points are from its origin.
    pub(super) reach: f64,
    /// How far the body's origin is from the world's, in the body's lengths.
    pub(super) place: f64,
    /// Twice as long a way as the ray may be on the body: farther than that it is not.
    pub(super) way: f64,
}

impl LocalLine {
    /// `None` for numbers near the ends of their range, and for poses that do more than to turn, to move and to scale.
    #[inline(always)]
    pub(super) fn of<W: Vector64>(
        extent: W,
        pose: &Pose<W>,
        [origin, direction]: [Triple; 2],
    ) -> Option<Self> {
        let scale = pose.uniform_scale()?;
        let frame = SlabBox::of(extent, pose)?;
        let per = 1.0 / frame.volume;
        // The inverse of the columns, whichever way they turn.
        let sign = if dot(frame.normals[0], frame.edges[0]) < 0.0 {
            -per
        } else {
            per
        };
        let local = |x: Triple| [0, 1, 2].map(|k| dot(frame.normals[k], x) * sign);
        let (point, velocity) = (local(subtract(origin, frame.center)), local(direction));
        let (far, speed, reach) = (length(point), length(velocity), length(frame.half));
        let place = length(frame.center) / scale;
        if !(fits(far + reach + place) && fits(speed)) {
            return None;
        }
        Some(Self {
            way: 2.0 * (far + reach),
            point,
            velocity,
            far,
            speed,
            reach,
            place,
        })
    }

    /// Places are bounded so long after the start, and so long before.
    pub(super) fn until(&self) -> f64 {
        self.way / self.speed
    }
}
