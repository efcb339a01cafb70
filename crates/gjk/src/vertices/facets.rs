//! The facets of a hull: the plane and the ring of each, and what is asked of all planes at once, eight an operation.
//!
//! Where it sits: [`super::HullVertices`] holds one of a hull that is not flat and not large; rays (`motion/ray_hull.rs`) ask its planes.
//! Idea: a convex hull is where no plane of a facet has it beyond. A line is beyond a plane until, or from, the time at which it crosses it: it enters the hull at the last of the first
//! kind, and leaves at the first of the others.
//! Numbers: a normal is that of the exact facet, of the given vertices, but for [`STORED_NORMAL_ROUNDINGS`] of its length: needles too, because its products are of two floats.

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
const FACETS_MAX: usize = 1 << 11;

/// The facets of a polyhedron, or the sides of a polygon.
#[derive(Clone, Debug)]
pub(crate) struct Facets {
    /// Of each eight planes a row of a coordinate of their normals, for each of them, and a row of their heights over the origin. The last are filled up with planes that nothing is beyond.
    rows: Vec<Row>,
    dim: usize,
    /// Where the ring of each facet begins in `corners`; one more ends the last.
    starts: Vec<u32>,
    corners: Vec<u32>,
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
        self.crossings_at(self.level, line)
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
mod tests {
    use super::*;
    use crate::math::{Vec2, Vec3};
    use crate::shape::Polytope;
    use crate::support::{Form, Support};
    use crate::vertices::scan::every_level;

    /// Numbers between −1 and 1.
    struct Unit(u64);

    impl Unit {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
        fn point(&mut self, dim: usize) -> Triple {
            let [x, y, z] = [self.next(), self.next(), self.next()];
            [x, y, if dim == 2 { 0.0 } else { z }]
        }
    }

    /// The oracle: one plane after the other. Times, the facet that is entered if it is one, and what is along.
    fn crossed(
        facets: &Facets,
        count: usize,
        line: &FacetLine,
    ) -> ([[f64; 2]; 2], Option<usize>, [bool; 2]) {
        let mut times = [[f64::NEG_INFINITY; 2], [f64::INFINITY; 2]];
        let (mut late, mut sides) = (Vec::new(), [false; 2]);
        for facet in 0..count {
            let (normal, offset) = facets.plane(facet);
            let speed = dot(normal, line.velocity);
            let height = dot(normal, line.point) - offset;
            let at = |error: f64| (error - height) * (1.0 / speed);
            let (over, under) = (at(line.error), at(-line.error));
            if speed < -line.slow {
                times[0] = [times[0][0].max(over), times[0][1].max(under)];
                late.push((under, facet));
            } else if speed > line.slow {
                times[1] = [times[1][0].min(under), times[1][1].min(over)];
            } else if height >= -line.drift {
                sides[0] |= height > line.drift;
                sides[1] = true;
            }
        }
        let mut last = late.iter().filter(|(under, _)| *under >= times[0][0]);
        let one = last.next().filter(|_| last.next().is_none());
        (times, one.map(|&(_, facet)| facet), sides)
    }

    /// Against one plane after the other.
    fn check_most_along(facets: &Facets, count: usize, level: Level, direction: Triple) {
        let rise = |facet: usize| dot(facets.plane(facet).0, direction);
        let (facet, [most, next]) = facets.most_along_at(level, &direction);
        assert_eq!(rise(facet), most, "{level:?}");
        let others = (0..count).filter(|&k| k != facet).map(rise);
        let highest = others.fold(f64::NEG_INFINITY, f64::max);
        // Rows are filled up with planes of no normal.
        assert!(
            highest <= most && (next == highest || next == 0.0),
            "{level:?}"
        );
    }

    /// Against one plane after the other: a facet that no other is farther behind than.
    fn check_facing(facets: &Facets, count: usize, level: Level, points: &[Triple; 2]) {
        let found = Facets::facing_at(level, [facets; 2], points);
        for (facet, &point) in found.into_iter().zip(points) {
            let height = |k: usize| {
                let (normal, offset) = facets.plane(k);
                dot(normal, point) - offset
            };
            assert!(facet < count, "{level:?}");
            assert!((0..count).all(|k| height(k) <= height(facet)), "{level:?}");
        }
    }

    fn check<V: Vector>(body: &Polytope<V>, unit: &mut Unit) {
        let core = body.core();
        let Form::Hull(hull) = core.form else {
            panic!("no hull");
        };
        let facets = hull.facets().expect("facets");
        let count = facets.starts.len() - 1;
        // No vertex is beyond a plane, and those of its ring are on it.
        for facet in 0..count {
            let (normal, offset) = facets.plane(facet);
            assert!((length(normal) - 1.0).abs() < 4.0 * UNIT_ROUNDOFF);
            let height = |x: &V| dot(normal, x.to_f64()) - offset;
            assert!(body.vertices().iter().all(|x| height(x) < 1e-14));
            let ring = facets.ring(facet);
            assert!(ring.len() >= V::DIM);
            assert!(
                ring.iter()
                    .all(|&id| height(&body.vertices()[id as usize]) > -1e-14)
            );
        }
        for k in 0..20 {
            let (point, velocity) = (unit.point(V::DIM).map(|x| 3.0 * x), unit.point(V::DIM));
            let line = FacetLine {
                point,
                velocity,
                // Now and then an edge may be entered by either facet.
                error: [1e-14, 1e-2][k % 3 / 2],
                // And many planes are slow.
                slow: [1e-14, 0.3][k % 2],
                drift: [1e-13, 0.5][k % 2],
            };
            let (times, one, sides) = crossed(facets, count, &line);
            for level in every_level() {
                let found = facets.crossings_at(level, &line);
                assert_eq!([found.enter, found.exit], times, "{level:?}");
                let entered = found.is_one.then_some(found.entered);
                assert_eq!(entered, one, "{level:?}");
                assert_eq!([found.misses, found.along], sides, "{level:?}");
                check_most_along(facets, count, level, velocity);
                check_facing(facets, count, level, &[point, velocity]);
            }
        }
    }

    #[test]
    fn every_level_finds_what_one_plane_after_the_other_does() {
        let mut unit = Unit(7);
        for n in [3, 4, 5, 8, 9, 17, 40, 150] {
            let flat: Vec<_> = (0..n)
                .map(|_| unit.point(2))
                .map(|[x, y, _]| Vec2::new(x, y))
                .collect();
            check(&Polytope::new(&flat).expect("points"), &mut unit);
            let solid: Vec<_> = (0..n + 1)
                .map(|_| unit.point(3))
                .map(|[x, y, z]| Vec3::new(x, y, z))
                .collect();
            check(&Polytope::new(&solid).expect("points"), &mut unit);
        }
    }

    /// A needle's normal is as good as any: by floats alone it would be off by more than rounding.
    #[test]
    fn planes_of_needles_are_known_to_rounding() {
        let points = [
            [0.3, 0.1, 0.7],
            [1.3, 0.7, 0.9],
            [0.8 + 1e-13, 0.4, 0.8],
            [0.2, 0.9, -3.0],
        ];
        let body = Polytope::new(&points.map(|[x, y, z]| Vec3::new(x, y, z))).expect("points");
        check(&body, &mut Unit(3));
    }
}
