//! What a body's core is: the facts that a shape states beside its farthest points.
//!
//! Where it sits: [`super::Support::core`] answers with a [`Core`]. Each step of a query reads it once and passes it on.

use crate::math::{Pose, Scalar, Triple, Vector, larger};
use crate::rounding::UNIT_ROUNDOFF;
use crate::vertices::HullVertices;

/// What a body is symmetric about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Revolution<V> {
    /// A point of the axis.
    pub center: V,
    /// The axis; `None` when every line through the centre is one.
    pub axis: Option<V>,
}

/// Two discs across a coordinate axis in space, as high above the origin as below: a cylinder or a cone is their hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discs {
    /// The number of the axis.
    pub axis: usize,
    /// How far their centres are from the origin.
    pub half_height: f64,
    /// Their radii, that of the lower one first; zero for the apex of a cone.
    pub radii: [f64; 2],
}

/// Cores that queries know more ways to measure than by their farthest points. Each is a promise: the core is exactly this, and
/// its numbered vertices are the ones named. Places are the shape's own: copies that were just written would be waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Form<'s, V> {
    /// None of these.
    Other,
    /// One vertex, as in a ball.
    Point(&'s V),
    /// Vertices 0 and 1, as in a capsule.
    Segment(&'s [V; 2]),
    /// The box of these half extents about the origin, along the axes, numbered as [`crate::shape::Cuboid`]'s vertices.
    Cuboid(&'s V),
    /// The hull of two discs, in space.
    Discs(Discs),
    /// The ellipsoid of these half axes about the origin, along the axes.
    Ellipsoid(&'s V),
    /// In the plane, all vertices in order: three or more, strictly convex, counter-clockwise.
    Polygon(&'s [V]),
    /// The hull of a [`crate::shape::Polytope`]: queries use it in the place of the body, without a detour.
    Hull(&'s HullVertices<V>),
}

/// What a body's core is. The body is its core with a ball swept over it.
///
/// Lengths are in the body's own frame, in `f64` whatever its scalar. Start from [`Core::new`] and state what is known beside:
///
/// ```
/// use gjk::{Core, Vec2};
/// let (center, extent) = (Vec2::new(0.0, 0.0), Vec2::new(2.0, 1.0));
/// let rounded = Core::<Vec2<f32>> { radius: 0.5, ..Core::new(center, extent) };
/// assert_eq!(rounded.vertex_count, None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Core<'s, V: Vector> {
    /// What the core is, if it is one of the few for which queries have answers without a loop.
    pub form: Form<'s, V>,
    /// The radius of the ball swept over the core, a number of the body's scalar; zero for sharp shapes.
    pub radius: f64,
    /// Per axis, an upper bound of the magnitude of the core's coordinates.
    pub extent: V::Wide,
    /// Some point of the core, used for the first direction only.
    pub center: V::Wide,
    /// `Some(n)` promises that the core is exactly the hull of [`super::Support::vertex`]`(0..n)` and that support points carry
    /// their ids. Only then are verdicts exact.
    pub vertex_count: Option<u32>,
    /// The relative rounding error of [`super::Support::support`]: `2⁻⁵³`, or more where the body computes in a narrower scalar.
    pub rounding: f64,
    /// `Some` promises that the core (3D) is a solid of revolution.
    pub revolution: Option<Revolution<V::Wide>>,
}

impl<V: Vector> Core<'_, V> {
    /// A core of which only some point is known, and per axis an upper bound of the magnitude of the coordinates.
    #[inline(always)]
    pub fn new(center: V::Wide, extent: V::Wide) -> Self {
        Self {
            form: Form::Other,
            radius: 0.0,
            extent,
            center,
            vertex_count: None,
            rounding: UNIT_ROUNDOFF,
            revolution: None,
        }
    }

    /// A core of which only the farthest points are known: its centre and extent come from supports along each axis, both ways.
    pub fn of_support(support: impl Fn(V::Wide) -> V::Wide) -> Self {
        let extent = V::Wide::from_fn(|k| {
            let axis = V::Wide::axis(k);
            let (up, down) = (support(axis), support(-axis));
            let [up, down] = [up, down].map(|x| Scalar::abs(x.component(k)));
            Scalar::max(up, down)
        });
        Self::new(support(V::Wide::ZERO), extent)
    }
}

/// Writes the corners of a box in the world by their numbers, each with the bits that its pose gives it, in the plane the first four, where there are zeros;
/// and tells the largest magnitude of their coordinates.
#[inline(always)]
pub(crate) fn box_corners<V: Vector>(
    half: &V,
    pose: &Pose<V::Wide>,
    points: &mut [Triple; 8],
) -> f64 {
    let columns = pose.columns();
    let far = |k: usize| (columns[k] * half.component(k).to_f64()).to_f64();
    let (x, y, at) = (far(0), far(1), pose.translation().to_f64());
    let z = if V::DIM == 2 { [0.0; 3] } else { far(2) };
    let mut largest = 0.0;
    for k in 0..V::DIM {
        let ([x, y, z], at) = ([x[k], y[k], z[k]], at[k]);
        let sums = [-x - y, x - y, -x + y, x + y];
        for (id, sum) in sums.into_iter().enumerate() {
            points[id][k] = (sum - z) + at;
            points[id + 4][k] = (sum + z) + at;
        }
        // One of the corners has the sign of the place in all its terms, and rounding keeps the order of sums.
        largest = larger(((x.abs() + y.abs()) + z.abs()) + at.abs(), largest);
    }
    largest
}
