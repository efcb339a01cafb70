//! Boxes as meshes, for the tests.

use gjk_mesh::TriMesh;

/// A box between two corners, each face cut in `n` by `n` squares.
pub(crate) fn cut_box(low: [f64; 3], high: [f64; 3], n: usize) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let at = |k: usize, i: usize| {
        let share = i as f64 / n as f64;
        low[k] * (1.0 - share) + high[k] * share
    };
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
