//! Queries of one pair, without arrays: what adapters of libraries with objects call.

use crate::errors::GjkError;
use crate::meshes::Mesh;
use gjk::query::{
    self, CastAnswer, Contact, MotionError, MotionOptions, ToiOptions, Twist, Verdict,
};
use gjk::{Pair, Pose3, Vec3, Vector};
use gjk_batch::rows::{code, meeting_code};
use gjk_mesh::{DepthOptions, NearTriangles};
use pyo3::prelude::*;
use std::ops::ControlFlow;

/// A pose.
#[pyclass(frozen, module = "gjk._gjk")]
pub struct Pose(Pose3<f64>);

#[pymethods]
impl Pose {
    /// Of the rows of a matrix and a translation.
    #[new]
    fn new(rows: [[f64; 3]; 3], translation: [f64; 3]) -> PyResult<Self> {
        let [x, y, z] = translation;
        let columns = [0, 1, 2].map(|k| Vec3::new(rows[0][k], rows[1][k], rows[2][k]));
        let pose = Pose3::from_columns(columns, Vec3::new(x, y, z));
        if pose.is_valid() {
            return Ok(Self(pose));
        }
        Err(GjkError::new_err(format!(
            "a pose must be finite and invertible: {rows:?}, {translation:?}"
        )))
    }
}

/// A convex shape.
#[pyclass(frozen, module = "gjk._gjk")]
pub struct Shape(pub(crate) gjk::shape::Shape<Vec3<f64>>);

#[pymethods]
impl Shape {
    /// The least and the largest corner of a box around it at a pose.
    fn bounds(&self, pose: &Pose) -> [[f64; 3]; 2] {
        gjk_check::bounds(&self.0, &pose.0)
    }
}

/// A verdict, both ends of the signed distance, the normal and a point of each.
type Told = (u8, f64, f64, [f64; 3], [f64; 3], [f64; 3]);

fn told(found: &Contact<Vec3<f64>>) -> Told {
    let interval = found.signed_distance;
    (
        code(found.verdict),
        interval.lower,
        interval.upper,
        found.normal.to_f64(),
        found.point_a.to_f64(),
        found.point_b.to_f64(),
    )
}

/// How two shapes are to each other: the code of a verdict.
#[pyfunction]
pub(crate) fn shape_verdict(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> u8 {
    let pair = Pair::new(&a.0, &pose_a.0, &b.0, &pose_b.0);
    code(pair.intersects().verdict)
}

/// The contact of two shapes.
#[pyfunction]
pub(crate) fn shape_contact(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Told {
    told(&Pair::new(&a.0, &pose_a.0, &b.0, &pose_b.0).contact())
}

/// The code of a verdict on a motion, and both ends of its time; NaN where there is none.
type ToldMeeting = (u8, f64, f64);

fn told_meeting(found: &CastAnswer<Vec3<f64>>) -> ToldMeeting {
    let time = found.time.map(|time| (time.lower, time.upper));
    let (lower, upper) = time.unwrap_or((f64::NAN, f64::NAN));
    (meeting_code(found.verdict), lower, upper)
}

/// When two shapes first meet that move along lines in a unit of time.
#[pyfunction]
pub(crate) fn shape_sweep(
    a: &Shape,
    pose_a: &Pose,
    line_a: [f64; 3],
    b: &Shape,
    pose_b: &Pose,
    line_b: [f64; 3],
) -> PyResult<ToldMeeting> {
    let options = MotionOptions::default().with_max_time(1.0);
    let options = options.map_err(|error| GjkError::new_err(error.to_string()))?;
    let [from, to] = [line_a, line_b].map(Vec3::from_f64);
    let found = query::cast(&a.0, &pose_a.0, from, &b.0, &pose_b.0, to, &options);
    Ok(told_meeting(&found))
}

/// A quaternion x, y, z, w and a translation.
type Place = ([f64; 4], [f64; 3]);

/// When two shapes first meet that move and turn from one place to another in a unit of time: on a line, or on a screw.
#[pyfunction]
pub(crate) fn shape_impact(
    a: &Shape,
    way_a: [Place; 2],
    b: &Shape,
    way_b: [Place; 2],
    is_screw: bool,
    time_resolution: f64,
) -> PyResult<ToldMeeting> {
    let refused = |error: MotionError| GjkError::new_err(error.to_string());
    let way = |places: [Place; 2]| {
        let pose = |(turn, at): Place| {
            let pose = Pose3::from_quaternion(turn, Vec3::from_f64(at));
            pose.map_err(|error| GjkError::new_err(error.to_string()))
        };
        let (from, to) = (pose(places[0])?, pose(places[1])?);
        let twist = if is_screw {
            Twist::screw_between(&from, &to)
        } else {
            Twist::between(&from, &to, Vec3::ZERO)
        };
        Ok::<_, PyErr>((from, twist.map_err(refused)?))
    };
    let ((pose_a, of_a), (pose_b, of_b)) = (way(way_a)?, way(way_b)?);
    let options = ToiOptions::default().with_time_resolution(time_resolution);
    let options = options.map_err(refused)?;
    let found = query::toi(&a.0, &pose_a, &of_a, &b.0, &pose_b, &of_b, &options);
    Ok(told_meeting(&found))
}

/// The contact of a mesh's nearest triangle, or the one that goes deepest, and a shape; `None` where no triangle is within reach.
#[pyfunction]
pub(crate) fn mesh_contact(
    a: &Mesh,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    reach: f64,
) -> Option<Told> {
    let posed = a.body.at(&pose_a.0);
    let bounds = gjk_check::bounds(&b.0, &pose_b.0);
    let found = posed.contact_with(&b.0, &pose_b.0, bounds, reach);
    found.nearest.as_ref().map(told)
}

/// Both ends of the distance of two meshes, the normal, a point of each and the triangles.
#[pyfunction]
pub(crate) fn mesh_distance(
    a: &Mesh,
    pose_a: &Pose,
    b: &Mesh,
    pose_b: &Pose,
) -> Option<(Told, [u32; 2])> {
    let (at_a, at_b) = (a.body.at(&pose_a.0), b.body.at(&pose_b.0));
    let found = at_a.distance(&at_b, f64::INFINITY)?;
    let verdict = if found.upper == 0.0 {
        Verdict::Touching
    } else {
        Verdict::Separated
    };
    let [point_a, point_b] = found.points;
    let told = (
        code(verdict),
        found.lower,
        found.upper,
        found.normal,
        point_a,
        point_b,
    );
    Some((told, found.triangles))
}

/// Pairs of triangles of two meshes that meet, at most so many, each with a point of both; at least one if the surfaces meet.
#[pyfunction]
pub(crate) fn mesh_meetings(
    a: &Mesh,
    pose_a: &Pose,
    b: &Mesh,
    pose_b: &Pose,
    most: usize,
) -> Vec<([u32; 2], [f64; 3])> {
    let (at_a, at_b) = (a.body.at(&pose_a.0), b.body.at(&pose_b.0));
    let Some(first) = at_a.meets(&at_b) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    at_a.pairs_within(&at_b, 0.0, |near: &NearTriangles| {
        if near.upper <= 0.0 {
            found.push((near.triangles, near.points[0]));
        }
        if found.len() < most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    if found.is_empty() {
        let point = at_a.relation(&at_b).contact.map(|contact| contact.point);
        found.push((first, point.unwrap_or([f64::NAN; 3])));
    }
    found
}

/// How long a translation is that separates two meshes; `None` where none was found, and where one has no inside.
#[pyfunction]
pub(crate) fn mesh_escape(a: &Mesh, pose_a: &Pose, b: &Mesh, pose_b: &Pose) -> Option<f64> {
    let (at_a, at_b) = (a.body.at(&pose_a.0), b.body.at(&pose_b.0));
    let options = DepthOptions {
        relative: 0.5,
        ..DepthOptions::default()
    };
    let depth = at_a.depth(&at_b, &[], &options);
    depth.escape.map(|escape| escape.length)
}
