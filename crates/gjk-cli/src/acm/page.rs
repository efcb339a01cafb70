//! The report for people with a browser: `gjk acm --html`, the page of a check that opens on the matrix.
//!
//! Idea: a state a pair, the one that shows what is said of it: where it collides, or where it is nearest. The page of a check draws that
//! state; what is said of the pair comes from the matrix. What else collides in that state is left out, so that each row of the page is a
//! pair of the matrix.

use super::changes::{Action, ComparedPair};
use super::confusion::FoundKind;
use super::report::{MatrixFound, MatrixReport};
use super::table;
use crate::check::checked::Checked;
use crate::check::page::{PageStory, PairStory};
use crate::text::short;
use gjk::query::Interval;
use gjk_check::pairs::Pairs;
use gjk_check::states::States;
use gjk_check::{Check, CheckResult, Criteria, PairProximity};
use gjk_motion::Basis;
use gjk_scene::{Robot, SceneError, SceneErrorKind, counted};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// The page's text; `warnings` are what was odd in the input.
///
/// # Errors  a state that places a part beyond the range of numbers.
pub fn html(
    found: &MatrixFound<'_>,
    warnings: &[String],
    file: &Path,
) -> Result<String, SceneError> {
    let compared = found.compared();
    let pairs = Pairs::new(found.scene, found.bodies, None, true);
    let (values, places) = states_of(found, &compared);
    let states = States::new(found.scene, values);
    let criteria = Criteria {
        all_pairs: true,
        ..Criteria::default()
    };
    let check = Check::new(found.bodies, &pairs).criteria(criteria);
    let mut result = CheckResult {
        states: states.len(),
        is_partial: found.matrix.is_partial,
        ..CheckResult::default()
    };
    for (pair, &state) in compared.iter().zip(&places) {
        let bodies = pair.found.bodies;
        let near = check.between(bodies, &states.link_poses(state))?;
        result.pairs.extend(near.map(|proximity| PairProximity {
            state,
            bodies,
            proximity,
            verification: None,
        }));
    }
    result.pairs.sort_by_key(|pair| (pair.state, pair.bodies));
    let checked = Checked {
        scene: found.scene,
        bodies: found.bodies,
        pairs: &pairs,
        states: &states,
        criteria: &criteria,
        result: &result,
    };
    let story = story(found, &compared)?;
    checked
        .html_with(warnings, &story)
        .map_err(|error| failed(&error).with_file(file))
}

fn failed(error: &dyn std::fmt::Display) -> SceneError {
    SceneError::new(SceneErrorKind::Io, format!("cannot be written: {error}"))
}

/// Each state once, the default one first, and which is whose.
fn states_of(
    found: &MatrixFound<'_>,
    compared: &[ComparedPair<'_>],
) -> (Vec<Vec<f64>>, Vec<usize>) {
    let default = &found.matrix.default_state;
    let mut values = vec![default.clone()];
    let bits = |state: &[f64]| state.iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
    let mut known = HashMap::from([(bits(default), 0)]);
    let places = compared.iter().map(|pair| {
        let state = match &pair.found.basis {
            Basis::Apart { state, .. }
            | Basis::Witness { state, .. }
            | Basis::Touches { state, .. }
            | Basis::Samples { state, .. } => state,
            Basis::Structure { .. } | Basis::AlwaysOverlapping | Basis::File => default,
        };
        *known.entry(bits(state)).or_insert_with(|| {
            values.push(state.clone());
            values.len() - 1
        })
    });
    let places = places.collect();
    (values, places)
}

fn story(found: &MatrixFound<'_>, compared: &[ComparedPair<'_>]) -> Result<PageStory, SceneError> {
    let report = found.report();
    let mut order: Vec<usize> = (0..compared.len()).collect();
    order.sort_by_key(|&k| table::rank(&compared[k]));
    let mut pairs = HashMap::new();
    for (rank, k) in order.into_iter().enumerate() {
        let pair = &compared[k];
        pairs.insert(pair.found.bodies, pair_story(found, pair, rank, k));
    }
    let (headline, tone) = headline(&report, found.srdf.is_some());
    let mut about = table::summary(found, compared);
    about
        .iter_mut()
        .for_each(|line| line.truncate(line.trim_end_matches('.').len()));
    let verified = compared
        .iter()
        .filter(|pair| found.is_pair_verified(pair.found))
        .count();
    if verified > 0 {
        let pairs = counted(verified, "pair", "pairs");
        about.push(format!("a second program checked the proofs of {pairs}"));
    }
    Ok(PageStory {
        command: "acm",
        headline,
        tone,
        about,
        pairs,
        view: view(found, compared),
        report: serde_json::to_string(&report).map_err(|error| failed(&error))?,
        text: table::lines(found, 0, false).join("\n"),
    })
}

/// How it ended, and its tone.
fn headline(report: &MatrixReport<'_>, has_file: bool) -> (String, &'static str) {
    let pairs = report.counts.pairs;
    let quiet = if report.partial { "warn" } else { "good" };
    match (report.counts.contradicted, report.open) {
        (0, 0) if has_file => (
            "nothing that the file leaves out collides".to_owned(),
            quiet,
        ),
        (0, 0) => (
            format!("{} decided", counted(pairs, "pair", "pairs")),
            quiet,
        ),
        (0, open) => (
            format!("{} open", counted(open, "pair is", "pairs are")),
            "warn",
        ),
        (wrong, _) => (
            format!(
                "{} that the file has not checked",
                counted(wrong, "pair meets", "pairs meet")
            ),
            "bad",
        ),
    }
}

fn pair_story(
    found: &MatrixFound<'_>,
    pair: &ComparedPair<'_>,
    rank: usize,
    answer: usize,
) -> PairStory {
    let (sign, word, tone) = if pair.is_contradiction() {
        CONTRADICTED
    } else {
        letter(FoundKind::of(pair.found))
    };
    PairStory {
        rank,
        sign,
        word,
        tone,
        fails: pair.is_contradiction(),
        says: says(found, pair),
        answer,
        differs: differs(found, pair),
    }
}

/// How a pair is told that the file has wrong.
const CONTRADICTED: (char, &str, &str) = ('✗', "meets, not checked", "bad");

/// The letter, the words and the tone of what was found.
fn letter(kind: FoundKind) -> (char, &'static str, &'static str) {
    match kind {
        FoundKind::Adjacent => ('A', kind.words(), "plain"),
        FoundKind::Default => ('D', kind.words(), "plain"),
        FoundKind::Always => ('O', "always overlap", "plain"),
        FoundKind::NeverProved => ('N', kind.words(), "good"),
        FoundKind::NeverSampled => ('S', kind.words(), "warn"),
        FoundKind::Meets => ('M', kind.words(), "plain"),
        FoundKind::Touches => ('T', kind.words(), "warn"),
        FoundKind::Open => ('?', kind.words(), "warn"),
    }
}

/// What a letter means, and what that rests on.
fn meaning(kind: FoundKind) -> &'static str {
    match kind {
        FoundKind::Adjacent => {
            "A joint joins the two, or a chain of links without geometry. Basis: the robot's structure."
        }
        FoundKind::Default => "In contact in the default state. Basis: that state.",
        FoundKind::Always => {
            "They overlap in every state. Basis: a proof, or with --always a part of the random states."
        }
        FoundKind::NeverProved => {
            "They keep apart in every state within the limits. Basis: a proof over all joint values."
        }
        FoundKind::NeverSampled => {
            "No random state has them meet. Basis: samples; a proof was not possible."
        }
        FoundKind::Meets => {
            "A state has them collide, or nearer than the margin: they must be checked. Basis: that state."
        }
        FoundKind::Touches => {
            "They come so near to touching that no state decides it: they must be checked."
        }
        FoundKind::Open => {
            "Neither proved nor refuted: the cells ran out, or a joint has no range."
        }
    }
}

/// What the matrix is drawn from, beside the pairs: the links as bodies in the order of the chain, and what the letters mean.
fn view(found: &MatrixFound<'_>, compared: &[ComparedPair<'_>]) -> Value {
    let mut kinds = Vec::new();
    if compared.iter().any(ComparedPair::is_contradiction) {
        let (letter, word, tone) = CONTRADICTED;
        let means = "The file has the pair not checked, and a state shows that it collides. Basis: that state.";
        kinds.push(json!({"letter": letter, "word": word, "tone": tone, "means": means}));
    }
    let is_told = |pair: &ComparedPair<'_>, kind| {
        !pair.is_contradiction() && FoundKind::of(pair.found) == kind
    };
    for kind in FoundKind::ALL {
        if compared.iter().any(|pair| is_told(pair, kind)) {
            let (letter, word, tone) = letter(kind);
            kinds.push(
                json!({"letter": letter, "word": word, "tone": tone, "means": meaning(kind)}),
            );
        }
    }
    json!({"opens": "matrix", "links": links_of_chain(found), "kinds": kinds, "compared": found.srdf.is_some()})
}

/// The bodies that are links, each after the one that carries it, a branch at a time.
fn links_of_chain(found: &MatrixFound<'_>) -> Vec<usize> {
    let mut bodies = HashMap::new();
    for (body, spec) in found.scene.bodies.iter().enumerate() {
        bodies.extend(spec.link.map(|link| (link, body)));
    }
    let order = chain_order(found.robot);
    order
        .iter()
        .filter_map(|link| bodies.get(link).copied())
        .collect()
}

/// The links of a robot from its root outward, a branch at a time.
fn chain_order(robot: &Robot) -> Vec<usize> {
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    for joint in &robot.joints {
        children.entry(joint.parent).or_default().push(joint.child);
    }
    let mut order = Vec::with_capacity(robot.links.len());
    let mut left = vec![robot.root];
    while let Some(link) = left.pop() {
        order.push(link);
        left.extend(children.get(&link).into_iter().flatten().rev());
    }
    order
}

/// What the file says otherwise of a pair.
fn differs(found: &MatrixFound<'_>, pair: &ComparedPair<'_>) -> Option<String> {
    found.srdf?;
    let says = pair.srdf.map(|reason| reason.as_str());
    match (pair.action, says) {
        _ if pair.is_contradiction() => Some(format!(
            "the file has it not checked, reason {}",
            says.unwrap_or("none")
        )),
        (Action::Remove | Action::Change, Some(reason)) => Some(format!("the file says {reason}")),
        (Action::Add, _) => Some("the file has it checked".to_owned()),
        _ => None,
    }
}

/// The sentence about a pair; the state and the numbers stand beneath it.
fn says(found: &MatrixFound<'_>, pair: &ComparedPair<'_>) -> String {
    let unit = found
        .scene
        .unit
        .as_deref()
        .map_or(String::new(), |unit| format!(" {unit}"));
    let length = |x: f64| short(x) + &unit;
    let said = match &pair.found.basis {
        Basis::Structure { .. } => "{a} and {b} are adjacent".to_owned(),
        Basis::File => "{a} and {b} may overlap: the scene file allows it".to_owned(),
        Basis::Apart { distance, .. } => format!(
            "{{a}} and {{b}} never meet: at least {} apart in all states, proved",
            length(distance.lower)
        ),
        Basis::AlwaysOverlapping => "{a} and {b} overlap in all states, proved".to_owned(),
        Basis::Witness {
            distance, overlaps, ..
        } => meets(found, pair, *distance, *overlaps, &length),
        Basis::Touches { distance, .. } => format!(
            "{{a}} and {{b}} come within {} of touching: they must be checked",
            length(distance.upper)
        ),
        Basis::Samples { count, .. } => format!(
            "{{a}} and {{b}} keep apart in {}; that is no proof",
            counted(*count as usize, "random state", "random states")
        ),
    };
    match differs(found, pair) {
        Some(otherwise) if !pair.is_contradiction() => format!("{said}; {otherwise}"),
        _ => said,
    }
}

fn meets(
    found: &MatrixFound<'_>,
    pair: &ComparedPair<'_>,
    distance: Interval<f64>,
    overlaps: bool,
    length: &dyn Fn(f64) -> String,
) -> String {
    let depth = found
        .depths
        .get(&pair.found.bodies)
        .map(|depth| depth.lower);
    let depth = depth.or((distance.upper < 0.0).then_some(-distance.upper));
    let how = match depth {
        Some(depth) if overlaps => format!("overlap by at least {}", length(depth)),
        _ if overlaps => "overlap".to_owned(),
        _ => format!("come within {}", length(distance.upper)),
    };
    if pair.found.reason.is_some() {
        let always = if pair.found.always_too {
            ", and in all others, proved"
        } else {
            ""
        };
        return format!("{{a}} and {{b}} {how} in the default state{always}");
    }
    match pair.srdf {
        Some(reason) => format!(
            "{{a}} and {{b}} are not checked (the file says {}), but {how} in this state",
            reason.as_str()
        ),
        None => format!("{{a}} and {{b}} {how} in this state: they must be checked"),
    }
}
