//! The checker: it accepts what is true, it refuses every way of being wrong that we could think of, and no query has
//! given it reason to object.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod by_hand;
#[path = "../oracle/mod.rs"]
mod oracle;
mod sweep;
