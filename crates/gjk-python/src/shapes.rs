//! Shapes by index, as rows name them.
//!
//! Where it sits: beside `run`, which asks about them. They are JSON by the words of query lines: `gjk-scene` reads and writes, `gjk-query` builds.
//! Idea: what a shape was made of is kept beside it, so that a set is written as it was given, compared by content, and sent to other processes.

use crate::errors::ShapeError;
use gjk::shape::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Point, Polytope, Rounded, Segment, Shape,
    Triangle,
};
use gjk::{Axis, Vec3};
use gjk_query::convert::{self, InputError};
use gjk_scene::{BodySpec, ShapeSpec};
use numpy::PyReadonlyArray2;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::{Arc, Mutex, PoisonError};

/// Shapes that rows name by their numbers. A shape that was added does not change.
#[pyclass(frozen, module = "gjk._gjk")]
#[derive(Default)]
pub struct Shapes {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// A call that runs has these as they were when it began: nobody waits for it to add a shape.
    shapes: Arc<gjk_batch::Shapes<Vec3<f64>>>,
    /// What each was made of.
    specs: Vec<ShapeSpec>,
}

fn refused(error: &gjk::shape::ShapeError) -> PyErr {
    ShapeError::new_err((error.to_string(), error.field().to_owned(), error.kind()))
}

fn refused_entry(error: InputError) -> PyErr {
    ShapeError::new_err((error.to_string(), error.at, error.kind))
}

fn vector([x, y, z]: [f64; 3]) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

/// A parameter. What cannot be one is a `TypeError`: a vector of another length, a number that is too large, and one that is negative where none may be
/// are other errors at first. The macro then adds a note with the parameter's name.
fn taken<'py, T: FromPyObjectOwned<'py>>(given: &Bound<'py, PyAny>) -> PyResult<T> {
    given.extract::<T>().map_err(|error| {
        let error: PyErr = error.into();
        PyTypeError::new_err(error.value(given.py()).to_string())
    })
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
        self.with(|kept| Arc::clone(&kept.shapes))
    }

    fn with<R>(&self, look: impl FnOnce(&mut Kept) -> R) -> R {
        look(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A shape of this set as a body that says which of its points its vertices are.
    pub(crate) fn body(&self, shape: u32) -> PyResult<convert::Body<Vec3<f64>>> {
        let spec = self.with(|kept| kept.specs.get(shape as usize).cloned());
        let shape = spec.ok_or_else(|| self.no_shape(shape))?;
        convert::body("shape", &BodySpec { shape, pose: None }).map_err(refused_entry)
    }

    fn no_shape(&self, shape: u32) -> PyErr {
        ShapeError::new_err((
            format!("shape {shape} of {} does not exist", self.read().len()),
            "shape",
            "out_of_range",
        ))
    }

    fn specs(&self) -> Vec<ShapeSpec> {
        self.with(|kept| kept.specs.clone())
    }

    fn push<S: Into<Shape<Vec3<f64>>>>(
        &self,
        spec: ShapeSpec,
        shape: Result<S, gjk::shape::ShapeError>,
    ) -> PyResult<u32> {
        let shape = shape.map_err(|error| refused(&error))?;
        Ok(self.with(|kept| {
            kept.specs.push(spec);
            Arc::make_mut(&mut kept.shapes).push(shape)
        }))
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
        let read = || {
            let specs = gjk_scene::read_shapes(text)?;
            let mut shapes = gjk_batch::Shapes::new();
            for (k, shape) in specs.iter().enumerate() {
                let shape = shape.clone();
                let body = BodySpec { shape, pose: None };
                shapes.push(convert::body(&format!("[{k}]"), &body)?.shape);
            }
            Ok(Kept {
                shapes: Arc::new(shapes),
                specs,
            })
        };
        let kept = py.detach(read).map_err(refused_entry)?;
        Ok(Self {
            kept: Mutex::new(kept),
        })
    }

    /// The shapes as JSON; `from_json` reads it back without a change.
    fn to_json(&self) -> String {
        gjk_scene::write_shapes(&self.specs())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let read = slf.get_type().getattr("from_json")?;
        Ok((read, (slf.get().to_json(),)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.specs() == other.specs()
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
            .ok_or_else(|| self.no_shape(shape))
    }

    /// A point, in the frame of the shape. Returns the number of the new shape, as the others do.
    fn point(&self, #[pyo3(from_py_with = taken)] at: [f64; 3]) -> PyResult<u32> {
        let point = at.to_vec();
        self.push(ShapeSpec::Point { point }, Point::new(vector(at)))
    }

    /// A segment from `a` to `b`.
    fn segment(
        &self,
        #[pyo3(from_py_with = taken)] a: [f64; 3],
        #[pyo3(from_py_with = taken)] b: [f64; 3],
    ) -> PyResult<u32> {
        let made = Segment::new(vector(a), vector(b));
        let (a, b) = (a.to_vec(), b.to_vec());
        self.push(ShapeSpec::Segment { a, b }, made)
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
        self.push(ShapeSpec::Triangle { a, b, c }, made)
    }

    /// A ball about the origin.
    fn sphere(&self, #[pyo3(from_py_with = taken)] radius: f64) -> PyResult<u32> {
        self.push(ShapeSpec::Ball { radius }, Ball::new(radius))
    }

    /// A box about the origin; `half_extents` is half its lengths along x, y and z.
    #[pyo3(signature = (*, half_extents))]
    fn r#box(&self, #[pyo3(from_py_with = taken)] half_extents: [f64; 3]) -> PyResult<u32> {
        let made = Cuboid::new(vector(half_extents));
        let half_extents = half_extents.to_vec();
        self.push(ShapeSpec::Box { half_extents }, made)
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
        self.push(spec, Capsule::new(half_height, radius, along))
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
        self.push(spec, Cylinder::new(half_height, radius, along))
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
        self.push(spec, Cone::new(half_height, radius, along))
    }

    /// An ellipsoid about the origin; `radii` along x, y and z.
    fn ellipsoid(&self, #[pyo3(from_py_with = taken)] radii: [f64; 3]) -> PyResult<u32> {
        let made = Ellipsoid::new(vector(radii));
        let radii = radii.to_vec();
        self.push(ShapeSpec::Ellipsoid { radii }, made)
    }

    /// The convex hull of points, `(n, 3)`.
    fn hull(&self, points: PyReadonlyArray2<'_, f64>) -> PyResult<u32> {
        let points = points.as_array();
        if points.ncols() != 3 {
            return Err(ShapeError::new_err((
                format!(
                    "points have {} coordinates each: they must have 3",
                    points.ncols()
                ),
                "points",
                "out_of_range",
            )));
        }
        let rows = points.rows();
        let points: Vec<Vec<f64>> = rows.into_iter().map(|point| point.to_vec()).collect();
        let corners = points.iter().map(|p| Vec3::new(p[0], p[1], p[2]));
        let made = Polytope::new(&corners.collect::<Vec<_>>());
        self.push(ShapeSpec::Convex { points }, made)
    }

    /// A shape of this set with a ball swept over it.
    #[pyo3(signature = (shape, *, radius))]
    fn rounded(
        &self,
        #[pyo3(from_py_with = taken)] shape: u32,
        #[pyo3(from_py_with = taken)] radius: f64,
    ) -> PyResult<u32> {
        let found = self.with(|kept| {
            let spec = kept.specs.get(shape as usize).cloned();
            kept.shapes.get(shape).cloned().zip(spec)
        });
        let (core, spec) = found.ok_or_else(|| self.no_shape(shape))?;
        let made = Rounded::new(core, radius);
        let core = Box::new(spec);
        self.push(ShapeSpec::Rounded { core, radius }, made)
    }
}
