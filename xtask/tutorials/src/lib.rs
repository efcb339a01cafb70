//! The blocks of Rust in the tutorial for engines, as doctests. The other tutorials are tests of `gjk-python`.
//!
//! Where it sits: apart from the crates that are published, since those may name no file outside of themselves.
#![cfg_attr(doctest, doc = include_str!("../../../docs/tutorials/engine.md"))]
