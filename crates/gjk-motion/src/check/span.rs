//! How near two pieces come along one direction while the joints run on their curves over a span of time.
//!
//! Where it sits: `path.rs` asks it for each leaf of a tree over time.
//! Idea: along a direction that is fixed in a frame of the way, the gap of any two points is a function of time whose second derivative is
//! bounded by how fast the joints run and how far the pieces are from their axes. So it is nowhere below the lesser of its ends by more than
//! an eighth of that bound times the span's square. docs/robot-certificates.md has the proof.

use super::bound::{PieceSide, through, turned_back, up};
use super::enclosed::{Enclosed, Vec3Bounds, ZERO, cross, exactly, norm, sum, times};
use super::polynomial::{Polynomial, RateBounds};
use super::solid::RootedSolid;
use super::walk::{Moving, WalkStep};

/// The curves of a walk's variables.
pub(super) type WalkCurves<'c> = [&'c Polynomial];

/// Where all variables are at a time, and how fast they run on a span at most.
struct SpanRates {
    values: Vec<Enclosed>,
    rates: Vec<RateBounds>,
    half: f64,
}

/// A lower bound of the distance of the two pieces over a span, along a direction from the first to the second.
pub(super) fn bound_in_span(
    direction: [f64; 3],
    a: &PieceSide<'_>,
    b: &PieceSide<'_>,
    curves: &WalkCurves<'_>,
    span: [f64; 2],
) -> f64 {
    let along = exactly(direction);
    let back = along.map(Enclosed::neg);
    let mut gap = f64::INFINITY;
    for u in span {
        let values: Vec<Enclosed> = curves.iter().map(|curve| curve.value(u)).collect();
        let top = Enclosed::exact(highest_at(a, &along, &values));
        let bottom = Enclosed::exact(highest_at(b, &back, &values)).neg();
        gap = gap.min(bottom.sub(top).lo);
    }
    let length = norm(&along);
    let gap = if gap > 0.0 {
        gap / length.hi
    } else {
        gap / length.lo
    };
    let width = Enclosed::exact(span[1]).sub(Enclosed::exact(span[0]));
    let middle = 0.5 * span[0] + 0.5 * span[1];
    let rates = SpanRates {
        values: curves.iter().map(|curve| curve.value(middle)).collect(),
        rates: curves.iter().map(|curve| curve.rates(span)).collect(),
        half: (middle - span[0]).max(span[1] - middle).next_up(),
    };
    let bend = Enclosed::exact(rates.acceleration(a)).add(Enclosed::exact(rates.acceleration(b)));
    let below = width.square().mul(bend).over(8.0).hi;
    let radii = up(a.radius() + b.radius());
    let distance = (gap.next_down() - up(below + radii)).next_down();
    let is_sound = length.lo > 0.0 && length.hi.is_finite() && !distance.is_nan();
    if is_sound {
        distance
    } else {
        f64::NEG_INFINITY
    }
}

fn value_of(moving: &Moving, values: &[Enclosed]) -> Enclosed {
    moving
        .factor
        .mul(values[moving.variable])
        .add(moving.offset)
}

/// No point of the piece is higher along the direction where the variables have these values, but for the radius that comes with it.
fn highest_at(side: &PieceSide<'_>, direction: &Vec3Bounds, values: &[Enclosed]) -> f64 {
    let (mut d, mut height) = (*direction, ZERO);
    for step in side.steps {
        match step {
            WalkStep::Still(place) => {
                height = height.add(place.height(&d));
                d = place.direction(&d);
            }
            WalkStep::Turning(moving) => {
                let angle = value_of(moving, values);
                (d, height) = through(step, &d, height, [angle.cos(), angle.sin()]);
            }
            WalkStep::Sliding(moving) => {
                (d, height) = through(step, &d, height, [value_of(moving, values), ZERO]);
            }
        }
    }
    let top = match side.piece {
        RootedSolid::Cloud(cloud) => cloud.highest(&d),
        RootedSolid::Smooth(smooth) => smooth.highest(&d),
    };
    up(height.hi + top)
}

impl SpanRates {
    /// No point of the piece has a larger second derivative of its place, from the piece outward.
    ///
    /// A joint that turns takes a point to `R(θ)·p`, whose second derivative is `R·(θ'²·K²p + θ''·Kp + 2θ'·Kp' + p'')`; `Kp` and `K²p` are as
    /// long as the point is far from the axis.
    fn acceleration(&self, side: &PieceSide<'_>) -> f64 {
        let (mut center, reach) = side.ball();
        // How far the middle of the piece is moved by what is inside, and bounds of what its points do.
        let (mut moved, mut speed, mut acceleration) = (0.0_f64, 0.0_f64, 0.0_f64);
        for step in side.steps.iter().rev() {
            match step {
                WalkStep::Still(place) => center = place.point(&center),
                WalkStep::Turning(moving) => {
                    let RateBounds {
                        speed: own,
                        acceleration: bend,
                    } = self.of(moving);
                    let across = up(norm(&cross(&moving.axis, &center)).hi + moved);
                    let arm = up(across + reach);
                    let turned = up(own * up(up(arm * own) + up(2.0 * speed)));
                    acceleration = up(acceleration + up(turned + up(arm * bend)));
                    speed = up(speed + up(arm * own));
                    moved = up(moved + up(across * up(own * self.half)));
                    let angle = value_of(moving, &self.values);
                    center = turned_back(&center, &moving.axis, [angle.cos(), angle.sin().neg()]);
                }
                WalkStep::Sliding(moving) => {
                    let RateBounds {
                        speed: own,
                        acceleration: bend,
                    } = self.of(moving);
                    acceleration = up(acceleration + bend);
                    speed = up(speed + own);
                    moved = up(moved + up(own * self.half));
                    let by = value_of(moving, &self.values);
                    center = sum(&center, &times(&moving.axis, by));
                }
            }
        }
        acceleration
    }

    /// How fast a joint runs at most.
    fn of(&self, moving: &Moving) -> RateBounds {
        let factor = moving.factor.magnitude();
        let rates = &self.rates[moving.variable];
        RateBounds {
            speed: up(factor * rates.speed),
            acceleration: up(factor * rates.acceleration),
        }
    }
}
