//! Robots: links, the joints between them, and where the links stand for given joint values.
//! Where it sits: [`crate::scene`] turns a robot's collision elements into bodies; the CLI moves them by
//! [`Robot::forward_kinematics`].
//! Idea: a state is one value a joint, in the order of [`Robot::joints`], so that no caller has to
//! map names. Values of fixed and mimic joints in it are never read: fixed joints do not move, and mimic joints follow.
//! Read [`Robot`] first; `urdf` fills it (`tree` has its orders), `kinematics` moves it, `limits` says how far and `adjacency`
//! what is next to what. `states`, `edges`, `srdf` (with `group_state`), `limits_file` and `trajectory` (with `trajectory_message`) read
//! the files beside it, `srdf_write` writes one, `package` finds its meshes.

mod adjacency;
mod edges;
mod group_state;
mod kinematics;
mod limits;
mod limits_file;
pub(crate) mod package;
mod srdf;
mod srdf_write;
mod states;
mod trajectory;
mod trajectory_message;
mod tree;
mod urdf;

use std::path::PathBuf;

pub use adjacency::AdjacentPair;
pub use edges::{EdgesFile, StateEdge, read_edges};
pub use group_state::GroupState;
pub use limits::{JointLimits, JointRange, LimitSet};
pub use limits_file::{LimitsFile, read_limits};
pub use srdf::{DisabledPair, Srdf, read_srdf};
pub use srdf_write::{DisabledReason, SrdfEdit, WantedPair, write_srdf};
pub use states::{States, read_states};
pub use trajectory::{Trajectory, TrajectoryFile, TrajectoryPoint, read_trajectories};
pub use urdf::read_urdf;
pub(crate) use urdf::{parse as parse_urdf, xacro_help};

use crate::affine::Affine;
use crate::schema::ShapeSpec;

/// A tree of links, as a URDF file states it.
#[derive(Debug, Clone, PartialEq)]
pub struct Robot {
    /// The robot's name.
    pub name: String,
    /// The file that it was read from.
    pub path: PathBuf,
    /// The links in the file's order.
    pub links: Vec<Link>,
    /// The joints in the file's order; a state has a value for each.
    pub joints: Vec<Joint>,
    /// The link that no joint moves, as an index into `links`.
    pub root: usize,
    /// What was odd or left out, for people.
    pub warnings: Vec<String>,
    /// Joints so that a joint comes after the one that moves its parent.
    tree_order: Vec<usize>,
    /// Mimic joints so that a joint comes after the one that it follows.
    mimic_order: Vec<usize>,
}

/// What a link is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LinkRole {
    /// The robot's file.
    #[default]
    Robot,
    /// A body that stands still beside the robot; [`Scene::add_world`](crate::Scene::add_world) makes it a link that is fixed to the root.
    World,
    /// A body that another link carries, by [`Scene::attach`](crate::Scene::attach).
    Attached,
}

/// A rigid link and its collision elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The link's name, unique in the robot.
    pub name: String,
    /// Its collision elements in the file's order; a link may have none. A body of the world has none here: it is next to no link.
    pub collisions: Vec<Collision>,
    /// What it is of.
    pub role: LinkRole,
}

/// One collision element.
#[derive(Debug, Clone, PartialEq)]
pub struct Collision {
    /// Its own name, which most files leave out.
    pub name: Option<String>,
    /// Where it stands in the link's frame.
    pub origin: Affine,
    /// What it is.
    pub geometry: CollisionGeometry,
    /// Its line in the file.
    pub line: usize,
}

/// What a collision element is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum CollisionGeometry {
    /// A primitive.
    Shape(ShapeSpec),
    /// A mesh file, not opened yet.
    Mesh {
        /// As the file names it: a path, `file://…` or `package://…`.
        filename: String,
        /// A factor an axis; none is 0, negative ones mirror.
        scale: [f64; 3],
    },
}

/// What a joint lets its child link do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Turn about the axis, within limits, in radians.
    Revolute,
    /// Turn about the axis without limits, in radians.
    Continuous,
    /// Slide along the axis, within limits.
    Prismatic,
    /// Nothing.
    Fixed,
    /// Anything; held at zero here, with a warning.
    Floating,
    /// Move in a plane; held at zero here, with a warning.
    Planar,
}

impl JointKind {
    /// The word that URDF uses.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Revolute => "revolute",
            Self::Continuous => "continuous",
            Self::Prismatic => "prismatic",
            Self::Fixed => "fixed",
            Self::Floating => "floating",
            Self::Planar => "planar",
        }
    }

    /// True for a joint that one value moves.
    #[must_use]
    pub fn has_value(self) -> bool {
        matches!(self, Self::Revolute | Self::Continuous | Self::Prismatic)
    }
}

/// A joint: the child's place in the parent's frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// The joint's name, unique in the robot.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// The link that carries it, as an index into [`Robot::links`].
    pub parent: usize,
    /// The link that it moves, as an index into [`Robot::links`].
    pub child: usize,
    /// The joint's frame in the parent's frame.
    pub origin: Affine,
    /// The unit axis in the joint's frame.
    pub axis: [f64; 3],
    /// The range of its value; `None` for continuous joints and where the file gives none.
    pub limits: Option<Limits>,
    /// The range that its safety controller keeps, as the file states it; `None` where it states none, or two zeros.
    pub soft_limits: Option<Limits>,
    /// The joint that it follows.
    pub mimic: Option<Mimic>,
}

impl Joint {
    /// True when a state sets this joint: it has a value and follows no other joint.
    #[must_use]
    pub fn is_independent(&self) -> bool {
        self.kind.has_value() && self.mimic.is_none()
    }
}

/// The range of a joint's value, `lower <= upper`, both finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The least value.
    pub lower: f64,
    /// The greatest value.
    pub upper: f64,
}

/// Following another joint: `multiplier · value + offset`, not clamped into limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mimic {
    /// The joint that is followed, as an index into [`Robot::joints`].
    pub joint: usize,
    /// The factor.
    pub multiplier: f64,
    /// What is added.
    pub offset: f64,
}

impl Robot {
    /// A link's index by its name.
    #[must_use]
    pub fn link_index(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// True of a body that stands still beside the robot.
    #[must_use]
    pub fn is_world(&self, link: usize) -> bool {
        self.links[link].role == LinkRole::World
    }

    /// Adds a link that is fixed to another one; returns its index.
    pub(crate) fn add_link(&mut self, link: Link, parent: usize, origin: Affine) -> usize {
        let child = self.links.len();
        self.tree_order.push(self.joints.len());
        self.joints.push(Joint {
            name: format!("{} (fixed)", link.name),
            kind: JointKind::Fixed,
            parent,
            child,
            origin,
            axis: [1.0, 0.0, 0.0],
            limits: None,
            soft_limits: None,
            mimic: None,
        });
        self.links.push(link);
        child
    }

    /// A joint's index by its name.
    #[must_use]
    pub fn joint_index(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }
}
