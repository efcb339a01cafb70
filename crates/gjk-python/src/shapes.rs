//! Shapes by index, as rows name them.

use crate::errors::ShapeError;
use gjk::shape::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Point, Polytope, Rounded, Segment, Shape,
    Triangle,
};
use gjk::{Axis, Vec3};
use gjk_batch::SharedShapes;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use std::sync::Arc;

/// Shapes that rows name by their numbers. A shape that was added does not change.
#[pyclass(frozen, module = "gjk._gjk")]
#[derive(Default)]
pub struct Shapes {
    shapes: SharedShapes<Vec3<f64>>,
}

fn refused(error: &gjk::shape::ShapeError) -> PyErr {
    ShapeError::new_err((error.to_string(), error.field().to_owned(), error.kind()))
}

fn vector([x, y, z]: [f64; 3]) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

fn axis(name: &str) -> PyResult<Axis> {
    match name {
        "x" => Ok(Axis::X),
        "y" => Ok(Axis::Y),
        "z" => Ok(Axis::Z),
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
        self.shapes.read()
    }

    fn push<S: Into<Shape<Vec3<f64>>>>(
        &self,
        shape: Result<S, gjk::shape::ShapeError>,
    ) -> PyResult<u32> {
        let shape = shape.map_err(|error| refused(&error))?;
        Ok(self.shapes.push(shape))
    }
}

#[pymethods]
impl Shapes {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn __len__(&self) -> usize {
        self.read().len()
    }

    fn __repr__(&self) -> String {
        format!("Shapes({} shapes)", self.read().len())
    }

    /// A shape of this set by itself.
    fn get(&self, shape: u32) -> PyResult<crate::single::Shape> {
        let found = self.read().get(shape).cloned();
        found.map(crate::single::Shape).ok_or_else(|| {
            ShapeError::new_err((
                format!("shape {shape} of {} does not exist", self.read().len()),
                "shape",
                "out_of_range",
            ))
        })
    }

    fn point(&self, at: [f64; 3]) -> PyResult<u32> {
        self.push(Point::new(vector(at)))
    }

    fn segment(&self, a: [f64; 3], b: [f64; 3]) -> PyResult<u32> {
        self.push(Segment::new(vector(a), vector(b)))
    }

    fn triangle(&self, a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> PyResult<u32> {
        self.push(Triangle::new(vector(a), vector(b), vector(c)))
    }

    fn sphere(&self, radius: f64) -> PyResult<u32> {
        self.push(Ball::new(radius))
    }

    #[pyo3(signature = (*, half_extents))]
    fn r#box(&self, half_extents: [f64; 3]) -> PyResult<u32> {
        self.push(Cuboid::new(vector(half_extents)))
    }

    #[pyo3(signature = (*, half_height, radius, axis = "z"))]
    fn capsule(&self, half_height: f64, radius: f64, axis: &str) -> PyResult<u32> {
        self.push(Capsule::new(half_height, radius, self::axis(axis)?))
    }

    #[pyo3(signature = (*, half_height, radius, axis = "z"))]
    fn cylinder(&self, half_height: f64, radius: f64, axis: &str) -> PyResult<u32> {
        self.push(Cylinder::new(half_height, radius, self::axis(axis)?))
    }

    #[pyo3(signature = (*, half_height, radius, axis = "z"))]
    fn cone(&self, half_height: f64, radius: f64, axis: &str) -> PyResult<u32> {
        self.push(Cone::new(half_height, radius, self::axis(axis)?))
    }

    fn ellipsoid(&self, radii: [f64; 3]) -> PyResult<u32> {
        self.push(Ellipsoid::new(vector(radii)))
    }

    /// Of `(n, 3)` points.
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
        let points: Vec<Vec3<f64>> = points
            .rows()
            .into_iter()
            .map(|p| Vec3::new(p[0], p[1], p[2]))
            .collect();
        self.push(Polytope::new(&points))
    }

    /// A shape of this set with a ball swept over it.
    #[pyo3(signature = (shape, *, radius))]
    fn rounded(&self, shape: u32, radius: f64) -> PyResult<u32> {
        let core = self.get(shape)?.0;
        self.push(Rounded::new(core, radius))
    }
}
