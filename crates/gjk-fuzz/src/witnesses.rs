//! The normal and the points of an answer: a plane across the normal keeps the bodies apart, or B moved along it by the depth is; the points are of the
//! bodies, and the way between them is along the normal.
//!
//! Where it sits: `judge.rs` hands answers on. Read [`examine`].
//! Idea: a body's height along a direction is above all of its points. Along the normal the heights say how far apart the bodies are, and no interval's
//! lower end may say much more; nor any upper end less than a plane beside it.

use crate::case::{Body, Case};
use crate::families::by_power;
use crate::known::{Fault, Kind, fault};
use crate::oracle::smooth;
use gjk::Vector;
use gjk::math::Scalar;
use gjk::query::{Interval, Verdict};

/// A normal and a point are as the scalar rounds them: heights along the one and of the other are within so many roundings of the sizes.
const WITNESS_ROUNDINGS: f64 = 64.0;

/// The normal of the default query is off by the root of what its numbers may be: along it the bodies are apart by less, by up to this part.
const HEIGHT_LOSS: f64 = 1.0 / 1024.0;

/// Sizes beyond these powers of two are brought to one, so that the squares of a height are floats. The others are as they are.
const PLAIN_POWERS: i32 = 256;

/// The directions that are asked beside the normal are tilted by so much, to four sides.
const TILTS: [f64; 5] = [0.5, 0.1, 1e-2, 1e-3, 1e-5];

/// The least positive number, by which heights that small are rounded.
const TINIEST: f64 = f64::from_bits(1);

/// What an answer tells beside its verdict.
pub(crate) struct WitnessClaim<'t, V: Vector> {
    /// Which answer it is.
    pub name: &'t str,
    pub verdict: Verdict,
    pub normal: V,
    pub points: [V; 2],
    pub interval: &'t Interval<V::Scalar>,
}

/// Holds what is told of bodies of this size against their heights.
pub(crate) fn examine<V: Vector>(
    case: &Case,
    told: &WitnessClaim<'_, V>,
    size: f64,
    faults: &mut Vec<Fault>,
) {
    let power = if size > 0.0 { size.log2() as i32 } else { 0 };
    // Vertices of hulls are as the world rounds them, and their heights have no squares.
    let squared = case.a.form.is_smooth() || case.b.form.is_smooth();
    let power = if squared && power.abs() > PLAIN_POWERS {
        power
    } else {
        0
    };
    let scaled;
    let bodies = if power == 0 {
        [&case.a, &case.b]
    } else {
        scaled = [&case.a, &case.b].map(|body| {
            let mut body = body.clone();
            body.for_each_length(|x| *x = by_power(*x, -power));
            body
        });
        scaled.each_ref()
    };
    let to_unit = |x: V::Scalar| by_power(x.to_f64(), -power);
    let seen = Seen {
        bodies,
        is_flat: case.dim == 2,
        normal: told.normal.to_f64(),
        points: told.points.map(|x| x.to_f64().map(|c| by_power(c, -power))),
        interval: [to_unit(told.interval.lower), to_unit(told.interval.upper)],
        rounding: WITNESS_ROUNDINGS
            * (V::Scalar::ROUNDING.to_f64() * by_power(size, -power)
                + by_power(V::Scalar::TINIEST.to_f64(), -power)
                + TINIEST),
    };
    let objections = [
        seen.normal_is_not_between(),
        seen.upper_end_is_too_low(squared),
        seen.points_are_off_the_bodies(squared),
        seen.way_is_not_along_the_normal(told.verdict),
    ];
    for objection in objections.into_iter().flatten() {
        let message = format!("{}: {objection}, in units of 2^{power}", told.name);
        faults.push(fault(Kind::Interval, message));
    }
}

/// An answer in the units of its bodies.
struct Seen<'b> {
    bodies: [&'b Body; 2],
    /// They are of the plane.
    is_flat: bool,
    normal: [f64; 3],
    points: [[f64; 3]; 2],
    interval: [f64; 2],
    rounding: f64,
}

impl Seen<'_> {
    /// What of the interval's ends a direction or a way may miss.
    fn room(&self) -> f64 {
        let [lower, upper] = self.interval;
        (HEIGHT_LOSS * lower.abs()).max(upper - lower) + self.rounding
    }

    fn normal_is_not_between(&self) -> Option<String> {
        let (normal, [lower, _]) = (self.normal, self.interval);
        let (_, apart) = smooth::apart_along(self.bodies, normal).interval();
        (apart < lower - self.room()).then(|| {
            format!("along the normal {normal:?} the bodies are {apart:?} apart, not {lower:?}")
        })
    }

    /// The signed distance is the most that any plane keeps the bodies apart by, and minus the least that they overlap by. Of hulls other oracles know it.
    fn upper_end_is_too_low(&self, is_smooth: bool) -> Option<String> {
        let [x, y, z] = self.normal;
        let (left, up) = if z.abs() < 0.7 {
            ([-y, x, 0.0], [-x * z, -y * z, x * x + y * y])
        } else {
            ([0.0, -z, y], [y * y + z * z, -x * y, -x * z])
        };
        let all = [left, left.map(|x| -x), up, up.map(|x| -x)];
        // In the plane `left` is.
        let sides = if self.is_flat { &all[..2] } else { &all };
        let tilted = TILTS.iter().flat_map(|&tilt| {
            let tilted =
                move |side: &[f64; 3]| std::array::from_fn(|k| self.normal[k] + tilt * side[k]);
            sides.iter().map(tilted)
        });
        let upper = self.interval[1];
        tilted
            .filter(|_| is_smooth)
            .find_map(|direction: [f64; 3]| {
                let (apart, _) = smooth::apart_along(self.bodies, direction).interval();
                (apart > upper + self.rounding).then(|| {
                    format!("along {direction:?} the bodies are {apart:?} apart, not {upper:?}")
                })
            })
    }

    /// No point is above its body: along the normal, away from the body's place, and where both are cheap along the axes.
    fn points_are_off_the_bodies(&self, along_axes: bool) -> Option<String> {
        (0..2).find_map(|k| {
            let (body, point, normal) = (self.bodies[k], self.points[k], self.normal);
            let place = body.pose.map_or([0.0; 3], |pose| pose.translation);
            let away: [f64; 3] = std::array::from_fn(|k| point[k] - place[k]);
            let largest = away.iter().fold(TINIEST, |m, x| m.max(x.abs()));
            let away = away.map(|x| x / largest);
            let axes = (0..6).map(|k| {
                let mut axis = [0.0; 3];
                axis[k / 2] = if k % 2 == 0 { 1.0 } else { -1.0 };
                axis
            });
            [normal, normal.map(|x| -x), away]
                .into_iter()
                .chain(axes.filter(|_| along_axes))
                .find_map(|direction| {
                    let (above, _) = smooth::above(body, point, direction)?.interval();
                    (above > self.rounding).then(|| {
                        let name = ["a", "b"][k];
                        format!(
                            "point_{name} {point:?} is {above:?} above its body along {direction:?}"
                        )
                    })
                })
        })
    }

    /// The way between the points has the length that is told, along the normal.
    fn way_is_not_along_the_normal(&self, verdict: Verdict) -> Option<String> {
        let ([a, b], [lower, upper]) = (self.points, self.interval);
        let along: f64 = (0..3).map(|k| (b[k] - a[k]) * self.normal[k]).sum();
        let room = self.room();
        let decided = verdict != Verdict::Undecided && lower.is_finite();
        (decided && (along < lower - room || along > upper + room)).then(|| {
            format!("the points are {along:?} apart along the normal, not [{lower:?}, {upper:?}]")
        })
    }
}
