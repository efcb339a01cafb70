//! Two convex polygons in the plane by their edges: the verdict, the distance and the depth, without a loop.
//!
//! Where it sits: a pair solver of [`crate::narrow::dispatch`]. Read [`solve`], then [`relate`].
//! Idea: every edge of `B − A` is an edge of A or of B. (`B − A` here: minus the difference of the other files.) The lowest
//! vertex of the other polygon over each edge gives a gap; the largest gap over its edge's length is minus the depth if all are
//! negative. Else the nearest point of `B − A` is found from that edge on, around the boundary toward the origin's foot: the
//! distance falls until it is there.
//! Numbers: vertices are those of [`crate::support::Posed`], the bodies for which verdicts are exact, less A's translation.
//! A direction separates by the heights of all vertices over it, however it was found. An overlap needs rings that are convex
//! as rounded: [`PolygonPair::convex`] tests that. Either counts only beyond [`POLYGON_ERROR`]; what is within goes to the loops
//! and the exact layer.
//! `polygon_soa.rs` has the rows of numbers that this is computed on, four at a time.
//! Source: Gottschalk, Lin, Manocha 1996 (axes); Lin, Canny 1991 (features that face each other).

use super::polygon_soa::{
    Edges, LANES, Outline, POLYGON_TAG_ERROR, Place, PlanarRing, TAG, VERTICES_MAX, highest,
    larger, top,
};
use crate::bounds::{Bounds, Conclusion, HighestVertices};
use crate::math::planar::{Planar, dot, negative, plus, subtract, sum_abs};
use crate::math::{Pose, Scalar, Vector};
use crate::request::{Request, Wanted, is_narrow};
use crate::rounding::UNIT_ROUNDOFF;
use crate::simd::level;
use crate::support::{Core, Form};
use fearless_simd::{Simd, dispatch, f64x4, prelude::*};

/// What a computed gap, a distance of points or a depth may be off, per unit of the pair's size.
///
/// Coordinates from A's translation are the bodies' to one rounding: 1. A height is two products and a sum, 2 of its
/// polygon's size, and the gap their difference: 4 with the coordinates. The normal of an edge is that of the ring's to 1. A
/// point on an edge is a product and a sum, 3 with the edge; lengths, quotients and roots 4 of the result. All sums below 10.
const POLYGON_ERROR: f64 = 12.0 * UNIT_ROUNDOFF;

/// The turn at a vertex is left for sure beyond this part of its two products, which are off by 3 each and their difference by 1.
const POLYGON_TURN_ERROR: f64 = 8.0 * UNIT_ROUNDOFF;

/// Edges longer than this part of the pair's size and place keep their direction to 20° when vertices are rounded, which
/// moves these by `u·(4·size + place)`.
const POLYGON_EDGE_MIN: f64 = 32.0 * UNIT_ROUNDOFF;

/// A foot farther beyond its edge than this part of the size is on another edge, as deep.
const POLYGON_FOOT_ROOM: f64 = 16.0 * UNIT_ROUNDOFF;

/// Edges within this part of the size of parallel count as facing each other, if the deepest vertex has no foot.
const POLYGON_PARALLEL_HEIGHT: f64 = 64.0 * UNIT_ROUNDOFF;

/// Sizes whose products of fourth degree stay far from the ends of `f64`'s range.
const POLYGON_SIZES: core::ops::Range<f64> = 1e-30..1e30;

/// The conclusion on two polygons of few vertices, without radii.
#[inline(always)]
pub(crate) fn solve<V: Vector>(
    [a, b]: [&Core<'_, V>; 2],
    [pose_a, pose_b]: [&Pose<V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    let (Some(ring_a), Some(ring_b)) = (ring(&a.form), ring(&b.form)) else {
        return Conclusion::Undecided;
    };
    let plain = a.radius == 0.0 && b.radius == 0.0;
    if !plain || (request.width <= 0.0 && request.wanted != Wanted::Verdict) {
        return Conclusion::Undecided;
    }
    let polygons = [(ring_a, pose_a, extent(a)), (ring_b, pose_b, extent(b))];
    match ring_a.len().max(ring_b.len()) {
        0..=4 => with_simd::<V, 1>(&polygons, request, bounds),
        5..=8 => with_simd::<V, 2>(&polygons, request, bounds),
        9..=VERTICES_MAX => with_simd::<V, 4>(&polygons, request, bounds),
        _ => Conclusion::Undecided,
    }
}

/// The polygon's vertices in order.
#[inline(always)]
fn ring<'s, V: Vector>(form: &Form<'s, V>) -> Option<PlanarRing<'s, V>> {
    let ring = match *form {
        Form::Cuboid(half) => {
            let [x, y, _] = half.to_f64();
            return Some(PlanarRing::Rectangle([x, y]));
        }
        Form::Hull(hull) => {
            if let Some(sides) = hull.sides() {
                return Some(PlanarRing::Lanes(sides.corners(), hull.points().len()));
            }
            hull.points()
        }
        Form::Polygon(ring) => ring,
        _ => return None,
    };
    (ring.len() >= 3).then_some(PlanarRing::Vertices(ring))
}

/// Upper bounds of the magnitudes of a polygon's coordinates.
#[inline(always)]
fn extent<V: Vector>(core: &Core<'_, V>) -> V {
    match core.form {
        Form::Cuboid(half) => *half,
        _ => core.extent.lift(),
    }
}

/// Two polygons.
struct PolygonPair<'p, S: Simd, const C: usize> {
    outlines: &'p [Outline<S, C>; 2],
    edges: &'p [Edges<C>; 2],
    size: f64,
    noise: f64,
    /// Sum of the translations' coordinates.
    place: f64,
    /// See [`HighestVertices`].
    largest: f64,
}

/// A polygon's ring, its pose, and bounds of its coordinates.
type PosedRing<'b, V> = (PlanarRing<'b, V>, &'b Pose<V>, V);

/// [`relate`] with instructions that this machine has: the same operations, hence the same bits.
#[inline(never)]
fn with_simd<V: Vector, const C: usize>(
    bodies: &[PosedRing<'_, V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    dispatch!(level(), simd => relate::<_, V, C>(simd, bodies, request, bounds))
}

/// The relation of two polygons.
#[inline(always)]
fn relate<S: Simd, V: Vector, const C: usize>(
    simd: S,
    [a, b]: &[PosedRing<'_, V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    let places = [Place::new(a.1), Place::new(b.1)];
    let from = places[0].translation;
    let between = subtract(places[1].translation, from);
    let place = sum_abs(from) + sum_abs(places[1].translation);
    // Rounding in the world may move vertices by more than their distance.
    let size = places[0].bound(a.2)
        + places[1].bound(b.2)
        + sum_abs(between)
        + place * (8.0 * UNIT_ROUNDOFF);
    let (Some(mirror_a), Some(mirror_b)) = (places[0].mirrors(), places[1].mirrors()) else {
        return Conclusion::Undecided;
    };
    if !(size > POLYGON_SIZES.start && size < POLYGON_SIZES.end && place < POLYGON_SIZES.end) {
        return Conclusion::Undecided;
    }
    let (outline_a, a) = Outline::new(simd, &a.0, &places[0], from, mirror_a);
    let (outline_b, b) = Outline::new(simd, &b.0, &places[1], from, mirror_b);
    let outlines: [Outline<S, C>; 2] = [outline_a, outline_b];
    let largest = top(larger(a.largest, b.largest));
    let (edges_a, score_a) = a.edges(&outlines[1], 0);
    let (edges_b, score_b) = b.edges(&outlines[0], C * LANES);
    let best = larger(highest(score_a), highest(score_b));
    let best = top(best);
    let edges = [edges_a, edges_b];
    let at = (best.to_bits() & TAG) as usize;
    let (side, k) = (at / (C * LANES), at % (C * LANES));
    let pair = PolygonPair {
        outlines: &outlines,
        edges: &edges,
        size,
        noise: POLYGON_ERROR * size,
        place,
        largest,
    };
    if best > 0.0 {
        pair.separated(side, k, request, bounds)
    } else if best < 0.0 {
        pair.overlapping(side, k, request, bounds)
    } else {
        Conclusion::Undecided
    }
}

impl<S: Simd, const C: usize> PolygonPair<'_, S, C> {
    /// Polygons that overlap along all edges, least along edge `k` of one of them.
    ///
    /// Rings that turn left at each vertex and about once are the boundaries of the vertices' hulls, and then all edges of the
    /// difference were tested.
    #[inline(always)]
    fn overlapping(
        &self,
        side: usize,
        k: usize,
        request: &Request,
        bounds: &mut Bounds,
    ) -> Conclusion {
        let edges = &self.edges[side];
        let [x, y] = edges.edge(k);
        let per_length = edges.per_length.as_flattened()[k];
        let depth = -edges.gap.as_flattened()[k] * per_length;
        let (lower, upper) = (
            depth * (1.0 - POLYGON_TAG_ERROR) - self.noise,
            depth + self.noise,
        );
        if !(lower > 0.0 && self.convex(0) && self.convex(1)) {
            return Conclusion::Undecided;
        }
        if request.wanted != Wanted::Contact {
            let in_space = |[x, y]: Planar| [x, y, 0.0];
            let [a, b] = self.outlines;
            bounds.overlap_without_depth([in_space(a.point(0)), in_space(b.point(0))]);
            return Conclusion::Overlapping;
        }
        let outward = [y * per_length, -x * per_length];
        let facing = if is_narrow(upper - lower, upper, request.width, self.size) {
            self.facing(side, k)
        } else {
            None
        };
        let Some((j, points)) = facing else {
            return Conclusion::Undecided;
        };
        bounds.write([-upper, -lower], side, outward, points);
        bounds.highest = Some(self.highest(side, [self.outlines[side].vertex(k), j]));
        Conclusion::Overlapping
    }

    /// What the two vertices are called.
    #[inline(always)]
    fn highest(&self, side: usize, [own, other]: [usize; 2]) -> HighestVertices {
        let mut ids = [0; 2];
        ids[side & 1] = self.outlines[side].id(own);
        ids[(side & 1) ^ 1] = self.outlines[1 - side].id(other);
        HighestVertices {
            ids,
            largest: self.largest,
        }
    }

    /// Whether the ring is surely convex as rounded.
    ///
    /// Its edges have the directions of the exact ring's up to 20°, which turns about once, so exterior angles between 0 and
    /// 180° sum to 360° too.
    #[inline(always)]
    fn convex(&self, side: usize) -> bool {
        let (outline, edges) = (&self.outlines[side], &self.edges[side]);
        let simd = outline.simd;
        let load = |row: [f64; LANES]| f64x4::simd_from(simd, row);
        let least = POLYGON_EDGE_MIN * (self.size + self.place);
        let least = least * least;
        let [x, y] = edges.edge(outline.wrap);
        let last = [f64x4::splat(simd, x), f64x4::splat(simd, y)];
        let mut bad = false;
        for at in 0..C {
            let (x, y) = (load(edges.x[at]), load(edges.y[at]));
            let after = if at + 1 < C {
                [load(edges.x[at + 1]), load(edges.y[at + 1])]
            } else {
                last
            };
            let (p, q) = (x * y.slide::<1>(after[1]), y * x.slide::<1>(after[0]));
            let left = (p - q).simd_gt((p.abs() + q.abs()) * POLYGON_TURN_ERROR);
            bad |= !(left & (x * x + y * y).simd_gt(least)).all_true();
        }
        !bad
    }

    /// The other polygon's deepest vertex below edge `k`, and a point of the edge and a deepest one.
    #[inline(always)]
    fn facing(&self, side: usize, k: usize) -> Option<(usize, [Planar; 2])> {
        let (own, other, edges) = (
            &self.outlines[side],
            &self.outlines[1 - side],
            &self.edges[side],
        );
        let (start, edge) = (own.point(k), edges.edge(k));
        let per_length = edges.per_length.as_flattened()[k];
        let inverse = per_length * per_length;
        let outward = [edge[1], -edge[0]];
        let part = |x: Planar| dot(subtract(x, start), edge) * inverse;
        let j = other.lowest(outward);
        let deepest = other.point(j);
        let t = part(deepest);
        let clamped = if t > 0.0 {
            if t < 1.0 { t } else { 1.0 }
        } else {
            0.0
        };
        let over = (t - clamped) * (edge[0].abs() + edge[1].abs());
        if over.abs() <= POLYGON_FOOT_ROOM * self.size {
            return Some((j, [plus(start, edge, clamped), deepest]));
        }
        // The other's boundary runs against the edge.
        let end = other.point(other.beside(j, t > 1.0));
        let rise = dot(subtract(end, deepest), outward);
        if rise * rise * inverse
            > POLYGON_PARALLEL_HEIGHT * POLYGON_PARALLEL_HEIGHT * self.size * self.size
        {
            return None;
        }
        let u = part(end);
        let (low, high) = if t < u { (t, u) } else { (u, t) };
        let (low, high) = (
            if low > 0.0 { low } else { 0.0 },
            if high < 1.0 { high } else { 1.0 },
        );
        let middle = 0.5 * (low + high);
        (low <= high).then(|| {
            let on_own = plus(start, edge, middle);
            let part = (middle - t) / (u - t);
            (j, [on_own, plus(deepest, subtract(end, deepest), part)])
        })
    }

    /// Polygons separated along edge `k` of one of them.
    #[inline(always)]
    fn separated(
        &self,
        side: usize,
        k: usize,
        request: &Request,
        bounds: &mut Bounds,
    ) -> Conclusion {
        let (own, other, edges) = (
            &self.outlines[side],
            &self.outlines[1 - side],
            &self.edges[side],
        );
        let [x, y] = edges.edge(k);
        let outward = [y, -x];
        let distance_wanted = request.wanted != Wanted::Verdict;
        let near = if distance_wanted {
            nearest(own, other, k, outward, edges.per_length.as_flattened()[k])
        } else {
            NearestPoints {
                direction: outward,
                per_length: edges.per_length.as_flattened()[k],
                points: [[0.0; 2]; 2],
                vertices: [0; 2],
            }
        };
        let rise = top(highest(own.heights(near.direction)));
        let fall = top(highest(other.heights(negative(near.direction))));
        let lower = (-fall - rise) * near.per_length - self.noise;
        // Longer ones lose bits.
        if !(lower > 0.0 && near.per_length < POLYGON_SIZES.end * POLYGON_SIZES.end) {
            return Conclusion::Undecided;
        }
        let [x, y] = near.points;
        let upper = dot(subtract(y, x), near.direction) * near.per_length + self.noise;
        let decided = distance_wanted && is_narrow(upper - lower, upper, request.width, self.size);
        let scale = if decided { near.per_length } else { 1.0 };
        bounds.write(
            [lower, upper],
            side,
            [near.direction[0] * scale, near.direction[1] * scale],
            [x, y],
        );
        bounds.highest = Some(self.highest(side, near.vertices));
        if distance_wanted && !decided {
            // The loop is closer to its end from here than from the centres.
            bounds.first_direction = bounds.normal;
            return Conclusion::Undecided;
        }
        Conclusion::Separated
    }
}

/// Points of two outlines that are nearest to each other, and the direction between them.
///
/// The points are along it to some roundings of their coordinates, so that their distance is their height over each other but
/// for the square of these.
struct NearestPoints {
    direction: Planar,
    /// One over the direction's length.
    per_length: f64,
    points: [Planar; 2],
    /// Of either outline one that is highest along the direction or back.
    vertices: [usize; 2],
}

/// The nearest points, from the edge of `own` with the largest gap on.
///
/// The edges of `other − own` are those of `other` and, reversed, those of `own`, sorted by direction; one of them leaves
/// each pair of vertices either way.
#[inline(always)]
fn nearest<S: Simd, const C: usize>(
    own: &Outline<S, C>,
    other: &Outline<S, C>,
    k: usize,
    outward: Planar,
    per_length: f64,
) -> NearestPoints {
    let (mut i, j) = (own.vertex(k), other.lowest(outward));
    let next = own.beside(i, true);
    let (start, end, facing) = (own.point(i), own.point(next), other.point(j));
    let edge = subtract(end, start);
    let (part, square) = (dot(subtract(facing, start), edge), dot(edge, edge));
    if part >= 0.0 && part <= square {
        let points = [plus(start, edge, part * (per_length * per_length)), facing];
        return NearestPoints {
            direction: outward,
            per_length,
            points,
            vertices: [i, j],
        };
    }
    let forward = part > 0.0;
    if forward {
        i = next;
    }
    walk(own, other, [i, j], forward)
}

/// The nearest points, from two vertices on: the walk takes the edges of the two outlines in the order of their directions, as
/// long as they lead nearer.
#[inline(always)]
fn walk<S: Simd, const C: usize>(
    own: &Outline<S, C>,
    other: &Outline<S, C>,
    [mut i, mut j]: [usize; 2],
    forward: bool,
) -> NearestPoints {
    let mut between = subtract(other.point(j), own.point(i));
    for _ in 0..2 * C * LANES {
        let (beside_i, beside_j) = (own.beside(i, forward), other.beside(j, forward));
        let by_own = subtract(own.point(i), own.point(beside_i));
        let by_other = subtract(other.point(beside_j), other.point(j));
        let turn = by_other[0] * by_own[1] - by_other[1] * by_own[0];
        let other_first = (turn > 0.0) == forward;
        let step = if other_first { by_other } else { by_own };
        let (part, square) = (-dot(between, step), dot(step, step));
        if part <= 0.0 {
            break;
        }
        if part < square {
            let (x, y) = (own.point(i), other.point(j));
            let t = part / square;
            let points = if other_first {
                [x, plus(y, step, t)]
            } else {
                [plus(x, step, -t), y]
            };
            let direction = [step[1], -step[0]];
            let away = dot(direction, between) < 0.0;
            let direction = if away { negative(direction) } else { direction };
            return NearestPoints {
                direction,
                per_length: 1.0 / Scalar::sqrt(square),
                points,
                vertices: [i, j],
            };
        }
        if other_first {
            j = beside_j;
        } else {
            i = beside_i;
        }
        between = subtract(other.point(j), own.point(i));
    }
    let per_length = 1.0 / Scalar::sqrt(dot(between, between));
    NearestPoints {
        direction: between,
        per_length,
        points: [own.point(i), other.point(j)],
        vertices: [i, j],
    }
}

impl Bounds {
    /// Writes the numbers of a polygon, the first or the second, and the other as those of A and B.
    #[inline(always)]
    fn write(
        &mut self,
        [lower, upper]: [f64; 2],
        side: usize,
        [x, y]: Planar,
        points: [Planar; 2],
    ) {
        // Not a choice, which would be mispredicted half of the time.
        let sign = 1.0 - 2.0 * side as f64;
        (self.lower, self.upper, self.normal) = (lower, upper, [x * sign, y * sign, 0.0]);
        let [own, other] = points;
        self.points[side & 1] = [own[0], own[1], 0.0];
        self.points[(side & 1) ^ 1] = [other[0], other[1], 0.0];
    }
}
