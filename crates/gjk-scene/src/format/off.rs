//! OFF, ASCII: counts, vertices, polygons; colours, normals and texture coordinates are not read.
//! Where it sits: see [`super`].
//! Idea: a line a vertex and a line a face, after comments and blank lines are gone; the counts may follow the word `OFF` on its
//! line.
//! Source: Geomview manual, "OFF Files".

use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::Builder;

pub(crate) fn read(bytes: &[u8], builder: &mut Builder) -> Result<(), SceneError> {
    let text = super::text(bytes);
    let mut lines = Lines {
        rest: text.lines().enumerate(),
        last: 0,
    };
    let (number, first) = lines.next("`OFF` and three counts")?;
    let mut words = first.split_ascii_whitespace().peekable();
    if let Some(word) = words.next_if(|word| word.ends_with("OFF")) {
        check_header(word, words.peek().copied(), number)?;
    } else if words
        .peek()
        .is_some_and(|word| word.parse::<u64>().is_err())
    {
        // The word may be left out, but then the counts come first.
        return Err(
            super::bad_line(number, "the file does not begin with `OFF`").with_expected("`OFF`"),
        );
    }
    let mut counts: Vec<&str> = words.collect();
    let mut number = number;
    if counts.is_empty() {
        let (next, line) = lines.next("the counts of vertices, faces and edges")?;
        (number, counts) = (next, line.split_ascii_whitespace().collect());
    }
    let count = |index: usize| -> Result<usize, SceneError> {
        counts
            .get(index)
            .and_then(|word| word.parse().ok())
            .ok_or_else(|| {
                super::bad_line(number, "the counts are not whole numbers")
                    .with_expected("counts of vertices, faces and edges")
            })
    };
    let (vertices, faces) = (count(0)?, count(1)?);
    for i in 0..vertices {
        let (number, line) = lines.next(&format!("vertex {} of {vertices}", i + 1))?;
        builder.vertices.push(super::coordinates(
            &mut line.split_ascii_whitespace(),
            number,
        )?);
    }
    for i in 0..faces {
        let (number, line) = lines.next(&format!("face {} of {faces}", i + 1))?;
        builder.faces.push(face(line, number)?);
    }
    Ok(())
}

/// The optional prefixes ST (texture), C (colour) and N (normal) only add words at the end of a line; 4 and n change the
/// coordinates.
fn check_header(word: &str, next: Option<&str>, line: usize) -> Result<(), SceneError> {
    let prefix = word.trim_end_matches("OFF");
    if prefix.contains(['4', 'n']) {
        return Err(SceneError::new(
            Kind::Unsupported,
            format!("`{word}` has vertices that are not 3D"),
        )
        .with_line(line)
        .with_expected("OFF, COFF, NOFF, CNOFF or STOFF"));
    }
    if next.is_some_and(|word| word.eq_ignore_ascii_case("BINARY")) {
        return Err(SceneError::new(Kind::Unsupported, "binary OFF is not read")
            .with_line(line)
            .with_expected("ASCII OFF")
            .with_help("convert it to ASCII OFF, PLY or STL"));
    }
    Ok(())
}

/// `n i₁ … iₙ`, then perhaps a colour.
fn face(line: &str, number: usize) -> Result<Vec<u32>, SceneError> {
    let mut indices = line.split_ascii_whitespace().map(str::parse::<u32>);
    let bad = || {
        super::bad_line(number, "the face is not whole numbers")
            .with_expected("n, then n vertex indices")
    };
    let count = indices.next().and_then(Result::ok).ok_or_else(bad)? as usize;
    let face: Vec<u32> = indices
        .take(count)
        .collect::<Result<_, _>>()
        .map_err(|_| bad())?;
    if face.len() < count {
        let message = format!("the face has {} vertex indices", face.len());
        return Err(super::bad_line(number, message).with_expected(count.to_string()));
    }
    Ok(face)
}

/// Lines that hold something, without their comments, with their numbers from 1.
struct Lines<'t> {
    rest: std::iter::Enumerate<std::str::Lines<'t>>,
    last: usize,
}

impl<'t> Lines<'t> {
    fn next(&mut self, expected: &str) -> Result<(usize, &'t str), SceneError> {
        for (index, line) in self.rest.by_ref() {
            self.last = index + 1;
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                return Ok((index + 1, line));
            }
        }
        Err(super::bad_line(self.last, "the file ends too early")
            .with_expected(expected.to_owned()))
    }
}
