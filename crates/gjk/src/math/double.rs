//! Planes of slivers in double-double arithmetic: about 106 bits, by error-free sums and products.
//!
//! Source: Dekker 1971; Shewchuk 1997. No fused operations: the same bits on every target.

/// An unevaluated sum of two floats, the second below one rounding of the first.
#[derive(Clone, Copy)]
struct Double(f64, f64);

fn two_sum(a: f64, b: f64) -> Double {
    let s = a + b;
    let bb = s - a;
    Double(s, (a - (s - bb)) + (b - bb))
}

fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a; // 2²⁷ + 1
    let hi = c - (c - a);
    (hi, a - hi)
}

fn two_product(a: f64, b: f64) -> Double {
    let p = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    Double(p, al * bl - (((p - ah * bh) - al * bh) - ah * bl))
}

impl Double {
    fn add(self, o: Self) -> Self {
        let s = two_sum(self.0, o.0);
        two_sum(s.0, s.1 + (self.1 + o.1))
    }
    fn sub(self, o: Self) -> Self {
        self.add(Self(-o.0, -o.1))
    }
    fn mul(self, o: Self) -> Self {
        let p = two_product(self.0, o.0);
        two_sum(p.0, p.1 + (self.0 * o.1 + self.1 * o.0))
    }
}

fn cross(a: [Double; 3], b: [Double; 3]) -> [Double; 3] {
    let entry = |i: usize, j: usize| a[i].mul(b[j]).sub(a[j].mul(b[i]));
    [entry(1, 2), entry(2, 0), entry(0, 1)]
}

fn dot(a: [Double; 3], b: [Double; 3]) -> Double {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

/// Unit normal `(b − a) × (c − a)` and the plane's signed distance from the origin; `None` without area.
///
/// Good to a few roundings of `f64` unless the triangle is thinner than about 10⁻¹⁵ of its length.
pub(crate) fn plane([a, b, c]: [[f64; 3]; 3]) -> Option<([f64; 3], f64)> {
    let edge = |p: [f64; 3], q: [f64; 3]| core::array::from_fn(|k| two_sum(p[k], -q[k]));
    let n = cross(edge(b, a), edge(c, a));
    let largest = n.iter().fold(0.0, |m: f64, x| m.max(x.0.abs()));
    if !(largest > 0.0 && largest < f64::INFINITY) {
        return None;
    }
    let height = dot(n, a.map(|x| Double(x, 0.0))).0;
    let scaled = n.map(|x| x.0 / largest);
    let norm = crate::math::Scalar::sqrt(scaled.iter().map(|x| x * x).sum::<f64>());
    Some((scaled.map(|x| x / norm), height / largest / norm))
}
