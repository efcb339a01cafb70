//! How far the truth of a file moves by what a program keeps of it in `f64` or `f32`: a rotation as a matrix and not as a quaternion, vertices in the world.
//!
//! Where it sits: `cargo xtask bench rounded`. No engine is asked: one that keeps so much can be no nearer to the file's truth than this, but by luck.

use crate::reference::Kept;
use crate::{Settings, load};

const KEPT: [(&str, Kept); 3] = [
    ("matrices in f64", Kept::Matrices),
    ("vertices in f64", Kept::Vertices),
    ("poses in f32", Kept::Narrow),
];

/// Prints the files asked for.
pub(crate) fn run(settings: &Settings) -> Result<bool, String> {
    println!("how far the truth moves, relative to itself");
    println!("{:28} {:16} {:>6} {:>6}", "file", "kept", "p99", "max");
    for file in load(settings)?.iter().filter(|file| !file.moves()) {
        for (name, kept) in KEPT {
            let mut off = file.off_where_kept(kept)?;
            off.sort_by(f64::total_cmp);
            let at = |part: f64| off[(part * (off.len() - 1) as f64) as usize];
            println!(
                "{:28} {name:16} {:>6.0e} {:>6.0e}",
                file.definition.name(),
                at(0.99),
                at(1.0)
            );
        }
    }
    Ok(true)
}
