//! `gjk trace`: one query, step by step: as text, as JSON, or as a picture.
//!
//! Idea: the steps come from the very loop that answers, recorded by a [`Recorder`]; nothing is computed twice.

use super::lab;
use crate::answer;
use crate::convert::{self, InputError, Space};
use crate::exit::ExitStatus;
use crate::explain::{self, Explainer};
use crate::pair::Pair;
use crate::printer::{Printer, style, styled};
use crate::record::{self, Recorded};
use crate::svg;
use crate::svg_motion::draw_motion;
use clap::ValueEnum;
use gjk::math::Scalar;
use gjk::query::ProofOptions;
use gjk::{Vec2, Vec3, Vector};
use gjk_query::motion_record::record_motion;
use gjk_query::motion_words;
use gjk_scene::{AnyLine, AnyQuery, MotionQuerySpec, QueryKind, QuerySpec, ScalarKind, read_line};
use serde_json::json;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  gjk trace                                     the tutorials' worked example
  gjk trace --svg steps.svg                     the same, as a picture
  gjk trace pairs.jsonl --id box-17             one line of a file
  gjk trace pairs.jsonl --direction 1,-1 --algorithm boolean
  gjk trace pairs.jsonl --id box-17 --lab       the same in the browser, to step, drag and turn
  gjk trace motions.jsonl --id swing --svg swing.svg
  gjk trace motions.jsonl --id swing            a ray, a cast or a time of impact: what its search looked at, and what it proved

Each step says: the direction d, the support points of A along d and of B against it, their difference w, the region
of the simplex nearest the origin, and the bounds known so far. Of a motion: the time that was looked at, the planes or
pieces that were tried, and until when the bodies are proved apart. Numbers have seven digits; --json has all.

Exit codes:
  0  told    2  bad input    3  a bug in gjk: please report it";

/// W. Bittle's worked example (dyn4j blog, 2010), direction and all.
const TUTORIAL: &str = r#"{"id":"tutorial","dim":2,
"a":{"shape":"convex","points":[[4,11],[4,5],[9,9]]},
"b":{"shape":"convex","points":[[5,7],[12,7],[10,2],[7,3]]},
"source":"W. Bittle, GJK (Gilbert-Johnson-Keerthi), dyn4j blog"}"#;

/// The same author's example of a distance: B moved to where the bodies are apart.
const APART: &str = r#"{"id":"apart","dim":2,
"a":{"shape":"convex","points":[[4,11],[4,5],[9,9]]},
"b":{"shape":"convex","points":[[8,6],[15,6],[13,1],[10,2]]},
"source":"W. Bittle, GJK - Distance & Closest Points, dyn4j blog"}"#;

/// Options of `gjk trace`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct TraceArgs {
    /// A file of query lines, or `-` for standard input; without it, a built-in example.
    #[arg(value_name = "FILE", conflicts_with = "example")]
    file: Option<PathBuf>,

    /// The line to trace; without it, the first.
    #[arg(long, value_name = "ID", requires = "file")]
    id: Option<String>,

    /// A built-in example.
    #[arg(long, value_name = "NAME")]
    example: Option<Example>,

    /// What to watch: the signed distance, or the tutorials' yes-or-no loop, which only follows directions.
    #[arg(long, value_name = "NAME")]
    algorithm: Option<Algorithm>,

    /// The first direction, from A to B; without it, from centre to centre.
    #[arg(
        long,
        value_name = "X,Y[,Z]",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    direction: Option<Vec<f64>>,

    /// Print the answer and its steps as JSON.
    #[arg(long)]
    json: bool,

    /// Draw the steps (2D only) to a file; of a motion the sweep of the bodies, the pieces of the proof, and their planes.
    #[arg(long, value_name = "OUT.svg")]
    svg: Option<PathBuf>,

    /// Show it in the lab, in the browser, at a free port of this machine.
    #[arg(long, conflicts_with_all = ["json", "svg"])]
    lab: bool,

    /// With --lab, only print the address.
    #[arg(long, requires = "lab")]
    no_open: bool,

    /// Read 2D `rotation` angles in degrees; quarter turns are then exact.
    #[arg(long)]
    degrees: bool,
}

/// The built-in examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Example {
    /// A triangle and a quadrilateral that overlap: yes or no, from direction (1, -1).
    Tutorial,
    /// The same triangle, the quadrilateral moved apart: the distance.
    Apart,
}

/// What to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Algorithm {
    /// The signed distance: GJK, then EPA when the bodies overlap.
    Distance,
    /// Separated, touching or overlapping only.
    Boolean,
}

impl Algorithm {
    fn recorded(self) -> record::Algorithm {
        match self {
            Self::Distance => record::Algorithm::Distance,
            Self::Boolean => record::Algorithm::Boolean,
        }
    }
}

/// Tells one query.
pub fn run(args: &TraceArgs, printer: &mut Printer) -> ExitStatus {
    if args.lab {
        return open_lab(args, printer);
    }
    let told = find(args, printer).and_then(|(query, how)| tell_any(args, &how, &query, printer));
    match told {
        Ok(()) => ExitStatus::Success,
        Err(message) => {
            printer.error(message);
            ExitStatus::BadInput
        }
    }
}

/// Tells a query of any kind that has steps.
fn tell_any(
    args: &TraceArgs,
    how: &How,
    query: &AnyQuery,
    printer: &mut Printer,
) -> Result<(), String> {
    match query {
        AnyQuery::Pair(spec) => match query.space() {
            (2, ScalarKind::F32) => tell::<Vec2<f32>>(args, how, spec, printer),
            (2, ScalarKind::F64) => tell::<Vec2<f64>>(args, how, spec, printer),
            (_, ScalarKind::F32) => tell::<Vec3<f32>>(args, how, spec, printer),
            (_, ScalarKind::F64) => tell::<Vec3<f64>>(args, how, spec, printer),
        },
        AnyQuery::Motion(spec) => {
            if args.direction.is_some() || args.algorithm.is_some() {
                return Err(format!(
                    "{}: a motion has neither a first direction nor another algorithm",
                    spec.id
                ));
            }
            match query.space() {
                (2, ScalarKind::F32) => tell_motion::<Vec2<f32>>(args, spec, printer),
                (2, ScalarKind::F64) => tell_motion::<Vec2<f64>>(args, spec, printer),
                (_, ScalarKind::F32) => tell_motion::<Vec3<f32>>(args, spec, printer),
                (_, ScalarKind::F64) => tell_motion::<Vec3<f64>>(args, spec, printer),
            }
        }
        AnyQuery::Manifold(spec) => Err(unwatched(&spec.id, "manifold")),
        AnyQuery::Gradient(spec) => Err(unwatched(&spec.id, "gradient")),
    }
}

fn unwatched(id: &str, kind: &str) -> String {
    let lab = if kind == "manifold" {
        "; --lab shows how a manifold comes about"
    } else {
        ""
    };
    format!("{id}: a {kind} has no loop to trace{lab}")
}

/// Tells the steps of a motion's search.
fn tell_motion<V: Space>(
    args: &TraceArgs,
    spec: &MotionQuerySpec,
    printer: &mut Printer,
) -> Result<(), String> {
    let mut recorded = record_motion::<V>(spec).map_err(|error| format!("{}: {error}", spec.id))?;
    if let Some(path) = &args.svg {
        let picture = draw_motion(spec, &recorded)
            .map_err(|error| format!("{}: {error}; --lab shows it", spec.id))?;
        write_picture(path, &picture, printer)?;
    }
    if args.json {
        recorded.answer.trace = Some(recorded.trace());
        printer.json_line(&recorded.answer);
        return Ok(());
    }
    let title = format!("{}: {}", spec.id, spec.kind_name());
    let heading = styled(style::STRONG, title);
    printer.line(format!("{heading}, {}D, {}\n", V::DIM, V::Scalar::NAME));
    for line in motion_words::steps(&recorded) {
        printer.line(line);
    }
    printer.line("");
    for line in motion_words::meeting_lines(&recorded.answer) {
        printer.line(line);
    }
    Ok(())
}

/// Shows the query in the lab, which tells what is wrong with it where something is.
fn open_lab(args: &TraceArgs, printer: &mut Printer) -> ExitStatus {
    let (spec, how) = match find(args, printer) {
        Ok(found) => found,
        Err(message) => {
            printer.error(message);
            return ExitStatus::BadInput;
        }
    };
    let algorithm = if how.algorithm == Algorithm::Boolean {
        "boolean"
    } else {
        "distance"
    };
    let mut shown = match &spec {
        AnyQuery::Pair(spec) => json!({"query": spec, "algorithm": algorithm, "step": 0}),
        AnyQuery::Motion(spec) => json!({ "query": spec }),
        AnyQuery::Manifold(spec) => json!({"query": spec, "step": 0}),
        AnyQuery::Gradient(spec) => {
            printer.error(unwatched(&spec.id, "gradient"));
            return ExitStatus::BadInput;
        }
    };
    if let Some(direction) = how.direction {
        shown["direction"] = json!(direction);
    }
    let fragment = lab::encoded(&shown);
    lab::serve(
        lab::Serving {
            port: 0,
            opens: !args.no_open,
            fragment,
            robot: None,
            meshes: None,
        },
        printer,
    )
}

/// The algorithm and the first direction, after the example's and the query's own wishes.
#[derive(Debug)]
struct How {
    algorithm: Algorithm,
    direction: Option<Vec<f64>>,
}

fn find(args: &TraceArgs, printer: &mut Printer) -> Result<(AnyQuery, How), String> {
    let line = match &args.file {
        Some(path) => find_line(path, args.id.as_deref(), printer)?,
        None => {
            let text = if args.example == Some(Example::Apart) {
                APART
            } else {
                TUTORIAL
            };
            read_line(text.as_bytes(), 1).ok_or("the built-in example is empty")?
        }
    };
    let mut spec = line
        .query
        .map_err(|error| format!("line {} ({}): {error}", line.number, line.id))?;
    if args.degrees {
        spec.bodies_mut().into_iter().for_each(convert::degrees);
        spec.goals_mut()
            .into_iter()
            .for_each(convert::degrees_of_pose);
    }
    let tutorial = args.file.is_none() && args.example != Some(Example::Apart);
    let boolean =
        tutorial || matches!(&spec, AnyQuery::Pair(spec) if spec.query == QueryKind::Intersects);
    let algorithm = args.algorithm.unwrap_or(if boolean {
        Algorithm::Boolean
    } else {
        Algorithm::Distance
    });
    let direction = args.direction.clone().or(tutorial.then(|| vec![1.0, -1.0]));
    Ok((
        spec,
        How {
            algorithm,
            direction,
        },
    ))
}

fn find_line(path: &Path, id: Option<&str>, printer: &mut Printer) -> Result<AnyLine, String> {
    let name = path.display();
    let failed = |error: io::Error| format!("{name}: {error}");
    let mut input = BufReader::new(crate::input::open(path, printer).map_err(failed)?);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).map_err(failed)? == 0 {
            break;
        }
        match read_line(&bytes, number) {
            Some(line) if id.is_none_or(|id| id == line.id) => return Ok(line),
            _ => {}
        }
    }
    Err(match id {
        Some(id) => format!("{name}: no line has the id `{id}`"),
        None => format!("{name}: no query line"),
    })
}

fn tell<V: Space>(
    args: &TraceArgs,
    how: &How,
    spec: &QuerySpec,
    printer: &mut Printer,
) -> Result<(), String> {
    let refused = |error: InputError| format!("{}: {error}", spec.id);
    let pair = Pair::<V>::new(spec).map_err(refused)?;
    let options = answer::options::<V>(&spec.options).map_err(refused)?;
    let mut proof = ProofOptions::default();
    proof.first_direction = how.direction.as_deref().map(first_direction).transpose()?;
    let algorithm = how.algorithm.recorded();
    let Recorded {
        mut answer, steps, ..
    } = record::record(algorithm, &pair, &options, &proof, &spec.id).map_err(refused)?;
    if let Some(path) = &args.svg {
        write_picture(path, &svg::draw(&pair, &steps, &answer)?, printer)?;
    }
    if args.json {
        answer.trace = Some(answer::renumbered(steps, &pair));
        printer.json_line(&answer);
        return Ok(());
    }
    let title = format!(
        "{}: {} against {}",
        spec.id,
        spec.a.shape.kind_name(),
        spec.b.shape.kind_name()
    );
    let kind = match how.algorithm {
        Algorithm::Distance => "signed distance",
        Algorithm::Boolean => "yes or no",
    };
    printer.line(format!(
        "{}, {}D, {}, {kind}\n",
        styled(style::STRONG, title),
        V::DIM,
        V::Scalar::NAME
    ));
    let explainer = Explainer::new(&pair);
    for step in &steps {
        explainer
            .step(step)
            .into_iter()
            .for_each(|line| printer.line(line));
    }
    printer.line("");
    explain::verdict(&answer)
        .into_iter()
        .for_each(|line| printer.line(line));
    Ok(())
}

fn write_picture(path: &Path, picture: &str, printer: &mut Printer) -> Result<(), String> {
    fs::write(path, picture).map_err(|error| format!("{}: {error}", path.display()))?;
    printer.note(format!("wrote {}", path.display()));
    Ok(())
}

fn first_direction<V: Vector>(numbers: &[f64]) -> Result<V, String> {
    let direction = V::from_fn(|k| V::Scalar::from_f64(numbers.get(k).copied().unwrap_or(0.0)));
    if numbers.len() != V::DIM {
        return Err(format!(
            "--direction: expected {} numbers, found {}",
            V::DIM,
            numbers.len()
        ));
    }
    if !direction.is_finite() || direction == V::ZERO {
        return Err("--direction: expected finite numbers that are not all 0".to_owned());
    }
    Ok(direction)
}
