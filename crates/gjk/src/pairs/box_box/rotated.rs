//! Oriented box against oriented box by the separating axis test: the verdict, and the distance or depth, where they are clear.
//!
//! Where it sits: `box_box.rs` tries it first, at a third of the cost of `general.rs`. Read [`RotatedBoxes::relation`], then
//! [`RotatedBoxes::measured`].
//! Idea: between right-angled boxes all 15 axes need no more than the nine cosines between their edges and the offset in the frame
//! of each (Gottschalk). A posed box is right-angled only up to the roundings of its matrix, which [`RotatedBoxes::new`] measures.
//!
//! Numbers: let `aᵢ` be the columns of A's matrix by its scale, `Q` an orthogonal matrix with `|aᵢ − qᵢ| ≤ ε` ([`Pose::skew`]), the
//! same for B, `ρ = ε_A + ε_B + 4u`, and `S` the sum of half edges and offset.
//!
//! - The right-angled boxes are within `ρS` of the bodies; the float axis that is stated is within `ρ` of theirs.
//! - A computed cosine is off by `1.01ρ`, a component of the offset by `(ε + 5u)|t|`. Along a face's axis the gap is so off by
//!   `2.1ρS`, along a product of edges, where two of each are multiplied, by `4.2ρS`. Sums and products add `16u·S`.
//!
//! Below `8ρS + 32u·S` together, with [`CORE_WORLD_ERROR`] for the vertices' last operation: a gap above it separates, and where no axis, of
//! length one at most, overlaps by less, the right-angled boxes overlap by more than they are off. Edges that are parallel have no
//! axis of such an overlap, so that nothing is said of them.
//!
//! The right-angled boxes choose the axis that is measured; by themselves they would tell no more than `8ρS`. The axis is then
//! taken from the bodies' own edges and measured as in `general.rs`, to [`CORE_ERROR`]. Of bodies apart any axis is a lower bound, and two
//! features that face each other along it are the upper one. Of an overlap every other axis must be deeper by more than what the
//! right-angled boxes are off, which along a product of edges of length `l` is `8ρS/l`: `4.2ρS` of the gap, `1.5ρS` of the length,
//! and `ρS` of the body's axis against theirs.
//! Source: Gottschalk, Lin, Manocha 1996.

use super::general::{BOX_TILTED_HEIGHT, toward};
use crate::bounds::{Bounds, Conclusion};
use crate::math::{Pose, Scalar, Triple, Vector, cross, dot, length, plus, sum_abs};
use crate::rounding::{CORE_ERROR, CORE_SIZES, CORE_WORLD_ERROR, UNIT_ROUNDOFF};

/// Two boxes, each in the other's frame.
pub(super) struct RotatedBoxes {
    columns: [[Triple; 3]; 2],
    half: [Triple; 2],
    /// Of a gap between the right-angled boxes.
    error: f64,
    /// Between the centres, in the world.
    offset: Triple,
    /// Of a gap along an axis of the bodies' own edges, of length one.
    noise: f64,
}

/// How the boxes' frames are to each other: the cosines of A's edges by B's, and what is between the centres, in A's frame and in B's.
struct Frames {
    cosines: [Triple; 3],
    between: [Triple; 2],
}

/// Products of edges whose squared sine is less are not tried as axes: they would be chosen for the noise of their length. This chooses,
/// and proves nothing.
const BOX_PARALLEL_SINE_SQUARED: f64 = 1e-12;

/// The gaps along the 15 axes, not normalised, and the squares of the axes' lengths.
struct Gaps {
    gaps: [f64; 15],
    squares: [f64; 15],
}

/// An axis of the bodies' own edges, from A to B, and what is along it.
struct Axis {
    /// Its place among the 15: the faces of A, those of B, the edges of A by those of B.
    at: usize,
    unit: Triple,
    /// Of the unnormalised axis.
    length: f64,
    /// Heights of A's edges and of B's, of length one.
    edges: [Triple; 2],
    gap: f64,
    noise: f64,
}

/// What is nearest along an axis.
enum Facing {
    /// Points of two features that face each other.
    Points([Triple; 2]),
    /// An edge or a face lies along another: no corner is nearest.
    Level,
    /// The features do not face each other, or not surely.
    Aside,
}

impl Facing {
    #[inline(always)]
    fn of(inside: bool, points: [Triple; 2]) -> Self {
        if inside {
            Facing::Points(points)
        } else {
            Facing::Aside
        }
    }
}

impl RotatedBoxes {
    /// The boxes, if their poses keep angles and their sizes are in range.
    #[inline(always)]
    pub(super) fn new<V: Vector>(
        half_a: V,
        pose_a: &Pose<V>,
        half_b: V,
        pose_b: &Pose<V>,
    ) -> Option<Self> {
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

    /// Of an edge of A by those of B.
    #[inline(always)]
    fn cosines(&self, i: usize) -> Triple {
        let [a, b] = &self.columns;
        [dot(a[i], b[0]), dot(a[i], b[1]), dot(a[i], b[2])]
    }

    #[inline(always)]
    fn frames(&self) -> Frames {
        let [a, b] = &self.columns;
        let (mut cosines, mut between) = ([[0.0; 3]; 3], [[0.0; 3]; 2]);
        for i in 0..3 {
            for j in 0..3 {
                cosines[i][j] = dot(a[i], b[j]);
            }
            (between[0][i], between[1][i]) = (dot(a[i], self.offset), dot(b[i], self.offset));
        }
        Frames { cosines, between }
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

    /// Whether a box comes nearer to the other's centre, which is `between` in its frame, than the other's faces do, by more than the
    /// error: the cheapest proof of an overlap, and nearly all deep ones have it.
    #[inline(always)]
    fn holds_center(&self, half: &Triple, between: &Triple, other: &Triple) -> bool {
        let ball = smaller(smaller(other[0], other[1]), other[2]) - self.error;
        (beyond(between, half) < ball * ball) & (ball > 0.0)
    }

    /// Whether the boxes are clearly separated, or clearly overlap.
    #[inline(always)]
    pub(super) fn relation(&self) -> Conclusion {
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
}

impl RotatedBoxes {
    /// The verdict, and the distance or depth to the part `width` of itself, where they are clear and two features face each
    /// other. An overlap whose depth is not wanted has points alone. An undecided pair that is separated has the direction.
    #[inline(always)]
    pub(super) fn measured(
        &self,
        width: f64,
        depth_wanted: bool,
        bounds: &mut Bounds,
    ) -> Conclusion {
        let frames = self.frames();
        let all = self.gaps(&frames);
        let axis = self.axis(all.widest());
        bounds.normal = axis.unit;
        if axis.gap > axis.noise {
            if 2.0 * axis.noise > axis.gap * width {
                return Conclusion::Undecided;
            }
            (bounds.lower, bounds.upper) = (axis.gap - axis.noise, axis.gap + axis.noise);
            return match self.facing(&axis, &frames.cosines) {
                Facing::Points(points) => {
                    bounds.points = points;
                    Conclusion::Separated
                }
                Facing::Level => Conclusion::Undecided,
                Facing::Aside => {
                    bounds.first_direction = axis.unit;
                    Conclusion::Undecided
                }
            };
        }
        let (least, most) = (-axis.gap - axis.noise, -axis.gap + axis.noise);
        if !(least > 0.0 && all.others_exceed(axis.at, least, self.error)) {
            return Conclusion::Undecided;
        }
        if !depth_wanted {
            bounds.overlap_without_depth([[0.0; 3], self.offset]);
            return Conclusion::Overlapping;
        }
        match self.facing(&axis, &frames.cosines) {
            Facing::Points(points) if most - least <= most * width => {
                (bounds.lower, bounds.upper, bounds.points) = (-most, -least, points);
                Conclusion::Overlapping
            }
            _ => Conclusion::Undecided,
        }
    }

    #[inline(always)]
    fn gaps(&self, frames: &Frames) -> Gaps {
        let (
            Self { half: [g, h], .. },
            Frames {
                cosines,
                between: [s, t],
            },
        ) = (self, frames);
        let (mut gaps, mut squares) = ([0.0; 15], [1.0; 15]);
        let size = cosines.map(|row| row.map(f64::abs));
        for i in 0..3 {
            gaps[i] =
                s[i].abs() - (g[i] + (h[0] * size[i][0] + h[1] * size[i][1] + h[2] * size[i][2]));
            gaps[3 + i] =
                t[i].abs() - (h[i] + (g[0] * size[0][i] + g[1] * size[1][i] + g[2] * size[2][i]));
        }
        for i in 0..3 {
            let (k, m) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (l, n) = ((j + 1) % 3, (j + 2) % 3);
                let height = s[m] * cosines[k][j] - s[k] * cosines[m][j];
                let radii = (g[k] * size[m][j] + g[m] * size[k][j])
                    + (h[l] * size[i][n] + h[n] * size[i][l]);
                gaps[6 + 3 * i + j] = height.abs() - radii;
                // Of a row of length one, without the entry that may be near one.
                squares[6 + 3 * i + j] = size[i][l] * size[i][l] + size[i][n] * size[i][n];
            }
        }
        Gaps { gaps, squares }
    }

    /// One of the 15 axes, measured.
    #[inline(always)]
    fn axis(&self, at: usize) -> Axis {
        let Self {
            columns: [a, b],
            half: [g, h],
            ..
        } = self;
        let (i, j) = ((at - at.min(6)) / 3 % 3, at % 3);
        let direction = match at {
            0..3 => cross(a[(j + 1) % 3], a[(j + 2) % 3]),
            3..6 => cross(b[(j + 1) % 3], b[(j + 2) % 3]),
            _ => cross(a[i], b[j]),
        };
        let height = dot(self.offset, direction);
        let direction = toward(direction, height);
        let norm = length(direction);
        let reciprocal = 1.0 / norm;
        let heights = |edges: &[Triple; 3]| {
            [
                dot(edges[0], direction),
                dot(edges[1], direction),
                dot(edges[2], direction),
            ]
        };
        let edges = [heights(a), heights(b)];
        let radius = |half: &Triple, x: &Triple| {
            half[0] * x[0].abs() + half[1] * x[1].abs() + half[2] * x[2].abs()
        };
        let gap = (height.abs() - (radius(g, &edges[0]) + radius(h, &edges[1]))) * reciprocal;
        let unit = direction.map(|x| x * reciprocal);
        Axis {
            at,
            unit,
            length: norm,
            edges,
            gap,
            noise: self.noise * reciprocal,
        }
    }

    /// Points of two features that face each other along an axis, from the centre of A.
    #[inline(always)]
    fn facing(&self, axis: &Axis, cosines: &[Triple; 3]) -> Facing {
        let Self {
            columns: [a, b],
            half: [g, h],
            error,
            ..
        } = self;
        let [up_a, up_b] = &axis.edges;
        let level = BOX_TILTED_HEIGHT * axis.length;
        let (i, j) = ((axis.at - axis.at.min(6)) / 3 % 3, axis.at % 3);
        // The corner of a box that is farthest that way, without edge `free`.
        let corner = |edges: &[Triple; 3], half: &Triple, up: &Triple, sign: f64, free: usize| {
            let mut sum = [0.0; 3];
            let mut told = true;
            for k in 0..3 {
                let part = if k == free {
                    0.0
                } else {
                    half[k].copysign(sign * up[k])
                };
                told &= (k == free) | (up[k].abs() > level);
                sum = plus(sum, edges[k], part);
            }
            told.then_some(sum)
        };
        let inside = |edges: &[Triple; 3], half: &Triple, x: Triple, k: usize| {
            let (u, v) = ((k + 1) % 3, (k + 2) % 3);
            (dot(edges[u], x).abs() < half[u] - error) & (dot(edges[v], x).abs() < half[v] - error)
        };
        if axis.at < 3 {
            let Some(x) = corner(b, h, up_b, -1.0, 3) else {
                return Facing::Level;
            };
            let x = plus(x, self.offset, 1.0);
            return Facing::of(inside(a, g, x, j), [plus(x, axis.unit, -axis.gap), x]);
        }
        if axis.at < 6 {
            let Some(x) = corner(a, g, up_a, 1.0, 3) else {
                return Facing::Level;
            };
            return Facing::of(
                inside(b, h, plus(x, self.offset, -1.0), j),
                [x, plus(x, axis.unit, axis.gap)],
            );
        }
        let (Some(from), Some(to)) = (corner(a, g, up_a, 1.0, i), corner(b, h, up_b, -1.0, j))
        else {
            return Facing::Level;
        };
        let to = plus(to, self.offset, 1.0);
        let (between, cosine) = (plus(to, from, -1.0), cosines[i][j]);
        let (on_a, on_b) = (dot(between, a[i]), dot(between, b[j]));
        let per = 1.0 / (axis.length * axis.length);
        let (x, y) = ((on_a - cosine * on_b) * per, (cosine * on_a - on_b) * per);
        let room = 2.0 * error * per;
        let inside = (x.abs() < g[i] - room) & (y.abs() < h[j] - room);
        let x = plus(from, a[i], x);
        Facing::of(inside, [x, plus(x, axis.unit, axis.gap)])
    }
}

impl Gaps {
    /// The axis along which the boxes are farthest apart, or overlap least; of equal ones the first.
    #[inline(always)]
    fn widest(&self) -> usize {
        // The square of a normalised gap, with its sign.
        let mut ratios = [0.0; 15];
        for ((ratio, gap), square) in ratios.iter_mut().zip(self.gaps).zip(self.squares) {
            *ratio = if square > BOX_PARALLEL_SINE_SQUARED {
                gap * gap.abs() / square
            } else {
                f64::NEG_INFINITY
            };
        }
        let top = ratios
            .iter()
            .fold(f64::NEG_INFINITY, |top, &x| if x > top { x } else { top });
        ratios
            .iter()
            .enumerate()
            .rev()
            .fold(0, |at, (k, &x)| if x == top { k } else { at })
    }

    /// Whether the boxes overlap by more than `depth` along every other axis, beyond the error.
    #[inline(always)]
    fn others_exceed(&self, at: usize, depth: f64, error: f64) -> bool {
        let squared = depth * depth * (1.0 + 16.0 * UNIT_ROUNDOFF);
        let mut all = true;
        for (k, (gap, square)) in self.gaps.iter().zip(self.squares).enumerate() {
            let overlap = -gap - error;
            all &= (k == at) | ((overlap > 0.0) & (overlap * overlap >= squared * square));
        }
        all
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
        unit = unit.map(|column| column.map(|x| x / scale));
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
