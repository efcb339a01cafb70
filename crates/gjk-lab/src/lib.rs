//! The lab: a query's steps as things to draw, behind one function from JSON to JSON.
//!
//! Where it sits: over `gjk-query`, which answers and keeps the steps of the production loop, and `gjk-check` for many bodies. Two
//! doors lead here: the server of `gjk lab`, and WebAssembly. Read [`respond`](respond()) first, then `playback.rs`.
//! Idea: the page knows no geometry and no step of an algorithm. It sends a query and edits of it, and draws the items that come
//! back, each of a layer that has a colour, a mark and a sentence in the legend.

mod assembly;
mod assets;
mod bounce;
mod crowd;
mod draw;
mod edit;
mod mesh;
mod outline;
#[cfg(feature = "pages")]
mod pages;
mod playback;
mod regions;
mod respond;
mod scenes;
mod tour;

pub use assembly::Assembly;
pub use assets::{ASSETS, Asset, POLICY, SITE};
pub use draw::{Figure, Item, Space};
pub use outline::{Of, Outline, difference, outline};
#[cfg(feature = "pages")]
pub use pages::{Page, pages};
pub use respond::{Host, respond};
