//! Rows of contact manifolds: answers into columns, and the points of each row.
//!
//! Where it sits: above `each.rs`. What comes of it is what [`crate::manifolds_many`] answers.

use super::each::{
    AnswerColumns, Ends, both_placed, each, first_of, nothing, put_interval, put_vector,
};
use super::{BodyRows, RowError, WRONG_ROW, code};
use crate::answer::Statistics;
use crate::error::BatchError;
use crate::layout::shapes::Shapes;
use crate::options::Options;
use gjk::Vector;
use gjk::query::{self, Manifold, ManifoldKind, ManifoldOptions, ManifoldPoint};

/// The code of what bears on what: 0 two faces, 1 a face and an edge, 2 two edges, 3 a point.
pub fn kind_code(kind: ManifoldKind) -> u8 {
    match kind {
        ManifoldKind::FaceFace => 0,
        ManifoldKind::FaceEdge => 1,
        ManifoldKind::EdgeEdge => 2,
        _ => 3,
    }
}

/// A point of a manifold, and its id where the bodies are exchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedPoint<V: Vector> {
    /// The point.
    pub point: ManifoldPoint<V>,
    /// As [`Manifold::exchanged_id`].
    pub exchanged_id: u64,
}

/// Where manifolds go: columns of one length, and of vectors so many times as long as there are coordinates. Of a row that is wrong the codes are
/// [`WRONG_ROW`], the numbers NaN, and there are no points.
#[derive(Debug)]
pub struct ManifoldColumns<'o, V: Vector> {
    /// By [`code`].
    pub verdicts: &'o mut [u8],
    /// Whether the verdict rests on exact signs.
    pub exact: &'o mut [bool],
    /// The signed distance.
    pub signed_distances: Ends<'o, V::Scalar>,
    /// Unit, from A to B: of every point.
    pub normals: &'o mut [V::Scalar],
    /// By [`kind_code`].
    pub kinds: &'o mut [u8],
    /// Of the polygon of all points.
    pub areas: &'o mut [V::Scalar],
    /// Whether no point was left out.
    pub complete: &'o mut [bool],
    /// The points of each row.
    pub points: &'o mut [Vec<NamedPoint<V>>],
}

impl<V: Vector> AnswerColumns<V> for ManifoldColumns<'_, V> {
    type Answer = Manifold<V>;

    fn rows(&self) -> usize {
        self.verdicts.len()
    }

    fn have(&self, rows: usize) -> bool {
        let flags = [self.exact.len(), self.complete.len(), self.kinds.len()];
        let others = [self.areas.len(), self.points.len()];
        self.signed_distances.iter().all(|end| end.len() == rows)
            && self.normals.len() == rows * V::DIM
            && flags.iter().chain(&others).all(|&len| len == rows)
    }

    fn cut(&mut self, rows: usize) -> Self {
        Self {
            verdicts: first_of(&mut self.verdicts, rows),
            exact: first_of(&mut self.exact, rows),
            signed_distances: self
                .signed_distances
                .each_mut()
                .map(|end| first_of(end, rows)),
            normals: first_of(&mut self.normals, rows * V::DIM),
            kinds: first_of(&mut self.kinds, rows),
            areas: first_of(&mut self.areas, rows),
            complete: first_of(&mut self.complete, rows),
            points: first_of(&mut self.points, rows),
        }
    }

    fn put(&mut self, at: usize, answer: Option<Manifold<V>>) {
        let contact = answer.as_ref().map(|found| found.contact);
        self.verdicts[at] = contact.map_or(WRONG_ROW, |found| code(found.verdict));
        self.exact[at] = contact.is_some_and(|found| found.exact);
        let signed = contact.map(|found| found.signed_distance);
        put_interval(&mut self.signed_distances, at, signed);
        put_vector(self.normals, at, contact.map(|found| found.normal));
        let found = answer.as_ref();
        self.kinds[at] = found.map_or(WRONG_ROW, |found| kind_code(found.kind));
        self.areas[at] = found.map_or_else(nothing, |found| found.area);
        self.complete[at] = found.is_some_and(|found| found.complete);
        let named = |found: &Manifold<V>| {
            let points = found.points.iter().map(|point| NamedPoint {
                point: *point,
                exchanged_id: found.exchanged_id(point),
            });
            points.collect()
        };
        self.points[at] = found.map_or_else(Vec::new, named);
    }
}

/// The contact manifold of each row, as [`crate::manifolds_many`].
///
/// # Errors  those of [`super::ask`].
/// # Complexity  that of a single query a row, over all threads.
pub fn ask_manifolds<V: Vector, B: BodyRows<V> + ?Sized>(
    shapes: &Shapes<V>,
    bodies: [&B; 2],
    asked: &ManifoldOptions<V::Scalar>,
    options: &Options<'_>,
    columns: ManifoldColumns<'_, V>,
) -> Result<(Statistics, Vec<RowError>), BatchError> {
    each::<V, _>(columns, options, |row| {
        let [a, b] = both_placed(shapes, bodies, row)?;
        Ok(query::manifold(a.shape, &a.pose, b.shape, &b.pose, asked))
    })
}
