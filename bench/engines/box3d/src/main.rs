//! Box3D: GJK for `bool` and `dist`, SAT and clipping for `pen`; hulls to 128 vertices and faces, balls, capsules. See
//! `bench/engines/README.md`.

use gjk_bench_engine::shim::CppEngine;
use std::process::ExitCode;

const BOX3D: CppEngine = CppEngine {
    name: "box3d",
    ops: "bool dist pen track-dist-cold track-dist-warm track-pen-cold track-pen-warm ray cast cast-bool toi manifold \
          track-manifold-cold track-manifold-warm",
    note: concat!(env!("GJK_BENCH_CRATE"), ", f32, ", env!("GJK_BENCH_FLAGS")),
};

fn main() -> ExitCode {
    gjk_bench_engine::main(&[&BOX3D])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_bench_engine::samples::check;

    #[test]
    fn samples() -> Result<(), String> {
        check(&BOX3D, "polytopes rounds tracks", 1e-5)?;
        Ok(())
    }
}
