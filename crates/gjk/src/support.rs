//! Support functions: all that the algorithms ask of a shape.
//!
//! Where it sits: between the shapes and the loops. A shape answers [`Support`] in its own frame; [`Posed`] answers for
//! the shape placed in the world; [`MinkowskiDifference`] answers for the pair, with both bodies' points kept.
//!
//! Round shapes are a *core* plus a *radius*: the loops see only the core, and queries subtract the radius once. A
//! capsule is then as accurate as its segment.

use crate::math::{Pose, Ring, Scalar, Vector, exponent_of};
use core::marker::PhantomData;

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

/// A shape of this size or more may have a pose whose entries underflow when they are multiplied by a short direction; below
/// it, what underflows is nothing beside a pair's rounding, which is at least `2⁻⁵³` of a size of `2⁻¹⁰⁰`.
const RANGE_SIZE_MAX: f64 = (1u128 << 100) as f64;

/// Entries of a pose above this may overflow when they are multiplied by a direction: those of the loops have at most the sixth
/// power of a size of `2¹³⁰`.
const RANGE_ENTRY_MAX: f64 = (1u128 << 120) as f64;

/// A direction of a length below two to this power is of floats, and so are its products with a pose and their sums, if this is
/// less the exponent of the pose's entries.
const STEEPEST_PRODUCT: i32 = 1000;

/// How a pair is looked at whose numbers are near the ends of the range.
#[derive(Clone, Copy, Debug)]
struct Extreme {
    /// Lengths here are those of the world times two to this power.
    world: i16,
    /// The exponent of the length that a direction must have on its way through the pose: it leaves the pose's entries to undo
    /// the magnitude of the shape's, and their products in range.
    direction: i16,
}

/// A shape at a pose: a support function in the world's frame, in `f64` whatever the shape's scalar.
///
/// The world's vertices are `((c₀·x + c₁·y) + c₂·z) + t` rounded at every operation: the points for which verdicts are
/// exact.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'a, V: Vector, S: ?Sized> {
    shape: &'a S,
    pose: Pose<V::Wide>,
    /// The swept radius that must enter the support point, because the pose does not keep balls round.
    radius_inside: f64,
    radius_outside: f64,
    /// `Some` if products of the pose with a direction of any length may leave the range: the world is looked at scaled, or the
    /// shape is so large that its pose must be tiny, or so small that it must be steep.
    extreme: Option<Extreme>,
}

impl<'a, V: Vector, S: Support<V> + ?Sized> Posed<'a, V, S> {
    /// Places `shape` at `pose`.
    pub fn new(shape: &'a S, pose: Pose<V>) -> Self {
        Self::wide(shape, pose.lift())
    }

    #[inline(always)]
    pub(crate) fn wide(shape: &'a S, pose: Pose<V::Wide>) -> Self {
        let radius = shape.radius().to_f64();
        let (radius_inside, radius_outside) = match pose.uniform_scale() {
            Some(scale) => (0.0, radius * scale),
            None => (radius, 0.0),
        };
        let (largest, steep) = (
            shape.extent().sum_abs().to_f64() + radius,
            pose.uniform_scale().unwrap_or_else(|| steepest(&pose)),
        );
        let plain = largest < RANGE_SIZE_MAX && steep < RANGE_ENTRY_MAX;
        Self {
            shape,
            pose,
            radius_inside,
            radius_outside,
            extreme: if plain {
                None
            } else {
                Some(Extreme::of(&pose, 0))
            },
        }
    }

    /// The same posed shape, looked at with its points times `2^exponent`: those of the world, rounded there.
    #[inline(always)]
    pub(crate) fn scaled(shape: &'a S, pose: Pose<V::Wide>, exponent: i32) -> Self {
        let plain = Self::wide(shape, pose);
        if exponent == 0 {
            return plain;
        }
        Self {
            radius_outside: plain.radius_outside.scale_by_power(exponent),
            extreme: Some(Extreme::of(&pose, exponent)),
            ..plain
        }
    }

    /// The pose, in the world.
    pub fn pose(&self) -> &Pose<V::Wide> {
        &self.pose
    }

    #[cold]
    #[inline(never)]
    fn support_extreme(
        &self,
        extreme: &Extreme,
        direction: V::Wide,
        hint: u32,
    ) -> SupportPoint<V::Wide> {
        let local = self.pose.direction_to_local(extreme.aim(direction));
        let found = swept(
            self.shape.support_wide_from(local, hint),
            self.radius_inside,
            local,
        );
        SupportPoint {
            point: extreme.show(self.pose.point(found.point)),
            id: found.id,
        }
    }

    /// A point of the shape in the world, as it is looked at.
    #[inline(always)]
    fn place(&self, x: V::Wide) -> V::Wide {
        let point = self.pose.point(x);
        match &self.extreme {
            Some(extreme) => extreme.show(point),
            None => point,
        }
    }

    /// Bounds of the coordinate sums that enter rounding errors: of the shape alone, and of its place in the world.
    #[inline(always)]
    pub(crate) fn sizes(&self) -> [f64; 2] {
        let extent: V::Wide = self.shape.extent().lift();
        let swept = V::Wide::from_fn(|k| extent.component(k) + self.radius_inside);
        match &self.extreme {
            Some(extreme) => extreme.sizes(&self.pose, swept),
            None => [self.pose.bound(swept), self.pose.translation().sum_abs()],
        }
    }

    /// What a height may be off because a product underflows: by the smallest number an entry of the pose, times the shape's
    /// coordinate, and some a point of the world.
    pub(crate) fn underflow(&self) -> f64 {
        let Some(extreme) = self.extreme else {
            return 0.0;
        };
        let extent: V::Wide = self.shape.extent().lift();
        let directions =
            (8.0 * f64::TINIEST).scale_by_power((extreme.world - extreme.direction).into());
        let points = (32.0 * f64::TINIEST).scale_by_power(extreme.world.into());
        (extent.sum_abs() + self.radius_inside) * directions + points
    }

    /// Whether the points of the world and the radius are floats, and keep their bits where they are looked at.
    pub(crate) fn is_shown(&self) -> bool {
        let Some(extreme) = self.extreme.filter(|extreme| extreme.world < 0) else {
            return true;
        };
        let radius = self.shape.radius().to_f64() * self.pose.uniform_scale().unwrap_or(0.0);
        if self.radius_outside.scale_by_power((-extreme.world).into()) != radius {
            return false;
        }
        let Some(count) = self.vertex_count() else {
            return self.sizes().iter().all(|size| size.is_finite());
        };
        let kept = |x: V::Wide| {
            let point = self.pose.point(x);
            point.is_finite()
                && extreme.show(point).scaled_by_power((-extreme.world).into()) == point
        };
        (0..count).all(|id| self.shape.vertex_wide(id).is_none_or(kept))
    }

    /// The relative rounding error of the shape's support points.
    pub(crate) fn shape_rounding(&self) -> f64 {
        self.shape.rounding()
    }

    /// The axis of a solid of revolution; a pose that is no similarity has none. With how far the posed body may be from one.
    pub(crate) fn revolution_wide(&self) -> Option<(Revolution<V::Wide>, f64)> {
        self.pose.uniform_scale()?;
        let local = self.shape.revolution()?;
        // A body of no size has no axis left.
        let axis = local
            .axis
            .map(|axis| self.pose.vector(axis.lift()))
            .filter(|axis| *axis != V::Wide::ZERO);
        Some((
            Revolution {
                center: self.place(local.center.lift()),
                axis,
            },
            self.pose.out_of_round() * self.sizes()[0],
        ))
    }
}

/// The largest entry of a pose's linear part.
fn steepest<W: Vector<Scalar = f64>>(pose: &Pose<W>) -> f64 {
    pose.columns()
        .iter()
        .fold(0.0, |m: f64, column| m.max(column.max_abs()))
}

impl Extreme {
    #[cold]
    fn of<W: Vector<Scalar = f64>>(pose: &Pose<W>, world: i32) -> Self {
        let direction = world.min(STEEPEST_PRODUCT - exponent_of(steepest(pose)).max(0));
        Self {
            world: world as i16,
            direction: direction as i16,
        }
    }

    #[cold]
    fn show<W: Vector<Scalar = f64>>(&self, point: W) -> W {
        point.scaled_by_power(self.world.into())
    }

    #[cold]
    fn aim<W: Vector<Scalar = f64>>(&self, direction: W) -> W {
        direction.normalized().map_or(direction, |unit| {
            unit.scaled_by_power(self.direction.into())
        })
    }

    #[cold]
    fn sizes<W: Vector<Scalar = f64>>(&self, pose: &Pose<W>, extent: W) -> [f64; 2] {
        // In a world that is too large the sums overflow, and in one that is too small they are those of the rounded points.
        let before = pose.scaled_by_power(self.world.min(0).into());
        [before.bound(extent), before.translation().sum_abs()]
            .map(|size| size.scale_by_power(self.world.max(0).into()))
    }
}

impl<V: Vector, S: Support<V> + ?Sized> Support<V::Wide> for Posed<'_, V, S> {
    fn support_point(&self, direction: V::Wide) -> SupportPoint<V::Wide> {
        self.support_point_from(direction, NO_ID)
    }
    #[inline(always)] // a point that goes through memory waits there
    fn support_point_from(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        if let Some(extreme) = &self.extreme {
            return self.support_extreme(extreme, direction, hint);
        }
        let local = self.pose.direction_to_local(direction);
        let found = swept(
            self.shape.support_wide_from(local, hint),
            self.radius_inside,
            local,
        );
        SupportPoint {
            point: self.pose.point(found.point),
            id: found.id,
        }
    }
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        if self.extreme.is_some() {
            return None;
        }
        let (direction, error, slack) = asked_inside(&self.pose, direction, error, slack);
        self.shape.highest_vertices(direction, error, slack, found)
    }
    fn radius(&self) -> f64 {
        self.radius_outside
    }
    fn vertex_count(&self) -> Option<u32> {
        if self.radius_inside == 0.0 {
            self.shape.vertex_count()
        } else {
            None
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        self.shape.vertex_wide(id).map(|x| self.place(x))
    }
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        if self.extreme.is_some() {
            return (0..self.vertex_count().unwrap_or(0)).for_each(visit);
        }
        self.shape
            .vertices_near(self.pose.direction_to_local(direction), id, margin, visit)
    }
    fn center(&self) -> V::Wide {
        self.place(self.shape.center().lift())
    }
}

/// What [`Support::highest_vertices`] must be asked of a shape so that it is answered for the vertices `pose.point(x)`:
/// direction, error and slack.
///
/// With `P_k = Σ_j |L_kj x_j| + |t_k|`, such a vertex is within 4 roundings of `P_k` of `L·x + t` in each coordinate, and
/// `Lᵀd` within 3 of `Σ_k |L_kj d_k|`. Two more cover what is lost here, and the least normal numbers any underflow.
pub(crate) fn asked_inside<W: Vector<Scalar = f64>>(
    pose: &Pose<W>,
    direction: W,
    error: W,
    slack: f64,
) -> (W, W, f64) {
    let parts = W::from_fn(|k| {
        error.component(k) + 9.0 * f64::ROUNDING * Scalar::abs(direction.component(k))
    });
    let sizes = |x: W| W::from_fn(|k| Scalar::abs(x.component(k)));
    let turned = W::from_fn(|j| sizes(pose.columns()[j]).dot(parts) + f64::MIN_POSITIVE);
    let underflow: f64 = (0..W::DIM)
        .map(|k| Scalar::abs(direction.component(k)) * f64::MIN_POSITIVE)
        .sum();
    (
        pose.direction_to_local(direction),
        turned,
        slack + sizes(pose.translation()).dot(parts) + underflow,
    )
}

/// The numbered vertices of a body, as the exact layer asks for them: computed when asked, none stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertices<'a, V, S: ?Sized> {
    body: &'a S,
    count: u32,
    vector: PhantomData<V>,
}

impl<'a, V: Vector, S: Support<V> + ?Sized> Vertices<'a, V, S> {
    /// The vertices of a hull; `None` for other bodies.
    pub(crate) fn of(body: &'a S) -> Option<Self> {
        let count = body.vertex_count().filter(|&n| n > 0)?;
        Some(Self {
            body,
            count,
            vector: PhantomData,
        })
    }
}

impl<V: Vector, S: Support<V> + ?Sized> gjk_exact::Points for Vertices<'_, V, S> {
    fn count(&self) -> u32 {
        self.count
    }
    fn point(&self, index: u32) -> [f64; 3] {
        self.body.vertex(index).unwrap_or(V::ZERO).to_f64()
    }
    fn farthest(&self, direction: [f64; 3], error: [f64; 3], found: &mut [u32]) -> Option<usize> {
        // In a narrower scalar the vertices may be rounded ones.
        if V::Scalar::ROUNDING.to_f64() != f64::ROUNDING {
            return None;
        }
        self.body.highest_vertices(
            V::Wide::from_f64(direction),
            V::Wide::from_f64(error),
            0.0,
            found,
        )
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
    /// The pair for exact signs: of the difference `a − b` itself, not of its rounded value.
    pub fn exact(&self) -> gjk_exact::Vertex {
        gjk_exact::Vertex::new(self.ids, self.a.to_f64(), self.b.to_f64())
    }

    /// True when both are numbered vertices and the same ones, or smooth and equal.
    pub fn same(&self, other: &Self) -> bool {
        if self.ids.contains(&NO_ID) {
            self.w == other.w
        } else {
            self.ids == other.ids
        }
    }
}

/// The Minkowski difference `A − B` of two bodies in one frame, over either scalar.
#[derive(Clone, Copy, Debug)]
pub struct MinkowskiDifference<A, B> {
    /// A in the pair's frame.
    pub a: A,
    /// B in the pair's frame.
    pub b: B,
}

impl<A, B> MinkowskiDifference<A, B> {
    /// The pair farthest along `direction`.
    pub fn support_pair<V: Vector>(&self, direction: V) -> SupportPair<V>
    where
        A: Support<V>,
        B: Support<V>,
    {
        self.support_pair_from(direction, [NO_ID; 2])
    }

    /// [`MinkowskiDifference::support_pair`] from the ids of a pair not far from the answer: see
    /// [`Support::support_point_from`].
    #[inline(always)]
    pub fn support_pair_from<V: Vector>(&self, direction: V, hints: [u32; 2]) -> SupportPair<V>
    where
        A: Support<V>,
        B: Support<V>,
    {
        let a = self.a.support_point_from(direction, hints[0]);
        let b = self.b.support_point_from(-direction, hints[1]);
        SupportPair {
            a: a.point,
            b: b.point,
            w: a.point - b.point,
            ids: [a.id, b.id],
        }
    }

    /// The pair of two numbered vertices, if both exist.
    pub fn vertex_pair<V: Vector>(&self, ids: [u32; 2]) -> Option<SupportPair<V>>
    where
        A: Support<V>,
        B: Support<V>,
    {
        let (a, b) = (self.a.vertex(ids[0])?, self.b.vertex(ids[1])?);
        Some(SupportPair {
            a,
            b,
            w: a - b,
            ids,
        })
    }

    /// True when both cores are hulls of numbered vertices.
    pub fn is_polytope<V: Vector>(&self) -> bool
    where
        A: Support<V>,
        B: Support<V>,
    {
        self.a.vertex_count().is_some() && self.b.vertex_count().is_some()
    }

    /// The sum of the swept radii.
    pub fn radius<V: Vector>(&self) -> V::Scalar
    where
        A: Support<V>,
        B: Support<V>,
    {
        self.a.radius() + self.b.radius()
    }
}
