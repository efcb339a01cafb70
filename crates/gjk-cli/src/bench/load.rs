//! Query lines read into bodies, once, before any clock starts.
//!
//! Where it sits: before `group`. Lines are read and refused as `gjk query` does; what it answers by an error is listed here
//! as failed and not measured.

use crate::answer;
use crate::convert::{self, InputError, Space};
use crate::input::{name, open};
use crate::pair::Pair;
use crate::printer::Printer;
use gjk::query::{Options, Precision, Verdict};
use gjk::{Vec2, Vec3, Vector};
use gjk_scene::{QueryKind, QueryLine, QuerySpec, ScalarKind, read_query_line};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// What a line asks, as it is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// The verdict alone.
    Intersects,
    /// The distance.
    Distance,
    /// The signed distance; `penetration` lines too, as in `gjk query`.
    Contact,
}

impl Ask {
    /// The word of the query format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Intersects => "intersects",
            Self::Distance => "distance",
            Self::Contact => "contact",
        }
    }
}

impl From<QueryKind> for Ask {
    fn from(kind: QueryKind) -> Self {
        match kind {
            QueryKind::Intersects => Self::Intersects,
            QueryKind::Distance => Self::Distance,
            QueryKind::Penetration | QueryKind::Contact => Self::Contact,
        }
    }
}

/// A line that is measured.
#[derive(Clone, Debug)]
pub struct Line<V: Vector> {
    /// Where it stands, for messages.
    pub place: String,
    /// What it asks.
    pub ask: Ask,
    /// The words of its shapes, in the order of the alphabet.
    pub shapes: [&'static str; 2],
    /// Its bodies.
    pub pair: Pair<V>,
    /// Its options.
    pub options: Options<V::Scalar>,
    /// Whether it asks for a certificate.
    pub certificate: bool,
    /// What a single query says.
    pub verdict: Verdict,
}

impl<V: Space> Line<V> {
    fn new(spec: &QuerySpec, place: String) -> Result<Self, InputError> {
        let pair = Pair::<V>::new(spec)?;
        let certificate = spec.options.certificate == Some(true);
        // What a caller gets who chooses nothing.
        let options = answer::options::<V>(&spec.options)?.with_precision(Precision::Fast);
        let mut shapes = [spec.a.shape.kind_name(), spec.b.shape.kind_name()];
        shapes.sort_unstable();
        let ask = Ask::from(spec.query);
        let verdict = match ask {
            Ask::Intersects => pair.bodies().with(&options).intersects().verdict,
            Ask::Distance | Ask::Contact => {
                // `gjk query` answers both by the contact; one that the scalar cannot hold is an error, here as there.
                let query = || pair.bodies().with(&options);
                let verdict = answer::full::<V>(&spec.id, &query().contact(), None)?.verdict;
                let distance = || query().distance().verdict;
                if ask == Ask::Distance {
                    distance()
                } else {
                    verdict
                }
            }
        };
        Ok(Self {
            place,
            ask,
            shapes,
            pair,
            options,
            certificate,
            verdict,
        })
    }
}

/// A line that could not be read or answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// Its file.
    pub file: String,
    /// Its number, from 1.
    pub line: u64,
    /// The line's own id, or its number.
    pub id: String,
    /// For programs.
    pub kind: &'static str,
    /// The path of the number at fault, such as `a.radius`.
    pub at: String,
    /// For people.
    pub message: String,
}

/// The lines of all files.
#[derive(Debug, Default)]
pub struct Loaded {
    /// 2D, `f32`.
    pub plane_single: Vec<Line<Vec2<f32>>>,
    /// 2D, `f64`.
    pub plane_double: Vec<Line<Vec2<f64>>>,
    /// 3D, `f32`.
    pub space_single: Vec<Line<Vec3<f32>>>,
    /// 3D, `f64`.
    pub space_double: Vec<Line<Vec3<f64>>>,
    /// Those that are not measured.
    pub failed: Vec<Failed>,
    /// Lines that are not blank.
    pub lines: usize,
    /// Files that could not be read to their end.
    pub files_unread: usize,
}

impl Loaded {
    /// Reads all files; what is wrong with a file or a line goes to standard error, and the rest is read.
    pub fn read(files: &[PathBuf], degrees: bool, printer: &mut Printer) -> Self {
        let mut loaded = Self::default();
        for file in files {
            if let Err(error) = loaded.file(file, degrees, printer) {
                loaded.files_unread += 1;
                printer.error(format!("{}: {error}", name(file)));
            }
        }
        for Failed {
            file,
            line,
            id,
            kind,
            at,
            message,
        } in &loaded.failed
        {
            let error = InputError::new(kind, at, message);
            printer.error(format!("{file}:{line}: {id}: {error} ({kind})"));
        }
        loaded
    }

    fn file(&mut self, path: &Path, degrees: bool, printer: &mut Printer) -> io::Result<()> {
        let mut input = BufReader::new(open(path, printer)?);
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            if input.read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            if let Some(line) = read_query_line(&bytes, number) {
                self.line(line, path, degrees);
            }
        }
        Ok(())
    }

    fn line(&mut self, line: QueryLine, path: &Path, degrees: bool) {
        self.lines += 1;
        let place = format!("{}:{}: {}", name(path), line.number, line.id);
        let added = line.query.map_err(InputError::from).and_then(|mut spec| {
            if degrees {
                convert::degrees(&mut spec.a);
                convert::degrees(&mut spec.b);
            }
            match (spec.dim, spec.scalar) {
                (2, ScalarKind::F32) => self.plane_single.push(Line::new(&spec, place)?),
                (2, ScalarKind::F64) => self.plane_double.push(Line::new(&spec, place)?),
                (_, ScalarKind::F32) => self.space_single.push(Line::new(&spec, place)?),
                (_, ScalarKind::F64) => self.space_double.push(Line::new(&spec, place)?),
            }
            Ok(())
        });
        if let Err(InputError { kind, at, message }) = added {
            self.failed.push(Failed {
                file: name(path),
                line: line.number,
                id: line.id,
                kind,
                at,
                message,
            });
        }
    }
}
