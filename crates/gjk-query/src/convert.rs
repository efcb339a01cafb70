//! Shapes and poses as they were read, turned into the library's.
//!
//! Where it sits: between `gjk-scene`, which knows formats, and `gjk`, which knows algorithms. Read [`body`] first.
//! Idea: numbers are rounded to the scalar once, before anything is computed from them; a pose's matrix is then computed
//! in `f64` from the rounded numbers and rounded once more. Errors carry the path of the number at fault.

use gjk::math::Scalar;
use gjk::shape::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HullOf, Point, Polytope, Rounded, Segment,
    Shape, ShapeError, Sum, Triangle,
};
use gjk::{Pose, Support, Vec2, Vec3, Vector};
use gjk_scene::{
    Affine, Axis, BodySpec, Place, PoseSpec, QueryError, QueryErrorKind, RotationSpec, ShapeSpec,
};
use serde::Serialize;
use std::fmt;

/// Why an input has no answer: the `error` object of the query format.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InputError {
    /// For programs.
    pub kind: &'static str,
    /// The path, such as `a.points[3]`.
    pub at: String,
    /// For people.
    pub message: String,
}

impl InputError {
    /// An error at a path.
    pub fn new(kind: &'static str, at: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind,
            at: at.into(),
            message: message.into(),
        }
    }

    /// The same error, seen from the object that holds the faulty one under `key`.
    fn under(mut self, key: &str) -> Self {
        let dot = if self.at.is_empty() || self.at.starts_with('[') {
            ""
        } else {
            "."
        };
        self.at = format!("{key}{dot}{}", self.at);
        self
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.at.is_empty() {
            write!(f, "{}: ", self.at)?;
        }
        f.write_str(&self.message)
    }
}

impl From<QueryError> for InputError {
    fn from(error: QueryError) -> Self {
        Self::new(error.kind.as_str(), error.at, error.message)
    }
}

impl From<ShapeError> for InputError {
    fn from(error: ShapeError) -> Self {
        Self::new(error.kind(), error.field(), error.to_string())
    }
}

/// The vector types, and what only one dimension has.
pub trait Space: Vector<Scalar: Serialize> + Serialize {
    /// A cylinder along an axis.
    fn cylinder(
        half_height: Self::Scalar,
        radius: Self::Scalar,
        axis: gjk::Axis,
    ) -> Result<Shape<Self>, InputError>;
    /// A cone along an axis.
    fn cone(
        half_height: Self::Scalar,
        radius: Self::Scalar,
        axis: gjk::Axis,
    ) -> Result<Shape<Self>, InputError>;
}

impl<T: Scalar + Serialize> Space for Vec2<T> {
    fn cylinder(_: T, _: T, _: gjk::Axis) -> Result<Shape<Self>, InputError> {
        Err(InputError::new(
            "dimension",
            "shape",
            "there is no cylinder in 2D",
        ))
    }
    fn cone(_: T, _: T, _: gjk::Axis) -> Result<Shape<Self>, InputError> {
        Err(InputError::new(
            "dimension",
            "shape",
            "there is no cone in 2D",
        ))
    }
}

impl<T: Scalar + Serialize> Space for Vec3<T> {
    fn cylinder(half_height: T, radius: T, axis: gjk::Axis) -> Result<Shape<Self>, InputError> {
        Ok(Cylinder::new(half_height, radius, axis)?.into())
    }
    fn cone(half_height: T, radius: T, axis: gjk::Axis) -> Result<Shape<Self>, InputError> {
        Ok(Cone::new(half_height, radius, axis)?.into())
    }
}

/// A body of the library.
#[derive(Clone, Debug)]
pub struct Body<V: Vector> {
    /// Its shape.
    pub shape: Shape<V>,
    /// Where it stands.
    pub pose: Pose<V>,
    /// How its vertex ids name the input's own points.
    pub numbering: Numbering,
}

/// Sums multiply vertices, so that a short line can ask for more than memory holds; the exact layer lists all of them.
const SUM_VERTICES_MAX: u64 = 1 << 22;

/// The body that stands under `name` (`a` or `b`) in a query, its numbers rounded to the scalar of `V`.
pub fn body<V: Space>(name: &str, spec: &BodySpec) -> Result<Body<V>, InputError> {
    let mut rounded = spec.clone();
    rounded.visit_numbers(&Place::new(name), &mut |number, at| {
        round::<V::Scalar>(number, at)
    })?;
    let (shape, numbering) = numbered_shape(&rounded.shape).map_err(|error| error.under(name))?;
    if numbering.sum_ids() > SUM_VERTICES_MAX {
        let message = format!(
            "its sums have {} vertices, expected at most {SUM_VERTICES_MAX}",
            numbering.sum_ids()
        );
        return Err(InputError::new("too_large", name, message));
    }
    let pose = match &rounded.pose {
        Some(spec) => pose(spec).map_err(|error| error.under("pose").under(name))?,
        None => Pose::identity(),
    };
    Ok(Body {
        shape,
        pose,
        numbering,
    })
}

pub(crate) fn round<S: Scalar>(number: &mut f64, at: &Place<'_>) -> Result<(), QueryError> {
    let rounded = S::from_f64(*number);
    if !rounded.is_finite() {
        let message = format!("{number} is beyond the largest {}", S::NAME);
        return Err(QueryError::new(QueryErrorKind::OutOfRange, at, message));
    }
    *number = rounded.to_f64();
    Ok(())
}

/// The library's shape.
pub fn shape<V: Space>(spec: &ShapeSpec) -> Result<Shape<V>, InputError> {
    numbered_shape(spec).map(|(shape, _)| shape)
}

/// The library's shape, and how its vertices are numbered in the input.
fn numbered_shape<V: Space>(spec: &ShapeSpec) -> Result<(Shape<V>, Numbering), InputError> {
    let number = V::Scalar::from_f64;
    if let Some(shape) = without_size(spec)? {
        return Ok(shape);
    }
    let shape: Shape<V> = match spec {
        ShapeSpec::Point { point } => Point::new(vector(point, "point")?)?.into(),
        ShapeSpec::Segment { a, b } => Segment::new(vector(a, "a")?, vector(b, "b")?)?.into(),
        ShapeSpec::Triangle { a, b, c } => {
            Triangle::new(vector(a, "a")?, vector(b, "b")?, vector(c, "c")?)?.into()
        }
        ShapeSpec::Ball { radius } => Ball::new(number(*radius))?.into(),
        ShapeSpec::Box { half_extents } => {
            Cuboid::new(vector(half_extents, "half_extents")?)?.into()
        }
        ShapeSpec::Capsule {
            half_height,
            radius,
            axis,
        } => Capsule::new(number(*half_height), number(*radius), named(*axis))?.into(),
        ShapeSpec::Cylinder {
            half_height,
            radius,
            axis,
        } => V::cylinder(number(*half_height), number(*radius), named(*axis))?,
        ShapeSpec::Cone {
            half_height,
            radius,
            axis,
        } => V::cone(number(*half_height), number(*radius), named(*axis))?,
        ShapeSpec::Ellipsoid { radii } => Ellipsoid::new(vector(radii, "radii")?)?.into(),
        ShapeSpec::Convex { points } => return convex(points),
        ShapeSpec::Rounded { core, radius } => {
            let (core, numbering) = numbered_shape(core).map_err(|error| error.under("core"))?;
            return Ok((Rounded::new(core, number(*radius))?.into(), numbering));
        }
        ShapeSpec::Sum { of } => return sum(of),
        ShapeSpec::HullOf { of } => {
            let (shapes, numberings) = parts(of)?.into_iter().unzip();
            return Ok((HullOf::new(shapes)?.into(), Numbering::HullOf(numberings)));
        }
    };
    let numbering = Numbering::Own(shape.core().vertex_count.unwrap_or(0));
    Ok((shape, numbering))
}

/// The format's shapes may have a size of zero, the library's may not: then they are what is left of them.
fn without_size<V: Space>(spec: &ShapeSpec) -> Result<Option<(Shape<V>, Numbering)>, InputError> {
    let along = |axis: Axis, half_height: f64| -> Result<Shape<V>, InputError> {
        let end = V::axis(named(axis).index()) * V::Scalar::from_f64(half_height);
        Ok(Segment::new(-end, end)?.into())
    };
    let shape = match spec {
        ShapeSpec::Ball { radius: 0.0 } => Point::new(V::ZERO)?.into(),
        ShapeSpec::Box { half_extents } if half_extents.contains(&0.0) => {
            let half: V = vector(half_extents, "half_extents")?;
            if (0..V::DIM).any(|k| half.component(k).to_f64() < 0.0) {
                return Ok(None); // the constructor says which
            }
            let corner = |id: usize| {
                (0..V::DIM)
                    .map(|k| {
                        if id >> k & 1 == 1 {
                            half_extents[k]
                        } else {
                            -half_extents[k]
                        }
                    })
                    .collect()
            };
            return convex(&(0..1 << V::DIM).map(corner).collect::<Vec<_>>()).map(Some);
        }
        ShapeSpec::Capsule {
            half_height: 0.0,
            radius: 0.0,
            ..
        } => Point::new(V::ZERO)?.into(),
        ShapeSpec::Capsule {
            half_height: 0.0,
            radius,
            ..
        } => Ball::new(V::Scalar::from_f64(*radius))?.into(),
        ShapeSpec::Capsule {
            half_height,
            radius: 0.0,
            axis,
        }
        | ShapeSpec::Cylinder {
            half_height,
            radius: 0.0,
            axis,
        }
        | ShapeSpec::Cone {
            half_height,
            radius: 0.0,
            axis,
        } if named(*axis).index() < V::DIM && *half_height > 0.0 => along(*axis, *half_height)?,
        ShapeSpec::Rounded { core, radius: 0.0 } => {
            return numbered_shape(core)
                .map(Some)
                .map_err(|error| error.under("core"));
        }
        _ => return Ok(None),
    };
    let numbering = Numbering::Own(shape.core().vertex_count.unwrap_or(0));
    Ok(Some((shape, numbering)))
}

fn convex<V: Space>(points: &[Vec<f64>]) -> Result<(Shape<V>, Numbering), InputError> {
    let read = |(i, point): (usize, &Vec<f64>)| {
        vector(point, "").map_err(|error| error.under(&format!("points[{i}]")))
    };
    let own: Vec<V> = points
        .iter()
        .enumerate()
        .map(read)
        .collect::<Result<_, _>>()?;
    let polytope = Polytope::new(&own)?;
    let count = u32::try_from(polytope.vertices().len()).unwrap_or(u32::MAX);
    let source = (0..count).filter_map(|id| polytope.source(id)).collect();
    // The constructor refuses more points than ids.
    let given = u32::try_from(own.len()).unwrap_or(u32::MAX);
    Ok((polytope.into(), Numbering::Points { source, given }))
}

fn sum<V: Space>(of: &[ShapeSpec]) -> Result<(Shape<V>, Numbering), InputError> {
    let mut parts = parts(of)?.into_iter();
    match (parts.next(), parts.next(), parts.next()) {
        (Some((first, m)), Some((second, n)), None) => Ok((
            Sum::new(first, second).into(),
            Numbering::Sum(Box::new([m, n])),
        )),
        _ => Err(InputError::new(
            "bad_value",
            "of",
            format!("expected 2 shapes, found {}", of.len()),
        )),
    }
}

fn parts<V: Space>(of: &[ShapeSpec]) -> Result<Vec<(Shape<V>, Numbering)>, InputError> {
    let read = |(i, part)| numbered_shape(part).map_err(|error| error.under(&format!("of[{i}]")));
    of.iter().enumerate().map(read).collect()
}

pub(crate) fn vector<V: Space>(numbers: &[f64], field: &str) -> Result<V, InputError> {
    if numbers.len() != V::DIM {
        let message = format!("expected {} numbers, found {}", V::DIM, numbers.len());
        return Err(InputError::new("dimension", field, message));
    }
    Ok(V::from_fn(|k| V::Scalar::from_f64(numbers[k])))
}

/// The library's axis.
fn named(axis: Axis) -> gjk::Axis {
    match axis {
        Axis::X => gjk::Axis::X,
        Axis::Y => gjk::Axis::Y,
        Axis::Z => gjk::Axis::Z,
    }
}

/// The library's pose.
pub fn pose<V: Space>(spec: &PoseSpec) -> Result<Pose<V>, InputError> {
    let pose: Pose<V> = affine(&spec.affine());
    if !pose.columns().iter().all(|column| column.is_finite()) || !pose.translation().is_finite() {
        let message = format!(
            "rotation and scale together are beyond the largest {}",
            V::Scalar::NAME
        );
        return Err(InputError::new("out_of_range", "", message));
    }
    if is_singular(&pose) {
        let at = if spec.rotation_matrix.is_some() {
            "rotation_matrix"
        } else {
            "scale"
        };
        let message = format!(
            "the map is singular in {}, expected an invertible one",
            V::Scalar::NAME
        );
        return Err(InputError::new("singular", at, message));
    }
    Ok(pose)
}

/// An affine map as a pose, each entry rounded to the scalar; entries beyond the dimension are left out.
pub fn affine<V: Vector>(map: &Affine) -> Pose<V> {
    let mut columns = V::identity();
    for (k, column) in columns.as_mut().iter_mut().enumerate() {
        *column = V::from_fn(|row| V::Scalar::from_f64(map.linear[row][k]));
    }
    Pose::from_columns(
        columns,
        V::from_fn(|row| V::Scalar::from_f64(map.translation[row])),
    )
}

/// True when no inverse exists. Columns are brought to size 1 first, so that a tiny scale is not taken for none.
fn is_singular<V: Vector>(pose: &Pose<V>) -> bool {
    let mut columns = V::identity();
    for (to, from) in columns.as_mut().iter_mut().zip(pose.columns()) {
        let largest = from.max_abs().to_f64();
        if largest == 0.0 {
            return true;
        }
        let exponent = largest.log2().floor() as i32;
        *to = V::from_fn(|row| from.component(row).scale_by_power(-exponent));
    }
    !Pose::from_columns(columns, V::ZERO).is_valid()
}

/// Reads plane angles as degrees: `rotation` becomes the matrix, exact at quarter turns.
pub fn degrees(body: &mut BodySpec) {
    if let Some(pose) = &mut body.pose {
        degrees_of_pose(pose);
    }
}

/// The same for one pose.
pub fn degrees_of_pose(pose: &mut PoseSpec) {
    let Some(RotationSpec::Angle(angle)) = pose.rotation else {
        return;
    };
    let (sin, cos) = match angle.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        rest => libm::sincos(rest.to_radians()),
    };
    pose.rotation = None;
    pose.rotation_matrix = Some(vec![vec![cos, -sin], vec![sin, cos]]);
}

/// How the library's vertex ids name the points of the input.
///
/// A `convex` drops inner points, so its ids are not the input's indices. A `sum` numbers the pairs of its parts' points
/// row by row, a `hull_of` its parts' points one part after the other.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbering {
    /// This many vertices, numbered as the library does.
    Own(u32),
    /// The extreme ones of `given` points.
    Points {
        /// By id, the index in the input.
        source: Vec<u32>,
        /// Points in the input.
        given: u32,
    },
    /// The pairs of two parts.
    Sum(Box<[Numbering; 2]>),
    /// The parts, one after the other.
    HullOf(Vec<Numbering>),
}

impl Numbering {
    /// The library's ids.
    fn ids(&self) -> u64 {
        match self {
            Self::Own(count) => u64::from(*count),
            Self::Points { source, .. } => source.len() as u64,
            Self::Sum(parts) => parts[0].ids().saturating_mul(parts[1].ids()),
            Self::HullOf(parts) => parts
                .iter()
                .fold(0, |sum, part| sum.saturating_add(part.ids())),
        }
    }

    /// The library's ids of sums: those that may be more than the input is long.
    fn sum_ids(&self) -> u64 {
        match self {
            Self::Own(_) | Self::Points { .. } => 0,
            Self::Sum(_) => self.ids(),
            Self::HullOf(parts) => parts
                .iter()
                .fold(0, |sum, part| sum.saturating_add(part.sum_ids())),
        }
    }

    /// The input's points.
    fn points(&self) -> u64 {
        match self {
            Self::Own(count) => u64::from(*count),
            Self::Points { given, .. } => u64::from(*given),
            Self::Sum(parts) => parts[0].points().saturating_mul(parts[1].points()),
            Self::HullOf(parts) => parts
                .iter()
                .fold(0, |sum, part| sum.saturating_add(part.points())),
        }
    }

    /// The input's index of vertex `id`; an id that does not exist is returned as it is.
    pub fn index(&self, id: u64) -> u64 {
        match self {
            Self::Own(_) => id,
            Self::Points { source, .. } => {
                let found = usize::try_from(id).ok().and_then(|id| source.get(id));
                found.map_or(id, |&index| u64::from(index))
            }
            Self::Sum(parts) => {
                let m = parts[1].ids().max(1);
                parts[0]
                    .index(id / m)
                    .saturating_mul(parts[1].points())
                    .saturating_add(parts[1].index(id % m))
            }
            Self::HullOf(parts) => {
                let (mut rest, mut before) = (id, 0u64);
                for part in parts {
                    if rest < part.ids() {
                        return before.saturating_add(part.index(rest));
                    }
                    rest -= part.ids();
                    before = before.saturating_add(part.points());
                }
                id
            }
        }
    }
}
