//! x
#![allow(
    clippy::unwrap_used,
    clippy::all,
    missing_docs,
    unused,
    clippy::print_stdout
)]
use gjk_mesh::*;
use std::time::Instant;
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let reps: usize = std::env::args().nth(2).map_or(5, |x| x.parse().unwrap());
    let mut files = vec![];
    fn walk(p: &std::path::Path, f: &mut Vec<std::path::PathBuf>) {
        if p.is_dir() {
            for e in std::fs::read_dir(p).unwrap() {
                walk(&e.unwrap().path(), f)
            }
        } else if p.extension().map_or(false, |x| {
            ["obj", "stl", "ply", "dae", "STL"].iter().any(|y| x == *y)
        }) {
            f.push(p.into())
        }
    }
    walk(std::path::Path::new(&dir), &mut files);
    files.sort();
    let meshes: Vec<_> = files
        .iter()
        .filter_map(|p| gjk_scene::load_mesh(p).ok())
        .map(|m| {
            let t = triangulated(&m.faces).0;
            (m.vertices, t)
        })
        .collect();
    let n: usize = meshes.iter().map(|m| m.1.len()).sum();
    let mut best = [f64::INFINITY; 3];
    for _ in 0..reps {
        let mut t = [0.0; 3];
        for (v, f) in &meshes {
            let s = Instant::now();
            let Ok(m) = TriMesh::new(v, f) else { continue };
            t[0] += s.elapsed().as_secs_f64();
            let s = Instant::now();
            let b = MeshBody::new(m);
            t[1] += s.elapsed().as_secs_f64();
            let s = Instant::now();
            let p = b.at(&gjk::Pose3::identity());
            let q = b.at(&gjk::Pose3::from_translation(gjk::Vec3::new(1e9, 0., 0.)));
            std::hint::black_box(p.meets(&q));
            t[2] += s.elapsed().as_secs_f64();
        }
        for k in 0..3 {
            best[k] = best[k].min(t[k]);
        }
    }
    println!(
        "{} meshes {} triangles: TriMesh::new {:.3} MeshBody::new {:.3} wide tree {:.3} us/triangle",
        meshes.len(),
        n,
        best[0] * 1e6 / n as f64,
        best[1] * 1e6 / n as f64,
        best[2] * 1e6 / n as f64
    );

    for (v, f) in meshes.iter().filter(|m| m.1.len() > 10000).take(4) {
        let m = TriMesh::new(v, f).unwrap();
        m.side_of([0.; 3]);
        let mut lo = [f64::MAX; 3];
        let mut hi = [f64::MIN; 3];
        for p in v {
            for k in 0..3 {
                lo[k] = lo[k].min(p[k]);
                hi[k] = hi[k].max(p[k]);
            }
        }
        let mut r = 1u64;
        let mut nx = || {
            r = r.wrapping_mul(6364136223846793005).wrapping_add(1);
            (r >> 33) as f64 / 2f64.powi(31)
        };
        let pts: Vec<[f64; 3]> = (0..2000)
            .map(|_| [0, 1, 2].map(|k| lo[k] + (hi[k] - lo[k]) * nx()))
            .collect();
        let mut b = f64::MAX;
        let mut ins = 0;
        for _ in 0..5 {
            ins = 0;
            let s = Instant::now();
            for p in &pts {
                if m.side_of(*p) == Some(Side::Inside) {
                    ins += 1
                }
            }
            b = b.min(s.elapsed().as_secs_f64());
        }
        println!(
            "{} triangles side_of {:.3} us inside {ins}",
            f.len(),
            b * 1e6 / 2000.
        );
    }
}
