//! Bodies beside a robot: a cell that stands around it, and what a link carries.
//! Where it sits: `gjk acm --scene`, `gjk path --scene` and `--attach` read such files by [`crate::load`] and put them into the robot's scene.
//! Idea: such a body becomes a link that is fixed to the root, or to the link that carries it. So chains of joints, states and
//! certificates know it like any other link; [`LinkRole`] says what it is.

use std::path::{Path, PathBuf};

use crate::affine::Affine;
use crate::error::{SceneError, SceneErrorKind as Kind};
use crate::robot::{Collision, CollisionGeometry, Link, LinkRole, Robot};
use crate::scene::{Body, Geometry, Part, Scene};

/// A file whose bodies a link carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// The name of the link.
    pub link: String,
    /// The file: a mesh, a folder of meshes or a scene file.
    pub file: PathBuf,
    /// Where its frame stands in the link's.
    pub pose: Affine,
}

impl Scene {
    /// Adds the bodies of another scene, which was read from `file`: they stand still, in the frame of the robot's root.
    ///
    /// # Errors
    /// A scene that moves, has no body, has another length unit, or names that the robot has already.
    pub fn add_world(&mut self, world: Self, file: &Path) -> Result<(), SceneError> {
        let robot = self.fits(&world, file)?;
        let (root, first) = (robot.root, self.bodies.len());
        let names = world.bodies.iter().map(|body| body.name.as_str());
        refuse_names(robot, names, file)?;
        for body in world.bodies {
            let link = Link {
                name: body.name.clone(),
                collisions: Vec::new(),
                role: LinkRole::World,
            };
            self.add(link, root, Affine::IDENTITY, parts_in(&body));
        }
        let shifted = world.allow.iter().map(|(a, b)| (a + first, b + first));
        self.allow.extend(shifted);
        for (body, link) in &world.allow_links {
            self.allow_link(first + body, link);
        }
        Ok(())
    }

    /// Adds the bodies of a file as one body that a link carries. It is next to that link, as a link on a fixed joint is, and may touch the links `touch`.
    ///
    /// # Errors
    /// As [`Scene::add_world`], and a link that the robot lacks.
    pub fn attach(
        &mut self,
        held: Self,
        attachment: &Attachment,
        touch: &[String],
    ) -> Result<(), SceneError> {
        let file = &attachment.file;
        let robot = self.fits(&held, file)?;
        let unknown = |name: &str| {
            SceneError::new(
                Kind::UnknownName,
                format!("the robot has no link `{name}` to attach it to, or that it may touch"),
            )
            .with_file(file)
            .with_expected(format!("one of {}", link_names(robot)))
        };
        let parent = robot.link_index(&attachment.link);
        let parent = parent
            .filter(|&link| !robot.is_world(link))
            .ok_or_else(|| unknown(&attachment.link))?;
        if let Some(name) = touch.iter().find(|name| robot.link_index(name).is_none()) {
            return Err(unknown(name));
        }
        let name = file.file_stem().unwrap_or(file.as_os_str());
        let name = name.to_string_lossy().into_owned();
        refuse_names(robot, std::iter::once(name.as_str()), file)?;
        let parts: Vec<Part> = held.bodies.iter().flat_map(parts_in).collect();
        let link = Link {
            name,
            collisions: parts.iter().map(collision).collect(),
            role: LinkRole::Attached,
        };
        let body = self.add(link, parent, attachment.pose, parts);
        let allowed = held.allow_links.iter().map(|(_, link)| link);
        for link in touch.iter().chain(allowed) {
            self.allow_link(body, link);
        }
        Ok(())
    }

    /// The robot, where bodies of another scene can be put beside it.
    fn fits(&self, other: &Self, file: &Path) -> Result<&Robot, SceneError> {
        let refused = |message: String, help: &str| {
            Err(SceneError::new(Kind::Unsupported, message)
                .with_file(file)
                .with_help(help))
        };
        let Some(robot) = &self.robot else {
            let message = format!("`{}` is no robot to put it beside", self.name);
            return refused(message, "give a URDF file as the robot");
        };
        if other.robot.is_some() {
            let message = "it is a robot, whose joints may move".to_owned();
            let help = "give a scene file or meshes (`gjk schema scene`); put two robots that move into one URDF file";
            return refused(message, help);
        }
        if other.bodies.is_empty() {
            let message = "it has no body".to_owned();
            return refused(message, "list bodies in it (`gjk schema scene`)");
        }
        match (&self.unit, &other.unit) {
            (Some(one), Some(unit)) if one != unit => {
                let message = format!("its lengths are in `{unit}`, the robot's in `{one}`");
                let help = "nothing is converted: scale its numbers, and state the unit that they have then";
                refused(message, help)
            }
            _ => Ok(robot),
        }
    }

    /// A body that is a new link, fixed to `parent`; returns its index.
    fn add(&mut self, link: Link, parent: usize, origin: Affine, parts: Vec<Part>) -> usize {
        let body = self.bodies.len();
        let Some(robot) = &mut self.robot else {
            return body;
        };
        let name = link.name.clone();
        let index = robot.add_link(link, parent, origin);
        let pose = robot.forward_kinematics(&robot.zero_state())[index];
        self.bodies.push(Body {
            name,
            pose,
            parts,
            link: Some(index),
        });
        body
    }

    /// The pair of a body and a link, where the link has geometry, may overlap.
    fn allow_link(&mut self, body: usize, link: &str) {
        let other = self.bodies.iter().position(|other| other.name == link);
        if let Some(other) = other.filter(|&other| other != body) {
            self.allow.push((body.min(other), body.max(other)));
        }
    }
}

/// Names that are links already.
fn refuse_names<'n>(
    robot: &Robot,
    mut names: impl Iterator<Item = &'n str>,
    file: &Path,
) -> Result<(), SceneError> {
    let Some(name) = names.find(|name| robot.link_index(name).is_some()) else {
        return Ok(());
    };
    let message = format!("`{name}` is the name of a link of the robot, or of another body");
    Err(SceneError::new(Kind::Duplicate, message)
        .with_file(file)
        .with_element(format!("body `{name}`"))
        .with_help("give the body another name, or the file where the name is the file's"))
}

fn link_names(robot: &Robot) -> String {
    let links = robot
        .links
        .iter()
        .filter(|link| link.role == LinkRole::Robot);
    let names: Vec<String> = links.map(|link| format!("`{}`", link.name)).collect();
    names.join(", ")
}

/// The parts of a body in the frame that it stands in.
fn parts_in(body: &Body) -> Vec<Part> {
    let parts = body.parts.iter();
    parts
        .map(|part| Part {
            pose: body.pose.compose(&part.pose),
            ..part.clone()
        })
        .collect()
}

/// A part as a collision element, so that its link counts as one with geometry.
fn collision(part: &Part) -> Collision {
    Collision {
        name: None,
        origin: part.pose,
        geometry: match &part.geometry {
            Geometry::Shape(shape) => CollisionGeometry::Shape(shape.clone()),
            Geometry::Mesh { mesh, scale } => CollisionGeometry::Mesh {
                filename: mesh.path.display().to_string(),
                scale: *scale,
            },
        },
        line: 0,
    }
}
