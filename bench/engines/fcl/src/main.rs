//! FCL: `collide` and `distance` with each of its solvers, and its signed distance. See `bench/engines/README.md`.

use gjk_bench_engine::shim::CppEngine;
use std::process::ExitCode;

const LIBCCD: CppEngine = CppEngine {
    name: "fcl-libccd",
    ops: "bool dist pen track-dist-cold track-pen-cold",
    note: concat!("Debian's binary, f64, shim ", env!("GJK_BENCH_FLAGS")),
};
const INDEP: CppEngine = CppEngine {
    name: "fcl-indep",
    ops: "bool dist pen track-dist-cold track-pen-cold",
    note: concat!("Debian's binary, f64, shim ", env!("GJK_BENCH_FLAGS")),
};
const SURFACES: CppEngine = CppEngine {
    name: "fcl-mesh",
    ops: "meet surface-dist build",
    note: concat!(
        "Debian's binary, f64, BVHModel<OBBRSS>, shim ",
        env!("GJK_BENCH_FLAGS")
    ),
};
const SIGNED: CppEngine = CppEngine {
    name: "fcl-signed",
    ops: "dist pen track-dist-cold track-pen-cold",
    note: concat!("Debian's binary, f64, shim ", env!("GJK_BENCH_FLAGS")),
};

fn main() -> ExitCode {
    gjk_bench_engine::main(&[&LIBCCD, &INDEP, &SIGNED, &SURFACES])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_bench_engine::samples::check;

    #[test]
    fn samples() -> Result<(), String> {
        check(
            &LIBCCD,
            "polytopes rounds cylinders cones ellipsoids tracks",
            1e-3,
        )?;
        check(&INDEP, "polytopes tracks", 1e-3)?;
        check(&SURFACES, "surfaces", 1e-12)?;
        check(
            &SIGNED,
            "polytopes rounds cylinders cones ellipsoids tracks",
            2e-3,
        )?;
        Ok(())
    }
}
