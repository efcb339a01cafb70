//! Scenes: many bodies from any file that `gjk check` takes.
//! Where it sits: the way in of this crate; [`load`] looks at the path and calls the reader for it.
//! Idea: whatever the file is, the result is the same: bodies with a pose, each the union of its parts, each part a shape or a
//! mesh. A mesh file that several parts name is read once and shared. The first fault ends the reading: nothing is left out
//! without a word.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::affine::Affine;
use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::{MESH_EXTENSIONS, Mesh, extension, load_mesh, missing, unreadable};
use crate::pose::PoseSpec;
use crate::robot::package::{Packages, resolve};
use crate::robot::{CollisionGeometry, Robot, parse_urdf, xacro_help};
use crate::scene_file::{self, InstancesSpec, PartSpec, SceneFile, SceneFileSpec};
use crate::schema::ShapeSpec;
use crate::text::{be, counted};
use crate::xml;

/// What [`load`] needs beside the path.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Where `package://NAME/…` is, by NAME; other names are looked for beside and above the robot file.
    pub packages: Packages,
    /// Folders where packages are looked for last, as `NAME` or `share/NAME`, such as those of `AMENT_PREFIX_PATH`.
    pub prefixes: Vec<PathBuf>,
    /// Names of links that a scene file's `allow` may have beside its own bodies: those of the robot that the bodies stand around.
    pub links: Vec<String>,
    /// Meshes that need not be read, by their paths: the scene's folder and the name that the scene has for them.
    pub meshes: BTreeMap<PathBuf, Arc<Mesh>>,
}

/// Many bodies in one world frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The file's or folder's name.
    pub name: String,
    /// The length unit of all numbers: what the file says, `m` for robots; `None` where nothing says.
    pub unit: Option<String>,
    /// The bodies in the file's order (a folder's by file name). Of a robot: its links that have a collision element.
    pub bodies: Vec<Body>,
    /// Pairs that may overlap, as indices into `bodies`, the lower one first.
    pub allow: Vec<(usize, usize)>,
    /// Bodies that a link of [`LoadOptions::links`] may overlap, by the link's name.
    pub allow_links: Vec<(usize, String)>,
    /// The robot that the bodies are links of.
    pub robot: Option<Robot>,
    /// What was odd or left out, for people, each with its file.
    pub warnings: Vec<String>,
}

/// A rigid body: the union of its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Its name, unique in the scene.
    pub name: String,
    /// Its pose in the world; of a robot's link: in the zero state, in the root link's frame.
    pub pose: Affine,
    /// Its parts in the file's order, at least one.
    pub parts: Vec<Part>,
    /// The link that it is, as an index into the robot's links.
    pub link: Option<usize>,
}

/// One part of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The mesh file's name, or the shape's word.
    pub source: String,
    /// What it is.
    pub geometry: Geometry,
    /// Its pose in the body's frame.
    pub pose: Affine,
}

/// What a part is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// A shape of the query format, in 3D.
    Shape(ShapeSpec),
    /// A mesh, shared by the parts that name the same file.
    Mesh {
        /// The mesh.
        mesh: Arc<Mesh>,
        /// A factor an axis, before the part's pose; none is 0, negative ones mirror (and turn the faces inside out).
        scale: [f64; 3],
    },
}

/// Reads a scene: a URDF file, a mesh file, a folder of mesh files, or a scene file (JSON, TOML).
///
/// # Errors
/// Where and why; formats that are not read (xacro, MJCF, SDF, CAD files) with what to do instead.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Scene, SceneError> {
    load_watched(path, options, &|_| {})
}

/// The same, watched: `on_mesh` is told of each mesh file before it is read.
///
/// # Errors
/// As [`load`].
pub fn load_watched(
    path: &Path,
    options: &LoadOptions,
    on_mesh: &dyn Fn(&Path),
) -> Result<Scene, SceneError> {
    let loader = Loader::new(options, on_mesh);
    if path.is_dir() {
        return loader.folder(path);
    }
    let extension = extension(path);
    match extension.as_str() {
        extension if MESH_EXTENSIONS.contains(&extension) => loader.mesh_file(path),
        "urdf" | "xml" | "json" | "toml" => {
            let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
            loader.text(xml::text(&bytes, path)?, path)
        }
        _ if !path.exists() => Err(missing(path)),
        _ => Err(unsupported(path, &extension)),
    }
}

/// Reads a scene from text: `path` says by its extension what it is, and what the names in it are relative to.
///
/// # Errors
/// As [`load`].
pub fn load_text(text: &str, path: &Path, options: &LoadOptions) -> Result<Scene, SceneError> {
    Loader::new(options, &|_| {}).text(text, path)
}

fn unsupported(path: &Path, extension: &str) -> SceneError {
    let (what, help) = match extension {
        "mjcf" => (
            "MuJoCo models (MJCF) are not read".to_owned(),
            "convert it to URDF, or list its meshes in a scene file".to_owned(),
        ),
        "sdf" | "world" => (
            "SDF files are not read".to_owned(),
            "convert it to URDF, for example with `gz sdf`".to_owned(),
        ),
        "xacro" => ("xacro files are not read".to_owned(), xacro_help(path)),
        "srdf" => (
            "an SRDF file holds no bodies".to_owned(),
            "give the URDF file, and this one as `--srdf FILE`".to_owned(),
        ),
        "step" | "stp" | "iges" | "igs" | "ifc" | "3dxml" => (
            format!("`.{extension}` files are not read"),
            "export a mesh a part (OBJ, STL) and give the folder, or a scene file that places them"
                .to_owned(),
        ),
        _ => (
            format!("`.{extension}` is no scene format that is read here"),
            "`gjk schema scene` prints the layout of scene files".to_owned(),
        ),
    };
    SceneError::new(Kind::Unsupported, what)
        .with_file(path)
        .with_expected(format!(
            "a URDF, JSON or TOML file, a mesh ({}), or a folder of meshes",
            MESH_EXTENSIONS.join(", ")
        ))
        .with_help(help)
}

/// Reads one scene: keeps the meshes that are read, and the warnings.
struct Loader<'o> {
    options: &'o LoadOptions,
    on_mesh: &'o dyn Fn(&Path),
    meshes: HashMap<PathBuf, Arc<Mesh>>,
    warnings: Vec<String>,
}

impl<'o> Loader<'o> {
    fn new(options: &'o LoadOptions, on_mesh: &'o dyn Fn(&Path)) -> Self {
        Self {
            options,
            on_mesh,
            meshes: HashMap::new(),
            warnings: Vec::new(),
        }
    }

    /// A scene from what its file holds.
    fn text(self, text: &str, path: &Path) -> Result<Scene, SceneError> {
        let options = self.options;
        match extension(path).as_str() {
            "urdf" => self.robot(parse_urdf(text, path)?, options),
            "xml" => {
                let document = xml::parse(text, path)?;
                match document.root_element().tag_name().name() {
                    "mujoco" => Err(unsupported(path, "mjcf")),
                    "sdf" => Err(unsupported(path, "sdf")),
                    _ => self.robot(parse_urdf(text, path)?, options),
                }
            }
            "json" | "toml" => match scene_file::parse(text, path)? {
                SceneFile::Bodies(spec) => self.scene_file(&spec, path),
                SceneFile::Instances(spec) => self.instances(&spec, path),
            },
            other => Err(unsupported(path, other)),
        }
    }

    /// A mesh by its file, read once.
    fn mesh(&mut self, path: &Path) -> Result<Arc<Mesh>, SceneError> {
        if let Some(mesh) = self.options.meshes.get(path) {
            return Ok(Arc::clone(mesh));
        }
        let key = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if let Some(mesh) = self.meshes.get(&key) {
            return Ok(Arc::clone(mesh));
        }
        (self.on_mesh)(path);
        let mesh = Arc::new(load_mesh(path)?);
        self.warnings.extend(
            mesh.warnings
                .iter()
                .map(|warning| format!("{}: {warning}", path.display())),
        );
        self.meshes.insert(key, Arc::clone(&mesh));
        Ok(mesh)
    }

    fn mesh_body(&mut self, name: String, path: &Path) -> Result<Body, SceneError> {
        let part = self.mesh_part(path, [1.0; 3], Affine::IDENTITY)?;
        Ok(Body {
            name,
            pose: Affine::IDENTITY,
            parts: vec![part],
            link: None,
        })
    }

    fn mesh_part(
        &mut self,
        path: &Path,
        scale: [f64; 3],
        pose: Affine,
    ) -> Result<Part, SceneError> {
        let mesh = self.mesh(path)?;
        Ok(Part {
            source: file_name(path),
            geometry: Geometry::Mesh { mesh, scale },
            pose,
        })
    }

    fn finish(
        self,
        path: &Path,
        unit: Option<String>,
        bodies: Vec<Body>,
    ) -> Result<Scene, SceneError> {
        let mut seen = HashMap::new();
        for (index, body) in bodies.iter().enumerate() {
            if let Some(earlier) = seen.insert(body.name.as_str(), index) {
                let message = format!("two bodies are named `{}`", body.name);
                return Err(SceneError::new(Kind::Duplicate, message)
                    .with_file(path)
                    .with_element(format!("bodies {earlier} and {index} (counted from 0)"))
                    .with_help("give each body a name of its own"));
            }
        }
        Ok(Scene {
            name: file_name(path),
            unit,
            bodies,
            allow: Vec::new(),
            allow_links: Vec::new(),
            robot: None,
            warnings: self.warnings,
        })
    }

    fn mesh_file(mut self, path: &Path) -> Result<Scene, SceneError> {
        let body = self.mesh_body(stem(path), path)?;
        let unit = mesh_unit(&body);
        self.finish(path, unit, vec![body])
    }

    fn folder(mut self, folder: &Path) -> Result<Scene, SceneError> {
        let failed = |error: std::io::Error| unreadable(folder, &error);
        let mut files = Vec::new();
        let (mut folders, mut left_out) = (0, BTreeMap::<String, usize>::new());
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let extension = extension(&path);
            if path.is_dir() {
                folders += 1;
            } else if MESH_EXTENSIONS.contains(&extension.as_str()) {
                files.push(path);
            } else if !matches!(
                extension.as_str(),
                "mtl" | "bin" | "png" | "jpg" | "jpeg" | "md" | "txt" | ""
            ) {
                *left_out.entry(extension).or_default() += 1;
            }
        }
        if files.is_empty() {
            return Err(
                SceneError::new(Kind::Missing, "the folder holds no mesh file")
                    .with_file(folder)
                    .with_expected(format!("files of {}", MESH_EXTENSIONS.join(", "))),
            );
        }
        self.warnings
            .extend(left_out_of_folder(folder, &left_out, folders));
        files.sort();
        let mut stems: HashMap<String, usize> = HashMap::new();
        files
            .iter()
            .for_each(|file| *stems.entry(stem(file)).or_default() += 1);
        let mut bodies = Vec::with_capacity(files.len());
        for file in &files {
            // `lid.stl` beside `lid.obj` are two bodies, told apart by the whole name.
            let name = if stems[&stem(file)] > 1 {
                file_name(file)
            } else {
                stem(file)
            };
            bodies.push(self.mesh_body(name, file)?);
        }
        let unit = mesh_unit(&bodies[0]).filter(|unit| {
            bodies
                .iter()
                .all(|body| mesh_unit(body).as_ref() == Some(unit))
        });
        self.finish(folder, unit, bodies)
    }

    fn scene_file(mut self, spec: &SceneFileSpec, path: &Path) -> Result<Scene, SceneError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut bodies = Vec::with_capacity(spec.bodies.len());
        for body in &spec.bodies {
            let parts = body.parts.iter().map(|part| self.part(part, folder));
            let parts = parts.collect::<Result<_, _>>().map_err(|error| {
                error
                    .with_element(format!("body `{}`", body.name))
                    .with_file(path)
            })?;
            bodies.push(Body {
                name: body.name.clone(),
                pose: affine(body.pose.as_ref()),
                parts,
                link: None,
            });
        }
        let options = self.options;
        let mut scene = self.finish(path, spec.unit.clone(), bodies)?;
        let index_of: HashMap<&str, usize> = scene
            .bodies
            .iter()
            .enumerate()
            .map(|(index, body)| (body.name.as_str(), index))
            .collect();
        let (mut allow, mut allow_links) = (Vec::with_capacity(spec.allow.len()), Vec::new());
        for (i, pair) in spec.allow.iter().enumerate() {
            let body = |name: &String| index_of.get(name.as_str()).copied();
            let is_link = |name: &String| options.links.contains(name);
            match (body(&pair[0]), body(&pair[1])) {
                (Some(a), Some(b)) => allow.push((a.min(b), a.max(b))),
                (Some(a), None) if is_link(&pair[1]) => allow_links.push((a, pair[1].clone())),
                (None, Some(b)) if is_link(&pair[0]) => allow_links.push((b, pair[0].clone())),
                (a, _) => {
                    let name = &pair[usize::from(a.is_some())];
                    let message = format!("there is no body `{name}`");
                    return Err(SceneError::new(Kind::UnknownName, message)
                        .with_element(format!("allow[{i}]"))
                        .with_file(path));
                }
            }
        }
        scene.allow = allow;
        scene.allow_links = allow_links;
        Ok(scene)
    }

    fn part(&mut self, part: &PartSpec, folder: &Path) -> Result<Part, SceneError> {
        match part {
            PartSpec::Shape(body) => Ok(Part {
                source: body.shape.kind_name().to_owned(),
                geometry: Geometry::Shape(body.shape.clone()),
                pose: affine(body.pose.as_ref()),
            }),
            PartSpec::Mesh(mesh) => self.mesh_part(
                &folder.join(&mesh.mesh),
                mesh.scale.unwrap_or([1.0; 3]),
                affine(mesh.pose.as_ref()),
            ),
        }
    }

    fn instances(mut self, spec: &InstancesSpec, path: &Path) -> Result<Scene, SceneError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut bodies = Vec::with_capacity(spec.instances.len());
        for instance in &spec.instances {
            let mut body = self
                .mesh_body(instance.name.clone(), &folder.join(&instance.part))
                .map_err(|error| error.with_element(format!("instance `{}`", instance.name)))?;
            body.pose = instance.pose;
            bodies.push(body);
        }
        self.finish(path, spec.units.clone(), bodies)
    }

    fn robot(mut self, robot: Robot, options: &LoadOptions) -> Result<Scene, SceneError> {
        let poses = robot.forward_kinematics(&robot.zero_state());
        let mut bodies = Vec::new();
        for (index, link) in robot.links.iter().enumerate() {
            let mut parts = Vec::with_capacity(link.collisions.len());
            for collision in &link.collisions {
                parts.push(match &collision.geometry {
                    CollisionGeometry::Shape(shape) => Part {
                        source: shape.kind_name().to_owned(),
                        geometry: Geometry::Shape(shape.clone()),
                        pose: collision.origin,
                    },
                    CollisionGeometry::Mesh { filename, scale } => self
                        .robot_mesh(filename, collision.line, &robot, options)
                        .and_then(|file| self.mesh_part(&file, *scale, collision.origin))
                        .map_err(|error| error.with_element(format!("link `{}`", link.name)))?,
                });
            }
            if !parts.is_empty() {
                bodies.push(Body {
                    name: link.name.clone(),
                    pose: poses[index],
                    parts,
                    link: Some(index),
                });
            }
        }
        if bodies.is_empty() {
            self.warnings.push(format!(
                "{}: no link has a collision element",
                robot.path.display()
            ));
        }
        self.warnings.splice(0..0, robot.warnings.iter().cloned());
        let path = robot.path.clone();
        let scene = self.finish(&path, Some("m".to_owned()), bodies)?;
        Ok(Scene {
            robot: Some(robot),
            ..scene
        })
    }

    fn robot_mesh(
        &mut self,
        filename: &str,
        line: usize,
        robot: &Robot,
        options: &LoadOptions,
    ) -> Result<PathBuf, SceneError> {
        let (file, warning) = resolve(filename, &robot.path, &options.packages, &options.prefixes)
            .map_err(|error| error.with_file(&robot.path).with_line(line))?;
        let warning = warning.map(|warning| format!("{}:{line}: {warning}", robot.path.display()));
        self.warnings.extend(warning);
        Ok(file)
    }
}

/// What a folder holds beside meshes, a line a kind.
fn left_out_of_folder(
    folder: &Path,
    by_extension: &BTreeMap<String, usize>,
    folders: usize,
) -> Vec<String> {
    let line = |count: usize, one: &str, many: &str| {
        format!(
            "{}: {} {} left out",
            folder.display(),
            counted(count, one, many),
            be(count)
        )
    };
    let mut lines: Vec<String> = by_extension
        .iter()
        .map(|(extension, &count)| {
            let [one, many] = ["file", "files"].map(|noun| format!("`.{extension}` {noun}"));
            line(count, &one, &many)
        })
        .collect();
    if folders > 0 {
        lines.push(line(folders, "folder", "folders"));
    }
    lines
}

fn affine(pose: Option<&PoseSpec>) -> Affine {
    pose.map_or(Affine::IDENTITY, PoseSpec::affine)
}

fn file_name(path: &Path) -> String {
    // A path such as `..` has no name: then it stands for itself.
    path.file_name().map_or_else(
        || path.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(
        || file_name(path),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

fn mesh_unit(body: &Body) -> Option<String> {
    match &body.parts.first()?.geometry {
        Geometry::Mesh { mesh, .. } => mesh.unit.map(str::to_owned),
        Geometry::Shape(_) => None,
    }
}
