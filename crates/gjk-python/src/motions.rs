//! Motions as columns of numpy, for `gjk_batch::rows`, which reads them.

use crate::errors::GjkError;
use crate::given::{LentColumn, length_of, scalars, vectors};
use crate::planar::as_planar_poses;
use crate::poses::{Borrowed, as_poses};
use crate::space::{GivenMotions, GivenPoses, PySpace};
use gjk_batch::rows::{MotionRows, NumberColumn};
use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// An array of a parameter, by rows.
type KeptArray = Option<Py<PyArray2<f64>>>;

/// Motions of bodies of the plane or of space, as arrays: one for all rows, or one a row.
pub(crate) struct MotionArrays {
    velocity: KeptArray,
    angular: KeptArray,
    center: KeptArray,
    /// Of a motion to a pose, the poses as they were given.
    to: Option<Py<PyAny>>,
    /// Whether such a motion turns by nlerp.
    nlerp: bool,
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
}

impl MotionArrays {
    fn new(dim: usize, given: GivenMotion<'_, '_>) -> PyResult<Self> {
        let GivenMotion {
            velocity,
            angular,
            center,
            to,
            rotation,
        } = given;
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
        ])?;
        Ok(Self {
            velocity: velocity.map(Bound::unbind),
            angular: angular.map(Bound::unbind),
            center: center.map(Bound::unbind),
            to: to.map(|(to, _)| to.unbind()),
            nlerp,
            count,
        })
    }

    /// What it is called: the name of its class, with how many there are.
    fn told(&self, class: &str) -> String {
        let to = if self.to.is_some() { ", to" } else { "" };
        format!("{class}({}{to})", self.count)
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
        Ok(named)
    }
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
    #[pyo3(signature = (*, velocity = None, angular = None, center = None, to = None, rotation = None))]
    fn new(
        velocity: Option<&Bound<'_, PyAny>>,
        angular: Option<&Bound<'_, PyAny>>,
        center: Option<&Bound<'_, PyAny>>,
        to: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let angular = angular.map(|given| vectors("angular", given, 3));
        let to = as_poses("to", to)?.map(|poses| (poses.get().0.count, poses));
        let given = GivenMotion {
            velocity,
            angular: angular.transpose()?,
            center,
            to: to.map(|(count, poses)| (poses.into_any(), count)),
            rotation,
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
    #[pyo3(signature = (*, velocity = None, angular = None, center = None, to = None, rotation = None))]
    fn new(
        velocity: Option<&Bound<'_, PyAny>>,
        angular: Option<&Bound<'_, PyAny>>,
        center: Option<&Bound<'_, PyAny>>,
        to: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let angular = angular.map(|given| scalars("angular", given));
        let to = as_planar_poses("to", to)?.map(|poses| (poses.get().0.count, poses));
        let given = GivenMotion {
            velocity,
            angular: angular.transpose()?,
            center,
            to: to.map(|(count, poses)| (poses.into_any(), count)),
            rotation,
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
}

impl<'py> LentMotions<'py> {
    /// An array that something writes into at the same time is an error.
    pub(crate) fn new<V: PySpace>(py: Python<'py>, motions: &MotionArrays) -> PyResult<Self> {
        let column = |array: &KeptArray| {
            let column = array.as_ref();
            let column = column.map(|array| LentColumn::new(array.bind(py), false, "motions"));
            column.transpose()
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
        })
    }

    pub(crate) fn rows<V: PySpace>(&self) -> PyResult<MotionRows<NumberColumn<'_>, V::Rows<'_>>> {
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
    ) -> PyResult<[Option<LentMotions<'py>>; 2]> {
        let lent = |k: usize| {
            let motions = self.0[k].as_ref();
            let lent = motions.map(|motions| LentMotions::new::<V>(py, motions.arrays()));
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
