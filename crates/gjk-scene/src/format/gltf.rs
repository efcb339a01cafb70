//! glTF 2.0, as text (.gltf, with buffers in other files or inline) and binary (.glb): the triangles of the scene, in metres, z
//! up.
//! Where it sits: see [`super`].
//! Idea: walk the scene's nodes; each mesh's primitives are appended at the product of the poses above them. glTF is y up by its
//! specification; robots are z up, so (x, y, z) becomes (x, -z, y), as Drake and others do with the same files.
//! Numbers: node poses are the doubles of the JSON text (the gltf crate rounds them to single precision); positions are what the
//! buffer has.
//! Source: Khronos, glTF 2.0 specification. Skins, morphs, sparse and compressed accessors are not applied: a warning
//! or an error says so.

use std::collections::HashMap;

use base64::Engine as _;
use serde::Deserialize;

use super::{fan, strip};
use crate::affine::Affine;
use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::json;
use crate::mesh::Builder;
use crate::text::counted;

/// Nodes inside nodes; a tree that is deeper is a circle or an attack.
const DEPTH_MAX: usize = 200;
/// Nodes visited in all; a broken file may reach one node by many ways.
const VISITS_MAX: usize = 100_000;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Document {
    scene: Option<usize>,
    scenes: Vec<SceneNodes>,
    nodes: Vec<NodeSpec>,
    meshes: Vec<MeshSpec>,
    accessors: Vec<Accessor>,
    buffer_views: Vec<BufferView>,
    buffers: Vec<Buffer>,
    extensions_required: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct SceneNodes {
    nodes: Vec<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct NodeSpec {
    name: Option<String>,
    mesh: Option<usize>,
    skin: Option<usize>,
    children: Vec<usize>,
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct MeshSpec {
    primitives: Vec<Primitive>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Primitive {
    attributes: HashMap<String, usize>,
    indices: Option<usize>,
    mode: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Accessor {
    buffer_view: Option<usize>,
    byte_offset: usize,
    component_type: u32,
    normalized: bool,
    count: usize,
    #[serde(rename = "type")]
    kind: String,
    sparse: Option<serde_json::Value>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct BufferView {
    buffer: usize,
    byte_offset: usize,
    byte_length: usize,
    byte_stride: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Buffer {
    uri: Option<String>,
}

pub(crate) fn read(bytes: &[u8], builder: &mut Builder) -> Result<(), SceneError> {
    let (chunk, binary) = if bytes.starts_with(b"glTF") {
        split_glb(bytes)?
    } else {
        (bytes, None)
    };
    let text = super::text(chunk);
    let document: Document = serde_json::from_str(&text).map_err(|error| {
        let (_, message) = json::fault(&text, &error);
        SceneError::new(Kind::Syntax, message).with_line(error.line())
    })?;
    let known = [
        "KHR_mesh_quantization",
        "KHR_texture_transform",
        "KHR_texture_basisu",
        "EXT_texture_webp",
    ];
    let is_known =
        |name: &&String| known.contains(&name.as_str()) || name.starts_with("KHR_materials_");
    if let Some(name) = document
        .extensions_required
        .iter()
        .find(|name| !is_known(name))
    {
        return Err(SceneError::new(
            Kind::Unsupported,
            format!("the file needs the extension `{name}`"),
        )
        .with_help("export it without compression, for example with `gltf-transform copy`"));
    }
    builder.unit = Some("m");
    let mut walk = NodeWalk {
        buffers: vec![None; document.buffers.len()],
        document: &document,
        binary,
        builder,
        visits: 0,
    };
    let z_up = Affine::from_linear([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]);
    for root in roots(&document)? {
        walk.node(root, &z_up, 0)?;
    }
    Ok(())
}

/// The JSON and the binary chunk of a .glb file.
fn split_glb(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), SceneError> {
    let cut_off = || {
        SceneError::new(Kind::Syntax, "the file ends inside a chunk")
            .with_help("the file is cut off: export or download it again")
    };
    let word = |at: usize| -> Result<u32, SceneError> {
        let raw = bytes
            .get(at..at + 4)
            .and_then(|raw| raw.try_into().ok())
            .ok_or_else(cut_off)?;
        Ok(u32::from_le_bytes(raw))
    };
    if word(4)? != 2 {
        let message = format!("version {} of binary glTF is not read", word(4)?);
        return Err(SceneError::new(Kind::Unsupported, message).with_expected("version 2"));
    }
    let (mut json, mut binary) = (None, None);
    let mut at = 12;
    while at + 8 <= bytes.len() {
        let length = word(at)? as usize;
        let chunk = bytes
            .get(at + 8..)
            .and_then(|rest| rest.get(..length))
            .ok_or_else(cut_off)?;
        match word(at + 4)? {
            0x4E4F_534A if json.is_none() => json = Some(chunk),
            0x004E_4942 if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at += 8 + length;
    }
    let json = json.ok_or_else(|| SceneError::new(Kind::Syntax, "the file has no JSON chunk"))?;
    Ok((json, binary))
}

/// The nodes of the file's scene; without one, the nodes that are nobody's child.
fn roots(document: &Document) -> Result<Vec<usize>, SceneError> {
    if document.scenes.is_empty() {
        let mut is_child = vec![false; document.nodes.len()];
        for child in document.nodes.iter().flat_map(|node| &node.children) {
            if let Some(flag) = is_child.get_mut(*child) {
                *flag = true;
            }
        }
        return Ok((0..document.nodes.len())
            .filter(|node| !is_child[*node])
            .collect());
    }
    let index = document.scene.unwrap_or(0);
    Ok(entry(&document.scenes, index, "scene")?.nodes.clone())
}

fn entry<'d, T>(entries: &'d [T], index: usize, what: &str) -> Result<&'d T, SceneError> {
    entries.get(index).ok_or_else(|| {
        let message = format!("there is no {what} {index}");
        SceneError::new(Kind::UnknownName, message)
            .with_expected(format!("one of {} {what}s", entries.len()))
    })
}

struct NodeWalk<'d> {
    document: &'d Document,
    binary: Option<&'d [u8]>,
    buffers: Vec<Option<Vec<u8>>>,
    builder: &'d mut Builder,
    visits: usize,
}

impl NodeWalk<'_> {
    fn node(&mut self, index: usize, above: &Affine, depth: usize) -> Result<(), SceneError> {
        self.visits += 1;
        if depth > DEPTH_MAX || self.visits > VISITS_MAX {
            let message = "the nodes refer to one another too deeply or too often";
            return Err(SceneError::new(Kind::Unsupported, message)
                .with_element(format!("node {index}"))
                .with_expected(format!("at most {DEPTH_MAX} levels and {VISITS_MAX} nodes")));
        }
        let document = self.document;
        let node = entry(&document.nodes, index, "node")?;
        let name = || match &node.name {
            Some(name) => format!("node {index} `{name}`"),
            None => format!("node {index}"),
        };
        let pose = above.compose(&node.pose().map_err(|error| error.with_element(name()))?);
        if let Some(mesh) = node.mesh {
            if node.skin.is_some() {
                self.builder
                    .warnings
                    .push(format!("{}: the skin is not applied", name()));
            }
            self.mesh(mesh, &pose)
                .map_err(|error| error.with_element(name()))?;
        }
        node.children
            .iter()
            .try_for_each(|child| self.node(*child, &pose, depth + 1))
    }

    fn mesh(&mut self, index: usize, pose: &Affine) -> Result<(), SceneError> {
        let document = self.document;
        for primitive in &entry(&document.meshes, index, "mesh")?.primitives {
            let mode = primitive.mode.unwrap_or(4);
            if !(4..=6).contains(&mode) {
                self.builder.warnings.push(format!(
                    "mesh {index}: points or lines (mode {mode}) are left out"
                ));
                continue;
            }
            let Some(accessor) = primitive.attributes.get("POSITION") else {
                self.builder.warnings.push(format!(
                    "mesh {index}: a primitive without positions is left out"
                ));
                continue;
            };
            let vertices = self.positions(*accessor)?;
            let indices = match primitive.indices {
                Some(accessor) => self.indices(accessor)?,
                // As many vertices as lie in memory, and the builder refuses more than fit in 32 bits.
                None => (0..vertices.len() as u32).collect(),
            };
            let faces: Vec<Vec<u32>> = match mode {
                4 => indices.chunks_exact(3).map(<[u32]>::to_vec).collect(),
                5 => strip(&indices).collect(),
                _ => fan(&indices).collect(),
            };
            self.builder
                .append(pose, &vertices, &faces)
                .map_err(|error| error.with_element(format!("mesh {index}")))?;
        }
        Ok(())
    }

    fn positions(&mut self, accessor: usize) -> Result<Vec<[f64; 3]>, SceneError> {
        let document = self.document;
        let spec = entry(&document.accessors, accessor, "accessor")?;
        let numbers = self.numbers(accessor, "VEC3", 3)?;
        let full = if spec.normalized {
            largest(spec.component_type)
        } else {
            1.0
        };
        let scaled = |x: f64| if full == 1.0 { x } else { (x / full).max(-1.0) };
        Ok(numbers
            .chunks_exact(3)
            .map(|v| [scaled(v[0]), scaled(v[1]), scaled(v[2])])
            .collect())
    }

    fn indices(&mut self, accessor: usize) -> Result<Vec<u32>, SceneError> {
        let spec = entry(&self.document.accessors, accessor, "accessor")?;
        if !matches!(spec.component_type, 5121 | 5123 | 5125) {
            let message = format!("component type {} is no index type", spec.component_type);
            return Err(SceneError::new(Kind::BadValue, message)
                .with_element(format!("accessor {accessor}"))
                .with_expected("5121, 5123 or 5125"));
        }
        // Unsigned integers of at most 32 bits went through a double unchanged.
        Ok(self
            .numbers(accessor, "SCALAR", 1)?
            .into_iter()
            .map(|index| index as u32)
            .collect())
    }

    /// An accessor's numbers, `width` an entry.
    fn numbers(
        &mut self,
        accessor: usize,
        kind: &str,
        width: usize,
    ) -> Result<Vec<f64>, SceneError> {
        let owner = format!("accessor {accessor}");
        self.accessor_numbers(accessor, kind, width)
            .map_err(|error| error.with_element(owner))
    }

    fn accessor_numbers(
        &mut self,
        accessor: usize,
        kind: &str,
        width: usize,
    ) -> Result<Vec<f64>, SceneError> {
        let document = self.document;
        let spec = entry(&document.accessors, accessor, "accessor")?;
        if spec.kind != kind {
            return Err(
                SceneError::new(Kind::BadValue, format!("the type is `{}`", spec.kind))
                    .with_expected(kind.to_owned()),
            );
        }
        let view = spec
            .buffer_view
            .filter(|_| spec.sparse.is_none())
            .ok_or_else(|| {
                SceneError::new(Kind::Unsupported, "sparse accessors are not read")
                    .with_help("export the file without them")
            })?;
        let size = component_size(spec.component_type)?;
        let view = entry(&document.buffer_views, view, "buffer view")?;
        let stride = view.byte_stride.unwrap_or(0).max(size * width);
        self.open_buffer(view.buffer)?;
        let buffer = self.buffers[view.buffer]
            .as_deref()
            .or(self.binary)
            .unwrap_or_default();
        let data = buffer
            .get(view.byte_offset..)
            .and_then(|rest| rest.get(..view.byte_length));
        let data = data
            .and_then(|data| data.get(spec.byte_offset..))
            .unwrap_or_default();
        let needed = spec.count.checked_sub(1).map_or(Some(0), |last| {
            last.checked_mul(stride)?.checked_add(size * width)
        });
        if needed.is_none_or(|needed| needed > data.len()) {
            let message = format!(
                "its buffer view of {} is too short for {}",
                counted(data.len(), "byte", "bytes"),
                counted(spec.count, "entry", "entries")
            );
            return Err(SceneError::new(Kind::BadValue, message)
                .with_help("the file or its buffer is cut off"));
        }
        let entries = data.chunks(stride).take(spec.count);
        let parts = entries.flat_map(|entry| entry[..size * width].chunks_exact(size));
        Ok(parts
            .map(|raw| component(spec.component_type, raw))
            .collect())
    }

    /// Reads a buffer's bytes, once; the one without a name is the binary chunk.
    fn open_buffer(&mut self, index: usize) -> Result<(), SceneError> {
        let buffer = entry(&self.document.buffers, index, "buffer")?;
        let Some(uri) = &buffer.uri else {
            return match self.binary {
                Some(_) => Ok(()),
                None => Err(SceneError::new(
                    Kind::Missing,
                    format!("buffer {index} has no `uri`, and there is no binary chunk"),
                )),
            };
        };
        if self.buffers[index].is_some() {
            return Ok(());
        }
        let bytes = match uri.strip_prefix("data:") {
            Some(data) => {
                let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
                encoded
                    .and_then(|encoded| {
                        base64::engine::general_purpose::STANDARD
                            .decode(encoded)
                            .ok()
                    })
                    .ok_or_else(|| {
                        SceneError::new(
                            Kind::Syntax,
                            format!("the inline data of buffer {index} is not base64"),
                        )
                    })?
            }
            None => {
                let path = self.builder.folder().join(percent_decoded(uri));
                // A device or a pipe might never end.
                let plain = std::fs::metadata(&path).and_then(|found| {
                    if found.is_file() {
                        Ok(())
                    } else {
                        Err(std::io::Error::other("it is not a plain file"))
                    }
                });
                plain.and_then(|()| std::fs::read(&path)).map_err(|error| {
                    SceneError::new(
                        Kind::Io,
                        format!("cannot read the buffer `{}`: {error}", path.display()),
                    )
                    .with_help("a .gltf file needs the files that it names beside it")
                })?
            }
        };
        self.buffers[index] = Some(bytes);
        Ok(())
    }
}

impl NodeSpec {
    fn pose(&self) -> Result<Affine, SceneError> {
        if let Some(m) = &self.matrix {
            // By columns in the file.
            let rows = std::array::from_fn(|i| m[(i % 4) * 4 + i / 4]);
            return Affine::from_row_major(&rows).ok_or_else(|| {
                SceneError::new(Kind::BadValue, "the matrix is not affine")
                    .with_expected("a last row of 0 0 0 1")
            });
        }
        let rotation = match self.rotation {
            Some(q) if q.iter().all(|x| *x == 0.0) => {
                return Err(SceneError::new(Kind::BadValue, "the rotation is zero")
                    .with_expected("a unit quaternion"));
            }
            Some(quaternion) => Affine::from_quaternion(quaternion),
            None => Affine::IDENTITY,
        };
        let pose = rotation.scaled(self.scale.unwrap_or([1.0; 3]));
        Ok(Affine {
            translation: self.translation.unwrap_or_default(),
            ..pose
        })
    }
}

/// How many bytes a component has.
fn component_size(component_type: u32) -> Result<usize, SceneError> {
    match component_type {
        5120 | 5121 => Ok(1),
        5122 | 5123 => Ok(2),
        5125 | 5126 => Ok(4),
        other => Err(SceneError::new(
            Kind::BadValue,
            format!("component type {other} does not exist"),
        )
        .with_expected("5120 to 5123, 5125 or 5126")),
    }
}

/// The value that means 1 in a normalized component.
fn largest(component_type: u32) -> f64 {
    match component_type {
        5120 => 127.0,
        5121 => 255.0,
        5122 => 32767.0,
        5123 => 65535.0,
        _ => 1.0,
    }
}

/// One component from its bytes, of which there are as many as its type says.
fn component(component_type: u32, raw: &[u8]) -> f64 {
    let mut bytes = [0; 4];
    bytes[..raw.len()].copy_from_slice(raw);
    let bits = u32::from_le_bytes(bytes);
    match component_type {
        5120 => f64::from(bits as i8),
        5122 => f64::from(bits as i16),
        5126 => f64::from(f32::from_bits(bits)),
        _ => f64::from(bits),
    }
}

/// A relative address with its `%20`s resolved.
fn percent_decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let code = uri
            .get(i + 1..i + 3)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[i], code) {
            (b'%', Some(byte)) => {
                decoded.push(byte);
                i += 3;
            }
            (byte, _) => {
                decoded.push(byte);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
