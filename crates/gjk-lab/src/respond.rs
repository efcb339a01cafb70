//! The one function: a request in JSON in, a response in JSON out.
//!
//! | request | response |
//! |---|---|
//! | `{"ask":"scenes"}` | `{"scenes":[…]}`: what [`crate::scenes`] lists |
//! | `{"ask":"query","query":{…},"edits":[…],"algorithm":"distance","direction":[…]}` | the query as edited, its answer, what floats alone say, what to draw |
//! | `{"ask":"motion","query":{…},"edits":[…],"time":0.4}` | a ray, a cast or a time of impact: the answer, where it is proved that nothing meets, the bodies at that time (without one, at the contact) |
//! | `{"ask":"manifold","query":{…},"edits":[…]}` | where two bodies bear on each other, and how it was found |
//! | `{"ask":"arm","query":{"id":"arm-passes",…},"edits":[…],"time":0.4}` | a path of an arm in spans: what proves the span around that time, and the arm then |
//! | `{"ask":"simulation","dim":3}`, then `{"ask":"simulation","dim":3,"state":{…},"seconds":0.016}` | a dozen bodies a moment later, their contacts, the time of their queries |
//! | `{"ask":"stack","dim":3,"warm":true}`, then `{"ask":"stack","dim":3,"state":{…},"seconds":0.016}` | boxes on each other a moment later, and the points that they bear on |
//! | `{"ask":"robot","of":"example","joints":[…]}` | a robot in a state of its joints (without them, at zero): where its parts are, its nearest pairs |
//! | `{"ask":"pair","of":"example","joints":[…],"bodies":[2,5]}` | two of its bodies as a query |
//! | `{"ask":"meshes","query":{"a":{"mesh":{"example":"ring"},"pose":{…}},"b":{…}},"edits":[…],"models":true}` | the relation of two meshes, and the steps that found it |
//! | `{"ask":"mesh","name":"part.stl","base64":"…"}` | the hull of a mesh as a shape of the query format |
//!
//! `query` is a line of the query format. What is wrong with a request comes back as `{"error":{kind, at, message}}`.
//! What the library does not have, a clock, comes with the [`Environment`]. Features say which requests a program has: `scenes`
//! the first, `pairs` the second, `bodies` the others. A program built without the
//! feature answers such a request with `bad_request`.

use crate::Environment;
#[cfg(feature = "bodies")]
use crate::RobotScene;
#[cfg(any(feature = "pairs", feature = "bodies"))]
use crate::edit::Edit;
#[cfg(feature = "pairs")]
use crate::pair;
#[cfg(feature = "scenes")]
use crate::scenes;
#[cfg(feature = "bodies")]
use crate::{arm, manifold, mesh, mesh_pair, motion, simulation, stack};
use gjk_query::convert::InputError;
use serde::Deserialize;
#[cfg(any(feature = "pairs", feature = "bodies"))]
use serde_json::Value;
use serde_json::json;

/// A request.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    /// What there is to look at.
    #[cfg(feature = "scenes")]
    Scenes,
    /// A query, as it is after some edits.
    #[cfg(feature = "pairs")]
    Query {
        query: Value,
        #[serde(default)]
        edits: Vec<Edit>,
        #[serde(default)]
        algorithm: Option<pair::Loop>,
        #[serde(default)]
        direction: Option<Vec<f64>>,
    },
    /// A motion, as it is after some edits, at a time.
    #[cfg(feature = "bodies")]
    Motion {
        query: Value,
        #[serde(default)]
        edits: Vec<Edit>,
        #[serde(default)]
        time: Option<f64>,
    },
    /// A manifold, as it is after some edits.
    #[cfg(feature = "bodies")]
    Manifold {
        query: Value,
        #[serde(default)]
        edits: Vec<Edit>,
    },
    /// A path of an arm, in spans as they are after some edits, at a time.
    #[cfg(feature = "bodies")]
    Arm {
        query: arm::ArmQuery,
        #[serde(default)]
        edits: Vec<arm::ArmEdit>,
        #[serde(default)]
        time: Option<f64>,
    },
    /// A dozen bodies that bounce.
    #[cfg(feature = "bodies")]
    Simulation {
        dim: usize,
        #[serde(default)]
        state: Option<simulation::State>,
        #[serde(default)]
        seconds: f64,
    },
    /// Boxes that stand on each other.
    #[cfg(feature = "bodies")]
    Stack {
        dim: usize,
        #[serde(default)]
        warm: bool,
        #[serde(default)]
        state: Option<stack::StackState>,
        #[serde(default)]
        seconds: f64,
    },
    /// A robot in a state.
    #[cfg(feature = "bodies")]
    Robot {
        of: RobotSource,
        #[serde(default)]
        joints: Option<Vec<f64>>,
    },
    /// Two of its bodies.
    #[cfg(feature = "bodies")]
    Pair {
        of: RobotSource,
        joints: Vec<f64>,
        bodies: (usize, usize),
    },
    /// Two meshes.
    #[cfg(feature = "bodies")]
    Meshes {
        query: mesh_pair::MeshQuery,
        #[serde(default)]
        edits: Vec<Edit>,
        #[serde(default)]
        models: bool,
    },
    /// A mesh that was dropped onto the page.
    #[cfg(feature = "bodies")]
    Mesh { name: String, base64: String },
}

/// Whose bodies.
#[cfg(feature = "bodies")]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RobotSource {
    /// The lab's own robot.
    Example,
    /// The file's that the lab was opened with.
    File,
}

/// Answers a request.
///
/// Never fails: what is wrong is told in the response. No state, no file: the same request has the same response, but for the
/// times in it, which come from the environment's clock.
#[cfg_attr(
    not(feature = "bodies"),
    expect(unused_variables, reason = "only many bodies have times and files")
)]
pub fn respond(request: &str, environment: &Environment<'_>) -> String {
    let answered = match serde_json::from_str::<Request>(request) {
        #[cfg(feature = "scenes")]
        Ok(Request::Scenes) => Ok(scenes::list(environment)),
        #[cfg(feature = "pairs")]
        Ok(Request::Query {
            query,
            edits,
            algorithm,
            direction,
        }) => pair::asked(&query, &edits, algorithm, direction.as_deref()),
        #[cfg(feature = "bodies")]
        Ok(Request::Motion { query, edits, time }) => motion::asked(&query, &edits, time),
        #[cfg(feature = "bodies")]
        Ok(Request::Manifold { query, edits }) => manifold::asked(&query, &edits),
        #[cfg(feature = "bodies")]
        Ok(Request::Arm { query, edits, time }) => arm::asked(query, &edits, time),
        #[cfg(feature = "bodies")]
        Ok(Request::Simulation {
            dim, state: None, ..
        }) => simulation::begin(dim, environment),
        #[cfg(feature = "bodies")]
        Ok(Request::Simulation {
            state: Some(state),
            seconds,
            ..
        }) => simulation::frame(state, seconds, environment),
        #[cfg(feature = "bodies")]
        Ok(Request::Stack {
            state: Some(state),
            seconds,
            ..
        }) => stack::frame(state, seconds, environment),
        #[cfg(feature = "bodies")]
        Ok(Request::Stack { dim, warm, .. }) => stack::begin(dim, warm, environment),
        #[cfg(feature = "bodies")]
        Ok(Request::Robot { of, joints }) => with(of, environment, |robot| match joints {
            Some(joints) => robot.state(joints, environment.clock),
            None => robot.begin(environment.clock),
        }),
        #[cfg(feature = "bodies")]
        Ok(Request::Pair { of, joints, bodies }) => {
            with(of, environment, |robot| robot.pair(&joints, bodies))
        }
        #[cfg(feature = "bodies")]
        Ok(Request::Meshes {
            query,
            edits,
            models,
        }) => mesh_pair::asked(query, &edits, models, environment.meshes),
        #[cfg(feature = "bodies")]
        Ok(Request::Mesh { name, base64 }) => mesh::shape(&name, &base64),
        Err(error) => Err(InputError::new("bad_request", "", error.to_string())),
    };
    answered
        .unwrap_or_else(|error| json!({ "error": error }))
        .to_string()
}

/// Answers by a robot.
#[cfg(feature = "bodies")]
fn with(
    of: RobotSource,
    environment: &Environment<'_>,
    answer: impl FnOnce(&RobotScene) -> Result<Value, InputError>,
) -> Result<Value, InputError> {
    match (of, environment.robot) {
        (RobotSource::File, Some(robot)) => answer(robot),
        (RobotSource::File, None) => Err(InputError::new(
            "bad_request",
            "of",
            "the lab was opened without a file",
        )),
        (RobotSource::Example, _) => {
            let example = RobotScene::example();
            answer(
                &example.map_err(|error| InputError::new("bad_answer", "of", error.to_string()))?,
            )
        }
    }
}
