//! How a batch is run. Nothing here changes an answer.

use fearless_simd::Level;
use std::sync::atomic::AtomicBool;

/// Pairs in a chunk, by default: some hundred microseconds of work, and lists that stay in the first cache.
const CHUNK: usize = 1024;

/// How far a batch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Pairs answered.
    pub done: usize,
    /// Pairs in all.
    pub total: usize,
}

/// Which lanes may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lanes {
    /// The widest of this machine.
    #[default]
    Widest,
    /// AVX2 if this machine has it, else the baseline.
    Avx2,
    /// What every machine of the target has: SSE2, NEON, or plain floats.
    Baseline,
    /// None: every pair is a single query.
    Off,
}

impl Lanes {
    /// The instruction set that this machine would use, by its name: what a measurement must say of itself. "none" for
    /// [`Lanes::Off`].
    pub fn instruction_set(self) -> &'static str {
        match self.level() {
            None => "none",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Some(Level::Avx512(_)) => "AVX-512",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Some(Level::Avx2(_)) => "AVX2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Some(Level::Sse4_2(_)) => "SSE4.2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Some(Level::Sse2(_)) => "SSE2",
            #[cfg(target_arch = "aarch64")]
            Some(Level::Neon(_)) => "NEON",
            Some(level) if level.is_fallback() => "plain floats",
            Some(_) => "other",
        }
    }

    pub(crate) fn level(self) -> Option<Level> {
        match self {
            Lanes::Widest => Some(Level::new()),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Lanes::Avx2 => Some(
                Level::new()
                    .as_avx2()
                    .map_or(Level::baseline(), Level::Avx2),
            ),
            #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
            Lanes::Avx2 => Some(Level::baseline()),
            Lanes::Baseline => Some(Level::baseline()),
            Lanes::Off => None,
        }
    }
}

/// How a batch is run. The default uses the threads of rayon's global pool.
#[derive(Clone, Copy, Default)]
pub struct Options<'o> {
    /// Threads; `Some(1)` stays on the caller's. `None`: those of `pool`, or of rayon's global pool.
    pub threads: Option<usize>,
    /// A pool of the caller's.
    pub pool: Option<&'o rayon::ThreadPool>,
    /// Pairs a thread takes at a time; `None` for the default.
    pub chunk: Option<usize>,
    /// Called after every chunk. `done` only grows, and calls never overlap.
    pub progress: Option<&'o (dyn Fn(Progress) + Sync)>,
    /// Set it to stop: chunks that have not started are left out, and the batch ends as cancelled.
    pub cancel: Option<&'o AtomicBool>,
    /// Which lanes may be used. The verdicts are the same whatever it says.
    pub lanes: Lanes,
}

impl core::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Options")
            .field("threads", &self.threads)
            .field("chunk", &self.chunk)
            .field("lanes", &self.lanes)
            .finish_non_exhaustive()
    }
}

impl Options<'_> {
    pub(crate) fn chunk_len(&self) -> usize {
        self.chunk.unwrap_or(CHUNK).max(1)
    }
}
