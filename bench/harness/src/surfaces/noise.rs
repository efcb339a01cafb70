//! Noise spheres: a surface of any number of triangles with features of many sizes and no pattern, made from nothing.
//!
//! Idea: an icosahedron whose triangles are cut in four again and again, its radius moved by six octaves of sines along random directions.

use crate::shapes::{Rng, single};
use bench_protocol::Shape;
use std::collections::HashMap;

const OCTAVES: usize = 6;
/// Sines of an octave, waves about the first octave's sphere, and how far it moves the radius; each next octave has twice the waves and
/// half the height.
const SINES: usize = 3;
const WAVES: f64 = 3.0;
const HEIGHT: f64 = 0.12;

/// A sphere of radius one, about, of 20 · 4^`cuts` triangles.
pub(crate) fn sphere(cuts: usize, seed: u64) -> Shape {
    let (mut points, mut triangles) = icosahedron();
    for _ in 0..cuts {
        triangles = cut(&mut points, &triangles);
    }
    let mut rng = Rng(seed);
    let octaves: Vec<[([f64; 3], f64); SINES]> = (0..OCTAVES)
        .map(|_| std::array::from_fn(|_| (rng.unit::<3>(), rng.range(0.0, std::f64::consts::TAU))))
        .collect();
    let radius = |p: &[f64; 3]| {
        let (mut waves, mut height, mut radius) = (WAVES, HEIGHT / SINES as f64, 1.0);
        for octave in &octaves {
            for (along, phase) in octave {
                let at: f64 = (0..3).map(|k| along[k] * p[k]).sum();
                radius += height * (waves * at + phase).sin();
            }
            (waves, height) = (2.0 * waves, 0.5 * height);
        }
        radius
    };
    let moved = |p: &[f64; 3]| {
        let radius = radius(p);
        p.map(|x| single(radius * x))
    };
    Shape::Mesh(points.iter().map(moved).collect(), triangles)
}

fn icosahedron() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let golden = 0.5 * (1.0 + 5_f64.sqrt());
    let mut points = Vec::new();
    for axis in 0..3 {
        for (s, t) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
            let mut p = [0.0; 3];
            (p[(axis + 1) % 3], p[(axis + 2) % 3]) = (s, t * golden);
            points.push(unit(p));
        }
    }
    // Faces are the triples of neighbours, which stand nearest of all, turned outward.
    let product = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| a[k] * b[k]).sum::<f64>();
    let near = |i: usize, j: usize| product(points[i], points[j]) > 0.4;
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(i, k) {
                    let [a, b, c] = [i, j, k].map(|at| points[at]);
                    let cross = [0, 1, 2].map(|n| {
                        let (m, l) = ((n + 1) % 3, (n + 2) % 3);
                        a[m] * b[l] - a[l] * b[m]
                    });
                    let [i, j, k] = [i, j, k].map(|at| at as u32);
                    triangles.push(if product(cross, c) > 0.0 {
                        [i, j, k]
                    } else {
                        [i, k, j]
                    });
                }
            }
        }
    }
    (points, triangles)
}

/// Each triangle as four, whose new corners are on the sphere.
fn cut(points: &mut Vec<[f64; 3]>, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut known = HashMap::new();
    let mut middle = |i: u32, j: u32, points: &mut Vec<[f64; 3]>| {
        *known.entry((i.min(j), i.max(j))).or_insert_with(|| {
            let (a, b) = (points[i as usize], points[j as usize]);
            points.push(unit([0, 1, 2].map(|k| a[k] + b[k])));
            points.len() as u32 - 1
        })
    };
    let mut cut = Vec::with_capacity(4 * triangles.len());
    for &[a, b, c] in triangles {
        let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(i, j)| middle(i, j, points));
        cut.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    cut
}

fn unit(p: [f64; 3]) -> [f64; 3] {
    let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
    p.map(|x| x / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_is_closed_and_faces_outward() {
        for cuts in [0, 2] {
            let Shape::Mesh(points, triangles) = sphere(cuts, 1) else {
                panic!("a mesh")
            };
            let count = 20 * 4_usize.pow(cuts as u32);
            // Euler: a closed surface of triangles without holes has half as many vertices, and two.
            assert_eq!((triangles.len(), points.len()), (count, count / 2 + 2));
            let mut edges = std::collections::HashSet::new();
            for [a, b, c] in &triangles {
                assert!(
                    [(a, b), (b, c), (c, a)]
                        .iter()
                        .all(|&(i, j)| edges.insert((*i, *j)))
                );
            }
            assert!(edges.iter().all(|&(i, j)| edges.contains(&(j, i))));
            let volume: f64 = triangles
                .iter()
                .map(|t| {
                    let [a, b, c] = t.map(|i| points[i as usize]);
                    (0..3)
                        .map(|k| {
                            let (l, m) = ((k + 1) % 3, (k + 2) % 3);
                            a[k] * (b[l] * c[m] - b[m] * c[l]) / 6.0
                        })
                        .sum::<f64>()
                })
                .sum();
            assert!(volume > 2.0 && volume < 5.5, "{volume}");
        }
    }
}
