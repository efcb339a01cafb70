//! A shape at a pose, as the loops see it.
//!
//! Where it sits: `narrow/frame.rs` places both shapes of a pair.
//! Numbers: near the ends of the range of `f64` a body is scaled, see `RangeScaling`.

use super::form::{Core, Form, Revolution};
use super::function::{NO_ID, Support, SupportPoint, swept};
use super::piece::Piece;
use crate::math::{Pose, Scalar, Triple, Vector, exponent_of};
use crate::vertices::{Facets, Scan};

/// A shape of this size or more may have a pose whose entries underflow when they are multiplied by a short direction; below
/// it, what underflows is nothing beside a pair's rounding, which is at least `2⁻⁵³` of a size of `2⁻¹⁰⁰`.
const RANGE_SIZE_MAX: f64 = (1u128 << 100) as f64;

/// Entries of a pose above this may overflow when they are multiplied by a direction: those of the loops have at most the sixth
/// power of a size of `2¹³⁰`.
const RANGE_ENTRY_MAX: f64 = (1u128 << 120) as f64;

/// A direction of a length below two to this power is of floats, and so are its products with a pose and their sums, if this is
/// less the exponent of the pose's entries.
const STEEPEST_PRODUCT: i32 = 1000;

/// Roundings of an extent in the world, of the last of its sums: three products, three sums and the factor, in room.
const EXTENT_ROUNDINGS: f64 = 16.0;

/// Roundings of the summed coordinate magnitudes by which a box is widened. A posed vertex is off by 4 at most, a smooth
/// shape's support point by a few more for its square root and quotients; 32 leaves room at no cost.
const BOX_WIDENING_ROUNDINGS: f64 = 32.0;

/// Roundings of a point in the body's own frame, of the sizes there: the difference 1, products and sums 5, the square of the scale and the quotient 3; of a stored plane's normal 5, of a
/// height 5. The rest is room.
const WAY_BACK_ROUNDINGS: f64 = 32.0;

/// How a pair near the ends of the range is scaled.
#[derive(Clone, Copy, Debug)]
struct RangeScaling {
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
    /// Of the shape's core, in its own frame.
    extent: V::Wide,
    center: V::Wide,
    rounding: f64,
    /// `None` too where a radius enters the support point.
    vertex_count: Option<u32>,
    /// The swept radius that must enter the support point, because the pose does not keep balls round.
    radius_inside: f64,
    radius_outside: f64,
    /// `Some` if products of the pose with a direction of any length may leave the range: the world is scaled, or the
    /// shape is so large that its pose must be tiny, or so small that it must be steep.
    extreme: Option<RangeScaling>,
}

impl<'a, V: Vector, S: Support<V> + ?Sized> Posed<'a, V, S> {
    /// Places `shape` at `pose`.
    pub fn new(shape: &'a S, pose: Pose<V>) -> Self {
        Self::wide(shape, &shape.core(), pose.lift())
    }

    /// Places a shape, of which the core is known, at `pose`.
    #[inline(always)]
    pub(crate) fn wide(shape: &'a S, core: &Core<'_, V>, pose: Pose<V::Wide>) -> Self {
        let radius = core.radius;
        let (radius_inside, radius_outside) = match pose.uniform_scale() {
            Some(scale) => (0.0, radius * scale),
            None => (radius, 0.0),
        };
        let (largest, steep) = (
            core.extent.sum_abs() + radius,
            pose.uniform_scale().unwrap_or_else(|| steepest(&pose)),
        );
        let plain = largest < RANGE_SIZE_MAX && steep < RANGE_ENTRY_MAX;
        Self {
            shape,
            pose,
            extent: core.extent,
            center: core.center,
            rounding: core.rounding,
            vertex_count: core.vertex_count.filter(|_| radius_inside == 0.0),
            radius_inside,
            radius_outside,
            extreme: if plain {
                None
            } else {
                Some(RangeScaling::of(&pose, 0))
            },
        }
    }

    /// The same where no scale is needed, nor a radius in the support point: nothing is handed to another function, so that it need not be in memory.
    #[inline(always)]
    pub(crate) fn plain(shape: &'a S, core: &Core<'_, V>, pose: Pose<V::Wide>) -> Option<Self> {
        let scale = pose.uniform_scale()?;
        let largest = core.extent.sum_abs() + core.radius;
        let is_plain = largest < RANGE_SIZE_MAX && scale < RANGE_ENTRY_MAX;
        is_plain.then_some(Self {
            shape,
            pose,
            extent: core.extent,
            center: core.center,
            rounding: core.rounding,
            vertex_count: core.vertex_count,
            radius_inside: 0.0,
            radius_outside: core.radius * scale,
            extreme: None,
        })
    }

    /// The same posed shape, with its points times `2^exponent`: those of the world, rounded there.
    #[inline(always)]
    pub(crate) fn scaled(
        shape: &'a S,
        core: &Core<'_, V>,
        pose: Pose<V::Wide>,
        exponent: i32,
    ) -> Self {
        let plain = Self::wide(shape, core, pose);
        if exponent == 0 {
            return plain;
        }
        Self {
            radius_outside: plain.radius_outside.scale_by_power(exponent),
            extreme: Some(RangeScaling::of(&pose, exponent)),
            ..plain
        }
    }

    /// The same shape with its place moved.
    pub(crate) fn moved(&self, way: V::Wide) -> Self {
        Self::wide(self.shape, &self.shape.core(), self.pose.moved(way))
    }

    /// The pose, in the world.
    pub fn pose(&self) -> &Pose<V::Wide> {
        &self.pose
    }

    /// The radius of the ball swept over the core in the world; zero where it enters the support points.
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.radius_outside
    }

    /// The numbered vertices of the core: see [`Core::vertex_count`].
    #[inline(always)]
    pub fn vertex_count(&self) -> Option<u32> {
        self.vertex_count
    }

    /// The half extents of a core that is a box, where none of its numbers needs a scale.
    pub(crate) fn half_extents(&self) -> Option<V::Wide> {
        let is_plain = self.extreme.is_none() && self.vertex_count.is_some();
        match self.shape.core().form {
            Form::Cuboid(half) if is_plain => Some(half.lift()),
            _ => None,
        }
    }

    /// The least and the largest corner of a box, along the world's axes, around the body.
    ///
    /// # Accuracy  it contains the body, and is wider by roundings of its coordinates; what is not finite has no box.
    pub fn bounds(&self) -> [V::Wide; 2] {
        let swept = V::Wide::from_fn(|k| self.extent.component(k) + self.shape.core().radius);
        let size = self.pose.bound(swept) + self.pose.translation().sum_abs();
        let share = BOX_WIDENING_ROUNDINGS * f64::EPSILON + self.rounding;
        let slack = size * share + f64::MIN_POSITIVE;
        let far = |axis: usize, sign: f64| {
            let highest = self.support(V::Wide::axis(axis) * sign, NO_ID).point;
            highest.component(axis) + sign * (self.radius_outside + slack)
        };
        [
            V::Wide::from_fn(|k| far(k, -1.0)),
            V::Wide::from_fn(|k| far(k, 1.0)),
        ]
    }

    /// A point of the world in the body's own frame, and the scale; off by twice the skew and some roundings of its distance from the body's origin. `None` where lengths are not scaled alike.
    fn local(&self, x: V::Wide) -> Option<(V::Wide, f64)> {
        let scale = self.pose.uniform_scale().filter(|&scale| scale > 0.0)?;
        let usual = self.extreme.is_none() && self.pose.skew().is_finite();
        usual.then(|| (self.back(x - self.pose.translation(), scale * scale), scale))
    }

    /// The shape's core, where the pose takes it to the world as it is.
    pub(crate) fn plain_core(&self) -> Option<Core<'_, V>> {
        self.extreme.is_none().then(|| self.shape.core())
    }

    /// The products with the columns, over a number.
    fn back(&self, x: V::Wide, over: f64) -> V::Wide {
        let columns = self.pose.columns();
        V::Wide::from_fn(|k| columns[k].dot(x) / over)
    }

    /// The facets of a hull that is scanned, and a point of the world in its frame but for roundings. `None` of other bodies, and where lengths are not scaled alike.
    #[inline(always)]
    pub(crate) fn facets_at(&self, x: V::Wide) -> Option<(&'a Facets, Triple)> {
        let scale = self.pose.uniform_scale().filter(|&scale| scale > 0.0)?;
        if self.extreme.is_some() || self.vertex_count.is_none() {
            return None;
        }
        let Form::Hull(hull) = self.shape.core().form else {
            return None;
        };
        let facets = hull.facets().filter(|_| hull.is_scanned())?;
        let local = self.pose.direction_to_local(x - self.pose.translation());
        Some((facets, (local * (1.0 / (scale * scale))).to_f64()))
    }

    /// The square of the reach of a hull from its own origin, but for roundings.
    #[inline(always)]
    pub(crate) fn reach_squared(&self) -> f64 {
        let scale = self.pose.uniform_scale().unwrap_or(f64::INFINITY);
        self.extent.norm_squared() * (scale * scale)
    }

    /// How far the way to a point and back may be off, of the sizes.
    fn way_error(&self, x: V::Wide) -> f64 {
        let size = (x - self.pose.translation()).sum_abs() + self.pose.bound(self.extent);
        (4.0 * self.pose.skew() + WAY_BACK_ROUNDINGS * f64::EPSILON)
            * (size + self.pose.translation().sum_abs())
    }

    /// The largest distance of a hull's vertex from a center in the world, and from an axis through it along a unit vector, and how far they may be off. `None` of other bodies.
    pub(crate) fn farthest(&self, center: V::Wide, axis: Triple) -> Option<([f64; 2], f64)> {
        let Form::Hull(hull) = self.shape.core().form else {
            return None;
        };
        let (local, scale) = self.local(center)?;
        // In the plane an axis is across it.
        let axis = match V::DIM {
            2 => axis,
            _ => self.back(V::Wide::from_f64(axis), scale).to_f64(),
        };
        let found = hull.farthest(local, axis)?.map(|x| x * scale);
        Some((found, self.way_error(center)))
    }

    /// At least how deep a point of the world is inside of a box or hull without a radius; negative where it may be outside. `None` of other bodies.
    pub(crate) fn depth_of(&self, x: V::Wide) -> Option<f64> {
        if self.radius() > 0.0 {
            return None;
        }
        let (local, scale) = self.local(x)?;
        let depth = match self.shape.core().form {
            Form::Cuboid(half) => {
                let inside =
                    |k: usize| half.component(k).to_f64() - Scalar::abs(local.component(k));
                (0..V::DIM).map(inside).fold(f64::INFINITY, f64::min)
            }
            Form::Hull(hull) => -hull.facets()?.beyond(local.to_f64()),
            _ => return None,
        };
        Some(depth * scale - self.way_error(x))
    }

    /// Visits the numbered vertices in the world, in their order.
    pub(crate) fn each_vertex(&self, visit: &mut dyn FnMut(V::Wide)) {
        let core = self.shape.core();
        match core.form {
            // Without a call for each of them.
            Form::Hull(hull) if self.extreme.is_none() => {
                hull.points()
                    .iter()
                    .for_each(|x| visit(self.pose.point(x.lift())));
            }
            _ => (0..self.vertex_count.unwrap_or(0))
                .filter_map(|id| self.shape.vertex(id))
                .for_each(|x| visit(self.place(x))),
        }
    }

    /// Some point of the core in the world.
    #[inline(always)]
    pub(crate) fn center(&self) -> V::Wide {
        self.place(self.center)
    }

    #[cold]
    #[inline(never)]
    fn support_extreme(
        &self,
        extreme: &RangeScaling,
        direction: V::Wide,
        hint: u32,
    ) -> SupportPoint<V::Wide> {
        let local = self.pose.direction_to_local(extreme.aim(direction));
        let found = swept(self.shape.support(local, hint), self.radius_inside, local);
        SupportPoint {
            point: extreme.show(self.pose.point(found.point)),
            id: found.id,
        }
    }

    /// A point of the shape in the scaled world.
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
        let swept = self.swept_extent();
        match &self.extreme {
            Some(extreme) => extreme.sizes(&self.pose, swept),
            None => [self.pose.bound(swept), self.pose.translation().sum_abs()],
        }
    }

    /// Bounds of the magnitudes of the coordinates that the pose multiplies.
    #[inline(always)]
    fn swept_extent(&self) -> V::Wide {
        V::Wide::from_fn(|k| self.extent.component(k) + self.radius_inside)
    }

    /// Per axis, an upper bound of the magnitude of the core's coordinates in the world.
    #[inline(always)]
    fn extent_in_world(&self) -> V::Wide {
        let swept = self.swept_extent();
        let reach = V::Wide::from_fn(|k| {
            let place = Scalar::abs(self.pose.translation().component(k));
            let parts = self.pose.columns().iter().enumerate();
            let sum = parts.fold(place, |sum, (j, column)| {
                sum + Scalar::abs(column.component(k)) * swept.component(j)
            });
            sum * (1.0 + EXTENT_ROUNDINGS * f64::ROUNDING)
        });
        let shown = match &self.extreme {
            Some(extreme) => extreme.show(reach),
            None => reach,
        };
        V::Wide::from_fn(|k| shown.component(k) + f64::MIN_POSITIVE)
    }

    /// What a height may be off because a product underflows: by the smallest number an entry of the pose, times the shape's
    /// coordinate, and some a point of the world.
    pub(crate) fn underflow(&self) -> f64 {
        let Some(extreme) = self.extreme else {
            return 0.0;
        };
        let directions =
            (8.0 * f64::TINIEST).scale_by_power((extreme.world - extreme.direction).into());
        let points = (32.0 * f64::TINIEST).scale_by_power(extreme.world.into());
        (self.extent.sum_abs() + self.radius_inside) * directions + points
    }

    /// Whether the points of the world and the radius are floats, and keep their bits when they are scaled.
    pub(crate) fn is_shown(&self) -> bool {
        let Some(extreme) = self.extreme.filter(|extreme| extreme.world < 0) else {
            return true;
        };
        let radius = self.shape.core().radius * self.pose.uniform_scale().unwrap_or(0.0);
        if self.radius_outside.scale_by_power((-extreme.world).into()) != radius {
            return false;
        }
        let Some(count) = self.vertex_count else {
            return self.sizes().iter().all(|size| size.is_finite());
        };
        let kept = |x: V::Wide| {
            let point = self.pose.point(x);
            point.is_finite()
                && extreme.show(point).scaled_by_power((-extreme.world).into()) == point
        };
        (0..count).all(|id| self.shape.vertex(id).is_none_or(kept))
    }

    /// The relative rounding error of the shape's support points.
    pub(crate) fn shape_rounding(&self) -> f64 {
        self.rounding
    }

    /// The axis of a solid of revolution; a pose that is no similarity has none. With how far the posed body may be from one.
    pub(crate) fn revolution_wide(&self) -> Option<(Revolution<V::Wide>, f64)> {
        self.pose.uniform_scale()?;
        let local = self.shape.core().revolution?;
        // A body of no size has no axis left.
        let axis = local
            .axis
            .map(|axis| self.pose.vector(axis))
            .filter(|axis| *axis != V::Wide::ZERO);
        Some((
            Revolution {
                center: self.place(local.center),
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

impl RangeScaling {
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
    #[inline(always)] // a point that goes through memory waits there
    fn support(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        if let Some(extreme) = &self.extreme {
            return self.support_extreme(extreme, direction, hint);
        }
        let local = self.pose.direction_to_local(direction);
        let found = swept(self.shape.support(local, hint), self.radius_inside, local);
        SupportPoint {
            point: self.pose.point(found.point),
            id: found.id,
        }
    }
    #[inline(always)]
    fn scan(&self, direction: V::Wide) -> Option<Scan<'_>> {
        if self.extreme.is_some() || self.radius_inside != 0.0 {
            return None;
        }
        self.shape.scan(self.pose.direction_to_local(direction))
    }
    fn piece(&self, direction: V::Wide, hint: u32) -> Option<Piece<V::Wide>> {
        let posed = |direction: V::Wide| {
            let local = self.pose.direction_to_local(direction);
            let piece = self.shape.piece(local, hint)?;
            Some(piece.swept(self.radius_inside)?.posed(&self.pose))
        };
        match &self.extreme {
            Some(extreme) => Some(posed(extreme.aim(direction))?.shown(|x| extreme.show(x))),
            None => posed(direction),
        }
    }
    // Inlined, because the loops read one of its fields at a time.
    #[inline(always)]
    fn core(&self) -> Core<'_, V::Wide> {
        Core {
            radius: self.radius_outside,
            vertex_count: self.vertex_count,
            rounding: self.rounding,
            ..Core::new(self.center(), self.extent_in_world())
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
        let (direction, error, slack) = error_in_local_frame(&self.pose, direction, error, slack);
        self.shape.highest_vertices(direction, error, slack, found)
    }
    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        // No closure: it would not have the instructions that the loops are compiled for.
        let x = self.shape.vertex(id)?;
        Some(self.place(x))
    }
    fn end_vertex(&self, id: u32) -> Option<V::Wide> {
        self.shape.end_vertex(id).map(|x| self.place(x))
    }
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        if self.extreme.is_some() {
            return (0..self.vertex_count.unwrap_or(0)).for_each(visit);
        }
        self.shape
            .vertices_near(self.pose.direction_to_local(direction), id, margin, visit)
    }
}

/// The direction, error and slack to pass to [`Support::highest_vertices`] of the shape, so that it lists the vertices
/// `pose.point(x)`.
///
/// With `P_k = Σ_j |L_kj x_j| + |t_k|`, such a vertex is within 4 roundings of `P_k` of `L·x + t` in each coordinate, and
/// `Lᵀd` within 3 of `Σ_k |L_kj d_k|`. Two more cover what is lost here, and the least normal numbers any underflow.
pub(crate) fn error_in_local_frame<W: Vector<Scalar = f64>>(
    pose: &Pose<W>,
    direction: W,
    error: W,
    slack: f64,
) -> (W, W, f64) {
    let parts = W::from_fn(|k| {
        error.component(k) + 9.0 * f64::ROUNDING * Scalar::abs(direction.component(k))
    });
    let sizes = |x: W| W::from_fn(|k| Scalar::abs(x.component(k)));
    let local_error = W::from_fn(|j| sizes(pose.columns()[j]).dot(parts) + f64::MIN_POSITIVE);
    let underflow: f64 = (0..W::DIM)
        .map(|k| Scalar::abs(direction.component(k)) * f64::MIN_POSITIVE)
        .sum();
    (
        pose.direction_to_local(direction),
        local_error,
        slack + sizes(pose.translation()).dot(parts) + underflow,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec3, length, subtract};
    use crate::shape::{Cuboid, Polytope};

    #[test]
    fn depths_and_reaches_are_those_of_the_vertices_and_planes() {
        let half = Vec3::new(1.0, 2.0, 0.5);
        let corner = |k: usize| {
            Vec3::from_fn(|i| {
                if k >> i & 1 == 1 {
                    half.component(i)
                } else {
                    -half.component(i)
                }
            })
        };
        let corners: alloc::vec::Vec<_> = (0..8).map(corner).collect();
        let hull = Polytope::new(&corners).expect("a body");
        let cuboid = Cuboid::new(half).expect("a body");
        let turned = Pose::from_quaternion([0.3, -0.2, 0.5, 0.7], Vec3::new(5.0, -3.0, 2.0));
        let pose = turned.expect("a body").scaled(Vec3::new(2.0, 2.0, 2.0));
        let (of_hull, of_box) = (Posed::new(&hull, pose), Posed::new(&cuboid, pose));
        for (local, depth) in [
            (Vec3::new(0.9, 0.0, 0.0), 0.2),
            (Vec3::new(0.0, -1.95, 0.0), 0.1),
            (Vec3::new(0.0, 0.0, 0.75), -0.5),
        ] {
            let x = pose.point(local);
            for found in [of_hull.depth_of(x), of_box.depth_of(x)] {
                let found = found.expect("a body");
                assert!(found <= depth && depth - found < 1e-12, "{found} {depth}");
            }
        }
        let (center, axis) = (Vec3::new(4.0, 1.0, 0.0), [0.6, 0.0, -0.8]);
        let (found, off) = of_hull.farthest(center, axis).expect("a body");
        let mut right = [0.0f64; 2];
        of_hull.each_vertex(&mut |x| {
            let arm = subtract(x.to_f64(), center.to_f64());
            let across = crate::math::cross(axis, arm);
            right = [right[0].max(length(arm)), right[1].max(length(across))];
        });
        assert!((0..2).all(|k| (found[k] - right[k]).abs() <= off) && off < 1e-11);
    }
}
