//! Builds the shim against Debian's Bullet.

#[path = "../../engine/cpp/build_support.rs"]
mod build_support;

fn main() {
    let folders = ["/usr/include/bullet", "/usr/local/include/bullet"];
    let include = build_support::find_header(
        "btBulletCollisionCommon.h",
        &folders,
        "Debian package libbullet-dev",
    );
    build_support::shim().include(include).compile("shim");
    println!("cargo:rustc-link-lib=BulletCollision");
    println!("cargo:rustc-link-lib=LinearMath");
}
