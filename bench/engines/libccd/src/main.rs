//! libccd: GJK with EPA, and MPR, on support callbacks of our own. See `bench/engines/README.md`.

use gjk_bench_engine::shim::CppEngine;
use std::process::ExitCode;

const GJK: CppEngine = CppEngine {
    name: "libccd-gjk",
    ops: "bool pen track-pen-cold",
    note: concat!("Debian's binary, f64, shim ", env!("GJK_BENCH_FLAGS")),
};
const FINE: CppEngine = CppEngine {
    name: "libccd-gjk-1e-8",
    ops: "pen track-pen-cold",
    note: concat!(
        "Debian's binary, f64, epa_tolerance 1e-8, shim ",
        env!("GJK_BENCH_FLAGS")
    ),
};
const MPR: CppEngine = CppEngine {
    name: "libccd-mpr",
    ops: "bool pen track-pen-cold",
    note: concat!("Debian's binary, f64, shim ", env!("GJK_BENCH_FLAGS")),
};

fn main() -> ExitCode {
    gjk_bench_engine::main(&[&GJK, &FINE, &MPR])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gjk_bench_engine::samples::check;

    #[test]
    fn samples() -> Result<(), String> {
        check(&GJK, "polytopes tracks", 1e-6)?;
        check(&FINE, "polytopes tracks", 1e-6)?;
        check(&MPR, "polytopes rounds cylinders cones ellipsoids", 1e-3)?;
        Ok(())
    }
}
