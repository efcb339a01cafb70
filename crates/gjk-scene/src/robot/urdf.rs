//! URDF: links, joints and collision elements.
//! Where it sits: fills [`Robot`]; [`crate::scene`] opens the meshes that it names.
//! Idea: roxmltree, because urdf-rs gives no lines, fails on an unknown geometry tag and drops unknown elements without a word,
//! of which real files (Drake's, Gazebo's) have many. Visual elements are not looked at, so their meshes may be absent.
//! Source: wiki.ros.org/urdf/XML; the capsule is Drake's and Gazebo's (`length` leaves out the caps).

use std::collections::HashMap;
use std::path::Path;

use roxmltree::Node;

use super::tree::{mimic_order, tree};
use super::{Collision, CollisionGeometry, Joint, JointKind, Limits, Link, LinkRole, Mimic, Robot};
use crate::affine::Affine;
use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::mesh::unreadable;
use crate::schema::{Axis, ShapeSpec};
use crate::text::counted;
use crate::warnings::Warnings;
use crate::xml::{self, Xml};

/// Reads a URDF file. Meshes are not opened.
///
/// # Errors
/// What is wrong, with its line and its link or joint: bad XML, unexpanded xacro, unknown names, links that are no tree, a
/// collision element that cannot be read.
pub fn read_urdf(path: &Path) -> Result<Robot, SceneError> {
    let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    let text = xml::text(&bytes, path)?;
    parse(text, path)
}

/// Reads a robot from the text of a URDF file; `path` is for messages and for the meshes beside it.
pub(crate) fn parse(text: &str, path: &Path) -> Result<Robot, SceneError> {
    let document = xml::parse(text, path)?;
    let root = document.root_element();
    let xml = Xml { text, file: path };
    if root.tag_name().name() != "robot" {
        let message = format!("the root element is `<{}>`", root.tag_name().name());
        return Err(xml
            .error(root, Kind::Unsupported, message)
            .with_expected("`<robot>`"));
    }
    refuse_xacro(&xml, root)?;
    let mut reader = Reader {
        xml,
        warnings: Warnings::default(),
    };
    let links = reader.links(root)?;
    let index_of = name_index(links.iter().map(|link| link.name.as_str()));
    let (joints, mimic_order) = reader.joints(root, &index_of)?;
    let (root_link, tree_order) = tree(&links, &joints).map_err(|error| error.with_file(path))?;
    Ok(Robot {
        name: root.attribute("name").unwrap_or("robot").to_owned(),
        path: path.to_path_buf(),
        links,
        joints,
        root: root_link,
        warnings: reader.warnings.lines(path),
        tree_order,
        mimic_order,
    })
}

/// An element of xacro's namespace, or a `${…}` in an attribute that matters, is a program and no robot yet.
fn refuse_xacro(xml: &Xml<'_>, root: Node<'_, '_>) -> Result<(), SceneError> {
    let is_xacro = |node: &Node<'_, '_>| {
        let namespace = node.tag_name().namespace().unwrap_or_default();
        namespace.contains("xacro")
            || (node.is_element() && node.attributes().any(|a| a.value().contains("${")))
    };
    match root.descendants().find(is_xacro) {
        None => Ok(()),
        Some(node) => Err(xml
            .error(
                node,
                Kind::Unsupported,
                "the file holds xacro macros that are not expanded",
            )
            .with_expected("plain URDF")
            .with_help(xacro_help(xml.file))),
    }
}

/// How to expand a xacro file.
pub(crate) fn xacro_help(path: &Path) -> String {
    let output = path.with_extension("").with_extension("urdf");
    let output = if output == path {
        output.with_extension("plain.urdf")
    } else {
        output
    };
    format!(
        "expand it first: `xacro {} > {}` (ROS), or `pip install xacro`",
        path.display(),
        output.display()
    )
}

fn name_index<'n>(names: impl Iterator<Item = &'n str>) -> HashMap<String, usize> {
    names
        .enumerate()
        .map(|(index, name)| (name.to_owned(), index))
        .collect()
}

struct Reader<'f> {
    xml: Xml<'f>,
    warnings: Warnings,
}

impl Reader<'_> {
    /// `message` says what is odd about the owner, `plural` what is odd about many.
    fn warn(&mut self, node: Node<'_, '_>, owner: &str, message: &str, plural: &str) {
        let line = self.xml.line(node);
        let text = format!("{owner}: {message}");
        self.warnings.add(line, owner, text, plural.to_owned());
    }

    fn links(&mut self, root: Node<'_, '_>) -> Result<Vec<Link>, SceneError> {
        let mut links: Vec<Link> = Vec::new();
        let mut seen = HashMap::new();
        for node in xml::children(root, "link") {
            let name = self.xml.required(node, "name")?.to_owned();
            if seen.insert(name.clone(), ()).is_some() {
                return Err(self.xml.error(
                    node,
                    Kind::Duplicate,
                    format!("two links are named `{name}`"),
                ));
            }
            let owner = format!("link `{name}`");
            for other in node.children().filter(Node::is_element) {
                let tag = other.tag_name().name();
                if !matches!(tag, "collision" | "visual" | "inertial")
                    && xml::child(other, "geometry").is_some()
                {
                    self.warn(
                        other,
                        &owner,
                        &format!("`<{tag}>` is not known, its geometry is left out"),
                        &format!("`<{tag}>` are not known, their geometry is left out"),
                    );
                }
            }
            let collisions = xml::children(node, "collision")
                .map(|collision| {
                    self.collision(collision, &owner)
                        .map_err(|error| error.with_element(owner.as_str()))
                })
                .collect::<Result<_, _>>()?;
            links.push(Link {
                name,
                collisions,
                role: LinkRole::Robot,
            });
        }
        if links.is_empty() {
            return Err(self
                .xml
                .error(root, Kind::Missing, "the robot has no link")
                .with_expected("at least one `<link>`"));
        }
        Ok(links)
    }

    fn collision(&mut self, node: Node<'_, '_>, owner: &str) -> Result<Collision, SceneError> {
        let geometry_node = xml::child(node, "geometry").ok_or_else(|| {
            self.xml.error(
                node,
                Kind::Missing,
                "the collision element has no `<geometry>`",
            )
        })?;
        let mut found = None;
        for shape in geometry_node.children().filter(Node::is_element) {
            let tag = shape.tag_name().name();
            match self.geometry(shape, owner)? {
                Some(_) if found.is_some() => {
                    self.warn(
                        shape,
                        owner,
                        &format!("a second shape `<{tag}>` in one `<geometry>` is left out"),
                        &format!("second shapes `<{tag}>` in one `<geometry>` are left out"),
                    );
                }
                Some(geometry) => found = Some(geometry),
                None => self.warn(
                    shape,
                    owner,
                    &format!("`<{tag}>` in `<geometry>` is not known and is left out"),
                    &format!("`<{tag}>` in `<geometry>` are not known and are left out"),
                ),
            }
        }
        let geometry = found.ok_or_else(|| {
            self.xml
                .error(
                    geometry_node,
                    Kind::Missing,
                    "the collision element has no shape that is known",
                )
                .with_expected("box, cylinder, sphere, capsule, ellipsoid or mesh")
        })?;
        Ok(Collision {
            name: node.attribute("name").map(str::to_owned),
            origin: self.origin(node)?,
            geometry,
            line: self.xml.line(node),
        })
    }

    /// The shape of one tag inside `<geometry>`; `None` when the tag is unknown.
    fn geometry(
        &mut self,
        node: Node<'_, '_>,
        owner: &str,
    ) -> Result<Option<CollisionGeometry>, SceneError> {
        let shape = match node.tag_name().name() {
            "box" => self.box_shape(node)?,
            "sphere" => match self.xml.length(node, "radius")? {
                0.0 => {
                    self.warn(
                        node,
                        owner,
                        "the sphere's radius is 0: it is a point",
                        "spheres have radius 0 and are points",
                    );
                    ShapeSpec::Point {
                        point: vec![0.0; 3],
                    }
                }
                radius => ShapeSpec::Ball { radius },
            },
            tag @ ("cylinder" | "capsule") => {
                let radius = self.xml.length(node, "radius")?;
                let half_height = self.xml.length(node, "length")? / 2.0;
                if tag == "cylinder" {
                    ShapeSpec::Cylinder {
                        half_height,
                        radius,
                        axis: Axis::Z,
                    }
                } else {
                    ShapeSpec::Capsule {
                        half_height,
                        radius,
                        axis: Axis::Z,
                    }
                }
            }
            "ellipsoid" => {
                let radii = ["a", "b", "c"].map(|name| self.xml.length(node, name));
                ShapeSpec::Ellipsoid {
                    radii: radii.into_iter().collect::<Result<_, _>>()?,
                }
            }
            "mesh" => return self.mesh(node, owner).map(Some),
            _ => return Ok(None),
        };
        Ok(Some(CollisionGeometry::Shape(shape)))
    }

    fn box_shape(&self, node: Node<'_, '_>) -> Result<ShapeSpec, SceneError> {
        self.xml.required(node, "size")?;
        let size = self.xml.vector::<3>(node, "size")?.unwrap_or_default();
        if size.iter().any(|x| *x < 0.0) {
            return Err(self
                .xml
                .error(node, Kind::BadValue, "a size is negative")
                .with_expected("0 or more"));
        }
        Ok(ShapeSpec::Box {
            half_extents: size.iter().map(|x| x / 2.0).collect(),
        })
    }

    fn mesh(&mut self, node: Node<'_, '_>, owner: &str) -> Result<CollisionGeometry, SceneError> {
        let filename = self.xml.required(node, "filename")?.trim().to_owned();
        let scale = match self.xml.numbers(node, "scale")?.as_deref() {
            None => [1.0; 3],
            Some(&[x, y, z]) => [x, y, z],
            Some(&[all]) => {
                self.warn(
                    node,
                    owner,
                    "the mesh's scale is one number, taken for all three axes",
                    "scales of meshes are one number, taken for all three axes",
                );
                [all; 3]
            }
            Some(other) => {
                let message = format!("`scale` has {}", counted(other.len(), "number", "numbers"));
                return Err(self
                    .xml
                    .error(node, Kind::BadValue, message)
                    .with_expected("3"));
            }
        };
        if scale.contains(&0.0) {
            return Err(self
                .xml
                .error(node, Kind::BadValue, "a scale of 0 flattens the mesh")
                .with_expected("any other number"));
        }
        Ok(CollisionGeometry::Mesh { filename, scale })
    }

    fn origin(&self, node: Node<'_, '_>) -> Result<Affine, SceneError> {
        let Some(origin) = xml::child(node, "origin") else {
            return Ok(Affine::IDENTITY);
        };
        let translation = self.xml.vector::<3>(origin, "xyz")?.unwrap_or_default();
        let rotation = match self.xml.vector::<3>(origin, "rpy")? {
            None | Some([0.0, 0.0, 0.0]) => Affine::IDENTITY,
            Some(rpy) => Affine::from_roll_pitch_yaw(rpy),
        };
        Ok(Affine {
            translation,
            ..rotation
        })
    }

    /// The joints, and the order in which mimic joints follow.
    fn joints(
        &mut self,
        root: Node<'_, '_>,
        link_of: &HashMap<String, usize>,
    ) -> Result<(Vec<Joint>, Vec<usize>), SceneError> {
        // A `<joint>` without a type is not a joint of the robot (transmissions and controllers use the tag too, but deeper).
        let nodes: Vec<_> = xml::children(root, "joint").collect();
        let mut index_of = HashMap::new();
        for (index, node) in nodes.iter().enumerate() {
            let name = self.xml.required(*node, "name")?;
            if index_of.insert(name.to_owned(), index).is_some() {
                return Err(self.xml.error(
                    *node,
                    Kind::Duplicate,
                    format!("two joints are named `{name}`"),
                ));
            }
        }
        let mut joints = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let owner = format!("joint `{}`", self.xml.required(*node, "name")?);
            let joint = self.joint(*node, &owner, link_of, &index_of);
            joints.push(joint.map_err(|error| error.with_element(owner))?);
        }
        let order = mimic_order(&joints).map_err(|index| {
            self.xml
                .error(
                    nodes[index],
                    Kind::BadValue,
                    "the mimic joints follow one another in a circle",
                )
                .with_element(format!("joint `{}`", joints[index].name))
                .with_help("let one of them follow no other joint")
        })?;
        Ok((joints, order))
    }

    fn joint(
        &mut self,
        node: Node<'_, '_>,
        owner: &str,
        link_of: &HashMap<String, usize>,
        joint_of: &HashMap<String, usize>,
    ) -> Result<Joint, SceneError> {
        let kind = match self.xml.required(node, "type")? {
            "revolute" => JointKind::Revolute,
            "continuous" => JointKind::Continuous,
            "prismatic" => JointKind::Prismatic,
            "fixed" => JointKind::Fixed,
            "floating" => JointKind::Floating,
            "planar" => JointKind::Planar,
            other => {
                return Err(self
                    .xml
                    .error(node, Kind::BadValue, format!("`{other}` is no joint type"))
                    .with_expected("revolute, continuous, prismatic, fixed, floating or planar"));
            }
        };
        if matches!(kind, JointKind::Floating | JointKind::Planar) {
            self.warn(
                node,
                owner,
                &format!("a {} joint is held at zero", kind.as_str()),
                &format!("{} joints are held at zero", kind.as_str()),
            );
        }
        Ok(Joint {
            name: self.xml.required(node, "name")?.to_owned(),
            kind,
            parent: self.end(node, "parent", link_of)?,
            child: self.end(node, "child", link_of)?,
            origin: self.origin(node)?,
            axis: self.axis(node, kind)?,
            limits: self.limits(node, owner, kind)?,
            soft_limits: self.soft_limits(node, kind)?,
            mimic: self.mimic(node, owner, kind, joint_of)?,
        })
    }

    fn end(
        &self,
        node: Node<'_, '_>,
        tag: &str,
        link_of: &HashMap<String, usize>,
    ) -> Result<usize, SceneError> {
        let end = xml::child(node, tag).ok_or_else(|| {
            self.xml
                .error(node, Kind::Missing, format!("there is no `<{tag}>`"))
        })?;
        let name = self.xml.required(end, "link")?;
        link_of.get(name).copied().ok_or_else(|| {
            self.xml.error(
                end,
                Kind::UnknownName,
                format!("the {tag} link `{name}` does not exist"),
            )
        })
    }

    fn axis(&self, node: Node<'_, '_>, kind: JointKind) -> Result<[f64; 3], SceneError> {
        const DEFAULT: [f64; 3] = [1.0, 0.0, 0.0];
        let Some(axis_node) = xml::child(node, "axis") else {
            return Ok(DEFAULT);
        };
        let axis = self.xml.vector::<3>(axis_node, "xyz")?.unwrap_or(DEFAULT);
        // Divided by the largest entry first, so that the squares neither overflow nor underflow.
        let largest = axis.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        if largest == 0.0 {
            if !kind.has_value() {
                return Ok(DEFAULT);
            }
            return Err(self
                .xml
                .error(axis_node, Kind::BadValue, "the axis is zero")
                .with_expected("a direction"));
        }
        let scaled = axis.map(|x| x / largest);
        let norm = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
        Ok(scaled.map(|x| x / norm))
    }

    fn limits(
        &mut self,
        node: Node<'_, '_>,
        owner: &str,
        kind: JointKind,
    ) -> Result<Option<Limits>, SceneError> {
        if !matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
            return Ok(None);
        }
        let Some(limit) = xml::child(node, "limit") else {
            let (taken, plural) = if kind == JointKind::Revolute {
                (
                    "it turns freely",
                    "revolute joints have no `<limit>` and turn freely",
                )
            } else {
                (
                    "random states leave it at zero",
                    "prismatic joints have no `<limit>`: random states leave them at zero",
                )
            };
            let message = format!("there is no `<limit>`: {taken}");
            self.warn(node, owner, &message, plural);
            return Ok(None);
        };
        let (lower, upper) = (
            self.xml.number(limit, "lower")?,
            self.xml.number(limit, "upper")?,
        );
        if lower.is_none() && upper.is_none() {
            self.warn(
                limit,
                owner,
                "the limit has neither lower nor upper: both are 0, as URDF says, and the joint cannot move",
                "limits have neither lower nor upper: both are 0, as URDF says, and the joints cannot move",
            );
        }
        let (lower, upper) = (lower.unwrap_or(0.0), upper.unwrap_or(0.0));
        if lower > upper {
            let message = format!("the lower limit {lower} is above the upper limit {upper}");
            return Err(self.xml.error(limit, Kind::BadValue, message));
        }
        Ok(Some(Limits { lower, upper }))
    }

    /// The soft limits of `<safety_controller>`, which only joints with limits have.
    fn soft_limits(
        &self,
        node: Node<'_, '_>,
        kind: JointKind,
    ) -> Result<Option<Limits>, SceneError> {
        let safety = xml::child(node, "safety_controller");
        let safety = safety.filter(|_| matches!(kind, JointKind::Revolute | JointKind::Prismatic));
        let Some(safety) = safety else {
            return Ok(None);
        };
        // One that is absent is 0, as URDF says; two zeros are how files say that the controller has no soft limits.
        let [lower, upper] = ["soft_lower_limit", "soft_upper_limit"]
            .map(|name| Ok(self.xml.number(safety, name)?.unwrap_or(0.0)));
        let (lower, upper) = (lower?, upper?);
        if lower > upper {
            let message =
                format!("the soft lower limit {lower} is above the soft upper limit {upper}");
            return Err(self
                .xml
                .error(safety, Kind::BadValue, message)
                .with_expected("soft_lower_limit <= soft_upper_limit")
                .with_help("exchange the two, or remove them from the file"));
        }
        Ok(((lower, upper) != (0.0, 0.0)).then_some(Limits { lower, upper }))
    }

    fn mimic(
        &mut self,
        node: Node<'_, '_>,
        owner: &str,
        kind: JointKind,
        joint_of: &HashMap<String, usize>,
    ) -> Result<Option<Mimic>, SceneError> {
        let Some(mimic) = xml::child(node, "mimic") else {
            return Ok(None);
        };
        let name = self.xml.required(mimic, "joint")?;
        let joint = *joint_of.get(name).ok_or_else(|| {
            self.xml.error(
                mimic,
                Kind::UnknownName,
                format!("the mimicked joint `{name}` does not exist"),
            )
        })?;
        if !kind.has_value() {
            self.warn(
                mimic,
                owner,
                &format!(
                    "a {} joint follows nothing, its `<mimic>` is left out",
                    kind.as_str()
                ),
                &format!(
                    "{} joints follow nothing, their `<mimic>` is left out",
                    kind.as_str()
                ),
            );
            return Ok(None);
        }
        let multiplier = self.xml.number(mimic, "multiplier")?.unwrap_or(1.0);
        let offset = self.xml.number(mimic, "offset")?.unwrap_or(0.0);
        Ok(Some(Mimic {
            joint,
            multiplier,
            offset,
        }))
    }
}
