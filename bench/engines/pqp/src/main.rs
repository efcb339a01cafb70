//! PQP: `PQP_Collide`, `PQP_Distance` and `PQP_Tolerance` on triangle meshes. See `bench/engines/README.md`.

use gjk_bench_engine::shim::CppEngine;
use std::process::ExitCode;

const PQP: CppEngine = CppEngine {
    name: "pqp",
    ops: "meet surface-dist surface-dist-warm within build",
    note: concat!(
        "in the klampt wheel's binary, f64, OBB and RSS, shim ",
        env!("GJK_BENCH_FLAGS")
    ),
};

fn main() -> ExitCode {
    gjk_bench_engine::main(&[&PQP])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_bench_engine::samples::check;

    #[test]
    fn samples() -> Result<(), String> {
        check(&PQP, "surfaces", 1e-12).map(drop)
    }
}
