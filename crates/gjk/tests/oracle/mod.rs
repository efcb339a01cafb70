//! Independent oracles and seeded inputs, shared by the tests and by `cargo xtask campaign`.
//!
//! Nothing here calls a GJK or an EPA. The signed distance of two polytopes comes from the explicit Minkowski difference:
//! its facets when the origin is inside, the nearest of its triangles, edges and vertices when outside. Exact verdicts of
//! integer polytopes come from `relation.rs`, by brute force in `i128`.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)] // every test binary uses its own part

pub mod pairs;
#[path = "../../../gjk-exact/tests/common/relation.rs"]
mod relation;

#[allow(unused_imports)] // as above
pub use relation::exact_relation;

use gjk::hull::{PlanarHull, SpatialHull, convex_hull_2, convex_hull_3};

/// SplitMix64: seeded, the same on every machine.
pub struct Rng(pub u64);

impl Rng {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }
    /// A unit vector; the third component is zero in 2D.
    pub fn direction(&mut self, dim: usize) -> [f64; 3] {
        loop {
            let v: [f64; 3] =
                core::array::from_fn(|k| if k < dim { self.range(-1.0, 1.0) } else { 0.0 });
            let n = dot(v, v);
            if n > 0.01 && n <= 1.0 {
                return v.map(|x| x / n.sqrt());
            }
        }
    }
    /// A uniform rotation quaternion.
    pub fn quaternion(&mut self) -> [f64; 4] {
        loop {
            let q: [f64; 4] = core::array::from_fn(|_| self.range(-1.0, 1.0));
            let n: f64 = q.iter().map(|x| x * x).sum();
            if n > 0.01 && n <= 1.0 {
                return q.map(|x| x / n.sqrt());
            }
        }
    }
}

pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
pub fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
pub fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

/// All vertex differences.
pub fn difference(a: &[[f64; 3]], b: &[[f64; 3]]) -> Vec<[f64; 3]> {
    a.iter()
        .flat_map(|&p| b.iter().map(move |&q| sub(p, q)))
        .collect()
}

/// Signed distance of two polytopes by brute force; flat differences containing the origin give zero.
pub fn signed_distance(dim: usize, a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let m = difference(a, b);
    if dim == 2 { planar(&m) } else { spatial(&m) }
}

fn planar(m: &[[f64; 3]]) -> f64 {
    let flat: Vec<[f64; 2]> = m.iter().map(|p| [p[0], p[1]]).collect();
    let at = |i: u32| m[i as usize];
    match convex_hull_2(&flat).expect("finite") {
        PlanarHull::Point(i) => norm(at(i)),
        PlanarHull::Segment(i, j) => to_segment(at(i), at(j)),
        PlanarHull::Polygon(ring) => {
            let edges = || (0..ring.len()).map(|k| (at(ring[k]), at(ring[(k + 1) % ring.len()])));
            let height = |(p, q): ([f64; 3], [f64; 3])| {
                let e = sub(q, p);
                (e[1] * p[0] - e[0] * p[1]) / norm(e)
            };
            let inner = edges().map(height).fold(f64::INFINITY, f64::min);
            if inner >= 0.0 {
                -inner
            } else {
                edges()
                    .map(|(p, q)| to_segment(p, q))
                    .fold(f64::INFINITY, f64::min)
            }
        }
    }
}

fn spatial(m: &[[f64; 3]]) -> f64 {
    let at = |i: u32| m[i as usize];
    let fan = |ring: &[u32]| -> Vec<[[f64; 3]; 3]> {
        (1..ring.len() - 1)
            .map(|k| [at(ring[0]), at(ring[k]), at(ring[k + 1])])
            .collect()
    };
    match convex_hull_3(m).expect("finite") {
        SpatialHull::Point(i) => norm(at(i)),
        SpatialHull::Segment(i, j) => to_segment(at(i), at(j)),
        SpatialHull::Polygon { ring } => fan(&ring)
            .into_iter()
            .map(to_triangle)
            .fold(f64::INFINITY, f64::min),
        SpatialHull::Polyhedron(mesh) => {
            let triangles: Vec<_> = mesh.faces.iter().flat_map(|f| fan(f)).collect();
            let inner = mesh
                .faces
                .iter()
                .map(|f| plane_height(&fan(f)))
                .fold(f64::INFINITY, f64::min);
            if inner >= 0.0 {
                -inner
            } else {
                triangles
                    .into_iter()
                    .map(to_triangle)
                    .fold(f64::INFINITY, f64::min)
            }
        }
    }
}

/// Height of the face's plane over the origin, from its largest triangle; infinity for a sliver.
///
/// A sliver's float normal is noise, and the faces around it bound the same body to within a rounding.
fn plane_height(fan: &[[[f64; 3]; 3]]) -> f64 {
    let normal = |t: &[[f64; 3]; 3]| cross(sub(t[1], t[0]), sub(t[2], t[0]));
    let largest = fan
        .iter()
        .max_by(|x, y| norm(normal(x)).total_cmp(&norm(normal(y))))
        .expect("a face has a triangle");
    let n = normal(largest);
    let [a, b, c] = *largest;
    let longest = [sub(b, a), sub(c, b), sub(a, c)]
        .map(|e| dot(e, e))
        .into_iter()
        .fold(0.0, f64::max);
    if norm(n) > 1e-9 * longest {
        dot(n, a) / norm(n)
    } else {
        f64::INFINITY
    }
}

pub fn to_segment(a: [f64; 3], b: [f64; 3]) -> f64 {
    let e = sub(b, a);
    let t = if dot(e, e) > 0.0 {
        (-dot(a, e) / dot(e, e)).clamp(0.0, 1.0)
    } else {
        0.0
    };
    norm(core::array::from_fn(|k| a[k] + t * e[k]))
}

pub fn to_triangle([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let n = cross(sub(b, a), sub(c, a));
    let inside = |p: [f64; 3], q: [f64; 3]| dot(cross(sub(q, p), sub([0.0; 3], p)), n) >= 0.0;
    if norm(n) > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        return (dot(n, a) / norm(n)).abs();
    }
    to_segment(a, b).min(to_segment(b, c)).min(to_segment(c, a))
}
