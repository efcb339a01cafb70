//! The box of some triangles: its directions by the moments of their areas, its sides by their corners.

use super::Obb;
use crate::signs::Point;
use crate::vector::{cross, dot, minus, unit};

/// A triangle about the tree's center.
pub(super) type Corners = [[f32; 3]; 3];

/// A box's sides are moved out by this part of the tree's radius. Corners are rounded to `f32` (`√3u`), as are the center (`√3u`) and
/// the axes. Of these no two are perpendicular and none has length 1 beyond `2u`, so a center that is made of its heights is off by `7u`,
/// and a point's heights are off its weights by `9u`. Heights (`3u`) and sides (`2u`) are rounded. Together 25u; 32u is the next power of two.
/// Without it no test fails: the slack of `relative.rs` has room for both.
pub(super) const PADDING_ROUNDINGS: f64 = 32.0;

/// So many triangles, at most twice, tell the directions of a box. All of them are within it.
const SAMPLES: usize = 128;

/// Rotations until a symmetric matrix of three is diagonal to floats.
const SWEEPS: usize = 5;

/// What is smaller in parts of the diagonal turns a box by less than `f32` has digits: it decides how tight a box is, and nothing else.
const DIAGONAL: f64 = 1e-8;

/// The box of triangles, moved out by `padding`.
pub(super) fn fit(triangles: &[Corners], padding: f64) -> Obb {
    const WORLD: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let upright = around(WORLD, triangles, padding);
    let axes = match triangles {
        [only] => along_triangle(only),
        all => principal(all),
    };
    let Some(axes) = axes else {
        return upright;
    };
    let turned = around(axes.map(|axis| axis.map(|x| x as f32)), triangles, padding);
    let area = |obb: &Obb| {
        let [x, y, z] = obb.half;
        x * y + y * z + z * x
    };
    if area(&turned) < 0.99 * area(&upright) {
        turned
    } else {
        upright
    }
}

/// The normal of a triangle, its longest edge, and what is perpendicular to both.
fn along_triangle(corners: &Corners) -> Option<[Point; 3]> {
    let [a, b, c] = corners.map(|p| p.map(f64::from));
    let edges = [minus(b, a), minus(c, b), minus(a, c)];
    let normal = unit(cross(edges[0], edges[1]))?;
    let longest = edges
        .into_iter()
        .max_by(|x, y| dot(*x, *x).total_cmp(&dot(*y, *y)))?;
    let x = unit(longest)?;
    let y = unit(cross(normal, x))?;
    Some([x, y, cross(x, y)])
}

/// The principal directions of the triangles' areas; of many triangles some tell them.
fn principal(triangles: &[Corners]) -> Option<[Point; 3]> {
    let origin = triangles.first()?[0].map(f64::from);
    // Thin walls are told by what `f32` would lose. Rows of four are whole vectors.
    let (mut mass, mut first, mut second) = (0.0, [0.0; 4], [[0.0; 4]; 3]);
    for corners in triangles.iter().step_by(triangles.len().div_ceil(SAMPLES)) {
        let from = |p: &[f32; 3]| {
            let [x, y, z] = minus(p.map(f64::from), origin);
            [x, y, z, 0.0]
        };
        let [a, b, c] = [from(&corners[0]), from(&corners[1]), from(&corners[2])];
        let (mut u, mut v, mut sum) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        for k in 0..4 {
            (u[k], v[k], sum[k]) = (b[k] - a[k], c[k] - a[k], a[k] + b[k] + c[k]);
        }
        let normal = cross([u[0], u[1], u[2]], [v[0], v[1], v[2]]);
        // Twice the area; a flat triangle counts for next to nothing.
        let area = dot(normal, normal).sqrt();
        mass += area;
        for k in 0..4 {
            first[k] += area * sum[k];
        }
        for (i, row) in second.iter_mut().enumerate() {
            for k in 0..4 {
                row[k] += area * (a[i] * a[k] + b[i] * b[k] + c[i] * c[k] + sum[i] * sum[k]);
            }
        }
    }
    if !(mass > 0.0) {
        return None;
    }
    let first = first.map(|x| x / (3.0 * mass));
    let mut matrix = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in i..3 {
            matrix[i][j] = second[i][j] / (12.0 * mass) - first[i] * first[j];
            matrix[j][i] = matrix[i][j];
        }
    }
    let [x, y, _] = directions(matrix);
    let x = unit(x)?;
    let y = unit(minus(y, x.map(|c| c * dot(x, y))))?;
    Some([x, y, cross(x, y)])
}

/// The principal directions of a symmetric matrix, by Jacobi's rotations; they are perpendicular whatever the matrix is.
fn directions(mut m: [Point; 3]) -> [Point; 3] {
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if !(m[p][q].abs() > DIAGONAL * (m[p][p].abs() + m[q][q].abs())) {
                continue;
            }
            let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for row in &mut m {
                let (x, y) = (row[p], row[q]);
                (row[p], row[q]) = (c * x - s * y, s * x + c * y);
            }
            for k in 0..3 {
                let (x, y) = (m[p][k], m[q][k]);
                (m[p][k], m[q][k]) = (c * x - s * y, s * x + c * y);
                let (x, y) = (axes[p][k], axes[q][k]);
                (axes[p][k], axes[q][k]) = (c * x - s * y, s * x + c * y);
            }
        }
    }
    axes
}

/// The box along axes around the triangles.
fn around(axes: [[f32; 3]; 3], triangles: &[Corners], padding: f64) -> Obb {
    // All axes at once, by coordinate.
    let [x, y, z] = [0, 1, 2].map(|k| [axes[0][k], axes[1][k], axes[2][k], 0.0]);
    let (mut low, mut high) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
    for corner in triangles.as_flattened() {
        for k in 0..4 {
            let height = x[k] * corner[0] + y[k] * corner[1] + z[k] * corner[2];
            low[k] = if height < low[k] { height } else { low[k] };
            high[k] = if height > high[k] { height } else { high[k] };
        }
    }
    let (low, high) = (low.map(f64::from), high.map(f64::from));
    let middle: Point = core::array::from_fn(|k| 0.5 * (low[k] + high[k]));
    Obb {
        center: core::array::from_fn(|k| {
            (0..3)
                .map(|i| middle[i] * f64::from(axes[i][k]))
                .sum::<f64>() as f32
        }),
        half: core::array::from_fn(|k| (0.5 * (high[k] - low[k]) + padding) as f32),
        axes,
    }
}
