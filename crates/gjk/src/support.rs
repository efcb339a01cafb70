//! Support functions: all that the algorithms ask of a shape.
//!
//! Where it sits: between the shapes and the loops. A shape answers [`Support`] in its own frame; [`Posed`] answers for
//! the shape placed in the world; [`MinkowskiDifference`] answers for the pair, with both bodies' points kept.
//!
//! Round shapes are a *core* plus a *radius*: the loops see only the core, and queries subtract the radius once. A
//! capsule is then as accurate as its segment.

use crate::math::{Pose, Ring, Scalar, Vector};

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

    /// Per axis, an upper bound of the magnitude of the core's coordinates.
    fn extent(&self) -> V {
        V::from_fn(|k| {
            let axis = V::axis(k);
            let (up, down) = (self.support_point(axis).point, self.support_point(-axis).point);
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
    fn radius(&self) -> V::Scalar {
        (**self).radius()
    }
    fn vertex_count(&self) -> Option<u32> {
        (**self).vertex_count()
    }
    fn vertex(&self, id: u32) -> Option<V> {
        (**self).vertex(id)
    }
    fn extent(&self) -> V {
        (**self).extent()
    }
    fn center(&self) -> V {
        (**self).center()
    }
}

/// The point of a core along `direction`, pushed out by a radius.
pub(crate) fn swept<V: Vector>(core: SupportPoint<V>, radius: V::Scalar, direction: V) -> SupportPoint<V> {
    if radius == V::Scalar::ZERO {
        return core;
    }
    match direction.normalized() {
        Some(unit) => SupportPoint { point: core.point + unit * radius, id: NO_ID },
        None => SupportPoint { point: core.point, id: NO_ID },
    }
}

/// A shape at a pose: a support function in the world's frame.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'a, V: Vector, S: ?Sized> {
    shape: &'a S,
    pose: Pose<V>,
    /// The swept radius that must enter the support point, because the pose does not keep balls round.
    radius_inside: V::Scalar,
    radius_outside: V::Scalar,
}

impl<'a, V: Vector, S: Support<V> + ?Sized> Posed<'a, V, S> {
    /// Places `shape` at `pose`.
    pub fn new(shape: &'a S, pose: Pose<V>) -> Self {
        let radius = shape.radius();
        match pose.uniform_scale() {
            Some(scale) => Self { shape, pose, radius_inside: V::Scalar::ZERO, radius_outside: radius * scale },
            None => Self { shape, pose, radius_inside: radius, radius_outside: V::Scalar::ZERO },
        }
    }

    /// The pose.
    pub fn pose(&self) -> &Pose<V> {
        &self.pose
    }

    /// Sum of the coordinate magnitudes that enter a support point's rounding error: of the shape, and of the pose.
    pub(crate) fn sizes(&self) -> [V::Scalar; 2] {
        let extent = self.shape.extent();
        let swept = V::from_fn(|k| extent.component(k) + self.radius_inside);
        let t = self.pose.translation();
        let translation = (0..V::DIM).fold(V::Scalar::ZERO, |sum, k| sum + t.component(k).abs());
        [self.pose.bound(swept), translation]
    }

    /// All vertices of the core in this pose's frame, times `2^exponent`, in `f64`: the points for which verdicts are
    /// exact. Each coordinate is `((c₀·x + c₁·y) + c₂·z) + t`, rounded at every operation.
    pub(crate) fn wide_vertices(&self, exponent: i32) -> Option<alloc::vec::Vec<[f64; 3]>> {
        let n = self.vertex_count()?;
        let scaled = |v: V| v.to_f64().map(|x| x.scale_by_power(exponent));
        let columns = self.pose.columns();
        let columns: [[f64; 3]; 3] = core::array::from_fn(|k| columns.get(k).map_or([0.0; 3], |&c| scaled(c)));
        let translation = scaled(self.pose.translation());
        let wide = |x: V| -> [f64; 3] {
            let x = x.to_f64();
            core::array::from_fn(|row| {
                let entry = |k: usize| columns[k][row] * x[k];
                (1..V::DIM).fold(entry(0), |sum, k| sum + entry(k)) + translation[row]
            })
        };
        (0..n).map(|id| self.shape.vertex(id).map(wide)).collect()
    }
}

impl<V: Vector, S: Support<V> + ?Sized> Support<V> for Posed<'_, V, S> {
    fn support_point(&self, direction: V) -> SupportPoint<V> {
        let local = self.pose.direction_to_local(direction);
        let found = swept(self.shape.support_point(local), self.radius_inside, local);
        SupportPoint { point: self.pose.point(found.point), id: found.id }
    }
    fn radius(&self) -> V::Scalar {
        self.radius_outside
    }
    fn vertex_count(&self) -> Option<u32> {
        if self.radius_inside == V::Scalar::ZERO { self.shape.vertex_count() } else { None }
    }
    fn vertex(&self, id: u32) -> Option<V> {
        self.shape.vertex(id).map(|x| self.pose.point(x))
    }
    fn center(&self) -> V {
        self.pose.point(self.shape.center())
    }
}

/// A point of the Minkowski difference with the points that made it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SupportPair<V> {
    /// The point on A.
    pub a: V,
    /// The point on B.
    pub b: V,
    /// `a − b`.
    pub w: V,
    /// Vertex ids on A and B, [`NO_ID`] where smooth.
    pub ids: [u32; 2],
}

impl<V: Vector> SupportPair<V> {
    /// True when both are numbered vertices and the same ones, or smooth and equal.
    pub fn same(&self, other: &Self) -> bool {
        if self.ids.contains(&NO_ID) { self.w == other.w } else { self.ids == other.ids }
    }
}

/// The Minkowski difference `A − B` of two posed shapes.
#[derive(Clone, Copy, Debug)]
pub struct MinkowskiDifference<'a, V: Vector, A: ?Sized, B: ?Sized> {
    /// A in the pair's frame.
    pub a: Posed<'a, V, A>,
    /// B in the pair's frame.
    pub b: Posed<'a, V, B>,
}

impl<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized> MinkowskiDifference<'_, V, A, B> {
    /// The pair farthest along `direction`.
    pub fn support_pair(&self, direction: V) -> SupportPair<V> {
        let (a, b) = (self.a.support_point(direction), self.b.support_point(-direction));
        SupportPair { a: a.point, b: b.point, w: a.point - b.point, ids: [a.id, b.id] }
    }

    /// The pair of two numbered vertices, if both exist.
    pub fn vertex_pair(&self, ids: [u32; 2]) -> Option<SupportPair<V>> {
        let (a, b) = (self.a.vertex(ids[0])?, self.b.vertex(ids[1])?);
        Some(SupportPair { a, b, w: a - b, ids })
    }

    /// True when both cores are hulls of numbered vertices.
    pub fn is_polytope(&self) -> bool {
        self.a.vertex_count().is_some() && self.b.vertex_count().is_some()
    }

    /// The sum of the swept radii.
    pub fn radius(&self) -> V::Scalar {
        self.a.radius() + self.b.radius()
    }
}
