//! The sides of a small polygon, all in one row of lanes: when a point, or another such polygon, that moves in a straight line is within all of them.
//!
//! Where it sits: [`super::HullVertices`] holds one of a polygon of at most eight corners; `motion/polygons.rs` asks it, and derives the bound of all heights.
//! Idea: the difference of two polygons has the sides of both. A side's line is as high over the difference as over its own polygon, and the corner of the other one that is farthest back along its
//! normal. Each line is crossed between two times; those that the motion comes towards are entered, the others left.
//! Idea: of a pose `L` the matrix of its minors takes normals to normals across the posed sides, `det L` times as long as heights over them are: without a division, and without a right angle.

use super::facets::Facets;
use super::scan::{LANES, Row};
use crate::math::{Pose, Vector, length, per_length};
use crate::simd::level;
use fearless_simd::{Level, Simd, f64x8, mask64x8, prelude::*};

/// The sides of a polygon, and its corners.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    /// Outer unit normals; lanes that are left over have none.
    normals: [Row; 2],
    /// Heights over the origin; of lanes that are left over infinite.
    heights: Row,
    /// Corners; lanes that are left over have the first ones again.
    corners: [Row; 2],
    /// How far a corner is from the origin at most.
    reach: f64,
    /// See [`super::scan::Columns`].
    level: Level,
}

impl PartialEq for Sides {
    fn eq(&self, other: &Self) -> bool {
        self.normals == other.normals
            && self.heights == other.heights
            && self.corners == other.corners
    }
}

/// A polygon at a pose, but for its place.
#[derive(Clone, Copy)]
pub(crate) struct PosedSides<'s> {
    sides: &'s Sides,
    /// The columns of the pose.
    columns: [[f64; 2]; 2],
    /// By rows what takes a normal to one across the posed side, outward.
    minors: [[f64; 2]; 2],
    /// The factor of heights along such a normal.
    volume: f64,
}

/// How one thing moves against another.
#[derive(Clone, Copy)]
pub(crate) struct SidesLine {
    /// Its place at the start.
    pub(crate) way: [f64; 2],
    pub(crate) velocity: [f64; 2],
}

/// When it is within all sides.
#[derive(Clone, Copy)]
pub(crate) struct SidesCrossed {
    /// Until the first time beyond some side, from the second on behind all that are entered.
    pub(crate) enter: [f64; 2],
    /// Until the first time behind all that are left, from the second on beyond one of them.
    pub(crate) exit: [f64; 2],
    /// Which sides may be the last that is entered: a bit for each of the first polygon, and after eight bits for each of the second.
    candidates: u64,
    /// The outer unit normal of the first of them.
    pub(crate) normal: [f64; 2],
}

impl SidesCrossed {
    /// The polygon and the number of the side that is entered last, if it is one.
    #[inline(always)]
    pub(crate) fn entered(&self) -> Option<(usize, usize)> {
        let number = self.candidates.trailing_zeros() as usize;
        let is_one = self.candidates.is_power_of_two();
        is_one.then_some((number / LANES, number % LANES))
    }

    /// The numbers of two sides, of the first and of the second polygon, one of which it is.
    pub(crate) fn entered_of_two(&self) -> Option<[usize; 2]> {
        let of_both = [self.candidates % (1 << LANES), self.candidates >> LANES];
        let are_one = of_both.iter().all(|of_one| of_one.is_power_of_two());
        are_one.then(|| of_both.map(|of_one| of_one.trailing_zeros() as usize))
    }
}

impl Sides {
    /// `None` in space, and of more sides than there are lanes.
    pub(super) fn new<V: Vector>(points: &[V], facets: &Facets) -> Option<Self> {
        let count = points.len();
        if V::DIM != 2 || count > LANES {
            return None;
        }
        let plane = |side: usize| facets.plane(side);
        let corner = |lane: usize| points[lane % count].to_f64();
        let row = |of: &dyn Fn(usize) -> f64| Row(core::array::from_fn(of));
        let far = points.iter().map(|x| length(x.to_f64()));
        Some(Self {
            normals: [row(&|k| plane(k).0[0]), row(&|k| plane(k).0[1])],
            heights: row(&|k| plane(k).1),
            corners: [row(&|k| corner(k)[0]), row(&|k| corner(k)[1])],
            reach: far.fold(0.0, f64::max),
            level: level(),
        })
    }

    /// Those of a rectangle of these half extents about the origin.
    pub(crate) fn of_rectangle([p, q]: [f64; 2]) -> Self {
        let none = f64::INFINITY;
        Self {
            normals: [
                Row([0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0]),
                Row([-1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            ],
            heights: Row([q, p, q, p, none, none, none, none]),
            corners: [
                Row([-p, p, p, -p, -p, p, p, -p]),
                Row([-q, -q, q, q, -q, -q, q, q]),
            ],
            reach: length([p, q, 0.0]),
            level: level(),
        }
    }

    /// The instruction set to ask it on.
    #[inline(always)]
    pub(crate) fn level(&self) -> Level {
        self.level
    }

    /// The corners in lanes, by their coordinates, the first ones again after the last.
    #[inline(always)]
    pub(crate) fn corners(&self) -> [&[f64; LANES]; 2] {
        [&self.corners[0].0, &self.corners[1].0]
    }

    /// How far a corner is from the origin at most, but for roundings.
    #[inline(always)]
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }
}

impl<'s> PosedSides<'s> {
    /// `None` for a pose that mirrors.
    #[inline(always)]
    pub(crate) fn of<V: Vector>(sides: &'s Sides, pose: &Pose<V>) -> Option<Self> {
        let columns = pose.columns();
        let [a, c, _] = columns[0].to_f64();
        let [b, d, _] = columns[1].to_f64();
        let volume = a * d - b * c;
        // A mirror turns all normals around.
        (volume > 0.0).then_some(Self {
            sides,
            columns: [[a, c], [b, d]],
            minors: [[d, -c], [-b, a]],
            volume,
        })
    }

    /// The outer normal of a posed side, as long as the scale.
    pub(crate) fn normal(&self, side: usize) -> [f64; 2] {
        let [x, y] = &self.sides.normals;
        self.minors
            .map(|[a, b]| a * x.0[side % LANES] + b * y.0[side % LANES])
    }

    /// The corners at the ends of a side, counter-clockwise, beside the place.
    pub(crate) fn ends(&self, side: usize) -> [[f64; 2]; 2] {
        let [x, y] = &self.sides.corners;
        let [p, q] = self.columns;
        // After the last one comes the first, which fills the lanes too.
        [side % LANES, (side + 1) % LANES].map(|k| {
            let (x, y) = (x.0[k], y.0[k]);
            [p[0] * x + q[0] * y, p[1] * x + q[1] * y]
        })
    }
}

// What follows is inlined into one function an instruction set, in `motion/polygons.rs` or `motion/turning_polygons.rs`: only there its instructions may be used.

/// Two coordinates of eight points or normals.
pub(super) type Pairs<S> = [f64x8<S>; 2];

#[inline(always)]
pub(super) fn splat<S: Simd>(simd: S, [x, y]: [f64; 2]) -> Pairs<S> {
    [f64x8::splat(simd, x), f64x8::splat(simd, y)]
}

#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, [x, y]: &[Row; 2]) -> Pairs<S> {
    [f64x8::from_slice(simd, &x.0), f64x8::from_slice(simd, &y.0)]
}

#[inline(always)]
pub(super) fn dot<S: Simd>(a: &Pairs<S>, b: &Pairs<S>) -> f64x8<S> {
    a[0] * b[0] + a[1] * b[1]
}

/// A matrix by rows times each.
#[inline(always)]
pub(super) fn product<S: Simd>(simd: S, [first, second]: [[f64; 2]; 2], x: &Pairs<S>) -> Pairs<S> {
    [dot(&splat(simd, first), x), dot(&splat(simd, second), x)]
}

/// The normals of the posed sides.
#[inline(always)]
pub(super) fn normals<S: Simd>(simd: S, body: &PosedSides<'_>) -> Pairs<S> {
    product(simd, body.minors, &load(simd, &body.sides.normals))
}

/// How high the sides are over the place, along those normals.
#[inline(always)]
pub(super) fn heights<S: Simd>(simd: S, body: &PosedSides<'_>) -> f64x8<S> {
    f64x8::splat(simd, body.volume) * f64x8::from_slice(simd, &body.sides.heights.0)
}

/// The corners of a polygon, beside its place.
#[inline(always)]
pub(super) fn corners<S: Simd>(simd: S, body: &PosedSides<'_>) -> Pairs<S> {
    let [p, q] = body.columns;
    let rows = [[p[0], q[0]], [p[1], q[1]]];
    product(simd, rows, &load(simd, &body.sides.corners))
}

/// The corner that is farthest back along a direction, beside the place.
#[inline(always)]
pub(crate) fn back_along<S: Simd>(simd: S, body: &PosedSides<'_>, direction: [f64; 2]) -> [f64; 2] {
    let corners = corners(simd, body);
    let heights = dot(&corners, &splat(simd, direction));
    let least = f64x8::splat(simd, simd.reduce_min_f64x8(heights));
    let lane = heights.simd_eq(least).to_bitmask().trailing_zeros() as usize % LANES;
    [corners[0][lane], corners[1][lane]]
}

/// How far back along each normal the corners of a polygon reach, beside its place.
#[inline(always)]
fn back<S: Simd>(simd: S, body: &PosedSides<'_>, normals: &Pairs<S>) -> f64x8<S> {
    lowest_along(simd, normals, &corners(simd, body))
}

/// The height of the lowest of eight points along each normal.
#[inline(always)]
pub(super) fn lowest_along<S: Simd>(simd: S, normals: &Pairs<S>, [x, y]: &Pairs<S>) -> f64x8<S> {
    // Two at once, which need not wait for each other.
    let mut least = [
        dot(normals, &splat(simd, [x[0], y[0]])),
        dot(normals, &splat(simd, [x[1], y[1]])),
    ];
    for k in 2..LANES {
        least[k % 2] = least[k % 2].min(dot(normals, &splat(simd, [x[k], y[k]])));
    }
    least[0].min(least[1])
}

/// The two times between which each side is crossed, and whether it is entered.
#[derive(Clone, Copy)]
struct CrossedSides<S: Simd> {
    normals: Pairs<S>,
    times: [f64x8<S>; 2],
    enters: mask64x8<S>,
}

/// Of sides with some normals, so high beside a place.
#[inline(always)]
fn crossed<S: Simd>(
    simd: S,
    normals: &Pairs<S>,
    below: f64x8<S>,
    line: &SidesLine,
    error: f64,
) -> CrossedSides<S> {
    let speed = dot(normals, &splat(simd, line.velocity));
    let height = dot(normals, &splat(simd, line.way)) - below;
    let enters = speed.simd_lt(f64x8::splat(simd, 0.0));
    // Slower than that it is as good as at rest.
    let least = f64x8::splat(simd, f64::MIN_POSITIVE);
    let per = f64x8::splat(simd, 1.0) / speed.abs().max(least);
    let ahead = enters.select(height, -height);
    let error = f64x8::splat(simd, error);
    CrossedSides {
        normals: *normals,
        times: [(ahead - error) * per, (ahead + error) * per],
        enters,
    }
}

/// The largest time of the sides that are entered.
#[inline(always)]
fn last<S: Simd, const N: usize>(simd: S, sets: &[CrossedSides<S>; N], which: usize) -> f64 {
    let never = f64x8::splat(simd, f64::NEG_INFINITY);
    let mut most = sets[0].enters.select(sets[0].times[which], never);
    for set in &sets[1..] {
        most = most.max(set.enters.select(set.times[which], never));
    }
    simd.reduce_max_f64x8(most)
}

/// The least time of those that are left.
#[inline(always)]
fn first<S: Simd, const N: usize>(simd: S, sets: &[CrossedSides<S>; N], which: usize) -> f64 {
    let always = f64x8::splat(simd, f64::INFINITY);
    let mut least = sets[0].enters.select(always, sets[0].times[which]);
    for set in &sets[1..] {
        least = least.min(set.enters.select(always, set.times[which]));
    }
    simd.reduce_min_f64x8(least)
}

#[inline(always)]
fn passage<S: Simd, const N: usize>(simd: S, sets: &[CrossedSides<S>; N]) -> SidesCrossed {
    let enter = [last(simd, sets, 0), last(simd, sets, 1)];
    let exit = [first(simd, sets, 0), first(simd, sets, 1)];
    let from = f64x8::splat(simd, enter[0]);
    let mut candidates = 0_u64;
    for (k, set) in sets.iter().enumerate() {
        let may = set.times[1].simd_ge(from) & set.enters;
        candidates |= may.to_bitmask() << (LANES * k);
    }
    let first = candidates.trailing_zeros() as usize;
    let [x, y] = &sets[first / LANES % N].normals;
    let (x, y) = (x[first % LANES], y[first % LANES]);
    let per = per_length(x * x + y * y);
    SidesCrossed {
        enter,
        exit,
        candidates,
        normal: [x * per, y * per],
    }
}

/// When a point is within, with the bound of heights.
#[inline(always)]
pub(crate) fn crossed_by_point<S: Simd>(
    simd: S,
    body: &PosedSides<'_>,
    line: &SidesLine,
    error: f64,
) -> SidesCrossed {
    let (normals, below) = (normals(simd, body), heights(simd, body));
    passage(simd, &[crossed(simd, &normals, below, line, error)])
}

/// When the sides of one polygon are crossed by another.
#[inline(always)]
fn against<S: Simd>(
    simd: S,
    body: &PosedSides<'_>,
    other: &PosedSides<'_>,
    line: &SidesLine,
    error: f64,
) -> CrossedSides<S> {
    let normals = normals(simd, body);
    let below = heights(simd, body) - back(simd, other, &normals);
    crossed(simd, &normals, below, line, error)
}

/// When the second of two polygons is in contact with the first, with the bounds of heights over the sides of each.
#[inline(always)]
pub(crate) fn crossed_by_polygon<S: Simd>(
    simd: S,
    [a, b]: &[PosedSides<'_>; 2],
    line: &SidesLine,
    errors: [f64; 2],
) -> SidesCrossed {
    let ([x, y], [u, v]) = (line.way, line.velocity);
    let returned = SidesLine {
        way: [-x, -y],
        velocity: [-u, -v],
    };
    let first = against(simd, a, b, line, errors[0]);
    passage(simd, &[first, against(simd, b, a, &returned, errors[1])])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose2, Vec2};
    use crate::random::Random;
    use crate::shape::Polytope;
    use crate::support::{Form, Support};
    use crate::vertices::HullVertices;
    use crate::vertices::scan::every_level;
    use alloc::vec::Vec;
    use core::f64::consts::PI;
    use fearless_simd::dispatch;

    fn flat(x: &Vec2<f64>) -> [f64; 2] {
        [x.component(0), x.component(1)]
    }

    fn inner(a: [f64; 2], b: [f64; 2]) -> f64 {
        a[0] * b[0] + a[1] * b[1]
    }

    /// The number of a side, as of [`SidesCrossed`], its two times, whether it is entered, and its unit normal.
    type Side = (usize, [f64; 2], bool, [f64; 2]);

    /// A polygon at a pose.
    type Placed<'p> = (&'p HullVertices<Vec2<f64>>, &'p Pose2<f64>);

    /// The sides of a polygon, numbered from the first, one after the other.
    fn sides_of(
        (hull, pose): Placed<'_>,
        corners: &[[f64; 2]],
        line: &SidesLine,
        (error, from): (f64, usize),
    ) -> Vec<Side> {
        let [[a, c], [b, d]] = [0, 1].map(|k| flat(&pose.columns()[k]));
        let side = |k: usize| {
            let ([x, y, _], height) = hull.facets().expect("facets").plane(k);
            let normal = [d * x + -c * y, -b * x + a * y];
            let backs = corners.iter().map(|&corner| inner(normal, corner));
            let back = backs.reduce(f64::min);
            let volume = a * d - b * c;
            let below = back.map_or(volume * height, |back| volume * height - back);
            let (speed, over) = (
                inner(normal, line.velocity),
                inner(normal, line.way) - below,
            );
            let ahead = if speed < 0.0 { over } else { -over };
            let per = 1.0 / speed.abs().max(f64::MIN_POSITIVE);
            let unit = 1.0 / inner(normal, normal).sqrt();
            let times = [(ahead - error) * per, (ahead + error) * per];
            (from + k, times, speed < 0.0, normal.map(|x| x * unit))
        };
        (0..hull.points().len()).map(side).collect()
    }

    /// Against one side after the other.
    fn check(found: &SidesCrossed, sides: &[Side]) {
        let of = |enters: bool, i: usize| {
            let sides = sides.iter().filter(move |side| side.2 == enters);
            sides.map(move |side| side.1[i])
        };
        let last = |i: usize| of(true, i).fold(f64::NEG_INFINITY, f64::max);
        let first = |i: usize| of(false, i).fold(f64::INFINITY, f64::min);
        assert_eq!(
            [found.enter, found.exit],
            [[last(0), last(1)], [first(0), first(1)]]
        );
        let mut candidates = sides.iter().filter(|side| side.2 && side.1[1] >= last(0));
        let (number, .., normal) = candidates.next().expect("a side");
        for k in 0..2 {
            let off = (found.normal[k] - normal[k]).abs();
            assert!(off <= 2.0 * f64::EPSILON, "{:?} {normal:?}", found.normal);
        }
        let others: Vec<_> = candidates.collect();
        let one = (number / LANES, number % LANES);
        assert_eq!(found.entered(), others.is_empty().then_some(one));
        let two = match others[..] {
            [other] if *number < LANES && other.0 >= LANES => Some([*number, other.0 - LANES]),
            _ => None,
        };
        assert_eq!(found.entered_of_two(), two);
    }

    /// Two polygons at their poses against one side after the other, on every level.
    fn check_pair(bodies: [Placed<'_>; 2], line: &SidesLine, errors: [f64; 2]) {
        let returned = SidesLine {
            way: line.way.map(|x| -x),
            velocity: line.velocity.map(|x| -x),
        };
        let posed = bodies.map(|(hull, pose)| {
            PosedSides::of(hull.sides().expect("sides"), pose).expect("no mirror")
        });
        let corners = bodies.map(|(hull, pose)| {
            let world = hull.points().iter().map(|&x| flat(&pose.vector(x)));
            world.collect::<Vec<_>>()
        });
        let alone = sides_of(bodies[0], &[], line, (errors[0], 0));
        let mut both = sides_of(bodies[0], &corners[1], line, (errors[0], 0));
        both.extend(sides_of(
            bodies[1],
            &corners[0],
            &returned,
            (errors[1], LANES),
        ));
        let height = |x: &[f64; 2]| inner(*x, line.way);
        let least = corners[0].iter().map(height).reduce(f64::min);
        for level in every_level() {
            let [first, _] = &posed;
            let by_point = dispatch!(level, simd => crossed_by_point(simd, first, line, errors[0]));
            check(&by_point, &alone);
            let by_polygon =
                dispatch!(level, simd => crossed_by_polygon(simd, &posed, line, errors));
            check(&by_polygon, &both);
            let corner = dispatch!(level, simd => back_along(simd, first, line.way));
            assert_eq!(Some(height(&corner)), least, "{level:?}");
        }
    }

    #[test]
    fn every_level_finds_what_one_side_after_the_other_does() {
        let mut numbers = Random(11);
        let mut random = || numbers.next();
        for n in [3, 4, 5, 6, 8].repeat(20) {
            let mut body = || {
                let mut point = |k: i32| {
                    let angle = (f64::from(k) + 0.4 * random()) * 2.0 * PI / f64::from(n);
                    Vec2::new(angle.cos(), angle.sin())
                };
                let points: Vec<_> = (0..n).map(&mut point).collect();
                let (sin, cos) = (3.0 * random()).sin_cos();
                let pose = Pose2::from_cos_sin(cos, sin, Vec2::new(0.0, 0.0));
                (Polytope::new(&points).expect("points"), pose)
            };
            let [(a, pose_a), (b, pose_b)] = [body(), body()];
            let (Form::Hull(of_a), Form::Hull(of_b)) = (a.core().form, b.core().form) else {
                panic!("no hulls");
            };
            let line = SidesLine {
                way: [4.0 * random(), 4.0 * random()],
                velocity: [random(), random()],
            };
            // Now and then a corner may be entered by either side.
            let errors = if n == 5 { [0.1, 0.2] } else { [1e-15; 2] };
            check_pair([(of_a, &pose_a), (of_b, &pose_b)], &line, errors);
        }
    }
}
