//! Query lines in, the answers of `gjk query` out, each after its scalar: a program that builds for every target.
//! With the argument `kinds` the rows of `xtask/kinds` out: hashes of the library's answers.
//!
//! Where it sits: `cargo xtask hashes` builds it for each target and compares what it prints. The answering code is the
//! command's own, the library `gjk-query`; what the command has around it (signals, threads) is left out, since not every
//! target knows these. `crates/gjk-cli/tests/hashes` holds the command itself to the same hashes.

use gjk::{Vec2, Vec3};
use gjk_query::answer::{self, Answer};
use gjk_query::convert::{InputError, Space};
use gjk_query::{gradient, manifold, motion};
use gjk_scene::{AnyLine, AnyQuery, ScalarKind, read_line};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, BufRead, BufWriter, Read, Write};

/// The answer to a line that has none.
#[derive(Debug, Serialize)]
struct Refusal<'e> {
    id: &'e str,
    error: &'e InputError,
}

/// As the command's printer: every `f32` as the `f64` of the same value.
struct Widening;

impl Formatter for Widening {
    fn write_f32<W: ?Sized + Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        self.write_f64(writer, f64::from(value))
    }
}

fn main() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    if std::env::args().nth(1).as_deref() == Some("kinds") {
        let mut corpus = Vec::new();
        io::stdin().lock().read_to_end(&mut corpus)?;
        let rows = kinds::rows(&corpus, kinds::Table::default()).map_err(io::Error::other)?;
        output.write_all(rows.text().as_bytes())?;
        return output.flush();
    }
    for (line, number) in io::stdin().lock().split(b'\n').zip(1..) {
        if let Some(read) = read_line(&line?, number) {
            output.write_all(&answer_line(read)?)?;
        }
    }
    output.flush()
}

/// The scalar, a space and the answer. A line that cannot be read counts as the default scalar.
fn answer_line(line: AnyLine) -> io::Result<Vec<u8>> {
    let single = line
        .query
        .as_ref()
        .is_ok_and(|query| query.space().1 == ScalarKind::F32);
    let answered =
        line.query
            .map_err(InputError::from)
            .and_then(|query| match (query.space().0, single) {
                (2, true) => answer::<Vec2<f32>>(&query),
                (2, false) => answer::<Vec2<f64>>(&query),
                (_, true) => answer::<Vec3<f32>>(&query),
                (_, false) => answer::<Vec3<f64>>(&query),
            });
    let text = match answered {
        Ok(text) => text,
        Err(error) => json(&Refusal {
            id: &line.id,
            error: &error,
        })?,
    };
    Ok([if single { b"f32 " } else { b"f64 " }, &text[..]].concat())
}

fn answer<V: Space>(query: &AnyQuery) -> Result<Vec<u8>, InputError> {
    let text = match query {
        AnyQuery::Pair(spec) => {
            let answer: Answer<V> = answer::solve(spec, false)?;
            json(&answer)
        }
        AnyQuery::Motion(spec) => json(&motion::solve::<V>(spec, false)?),
        AnyQuery::Manifold(spec) => json(&manifold::solve::<V>(spec, false)?),
        AnyQuery::Gradient(spec) => json(&gradient::solve::<V>(spec, false)?),
    };
    text.map_err(|error| InputError::new("output", "", error.to_string()))
}

/// A value as one line of JSON.
fn json(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(256);
    value.serialize(&mut Serializer::with_formatter(&mut text, Widening))?;
    text.push(b'\n');
    Ok(text)
}
