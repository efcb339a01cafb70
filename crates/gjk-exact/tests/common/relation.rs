//! The exact relation of two integer polytopes by brute force in `i128`: no GJK, no solver, no stages.

/// The exact relation of two integer polytopes: -1 separated, 0 touching, 1 overlapping.
///
/// The origin is in the interior of the difference exactly when no hyperplane through `dim` of the *points of the
/// difference and the origin's own lines* has all points on one closed side; it is outside exactly when some direction
/// has all points strictly on one side. Both are decided on candidate directions: normals of all pairs (triples) of
/// points, and of all pairs of points with the origin, and all points themselves.
pub fn exact_relation(dim: usize, a: &[[i64; 3]], b: &[[i64; 3]]) -> i32 {
    let m: Vec<[i128; 3]> = a
        .iter()
        .flat_map(|p| {
            b.iter()
                .map(move |q| core::array::from_fn(|k| i128::from(p[k] - q[k])))
        })
        .collect();
    if interior(dim, &m) {
        return 1;
    }
    if contains_origin(dim, &m) { 0 } else { -1 }
}

fn idot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn icross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Interior: the points span the space positively. If some closed half-space through the origin holds them all, one
/// whose boundary contains `dim - 1` independent points of `m` (or all of a lower span) does too.
fn interior(dim: usize, m: &[[i128; 3]]) -> bool {
    let axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let mut span: Vec<[i128; 3]> = m.to_vec();
    span.extend_from_slice(&axes[..dim]);
    let mut directions = Vec::new();
    for (i, &p) in span.iter().enumerate() {
        if dim == 2 {
            directions.push([-p[1], p[0], 0]);
        } else {
            directions.extend(span[i + 1..].iter().map(|&q| icross(p, q)));
        }
    }
    !directions
        .iter()
        .filter(|d| **d != [0; 3])
        .any(|&d| m.iter().all(|&p| idot(d, p) <= 0) || m.iter().all(|&p| idot(d, p) >= 0))
}

/// Carathéodory: the origin is in the hull exactly when it is in a simplex of at most `dim + 1` points.
fn contains_origin(dim: usize, m: &[[i128; 3]]) -> bool {
    let mut points = m.to_vec();
    points.sort_unstable();
    points.dedup();
    let n = points.len();
    let zero = |p: [i128; 3]| p == [0; 3];
    let on_segment = |p: [i128; 3], q: [i128; 3]| zero(icross(p, q)) && idot(p, q) <= 0;
    let in_triangle = |p, q, r| {
        let (x, y, z) = (icross(p, q), icross(q, r), icross(r, p));
        // Coplanar with the origin, and the origin on the same side of all three edges.
        idot(x, r) == 0
            && idot(x, y) >= 0
            && idot(y, z) >= 0
            && idot(z, x) >= 0
            && !(zero(x) && zero(y) && zero(z))
    };
    if points.iter().any(|&p| zero(p)) {
        return true;
    }
    for i in 0..n {
        for j in i + 1..n {
            if on_segment(points[i], points[j]) {
                return true;
            }
            for k in j + 1..n {
                let (p, q, r) = (points[i], points[j], points[k]);
                if in_triangle(p, q, r) {
                    return true;
                }
                if dim == 3
                    && points[k + 1..]
                        .iter()
                        .any(|&s| in_tetrahedron([p, q, r, s]))
                {
                    return true;
                }
            }
        }
    }
    false
}

fn in_tetrahedron([p, q, r, s]: [[i128; 3]; 4]) -> bool {
    let det = |a, b, c| idot(a, icross(b, c));
    // Barycentric numerators of the origin.
    let weights = [det(q, r, s), -det(p, r, s), det(p, q, s), -det(p, q, r)];
    let volume: i128 = weights.iter().sum();
    volume != 0 && weights.iter().all(|w| w * volume.signum() >= 0)
}
