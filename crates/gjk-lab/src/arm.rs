//! A path of an arm, in spans: where the arm is at a time, and the bound that proves two of its links apart in the span around it.
//!
//! Where it sits: beside `motion.rs`; the page asks again for every time that its slider is at. `gjk-motion` has the bound and the robot's
//! states; `arm_frames.rs` makes pictures of them.
//! Idea: the query holds where the path is divided. A span is proved by itself, so that an edit that divides one changes no other.

use crate::arm_frames::{background, frame};
use crate::draw::{Frame, Item};
use gjk_check::parts::{Body, Meshes, build};
use gjk_motion::{LinkPath, PathOptions, PathSegment, PathVerdict, SpanPicture};
use gjk_query::convert::InputError;
use gjk_scene::{LoadOptions, Robot, Scene, SceneError, counted, load_text};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::Path;

/// A path is divided into at most so many spans.
const SPANS_MAX: usize = 64;
/// Spans shorter than this part of the path are not divided.
const SPAN_MIN: f64 = 1.0 / 256.0;
const FILE: &str = include_str!("../robots/planar.urdf");

/// What is asked of the arm: a path, and where it is divided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArmQuery {
    /// Which path, by its name in the list.
    id: String,
    dim: usize,
    /// `arm`.
    query: String,
    /// Where spans meet, between 0 and 1.
    #[serde(default)]
    splits: Vec<f64>,
}

/// What a button does to the spans.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ArmEdit {
    /// Halves the span around a time.
    Split { at: f64 },
    /// Halves what is not proved until it is, or the spans are short or many.
    Prove,
    /// One span again.
    Whole,
}

/// A path that can be chosen: `moving_scenes.rs` lists them.
struct ArmPath {
    id: &'static str,
    /// The two links.
    links: [&'static str; 2],
    /// The joints' values at both ends.
    ends: [[f64; 3]; 2],
}

const PATHS: [ArmPath; 3] = [
    ArmPath {
        id: "arm-passes",
        links: ["block", "hand"],
        ends: [[-1.1, 2.1, -0.2], [1.3, 2.2, -0.8]],
    },
    ArmPath {
        id: "arm-hits",
        links: ["block", "forearm"],
        ends: [[-0.5, 0.2, 0.2], [1.3, 0.3, 0.2]],
    },
    ArmPath {
        id: "arm-together",
        links: ["upper arm", "hand"],
        ends: [[-1.4, 1.3, 0.6], [1.6, 1.8, 0.2]],
    },
];

/// A span of the path, and what is proved of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct ArmSpan {
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// How far apart the links are proved to be in all of it; nothing is proved where it is not positive.
    bound: f64,
    closed: bool,
}

/// What came of a path.
#[derive(Serialize)]
struct ArmTold<'r> {
    query: &'r ArmQuery,
    answer: ArmAnswer,
    sentence: String,
    /// The time that is drawn, from 0 to 1.
    time: f64,
    end: f64,
    /// Which span it is in.
    span: usize,
    spans: &'r [ArmSpan],
    /// As of motions; spans have their own list.
    pieces: [(); 0],
    background: Vec<Item>,
    frames: [Frame; 1],
    handles: [(); 0],
    steps: Vec<String>,
}

#[derive(Serialize)]
struct ArmAnswer {
    verdict: &'static str,
    exact: bool,
    /// The interval of the first hit, where the spans leave room for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Value>,
}

/// The arm on one of the paths.
pub(crate) struct Arm<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) robot: &'a Robot,
    pub(crate) bodies: &'a [Body],
    /// The two links, as bodies.
    pub(crate) pair: (usize, usize),
    pub(crate) segment: PathSegment,
}

impl Arm<'_> {
    fn look(&self, span: [f64; 2], at: f64) -> Result<SpanPicture, InputError> {
        let path = self.path();
        let found = path.span_picture(self.pair, &self.segment, span, at);
        found
            .map_err(|error| failed(&error))?
            .ok_or_else(|| InputError::new("bad_answer", "", "the two links have no bound"))
    }

    fn path(&self) -> LinkPath<'_> {
        let options = PathOptions::default();
        LinkPath::new(self.scene, self.robot, self.bodies, None, options)
    }

    fn spans(&self, splits: &[f64]) -> Result<Vec<ArmSpan>, InputError> {
        let starts = std::iter::once(&0.0).chain(splits);
        let ends = splits.iter().chain(std::iter::once(&1.0));
        let spans = starts.zip(ends).map(|(&from, &to)| {
            let bound = self.look([from, to], from)?.bound;
            Ok(ArmSpan {
                from,
                to,
                bound,
                closed: bound > 0.0,
            })
        });
        spans.collect()
    }

    /// When the two links first meet, as `gjk path` finds it.
    fn first_hit(&self) -> Result<Option<[f64; 2]>, InputError> {
        let segments = std::slice::from_ref(&self.segment);
        let answer = self
            .path()
            .check(segments)
            .map_err(|error| failed(&error))?;
        let first = answer.segments.into_iter().find_map(|one| one.first);
        let own =
            first.filter(|first| first.bodies == self.pair && first.verdict == PathVerdict::Hit);
        Ok(own.map(|first| [first.time.lower, first.time.upper]))
    }
}

fn failed(error: &SceneError) -> InputError {
    InputError::new("bad_answer", "", error.to_string())
}

/// Answers a path as it is after some edits, and draws it at a time; without one at the start.
///
/// # Errors  what is wrong with the query, an edit or the time, with its place.
pub(crate) fn asked(
    mut query: ArmQuery,
    edits: &[ArmEdit],
    time: Option<f64>,
) -> Result<Value, InputError> {
    let time = time.unwrap_or(0.0);
    if !(0.0..=1.0).contains(&time) {
        let message = "expected a time from 0 to 1";
        return Err(InputError::new("bad_request", "time", message));
    }
    let path = checked(&mut query)?;
    let options = LoadOptions::default();
    let scene = load_text(FILE, Path::new("planar.urdf"), &options).map_err(|e| failed(&e))?;
    let missing = || InputError::new("bad_answer", "", "the arm is no robot");
    let robot = scene.robot.as_ref().ok_or_else(missing)?;
    let bodies = build(&scene, Meshes::Exact).map_err(|error| failed(&error))?;
    let body = |name: &str| bodies.iter().position(|body| body.name == name);
    let pair = body(path.links[0])
        .zip(body(path.links[1]))
        .ok_or_else(missing)?;
    let [from, to] = path.ends.map(|values| state(robot, values));
    let arm = Arm {
        scene: &scene,
        robot,
        bodies: &bodies,
        pair: (pair.0.min(pair.1), pair.0.max(pair.1)),
        segment: PathSegment::line(robot, &from, &to).map_err(|error| failed(&error))?,
    };
    for edit in edits {
        edited(&mut query.splits, edit, &arm)?;
    }
    told(&query, &arm, time)
}

/// A value a joint, of which these are those of the joints that turn.
fn state(robot: &Robot, values: [f64; 3]) -> Vec<f64> {
    let mut state = vec![0.0; robot.joints.len()];
    let turning = robot.joints.iter().enumerate();
    let turning = turning.filter(|(_, joint)| joint.is_independent());
    for ((index, _), value) in turning.zip(values) {
        state[index] = value;
    }
    state
}

/// The path of a query, whose splits are put in order.
fn checked(query: &mut ArmQuery) -> Result<&'static ArmPath, InputError> {
    if query.query != "arm" || query.dim != 2 {
        let message = "expected a path of an arm, in 2 dimensions";
        return Err(InputError::new("bad_request", "query", message));
    }
    let is_inside = |at: &f64| *at > 0.0 && *at < 1.0;
    if !query.splits.iter().all(is_inside) || query.splits.len() >= SPANS_MAX {
        let message = format!("expected fewer than {SPANS_MAX} numbers between 0 and 1");
        return Err(InputError::new("bad_request", "query.splits", message));
    }
    query.splits.sort_by(f64::total_cmp);
    query.splits.dedup();
    let unknown = || {
        let names = PATHS
            .iter()
            .map(|path| path.id)
            .collect::<Vec<_>>()
            .join(", ");
        let message = format!("there is no such path: expected one of {names}");
        InputError::new("bad_request", "query.id", message)
    };
    PATHS
        .iter()
        .find(|path| path.id == query.id)
        .ok_or_else(unknown)
}

fn edited(splits: &mut Vec<f64>, edit: &ArmEdit, arm: &Arm<'_>) -> Result<(), InputError> {
    match *edit {
        ArmEdit::Whole => splits.clear(),
        ArmEdit::Split { at } => {
            if !(0.0..=1.0).contains(&at) {
                let message = "expected a time from 0 to 1";
                return Err(InputError::new("bad_edit", "edits", message));
            }
            let spans = arm.spans(splits)?;
            halve(splits, &spans[span_at(&spans, at)]);
        }
        ArmEdit::Prove => loop {
            let before = splits.len();
            for span in arm.spans(splits)?.iter().filter(|span| !span.closed) {
                halve(splits, span);
            }
            if splits.len() == before {
                break;
            }
        },
    }
    Ok(())
}

/// A span becomes two, where it is not too short, nor the spans too many.
fn halve(splits: &mut Vec<f64>, span: &ArmSpan) {
    if span.to - span.from >= 2.0 * SPAN_MIN && splits.len() + 1 < SPANS_MAX {
        splits.push(f64::midpoint(span.from, span.to));
        splits.sort_by(f64::total_cmp);
    }
}

/// The span around a time; of two that meet there the earlier one.
fn span_at(spans: &[ArmSpan], time: f64) -> usize {
    let found = spans.iter().position(|span| time <= span.to);
    found.unwrap_or(spans.len() - 1)
}

fn told(query: &ArmQuery, arm: &Arm<'_>, time: f64) -> Result<Value, InputError> {
    let spans = arm.spans(&query.splits)?;
    let at = span_at(&spans, time);
    let span = [spans[at].from, spans[at].to];
    let picture = arm.look(span, time)?;
    let open = spans.iter().filter(|span| !span.closed).count();
    let hit = if open == 0 { None } else { arm.first_hit()? };
    let answer = ArmAnswer {
        verdict: match (open, hit) {
            (0, _) => "free",
            (_, Some(_)) => "hits",
            _ => "undecided",
        },
        exact: false,
        time: hit.map(|[lower, upper]| json!({"lower": lower, "upper": upper})),
    };
    let response = ArmTold {
        query,
        sentence: sentence(spans.len(), open, hit.is_some()),
        answer,
        time,
        end: 1.0,
        span: at,
        spans: &spans,
        pieces: [],
        background: background(arm, &picture),
        frames: [frame(arm, &picture, (at, &spans), time)],
        handles: [],
        steps: spans
            .iter()
            .enumerate()
            .map(|(k, span)| step(k, span))
            .collect(),
    };
    serde_json::to_value(&response)
        .map_err(|error| InputError::new("bad_answer", "", error.to_string()))
}

fn sentence(count: usize, open: usize, hits: bool) -> String {
    let spans = counted(count, "span", "spans");
    match (open, hits) {
        (0, _) if count == 1 => "Apart at all times: one direction proves it.".to_owned(),
        (0, _) => format!("Apart at all times: {spans} prove it, a direction each."),
        (_, true) => format!(
            "They meet, which a state shows: {open} of {spans} cannot be proved, however short the spans around it are."
        ),
        _ => format!("{open} of {spans} not proved yet: divide what is open."),
    }
}

fn step(number: usize, span: &ArmSpan) -> String {
    let ArmSpan { from, to, .. } = span;
    let what = if span.closed {
        format!("at least {:.4} apart", span.bound)
    } else {
        "not proved".to_owned()
    };
    format!("{:>3}. t from {from:?} to {to:?}: {what}", number + 1)
}
