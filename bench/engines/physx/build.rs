//! Builds PhysX's GJK and EPA from the sources in crate `physx-sys` (not the whole crate), and the shim.

#[path = "../../engine/cpp/build_support.rs"]
mod build_support;

const INCLUDES: [&str; 13] = [
    "include",
    "source/common/include",
    "source/common/src",
    "source/geomutils/include",
    "source/geomutils/src",
    "source/geomutils/src/ccd",
    "source/geomutils/src/common",
    "source/geomutils/src/contact",
    "source/geomutils/src/convex",
    "source/geomutils/src/distance",
    "source/geomutils/src/gjk",
    "source/geomutils/src/intersection",
    "source/geomutils/src/mesh",
];
const MORE: [&str; 5] = [
    "source/foundation/include",
    "source/geomutils/src/sweep",
    "source/geomutils/src/hf",
    "source/geomutils/src/pcm",
    "source/filebuf/include",
];

fn main() {
    let source = build_support::crate_source("physx-sys").join("physx/physx");
    let mut shim = build_support::shim();
    shim.define("PX_PHYSX_STATIC_LIB", None);
    for folder in INCLUDES.iter().chain(&MORE) {
        shim.include(source.join(folder));
    }
    for file in [
        "GuGjkQuery.cpp",
        "common/GuBarycentricCoordinates.cpp",
        "gjk/GuEPA.cpp",
        "gjk/GuGJKSimplex.cpp",
    ] {
        shim.file(source.join("source/geomutils/src").join(file));
    }
    shim.compile("shim");
}
