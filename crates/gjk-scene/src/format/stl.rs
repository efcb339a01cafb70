//! STL, ASCII and binary: triangles that share no vertices; equal ones are merged here.
//! Where it sits: see [`super`].
//! Idea: the binary layout is 80 bytes of header, a count n, and 50 bytes a triangle. A file of exactly that size is binary
//! whatever its header says, since many binary files begin with `solid`; otherwise `solid` with `facet` or `endsolid` soon after
//! makes it ASCII.
//! Source: Marshall Burns, Automated Fabrication, 1993, section 6.5.

use std::collections::HashMap;

use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::{Builder, not_finite};
use crate::text::{be, counted};

const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(crate) fn read(bytes: &[u8], builder: &mut Builder) -> Result<(), SceneError> {
    let mut merge = Merge {
        builder,
        index_of: HashMap::new(),
    };
    let count = bytes
        .get(80..HEADER)
        .and_then(|n| n.try_into().ok())
        .map(u32::from_le_bytes);
    let binary_size = count.map(|n| HEADER as u64 + TRIANGLE as u64 * u64::from(n));
    if looks_ascii(bytes) && binary_size != Some(bytes.len() as u64) {
        return read_ascii(&super::text(bytes), &mut merge);
    }
    let Some(size) = binary_size else {
        return Err(SceneError::new(
            Kind::Syntax,
            format!(
                "{} {} too few for an STL file",
                counted(bytes.len(), "byte", "bytes"),
                be(bytes.len())
            ),
        )
        .with_expected("`solid` (ASCII) or an 84 byte header (binary)"));
    };
    read_binary(bytes, size, &mut merge)
}

/// `solid` at the start, and a second keyword soon after it.
fn looks_ascii(bytes: &[u8]) -> bool {
    let start = bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii_start();
    let start = start[..start.len().min(4096)].to_ascii_lowercase();
    let has = |word: &[u8]| start.windows(word.len()).any(|window| window == word);
    start.starts_with(b"solid") && (has(b"facet") || has(b"endsolid"))
}

/// Merges vertices with equal coordinates.
struct Merge<'b> {
    builder: &'b mut Builder,
    index_of: HashMap<[u64; 3], u32>,
}

impl Merge<'_> {
    fn index(&mut self, vertex: [f64; 3]) -> Result<u32, SceneError> {
        // Adding zero turns -0 into 0, which is equal to it but has other bits.
        let key = vertex.map(|x| (x + 0.0).to_bits());
        if let Some(index) = self.index_of.get(&key) {
            return Ok(*index);
        }
        let index = u32::try_from(self.builder.vertices.len())
            .map_err(|_| SceneError::new(Kind::Unsupported, "more than 4294967295 vertices"))?;
        self.builder.vertices.push(vertex);
        self.index_of.insert(key, index);
        Ok(index)
    }

    fn push(&mut self, corners: &[[f64; 3]]) -> Result<(), SceneError> {
        let face = corners
            .iter()
            .map(|corner| self.index(*corner))
            .collect::<Result<_, _>>()?;
        self.builder.faces.push(face);
        Ok(())
    }
}

fn read_binary(bytes: &[u8], size: u64, merge: &mut Merge<'_>) -> Result<(), SceneError> {
    let body = &bytes[HEADER..];
    // An STL file's count has 32 bits.
    let count = ((size - HEADER as u64) / TRIANGLE as u64) as usize;
    if size > bytes.len() as u64 {
        let message = format!(
            "the header promises {}, the file ends after {}",
            counted(count, "triangle", "triangles"),
            body.len() / TRIANGLE
        );
        return Err(SceneError::new(Kind::Syntax, message)
            .with_expected(format!("{size} bytes, found {}", bytes.len()))
            .with_help("the file is cut off, or it is no STL file: export or download it again"));
    }
    if size < bytes.len() as u64 {
        // The file is in memory.
        let extra = (bytes.len() as u64 - size) as usize;
        merge.builder.warnings.push(format!(
            "{} after the last triangle {} left out",
            counted(extra, "byte", "bytes"),
            be(extra)
        ));
    }
    // The count fits: so many triangles are in memory.
    for (i, triangle) in body.chunks_exact(TRIANGLE).take(count).enumerate() {
        let mut corners = [[0.0; 3]; 3];
        // Bytes 0 to 11 are the normal, 48 and 49 an attribute.
        for (coordinate, raw) in corners
            .as_flattened_mut()
            .iter_mut()
            .zip(triangle[12..48].chunks_exact(4))
        {
            *coordinate = f64::from(f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]));
        }
        if let Some(bad) = corners
            .iter()
            .find(|corner| corner.iter().any(|x| !x.is_finite()))
        {
            return Err(not_finite(*bad).with_element(format!("triangle {i} (counted from 0)")));
        }
        merge.push(&corners)?;
    }
    Ok(())
}

fn read_ascii(text: &str, merge: &mut Merge<'_>) -> Result<(), SceneError> {
    let mut corners: Vec<[f64; 3]> = Vec::new();
    for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line)) {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { continue };
        match first.to_ascii_lowercase().as_str() {
            "vertex" => corners.push(super::coordinates(&mut words, number)?),
            "outer" => corners.clear(),
            "endloop" if corners.len() >= 3 => merge.push(&corners)?,
            "endloop" => {
                let message = format!(
                    "the facet has {}",
                    counted(corners.len(), "vertex", "vertices")
                );
                return Err(super::bad_line(number, message).with_expected("3"));
            }
            "solid" | "facet" | "endfacet" | "endsolid" | "end" => {}
            other => {
                return Err(super::bad_line(
                    number,
                    format!("`{}` is no STL keyword", shorten(other)),
                )
                .with_expected("solid, facet, outer loop, vertex, endloop, endfacet or endsolid")
                .with_help("the file is damaged, or a binary STL file that is cut off"));
            }
        }
    }
    Ok(())
}

/// The first characters of a word that may be binary rubbish.
fn shorten(word: &str) -> String {
    word.chars()
        .take(20)
        .flat_map(char::escape_default)
        .collect()
}
