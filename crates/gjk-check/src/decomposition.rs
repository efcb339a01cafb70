//! The convex parts of meshes, as files: where they are looked for, and how they take a mesh's place in a scene.
//!
//! Names: the parts of `arm.stl` are all mesh files of the folder `DIR/arm/`. If there is none, they are the files `DIR/arm_0.obj`,
//! `DIR/arm_part_1.obj` and so on: the mesh's name, an underscore, perhaps a word of letters, and a number. If there is none, it is the
//! file `DIR/arm.obj`. Any mesh format will do, and the mesh itself is no part.
//! A file is a part. Where its faces fall into groups with no vertex number in common, and each group is closed, each is a part: so a
//! file of several objects is read.

use gjk::hull;
use gjk_scene::{
    Geometry, MESH_EXTENSIONS, Mesh, Part, Scene, SceneError, SceneErrorKind, load_mesh,
};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A part of a mesh.
#[derive(Clone, Debug)]
pub struct PartMesh {
    /// The file's name, with the number of its object (from 0) where it has several.
    pub source: String,
    /// What is in the file.
    pub mesh: Arc<Mesh>,
}

/// A mesh of a scene whose parts took its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The mesh file's name.
    pub source: String,
    /// How many parts it has.
    pub parts: usize,
}

/// The parts of a mesh: those of a folder, by the names above; or those of one file.
///
/// # Errors  no such file or folder; no part of that name, with the paths that were tried; a part that cannot be read.
pub fn parts_of(mesh: &Path, at: &Path) -> Result<Vec<PartMesh>, SceneError> {
    let found = named(mesh, at)?;
    if found.is_empty() {
        return Err(no_parts(mesh, at));
    }
    read(&found)
}

/// The parts of the only mesh that is asked for: those of its name, or else all mesh files of the folder.
///
/// # Errors  as [`parts_of`].
pub fn parts_of_only(mesh: &Path, at: &Path) -> Result<Vec<PartMesh>, SceneError> {
    let mut found = named(mesh, at)?;
    if found.is_empty() {
        found = mesh_files(at, mesh)?;
    }
    if found.is_empty() {
        return Err(no_parts(mesh, at));
    }
    read(&found)
}

/// Puts parts in the place of the meshes of a scene that are not convex, each with the pose and the scale of its mesh.
///
/// # Errors  as [`parts_of`], with the body's name.
pub fn replace(scene: &mut Scene, at: &Path) -> Result<Vec<Replaced>, SceneError> {
    let mut known: HashMap<*const Mesh, Option<Vec<PartMesh>>> = HashMap::new();
    let mut replaced = Vec::new();
    for body in &mut scene.bodies {
        let name = &body.name;
        let mut parts = Vec::with_capacity(body.parts.len());
        for part in body.parts.drain(..) {
            let Geometry::Mesh { mesh, scale } = &part.geometry else {
                parts.push(part);
                continue;
            };
            let found = match known.entry(Arc::as_ptr(mesh)) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => {
                    let element = || format!("body `{name}`: mesh `{}`", part.source);
                    let found = parts_if_needed(mesh, at, element)?;
                    replaced.extend(found.iter().map(|found| Replaced {
                        source: part.source.clone(),
                        parts: found.len(),
                    }));
                    unknown.insert(found)
                }
            };
            match found {
                Some(found) => parts.extend(found.iter().map(|of_mesh| Part {
                    source: of_mesh.source.clone(),
                    geometry: Geometry::Mesh {
                        mesh: Arc::clone(&of_mesh.mesh),
                        scale: *scale,
                    },
                    pose: part.pose,
                })),
                None => parts.push(part),
            }
        }
        body.parts = parts;
    }
    Ok(replaced)
}

/// The parts of a mesh that is not convex. An error names where the mesh is used, unless it names a place in a file.
fn parts_if_needed(
    mesh: &Mesh,
    at: &Path,
    element: impl Fn() -> String,
) -> Result<Option<Vec<PartMesh>>, SceneError> {
    if hull::check_convex_mesh(&mesh.vertices, &mesh.faces).is_ok() {
        return Ok(None);
    }
    let found = parts_of(&mesh.path, at).map_err(|error| {
        if error.element().is_some() {
            error
        } else {
            error.with_element(element())
        }
    })?;
    Ok(Some(found))
}

/// The files of a mesh's parts by their names; none if there are none.
fn named(mesh: &Path, at: &Path) -> Result<Vec<PathBuf>, SceneError> {
    if !at.is_dir() {
        // What is no folder is a file, or an error that reading it says.
        return Ok(vec![at.to_path_buf()]);
    }
    let name = stem(mesh);
    let folder = at.join(&name);
    if folder.is_dir() {
        let inside = mesh_files(&folder, mesh)?;
        if !inside.is_empty() {
            return Ok(inside);
        }
    }
    let all = mesh_files(at, mesh)?;
    let of_name = |is: &dyn Fn(&str) -> bool| -> Vec<PathBuf> {
        all.iter().filter(|path| is(&stem(path))).cloned().collect()
    };
    let numbered = of_name(&|stem| {
        let rest = stem.strip_prefix(&name);
        rest.and_then(|rest| rest.strip_prefix('_'))
            .is_some_and(is_number)
    });
    Ok(if numbered.is_empty() {
        of_name(&|stem| stem == name)
    } else {
        numbered
    })
}

/// Whether a text is a number, or a word of letters, perhaps an underscore, and a number.
fn is_number(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let has_word = rest.len() < text.len();
    let number = if has_word {
        rest.strip_prefix('_').unwrap_or(rest)
    } else {
        rest
    };
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// The mesh files of a folder, without the mesh itself: shorter names first, then by name, so that 10 is after 9.
fn mesh_files(folder: &Path, mesh: &Path) -> Result<Vec<PathBuf>, SceneError> {
    let unreadable = |error: std::io::Error| {
        let message = format!("cannot read the folder: {error}");
        SceneError::new(SceneErrorKind::Io, message).with_file(folder)
    };
    let own = mesh.canonicalize().ok();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let is_mesh = MESH_EXTENSIONS.contains(&&*extension.to_lowercase());
        if is_mesh && path.is_file() && (own.is_none() || path.canonicalize().ok() != own) {
            files.push(path);
        }
    }
    files.sort_by_cached_key(|path| (path.as_os_str().len(), path.clone()));
    Ok(files)
}

fn no_parts(mesh: &Path, at: &Path) -> SceneError {
    let name = stem(mesh);
    let tried = [
        format!("mesh files in {}", at.join(&name).display()),
        format!("{}", at.join(format!("{name}_0.*")).display()),
        format!("{}", at.join(format!("{name}.*")).display()),
    ];
    SceneError::new(
        SceneErrorKind::Missing,
        format!("the mesh `{name}` is not convex, and it has no parts there"),
    )
    .with_file(at)
    .with_expected(tried.join(", or "))
    .with_help("add its convex parts, or take meshes as they are, without parts")
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn read(files: &[PathBuf]) -> Result<Vec<PartMesh>, SceneError> {
    let mut parts = Vec::with_capacity(files.len());
    for file in files {
        let mesh = load_mesh(file)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let objects = objects(&mesh);
        if objects.len() < 2 {
            parts.push(PartMesh {
                source: name.into_owned(),
                mesh: Arc::new(mesh),
            });
            continue;
        }
        parts.extend(
            (0..)
                .zip(objects)
                .map(|(number, mesh): (usize, Mesh)| PartMesh {
                    source: format!("{name}#{number}"),
                    mesh: Arc::new(mesh),
                }),
        );
    }
    Ok(parts)
}

/// The groups of faces that share vertex numbers, in the order of their first faces; none where a group is not closed.
fn objects(mesh: &Mesh) -> Vec<Mesh> {
    let mut group: Vec<u32> = (0..mesh.vertices.len() as u32).collect();
    let root = |group: &mut Vec<u32>, mut at: u32| {
        while group[at as usize] != at {
            group[at as usize] = group[group[at as usize] as usize];
            at = group[at as usize];
        }
        at
    };
    for pair in mesh.faces.iter().flat_map(|face| face.windows(2)) {
        let (a, b) = (root(&mut group, pair[0]), root(&mut group, pair[1]));
        group[a as usize] = b;
    }
    let mut found: Vec<Mesh> = Vec::new();
    let mut number_of: HashMap<u32, usize> = HashMap::new();
    let mut new_index: HashMap<u32, u32> = HashMap::new();
    for face in &mesh.faces {
        let Some(&first) = face.first() else { continue };
        let number = *number_of.entry(root(&mut group, first)).or_insert_with(|| {
            found.push(Mesh {
                name: mesh.name.clone(),
                path: mesh.path.clone(),
                vertices: Vec::new(),
                faces: Vec::new(),
                warnings: Vec::new(),
                unit: mesh.unit,
            });
            found.len() - 1
        });
        let object = &mut found[number];
        let face = face.iter().map(|&old| {
            *new_index.entry(old).or_insert_with(|| {
                object.vertices.push(mesh.vertices[old as usize]);
                (object.vertices.len() - 1) as u32
            })
        });
        let face = face.collect();
        object.faces.push(face);
    }
    let is_closed =
        |object: &Mesh| hull::mesh_stats(&object.vertices, &object.faces).open_edges == 0;
    if found.iter().all(is_closed) {
        found
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_parts_may_have_a_word_before_them() {
        for (text, expected) in [
            ("0", true),
            ("017", true),
            ("coacd_3", true),
            ("part12", true),
            ("2_0", false),
            ("left_arm_0", false),
            ("", false),
            ("part", false),
            ("_1", false),
        ] {
            assert_eq!(is_number(text), expected, "{text}");
        }
    }
}
