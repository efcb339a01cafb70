//! Collada (.dae): the geometries that the scene instantiates, placed by their nodes, in metres, z up.
//! Where it sits: see [`super`].
//! Idea: walk the visual scene's nodes; each `instance_geometry` appends its mesh at the product of the matrices above it. `unit`
//! and `up_axis` of the file are one more matrix in front: Y_UP turns (x, y, z) to (x, -z, y), X_UP to (-y, -z, x).
//! Source: Khronos, COLLADA 1.4.1 specification, chapters 5 and 10. Skins and morphs are left out with a warning.

use std::collections::HashMap;

use roxmltree::{Document, Node};

use super::{fan, strip};
use crate::affine::Affine;
use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::Builder;
use crate::text::{be, counted};
use crate::xml::{self, Xml, child, children};

/// Nodes inside nodes, and references to nodes: more is a circle or an attack.
const DEPTH_MAX: usize = 200;
/// Instances in all; references to nodes can multiply without being deep.
const INSTANCES_MAX: usize = 100_000;

pub(crate) fn read(bytes: &[u8], builder: &mut Builder) -> Result<(), SceneError> {
    let file = builder.path.clone();
    let text = xml::text(bytes, &file)?;
    let document = xml::parse(text, &file)?;
    let root = document.root_element();
    let xml = Xml { text, file: &file };
    if root.tag_name().name() != "COLLADA" {
        let message = format!("the root element is `<{}>`", root.tag_name().name());
        return Err(xml
            .error(root, Kind::Unsupported, message)
            .with_expected("`<COLLADA>`"));
    }
    let world = world(&xml, root, builder)?;
    builder.unit = Some("m");
    let ids = document
        .descendants()
        .filter_map(|node| node.attribute("id").map(|id| (id, node)))
        .collect();
    let mut walk = Walk {
        xml,
        ids,
        surfaces: HashMap::new(),
        builder,
        instances: 0,
    };
    match visual_scene(&document, &walk.ids) {
        Some(scene) => walk.node(scene, &world, 0),
        None => {
            walk.builder
                .warnings
                .push("there is no scene: all geometries are taken where they are".to_owned());
            let geometries = document
                .descendants()
                .filter(|node| node.has_tag_name_local("geometry"));
            for geometry in geometries.collect::<Vec<_>>() {
                walk.geometry(geometry, &world)?;
            }
            Ok(())
        }
    }
}

trait LocalName {
    fn has_tag_name_local(&self, name: &str) -> bool;
}

impl LocalName for Node<'_, '_> {
    fn has_tag_name_local(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

/// From the file's frame and unit to metres, z up.
fn world(xml: &Xml<'_>, root: Node<'_, '_>, builder: &mut Builder) -> Result<Affine, SceneError> {
    let asset = child(root, "asset");
    let up = asset
        .and_then(|asset| child(asset, "up_axis"))
        .and_then(|up| up.text())
        .unwrap_or("Y_UP")
        .trim();
    let rows = match up {
        "Z_UP" => Affine::IDENTITY.linear,
        "X_UP" => [[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]],
        _ => [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
    };
    if up != "Z_UP" {
        builder
            .warnings
            .push(format!("the file's up axis is {up}: turned to z up"));
    }
    let unit = asset.and_then(|asset| child(asset, "unit"));
    let meter = match unit {
        Some(unit) => xml.number(unit, "meter")?.unwrap_or(1.0),
        None => 1.0,
    };
    if meter <= 0.0 {
        return Err(
            SceneError::new(Kind::BadValue, format!("the unit is {meter} metres"))
                .with_expected("a positive number"),
        );
    }
    if meter != 1.0 {
        builder.warnings.push(format!(
            "the file's unit is {meter} m: lengths are turned to metres"
        ));
    }
    Ok(Affine::from_linear(rows).scaled([meter; 3]))
}

type Ids<'a, 'i> = HashMap<&'a str, Node<'a, 'i>>;

fn visual_scene<'a, 'i>(document: &'a Document<'i>, ids: &Ids<'a, 'i>) -> Option<Node<'a, 'i>> {
    let root = document.root_element();
    let named = child(root, "scene").and_then(|scene| child(scene, "instance_visual_scene"));
    let url = named.and_then(|instance| instance.attribute("url"));
    url.and_then(|url| ids.get(url.trim_start_matches('#')).copied())
        .or_else(|| {
            child(root, "library_visual_scenes").and_then(|library| child(library, "visual_scene"))
        })
}

/// A geometry's vertices and faces in its own frame.
#[derive(Default)]
struct Surface {
    vertices: Vec<[f64; 3]>,
    faces: Vec<Vec<u32>>,
}

struct Walk<'a, 'i, 'b> {
    xml: Xml<'b>,
    ids: Ids<'a, 'i>,
    surfaces: HashMap<roxmltree::NodeId, Surface>,
    builder: &'b mut Builder,
    instances: usize,
}

impl<'a, 'i: 'a> Walk<'a, 'i, '_> {
    fn node(&mut self, node: Node<'a, 'i>, above: &Affine, depth: usize) -> Result<(), SceneError> {
        self.instances += 1;
        if depth > DEPTH_MAX || self.instances > INSTANCES_MAX {
            let message = "the nodes refer to one another too deeply or too often";
            return Err(self
                .xml
                .error(node, Kind::Unsupported, message)
                .with_expected(format!(
                    "at most {DEPTH_MAX} levels and {INSTANCES_MAX} nodes"
                )));
        }
        let mut pose = *above;
        for part in node.children().filter(Node::is_element) {
            match part.tag_name().name() {
                "matrix" | "translate" | "rotate" | "scale" => {
                    pose = pose.compose(&self.motion(part)?)
                }
                "lookat" | "skew" => {
                    let message = format!("`<{}>` is not supported", part.tag_name().name());
                    return Err(self
                        .xml
                        .error(part, Kind::Unsupported, message)
                        .with_expected("matrix, translate, rotate or scale")
                        .with_help("export the file with matrices"));
                }
                "node" => self.node(part, &pose, depth + 1)?,
                "instance_node" => {
                    let target = self.target(part)?;
                    self.node(target, &pose, depth + 1)?;
                }
                "instance_geometry" => {
                    self.instances += 1;
                    let target = self.target(part)?;
                    self.geometry(target, &pose)?;
                }
                "instance_controller" => {
                    let line = self.xml.line(part);
                    self.builder.warnings.push(format!(
                        "line {line}: a skinned or morphed geometry is left out"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn target(&self, instance: Node<'a, 'i>) -> Result<Node<'a, 'i>, SceneError> {
        let url = self.xml.required(instance, "url")?;
        self.ids
            .get(url.trim_start_matches('#'))
            .copied()
            .ok_or_else(|| {
                self.xml.error(
                    instance,
                    Kind::UnknownName,
                    format!("`{url}` names nothing in this file"),
                )
            })
    }

    fn motion(&self, node: Node<'a, 'i>) -> Result<Affine, SceneError> {
        let numbers = self.numbers::<f64>(node)?;
        let bad = |expected: &str| {
            let message = format!(
                "`<{}>` has {}",
                node.tag_name().name(),
                counted(numbers.len(), "number", "numbers")
            );
            self.xml
                .error(node, Kind::BadValue, message)
                .with_expected(expected.to_owned())
        };
        let motion = match (node.tag_name().name(), numbers.as_slice()) {
            ("matrix", entries) => {
                let entries: [f64; 16] = entries.try_into().map_err(|_| bad("16"))?;
                Affine::from_row_major(&entries)
                    .ok_or_else(|| bad("a last row of 0 0 0 1 and finite numbers"))?
            }
            ("translate", &[x, y, z]) => Affine::from_translation([x, y, z]),
            ("scale", &[x, y, z]) => Affine::IDENTITY.scaled([x, y, z]),
            ("rotate", &[x, y, z, degrees]) => {
                let norm = (x * x + y * y + z * z).sqrt();
                if norm == 0.0 {
                    return Err(self.xml.error(node, Kind::BadValue, "the axis is zero"));
                }
                Affine::from_axis_angle([x / norm, y / norm, z / norm], degrees.to_radians())
            }
            ("rotate", _) => return Err(bad("4")),
            _ => return Err(bad("3")),
        };
        Ok(motion)
    }

    fn numbers<T: std::str::FromStr>(&self, node: Node<'a, 'i>) -> Result<Vec<T>, SceneError> {
        // The text may lie in several pieces, with comments between them.
        let mut numbers = Vec::new();
        for text in node
            .children()
            .filter_map(|piece| if piece.is_text() { piece.text() } else { None })
        {
            for word in text.split_ascii_whitespace() {
                let number = word.parse().map_err(|_| {
                    let shown: String = word.chars().take(20).collect();
                    let message = format!(
                        "`{shown}` in `<{}>` is no number of the right kind",
                        node.tag_name().name()
                    );
                    self.xml.error(node, Kind::Syntax, message)
                })?;
                numbers.push(number);
            }
        }
        Ok(numbers)
    }

    fn geometry(&mut self, geometry: Node<'a, 'i>, pose: &Affine) -> Result<(), SceneError> {
        if !self.surfaces.contains_key(&geometry.id()) {
            let surface = self.surface(geometry)?;
            self.surfaces.insert(geometry.id(), surface);
        }
        let name = geometry.attribute("id").unwrap_or_default();
        match self.surfaces.get(&geometry.id()) {
            Some(surface) => self
                .builder
                .append(pose, &surface.vertices, &surface.faces)
                .map_err(|error| error.with_element(format!("geometry `{name}`"))),
            None => Ok(()),
        }
    }

    fn surface(&mut self, geometry: Node<'a, 'i>) -> Result<Surface, SceneError> {
        let mut surface = Surface::default();
        let Some(mesh) = child(geometry, "mesh") else {
            let line = self.xml.line(geometry);
            self.builder.warnings.push(format!(
                "line {line}: a geometry without `<mesh>` is left out"
            ));
            return Ok(surface);
        };
        // Each primitive may have its own positions; the same ones are read once.
        let mut base_of: HashMap<roxmltree::NodeId, u32> = HashMap::new();
        for primitive in mesh.children().filter(Node::is_element) {
            let tag = primitive.tag_name().name();
            match tag {
                "triangles" | "polylist" | "polygons" | "tristrips" | "trifans" => {
                    let Some((source, offset, stride)) = self.positions(primitive)? else {
                        continue;
                    };
                    let base = match base_of.get(&source.id()) {
                        Some(base) => *base,
                        None => {
                            let base = surface.vertices.len() as u32;
                            surface.vertices.extend(self.source(source)?);
                            base_of.insert(source.id(), base);
                            base
                        }
                    };
                    let count = surface.vertices.len() as u32 - base;
                    for mut face in self.faces(primitive, offset, stride)? {
                        if let Some(index) = face.iter().find(|index| **index >= count) {
                            let message = format!(
                                "index {index} names no vertex; there {} {count}",
                                be(count as usize)
                            );
                            return Err(self.xml.error(primitive, Kind::BadValue, message));
                        }
                        face.iter_mut().for_each(|index| *index += base);
                        surface.faces.push(face);
                    }
                }
                "lines" | "linestrips" => {
                    let line = self.xml.line(primitive);
                    self.builder
                        .warnings
                        .push(format!("line {line}: `<{tag}>` is left out"));
                }
                _ => {}
            }
        }
        Ok(surface)
    }

    /// The source of a primitive's positions, the place of their index among each vertex's indices, and how many indices a vertex
    /// has.
    fn positions(
        &self,
        primitive: Node<'a, 'i>,
    ) -> Result<Option<(Node<'a, 'i>, usize, usize)>, SceneError> {
        let mut found = None;
        let mut stride = 1;
        for input in children(primitive, "input") {
            // An offset of more than a few is nonsense; the bound keeps the sum below from overflowing.
            let offset = input.attribute("offset").map_or(Some(0), |offset| {
                offset.parse().ok().filter(|n| *n < 1000_usize)
            });
            let offset = offset.ok_or_else(|| {
                self.xml.error(
                    input,
                    Kind::BadValue,
                    "the offset is no whole number below 1000",
                )
            })?;
            stride = stride.max(offset + 1);
            match input.attribute("semantic") {
                Some("VERTEX") => {
                    let vertices = self.input_source(input)?;
                    let position = children(vertices, "input")
                        .find(|input| input.attribute("semantic") == Some("POSITION"));
                    let position = position.ok_or_else(|| {
                        self.xml.error(
                            vertices,
                            Kind::Missing,
                            "the vertices have no POSITION input",
                        )
                    })?;
                    found = Some((self.input_source(position)?, offset));
                }
                Some("POSITION") => found = Some((self.input_source(input)?, offset)),
                _ => {}
            }
        }
        if found.is_none() && child(primitive, "p").is_some() {
            return Err(self
                .xml
                .error(primitive, Kind::Missing, "the faces have no VERTEX input"));
        }
        Ok(found.map(|(source, offset)| (source, offset, stride)))
    }

    fn input_source(&self, input: Node<'a, 'i>) -> Result<Node<'a, 'i>, SceneError> {
        let url = self.xml.required(input, "source")?;
        self.ids
            .get(url.trim_start_matches('#'))
            .copied()
            .ok_or_else(|| {
                self.xml.error(
                    input,
                    Kind::UnknownName,
                    format!("`{url}` names nothing in this file"),
                )
            })
    }

    fn source(&self, source: Node<'a, 'i>) -> Result<Vec<[f64; 3]>, SceneError> {
        let values = child(source, "float_array").ok_or_else(|| {
            self.xml
                .error(source, Kind::Missing, "the source has no `<float_array>`")
        })?;
        let values = self.numbers::<f64>(values)?;
        let accessor =
            child(source, "technique_common").and_then(|technique| child(technique, "accessor"));
        let whole = |name: &str, default: usize| {
            accessor
                .and_then(|accessor| accessor.attribute(name))
                .map_or(Some(default), |word| word.parse().ok())
        };
        match (whole("stride", 3), whole("offset", 0)) {
            (Some(stride @ 3..=1000), Some(offset)) => {
                let vertices = values
                    .get(offset..)
                    .unwrap_or_default()
                    .chunks(stride)
                    .filter(|chunk| chunk.len() >= 3);
                Ok(vertices
                    .map(|chunk| [chunk[0], chunk[1], chunk[2]])
                    .collect())
            }
            _ => Err(self
                .xml
                .error(
                    source,
                    Kind::BadValue,
                    "the accessor's stride or offset is wrong",
                )
                .with_expected("a stride from 3 on")),
        }
    }

    fn faces(
        &self,
        primitive: Node<'a, 'i>,
        offset: usize,
        stride: usize,
    ) -> Result<Vec<Vec<u32>>, SceneError> {
        let tag = primitive.tag_name().name();
        let mut faces = Vec::new();
        let mut counts = match child(primitive, "vcount") {
            Some(vcount) => self.numbers::<usize>(vcount)?.into_iter(),
            None => Vec::new().into_iter(),
        };
        let lists = primitive
            .descendants()
            .filter(|node| node.has_tag_name_local("p"));
        for list in lists {
            let all = self.numbers::<u32>(list)?;
            let indices: Vec<u32> = all
                .chunks_exact(stride)
                .map(|vertex| vertex[offset])
                .collect();
            match tag {
                "triangles" => faces.extend(indices.chunks_exact(3).map(<[u32]>::to_vec)),
                "polygons" => faces.push(indices),
                "tristrips" => faces.extend(strip(&indices)),
                "trifans" => faces.extend(fan(&indices)),
                _ => {
                    let mut rest = indices.as_slice();
                    for count in counts.by_ref() {
                        let Some((face, after)) = rest.split_at_checked(count) else {
                            let message = "`<vcount>` promises more vertices than `<p>` has";
                            return Err(self.xml.error(primitive, Kind::Syntax, message));
                        };
                        faces.push(face.to_vec());
                        rest = after;
                    }
                }
            }
        }
        Ok(faces)
    }
}
