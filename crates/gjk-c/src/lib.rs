//! The library for C and C++: `include/gjk.h` is made of this crate.
//!
//! Where it sits: above `gjk-batch` and `gjk-mesh`, whose answers it hands over as they are. No rule of geometry stands here.
//! Idea: a caller has handles that it cannot look into, and its own arrays. Every entry checks what it can of them, answers with a status, and keeps
//! a text of what was wrong for its thread. No panic leaves an entry.
//!
//! Reading order: `abi`, where the entries are and all of the `unsafe`; `types` and `motion_types`, what goes in and out; `handles`; `status`.
//! The contract with callers is the head of the header, `src/head.h`.

// The entries take pointers of a caller: this is the one module of the workspace with `unsafe`.
#[allow(unsafe_code)]
pub mod abi;
pub mod handles;
pub mod motion_types;
pub mod status;
pub mod types;
