//! The instruction set that SIMD code runs on.
//!
//! Where it sits: below the scans of hulls, the polygons and the GJK loop, which all dispatch on [`level`].
//! Every level computes the same operations in the same order, so no answer depends on it.

use fearless_simd::Level;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::Simd;

/// The instruction set of this machine, at most AVX2.
///
/// With wider registers the compiler gathers scalars into them through memory, which costs more than they save. Without
/// feature `std` it is what the target surely has.
pub(crate) fn level() -> Level {
    let level = Level::try_detect().unwrap_or(Level::baseline());
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(token) = level.as_avx2() {
        return token.level();
    }
    level
}
