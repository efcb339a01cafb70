//! PLY, ASCII and binary of either byte order: the elements `vertex` (x, y, z) and `face` (a list of vertex indices).
//! Where it sits: see [`super`].
//! Idea: the header describes every element; values are then read one by one from words or from bytes, and what is not needed is
//! passed over. A count in the header is a promise that is not believed: nothing is allocated for it.
//! Numbers: an ASCII `float` is read as the nearest double of its decimal, not rounded to single precision first.
//! Source: Greg Turk, The PLY Polygon File Format, 1994.

use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::{Builder, not_finite};

pub(crate) fn read(bytes: &[u8], builder: &mut Builder) -> Result<(), SceneError> {
    let header = Header::read(bytes)?;
    let mut source = header.source(bytes);
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => read_vertices(element, &mut source, builder)?,
            "face" => read_faces(element, &mut source, builder)?,
            name => {
                if element.count > 0 && name.contains("strip") {
                    builder.warnings.push(if element.count == 1 {
                        format!("1 `{name}` element is left out")
                    } else {
                        format!("{} `{name}` elements are left out", element.count)
                    });
                }
                pass_over(element, &mut source)?;
            }
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Format {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// A number's type: its letter (`i`, `u`, `f`) and its bytes.
#[derive(Clone, Copy, PartialEq)]
struct Type(u8, usize);

enum Property {
    Scalar {
        name: String,
        value: Type,
    },
    List {
        name: String,
        count: Type,
        value: Type,
    },
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

struct Header {
    format: Format,
    elements: Vec<Element>,
    /// Where the values begin, as a byte offset and as a line counted from 1.
    body: usize,
    body_line: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self, SceneError> {
        let mut header = Self {
            format: Format::Ascii,
            elements: Vec::new(),
            body: 0,
            body_line: 1,
        };
        let mut seen_format = false;
        for raw in bytes.split_inclusive(|byte| *byte == b'\n') {
            let number = header.body_line;
            header.body += raw.len();
            header.body_line += 1;
            let line = String::from_utf8_lossy(raw.trim_ascii());
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words.as_slice() {
                ["ply"] if number == 1 => {}
                _ if number == 1 => {
                    return Err(super::bad_line(1, "the file does not begin with `ply`")
                        .with_expected("`ply`"));
                }
                ["end_header"] if seen_format => return Ok(header),
                ["end_header"] => break,
                ["format", format, _version] => {
                    seen_format = true;
                    header.format = Format::read(format, number)?;
                }
                ["element", name, count] => {
                    let count = count
                        .parse()
                        .map_err(|_| super::bad_line(number, format!("`{count}` is no count")))?;
                    header.elements.push(Element {
                        name: (*name).to_owned(),
                        count,
                        properties: Vec::new(),
                    });
                }
                ["property", property @ ..] => header.push_property(property, number)?,
                [] | ["comment" | "obj_info", ..] => {}
                _ => return Err(no_header_line(&line, number)),
            }
        }
        Err(
            super::bad_line(header.body_line, "the header is not complete")
                .with_expected("`format` and `end_header`"),
        )
    }

    /// Adds a property to the last element.
    fn push_property(&mut self, words: &[&str], line: usize) -> Result<(), SceneError> {
        let bad = || {
            super::bad_line(
                line,
                format!("`property {}` is not understood", words.join(" ")),
            )
            .with_expected(
                "`property TYPE NAME` or `property list TYPE TYPE NAME` after an `element`",
            )
        };
        let property = match words {
            ["list", count, value, name] => Property::List {
                name: (*name).to_owned(),
                count: Type::read(count)
                    .filter(|Type(letter, _)| *letter != b'f')
                    .ok_or_else(bad)?,
                value: Type::read(value).ok_or_else(bad)?,
            },
            [value, name] => Property::Scalar {
                name: (*name).to_owned(),
                value: Type::read(value).ok_or_else(bad)?,
            },
            _ => return Err(bad()),
        };
        self.elements
            .last_mut()
            .ok_or_else(bad)?
            .properties
            .push(property);
        Ok(())
    }

    fn source<'b>(&self, bytes: &'b [u8]) -> Source<'b> {
        let rest = &bytes[self.body..];
        match self.format {
            Format::Ascii => Source::Words {
                rest,
                line: self.body_line,
            },
            format => Source::Bytes {
                rest,
                big_endian: format == Format::BigEndian,
            },
        }
    }
}

impl Format {
    fn read(word: &str, line: usize) -> Result<Self, SceneError> {
        match word {
            "ascii" => Ok(Self::Ascii),
            "binary_little_endian" => Ok(Self::LittleEndian),
            "binary_big_endian" => Ok(Self::BigEndian),
            _ => Err(super::bad_line(line, format!("`{word}` is no PLY format"))
                .with_expected("ascii, binary_little_endian or binary_big_endian")),
        }
    }
}

/// The error for a line that a header does not have; shows how the line begins.
fn no_header_line(line: &str, number: usize) -> SceneError {
    let shown: String = line
        .chars()
        .take(40)
        .flat_map(char::escape_default)
        .collect();
    super::bad_line(number, format!("`{shown}` is no header line"))
        .with_expected("format, element, property, comment or end_header")
}

impl Type {
    fn read(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self(b'i', 1),
            "uchar" | "uint8" => Self(b'u', 1),
            "short" | "int16" => Self(b'i', 2),
            "ushort" | "uint16" => Self(b'u', 2),
            "int" | "int32" => Self(b'i', 4),
            "uint" | "uint32" => Self(b'u', 4),
            "float" | "float32" => Self(b'f', 4),
            "double" | "float64" => Self(b'f', 8),
            _ => return None,
        })
    }
}

/// Where values come from. Every integer type of PLY fits in a double exactly.
enum Source<'b> {
    Words { rest: &'b [u8], line: usize },
    Bytes { rest: &'b [u8], big_endian: bool },
}

impl Source<'_> {
    fn next(&mut self, Type(letter, size): Type) -> Result<f64, SceneError> {
        match self {
            Self::Words { rest, line } => next_word(rest, line),
            Self::Bytes { rest, big_endian } => {
                let Some((raw, after)) = rest.split_at_checked(size) else {
                    return Err(SceneError::new(
                        Kind::Syntax,
                        "the file ends before all elements that its header promises",
                    )
                    .with_help("the file is cut off: export or download it again"));
                };
                *rest = after;
                let mut bytes = [0; 8];
                bytes[..size].copy_from_slice(raw);
                if *big_endian {
                    bytes[..size].reverse();
                }
                Ok(number(letter, size, bytes))
            }
        }
    }

    /// A whole number from 0 on: a count or an index.
    fn next_index(&mut self, value: Type, what: &str) -> Result<u32, SceneError> {
        let number = self.next(value)?;
        if number.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&number) {
            let error = SceneError::new(Kind::BadValue, format!("{number} is no {what}"))
                .with_expected("a whole number, 0 or more");
            return Err(match self {
                Self::Words { line, .. } => error.with_line(*line),
                Self::Bytes { .. } => error,
            });
        }
        Ok(number as u32)
    }
}

fn next_word(rest: &mut &[u8], line: &mut usize) -> Result<f64, SceneError> {
    let start = rest
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
        .unwrap_or(rest.len());
    *line += rest[..start].iter().filter(|byte| **byte == b'\n').count();
    let word = &rest[start..];
    let end = word
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(word.len());
    let (word, after) = word.split_at(end);
    *rest = after;
    if word.is_empty() {
        return Err(super::bad_line(
            *line,
            "the file ends before all elements that its header promises",
        ));
    }
    std::str::from_utf8(word)
        .ok()
        .and_then(|word| word.parse().ok())
        .ok_or_else(|| {
            let shown: String = String::from_utf8_lossy(word)
                .chars()
                .take(20)
                .flat_map(char::escape_default)
                .collect();
            super::bad_line(*line, format!("`{shown}` is no number"))
        })
}

/// A number from its bytes in little-endian order, the rest of the eight zero.
fn number(letter: u8, size: usize, bytes: [u8; 8]) -> f64 {
    let bits = u64::from_le_bytes(bytes);
    match (letter, size) {
        (b'i', 1) => f64::from(bits as i8),
        (b'i', 2) => f64::from(bits as i16),
        (b'i', _) => f64::from(bits as i32),
        (b'f', 4) => f64::from(f32::from_bits(bits as u32)),
        (b'f', _) => f64::from_bits(bits),
        (_, _) => f64::from(bits as u32),
    }
}

fn read_vertices(
    element: &Element,
    source: &mut Source<'_>,
    builder: &mut Builder,
) -> Result<(), SceneError> {
    let axis_of = |property: &Property| match property {
        Property::Scalar { name, .. } => ["x", "y", "z"].iter().position(|axis| axis == name),
        Property::List { .. } => None,
    };
    let axes: Vec<Option<usize>> = element.properties.iter().map(axis_of).collect();
    if (0..3).any(|axis| !axes.contains(&Some(axis))) {
        return Err(
            SceneError::new(Kind::Missing, "the vertices lack one of x, y, z")
                .with_element("element vertex"),
        );
    }
    for i in 0..element.count {
        let mut vertex = [0.0_f64; 3];
        for (property, axis) in element.properties.iter().zip(&axes) {
            match (property, axis) {
                (Property::Scalar { value, .. }, Some(axis)) => {
                    vertex[*axis] = source.next(*value)?
                }
                _ => pass_over_property(property, source)?,
            }
        }
        if vertex.iter().any(|x| !x.is_finite()) {
            return Err(not_finite(vertex).with_element(format!("vertex {i} (counted from 0)")));
        }
        builder.vertices.push(vertex);
    }
    Ok(())
}

fn read_faces(
    element: &Element,
    source: &mut Source<'_>,
    builder: &mut Builder,
) -> Result<(), SceneError> {
    let is_indices = |property: &Property| matches!(property, Property::List { name, .. } if name == "vertex_indices" || name == "vertex_index");
    if element.count > 0 && !element.properties.iter().any(is_indices) {
        return Err(
            SceneError::new(Kind::Missing, "the faces have no list `vertex_indices`")
                .with_element("element face"),
        );
    }
    for _ in 0..element.count {
        for property in &element.properties {
            match property {
                Property::List { count, value, .. } if is_indices(property) => {
                    let corners = source.next_index(*count, "count of vertices")?;
                    let face = (0..corners).map(|_| source.next_index(*value, "vertex index"));
                    // A list that claims more than the file holds ends in an error before it is long.
                    builder.faces.push(face.collect::<Result<_, _>>()?);
                }
                _ => pass_over_property(property, source)?,
            }
        }
        if element.properties.is_empty() {
            break;
        }
    }
    Ok(())
}

fn pass_over(element: &Element, source: &mut Source<'_>) -> Result<(), SceneError> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        element
            .properties
            .iter()
            .try_for_each(|property| pass_over_property(property, source))?;
    }
    Ok(())
}

fn pass_over_property(property: &Property, source: &mut Source<'_>) -> Result<(), SceneError> {
    match property {
        Property::Scalar { value, .. } => source.next(*value).map(drop),
        Property::List { count, value, .. } => {
            let length = source.next_index(*count, "length of a list")?;
            (0..length).try_for_each(|_| source.next(*value).map(drop))
        }
    }
}
