//! Many manifolds at once: single queries on all threads.
//!
//! Where it sits: above `each.rs`. No lanes: every answer is that of [`gjk::query::manifold`], bit by bit.

use crate::answer::Batch;
use crate::each;
use crate::error::BatchError;
use crate::layout::world::{Pair, World};
use crate::options::Options;
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
    each::pair(
        world,
        pairs,
        options,
        |&pair| pair,
        |a, b, _| query::manifold(a.0, a.1, b.0, b.1, asked),
    )
}
