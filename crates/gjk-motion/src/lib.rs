//! Pairs of a robot's links over whole joint ranges: proved never to meet, or a state in which they do.
//!
//! Where it sits: between `gjk-check`, which answers for one state, and the command. Read [`LinkMatrix::run`] first, then
//! `prove.rs` and `cell.rs`; docs/joint-ranges.md derives the bound.
//! Idea: only the joints between two links move them against each other. A box of their values is a cell; what a link sweeps while they stay
//! in it has a support function (`sweep.rs`), so one run of GJK, or one direction, proves two links apart in the whole cell. A branch and
//! bound over cells proves it for all values, or finds a state in which they meet.
//! **Invariant:** no clock, no file and no random number that its caller did not seed: what bounds the work is a count of cells.

mod always;
mod cell;
mod certificate;
mod certify;
mod certify_path;
mod chain;
mod check;
mod curve;
mod divide;
mod divided;
mod downhill;
mod map;
mod matrix;
mod overlap_tree;
mod path;
mod picture;
mod piece;
mod placed;
mod profile;
mod prove;
mod range;
mod reasons;
mod robot_hash;
mod rooted;
mod scan;
mod search;
mod span;
mod span_screen;
mod span_tree;
mod state;
mod step;
mod sweep;
mod worker;

pub use certificate::{
    CertificateLimits, CertificateNode, OpenStretch, OverlappingPair, PartDivisions, PathMeeting,
    ProvedJoint, ProvedPair, ProvedPath, ProvedSegment, ProvedTree, ROBOT_CERTIFICATE_SCHEMA,
    RigidPair, RobotCertificate, SpanTree, TriangleDivision, WitnessPair,
};
pub use chain::{ChainVariable, JointChain, StepKind};
pub use check::{
    CertificateChecked, CertificateObjection, certificate_refusal, check_certificate,
    check_path_certificate,
};
pub use curve::{CurveKind, Interpolation, PathSegment};
pub use downhill::DownhillSteps;
pub use matrix::{AlwaysRule, Basis, LinkMatrix, Matrix, MatrixOptions, PairReason};
pub use path::{LinkPath, PathAnswer, PathEvent, PathOptions, PathVerdict, SegmentAnswer};
pub use picture::SpanPicture;
pub use profile::ClearanceSlice;
pub use range::{ProofNode, RangeAnswer, RangeOptions, RangeProof, StateDistance};
pub use robot_hash::robot_hash;
