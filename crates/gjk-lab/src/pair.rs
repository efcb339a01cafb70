//! One pair: its query as edited, the answer, what floats alone say, and the steps as frames.

use crate::draw::{Frame, Item};
use crate::edit::{self, Edit};
use crate::playback;
use gjk::math::Scalar;
use gjk::query::ProofOptions;
use gjk::{Vec2, Vec3};
use gjk_query::answer::{self, Answer, Bounds};
use gjk_query::convert::{InputError, Space};
use gjk_query::pair::Pair;
use gjk_query::record::{Algorithm, record};
use gjk_scene::{QueryKind, QuerySpec, ScalarKind, read_query_line};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The loop to watch.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Loop {
    Distance,
    Boolean,
}

/// What came of a query.
#[derive(Serialize)]
struct Response<'r, V: Space> {
    query: &'r QuerySpec,
    #[serde(bound(serialize = "V: Serialize, V::Scalar: Serialize"))]
    answer: &'r Answer<V>,
    /// The answer without the exact layer.
    floats: Floats,
    background: Vec<Item>,
    frames: Vec<Frame>,
    handles: Vec<edit::Handle>,
}

/// What floats alone decide.
#[derive(Serialize)]
struct Floats {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    signed_distance: Option<Bounds>,
}

/// Answers a query as it is after some edits.
///
/// # Errors  what is wrong with the query, an edit or the direction, with its path.
pub(crate) fn asked(
    query: &Value,
    edits: &[Edit],
    algorithm: Option<Loop>,
    direction: Option<&[f64]>,
) -> Result<Value, InputError> {
    let line = read_query_line(query.to_string().as_bytes(), 1)
        .ok_or_else(|| InputError::new("bad_request", "query", "expected an object"))?;
    let mut spec = line.query?;
    edits
        .iter()
        .try_for_each(|edit| edit::apply(&mut spec, edit))?;
    // An edit may have left what a query line may state.
    spec = read_query_line(spec.to_line().as_bytes(), 1)
        .ok_or_else(|| InputError::new("bad_request", "query", "expected an object"))?
        .query?;
    let boolean = matches!(
        (algorithm, spec.query),
        (Some(Loop::Boolean), _) | (None, QueryKind::Intersects)
    );
    let algorithm = if boolean {
        Algorithm::Boolean
    } else {
        Algorithm::Distance
    };
    match (spec.dim, spec.scalar) {
        (2, ScalarKind::F32) => told::<Vec2<f32>>(&spec, algorithm, direction),
        (2, ScalarKind::F64) => told::<Vec2<f64>>(&spec, algorithm, direction),
        (_, ScalarKind::F32) => told::<Vec3<f32>>(&spec, algorithm, direction),
        (_, ScalarKind::F64) => told::<Vec3<f64>>(&spec, algorithm, direction),
    }
}

fn told<V: Space>(
    spec: &QuerySpec,
    algorithm: Algorithm,
    direction: Option<&[f64]>,
) -> Result<Value, InputError> {
    let pair = Pair::<V>::new(spec)?;
    let options = answer::options::<V>(&spec.options)?;
    let mut proof = ProofOptions::default();
    if let Some(numbers) = direction.filter(|numbers| numbers.iter().any(|&x| x != 0.0)) {
        if numbers.len() != V::DIM || !numbers.iter().all(|x| x.is_finite()) {
            let message = format!("expected {} finite numbers", V::DIM);
            return Err(InputError::new("bad_request", "direction", message));
        }
        proof.first_direction = Some(V::from_fn(|k| V::Scalar::from_f64(numbers[k])));
    }
    let recorded = record(algorithm, &pair, &options, &proof, &spec.id)?;
    let by_floats = proof.with_float_only(true);
    let floats = record(algorithm, &pair, &options, &by_floats, &spec.id)?.answer;
    let (background, window) = playback::background(&pair);
    let response = Response {
        query: spec,
        answer: &recorded.answer,
        floats: Floats {
            verdict: floats.verdict.name(),
            signed_distance: floats.signed_distance,
        },
        background,
        frames: playback::frames(&pair, &recorded, &window),
        handles: edit::handles([&spec.a, &spec.b]),
    };
    serde_json::to_value(&response)
        .map_err(|error| InputError::new("bad_answer", "", error.to_string()))
}
