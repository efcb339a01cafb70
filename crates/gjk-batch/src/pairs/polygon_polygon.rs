//! Depth of two convex polygons of at most eight vertices: all edges' normals, no loop that ends early.
//!
//! Where it sits: `chunk.rs` calls [`measure`] for contacts in the plane before the walk.
//! Idea: every edge of the Minkowski difference is an edge of A or of B. Over an edge's outward normal the other polygon's
//! least vertex gives the height of the difference over that edge; the least height a length is the depth. A negative height
//! anywhere separates, which is left to the walk.
//!
//! What rounding costs, with the sizes of `walk.rs` and `S = size`: turned vertices are within `3u·shapes` of the exact
//! image, whose ring is convex. An edge's normal moves by `7u·shapes` with them, which moves a height by `7u·S²`; vertices
//! move it by `6u·S` times the edge, products and sums by `6u`: below `20u·S²`, over the edge's length. The world's vertices
//! add `u(shapes + world)` twice, the length and the quotient 4 of the depth. [`EDGE`], [`BODY`] and [`WORLD`] are these,
//! rounded up. Test: `bounds_are_needed`.

use crate::bounds::Columns;
use crate::layout::lane_bodies::Group;
use crate::layout::posed::{PairSizes, Placed};
use crate::layout::shapes::LANE_VERTICES;
use crate::layout::world::View;
use crate::loops::support::Cloud;
use crate::rounding::{Bound, LOOSE, U, bound};
use crate::simd::{LANES_MAX, Mask, V3, Wide};
use fearless_simd::{Simd, prelude::*};

const EDGE: f64 = 24.0 * U;
const BODY: f64 = 8.0 * U;
const WORLD: f64 = 3.0 * U;
/// A witness this far outside its edge, in parts of the edge, is on a neighbour that ties with it: for the single query.
const BESIDE: f64 = 1.0 / (1u64 << 30) as f64;

/// The edge of least height so far.
#[derive(Clone, Copy)]
struct Least<S: Simd> {
    /// Height less its error, and the edge's squared length.
    height: Wide<S>,
    square: Wide<S>,
    /// Outward.
    normal: V3<S>,
    from: V3<S>,
    edge: V3<S>,
    on_b: Mask<S>,
    /// Some edge has no positive height.
    open: Mask<S>,
}

/// Measures the overlaps among the pairs of `members`, at most as many as there are lanes.
#[inline(always)]
pub(crate) fn measure<S: Simd>(simd: S, view: View<'_>, members: &[u32], found: &mut Columns) {
    let groups = Group::<LANES_MAX>::of(view.pairs, members, Wide::<S>::LEN);
    let placed = [
        Placed::load::<true>(simd, view.shapes, view.poses, &groups[0]),
        Placed::load::<true>(simd, view.shapes, view.poses, &groups[1]),
    ];
    let a = Cloud::<S, true>::of(simd, view, &groups[0], &placed[0]);
    let b = Cloud::<S, true>::of(simd, view, &groups[1], &placed[1]);
    let sizes = PairSizes::of(placed[0].size + placed[1].size, a.center, b.center);
    let (between, size) = (sizes.between, sizes.all);
    let error = size * size * (EDGE * bound(Bound::Planar, 1.0));
    let zero = Wide::<S>::splat(simd, 0.0);
    let mut least = Least {
        height: Wide::<S>::splat(simd, f64::INFINITY),
        square: Wide::<S>::splat(simd, 1.0),
        normal: V3::splat(simd, 0.0),
        from: V3::splat(simd, 0.0),
        edge: V3::splat(simd, 0.0),
        on_b: Mask::<S>::splat(simd, false),
        open: Mask::<S>::splat(simd, false),
    };
    // B relative to A's centre, then A relative to B's.
    least.edges(simd, &a, &b, between, turn(&placed[0]), error, false);
    least.edges(
        simd,
        &b,
        &a,
        between.times(Wide::<S>::splat(simd, -1.0)),
        turn(&placed[1]),
        error,
        true,
    );

    let length = least.square.sqrt();
    let body = (size * BODY + (sizes.shapes + sizes.place) * WORLD) * bound(Bound::Planar, 1.0);
    let (low, high) = (
        least.height / length - body,
        (least.height + error + error) / length + body,
    );
    let unit = least.normal.times(Wide::<S>::splat(simd, 1.0) / length);
    let depth = (low + high) * 0.5;
    // The vertex of the other polygon that is deepest, then the edge's point above it.
    let against = unit.times(Wide::<S>::splat(simd, -1.0));
    let vertex = deepest(simd, &a, against).or(least.on_b, deepest(simd, &b, against));
    let offset = between.times(
        least
            .on_b
            .select(Wide::<S>::splat(simd, -1.0), Wide::<S>::splat(simd, 1.0)),
    );
    let foot = vertex.plus(offset).plus(unit.times(depth));
    let along = foot.minus(least.from).dot(least.edge) / least.square;
    let good = sizes.usable()
        & !least.open
        & low.simd_gt(zero)
        & (high - low).simd_le(low * LOOSE)
        & along.simd_ge(-BESIDE)
        & along.simd_le(1.0 + BESIDE);
    let on_a = vertex.or(least.on_b, foot).plus(a.center);
    let on_b = foot.or(least.on_b, vertex).plus(b.center);
    let normal = against.or(least.on_b, unit);
    (found.separated, found.overlapping) = (0, good.to_bitmask());
    found.put([-high, -low], normal, [on_a, on_b]);
}

/// The sign of the map's determinant: a mirror turns the ring around.
#[inline(always)]
fn turn<S: Simd>(placed: &Placed<S>) -> Wide<S> {
    placed.columns[0].cross(placed.columns[1]).z
}

/// The vertex farthest along a direction, without the translation.
#[inline(always)]
fn deepest<S: Simd>(simd: S, cloud: &Cloud<S, true>, direction: V3<S>) -> V3<S> {
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

impl<S: Simd> Least<S> {
    /// Looks at the edges of `own` against the vertices of `other`, whose centre is at `offset`.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // one polygon against the other
    fn edges(
        &mut self,
        simd: S,
        own: &Cloud<S, true>,
        other: &Cloud<S, true>,
        offset: V3<S>,
        turn: Wide<S>,
        error: Wide<S>,
        on_b: bool,
    ) {
        let (one, zero) = (Wide::<S>::splat(simd, 1.0), Wide::<S>::splat(simd, 0.0));
        let side = turn.simd_ge(zero).select(one, -one);
        for k in 0..own.count.min(LANE_VERTICES) {
            let from = own.corner(simd, k);
            let next = own.corner(simd, if k + 1 < own.count { k + 1 } else { 0 });
            let edge = next.minus(from);
            let normal = V3 {
                x: edge.y * side,
                y: -edge.x * side,
                z: zero,
            };
            let mut lowest: Wide<S> = other.turned[0].x * normal.x + other.turned[0].y * normal.y;
            for vertex in &other.turned[1..other.count] {
                lowest = lowest.min(vertex.x * normal.x + vertex.y * normal.y);
            }
            let base = (from.x - offset.x) * normal.x + (from.y - offset.y) * normal.y;
            let height: Wide<S> = base - lowest - error;
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
