//! Jolt Physics: its GJK and EPA templates on its convex supports. See `bench/engines/README.md`.

use gjk_bench_engine::shim::CppEngine;
use std::process::ExitCode;

const JOLT: CppEngine = CppEngine {
    name: "jolt",
    ops: "bool dist pen track-dist-cold track-dist-warm track-pen-cold track-pen-warm ray cast cast-bool manifold \
          track-manifold-cold",
    note: concat!(
        env!("GJK_BENCH_CRATE"),
        ", f32 SSE, default tolerances, ",
        env!("GJK_BENCH_FLAGS")
    ),
};

fn main() -> ExitCode {
    gjk_bench_engine::main(&[&JOLT])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_bench_engine::samples::check;

    #[test]
    fn samples() -> Result<(), String> {
        check(&JOLT, "polytopes rounds tracks", 1e-5)?;
        Ok(())
    }
}
