//! A manifold: the query as edited, the answer, and how it comes about, from the contact to the few points that are kept.
//!
//! Where it sits: beside `pair.rs`; `manifold_frames.rs` draws.
//! Idea: every step is an answer of the library. The corners of the intersection are its answer where all points are wanted, at any separation; how few are
//! chosen is its answers for one point, two, and so on.

use crate::draw::{Frame, Item};
use crate::edit::{self, Edit};
use crate::manifold_frames::{Steps, background, frames};
use gjk::Scalar;
use gjk::query::{self, ManifoldOptions};
use gjk::{Vec2, Vec3};
use gjk_query::convert::{InputError, Space};
use gjk_query::manifold::{ManifoldAnswer, asked as bodies_of, stated};
use gjk_query::pair::Pair;
use gjk_scene::{AnyQuery, ManifoldQuerySpec, ScalarKind, counted, read_line};
use serde::Serialize;
use serde_json::Value;

/// What came of a manifold.
#[derive(Serialize)]
struct Bearings<'r> {
    query: &'r ManifoldQuerySpec,
    answer: &'r ManifoldAnswer,
    /// What bears on what, in a sentence.
    sentence: String,
    background: Vec<Item>,
    frames: Vec<Frame>,
    handles: Vec<edit::Handle>,
}

/// Answers a manifold as it is after some edits.
///
/// # Errors  what is wrong with the query or an edit, with its path.
pub(crate) fn asked(query: &Value, edits: &[Edit]) -> Result<Value, InputError> {
    let mut spec = read(&query.to_string())?;
    for edit in edits {
        if matches!(edit, Edit::Swap) {
            std::mem::swap(&mut spec.a, &mut spec.b);
            continue;
        }
        let (dim, mut scalar) = (spec.dim, spec.scalar);
        edit::apply_to_bodies(dim, &mut scalar, [&mut spec.a, &mut spec.b], edit)?;
        spec.scalar = scalar;
    }
    // An edit may have left what a query line may state.
    spec = read(&spec.to_line())?;
    match (spec.dim, spec.scalar) {
        (2, ScalarKind::F32) => told::<Vec2<f32>>(&spec),
        (2, ScalarKind::F64) => told::<Vec2<f64>>(&spec),
        (_, ScalarKind::F32) => told::<Vec3<f32>>(&spec),
        (_, ScalarKind::F64) => told::<Vec3<f64>>(&spec),
    }
}

fn read(line: &str) -> Result<ManifoldQuerySpec, InputError> {
    let expected = || InputError::new("bad_request", "query", "expected a manifold");
    match read_line(line.as_bytes(), 1).ok_or_else(expected)?.query? {
        AnyQuery::Manifold(spec) => Ok(*spec),
        _ => Err(expected()),
    }
}

fn told<V: Space>(spec: &ManifoldQuerySpec) -> Result<Value, InputError> {
    let (pair, options) = bodies_of::<V>(spec)?;
    let found = |options: &ManifoldOptions<V::Scalar>| answered(&pair, options, &spec.id);
    let answer = found(&options)?;
    let every = options
        .with_prediction(V::Scalar::INFINITY)
        .with_all_points();
    let kept = answer.1.points.len() as u32;
    let steps = Steps {
        all: found(&every)?,
        near: found(&options.with_all_points())?,
        chosen: (1..kept)
            .map(|most| found(&options.with_points_max(most)))
            .collect::<Result<_, _>>()?,
        answer,
    };
    let answer = &steps.answer.1;
    let response = Bearings {
        query: spec,
        answer,
        sentence: sentence(answer),
        background: background(&pair),
        frames: frames(&pair, &steps),
        handles: edit::handles([&spec.a, &spec.b]),
    };
    serde_json::to_value(&response)
        .map_err(|error| InputError::new("bad_answer", "", error.to_string()))
}

/// The library's answer, and as the format prints it.
fn answered<V: Space>(
    pair: &Pair<V>,
    options: &ManifoldOptions<V::Scalar>,
    id: &str,
) -> Result<(query::Manifold<V>, ManifoldAnswer), InputError> {
    let Pair { a, b } = pair;
    let found = query::manifold(&a.shape, &a.pose, &b.shape, &b.pose, options);
    let answer = stated(id, pair, &found)?;
    Ok((found, answer))
}

fn sentence(answer: &ManifoldAnswer) -> String {
    let points = counted(answer.points.len(), "point", "points");
    let kind = match answer.kind.name() {
        "face_face" => "a face on a face",
        "face_edge" => "an edge on a face",
        "edge_edge" => "an edge on an edge",
        _ => "one point",
    };
    let distance = answer.signed_distance;
    let between = format!(
        "Signed distance in [{:?}, {:?}].",
        distance.lower, distance.upper
    );
    if answer.points.is_empty() {
        return format!("No point: they are farther apart than the prediction. {between}");
    }
    let left = if answer.complete {
        ""
    } else {
        ", of more corners"
    };
    format!("{points}{left}: {kind}. {between}")
}
