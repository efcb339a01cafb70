//! What there is to look at: the tutorials' examples, and contacts beside their neighbours one rounding away.

use crate::environment::Environment;
use crate::{mesh_pair, moving_scenes, tour};
use serde::Serialize;
use serde_json::{Value, json};

/// A scene of the list.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Scene {
    /// Its name in an address.
    id: &'static str,
    /// The heading it stands under.
    group: &'static str,
    /// Its name on the page.
    title: &'static str,
    /// One sentence.
    about: &'static str,
    /// A line of the query format.
    query: Value,
    /// The loop to watch.
    algorithm: &'static str,
    /// The first direction, where the example gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<[f64; 2]>,
}

fn scene(
    group: &'static str,
    id: &'static str,
    title: &'static str,
    about: &'static str,
    query: Value,
) -> Scene {
    Scene {
        id,
        group,
        title,
        about,
        query,
        algorithm: "distance",
        direction: None,
    }
}

/// A scene of two bodies.
fn of_two([group, id, title, about]: [&'static str; 4], dim: usize, a: &Value, b: Value) -> Scene {
    scene(
        group,
        id,
        title,
        about,
        json!({"id": id, "dim": dim, "a": a, "b": b}),
    )
}

/// A scene of a line of any kind.
pub(crate) fn of_line([group, id, title, about]: [&'static str; 4], mut line: Value) -> Scene {
    line["id"] = json!(id);
    scene(group, id, title, about, line)
}

/// What there is to look at, for the page.
pub(crate) fn list(environment: &Environment<'_>) -> Value {
    json!({ "scenes": scenes(), "motions": moving_scenes::motions(), "manifolds": moving_scenes::manifolds(), "arms": moving_scenes::arms(), "crowds": crowds(environment), "meshes": meshes(environment), "tour": tour::steps() })
}

/// Scenes of many bodies.
fn crowds(environment: &Environment<'_>) -> Vec<Value> {
    let group = "Many bodies";
    let bounce = |dim: usize, title: &str| {
        json!({"id": format!("bounce-{dim}d"), "group": group, "title": title, "request": {"ask": "simulation", "dim": dim},
            "about": "A dozen bodies in a box: every pair is a query in every frame, and each contact is what the query says."})
    };
    let mut crowds = vec![bounce(2, "Bounce"), bounce(3, "Bounce, in space")];
    crowds.extend(moving_scenes::stacks(group));
    if let Some(robot) = environment.robot {
        crowds.push(
            json!({"id": "file", "group": group, "title": robot.name(), "request": {"ask": "robot", "of": "file"},
            "about": "The bodies of the file. Where it is a robot, sliders move its joints."}),
        );
    }
    crowds.push(
        json!({"id": "robot", "group": group, "title": "A robot", "request": {"ask": "robot", "of": "example"},
        "about": "Sliders move its joints; the list says which of its pairs are nearest, and opens any of them here."}),
    );
    crowds
}

/// Pairs of meshes: the files' first.
fn meshes(environment: &Environment<'_>) -> Vec<Value> {
    let mut all = mesh_pair::examples::scenes();
    if let Some(files) = environment.meshes {
        let of = |file: usize| json!({"mesh": {"file": file}});
        let file = json!({"id": "files", "group": "Meshes", "title": files.title(), "query": {"id": "files", "a": of(0), "b": of(1)},
            "about": "The meshes of the files, as they are."});
        all.insert(0, file);
    }
    all
}

/// All scenes of a pair, in the order of the list.
fn scenes() -> Vec<Scene> {
    let mut all = tutorials();
    all.extend(shapes());
    all.extend(edge_contacts());
    all.extend(vertex_contacts());
    all.extend(polyhedra());
    all.extend(curved_and_flat());
    all.extend(solid_contacts());
    all
}

fn tutorials() -> Vec<Scene> {
    let triangle = json!({"shape": "convex", "points": [[4, 11], [4, 5], [9, 9]]});
    let overlapping = json!({"shape": "convex", "points": [[5, 7], [12, 7], [10, 2], [7, 3]]});
    let apart = json!({"shape": "convex", "points": [[8, 6], [15, 6], [13, 1], [10, 2]]});
    let hexagon = |x: f64, y: f64, turn: f64| {
        json!({"shape": "convex", "points": [[2, 0], [1, 1.7], [-1, 1.7], [-2, 0], [-1, -1.7], [1, -1.7]],
            "pose": {"translation": [x, y], "rotation": turn}})
    };
    let group = "Tutorials";
    vec![
        Scene {
            algorithm: "boolean",
            direction: Some([1.0, -1.0]),
            ..scene(
                group,
                "dyn4j-gjk",
                "Yes or no",
                "W. Bittle's worked example: four support points, and the origin is inside.",
                json!({"id": "dyn4j-gjk", "dim": 2, "a": triangle, "b": overlapping}),
            )
        },
        scene(
            group,
            "dyn4j-epa",
            "How deep",
            "The same bodies: EPA grows the simplex until its nearest edge is one of the difference itself.",
            json!({"id": "dyn4j-epa", "dim": 2, "a": triangle, "b": overlapping}),
        ),
        scene(
            group,
            "dyn4j-distance",
            "How far",
            "His second example: the bodies are apart by 11/√41, and each has a closest point.",
            json!({"id": "dyn4j-distance", "dim": 2, "a": triangle, "b": apart}),
        ),
        scene(
            group,
            "two-polygons",
            "Two polygons to drag",
            "Drag a vertex: the Minkowski difference follows, and the verdict is whether it holds the origin.",
            json!({"id": "two-polygons", "dim": 2, "a": hexagon(-2.5, 0.4, 0.2), "b": hexagon(2.2, -0.3, 0.0)}),
        ),
    ]
}

fn shapes() -> Vec<Scene> {
    let group = "Shapes";
    vec![
        scene(
            group,
            "ellipse-capsule",
            "An ellipse and a capsule",
            "Curved bodies have no vertices: a support function is all that GJK asks for.",
            json!({"id": "ellipse-capsule", "dim": 2,
                "a": {"shape": "ellipsoid", "radii": [3, 1.4], "pose": {"translation": [-3, 0], "rotation": 0.4}},
                "b": {"shape": "capsule", "half_height": 1.6, "radius": 0.8, "axis": "y", "pose": {"translation": [3, 0.5], "rotation": 0.3}}}),
        ),
        scene(
            group,
            "rounded-box-ball",
            "A rounded box and a ball",
            "A radius is not searched: the loops see the cores, and the radii are taken off at the end.",
            json!({"id": "rounded-box-ball", "dim": 2,
                "a": {"shape": "rounded", "core": {"shape": "box", "half_extents": [1.5, 1]}, "radius": 0.5, "pose": {"translation": [-2, 0]}},
                "b": {"shape": "ball", "radius": 1.2, "pose": {"translation": [1.6, 0.8]}}}),
        ),
        scene(
            group,
            "hull-of-circles",
            "A hull of circles and a segment",
            "Bodies can be made of bodies: the hull of three circles, against a segment without interior.",
            json!({"id": "hull-of-circles", "dim": 2,
                "a": {"shape": "hull_of", "of": [{"shape": "ball", "radius": 1}, {"shape": "point", "point": [3, 1]}, {"shape": "point", "point": [2, -2]}],
                    "pose": {"translation": [-3, 0]}},
                "b": {"shape": "segment", "a": [1.5, -2], "b": [2.5, 3]}}),
        ),
    ]
}

/// Headings of scenes that two functions list.
const TOUCHING: &str = "Exactly touching";
const IN_SPACE: &str = "In space";

/// A square of side two, its middle here.
fn square(x: f64, y: f64) -> Value {
    json!({"shape": "box", "half_extents": [1, 1], "pose": {"translation": [x, y]}})
}

/// Squares that share an edge, and one rounding to either side of it.
fn edge_contacts() -> Vec<Scene> {
    let unposed = json!({"shape": "box", "half_extents": [1, 1]});
    let of = |id, title, about, x: f64| {
        of_two([TOUCHING, id, title, about], 2, &unposed, square(x, 0.5))
    };
    vec![
        of(
            "edge-edge",
            "Edge on edge",
            "Two squares share an edge, and nothing else.",
            2.0,
        ),
        of(
            "edge-edge-apart",
            "… and one rounding apart",
            "B is one rounding of 2 farther, 4·10⁻¹⁶: floats alone cannot tell.",
            2.0 + f64::EPSILON * 2.0,
        ),
        of(
            "edge-edge-deep",
            "… and one rounding deep",
            "B is one rounding nearer, 2·10⁻¹⁶: overlapping, by that much.",
            2.0 - f64::EPSILON,
        ),
    ]
}

/// Vertices on an edge and on a vertex, and thirds that only seem to meet.
fn vertex_contacts() -> Vec<Scene> {
    let unposed = json!({"shape": "box", "half_extents": [1, 1]});
    let turned = |x: f64| json!({"shape": "convex", "points": [[1, 0], [0, 1], [-1, 0], [0, -1]], "pose": {"translation": [x, 0.25]}});
    let of = |id, title, about, a: &Value, b: Value| of_two([TOUCHING, id, title, about], 2, a, b);
    vec![
        of(
            "edge-vertex",
            "Vertex on edge",
            "A corner of B lies on A's edge.",
            &unposed,
            turned(2.0),
        ),
        of(
            "edge-vertex-apart",
            "… and one rounding apart",
            "The corner is 4·10⁻¹⁶ away from the edge.",
            &unposed,
            turned(2.0 + f64::EPSILON * 2.0),
        ),
        of(
            "vertex-vertex",
            "Vertex on vertex",
            "One common point, in two corners.",
            &unposed,
            square(2.0, 2.0),
        ),
        of(
            "thirds",
            "Thirds that do not meet",
            "1/3 and 2/3 are not floats: what was drawn as touching overlaps or leaves a gap, and the lab says which.",
            &json!({"shape": "convex", "points": [[0, 0], [1.0 / 3.0, 2.0 / 3.0], [-1, 1]]}),
            json!({"shape": "convex", "points": [[0, 0], [1, 2], [2, 0]]}),
        ),
    ]
}

/// The corners of a regular icosahedron, and the middles of its edges, all at distance one.
fn icosphere() -> Value {
    let golden = f64::midpoint(1.0, 5.0_f64.sqrt());
    let mut points: Vec<[f64; 3]> = Vec::new();
    for s in [-1.0, 1.0] {
        for t in [-golden, golden] {
            points.extend([[0.0, s, t], [s, t, 0.0], [t, 0.0, s]]);
        }
    }
    let squared = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>();
    let edges = points.clone();
    for (k, p) in edges.iter().enumerate() {
        for q in &edges[k + 1..] {
            let apart: [f64; 3] = std::array::from_fn(|i| p[i] - q[i]);
            if squared(&apart) < 4.5 {
                points.push(std::array::from_fn(|i| p[i] + q[i]));
            }
        }
    }
    let unit = |p: &[f64; 3]| p.map(|x| x / squared(p).sqrt());
    json!({"shape": "convex", "points": points.iter().map(unit).collect::<Vec<_>>()})
}

/// A body of these keys at a pose.
fn at(mut shape: Value, translation: [f64; 3], rotation: [f64; 4]) -> Value {
    shape["pose"] = json!({"translation": translation, "rotation": rotation});
    shape
}

/// How the bodies in space are turned, or not: a quaternion.
const TURNED: [f64; 4] = [0.182574, 0.365148, 0.547723, 0.730297];
const STILL: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// Bodies with vertices, and with an interior.
fn polyhedra() -> Vec<Scene> {
    let cube = json!({"shape": "box", "half_extents": [1, 1, 1]});
    let cone = json!({"shape": "convex", "points": [[-1, -1, -0.7], [1, -1, -0.7], [1, 1, -0.7], [-1, 1, -0.7], [0, 0, 1.3]]});
    let tetrahedron =
        json!({"shape": "convex", "points": [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]});
    let of = |id, title, about, a: Value, b: Value| of_two([IN_SPACE, id, title, about], 3, &a, b);
    vec![
        of(
            "cube-cone",
            "Cube and four-sided cone",
            "The difference of 8 and 5 vertices is a hull of their differences.",
            at(cube.clone(), [-1.3, 0.0, 0.0], STILL),
            at(cone.clone(), [1.2, 0.4, 0.2], TURNED),
        ),
        of(
            "cube-icosphere",
            "Cube and icosphere",
            "42 vertices on a sphere: the simplex walks towards the origin.",
            at(cube.clone(), [-0.9, 0.0, 0.0], TURNED),
            at(icosphere(), [0.7, 0.3, 0.1], STILL),
        ),
        of(
            "cone-icosphere",
            "Cone and icosphere, apart",
            "A distance, its two witness points, and the plane between the bodies.",
            at(cone, [-1.4, 0.0, 0.0], TURNED),
            at(icosphere(), [1.5, 0.4, 0.2], STILL),
        ),
        of(
            "tetrahedra",
            "Two tetrahedra",
            "The fewest vertices that enclose anything.",
            at(tetrahedron.clone(), [-0.8, 0.0, 0.0], STILL),
            at(tetrahedron, [0.8, 0.3, 0.2], TURNED),
        ),
    ]
}

/// Bodies without vertices, and bodies without an interior.
fn curved_and_flat() -> Vec<Scene> {
    let of = |id, title, about, a: Value, b: Value| of_two([IN_SPACE, id, title, about], 3, &a, b);
    vec![
        of(
            "cylinder-ellipsoid",
            "A cylinder and an ellipsoid",
            "Curved bodies: the interval closes, and no step is exact.",
            at(
                json!({"shape": "cylinder", "half_height": 1.2, "radius": 0.8, "axis": "z"}),
                [-1.3, 0.0, 0.0],
                TURNED,
            ),
            at(
                json!({"shape": "ellipsoid", "radii": [1.5, 0.9, 0.6]}),
                [1.4, 0.2, 0.3],
                STILL,
            ),
        ),
        of(
            "triangle-square",
            "Flat: a triangle and a square",
            "Neither has an interior, but their planes cross: the difference is solid, and holds the origin. In one plane they could only touch.",
            json!({"shape": "triangle", "a": [-1.5, -1, 0], "b": [1.5, -1, 0], "c": [0, 1.5, 0]}),
            json!({"shape": "convex", "points": [[0, -1, -1], [0, 1, -1], [0, 1, 1], [0, -1, 1]]}),
        ),
    ]
}

fn solid_contacts() -> Vec<Scene> {
    let group = "Exactly touching, in space";
    let cube = json!({"shape": "box", "half_extents": [1, 1, 1]});
    let octahedron = json!({"shape": "convex", "points": [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]});
    let of = |id, title, about, b: Value| of_two([group, id, title, about], 3, &cube, b);
    vec![
        of(
            "face-face",
            "Face on face",
            "Two cubes share a part of a face.",
            at(cube.clone(), [2.0, 0.5, 0.25], STILL),
        ),
        of(
            "face-face-apart",
            "… and one rounding apart",
            "One rounding of 2 farther, 4·10⁻¹⁶.",
            at(cube.clone(), [2.0 + 2.0 * f64::EPSILON, 0.5, 0.25], STILL),
        ),
        of(
            "face-vertex",
            "Vertex on face",
            "A corner lies on a face.",
            at(octahedron.clone(), [2.0, 0.3, -0.2], STILL),
        ),
        of(
            "face-vertex-deep",
            "… and one rounding deep",
            "One rounding nearer, 2·10⁻¹⁶.",
            at(octahedron.clone(), [2.0 - f64::EPSILON, 0.3, -0.2], STILL),
        ),
        of(
            "edge-edge-3d",
            "Edge across edge",
            "Two edges cross in one point.",
            at(octahedron, [1.5, 1.5, 0.0], STILL),
        ),
    ]
}
