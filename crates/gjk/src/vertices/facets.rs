//! The facets of a hull: the plane and the ring of each, and what is asked of all planes at once, eight an operation.
//!
//! Where it sits: [`super::HullVertices`] holds one of a hull that is not flat and not large; rays (`motion/ray_hull.rs`) ask its planes.
//! Idea: a convex hull is where no plane of a facet has it beyond. A line is beyond a plane until, or from, the time at which it crosses it: it enters the hull at the last of the first
//! kind, and leaves at the first of the others.
//! Numbers: a normal is that of the exact facet, of the given vertices, but for [`STORED_NORMAL_ROUNDINGS`] of its length: needles too, because its products are of two floats.

use super::rough_facets::{RoughFacets, RoughPassage};
use super::scan::{LANES, Row, splat};
use crate::math::Vector;
use crate::math::triple::{Triple, dot, length};
use crate::rounding::UNIT_ROUNDOFF;
use crate::simd::level;
use alloc::vec::Vec;
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use gjk_exact::number::{Double, Number};

/// A stored unit normal is off by so many roundings at most: its components 2, its length 2, the quotient 1.
pub(crate) const STORED_NORMAL_ROUNDINGS: f64 = 5.0;

/// Coordinates up to this, and down to its reciprocal, have products and sums of products that are floats, and so are what is rounded of them.
const FACET_SIZE_MAX: f64 = (1u128 << 100) as f64;

/// Of larger hulls no planes are kept: walks that ask for farthest vertices are faster there.
pub(super) const FACETS_MAX: usize = 1 << 11;

/// The facets of a polyhedron, or the sides of a polygon.
#[derive(Clone, Debug)]
pub(crate) struct Facets {
    /// Of each eight planes a row of a coordinate of their normals, for each of them, and a row of their heights over the origin. The last are filled up with planes that nothing is beyond.
    rows: Vec<Row>,
    dim: usize,
    /// Where the ring of each facet begins in `corners`; one more ends the last.
    starts: Vec<u32>,
    corners: Vec<u32>,
    /// The same planes in `f32`, of a polyhedron of many.
    rough: Option<RoughFacets>,
    /// See [`super::scan::Columns`].
    level: Level,
}

impl PartialEq for Facets {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows && self.dim == other.dim && self.corners == other.corners
    }
}

/// A point that moves, and how far heights may be off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FacetLine {
    pub(crate) point: Triple,
    pub(crate) velocity: Triple,
    /// The bound of a height at all times that count.
    pub(crate) error: f64,
    /// A plane that is approached by no more than this is not crossed.
    pub(crate) slow: f64,
    /// Lower than this over such a plane, the point is behind it at all times that count; or beyond it, if it is higher.
    pub(crate) drift: f64,
    /// The sum of how far the point and the hull are from the hull's origin, and of its way while it counts.
    pub(crate) lengths: f64,
    pub(crate) speed: f64,
}

/// Where a line crosses the planes of all facets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FacetCrossings {
    /// Of the planes that the line comes towards: until the first time some plane has it beyond, from the second on it is behind all of them.
    pub(crate) enter: [f64; 2],
    /// The same of the others: behind all of them until the first time, beyond one of them from the second on.
    pub(crate) exit: [f64; 2],
    /// The facet that is crossed last of the first kind.
    pub(crate) entered: usize,
    /// Whether no other facet may be the last.
    pub(crate) is_one: bool,
    /// Whether a plane along the line has it beyond.
    pub(crate) misses: bool,
    /// Whether the line is within the bounds of a plane along it.
    pub(crate) along: bool,
}

impl FacetCrossings {
    /// Of a line that is beyond some plane at every time.
    const MISSED: Self = Self {
        enter: [f64::INFINITY; 2],
        exit: [f64::NEG_INFINITY; 2],
        entered: 0,
        is_one: false,
        misses: true,
        along: false,
    };
}

impl Facets {
    /// Of the hull of some points with these rings, counter-clockwise seen from outside; in the plane its corners in order. `None` for a large hull, and for sizes at the ends of their range.
    pub(super) fn new<V: Vector>(
        points: &[V],
        rings: &mut dyn Iterator<Item = &[u32]>,
    ) -> Option<Self> {
        let size = super::extent(points).to_f64();
        let size = length(size);
        if !(1.0 / FACET_SIZE_MAX < size && size < FACET_SIZE_MAX) {
            return None;
        }
        let (mut starts, mut corners) = (alloc::vec![0], Vec::new());
        let mut planes = Vec::new();
        for ring in rings {
            if planes.len() == FACETS_MAX {
                return None;
            }
            planes.push(plane(points, ring)?);
            corners.extend_from_slice(ring);
            starts.push(corners.len() as u32);
        }
        let component = |facet: usize, row: usize| match planes.get(facet) {
            Some((normal, _)) if row < V::DIM => normal[row],
            Some((_, height)) => *height,
            None if row < V::DIM => 0.0,
            None => f64::INFINITY,
        };
        let rough = if V::DIM == 3 {
            RoughFacets::new(planes.len(), size, |k| planes[k])
        } else {
            None
        };
        let stride = V::DIM + 1;
        let row = |at: usize| {
            Row(core::array::from_fn(|lane| {
                component(at / stride * LANES + lane, at % stride)
            }))
        };
        Some(Self {
            rows: (0..planes.len().div_ceil(LANES) * stride)
                .map(row)
                .collect(),
            dim: V::DIM,
            starts,
            corners,
            rough,
            level: level(),
        })
    }

    /// The corners of a facet, counter-clockwise seen from outside.
    pub(crate) fn ring(&self, facet: usize) -> &[u32] {
        let bounds = self.starts.get(facet).zip(self.starts.get(facet + 1));
        bounds
            .and_then(|(&from, &to)| self.corners.get(from as usize..to as usize))
            .unwrap_or(&[])
    }

    /// The outer unit normal of a facet, and its plane's height over the origin.
    pub(crate) fn plane(&self, facet: usize) -> (Triple, f64) {
        let (first, lane) = (facet / LANES * (self.dim + 1), facet % LANES);
        let at = |row: usize| self.rows[first + row].0[lane];
        let third = if self.dim == 3 { at(2) } else { 0.0 };
        ([at(0), at(1), third], at(self.dim))
    }

    /// Where a line crosses all planes.
    pub(crate) fn crossings(&self, line: &FacetLine) -> FacetCrossings {
        let found = self
            .rough
            .as_ref()
            .map(|rough| rough.passage(self.level, line));
        match found {
            Some(RoughPassage::Misses) => FacetCrossings::MISSED,
            Some(RoughPassage::Between(facets)) => self.between(line, facets),
            Some(RoughPassage::Unknown) | None => self.crossings_at(self.level, line),
        }
    }

    /// Where a line that is known to pass between two facets crosses their planes: the operations of [`crossings`].
    fn between(&self, line: &FacetLine, facets: [usize; 2]) -> FacetCrossings {
        let times = |facet: usize| {
            let (normal, offset) = self.plane(facet);
            let height = dot(normal, line.point) - offset;
            let per = 1.0 / dot(normal, line.velocity);
            [(line.error - height) * per, (-line.error - height) * per]
        };
        let [enter, [late, early]] = facets.map(times);
        FacetCrossings {
            enter,
            exit: [early, late],
            entered: facets[0],
            is_one: true,
            misses: false,
            along: false,
        }
    }

    fn crossings_at(&self, level: Level, line: &FacetLine) -> FacetCrossings {
        let rows = &self.rows[..];
        if self.dim == 2 {
            dispatch!(level, simd => crossings::<_, 2>(simd, rows, line))
        } else {
            dispatch!(level, simd => crossings::<_, 3>(simd, rows, line))
        }
    }

    /// How far a point is beyond the plane that it is farthest beyond; negative inside.
    pub(crate) fn beyond(&self, point: Triple) -> f64 {
        let rows = &self.rows[..];
        if self.dim == 2 {
            dispatch!(self.level, simd => beyond::<_, 2>(simd, rows, &point))
        } else {
            dispatch!(self.level, simd => beyond::<_, 3>(simd, rows, &point))
        }
    }

    /// Of two bodies the facet each that a point is farthest beyond; the first of equals in its lane. One call in the place of two.
    // Not `#[inline]`: every crate that calls it would compile it again, once an instruction set.
    pub(crate) fn facing([a, b]: [&Self; 2], points: &[Triple; 2]) -> [usize; 2] {
        Self::facing_at(a.level, [a, b], points)
    }

    fn facing_at(level: Level, [a, b]: [&Self; 2], [x, y]: &[Triple; 2]) -> [usize; 2] {
        let (planes_a, planes_b) = (&a.rows[..], &b.rows[..]);
        if a.dim == 2 {
            dispatch!(level, simd => [facing::<_, 2>(simd, planes_a, x), facing::<_, 2>(simd, planes_b, y)])
        } else {
            dispatch!(level, simd => [facing::<_, 3>(simd, planes_a, x), facing::<_, 3>(simd, planes_b, y)])
        }
    }

    /// The facet whose normal is nearest to a direction; the inner products of that normal, and of the next one, with the direction.
    pub(crate) fn most_along(&self, direction: Triple) -> (usize, [f64; 2]) {
        self.most_along_at(self.level, &direction)
    }

    fn most_along_at(&self, level: Level, direction: &Triple) -> (usize, [f64; 2]) {
        let rows = &self.rows[..];
        if self.dim == 2 {
            dispatch!(level, simd => most_along::<_, 2>(simd, rows, direction))
        } else {
            dispatch!(level, simd => most_along::<_, 3>(simd, rows, direction))
        }
    }
}

#[inline(always)]
fn beyond<S: Simd, const DIM: usize>(simd: S, rows: &[Row], point: &Triple) -> f64 {
    let point = splat(simd, point);
    let mut most = f64x8::splat(simd, f64::NEG_INFINITY);
    for block in rows.chunks_exact(DIM + 1) {
        let row = |k: usize| f64x8::from_slice(simd, &block[k].0);
        let mut height = row(0) * point[0] + row(1) * point[1];
        if DIM == 3 {
            height += row(2) * point[2];
        }
        most = most.max(height - row(DIM));
    }
    let lanes = most.as_slice().iter();
    lanes.fold(f64::NEG_INFINITY, |most, x| most.max(*x))
}

#[inline(always)]
fn facing<S: Simd, const DIM: usize>(simd: S, rows: &[Row], point: &Triple) -> usize {
    let point = splat(simd, point);
    let mut most = f64x8::splat(simd, f64::NEG_INFINITY);
    // Numbers of facets as floats, so that one mask serves both.
    let mut chosen = f64x8::splat(simd, 0.0);
    let mut first = 0.0;
    for rows in rows.chunks_exact(DIM + 1) {
        let height = along::<S, DIM>(simd, rows, &point) - f64x8::from_slice(simd, &rows[DIM].0);
        let higher = height.simd_gt(most);
        most = higher.select(height, most);
        chosen = higher.select(f64x8::splat(simd, first), chosen);
        first += LANES as f64;
    }
    let top = f64x8::splat(simd, simd.reduce_max_f64x8(most));
    let lane = most.simd_eq(top).to_bitmask().trailing_zeros() as usize % LANES;
    chosen[lane] as usize + lane
}

/// The plane of a ring: unit normal, height over the origin.
fn plane<V: Vector>(points: &[V], ring: &[u32]) -> Option<(Triple, f64)> {
    let at = |id: u32| points[id as usize].to_f64();
    let (normal, error) = if V::DIM == 2 {
        let [from, to] = [at(ring[0]), at(ring[1])];
        ([to[1] - from[1], from[0] - to[0], 0.0], 0.0)
    } else {
        spatial_normal(&mut ring.iter().map(|&id| at(id)))
    };
    let size = length(normal);
    if !(size > 0.0 && error <= UNIT_ROUNDOFF * size) {
        return None;
    }
    let normal = normal.map(|x| x / size);
    let heights = ring.iter().map(|&id| dot(normal, at(id)));
    let height = heights.reduce(|a, b| if b > a { b } else { a })?;
    Some((normal, height))
}

/// Twice the area of a ring along its normal, each component rounded once, and what two floats do not hold of it.
fn spatial_normal(ring: &mut dyn Iterator<Item = Triple>) -> (Triple, f64) {
    let (Some(first), Some(second)) = (ring.next(), ring.next()) else {
        return ([0.0; 3], 0.0);
    };
    let from =
        |x: Triple| -> [Double; 3] { core::array::from_fn(|k| Double::difference(x[k], first[k])) };
    let mut before = from(second);
    let mut sum = [Double::from_f64(0.0); 3];
    for x in ring {
        let after = from(x);
        for (k, part) in sum.iter_mut().enumerate() {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let minor = before[i]
                .times(&after[j])
                .minus(&before[j].times(&after[i]));
            *part = part.plus(&minor);
        }
        before = after;
    }
    let error = sum.iter().map(Double::error).sum();
    (sum.map(|x| x.value().0), error)
}

// What follows is inlined into one function an instruction set, which is the only place where its instructions may be used.

/// The heights of eight planes' normals along a vector.
#[inline(always)]
fn along<S: Simd, const DIM: usize>(simd: S, rows: &[Row], x: &[f64x8<S>; 3]) -> f64x8<S> {
    let sum =
        f64x8::from_slice(simd, &rows[0].0) * x[0] + f64x8::from_slice(simd, &rows[1].0) * x[1];
    if DIM == 2 {
        sum
    } else {
        sum + f64x8::from_slice(simd, &rows[2].0) * x[2]
    }
}

#[inline(always)]
fn crossings<S: Simd, const DIM: usize>(simd: S, rows: &[Row], line: &FacetLine) -> FacetCrossings {
    let (point, velocity) = (splat(simd, &line.point), splat(simd, &line.velocity));
    let all = |x: f64| f64x8::splat(simd, x);
    let (error, slow, drift) = (all(line.error), all(line.slow), all(line.drift));
    let (never, always) = (all(f64::NEG_INFINITY), all(f64::INFINITY));
    // Of the planes that are entered the last early time, and the last late time, the next after it and its facet; of the others the first early and late time.
    let (mut enter, mut late, mut next, mut entered) = (never, never, never, all(0.0));
    let (mut soon, mut exit) = (always, always);
    let (mut first, mut misses, mut along_it) = (0.0, false, false);
    for rows in rows.chunks_exact(DIM + 1) {
        let speed = along::<S, DIM>(simd, rows, &velocity);
        let height = along::<S, DIM>(simd, rows, &point) - f64x8::from_slice(simd, &rows[DIM].0);
        let per = all(1.0) / speed;
        let (over, under) = ((error - height) * per, (-error - height) * per);
        let (enters, exits) = (speed.simd_lt(-slow), speed.simd_gt(slow));
        enter = enter.max(enters.select(over, never));
        let crossed = enters.select(under, never);
        let later = crossed.simd_gt(late);
        next = next.max(later.select(late, crossed));
        late = later.select(crossed, late);
        // Numbers of facets as floats, so that one mask serves both.
        entered = later.select(all(first), entered);
        soon = soon.min(exits.select(under, always));
        exit = exit.min(exits.select(over, always));
        let near = height.simd_ge(-drift) & !(enters | exits);
        if near.to_bitmask() != 0 {
            misses |= (near & height.simd_gt(drift)).to_bitmask() != 0;
            along_it = true;
        }
        first += LANES as f64;
    }
    let enter = [simd.reduce_max_f64x8(enter), simd.reduce_max_f64x8(late)];
    let candidates = late.simd_ge(all(enter[0])).to_bitmask();
    let nexts = next.simd_ge(all(enter[0])).to_bitmask();
    let lane = (candidates.trailing_zeros() % LANES as u32) as usize;
    FacetCrossings {
        enter,
        exit: [simd.reduce_min_f64x8(soon), simd.reduce_min_f64x8(exit)],
        entered: entered[lane] as usize + lane,
        is_one: candidates.is_power_of_two() && nexts == 0,
        along: along_it,
        misses,
    }
}

#[inline(always)]
fn most_along<S: Simd, const DIM: usize>(
    simd: S,
    rows: &[Row],
    direction: &Triple,
) -> (usize, [f64; 2]) {
    let direction = splat(simd, direction);
    let none = f64x8::splat(simd, f64::NEG_INFINITY);
    let (mut best, mut next) = (none, none);
    let mut chosen = f64x8::splat(simd, 0.0);
    let mut first = 0.0;
    for rows in rows.chunks_exact(DIM + 1) {
        let rise = along::<S, DIM>(simd, rows, &direction);
        let higher = rise.simd_gt(best);
        let lesser = higher.select(best, rise);
        next = lesser.simd_gt(next).select(lesser, next);
        best = higher.select(rise, best);
        chosen = higher.select(f64x8::splat(simd, first), chosen);
        first += LANES as f64;
    }
    let top = simd.reduce_max_f64x8(best);
    let lane = best.simd_eq(f64x8::splat(simd, top)).to_bitmask();
    let lane = (lane.trailing_zeros() % LANES as u32) as usize;
    let mut second = simd.reduce_max_f64x8(next);
    for k in (0..LANES).filter(|&k| k != lane) {
        second = if best[k] > second { best[k] } else { second };
    }
    (chosen[lane] as usize + lane, [top, second])
}

#[cfg(test)]
mod tests;
