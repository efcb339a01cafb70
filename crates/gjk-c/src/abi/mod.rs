//! The entries for C, and all of the workspace's `unsafe`.
//!
//! The contract, which is what every `SAFETY` remark here calls *the caller's word*; the head of the header has it in the words of C:
//! - a pointer is NULL, or points to as many values of its type as its parameter says, which stay there until the call ends;
//! - what is read is initialised, and nobody writes it meanwhile; what is written nobody reads or writes meanwhile;
//! - a handle came from the function that makes it, and was not freed.
//!
//! What can be checked is: NULL, alignment, strides, sizes that no memory has, and whether columns overlap. `pointers.rs` has the checks and the
//! only places that read and write through a pointer of the caller; the other files call them.

#![allow(clippy::missing_safety_doc)] // the contract is one for all, above

pub mod general;
pub mod manifolds;
pub mod mesh;
pub mod motions;
pub mod pointers;
pub mod rows;
pub mod shapes;
