//! `gjk schema`: the layout of files, for editors and programs.

use crate::acm::report::MatrixReport;
use crate::bench;
use crate::check::certificates::CertificateLine;
use crate::check::report::CheckReport;
use crate::commands::audit;
use crate::exit::ExitStatus;
use crate::path::report::{EdgesReport, PathReport};
use crate::path::states::StatesReport;
use crate::printer::Printer;
use gjk_query::answer_schema::{answer_schema, hits_schema};

/// Options of `gjk schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  gjk schema scene > scene.schema.json")]
pub struct SchemaArgs {
    /// Which layout.
    #[arg(value_enum)]
    what: What,
}

/// The layouts.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum What {
    /// A line that `gjk query` reads, of any kind.
    Query,
    /// A line that it answers with.
    Answer,
    /// A line that `gjk hits` answers with.
    Hits,
    /// Scene files, which `gjk check` reads.
    Scene,
    /// What `gjk check --json` prints.
    Check,
    /// What `gjk acm --json` prints.
    Acm,
    /// What `gjk path --json` prints.
    Path,
    /// What `gjk edges --json` prints.
    Edges,
    /// What `gjk states --json` prints.
    States,
    /// What `gjk acm --certificate FILE` writes.
    RobotCertificate,
    /// A line of what `gjk check --certificates FILE` writes.
    Certificate,
    /// What `gjk audit --json` prints.
    Audit,
    /// What `gjk bench --json` prints.
    Bench,
}

/// Prints the JSON Schema.
pub fn run(args: &SchemaArgs, printer: &mut Printer) -> ExitStatus {
    match args.what {
        What::Query => printer.line(gjk_scene::line_schema_json()),
        What::Answer => printer.json_pretty(&answer_schema()),
        What::Hits => printer.json_pretty(&hits_schema()),
        What::Scene => printer.line(gjk_scene::schema_json()),
        What::Check => printer.json_pretty(&CheckReport::json_schema()),
        What::Certificate => printer.json_pretty(&CertificateLine::json_schema()),
        What::Acm => printer.json_pretty(&MatrixReport::json_schema()),
        What::Path => printer.json_pretty(&PathReport::json_schema()),
        What::Edges => printer.json_pretty(&EdgesReport::json_schema()),
        What::States => printer.json_pretty(&StatesReport::json_schema()),
        What::RobotCertificate => {
            printer.json_pretty(&schemars::schema_for!(gjk_motion::RobotCertificate));
        }
        What::Bench => printer.json_pretty(&bench::report::Report::json_schema()),
        What::Audit => printer.json_pretty(&audit::json_schema()),
    }
    ExitStatus::Success
}
