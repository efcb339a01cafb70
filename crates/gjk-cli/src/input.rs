//! Files of query lines, or standard input.

use crate::printer::Printer;
use gjk_scene::{AnyLine, read_line};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

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

/// What a command does with query lines.
pub trait LineReader {
    /// Where it prints.
    fn printer(&mut self) -> &mut Printer;
    /// Takes the next line, from this file.
    fn line(&mut self, line: AnyLine, path: &Path);
}

/// Gives a reader every line of every file, of standard input where none is named; how many files could not be read. A line at a time: what is printed
/// goes out whenever no further input is waiting.
pub fn read_files(files: &[PathBuf], reader: &mut impl LineReader) -> usize {
    let standard_input = [PathBuf::from("-")];
    let files = if files.is_empty() {
        &standard_input[..]
    } else {
        files
    };
    let mut unread = 0;
    for path in files {
        let read = match open(path, reader.printer()) {
            Ok(input) => read_file(BufReader::new(input), path, reader),
            Err(error) => Err(error),
        };
        if let Err(error) = read {
            unread += 1;
            let told = format!("{}: {error}", name(path));
            reader.printer().error(told);
        }
        if reader.printer().is_closed() {
            break;
        }
    }
    unread
}

fn read_file(
    mut input: BufReader<Box<dyn Read>>,
    path: &Path,
    reader: &mut impl LineReader,
) -> io::Result<()> {
    let mut line = Vec::new();
    for number in 1.. {
        if input.buffer().is_empty() {
            reader.printer().flush();
        }
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 || reader.printer().is_closed() {
            break;
        }
        if let Some(read) = read_line(&line, number) {
            reader.line(read, path);
        }
    }
    Ok(())
}
