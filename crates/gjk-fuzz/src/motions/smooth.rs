//! Rays at cylinders, cones and ellipsoids: aimed at rims, apexes and caps, along axes and generators, tangent and a hair beside, near and far. Judged by their inequalities in exact numbers.
//!
//! Idea: whether a place of the line at a float time is in the body is the sign of a polynomial of floats, which [`Dyadic`] has without rounding. A convex body that the line is outside of at the lower end and inside of
//! at the upper one is entered between them, and at no time before. That a ray is free is held against exact signs at the times at which it comes nearest.

use super::generate::{middle_unit, snapped, vector};
use super::{Cast, MotionCase, MotionTally};
use crate::case::{Body, Form, Placement};
use crate::{Rng, Space};
use gjk::math::{Interval, Scalar};
use gjk::query::{CastAnswer, Meeting, MotionStop};
use gjk::{Support, Vector};
use gjk_exact::number::{Dyadic, Number};
use gjk_query::convert::Space as QuerySpace;
use std::cmp::Ordering;

/// Times at which a free ray is looked at, on either side of the nearest approach.
const LOOKS: i32 = 24;

/// Steps of a search for the nearest approach, each of which leaves two thirds.
const STEPS: u32 = 120;

/// The body's farthest point along a normal may be beyond the point of contact by so many roundings, and by how far the ray moves in the time that is left open.
const NORMAL_ROUNDINGS: f64 = 256.0;

/// The body, and the point where the ray starts; their velocities.
pub(super) fn scenery(rng: &mut Rng, space: Space) -> ([Body; 2], [[f64; 3]; 2]) {
    let unit = middle_unit(rng, space);
    let size = |rng: &mut Rng| {
        let wide = rng.pick(&[1.0, 1.0, 1.0, 1.0 / 64.0, 16.0]);
        snapped(space, unit * wide * rng.range(0.25, 1.5))
    };
    let (half, radius) = (size(rng), size(rng));
    let axis = rng.below(3) as usize;
    let form = match rng.below(3) {
        _ if space.dim == 2 => Form::Ellipsoid([half, radius, 0.0]),
        0 => Form::Cylinder(half, radius, axis),
        1 => Form::Cone(half, radius, axis),
        _ => Form::Ellipsoid([half, radius, size(rng)]),
    };
    let far = unit * rng.pick(&[0.0, 2.0, 1024.0]);
    let pose = (!rng.one_in(3)).then(|| Placement {
        columns: rng
            .rotation(space.dim)
            .map(|column| column.map(|x| snapped(space, x))),
        translation: vector(rng, space, far),
    });
    let body = Body {
        form,
        pose,
        ..Body::default()
    };
    let (origin, direction) = aimed(rng, space, &body, unit);
    let point = Body {
        form: Form::Simple,
        points: vec![origin],
        ..Body::default()
    };
    ([body, point], [[0.0; 3], direction])
}

/// A point of the surface in the body's frame, and a direction along the surface there.
fn surface(rng: &mut Rng, space: Space, form: Form) -> ([f64; 3], [f64; 3]) {
    let turn = rng.range(0.0, std::f64::consts::TAU);
    let turn = if rng.one_in(3) { 0.0 } else { turn };
    let (sine, cosine) = turn.sin_cos();
    let upright = |axis: usize, x: f64, y: f64, z: f64| {
        let mut place = [0.0; 3];
        (place[axis], place[(axis + 1) % 3], place[(axis + 2) % 3]) = (z, x, y);
        place
    };
    match form {
        Form::Cylinder(half, radius, axis) => {
            let height = half * rng.pick(&[1.0, -1.0, 1.0, 0.3, 0.0]);
            let out = radius * rng.pick(&[1.0, 1.0, 1.0, 0.5]);
            let along = rng.pick(&[[0.0, 0.0, 1.0], [-sine, cosine, 0.0], [cosine, sine, 0.0]]);
            let place = upright(axis, out * cosine, out * sine, height);
            (place, upright(axis, along[0], along[1], along[2]))
        }
        Form::Cone(half, radius, axis) => {
            // From the apex to the rim.
            let part = rng.pick(&[0.0, 1.0, 0.5, 0.01]);
            let [x, y, z] = [radius * cosine, radius * sine, -2.0 * half];
            let place = upright(axis, part * x, part * y, half + part * z);
            let along = rng.pick(&[[x, y, z], [-sine, cosine, 0.0], [cosine, sine, 0.0]]);
            (place, upright(axis, along[0], along[1], along[2]))
        }
        Form::Ellipsoid([a, b, c]) => {
            let tilt = if space.dim == 2 || rng.one_in(3) {
                0.0
            } else {
                rng.range(-1.5, 1.5)
            };
            let level = tilt.cos();
            let place = [a * cosine * level, b * sine * level, c * tilt.sin()];
            (place, [-a * sine, b * cosine, 0.0])
        }
        _ => ([0.0; 3], [1.0, 0.0, 0.0]),
    }
}

/// The origin and the direction of a ray that is aimed at something.
fn aimed(rng: &mut Rng, space: Space, body: &Body, unit: f64) -> ([f64; 3], [f64; 3]) {
    let (place, along) = surface(rng, space, body.form);
    let (other, _) = surface(rng, space, body.form);
    let turned = |x: [f64; 3]| {
        let still = body.world([0.0; 3]);
        let there = body.world(x);
        [0, 1, 2].map(|k: usize| there[k] - still[k])
    };
    let target = body.world(place);
    let mut direction = match rng.below(5) {
        0 => turned(along),
        1 => {
            let there = body.world(other);
            [0, 1, 2].map(|k: usize| there[k] - target[k])
        }
        2 => {
            let tilt = rng.pick(&[1e-3, 1e-6, 1e-12]);
            let beside = vector(rng, space, tilt);
            let along = turned(along);
            let size = along.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            [0, 1, 2].map(|k: usize| along[k] + size * beside[k])
        }
        _ => vector(rng, space, unit),
    };
    let speed = rng.pick(&[1.0, 1.0, 1024.0, 1.0 / 1024.0]);
    direction = direction.map(|x| snapped(space, x * speed));
    let back = rng.pick(&[0.5, 1.0, 3.0, 1e3, 1e6, -1.0, 0.0]) / speed;
    let mut origin = [0, 1, 2].map(|k: usize| snapped(space, target[k] - back * direction[k]));
    if rng.one_in(3) {
        let way = unit * rng.pick(&[0.1, 1e-6, 1e-14]);
        let moved = vector(rng, space, way);
        origin = [0, 1, 2].map(|k: usize| snapped(space, origin[k] + moved[k]));
    }
    (origin, direction)
}

fn exact(x: f64) -> Dyadic {
    Dyadic::difference(x, 0.0)
}

fn square(x: &Dyadic) -> Dyadic {
    x.times(x)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn sum_abs(x: [f64; 3]) -> f64 {
    x.into_iter().map(f64::abs).sum()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k: usize| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i] * b[j] - a[j] * b[i]
    })
}

fn minor(a: [f64; 2], b: [f64; 2]) -> Dyadic {
    exact(a[0])
        .times(&exact(b[1]))
        .minus(&exact(a[1]).times(&exact(b[0])))
}

/// A body and a line, in floats.
struct Judged {
    form: Form,
    columns: [[f64; 3]; 3],
    center: [f64; 3],
    line: [[f64; 3]; 2],
}

impl Judged {
    fn of<V: QuerySpace>(case: &MotionCase, cast: &Cast<V>) -> Option<Self> {
        let ray = cast.ray.as_ref()?;
        let pose = &cast.poses[0];
        let mut columns = Placement::STRAIGHT;
        for (to, from) in columns.iter_mut().zip(pose.columns()) {
            *to = from.to_f64();
        }
        let number = |x: f64| V::Scalar::from_f64(x).to_f64();
        let form = match case.bodies[0].form {
            Form::Cylinder(half, radius, axis) => {
                Form::Cylinder(number(half), number(radius), axis)
            }
            Form::Cone(half, radius, axis) => Form::Cone(number(half), number(radius), axis),
            Form::Ellipsoid(radii) => Form::Ellipsoid(radii.map(number)),
            other => other,
        };
        Some(Self {
            form,
            columns,
            center: pose.translation().to_f64(),
            line: [ray.origin().to_f64(), ray.direction().to_f64()],
        })
    }

    /// The place at a time in the body's frame, times the determinant of the columns, and that.
    fn place(&self, time: f64) -> ([Dyadic; 3], Dyadic) {
        let [a, b, c] = self.columns;
        let minors = |a: [f64; 3], b: [f64; 3]| {
            [0, 1, 2].map(|k: usize| {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                minor([a[i], a[j]], [b[i], b[j]])
            })
        };
        let sum = |x: &[Dyadic; 3], y: &[Dyadic; 3]| {
            x[0].times(&y[0])
                .plus(&x[1].times(&y[1]))
                .plus(&x[2].times(&y[2]))
        };
        let rows = [minors(b, c), minors(c, a), minors(a, b)];
        let at = [0, 1, 2].map(|k: usize| {
            let way = Dyadic::difference(self.line[0][k], self.center[k]);
            way.plus(&exact(self.line[1][k]).times(&exact(time)))
        });
        let scale = sum(&rows[0], &a.map(exact));
        ([0, 1, 2].map(|k: usize| sum(&rows[k], &at)), scale)
    }

    /// Whether the place at a time is inside, on the surface, or outside.
    fn side(&self, time: f64) -> Ordering {
        let (place, scale) = self.place(time);
        let sign = |x: &Dyadic| x.sign().unwrap_or(Ordering::Equal);
        let upright = |axis: usize| {
            let across = square(&place[(axis + 1) % 3]).plus(&square(&place[(axis + 2) % 3]));
            (across, &place[axis])
        };
        match self.form {
            Form::Cylinder(half, radius, axis) => {
                let (across, height) = upright(axis);
                let beside = across.minus(&square(&exact(radius).times(&scale)));
                let over = square(height).minus(&square(&exact(half).times(&scale)));
                sign(&beside).max(sign(&over))
            }
            Form::Cone(half, radius, axis) => {
                let (across, height) = upright(axis);
                let (size, height) = if sign(&scale).is_lt() {
                    (scale.negated(), height.negated())
                } else {
                    (scale, height.clone())
                };
                let end = exact(half).times(&size);
                // From the apex on.
                let left = end.minus(&height);
                let wide = exact(2.0 * half);
                let beside = across
                    .times(&square(&wide))
                    .minus(&square(&left.times(&exact(radius))));
                let below = height.plus(&end).negated();
                sign(&beside).max(sign(&below)).max(sign(&left.negated()))
            }
            Form::Ellipsoid(radii) => {
                let count = if radii[2] == 0.0 { 2 } else { 3 };
                let others = |k: usize| {
                    let of = (0..count).filter(|&i| i != k);
                    of.fold(exact(1.0), |product, i| product.times(&exact(radii[i])))
                };
                let squares = (0..count).map(|k| square(&place[k].times(&others(k))));
                let all = (0..count).fold(scale, |product, i| product.times(&exact(radii[i])));
                let sum = squares.fold(exact(0.0), |sum, x| sum.plus(&x));
                sign(&sum.minus(&square(&all)))
            }
            _ => Ordering::Greater,
        }
    }

    /// How far outside the body a place is, about, in parts of its size: a convex function of time.
    fn gauge(&self, time: f64) -> f64 {
        let way =
            [0, 1, 2].map(|k: usize| self.line[0][k] - self.center[k] + self.line[1][k] * time);
        let [a, b, c] = self.columns;
        let rows = [cross(b, c), cross(c, a), cross(a, b)];
        let scale = dot(rows[0], a);
        let [x, y, z] = rows.map(|row| dot(row, way) / scale);
        let upright = |axis: usize| {
            let all = [x, y, z];
            (all[(axis + 1) % 3].hypot(all[(axis + 2) % 3]), all[axis])
        };
        match self.form {
            Form::Cylinder(half, radius, axis) => {
                let (across, height) = upright(axis);
                (across / radius).max(height.abs() / half)
            }
            Form::Cone(half, radius, axis) => {
                let (across, height) = upright(axis);
                (across / radius + (height - half) / (2.0 * half)).max(-height / half - 1.0)
            }
            Form::Ellipsoid([a, b, c]) => {
                let third = if c == 0.0 { 0.0 } else { z / c };
                (x / a).hypot(y / b).hypot(third)
            }
            _ => 0.0,
        }
    }
}

/// The time of a piece of time at which the line is nearest to the body, about.
fn nearest_in(judged: &Judged, [mut low, mut high]: [f64; 2]) -> f64 {
    for _ in 0..STEPS {
        let third = (high - low) / 3.0;
        let (a, b) = (low + third, high - third);
        if judged.gauge(a) <= judged.gauge(b) {
            high = b;
        } else {
            low = a;
        }
    }
    0.5 * (low + high)
}

/// The times from 0 to `end` at which the line comes nearest to the body, about.
fn nearest(judged: &Judged, end: f64) -> Vec<f64> {
    let [origin, direction] = judged.line;
    let way = [0, 1, 2].map(|k: usize| judged.center[k] - origin[k]);
    let squared = dot(direction, direction);
    // The body is no farther from its centre than so.
    let size = match judged.form {
        Form::Cylinder(half, radius, _) | Form::Cone(half, radius, _) => half.hypot(radius),
        Form::Ellipsoid(radii) => radii.into_iter().fold(0.0, f64::max),
        _ => 0.0,
    };
    let middle = dot(way, direction) / squared;
    let reach = size / squared.sqrt();
    let (low, high) = ((middle - reach).max(0.0), (middle + reach).min(end));
    if !(low <= high) {
        return vec![0.0];
    }
    let mut found = vec![low, high, 0.5 * (low + high)];
    let best = nearest_in(judged, [low, high]);
    found.extend((-LOOKS..=LOOKS).map(|k| best + reach * f64::from(k) * 1e-9));
    found.retain(|&time| (0.0..=end).contains(&time));
    found
}

/// Holds an answer against the body's inequality.
fn held<V: QuerySpace>(
    judged: &Judged,
    answer: &CastAnswer<V>,
    end: f64,
    tally: &mut MotionTally,
) -> Result<(), String> {
    let numbers = |x: Interval<V::Scalar>| [x.lower.to_f64(), x.upper.to_f64()];
    let wrong = |tally: &mut MotionTally, message: String| {
        tally.wrong += 1;
        Err(message)
    };
    match answer.verdict {
        Meeting::Free => {
            let inside = |&time: &f64| judged.side(time).is_lt();
            if let Some(time) = nearest(judged, end).into_iter().find(inside) {
                return wrong(tally, format!("free, and inside at {time:e}"));
            }
        }
        Meeting::StartsOverlapping | Meeting::StartsTouching => {
            if judged.side(0.0).is_gt() {
                return wrong(tally, "in contact at the start, and outside".to_owned());
            }
        }
        Meeting::Hits => {
            let [lower, upper] = numbers(answer.time.ok_or("no time")?);
            // Rounded outward to the scalar, an end may be beyond a thin body.
            let holds = |time: [f64; 2]| {
                time.into_iter().any(|time| judged.side(time).is_le())
                    || judged.side(nearest_in(judged, time)).is_le()
            };
            if lower > end || judged.side(lower).is_lt() || !holds([lower, upper]) {
                tally.missed += 1;
                return Err(format!("the time [{lower:e}, {upper:e}] misses the truth"));
            }
            tally.widest = tally.widest.max((upper - lower) / upper);
            if let Some([first, last]) = answer.exit.map(numbers)
                && (judged.side(last).is_lt() || !holds([first, last]))
            {
                tally.missed += 1;
                return Err(format!("the exit [{first:e}, {last:e}] misses the truth"));
            }
        }
        _ => {
            let [lower, _] = numbers(answer.time.ok_or("no time")?);
            if lower > 0.0 && judged.side(lower).is_lt() {
                return wrong(tally, format!("inside at {lower:e} already"));
            }
        }
    }
    Ok(())
}

/// Asks and judges a case.
pub(super) fn examine<V: QuerySpace>(
    case: &MotionCase,
    tally: &mut MotionTally,
) -> Result<(), String> {
    let Some((cast, judged)) =
        Cast::<V>::of(case)?.and_then(|cast| Judged::of(case, &cast).map(|judged| (cast, judged)))
    else {
        return Ok(());
    };
    if judged.line[1] == [0.0; 3] {
        return Ok(());
    }
    let start = std::time::Instant::now();
    let answer = cast.plain(true);
    tally.answered(start);
    let start = std::time::Instant::now();
    *tally.verdicts.entry(answer.verdict.name()).or_default() += 1;
    *tally.stops.entry(answer.stop.name()).or_default() += 1;
    tally.grazing += u64::from(answer.grazing);
    if answer.stop == MotionStop::Overflow {
        return Ok(());
    }
    tally.judged += 1;
    let end = case.max_time.unwrap_or(f64::INFINITY);
    let found = held(&judged, &answer, end, tally).and_then(|()| supports(&cast, &answer, tally));
    tally.nanoseconds[1] += start.elapsed().as_nanos() as u64;
    found
}

/// Holds the normal of a hit against the body's farthest point along it.
fn supports<V: QuerySpace>(
    cast: &Cast<V>,
    answer: &CastAnswer<V>,
    tally: &mut MotionTally,
) -> Result<(), String> {
    let (Some(normal), Some(point), Meeting::Hits) =
        (answer.normal, answer.point_b, answer.verdict)
    else {
        return Ok(());
    };
    let (shape, pose) = (&cast.shapes[0], &cast.poses[0]);
    let wide = pose.lift::<V::Wide>();
    let along: V::Wide = normal.lift();
    let farthest = wide.point(
        shape
            .support(wide.direction_to_local(along), gjk::NO_ID)
            .point,
    );
    let beyond = (farthest - point.lift()).dot(along);
    let extent = shape.core().extent;
    let sizes = (0..V::DIM).map(|k| extent.component(k));
    let (size, least) = (
        sum_abs(extent.to_f64()),
        sizes.fold(f64::INFINITY, f64::min),
    );
    let moved = answer
        .time
        .zip(cast.ray.as_ref())
        .map_or(0.0, |(time, ray)| {
            (time.upper - time.lower).to_f64() * sum_abs(ray.direction().to_f64())
        });
    // The point is off by its rounding, and the normal as much more as the body is thin.
    let rounding = V::Scalar::ROUNDING.to_f64();
    let start = cast
        .ray
        .as_ref()
        .map_or(0.0, |ray| sum_abs(ray.origin().to_f64()));
    let places = rounding * sum_abs(point.to_f64()) + f64::ROUNDING * start;
    let thin = size / least;
    let room = rounding * size + places * thin * thin;
    if beyond <= NORMAL_ROUNDINGS * room + moved {
        return Ok(());
    }
    tally.wrong += 1;
    Err(format!(
        "the normal leaves {:e} of the body beyond",
        beyond / size
    ))
}
