//! Depth of two convex polygons of at most eight vertices: all edges' normals, no loop that ends early.
//!
//! Where it sits: `dispatch/` calls [`measure`] for contacts in the plane before lock-step GJK.
//! Idea: every edge of the Minkowski difference is an edge of A or of B. Over an edge's outward normal the other polygon's
//! least vertex gives the height of the difference over that edge; the least height a length is the depth. A negative height
//! anywhere separates, which is left to that loop.
//!
//! What rounding costs, with the sizes of `lockstep_gjk.rs` and `S = size`: rotated vertices are within `3u·shapes` of the exact
//! image, whose ring is convex. An edge's normal moves by `7u·shapes` with them, which moves a height by `7u·S²`; vertices
//! move it by `6u·S` times the edge, products and sums by `6u`: below `20u·S²`, over the edge's length. The world's vertices
//! add `u(shapes + world)` twice, the length and the quotient 4 of the depth. [`POLYGON_LANES_OF_EDGE`],
//! [`POLYGON_LANES_OF_SIZE`] and [`POLYGON_LANES_OF_WORLD`] are these, rounded up. Test: `bounds_are_needed`.

use crate::bounds::BoundsLanes;
use crate::layout::lane_bodies::LaneBodies;
use crate::layout::posed::{PairSizes, PosedLanes};
use crate::layout::shapes::LANE_VERTICES;
use crate::layout::world::WorldView;
use crate::loops::support::SmallHull;
use crate::rounding::{LANES_INTERVAL_WIDTH_MAX, RoundingBound, bound};
use crate::simd::{F64s, LANES_MAX, Mask, Vec3s};
use fearless_simd::{Simd, prelude::*};
use gjk::Scalar;

const POLYGON_LANES_OF_EDGE: f64 = 24.0 * f64::ROUNDING;
const POLYGON_LANES_OF_SIZE: f64 = 8.0 * f64::ROUNDING;
const POLYGON_LANES_OF_WORLD: f64 = 3.0 * f64::ROUNDING;
/// A witness this far outside its edge, in parts of the edge, is on a neighbour that ties with it: for the single query.
const POLYGON_LANES_WITNESS_OUTSIDE: f64 = 1.0 / (1u64 << 30) as f64;

/// The edge of least height so far.
#[derive(Clone, Copy)]
struct LeastEdge<S: Simd> {
    /// Height less its error, and the edge's squared length.
    height: F64s<S>,
    square: F64s<S>,
    /// Outward.
    normal: Vec3s<S>,
    from: Vec3s<S>,
    edge: Vec3s<S>,
    on_b: Mask<S>,
    /// Some edge has no positive height.
    open: Mask<S>,
}

/// Measures the overlaps among the pairs of `members`, at most as many as there are lanes.
#[inline(always)]
pub(crate) fn measure<S: Simd>(
    simd: S,
    view: WorldView<'_>,
    members: &[u32],
    found: &mut BoundsLanes,
) {
    let groups = LaneBodies::<LANES_MAX>::of(view.pairs, members, F64s::<S>::LEN);
    let placed = [
        PosedLanes::load_planar(simd, view.shapes, view.poses, &groups[0]),
        PosedLanes::load_planar(simd, view.shapes, view.poses, &groups[1]),
    ];
    let a = SmallHull::<S, true>::of(simd, view, &groups[0], &placed[0]);
    let b = SmallHull::<S, true>::of(simd, view, &groups[1], &placed[1]);
    let sizes = PairSizes::of(placed[0].size + placed[1].size, a.center, b.center);
    let (between, size) = (sizes.between, sizes.all);
    let error = size * size * (POLYGON_LANES_OF_EDGE * bound(RoundingBound::Planar, 1.0));
    let (zero, one) = (F64s::<S>::splat(simd, 0.0), F64s::<S>::splat(simd, 1.0));
    let mut least = LeastEdge::none(simd);
    // B relative to A's centre, then A relative to B's.
    least.edges(
        simd,
        [&a, &b],
        between,
        determinant(&placed[0]),
        error,
        false,
    );
    least.edges(
        simd,
        [&b, &a],
        between.times(-one),
        determinant(&placed[1]),
        error,
        true,
    );

    let length = least.square.sqrt();
    let body = (size * POLYGON_LANES_OF_SIZE
        + (sizes.shapes + sizes.place) * POLYGON_LANES_OF_WORLD)
        * bound(RoundingBound::Planar, 1.0);
    let (low, high) = (
        least.height / length - body,
        (least.height + error + error) / length + body,
    );
    let unit = least.normal.times(one / length);
    let depth = (low + high) * 0.5;
    let against = unit.times(-one);
    let [vertex, foot] = least.witnesses(simd, [&a, &b], between, unit.times(depth), against);
    let along = foot.minus(least.from).dot(least.edge) / least.square;
    let good = sizes.usable()
        & !least.open
        & low.simd_gt(zero)
        & (high - low).simd_le(low * LANES_INTERVAL_WIDTH_MAX)
        & along.simd_ge(-POLYGON_LANES_WITNESS_OUTSIDE)
        & along.simd_le(1.0 + POLYGON_LANES_WITNESS_OUTSIDE);
    let on_a = vertex.or(least.on_b, foot).plus(a.center);
    let on_b = foot.or(least.on_b, vertex).plus(b.center);
    (found.separated, found.overlapping) = (0, good.to_bitmask());
    found.put([-high, -low], against.or(least.on_b, unit), [on_a, on_b]);
}

/// The map's determinant: a mirror reverses the order of the vertices.
#[inline(always)]
fn determinant<S: Simd>(placed: &PosedLanes<S>) -> F64s<S> {
    placed.columns[0].cross(placed.columns[1]).z
}

/// The vertex farthest along a direction, without the translation.
#[inline(always)]
fn deepest<S: Simd>(simd: S, cloud: &SmallHull<S, true>, direction: Vec3s<S>) -> Vec3s<S> {
    let mut best = cloud.corner(simd, 0);
    let mut height = best.x * direction.x + best.y * direction.y;
    for k in 1..cloud.count {
        let next = cloud.corner(simd, k);
        let above = next.x * direction.x + next.y * direction.y;
        let higher = above.simd_gt(height);
        height = higher.select(above, height);
        best = next.or(higher, best);
    }
    best
}

impl<S: Simd> LeastEdge<S> {
    /// The vertex of the other polygon that is deepest, and the edge's point above it.
    #[inline(always)]
    fn witnesses(
        &self,
        simd: S,
        [a, b]: [&SmallHull<S, true>; 2],
        between: Vec3s<S>,
        push: Vec3s<S>,
        against: Vec3s<S>,
    ) -> [Vec3s<S>; 2] {
        let one = F64s::<S>::splat(simd, 1.0);
        let vertex = deepest(simd, a, against).or(self.on_b, deepest(simd, b, against));
        let offset = between.times(self.on_b.select(-one, one));
        [vertex, vertex.plus(offset).plus(push)]
    }

    /// None yet.
    #[inline(always)]
    fn none(simd: S) -> Self {
        let nothing = Vec3s::splat(simd, 0.0);
        Self {
            height: F64s::<S>::splat(simd, f64::INFINITY),
            square: F64s::<S>::splat(simd, 1.0),
            normal: nothing,
            from: nothing,
            edge: nothing,
            on_b: Mask::<S>::splat(simd, false),
            open: Mask::<S>::splat(simd, false),
        }
    }

    /// Looks at the edges of `own` against the vertices of `other`, whose centre is at `offset`.
    #[inline(always)]
    fn edges(
        &mut self,
        simd: S,
        [own, other]: [&SmallHull<S, true>; 2],
        offset: Vec3s<S>,
        determinant: F64s<S>,
        error: F64s<S>,
        on_b: bool,
    ) {
        let (one, zero) = (F64s::<S>::splat(simd, 1.0), F64s::<S>::splat(simd, 0.0));
        let side = determinant.simd_ge(zero).select(one, -one);
        for k in 0..own.count.min(LANE_VERTICES) {
            let from = own.corner(simd, k);
            let next = own.corner(simd, if k + 1 < own.count { k + 1 } else { 0 });
            let edge = next.minus(from);
            let normal = Vec3s {
                x: edge.y * side,
                y: -edge.x * side,
                z: zero,
            };
            let mut lowest: F64s<S> = other.rotated[0].x * normal.x + other.rotated[0].y * normal.y;
            for vertex in &other.rotated[1..other.count] {
                lowest = lowest.min(vertex.x * normal.x + vertex.y * normal.y);
            }
            let base = (from.x - offset.x) * normal.x + (from.y - offset.y) * normal.y;
            let height: F64s<S> = base - lowest - error;
            let square = edge.x * edge.x + edge.y * edge.y;
            // A repeated vertex makes no edge.
            let real = square.simd_gt(zero);
            self.open |= real & !height.simd_gt(zero);
            let lower =
                real & (height * height * self.square).simd_lt(self.height * self.height * square);
            self.height = lower.select(height, self.height);
            self.square = lower.select(square, self.square);
            self.normal = normal.or(lower, self.normal);
            self.from = from.or(lower, self.from);
            self.edge = edge.or(lower, self.edge);
            if on_b {
                self.on_b |= lower;
            }
        }
    }
}
