//! When a point that moves in a straight line is within some slabs, in floats with bounds that prove what they say.
//!
//! Where it sits: below `ray_box.rs` and `cast_box.rs`, which make the slabs: those of a box, and those of the difference of two.
//! Idea: a convex body that is symmetric about its centre is where every height `n·(p − c)` is within `±half`, with `n` across its faces. A point is within each slab for a
//! piece of time; it is in the body while it is in all of them.
//! Numbers: heights and speeds have bounds. A body of rounded vertices has no point beyond slabs that are wider by as much, and all points of slabs that are narrower by
//! as much: a convex body whose support function is less by at most `e` contains the other one eroded by a ball of the radius `e`.
//! Source: Kay, Kajiya 1986 (slabs).

use super::float_ends::LINE_SIZE_MAX;
use super::options::MotionOptions;
use crate::math::{Pose, Scalar, Triple, Vector64, cross, dot, larger, length, smaller};
use crate::rounding::UNIT_ROUNDOFF;
use gjk_exact::number::{two_product, two_sum};

/// Roundings of a height over a slab, of the product of two edges' lengths and the way from the centre: the product of the edges 3, the way 1, the inner product 3, the difference
/// from half the height 1.
const SLAB_WAY_ROUNDINGS: f64 = 8.0;

/// The same, of the half edges: the product of the edges 3; of half the height the product 3, the inner product 3, its factor 1, the sum 5; the difference 1; a vertex 4. The rest is room.
const SLAB_REACH_ROUNDINGS: f64 = 24.0;

/// The same, of the place of the centre, which is in each vertex.
const SLAB_PLACE_ROUNDINGS: f64 = 2.0;

/// Roundings of a speed through a slab, of the product of two edges' lengths and the speeds: the product 3, the difference of the velocities 1, the inner product 3. The rest is room.
const SLAB_SPEED_ROUNDINGS: f64 = 8.0;

/// A slab is crossed if the speed is greater than so many of its bounds.
const SLAB_SPEEDS_MIN: f64 = 16.0;

/// Bounds of height and speed are so much of a time's, by the rounded speed: more than `16/15`.
const SLAB_TIME_ROOM: f64 = 1.125;

/// Roundings of a time, of itself, beside those of height and speed: a quotient, a product. The rest is room.
const SLAB_TIME_ROUNDINGS: f64 = 4.0;

/// The sizes of which the bounds of all slabs are made.
pub(super) struct SlabSizes {
    /// The length of the way from the centre.
    pub(super) way: f64,
    /// The sum of the half edges' lengths.
    pub(super) reach: f64,
    /// The sum of the places' magnitudes.
    pub(super) places: f64,
    /// The sum of the speeds.
    pub(super) speeds: f64,
    /// Roundings by which an edge may be moved.
    pub(super) moved: f64,
}

impl SlabSizes {
    /// Whether products of these neither overflow nor underflow.
    #[inline(always)]
    pub(super) fn fit(&self) -> bool {
        fits(self.way + self.reach + self.places) && fits(self.speeds)
    }

    /// The bounds of a height, and of a speed, for two edges of the length one.
    #[inline(always)]
    pub(super) fn errors(&self) -> [f64; 2] {
        let height = (SLAB_WAY_ROUNDINGS + self.moved) * self.way
            + (SLAB_REACH_ROUNDINGS + 2.0 * self.moved) * self.reach
            + SLAB_PLACE_ROUNDINGS * self.places;
        let speed = (SLAB_SPEED_ROUNDINGS + self.moved) * self.speeds;
        [UNIT_ROUNDOFF * height, UNIT_ROUNDOFF * speed]
    }
}

/// When a point is within one slab, both ends with their bounds.
#[derive(Clone, Copy)]
pub(super) struct SlabTimes {
    pub(super) enter: [f64; 2],
    pub(super) exit: [f64; 2],
}

/// Of a point that may be along a slab.
const ALONG: SlabTimes = SlabTimes {
    enter: [f64::NEG_INFINITY; 2],
    exit: [f64::INFINITY; 2],
};

/// A slab across one of the world's axes, of which the two planes are floats: the differences that the point has to go to them, each a sum of two floats.
#[derive(Clone, Copy, Default)]
pub(super) struct AlignedSlab {
    pub(super) ways: [(f64, f64); 2],
    pub(super) speed: (f64, f64),
}

impl AlignedSlab {
    /// Of a point and its velocity along the axis, at rest the slab.
    #[inline(always)]
    pub(super) fn of(faces: [f64; 2], point: f64, speed: f64) -> Self {
        Self {
            ways: faces.map(|face| two_difference(face, point)),
            speed: (speed, 0.0),
        }
    }

    /// When the point is within; `None` where it moves along the slab, or so slowly that the times are no floats.
    pub(super) fn times(&self) -> Option<SlabTimes> {
        let (speed, speed_rest) = self.speed;
        if speed == 0.0 {
            return None;
        }
        let crossed = |(way, rest): (f64, f64)| {
            let time = way / speed;
            // What a product of tiny numbers is rounded may be no float.
            let least = f64::MIN_POSITIVE / (UNIT_ROUNDOFF * UNIT_ROUNDOFF);
            let is_told = way == 0.0 || way.abs() > least;
            let is_exact = rest == 0.0 && speed_rest == 0.0;
            if is_told && is_exact && two_product(time, speed) == (way, 0.0) {
                return [time; 2];
            }
            // The way, the speed and the quotient are rounded.
            let error = SLAB_TIME_ROUNDINGS * UNIT_ROUNDOFF * time.abs() + f64::MIN_POSITIVE;
            [time - error, time + error]
        };
        let [low, high] = self.ways.map(crossed);
        if !(low[0].is_finite() && high[0].is_finite()) {
            return None;
        }
        let (enter, exit) = if speed > 0.0 {
            (low, high)
        } else {
            (high, low)
        };
        Some(SlabTimes { enter, exit })
    }
}

/// Slabs as the point sees them, by columns, the intersection of which is the body. Each has a normal that is the product of two edges.
pub(super) struct Slabs<const N: usize> {
    half: [f64; N],
    /// Of the point at the start.
    height: [f64; N],
    error: [f64; N],
    speed: [f64; N],
    speed_error: [f64; N],
    /// The first so many count.
    count: usize,
    /// Of a body along the axes: its planes as floats, of the first slabs, which are all that count.
    pub(super) aligned: Option<[AlignedSlab; 3]>,
}

/// What a line is seen against: its place beside the centre and its velocity, with the bounds of both for edges of the length one.
#[derive(Clone, Copy)]
pub(super) struct SlabLine {
    pub(super) way: Triple,
    pub(super) velocity: Triple,
    pub(super) errors: [f64; 2],
}

/// When a point is within all slabs.
#[derive(Clone, Copy)]
pub(super) struct Passage {
    pub(super) enter: [f64; 2],
    pub(super) exit: [f64; 2],
    /// The slab through which it enters.
    pub(super) through: usize,
    /// Whether its normal is against the motion.
    pub(super) rises: bool,
}

impl Passage {
    /// Whether it surely begins after the start and before the end, and ends later, and is known up to a part of itself.
    #[inline(always)]
    pub(super) fn is_decided(&self, end: f64, width: f64) -> bool {
        // Times that are apart from the start are positive.
        let narrow = |[lower, upper]: [f64; 2]| upper - lower <= width * upper;
        let ([enter, met], [left, _]) = (self.enter, self.exit);
        let apart = enter > 0.0 && met < end && met < left;
        apart && narrow(self.enter) && narrow(self.exit)
    }
}

/// Times by columns: the lower and the upper bounds of both ends.
struct PassageColumns<const N: usize> {
    enter: [[f64; N]; 2],
    exit: [[f64; N]; 2],
}

impl<const N: usize> Slabs<N> {
    pub(super) fn new(aligned: Option<[AlignedSlab; 3]>) -> Self {
        let none = [0.0; N];
        Self {
            half: none,
            height: none,
            error: none,
            speed: none,
            speed_error: none,
            count: 0,
            aligned,
        }
    }

    /// Adds the slab along a normal that is the product of two edges, of which the product of the lengths is given; its number.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        line: &SlabLine,
        normal: Triple,
        lengths: f64,
        half: f64,
    ) -> usize {
        let k = self.count;
        self.half[k] = half;
        self.height[k] = dot(normal, line.way);
        self.error[k] = line.errors[0] * lengths;
        self.speed[k] = dot(normal, line.velocity);
        self.speed_error[k] = line.errors[1] * lengths;
        self.count = k + 1;
        k
    }

    /// Whether the point surely crosses a slab.
    #[inline(always)]
    fn crosses(&self, k: usize) -> bool {
        self.speed[k].abs() > SLAB_SPEEDS_MIN * self.speed_error[k]
    }

    /// When the point is within a slab.
    #[inline(always)]
    fn times(&self, k: usize) -> SlabTimes {
        let speed = self.speed[k];
        let sign = speed.to_bits() & (1 << 63);
        // Against the motion.
        let height = f64::from_bits(self.height[k].to_bits() ^ sign);
        let per = 1.0 / speed.abs();
        let bounds = |way: f64| {
            let time = way * per;
            let far = time.abs();
            let error = SLAB_TIME_ROOM * per * (self.error[k] + far * self.speed_error[k])
                + SLAB_TIME_ROUNDINGS * UNIT_ROUNDOFF * far
                + f64::MIN_POSITIVE;
            [time - error, time + error]
        };
        let (enter, exit) = (
            bounds(-self.half[k] - height),
            bounds(self.half[k] - height),
        );
        let crosses = self.crosses(k);
        let told = |bound: [f64; 2], along: [f64; 2]| {
            let at = |i: usize| if crosses { bound[i] } else { along[i] };
            [at(0), at(1)]
        };
        SlabTimes {
            enter: told(enter, ALONG.enter),
            exit: told(exit, ALONG.exit),
        }
    }

    /// Whether the point is surely within a slab until a time, or surely beyond it.
    fn along(&self, k: usize, until: f64) -> Option<bool> {
        let drift = (self.speed[k].abs() + self.speed_error[k]) * until;
        let (height, room) = (self.height[k].abs(), 2.0 * (self.error[k] + drift));
        if height + room < self.half[k] {
            Some(true)
        } else {
            (height - room > self.half[k]).then_some(false)
        }
    }

    /// The times of all slabs. Those that do not count are as if the point were along them.
    #[inline(always)]
    fn columns(&self) -> PassageColumns<N> {
        let mut found = PassageColumns {
            enter: [[0.0; N]; 2],
            exit: [[0.0; N]; 2],
        };
        for k in 0..N {
            let times = match &self.aligned {
                Some(aligned) if k < self.count => aligned[k].times().unwrap_or(ALONG),
                Some(_) => ALONG,
                None => self.times(k),
            };
            for i in 0..2 {
                found.enter[i][k] = times.enter[i];
                found.exit[i][k] = times.exit[i];
            }
        }
        found
    }

    /// When the point is within all slabs after its start, until the end of a motion; `Some(None)` where it never is. `None` where bounds do not decide, where the start or the end is within
    /// rounding of the passage, and where the point enters within rounding of an edge.
    #[inline(always)]
    pub(super) fn entry(&self, end: f64, width: f64) -> Option<Option<Passage>> {
        let columns = self.columns();
        let most = |of: &[f64; N]| of.iter().copied().fold(f64::NEG_INFINITY, larger);
        let least = |of: &[f64; N]| of.iter().copied().fold(f64::INFINITY, smaller);
        let enter = [most(&columns.enter[0]), most(&columns.enter[1])];
        let exit = [least(&columns.exit[0]), least(&columns.exit[1])];
        if enter[0] > exit[1] {
            return Some(None);
        }
        let until = larger(enter[0].abs(), exit[1].abs());
        for k in 0..self.count {
            if columns.exit[1][k] == f64::INFINITY && !self.along(k, until)? {
                return Some(None);
            }
        }
        if exit[1] < 0.0 || enter[0] > end {
            return Some(None);
        }
        // Through an edge it may enter by either slab.
        let (mut through, mut candidates) = (0, 0);
        for (k, &upper) in columns.enter[1].iter().enumerate() {
            if upper >= enter[0] {
                (through, candidates) = (k, candidates + 1);
            }
        }
        let passage = Passage {
            enter,
            exit,
            through,
            rises: self.speed[through] > 0.0,
        };
        (candidates == 1 && passage.is_decided(end, width)).then_some(Some(passage))
    }
}

/// A posed box, or any parallelepiped, as slabs are made of it.
#[derive(Clone, Copy)]
pub(super) struct SlabBox {
    pub(super) center: Triple,
    pub(super) half: Triple,
    /// The columns of the pose; in the plane the third is that of space.
    pub(super) edges: [Triple; 3],
    pub(super) lengths: Triple,
    /// The products of the two edges across each face, and of their lengths.
    pub(super) normals: [Triple; 3],
    pub(super) spans: Triple,
    /// The product of all three edges.
    pub(super) volume: f64,
    /// The planes of a box along the world's axes, in their order: its rounded vertices are on them.
    pub(super) faces: Option<[[f64; 2]; 3]>,
}

impl SlabBox {
    /// `None` for numbers near the ends of their range.
    #[inline(always)]
    pub(super) fn of<W: Vector64>(half: W, pose: &Pose<W>) -> Option<Self> {
        let columns = pose.columns();
        let third = columns.get(2).map_or([0.0, 0.0, 1.0], |x| x.to_f64());
        let edges = [columns[0].to_f64(), columns[1].to_f64(), third];
        let (half, center) = (half.to_f64(), pose.translation().to_f64());
        let [x, y, z] = [length(edges[0]), length(edges[1]), length(edges[2])];
        if !(fits(x) && fits(y) && fits(z)) {
            return None;
        }
        let [a, b, c] = edges;
        let beside = [a[1], a[2], b[0], b[2], c[0], c[1]];
        let face = |k: usize| faces_of(center[k], half[k], edges[k][k]);
        let first = cross(b, c);
        Some(Self {
            faces: (beside == [0.0; 6]).then(|| [face(0), face(1), face(2)]),
            normals: [first, cross(c, a), cross(a, b)],
            spans: [y * z, z * x, x * y],
            volume: dot(first, a).abs(),
            lengths: [x, y, z],
            center,
            half,
            edges,
        })
    }

    /// The sum of the half edges' lengths.
    #[inline(always)]
    pub(super) fn reach(&self) -> f64 {
        dot(self.half, self.lengths)
    }
}

/// The two planes across one of the world's axes of a box along them.
#[inline(always)]
pub(super) fn faces_of(center: f64, half: f64, edge: f64) -> [f64; 2] {
    let reach = half * edge.abs();
    [center - reach, center + reach]
}

/// Whether a size or a speed has products that neither overflow nor underflow.
#[inline(always)]
pub(super) fn fits(x: f64) -> bool {
    1.0 / LINE_SIZE_MAX < x && x < LINE_SIZE_MAX
}

/// When a motion ends.
pub(super) fn end_of<S: Scalar>(options: &MotionOptions<S>) -> f64 {
    options.max_time().map_or(f64::INFINITY, Scalar::to_f64)
}

/// A difference and its rounding.
#[inline(always)]
pub(super) fn two_difference(a: f64, b: f64) -> (f64, f64) {
    two_sum(a, -b)
}
