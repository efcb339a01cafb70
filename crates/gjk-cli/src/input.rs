//! Files of query lines, or standard input.

use crate::printer::Printer;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

/// A path as it is named in messages.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// The file, or standard input.
pub fn open(path: &Path, printer: &mut Printer) -> io::Result<Box<dyn Read>> {
    if path != Path::new("-") {
        return Ok(Box::new(File::open(path)?));
    }
    let input = io::stdin();
    if input.is_terminal() {
        // Someone who typed the command alone should not wonder why nothing happens.
        printer.note(
            "reading query lines from the keyboard; end with Ctrl-D, or see `gjk query --help`",
        );
    }
    Ok(Box::new(input.lock()))
}
