//! The source that is compiled for each crate of parry's: `super::parry` is the crate, and `super::kind` what its dimension alone has.
//!
//! Where it sits: `body.rs` makes parry's shapes bodies of gjk, `dispatcher.rs` answers pairs at rest, `motion.rs` those in motion, `persistent.rs` the
//! manifolds, with names by `names.rs`; `composite.rs` says which pairs have parts.
//! Idea: a query is asked of two convex bodies, the first at the origin of the frame. What gjk does not know is `Unsupported`. Shapes of parts
//! are asked of [`with_parry`], because parry drops the parts that are unsupported.

pub(super) mod body;
mod composite;
mod dispatcher;
mod motion;
mod names;
mod persistent;

use super::{kind, parry};
use parry::query::{DefaultQueryDispatcher, QueryDispatcher, QueryDispatcherChain};

/// The queries of parry answered by gjk; `Unsupported` where the crate's documentation says that they are left to parry.
///
/// It keeps no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct GjkDispatcher;

/// gjk first, and parry where gjk says `Unsupported`.
pub fn with_parry() -> QueryDispatcherChain<GjkDispatcher, DefaultQueryDispatcher> {
    GjkDispatcher.chain(DefaultQueryDispatcher)
}
