//! Colours by meaning, as terminal codes. Words carry the meaning too: colour is never the only sign.

use anstyle::{AnsiColor, Style};
use std::fmt::Display;

/// Names and headings.
pub const STRONG: Style = Style::new().bold();
/// What is less important.
pub const DIM: Style = Style::new().dimmed();
/// Separated, in order.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// Touching, undecided, warnings.
pub const WARN: Style = AnsiColor::Yellow.on_default();
/// Overlapping, errors.
pub const BAD: Style = AnsiColor::Red.on_default().bold();

/// `text` in a style; who prints it takes the codes out again where colour is off.
pub fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
