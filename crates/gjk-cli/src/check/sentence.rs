//! What was found of a pair, in one sentence for people: the page and the CI report say the same.
//!
//! Idea: a sentence names its bodies by `{a}` and `{b}`, so that whoever shows it can mark them.

use crate::text::short;
use gjk::query::{Interval, Verdict};
use gjk_check::{Criteria, Proximity};
use gjk_mesh::Relation;

/// The sentence, with `{a}` and `{b}` for the bodies' names.
pub fn sentence(found: &Proximity, criteria: &Criteria, unit: Option<&str>) -> String {
    let length = |x: f64| match unit {
        Some(unit) => format!("{} {unit}", short(x)),
        None => short(x),
    };
    match found.verdict {
        Verdict::Overlapping => {
            let what = match found.relation {
                Some(Relation::Crossing) => "{a} and {b} cross each other",
                Some(Relation::Inside) => "{a} is inside {b}",
                Some(Relation::Contains) => "{b} is inside {a}",
                Some(Relation::Equal) => "{a} and {b} are the same body in the same place",
                _ => "{a} and {b} overlap",
            };
            match reach(found, length) {
                Some(reach) => format!("{what}: one reaches {reach} into the other"),
                None => {
                    let depth = range(-found.upper, -found.lower, found.is_wide(), length);
                    format!("{what}: {depth} deep")
                }
            }
        }
        Verdict::Touching => match criteria.clearance {
            Some(clearance) if criteria.is_under_clearance(found) => format!(
                "{{a}} and {{b}} touch, where a gap of {} was asked for",
                length(clearance)
            ),
            _ => "{a} and {b} touch".to_owned(),
        },
        Verdict::Separated => {
            let gap = range(found.lower, found.upper, found.is_wide(), length);
            let apart = format!("{{a}} and {{b}} are {gap} apart");
            match criteria.clearance {
                Some(clearance) if found.upper < clearance => {
                    format!("{apart}, nearer than the {} asked for", length(clearance))
                }
                Some(clearance) if criteria.is_under_clearance(found) => format!(
                    "{apart}: not proved to be the {} that was asked for",
                    length(clearance)
                ),
                _ => apart,
            }
        }
        Verdict::Undecided => format!(
            "Whether {{a}} and {{b}} overlap is not decided: their signed distance is between {} and {}",
            length(found.lower),
            length(found.upper)
        ),
    }
}

/// How far one reaches into the other, whichever reaches farther, where that was measured.
fn reach(found: &Proximity, length: impl Fn(f64) -> String) -> Option<String> {
    let both = found.depths?.protrusion;
    let most =
        |end: fn(&Interval<f64>) -> f64| both.iter().flatten().map(end).max_by(f64::total_cmp);
    let (lower, upper) = (most(|one| one.lower)?, most(|one| one.upper)?);
    // Ends that people see as one number are one.
    let is_wide = length(lower) != length(upper);
    Some(range(lower, upper, is_wide, length))
}

/// The sentence with the names in it.
pub fn with_names(sentence: &str, a: &str, b: &str) -> String {
    // Cut before anything is put in: a name may be `{b}`.
    let with_b = |text: &str| text.split("{b}").collect::<Vec<_>>().join(b);
    let pieces: Vec<String> = sentence.split("{a}").map(with_b).collect();
    pieces.join(a)
}

/// A length that is known within bounds.
fn range(lower: f64, upper: f64, is_wide: bool, length: impl Fn(f64) -> String) -> String {
    // A bound of nothing is none, and is no "-0".
    let lower = if lower > 0.0 { lower } else { 0.0 };
    match (is_wide, lower > 0.0, upper.is_finite()) {
        (false, _, true) => length(upper),
        (true, true, true) => format!("between {} and {}", length(lower), length(upper)),
        (true, false, true) => format!("at most {}", length(upper)),
        (_, _, false) => format!("at least {}", length(lower)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_check::pairs::Pairs;
    use gjk_check::parts::{Meshes, build};
    use gjk_check::states::States;
    use gjk_check::{Check, Depths, example};

    /// A pair of the example, with these numbers.
    fn found(verdict: Verdict, lower: f64, upper: f64) -> Proximity {
        let scene = example::scene().expect("the example");
        let bodies = build(&scene, Meshes::Exact).expect("bodies");
        let pairs = Pairs::new(&scene, &bodies, None, false);
        let result = Check::new(&bodies, &pairs).run(&States::zero(&scene));
        Proximity {
            verdict,
            relation: None,
            lower,
            upper,
            ..result.expect("pairs").pairs[0].proximity
        }
    }

    fn said(found: &Proximity, clearance: Option<f64>) -> String {
        let criteria = Criteria {
            clearance,
            ..Criteria::default()
        };
        with_names(
            &sentence(found, &criteria, Some("mm")),
            "`crank`",
            "`block`",
        )
    }

    #[test]
    fn a_sentence_says_what_and_how_much() {
        let deep = |lower, upper| found(Verdict::Overlapping, lower, upper);
        assert_eq!(
            said(&deep(-0.095, 0.0), None),
            "`crank` and `block` overlap: at most 0.095 mm deep"
        );
        assert_eq!(
            said(&deep(-0.095, -0.02), None),
            "`crank` and `block` overlap: between 0.02 mm and 0.095 mm deep"
        );
        let measured = |a, b| Proximity {
            depths: Some(Depths {
                protrusion: [a, b],
                along: [0.0; 3],
            }),
            ..deep(-3.0, -1.0)
        };
        let about = |lower, upper| Some(Interval { lower, upper });
        assert_eq!(
            said(&measured(about(0.5, 1.0), about(0.2, 2.0)), None),
            "`crank` and `block` overlap: one reaches between 0.5 mm and 2 mm into the other"
        );
        assert_eq!(
            said(&measured(None, about(0.2, 0.2)), None),
            "`crank` and `block` overlap: one reaches 0.2 mm into the other"
        );
        let inside = Proximity {
            relation: Some(Relation::Contains),
            ..deep(-2.0, -2.0)
        };
        assert_eq!(said(&inside, None), "`block` is inside `crank`: 2 mm deep");
        assert_eq!(
            said(&found(Verdict::Touching, 0.0, 0.0), None),
            "`crank` and `block` touch"
        );
        let apart = |lower, upper| found(Verdict::Separated, lower, upper);
        assert_eq!(
            said(&apart(3.0, 3.0), Some(5.0)),
            "`crank` and `block` are 3 mm apart, nearer than the 5 mm asked for"
        );
        assert_eq!(
            said(&apart(3.0, 6.0), Some(5.0)),
            "`crank` and `block` are between 3 mm and 6 mm apart: not proved to be the 5 mm that was asked for"
        );
        assert_eq!(
            said(&apart(3.0, f64::INFINITY), None),
            "`crank` and `block` are at least 3 mm apart"
        );
        assert_eq!(
            said(&found(Verdict::Undecided, -1e-9, 1e-9), None),
            "Whether `crank` and `block` overlap is not decided: their signed distance is between -1.00e-9 mm and 1.00e-9 mm"
        );
    }

    #[test]
    fn a_name_is_never_read_as_the_other_name() {
        assert_eq!(
            with_names("{a} and {b} touch", "{b}", "{a}"),
            "{b} and {a} touch"
        );
    }
}
