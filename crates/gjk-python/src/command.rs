//! The command `gjk`, for `python/gjk/__main__.py`.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with these arguments, of which the first is the program's name; returns the exit code. It is meant to be all that its process
/// does: the default action of Ctrl-C must be set before.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| gjk_cli::run(args))
}
