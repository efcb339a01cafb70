//! MuJoCo: `mj_geomDistance`, with its default limit of iterations and with 200. See `bench/engines/README.md`.

use gjk_bench_engine::shim::CppEngine;
use std::process::ExitCode;

const DEFAULT: CppEngine = CppEngine {
    name: "mujoco",
    ops: "dist pen track-dist-cold track-pen-cold",
    note: concat!(
        "mujoco-core wheel's binary, f64 (mesh vertices f32), shim ",
        env!("GJK_BENCH_FLAGS")
    ),
};
const PATIENT: CppEngine = CppEngine {
    name: "mujoco-it200",
    ops: "dist pen track-dist-cold track-pen-cold",
    note: concat!(
        "mujoco-core wheel's binary, f64 (mesh vertices f32), ccd_iterations 200, shim ",
        env!("GJK_BENCH_FLAGS")
    ),
};

fn main() -> ExitCode {
    gjk_bench_engine::main(&[&DEFAULT, &PATIENT])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_bench_engine::samples::check;

    #[test]
    fn samples() -> Result<(), String> {
        check(
            &DEFAULT,
            "polytopes rounds cylinders ellipsoids tracks",
            1e-6,
        )?;
        check(
            &PATIENT,
            "polytopes rounds cylinders ellipsoids tracks",
            1e-6,
        )?;
        Ok(())
    }
}
