//! Rows of gradients: answers into columns, and the normals and points that are as good.
//!
//! Where it sits: above `each.rs`. What comes of it is what [`crate::gradients_many`] answers, and the rate along motions.

use super::each::{
    AnswerColumns, Ends, both_placed, each, first_of, nothing, put_interval, put_vector,
};
use super::motions::both_twists;
use super::{BodyRows, MotionRows, NumberRows, PoseOfRow, RowError, WRONG_ROW, code};
use crate::answer::Statistics;
use crate::error::BatchError;
use crate::layout::shapes::Shapes;
use crate::options::Options;
use gjk::Vector;
use gjk::query::{self, Gradient, GradientVertex, Interval, PoseGradient, Verdict};

/// Where gradients go: columns of one length, of vectors so many times as long as there are coordinates, and of derivatives by a pose so many times as it
/// has ways to move: six in space, three in the plane. Of a row that is wrong the verdict is [`WRONG_ROW`], and the numbers are NaN.
#[derive(Debug)]
pub struct GradientColumns<'o, V: Vector> {
    /// By [`code`].
    pub verdicts: &'o mut [u8],
    /// Whether the verdict rests on exact signs.
    pub exact: &'o mut [bool],
    /// The signed distance.
    pub signed_distances: Ends<'o, V::Scalar>,
    /// Unit, from A to B.
    pub normals: &'o mut [V::Scalar],
    /// On A's surface.
    pub points_a: &'o mut [V::Scalar],
    /// On B's surface.
    pub points_b: &'o mut [V::Scalar],
    /// Whether the signed distance is proved to have this derivative.
    pub unique: &'o mut [bool],
    /// By the pose of A: first its translation, then a turn about it.
    pub by_a: &'o mut [V::Scalar],
    /// By the pose of B.
    pub by_b: &'o mut [V::Scalar],
    /// The rate along the motions; NaN where nothing is proved, or none is asked for.
    pub along: Ends<'o, V::Scalar>,
    /// The same as of bodies that go deeper; NaN of those that do not touch.
    pub along_inside: Ends<'o, V::Scalar>,
    /// What is as good, of each row.
    pub vertices: &'o mut [Vec<GradientVertex<V>>],
}

/// A gradient, and the rate along the motions that were asked for.
pub(super) struct RatedGradient<V: Vector> {
    gradient: Gradient<V>,
    along: Option<Interval<V::Scalar>>,
    along_inside: Option<Interval<V::Scalar>>,
}

/// In how many ways a pose of this dimension moves: along each axis, and about each axis or in the plane about one.
pub const fn ways_to_move(dim: usize) -> usize {
    dim * (dim + 1) / 2
}

fn put_gradient<V: Vector>(
    column: &mut [V::Scalar],
    at: usize,
    gradient: Option<&PoseGradient<V>>,
) {
    let ways = ways_to_move(V::DIM);
    for (k, number) in column[at * ways..][..ways].iter_mut().enumerate() {
        *number = gradient.map_or_else(nothing, |of| {
            if k < V::DIM {
                of.linear.component(k)
            } else {
                // In the plane the turn is the last of three.
                of.angular[3 + k - ways]
            }
        });
    }
}

impl<V: Vector> AnswerColumns<V> for GradientColumns<'_, V> {
    type Answer = RatedGradient<V>;

    fn rows(&self) -> usize {
        self.verdicts.len()
    }

    fn have(&self, rows: usize) -> bool {
        let ends = [&self.signed_distances, &self.along, &self.along_inside];
        let vectors = [&self.normals, &self.points_a, &self.points_b];
        let derivatives = [self.by_a.len(), self.by_b.len()];
        let others = [self.exact.len(), self.unique.len(), self.vertices.len()];
        ends.iter().all(|of| of.iter().all(|end| end.len() == rows))
            && vectors.iter().all(|column| column.len() == rows * V::DIM)
            && derivatives
                .iter()
                .all(|&len| len == rows * ways_to_move(V::DIM))
            && others.iter().all(|&len| len == rows)
    }

    fn cut(&mut self, rows: usize) -> Self {
        let wide = rows * ways_to_move(V::DIM);
        Self {
            verdicts: first_of(&mut self.verdicts, rows),
            exact: first_of(&mut self.exact, rows),
            signed_distances: self
                .signed_distances
                .each_mut()
                .map(|end| first_of(end, rows)),
            normals: first_of(&mut self.normals, rows * V::DIM),
            points_a: first_of(&mut self.points_a, rows * V::DIM),
            points_b: first_of(&mut self.points_b, rows * V::DIM),
            unique: first_of(&mut self.unique, rows),
            by_a: first_of(&mut self.by_a, wide),
            by_b: first_of(&mut self.by_b, wide),
            along: self.along.each_mut().map(|end| first_of(end, rows)),
            along_inside: self.along_inside.each_mut().map(|end| first_of(end, rows)),
            vertices: first_of(&mut self.vertices, rows),
        }
    }

    fn put(&mut self, at: usize, answer: Option<RatedGradient<V>>) {
        let along = answer.as_ref().and_then(|found| found.along);
        let inside = answer.as_ref().and_then(|found| found.along_inside);
        let gradient = answer.map(|found| found.gradient);
        let contact = gradient.as_ref().map(|found| found.contact);
        self.verdicts[at] = contact.map_or(WRONG_ROW, |found| code(found.verdict));
        self.exact[at] = contact.is_some_and(|found| found.exact);
        let signed = contact.map(|found| found.signed_distance);
        put_interval(&mut self.signed_distances, at, signed);
        put_vector(self.normals, at, contact.map(|found| found.normal));
        put_vector(self.points_a, at, contact.map(|found| found.point_a));
        put_vector(self.points_b, at, contact.map(|found| found.point_b));
        let found = gradient.as_ref();
        self.unique[at] = found.is_some_and(|found| found.unique);
        put_gradient(self.by_a, at, found.map(|found| &found.a));
        put_gradient(self.by_b, at, found.map(|found| &found.b));
        put_interval(&mut self.along, at, along);
        put_interval(&mut self.along_inside, at, inside);
        self.vertices[at] = gradient.map_or_else(Vec::new, |found| found.vertices);
    }
}

/// How the signed distance of each row changes with its poses, as [`crate::gradients_many`], and along motions as
/// [`gjk::query::directional_derivative`] has it.
///
/// # Errors  those of [`super::ask`].
/// # Complexity  that of a single query a row, over all threads; along motions that of two.
pub fn ask_gradients<V, B: BodyRows<V> + ?Sized, C: NumberRows, P: PoseOfRow<V>>(
    shapes: &Shapes<V>,
    bodies: [&B; 2],
    along: Option<[&MotionRows<C, P>; 2]>,
    options: &Options<'_>,
    columns: GradientColumns<'_, V>,
) -> Result<(Statistics, Vec<RowError>), BatchError>
where
    V: Vector<Scalar = f64>,
{
    each::<V, _>(columns, options, |row| {
        let [a, b] = both_placed(shapes, bodies, row)?;
        let twists = along.map(|motions| both_twists(motions, row, [&a.pose, &b.pose]));
        let twists = twists.transpose()?;
        let gradient = query::gradient(a.shape, &a.pose, b.shape, &b.pose);
        let touches = gradient.contact.verdict == Verdict::Touching;
        let touching = twists.filter(|_| touches).and_then(|[of_a, of_b]| {
            query::touching_derivatives(a.shape, &a.pose, &of_a, b.shape, &b.pose, &of_b)
        });
        let rate = || {
            let [of_a, of_b] = twists?;
            query::directional_derivative(a.shape, &a.pose, &of_a, b.shape, &b.pose, &of_b)
        };
        Ok(RatedGradient {
            gradient,
            along: touching.map_or_else(rate, |rates| Some(rates.outside)),
            along_inside: touching.map(|rates| rates.inside),
        })
    })
}
