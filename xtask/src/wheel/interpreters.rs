//! A wheel in every interpreter of this machine: installed, imported, its examples and its command run.
//!
//! Read [`tried`] first. Idea: each interpreter on the path gets an environment of its own with nothing but the wheel and what it requires. Programs
//! run isolated (`-I`) in an empty folder, so that no file of the repository stands in for one that the wheel lacks.

use super::{FINDING, Places};
use crate::files::emptied;
use crate::machine;
use crate::python::{Environment, interpreter, ran};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The interpreters that are looked for, by the second number of their version. The module's interface is that of the first.
const MINORS: [u32; 5] = [10, 11, 12, 13, 14];
/// Pages with examples.
const PAGES: [&str; 2] = ["README.md", "crates/gjk-python/README.md"];
/// The page and the markers of the command that the readme shows first, with what it prints.
const FIRST: (&str, &str) = ("<!-- first-command -->", "<!-- end-first-command -->");
/// That command's exit code: bodies overlap.
const OVERLAPS: i32 = 1;
/// How often the import is measured; the least counts.
const ROUNDS: usize = 5;
/// Prints the milliseconds of importing numpy, and then the package.
const IMPORT: &str = "from time import perf_counter as now
start = now()
import numpy
between = now()
import gjk
print((between - start) * 1e3, (now() - between) * 1e3)";

/// What the readmes say.
struct Pages {
    /// Examples that stand alone.
    examples: Vec<String>,
    /// Others, which begin in the middle.
    fragments: usize,
    /// What the first command prints.
    first: String,
}

/// Tries the wheel, prints a row an interpreter, and names what is wrong.
pub(super) fn tried(places: &Places, wheel: &Path) -> Result<Vec<String>, String> {
    let pages = pages(&places.root)?;
    println!(
        "{} examples in the readmes; {} more begin in the middle and are not run",
        pages.examples.len(),
        pages.fragments
    );
    println!(
        "{:12} {:>9} {:>10} {:>9} {:>12} {:>9} {:>9}",
        "interpreter", "version", "install s", "gjk ms", "and numpy ms", "examples", "command"
    );
    let mut findings = Vec::new();
    for (name, python, version) in here() {
        let folder = places.work.join(&name);
        emptied(&folder)?;
        let with = Tried {
            folder,
            name,
            version,
            python,
        };
        let mut wrong = Vec::new();
        row(&pages, &with, wheel, &mut wrong);
        let named = |why: String| format!("{FINDING}{}: {why}", with.name);
        findings.extend(wrong.into_iter().map(named));
    }
    Ok(findings)
}

/// The interpreters of this machine: names, paths and versions. Where none has its version in its name, the one that the tasks run.
fn here() -> Vec<(String, PathBuf, String)> {
    let mut found = Vec::new();
    for minor in MINORS {
        let name = format!("python3.{minor}");
        let all = machine::all_on_path(&name);
        match all.iter().find_map(|python| runs(python, Some(minor))) {
            Some((python, version)) => found.push((name, python, version)),
            // What pyenv puts on the path runs where it is told to.
            None if !all.is_empty() => {
                println!("{name:12} is on the path, and does not run (with pyenv: PYENV_VERSION)");
            }
            None => {}
        }
    }
    if found.is_empty() {
        let name = interpreter();
        let one = runs(Path::new(&name), None);
        found.extend(one.map(|(python, version)| ("python3".to_owned(), python, version)));
    }
    found
}

/// An interpreter, and the folder of its environment.
struct Tried {
    name: String,
    version: String,
    python: PathBuf,
    folder: PathBuf,
}

/// Tries the wheel in one interpreter, and prints its row.
fn row(pages: &Pages, with: &Tried, wheel: &Path, wrong: &mut Vec<String>) {
    let (environment, seconds) = match installed(with, wheel) {
        Ok(installed) => installed,
        Err(why) => return wrong.push(why),
    };
    let mut word = |result: Result<(), String>| match result {
        Ok(()) => "ok",
        Err(why) => {
            wrong.push(why);
            "wrong"
        }
    };
    let (numpy, gjk) = imported(&environment, &with.folder).unwrap_or_else(|why| {
        word(Err(why));
        (f64::NAN, f64::NAN)
    });
    let examples = word(examples(pages, &environment, &with.folder));
    let command = word(command(pages, &environment, &with.folder));
    println!(
        "{:12} {:>9} {seconds:10.1} {gjk:9.1} {:12.1} {examples:>9} {command:>9}",
        with.name,
        with.version,
        gjk + numpy
    );
}

/// An interpreter and its version, if it runs and is of a minor version.
fn runs(python: &Path, minor: Option<u32>) -> Option<(PathBuf, String)> {
    let ask = "import platform, venv; print(platform.python_version())";
    let version = ran(Command::new(python).args(["-I", "-c", ask])).ok()?;
    let version = version.trim();
    let is_it = minor.is_none_or(|minor| version.starts_with(&format!("3.{minor}.")));
    is_it.then(|| (python.to_path_buf(), version.to_owned()))
}

/// An environment with the wheel and, as wheels, what it requires; and how long pip took.
fn installed(with: &Tried, wheel: &Path) -> Result<(Environment, f64), String> {
    let environment = Environment::bare(&with.python, with.folder.join("venv"))?;
    let mut pip = environment.pip(&["install", "--quiet", "--only-binary", ":all:"]);
    let start = Instant::now();
    ran(pip.arg(wheel))?;
    Ok((environment, start.elapsed().as_secs_f64()))
}

/// The least milliseconds of importing numpy, and of importing the package after it.
fn imported(environment: &Environment, folder: &Path) -> Result<(f64, f64), String> {
    let mut least = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let text = ran(python(environment, folder).args(["-c", IMPORT]))?;
        let mut times = text.split_whitespace().map(str::parse);
        let (Some(Ok(numpy)), Some(Ok(gjk))) = (times.next(), times.next()) else {
            return Err(format!("the times of importing cannot be read: {text}"));
        };
        least = (least.0.min(numpy), least.1.min(gjk));
    }
    Ok(least)
}

/// Runs each example with warnings as errors.
fn examples(pages: &Pages, environment: &Environment, folder: &Path) -> Result<(), String> {
    for example in &pages.examples {
        ran(python(environment, folder).args(["-W", "error", "-c", example]))
            .map_err(|why| format!("an example of the readmes fails: {why}\n{example}"))?;
    }
    Ok(())
}

/// Runs the installed command as the readme does, and asks it for its version.
fn command(pages: &Pages, environment: &Environment, folder: &Path) -> Result<(), String> {
    let gjk = || {
        let mut gjk = environment.program("gjk");
        gjk.current_dir(folder).env("NO_COLOR", "1");
        gjk.env_remove("PYTHONPATH");
        gjk
    };
    let version = ran(gjk().arg("--version"))?;
    let ought = concat!("gjk ", env!("CARGO_PKG_VERSION"));
    if version.trim() != ought {
        return Err(format!(
            "gjk --version prints `{}`, not `{ought}`",
            version.trim()
        ));
    }
    let output = gjk()
        .arg("check")
        .output()
        .map_err(|error| format!("gjk check: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.code() != Some(OVERLAPS) || trimmed(&text) != pages.first {
        let said = String::from_utf8_lossy(&output.stderr);
        let status = output.status;
        return Err(format!(
            "gjk check, with {status}, does not print what the readme shows:\n{text}{said}"
        ));
    }
    Ok(())
}

/// The environment's interpreter, isolated, in a folder.
fn python(environment: &Environment, folder: &Path) -> Command {
    let mut python = environment.program("python");
    python.arg("-I").current_dir(folder);
    python
}

/// Reads the pages.
fn pages(root: &Path) -> Result<Pages, String> {
    let read = |page: &str| {
        fs::read_to_string(root.join(page)).map_err(|error| format!("{page}: {error}"))
    };
    let (mut examples, mut fragments) = (Vec::new(), 0);
    for page in PAGES {
        for block in blocks(&read(page)?) {
            if block.starts_with("import ") {
                examples.push(block.to_owned());
            } else {
                fragments += 1;
            }
        }
    }
    let first = first(&read(PAGES[0])?).ok_or_else(|| {
        format!(
            "{}: no command between {} and {}",
            PAGES[0], FIRST.0, FIRST.1
        )
    })?;
    Ok(Pages {
        examples,
        fragments,
        first,
    })
}

/// The examples of a page in Python.
fn blocks(page: &str) -> Vec<&str> {
    let rest = page.split("```python\n").skip(1);
    rest.filter_map(|rest| rest.split_once("```").map(|(block, _)| block))
        .collect()
}

/// What the first command of a page prints.
fn first(page: &str) -> Option<String> {
    let (_, rest) = page.split_once(FIRST.0)?;
    let (block, _) = rest.split_once(FIRST.1)?;
    let (_, printed) = block.split_once("\n$ ")?;
    let (_, printed) = printed.split_once('\n')?;
    let (printed, _) = printed.split_once("```")?;
    Some(trimmed(printed))
}

/// A text without blanks at the ends of its lines, and without empty lines around it.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_and_what_a_command_prints_are_read_from_a_page() {
        let page = "<!-- first-command -->\n```console\n$ gjk check\n 1 body  \n\n 2 pairs\n```\n<!-- end-first-command -->\n\
                    ```python\nimport gjk\n```\n```sh\nls\n```\n```python\nmesh = 1\n```\n";
        assert_eq!(first(page).as_deref(), Some(" 1 body\n\n 2 pairs"));
        assert_eq!(blocks(page), ["import gjk\n", "mesh = 1\n"]);
        assert_eq!(first("no command"), None);
    }

    #[test]
    fn the_readmes_have_what_is_tried() {
        let pages = pages(&machine::root()).expect("the readmes");
        assert!(pages.examples.len() >= 2 && pages.first.contains("overlapping"));
    }
}
