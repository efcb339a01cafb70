//! Builds the parts of Box3D that two shapes need, from the sources in crate `box3d-sys`, and the shim.

#[path = "../../engine/cpp/build_support.rs"]
mod build_support;

const FILES: [&str; 12] = [
    "capsule",
    "convex_manifold",
    "core",
    "distance",
    "hull",
    "manifold",
    "math_functions",
    "simd",
    "sphere",
    "timer",
    "triangle_manifold",
    "aabb",
];

fn main() {
    let source = build_support::crate_source("box3d-sys").join("vendor/box3d");
    let mut shim = build_support::shim();
    shim.include(source.join("include")).compile("shim");
    let mut library = cc::Build::new();
    build_support::flags(library.std("c17").warnings(false));
    library.include(source.join("include"));
    for file in FILES {
        library.file(source.join(format!("src/{file}.c")));
    }
    library.compile("box3d");
}
