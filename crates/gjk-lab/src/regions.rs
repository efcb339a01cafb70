//! The Voronoi regions of a simplex in the plane: where the origin would be nearest to which of its faces.
//!
//! Idea: each region is an intersection of half-planes, cut out of the window that is looked at.

/// A region and the vertices of its face, as places in the simplex.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Region {
    /// The face.
    pub(crate) face: Vec<usize>,
    /// The part of it in the window, counter-clockwise; never empty.
    pub(crate) points: Vec<[f64; 2]>,
}

/// The points `x` with `normal · (x − on) ≥ 0`.
#[derive(Clone, Copy)]
struct HalfPlane {
    on: [f64; 2],
    normal: [f64; 2],
}

/// The regions of one to three points within a window, given by two opposite corners.
pub(crate) fn regions(simplex: &[[f64; 2]], [low, high]: [[f64; 2]; 2]) -> Vec<Region> {
    let window = vec![low, [high[0], low[1]], high, [low[0], high[1]]];
    let cut = |face: &[usize], sides: &[HalfPlane]| {
        let points = sides
            .iter()
            .fold(window.clone(), |points, side| clip(&points, *side));
        (points.len() > 2).then(|| Region {
            face: face.to_vec(),
            points,
        })
    };
    match *simplex {
        [_] => cut(&[0], &[]).into_iter().collect(),
        [a, b] => [
            cut(&[0], &[behind(a, b)]),
            cut(&[1], &[behind(b, a)]),
            cut(&[0, 1], &[ahead(a, b), ahead(b, a)]),
        ]
        .into_iter()
        .flatten()
        .collect(),
        [a, b, c] => {
            let corners = [a, b, c];
            let mut found = Vec::new();
            for k in 0..3 {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                let [p, q, r] = [corners[k], corners[i], corners[j]];
                found.extend(cut(&[k], &[behind(p, q), behind(p, r)]));
                found.extend(cut(&[k, i], &[ahead(p, q), ahead(q, p), beyond(p, q, r)]));
            }
            let inside = |p, q, r| opposite(beyond(p, q, r));
            found.extend(cut(
                &[0, 1, 2],
                &[inside(a, b, c), inside(b, c, a), inside(c, a, b)],
            ));
            found
        }
        _ => Vec::new(),
    }
}

/// Behind `a`, seen from `b`.
fn behind(a: [f64; 2], b: [f64; 2]) -> HalfPlane {
    HalfPlane {
        on: a,
        normal: [a[0] - b[0], a[1] - b[1]],
    }
}

/// Ahead of `a`, towards `b`.
fn ahead(a: [f64; 2], b: [f64; 2]) -> HalfPlane {
    opposite(behind(a, b))
}

fn opposite(side: HalfPlane) -> HalfPlane {
    HalfPlane {
        normal: side.normal.map(|x| -x),
        ..side
    }
}

/// On the other side of the line through `a` and `b` than `c`.
fn beyond(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> HalfPlane {
    let normal = [b[1] - a[1], a[0] - b[0]];
    let side = HalfPlane { on: a, normal };
    if height(side, c) > 0.0 {
        opposite(side)
    } else {
        side
    }
}

fn height(side: HalfPlane, x: [f64; 2]) -> f64 {
    side.normal[0] * (x[0] - side.on[0]) + side.normal[1] * (x[1] - side.on[1])
}

/// The part of a convex polygon in a half-plane.
fn clip(points: &[[f64; 2]], side: HalfPlane) -> Vec<[f64; 2]> {
    let mut kept = Vec::with_capacity(points.len() + 1);
    for (k, &p) in points.iter().enumerate() {
        let q = points[(k + 1) % points.len()];
        let (h, g) = (height(side, p), height(side, q));
        if h >= 0.0 {
            kept.push(p);
        }
        if (h < 0.0) != (g < 0.0) {
            let t = h / (h - g);
            kept.push([p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t]);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(points: &[[f64; 2]]) -> f64 {
        (0..points.len())
            .map(|k| (points[k], points[(k + 1) % points.len()]))
            .map(|(p, q)| (p[0] * q[1] - p[1] * q[0]) / 2.0)
            .sum()
    }

    /// Every point of the window is in one region, and the regions are those of the nearest face.
    #[test]
    fn regions_tile_the_window() {
        let window = [[-4.0, -4.0], [4.0, 4.0]];
        let simplexes: [&[[f64; 2]]; 4] = [
            &[[1.0, 1.0]],
            &[[-1.0, 0.5], [2.0, -1.0]],
            &[[-1.0, -1.0], [1.5, -0.5], [0.0, 1.0]],
            &[[0.0, 1.0], [1.5, -0.5], [-1.0, -1.0]],
        ];
        for simplex in simplexes {
            let found = regions(simplex, window);
            assert_eq!(found.len(), [1, 3, 7][simplex.len() - 1]);
            let sum: f64 = found.iter().map(|region| area(&region.points)).sum();
            assert!((sum - 64.0).abs() < 1e-9, "{simplex:?} {sum}");
        }
    }
}
