//! The command line: what `gjk` can be asked. Each command's own options stand in its file.

use crate::commands::{
    acm::AcmArgs, audit::AuditArgs, bench::BenchArgs, check::CheckArgs,
    completions::CompletionsArgs, edges::EdgesArgs, path::PathArgs,
};
use crate::commands::{
    fuzz::FuzzArgs, hits::HitsArgs, lab::LabArgs, label::LabelArgs, query::QueryArgs,
    reduce::ReduceArgs, schema::SchemaArgs, solvers::SolversArgs, states::StatesArgs,
    trace::TraceArgs,
};
use clap::{Parser, Subcommand, ValueEnum};
use std::ffi::OsString;

const EXAMPLES: &str = "\
Examples:
  gjk check                          a small built-in scene: what a report looks like
  gjk check robot.urdf               which links of a robot overlap, and how deep
  gjk acm robot.urdf                 which pairs of its links can never meet, proved
  gjk path robot.urdf motion.csv     is this trajectory free, over its whole time
  gjk query pairs.jsonl              one pair of bodies a line in, one answer a line out
  gjk bench pairs.jsonl              what those pairs cost, one by one and in batches
  gjk trace --svg steps.svg          the tutorials' worked example, step by step
  gjk lab                            the same in the browser: drag the bodies, step back and forth
  gjk audit part.stl                 is this mesh closed, convex, and in the unit you think

Exit codes:
  0  answered, nothing is wrong      2  bad input or usage
  1  something overlaps, is too      3  a bug in gjk: please report it
     close, or fails a check";

/// Certified convex collision queries: overlap, touch, distance and depth, in 2D and 3D, with proofs.
#[derive(Debug, Parser)]
#[command(name = "gjk", version, after_help = EXAMPLES, arg_required_else_help = true, max_term_width = 100)]
pub struct Args {
    /// When to use colour; NO_COLOR in the environment is honoured.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorWhen,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The arguments, with `--parts` before the folder where `--meshes parts DIR` names it.
pub fn spelled_out(mut args: Vec<OsString>) -> Vec<OsString> {
    let is = |arg: &OsString, text: &str| arg == text;
    let is_option = |arg: &OsString| arg.as_encoded_bytes().first() == Some(&b'-');
    let named = args
        .windows(3)
        .position(|x| is(&x[0], "--meshes") && is(&x[1], "parts") && !is_option(&x[2]));
    let is_given = |arg: &OsString| arg.as_encoded_bytes().starts_with(b"--parts");
    if let Some(at) = named.filter(|_| !args.iter().any(is_given)) {
        args.insert(at + 2, "--parts".into());
    }
    args
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On terminals, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Report which bodies of a scene, robot or folder overlap, touch or come too close.
    Check(CheckArgs),
    /// Decide which pairs of a robot's links need no check: by proof over all joint values, or a state that collides.
    Acm(AcmArgs),
    /// Prove a trajectory of a robot free over its whole time, or give its first hit.
    Path(PathArgs),
    /// Answer straight edges between states, a start and a goal a row: free, or the first hit.
    Edges(EdgesArgs),
    /// Answer states of a robot, a row each: free, or a pair that is in contact.
    States(StatesArgs),
    /// Answer query lines: one pair of convex bodies a line.
    Query(QueryArgs),
    /// Answer one ray or moving body against many: its hits in the order of time.
    Hits(HitsArgs),
    /// Measure what the queries of a file cost, one by one and in batches.
    Bench(BenchArgs),
    /// Tell one query step by step.
    Trace(TraceArgs),
    /// See every step in the browser.
    Lab(LabArgs),
    /// Say what is wrong with meshes before they are trusted.
    Audit(AuditArgs),
    /// Look for wrong answers: adversarial pairs against exact oracles.
    Fuzz(FuzzArgs),
    /// Shrink failing query lines.
    Reduce(ReduceArgs),
    /// Print the JSON Schema of a file format.
    Schema(SchemaArgs),
    /// Print which closed forms are tried for which pair of bodies.
    Solvers(SolversArgs),
    /// Answer the rows of Parquet files: in the Python package alone, `pip install gjk[arrow]`.
    Label(LabelArgs),
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
}
