//! Shapes by index, as rows name them.
//!
//! Where it sits: beside `run`, which asks about them. They are JSON by the words of query lines: `gjk-scene` reads and writes, `gjk-query` builds.
//! `shape_set.rs` is what sets of the plane (`planar.rs`) and of space share.

use crate::errors::ShapeError;
use crate::shape_set::{ShapeSet, taken};
use gjk::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Point, Segment, Triangle};
use gjk::{Axis, Vec3};
use gjk_query::convert;
use gjk_scene::ShapeSpec;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::Arc;

/// Shapes that rows name by their numbers. A shape that was added does not change.
#[pyclass(frozen, module = "gjk._gjk")]
#[derive(Default)]
pub struct Shapes(pub(crate) ShapeSet<Vec3<f64>>);

fn vector([x, y, z]: [f64; 3]) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

fn axis(name: &str) -> PyResult<(Axis, gjk_scene::Axis)> {
    match name {
        "x" => Ok((Axis::X, gjk_scene::Axis::X)),
        "y" => Ok((Axis::Y, gjk_scene::Axis::Y)),
        "z" => Ok((Axis::Z, gjk_scene::Axis::Z)),
        _ => Err(ShapeError::new_err((
            format!("axis is {name:?}: it must be \"x\", \"y\" or \"z\""),
            "axis",
            "out_of_range",
        ))),
    }
}

impl Shapes {
    /// The shapes as they are now.
    pub(crate) fn read(&self) -> Arc<gjk_batch::Shapes<Vec3<f64>>> {
        self.0.read()
    }

    /// See [`ShapeSet::body`].
    pub(crate) fn body(&self, shape: u32) -> PyResult<convert::Body<Vec3<f64>>> {
        self.0.body(shape)
    }
}

#[pymethods]
impl Shapes {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The shapes of a JSON list, with the keys of query lines: `[{"shape": "box", "half_extents": [1, 1, 0.05]}, ...]`.
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
        self.read().len()
    }

    fn __repr__(&self) -> String {
        format!("Shapes({} shapes)", self.read().len())
    }

    /// A shape of this set by itself.
    fn get(&self, #[pyo3(from_py_with = taken)] shape: u32) -> PyResult<crate::single::Shape> {
        let found = self.read().get(shape).cloned();
        found
            .map(crate::single::Shape)
            .ok_or_else(|| self.0.no_shape(shape))
    }

    /// A point, in the frame of the shape. Returns the number of the new shape, as the others do.
    fn point(&self, #[pyo3(from_py_with = taken)] at: [f64; 3]) -> PyResult<u32> {
        let point = at.to_vec();
        self.0
            .push(ShapeSpec::Point { point }, Point::new(vector(at)))
    }

    /// A segment from `a` to `b`.
    fn segment(
        &self,
        #[pyo3(from_py_with = taken)] a: [f64; 3],
        #[pyo3(from_py_with = taken)] b: [f64; 3],
    ) -> PyResult<u32> {
        let made = Segment::new(vector(a), vector(b));
        let (a, b) = (a.to_vec(), b.to_vec());
        self.0.push(ShapeSpec::Segment { a, b }, made)
    }

    /// A triangle, flat.
    fn triangle(
        &self,
        #[pyo3(from_py_with = taken)] a: [f64; 3],
        #[pyo3(from_py_with = taken)] b: [f64; 3],
        #[pyo3(from_py_with = taken)] c: [f64; 3],
    ) -> PyResult<u32> {
        let made = Triangle::new(vector(a), vector(b), vector(c));
        let [a, b, c] = [a, b, c].map(|corner| corner.to_vec());
        self.0.push(ShapeSpec::Triangle { a, b, c }, made)
    }

    /// A ball about the origin.
    fn sphere(&self, #[pyo3(from_py_with = taken)] radius: f64) -> PyResult<u32> {
        self.0.push(ShapeSpec::Ball { radius }, Ball::new(radius))
    }

    /// A box about the origin; `half_extents` is half its lengths along x, y and z.
    #[pyo3(signature = (*, half_extents))]
    fn r#box(&self, #[pyo3(from_py_with = taken)] half_extents: [f64; 3]) -> PyResult<u32> {
        let made = Cuboid::new(vector(half_extents));
        let half_extents = half_extents.to_vec();
        self.0.push(ShapeSpec::Box { half_extents }, made)
    }

    /// A segment of twice `half_height` along the axis, about the origin, with a ball of `radius` swept over it.
    #[pyo3(signature = (*, half_height, radius, axis = "z"))]
    fn capsule(
        &self,
        #[pyo3(from_py_with = taken)] half_height: f64,
        #[pyo3(from_py_with = taken)] radius: f64,
        axis: &str,
    ) -> PyResult<u32> {
        let (along, axis) = self::axis(axis)?;
        let spec = ShapeSpec::Capsule {
            half_height,
            radius,
            axis,
        };
        self.0.push(spec, Capsule::new(half_height, radius, along))
    }

    /// A cylinder about the origin; its height is twice `half_height`, along the axis.
    #[pyo3(signature = (*, half_height, radius, axis = "z"))]
    fn cylinder(
        &self,
        #[pyo3(from_py_with = taken)] half_height: f64,
        #[pyo3(from_py_with = taken)] radius: f64,
        axis: &str,
    ) -> PyResult<u32> {
        let (along, axis) = self::axis(axis)?;
        let spec = ShapeSpec::Cylinder {
            half_height,
            radius,
            axis,
        };
        self.0.push(spec, Cylinder::new(half_height, radius, along))
    }

    /// A cone along the axis: the base is at minus `half_height`, the apex at `half_height`.
    #[pyo3(signature = (*, half_height, radius, axis = "z"))]
    fn cone(
        &self,
        #[pyo3(from_py_with = taken)] half_height: f64,
        #[pyo3(from_py_with = taken)] radius: f64,
        axis: &str,
    ) -> PyResult<u32> {
        let (along, axis) = self::axis(axis)?;
        let spec = ShapeSpec::Cone {
            half_height,
            radius,
            axis,
        };
        self.0.push(spec, Cone::new(half_height, radius, along))
    }

    /// An ellipsoid about the origin; `radii` along x, y and z.
    fn ellipsoid(&self, #[pyo3(from_py_with = taken)] radii: [f64; 3]) -> PyResult<u32> {
        let made = Ellipsoid::new(vector(radii));
        let radii = radii.to_vec();
        self.0.push(ShapeSpec::Ellipsoid { radii }, made)
    }

    /// The convex hull of points, `(n, 3)`.
    fn hull(&self, points: PyReadonlyArray2<'_, f64>) -> PyResult<u32> {
        self.0.hull(&points)
    }

    /// A shape of this set with a ball swept over it.
    #[pyo3(signature = (shape, *, radius))]
    fn rounded(
        &self,
        #[pyo3(from_py_with = taken)] shape: u32,
        #[pyo3(from_py_with = taken)] radius: f64,
    ) -> PyResult<u32> {
        self.0.rounded(shape, radius)
    }
}
