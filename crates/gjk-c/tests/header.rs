//! The header for C is that of the code: cbindgen writes it anew, and it is compared with the committed one.
//!
//! `GJK_HEADER=write cargo test --package gjk-c --test header` writes it.

use std::path::Path;

/// In the order of the header.
const SOURCES: [&str; 10] = [
    "src/status.rs",
    "src/handles.rs",
    "src/types.rs",
    "src/motion_types.rs",
    "src/abi/general.rs",
    "src/abi/shapes.rs",
    "src/abi/rows.rs",
    "src/abi/motions.rs",
    "src/abi/manifolds.rs",
    "src/abi/mesh.rs",
];

fn made(root: &Path) -> String {
    let mut config =
        cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    config.header = std::fs::read_to_string(root.join("src/head.h")).ok();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in SOURCES {
        builder = builder.with_src(root.join(source));
    }
    let mut text = Vec::new();
    builder.generate().expect("a header").write(&mut text);
    let text = String::from_utf8(text).expect("text");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

#[test]
fn the_header_is_that_of_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("include/gjk.h");
    let made = made(root);
    if std::env::var("GJK_HEADER").is_ok_and(|word| word == "write") {
        std::fs::write(&file, &made).expect("the header");
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = made
        .lines()
        .zip(committed.lines())
        .position(|(a, b)| a != b);
    assert!(
        made == committed,
        "include/gjk.h is not that of the code, from line {}: GJK_HEADER=write cargo test --package gjk-c --test header",
        differs.map_or(0, |line| line + 1)
    );
}
