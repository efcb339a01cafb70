//! Bodies as the library has them: every part one convex shape, with what that shape leaves out on record.
//!
//! Idea: a mesh becomes its hull once, however often it is used: the scale is put into the pose, so that all uses of a file
//! share one polytope. Whether it was convex already is proved on the file's own numbers.

use crate::{broad_phase, each};
use gjk::hull::{self, SpatialHull};
use gjk::shape::{Polytope, Shape};
use gjk::{Pose3, Vec3};
use gjk_mesh::{MeshBody, MeshKind, Shell, SurfaceReason, TriMesh, triangulated};
use gjk_query::convert;
use gjk_scene::{Affine, Geometry, Mesh, Scene, SceneError, SceneErrorKind};
use std::collections::HashMap;
use std::sync::Arc;

/// A hull that its mesh fills to this part of its volume is as good as the mesh for people.
pub const NEARLY_CONVEX: f64 = 0.999;

/// What a part's shape is to the part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fidelity {
    /// The shape that the file names.
    Primitive,
    /// A mesh that is proved convex.
    ConvexMesh {
        /// Corners of the shape.
        vertices: usize,
    },
    /// The hull of a mesh that is not convex, or not closed.
    Hull {
        /// Corners of the hull.
        vertices: usize,
        /// The mesh's volume over the hull's; `None` when the mesh is not closed or the hull is flat.
        volume_ratio: Option<f64>,
    },
    /// A closed mesh as it is.
    Solid {
        /// How many shells it has, cavities too.
        shells: usize,
    },
    /// A mesh that encloses nothing, as it is.
    Surface {
        /// Why it is no solid.
        reason: SurfaceReason,
    },
}

/// What a mesh that is not convex is taken for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meshes {
    /// Itself: a solid or a surface.
    #[default]
    Exact,
    /// Its hull.
    Hull,
}

/// What a part moves with.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// Nothing: this is its pose in the world.
    World(Affine),
    /// A link of the robot.
    Link(usize),
}

/// One convex part of a body.
#[derive(Clone, Debug)]
pub struct Part {
    /// The mesh file's name, or the shape's word.
    pub source: String,
    /// The shape, shared by all parts of the same mesh file.
    pub shape: Arc<Shape<Vec3<f64>>>,
    /// What the shape is to the part.
    pub fidelity: Fidelity,
    /// The part's surface, where it has triangles and meshes are taken as they are. The shape is its hull.
    pub surface: Option<Arc<MeshBody>>,
    /// What it moves with.
    pub anchor: Anchor,
    /// Its pose there.
    pub in_anchor: Affine,
    /// The scene's body that it belongs to.
    pub scene_body: usize,
    /// No coordinate of the shape is larger, in its own frame.
    pub extent: f64,
}

/// No coordinate of a shape is larger, in its own frame.
pub(crate) fn extent(shape: &Shape<Vec3<f64>>) -> f64 {
    let corners = broad_phase::bounds(shape, &Pose3::identity());
    let all = corners.as_flattened().iter();
    all.fold(0.0, |most, x| f64::max(most, x.abs()))
}

impl Part {
    /// Whether the shape is the part, so that no surface is needed.
    pub fn is_convex(&self) -> bool {
        matches!(
            self.fidelity,
            Fidelity::Primitive | Fidelity::ConvexMesh { .. }
        )
    }

    /// Its pose in the world, where the links stand so.
    pub fn pose(&self, links: &[Affine]) -> Affine {
        match self.anchor {
            Anchor::World(pose) => pose,
            Anchor::Link(link) => links[link].compose(&self.in_anchor),
        }
    }
}

/// A body of the report: one of the scene's, or a group of links that are fixed to one another.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Its parts.
    pub parts: Vec<Part>,
    /// The scene's bodies that it is made of.
    pub scene_bodies: Vec<usize>,
}

/// The shape of a mesh file, and what it is to the mesh.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The hull.
    pub shape: Arc<Shape<Vec3<f64>>>,
    /// What it is to the mesh.
    pub fidelity: Fidelity,
    /// The mesh itself, where it is taken as it is.
    pub surface: Option<Arc<MeshBody>>,
}

/// The scene's bodies, one each.
///
/// # Errors  a shape that the library refuses, such as a cylinder without height.
pub fn build(scene: &Scene, meshes: Meshes) -> Result<Vec<Body>, SceneError> {
    build_watched(scene, meshes, &|| {})
}

/// [`build`], calling `on_mesh` once for each of [`meshes_of`], from any thread.
///
/// # Errors  those of [`build`].
pub fn build_watched(
    scene: &Scene,
    meshes: Meshes,
    on_mesh: &(dyn Fn() + Sync),
) -> Result<Vec<Body>, SceneError> {
    let solids = solids(scene, meshes, on_mesh)?;
    let mut bodies = Vec::with_capacity(scene.bodies.len());
    for (scene_body, body) in scene.bodies.iter().enumerate() {
        let mut parts = Vec::with_capacity(body.parts.len());
        for part in &body.parts {
            let (solid, pose) = match &part.geometry {
                Geometry::Mesh { mesh, scale } => {
                    (solids[&Arc::as_ptr(mesh)].clone(), part.pose.scaled(*scale))
                }
                Geometry::Shape(shape) => {
                    let shape = convert::shape(shape).map_err(|error| {
                        let element = format!("body `{}`: part `{}`", body.name, part.source);
                        SceneError::new(SceneErrorKind::BadValue, error.message)
                            .with_element(element)
                    })?;
                    (
                        Solid {
                            surface: surface_of_shape(&shape).filter(|_| meshes == Meshes::Exact),
                            shape: Arc::new(shape),
                            fidelity: Fidelity::Primitive,
                        },
                        part.pose,
                    )
                }
            };
            let anchor = body
                .link
                .map_or_else(|| Anchor::World(body.pose.compose(&pose)), Anchor::Link);
            let Solid {
                shape,
                fidelity,
                surface,
            } = solid;
            parts.push(Part {
                source: part.source.clone(),
                extent: extent(&shape),
                shape,
                fidelity,
                surface,
                anchor,
                in_anchor: pose,
                scene_body,
            });
        }
        bodies.push(Body {
            name: body.name.clone(),
            parts,
            scene_bodies: vec![scene_body],
        });
    }
    Ok(bodies)
}

/// The meshes of a scene, each once, by their paths.
pub fn meshes_of(scene: &Scene) -> Vec<&Arc<Mesh>> {
    let mut meshes: Vec<&Arc<Mesh>> = Vec::new();
    for part in scene.bodies.iter().flat_map(|body| &body.parts) {
        if let Geometry::Mesh { mesh, .. } = &part.geometry {
            meshes.push(mesh);
        }
    }
    meshes.sort_by_key(|mesh| Arc::as_ptr(mesh));
    meshes.dedup_by_key(|mesh| Arc::as_ptr(mesh));
    // Of several faulty meshes the first by path is reported, whatever the threads do.
    meshes.sort_by(|a, b| a.path.cmp(&b.path));
    meshes
}

/// The shapes of all meshes of the scene, each built once.
fn solids(
    scene: &Scene,
    how: Meshes,
    on_mesh: &(dyn Fn() + Sync),
) -> Result<HashMap<*const Mesh, Solid>, SceneError> {
    let meshes = meshes_of(scene);
    let solids: Vec<Result<Solid, SceneError>> = each(&meshes, |mesh| {
        let solid = solid(mesh, how);
        on_mesh();
        solid
    });
    meshes
        .iter()
        .zip(solids)
        .map(|(mesh, solid)| Ok((Arc::as_ptr(mesh), solid?)))
        .collect()
}

/// The hull of a mesh, and whether that is the mesh.
///
/// # Errors  none for a mesh that `gjk-scene` has read; the library's own words otherwise.
pub fn solid(mesh: &Mesh, how: Meshes) -> Result<Solid, SceneError> {
    let refused =
        |message: String| SceneError::new(SceneErrorKind::BadValue, message).with_file(&mesh.path);
    let points: Vec<Vec3<f64>> = mesh
        .vertices
        .iter()
        .map(|&[x, y, z]| Vec3::new(x, y, z))
        .collect();
    let polytope = Polytope::new(&points).map_err(|error| refused(error.to_string()))?;
    let vertices = polytope.vertices().len();
    // A cloud of points has no triangles: its hull is all there is.
    let surface = match how {
        Meshes::Exact => tri_mesh(mesh).map(MeshBody::new),
        Meshes::Hull => None,
    };
    let fidelity = if hull::check_convex_mesh(&mesh.vertices, &mesh.faces).is_ok() {
        Fidelity::ConvexMesh { vertices }
    } else {
        match surface.as_ref().map(MeshBody::kind) {
            Some(MeshKind::Solid {
                shells, cavities, ..
            }) => Fidelity::Solid {
                shells: shells + cavities,
            },
            Some(&MeshKind::Surface(reason)) => Fidelity::Surface { reason },
            None => Fidelity::Hull {
                vertices,
                volume_ratio: volume_ratio(mesh),
            },
        }
    };
    Ok(Solid {
        shape: Arc::new(Shape::Polytope(polytope)),
        fidelity,
        surface: surface.map(Arc::new),
    })
}

fn tri_mesh(mesh: &Mesh) -> Option<TriMesh> {
    let (triangles, _) = triangulated(&mesh.faces);
    TriMesh::new(&mesh.vertices, &triangles).ok()
}

/// The surface of a shape with flat faces.
fn surface_of_shape(shape: &Shape<Vec3<f64>>) -> Option<Arc<MeshBody>> {
    let plain = |points: &[Vec3<f64>]| -> Vec<[f64; 3]> {
        points.iter().map(|p| [p.x, p.y, p.z]).collect()
    };
    let vertices = match shape {
        Shape::Cuboid(cuboid) => {
            let h = cuboid.half_extents();
            let corner = |k: u32| {
                let end = |bit: u32, x: f64| if k >> bit & 1 == 0 { -x } else { x };
                [end(0, h.x), end(1, h.y), end(2, h.z)]
            };
            (0..8).map(corner).collect()
        }
        Shape::Polytope(polytope) => plain(polytope.vertices()),
        _ => return None,
    };
    let Ok(SpatialHull::Polyhedron(hull)) = hull::convex_hull_3(&vertices) else {
        return None;
    };
    let (triangles, _) = triangulated(&hull.faces);
    let mesh = TriMesh::new(&vertices, &triangles).ok()?;
    Some(Arc::new(MeshBody::new(mesh)))
}

/// The volume inside of a mesh over that of its hull; `None` when either encloses nothing.
///
/// Solids that overlap one another in one file count twice, so the ratio may exceed 1.
pub fn volume_ratio(mesh: &Mesh) -> Option<f64> {
    if !has_inside(mesh) {
        return None;
    }
    let Ok(SpatialHull::Polyhedron(hull)) = hull::convex_hull_3(&mesh.vertices) else {
        return None;
    };
    // A mesh that is inside out has the same volume, with the other sign.
    let ratio = hull::mesh_volume(&mesh.vertices, &mesh.faces).abs()
        / hull::mesh_volume(&mesh.vertices, &hull.faces);
    ratio.is_finite().then_some(ratio)
}

/// True when the shells of a mesh are closed: then an inside and its volume are defined, also where solids share an edge.
fn has_inside(mesh: &Mesh) -> bool {
    tri_mesh(mesh).is_some_and(|mesh| mesh.shells().iter().all(Shell::is_closed))
}

/// Joins bodies whose links only fixed joints hold together into one, where the first of them stands.
pub fn group_fixed(bodies: Vec<Body>, scene: &Scene) -> Vec<Body> {
    let Some(robot) = &scene.robot else {
        return bodies;
    };
    let mut group_of = vec![0; robot.links.len()];
    for (group, links) in robot.fixed_groups().iter().enumerate() {
        links.iter().for_each(|&link| group_of[link] = group);
    }
    let mut first: HashMap<usize, usize> = HashMap::new();
    let mut grouped: Vec<Body> = Vec::new();
    for (body, scene_body) in bodies.into_iter().zip(&scene.bodies) {
        let group = scene_body.link.map(|link| group_of[link]);
        if let Some(&at) = group.and_then(|group| first.get(&group)) {
            let joined = &mut grouped[at];
            joined.name = format!("{}+{}", joined.name, body.name);
            joined.parts.extend(body.parts);
            joined.scene_bodies.extend(body.scene_bodies);
            continue;
        }
        if let Some(group) = group {
            first.insert(group, grouped.len());
        }
        grouped.push(body);
    }
    grouped
}
