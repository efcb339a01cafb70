//! Certificates of a matrix as files: `gjk acm --certificate FILE`, and `--check-certificate FILE`.
//!
//! Where it sits: `commands/acm.rs` writes and reads them; what is in them and how they are checked is in `gjk-motion`.
//! Numbers: floats in the digits that read back as the same double.

use crate::check::files::OutputFile;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use gjk_motion::{AcmCertificate, CertificateChecked};
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
pub fn write(out: &OutputFile, certificate: &AcmCertificate) -> Result<usize, SceneError> {
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
pub fn read(path: &Path) -> Result<AcmCertificate, SceneError> {
    let refused = |kind: SceneErrorKind, message: String| {
        SceneError::new(kind, message)
            .with_file(path)
            .with_expected("a file that `gjk acm --certificate FILE` wrote")
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
        let message = format!("it is no certificate: {error}");
        refused(SceneErrorKind::Syntax, message)
    })
}

/// What was checked, for people.
pub fn checked_in_words(checked: &CertificateChecked) -> Vec<String> {
    let pairs = counted(checked.pairs, "pair is", "pairs are");
    let (leaves, nodes) = (checked.leaves, checked.nodes);
    let mut lines = vec![format!(
        "{pairs} proved apart for all joint values: {leaves} leaves in {nodes} nodes, each checked"
    )];
    if checked.rigid > 0 {
        let pairs = counted(checked.rigid, "pair", "pairs");
        lines.push(format!(
            "{pairs} that no joint moves: their distance in one state was decided by the library"
        ));
    }
    if checked.witnesses > 0 {
        let states = counted(checked.witnesses, "state", "states");
        lines.push(format!(
            "{states} in which a pair meets: decided by the library"
        ));
    }
    lines
}
