//! Many convex queries at once: wide lanes across pairs, threads across chunks, the same verdicts as single queries.
//!
//! ```
//! use gjk::{Pose, Vec3, query::Verdict, shape::Cuboid};
//! use gjk_batch::{Options, Pair, Poses, Shapes, World, contact_many};
//! let mut shapes = Shapes::new();
//! let cube = shapes.push(Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).unwrap());
//! let poses: Poses<Vec3<f64>> = (0..4).map(|k| Pose::from_translation(Vec3::new(0.75 * k as f64, 0.0, 0.0))).collect();
//! // Each cube against the first.
//! let pairs: Vec<Pair> = (1..4).map(|k| Pair::new((cube, 0), (cube, k))).collect();
//! let world = World { shapes: &shapes, poses: &poses };
//! let batch = contact_many(world, &pairs, &Options::default()).unwrap();
//! assert_eq!(batch.answers[0].verdict, Verdict::Overlapping);
//! assert_eq!(batch.answers[1].verdict, Verdict::Separated);
//! assert!((batch.answers[1].interval.lower - 0.5).abs() < 1e-12);
//! assert_eq!(batch.statistics.total(), 3);
//! ```
//!
//! **What is the same as in `gjk::query`.** The bodies: hulls of posed vertices, rounded as `gjk` documents. The verdicts:
//! lanes only answer where a margin exceeds a derived rounding bound, and hand every other pair (touching, nearly touching,
//! degenerate, tied) to the single query. The intervals' meaning: `lower ≤ truth ≤ upper`. A lane's may be wider than a
//! single query's, at most by 2⁻²⁴ of itself. Normals and witness points realise the interval; where several do, a lane's
//! may be others than a single query's.
//!
//! **What is not.** An answer carries no certificate, so that it needs no allocation; `gjk::query::prove` on the same pair
//! gives one. Of a separated pair the normal is the direction that separates it.
//!
//! **Order and threads.** Answers are in the order of the pairs, bit by bit the same for any number of threads, any chunk
//! length and any width of lanes.
//!
//! **What is wide.** Boxes, balls and capsules in space; hulls of any number of vertices, but for the depth of those that overlap
//! in space; polygons, but for the depth of those of more than eight vertices. Other pairs, a ball and a hull among them, are
//! single queries on all threads.
//! [`Statistics`] counts how many pairs went which way.
//!
//! **Order of poses.** Any order of pairs is right. Boxes are quickest where consecutive pairs name consecutive poses, or every
//! second one, for each body: [`Poses`] says why.
//!
//! **Reading order.** [`classify_many`], then `run.rs`, `dispatch/table.rs` (which solvers answer which pair), `dispatch/mod.rs`,
//! `pairs/` (the solvers and their bounds), `loops/` (GJK in lock-step), `layout/` (how lanes are filled).

#![allow(clippy::needless_range_loop)] // an axis or a lane is an index into several arrays at once

// The tests' scenes name this crate.
#[cfg(test)]
extern crate self as gjk_batch;

mod answer;
mod bounds;
mod dispatch;
mod each;
mod error;
mod gradients;
mod kernels;
mod layout;
mod loops;
mod manifolds;
mod motions;
mod options;
mod pairs;
pub mod pools;
mod request;
mod rounding;
pub mod rows;
mod run;
mod simd;
mod single;

pub use answer::{Answer, Batch, Statistics};
pub use error::{BatchError, Side};
pub use gradients::gradients_many;
pub use layout::poses::Poses;
pub use layout::shapes::Shapes;
pub use layout::shared::SharedShapes;
pub use layout::world::{Body, Pair, World};
pub use manifolds::manifolds_many;
pub use motions::{casts_many, rays_many, tois_many};
pub use options::{Lanes, Options, Progress};

use crate::request::Request;
use gjk::Vector;
use gjk::query::Verdict;

/// The relation of every pair.
///
/// # Errors  an index that does not exist, a cancelled batch, threads that could not be started.
/// # Complexity  that of a single query a pair at most; two boxes take some 300 vector operations a group of lanes.
pub fn classify_many<V: Vector>(
    world: World<'_, V>,
    pairs: &[Pair],
    options: &Options<'_>,
) -> Result<Batch<Verdict>, BatchError> {
    let mut answers = Vec::new();
    let statistics = classify_into(world, pairs, options, &mut answers)?;
    Ok(Batch {
        answers,
        statistics,
    })
}

/// [`classify_many`] into a vector that is used again.
///
/// # Errors  as there; a cancelled batch leaves the vector empty.
pub fn classify_into<V: Vector>(
    world: World<'_, V>,
    pairs: &[Pair],
    options: &Options<'_>,
    answers: &mut Vec<Verdict>,
) -> Result<Statistics, BatchError> {
    run::run(world, pairs, Request::Verdict, options, answers)
}

/// The distance of every pair with the points that realise it; zero where they touch or overlap.
///
/// # Errors  as [`classify_many`].
pub fn distance_many<V: Vector>(
    world: World<'_, V>,
    pairs: &[Pair],
    options: &Options<'_>,
) -> Result<Batch<Answer<V>>, BatchError> {
    let mut answers = Vec::new();
    let statistics = distance_into(world, pairs, options, &mut answers)?;
    Ok(Batch {
        answers,
        statistics,
    })
}

/// [`distance_many`] into a vector that is used again.
///
/// # Errors  as [`classify_into`].
pub fn distance_into<V: Vector>(
    world: World<'_, V>,
    pairs: &[Pair],
    options: &Options<'_>,
    answers: &mut Vec<Answer<V>>,
) -> Result<Statistics, BatchError> {
    run::run(world, pairs, Request::Distance, options, answers)
}

/// The signed distance of every pair, with normal and points: the depth where they overlap.
///
/// # Errors  as [`classify_many`].
pub fn contact_many<V: Vector>(
    world: World<'_, V>,
    pairs: &[Pair],
    options: &Options<'_>,
) -> Result<Batch<Answer<V>>, BatchError> {
    let mut answers = Vec::new();
    let statistics = contact_into(world, pairs, options, &mut answers)?;
    Ok(Batch {
        answers,
        statistics,
    })
}

/// [`contact_many`] into a vector that is used again.
///
/// # Errors  as [`classify_into`].
pub fn contact_into<V: Vector>(
    world: World<'_, V>,
    pairs: &[Pair],
    options: &Options<'_>,
    answers: &mut Vec<Answer<V>>,
) -> Result<Statistics, BatchError> {
    run::run(world, pairs, Request::Contact, options, answers)
}
