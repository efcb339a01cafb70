//! The trait [`Support`], and what a shape answers by it.
//!
//! Where it sits: a shape of `shape/` or of the caller's implements it, in its own frame.

use crate::math::{Ring, Scalar, Vector};

/// The id of a support point that is not a numbered vertex (smooth shapes).
pub const NO_ID: u32 = u32::MAX;

/// A point of a shape farthest along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportPoint<V> {
    /// The point, in the frame of whoever answered.
    pub point: V,
    /// The vertex's number, or [`NO_ID`].
    pub id: u32,
}

/// What a body is symmetric about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Revolution<V> {
    /// A point of the axis.
    pub center: V,
    /// The axis; `None` when every line through the centre is one.
    pub axis: Option<V>,
}

/// Cores that queries know more ways to measure than by their farthest points. Each is a promise: the core is exactly this, and its
/// numbered vertices are the ones named.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Form<'s, V> {
    /// None of these.
    Other,
    /// One vertex, as in a ball.
    Point(V),
    /// Vertices 0 and 1, as in a capsule.
    Segment([V; 2]),
    /// The box of these half extents about the origin, along the axes, numbered as [`crate::shape::Cuboid`]'s vertices.
    Cuboid(V),
    /// In the plane, all vertices in order: three or more, strictly convex, counter-clockwise.
    Polygon(&'s [V]),
}

/// A convex body, described by its farthest points.
///
/// Frame: the body's own.  Only [`Support::support_point`] is required, so any convex body of the caller's can take part
/// in every query; the other methods state facts that make answers sharper.
///
/// # Examples
/// ```
/// use gjk::{Pose, Support, SupportPoint, Vec2, Vector, query};
///
/// /// An ellipse with half axes 2 and 1.
/// struct Ellipse;
/// impl Support<Vec2<f64>> for Ellipse {
///     fn support_point(&self, d: Vec2<f64>) -> SupportPoint<Vec2<f64>> {
///         let scaled = Vec2::new(4.0 * d.x, d.y);
///         let length = (scaled.x * d.x + scaled.y * d.y).sqrt();
///         let point = if length > 0.0 { scaled * (1.0 / length) } else { Vec2::new(2.0, 0.0) };
///         SupportPoint { point, id: gjk::NO_ID }
///     }
/// }
/// let apart = Pose::from_translation(Vec2::new(5.0, 0.0));
/// let answer = query::contact(&Ellipse, &Pose::identity(), &Ellipse, &apart, &Default::default());
/// assert!((answer.signed_distance.lower - 1.0).abs() < 1e-9);
/// ```
pub trait Support<V: Vector> {
    /// A point of the core farthest along `direction`, which need not be unit.
    ///
    /// For the zero direction any point of the core. The same direction must always give the same point.
    fn support_point(&self, direction: V) -> SupportPoint<V>;

    /// [`Support::support_point`] for a direction in `f64`, answered in `f64`.
    ///
    /// Queries ask here. The default rounds the direction to the shape's scalar; the built-in shapes compute in `f64`.
    fn support_wide(&self, direction: V::Wide) -> SupportPoint<V::Wide> {
        // Normalised first, so that rounding to a narrower scalar cannot overflow.
        let found = self.support_point(direction.normalized().unwrap_or(V::Wide::ZERO).lift());
        SupportPoint {
            point: found.point.lift(),
            id: found.id,
        }
    }

    /// [`Support::support_point`] for a caller that knows a vertex not far from the answer, such as the one of a similar
    /// direction. `hint` is its id, or any other number: it changes the time, never the answer.
    fn support_point_from(&self, direction: V, hint: u32) -> SupportPoint<V> {
        let _ = hint;
        self.support_point(direction)
    }

    /// [`Support::support_wide`] with the hint of [`Support::support_point_from`].
    fn support_wide_from(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        let _ = hint;
        self.support_wide(direction)
    }

    /// The vertices that may be highest when the height of each vertex `x` is `direction · x` give or take
    /// `Σ error_k |x_k| + slack`, perhaps with others.
    ///
    /// Writes their ids to `found`, ascending, and returns how many; `None` when they are not known, or more than it can
    /// hold: exact verdicts then look at all vertices. They are those of [`Support::vertex_wide`].
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        let _ = (direction, error, slack, found);
        None
    }

    /// The relative rounding error of [`Support::support_wide`].
    fn rounding(&self) -> f64 {
        V::Scalar::ROUNDING.to_f64()
    }

    /// The radius of the ball swept over the core; zero for sharp shapes.
    fn radius(&self) -> V::Scalar {
        V::Scalar::ZERO
    }

    /// `Some(n)` promises that the core is exactly the hull of `vertex(0..n)` and that support points carry their ids.
    ///
    /// Only then are verdicts exact.
    fn vertex_count(&self) -> Option<u32> {
        None
    }

    /// The numbered vertex of the core; `None` beyond [`Support::vertex_count`].
    fn vertex(&self, id: u32) -> Option<V> {
        let _ = id;
        None
    }

    /// [`Support::vertex`] in `f64`: what support points carry and verdicts are exact for.
    ///
    /// It differs from the lifted vertex only for shapes that compute their vertices, such as sums.
    fn vertex_wide(&self, id: u32) -> Option<V::Wide> {
        self.vertex(id).map(V::lift)
    }

    /// What the core is, if it is one of the few for which queries have answers without a loop.
    fn form(&self) -> Form<'_, V> {
        Form::Other
    }

    /// Visits every numbered vertex that is lower along `direction` than vertex `id` by at most `margin`, or higher, by
    /// heights of [`Support::vertex_wide`] in floats; perhaps others too. Vertex `id` itself may be left out.
    ///
    /// Only hulls of numbered vertices are asked. The default looks at each of them.
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        let height = |id: u32| self.vertex_wide(id).map_or(f64::NAN, |x| x.dot(direction));
        let floor = height(id) - margin;
        for id in 0..self.vertex_count().unwrap_or(0) {
            // NaN is not below anything.
            if !(height(id) < floor) {
                visit(id);
            }
        }
    }

    /// The hull that this body is in every answer, if it is one: queries ask it without a detour.
    fn hull(&self) -> Option<&crate::shape::Polytope<V>> {
        None
    }

    /// `Some` promises that the core (3D) is a solid of revolution.
    fn revolution(&self) -> Option<Revolution<V>> {
        None
    }

    /// Per axis, an upper bound of the magnitude of the core's coordinates.
    fn extent(&self) -> V {
        V::from_fn(|k| {
            let axis = V::axis(k);
            let (up, down) = (
                self.support_point(axis).point,
                self.support_point(-axis).point,
            );
            up.component(k).abs().max(down.component(k).abs())
        })
    }

    /// Some point of the core, used for the first direction only.
    fn center(&self) -> V {
        self.support_point(V::ZERO).point
    }
}

impl<V: Vector, S: Support<V> + ?Sized> Support<V> for &S {
    fn support_point(&self, direction: V) -> SupportPoint<V> {
        (**self).support_point(direction)
    }
    fn support_wide(&self, direction: V::Wide) -> SupportPoint<V::Wide> {
        (**self).support_wide(direction)
    }
    fn support_point_from(&self, direction: V, hint: u32) -> SupportPoint<V> {
        (**self).support_point_from(direction, hint)
    }
    fn support_wide_from(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        (**self).support_wide_from(direction, hint)
    }
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        (**self).highest_vertices(direction, error, slack, found)
    }
    fn rounding(&self) -> f64 {
        (**self).rounding()
    }
    fn radius(&self) -> V::Scalar {
        (**self).radius()
    }
    fn vertex_count(&self) -> Option<u32> {
        (**self).vertex_count()
    }
    fn vertex(&self, id: u32) -> Option<V> {
        (**self).vertex(id)
    }
    fn vertex_wide(&self, id: u32) -> Option<V::Wide> {
        (**self).vertex_wide(id)
    }
    fn form(&self) -> Form<'_, V> {
        (**self).form()
    }
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        (**self).vertices_near(direction, id, margin, visit)
    }
    fn hull(&self) -> Option<&crate::shape::Polytope<V>> {
        (**self).hull()
    }
    fn revolution(&self) -> Option<Revolution<V>> {
        (**self).revolution()
    }
    fn extent(&self) -> V {
        (**self).extent()
    }
    fn center(&self) -> V {
        (**self).center()
    }
}

/// The point of a core along `direction`, pushed out by a radius.
#[inline(always)]
pub(crate) fn swept<V: Vector>(
    core: SupportPoint<V>,
    radius: V::Scalar,
    direction: V,
) -> SupportPoint<V> {
    if radius == V::Scalar::ZERO {
        return core;
    }
    match direction.normalized() {
        Some(unit) => SupportPoint {
            point: core.point + unit * radius,
            id: NO_ID,
        },
        None => SupportPoint {
            point: core.point,
            id: NO_ID,
        },
    }
}
