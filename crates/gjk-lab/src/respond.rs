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
//! What the library does not have, a clock, comes with the [`Host`]. Features say which requests a program has: `scenes` the first, `pairs`
//! the second, `bodies` the others. To one that has it not a request is an unknown one.

use crate::Assembly;
#[cfg(feature = "scenes")]
use crate::scenes;
#[cfg(feature = "bodies")]
use crate::{bounce, mesh};
#[cfg(feature = "pairs")]
use crate::{edit::Edit, pair};
use gjk_query::convert::InputError;
use serde::Deserialize;
#[cfg(any(feature = "pairs", feature = "bodies"))]
use serde_json::Value;
use serde_json::json;

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
    /// A dozen bodies that bounce.
    #[cfg(feature = "bodies")]
    Bounce {
        dim: usize,
        #[serde(default)]
        state: Option<bounce::State>,
        #[serde(default)]
        seconds: f64,
    },
    /// A robot in a state.
    #[cfg(feature = "bodies")]
    Assembly {
        of: Which,
        #[serde(default)]
        joints: Option<Vec<f64>>,
    },
    /// Two of its bodies.
    #[cfg(feature = "bodies")]
    Pair {
        of: Which,
        joints: Vec<f64>,
        bodies: (usize, usize),
    },
    /// A mesh that was dropped onto the page.
    #[cfg(feature = "bodies")]
    Mesh { name: String, base64: String },
}

/// Whose bodies.
#[cfg(feature = "bodies")]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Which {
    /// The lab's own robot.
    Example,
    /// The file's that the lab was opened with.
    File,
}

/// Answers a request.
///
/// Never fails: what is wrong is told in the response. No state, no file: the same request has the same response, but for the times
/// in it, which come from the host's clock.
#[cfg_attr(
    not(feature = "bodies"),
    expect(unused_variables, reason = "only many bodies have times and files")
)]
pub fn respond(request: &str, host: &Host<'_>) -> String {
    let answered = match serde_json::from_str::<Request>(request) {
        #[cfg(feature = "scenes")]
        Ok(Request::Scenes) => Ok(scenes::list(host)),
        #[cfg(feature = "pairs")]
        Ok(Request::Query {
            query,
            edits,
            algorithm,
            direction,
        }) => pair::asked(&query, &edits, algorithm, direction.as_deref()),
        #[cfg(feature = "bodies")]
        Ok(Request::Bounce {
            dim, state: None, ..
        }) => bounce::begin(dim, host),
        #[cfg(feature = "bodies")]
        Ok(Request::Bounce {
            state: Some(state),
            seconds,
            ..
        }) => bounce::frame(state, seconds, host),
        #[cfg(feature = "bodies")]
        Ok(Request::Assembly { of, joints }) => with(of, host, |assembly| match joints {
            Some(joints) => assembly.state(joints, host),
            None => assembly.begin(host),
        }),
        #[cfg(feature = "bodies")]
        Ok(Request::Pair { of, joints, bodies }) => {
            with(of, host, |assembly| assembly.pair(&joints, bodies))
        }
        #[cfg(feature = "bodies")]
        Ok(Request::Mesh { name, base64 }) => mesh::shape(&name, &base64),
        Err(error) => Err(InputError::new("bad_request", "", error.to_string())),
    };
    answered
        .unwrap_or_else(|error| json!({ "error": error }))
        .to_string()
}

/// Asks an assembly.
#[cfg(feature = "bodies")]
fn with(
    of: Which,
    host: &Host<'_>,
    ask: impl FnOnce(&Assembly) -> Result<Value, InputError>,
) -> Result<Value, InputError> {
    match (of, host.assembly) {
        (Which::File, Some(assembly)) => ask(assembly),
        (Which::File, None) => Err(InputError::new(
            "bad_request",
            "of",
            "the lab was opened without a file",
        )),
        (Which::Example, _) => {
            let example = Assembly::example();
            ask(&example.map_err(|error| InputError::new("bad_answer", "of", error.to_string()))?)
        }
    }
}
