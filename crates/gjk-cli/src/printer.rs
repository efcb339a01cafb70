//! Standard output and standard error: answers go to the one, everything else to the other.
//!
//! Where it sits: the only file that writes to either. Every command gets one [`Printer`].
//! Idea: writing is infallible for the caller. The first error is kept: a closed pipe ends the program quietly
//! ([`Printer::is_closed`] lets long commands stop early), any other is reported by [`Printer::finish`].

use crate::args::ColorWhen;
use crate::exit::ExitStatus;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};
use anstream::{AutoStream, ColorChoice};
pub use gjk_query::style::{self, styled};
use gjk_scene::SceneError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::fmt::Display;
use std::io::{self, BufWriter, Stdout, Write};

/// The output streams of a command.
pub struct Printer {
    out: BufWriter<Stdout>,
    failed: Option<io::Error>,
    warnings: Vec<String>,
    colour_out: bool,
    colour_err: bool,
}

impl Printer {
    /// A printer for this process.
    pub fn new(color: ColorWhen) -> Self {
        let wanted = |automatic: ColorChoice| match color {
            ColorWhen::Auto => automatic != ColorChoice::Never,
            ColorWhen::Always => true,
            ColorWhen::Never => false,
        };
        Self {
            out: BufWriter::new(io::stdout()),
            failed: None,
            warnings: Vec::new(),
            colour_out: wanted(AutoStream::choice(&io::stdout())),
            colour_err: wanted(AutoStream::choice(&io::stderr())),
        }
    }

    /// True when standard output cannot be written any more: long commands then stop.
    pub fn is_closed(&self) -> bool {
        self.failed.is_some()
    }

    /// Writes text, which may be styled, and a line end.
    pub fn line(&mut self, text: impl Display) {
        let mut text = plain_unless(self.colour_out, text.to_string());
        text.push('\n');
        self.bytes(text.as_bytes());
    }

    /// Writes bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        if self.failed.is_none()
            && let Err(error) = self.out.write_all(bytes)
        {
            self.failed = Some(error);
        }
    }

    /// Writes a value as one line of JSON.
    pub fn json_line(&mut self, value: &impl Serialize) {
        self.bytes(&line_of_json(value));
    }

    /// Writes a value as indented JSON.
    pub fn json_pretty(&mut self, value: &impl Serialize) {
        self.bytes(&json(value, PrettyFormatter::new()));
    }

    /// Hands what was written to the reader now: for answers that someone waits for.
    pub fn flush(&mut self) {
        if self.failed.is_none()
            && let Err(error) = self.out.flush()
        {
            self.failed = Some(error);
        }
    }

    /// A remark for the person at the terminal, on standard error.
    pub fn note(&mut self, text: impl Display) {
        self.write_stderr(format!("{text}\n"));
    }

    /// A warning, on standard error.
    pub fn warning(&mut self, text: impl Display) {
        let text = text.to_string();
        self.write_stderr(format!("{}: {text}\n", styled(style::WARN, "warning")));
        self.warnings.push(text);
    }

    /// What was warned of so far, for reports that are read elsewhere.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// An error, on standard error.
    pub fn error(&mut self, text: impl Display) {
        self.write_stderr(format!("{}: {text}\n", styled(style::BAD, "error")));
    }

    /// An error of a scene, robot or mesh file, with the place in the file when it is known.
    pub fn scene_error(&mut self, error: &SceneError) {
        let rendered = render(error, self.colour_err);
        self.write_stderr(rendered);
    }

    /// A progress bar over `len` steps on standard error; hidden unless that is a terminal.
    pub fn progress(&self, len: u64) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(len), ProgressDrawTarget::stderr());
        // The template is a constant, and a bar without it is still a bar.
        if let Ok(style) = ProgressStyle::with_template("{bar:32} {pos}/{len} {msg} {eta}") {
            bar.set_style(style);
        }
        bar
    }

    /// A count on standard error of what has no known end; hidden unless that is a terminal.
    pub fn count(&self, of: &'static str) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} {msg}") {
            bar.set_style(style);
        }
        bar.with_message(of)
    }

    /// Flushes; success unless standard output failed for another reason than its reader having gone.
    pub fn finish(mut self) -> ExitStatus {
        self.flush();
        match self.failed.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                self.error(format!("cannot write to standard output: {error}"));
                ExitStatus::BadInput
            }
            _ => ExitStatus::Success,
        }
    }

    fn write_stderr(&mut self, text: String) {
        // What was answered before the remark stands before it on a shared terminal.
        self.flush();
        let text = plain_unless(self.colour_err, text);
        // Without standard error there is nowhere to complain.
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

/// The text with or without its colours.
fn plain_unless(colour: bool, text: String) -> String {
    if colour {
        text
    } else {
        anstream::adapter::strip_str(&text).to_string()
    }
}

/// A value as one line of JSON.
pub fn line_of_json(value: &impl Serialize) -> Vec<u8> {
    json(value, Widening)
}

/// A value as JSON and a line end; empty when it cannot be, which plain structs never do.
fn json(value: &impl Serialize, formatter: impl Formatter) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256);
    match value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter)) {
        Ok(()) => bytes.push(b'\n'),
        Err(_) => bytes.clear(),
    }
    bytes
}

/// Compact JSON whose `f32` are written as the `f64` of the same value.
///
/// The shortest text of an `f32` names another `f64`: a bound read back as `f64` would no longer bound.
#[derive(Clone, Copy, Debug)]
struct Widening;

impl Formatter for Widening {
    fn write_f32<W: ?Sized + Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        self.write_f64(writer, f64::from(value))
    }
}

/// A scene error with its lines of the file, as the Rust compiler draws its own.
fn render(error: &SceneError, colour: bool) -> String {
    let snippet = error.span().zip(error.source_text());
    let title = match (snippet.is_some(), error.element()) {
        (true, Some(element)) => format!("{element}: {}", error.message()),
        (true, None) => error.message().to_owned(),
        (false, _) => error.to_string(),
    };
    let mut report = Group::with_title(Level::ERROR.primary_title(title));
    if let Some((span, text)) = snippet {
        let name = error
            .file()
            .map_or_else(|| "input".to_owned(), |file| file.display().to_string());
        let expected = error
            .expected()
            .map(|expected| format!("expected {expected}"));
        let annotation = AnnotationKind::Primary
            .span(within(text, span.start)..within(text, span.end.max(span.start)))
            .label(expected);
        report = report.element(Snippet::source(text).path(name).annotation(annotation));
    }
    if let Some(help) = error.help() {
        report = report.element(Level::HELP.message(normalize_untrusted_str(help)));
    }
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let report = renderer.decor_style(DecorStyle::Unicode).render(&[report]);
    report + "\n"
}

/// The byte `at`, or the nearest before it that starts a character: the renderer panics beyond the end of a text.
fn within(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
