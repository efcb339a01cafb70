//! Edits of a query: what dragging does to it.
//!
//! Where it sits: `edit/motion.rs` has what only bodies in motion have.
//! Frame: the world's. A body's own points are reached through the inverse of its map.

#[cfg(feature = "bodies")]
mod motion;

use gjk_query::convert::InputError;
use gjk_scene::{Affine, BodySpec, PoseSpec, QuerySpec, RotationSpec, ShapeSpec, read_query_line};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cfg(feature = "bodies")]
pub(crate) use motion::{apply_to_bodies, apply_to_motion, motion_handles};

/// Which body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Which {
    A,
    B,
}

/// One edit.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Edit {
    /// Moves a body.
    Move { body: Which, by: Vec<f64> },
    /// Puts the image of a body's origin at a coordinate of an axis, to the bit.
    Place { body: Which, axis: usize, to: f64 },
    /// Turns a body about the image of its origin: by an angle in radians, in space about an axis.
    Turn {
        body: Which,
        angle: f64,
        #[serde(default)]
        axis: Option<[f64; 3]>,
    },
    /// Scales a body's own axes.
    Scale { body: Which, by: Vec<f64> },
    /// Moves one of its points.
    MoveVertex {
        body: Which,
        index: usize,
        to: Vec<f64>,
    },
    /// Adds a point.
    AddVertex { body: Which, at: Vec<f64> },
    /// Removes a point.
    RemoveVertex { body: Which, index: usize },
    /// Makes a body another shape, where it is.
    Shape { body: Which, shape: Value },
    /// Rounds the numbers to another scalar.
    Scalar { scalar: Value },
    /// Exchanges the bodies.
    Swap,
    /// Moves where a body in motion is at a time.
    MoveEnd { body: Which, by: Vec<f64>, at: f64 },
    /// Turns a body in motion farther until a time: by an angle in radians, in space about an axis.
    TurnEnd {
        body: Which,
        angle: f64,
        #[serde(default)]
        axis: Option<[f64; 3]>,
        at: f64,
    },
}

/// A point of the input that can be dragged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Handle {
    body: &'static str,
    index: usize,
    at: Vec<f64>,
}

/// Applies an edit.
///
/// # Errors  an edit that the body has no place for.
pub(crate) fn apply(query: &mut QuerySpec, edit: &Edit) -> Result<(), InputError> {
    let dim = query.dim;
    let refused = |message: &str| Err(InputError::new("bad_edit", "edits", message));
    let sized = |numbers: &[f64]| numbers.len() == dim && numbers.iter().all(|x| x.is_finite());
    match edit {
        Edit::Shape { body, shape } => *query = with_shape(query, *body, shape.clone())?,
        Edit::Scalar { scalar } => *query = reread(query, |line| line["scalar"] = scalar.clone())?,
        Edit::Swap => std::mem::swap(&mut query.a, &mut query.b),
        Edit::Move { body, by } if sized(by) => {
            let pose = pose(query, *body);
            let at = pose.translation.get_or_insert_with(|| vec![0.0; dim]);
            at.iter_mut().zip(by).for_each(|(x, d)| *x += d);
        }
        Edit::Place { body, axis, to } if *axis < dim && to.is_finite() => {
            let pose = pose(query, *body);
            pose.translation.get_or_insert_with(|| vec![0.0; dim])[*axis] = *to;
        }
        Edit::Turn { body, angle, axis } if angle.is_finite() => {
            turn(pose(query, *body), dim, *angle, *axis)
        }
        Edit::Scale { body, by } if sized(by) && by.iter().all(|x| *x != 0.0) => {
            let pose = pose(query, *body);
            let scale = pose.scale.get_or_insert_with(|| vec![1.0; dim]);
            scale.iter_mut().zip(by).for_each(|(x, d)| *x *= d);
        }
        Edit::MoveVertex { body, index, to } if sized(to) => {
            let own = to_own(body_of(query, *body), to);
            match vertices(&mut body_of_mut(query, *body).shape)
                .and_then(|mut points| points.drain(..).nth(*index))
            {
                Some(point) => *point = own[..dim].to_vec(),
                None => return refused("there is no such vertex"),
            }
        }
        Edit::AddVertex { body, at } if sized(at) => {
            let own = to_own(body_of(query, *body), at);
            let body = body_of_mut(query, *body);
            let Some(mut points) = points_of(&mut body.shape) else {
                return refused("only points have vertices to add to");
            };
            points.push(own[..dim].to_vec());
            body.shape = ShapeSpec::Convex { points };
        }
        Edit::RemoveVertex { body, index } => {
            let body = body_of_mut(query, *body);
            let Some(mut points) = points_of(&mut body.shape) else {
                return refused("only points have vertices to remove");
            };
            if *index >= points.len() || points.len() == 1 {
                return refused("the last vertex stays");
            }
            points.remove(*index);
            body.shape = ShapeSpec::Convex { points };
        }
        _ => return refused("expected as many finite numbers as the query has dimensions"),
    }
    Ok(())
}

/// A query with another shape for one body, at the pose of the one before.
fn with_shape(query: &QuerySpec, body: Which, shape: Value) -> Result<QuerySpec, InputError> {
    reread(query, |line| {
        let body = &mut line[if body == Which::A { "a" } else { "b" }];
        let pose = body["pose"].take();
        *body = shape;
        if let (Value::Object(body), false) = (body, pose.is_null()) {
            body.insert("pose".to_owned(), pose);
        }
    })
}

/// Copies of a shape's vertices; `None` where it has none.
fn points_of(shape: &mut ShapeSpec) -> Option<Vec<Vec<f64>>> {
    let points = vertices(shape)?;
    Some(points.into_iter().map(|point| point.clone()).collect())
}

/// A query after a change of its line.
fn reread(query: &QuerySpec, change: impl FnOnce(&mut Value)) -> Result<QuerySpec, InputError> {
    let refused = |message: &str| InputError::new("bad_edit", "edits", message);
    let mut line = serde_json::to_value(query).map_err(|error| refused(&error.to_string()))?;
    change(&mut line);
    Ok(read_query_line(line.to_string().as_bytes(), 1)
        .ok_or_else(|| refused("expected a query"))?
        .query?)
}

/// The points of a shape that is given by points.
pub(crate) fn vertices(shape: &mut ShapeSpec) -> Option<Vec<&mut Vec<f64>>> {
    Some(match shape {
        ShapeSpec::Point { point } => vec![point],
        ShapeSpec::Segment { a, b } => vec![a, b],
        ShapeSpec::Triangle { a, b, c } => vec![a, b, c],
        ShapeSpec::Convex { points } => points.iter_mut().collect(),
        ShapeSpec::Rounded { core, .. } => return vertices(core),
        _ => return None,
    })
}

/// The points of bodies that can be dragged.
pub(crate) fn handles<'b>(bodies: impl IntoIterator<Item = &'b BodySpec>) -> Vec<Handle> {
    let mut found = Vec::new();
    for (name, body) in ["a", "b"].into_iter().zip(bodies) {
        let mut shape = body.shape.clone();
        let points = vertices(&mut shape).unwrap_or_default();
        let handle = |(index, own): (usize, &mut Vec<f64>)| Handle {
            body: name,
            index,
            at: to_world(body, own),
        };
        found.extend(points.into_iter().enumerate().map(handle));
    }
    found
}

/// Where a body's map takes a point of its own.
pub(crate) fn to_world(body: &BodySpec, own: &[f64]) -> Vec<f64> {
    let mut wide = [0.0; 3];
    own.iter().zip(&mut wide).for_each(|(from, to)| *to = *from);
    map(body).apply(wide)[..own.len()].to_vec()
}

fn map(body: &BodySpec) -> Affine {
    body.pose
        .as_ref()
        .map_or(Affine::IDENTITY, PoseSpec::affine)
}

fn body_of(query: &QuerySpec, body: Which) -> &BodySpec {
    if body == Which::A { &query.a } else { &query.b }
}

fn body_of_mut(query: &mut QuerySpec, body: Which) -> &mut BodySpec {
    if body == Which::A {
        &mut query.a
    } else {
        &mut query.b
    }
}

fn pose(query: &mut QuerySpec, body: Which) -> &mut PoseSpec {
    body_of_mut(query, body)
        .pose
        .get_or_insert_with(PoseSpec::default)
}

pub(super) fn turn(pose: &mut PoseSpec, dim: usize, angle: f64, axis: Option<[f64; 3]>) {
    if let (2, None, rotation) = (dim, &pose.rotation_matrix, pose.rotation) {
        let before = if let Some(RotationSpec::Angle(before)) = rotation {
            before
        } else {
            0.0
        };
        pose.rotation = Some(RotationSpec::Angle(before + angle));
        return;
    }
    let by = Affine::from_axis_angle(axis.unwrap_or([0.0, 0.0, 1.0]), angle);
    let turned = PoseSpec {
        scale: None,
        translation: None,
        ..pose.clone()
    };
    let linear = by.compose(&turned.affine()).linear;
    pose.rotation = None;
    pose.rotation_matrix = Some(
        linear[..dim]
            .iter()
            .map(|row| row[..dim].to_vec())
            .collect(),
    );
}

/// The point of the body that is at a point of the world, by Cramer's rule.
fn to_own(body: &BodySpec, at: &[f64]) -> [f64; 3] {
    let map = map(body);
    let mut wide = [0.0; 3];
    at.iter().zip(&mut wide).for_each(|(from, to)| *to = *from);
    let from: [f64; 3] = std::array::from_fn(|k| wide[k] - map.translation[k]);
    let column = |k: usize| [map.linear[0][k], map.linear[1][k], map.linear[2][k]];
    let cross = |u: [f64; 3], v: [f64; 3]| {
        [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
        ]
    };
    let triple = |u: [f64; 3], v: [f64; 3], w: [f64; 3]| {
        let n = cross(v, w);
        u[0] * n[0] + u[1] * n[1] + u[2] * n[2]
    };
    let [x, y, z] = [column(0), column(1), column(2)];
    let volume = triple(x, y, z);
    [
        triple(from, y, z) / volume,
        triple(x, from, z) / volume,
        triple(x, y, from) / volume,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn query(line: &str) -> QuerySpec {
        read_query_line(line.as_bytes(), 1)
            .expect("a line")
            .query
            .expect("a query")
    }

    #[test]
    fn a_dragged_vertex_ends_where_it_was_put() {
        let mut found = query(
            r#"{"dim":2,"a":{"shape":"convex","points":[[0,0],[2,0],[0,1]],"pose":{"translation":[3,4],"rotation":0.5,"scale":[2,0.5]}},
            "b":{"shape":"ball","radius":1}}"#,
        );
        apply(
            &mut found,
            &Edit::MoveVertex {
                body: Which::A,
                index: 1,
                to: vec![7.0, -2.0],
            },
        )
        .expect("fits");
        let ShapeSpec::Convex { points } = &found.a.shape else {
            panic!("{:?}", found.a.shape)
        };
        let at = to_world(&found.a, &points[1]);
        assert!(
            (at[0] - 7.0).abs() < 1e-12 && (at[1] + 2.0).abs() < 1e-12,
            "{at:?}"
        );
    }

    #[test]
    fn edits_without_a_place_are_refused() {
        let mut found = query(
            r#"{"dim":2,"a":{"shape":"point","point":[0,0]},"b":{"shape":"ball","radius":1}}"#,
        );
        for edit in [
            Edit::RemoveVertex {
                body: Which::A,
                index: 0,
            },
            Edit::AddVertex {
                body: Which::B,
                at: vec![0.0, 0.0],
            },
            Edit::Move {
                body: Which::A,
                by: vec![1.0],
            },
            Edit::Move {
                body: Which::A,
                by: vec![f64::NAN, 0.0],
            },
            Edit::MoveVertex {
                body: Which::A,
                index: 3,
                to: vec![0.0, 0.0],
            },
        ] {
            let before = found.clone();
            assert!(apply(&mut found, &edit).is_err(), "{edit:?}");
            assert_eq!(found, before);
        }
    }

    #[test]
    fn another_shape_and_another_scalar_leave_the_pose_and_the_id() {
        let mut found = query(
            r#"{"id":"it","dim":2,"a":{"shape":"ball","radius":0.1,"pose":{"translation":[0.1,2]}},"b":{"shape":"ball","radius":1}}"#,
        );
        let pose = found.a.pose.clone();
        for body in [Which::A, Which::B] {
            apply(
                &mut found,
                &Edit::Shape {
                    body,
                    shape: json!({"shape": "point", "point": [0.3, 0]}),
                },
            )
            .expect("fits");
        }
        apply(
            &mut found,
            &Edit::Scalar {
                scalar: json!("f32"),
            },
        )
        .expect("known");
        let point = ShapeSpec::Point {
            point: vec![0.3, 0.0],
        };
        assert_eq!((&found.a.shape, &found.b.shape), (&point, &point));
        assert_eq!(
            (
                found.a.pose.as_ref(),
                found.b.pose.as_ref(),
                found.id.as_str()
            ),
            (pose.as_ref(), None, "it")
        );
        assert_eq!(found.scalar, gjk_scene::ScalarKind::F32);
        for shape in [
            json!(1),
            json!({"shape": "ball"}),
            json!({"shape": "point", "point": [0, 0, 0]}),
        ] {
            let before = found.clone();
            let body = Which::A;
            assert!(apply(&mut found, &Edit::Shape { body, shape }).is_err());
            assert_eq!(found, before);
        }
        assert!(
            apply(
                &mut found,
                &Edit::Scalar {
                    scalar: json!("f16")
                }
            )
            .is_err()
        );
    }

    #[test]
    fn turns_add_up() {
        let mut found = query(
            r#"{"dim":3,"a":{"shape":"box","half_extents":[1,2,3],"pose":{"rotation":[0,0,0,1],"scale":[2,1,1]}},"b":{"shape":"ball","radius":1}}"#,
        );
        let quarter = std::f64::consts::FRAC_PI_2;
        for _ in 0..4 {
            apply(
                &mut found,
                &Edit::Turn {
                    body: Which::A,
                    angle: quarter,
                    axis: Some([0.0, 1.0, 0.0]),
                },
            )
            .expect("turns");
        }
        let at = to_world(&found.a, &[1.0, 1.0, 1.0]);
        assert!(
            [2.0, 1.0, 1.0]
                .iter()
                .zip(&at)
                .all(|(x, y)| (x - y).abs() < 1e-12),
            "{at:?}"
        );
    }
}
