//! Builds the parts of Box2D that two shapes need, from the sources in crate `boxdd-sys`, and the shim.

#[path = "../../engine/cpp/build_support.rs"]
mod build_support;

fn main() {
    let source = build_support::crate_source("boxdd-sys").join("third-party/box2d");
    let mut shim = build_support::shim();
    shim.include(source.join("include")).compile("shim");
    let mut library = cc::Build::new();
    build_support::flags(library.std("c17").warnings(false));
    library.include(source.join("include"));
    for file in [
        "core",
        "distance",
        "geometry",
        "hull",
        "manifold",
        "math_functions",
        "timer",
    ] {
        library.file(source.join(format!("src/{file}.c")));
    }
    library.compile("box2d");
}
