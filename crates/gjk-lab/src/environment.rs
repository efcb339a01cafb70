//! What the lab needs of the program that it runs in.
//!
//! Where it sits: over `robot.rs`, which takes the clock alone, and under everything else that answers a request. The library
//! reads no clock and no file; both come from here.

use crate::{MeshPair, RobotScene};

/// What the program that the lab runs in gives it.
#[derive(Clone, Copy)]
pub struct Environment<'h> {
    /// Seconds since any fixed moment. Only times that are shown come from it, no answer.
    pub clock: fn() -> f64,
    /// The bodies of the file that the lab was opened with.
    pub robot: Option<&'h RobotScene>,
    /// The two meshes that it was opened with.
    pub meshes: Option<&'h MeshPair>,
}
