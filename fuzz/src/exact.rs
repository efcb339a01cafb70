//! Integer vectors for the checks: written for them alone, so that they share no line with the exact layer.

use dashu_int::IBig;

/// A vector of integers.
pub type Vector = [IBig; 3];

/// Finite floats as integers in units of `2^grid`.
#[derive(Clone, Copy, Debug)]
pub struct Grid(pub i32);

/// `x = mantissa · 2^exponent`; `None` for zero.
fn parts(x: f64) -> Option<(i64, i32)> {
    assert!(x.is_finite(), "a check was given {x}");
    let bits = x.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    let (mantissa, exponent) = if field == 0 {
        (fraction, -1074)
    } else {
        (fraction + (1 << 52), field - 1075)
    };
    let signed = if x < 0.0 { -mantissa } else { mantissa };
    (mantissa != 0).then(|| {
        (
            signed >> mantissa.trailing_zeros(),
            exponent + mantissa.trailing_zeros() as i32,
        )
    })
}

impl Grid {
    /// The finest unit that any of the numbers needs.
    pub fn of<'a>(all: impl IntoIterator<Item = &'a f64>) -> Self {
        Self(
            all.into_iter()
                .filter_map(|&x| parts(x))
                .map(|(_, exponent)| exponent)
                .min()
                .unwrap_or(0),
        )
    }

    /// One number.
    pub fn integer(self, x: f64) -> IBig {
        parts(x).map_or(IBig::ZERO, |(mantissa, exponent)| {
            IBig::from(mantissa) << (exponent - self.0) as usize
        })
    }

    /// One point.
    pub fn point(self, x: &[f64; 3]) -> Vector {
        x.map(|x| self.integer(x))
    }

    /// Many points.
    pub fn points(self, all: &[[f64; 3]]) -> Vec<Vector> {
        all.iter().map(|x| self.point(x)).collect()
    }
}

/// `a − b`.
pub fn minus(a: &Vector, b: &Vector) -> Vector {
    core::array::from_fn(|k| &a[k] - &b[k])
}

/// `a · b`.
pub fn dot(a: &Vector, b: &Vector) -> IBig {
    (0..3).map(|k| &a[k] * &b[k]).sum()
}

/// `a × b`.
pub fn cross(a: &Vector, b: &Vector) -> Vector {
    core::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &a[i] * &b[j] - &a[j] * &b[i]
    })
}

/// True for the zero vector.
pub fn is_zero(a: &Vector) -> bool {
    a.iter().all(IBig::is_zero)
}

/// `Σ weights · points`.
pub fn combination(weights: &[IBig], points: &[Vector]) -> Vector {
    core::array::from_fn(|k| weights.iter().zip(points).map(|(w, p)| w * &p[k]).sum())
}

/// True when the origin is strictly inside the hull of the points, by all planes (in 2D all lines) through them.
///
/// A hull with inner points has the origin strictly inside exactly when every plane through three of the points that
/// has all points on one side has the origin strictly on that side.
pub fn encloses_origin(dim: usize, points: &[Vector]) -> bool {
    let up: Vector = [IBig::ZERO, IBig::ZERO, IBig::ONE];
    let mut supporting = 0;
    for (i, p) in points.iter().enumerate() {
        for (j, q) in points.iter().enumerate().skip(i + 1) {
            let along = minus(q, p);
            let normals: Vec<Vector> = if dim == 2 {
                vec![cross(&along, &up)]
            } else {
                points[j + 1..]
                    .iter()
                    .map(|r| cross(&along, &minus(r, p)))
                    .collect()
            };
            for normal in normals.iter().filter(|n| !is_zero(n)) {
                let offset = dot(normal, p);
                let heights: Vec<IBig> = points.iter().map(|x| dot(normal, x) - &offset).collect();
                let (below, above) = (
                    heights.iter().all(|h| *h <= IBig::ZERO),
                    heights.iter().all(|h| *h >= IBig::ZERO),
                );
                if below && above {
                    return false; // all points in one plane
                }
                if (below && offset <= IBig::ZERO) || (above && offset >= IBig::ZERO) {
                    return false;
                }
                supporting += usize::from(below || above);
            }
        }
    }
    supporting > dim
}
