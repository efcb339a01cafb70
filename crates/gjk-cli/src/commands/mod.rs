//! A file a command: its options, and `run`.

pub mod acm;
pub mod audit;
pub mod bench;
pub mod check;
pub mod completions;
pub mod edges;
pub mod fuzz;
pub mod hits;
pub mod lab;
pub mod label;
pub mod path;
mod proof;
pub mod query;
pub mod reduce;
mod scene;
pub mod schema;
pub mod solvers;
pub mod states;
pub mod trace;
