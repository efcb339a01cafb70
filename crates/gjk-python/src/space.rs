//! What the plane and space have each for rows: their shapes, poses and motions.
//!
//! Where it sits: below the calls that answer rows, which are written once for both.

use crate::errors::GjkError;
use crate::motions::{MotionArrays, Motions, PlanarMotions};
use crate::planar::{PlanarPoses, PlanarShapes, as_planar_poses};
use crate::poses::{Borrowed, PoseArrays, Poses, as_poses};
use crate::shape_set::ShapeSet;
use crate::shapes::Shapes;
use gjk::{Vec2, Vec3};
use gjk_batch::rows::{NumberColumn, PlanarPoseRows, PoseOfRow, PoseRows, RowStorage};
use gjk_query::convert::Space;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::cell::RefCell;

/// A set of shapes, by its dimension.
pub(crate) enum SetOf<'s> {
    /// Of the plane.
    Plane(&'s ShapeSet<Vec2<f64>>),
    /// Of space.
    Space(&'s ShapeSet<Vec3<f64>>),
}

impl<'s> SetOf<'s> {
    /// What a caller gives as `shapes`.
    pub(crate) fn new(given: &'s Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(shapes) = given.cast::<Shapes>() {
            return Ok(Self::Space(&shapes.get().0));
        }
        if let Ok(shapes) = given.cast::<PlanarShapes>() {
            return Ok(Self::Plane(&shapes.get().0));
        }
        let class = given.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "shapes is a {class}: it must be gjk.Shapes or gjk.PlanarShapes"
        )))
    }
}

/// Poses that a caller gave.
pub(crate) enum GivenPoses<'py> {
    Plane(Bound<'py, PlanarPoses>),
    Space(Bound<'py, Poses>),
}

impl GivenPoses<'_> {
    /// Their arrays.
    pub(crate) fn arrays(&self) -> &PoseArrays {
        match self {
            Self::Plane(poses) => &poses.get().0,
            Self::Space(poses) => &poses.get().0,
        }
    }
}

/// The rows of poses, or one where there are none.
pub(crate) fn count_of(poses: Option<&GivenPoses<'_>>) -> usize {
    poses.map_or(1, |poses| poses.arrays().count)
}

/// Motions that a caller gave.
pub(crate) enum GivenMotions<'py> {
    Plane(Bound<'py, PlanarMotions>),
    Space(Bound<'py, Motions>),
}

impl GivenMotions<'_> {
    /// Their arrays.
    pub(crate) fn arrays(&self) -> &MotionArrays {
        match self {
            Self::Plane(motions) => &motions.get().0,
            Self::Space(motions) => &motions.get().0,
        }
    }
}

thread_local! {
    /// For calls of a few rows.
    static STORAGE: RefCell<RowStorage<Vec3<f64>>> = RefCell::default();
    static PLANAR_STORAGE: RefCell<RowStorage<Vec2<f64>>> = RefCell::default();
}

/// The plane, or space, as vectors of `f64`.
pub(crate) trait PySpace: Space<Scalar = f64> {
    /// Poses by row.
    type Rows<'a>: PoseOfRow<Self>;

    /// Poses as a caller gives them.
    fn poses<'py>(
        name: &str,
        given: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<GivenPoses<'py>>>;
    /// Motions as a caller gives them.
    fn motions<'py>(
        name: &str,
        given: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<GivenMotions<'py>>>;
    /// Poses by row; none where nothing moves.
    fn rows<'a>(poses: Option<&'a Borrowed<'_>>) -> PyResult<Self::Rows<'a>>;
    /// What this thread keeps for calls of a few rows.
    fn with_storage<R>(run: impl FnOnce(&mut RowStorage<Self>) -> R) -> R;
}

/// What is no motion of this dimension.
fn no_motion(name: &str, given: &Bound<'_, PyAny>, class: &str) -> PyErr {
    let told = given.get_type().name().map(|name| name.to_string());
    GjkError::new_err(format!(
        "{name} is a {}: it must be gjk.{class}(velocity=..., angular=...) or gjk.{class}(to=...)",
        told.unwrap_or_default()
    ))
}

impl PySpace for Vec3<f64> {
    type Rows<'a> = PoseRows<NumberColumn<'a>>;

    fn poses<'py>(
        name: &str,
        given: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<GivenPoses<'py>>> {
        Ok(as_poses(name, given)?.map(GivenPoses::Space))
    }

    fn motions<'py>(
        name: &str,
        given: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<GivenMotions<'py>>> {
        let cast = |given: &Bound<'py, PyAny>| match given.cast::<Motions>() {
            Ok(motions) => Ok(GivenMotions::Space(motions.clone())),
            Err(_) => Err(no_motion(name, given, "Motions")),
        };
        given.map(cast).transpose()
    }

    fn rows<'a>(poses: Option<&'a Borrowed<'_>>) -> PyResult<Self::Rows<'a>> {
        poses.map_or(Ok(PoseRows::Identity), Borrowed::rows)
    }

    fn with_storage<R>(run: impl FnOnce(&mut RowStorage<Self>) -> R) -> R {
        STORAGE.with_borrow_mut(run)
    }
}

impl PySpace for Vec2<f64> {
    type Rows<'a> = PlanarPoseRows<NumberColumn<'a>>;

    fn poses<'py>(
        name: &str,
        given: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<GivenPoses<'py>>> {
        Ok(as_planar_poses(name, given)?.map(GivenPoses::Plane))
    }

    fn motions<'py>(
        name: &str,
        given: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<GivenMotions<'py>>> {
        let cast = |given: &Bound<'py, PyAny>| match given.cast::<PlanarMotions>() {
            Ok(motions) => Ok(GivenMotions::Plane(motions.clone())),
            Err(_) => Err(no_motion(name, given, "PlanarMotions")),
        };
        given.map(cast).transpose()
    }

    fn rows<'a>(poses: Option<&'a Borrowed<'_>>) -> PyResult<Self::Rows<'a>> {
        poses.map_or(Ok(PlanarPoseRows::Identity), Borrowed::planar_rows)
    }

    fn with_storage<R>(run: impl FnOnce(&mut RowStorage<Self>) -> R) -> R {
        PLANAR_STORAGE.with_borrow_mut(run)
    }
}
