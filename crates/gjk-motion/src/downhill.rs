//! A search for a low value among joint values: a variable at a time, in steps that halve.
//!
//! Where it sits: `divide.rs` looks for near states with it, `reasons.rs` for deep ones, and the benchmark's campaign for states that refute a proof.
//! **Invariant:** the values stay within their ranges, and what is returned is no higher than where it began.

use gjk_scene::Limits;

/// How a search for a low value goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DownhillSteps {
    /// The first step, as a part of a variable's range.
    pub first: f64,
    /// What the step is multiplied by after a round that found nothing lower.
    pub shrink: f64,
    /// The search ends with a step that is not larger than this.
    pub finest: f64,
    /// It ends after so many rounds.
    pub rounds: u32,
    /// It ends with a value that is not higher than this.
    pub enough: f64,
}

impl DownhillSteps {
    /// From these values downhill within the ranges: the lowest value that was found, and where.
    pub fn search(
        &self,
        ranges: &[Limits],
        from: Vec<f64>,
        mut of: impl FnMut(&[f64]) -> f64,
    ) -> (f64, Vec<f64>) {
        let mut at = from;
        let mut least = of(&at);
        let mut share = self.first;
        let mut round = 0;
        while round < self.rounds && share > self.finest && least > self.enough {
            let before = least;
            for (k, range) in ranges.iter().enumerate() {
                let step = share * (range.upper - range.lower);
                for way in [-step, step] {
                    let mut values = at.clone();
                    values[k] = (at[k] + way).clamp(range.lower, range.upper);
                    let found = of(&values);
                    if found < least {
                        (least, at) = (found, values);
                    }
                }
            }
            if !(least < before) {
                share *= self.shrink;
            }
            round += 1;
        }
        (least, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bowl whose lowest point is known, inside of the ranges and beyond them.
    #[test]
    fn the_lowest_point_of_a_bowl_is_found() {
        let range = |lower: f64, upper: f64| Limits { lower, upper };
        let steps = DownhillSteps {
            first: 0.125,
            shrink: 0.5,
            finest: 1e-9,
            rounds: u32::MAX,
            enough: f64::NEG_INFINITY,
        };
        let bowl = |v: &[f64]| (v[0] - 0.3).powi(2) + 2.0 * (v[1] + 0.4).powi(2);
        let inside = [range(-1.0, 1.0), range(-2.0, 2.0)];
        let (least, at) = steps.search(&inside, vec![0.9, 1.7], bowl);
        assert!(least < 1e-12 && (at[0] - 0.3).abs() < 1e-6 && (at[1] + 0.4).abs() < 1e-6);
        let beyond = [range(0.5, 1.0), range(-0.1, 2.0)];
        let (least, at) = steps.search(&beyond, vec![0.9, 1.7], bowl);
        assert_eq!(at, [0.5, -0.1]);
        assert!((least - 0.22).abs() < 1e-12);
        let stopped = DownhillSteps { rounds: 0, ..steps };
        assert_eq!(stopped.search(&inside, vec![0.9, 1.7], bowl).1, [0.9, 1.7]);
    }
}
