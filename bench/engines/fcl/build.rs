//! Builds the shim against Debian's FCL.

#[path = "../../engine/cpp/build_support.rs"]
mod build_support;

fn main() {
    let install = "Debian package libfcl-dev";
    let include = build_support::find_header(
        "fcl/fcl.h",
        &["/usr/include", "/usr/local/include"],
        install,
    );
    let folders = ["/usr/include/eigen3", "/usr/local/include/eigen3"];
    let eigen = build_support::find_header("Eigen/Core", &folders, "Debian package libeigen3-dev");
    let mut shim = build_support::shim();
    // As in a baseline build, whatever -march says: the types of the two sides must agree.
    shim.define("EIGEN_MAX_ALIGN_BYTES", "16");
    shim.include(include).include(eigen).compile("shim");
    println!("cargo:rustc-link-lib=fcl");
    println!("cargo:rustc-link-lib=ccd");
}
