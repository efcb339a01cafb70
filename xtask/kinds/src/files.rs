//! Which files the corpus has.
//!
//! Where it sits: `cargo xtask hashes` and the command's test of its answers include this file, too.

use std::fs;
use std::io;
use std::path::Path;

/// The corpus files, as paths under the folder with `/` between the names, sorted.
pub(crate) fn files(corpus: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(corpus.join(&folder))? {
            let entry = entry?;
            let name = format!("{folder}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                folders.push(name + "/");
            } else if name.ends_with(".jsonl") {
                found.push(name);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The text of all corpus files in the order of their paths.
#[allow(dead_code)] // the command's test reads file by file
pub(crate) fn text(corpus: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for file in files(corpus)? {
        text.extend(fs::read(corpus.join(file))?);
        text.push(b'\n');
    }
    Ok(text)
}
