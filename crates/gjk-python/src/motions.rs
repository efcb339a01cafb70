//! Motions as columns of numpy, for `gjk_batch::rows`, which reads them.

use crate::errors::GjkError;
use crate::given::{Lent, LentColumn, as_numbers, length_of, scalars, vectors};
use crate::planar::as_planar_poses;
use crate::poses::{Borrowed, as_poses};
use crate::shape_set::{ShapeSet, VertexRows};
use crate::space::{GivenMotions, GivenPoses, PySpace};
use gjk_batch::rows::{MotionRows, NumberColumn};
use numpy::{Ix2, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// An array of a parameter, by rows.
type KeptArray = Option<Py<PyArray2<f64>>>;

/// Vertices one after the other, and where those of each motion begin.
type GivenVertices<'py> = (Bound<'py, PyArray2<f64>>, Vec<usize>);

/// Motions of bodies of the plane or of space, as arrays: one for all rows, or one a row.
pub(crate) struct MotionArrays {
    velocity: KeptArray,
    angular: KeptArray,
    center: KeptArray,
    /// Of a motion to a pose, the poses as they were given.
    to: Option<Py<PyAny>>,
    /// Whether such a motion turns by nlerp.
    nlerp: bool,
    /// Of vertices that move by themselves, where they are at the time 1, and where those of each motion begin.
    vertices: Option<(Py<PyArray2<f64>>, Vec<usize>)>,
    /// How many there are.
    pub(crate) count: usize,
}

/// What callers give: velocity, angular, center, to and rotation.
struct GivenMotion<'g, 'py> {
    velocity: Option<&'g Bound<'py, PyAny>>,
    angular: Option<Bound<'py, PyArray2<f64>>>,
    center: Option<&'g Bound<'py, PyAny>>,
    /// The poses, and how many.
    to: Option<(Bound<'py, PyAny>, usize)>,
    rotation: Option<&'g Bound<'py, PyAny>>,
    vertices: Option<&'g Bound<'py, PyAny>>,
    offsets: Option<&'g Bound<'py, PyAny>>,
}

impl MotionArrays {
    fn new(dim: usize, given: GivenMotion<'_, '_>) -> PyResult<Self> {
        let GivenMotion {
            velocity,
            angular,
            center,
            to,
            rotation,
            vertices,
            offsets,
        } = given;
        let others = [
            velocity.is_some(),
            angular.is_some(),
            center.is_some(),
            to.is_some(),
        ];
        if vertices.is_some() && others.contains(&true) {
            let told = "a motion of vertices by themselves has no velocity, angular, center or to: give the vertices alone";
            return Err(GjkError::new_err(told));
        }
        let vertices = vertices_of(dim, vertices, offsets)?;
        if to.is_some() && (velocity.is_some() || angular.is_some()) {
            let told = "a motion has either a pose that it goes to, or velocities: give no velocity and no angular beside to";
            return Err(GjkError::new_err(told));
        }
        let nlerp = is_nlerp(rotation, to.is_some())?;
        let velocity = velocity.map(|given| vectors("velocity", given, dim));
        let center = center.map(|given| vectors("center", given, dim));
        let (velocity, center) = (velocity.transpose()?, center.transpose()?);
        let length = |array: &Option<Bound<'_, PyArray2<f64>>>| {
            array.as_ref().map_or(1, |array| array.shape()[0])
        };
        let count = length_of(&[
            ("velocity", length(&velocity)),
            ("angular", length(&angular)),
            ("center", length(&center)),
            ("to", to.as_ref().map_or(1, |(_, count)| *count)),
            (
                "vertices",
                vertices.as_ref().map_or(1, |(_, of)| of.len() - 1),
            ),
        ])?;
        Ok(Self {
            velocity: velocity.map(Bound::unbind),
            angular: angular.map(Bound::unbind),
            center: center.map(Bound::unbind),
            to: to.map(|(to, _)| to.unbind()),
            nlerp,
            vertices: vertices.map(|(vertices, offsets)| (vertices.unbind(), offsets)),
            count,
        })
    }

    /// What it is called: the name of its class, with how many there are.
    fn told(&self, class: &str) -> String {
        let kind = match (&self.to, &self.vertices) {
            (Some(_), _) => ", to",
            (_, Some(_)) => ", vertices",
            _ => "",
        };
        format!("{class}({}{kind})", self.count)
    }

    /// The parameters that it was made of, as rows.
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        let columns = [
            ("velocity", &self.velocity),
            ("angular", &self.angular),
            ("center", &self.center),
        ];
        for (name, column) in columns {
            let Some(column) = column else { continue };
            let column = column.bind(py);
            let [rows, width] = [column.shape()[0], column.shape()[1]];
            if width == 1 {
                named.set_item(name, column.reshape([rows])?)?;
            } else {
                named.set_item(name, column)?;
            }
        }
        if let Some(to) = &self.to {
            named.set_item("to", to)?;
        }
        if self.nlerp {
            named.set_item("rotation", "nlerp")?;
        }
        if let Some((vertices, offsets)) = &self.vertices {
            named.set_item("vertices", vertices)?;
            named.set_item("offsets", PyArray1::from_vec(py, offsets.clone()))?;
        }
        Ok(named)
    }
}

/// Vertices one after the other, and where those of each motion begin: of one motion, of several with as many each, or by their offsets.
fn vertices_of<'py>(
    dim: usize,
    vertices: Option<&Bound<'py, PyAny>>,
    offsets: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<GivenVertices<'py>>> {
    let Some(vertices) = vertices else {
        return match offsets {
            Some(_) => Err(GjkError::new_err(
                "offsets are of vertices: give vertices, or leave them out",
            )),
            None => Ok(None),
        };
    };
    let numbers = as_numbers("vertices", vertices)?;
    let shape = numbers.shape().to_vec();
    let (motions, each) = match (shape.as_slice(), offsets.is_some()) {
        (&[count, last], _) if last == dim => (1, count),
        (&[motions, each, last], false) if last == dim => (motions, each),
        _ => {
            let told = format!(
                "vertices has shape {shape:?}: expected (k, {dim}), (n, k, {dim}), or (m, {dim}) with offsets"
            );
            return Err(GjkError::new_err(told));
        }
    };
    let rows = numbers.reshape([motions * each, dim])?;
    let Some(offsets) = offsets else {
        return Ok(Some((rows, (0..=motions).map(|k| k * each).collect())));
    };
    let places = as_numbers("offsets", offsets)?.to_vec()?;
    let is_whole = |x: &f64| x.trunc() == *x && (0.0..=each as f64).contains(x);
    let rises = places.windows(2).all(|two| two[0] <= two[1]);
    let ends = places.first() == Some(&0.0) && places.last() == Some(&(each as f64));
    if !(places.iter().all(is_whole) && rises && ends) {
        let told = format!(
            "offsets must be whole numbers that rise from 0 to {each}, the count of vertices: those of motion k are from offsets[k] up to offsets[k + 1]"
        );
        return Err(GjkError::new_err(told));
    }
    Ok(Some((
        rows,
        places.into_iter().map(|x| x as usize).collect(),
    )))
}

/// Whether a motion to a pose turns by nlerp; only such a motion is asked for the way to turn.
fn is_nlerp(rotation: Option<&Bound<'_, PyAny>>, is_to: bool) -> PyResult<bool> {
    let Some(rotation) = rotation else {
        return Ok(false);
    };
    let word = rotation.cast::<PyString>().ok();
    let word = word.and_then(|word| word.to_str().ok());
    let told = match word {
        Some(word @ ("slerp" | "nlerp")) if is_to => return Ok(word == "nlerp"),
        Some(word @ ("slerp" | "nlerp")) => {
            format!("rotation is {word:?} of a motion by velocities: leave it out, or give to")
        }
        _ => {
            let given = rotation.repr()?;
            format!("rotation is {given}: it must be \"slerp\" or \"nlerp\"")
        }
    };
    Err(GjkError::new_err(told))
}

/// How bodies move and turn: one motion for all rows, or one a row. `python/gjk/_rows.py` has its documentation.
#[pyclass(frozen, subclass, module = "gjk._gjk")]
pub struct Motions(pub(crate) MotionArrays);

#[pymethods]
impl Motions {
    #[new]
    #[pyo3(signature = (*, velocity = None, angular = None, center = None, to = None, rotation = None, vertices = None, offsets = None))]
    #[allow(clippy::too_many_arguments)] // the ways to say a motion
    fn new(
        velocity: Option<&Bound<'_, PyAny>>,
        angular: Option<&Bound<'_, PyAny>>,
        center: Option<&Bound<'_, PyAny>>,
        to: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
        vertices: Option<&Bound<'_, PyAny>>,
        offsets: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let angular = angular.map(|given| vectors("angular", given, 3));
        let to = as_poses("to", to)?.map(|poses| (poses.get().0.count, poses));
        let given = GivenMotion {
            velocity,
            angular: angular.transpose()?,
            center,
            to: to.map(|(count, poses)| (poses.into_any(), count)),
            rotation,
            vertices,
            offsets,
        };
        MotionArrays::new(3, given).map(Self)
    }

    fn __len__(&self) -> usize {
        self.0.count
    }

    fn __repr__(&self) -> String {
        self.0.told("Motions")
    }

    /// The parameters that it was made of, as rows.
    #[getter(_parameters)]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.0.parameters(py)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        Ok(((), self.0.parameters(py)?))
    }
}

/// How bodies of the plane move and turn: one motion for all rows, or one a row. `python/gjk/_rows.py` has its documentation.
#[pyclass(frozen, subclass, module = "gjk._gjk")]
pub struct PlanarMotions(pub(crate) MotionArrays);

#[pymethods]
impl PlanarMotions {
    #[new]
    #[pyo3(signature = (*, velocity = None, angular = None, center = None, to = None, rotation = None, vertices = None, offsets = None))]
    #[allow(clippy::too_many_arguments)] // the ways to say a motion
    fn new(
        velocity: Option<&Bound<'_, PyAny>>,
        angular: Option<&Bound<'_, PyAny>>,
        center: Option<&Bound<'_, PyAny>>,
        to: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
        vertices: Option<&Bound<'_, PyAny>>,
        offsets: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let angular = angular.map(|given| scalars("angular", given));
        let to = as_planar_poses("to", to)?.map(|poses| (poses.get().0.count, poses));
        let given = GivenMotion {
            velocity,
            angular: angular.transpose()?,
            center,
            to: to.map(|(count, poses)| (poses.into_any(), count)),
            rotation,
            vertices,
            offsets,
        };
        MotionArrays::new(2, given).map(Self)
    }

    fn __len__(&self) -> usize {
        self.0.count
    }

    fn __repr__(&self) -> String {
        self.0.told("PlanarMotions")
    }

    /// The parameters that it was made of, as rows.
    #[getter(_parameters)]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.0.parameters(py)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        Ok(((), self.0.parameters(py)?))
    }
}

/// Motions while they are read.
pub(crate) struct LentMotions<'py> {
    velocity: Option<LentColumn<'py>>,
    angular: Option<LentColumn<'py>>,
    center: Option<LentColumn<'py>>,
    to: Option<Borrowed<'py>>,
    nlerp: bool,
    vertices: Option<LentVertices<'py>>,
}

/// Vertices that move by themselves, while they are read.
struct LentVertices<'py> {
    /// Those of every shape.
    from: VertexRows,
    to: Lent<'py, f64, Ix2>,
    offsets: Vec<usize>,
}

impl<'py> LentMotions<'py> {
    /// An array that something writes into at the same time is an error.
    fn new<V: PySpace>(
        py: Python<'py>,
        motions: &MotionArrays,
        shapes: &ShapeSet<V>,
    ) -> PyResult<Self> {
        let column = |array: &KeptArray| {
            let column = array.as_ref();
            let column = column.map(|array| LentColumn::new(array.bind(py), false, "motions"));
            column.transpose()
        };
        let vertices = |(to, offsets): &(Py<PyArray2<f64>>, Vec<usize>)| {
            let to = Lent::new(to.bind(py), false, "motions")?;
            Ok::<_, PyErr>(LentVertices {
                from: shapes.points(),
                to,
                offsets: offsets.clone(),
            })
        };
        let to = motions.to.as_ref().map(|to| to.bind(py));
        let to = V::poses("to", to)?;
        let lent = |to: &GivenPoses<'py>| Borrowed::lent(py, to.arrays(), false);
        Ok(Self {
            velocity: column(&motions.velocity)?,
            angular: column(&motions.angular)?,
            center: column(&motions.center)?,
            to: to.as_ref().map(lent).transpose()?,
            nlerp: motions.nlerp,
            vertices: motions.vertices.as_ref().map(vertices).transpose()?,
        })
    }

    pub(crate) fn rows<V: PySpace>(&self) -> PyResult<MotionRows<NumberColumn<'_>, V::Rows<'_>>> {
        if let Some(LentVertices { from, to, offsets }) = &self.vertices {
            let rows = |numbers, offsets| NumberColumn::ragged(numbers, V::DIM, offsets);
            return Ok(MotionRows::Vertices {
                from: rows(&from.numbers, &from.offsets),
                to: rows(to.as_slice()?, offsets),
            });
        }
        let center = self.center.as_ref().map(LentColumn::rows).transpose()?;
        if let Some(to) = &self.to {
            let pose = V::rows(Some(to))?;
            return Ok(MotionRows::To {
                pose,
                center,
                nlerp: self.nlerp,
            });
        }
        Ok(MotionRows::Velocities {
            velocity: self.velocity.as_ref().map(LentColumn::rows).transpose()?,
            angular: self.angular.as_ref().map(LentColumn::rows).transpose()?,
            center,
        })
    }
}

/// Motions of both bodies, as a caller gives them.
pub(crate) struct GivenMotionPair<'py>([Option<GivenMotions<'py>>; 2], [&'static str; 2]);

impl<'py> GivenMotionPair<'py> {
    /// `names` are those of both parameters.
    pub(crate) fn new<V: PySpace>(
        names: [&'static str; 2],
        [a, b]: [Option<&Bound<'py, PyAny>>; 2],
    ) -> PyResult<Self> {
        let motions = [V::motions(names[0], a)?, V::motions(names[1], b)?];
        Ok(Self(motions, names))
    }

    /// How many rows they have.
    pub(crate) fn lengths(&self) -> [(&'static str, usize); 2] {
        [0, 1].map(|k| {
            let motions = self.0[k].as_ref();
            (
                self.1[k],
                motions.map_or(1, |motions| motions.arrays().count),
            )
        })
    }

    /// An array that something writes into at the same time is an error.
    pub(crate) fn lent<V: PySpace>(
        &self,
        py: Python<'py>,
        shapes: &ShapeSet<V>,
    ) -> PyResult<[Option<LentMotions<'py>>; 2]> {
        let lent = |k: usize| {
            let motions = self.0[k].as_ref();
            let lent = motions.map(|motions| LentMotions::new::<V>(py, motions.arrays(), shapes));
            lent.transpose()
        };
        Ok([lent(0)?, lent(1)?])
    }
}

/// Motions by row; without any a body rests.
pub(crate) fn motion_rows<'a, V: PySpace>(
    lent: &'a Option<LentMotions<'_>>,
) -> PyResult<MotionRows<NumberColumn<'a>, V::Rows<'a>>> {
    lent.as_ref()
        .map_or(Ok(MotionRows::Rest), LentMotions::rows::<V>)
}
