//! Many gradients at once: single queries on all threads.
//!
//! Where it sits: above `each.rs`. No lanes: every answer is that of [`gjk::query::gradient`], bit by bit.

use crate::answer::Batch;
use crate::each;
use crate::error::BatchError;
use crate::layout::world::{Pair, World};
use crate::options::Options;
use gjk::Vector;
use gjk::query::{self, Gradient};

/// How the signed distance of every pair changes with its poses.
///
/// Frame: the world.
/// # Accuracy  as [`gjk::query::gradient`], whose answers these are.
/// # Errors  an index that does not exist; a cancelled batch; threads that could not be started.
/// # Complexity  that of a single query a pair, over all threads. All of them are counted as single.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, shape::{Ball, Cuboid}};
/// use gjk_batch::{Options, Pair, Poses, Shapes, World, gradients_many};
/// let mut shapes = Shapes::new();
/// let cube = shapes.push(Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap());
/// let ball = shapes.push(Ball::new(0.5).unwrap());
/// let at = |z| Pose::from_translation(Vec3::new(0.0, 0.0, z));
/// let poses: Poses<Vec3<f64>> = [at(0.0), at(3.0)].into_iter().collect();
/// let world = World { shapes: &shapes, poses: &poses };
/// let pairs = [Pair::new((cube, 0), (ball, 1)), Pair::new((cube, 0), (cube, 1))];
/// let found = gradients_many(world, &pairs, &Options::default()).unwrap();
/// let unique: Vec<_> = found.answers.iter().map(|gradient| gradient.unique).collect();
/// assert_eq!(unique, [true, false]);
/// assert_eq!(found.answers[0].b.linear, Vec3::new(0.0, 0.0, 1.0));
/// ```
pub fn gradients_many<V: Vector>(
    world: World<'_, V>,
    pairs: &[Pair],
    options: &Options<'_>,
) -> Result<Batch<Gradient<V>>, BatchError> {
    each::pair(
        world,
        pairs,
        options,
        |&pair| pair,
        |a, b, _| query::gradient(a.0, a.1, b.0, b.1),
    )
}
