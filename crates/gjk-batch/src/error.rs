//! What can be wrong with a batch, and a batch that was stopped.

use core::fmt;

/// Which body of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Body A.
    A,
    /// Body B.
    B,
}

/// Why a batch has no answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// A pair names a shape that does not exist.
    NoSuchShape {
        /// The pair's index.
        pair: usize,
        /// Its body.
        side: Side,
        /// The shape it names.
        shape: u32,
        /// How many shapes there are.
        count: usize,
    },
    /// A pair names a pose that does not exist.
    NoSuchPose {
        /// The pair's index.
        pair: usize,
        /// Its body.
        side: Side,
        /// The pose it names.
        pose: u32,
        /// How many poses there are.
        count: usize,
    },
    /// The caller's flag stopped the batch. No answer of it is handed out.
    Cancelled {
        /// Pairs that had been answered.
        done: usize,
        /// Pairs in all.
        total: usize,
    },
    /// The columns for the answers are not of one length.
    Columns {
        /// Rows of the first.
        rows: usize,
    },
    /// The threads that [`crate::Options::threads`] requests could not be started.
    Threads(String),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchShape {
                pair,
                side,
                shape,
                count,
            } => {
                write!(
                    f,
                    "pair {pair}, body {side:?}: shape {shape} of {count} does not exist"
                )
            }
            Self::NoSuchPose {
                pair,
                side,
                pose,
                count,
            } => {
                write!(
                    f,
                    "pair {pair}, body {side:?}: pose {pose} of {count} does not exist"
                )
            }
            Self::Cancelled { done, total } => write!(f, "cancelled after {done} of {total} pairs"),
            Self::Columns { rows } => write!(
                f,
                "the columns for answers are not all of {rows} rows, as the verdicts are"
            ),
            Self::Threads(reason) => write!(f, "no threads: {reason}"),
        }
    }
}

impl core::error::Error for BatchError {}
