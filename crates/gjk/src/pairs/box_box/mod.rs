//! Box against box in space by the separating axis test: the verdict, the distance and the depth, without a loop.
//!
//! Where it sits: a pair solver of [`crate::narrow::dispatch`]. Read [`verdict`] and [`OrientedBoxes::relation`], then [`solve`]
//! and [`OrientedBoxes::measure`]; `gaps.rs` has the gaps along the axes, `features.rs` the witness points.
//! Idea: between right-angled boxes all 15 axes need no more than the nine cosines between their edges and the offset in the
//! frame of each (Gottschalk). A posed box is right-angled only up to the roundings of its matrix, which
//! [`OrientedBoxes::new`] measures. Poses that shear are left to the loops.
//!
//! Numbers: let `aᵢ` be the columns of A's matrix by its scale, `Q` an orthogonal matrix with `|aᵢ − qᵢ| ≤ ε`
//! ([`Pose::skew`]), the same for B, `ρ = ε_A + ε_B + 4u`, and `S` the sum of half edges and offset.
//!
//! - The right-angled boxes are within `ρS` of the bodies; the float axis that is stated is within `ρ` of theirs.
//! - A computed cosine is off by `1.01ρ`, a component of the offset by `(ε + 5u)|t|`. Along a face's axis the gap is so off by
//!   `2.1ρS`, along a product of edges, where two of each are multiplied, by `4.2ρS`. Sums and products add `16u·S`.
//!
//! To separate, a gap must exceed its own error and what the bodies differ from the right-angled boxes: `4.2ρS + ρS + 16u·S`.
//! All of this together is below `8ρS + 32u·S`, with [`CORE_WORLD_ERROR`] for the vertices' last operation. A gap above that
//! bound separates. Where no axis, of length one at most, overlaps by less, the right-angled boxes overlap by more than they are
//! off. Edges that are parallel have no axis of such an overlap; [`OrientedBoxes::least_overlap`] derives the margin by which the
//! other axes prove it then.
//!
//! `error` is this bound, for a gap between the right-angled boxes; `noise` bounds the error of a gap along an axis of the
//! bodies' own edges.
//!
//! The right-angled boxes choose the axis that is measured; by themselves they would prove no more than `8ρS`. The axis is then
//! taken from the bodies' own edges and measured to [`CORE_ERROR`]. If the bodies are separated, any axis is a lower bound, and
//! two features that face each other along it are the upper one. If they overlap, every axis is an upper bound of the depth, and
//! the least of all axes the lower one. An axis that is deeper by more than what the right-angled boxes are off need not be
//! measured; along a product of edges of length `l` that is `8ρS/l`: `4.2ρS` of the gap, `1.5ρS` of the length, and `ρS` of the
//! body's axis against theirs.
//! Source: Gottschalk, Lin, Manocha 1996.

mod features;
mod gaps;

use crate::bounds::{Bounds, Conclusion};
use crate::math::{Pose, Scalar, Triple, Vector, dot, plus, sum_abs};
use crate::request::{Request, Wanted, is_narrow};
use crate::rounding::{CORE_ERROR, CORE_SIZES, CORE_WORLD_ERROR, PARALLEL_SINE, UNIT_ROUNDOFF};
use crate::simd::level;
use crate::support::{Core, Form};
use fearless_simd::{Simd, dispatch};
use features::{Facing, MeasuredAxis};
use gaps::{EdgeRows, FIRST_PRODUCT, Gaps};

/// The conclusion on two boxes without radii; undecided for far boxes where numbers are wanted.
#[inline(always)]
pub(crate) fn solve<V: Vector>(
    [a, b]: [&Core<'_, V>; 2],
    poses: [&Pose<V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    let (Form::Cuboid(half_a), Form::Cuboid(half_b)) = (a.form, b.form) else {
        return Conclusion::Undecided;
    };
    if a.radius != 0.0 || b.radius != 0.0 {
        return Conclusion::Undecided;
    }
    solve_sharp([half_a, half_b], poses, request, bounds)
}

/// [`solve`] without radii. A call, so that pairs of other kinds need not save the registers that this uses.
#[inline(never)]
fn solve_sharp<V: Vector>(
    half: [&V; 2],
    poses: [&Pose<V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    if request.wanted == Wanted::Verdict {
        return OrientedBoxes::new(half, poses)
            .map_or(Conclusion::Undecided, |boxes| boxes.relation_of_parallels());
    }
    if far(half, poses) {
        return Conclusion::Undecided;
    }
    dispatch!(level(), simd => solve_on(simd, half, poses, request, bounds))
}

/// [`solve_sharp`] with instructions that this machine has: the same operations, hence the same bits.
#[inline(always)]
fn solve_on<S: Simd, V: Vector>(
    simd: S,
    half: [&V; 2],
    poses: [&Pose<V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    let Some(boxes) = OrientedBoxes::new(half, poses) else {
        return Conclusion::Undecided;
    };
    let depth_wanted = request.wanted == Wanted::Contact;
    boxes.measure(simd, request.width, depth_wanted, bounds)
}

/// The verdict on two boxes of these half extents, without radii. Callers try it before [`solve`], which for a verdict alone
/// tests parallel edges only: a verdict is half as long as the preparation for numbers.
#[inline(always)]
pub(crate) fn verdict<V: Vector>(half: [&V; 2], poses: [&Pose<V>; 2]) -> Conclusion {
    OrientedBoxes::new(half, poses).map_or(Conclusion::Undecided, |boxes| boxes.relation())
}

/// Whether balls around two boxes are separated. Then features seldom face each other, and points on the boxes come to each
/// other quickly. This chooses between two ways to the same answer.
#[inline]
fn far<V: Vector>(half: [&V; 2], poses: [&Pose<V>; 2]) -> bool {
    let (Some(a), Some(b)) = (poses[0].uniform_scale(), poses[1].uniform_scale()) else {
        return false;
    };
    let reach = half[0].norm() * a + half[1].norm() * b;
    let between = poses[1].translation() - poses[0].translation();
    between.norm_squared() > reach * reach
}

/// Two boxes whose poses keep angles.
struct OrientedBoxes {
    /// The directions of the edges, of length one.
    columns: [[Triple; 3]; 2],
    /// Half the lengths of the edges.
    half: [Triple; 2],
    /// Between the centres, in the world.
    offset: Triple,
    /// The error of a gap between the right-angled boxes.
    error: f64,
    /// The error of a gap along an axis of the bodies' own edges, of length one.
    noise: f64,
}

impl OrientedBoxes {
    /// The boxes, if their poses keep angles and their sizes are in range.
    #[inline(always)]
    fn new<V: Vector>([half_a, half_b]: [&V; 2], [pose_a, pose_b]: [&Pose<V>; 2]) -> Option<Self> {
        let (columns_a, scale_a) = frame(pose_a)?;
        let (columns_b, scale_b) = frame(pose_b)?;
        let half = [
            half_a.to_f64().map(|h| h * scale_a),
            half_b.to_f64().map(|h| h * scale_b),
        ];
        let (from, to) = (pose_a.translation().to_f64(), pose_b.translation().to_f64());
        let between = plus(to, from, -1.0);
        let size = sum_abs(half[0]) + sum_abs(half[1]) + sum_abs(between);
        let world = CORE_WORLD_ERROR * (sum_abs(from) + sum_abs(to));
        let error = (8.0 * (pose_a.skew() + pose_b.skew() + 4.0 * UNIT_ROUNDOFF)
            + 32.0 * UNIT_ROUNDOFF)
            * size
            + world;
        if !(size > CORE_SIZES.start && size < CORE_SIZES.end && error < CORE_SIZES.end) {
            return None;
        }
        // Columns are of length one but for the skew; dividing them by a scale cost two roundings.
        let noise = 1.01 * ((CORE_ERROR + 8.0 * UNIT_ROUNDOFF) * size + world);
        Some(Self {
            columns: [columns_a, columns_b],
            half,
            error,
            offset: between,
            noise,
        })
    }

    /// The cosines of an edge of A by those of B.
    #[inline(always)]
    fn cosines(&self, i: usize) -> Triple {
        let [a, b] = &self.columns;
        [dot(a[i], b[0]), dot(a[i], b[1]), dot(a[i], b[2])]
    }

    /// Between the centres, in the frame of A (0) or B (1).
    #[inline(always)]
    fn between(&self, frame: usize) -> Triple {
        let [x, y, z] = &self.columns[frame];
        [
            dot(*x, self.offset),
            dot(*y, self.offset),
            dot(*z, self.offset),
        ]
    }

    /// Whether a box comes nearer to the other's centre, which is `between` in its frame, than the other's faces do, by more than
    /// the error: the cheapest proof of an overlap, and nearly all deep ones have it.
    #[inline(always)]
    fn holds_center(&self, half: &Triple, between: &Triple, other: &Triple) -> bool {
        let ball = smaller(smaller(other[0], other[1]), other[2]) - self.error;
        (beyond(between, half) < ball * ball) & (ball > 0.0)
    }

    /// Whether the boxes are clearly separated, or clearly overlap.
    #[inline(always)]
    fn relation(&self) -> Conclusion {
        let Self {
            half: [g, h],
            error,
            ..
        } = self;
        let s = self.between(0);
        if self.holds_center(g, &s, h) {
            return Conclusion::Overlapping;
        }
        let (mut cosines, mut size) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
        let mut clear = true;
        for i in 0..3 {
            cosines[i] = self.cosines(i);
            size[i] = cosines[i].map(f64::abs);
            let gap =
                s[i].abs() - (g[i] + (h[0] * size[i][0] + h[1] * size[i][1] + h[2] * size[i][2]));
            if gap > *error {
                return Conclusion::Separated;
            }
            clear &= -gap > *error;
        }
        let t = self.between(1);
        if self.holds_center(h, &t, g) {
            return Conclusion::Overlapping;
        }
        for j in 0..3 {
            let gap =
                t[j].abs() - (h[j] + (g[0] * size[0][j] + g[1] * size[1][j] + g[2] * size[2][j]));
            if gap > *error {
                return Conclusion::Separated;
            }
            clear &= -gap > *error;
        }
        for i in 0..3 {
            let (k, m) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (l, n) = ((j + 1) % 3, (j + 2) % 3);
                let height = s[m] * cosines[k][j] - s[k] * cosines[m][j];
                let radii = (g[k] * size[m][j] + g[m] * size[k][j])
                    + (h[l] * size[i][n] + h[n] * size[i][l]);
                let gap = height.abs() - radii;
                if gap > *error {
                    return Conclusion::Separated;
                }
                clear &= -gap > *error;
            }
        }
        if clear {
            Conclusion::Overlapping
        } else {
            Conclusion::Undecided
        }
    }

    /// Whether boxes that [`OrientedBoxes::relation`] does not decide overlap with parallel edges.
    #[inline(never)]
    fn relation_of_parallels(&self) -> Conclusion {
        dispatch!(level(), simd => self.relation_of_parallels_on(simd))
    }

    #[inline(always)]
    fn relation_of_parallels_on<S: Simd>(&self, simd: S) -> Conclusion {
        let edges = EdgeRows::new(simd, &self.columns);
        let gaps = Gaps::new(simd, self, &edges);
        let axis = self.axis(&edges, gaps.widest(simd, self.error));
        match self.least_overlap(&gaps, &axis) {
            Some(_) => Conclusion::Overlapping,
            None => Conclusion::Undecided,
        }
    }

    /// The verdict, and the distance or depth to the part `width` of itself, where they are clear and two features face each
    /// other. An overlap whose depth is not wanted has points alone. An undecided pair that is separated has the direction.
    #[inline(always)]
    fn measure<S: Simd>(
        &self,
        simd: S,
        width: f64,
        depth_wanted: bool,
        bounds: &mut Bounds,
    ) -> Conclusion {
        let edges = EdgeRows::new(simd, &self.columns);
        let all = Gaps::new(simd, self, &edges);
        // Edges that cross give way to a face that is nearly as far, and may be what is nearest: the widest axis is then tried, whatever it may be off.
        for (error, is_again) in [(self.error, false), (0.0, true)] {
            let at = all.widest(simd, error);
            if is_again && at < FIRST_PRODUCT {
                break;
            }
            let axis = self.axis(&edges, at);
            bounds.normal = axis.unit;
            let conclusion = if axis.gap > axis.noise {
                bounds.first_direction = axis.unit;
                self.measure_gap(&axis, width, bounds)
            } else {
                self.measure_overlap(simd, &axis, &all, (width, depth_wanted), bounds)
            };
            if conclusion != Conclusion::Undecided || at >= FIRST_PRODUCT {
                return conclusion;
            }
        }
        Conclusion::Undecided
    }

    /// The depth along an axis of least overlap, where two features face each other.
    #[inline(always)]
    fn measure_overlap<S: Simd>(
        &self,
        simd: S,
        axis: &MeasuredAxis,
        all: &Gaps,
        (width, depth_wanted): (f64, bool),
        bounds: &mut Bounds,
    ) -> Conclusion {
        let (mut least, most) = (-axis.gap - axis.loose, -axis.gap + axis.noise);
        let others_exceed =
            |depth: f64| all.not_exceeding(simd, depth, self.error) & !(1 << axis.at) == 0;
        let is_clear = least > 0.0 && others_exceed(least);
        if !is_clear {
            match self.least_overlap(all, axis) {
                Some(overlap) => least = overlap,
                None => return Conclusion::Undecided,
            }
        }
        bounds.upper = -least;
        if !depth_wanted {
            bounds.overlap_without_depth([[0.0; 3], self.offset]);
            return Conclusion::Overlapping;
        }
        let Some(Facing { points, .. }) = self.facing(axis) else {
            return Conclusion::Undecided;
        };
        if is_clear && axis.at >= FIRST_PRODUCT {
            let between = axis.least_overlap(points);
            if between > least && others_exceed(between) {
                least = between;
            }
        }
        if !self.is_narrow(most - least, most, width) {
            return Conclusion::Undecided;
        }
        (bounds.lower, bounds.upper, bounds.points) = (-most, -least, points);
        Conclusion::Overlapping
    }

    /// The distance along an axis that separates, where two features face each other.
    #[inline(always)]
    fn measure_gap(&self, axis: &MeasuredAxis, width: f64, bounds: &mut Bounds) -> Conclusion {
        if !self.is_narrow(2.0 * axis.noise, axis.gap, width) {
            return Conclusion::Undecided;
        }
        let Some(Facing { points, rise }) = self.facing(axis) else {
            return Conclusion::Undecided;
        };
        let (lower, upper) = (axis.gap - axis.noise, axis.gap + (axis.noise + rise));
        if rise > 0.0 && !self.is_narrow(upper - lower, axis.gap, width) {
            return Conclusion::Undecided;
        }
        (bounds.lower, bounds.upper, bounds.points) = (lower, upper, points);
        Conclusion::Separated
    }

    /// Whether an interval is narrow enough, beside the distance or the boxes.
    #[inline(always)]
    fn is_narrow(&self, interval: f64, distance: f64, width: f64) -> bool {
        let size = sum_abs(self.half[0]) + sum_abs(self.half[1]);
        is_narrow(interval, distance, width, size)
    }

    /// A lower bound of the depth, with the other axes measured that do not clearly overlap by more than the widest; `None` if it
    /// is not positive.
    ///
    /// Edges of a sine below [`PARALLEL_SINE`] have no axis of their own. Let edge `j` of B make the sine `ε` with edge `i` of A,
    /// and rotate it into A's direction: B's vertices move by at most `ε·|edge j|`. The rotated difference has no facet of its
    /// own for the two edges, and its other facets have normals among the remaining axes: where the rotated edge was, A's is. So
    /// the depth of the rotated pair is the least overlap along the remaining axes, each of which changed by at most `ε·size`,
    /// and the depth of the pair itself is less by at most `2ε·size`. Edges may be rotated one after another as long as no two of
    /// a box fall on one.
    #[inline(never)]
    fn least_overlap(&self, all: &Gaps, widest: &MeasuredAxis) -> Option<f64> {
        dispatch!(level(), simd => self.least_overlap_on(simd, all, widest))
    }

    #[inline(always)]
    fn least_overlap_on<S: Simd>(&self, simd: S, all: &Gaps, widest: &MeasuredAxis) -> Option<f64> {
        let edges = EdgeRows::new(simd, &self.columns);
        let mut least = -widest.gap - widest.loose;
        let (mut margin, mut used) = (0.0, [[false; 3]; 2]);
        let mut after = !(1 << widest.at);
        loop {
            let left = all.not_exceeding(simd, least, self.error) & after;
            if left == 0 {
                break;
            }
            let k = left.trailing_zeros();
            after &= !1 << k;
            let axis = self.axis(&edges, k as usize);
            // Also where it is not a number.
            if !(axis.length >= PARALLEL_SINE) {
                let (i, j) = axis.edges();
                let falls_on_another = core::mem::replace(&mut used[0][i], true)
                    | core::mem::replace(&mut used[1][j], true);
                if falls_on_another {
                    return None;
                }
                // The cross product is off by 4 roundings.
                margin += 2.0 * (axis.length + 4.0 * UNIT_ROUNDOFF) * self.size();
                continue;
            }
            least = smaller(-axis.gap - axis.loose, least);
        }
        let least = least - margin;
        (least > 0.0).then_some(least)
    }

    /// At least the sum of half edges and offset of the bodies.
    fn size(&self) -> f64 {
        1.01 * (sum_abs(self.half[0]) + sum_abs(self.half[1]) + sum_abs(self.offset))
    }
}

/// A pose's columns by its scale, and the scale.
#[inline(always)]
fn frame<V: Vector>(pose: &Pose<V>) -> Option<([Triple; 3], f64)> {
    let scale = pose.uniform_scale()?.to_f64();
    let columns = pose.columns();
    let mut unit = [
        columns[0].to_f64(),
        columns[1].to_f64(),
        columns[2].to_f64(),
    ];
    if scale != 1.0 {
        // No `map`: where it is not inlined, every query saves registers for the call.
        for x in unit.as_flattened_mut() {
            *x /= scale;
        }
    }
    Some((unit, scale))
}

/// The square of a point's distance from a box, no more than 8 roundings below.
#[inline(always)]
fn beyond(x: &Triple, half: &Triple) -> f64 {
    let over = |k: usize| {
        let over = x[k].abs() - half[k];
        if over > 0.0 { over } else { 0.0 }
    };
    let [x, y, z] = [over(0), over(1), over(2)];
    (x * x + y * y + z * z) * (1.0 + 8.0 * UNIT_ROUNDOFF)
}

/// The smaller one; NaN if the first is.
#[inline(always)]
fn smaller(x: f64, y: f64) -> f64 {
    if y < x { y } else { x }
}
