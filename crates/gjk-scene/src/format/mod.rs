//! One mesh format a file; each fills a [`crate::mesh::Builder`] from bytes.
//! Where it sits: [`crate::mesh::load_mesh`] picks one by extension.
//! Idea: own readers throughout. The crates for these formats (stl_io, tobj, ply-rs-bw, gltf, mesh-loader) give `f32` where the
//! text holds a decimal, know no line numbers, or trust the counts in a header when they allocate; we want the nearest double of
//! what the file says, an error that points at it, and no allocation larger than a small multiple of the file.

#[cfg(feature = "collada")]
pub(crate) mod collada;
pub(crate) mod gltf;
pub(crate) mod obj;
pub(crate) mod off;
pub(crate) mod ply;
pub(crate) mod stl;

use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::not_finite;

/// The bytes as text; a file in another encoding still gives its numbers, with odd characters in its names.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

/// The error of a text line.
fn bad_line(line: usize, message: impl Into<String>) -> SceneError {
    SceneError::new(Kind::Syntax, message).with_line(line)
}

/// The next three words as finite coordinates.
fn coordinates<'t>(
    words: &mut impl Iterator<Item = &'t str>,
    line: usize,
) -> Result<[f64; 3], SceneError> {
    let mut vertex = [0.0_f64; 3];
    for coordinate in &mut vertex {
        let word = words.next().ok_or_else(|| {
            bad_line(line, "the vertex has fewer than 3 coordinates").with_expected("three numbers")
        })?;
        *coordinate = word.parse().map_err(|_| {
            bad_line(line, format!("`{word}` is no coordinate"))
                .with_expected("a number such as -1.5e-3")
        })?;
    }
    if vertex.iter().any(|x| !x.is_finite()) {
        return Err(not_finite(vertex).with_line(line));
    }
    Ok(vertex)
}

/// Triangles of a strip: every second one is turned so that all face the same way.
fn strip(indices: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    indices.windows(3).enumerate().map(|(i, w)| {
        if i % 2 == 0 {
            vec![w[0], w[1], w[2]]
        } else {
            vec![w[1], w[0], w[2]]
        }
    })
}

/// Triangles of a fan about its first vertex.
fn fan(indices: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    let first = indices.first().copied().unwrap_or_default();
    indices
        .get(1..)
        .unwrap_or_default()
        .windows(2)
        .map(move |w| vec![first, w[0], w[1]])
}
