//! Bullet: `btGjkEpaSolver2`, and `btGjkPairDetector` as its collision pipeline uses it. See `bench/engines/README.md`.

use gjk_bench_engine::shim::CppEngine;
use std::process::ExitCode;

const SOLVER: CppEngine = CppEngine {
    name: "bullet-epa2",
    ops: "dist pen track-dist-cold track-pen-cold",
    note: concat!(
        "Debian's binary (-O2), f32, margins 0, shim ",
        env!("GJK_BENCH_FLAGS")
    ),
};
const DETECTOR: CppEngine = CppEngine {
    name: "bullet-detector",
    ops: "dist pen track-dist-cold track-dist-warm track-pen-cold track-pen-warm",
    note: concat!(
        "Debian's binary (-O2), f32, margins 0, shim ",
        env!("GJK_BENCH_FLAGS")
    ),
};

fn main() -> ExitCode {
    gjk_bench_engine::main(&[&SOLVER, &DETECTOR])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_bench_engine::samples::check;

    #[test]
    fn samples() -> Result<(), String> {
        check(&SOLVER, "polytopes tracks", 1e-5)?;
        check(&SOLVER, "rounds cylinders cones", 0.06)?;
        check(&DETECTOR, "polytopes rounds cones tracks", 1e-5)?;
        check(&DETECTOR, "cylinders", 1e-3)?;
        Ok(())
    }
}
