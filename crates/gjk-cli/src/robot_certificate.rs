//! Certificates of a robot as files: `--certificate FILE` and `--check-certificate FILE` of `gjk acm`, `gjk path` and `gjk edges`.
//!
//! Where it sits: `commands/proof.rs` writes and reads them; what is in them and how they are checked is in `gjk-motion`.
//! Numbers: floats in the digits that read back as the same double.

use crate::check::files::OutputFile;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use gjk_motion::{CertificateChecked, ROBOT_CERTIFICATE_SCHEMA, RobotCertificate};
use gjk_scene::{SceneError, SceneErrorKind, counted};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// A certificate is at most so many bytes of JSON: a small file may unpack to any size.
const CERTIFICATE_BYTES_MAX: u64 = 1 << 30;

fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "gz")
}

/// Writes a certificate; packed where the file's name ends in `.gz`. Returns how many bytes it has.
///
/// # Errors  a file that cannot be written.
pub fn write(out: &OutputFile, certificate: &RobotCertificate) -> Result<usize, SceneError> {
    let refused = |error: std::io::Error| {
        let message = format!("cannot be written: {error}");
        SceneError::new(SceneErrorKind::Io, message).with_file(out.path())
    };
    let mut bytes = serde_json::to_vec(certificate).map_err(|error| refused(error.into()))?;
    bytes.push(b'\n');
    if is_packed(out.path()) {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(&bytes).map_err(refused)?;
        bytes = packer.finish().map_err(refused)?;
    }
    out.write_bytes(&bytes)?;
    Ok(bytes.len())
}

/// Reads a certificate.
///
/// # Errors  a file that cannot be read, is too long or is no certificate.
pub fn read(path: &Path) -> Result<RobotCertificate, SceneError> {
    let refused = |kind: SceneErrorKind, message: String| {
        SceneError::new(kind, message)
            .with_file(path)
            .with_expected(
                "a file that `--certificate FILE` of `gjk acm`, `gjk path` or `gjk edges` wrote",
            )
    };
    let unread =
        |error: std::io::Error| refused(SceneErrorKind::Io, format!("cannot be read: {error}"));
    let file = File::open(path).map_err(unread)?;
    let mut bytes = Vec::new();
    let mut source: Box<dyn Read> = if is_packed(path) {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let most = CERTIFICATE_BYTES_MAX;
    let length = (&mut source).take(most + 1).read_to_end(&mut bytes);
    if length.map_err(unread)? as u64 > most {
        let message = format!("it is longer than {most} bytes");
        return Err(refused(SceneErrorKind::BadValue, message));
    }
    serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("it is no certificate of a robot: {error}");
        let refused = refused(SceneErrorKind::Syntax, message);
        match layout_of(&bytes).filter(|layout| layout != ROBOT_CERTIFICATE_SCHEMA) {
            Some(layout) => refused.with_help(format!(
                "its layout is `{layout}`, and this program reads `{ROBOT_CERTIFICATE_SCHEMA}`: write it again"
            )),
            None => refused,
        }
    })
}

/// The layout that a file says it has.
fn layout_of(bytes: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Head {
        schema: String,
    }
    let head: Head = serde_json::from_slice(bytes).ok()?;
    Some(head.schema)
}

/// What was checked, for people.
pub fn checked_in_words(checked: &CertificateChecked) -> Vec<String> {
    let (leaves, nodes) = (checked.leaves, checked.nodes);
    let trees = format!("{leaves} leaves in {nodes} nodes, each checked");
    let mut lines = Vec::new();
    if checked.segments == 0 || checked.pairs > 0 {
        let pairs = counted(checked.pairs, "pair is", "pairs are");
        lines.push(format!(
            "{pairs} proved apart for all joint values: {trees}"
        ));
    }
    if checked.segments > 0 {
        let segments = counted(checked.segments, "segment", "segments");
        let pairs = counted(checked.path_pairs, "pair", "pairs");
        let free = checked.free;
        lines.push(format!(
            "{segments} of {pairs}: {free} proved free at all times: {trees}"
        ));
    }
    let mut line = |count: usize, one: &str, many: &str, what: &str| {
        if count > 0 {
            lines.push(format!("{} {what}", counted(count, one, many)));
        }
    };
    line(
        checked.overlapping,
        "pair",
        "pairs",
        "proved to overlap for all joint values",
    );
    line(
        checked.meetings,
        "segment",
        "segments",
        "proved up to a meeting, whose state was decided by the library",
    );
    line(
        checked.open,
        "segment",
        "segments",
        "with spans in which nothing is claimed of a pair",
    );
    line(
        checked.rigid,
        "pair",
        "pairs",
        "that no joint moves: their distance in one state was decided by the library",
    );
    line(
        checked.witnesses,
        "state",
        "states",
        "in which a pair meets: decided by the library",
    );
    lines
}
