//! A shape as the reference sees it: a polytope, the *core*, and the radius of the ball swept over it.

use super::real::{Real, V, cross, dot, sub, unit};
use bench_protocol::{Place, Shape};

/// An edge of a solid core with the faces left and right of it; of a segment, without.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) ends: [u32; 2],
    pub(crate) faces: [u32; 2],
}

/// A core and its radius, in the shape's own frame.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub(crate) dim: usize,
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) radius: f64,
    /// Three corners of each face, counter-clockwise from outside; in 2D an edge's ends, the second twice.
    pub(crate) faces: Vec<[u32; 3]>,
    pub(crate) edges: Vec<Edge>,
    /// The other ends of each vertex's edges.
    pub(crate) neighbours: Vec<Vec<u32>>,
}

/// What a program keeps of a body at a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kept {
    /// What the file says.
    Exactly,
    /// The rotation as a matrix of `f64`.
    Matrices,
    /// The vertices in the world in `f64`, by that matrix.
    Vertices,
    /// The shape's vertices, the place, the quaternion and its matrix in `f32`.
    Narrow,
}

impl Core {
    /// An error names the shape that the reference does not know.
    pub(crate) fn new(shape: &Shape, dim: usize) -> Result<Self, String> {
        let core = match shape {
            Shape::Ball(r) => Self::round(vec![[0.0; 3]], *r, vec![]),
            Shape::Capsule(half, r) => {
                let edge = Edge {
                    ends: [0, 1],
                    faces: [0, 0],
                };
                Self::round(vec![[0.0, 0.0, -half], [0.0, 0.0, *half]], *r, vec![edge])
            }
            Shape::Box([x, y, _]) if dim == 2 => {
                Self::planar(&[[-x, -y], [*x, -y], [*x, *y], [-x, *y]])
            }
            Shape::Polygon(vertices) => Self::planar(vertices),
            Shape::Box(half) => {
                let corner = |i: u32| {
                    std::array::from_fn(|k| if i >> k & 1 == 0 { -half[k] } else { half[k] })
                };
                let (corners, faces) = ((0..8).map(corner).collect(), box_faces());
                let triangles = faces.iter().map(|f| [f[0], f[1], f[2]]).collect();
                Self::bare(corners, triangles, edges(&faces)?)
            }
            Shape::Hull(vertices, triangles) => {
                Self::bare(vertices.clone(), triangles.clone(), edges(triangles)?)
            }
            other => return Err(format!("the reference has no core for {other:?}")),
        };
        Ok(Self { dim, ..core })
    }

    /// A point at the origin.
    pub(crate) fn point(dim: usize) -> Self {
        Self {
            dim,
            ..Self::round(vec![[0.0; 3]], 0.0, vec![])
        }
    }

    /// A point or a segment, and the radius.
    fn round(vertices: Vec<[f64; 3]>, radius: f64, edges: Vec<Edge>) -> Self {
        Self {
            radius,
            ..Self::bare(vertices, vec![], edges)
        }
    }

    /// A convex polygon in the plane, its vertices counter-clockwise.
    fn planar(vertices: &[[f64; 2]]) -> Self {
        let lifted = vertices.iter().map(|&[x, y]| [x, y, 0.0]).collect();
        Self::bare(lifted, ring(vertices.len()), vec![])
    }

    /// A core without a radius; its edges say which vertices are neighbours.
    fn bare(vertices: Vec<[f64; 3]>, faces: Vec<[u32; 3]>, edges: Vec<Edge>) -> Self {
        let mut neighbours = vec![Vec::new(); vertices.len()];
        for &Edge { ends: [i, j], .. } in &edges {
            neighbours[i as usize].push(j);
            neighbours[j as usize].push(i);
        }
        Self {
            dim: 3,
            vertices,
            radius: 0.0,
            faces,
            edges,
            neighbours,
        }
    }

    /// Whether the core has inner points.
    pub(crate) fn is_solid(&self) -> bool {
        !self.faces.is_empty()
    }

    /// Twice the largest distance of the shape's points from its own origin.
    pub(crate) fn diameter(&self) -> f64 {
        let squared = self.vertices.iter().map(|&v| dot(v, v)).fold(0.0, f64::max);
        2.0 * (squared.sqrt() + self.radius)
    }

    /// The vertices at a pose, relative to a point of the world.
    ///
    /// The rotation is the quaternion's exactly, whatever its length; a planar pose's matrix is taken as it stands.
    pub(crate) fn posed<R: Real>(&self, place: &Place, origin: [f64; 3]) -> Vec<V<R>> {
        self.posed_as(place, origin, Kept::Exactly)
    }

    /// The same, as a program keeps it.
    pub(crate) fn posed_as<R: Real>(
        &self,
        place: &Place,
        origin: [f64; 3],
        kept: Kept,
    ) -> Vec<V<R>> {
        if kept == Kept::Vertices {
            let there = self.posed_as::<f64>(place, [0.0; 3], Kept::Matrices);
            let from = |v: V<f64>| std::array::from_fn(|k| R::new(v[k]) - R::new(origin[k]));
            return there.into_iter().map(from).collect();
        }
        let told = |x: R| match kept {
            Kept::Narrow => R::new(f64::from(x.to_f64() as f32)),
            Kept::Matrices => R::new(x.to_f64()),
            _ => x,
        };
        let rotation = match kept {
            Kept::Narrow => place.rotation.map(|x| f64::from(x as f32)),
            _ => place.rotation,
        };
        let exact: [V<R>; 3] = columns(self.dim, rotation);
        let columns = exact.map(|column| column.map(told));
        let at = |x: f64| told(R::new(x));
        let shift: V<R> = std::array::from_fn(|k| at(place.translation[k]) - at(origin[k]));
        let row = |k: usize, v: V<R>| {
            columns[0][k] * v[0] + columns[1][k] * v[1] + columns[2][k] * v[2] + shift[k]
        };
        self.vertices
            .iter()
            .map(|v| v.map(at))
            .map(|v| std::array::from_fn(|k| row(k, v)))
            .collect()
    }

    /// A point of the shape's own frame at a pose, in the world.
    pub(crate) fn placed(&self, point: [f64; 3], place: &Place) -> [f64; 3] {
        let columns: [V<f64>; 3] = columns(self.dim, place.rotation);
        let along = |k: usize| (0..3).map(|i| columns[i][k] * point[i]).sum::<f64>();
        std::array::from_fn(|k| along(k) + place.translation[k])
    }

    /// The unit outward normal of a face and the middle of its three corners, from posed vertices.
    pub(crate) fn face_frame(&self, face: usize, posed: &[V<f64>]) -> (V<f64>, V<f64>) {
        let corners = self.faces[face].map(|i| posed[i as usize]);
        let distinct = self.dim;
        let middle = |k: usize| corners.iter().take(distinct).map(|c| c[k]).sum::<f64>();
        let normal = unit(self.face_normal(face, posed)).unwrap_or([0.0; 3]);
        (normal, std::array::from_fn(|k| middle(k) / distinct as f64))
    }

    /// The outward normal of a face, not unit, from posed vertices.
    pub(crate) fn face_normal<R: Real>(&self, face: usize, posed: &[V<R>]) -> V<R> {
        let [a, b, c] = self.faces[face].map(|i| posed[i as usize]);
        let along = sub(b, a);
        if self.dim == 2 {
            [along[1], -along[0], R::new(0.0)]
        } else {
            cross(along, sub(c, a))
        }
    }
}

fn columns<R: Real>(dim: usize, rotation: [f64; 4]) -> [V<R>; 3] {
    let [x, y, z, w] = rotation.map(R::new);
    let (zero, one) = (R::new(0.0), R::new(1.0));
    if dim == 2 {
        // Cosine and sine.
        return [[x, y, zero], [-y, x, zero], [zero, zero, one]];
    }
    let s = R::new(2.0) / (x * x + y * y + z * z + w * w);
    [
        [
            one - s * (y * y + z * z),
            s * (x * y + z * w),
            s * (x * z - y * w),
        ],
        [
            s * (x * y - z * w),
            one - s * (x * x + z * z),
            s * (y * z + x * w),
        ],
        [
            s * (x * z + y * w),
            s * (y * z - x * w),
            one - s * (x * x + y * y),
        ],
    ]
}

fn ring(count: usize) -> Vec<[u32; 3]> {
    let n = count as u32;
    (0..n).map(|i| [i, (i + 1) % n, (i + 1) % n]).collect()
}

/// Corners of a box are numbered by the signs of their coordinates, x lowest.
fn box_faces() -> [[u32; 4]; 6] {
    [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ]
}

/// The edges of a closed surface: each is in two faces, once in either direction.
fn edges<const N: usize>(faces: &[[u32; N]]) -> Result<Vec<Edge>, String> {
    let mut left = std::collections::HashMap::new();
    for (face, corners) in faces.iter().enumerate() {
        for k in 0..N {
            if left
                .insert((corners[k], corners[(k + 1) % N]), face as u32)
                .is_some()
            {
                return Err("two faces use one edge in the same direction".into());
            }
        }
    }
    let mut all = Vec::new();
    for (&(i, j), &face) in &left {
        let other = left.get(&(j, i)).ok_or("the surface is not closed")?;
        if i < j {
            all.push(Edge {
                ends: [i, j],
                faces: [face, *other],
            });
        }
    }
    // A hash map has no order of its own.
    all.sort_by_key(|edge| edge.ends);
    Ok(all)
}
