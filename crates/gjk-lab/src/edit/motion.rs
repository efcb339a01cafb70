//! Edits of bodies in motion: of where they start, as of a pair, and of where they end.

use super::{Edit, Handle, Which, apply, handles, to_world, turn};
use gjk_query::convert::InputError;
use gjk_scene::{
    AngularSpec, BodyMotionSpec, BodySpec, MotionQuerySpec, MoverSpec, QuerySpec, ScalarKind,
    ShapeSpec, TwistSpec, VelocitySpec, read_query_line,
};
use serde_json::json;

/// A line that is neither an object nor has two bodies.
fn refused(message: impl Into<String>) -> InputError {
    InputError::new("bad_edit", "edits", message)
}

/// Applies an edit of bodies at rest to two bodies, whatever is asked of them.
///
/// # Errors  an edit that the bodies have no place for.
pub(crate) fn apply_to_bodies(
    dim: usize,
    scalar: &mut ScalarKind,
    bodies: [&mut BodySpec; 2],
    edit: &Edit,
) -> Result<(), InputError> {
    let line = json!({"dim": dim, "scalar": *scalar, "a": &*bodies[0], "b": &*bodies[1]});
    let mut pair: QuerySpec = read_query_line(line.to_string().as_bytes(), 1)
        .ok_or_else(|| refused("expected two bodies"))?
        .query?;
    apply(&mut pair, edit)?;
    let [a, b] = bodies;
    (*a, *b, *scalar) = (pair.a, pair.b, pair.scalar);
    Ok(())
}

/// A ray's start as a body.
fn start_of(origin: &[f64]) -> BodySpec {
    BodySpec {
        shape: ShapeSpec::Point {
            point: origin.to_vec(),
        },
        pose: None,
    }
}

/// Applies an edit to bodies in motion.
///
/// # Errors  an edit that they have no place for.
pub(crate) fn apply_to_motion(spec: &mut MotionQuerySpec, edit: &Edit) -> Result<(), InputError> {
    let (dim, mut scalar) = (spec.dim, spec.scalar);
    match (edit, &mut spec.mover) {
        (Edit::MoveEnd { body, by, at }, _) => return move_end(spec, *body, by, *at),
        (
            Edit::TurnEnd {
                body,
                angle,
                axis,
                at,
            },
            _,
        ) => return turn_end(spec, *body, (*angle, *axis), *at),
        (Edit::Swap, MoverSpec::Cast { a, b }) => std::mem::swap(a, b),
        (Edit::Swap, MoverSpec::Toi { a, b }) => std::mem::swap(a, b),
        (Edit::Swap, MoverSpec::Ray { .. }) => {
            return Err(refused("a ray is no body to exchange"));
        }
        (_, MoverSpec::Ray { a, ray }) => {
            let mut start = start_of(&ray.origin);
            apply_to_bodies(dim, &mut scalar, [a, &mut start], edit)?;
            let ShapeSpec::Point { point } = &start.shape else {
                return Err(refused("a ray has no other shape"));
            };
            ray.origin = to_world(&start, point);
        }
        (_, MoverSpec::Cast { a, b }) => {
            apply_to_bodies(dim, &mut scalar, [&mut a.body, &mut b.body], edit)?;
        }
        (_, MoverSpec::Toi { a, b }) => {
            apply_to_bodies(dim, &mut scalar, [&mut a.body, &mut b.body], edit)?;
        }
    }
    spec.scalar = scalar;
    Ok(())
}

/// The points of bodies at the start that can be dragged.
pub(crate) fn motion_handles(spec: &MotionQuerySpec) -> Vec<Handle> {
    match &spec.mover {
        MoverSpec::Ray { a, ray } => handles([a, &start_of(&ray.origin)]),
        MoverSpec::Cast { a, b } => handles([&a.body, &b.body]),
        MoverSpec::Toi { a, b } => handles([&a.body, &b.body]),
    }
}

/// Moves where a body is at a time.
fn move_end(
    spec: &mut MotionQuerySpec,
    body: Which,
    by: &[f64],
    at: f64,
) -> Result<(), InputError> {
    let dim = spec.dim;
    if by.len() != dim || !by.iter().all(|x| x.is_finite()) || !(at > 0.0 && at.is_finite()) {
        return Err(refused(
            "expected as many finite numbers as the query has dimensions, and a time after 0",
        ));
    }
    let faster = |velocity: &mut Vec<f64>| {
        velocity.iter_mut().zip(by).for_each(|(x, d)| *x += d / at);
    };
    match (&mut spec.mover, body) {
        (MoverSpec::Ray { ray, .. }, Which::B) => faster(&mut ray.direction),
        (MoverSpec::Ray { .. }, Which::A) => return Err(refused("a ray's body is at rest")),
        (MoverSpec::Cast { a, b }, _) => {
            let body = if body == Which::A { a } else { b };
            let rest = || VelocitySpec {
                velocity: vec![0.0; dim],
            };
            faster(&mut body.motion.get_or_insert_with(rest).velocity);
        }
        (MoverSpec::Toi { a, b }, _) => {
            let body = if body == Which::A { a } else { b };
            match body.motion.get_or_insert_with(at_rest) {
                BodyMotionSpec::Twist(TwistSpec::Constant { velocity, .. }) => {
                    faster(velocity.get_or_insert_with(|| vec![0.0; dim]));
                }
                BodyMotionSpec::Twist(TwistSpec::To { to, .. }) => {
                    let place = to.translation.get_or_insert_with(|| vec![0.0; dim]);
                    place.iter_mut().zip(by).for_each(|(x, d)| *x += d);
                }
                BodyMotionSpec::Vertices { vertices } => vertices.iter_mut().for_each(faster),
            }
        }
    }
    Ok(())
}

fn at_rest() -> BodyMotionSpec {
    BodyMotionSpec::Twist(TwistSpec::Constant {
        velocity: None,
        angular: None,
        center: None,
    })
}

/// Turns a body farther until a time.
fn turn_end(
    spec: &mut MotionQuerySpec,
    body: Which,
    (angle, axis): (f64, Option<[f64; 3]>),
    at: f64,
) -> Result<(), InputError> {
    let dim = spec.dim;
    let axis = axis.unwrap_or([0.0, 0.0, 1.0]);
    if !(at > 0.0 && at.is_finite() && angle.is_finite() && axis.iter().all(|x| x.is_finite())) {
        return Err(refused("expected an angle, an axis and a time after 0"));
    }
    let MoverSpec::Toi { a, b } = &mut spec.mover else {
        return Err(refused(
            "only the bodies of a `toi` turn: a ray and a cast move in straight lines",
        ));
    };
    let body = if body == Which::A { a } else { b };
    match body.motion.get_or_insert_with(at_rest) {
        BodyMotionSpec::Vertices { .. } => {
            return Err(refused("vertices that move by themselves do not turn"));
        }
        BodyMotionSpec::Twist(TwistSpec::To { to, .. }) => turn(to, dim, angle, Some(axis)),
        BodyMotionSpec::Twist(TwistSpec::Constant { angular, .. }) => {
            let rate = angular.map_or([0.0; 3], AngularSpec::components);
            let faster = [0, 1, 2].map(|k| rate[k] + angle * axis[k] / at);
            *angular = Some(if dim == 2 {
                AngularSpec::Planar(faster[2])
            } else {
                AngularSpec::Spatial(faster)
            });
        }
    }
    Ok(())
}
