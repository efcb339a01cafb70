//! The one function: a request in JSON in, a response in JSON out.
//!
//! | request | response |
//! |---|---|
//! | `{"ask":"scenes"}` | `{"scenes":[…]}`: what [`crate::scenes`] lists |
//! | `{"ask":"query","query":{…},"edits":[…],"algorithm":"distance","direction":[…]}` | the query as edited, its answer, what floats alone say, what to draw |
//! | `{"ask":"bounce","dim":3}`, then `{"ask":"bounce","dim":3,"state":{…},"seconds":0.016}` | a dozen bodies a moment later, their contacts, the time of their queries |
//! | `{"ask":"assembly","of":"example","joints":[…]}` | a robot in a state of its joints (without them, at zero): where its parts are, its nearest pairs |
//! | `{"ask":"pair","of":"example","joints":[…],"bodies":[2,5]}` | two of its bodies as a query |
//! | `{"ask":"mesh","name":"part.stl","base64":"…"}` | the hull of a mesh as a shape of the query format |
//!
//! `query` is a line of the query format. What is wrong with a request comes back as `{"error":{kind, at, message}}`.
//! What the library does not have, a clock, comes with the [`Host`].

use crate::assembly::Assembly;
use crate::bounce;
use crate::draw::Item;
use crate::edit::{self, Edit};
use crate::mesh;
use crate::playback::{self, Frame};
use crate::scenes;
use gjk::math::Scalar;
use gjk::query::Options;
use gjk::{Vec2, Vec3};
use gjk_query::answer::{self, Answer, Bounds, Pair};
use gjk_query::convert::{InputError, Space};
use gjk_query::watch::{Algorithm, watch};
use gjk_scene::{QueryKind, QuerySpec, ScalarKind, read_query_line};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What the program that the lab runs in gives it.
#[derive(Clone, Copy)]
pub struct Host<'h> {
    /// Seconds since any fixed moment. Only times that are shown come from it, no answer.
    pub clock: fn() -> f64,
    /// The bodies of the file that the lab was opened with.
    pub assembly: Option<&'h Assembly>,
}

/// A request.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    /// What there is to look at.
    Scenes,
    /// A query, as it is after some edits.
    Query {
        query: Value,
        #[serde(default)]
        edits: Vec<Edit>,
        #[serde(default)]
        algorithm: Option<Loop>,
        #[serde(default)]
        direction: Option<Vec<f64>>,
    },
    /// A dozen bodies that bounce.
    Bounce {
        dim: usize,
        #[serde(default)]
        state: Option<bounce::State>,
        #[serde(default)]
        seconds: f64,
    },
    /// A robot in a state.
    Assembly {
        of: Which,
        #[serde(default)]
        joints: Option<Vec<f64>>,
    },
    /// Two of its bodies.
    Pair { of: Which, joints: Vec<f64>, bodies: (usize, usize) },
    /// A mesh that was dropped onto the page.
    Mesh { name: String, base64: String },
}

/// Whose bodies.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Which {
    /// The lab's own robot.
    Example,
    /// The file's that the lab was opened with.
    File,
}

/// The loop to watch.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Loop {
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
    handles: Vec<Handle>,
}

/// What floats alone decide.
#[derive(Serialize)]
struct Floats {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    signed_distance: Option<Bounds>,
}

/// A point of the input that can be dragged.
#[derive(Serialize)]
struct Handle {
    body: &'static str,
    index: usize,
    at: Vec<f64>,
}

/// Answers a request.
///
/// Never fails: what is wrong is told in the response. No state, no file: the same request has the same response, but for the times
/// in it, which come from the host's clock.
pub fn respond(request: &str, host: &Host<'_>) -> String {
    let answered = match serde_json::from_str(request) {
        Ok(Request::Scenes) => Ok(scenes::list(host)),
        Ok(Request::Query { query, edits, algorithm, direction }) => {
            asked(&query, &edits, algorithm, direction.as_deref())
        }
        Ok(Request::Bounce { dim, state: None, .. }) => bounce::begin(dim, host),
        Ok(Request::Bounce { state: Some(state), seconds, .. }) => bounce::frame(state, seconds, host),
        Ok(Request::Assembly { of, joints }) => with(of, host, |assembly| match joints {
            Some(joints) => assembly.state(joints, host),
            None => assembly.begin(host),
        }),
        Ok(Request::Pair { of, joints, bodies }) => with(of, host, |assembly| assembly.pair(&joints, bodies)),
        Ok(Request::Mesh { name, base64 }) => mesh::shape(&name, &base64),
        Err(error) => Err(InputError::new("bad_request", "", error.to_string())),
    };
    answered.unwrap_or_else(|error| json!({ "error": error })).to_string()
}

/// Asks an assembly.
fn with(
    of: Which,
    host: &Host<'_>,
    ask: impl FnOnce(&Assembly) -> Result<Value, InputError>,
) -> Result<Value, InputError> {
    match (of, host.assembly) {
        (Which::File, Some(assembly)) => ask(assembly),
        (Which::File, None) => Err(InputError::new("bad_request", "of", "the lab was opened without a file")),
        (Which::Example, _) => {
            let example = Assembly::example();
            ask(&example.map_err(|error| InputError::new("bad_answer", "of", error.to_string()))?)
        }
    }
}

fn asked(
    query: &Value,
    edits: &[Edit],
    algorithm: Option<Loop>,
    direction: Option<&[f64]>,
) -> Result<Value, InputError> {
    let line = read_query_line(query.to_string().as_bytes(), 1)
        .ok_or_else(|| InputError::new("bad_request", "query", "expected an object"))?;
    let mut spec = line.query?;
    edits.iter().try_for_each(|edit| edit::apply(&mut spec, edit))?;
    // An edit may have left what a query line may state.
    spec = read_query_line(spec.to_line().as_bytes(), 1)
        .ok_or_else(|| InputError::new("bad_request", "query", "expected an object"))?
        .query?;
    let boolean = matches!((algorithm, spec.query), (Some(Loop::Boolean), _) | (None, QueryKind::Intersects));
    let algorithm = if boolean { Algorithm::Boolean } else { Algorithm::Distance };
    match (spec.dim, spec.scalar) {
        (2, ScalarKind::F32) => told::<Vec2<f32>>(&spec, algorithm, direction),
        (2, ScalarKind::F64) => told::<Vec2<f64>>(&spec, algorithm, direction),
        (_, ScalarKind::F32) => told::<Vec3<f32>>(&spec, algorithm, direction),
        (_, ScalarKind::F64) => told::<Vec3<f64>>(&spec, algorithm, direction),
    }
}

fn told<V: Space>(spec: &QuerySpec, algorithm: Algorithm, direction: Option<&[f64]>) -> Result<Value, InputError> {
    let pair = Pair::<V>::new(spec)?;
    let mut options: Options<V> = answer::options(&spec.options)?;
    if let Some(numbers) = direction.filter(|numbers| numbers.iter().any(|&x| x != 0.0)) {
        if numbers.len() != V::DIM || !numbers.iter().all(|x| x.is_finite()) {
            let message = format!("expected {} finite numbers", V::DIM);
            return Err(InputError::new("bad_request", "direction", message));
        }
        options.first_direction = Some(V::from_fn(|k| V::Scalar::from_f64(numbers[k])));
    }
    let watched = watch(algorithm, &pair, &options, &spec.id)?;
    let unproved = Options { float_only: true, ..options };
    let floats = watch(algorithm, &pair, &unproved, &spec.id)?.answer;
    let (background, window) = playback::background(&pair);
    let response = Response {
        query: spec,
        answer: &watched.answer,
        floats: Floats { verdict: floats.verdict.name(), signed_distance: floats.signed_distance },
        background,
        frames: playback::frames(&pair, &watched, &window),
        handles: handles(spec),
    };
    serde_json::to_value(&response).map_err(|error| InputError::new("bad_answer", "", error.to_string()))
}

fn handles(spec: &QuerySpec) -> Vec<Handle> {
    let mut found = Vec::new();
    for (name, body) in [("a", &spec.a), ("b", &spec.b)] {
        let mut shape = body.shape.clone();
        let points = edit::vertices(&mut shape).unwrap_or_default();
        let handle = |(index, own): (usize, &mut Vec<f64>)| Handle { body: name, index, at: edit::to_world(body, own) };
        found.extend(points.into_iter().enumerate().map(handle));
    }
    found
}
