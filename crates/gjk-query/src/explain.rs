//! A trace told for people: a paragraph a step.
//!
//! Numbers are rounded to seven digits here; `--json` has every digit.

use crate::answer::{Answer, components};
use crate::convert::{Numbering, Space};
use crate::pair::Pair;
use crate::style::{self, styled};
use gjk::math::Scalar;
use gjk::query::Verdict;
use gjk::trace::{Region, Step};
use gjk::{NO_ID, SupportPair};
use gjk_scene::counted;

/// The bodies' numberings, which name the support points.
pub struct Explainer<'n> {
    numberings: [&'n Numbering; 2],
}

impl<'n> Explainer<'n> {
    /// The words for this pair.
    pub fn new<V: Space>(pair: &'n Pair<V>) -> Self {
        Self {
            numberings: [&pair.a.numbering, &pair.b.numbering],
        }
    }

    /// The lines of a step.
    pub fn step<V: Space>(&self, step: &Step<V>) -> Vec<String> {
        match step {
            Step::Gjk {
                iteration,
                direction,
                support,
                projection,
                simplex,
                weights,
                lower,
                upper,
                region,
            } => {
                let mut lines = vec![
                    format!(
                        "{}  direction {}",
                        heading("GJK", *iteration),
                        vector(*direction)
                    ),
                    format!(
                        "  support  {}   d·w = {}",
                        self.pair(support),
                        number(projection.to_f64())
                    ),
                    format!("  region   {}", region_text(*region)),
                    format!("  simplex  {}", simplex_text(simplex, weights)),
                ];
                if *region != Region::Enclosed {
                    lines.push(format!(
                        "  distance {}",
                        between(lower.to_f64(), upper.to_f64())
                    ));
                }
                lines
            }
            Step::Epa {
                iteration,
                nearest,
                normal,
                support,
                facets,
                lower,
                upper,
            } => {
                let corners: Vec<_> = nearest.iter().map(|pair| vector(pair.w)).collect();
                vec![
                    format!("{}  {} facets", heading("EPA", *iteration), facets.len()),
                    format!(
                        "  nearest  {}   normal {}",
                        corners.join("–"),
                        vector(*normal)
                    ),
                    format!("  support  {}", self.pair(support)),
                    format!("  depth    {}", between(lower.to_f64(), upper.to_f64())),
                ]
            }
        }
    }

    /// `A2 (9, 9) - B0 (5, 7) = (4, 2)`.
    fn pair<V: Space>(&self, pair: &SupportPair<V>) -> String {
        let name = |k: usize| match pair.ids[k] {
            NO_ID => String::new(),
            id => self.numberings[k].index(u64::from(id)).to_string(),
        };
        let (a, b) = (vector(pair.a), vector(pair.b));
        format!(
            "A{} {a} - B{} {b} = {}",
            name(0),
            name(1),
            styled(style::STRONG, vector(pair.w))
        )
    }
}

/// The verdict and what stands behind it.
pub fn verdict<V: Space>(answer: &Answer<V>) -> Vec<String> {
    let (colour, mark) = match answer.verdict {
        Verdict::Separated => (style::GOOD, "○ ○"),
        Verdict::Touching => (style::WARN, "○|○"),
        Verdict::Overlapping => (style::BAD, "(●)"),
        Verdict::Undecided => (style::WARN, " ? "),
    };
    let proof = if answer.exact {
        "proved"
    } else {
        "by the interval"
    };
    let mut lines = vec![format!(
        "{mark} {}, {proof}",
        styled(colour, answer.verdict.name())
    )];
    if let Some(bounds) = answer.signed_distance {
        lines.push(format!(
            "  signed distance in [{}, {}]",
            exact(bounds.lower),
            exact(bounds.upper)
        ));
    }
    for (label, v) in [
        ("normal ", &answer.normal),
        ("point A", &answer.point_a),
        ("point B", &answer.point_b),
    ] {
        if let Some(v) = v {
            lines.push(format!("  {label}  {}", tuple(v.iter().copied())));
        }
    }
    lines.push(format!(
        "  {}, stopped: {}",
        counted(answer.iterations as usize, "step", "steps"),
        answer.stop.name()
    ));
    lines
}

fn heading(algorithm: &str, iteration: u32) -> String {
    styled(style::STRONG, format!("{algorithm} {iteration}"))
}

fn region_text(region: Region) -> &'static str {
    match region {
        Region::Enclosed => "the simplex encloses the origin",
        Region::Dropped => "dropped: the new vertex brings nothing nearer",
        other => other.name(),
    }
}

fn simplex_text<V: Space>(simplex: &[SupportPair<V>], weights: &[V::Scalar]) -> String {
    let corner = |(k, pair): (usize, &SupportPair<V>)| match weights.get(k) {
        Some(weight) if simplex.len() > 1 => {
            format!("{}·{}", number(weight.to_f64()), vector(pair.w))
        }
        _ => vector(pair.w),
    };
    let separator = if weights.is_empty() { ", " } else { " + " };
    simplex
        .iter()
        .enumerate()
        .map(corner)
        .collect::<Vec<_>>()
        .join(separator)
}

fn between(lower: f64, upper: f64) -> String {
    format!("from {} to {}", number(lower), number(upper))
}

/// A vector in brackets.
pub fn vector<V: Space>(v: V) -> String {
    tuple(components(v).into_iter())
}

pub(crate) fn tuple(numbers: impl Iterator<Item = f64>) -> String {
    format!("({})", numbers.map(number).collect::<Vec<_>>().join(", "))
}

/// Every digit: for bounds, which rounding would make untrue.
pub(crate) fn exact(x: f64) -> String {
    if x.is_finite() {
        format!("{x:?}")
    } else {
        "unknown".to_owned()
    }
}

/// A number in at most seven digits.
#[must_use]
pub fn number(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    if !x.is_finite() {
        return "unknown".to_owned();
    }
    let magnitude = x.abs().log10().floor();
    if !(-5.0..9.0).contains(&magnitude) {
        return format!("{x:.6e}");
    }
    let decimals = (6.0 - magnitude).max(0.0) as usize;
    let text = format!("{x:.decimals$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people_are_short() {
        let cases = [
            (4.0, "4"),
            (-0.0, "0"),
            (0.1 + 0.2, "0.3"),
            (-1.5, "-1.5"),
            (1234567.25, "1234567"),
            (3648.0, "3648"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x), text);
        }
        assert_eq!(number(1e-12), "1.000000e-12");
        assert_eq!(number(f64::NEG_INFINITY), "unknown");
    }
}
