//! Builds the shim against the headers and the shared library in MuJoCo's wheel.

#[path = "../../engine/cpp/build_support.rs"]
mod build_support;

fn main() {
    let folder = build_support::wheels("mujoco", &["mujoco-core==4.0.0"]).join("mujoco");
    build_support::shim()
        .include(folder.join("include"))
        .compile("shim");
    println!(
        "cargo:rustc-link-arg={}",
        folder.join("libmujoco.so.4.0.0").display()
    );
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
}
