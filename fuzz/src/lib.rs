//! What the fuzz targets do with their bytes, apart from libFuzzer, so that seeds and finds also run as ordinary code.
//!
//! Each target is a module with `run(bytes)`, which panics on a find, and `describe(bytes)`, which says in words or as a
//! query line what the bytes mean. `bytes.rs` reads numbers out of bytes and writes them back; `exact.rs` is integer
//! arithmetic of its own, so that no check uses the code that it checks.
#![forbid(unsafe_code)]

pub mod bytes;
pub mod case;
pub mod exact;
pub mod hull;
pub mod ladder;
pub mod numbers;
pub mod queries;
pub mod readers;

/// A target's name, what it does with bytes, and how it tells what they mean.
pub type Target = (&'static str, fn(&[u8]), fn(&[u8]) -> String);

/// All targets.
pub const TARGETS: [Target; 4] = [
    ("readers", readers::run, readers::describe),
    ("hull", hull::run, hull::describe),
    ("ladder", ladder::run, ladder::describe),
    ("queries", queries::run, queries::describe),
];
