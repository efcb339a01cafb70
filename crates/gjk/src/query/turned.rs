//! Two boxes under rotations: the verdict at a third of the cost of `boxes.rs`, where it is clear.
//!
//! Where it sits: `boxes.rs` is asked where this says nothing. Read [`Turned::relation`] first.
//! Idea: between right-angled boxes all 15 axes need no more than the nine cosines between their edges and the offset in the frame
//! of each (Gottschalk). A posed box is right-angled only up to the roundings of its matrix, which [`Turned::new`] measures.
//!
//! Numbers: let `aᵢ` be the columns of A's matrix by its scale, `Q` an orthogonal matrix with `|aᵢ − qᵢ| ≤ ε` (with
//! `G = aᵀa − 1` one has `|a − Q| ≤ |G|`, three times its largest entry at most), the same for B, `ρ = ε_A + ε_B + 4u`, and `S`
//! the sum of half edges and offset.
//!
//! - The right-angled boxes are within `ρS` of the bodies; the float axis that is stated is within `ρ` of theirs.
//! - A computed cosine is off by `1.01ρ`, a component of the offset by `(ε + 5u)|t|`. Along a face's axis the gap is so off by
//!   `2.1ρS`, along a product of edges, where two of each are multiplied, by `4.2ρS`. Sums and products add `16u·S`.
//!
//! Below `8ρS + 32u·S` together, with [`WORLD`] for the vertices' last operation: a gap above it separates, and where no axis, of
//! length one at most, overlaps by less, the right-angled boxes overlap by more than they are off. Edges that are parallel have no
//! axis of such an overlap, so that nothing is said of them.
//! Source: Gottschalk, Lin, Manocha 1996.

use super::boxes::{SIZES, Triple, WORLD, cross, dot, plus, sum_abs, toward};
use crate::math::{Pose, Scalar, Vector};

const U: f64 = f64::EPSILON / 2.0;

/// Two boxes, each in the other's frame.
pub(super) struct Turned {
    columns: [[Triple; 3]; 2],
    half: [Triple; 2],
    /// Between the centres, in A's frame and in B's.
    between: [Triple; 2],
    /// Of A's edges by B's.
    cosines: [Triple; 3],
    error: f64,
}

/// What is clear.
pub(super) enum Told {
    /// The axis, from A to B, separates the boxes. It is not normalised.
    Separated(Triple),
    /// They overlap.
    Overlapping,
    /// Nothing.
    Unknown,
}

impl Turned {
    /// The boxes, if their poses keep angles and their sizes are in range.
    #[inline(always)]
    pub(super) fn new<V: Vector>(half_a: V, pose_a: &Pose<V>, half_b: V, pose_b: &Pose<V>) -> Option<Self> {
        let (columns_a, scale_a, off_a) = frame(pose_a)?;
        let (columns_b, scale_b, off_b) = frame(pose_b)?;
        let half = [half_a.to_f64().map(|h| h * scale_a), half_b.to_f64().map(|h| h * scale_b)];
        let (from, to) = (pose_a.translation().to_f64(), pose_b.translation().to_f64());
        let between = plus(to, from, -1.0);
        let size = sum_abs(half[0]) + sum_abs(half[1]) + sum_abs(between);
        let error = (8.0 * (off_a + off_b + 4.0 * U) + 32.0 * U) * size + WORLD * (sum_abs(from) + sum_abs(to));
        if !(size > SIZES.start && size < SIZES.end && error < SIZES.end) {
            return None;
        }
        let (mut cosines, mut offsets) = ([[0.0; 3]; 3], [[0.0; 3]; 2]);
        for i in 0..3 {
            for j in 0..3 {
                cosines[i][j] = dot(columns_a[i], columns_b[j]);
            }
            (offsets[0][i], offsets[1][i]) = (dot(columns_a[i], between), dot(columns_b[i], between));
        }
        Some(Self { cosines, between: offsets, columns: [columns_a, columns_b], half, error })
    }

    /// Whether the boxes are clearly apart or clearly overlap.
    #[inline(always)]
    pub(super) fn relation(&self) -> Told {
        let Self { cosines, half: [g, h], between: [s, t], columns: [a, b], error } = self;
        let mut size = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                size[i][j] = cosines[i][j].abs();
            }
        }
        let mut clear = true;
        for i in 0..3 {
            let gap = s[i].abs() - (g[i] + (h[0] * size[i][0] + h[1] * size[i][1] + h[2] * size[i][2]));
            if gap > *error {
                return Told::Separated(toward(a[i], s[i]));
            }
            clear &= -gap > *error;
        }
        for j in 0..3 {
            let gap = t[j].abs() - (h[j] + (g[0] * size[0][j] + g[1] * size[1][j] + g[2] * size[2][j]));
            if gap > *error {
                return Told::Separated(toward(b[j], t[j]));
            }
            clear &= -gap > *error;
        }
        for i in 0..3 {
            let (k, m) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (l, n) = ((j + 1) % 3, (j + 2) % 3);
                let height = s[m] * cosines[k][j] - s[k] * cosines[m][j];
                let radii = (g[k] * size[m][j] + g[m] * size[k][j]) + (h[l] * size[i][n] + h[n] * size[i][l]);
                let gap = height.abs() - radii;
                if gap > *error {
                    let axis = cross(a[i], b[j]);
                    // A mirrored frame turns the product around.
                    let between = s[0] * dot(a[0], axis) + s[1] * dot(a[1], axis) + s[2] * dot(a[2], axis);
                    return Told::Separated(toward(axis, between));
                }
                clear &= -gap > *error;
            }
        }
        if clear { Told::Overlapping } else { Told::Unknown }
    }
}

/// A pose's columns by its scale, the scale, and how far the columns are from those of an orthogonal matrix.
#[inline(always)]
fn frame<V: Vector>(pose: &Pose<V>) -> Option<([Triple; 3], f64, f64)> {
    let scale = pose.uniform_scale()?.to_f64();
    let columns = pose.columns();
    let mut unit = [columns[0].to_f64(), columns[1].to_f64(), columns[2].to_f64()];
    if scale != 1.0 {
        unit = unit.map(|column| column.map(|x| x / scale));
    }
    let [x, y, z] = unit;
    let over = |square: f64| (square - 1.0).abs();
    let squares = larger(larger(over(dot(x, x)), over(dot(y, y))), over(dot(z, z)));
    let products = larger(larger(dot(x, y).abs(), dot(y, z).abs()), dot(z, x).abs());
    // The products are off by four roundings, a quotient by one.
    let off = 3.0 * (larger(squares, products) + 8.0 * U);
    // What was derived is for small angles; false on NaN.
    (off < 1e-3).then_some((unit, scale, off))
}

/// The larger one; NaN if the first is.
#[inline(always)]
fn larger(x: f64, y: f64) -> f64 {
    if y > x { y } else { x }
}
