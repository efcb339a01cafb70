//! A robot in random states as a workload: the bodies, states and pairs of `gjk check`, made from the same files.
//!
//! A mesh is its hull, or its triangles for `surfaces.rs`, with the scale put into the vertices; a pose is a quaternion, so it is rounded once more than in `gjk
//! check`. The states are those of `--random N --seed S`, whose generator is fixed for good and stands here again.

use super::{Key, RobotSettings};
use bench_protocol::{Pair, Place, Shape, Workload};
use gjk::hull::{SpatialHull, convex_hull_3};
use gjk_scene::{Affine, Axis, Geometry, LoadOptions, Mesh, Scene, ShapeSpec, load, read_srdf};
use std::collections::{HashMap, HashSet};

/// A body's part.
struct Part {
    /// Index of its shape.
    shape: usize,
    /// Its pose in the link.
    pose: Affine,
    /// Corners of a box or a hull around it, in its own frame.
    corners: Vec<[f64; 3]>,
}

/// A robot, its pairs and states.
pub(crate) struct Robot {
    pub(super) name: String,
    scene: Scene,
    shapes: Vec<Shape>,
    /// By body.
    parts: Vec<Vec<Part>>,
    /// Of bodies, the lower index first.
    pairs: Vec<(usize, usize)>,
    states: Vec<Vec<f64>>,
}

/// What an engine is asked.
pub(crate) struct Asked {
    pub(super) name: String,
    pub(crate) workload: Workload,
    /// Of each pair of parts the state and the bodies.
    pub(super) keys: Vec<Key>,
    pub(super) states: usize,
}

/// A part in the world: shape, place, and the box around it.
struct Posed {
    shape: usize,
    place: Place,
    low: [f64; 3],
    high: [f64; 3],
}

impl Robot {
    /// Its meshes as their hulls.
    pub(super) fn load(asked: &RobotSettings) -> Result<Self, String> {
        Self::load_as(asked, false)
    }

    /// Its meshes as they are, and nothing else: primitives are left out.
    pub(crate) fn load_surfaces(asked: &RobotSettings) -> Result<Self, String> {
        Self::load_as(asked, true)
    }

    fn load_as(asked: &RobotSettings, surfaces: bool) -> Result<Self, String> {
        let split = |text: &String| {
            text.split_once('=')
                .map(|(name, folder)| (name.to_owned(), folder.into()))
        };
        let packages = asked
            .packages
            .iter()
            .map(split)
            .collect::<Option<_>>()
            .ok_or("--package is NAME=DIR")?;
        let scene = load(
            &asked.urdf,
            &LoadOptions {
                packages,
                ..LoadOptions::default()
            },
        )
        .map_err(|why| why.to_string())?;
        let robot = scene.robot.as_ref().ok_or("not a robot")?;
        let srdf = asked
            .srdf
            .as_ref()
            .map(|path| read_srdf(path, robot))
            .transpose()
            .map_err(|why| why.to_string())?;
        let adjacent: HashSet<(usize, usize)> = robot.adjacent_links().into_iter().collect();
        let is_skipped = |a: usize, b: usize| {
            let links = scene.bodies[a].link.zip(scene.bodies[b].link);
            links.is_some_and(|(a, b)| {
                adjacent.contains(&(a.min(b), a.max(b)))
                    || srdf.as_ref().is_some_and(|srdf| srdf.is_disabled(a, b))
            })
        };
        let count = scene.bodies.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let pairs = pairs
            .filter(|&(a, b)| !is_skipped(a, b) && !scene.allow.contains(&(a, b)))
            .collect();
        let mut draw = Splitmix64(asked.seed);
        let states = (0..asked.states)
            .map(|_| robot.sample(&mut || draw.unit()))
            .collect();
        let (shapes, parts) = shapes(&scene, surfaces)?;
        Ok(Self {
            name: scene.name.clone(),
            scene,
            shapes,
            parts,
            pairs,
            states,
        })
    }

    pub(super) fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    /// The pairs of parts of the first `count` states, all or those whose boxes meet.
    pub(crate) fn asked(
        &self,
        name: &str,
        count: usize,
        boxes_meet: bool,
    ) -> Result<Asked, String> {
        let (mut pairs, mut keys) = (Vec::new(), Vec::new());
        let robot = self.scene.robot.as_ref().ok_or("not a robot")?;
        for (state, values) in self.states.iter().take(count).enumerate() {
            let links = robot.forward_kinematics(values);
            let posed: Vec<Vec<Posed>> = (0..self.parts.len())
                .map(|body| self.posed(body, &links))
                .collect();
            for &(a, b) in &self.pairs {
                for (one, other) in posed[a]
                    .iter()
                    .flat_map(|one| posed[b].iter().map(move |other| (one, other)))
                {
                    let meet =
                        (0..3).all(|k| one.low[k] <= other.high[k] && other.low[k] <= one.high[k]);
                    if meet || !boxes_meet {
                        pairs.push(Pair {
                            shapes: [one.shape, other.shape],
                            places: [one.place, other.place],
                        });
                        keys.push((
                            state,
                            self.scene.bodies[a].name.clone(),
                            self.scene.bodies[b].name.clone(),
                        ));
                    }
                }
            }
        }
        let (track, op, shapes) = (false, "bool".into(), self.shapes.clone());
        let workload = Workload {
            name: "robot".into(),
            dim: 3,
            op,
            track,
            within: 0.0,
            shapes,
            pairs,
            moves: Vec::new(),
        };
        Ok(Asked {
            name: name.into(),
            workload,
            keys,
            states: count.min(self.states.len()),
        })
    }

    fn posed(&self, body: usize, links: &[Affine]) -> Vec<Posed> {
        let anchor = self.scene.bodies[body]
            .link
            .map_or(self.scene.bodies[body].pose, |link| links[link]);
        let posed = |part: &Part| {
            let pose = anchor.compose(&part.pose);
            let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            for point in part.corners.iter().map(|&corner| pose.apply(corner)) {
                (low, high) = (
                    [0, 1, 2].map(|k| low[k].min(point[k])),
                    [0, 1, 2].map(|k| high[k].max(point[k])),
                );
            }
            Posed {
                shape: part.shape,
                place: place(&pose),
                low,
                high,
            }
        };
        self.parts[body].iter().map(posed).collect()
    }
}

/// The shapes, each once, and every body's parts.
fn shapes(scene: &Scene, surfaces: bool) -> Result<(Vec<Shape>, Vec<Vec<Part>>), String> {
    let (mut shapes, mut known) = (Vec::new(), HashMap::new());
    let mut bodies = Vec::new();
    for body in &scene.bodies {
        let mut parts = Vec::new();
        for part in &body.parts {
            let failed =
                |why: String| format!("body `{}`: part `{}`: {why}", body.name, part.source);
            let (shape, pose) = match &part.geometry {
                Geometry::Mesh { mesh, scale } => {
                    let key = (std::sync::Arc::as_ptr(mesh), scale.map(f64::to_bits));
                    let index = match known.get(&key) {
                        Some(&index) => index,
                        None => {
                            let shape = if surfaces {
                                surface(mesh, *scale)
                            } else {
                                hull(mesh, *scale).map_err(failed)?
                            };
                            shapes.push(shape);
                            *known.entry(key).or_insert(shapes.len() - 1)
                        }
                    };
                    (index, part.pose)
                }
                Geometry::Shape(_) if surfaces => continue,
                Geometry::Shape(spec) => {
                    let (shape, turn) = primitive(spec).map_err(failed)?;
                    shapes.push(shape);
                    (shapes.len() - 1, part.pose.compose(&turn))
                }
            };
            parts.push(Part {
                corners: corners(&shapes[shape]),
                shape,
                pose,
            });
        }
        bodies.push(parts);
    }
    Ok((shapes, bodies))
}

/// The triangles of a scaled mesh; a polygon is a fan of them.
pub(crate) fn surface(mesh: &Mesh, scale: [f64; 3]) -> Shape {
    let scaled = |v: &[f64; 3]| [0, 1, 2].map(|k| v[k] * scale[k]);
    let fan = |face: &Vec<u32>| {
        (1..face.len().saturating_sub(1))
            .map(|k| [face[0], face[k], face[k + 1]])
            .collect::<Vec<_>>()
    };
    let vertices = mesh.vertices.iter().map(scaled).collect();
    Shape::Mesh(vertices, mesh.faces.iter().flat_map(fan).collect())
}

/// The hull of a scaled mesh, every vertex on it, triangles counter-clockwise from outside.
fn hull(mesh: &Mesh, scale: [f64; 3]) -> Result<Shape, String> {
    let points: Vec<[f64; 3]> = mesh
        .vertices
        .iter()
        .map(|v| [0, 1, 2].map(|k| v[k] * scale[k]))
        .collect();
    let SpatialHull::Polyhedron(hull) = convex_hull_3(&points).map_err(|why| why.to_string())?
    else {
        return Err("a flat hull".into());
    };
    let number: HashMap<u32, u32> = hull
        .vertices
        .iter()
        .enumerate()
        .map(|(at, &i)| (i, at as u32))
        .collect();
    let fan = |face: &Vec<u32>| {
        let ids: Vec<u32> = face.iter().map(|i| number[i]).collect();
        (1..ids.len() - 1)
            .map(|k| [ids[0], ids[k], ids[k + 1]])
            .collect::<Vec<_>>()
    };
    let vertices = hull.vertices.iter().map(|&i| points[i as usize]).collect();
    Ok(Shape::Hull(
        vertices,
        hull.faces.iter().flat_map(fan).collect(),
    ))
}

/// A primitive with its axis along z, and the turn that brings the axis where it is.
fn primitive(spec: &ShapeSpec) -> Result<(Shape, Affine), String> {
    let half_turn = std::f64::consts::FRAC_PI_2;
    let turn = |axis: &Axis| match axis {
        Axis::X => Affine::from_axis_angle([0.0, 1.0, 0.0], half_turn),
        Axis::Y => Affine::from_axis_angle([1.0, 0.0, 0.0], -half_turn),
        Axis::Z => Affine::IDENTITY,
    };
    Ok(match spec {
        ShapeSpec::Ball { radius } => (Shape::Ball(*radius), Affine::IDENTITY),
        ShapeSpec::Box { half_extents } => {
            let half: [f64; 3] = half_extents[..]
                .try_into()
                .map_err(|_| "a box in the plane")?;
            (Shape::Box(half), Affine::IDENTITY)
        }
        ShapeSpec::Capsule {
            half_height,
            radius,
            axis,
        } => (Shape::Capsule(*half_height, *radius), turn(axis)),
        ShapeSpec::Cylinder {
            half_height,
            radius,
            axis,
        } => (Shape::Cylinder(*half_height, *radius), turn(axis)),
        _ => return Err("a shape that no robot file has".into()),
    })
}

/// Of a hull its vertices, else the corners of the box around it.
fn corners(shape: &Shape) -> Vec<[f64; 3]> {
    let [x, y, z] = match shape {
        Shape::Hull(vertices, _) | Shape::Mesh(vertices, _) => return vertices.clone(),
        Shape::Box(half) | Shape::Ellipsoid(half) => *half,
        Shape::Ball(r) => [*r; 3],
        Shape::Capsule(half, r) => [*r, *r, half + r],
        Shape::Cylinder(half, r) | Shape::Cone(half, r) => [*r, *r, *half],
        Shape::Polygon(_) => [0.0; 3],
    };
    let side = |k: usize, bit: usize, x: f64| if k >> bit & 1 == 1 { x } else { -x };
    (0..8)
        .map(|k| [side(k, 0, x), side(k, 1, y), side(k, 2, z)])
        .collect()
}

/// The quaternion of a rotation, from its largest component, by which nothing small is divided.
pub(crate) fn place(pose: &Affine) -> Place {
    let m = &pose.linear;
    let squares = [
        1.0 + m[0][0] - m[1][1] - m[2][2],
        1.0 - m[0][0] + m[1][1] - m[2][2],
        1.0 - m[0][0] - m[1][1] + m[2][2],
        1.0 + m[0][0] + m[1][1] + m[2][2],
    ];
    let (yz, zx, xy) = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]);
    let (xy_, xz_, yz_) = (m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]);
    // Four times the products of each component with all: x, y, z, w.
    let rows = [
        [squares[0], xy_, xz_, yz],
        [xy_, squares[1], yz_, zx],
        [xz_, yz_, squares[2], xy],
        [yz, zx, xy, squares[3]],
    ];
    let largest = (0..4)
        .max_by(|&i, &j| squares[i].total_cmp(&squares[j]))
        .unwrap_or(3);
    let length = rows[largest].iter().map(|x| x * x).sum::<f64>().sqrt();
    Place {
        rotation: rows[largest].map(|x| x / length),
        translation: pose.translation,
    }
}

/// As in `gjk check`: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct Splitmix64(u64);

impl Splitmix64 {
    /// A number in [0, 1).
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quaternion_turns_as_its_matrix_did() {
        for axis in [
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.48, 0.6, 0.64],
        ] {
            for angle in [0.0, 1e-9, 1.0, 3.0, std::f64::consts::PI, -2.5] {
                let turned = Affine::from_axis_angle(axis, angle);
                let again = Affine::from_quaternion(place(&turned).rotation);
                for (a, b) in turned
                    .linear
                    .iter()
                    .flatten()
                    .zip(again.linear.iter().flatten())
                {
                    assert!(
                        (a - b).abs() < 1e-15,
                        "{axis:?} {angle}: {turned:?} {again:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn an_axis_comes_where_it_was() -> Result<(), String> {
        for (axis, end) in [
            (Axis::X, [1.0, 0.0, 0.0]),
            (Axis::Y, [0.0, 1.0, 0.0]),
            (Axis::Z, [0.0, 0.0, 1.0]),
        ] {
            let (_, turn) = primitive(&ShapeSpec::Capsule {
                half_height: 1.0,
                radius: 0.5,
                axis,
            })?;
            let found = turn.apply([0.0, 0.0, 1.0]);
            assert!(
                (0..3).all(|k| (found[k] - end[k]).abs() < 1e-15),
                "{found:?} {end:?}"
            );
        }
        Ok(())
    }
}
