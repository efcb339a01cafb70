//! Certificates: an answer with what proves it, checked by big integers and written as `gjk query` does.

use crate::errors::GjkError;
use crate::poses::{Borrowed, Poses};
use crate::shapes::Shapes;
use gjk::query::{Options, Proof, ProofOptions, Question};
use gjk::verify::{Verified, VerifyError, verify};
use gjk::{Pose3, Vec3};
use gjk_query::answer::{self, Answer};
use gjk_query::convert::Body;
use gjk_query::pair::Pair;
use pyo3::prelude::*;

/// A pair with its answer, and what proves it. It does not change.
#[pyclass(frozen, module = "gjk._gjk")]
pub struct Certificate {
    pair: Pair<Vec3<f64>>,
    found: Proof<Vec3<f64>>,
}

impl Certificate {
    fn checked(&self) -> Result<Verified, VerifyError> {
        let Pair { a, b } = &self.pair;
        verify(&a.shape, &a.pose, &b.shape, &b.pose, &self.found)
    }
}

/// Answers for a pair of shapes, and proves it.
#[pyfunction]
pub(crate) fn certificate(
    py: Python<'_>,
    shapes: &Shapes,
    a: u32,
    b: u32,
    pose_a: Option<&Bound<'_, Poses>>,
    pose_b: Option<&Bound<'_, Poses>>,
) -> PyResult<Certificate> {
    let body = |side: char, shape: u32, given: Option<&Bound<'_, Poses>>| -> PyResult<_> {
        let pose = given.map_or(Ok(Ok(Pose3::identity())), |given| {
            Ok::<_, PyErr>(Borrowed::new(given)?.rows()?.pose(0))
        });
        let pose = pose?.map_err(|fault| GjkError::new_err(format!("pose_{side}: {fault}")))?;
        let body = shapes.body(shape)?;
        Ok(Body { pose, ..body })
    };
    let pair = Pair {
        a: body('a', a, pose_a)?,
        b: body('b', b, pose_b)?,
    };
    let found = py.detach(|| {
        let proof = ProofOptions::default().with_facets(true);
        let options = Options::tight();
        pair.bodies().with(&options).prove_with(&proof)
    });
    Ok(Certificate { pair, found })
}

#[pymethods]
impl Certificate {
    /// What the checker finds wrong.
    fn objections(&self, py: Python<'_>) -> Vec<String> {
        let checked = py.detach(|| self.checked());
        checked.err().iter().map(ToString::to_string).collect()
    }

    /// The line that `gjk query --verify` answers, with the certificate.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let told = || {
            let (verified, objection) = match self.checked() {
                Ok(verified) => (Some(verified), None),
                Err(error) => (None, Some(error.to_string())),
            };
            let answer = answer::proved("", &self.pair, &self.found, Question::Contact)?;
            Ok(Answer {
                verified,
                objection,
                ..answer
            })
        };
        let answer = py.detach(told);
        let answer = answer.map_err(|error: gjk_query::convert::InputError| {
            GjkError::new_err(error.to_string())
        })?;
        serde_json::to_string(&answer).map_err(|error| GjkError::new_err(error.to_string()))
    }
}
