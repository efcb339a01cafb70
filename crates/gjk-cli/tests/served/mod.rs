//! `gjk lab` for a test: started on any free port, and ended with the test.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A program that serves the lab.
pub(crate) struct Lab {
    child: Child,
    /// What it said of where that is.
    pub(crate) address: String,
}

impl Lab {
    /// `gjk lab` without a file.
    pub(crate) fn start() -> Self {
        Self::run(&["lab", "--no-open", "--port", "0"])
    }

    /// A command that serves the lab.
    pub(crate) fn run(arguments: &[&str]) -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("gjk"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        Self {
            child,
            address: line.trim().rsplit(' ').next().unwrap().to_owned(),
        }
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // It ends with the test whatever these say.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
