//! Shapes and poses of the plane, as callers give them.
//!
//! Where it sits: beside `shapes.rs` and `poses.rs`, which have those of space.

use crate::errors::{GjkError, ShapeError};
use crate::poses::{MATRIX_ALONE, PoseArrays, told_of};
use crate::shape_set::{ShapeSet, taken};
use gjk::shape::{Ball, Capsule, Cuboid, Ellipsoid, Point, Segment, Triangle};
use gjk::{Axis, Vec2};
use gjk_scene::ShapeSpec;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

/// Shapes of the plane that rows name by their numbers. A shape that was added does not change.
#[pyclass(frozen, module = "gjk._gjk")]
#[derive(Default)]
pub struct PlanarShapes(pub(crate) ShapeSet<Vec2<f64>>);

fn vector([x, y]: [f64; 2]) -> Vec2<f64> {
    Vec2::new(x, y)
}

#[pymethods]
impl PlanarShapes {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The shapes of a JSON list, with the keys of query lines: `[{"shape": "box", "half_extents": [1, 0.05]}, ...]`.
    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        ShapeSet::from_json(py, text).map(Self)
    }

    /// The shapes as JSON; `from_json` reads it back without a change.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let read = slf.get_type().getattr("from_json")?;
        Ok((read, (slf.get().to_json(),)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __len__(&self) -> usize {
        self.0.read().len()
    }

    fn __repr__(&self) -> String {
        format!("PlanarShapes({} shapes)", self.0.read().len())
    }

    /// A point, in the frame of the shape. Returns the number of the new shape, as the others do.
    fn point(&self, #[pyo3(from_py_with = taken)] at: [f64; 2]) -> PyResult<u32> {
        let point = at.to_vec();
        self.0
            .push(ShapeSpec::Point { point }, Point::new(vector(at)))
    }

    /// A segment from `a` to `b`.
    fn segment(
        &self,
        #[pyo3(from_py_with = taken)] a: [f64; 2],
        #[pyo3(from_py_with = taken)] b: [f64; 2],
    ) -> PyResult<u32> {
        let made = Segment::new(vector(a), vector(b));
        let (a, b) = (a.to_vec(), b.to_vec());
        self.0.push(ShapeSpec::Segment { a, b }, made)
    }

    /// A triangle.
    fn triangle(
        &self,
        #[pyo3(from_py_with = taken)] a: [f64; 2],
        #[pyo3(from_py_with = taken)] b: [f64; 2],
        #[pyo3(from_py_with = taken)] c: [f64; 2],
    ) -> PyResult<u32> {
        let made = Triangle::new(vector(a), vector(b), vector(c));
        let [a, b, c] = [a, b, c].map(|corner| corner.to_vec());
        self.0.push(ShapeSpec::Triangle { a, b, c }, made)
    }

    /// A disc about the origin.
    fn circle(&self, #[pyo3(from_py_with = taken)] radius: f64) -> PyResult<u32> {
        self.0.push(ShapeSpec::Ball { radius }, Ball::new(radius))
    }

    /// A rectangle about the origin; `half_extents` is half its lengths along x and y.
    #[pyo3(signature = (*, half_extents))]
    fn r#box(&self, #[pyo3(from_py_with = taken)] half_extents: [f64; 2]) -> PyResult<u32> {
        let made = Cuboid::new(vector(half_extents));
        let half_extents = half_extents.to_vec();
        self.0.push(ShapeSpec::Box { half_extents }, made)
    }

    /// A segment of twice `half_height` along the axis, about the origin, with a disc of `radius` swept over it.
    #[pyo3(signature = (*, half_height, radius, axis = "y"))]
    fn capsule(
        &self,
        #[pyo3(from_py_with = taken)] half_height: f64,
        #[pyo3(from_py_with = taken)] radius: f64,
        axis: &str,
    ) -> PyResult<u32> {
        let (along, axis) = match axis {
            "x" => (Axis::X, gjk_scene::Axis::X),
            "y" => (Axis::Y, gjk_scene::Axis::Y),
            _ => {
                let told = format!("axis is {axis:?}: it must be \"x\" or \"y\"");
                return Err(ShapeError::new_err((told, "axis", "out_of_range")));
            }
        };
        let spec = ShapeSpec::Capsule {
            half_height,
            radius,
            axis,
        };
        self.0.push(spec, Capsule::new(half_height, radius, along))
    }

    /// An ellipse about the origin; `radii` along x and y.
    fn ellipse(&self, #[pyo3(from_py_with = taken)] radii: [f64; 2]) -> PyResult<u32> {
        let made = Ellipsoid::new(vector(radii));
        let radii = radii.to_vec();
        self.0.push(ShapeSpec::Ellipsoid { radii }, made)
    }

    /// The convex hull of points, `(n, 2)`.
    fn hull(&self, points: PyReadonlyArray2<'_, f64>) -> PyResult<u32> {
        self.0.hull(&points)
    }

    /// A shape of this set with a disc swept over it.
    #[pyo3(signature = (shape, *, radius))]
    fn rounded(
        &self,
        #[pyo3(from_py_with = taken)] shape: u32,
        #[pyo3(from_py_with = taken)] radius: f64,
    ) -> PyResult<u32> {
        self.0.rounded(shape, radius)
    }
}

/// Where bodies of the plane are: one pose for all rows, or one a row. `python/gjk/_rows.py` has its documentation.
#[pyclass(frozen, subclass, module = "gjk._gjk")]
pub struct PlanarPoses(pub(crate) PoseArrays);

#[pymethods]
impl PlanarPoses {
    #[new]
    #[pyo3(signature = (*, translation = None, angle = None, matrix = None))]
    fn new(
        translation: Option<&Bound<'_, PyAny>>,
        angle: Option<&Bound<'_, PyAny>>,
        matrix: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let Some(matrix) = matrix else {
            return PoseArrays::of_angles(translation, angle).map(Self);
        };
        if translation.or(angle).is_some() {
            return Err(GjkError::new_err(MATRIX_ALONE));
        }
        PoseArrays::of_matrices(matrix, 3).map(Self)
    }

    fn __len__(&self) -> usize {
        self.0.count
    }

    fn __repr__(&self) -> String {
        self.0.told("PlanarPoses")
    }

    /// The parameters that it was made of, as rows.
    #[getter(_parameters)]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.0.parameters(py)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        Ok(((), self.parameters(py)?))
    }
}

/// Poses of the plane as a caller gives them: `PlanarPoses`, or matrices.
pub(crate) fn as_planar_poses<'py>(
    name: &str,
    given: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PlanarPoses>>> {
    let Some(given) = given else {
        return Ok(None);
    };
    if let Ok(poses) = given.cast::<PlanarPoses>() {
        return Ok(Some(poses.clone()));
    }
    let made = PoseArrays::of_matrices(given, 3);
    let else_given = "angles come as gjk.PlanarPoses(angle=...)";
    let made = made.map_err(|error| told_of(given.py(), &error, name, else_given));
    Bound::new(given.py(), PlanarPoses(made?)).map(Some)
}
