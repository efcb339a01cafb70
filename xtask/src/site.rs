//! The lab as plain files: the page, and the library as WebAssembly in the place of the server.
//!
//! Read [`run`] first.
//! Idea: the files are those of `gjk lab`, but for the client. They name each other by relative addresses
//! only, so that any host of files serves them, in any folder. What a visitor needs at once is kept small: one of two programs,
//! and no three.js until something is drawn in space. Exit codes: 0 written, 1 it does not build or cannot be
//! written, 2 arguments, 3 something is missing on this machine.

use crate::licences;
use crate::machine::{self, DEBIAN_WASM, Program, WASM_TRIPLE};
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use gjk_lab::{ASSETS, Environment, POLICY, SITE};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// 16-byte lanes are in every browser since 2023, and the scans of hulls are smaller with them than without.
const FLAGS: &str = "-Ctarget-feature=+simd128";
/// What the page needs beyond its own policy.
const POLICY_WASM: &str = "script-src 'self' 'wasm-unsafe-eval'";
/// The line of the page that the policy follows.
const HEAD: &str = "<meta charset=\"utf-8\">\n";
const MISSING: u8 = 3;
/// The programs, each a feature of `xtask/lab-wasm`.
const PROGRAMS: [&str; 2] = ["pairs", "bodies"];
/// What is fetched only when it is asked for: many bodies and files, space, docs/ and licences. The rest is fetched at first.
const LATER: [&str; 7] = [
    "bodies.wasm",
    "space.js",
    "vendor/three.js",
    "docs.css",
    "docs/",
    "licences.txt",
    "vendor/three.LICENSE.txt",
];

/// A path of the site and what is there.
type Files = BTreeMap<String, Cow<'static, [u8]>>;

struct Settings {
    out: PathBuf,
    install: bool,
}

/// Builds the site, writes it, and prints how large it is.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let root = machine::root();
    let target = machine::target();
    let settings = match read(arguments, &target) {
        Ok(settings) => settings,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    let program = Program {
        manifest: root.join("xtask/lab-wasm/Cargo.toml"),
        folder: target.join("lab-wasm"),
        flags: FLAGS,
    };
    if machine::wasm32(&program).is_err() && settings.install {
        machine::install(&DEBIAN_WASM);
    }
    if let Err(missing) = machine::wasm32(&program) {
        eprintln!("the site is not built, missing: {}", missing.join("; "));
        return ExitCode::from(MISSING);
    }
    match files(&program).and_then(|files| write(&settings.out, &files)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn read(arguments: &[String], target: &Path) -> Result<Settings, String> {
    let mut settings = Settings {
        out: target.join("site"),
        install: false,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--out" => settings.out = rest.next().ok_or("--out needs a folder")?.into(),
            "--install" => settings.install = true,
            _ => return Err(format!("cannot read `{argument}`")),
        }
    }
    Ok(settings)
}

/// Builds a program and reads it.
fn built(program: &Program<'_>, name: &str) -> Result<Vec<u8>, String> {
    let mut build = machine::wasm32(program).map_err(|missing| missing.join("; "))?;
    build.args(["--no-default-features", "--features", name]);
    let status = build
        .status()
        .map_err(|error| format!("{:?}: {error}", build.get_program()))?;
    if !status.success() {
        return Err(format!("{name}.wasm does not build"));
    }
    let path = program
        .folder
        .join(WASM_TRIPLE)
        .join("release/lab-wasm.wasm");
    fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes the files, and prints what they are on their way.
fn write(out: &Path, files: &Files) -> Result<(), String> {
    let mut totals = [("first load", [0; 3]), ("later", [0; 3]), ("all", [0; 3])];
    let row = |name: &str, [bytes, gzip, brotli]: [usize; 3]| {
        println!("{name:26} {bytes:>9} {gzip:>9} {brotli:>9}")
    };
    println!("{:26} {:>9} {:>9} {:>9}", "file", "bytes", "gzip", "brotli");
    for (path, bytes) in files {
        let place = out.join(path);
        let folder = place.parent().map_or(Ok(()), fs::create_dir_all);
        folder
            .and_then(|()| fs::write(&place, bytes))
            .map_err(|error| format!("{}: {error}", place.display()))?;
        let sizes = sizes(bytes).map_err(|error| error.to_string())?;
        row(path, sizes);
        let later = usize::from(LATER.iter().any(|name| path.starts_with(name)));
        for total in [later, 2] {
            (0..3).for_each(|k| totals[total].1[k] += sizes[k]);
        }
    }
    totals.iter().for_each(|(name, sizes)| row(name, *sizes));
    println!("written: {}", out.display());
    Ok(())
}

/// Everything that is served.
fn files(program: &Program<'_>) -> Result<Files, String> {
    // Later ones take the place of earlier ones: the client.
    let assets = ASSETS
        .iter()
        .chain(SITE)
        .map(|asset| (asset.path.to_owned(), Cow::Borrowed(asset.bytes)));
    let pages = gjk_lab::pages()
        .into_iter()
        .map(|page| (page.path, page.html.into_bytes().into()));
    let mut files: Files = assets.chain(pages).collect();
    for (path, bytes) in files.iter_mut().filter(|(path, _)| path.ends_with(".html")) {
        *bytes = guarded(&String::from_utf8_lossy(bytes))
            .ok_or_else(|| format!("{path}: no line {HEAD}"))?
            .into();
    }
    let scenes = gjk_lab::respond(
        r#"{"ask":"scenes"}"#,
        &Environment {
            clock: || 0.0,
            robot: None,
            meshes: None,
        },
    );
    files.insert("scenes.json".into(), scenes.into_bytes().into());
    for name in PROGRAMS {
        files.insert(format!("{name}.wasm"), built(program, name)?.into());
    }
    let licences = files.entry("licences.txt".into()).or_default();
    licences
        .to_mut()
        .extend(licences::of_crates(program)?.into_bytes());
    Ok(files)
}

/// A page with what the server of `gjk lab` says in a header: what the page may load.
fn guarded(page: &str) -> Option<Vec<u8>> {
    let (head, rest) = page.split_once(HEAD)?;
    let policy = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}; {POLICY_WASM}\">\n"
    );
    Some([head, HEAD, &policy, rest].concat().into_bytes())
}

/// The size as it is, and on its way as hosts compress.
fn sizes(bytes: &[u8]) -> io::Result<[usize; 3]> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    let mut brotli = Vec::new();
    let parameters = BrotliEncoderParams {
        quality: 11,
        lgwin: 24,
        ..BrotliEncoderParams::default()
    };
    brotli::BrotliCompress(&mut &*bytes, &mut brotli, &parameters)?;
    Ok([bytes.len(), encoder.finish()?.len(), brotli.len()])
}
