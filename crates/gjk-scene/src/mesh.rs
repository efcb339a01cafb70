//! Meshes as plain vertices and faces, from any format that this crate reads.
//! Where it sits: [`crate::scene`] loads a part's mesh through [`load_mesh`]; each file of `format/` fills a [`Builder`].
//! Idea: a reader only collects vertices and faces; the [`Builder`] checks them once for all formats: finite coordinates, indices
//! in range, at least one vertex, and no vertex that no face uses (a stray one would grow the hull).

use std::path::{Path, PathBuf};

use crate::affine::Affine;
use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::format;
use crate::text::{be, counted};

/// The file extensions that [`load_mesh`] reads, in lower case.
#[cfg(feature = "collada")]
pub const MESH_EXTENSIONS: &[&str] = &["stl", "obj", "ply", "off", "dae", "gltf", "glb"];
/// The file extensions that [`load_mesh`] reads, in lower case.
#[cfg(not(feature = "collada"))]
pub const MESH_EXTENSIONS: &[&str] = &["stl", "obj", "ply", "off", "gltf", "glb"];

/// A polygon mesh. Nothing is promised about it: it may be open, soup or inside out.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    /// The file's name without its extension.
    pub name: String,
    /// The file it is from.
    pub path: PathBuf,
    /// The vertices that a face uses (all of them when there is no face), `[n]`, n ≥ 1, finite; in metres and z up where the
    /// format says so.
    pub vertices: Vec<[f64; 3]>,
    /// Triangles or polygons: indices into `vertices`, three or more each. Empty for a cloud of points.
    pub faces: Vec<Vec<u32>>,
    /// What was odd or left out, for people.
    pub warnings: Vec<String>,
    /// The length unit, where the format fixes one: `m` for Collada and glTF.
    pub unit: Option<&'static str>,
}

/// Reads a mesh file by its extension, in either case.
///
/// Frame: the file's own, but z up for Collada (as its `up_axis` says) and glTF (always y up), as robots expect it.
/// # Errors
/// The file, the place in it and what was expected; an unknown extension; a mesh without vertices.
pub fn load_mesh(path: &Path) -> Result<Mesh, SceneError> {
    // A name that is mistyped, such as that of a folder, has no format to complain about.
    if !path.exists() {
        return Err(missing(path));
    }
    reader(path)?;
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    read_mesh(&bytes, path)
}

/// Reads a mesh from what its file holds: `path` says by its extension what it is, and where the files are that it names.
///
/// # Errors
/// As [`load_mesh`].
pub fn read_mesh(bytes: &[u8], path: &Path) -> Result<Mesh, SceneError> {
    let read = reader(path)?;
    let mut builder = Builder::new(path);
    read(bytes, &mut builder)
        .and_then(|()| builder.finish())
        .map_err(|error| error.with_file(path))
}

impl Mesh {
    /// A mesh of arrays that are in memory, checked as those of files are; `path` is what errors call it.
    ///
    /// # Errors
    /// As [`load_mesh`], of what is in the mesh.
    pub fn from_arrays(
        path: &Path,
        vertices: Vec<[f64; 3]>,
        faces: Vec<Vec<u32>>,
    ) -> Result<Self, SceneError> {
        let builder = Builder {
            vertices,
            faces,
            ..Builder::new(path)
        };
        builder.finish().map_err(|error| error.with_file(path))
    }
}

/// What a format's file fills a [`Builder`] with.
type Read = fn(&[u8], &mut Builder) -> Result<(), SceneError>;

fn reader(path: &Path) -> Result<Read, SceneError> {
    let extension = extension(path);
    Ok(match extension.as_str() {
        "stl" => format::stl::read as Read,
        "obj" => format::obj::read,
        "ply" => format::ply::read,
        "off" => format::off::read,
        #[cfg(feature = "collada")]
        "dae" => format::collada::read,
        "gltf" | "glb" => format::gltf::read,
        _ => return Err(unknown_extension(path, &extension)),
    })
}

/// The extension in lower case, empty when there is none.
pub(crate) fn extension(path: &Path) -> String {
    path.extension()
        .map(|extension| extension.to_string_lossy().to_lowercase())
        .unwrap_or_default()
}

pub(crate) fn missing(path: &Path) -> SceneError {
    SceneError::new(Kind::Io, "there is no such file or folder").with_file(path)
}

pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> SceneError {
    SceneError::new(Kind::Io, format!("cannot read the file: {error}")).with_file(path)
}

fn unknown_extension(path: &Path, extension: &str) -> SceneError {
    let help = match extension {
        "step" | "stp" | "iges" | "igs" | "ifc" => {
            "export the solids as STL or OBJ from the CAD program"
        }
        "wrl" | "vrml" | "x3d" | "3mf" | "fbx" | "blend" | "usd" | "usda" | "usdc" | "msh"
        | "vtk" => "convert it to OBJ, PLY or STL, for example with Blender, MeshLab or trimesh",
        _ => "give a file in one of these formats",
    };
    SceneError::new(
        Kind::Unsupported,
        format!("`.{extension}` is no mesh format that is read here"),
    )
    .with_file(path)
    .with_expected(format!("one of {}", MESH_EXTENSIONS.join(", ")))
    .with_help(help)
}

/// A small file can place one geometry many times; this bounds the memory that it takes (1.5 GiB of coordinates).
const VERTICES_MAX: usize = 1 << 26;

/// What a format's reader fills.
pub(crate) struct Builder {
    pub(crate) path: PathBuf,
    /// Vertices in the file's order.
    pub(crate) vertices: Vec<[f64; 3]>,
    /// Faces in the file's order.
    pub(crate) faces: Vec<Vec<u32>>,
    pub(crate) warnings: Vec<String>,
    pub(crate) unit: Option<&'static str>,
}

impl Builder {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            vertices: Vec::new(),
            faces: Vec::new(),
            warnings: Vec::new(),
            unit: None,
        }
    }

    /// The folder of the file, for the files that it names.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Appends vertices and faces (indices into `vertices`) placed by a pose.
    pub(crate) fn append(
        &mut self,
        pose: &Affine,
        vertices: &[[f64; 3]],
        faces: &[Vec<u32>],
    ) -> Result<(), SceneError> {
        if self.vertices.len() + vertices.len() > VERTICES_MAX {
            let message = format!("the instances have more than {VERTICES_MAX} vertices together");
            return Err(SceneError::new(Kind::Unsupported, message).with_help("split the file"));
        }
        // VERTICES_MAX fits in 32 bits.
        let base = self.vertices.len() as u32;
        self.vertices
            .extend(vertices.iter().map(|vertex| pose.apply(*vertex)));
        for face in faces {
            if let Some(index) = face.iter().find(|index| **index as usize >= vertices.len()) {
                let message = format!(
                    "index {index} names no vertex; there {} {}",
                    be(vertices.len()),
                    vertices.len()
                );
                return Err(SceneError::new(Kind::BadValue, message));
            }
            self.faces
                .push(face.iter().map(|index| index + base).collect());
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Mesh, SceneError> {
        if self.vertices.is_empty() {
            return Err(SceneError::new(Kind::EmptyMesh, "the mesh has no vertex")
                .with_expected("at least one vertex")
                .with_help("export the part again, or leave it out"));
        }
        let bad = self
            .vertices
            .iter()
            .position(|vertex| vertex.iter().any(|x| !x.is_finite()));
        if let Some(index) = bad {
            return Err(not_finite(self.vertices[index])
                .with_element(format!("vertex {index} (counted from 0)")));
        }
        self.drop_short_faces();
        for (i, face) in self.faces.iter().enumerate() {
            if let Some(index) = face
                .iter()
                .find(|index| **index as usize >= self.vertices.len())
            {
                let message = format!("index {index} names no vertex");
                return Err(SceneError::new(Kind::BadValue, message)
                    .with_element(format!("face {i} (counted from 0)"))
                    .with_expected(format!("0 to {}", self.vertices.len() - 1)));
            }
        }
        if self.faces.is_empty() {
            self.warnings.push(format!(
                "no faces: read as a cloud of {}",
                counted(self.vertices.len(), "point", "points")
            ));
        } else {
            self.drop_unused_vertices();
        }
        let name = self
            .path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default();
        let Self {
            path,
            vertices,
            faces,
            warnings,
            unit,
        } = self;
        Ok(Mesh {
            name,
            path,
            vertices,
            faces,
            warnings,
            unit,
        })
    }

    fn drop_short_faces(&mut self) {
        let before = self.faces.len();
        self.faces.retain(|face| face.len() >= 3);
        let dropped = before - self.faces.len();
        if dropped > 0 {
            self.warnings.push(format!(
                "{} of fewer than 3 vertices {} left out",
                counted(dropped, "face", "faces"),
                be(dropped)
            ));
        }
    }

    fn drop_unused_vertices(&mut self) {
        let mut new_index = vec![u32::MAX; self.vertices.len()];
        let mut kept = Vec::with_capacity(self.vertices.len());
        for index in self.faces.iter_mut().flatten() {
            let slot = &mut new_index[*index as usize];
            if *slot == u32::MAX {
                // As many kept vertices as there were vertices at most, and their indices fit in 32 bits.
                *slot = kept.len() as u32;
                kept.push(*index);
            }
        }
        let dropped = self.vertices.len() - kept.len();
        if dropped == 0 {
            return;
        }
        // Keep the file's order: reports and certificates speak of vertices by index.
        kept.sort_unstable();
        for (new, old) in kept.iter().enumerate() {
            new_index[*old as usize] = new as u32;
        }
        self.faces
            .iter_mut()
            .flatten()
            .for_each(|index| *index = new_index[*index as usize]);
        self.vertices = kept
            .iter()
            .map(|old| self.vertices[*old as usize])
            .collect();
        self.warnings.push(format!(
            "{} {} used by no face and {} left out",
            counted(dropped, "vertex", "vertices"),
            be(dropped),
            be(dropped)
        ));
    }
}

/// The error of a vertex with a NaN or an infinite coordinate.
pub(crate) fn not_finite([x, y, z]: [f64; 3]) -> SceneError {
    SceneError::new(
        Kind::BadValue,
        format!("the vertex ({x}, {y}, {z}) is not finite"),
    )
    .with_expected("three finite coordinates")
    .with_help("repair the mesh: a NaN or infinite coordinate has no place")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builder(vertices: usize, faces: &[&[u32]]) -> Builder {
        let mut builder = Builder::new(Path::new("m.obj"));
        builder.vertices = (0..vertices).map(|i| [i as f64, 0.0, 0.0]).collect();
        builder.faces = faces.iter().map(|face| face.to_vec()).collect();
        builder
    }

    #[test]
    fn stray_vertices_are_left_out_and_told() {
        let mesh = builder(6, &[&[5, 1, 3]]).finish().expect("a mesh");
        assert_eq!(
            mesh.vertices.iter().map(|v| v[0]).collect::<Vec<_>>(),
            [1.0, 3.0, 5.0]
        );
        assert_eq!(mesh.faces, [[2, 0, 1]]);
        assert_eq!(
            mesh.warnings,
            ["3 vertices are used by no face and are left out"]
        );
    }

    #[test]
    fn an_index_beyond_the_vertices_is_an_error() {
        let error = builder(3, &[&[0, 1, 3]]).finish().expect_err("a bad index");
        assert_eq!(
            error.to_string(),
            "face 0 (counted from 0): index 3 names no vertex, expected 0 to 2"
        );
    }

    #[test]
    fn a_nan_is_an_error_that_names_the_vertex() {
        let mut bad = builder(2, &[]);
        bad.vertices[1][2] = f64::NAN;
        assert!(
            bad.finish()
                .expect_err("a NaN")
                .to_string()
                .starts_with("vertex 1 (counted from 0): the vertex (1, 0, NaN)")
        );
    }
}
