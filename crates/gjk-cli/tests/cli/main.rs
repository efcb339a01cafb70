//! The `gjk` program as its users see it: arguments and input in, both outputs and the exit code out.

// A test that cannot go on should say where.
#![allow(clippy::unwrap_used)]

mod acm_certificate;
mod bench;
mod hits;
mod lab;
mod query;
mod schema;
#[path = "../served/mod.rs"]
mod served;
mod solvers;
mod trace;

use assert_cmd::Command;

/// What a run gave.
struct Run {
    code: i32,
    out: String,
    err: String,
}

/// Runs `gjk` with these arguments and this standard input.
fn gjk(args: &[&str], input: &str) -> Run {
    let output = Command::cargo_bin("gjk")
        .unwrap()
        .args(args)
        .write_stdin(input)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

/// The root of the repository.
fn root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn no_command_prints_help_with_examples_and_exit_codes() {
    let run = gjk(&[], "");
    assert_eq!(run.code, 2);
    for part in [
        "gjk check robot.urdf",
        "gjk query pairs.jsonl",
        "Exit codes:",
        "completions",
    ] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
}

#[test]
fn every_command_has_help_that_teaches_by_example() {
    for command in ["query", "hits", "bench", "trace", "completions"] {
        let run = gjk(&[command, "--help"], "");
        assert_eq!(run.code, 0);
        assert!(run.out.contains("Example"), "{command}: {}", run.out);
    }
}

#[test]
fn unknown_options_are_bad_usage() {
    assert_eq!(gjk(&["query", "--no-such-option"], "").code, 2);
    assert_eq!(gjk(&["no-such-command"], "").code, 2);
}

#[test]
fn tables_are_for_the_python_package_and_it_says_so() {
    for args in [&["label", "in", "--shapes", "s.json"][..], &["label"]] {
        let run = gjk(args, "");
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        assert!(run.err.contains("pip install gjk[arrow]"), "{}", run.err);
    }
    let run = gjk(&["label", "in", "--shapes", "s.json"], "");
    assert!(run.err.contains("`python -m gjk.label in --shapes s.json`"));
}

#[test]
fn completions_name_the_commands() {
    let run = gjk(&["completions", "bash"], "");
    assert_eq!(run.code, 0);
    assert!(
        ["query", "bench", "trace"]
            .iter()
            .all(|command| run.out.contains(command))
    );
}
