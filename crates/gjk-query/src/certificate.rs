//! Certificates as the query format prints them: indices of the input's own points, and numbers that lose nothing.
//!
//! Numbers: an integer up to 2⁵³ is a JSON number, a larger one a string of its digits, since JSON readers round. A
//! weight is a JSON number when a double states it exactly, else a string `"p/q"` in lowest terms.

use crate::convert::{Numbering, Space};
use crate::pair::Pair;
use gjk::query::{BigInt, Certificate, Combination, Direction};
use gjk_exact::Int;
use gjk_exact::integer::{self, common_factor};
use serde::Serialize;

/// A certificate in the words of the format.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CertificateText {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<Vec<Exact>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<[u64; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<Exact>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    facets: Option<Vec<Vec<[u64; 2]>>>,
}

/// A number that JSON readers get right.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Exact {
    /// Up to 2⁵³.
    Integer(i64),
    /// A double.
    Float(f64),
    /// The digits of an integer, or `p/q`.
    Text(String),
}

/// A direction in space.
pub fn direction_in_space(direction: &Direction) -> Vec<Exact> {
    direction_text(direction, 3)
}

/// The weights of a combination: each over the sum of all.
pub fn weights_of(combination: &Combination) -> Vec<Exact> {
    weights_text(&exact(&combination.weights.integers()))
}

impl CertificateText {
    /// The certificate of a pair.
    pub fn new<V: Space>(certificate: &Certificate, pair: &Pair<V>) -> Self {
        let direction = |d: &Direction| Some(direction_text(d, V::DIM));
        let pairs = |ids: &[[u32; 2]]| Some(indices(ids, [&pair.a.numbering, &pair.b.numbering]));
        let text = |kind, d: Option<&Direction>, nearest: Option<&Combination>| Self {
            kind,
            direction: d.and_then(direction),
            pairs: nearest.and_then(|n| pairs(&n.pairs)),
            weights: nearest.map(weights_of),
            facets: None,
        };
        match certificate {
            Certificate::Separated { direction, nearest } => {
                text("separated", Some(direction), nearest.as_ref())
            }
            Certificate::Touching { direction, nearest } => {
                text("touching", Some(direction), Some(nearest))
            }
            Certificate::Near { direction, nearest } => {
                text("overlapping", Some(direction), Some(nearest))
            }
            Certificate::Overlapping { pairs: ids, facets } => Self {
                pairs: pairs(ids),
                facets: (!facets.is_empty())
                    .then(|| facets.iter().filter_map(|f| pairs(&f[..V::DIM])).collect()),
                ..text("overlapping", None, None)
            },
        }
    }
}

/// The library's integers as those that compute.
pub(crate) fn exact(integers: &[BigInt]) -> Vec<Int> {
    let exact = |x: &BigInt| integer::from_limbs(x.is_negative(), x.limbs());
    integers.iter().map(exact).collect()
}

pub(crate) fn indices(ids: &[[u32; 2]], [a, b]: [&Numbering; 2]) -> Vec<[u64; 2]> {
    ids.iter()
        .map(|&[i, j]| [a.index(u64::from(i)), b.index(u64::from(j))])
        .collect()
}

/// The direction; integers without their common factor.
pub(crate) fn direction_text(direction: &Direction, dim: usize) -> Vec<Exact> {
    match direction {
        Direction::Float(components) => components[..dim.min(3)]
            .iter()
            .map(|&x| Exact::Float(x))
            .collect(),
        Direction::Integer(components) => {
            let components = exact(components);
            let factor = common_factor(&components);
            components[..dim.min(3)]
                .iter()
                .map(|x| integer_text(x / &factor))
                .collect()
        }
    }
}

/// The weights: each over the sum of all.
fn weights_text(weights: &[Int]) -> Vec<Exact> {
    let sum = weights.iter().fold(Int::ZERO, |sum, w| sum + w);
    if sum.is_zero() {
        return Vec::new();
    }
    weights.iter().map(|w| ratio_text(w, &sum)).collect()
}

fn integer_text(x: Int) -> Exact {
    const LARGEST: i64 = 1 << 53;
    match i64::try_from(&x) {
        Ok(small) if (-LARGEST..=LARGEST).contains(&small) => Exact::Integer(small),
        _ => Exact::Text(x.to_string()),
    }
}

/// `p / q` in lowest terms, with `q` not zero.
pub(crate) fn ratio_text(p: &Int, q: &Int) -> Exact {
    let factor = common_factor(&[p.clone(), q.clone()]);
    let (p, q) = (p / &factor, q / &factor);
    let exact = |x: &Int| {
        i64::try_from(x)
            .ok()
            .filter(|x| x.unsigned_abs() <= 1 << 53)
    };
    match (exact(&p), exact(&q)) {
        // Both are doubles and the divisor is a power of two: the quotient is one too.
        (Some(p), Some(q)) if q > 0 && q & (q - 1) == 0 => Exact::Float(p as f64 / q as f64),
        _ => Exact::Text(format!("{p}/{q}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_numbers_only_where_a_double_is_exact() {
        let weights =
            |list: &[i64]| weights_text(&list.iter().map(|&w| Int::from(w)).collect::<Vec<_>>());
        assert_eq!(weights(&[2, 2]), [Exact::Float(0.5), Exact::Float(0.5)]);
        assert_eq!(
            weights(&[2, 4]),
            [Exact::Text("1/3".into()), Exact::Text("2/3".into())]
        );
        assert_eq!(weights(&[0, 7]), [Exact::Float(0.0), Exact::Float(1.0)]);
    }

    #[test]
    fn a_direction_loses_its_common_factor_and_keeps_its_signs() {
        let big = Int::from(1) << 80;
        let own = |x: Int| -> BigInt { x.to_string().parse().expect("digits") };
        let integers = [&big * Int::from(-6), Int::ZERO, &big * Int::from(4)];
        let direction = Direction::Integer(integers.map(own));
        assert_eq!(
            direction_text(&direction, 3),
            [Exact::Integer(-3), Exact::Integer(0), Exact::Integer(2)]
        );
        let coprime = Direction::Integer([big.clone(), &big + Int::ONE, Int::ZERO].map(own));
        assert_eq!(direction_text(&coprime, 2)[0], Exact::Text(big.to_string()));
    }
}
