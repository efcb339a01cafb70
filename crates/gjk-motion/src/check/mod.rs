//! The checker of certificates: it proves again, by its own arithmetic, all that a certificate claims.
//!
//! Where it sits: beside the prover, of which it uses nothing: only the certificate's layout and the readers of files. Read
//! `whole.rs`, then `tree.rs` and `bound.rs`; for paths `path.rs` and `span.rs`.
//! Idea: the ranges must be those of the robot, the cells of a tree all joint values, and in each leaf the two pieces apart along the one
//! direction that it states. docs/robot-certificates.md says why that is a proof.
//! Numbers: all ends are rounded outward (`enclosed.rs`), and nothing is taken from the certificate but what is looked at.

mod asked;
mod bound;
mod enclosed;
mod groups;
mod inner;
mod library;
mod objection;
mod overlap;
mod pair;
mod path;
mod polynomial;
mod ranges;
mod solid;
mod span;
#[cfg(test)]
mod tests;
mod tree;
mod walk;
mod whole;
mod winding;

pub use asked::check_path_certificate;
pub use objection::{CertificateChecked, CertificateObjection};
pub use whole::{certificate_refusal, check_certificate};
