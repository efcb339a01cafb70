//! Wavefront OBJ: vertices and polygons; materials, normals and texture coordinates are not read.
//! Where it sits: see [`super`]. All objects and groups of a file become one mesh.
//! Source: Wavefront Advanced Visualizer manual, appendix B1. tobj reads `f32` unless a crate feature changes it for everyone.

use std::collections::BTreeMap;

use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::Builder;
use crate::text::be;

/// Statements that say nothing about the surface.
const IGNORED: [&str; 13] = [
    "vt", "vn", "o", "g", "s", "usemtl", "mtllib", "usemap", "maplib", "lod", "bevel", "c_interp",
    "d_interp",
];

pub(crate) fn read(bytes: &[u8], builder: &mut Builder) -> Result<(), SceneError> {
    let text = super::text(bytes);
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let mut joined = String::new();
    let mut first_line = 1;
    for (i, line) in text.lines().enumerate() {
        if joined.is_empty() {
            first_line = i + 1;
        }
        // A backslash at the end joins the next line to this one.
        if let Some(head) = line.trim_end().strip_suffix('\\') {
            joined.push_str(head);
            joined.push(' ');
            continue;
        }
        if joined.is_empty() {
            read_statement(line, first_line, builder, &mut left_out)?;
        } else {
            joined.push_str(line);
            read_statement(&joined, first_line, builder, &mut left_out)?;
            joined.clear();
        }
    }
    if !joined.is_empty() {
        read_statement(&joined, first_line, builder, &mut left_out)?;
    }
    for (keyword, count) in left_out {
        builder.warnings.push(if count == 1 {
            format!("1 `{keyword}` statement is left out")
        } else {
            format!("{count} `{keyword}` statements are left out")
        });
    }
    Ok(())
}

fn read_statement(
    line: &str,
    number: usize,
    builder: &mut Builder,
    left_out: &mut BTreeMap<String, usize>,
) -> Result<(), SceneError> {
    let line = line.split('#').next().unwrap_or_default();
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        // A weight or a colour may follow the three coordinates.
        Some("v") => builder
            .vertices
            .push(super::coordinates(&mut words, number)?),
        Some("f" | "fo") => {
            let count = builder.vertices.len();
            let face = words
                .map(|word| index(word, count, number))
                .collect::<Result<_, _>>()?;
            builder.faces.push(face);
        }
        Some(keyword) if !IGNORED.contains(&keyword) => {
            let keyword: String = keyword
                .chars()
                .take(20)
                .flat_map(char::escape_default)
                .collect();
            *left_out.entry(keyword).or_default() += 1;
        }
        _ => {}
    }
    Ok(())
}

/// The vertex index of a face's word `v`, `v/vt`, `v//vn` or `v/vt/vn`: from 1 on, or negative from the latest vertex back.
///
/// A face may name a vertex that comes later in the file; the builder checks positive indices at the end.
fn index(word: &str, count: usize, line: usize) -> Result<u32, SceneError> {
    let vertex = word.split('/').next().unwrap_or_default();
    let number: i64 = vertex.parse().map_err(|_| {
        super::bad_line(line, format!("`{word}` names no vertex"))
            .with_expected("a whole number such as 3 or 3/1/2")
    })?;
    let from_zero = if number < 0 {
        number + count as i64
    } else {
        number - 1
    };
    u32::try_from(from_zero).map_err(|_| {
        SceneError::new(
            Kind::BadValue,
            format!(
                "index {number} names no vertex; there {} {count} so far",
                be(count)
            ),
        )
        .with_line(line)
        .with_expected("an index from 1 on, or a negative one from the latest vertex back")
    })
}
