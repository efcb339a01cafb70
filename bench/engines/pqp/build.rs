//! Builds the shim against the Python module in Klamp't's wheel, which has PQP compiled in and exports it. Nothing of PQP is here.

#[path = "../../engine/cpp/build_support.rs"]
mod build_support;

use std::path::Path;

/// The module needs Python's symbols to be loaded; it is never imported.
const PYTHON: &str = "/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0";

fn main() {
    let wheel = build_support::wheels("klampt", &["klampt==0.10.1.post1"]);
    if !Path::new(PYTHON).is_file() {
        build_support::missing(PYTHON, "Debian package libpython3.11");
    }
    build_support::shim().compile("shim");
    let module = wheel.join("klampt/_robotsim.cpython-311-x86_64-linux-gnu.so");
    println!("cargo:rustc-link-arg={}", module.display());
    // Nothing here calls Python, so the linker would leave it out.
    println!("cargo:rustc-link-arg=-Wl,--no-as-needed");
    println!("cargo:rustc-link-arg={PYTHON}");
    // What the module itself needs is looked for when the program starts.
    println!("cargo:rustc-link-arg=-Wl,--allow-shlib-undefined");
    println!(
        "cargo:rustc-link-arg=-Wl,-rpath,{}",
        wheel.join("klampt").display()
    );
}
