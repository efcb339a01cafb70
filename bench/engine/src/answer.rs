//! Answers and their file: one line a pair, `-` for what a library does not say.

use std::fmt;

/// At most so many points of a manifold are told.
pub const POINT_PAIRS_MAX: usize = 8;

/// What a library says about a pair; `None` where it says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Do they intersect? Of a motion: do they meet in it? Of a manifold: has it a point?
    pub verdict: Option<bool>,
    /// Signed distance: positive apart, negative depth; of a motion the time of the first contact.
    pub value: Option<f64>,
    /// Unit vector from A to B, in the world; the last coordinate is 0 in the plane.
    pub normal: Option<[f64; 3]>,
    /// Witness points on A and on B, in the world.
    pub witnesses: Option<[[f64; 3]; 2]>,
    /// Of a manifold: each point on A and on B, in the world.
    pub manifold: Vec<[[f64; 3]; 2]>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verdict {
            Some(verdict) => write!(f, "{}", u8::from(verdict))?,
            None => f.write_str("-")?,
        }
        write!(f, " ")?;
        match self.value {
            Some(value) => write!(f, "{value:?}")?,
            None => f.write_str("-")?,
        }
        let [a, b] = self.witnesses.map_or([None, None], |[a, b]| [Some(a), Some(b)]);
        for vector in [self.normal, a, b] {
            match vector {
                Some([x, y, z]) => write!(f, " {x:?} {y:?} {z:?}")?,
                None => f.write_str(" - - -")?,
            }
        }
        if !self.manifold.is_empty() {
            write!(f, " points {}", self.manifold.len())?;
        }
        for x in self.manifold.iter().flatten().flatten() {
            write!(f, " {x:?}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        assert_eq!(Answer::default().to_string(), "- - - - - - - - - - -");
        let answer = Answer {
            verdict: Some(false),
            value: Some(0.1),
            normal: Some([1.0, 0.0, 0.0]),
            witnesses: Some([[0.5, 0.0, 0.0], [0.6, 0.0, 1e-20]]),
            ..Answer::default()
        };
        let bearing = Answer { manifold: vec![[[1.0; 3], [2.5; 3]]], ..Answer::default() };
        assert_eq!(bearing.to_string(), "- - - - - - - - - - - points 1 1.0 1.0 1.0 2.5 2.5 2.5");
        assert_eq!(answer.to_string(), "0 0.1 1.0 0.0 0.0 0.5 0.0 0.0 0.6 0.0 1e-20");
    }
}
