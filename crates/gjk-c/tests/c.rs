//! The interface from C11 and C++17: programs that a compiler builds against the header and both libraries, and what they print.
//!
//! `CC` and `CXX` name compilers. Where there is none the tests say so, and fail where `GJK_C_REQUIRED` is set.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Says that a test is left out, or fails where it may not be.
#[allow(clippy::print_stderr)] // what a person should see
fn skipped(why: &str) {
    let required = std::env::var_os("GJK_C_REQUIRED").is_some();
    assert!(!required, "the tests of C are required: {why}");
    eprintln!("SKIPPED the tests of C: {why}");
}

/// A compiler's command: `CC` may have arguments.
fn compiler(variable: &str, names: [&str; 3]) -> Option<Vec<String>> {
    // What these tests say to a compiler is said to one of Unix.
    if !cfg!(unix) {
        return None;
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    let named: Option<Vec<String>> = std::env::var(variable).ok().map(|text| words(&text));
    let all = named.into_iter().chain(names.map(words));
    let runs = |command: &Vec<String>| {
        let Some((program, arguments)) = command.split_first() else {
            return false;
        };
        let ran = Command::new(program)
            .args(arguments)
            .arg("--version")
            .output();
        ran.is_ok_and(|ran| ran.status.success())
    };
    all.into_iter().find(runs)
}

fn c() -> Option<Vec<String>> {
    compiler("CC", ["cc", "gcc", "clang"])
}

fn run(command: &mut Command) -> String {
    let ran = command.output().expect("a command");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{command:?}:\n{said}{errors}");
    said
}

/// How a program is linked.
#[derive(Clone, Copy, Debug)]
enum Link {
    Static,
    Shared,
}

/// The library that was built with this test: beside it there are files of any build, of which the newest is it.
fn library(link: Link) -> PathBuf {
    let name = match link {
        Link::Static => "libgjk_c.a".into(),
        Link::Shared => format!("libgjk_c{}", std::env::consts::DLL_SUFFIX),
    };
    let test = std::env::current_exe().expect("the test");
    let deps = test.parent().expect("its folder");
    let built = [deps.join(&name), deps.parent().unwrap_or(deps).join(&name)];
    let built = built.into_iter().filter(|file| file.exists());
    let newest = built.max_by_key(|file| file.metadata().and_then(|data| data.modified()).ok());
    newest.unwrap_or_else(|| panic!("{name} is not beside the test"))
}

/// Compiles a program and runs it: what it prints.
fn answer(compiler: &[String], standard: &str, source: &Path, link: Link) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let stem = source.file_name().unwrap_or_default().to_string_lossy();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{stem}-{link:?}"));
    let library = library(link);
    let mut command = Command::new(&compiler[0]);
    command
        .args(&compiler[1..])
        .args([standard, "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic"])
        .arg("-I")
        .arg(root.join("include"))
        .arg("-I")
        .arg(root.join("tests/c"))
        .arg("-o")
        .arg(&program)
        .arg(source)
        .arg(&library);
    if let (Link::Shared, Some(folder)) = (link, library.parent()) {
        command.arg(format!("-Wl,-rpath,{}", folder.display()));
    }
    run(command.args(["-lm", "-lpthread"]).args(system_libraries()));
    run(&mut Command::new(&program))
}

/// What a library of Rust needs of the system, beside those that every program has.
fn system_libraries() -> &'static [&'static str] {
    if cfg!(target_os = "linux") {
        &["-ldl", "-lrt"]
    } else {
        &[]
    }
}

const OF_C: &str = "\
cubes -0.25 apart: overlapping, [-0.250000, -0.250000], along x by 1
cubes 0.00 apart: touching, [0.000000, 0.000000], along x by 1
cubes 0.50 apart: separated, [0.500000, 0.500000], along x by 1
cubes 1.25 apart: separated, [1.250000, 1.250000], along x by 1
a sphere from every shape: 9.500 9.500 9.500 9.000 8.500 8.250 9.250 8.500 7.500 9.000 8.750
wrong rows: 3 of 5 rows are wrong, at first row 1, body B: shape 4000000000 of 13 does not exist
wrong calls: bad columns, no status of this library
";

const OF_MOTIONS: &str = "\
rays: hits, grazes, free, starts
casts: 1.20 and 2.00
impacts: 0.075933, 0.250000
manifolds: 4 points, 0 points
steps: impulses of 4
wrong calls are told
";

const OF_CPP: &str = "\
rows: the same bits on 1, 3 and all threads
errors: of each thread its own
meshes: separated touching overlapping inside contains equal
an open cube is a surface: edge 1-5 is open
";

/// What a program prints, of which the last line names the version.
fn expected(lines: &str) -> String {
    format!(
        "{lines}gjk {}: every check holds\n",
        env!("CARGO_PKG_VERSION")
    )
}

#[test]
fn the_example_in_c11_answers() {
    let Some(compiler) = c() else {
        return skipped("no C compiler (name one as CC)");
    };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/example.c");
    for link in [Link::Static, Link::Shared] {
        assert_eq!(answer(&compiler, "-std=c11", &source, link), expected(OF_C));
    }
}

#[test]
fn motions_and_manifolds_in_c11_answer() {
    let Some(compiler) = c() else {
        return skipped("no C compiler (name one as CC)");
    };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/motions.c");
    let said = answer(&compiler, "-std=c11", &source, Link::Shared);
    assert_eq!(said, expected(OF_MOTIONS));
}

#[test]
fn the_example_in_cpp17_answers() {
    let Some(compiler) = compiler("CXX", ["c++", "g++", "clang++"]) else {
        return skipped("no C++ compiler (name one as CXX)");
    };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/example.cpp");
    for link in [Link::Static, Link::Shared] {
        let said = answer(&compiler, "-std=c++17", &source, link);
        assert_eq!(said, expected(OF_CPP));
    }
}

#[test]
fn the_page_has_a_program_that_prints_what_it_says() {
    let Some(compiler) = c() else {
        return skipped("no C compiler (name one as CC)");
    };
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/c.md");
    let page = std::fs::read_to_string(page).expect("docs/c.md");
    let block = |fence: &str| {
        let (_, rest) = page.split_once(&format!("```{fence}\n")).expect("a block");
        rest.split_once("```").expect("its end").0
    };
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page.c");
    std::fs::write(&source, block("c")).expect("a file");
    let said = answer(&compiler, "-std=c11", &source, Link::Shared);
    assert_eq!(said, block("text"));
}
