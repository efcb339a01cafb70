//! Meshes that the lab has, and the pairs of them that its list shows.
//!
//! Idea: each pair shows another reason. Coordinates are chosen so that what is meant to touch touches, to the bit.

use gjk_mesh::{MeshError, TriMesh};
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// A surface as lists.
type Surface = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// The corners of a box's faces, counter-clockwise from outside; corner `k` is at the bits of `k`, x first.
const BOX: [[u32; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

/// A mesh by its name; `None` where there is none of that name.
pub(super) fn mesh(name: &str) -> Option<Result<TriMesh, MeshError>> {
    let (vertices, triangles) = match name {
        "ring" => ring(),
        "pole" => pole(),
        "cube" => cuboid([1.0; 3]),
        "wall" => cuboid([2.0, 0.125, 1.25]),
        "hollow" => hollow(),
        "ball" => ball(),
        "spike" => (
            vec![
                [0.0; 3],
                [0.75, 0.0, 1.5],
                [-0.5, 0.75, 1.5],
                [-0.5, -0.75, 1.5],
            ],
            vec![[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]],
        ),
        "sheet" => sheet(|x, _| 0.25 * libm::sin(2.0 * x)),
        "bump" => sheet(|x, y| 0.9 - 0.5 * (x * x + y * y)),
        _ => return None,
    };
    Some(TriMesh::new(&vertices, &triangles))
}

/// The pairs, for the page.
pub(crate) fn scenes() -> Vec<Value> {
    [met_by_surfaces(), within_another()].concat()
}

fn at(mesh: &str, x: f64, y: f64, z: f64) -> Value {
    json!({"mesh": {"example": mesh}, "pose": {"translation": [x, y, z]}})
}

fn turned(mut body: Value, rotation: [f64; 4]) -> Value {
    body["pose"]["rotation"] = json!(rotation);
    body
}

fn of(id: &str, title: &str, about: &str, a: Value, b: Value) -> Value {
    let query = json!({"id": id, "a": a, "b": b});
    json!({"id": id, "group": "Meshes", "title": title, "about": about, "query": query})
}

/// Pairs that boxes tell apart, or contacts decide.
fn met_by_surfaces() -> Vec<Value> {
    vec![
        of(
            "ring-pole",
            "A ring around a pole",
            "Their hulls overlap, the bodies do not: the boxes of the trees tell them apart, level by level.",
            at("ring", 0.0, 0.0, 0.0),
            turned(at("pole", 0.0, 0.0, 0.0), [0.0, 0.130_526, 0.0, 0.991_445]),
        ),
        of(
            "boxes-flush",
            "Two boxes, face on face",
            "Their surfaces share an area and the boxes no inner point: the cones at the corners of that area say so.",
            at("cube", 0.0, 0.0, 0.0),
            at("cube", 2.0, 0.5, 0.25),
        ),
        of(
            "walls-aligned",
            "Two aligned walls",
            "They overlap by 5 cm of their length, but no edge passes through a face: only the cones tell.",
            at("wall", 0.0, 0.0, 0.0),
            at("wall", 3.95, 0.0, 0.0),
        ),
        of(
            "spike-box",
            "A spike on a box",
            "A vertex stands on a face: all directions into the spike leave the box.",
            at("cube", 0.0, 0.0, 0.0),
            at("spike", 0.25, 0.125, 1.0),
        ),
    ]
}

/// Pairs of which one is around the other, and surfaces.
fn within_another() -> Vec<Value> {
    vec![
        of(
            "ball-inside",
            "A ball in a box",
            "No triangles meet: one point of the ball, asked by a ray, says that it is inside.",
            at("cube", 0.0, 0.0, 0.0),
            at("ball", 0.1, 0.05, 0.0),
        ),
        of(
            "ball-cavity",
            "A ball in a cavity",
            "The same ball in a box with a cavity: separated. The box less its cavity is one piece.",
            at("hollow", 0.0, 0.0, 0.0),
            at("ball", 0.1, 0.05, 0.0),
        ),
        of(
            "cube-cavity",
            "A cube that fills a cavity",
            "Face on face all around. Both have one pose, so they are compared in their own frame, and touch.",
            at("hollow", 0.0, 0.0, 0.0),
            at("cube", 0.0, 0.0, 0.0),
        ),
        of(
            "sheets-crossing",
            "Two open surfaces",
            "Neither has an inside. They cross: an edge of one passes through a triangle of the other.",
            at("sheet", 0.0, 0.0, 0.0),
            at("bump", 0.3, 0.2, 0.0),
        ),
    ]
}

fn cuboid(half: [f64; 3]) -> Surface {
    let corner = |k: u32| [0, 1, 2].map(|i| if k >> i & 1 == 1 { half[i] } else { -half[i] });
    ((0..8).map(corner).collect(), BOX.to_vec())
}

/// A box of side 3 with a cavity of side 2.
fn hollow() -> Surface {
    let (mut vertices, mut triangles) = cuboid([1.5; 3]);
    let (inner, faces) = cuboid([1.0; 3]);
    vertices.extend(inner);
    triangles.extend(faces.into_iter().map(|[a, b, c]| [a + 8, c + 8, b + 8]));
    (vertices, triangles)
}

/// A torus.
fn ring() -> Surface {
    let (around, across) = (32, 12);
    let mut vertices = Vec::new();
    for i in 0..around {
        let (sin, cos) = libm::sincos(TAU * f64::from(i) / f64::from(around));
        for j in 0..across {
            let (up, out) = libm::sincos(TAU * f64::from(j) / f64::from(across));
            let radius = 1.0 + 0.3 * out;
            vertices.push([radius * cos, radius * sin, 0.3 * up]);
        }
    }
    let at = |i: u32, j: u32| (i % around as u32) * across as u32 + j % across as u32;
    let mut triangles = Vec::new();
    for i in 0..around as u32 {
        for j in 0..across as u32 {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices, triangles)
}

/// A prism of many sides.
fn pole() -> Surface {
    let sides = 24;
    let mut vertices = vec![[0.0, 0.0, -1.5], [0.0, 0.0, 1.5]];
    let mut triangles = Vec::new();
    for k in 0..sides {
        let (sin, cos) = libm::sincos(TAU * f64::from(k) / f64::from(sides));
        vertices.extend([
            [0.35 * cos, 0.35 * sin, -1.5],
            [0.35 * cos, 0.35 * sin, 1.5],
        ]);
        let (a, b) = (2 + 2 * k as u32, 2 + 2 * ((k as u32 + 1) % sides as u32));
        triangles.extend([
            [0, b, a],
            [1, a + 1, b + 1],
            [a, b, b + 1],
            [a, b + 1, a + 1],
        ]);
    }
    (vertices, triangles)
}

/// A ball of triangles by latitude and longitude.
fn ball() -> Surface {
    let (rows, columns) = (8u32, 16u32);
    let mut vertices = vec![[0.0, 0.0, 0.6], [0.0, 0.0, -0.6]];
    for i in 1..rows {
        let (ring, height) = libm::sincos(0.5 * TAU * f64::from(i) / f64::from(rows));
        for j in 0..columns {
            let (sin, cos) = libm::sincos(TAU * f64::from(j) / f64::from(columns));
            vertices.push([0.6 * ring * cos, 0.6 * ring * sin, 0.6 * height]);
        }
    }
    let at = |i: u32, j: u32| 2 + (i - 1) * columns + j % columns;
    let mut triangles = Vec::new();
    for j in 0..columns {
        triangles.extend([
            [0, at(1, j), at(1, j + 1)],
            [1, at(rows - 1, j + 1), at(rows - 1, j)],
        ]);
        for i in 1..rows - 1 {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices, triangles)
}

/// A surface over a square.
fn sheet(height: impl Fn(f64, f64) -> f64) -> Surface {
    let count = 12u32;
    let place = |k: u32| 3.0 * f64::from(k) / f64::from(count) - 1.5;
    let mut vertices = Vec::new();
    for i in 0..=count {
        for j in 0..=count {
            let (x, y) = (place(i), place(j));
            vertices.push([x, y, height(x, y)]);
        }
    }
    let at = |i: u32, j: u32| i * (count + 1) + j;
    let mut triangles = Vec::new();
    for i in 0..count {
        for j in 0..count {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices, triangles)
}
