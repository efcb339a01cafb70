//! Depths of overlaps against closed forms and samples: protrusion, thickness, escape.

use gjk::{Pose3, Vec3};
use gjk_mesh::{Depth, DepthOptions, MeshBody, TriMesh};

#[test]
fn probe() {
    let show = |name: &str, depth: &Depth, t: std::time::Duration| {
        let p = depth.protrusion.map(|p| p.map(|p| (p.lower, p.upper)));
        println!(
            "{name}: {p:?} ended {} ball {:?} escape {:?} {t:?}",
            depth.ended, depth.ball, depth.escape
        );
    };
    let here = Pose3::identity();
    for n in [1, 2, 4, 16] {
        let a = MeshBody::new(cut_box([-1.0; 3], [1.0; 3], n));
        let b = MeshBody::new(cut_box([-0.5, -0.97, -1.0], [1.5, 1.03, 1.0], n));
        let (a, b) = (a.at(&here), b.at(&here));
        let t = std::time::Instant::now();
        let d = a.depth(&b, &[], &DepthOptions::default());
        show(&format!("case 7 at {n}"), &d, t.elapsed());
    }
    let a = MeshBody::new(cut_box([-1.0; 3], [1.0; 3], 3));
    let b = MeshBody::new(cut_box([1.0, -1.0, -1.0], [3.0, 1.0, 1.0], 5));
    for (k, angle) in [0.1f64, 0.7, 2.0].into_iter().enumerate() {
        let pose = Pose3::from_quaternion(
            [
                0.3 * angle.sin(),
                0.5 * angle.sin(),
                (1.0f64 - 0.34).sqrt() * angle.sin(),
                angle.cos(),
            ],
            Vec3::new(7.4, 1000.0, 3.0),
        )
        .unwrap();
        let shifted = Pose3::from_translation(Vec3::new(0.0, 0.0, 0.0));
        let other = pose.compose(&shifted);
        let (pa, pb) = (
            a.at(&pose),
            b.at(&Pose3::from_translation(Vec3::new(1e-9, 0., 0.)).compose(&other)),
        );
        let r = pa.relation(&pb);
        let t = std::time::Instant::now();
        let d = pa.depth(&pb, &[], &DepthOptions::default());
        show(
            &format!("flush rotated {k} {:?}", r.relation),
            &d,
            t.elapsed(),
        );
    }
    let wall = MeshBody::new(cut_box([0.0, -0.1, 0.0], [5.0, 0.1, 3.0], 1));
    let duct = MeshBody::new(cut_box([1.0, -1.0, 1.0], [1.5, 1.0, 1.4], 2));
    let t = std::time::Instant::now();
    let d = wall
        .at(&here)
        .depth(&duct.at(&here), &[], &DepthOptions::default());
    show("duct in wall", &d, t.elapsed());
    let small = MeshBody::new(cut_box([-1.0; 3], [1.0; 3], 2));
    let large = MeshBody::new(cut_box([-3.0; 3], [3.0; 3], 2));
    let t = std::time::Instant::now();
    let d = small
        .at(&here)
        .depth(&large.at(&here), &[], &DepthOptions::default());
    show("inside", &d, t.elapsed());
    let t = std::time::Instant::now();
    let d = small
        .at(&here)
        .depth(&small.at(&here), &[], &DepthOptions::default());
    show("equal", &d, t.elapsed());
}
fn cut_box(low: [f64; 3], high: [f64; 3], n: usize) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let at = |k: usize, i: usize| low[k] + (high[k] - low[k]) * i as f64 / n as f64;
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for (far, side) in [(false, low[axis]), (true, high[axis])] {
            for i in 0..n {
                for j in 0..n {
                    let mut ring = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
                    if !far {
                        ring.reverse();
                    }
                    let base = vertices.len() as u32;
                    for [i, j] in ring {
                        let mut vertex = [side; 3];
                        (vertex[u], vertex[v]) = (at(u, i), at(v, j));
                        vertices.push(vertex);
                    }
                    triangles.extend([[base, base + 1, base + 2], [base, base + 2, base + 3]]);
                }
            }
        }
    }
    TriMesh::new(&vertices, &triangles).expect("a box")
}
