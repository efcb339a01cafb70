//! Pairs in motion: when they meet, and where.
//!
//! A time is the lower end of gjk's interval: before it there is no contact.

use super::body::Body;
use super::composite::{Heights, Parts, heights, parts};
use super::dispatcher::Bodies;
use super::kind::{Place, angular, place, pose, vector};
use super::parry::math::{Pose, Real, Vector};
use super::parry::query::details::{
    cast_shapes_composite_shape_shape, cast_shapes_heightfield_shape,
    cast_shapes_nonlinear_composite_shape_shape, cast_shapes_nonlinear_shape_composite_shape,
    cast_shapes_shape_composite_shape, cast_shapes_shape_heightfield,
};
use super::parry::query::{
    NonlinearRigidMotion, ShapeCastHit, ShapeCastOptions, ShapeCastStatus, Unsupported,
};
use super::parry::shape::Shape;
use super::with_parry;
use gjk::Vector as _;
use gjk::query::{self, CastAnswer, Meeting, MotionOptions, Start, ToiOptions, Twist};

/// What of a motion is asked for.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) start: Real,
    pub(super) end: Real,
    pub(super) stop_at_penetration: bool,
}

/// parry passes a start in contact over where the bodies part.
fn start(stop_at_penetration: bool) -> Start {
    if stop_at_penetration {
        Start::Hit
    } else {
        Start::Approach
    }
}

/// The cast of a shape with parts; `None` if neither has parts.
pub(super) fn cast_of_parts(
    pos12: &Pose,
    velocity: Vector,
    [shape1, shape2]: [&dyn Shape; 2],
    options: ShapeCastOptions,
) -> Option<Result<Option<ShapeCastHit>, Unsupported>> {
    let all = with_parry();
    let of_heights = heights(shape1, shape2).map(|field| match field {
        Heights::First(h) => {
            cast_shapes_heightfield_shape(&all, pos12, velocity, h, shape2, options)
        }
        Heights::Second(h) => {
            cast_shapes_shape_heightfield(&all, pos12, velocity, shape1, h, options)
        }
    });
    of_heights.or_else(|| {
        Some(Ok(match parts(shape1, shape2)? {
            Parts::First(c) => {
                cast_shapes_composite_shape_shape(&all, pos12, velocity, c, shape2, options)
            }
            Parts::Second(c) => {
                cast_shapes_shape_composite_shape(&all, pos12, velocity, shape1, c, options)
            }
        }))
    })
}

/// The second body moves in a straight line.
pub(super) fn cast(
    bodies: &Bodies<'_>,
    pos12: &Pose,
    velocity: Place,
    options: ShapeCastOptions,
) -> Result<Option<ShapeCastHit>, Unsupported> {
    let asked = MotionOptions::default()
        .with_start(start(options.stop_at_penetration))
        .with_max_time(end(options.max_time_of_impact))
        .and_then(|asked| asked.with_distance(options.target_distance))
        .map_err(|_| Unsupported)?;
    let ([a, b], [pose_a, pose_b]) = (bodies.supports(), bodies.poses());
    let answer = query::cast(a, pose_a, Place::ZERO, b, pose_b, velocity, &asked);
    let shift = vector(velocity);
    hit(&answer, |time| {
        let there = pos12.translation + shift * time;
        [Pose::IDENTITY, Pose::from_parts(there, pos12.rotation)]
    })
}

/// The largest number stands for no end.
fn end(time: Real) -> Real {
    if time < Real::MAX {
        time
    } else {
        Real::INFINITY
    }
}

/// Both bodies move and turn.
pub(super) fn turning(
    motions: [&NonlinearRigidMotion; 2],
    shapes: [&dyn Shape; 2],
    span: Span,
) -> Result<Option<ShapeCastHit>, Unsupported> {
    let all = with_parry();
    let ([motion1, motion2], [shape1, shape2]) = (motions, shapes);
    let Span {
        start: from,
        end: to,
        stop_at_penetration: stop,
    } = span;
    match parts(shape1, shape2) {
        Some(Parts::First(c)) => Ok(cast_shapes_nonlinear_composite_shape_shape(
            &all, motion1, c, motion2, shape2, from, to, stop,
        )),
        Some(Parts::Second(c)) => Ok(cast_shapes_nonlinear_shape_composite_shape(
            &all, motion1, shape1, motion2, c, from, to, stop,
        )),
        None => turning_bodies(motions, shapes, span),
    }
}

fn turning_bodies(
    motions: [&NonlinearRigidMotion; 2],
    [shape1, shape2]: [&dyn Shape; 2],
    span: Span,
) -> Result<Option<ShapeCastHit>, Unsupported> {
    let (Some(a), Some(b)) = (Body::new(shape1), Body::new(shape2)) else {
        return Err(Unsupported);
    };
    let asked = MotionOptions::default()
        .with_start(start(span.stop_at_penetration))
        .with_max_time(span.end - span.start)
        .map_err(|_| Unsupported)?;
    if asked.max_time().is_none() || !(span.end < Real::MAX) {
        return Err(Unsupported);
    }
    let poses = motions.map(|motion| pose(&motion.position_at_time(span.start)));
    let twists = motions.map(twist);
    let ([Some(pose_a), Some(pose_b)], [Ok(twist_a), Ok(twist_b)]) = (poses, twists) else {
        return Err(Unsupported);
    };
    let answer = query::toi(
        a.support(),
        &pose_a,
        &twist_a,
        b.support(),
        &pose_b,
        &twist_b,
        &ToiOptions::default().with_motion(asked),
    );
    let found = hit(&answer, |time| {
        motions.map(|motion| motion.position_at_time(span.start + time))
    })?;
    Ok(found.map(|hit| ShapeCastHit {
        time_of_impact: span.start + hit.time_of_impact,
        ..hit
    }))
}

fn twist(motion: &NonlinearRigidMotion) -> Result<Twist<Place>, query::MotionError> {
    let (linear, center) = (place(motion.linvel), place(motion.local_center));
    Twist::new(linear, angular(motion.angvel), center)
}

/// The answer as parry has it; `poses` are those of the shapes at a time.
fn hit(
    answer: &CastAnswer<Place>,
    poses: impl Fn(Real) -> [Pose; 2],
) -> Result<Option<ShapeCastHit>, Unsupported> {
    let status = match answer.verdict {
        Meeting::Free => return Ok(None),
        // No contact before the lower end of the time is all that is known.
        Meeting::Undecided => return Err(Unsupported),
        Meeting::StartsTouching | Meeting::StartsOverlapping => {
            ShapeCastStatus::PenetratingOrWithinTargetDist
        }
        _ => ShapeCastStatus::Converged,
    };
    let (Some(time), Some(normal), Some(on_a), Some(on_b)) =
        (answer.time, answer.normal, answer.point_a, answer.point_b)
    else {
        return Err(Unsupported);
    };
    let [pose1, pose2] = poses(time.upper);
    let normal = vector(normal);
    Ok(Some(ShapeCastHit {
        time_of_impact: time.lower.max(0.0),
        witness1: pose1.inverse_transform_point(vector(on_a)),
        witness2: pose2.inverse_transform_point(vector(on_b)),
        normal1: pose1.rotation.inverse() * normal,
        normal2: pose2.rotation.inverse() * -normal,
        status,
        subshape1: 0,
        subshape2: 0,
    }))
}
