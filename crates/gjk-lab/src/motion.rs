//! Bodies in motion: the query as edited, the answer, and where everything is at one time.
//!
//! Where it sits: beside `pair.rs`; the page asks again for every time that its slider is at.
//! Idea: both bodies are posed by the library's own motions, and each plane that is drawn is of a piece that the search or the certificate proves. What is
//! computed here is where to draw it: between the farthest points of the bodies along its normal.

use crate::common::plain;
use crate::draw::{Frame, Item};
use crate::edit::{self, Edit};
use crate::motion_stage::{Stage, frame};
use gjk::math::Scalar;
use gjk::query::Meeting;
use gjk::{Vec2, Vec3};
use gjk_query::convert::{InputError, Space};
use gjk_query::motion::MotionAnswer;
use gjk_query::motion_record::{ApartPiece, RecordedMotion, record_motion};
use gjk_query::motion_words::steps;
use gjk_scene::{AnyQuery, MotionQuerySpec, MoverSpec, ScalarKind, read_line};
use serde::Serialize;
use serde_json::Value;

/// What came of a motion.
#[derive(Serialize)]
struct Moved<'r> {
    query: &'r MotionQuerySpec,
    answer: &'r MotionAnswer,
    /// What the verdict claims, in a sentence.
    sentence: String,
    /// The time that is drawn.
    time: f64,
    /// The last time that is drawn: the motion's end, or as far as there is something to see.
    end: f64,
    /// Where the bodies are proved apart.
    pieces: &'r [ApartPiece],
    /// Which of them the time is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    piece: Option<usize>,
    /// Where each body's own origin is then, and at the end.
    grips: [Grip; 2],
    background: Vec<Item>,
    frames: [Frame; 1],
    handles: Vec<edit::Handle>,
    /// The steps of the search, as `gjk trace` tells them.
    steps: Vec<String>,
}

/// Where a body can be held.
#[derive(Serialize)]
struct Grip {
    now: Vec<f64>,
    end: Vec<f64>,
    /// Its end can be dragged.
    moves: bool,
}

/// Answers a motion as it is after some edits, and draws it at a time; without one at the contact, or else at the end.
///
/// # Errors  what is wrong with the query, an edit or the time, with its path.
pub(crate) fn asked(query: &Value, edits: &[Edit], time: Option<f64>) -> Result<Value, InputError> {
    let mut spec = read(&query.to_string())?;
    edits
        .iter()
        .try_for_each(|edit| edit::apply_to_motion(&mut spec, edit))?;
    // An edit may have left what a query line may state.
    spec = read(&spec.to_line())?;
    if time.is_some_and(|time| !(time.is_finite() && time >= 0.0)) {
        let message = "expected a finite time, 0 or more";
        return Err(InputError::new("bad_request", "time", message));
    }
    match (spec.dim, spec.scalar) {
        (2, ScalarKind::F32) => told::<Vec2<f32>>(&spec, time),
        (2, ScalarKind::F64) => told::<Vec2<f64>>(&spec, time),
        (_, ScalarKind::F32) => told::<Vec3<f32>>(&spec, time),
        (_, ScalarKind::F64) => told::<Vec3<f64>>(&spec, time),
    }
}

fn read(line: &str) -> Result<MotionQuerySpec, InputError> {
    let expected = || InputError::new("bad_request", "query", "expected a ray, a cast or a toi");
    match read_line(line.as_bytes(), 1).ok_or_else(expected)?.query? {
        AnyQuery::Motion(spec) => Ok(*spec),
        _ => Err(expected()),
    }
}

fn told<V: Space>(spec: &MotionQuerySpec, time: Option<f64>) -> Result<Value, InputError> {
    let recorded = record_motion::<V>(spec)?;
    let end = shown_until(spec, &recorded);
    // There the last piece ends.
    let met = recorded.answer.time.map(|time| time.lower);
    let time = time.or(met).unwrap_or(end).min(end);
    let stage = Stage::new(&recorded, end);
    let response = Moved {
        query: spec,
        answer: &recorded.answer,
        sentence: sentence(&recorded.answer, recorded.pieces.len()),
        time,
        end,
        pieces: &recorded.pieces,
        piece: recorded.piece_at(time),
        grips: [0, 1].map(|k| Grip {
            now: stage.origin_at(k, time),
            end: stage.origin_at(k, end),
            moves: stage.moves[k],
        }),
        background: stage.background(time),
        frames: [frame(&recorded, time)],
        handles: if time == 0.0 {
            edit::motion_handles(spec)
        } else {
            Vec::new()
        },
        steps: plain(steps(&recorded)),
    };
    serde_json::to_value(&response)
        .map_err(|error| InputError::new("bad_answer", "", error.to_string()))
}

/// The last time that is drawn. A motion without an end is drawn until some time after the contact, or after the bodies' origins are nearest, a power of two.
#[must_use]
pub fn shown_until<V: Space>(spec: &MotionQuerySpec, recorded: &RecordedMotion<V>) -> f64 {
    if let Some(time) = spec.options.max_time {
        return time;
    }
    if matches!(spec.mover, MoverSpec::Toi { .. }) {
        return 1.0;
    }
    let answer = &recorded.answer;
    let met = answer.time.map(|time| time.upper).filter(|t| t.is_finite());
    let nearest = || {
        let [a, b] = [0.0, 1.0].map(|time| {
            let [a, b] = recorded.pair_at(time).centers();
            b - a
        });
        let way = b - a;
        -a.dot(way).to_f64() / way.dot(way).to_f64()
    };
    let seen = 1.25 * met.unwrap_or_else(nearest);
    if seen > 0.0 && seen.is_finite() {
        libm::exp2(libm::ceil(libm::log2(seen)))
    } else {
        1.0
    }
}

fn sentence(answer: &MotionAnswer, pieces: usize) -> String {
    let of_pieces = gjk_scene::counted(pieces, "piece", "pieces");
    let claim = match answer.verdict {
        Meeting::Free if pieces > 1 => {
            format!("No contact at any time: {of_pieces} prove it, one after the other.")
        }
        Meeting::Free => "No contact at any time: one plane proves it.".to_owned(),
        Meeting::Hits if pieces > 1 => {
            format!("No contact before the interval, by {of_pieces}, and contact at its end.")
        }
        Meeting::Hits => "No contact before the interval, and contact at its end.".to_owned(),
        Meeting::StartsTouching => "They touch at the start.".to_owned(),
        Meeting::StartsOverlapping => "They overlap at the start.".to_owned(),
        Meeting::Exits => "In contact from the start, until the interval.".to_owned(),
        Meeting::Undecided => {
            "No contact before the interval; what is after is not known.".to_owned()
        }
    };
    let proof = if answer.exact {
        "Proved by exact signs."
    } else {
        "Proved with all roundings counted."
    };
    format!("{claim} {proof}")
}
