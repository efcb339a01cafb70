//! A proof by floats alone that the origin is inside a simplex.

/// True when floats prove that the origin is strictly inside the simplex of these differences, each rounded once.
///
/// With `M` the largest coordinate, each determinant that decides the origin's side of a facet has a permanent of at most
/// `6M³` (`2M²` in the plane), and Shewchuk's bound A of its error is below `8u` of that: below `64u·M³`.
pub fn surely_encloses(dim: usize, w: &[[f64; 3]]) -> bool {
    if w.len() != dim + 1 {
        return false;
    }
    let largest = w.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    let bound = 32.0
        * f64::EPSILON
        * if dim == 2 {
            largest * largest
        } else {
            largest * largest * largest
        };
    // Outside this range a product may have underflowed or overflowed.
    if !(bound > 1e-250 && bound < 1e250) {
        return false;
    }
    let parts = if dim == 2 {
        let turn = |a: [f64; 3], b: [f64; 3]| a[0] * b[1] - a[1] * b[0];
        [
            turn(w[1], w[2]),
            turn(w[2], w[0]),
            turn(w[0], w[1]),
            turn(w[1], w[2]),
        ]
    } else {
        let minors = |a: [f64; 3], b: [f64; 3]| {
            [
                a[1] * b[2] - a[2] * b[1],
                a[2] * b[0] - a[0] * b[2],
                a[0] * b[1] - a[1] * b[0],
            ]
        };
        let det = |a: [f64; 3], m: [f64; 3]| a[0] * m[0] + a[1] * m[1] + a[2] * m[2];
        let (last, first) = (minors(w[2], w[3]), minors(w[0], w[1]));
        [
            det(w[1], last),
            -det(w[0], last),
            det(w[3], first),
            -det(w[2], first),
        ]
    };
    parts.iter().all(|&x| x > bound) || parts.iter().all(|&x| x < -bound)
}
