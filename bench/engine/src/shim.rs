//! Engines in C++: a scene behind five C functions. `cpp/gjk_bench.hpp` is the other side and is to be read first.

mod ffi;

use crate::{Answer, Engine, Offer, Op, Unsupported, Workload};

/// A library that is reached through `shim.cpp`.
pub struct CppEngine {
    /// Name, and what `prepare` in C++ is told.
    pub name: &'static str,
    /// The operations offered, separated by white space.
    pub ops: &'static str,
    /// What the `list` line says after the version: arithmetic and flags.
    pub note: &'static str,
}

impl Engine for CppEngine {
    type Scene = ffi::Scene;

    fn offer(&self) -> Offer {
        Offer::new(self.name, self.ops, format!("{}, {}", ffi::version(), self.note))
    }

    fn prepare(&self, op: Op, workload: &Workload) -> Result<ffi::Scene, Unsupported> {
        ffi::Scene::prepare(self.name, op, workload)
    }

    fn pass(&self, _: Op, scene: &mut ffi::Scene) {
        scene.pass();
    }

    fn answers(&self, _: Op, scene: &ffi::Scene) -> Vec<Answer> {
        scene.answers()
    }
}
