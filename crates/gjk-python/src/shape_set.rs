//! What sets of shapes of the plane and of space share.
//!
//! Where it sits: below `shapes.rs` and `planar.rs`, which have the constructors of shapes by their names.
//! Idea: what a shape was made of is kept beside it, so that a set is written as it was given, compared by content, and sent to other processes.

use crate::errors::ShapeError;
use gjk::shape::{Polytope, Rounded, Shape};
use gjk_query::convert::{self, InputError, Space};
use gjk_scene::{BodySpec, ShapeSpec};
use numpy::PyReadonlyArray2;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Shapes by their numbers, and what each was made of.
pub(crate) struct ShapeSet<V: Space> {
    kept: Mutex<Kept<V>>,
}

/// The vertices of several bodies.
pub(crate) struct VertexRows {
    /// The coordinates of one vertex after the other.
    pub(crate) numbers: Vec<f64>,
    /// Where the vertices of each body begin, and where the last ones end.
    pub(crate) offsets: Vec<usize>,
}

struct Kept<V: Space> {
    /// A call that runs has these as they were when it began: nobody waits for it to add a shape.
    shapes: Arc<gjk_batch::Shapes<V>>,
    specs: Vec<ShapeSpec>,
}

impl<V: Space> Default for ShapeSet<V> {
    fn default() -> Self {
        Self::of(gjk_batch::Shapes::new(), Vec::new())
    }
}

impl<V: Space> PartialEq for ShapeSet<V> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.specs() == other.specs()
    }
}

fn refused(error: &gjk::shape::ShapeError) -> PyErr {
    ShapeError::new_err((error.to_string(), error.field().to_owned(), error.kind()))
}

fn refused_entry(error: InputError) -> PyErr {
    ShapeError::new_err((error.to_string(), error.at, error.kind))
}

/// A parameter. What cannot be one is a `TypeError`: a vector of another length, a number that is too large, and one that is negative where none may be
/// are other errors at first. The macro then adds a note with the parameter's name.
pub(crate) fn taken<'py, T: FromPyObjectOwned<'py>>(given: &Bound<'py, PyAny>) -> PyResult<T> {
    given.extract::<T>().map_err(|error| {
        let error: PyErr = error.into();
        PyTypeError::new_err(error.value(given.py()).to_string())
    })
}

impl<V: Space<Scalar = f64>> ShapeSet<V> {
    /// The convex hull of points, a row each.
    pub(crate) fn hull(&self, points: &PyReadonlyArray2<'_, f64>) -> PyResult<u32> {
        let points = points.as_array();
        let (dim, has) = (V::DIM, points.ncols());
        if has != dim {
            return Err(ShapeError::new_err((
                format!("points have {has} coordinates each: they must have {dim}"),
                "points",
                "out_of_range",
            )));
        }
        let rows = points.rows();
        let points: Vec<Vec<f64>> = rows.into_iter().map(|point| point.to_vec()).collect();
        let corners = points.iter().map(|p| V::from_fn(|k| p[k]));
        let made = Polytope::new(&corners.collect::<Vec<V>>());
        self.push(ShapeSpec::Convex { points }, made)
    }

    /// A shape of this set with a ball swept over it.
    pub(crate) fn rounded(&self, shape: u32, radius: f64) -> PyResult<u32> {
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

impl<V: Space> ShapeSet<V> {
    fn of(shapes: gjk_batch::Shapes<V>, specs: Vec<ShapeSpec>) -> Self {
        let shapes = Arc::new(shapes);
        Self {
            kept: Mutex::new(Kept { shapes, specs }),
        }
    }

    /// The shapes of a JSON list, with the keys of query lines.
    pub(crate) fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        let read = || {
            let specs = gjk_scene::read_shapes_of(text, V::DIM)?;
            let mut shapes = gjk_batch::Shapes::new();
            for (k, shape) in specs.iter().enumerate() {
                let shape = shape.clone();
                let body = BodySpec { shape, pose: None };
                shapes.push(convert::body(&format!("[{k}]"), &body)?.shape);
            }
            Ok(Self::of(shapes, specs))
        };
        py.detach(read).map_err(refused_entry)
    }

    /// The shapes as JSON; `from_json` reads it back without a change.
    pub(crate) fn to_json(&self) -> String {
        gjk_scene::write_shapes(&self.specs())
    }

    /// The shapes as they are now.
    pub(crate) fn read(&self) -> Arc<gjk_batch::Shapes<V>> {
        self.with(|kept| Arc::clone(&kept.shapes))
    }

    fn with<R>(&self, look: impl FnOnce(&mut Kept<V>) -> R) -> R {
        look(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A shape of this set as a body that says which of its points its vertices are.
    pub(crate) fn body(&self, shape: u32) -> PyResult<convert::Body<V>> {
        let spec = self.with(|kept| kept.specs.get(shape as usize).cloned());
        let shape = spec.ok_or_else(|| self.no_shape(shape))?;
        convert::body("shape", &BodySpec { shape, pose: None }).map_err(refused_entry)
    }

    /// That there is no such shape.
    pub(crate) fn no_shape(&self, shape: u32) -> PyErr {
        ShapeError::new_err((
            format!("shape {shape} of {} does not exist", self.read().len()),
            "shape",
            "out_of_range",
        ))
    }

    /// The points of every shape, those of each up to an offset; none of a shape that has no vertices to move by themselves.
    pub(crate) fn points(&self) -> VertexRows {
        let mut found = VertexRows {
            numbers: Vec::new(),
            offsets: vec![0],
        };
        for spec in self.specs() {
            for point in spec.points().unwrap_or_default() {
                found.numbers.extend_from_slice(point);
            }
            found.offsets.push(found.numbers.len() / V::DIM);
        }
        found
    }

    fn specs(&self) -> Vec<ShapeSpec> {
        self.with(|kept| kept.specs.clone())
    }

    /// Adds a shape with what it was made of.
    pub(crate) fn push<S: Into<Shape<V>>>(
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
