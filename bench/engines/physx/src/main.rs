//! PhysX: `PxGjkQuery` on support callbacks of our own. See `bench/engines/README.md`.

use gjk_bench_engine::shim::CppEngine;
use std::process::ExitCode;

const PHYSX: CppEngine = CppEngine {
    name: "physx",
    ops: "bool dist pen track-dist-cold track-pen-cold",
    note: concat!(
        env!("GJK_BENCH_CRATE"),
        ", f32 SSE, ",
        env!("GJK_BENCH_FLAGS")
    ),
};

fn main() -> ExitCode {
    gjk_bench_engine::main(&[&PHYSX])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_bench_engine::samples::check;

    #[test]
    fn samples() -> Result<(), String> {
        check(&PHYSX, "polytopes rounds tracks", 1e-5)?;
        Ok(())
    }
}
