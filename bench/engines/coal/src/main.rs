//! coal: `distance` and `collide`, from the default guess and from the bounding volumes' guess. See
//! `bench/engines/README.md`.

use gjk_bench_engine::shim::CppEngine;
use std::process::ExitCode;

const DEFAULT: CppEngine = CppEngine {
    name: "coal",
    ops: "bool dist pen track-dist-cold track-dist-warm track-pen-cold track-pen-warm",
    note: concat!(
        "libcoal wheel's binary, f64, default guess, shim ",
        env!("GJK_BENCH_FLAGS")
    ),
};
const SURFACES: CppEngine = CppEngine {
    name: "coal-mesh",
    ops: "meet surface-dist within build",
    note: concat!(
        "libcoal wheel's binary, f64, BVHModel<OBBRSS>, shim ",
        env!("GJK_BENCH_FLAGS")
    ),
};
const VOLUMES: CppEngine = CppEngine {
    name: "coal-bvguess",
    ops: "bool dist pen track-dist-cold track-pen-cold",
    note: concat!(
        "libcoal wheel's binary, f64, bounding-volume guess, shim ",
        env!("GJK_BENCH_FLAGS")
    ),
};

fn main() -> ExitCode {
    gjk_bench_engine::main(&[&DEFAULT, &VOLUMES, &SURFACES])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_bench_engine::samples::check;

    #[test]
    fn samples() -> Result<(), String> {
        check(&DEFAULT, "polytopes rounds cylinders cones tracks", 1e-6)?;
        check(&DEFAULT, "ellipsoids", 2e-3)?;
        check(&VOLUMES, "polytopes rounds cylinders cones tracks", 1e-6)?;
        check(&VOLUMES, "ellipsoids", 2e-3)?;
        check(&SURFACES, "surfaces", 1e-12)?;
        Ok(())
    }
}
