//! Builds the shim against the Jolt sources in crate `joltc-sys`; GJK and EPA are templates in its headers.

#[path = "../../engine/cpp/build_support.rs"]
mod build_support;

fn main() {
    let source = build_support::crate_source("joltc-sys").join("JoltC/JoltPhysics");
    let mut shim = build_support::shim();
    shim.include(&source);
    for file in [
        "Core/Memory.cpp",
        "Core/IssueReporting.cpp",
        "Math/Vec3.cpp",
        "Physics/Collision/ManifoldBetweenTwoFaces.cpp",
    ] {
        shim.file(source.join("Jolt").join(file));
    }
    shim.compile("shim");
}
