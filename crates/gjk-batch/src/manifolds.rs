//! Many manifolds at once: single queries on all threads.
//!
//! Where it sits: beside `run.rs`, which deals the chunks. No lanes: every answer is that of [`gjk::query::manifold`], bit by bit.

use crate::answer::{Batch, Statistics};
use crate::error::BatchError;
use crate::layout::world::{Pair, World};
use crate::options::Options;
use crate::run::{check, in_chunks};
use gjk::Vector;
use gjk::query::{self, Manifold, ManifoldOptions};

/// The contact manifold of every pair.
///
/// Frame: the world.
/// # Accuracy  as [`gjk::query::manifold`], whose answers these are.
/// # Errors  an index that does not exist; a cancelled batch; threads that could not be started.
/// # Complexity  that of a single query a pair, over all threads. All of them are counted as single.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, shape::Cuboid};
/// use gjk_batch::{Options, Pair, Poses, Shapes, World, manifolds_many};
/// let mut shapes = Shapes::new();
/// let cube = shapes.push(Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).unwrap());
/// let at = |z| Pose::from_translation(Vec3::new(0.25, 0.0, z));
/// let poses: Poses<Vec3<f64>> = [Pose::identity(), at(1.0), at(2.0)].into_iter().collect();
/// let world = World { shapes: &shapes, poses: &poses };
/// let pairs = [Pair::new((cube, 0), (cube, 1)), Pair::new((cube, 0), (cube, 2))];
/// let found = manifolds_many(world, &pairs, &Default::default(), &Options::default()).unwrap();
/// let counts: Vec<_> = found.answers.iter().map(|manifold| manifold.points.len()).collect();
/// assert_eq!(counts, [4, 0]);
/// ```
pub fn manifolds_many<V: Vector>(
    world: World<'_, V>,
    pairs: &[Pair],
    asked: &ManifoldOptions<V::Scalar>,
    options: &Options<'_>,
) -> Result<Batch<Manifold<V>>, BatchError> {
    check(world, pairs)?;
    let mut answers: Vec<Option<Manifold<V>>> = vec![None; pairs.len()];
    let one = |&Pair { a, b }: &Pair| {
        let (shape_a, pose_a) = (world.shapes.get(a.shape)?, world.poses.get(a.pose)?);
        let (shape_b, pose_b) = (world.shapes.get(b.shape)?, world.poses.get(b.pose)?);
        Some(query::manifold(shape_a, pose_a, shape_b, pose_b, asked))
    };
    let statistics = in_chunks(pairs, &mut answers, options, |pairs, answers| {
        for (pair, answer) in pairs.iter().zip(answers) {
            *answer = one(pair);
        }
        Statistics {
            single: pairs.len(),
            ..Statistics::default()
        }
    })?;
    Ok(Batch {
        // The indices were checked, so that every row has an answer.
        answers: answers.into_iter().flatten().collect(),
        statistics,
    })
}
