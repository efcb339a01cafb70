//! Rows as callers have them: a shape and a pose for each body of each row, from columns of any layout; answers into the caller's columns.
//!
//! Where it sits: above the batch queries, which take poses by index. Python and tables come in here. What has no lanes is a single query a row:
//! `motions.rs`, `manifolds.rs` and `gradients.rs`, by `each.rs`.
//! Idea: rows are taken in by blocks. A block's poses are set into storage that its thread keeps, so that no row needs memory of its own, and
//! its answers are written where the caller wants them. A row that is wrong is data: it is named, and the others are answered.

mod blocks;
mod each;
mod gradients;
mod hits;
mod manifolds;
mod motions;
mod planar;
mod poses;
mod warm;

pub use each::{Ends, SINGLE_BLOCK};
pub use gradients::{GradientColumns, ask_gradients, ways_to_move};
pub use hits::{HitOrder, hit_order};
pub use manifolds::{ManifoldColumns, NamedPoint, ask_manifolds, kind_code};
pub use motions::{
    MotionColumns, MotionRows, PoseOfRow, RayRows, ask_casts, ask_rays, ask_tois, meeting_code,
    stop_code, stop_names,
};
pub use planar::PlanarPoseRows;
pub use poses::{NumberColumn, NumberRows, PoseRows, QuaternionOrder};
pub use warm::{NEW_POINT, RowCaches, ask_manifolds_warm};

use crate::answer::{Answer, Statistics};
use crate::dispatch::lane_answer::LaneAnswer;
use crate::error::{BatchError, Side};
use crate::layout::poses::Poses;
use crate::layout::shapes::Shapes;
use crate::layout::world::{Pair, World};
use crate::options::Options;
use crate::request::Request;
use crate::run;
use blocks::{BlockDone, in_blocks};
use core::fmt;
use gjk::math::PoseError;
use gjk::query::{MotionError, Verdict};
use gjk::{Pose, Scalar, Vector};

/// Rows of a block: its poses stay in the second cache.
pub const BLOCK: usize = 256;

/// One body of each row.
pub trait BodyRows<V: Vector>: Sync {
    /// Its shape, by its index; its pose is written where it is to be.
    ///
    /// # Errors  what is wrong with the row.
    fn put(&self, row: usize, pose: &mut Pose<V>) -> Result<u32, RowFault>;
}

impl<V: Vector, F: Fn(usize) -> Result<(u32, Pose<V>), RowFault> + Sync> BodyRows<V> for F {
    fn put(&self, row: usize, pose: &mut Pose<V>) -> Result<u32, RowFault> {
        let shape;
        (shape, *pose) = self(row)?;
        Ok(shape)
    }
}

/// What is wrong with a body of a row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RowFault {
    /// It names a shape that does not exist.
    NoSuchShape {
        /// The shape it names.
        shape: u32,
        /// How many shapes there are.
        count: usize,
    },
    /// A column has nothing for it.
    Missing {
        /// The column.
        field: &'static str,
    },
    /// A column has another count of numbers for it.
    Length {
        /// The column.
        field: &'static str,
        /// How many there must be.
        expected: &'static str,
    },
    /// Its pose is none.
    Pose(PoseError),
    /// Its pose is singular or not finite.
    Singular,
    /// Its motion, or the ray, is none.
    Motion(MotionError),
    /// Its vertices should move by themselves, and its shape has none.
    NoVertices {
        /// The shape.
        shape: u32,
    },
    /// Its vertices should move by themselves, and they are not as many as those of its shape.
    VertexCount {
        /// How many there are for it.
        given: usize,
        /// How many its shape has.
        has: usize,
    },
    /// Its vertices move by themselves, where it must keep its shape.
    Reshaped,
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchShape { shape, count } => {
                write!(f, "shape {shape} of {count} does not exist")
            }
            Self::Missing { field } => write!(f, "{field} is null, or has a null in it"),
            Self::Length { field, expected } => {
                write!(
                    f,
                    "{field} has another length: it must have {expected} numbers"
                )
            }
            Self::Pose(error) => error.fmt(f),
            Self::Singular => write!(
                f,
                "the pose is singular: its matrix must be finite and invertible"
            ),
            Self::Motion(error) => error.fmt(f),
            Self::NoVertices { shape } => write!(
                f,
                "the vertices of shape {shape} cannot move by themselves: it must be a hull, segment, triangle or point"
            ),
            Self::VertexCount { given, has } => write!(
                f,
                "vertices: there are {given}, and the shape has {has}: give one for each, in its order"
            ),
            Self::Reshaped => write!(f, "vertices: a rate is that of a body that keeps its shape"),
        }
    }
}

impl From<MotionError> for RowFault {
    fn from(error: MotionError) -> Self {
        Self::Motion(error)
    }
}

impl From<PoseError> for RowFault {
    fn from(error: PoseError) -> Self {
        Self::Pose(error)
    }
}

/// A row that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct RowError {
    /// The row.
    pub row: usize,
    /// Its body.
    pub side: Side,
    /// What is wrong.
    pub fault: RowFault,
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, body {:?}: {}", self.row, self.side, self.fault)
    }
}

impl core::error::Error for RowError {}

/// The code of a row that is wrong among the verdicts of [`Columns`].
pub const WRONG_ROW: u8 = 255;

/// The code of a verdict: 0 separated, 1 touching, 2 overlapping, 3 undecided.
pub fn code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Separated => 0,
        Verdict::Touching => 1,
        Verdict::Overlapping => 2,
        Verdict::Undecided => 3,
    }
}

/// Where answers go: columns of one length, and of vectors so many times as long as there are coordinates. Those that are not wanted are `None`.
/// Of a row that is wrong the verdict is [`WRONG_ROW`], and the numbers are NaN.
#[derive(Debug, Default)]
pub struct Columns<'o, S> {
    /// The codes of the verdicts.
    pub verdicts: &'o mut [u8],
    /// Lower and upper ends of the distance, or of the signed distance.
    pub lower: Option<&'o mut [S]>,
    /// See `lower`.
    pub upper: Option<&'o mut [S]>,
    /// Unit, from A to B.
    pub normals: Option<&'o mut [S]>,
    /// On A's surface.
    pub points_a: Option<&'o mut [S]>,
    /// On B's surface.
    pub points_b: Option<&'o mut [S]>,
}

/// Splits a column, in the place of which its rest is left.
fn cut<'o, T>(column: &mut Option<&'o mut [T]>, at: usize) -> Option<&'o mut [T]> {
    let whole = column.take()?;
    let (first, rest) = whole.split_at_mut(at);
    *column = Some(rest);
    Some(first)
}

impl<'o, S: Scalar> Columns<'o, S> {
    /// Whether every column has so many rows, of vectors with so many coordinates.
    fn have(&self, rows: usize, dim: usize) -> bool {
        let numbers = [&self.lower, &self.upper];
        let vectors = [&self.normals, &self.points_a, &self.points_b];
        let is = |column: &Option<&'o mut [S]>, len: usize| {
            column.as_ref().is_none_or(|c| c.len() == len)
        };
        self.verdicts.len() == rows
            && numbers.iter().all(|column| is(column, rows))
            && vectors.iter().all(|column| is(column, rows * dim))
    }

    /// The columns of each block.
    fn blocks(mut self, dim: usize) -> Vec<(usize, Self)> {
        let (mut blocks, mut first) = (Vec::new(), 0);
        let mut verdicts = Some(core::mem::take(&mut self.verdicts));
        while let Some(left) = verdicts
            .as_ref()
            .map(|column| column.len())
            .filter(|&left| left > 0)
        {
            let rows = left.min(BLOCK);
            let block = Self {
                verdicts: cut(&mut verdicts, rows).unwrap_or_default(),
                lower: cut(&mut self.lower, rows),
                upper: cut(&mut self.upper, rows),
                normals: cut(&mut self.normals, rows * dim),
                points_a: cut(&mut self.points_a, rows * dim),
                points_b: cut(&mut self.points_b, rows * dim),
            };
            blocks.push((first, block));
            first += rows;
        }
        blocks
    }

    fn put_vector<V: Vector<Scalar = S>>(column: &mut Option<&'o mut [S]>, at: usize, vector: V) {
        if let Some(column) = column {
            for k in 0..V::DIM {
                column[at * V::DIM + k] = vector.component(k);
            }
        }
    }

    /// A row that is wrong.
    fn put_nothing(&mut self, at: usize, dim: usize) {
        let nothing = S::from_f64(f64::NAN);
        self.verdicts[at] = WRONG_ROW;
        for column in [&mut self.lower, &mut self.upper].into_iter().flatten() {
            column[at] = nothing;
        }
        let vectors = [&mut self.normals, &mut self.points_a, &mut self.points_b];
        for column in vectors.into_iter().flatten() {
            column[at * dim..][..dim].fill(nothing);
        }
    }
}

/// What a row's answer is made of.
trait Put<V: Vector>: LaneAnswer<V> {
    fn put(&self, at: usize, columns: &mut Columns<'_, V::Scalar>);
}

impl<V: Vector> Put<V> for Verdict {
    fn put(&self, at: usize, columns: &mut Columns<'_, V::Scalar>) {
        columns.verdicts[at] = code(*self);
    }
}

impl<V: Vector> Put<V> for Answer<V> {
    fn put(&self, at: usize, columns: &mut Columns<'_, V::Scalar>) {
        columns.verdicts[at] = code(self.verdict);
        for (column, number) in [
            (&mut columns.lower, self.interval.lower),
            (&mut columns.upper, self.interval.upper),
        ] {
            if let Some(column) = column {
                column[at] = number;
            }
        }
        Columns::put_vector(&mut columns.normals, at, self.normal);
        Columns::put_vector(&mut columns.points_a, at, self.point_a);
        Columns::put_vector(&mut columns.points_b, at, self.point_b);
    }
}

/// What is asked of each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// As [`crate::classify_many`]; only the verdicts are written.
    Classify,
    /// As [`crate::distance_many`].
    Distance,
    /// As [`crate::contact_many`].
    Contact,
}

/// What a thread keeps from block to block.
#[derive(Debug)]
struct Kept<V: Vector, T> {
    poses: Poses<V>,
    pairs: Vec<Pair>,
    rows: Vec<usize>,
    answers: Vec<T>,
}

/// What a caller keeps from one call of [`ask_in`] to the next, so that a few rows need no memory.
#[derive(Debug)]
pub struct RowStorage<V: Vector> {
    verdicts: Kept<V, Verdict>,
    answers: Kept<V, Answer<V>>,
}

impl<V: Vector> Default for RowStorage<V> {
    fn default() -> Self {
        Self {
            verdicts: Kept::new(),
            answers: Kept::new(),
        }
    }
}

/// As [`ask`], on the caller's thread alone, in storage that the caller keeps.
///
/// # Errors  those of [`ask`].
/// # Complexity  as [`ask`]; no memory for as many rows as the storage has had, but for rows that are wrong.
/// # Examples
/// ```
/// use gjk::{Pose3, Vec3, shape::Ball};
/// use gjk_batch::{Options, Shapes};
/// use gjk_batch::rows::{Ask, BodyRows, Columns, RowStorage, ask_in};
/// let mut shapes = Shapes::<Vec3<f64>>::new();
/// let ball = shapes.push(Ball::new(0.5).unwrap());
/// let mut storage = RowStorage::default();
/// for (place, expected) in [(0.5, 2), (1.0, 1), (1.5, 0)] {
///     let body = |x: f64| move |_: usize| Ok((ball, Pose3::from_translation(Vec3::new(x, 0.0, 0.0))));
///     let (here, there) = (body(0.0), body(place));
///     let bodies: [&dyn BodyRows<Vec3<f64>>; 2] = [&here, &there];
///     let mut verdicts = [0];
///     let columns = Columns { verdicts: &mut verdicts, ..Columns::default() };
///     ask_in(&mut storage, &shapes, bodies, Ask::Classify, &Options::default(), columns).unwrap();
///     assert_eq!(verdicts, [expected]);
/// }
/// ```
pub fn ask_in<V: Vector, B: BodyRows<V> + ?Sized>(
    storage: &mut RowStorage<V>,
    shapes: &Shapes<V>,
    bodies: [&B; 2],
    what: Ask,
    options: &Options<'_>,
    columns: Columns<'_, V::Scalar>,
) -> Result<(Statistics, Vec<RowError>), BatchError> {
    asked_of(Some(storage), shapes, bodies, what, options, columns)
}

/// Asks all rows, and writes the answers into the caller's columns; the rows that are wrong are told in their order.
///
/// # Errors  columns of other lengths, a cancelled batch, threads that could not be started. A thread takes [`BLOCK`] rows at a time, whatever [`Options::chunk`] says.
/// # Complexity  that of the batch queries; memory for a block a thread.
/// # Examples
/// ```
/// use gjk::{Pose3, Vec3, shape::Cuboid};
/// use gjk_batch::{Options, Shapes};
/// use gjk_batch::rows::{Ask, BodyRows, Columns, RowFault, ask};
/// let mut shapes = Shapes::<Vec3<f64>>::new();
/// let cube = shapes.push(Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).unwrap());
/// let here = |_: usize| Ok((cube, Pose3::identity()));
/// let there = |row: usize| {
///     let pose = Pose3::from_quaternion([0.0, 0.0, 0.0, row as f64], Vec3::new(row as f64, 0.0, 0.0))?;
///     Ok((cube, pose))
/// };
/// let mut verdicts = [0; 3];
/// let columns = Columns { verdicts: &mut verdicts, ..Columns::default() };
/// let bodies: [&dyn BodyRows<Vec3<f64>>; 2] = [&here, &there];
/// let (_, wrong) = ask(&shapes, bodies, Ask::Classify, &Options::default(), columns).unwrap();
/// assert_eq!(verdicts, [255, 1, 0]);
/// assert_eq!(wrong[0].row, 0);
/// ```
pub fn ask<V: Vector, B: BodyRows<V> + ?Sized>(
    shapes: &Shapes<V>,
    bodies: [&B; 2],
    what: Ask,
    options: &Options<'_>,
    columns: Columns<'_, V::Scalar>,
) -> Result<(Statistics, Vec<RowError>), BatchError> {
    asked_of(None, shapes, bodies, what, options, columns)
}

/// What both entries do; on the caller's thread alone where there is storage.
fn asked_of<V: Vector, B: BodyRows<V> + ?Sized>(
    storage: Option<&mut RowStorage<V>>,
    shapes: &Shapes<V>,
    bodies: [&B; 2],
    what: Ask,
    options: &Options<'_>,
    columns: Columns<'_, V::Scalar>,
) -> Result<(Statistics, Vec<RowError>), BatchError> {
    let request = what.request();
    if what == Ask::Classify {
        let kept = storage.map(|storage| &mut storage.verdicts);
        all::<V, Verdict, B>(shapes, bodies, request, options, columns, kept)
    } else {
        let kept = storage.map(|storage| &mut storage.answers);
        all::<V, Answer<V>, B>(shapes, bodies, request, options, columns, kept)
    }
}

impl Ask {
    fn request(self) -> Request {
        match self {
            Self::Classify => Request::Verdict,
            Self::Distance => Request::Distance,
            Self::Contact => Request::Contact,
        }
    }
}

/// Answers all rows; on the caller's thread alone where something is kept for it.
fn all<V: Vector, T: Put<V>, B: BodyRows<V> + ?Sized>(
    shapes: &Shapes<V>,
    bodies: [&B; 2],
    request: Request,
    options: &Options<'_>,
    columns: Columns<'_, V::Scalar>,
    kept: Option<&mut Kept<V, T>>,
) -> Result<(Statistics, Vec<RowError>), BatchError> {
    let total = columns.verdicts.len();
    if !columns.have(total, V::DIM) {
        return Err(BatchError::Columns { rows: total });
    }
    let block = |kept: &mut Kept<V, T>, (first, mut columns): (usize, Columns<'_, V::Scalar>)| {
        let wrong = kept.take_in(shapes, bodies, first, &mut columns);
        let statistics = kept.answer(shapes, request, options, &mut columns)?;
        Ok(BlockDone {
            rows: columns.verdicts.len(),
            statistics,
            wrong,
        })
    };
    let blocks = columns.blocks(V::DIM);
    in_blocks(blocks, total, options, kept, Kept::new, block)
}

impl<V: Vector, T: Put<V>> Kept<V, T> {
    fn new() -> Self {
        Self {
            poses: Poses::in_rows(),
            pairs: Vec::new(),
            rows: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// The bodies of a block's rows, but of those that are wrong.
    fn take_in<B: BodyRows<V> + ?Sized>(
        &mut self,
        shapes: &Shapes<V>,
        bodies: [&B; 2],
        first: usize,
        columns: &mut Columns<'_, V::Scalar>,
    ) -> Vec<RowError> {
        let mut wrong = Vec::new();
        self.pairs.clear();
        self.rows.clear();
        let poses = self.poses.slots(2 * columns.verdicts.len());
        for at in 0..columns.verdicts.len() {
            let (row, place) = (first + at, 2 * self.pairs.len());
            let mut one = |side: usize| {
                let shape = bodies[side].put(row, &mut poses[place + side])?;
                if shape as usize >= shapes.len() {
                    let count = shapes.len();
                    return Err(RowFault::NoSuchShape { shape, count });
                }
                Ok(shape)
            };
            let of_a = one(0).map_err(|fault| (Side::A, fault));
            let both = of_a.and_then(|a| Ok((a, one(1).map_err(|fault| (Side::B, fault))?)));
            match both {
                Ok((shape_a, shape_b)) => {
                    let place = place as u32;
                    self.pairs
                        .push(Pair::new((shape_a, place), (shape_b, place + 1)));
                    self.rows.push(at);
                }
                Err((side, fault)) => {
                    columns.put_nothing(at, V::DIM);
                    wrong.push(RowError { row, side, fault });
                }
            }
        }
        self.poses.store_slots(2 * self.pairs.len());
        wrong
    }

    fn answer(
        &mut self,
        shapes: &Shapes<V>,
        request: Request,
        options: &Options<'_>,
        columns: &mut Columns<'_, V::Scalar>,
    ) -> Result<Statistics, BatchError> {
        let poses = &self.poses;
        let world = World { shapes, poses };
        let here = Options {
            threads: Some(1),
            lanes: options.lanes,
            ..Options::default()
        };
        let statistics = run::run(world, &self.pairs, request, &here, &mut self.answers)?;
        for (answer, &at) in self.answers.iter().zip(&self.rows) {
            answer.put(at, columns);
        }
        Ok(statistics)
    }
}
