//! The engines of parry: `parry3d-f32`, `parry3d-f64`, `parry2d-f32`, `parry2d-f64`.
//!
//! parry is a crate a scalar and dimension, so one text serves four crates: each of the four modules names its crate, and
//! includes `queries.rs` and `motion.rs` (the operations) and `spatial.rs` or `planar.rs` (shapes and poses).

mod planar_f32;
mod planar_f64;
mod spatial_f32;
mod spatial_f64;

use bench_protocol::{Offer, locked_version, serve, target_flags};
use std::process::ExitCode;

const OPS: &[&str] = &[
    "bool",
    "dist",
    "pen",
    "track-dist-cold",
    "track-dist-warm",
    "track-pen-cold",
    "track-pen-warm",
    "ray",
    "cast",
    "cast-bool",
    "toi",
    "manifold",
    "track-manifold-cold",
    "track-manifold-warm",
];

const MESH_OPS: &[&str] = &["meet", "surface-dist", "within", "build"];

fn main() -> ExitCode {
    let lock = include_str!("../Cargo.lock");
    let about = |package: &str, scalar: &str| {
        format!(
            "{package} {}, {scalar}; opt 3, fat LTO, {}",
            locked_version(lock, package),
            target_flags()
        )
    };
    serve(&[
        Offer {
            name: "parry3d-f32",
            ops: OPS,
            about: about("parry3d", "f32"),
            run: spatial_f32::queries::run,
        },
        Offer {
            name: "parry3d-f64",
            ops: OPS,
            about: about("parry3d-f64", "f64"),
            run: spatial_f64::queries::run,
        },
        Offer {
            name: "parry3d-mesh",
            ops: MESH_OPS,
            about: about("parry3d-f64", "f64, TriMesh"),
            run: spatial_f64::queries::run,
        },
        Offer {
            name: "parry2d-f32",
            ops: OPS,
            about: about("parry2d", "f32"),
            run: planar_f32::queries::run,
        },
        Offer {
            name: "parry2d-f64",
            ops: OPS,
            about: about("parry2d-f64", "f64"),
            run: planar_f64::queries::run,
        },
    ])
}
