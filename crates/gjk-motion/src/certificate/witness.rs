//! A pair of links in a state that shows something of it, in the layout of certificates.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A pair that is shown by a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WitnessPair {
    /// The first link.
    pub a: String,
    /// The second link.
    pub b: String,
    /// Whether they overlap there; else they are nearer than was asked.
    pub overlaps: bool,
    /// Their signed distance is at most this.
    pub distance: f64,
    /// The state, by the joints that it sets.
    pub state: BTreeMap<String, f64>,
}
