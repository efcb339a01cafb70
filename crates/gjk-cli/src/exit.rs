//! The exit codes: stable, documented in every `--help`, and the same for all commands.

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// 0: answered, and nothing is wrong. `check`: nothing overlaps, nothing is under the clearance.
    Success,
    /// 1: answered, and something is wrong. `check`: a pair overlaps or is too close; `query --check`: an answer is not
    /// the expected one; `audit`: a mesh is not what it should be.
    Failure,
    /// 2: input or usage that cannot be read; what could be answered was.
    BadInput,
    /// 3: a bug in this program.
    Bug,
}

impl ExitStatus {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failure => 1,
            Self::BadInput => 2,
            Self::Bug => 3,
        }
    }

    /// The worse of two.
    #[must_use]
    pub fn worst(self, other: Self) -> Self {
        self.max(other)
    }
}

/// Turns a panic, which is always a bug, into exit code 3 and a request to report it.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        use std::io::Write;
        let text = format!(
            "gjk: this is a bug in gjk, not in your input: {panic}\n\
             Please report it with the command line and the input file that led here.\n"
        );
        // Nothing is left to be done when standard error is gone too.
        let _ = std::io::stderr().write_all(text.as_bytes());
        std::process::exit(i32::from(ExitStatus::Bug.code()));
    }));
}
