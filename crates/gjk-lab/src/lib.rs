//! The lab: a query's steps as things to draw, behind one function from JSON to JSON.
//!
//! Where it sits: over `gjk-query`, which answers and keeps the steps of the production loop, and `gjk-check` for many bodies.
//! Two clients lead here: the server of `gjk lab`, and WebAssembly. Read [`respond`](respond()) first, then `playback.rs`.
//! Idea: the page knows no geometry and no step of an algorithm. It sends a query and edits of it, and draws the items that come
//! back, each of a layer that has a colour, a mark and a sentence in the legend.

#[cfg(feature = "bodies")]
mod arm;
#[cfg(feature = "bodies")]
mod arm_frames;
mod assets;
#[cfg(any(feature = "pairs", feature = "bodies"))]
mod common;
mod draw;
#[cfg(feature = "bodies")]
mod drawn;
#[cfg(any(feature = "pairs", feature = "bodies"))]
mod edit;
mod environment;
#[cfg(feature = "bodies")]
mod manifold;
#[cfg(feature = "bodies")]
mod manifold_frames;
#[cfg(feature = "bodies")]
mod many_body;
#[cfg(feature = "bodies")]
mod mesh;
#[cfg(feature = "bodies")]
mod mesh_pair;
#[cfg(feature = "bodies")]
mod motion;
#[cfg(feature = "bodies")]
mod motion_stage;
#[cfg(feature = "scenes")]
mod moving_scenes;
mod outline;
#[cfg(feature = "pages")]
mod pages;
#[cfg(feature = "pairs")]
mod pair;
#[cfg(feature = "pairs")]
mod playback;
#[cfg(feature = "pairs")]
mod regions;
mod respond;
#[cfg(feature = "bodies")]
mod robot;
#[cfg(feature = "scenes")]
mod scenes;
#[cfg(feature = "bodies")]
mod simulation;
#[cfg(feature = "bodies")]
mod stack;
#[cfg(feature = "scenes")]
mod tour;

#[cfg(feature = "bodies")]
pub use mesh_pair::MeshPair;
#[cfg(feature = "bodies")]
pub use robot::RobotScene;
/// The bodies of a file: this program has none.
#[cfg(not(feature = "bodies"))]
pub enum RobotScene {}
/// Two meshes: this program has none.
#[cfg(not(feature = "bodies"))]
pub enum MeshPair {}
pub use assets::{ASSETS, Asset, POLICY, SITE};
pub use draw::{Figure, Item, Space};
#[cfg(feature = "bodies")]
pub use drawn::{Drawn, drawn, drawn_shape};
pub use environment::Environment;
#[cfg(feature = "bodies")]
pub use motion::shown_until;
#[cfg(feature = "bodies")]
pub use motion_stage::plane_at;
pub use outline::{Of, Outline, difference, outline};
#[cfg(feature = "pages")]
pub use pages::{Page, pages};
pub use respond::respond;
