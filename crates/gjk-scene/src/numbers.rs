//! Visits of all numbers of a body, with their places.
//!
//! Where it sits: below `schema.rs` and `pose.rs`, whose specifications are visited.

use crate::error::QueryError;
use crate::value::At;

/// A place in a body, for [`crate::BodySpec::visit_numbers`]: prints as `a.pose.translation[2]`.
#[derive(Clone, Copy)]
pub struct Place<'p>(pub(crate) At<'p>);

impl<'p> Place<'p> {
    /// The place of a body, such as `a` or `b`.
    #[must_use]
    pub fn new(body: &'p str) -> Self {
        const ROOT: &At<'static> = &At::ROOT;
        Self(ROOT.key(body))
    }

    pub(crate) fn key(&'p self, key: &'static str) -> Place<'p> {
        Place(self.0.key(key))
    }

    pub(crate) fn index(&'p self, index: usize) -> Place<'p> {
        Place(self.0.index(index))
    }
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Looks at a number and may change it, for example round it to `f32`; its error ends the visit.
pub type NumberVisitor<'v> = dyn FnMut(&mut f64, &Place<'_>) -> Result<(), QueryError> + 'v;

pub(crate) fn visit_vector(
    vector: &mut [f64],
    at: &Place<'_>,
    visit: &mut NumberVisitor<'_>,
) -> Result<(), QueryError> {
    vector
        .iter_mut()
        .enumerate()
        .try_for_each(|(i, entry)| visit(entry, &at.index(i)))
}

pub(crate) fn visit_rows(
    rows: &mut [Vec<f64>],
    at: &Place<'_>,
    visit: &mut NumberVisitor<'_>,
) -> Result<(), QueryError> {
    rows.iter_mut()
        .enumerate()
        .try_for_each(|(i, row)| visit_vector(row, &at.index(i), visit))
}
