//! What joints do on a segment, again from the numbers of its points: a polynomial by its Bernstein coefficients, in bounds.
//!
//! Where it sits: `path.rs` makes one a joint and segment; `span.rs` asks for values and rates. docs/paths.md says what controllers run.
//! Idea: on a part of its segment a polynomial is between the least and the greatest of its polar form's values there.

use super::enclosed::{Enclosed, ONE, ZERO};

/// The curve of a joint over a segment, which runs from 0 to 1.
#[derive(Clone, Debug)]
pub(super) struct Polynomial {
    value: Vec<Enclosed>,
    slope: Vec<Enclosed>,
    bend: Vec<Enclosed>,
}

/// How fast a curve runs on a part at most: its first and second derivative.
#[derive(Clone, Copy, Debug)]
pub(super) struct RateBounds {
    pub(super) speed: f64,
    pub(super) acceleration: f64,
}

impl Polynomial {
    /// The curve of a kind through the numbers that a certificate states, on a segment that takes a time.
    ///
    /// # Errors  numbers that are not those of the kind, in words.
    pub(super) fn new(kind: &str, numbers: &[f64], [from, to]: [f64; 2]) -> Result<Self, String> {
        if let Some(bad) = numbers.iter().find(|x| !x.is_finite()) {
            return Err(format!("{bad} is no value"));
        }
        let time = Enclosed::exact(to).sub(Enclosed::exact(from));
        let exact = |x: &f64| Enclosed::exact(*x);
        let coefficients = match (kind, numbers) {
            ("state" | "linear" | "cubic" | "quintic", [p]) => vec![exact(p)],
            ("linear", [p, q]) => vec![exact(p), exact(q)],
            ("cubic", [p, q, v, w]) => {
                let [v, w] = [v, w].map(|x| exact(x).mul(time).over(3.0));
                let [p, q] = [exact(p), exact(q)];
                vec![p, p.add(v), q.sub(w), q]
            }
            ("quintic", [p, q, v, w, a, b]) => {
                let [v, w] = [v, w].map(|x| exact(x).mul(time).over(5.0));
                let [a, b] = [a, b].map(|x| exact(x).mul(time).mul(time).over(20.0));
                let [p, q] = [exact(p), exact(q)];
                let (start, end) = (p.add(v), q.sub(w));
                vec![p, start, start.add(v).add(a), end.sub(w).add(b), end, q]
            }
            ("state" | "linear" | "cubic" | "quintic", _) => {
                let count = numbers.len();
                return Err(format!("{count} numbers are not those of a {kind} curve"));
            }
            _ => return Err(format!("`{kind}` is no curve")),
        };
        let slope = differences(&coefficients);
        let bend = differences(&slope);
        Ok(Self {
            value: coefficients,
            slope,
            bend,
        })
    }

    /// Its value at a part of the segment.
    pub(super) fn value(&self, u: f64) -> Enclosed {
        polar(&self.value, |_| u)
    }

    /// How fast it runs on a part of the segment at most.
    pub(super) fn rates(&self, span: [f64; 2]) -> RateBounds {
        RateBounds {
            speed: most(&self.slope, span),
            acceleration: most(&self.bend, span),
        }
    }

    /// The largest coefficient, without its sign.
    pub(super) fn extent(&self) -> f64 {
        let coefficients = self.value.iter().map(|c| c.magnitude());
        coefficients.fold(0.0, f64::max)
    }
}

/// The coefficients of the derivative; none of a constant.
fn differences(coefficients: &[Enclosed]) -> Vec<Enclosed> {
    let degree = Enclosed::exact(coefficients.len().saturating_sub(1) as f64);
    let pairs = coefficients.windows(2);
    pairs.map(|pair| pair[1].sub(pair[0]).mul(degree)).collect()
}

/// The polar form: each round of de Casteljau's scheme at its own place.
fn polar(coefficients: &[Enclosed], at: impl Fn(usize) -> f64) -> Enclosed {
    let mut row = coefficients.to_vec();
    for round in 1..coefficients.len() {
        let u = Enclosed::exact(at(round - 1));
        let rest = ONE.sub(u);
        for k in 0..coefficients.len() - round {
            row[k] = rest.mul(row[k]).add(u.mul(row[k + 1]));
        }
    }
    row.first().copied().unwrap_or(ZERO)
}

/// No value on a part is larger, without its sign.
fn most(coefficients: &[Enclosed], [from, to]: [f64; 2]) -> f64 {
    let of = |k: usize| polar(coefficients, |round| if round < k { to } else { from });
    let all = (0..coefficients.len()).map(|k| of(k).magnitude());
    all.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions, velocities and accelerations at both ends are those that are stated, and rates hold the differences of dense values.
    #[test]
    fn curves_are_those_of_their_points() {
        let numbers = [0.25, -1.0, 2.0, 0.5, -3.0, 1.5];
        let time = [1.0, 3.0];
        let quintic = Polynomial::new("quintic", &numbers, time).expect("six numbers");
        let middle = |x: Enclosed| x.middle().0;
        for (end, u) in [(0, 0.0), (1, 1.0)] {
            let at = quintic.value(u);
            assert!(at.lo <= numbers[end] && numbers[end] <= at.hi && at.hi - at.lo < 1e-14);
        }
        for (end, at) in [(0, 0), (1, 4)] {
            assert!((middle(quintic.slope[at]) / 2.0 - numbers[2 + end]).abs() < 1e-14);
            let at = if end == 0 { 0 } else { 3 };
            assert!((middle(quintic.bend[at]) / 4.0 - numbers[4 + end]).abs() < 1e-13);
        }
        let cubic = Polynomial::new("cubic", &numbers[..4], time).expect("four numbers");
        assert!((middle(cubic.slope[2]) / 2.0 - 0.5).abs() < 1e-14);
        let line = Polynomial::new("linear", &numbers[..2], time).expect("two numbers");
        for curve in [quintic, cubic, line] {
            for span in [[0.0, 1.0], [0.25, 0.5], [0.9, 0.95]] {
                let rates = curve.rates(span);
                let step = (span[1] - span[0]) / 64.0;
                let at = |k: f64| middle(curve.value(span[0] + k * step));
                let (mut speed, mut acceleration) = (0.0_f64, 0.0_f64);
                for k in 0..63 {
                    let k = f64::from(k);
                    speed = speed.max((at(k + 1.0) - at(k)).abs() / step);
                    let bend = at(k + 2.0) - 2.0 * at(k + 1.0) + at(k);
                    acceleration = acceleration.max(bend.abs() / (step * step));
                }
                assert!(speed <= rates.speed * (1.0 + 1e-9), "{speed} {rates:?}");
                assert!(
                    acceleration <= rates.acceleration + 1e-8,
                    "{acceleration} {rates:?}"
                );
            }
        }
    }

    #[test]
    fn numbers_of_another_curve_are_refused() {
        let of = |kind: &str, numbers: &[f64]| Polynomial::new(kind, numbers, [0.0, 1.0]).err();
        for (kind, numbers) in [
            ("linear", &[][..]),
            ("linear", &[0.0; 4]),
            ("cubic", &[0.0; 2]),
        ] {
            assert!(of(kind, numbers).is_some_and(|why| why.contains("numbers are not")));
        }
        assert!(of("cosine", &[0.0]).is_some_and(|why| why.contains("is no curve")));
        assert!(of("linear", &[0.0, f64::NAN]).is_some_and(|why| why.contains("no value")));
    }
}
