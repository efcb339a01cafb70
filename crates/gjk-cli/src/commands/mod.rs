//! A file a command: its options, and `run`.

pub mod audit;
pub mod check;
pub mod completions;
pub mod query;
pub mod schema;
pub mod trace;
