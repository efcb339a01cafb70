//! The documentation site: tutorials, guides, derivations, references, benchmarks, notebooks and the lab.
//!
//! Read [`run`] first.
//! Idea: pages stay where they are in the repository. They are copied under the same paths, with all that they link to (`docs/pages.rs`), and what
//! a program knows better is made by it: the command's reference by the command, benchmarks from their records (`docs/benchmarks.rs`),
//! Python's from its docstrings, notebooks by running them. A link that leads nowhere and an address of another host are errors (`docs/links.rs`).
//! Exit codes: 0 written, 1 it does not build, 2 arguments, 3 something is missing on this machine.

mod benchmarks;
mod links;
mod pages;

use crate::files::{copied, emptied, entries, read, write};
use crate::python::{Environment, Wanted, package, ran};
use crate::{machine, site};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const MISSING: u8 = 3;
/// The notebooks, which the tests of Python run too.
const NOTEBOOKS: &str = "docs/notebooks";
/// The packages of Python that it needs.
const LIST: &str = "docs/site/requirements.txt";
/// What stands where the lab could not be built.
const NO_LAB: &str = "<!doctype html><meta charset=\"utf-8\"><title>The lab</title><p>This copy of the site was built on a machine \
                      without a compiler for WebAssembly. Run <code>gjk lab</code> instead.";

/// Where things are and go.
struct Places {
    root: PathBuf,
    /// What cargo builds, unoptimised.
    built: PathBuf,
    /// Whether it is there already.
    is_built: bool,
    /// The pages as they are given to the site's generator, its configuration beside them.
    source: PathBuf,
    /// Python's package with its compiled module.
    package: PathBuf,
    /// Python's environment.
    environment: Environment,
    out: PathBuf,
}

/// Builds the site, checks it, and says what is in it.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let root = machine::root();
    let target = machine::target();
    let (mut out, mut is_built) = (target.join("docs"), false);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match (argument.as_str(), rest.len()) {
            ("--out", 1..) => out = rest.next().map(PathBuf::from).unwrap_or_default(),
            ("--no-build", _) => is_built = true,
            _ => {
                eprintln!("usage: cargo xtask docs [--out DIR] [--no-build]");
                return ExitCode::from(2);
            }
        }
    }
    if !may_be_emptied(&out) {
        let out = out.display();
        eprintln!(
            "{out} has files that are no documentation site: choose a new or an empty folder"
        );
        return ExitCode::from(2);
    }
    let environment = match environment(&root, &target) {
        Ok(environment) => environment,
        Err(why) => {
            eprintln!("SKIPPED the documentation site: {why}");
            return ExitCode::from(MISSING);
        }
    };
    let places = Places {
        built: target.join("debug"),
        source: target.join("docs-source"),
        package: target.join("docs-python"),
        environment,
        root,
        out,
        is_built,
    };
    match build(&places) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn build(places: &Places) -> Result<(), String> {
    if !places.is_built {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut compile = Command::new(cargo);
        compile.args(["build", "-p", "gjk-python"]);
        ran(compile.current_dir(&places.root))?;
    }
    package(&places.built, &places.package)?;
    emptied(&places.source)?;
    let pages = places.source.join("pages");
    let count = pages::copy(&places.root, &pages)?;
    println!("{count} pages from the repository");
    println!("{} verbs of the command", command(places, &pages)?);
    println!(
        "{} rows of benchmarks",
        benchmarks::write_page(&places.root, &pages)?
    );
    println!("{} notebooks, run", notebooks(places, &pages)?);
    let mut generate = places.environment.program("zensical");
    generate.args(["build", "--strict", "--clean"]);
    ran(generate.current_dir(&places.source))?;
    emptied(&places.out)?;
    copied(&places.source.join("built"), &places.out)?;
    lab(&places.out.join("lab/app"))?;
    println!("{}", links::check(&places.out)?);
    println!("written: {}", places.out.display());
    Ok(())
}

/// Python's environment, made once for each list of what it has.
fn environment(root: &Path, target: &Path) -> Result<Environment, String> {
    let list = read(&root.join(LIST))?;
    let wanted = Wanted {
        minor: 11,
        list: &list,
        place: LIST,
    };
    Environment::new(target.join("docs-venv"), &wanted)
}

/// Writes the command's own words, by the package's program, which has all verbs: a section a verb, and the JSON Schemas.
fn command(places: &Places, pages: &Path) -> Result<usize, String> {
    let asked = |arguments: &[&str]| {
        let mut gjk = places.environment.program("python");
        gjk.args(["-m", "gjk"]).args(arguments);
        gjk.env("NO_COLOR", "1").env("COLUMNS", "100");
        ran(gjk.env("PYTHONPATH", &places.package))
    };
    let general = asked(&["--help"])?;
    let verbs: Vec<&str> = listed(&general, "Commands:");
    let mut text = format!(
        "# Command\n\nWhat `gjk --help` says, and each verb's own help.\n\n```text\n{general}```\n"
    );
    for verb in verbs.iter().filter(|verb| **verb != "help") {
        let help = asked(&[verb, "--help"])?;
        text += &format!("\n## gjk {verb}\n\n```text\n{help}```\n");
    }
    write(&pages.join("reference/command.md"), &text)?;
    let mut text = String::from("# JSON Schemas\n\nWhat `gjk schema` prints.\n");
    for line in asked(&["schema", "--help"])?.lines() {
        let Some((name, words)) = line
            .trim()
            .strip_prefix("- ")
            .and_then(|line| line.split_once(':'))
        else {
            continue;
        };
        if ["auto", "always", "never"].contains(&name) {
            continue;
        }
        let schema = asked(&["schema", name])?;
        text += &format!("\n## {name}\n\n{}\n\n```json\n{schema}```\n", words.trim());
    }
    write(&pages.join("reference/schemas.md"), &text)?;
    Ok(verbs.len() - 1)
}

/// The first words of the entries below a heading, up to an empty line. A line that goes on with an entry is farther in.
fn listed<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty())
        .collect()
}

/// Runs the notebooks and writes them as pages.
fn notebooks(places: &Places, pages: &Path) -> Result<usize, String> {
    let mut convert = places.environment.program("python");
    convert.args([
        "-m",
        "nbconvert",
        "--execute",
        "--to",
        "markdown",
        "--log-level",
        "ERROR",
        "--output-dir",
    ]);
    convert
        .arg(pages.join(NOTEBOOKS))
        .env("PYTHONPATH", &places.package);
    let mut count = 0;
    for entry in entries(&places.root.join(NOTEBOOKS))? {
        if entry.extension().is_some_and(|end| end == "ipynb") {
            convert.arg(entry);
            count += 1;
        }
    }
    ran(&mut convert)?;
    Ok(count)
}

/// The lab as plain files, or why it is not here.
fn lab(out: &Path) -> Result<(), String> {
    let folder = out.display().to_string();
    if site::run(&["--out".to_owned(), folder]) == ExitCode::SUCCESS {
        return Ok(());
    }
    eprintln!("SKIPPED the lab in the site: `cargo xtask site` above says why");
    write(&out.join("index.html"), NO_LAB)
}

/// Whether there is nothing, or what an earlier run wrote.
fn may_be_emptied(folder: &Path) -> bool {
    let is_empty = entries(folder).is_ok_and(|entries| entries.is_empty());
    let is_site = ["404.html", "search.json", "lab/app/index.html"];
    !folder.exists() || is_empty || is_site.iter().all(|file| folder.join(file).exists())
}
