//! The trait [`Support`], and what a shape answers by it.
//!
//! Where it sits: a shape of `shape/` or of the caller's implements it, in its own frame.

use super::form::Core;
use super::piece::Piece;
use crate::math::Vector;
use crate::shape::Shape;
use crate::vertices::Scan;

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

/// A convex body, described by its farthest points.
///
/// Frame: the body's own. `V` is the vector of the body's numbers; directions and points are in `f64` (`V::Wide`) whatever its
/// scalar. Only [`Support::support`] is required, so any convex body of the caller's can take part in every query; the other
/// methods state facts that make answers sharper.
///
/// # Examples
/// ```
/// use gjk::{Pose, Support, SupportPoint, Vec2, Vector, query};
///
/// /// An ellipse with half axes 2 and 1.
/// struct Ellipse;
/// impl Support<Vec2<f64>> for Ellipse {
///     fn support(&self, d: Vec2<f64>, _hint: u32) -> SupportPoint<Vec2<f64>> {
///         let scaled = Vec2::new(4.0 * d.x, d.y);
///         let length = (scaled.x * d.x + scaled.y * d.y).sqrt();
///         let point = if length > 0.0 { scaled * (1.0 / length) } else { Vec2::new(2.0, 0.0) };
///         SupportPoint { point, id: gjk::NO_ID }
///     }
/// }
/// let there = Pose::from_translation(Vec2::new(5.0, 0.0));
/// let answer = query::contact(&Ellipse, &Pose::identity(), &Ellipse, &there, &Default::default());
/// assert!((answer.signed_distance.lower - 1.0).abs() < 1e-9);
/// ```
pub trait Support<V: Vector> {
    /// A point of the core farthest along `direction`, which need not be unit.
    ///
    /// For the zero direction any point of the core. The same direction must always give the same point. `hint` is for a caller
    /// that knows a vertex not far from the answer, such as the one of a similar direction: it is its id, or [`NO_ID`], or any
    /// other number, and changes the time, never the answer.
    fn support(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide>;

    /// What the core is. The default computes it from a few farthest points, and knows no vertices.
    ///
    /// A query reads it once in each of its steps, so a body that would compute for long keeps the answer.
    fn core(&self) -> Core<'_, V> {
        Core::of_support(|direction| self.support(direction, NO_ID).point)
    }

    /// The numbered vertex of the core, as support points carry it and verdicts are exact for; `None` beyond
    /// [`Core::vertex_count`].
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        let _ = id;
        None
    }

    /// Where the numbered vertex is at the time 1, of a body whose vertices move by themselves, each in a straight line: [`crate::query::toi`] asks. Every
    /// vertex of such a body has one; of any other body none has.
    fn end_vertex(&self, id: u32) -> Option<V::Wide> {
        let _ = id;
        None
    }

    /// What a scan of its vertices needs, if a scan alone finds the farthest: a step scans two such bodies by one call.
    #[doc(hidden)]
    fn scan(&self, direction: V::Wide) -> Option<Scan<'_>> {
        let _ = direction;
        None
    }

    /// A part of the core that has a point farthest along `direction`, where it is known as one; see `support/piece.rs`.
    #[doc(hidden)]
    fn piece(&self, direction: V::Wide, hint: u32) -> Option<Piece<V::Wide>> {
        Piece::of_vertex(self.support(direction, hint))
    }

    /// The shape of this crate that it is, if it is one: pairs of two of them have code of their own.
    #[doc(hidden)]
    fn shape(&self) -> Option<&Shape<V>> {
        None
    }

    /// The vertices that may be highest when the height of each vertex `x` is `direction · x` give or take
    /// `Σ error_k |x_k| + slack`, perhaps with others.
    ///
    /// Writes their ids to `found`, ascending, and returns how many; `None` when they are not known, or more than it can
    /// hold: exact verdicts then test all vertices.
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

    /// Visits every numbered vertex that is lower along `direction` than vertex `id` by at most `margin`, or higher, by
    /// heights in floats; perhaps others too. Vertex `id` itself may be left out.
    ///
    /// Queries call it for hulls of numbered vertices only. The default tests each of them.
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        let height = |id: u32| self.vertex(id).map_or(f64::NAN, |x| x.dot(direction));
        let floor = height(id) - margin;
        for id in 0..self.core().vertex_count.unwrap_or(0) {
            // NaN is not below anything.
            if !(height(id) < floor) {
                visit(id);
            }
        }
    }
}

/// A body of any shape.
pub(crate) type AnyBody<'p, V> = dyn Support<V> + 'p;

impl<V: Vector, S: Support<V> + ?Sized> Support<V> for &S {
    #[inline(always)]
    fn support(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        (**self).support(direction, hint)
    }
    #[inline(always)]
    fn scan(&self, direction: V::Wide) -> Option<Scan<'_>> {
        (**self).scan(direction)
    }
    #[inline(always)]
    fn core(&self) -> Core<'_, V> {
        (**self).core()
    }
    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        (**self).vertex(id)
    }
    fn end_vertex(&self, id: u32) -> Option<V::Wide> {
        (**self).end_vertex(id)
    }
    fn piece(&self, direction: V::Wide, hint: u32) -> Option<Piece<V::Wide>> {
        (**self).piece(direction, hint)
    }
    fn shape(&self) -> Option<&Shape<V>> {
        (**self).shape()
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
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        (**self).vertices_near(direction, id, margin, visit)
    }
}

/// The point of a core along `direction`, pushed out by a radius.
#[inline(always)]
pub(crate) fn swept<W: Vector<Scalar = f64>>(
    core: SupportPoint<W>,
    radius: f64,
    direction: W,
) -> SupportPoint<W> {
    if radius == 0.0 {
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
