//! Builds the shim against the headers and the shared library in coal's wheel.

#[path = "../../engine/cpp/build_support.rs"]
mod build_support;

const WHEELS: [&str; 6] = [
    "libcoal==3.0.3",
    "cmeel-assimp==6.0.5",
    "cmeel-boost==1.90.0",
    "cmeel-eigen==3.4.0.2",
    "cmeel-octomap==1.10.0",
    "cmeel-qhull==8.0.2.1",
];

fn main() {
    let prefix = build_support::wheels("coal", &WHEELS).join("cmeel.prefix");
    let mut shim = build_support::shim();
    shim.include(prefix.join("include"))
        .include(prefix.join("include/eigen3"));
    // As in the wheel's own CMake target.
    shim.define("COAL_HAS_OCTOMAP", None)
        .define("COAL_HAVE_OCTOMAP", None)
        .define("OCTOMAP_MAJOR_VERSION", "1");
    shim.define("OCTOMAP_MINOR_VERSION", "10")
        .define("OCTOMAP_PATCH_VERSION", "0");
    // As in a baseline build, whatever -march says: the types of the two sides must agree.
    shim.define("EIGEN_MAX_ALIGN_BYTES", "16");
    shim.compile("shim");
    let library = prefix.join("lib");
    println!(
        "cargo:rustc-link-arg={}",
        library.join("libcoal.so").display()
    );
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", library.display());
}
