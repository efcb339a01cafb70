//! Rows of rays, casts and times of impact: motions from columns of numbers, answers into columns.
//!
//! Where it sits: above `each.rs`. What comes of it is what [`crate::rays_many`], [`crate::casts_many`] and [`crate::tois_many`] answer.

use super::each::{
    AnswerColumns, Ends, RowBody, SideFault, both_placed, each, first_of, placed, put_interval,
    put_vector,
};
use super::{BodyRows, NumberRows, PoseRows, RowError, RowFault, WRONG_ROW};
use crate::answer::Statistics;
use crate::error::{BatchError, Side};
use crate::layout::shapes::Shapes;
use crate::options::Options;
use gjk::query::{
    self, CastAnswer, Meeting, MotionError, MotionOptions, MotionStop, Ray, ToiOptions, Twist,
};
use gjk::shape::{MovingVertices, Shape};
use gjk::{Pose, Vec3, Vector};

/// The code of a verdict on a motion: 0 free, 1 hits, 2 starts touching, 3 starts overlapping, 4 exits, 5 undecided.
pub fn meeting_code(verdict: Meeting) -> u8 {
    match verdict {
        Meeting::Free => 0,
        Meeting::Hits => 1,
        Meeting::StartsTouching => 2,
        Meeting::StartsOverlapping => 3,
        Meeting::Exits => 4,
        Meeting::Undecided => 5,
    }
}

/// The verdict of a code; none of [`WRONG_ROW`].
pub(super) fn meeting_of(code: u8) -> Option<Meeting> {
    let all = [
        Meeting::Free,
        Meeting::Hits,
        Meeting::StartsTouching,
        Meeting::StartsOverlapping,
        Meeting::Exits,
        Meeting::Undecided,
    ];
    all.into_iter()
        .find(|&verdict| meeting_code(verdict) == code)
}

/// Why the work on a motion ends, by their codes: first what ends motions, then what only ends the work on a start.
const STOP_NAMES: [&str; 18] = [
    "facet",
    "separating_plane",
    "gap_closed",
    "exact",
    "time_resolution",
    "iteration_limit",
    "pieces_limit",
    "resting",
    "overflow",
    "vertex_repeated",
    "no_progress",
    "enclosed",
    "origin_reached",
    "separating_direction",
    "closed_form",
    "separating_axes",
    "facet_reached",
    "storage_full",
];

/// The names of the stops, each at the place of its code.
pub fn stop_names() -> &'static [&'static str] {
    &STOP_NAMES
}

/// The code of a stop: its place among [`stop_names`].
pub fn stop_code(stop: MotionStop) -> u8 {
    let place = STOP_NAMES.iter().position(|&name| name == stop.name());
    place.map_or(WRONG_ROW, |place| place as u8)
}

/// Where answers on motions go: columns of one length, and of vectors so many times as long as there are coordinates. What an answer does not have is NaN.
/// Of a row that is wrong the verdict and the stop are [`WRONG_ROW`], and the numbers are NaN.
#[derive(Debug)]
pub struct MotionColumns<'o, S> {
    /// By [`meeting_code`].
    pub verdicts: &'o mut [u8],
    /// Whether the verdict rests on exact signs.
    pub exact: &'o mut [bool],
    /// The time of the verdict.
    pub times: Ends<'o, S>,
    /// The time at which contact ends, where it is known.
    pub exits: Ends<'o, S>,
    /// Unit, from A to B; of a ray out of the body.
    pub normals: &'o mut [S],
    /// On A's surface.
    pub points_a: &'o mut [S],
    /// On B's surface.
    pub points_b: &'o mut [S],
    /// There is contact, and no inner point is ever met.
    pub grazing: &'o mut [bool],
    /// Of a start in contact.
    pub signed_distances: Ends<'o, S>,
    /// Steps of the search.
    pub iterations: &'o mut [u32],
    /// By [`stop_code`].
    pub stops: &'o mut [u8],
}

impl<V: Vector> AnswerColumns<V> for MotionColumns<'_, V::Scalar> {
    type Answer = CastAnswer<V>;

    fn rows(&self) -> usize {
        self.verdicts.len()
    }

    fn have(&self, rows: usize) -> bool {
        let ends = [&self.times, &self.exits, &self.signed_distances];
        let vectors = [&self.normals, &self.points_a, &self.points_b];
        let others = [self.exact.len(), self.grazing.len(), self.iterations.len()];
        self.stops.len() == rows
            && ends.iter().all(|of| of.iter().all(|end| end.len() == rows))
            && vectors.iter().all(|column| column.len() == rows * V::DIM)
            && others.iter().all(|&len| len == rows)
    }

    fn cut(&mut self, rows: usize) -> Self {
        Self {
            verdicts: first_of(&mut self.verdicts, rows),
            exact: first_of(&mut self.exact, rows),
            times: self.times.each_mut().map(|end| first_of(end, rows)),
            exits: self.exits.each_mut().map(|end| first_of(end, rows)),
            normals: first_of(&mut self.normals, rows * V::DIM),
            points_a: first_of(&mut self.points_a, rows * V::DIM),
            points_b: first_of(&mut self.points_b, rows * V::DIM),
            grazing: first_of(&mut self.grazing, rows),
            signed_distances: self
                .signed_distances
                .each_mut()
                .map(|end| first_of(end, rows)),
            iterations: first_of(&mut self.iterations, rows),
            stops: first_of(&mut self.stops, rows),
        }
    }

    fn put(&mut self, at: usize, answer: Option<CastAnswer<V>>) {
        self.verdicts[at] = answer.map_or(WRONG_ROW, |found| meeting_code(found.verdict));
        self.exact[at] = answer.is_some_and(|found| found.exact);
        self.grazing[at] = answer.is_some_and(|found| found.grazing);
        self.iterations[at] = answer.map_or(0, |found| found.iterations);
        self.stops[at] = answer.map_or(WRONG_ROW, |found| stop_code(found.stop));
        put_interval(&mut self.times, at, answer.and_then(|found| found.time));
        put_interval(&mut self.exits, at, answer.and_then(|found| found.exit));
        let signed = answer.and_then(|found| found.signed_distance);
        put_interval(&mut self.signed_distances, at, signed);
        put_vector(self.normals, at, answer.and_then(|found| found.normal));
        put_vector(self.points_a, at, answer.and_then(|found| found.point_a));
        put_vector(self.points_b, at, answer.and_then(|found| found.point_b));
    }
}

/// A vector of a row's numbers.
fn vector<V: Vector<Scalar = f64>>(numbers: &[f64]) -> V {
    V::from_fn(|k| numbers[k])
}

/// The same, or zero where there is no column.
fn vector_or_zero<V: Vector<Scalar = f64>, C: NumberRows>(rows: Option<&C>, row: usize) -> V {
    rows.map_or(V::ZERO, |rows| vector(rows.row(row)))
}

/// A ray for each row.
#[derive(Clone, Copy, Debug)]
pub struct RayRows<C> {
    /// Where it starts: as many numbers a row as there are coordinates.
    pub origin: C,
    /// How far it moves in a unit of time, likewise.
    pub direction: C,
}

impl<C: NumberRows> RayRows<C> {
    fn ray<V: Vector<Scalar = f64>>(&self, row: usize) -> Result<Ray<V>, MotionError> {
        let [origin, direction] = [&self.origin, &self.direction].map(|of| vector(of.row(row)));
        Ray::new(origin, direction)
    }
}

/// The pose of a row, whatever the columns that say it.
pub trait PoseOfRow<V: Vector>: Sync {
    /// Writes it where it is to be.
    ///
    /// # Errors  what is wrong with the row.
    fn put(&self, row: usize, pose: &mut Pose<V>) -> Result<(), RowFault>;
}

impl<C: NumberRows> PoseOfRow<Vec3<f64>> for PoseRows<C> {
    fn put(&self, row: usize, pose: &mut Pose<Vec3<f64>>) -> Result<(), RowFault> {
        PoseRows::put(self, row, pose)
    }
}

/// How a body of each row moves and turns, as [`Twist`] has it. Columns that are not there are zero.
#[derive(Clone, Copy, Debug)]
pub enum MotionRows<C, P> {
    /// It rests.
    Rest,
    /// By velocities.
    Velocities {
        /// How far the centre moves in a unit of time: as many numbers a row as there are coordinates.
        velocity: Option<C>,
        /// Radians a unit of time, along the world's axes: three numbers, in the plane one.
        angular: Option<C>,
        /// In the body's frame: as many numbers as there are coordinates.
        center: Option<C>,
    },
    /// To a pose in a unit of time.
    To {
        /// Where it is at the time 1.
        pose: P,
        /// As of velocities.
        center: Option<C>,
        /// Whether it turns as [`Twist::nlerp`] does, and not as [`Twist::between`].
        nlerp: bool,
    },
    /// Each vertex by itself, in a straight line, as [`MovingVertices`] has it; of a time of impact alone. The pose takes the body along.
    Vertices {
        /// Where they are at the time 0, in the body's frame: a row for each shape, of as many numbers a vertex as there are coordinates. None of a shape that
        /// has no vertices.
        from: C,
        /// Where they are at the time 1: a row for each row, in the order of its shape's.
        to: C,
    },
}

/// How a body of a row moves.
struct RowMotion<V: Vector> {
    /// The body with vertices that move by themselves.
    reshaped: Option<Shape<V>>,
    twist: Twist<V>,
}

impl<V: Vector> RowMotion<V> {
    fn shape<'s>(&'s self, body: &RowBody<'s, V>) -> &'s Shape<V> {
        self.reshaped.as_ref().unwrap_or(body.shape)
    }
}

/// The body of a row whose vertices move by themselves.
fn moving_vertices<V: Vector<Scalar = f64>>(
    shape: u32,
    from: &[f64],
    to: &[f64],
) -> Result<Shape<V>, RowFault> {
    if from.is_empty() {
        return Err(RowFault::NoVertices { shape });
    }
    let [has, given] = [from.len(), to.len()].map(|numbers| numbers / V::DIM);
    if has != given {
        return Err(RowFault::VertexCount { given, has });
    }
    let list = |numbers: &[f64]| numbers.chunks_exact(V::DIM).map(vector).collect();
    let (from, to): (Vec<V>, Vec<V>) = (list(from), list(to));
    let field = "vertices";
    let made = MovingVertices::new(&from, &to);
    made.map(Shape::from)
        .map_err(|_| MotionError::NotFinite { field }.into())
}

impl<C: NumberRows, P> MotionRows<C, P> {
    /// How a body of a row moves.
    fn moves<V: Vector<Scalar = f64>>(
        &self,
        row: usize,
        body: &RowBody<'_, V>,
    ) -> Result<RowMotion<V>, RowFault>
    where
        P: PoseOfRow<V>,
    {
        let Self::Vertices { from, to } = self else {
            return Ok(RowMotion {
                reshaped: None,
                twist: self.twist(row, &body.pose)?,
            });
        };
        let from = from.row(body.index as usize);
        Ok(RowMotion {
            reshaped: Some(moving_vertices(body.index, from, to.row(row))?),
            twist: Twist::rest(),
        })
    }

    /// The motion of a row from its pose.
    ///
    /// # Errors  what is not finite; a pose that does more than to turn and to move; vertices that move by themselves.
    pub fn twist<V: Vector<Scalar = f64>>(
        &self,
        row: usize,
        from: &Pose<V>,
    ) -> Result<Twist<V>, RowFault>
    where
        P: PoseOfRow<V>,
    {
        match self {
            Self::Rest => Ok(Twist::rest()),
            Self::Vertices { .. } => Err(RowFault::Reshaped),
            Self::Velocities {
                velocity,
                angular,
                center,
            } => {
                let [linear, center] =
                    [velocity, center].map(|of| vector_or_zero(of.as_ref(), row));
                let turn = match angular.as_ref().map(|of| of.row(row)) {
                    Some(&[turn]) => [0.0, 0.0, turn],
                    Some(&[x, y, z]) => [x, y, z],
                    _ => [0.0; 3],
                };
                Ok(Twist::new(linear, turn, center)?)
            }
            Self::To {
                pose,
                center,
                nlerp,
            } => {
                let mut to = Pose::identity();
                pose.put(row, &mut to)?;
                let center = vector_or_zero(center.as_ref(), row);
                Ok(if *nlerp {
                    Twist::nlerp(from, &to, center)?
                } else {
                    Twist::between(from, &to, center)?
                })
            }
        }
    }
}

/// The motions of both bodies of a row.
pub(super) fn both_twists<V: Vector<Scalar = f64>, C: NumberRows, P: PoseOfRow<V>>(
    motions: [&MotionRows<C, P>; 2],
    row: usize,
    poses: [&Pose<V>; 2],
) -> Result<[Twist<V>; 2], SideFault> {
    let one = |k: usize, side: Side| {
        let twist = motions[k].twist(row, poses[k]);
        twist.map_err(|fault| (side, fault))
    };
    Ok([one(0, Side::A)?, one(1, Side::B)?])
}

/// When the ray of each row meets its body, as [`crate::rays_many`]. What is wrong with a ray is told of body B.
///
/// # Errors  those of [`super::ask`].
/// # Complexity  that of a single query a row, over all threads.
/// # Examples
/// ```
/// use gjk::{Pose3, Vec3, shape::Cuboid};
/// use gjk_batch::{Options, Shapes};
/// use gjk_batch::rows::{BodyRows, MotionColumns, NumberColumn, RayRows, ask_rays};
/// let mut shapes = Shapes::<Vec3<f64>>::new();
/// let cube = shapes.push(Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap());
/// let body: &dyn BodyRows<Vec3<f64>> = &|_: usize| Ok((cube, Pose3::identity()));
/// let rays = RayRows {
///     origin: NumberColumn::new(&[-3.0, 0.0, 0.0, -3.0, 2.0, 0.0, f64::NAN, 0.0, 0.0], 3),
///     direction: NumberColumn::new(&[1.0, 0.0, 0.0], 3),
/// };
/// let (mut codes, mut flags, mut steps) = ([[0; 3]; 2], [[false; 3]; 2], [0; 3]);
/// let (mut ends, mut vectors) = ([[0.0; 3]; 6], [[0.0; 9]; 3]);
/// let ([verdicts, stops], [exact, grazing]) = (codes.each_mut(), flags.each_mut());
/// let ([t, u, v, w, x, y], [n, a, b]) = (ends.each_mut(), vectors.each_mut());
/// let columns = MotionColumns {
///     verdicts, exact, times: [t, u], exits: [v, w], normals: n, points_a: a, points_b: b, grazing,
///     signed_distances: [x, y], iterations: &mut steps, stops,
/// };
/// let (_, wrong) = ask_rays(&shapes, body, &rays, &Default::default(), &Options::default(), columns).unwrap();
/// assert_eq!((codes[0], ends[0][0]), ([1, 0, 255], 2.0));
/// assert_eq!(wrong[0].fault.to_string(), "origin: every number must be finite");
/// ```
pub fn ask_rays<V: Vector<Scalar = f64>, B: BodyRows<V> + ?Sized, C: NumberRows>(
    shapes: &Shapes<V>,
    body: &B,
    rays: &RayRows<C>,
    asked: &MotionOptions<f64>,
    options: &Options<'_>,
    columns: MotionColumns<'_, f64>,
) -> Result<(Statistics, Vec<RowError>), BatchError> {
    each::<V, _>(columns, options, |row| {
        let body = placed(shapes, body, row).map_err(|fault| (Side::A, fault))?;
        let ray = rays.ray(row).map_err(|error| (Side::B, error.into()))?;
        Ok(query::ray(body.shape, &body.pose, &ray, asked))
    })
}

/// When the bodies of each row meet that move in straight lines, as [`crate::casts_many`]. A body without velocities rests.
///
/// # Errors  those of [`super::ask`].
/// # Complexity  as [`ask_rays`].
pub fn ask_casts<V: Vector<Scalar = f64>, B: BodyRows<V> + ?Sized, C: NumberRows>(
    shapes: &Shapes<V>,
    bodies: [&B; 2],
    velocities: [Option<&C>; 2],
    asked: &MotionOptions<f64>,
    options: &Options<'_>,
    columns: MotionColumns<'_, f64>,
) -> Result<(Statistics, Vec<RowError>), BatchError> {
    let velocity = |k: usize, side: Side, row: usize| {
        let velocity: V = vector_or_zero(velocities[k], row);
        let field = "velocity";
        if velocity.is_finite() {
            Ok(velocity)
        } else {
            Err((side, MotionError::NotFinite { field }.into()))
        }
    };
    // What has a column is asked for.
    let asked = &asked.with_exit(asked.exit || !columns.exits[0].is_empty());
    each::<V, _>(columns, options, |row| {
        let [a, b] = both_placed(shapes, bodies, row)?;
        let (from, to) = (velocity(0, Side::A, row)?, velocity(1, Side::B, row)?);
        Ok(query::cast(
            a.shape, &a.pose, from, b.shape, &b.pose, to, asked,
        ))
    })
}

/// When the bodies of each row meet that move and turn, as [`crate::tois_many`].
///
/// # Errors  those of [`super::ask`].
/// # Complexity  as [`ask_rays`].
pub fn ask_tois<V, B: BodyRows<V> + ?Sized, C: NumberRows, P: PoseOfRow<V>>(
    shapes: &Shapes<V>,
    bodies: [&B; 2],
    motions: [&MotionRows<C, P>; 2],
    asked: &ToiOptions<f64>,
    options: &Options<'_>,
    columns: MotionColumns<'_, f64>,
) -> Result<(Statistics, Vec<RowError>), BatchError>
where
    V: Vector<Scalar = f64>,
{
    each::<V, _>(columns, options, |row| {
        let [a, b] = both_placed(shapes, bodies, row)?;
        let moves = |k: usize, side: Side, body: &RowBody<'_, V>| {
            let moves = motions[k].moves(row, body);
            moves.map_err(|fault| (side, fault))
        };
        let (of_a, of_b) = (moves(0, Side::A, &a)?, moves(1, Side::B, &b)?);
        Ok(query::toi(
            of_a.shape(&a),
            &a.pose,
            &of_a.twist,
            of_b.shape(&b),
            &b.pose,
            &of_b.twist,
            asked,
        ))
    })
}
