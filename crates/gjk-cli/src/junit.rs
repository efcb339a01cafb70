//! JUnit XML as Jenkins, GitLab and GitHub's actions read it: one suite a run.
//!
//! Where it sits: the reports of `gjk check` and `gjk path` say which cases there are.
//! Numbers: these readers know no schema of the format in common; here is what all of them show: `name`, `classname`, `message`, text.

use std::fmt::Write;

/// A run, as a file of results has it.
pub struct JunitSuite<'a> {
    /// The command, `gjk check` or another.
    pub command: &'static str,
    /// What it was run on.
    pub subject: &'a str,
    /// What else is to be known of the run.
    pub properties: Vec<(&'static str, String)>,
    /// What was looked at.
    pub cases: Vec<JunitCase>,
    /// How long the run took.
    pub seconds: f64,
}

/// A case, and how it went.
pub struct JunitCase {
    /// The same from run to run.
    pub name: String,
    /// How it went.
    pub outcome: CaseStatus,
    /// What readers show beside it.
    pub details: String,
}

/// How a case went.
pub enum CaseStatus {
    /// Nothing is wrong.
    Passed,
    /// Something is.
    Failed {
        /// A word.
        kind: String,
        /// A sentence.
        message: String,
    },
    /// Nothing is known.
    Skipped {
        /// Why.
        message: String,
    },
}

impl JunitSuite<'_> {
    /// The file's text.
    pub fn xml(&self) -> String {
        let Self {
            command, subject, ..
        } = self;
        let count = |is: fn(&CaseStatus) -> bool| {
            self.cases.iter().filter(|case| is(&case.outcome)).count()
        };
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{:.3}\"",
            self.cases.len(),
            count(|outcome| matches!(outcome, CaseStatus::Failed { .. })),
            self.seconds
        );
        let skipped = count(|outcome| matches!(outcome, CaseStatus::Skipped { .. }));
        let name = attribute(&format!("{command} {subject}"));
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{command}\" {counts}>\n  \
             <testsuite name=\"{name}\" {counts} skipped=\"{skipped}\">\n    <properties>\n"
        );
        for (name, value) in &self.properties {
            // Writing to a string cannot fail.
            let _ = writeln!(
                xml,
                "      <property name=\"{name}\" value=\"{}\"/>",
                attribute(value)
            );
        }
        xml.push_str("    </properties>\n");
        self.cases
            .iter()
            .for_each(|case| self.write(case, &mut xml));
        xml.push_str("  </testsuite>\n</testsuites>\n");
        xml
    }

    fn write(&self, case: &JunitCase, xml: &mut String) {
        let details = escaped(&case.details);
        let inner = match &case.outcome {
            CaseStatus::Passed => format!("<system-out>{details}</system-out>"),
            CaseStatus::Failed { kind, message } => format!(
                "<failure type=\"{}\" message=\"{}\">{details}</failure>",
                attribute(kind),
                attribute(message)
            ),
            CaseStatus::Skipped { message } => format!(
                "<skipped message=\"{}\"/><system-out>{details}</system-out>",
                attribute(message)
            ),
        };
        // Jenkins cuts a class at its dots into packages; a file's name has one.
        let class = format!("{} {}", self.command, self.subject).replace('.', "_");
        let class = attribute(&class);
        let name = attribute(&case.name);
        let _ = writeln!(
            xml,
            "    <testcase classname=\"{class}\" name=\"{name}\">\n      {inner}\n    </testcase>"
        );
    }
}

/// An attribute's value: of a line end a reader would make a space.
fn attribute(text: &str) -> String {
    let text = escaped(text).replace('"', "&quot;");
    text.replace('\n', "&#10;").replace('\t', "&#9;")
}

/// Text that XML takes. Characters that XML 1.0 cannot have at all become U+FFFD.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // A reader would make a line end of it.
            '\r' => escaped.push_str("&#13;"),
            '\n' | '\t' => escaped.push(c),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_xml_reader_gets_back_what_was_written() {
        let text = "a<b> & \"c\" 'd' ]]> ü 漢\n\t\r\u{7f}";
        let xml = format!("<t a=\"{}\">{}</t>", attribute(text), escaped(text));
        let document = roxmltree::Document::parse(&xml).expect("XML");
        let element = document.root_element();
        assert_eq!(element.attribute("a"), Some(text));
        assert_eq!(element.text(), Some(text));
        assert_eq!(
            escaped("\u{1b}[0m\u{0}\u{ffff}"),
            "\u{fffd}[0m\u{fffd}\u{fffd}"
        );
    }
}
