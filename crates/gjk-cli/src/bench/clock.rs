//! What time is: the thread's own where one thread does all the work and the system tells it, else that on the wall.
//!
//! Where it sits: [`super::run`] measures with it. Other programs' work is in wall time and not in a thread's.

use schemars::JsonSchema;
use serde::Serialize;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// CPU time of the measuring thread.
    ThreadCpu,
    /// Wall time.
    Wall,
}

impl Clock {
    /// The best for work on this many threads.
    pub fn for_threads(threads: usize) -> Self {
        if threads <= 1 && thread_time().is_some() {
            Self::ThreadCpu
        } else {
            Self::Wall
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::ThreadCpu => "CPU time",
            Self::Wall => "wall time",
        }
    }

    /// How long `work` takes, if it succeeds.
    pub fn time<E>(self, work: impl FnOnce() -> Result<(), E>) -> Result<Duration, E> {
        let start = self.now();
        work()?;
        Ok(self.now().saturating_sub(start))
    }

    fn now(self) -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        let wall = || START.get_or_init(Instant::now).elapsed();
        match self {
            Self::ThreadCpu => thread_time().unwrap_or_else(wall),
            Self::Wall => wall(),
        }
    }
}

/// CPU time of this thread.
#[cfg(target_os = "linux")]
fn thread_time() -> Option<Duration> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(
        u64::try_from(now.tv_sec).ok()?,
        u32::try_from(now.tv_nsec).ok()?,
    ))
}

/// Elsewhere it is not asked for.
#[cfg(not(target_os = "linux"))]
fn thread_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_clocks_run_and_several_threads_have_the_wall_s() {
        for clock in [Clock::for_threads(1), Clock::Wall] {
            let mut sum = 0u64;
            let took = clock.time(|| {
                sum = (0..2_000_000u64).fold(0, |sum, x| std::hint::black_box(sum ^ x));
                Ok::<(), ()>(())
            });
            assert!(
                took.is_ok_and(|took| took > Duration::ZERO),
                "{clock:?} {sum}"
            );
        }
        assert_eq!(Clock::for_threads(2), Clock::Wall);
    }
}
