//! Builds the shim against Debian's libccd.

#[path = "../../engine/cpp/build_support.rs"]
mod build_support;

use std::process::Command;

fn main() {
    let include = build_support::find_header(
        "ccd/ccd.h",
        &["/usr/include", "/usr/local/include"],
        "Debian package libccd-dev",
    );
    // The headers do not tell the version, and the .pc file is wrong.
    let version = Command::new("dpkg-query")
        .args(["-W", "-f=${Version}", "libccd-dev"])
        .output();
    let version = version
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .unwrap_or_default();
    let version = if version.is_empty() {
        "of unknown version"
    } else {
        &version
    };
    let mut shim = build_support::shim();
    shim.include(include)
        .define("CCD_VERSION", Some(format!("\"{version}\"").as_str()))
        .compile("shim");
    println!("cargo:rustc-link-lib=ccd");
}
