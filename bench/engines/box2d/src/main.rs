//! Box2D: GJK for `bool` and `dist`, SAT and clipping for `pen`; at most 8 vertices. See `bench/engines/README.md`.

use gjk_bench_engine::shim::CppEngine;
use std::process::ExitCode;

const BOX2D: CppEngine = CppEngine {
    name: "box2d",
    ops: "bool dist pen track-dist-cold track-dist-warm track-pen-cold ray cast cast-bool toi manifold",
    note: concat!(env!("GJK_BENCH_CRATE"), ", f32, ", env!("GJK_BENCH_FLAGS")),
};

fn main() -> ExitCode {
    gjk_bench_engine::main(&[&BOX2D])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_bench_engine::samples::check;

    #[test]
    fn samples() -> Result<(), String> {
        check(&BOX2D, "polygons", 1e-5)?;
        Ok(())
    }
}
