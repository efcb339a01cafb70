//! The files in a packed crate: a tar archive, compressed by gzip.
//!
//! Source: POSIX's `ustar`, with GNU's entries for long names, which is what cargo writes. Only regular files are of interest.

use flate2::read::GzDecoder;
use std::io::Read;
use std::path::Path;

/// A header's length, and what contents are padded to.
const BLOCK: usize = 512;
/// The type of a regular file, and of an entry that has the next one's long name.
const REGULAR: [u8; 2] = [b'0', 0];
const LONG_NAME: u8 = b'L';

/// A file, by its path in the crate.
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
}

/// All files, and the archive's own length.
pub(super) fn read(file: &Path) -> Result<(Vec<Entry>, usize), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", file.display());
    let packed = std::fs::read(file).map_err(failed)?;
    let mut tar = Vec::new();
    GzDecoder::new(packed.as_slice())
        .read_to_end(&mut tar)
        .map_err(failed)?;
    let entries =
        entries(&tar).ok_or_else(|| format!("{}: no archive of cargo's", file.display()))?;
    Ok((entries, packed.len()))
}

fn entries(tar: &[u8]) -> Option<Vec<Entry>> {
    let mut found = Vec::new();
    let mut long: Option<String> = None;
    let mut at = 0;
    // Blocks of zeros end it.
    while let Some(header) = tar.get(at..at + BLOCK).filter(|header| header[0] != 0) {
        let size = usize::from_str_radix(text(&header[124..136]).trim(), 8).ok()?;
        let bytes = tar.get(at + BLOCK..at + BLOCK + size)?;
        if header[156] == LONG_NAME {
            long = Some(text(bytes));
        } else {
            let path = long.take().unwrap_or_else(|| text(&header[..100]));
            if REGULAR.contains(&header[156]) {
                // All is in one folder, of the crate's name and version.
                let path = path.split_once('/')?.1.to_owned();
                let bytes = bytes.to_vec();
                found.push(Entry { path, bytes });
            }
        }
        at += BLOCK + size.next_multiple_of(BLOCK);
    }
    Some(found)
}

/// A field's text, up to its first zero.
fn text(field: &[u8]) -> String {
    let end = field
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).into_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test panics on purpose
mod tests {
    use super::*;

    /// A header and its padded contents.
    fn entry(kind: u8, name: &str, bytes: &[u8]) -> Vec<u8> {
        let mut made = vec![0; BLOCK];
        made[..name.len()].copy_from_slice(name.as_bytes());
        made[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
        made[156] = kind;
        made.extend_from_slice(bytes);
        made.resize(made.len().next_multiple_of(BLOCK), 0);
        made
    }

    #[test]
    fn files_of_short_and_long_names_are_read() {
        let long = format!("gjk-1/{}.rs", "a".repeat(120));
        let tar = [
            entry(b'0', "gjk-1/src/lib.rs", b"//! Text."),
            entry(LONG_NAME, "././@LongLink", long.as_bytes()),
            entry(b'0', "gjk-1/aaa", &[7; 600]),
            vec![0; 2 * BLOCK],
        ]
        .concat();
        let found = entries(&tar).unwrap();
        assert_eq!(found[0].path, "src/lib.rs");
        assert_eq!(found[0].bytes, b"//! Text.");
        assert_eq!(found[1].path, long["gjk-1/".len()..]);
        assert_eq!((found[1].bytes.len(), found.len()), (600, 2));
        assert!(entries(&tar[..BLOCK]).is_none());
    }
}
