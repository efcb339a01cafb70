//! `gjk hits`: the lines of one ray, or of one moving body, against many; one answer for each: its hits in the order of time.
//!
//! Idea: nothing new is in a line. Lines that have the same ray, or the same body B with the same motion, are about one thing among many, wherever they
//! are in the input. So the answers come when the input has ended, in the order in which the first lines came.

use crate::commands::query::{Refusal, in_degrees};
use crate::convert::InputError;
use crate::exit::ExitStatus;
use crate::input::{LineReader, read_files};
use crate::printer::Printer;
use crate::proved::{LinePlace, Proved};
use gjk_query::hits::{HitsWanted, hits};
use gjk_query::motion::MotionAnswer;
use gjk_scene::{AnyLine, AnyQuery, MotionQuerySpec, MoverSide};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = r#"Examples:
  gjk hits rays.jsonl                       each ray's hits in the order of time
  gjk hits --first --verify rays.jsonl      those that may be the first, each proved again
  gjk hits --one a casts.jsonl              body A is the one that is cast at many

Lines are those of `gjk query` whose query is ray, cast or toi. Those that have the same ray, or the same
body B with the same motion, are answered together:
  {"id":"r1","query":"ray","a":BODY,"ray":{"origin":[-3,0,0],"direction":[1,0,0]}}
  {"id":"r2","query":"ray","a":BODY,"ray":{"origin":[-3,0,0],"direction":[1,0,0]}}
A line out:
  {"id":"r1","query":"ray","answered":2,"first":["r2"],"hits":[ANSWER,ANSWER]}

`hits` has the answers of `gjk query` that are not free, by the lower end of their time. `first` has the ids of
those that may be the first: several where bodies are met at once, or where bounds of times overlap.

Exit codes:
  0  every line answered
  2  a line or a file could not be read, or is of another kind; the rest are answered
  3  a bug in gjk, or --verify refuted an answer: please report it"#;

/// Options of `gjk hits`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct HitsArgs {
    /// Files of query lines; `-`, or none: standard input.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Only the hits that may be the first. What is later than a contact that is known already is not looked for.
    #[arg(long)]
    first: bool,

    /// Which body of a cast or a toi is the one among many; of a ray it is the ray.
    #[arg(long, value_enum, default_value = "b", value_name = "BODY")]
    one: OneBody,

    /// Check each answer, also those that are free, by a second program, as `gjk query --verify` does. A summary on standard error; a wrong answer is
    /// exit code 3.
    #[arg(long)]
    verify: bool,

    /// Read 2D `rotation` angles in degrees; quarter turns are then exact.
    #[arg(long)]
    degrees: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum OneBody {
    /// The first.
    A,
    /// The second.
    B,
}

/// Answers the lines of every ray and body.
pub fn run(args: &HitsArgs, printer: &mut Printer) -> ExitStatus {
    let mut session = HitsSession {
        args,
        printer,
        groups: Vec::new(),
        by_text: HashMap::new(),
        bad: 0,
    };
    let unread = read_files(&args.files, &mut session);
    let HitsSession {
        printer,
        groups,
        mut bad,
        ..
    } = session;
    let mut proved = Proved::default();
    for group in &groups {
        answer(args, group, &mut proved, &mut bad, printer);
        if printer.is_closed() {
            break;
        }
    }
    if args.verify {
        proved.tell(printer);
    }
    let unread = if bad + unread > 0 {
        ExitStatus::BadInput
    } else {
        ExitStatus::Success
    };
    unread.worst(proved.status())
}

/// A line, and where it is.
struct PlacedLine {
    spec: MotionQuerySpec,
    path: PathBuf,
    number: u64,
}

struct HitsSession<'s> {
    args: &'s HitsArgs,
    printer: &'s mut Printer,
    /// The lines of each ray or body.
    groups: Vec<Vec<PlacedLine>>,
    by_text: HashMap<String, usize>,
    bad: usize,
}

impl LineReader for HitsSession<'_> {
    fn printer(&mut self) -> &mut Printer {
        self.printer
    }

    fn line(&mut self, line: AnyLine, path: &Path) {
        let spec = match line.query.map_err(InputError::from) {
            Ok(mut query) => {
                if self.args.degrees {
                    in_degrees(&mut query);
                }
                motion_of(query)
            }
            Err(error) => Err(error),
        };
        let spec = match spec {
            Ok(spec) => spec,
            Err(error) => {
                self.bad += 1;
                let (id, error) = (&line.id, &error);
                return self.printer.json_line(&Refusal { id, error });
            }
        };
        let side = match self.args.one {
            OneBody::A => MoverSide::A,
            OneBody::B => MoverSide::B,
        };
        let count = self.groups.len();
        let group = *self.by_text.entry(spec.one_of_many(side)).or_insert(count);
        if group == count {
            self.groups.push(Vec::new());
        }
        self.groups[group].push(PlacedLine {
            spec,
            path: path.to_path_buf(),
            number: line.number,
        });
    }
}

/// What moves; a line of another kind has no time.
fn motion_of(query: AnyQuery) -> Result<MotionQuerySpec, InputError> {
    match query {
        AnyQuery::Motion(spec) => Ok(*spec),
        AnyQuery::Pair(_) | AnyQuery::Manifold(_) | AnyQuery::Gradient(_) => {
            let message = "hits have an order in time: give lines whose query is ray, cast or toi, and the others to `gjk query`";
            Err(InputError::new("bad_value", "query", message.to_owned()))
        }
    }
}

/// Answers the lines of one ray or body.
fn answer(
    args: &HitsArgs,
    group: &[PlacedLine],
    proved: &mut Proved,
    bad: &mut usize,
    printer: &mut Printer,
) {
    let specs: Vec<&MotionQuerySpec> = group.iter().map(|line| &line.spec).collect();
    let wanted = if args.first {
        HitsWanted::First
    } else {
        HitsWanted::All
    };
    let mut told = |k: usize, answered: Result<&MotionAnswer, &InputError>| match answered {
        Ok(answer) if args.verify => {
            let place = LinePlace {
                path: &group[k].path,
                number: group[k].number,
                id: &group[k].spec.id,
            };
            let objection = answer.objection.as_deref();
            proved.count(answer.verified, objection, place, printer);
        }
        Ok(_) => {}
        Err(error) => {
            *bad += 1;
            let id = &group[k].spec.id;
            printer.json_line(&Refusal { id, error });
        }
    };
    if let Some(found) = hits(&specs, wanted, args.verify, &mut told) {
        printer.json_line(&found);
    }
}
