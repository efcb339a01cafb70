//! Many rays, casts or times of impact at once: single queries on all threads.
//!
//! Where it sits: above `each.rs`. No lanes yet: every answer is that of [`gjk::query::ray`], [`gjk::query::cast`] or [`gjk::query::toi`], bit by bit.

use crate::answer::Batch;
use crate::each;
use crate::error::{BatchError, Side};
use crate::layout::world::{Body, Pair, World};
use crate::options::Options;
use crate::run::check_body;
use gjk::Vector;
use gjk::query::{self, CastAnswer, MotionOptions, Ray, ToiOptions, Twist};

/// When every ray meets its body, and where.
///
/// Frame: the world.  One hull and many rays: name its body in each row.
/// # Accuracy  as [`gjk::query::ray`], whose answers these are.
/// # Errors  an index that does not exist, told as body A of a pair; a cancelled batch; threads that could not be started.
/// # Complexity  that of a single query a ray, over all threads. All of them are counted as single.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{Meeting, Ray}, shape::Cuboid};
/// use gjk_batch::{Body, Options, Poses, Shapes, World, rays_many};
/// let mut shapes = Shapes::new();
/// let shape = shapes.push(Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap());
/// let poses: Poses<Vec3<f64>> = [Pose::identity()].into_iter().collect();
/// let world = World { shapes: &shapes, poses: &poses };
/// let ray = |y| Ray::new(Vec3::new(-3.0, y, 0.0), Vec3::new(1.0, 0.0, 0.0)).unwrap();
/// let rays: Vec<_> = [0.0, 1.0, 2.0].map(|y| (Body { shape, pose: 0 }, ray(y))).to_vec();
/// let found = rays_many(world, &rays, &Default::default(), &Options::default()).unwrap();
/// let verdicts: Vec<_> = found.answers.iter().map(|x| (x.verdict, x.grazing)).collect();
/// assert_eq!(verdicts, [(Meeting::Hits, false), (Meeting::Hits, true), (Meeting::Free, false)]);
/// ```
pub fn rays_many<V: Vector>(
    world: World<'_, V>,
    rays: &[(Body, Ray<V>)],
    asked: &MotionOptions<V::Scalar>,
    options: &Options<'_>,
) -> Result<Batch<CastAnswer<V>>, BatchError> {
    for (row, (body, _)) in rays.iter().enumerate() {
        check_body(world, row, Side::A, *body)?;
    }
    each::row(rays, options, |&(body, ref ray)| {
        let (shape, pose) = (world.shapes.get(body.shape)?, world.poses.get(body.pose)?);
        Some(query::ray(shape, pose, ray, asked))
    })
}

/// When the bodies of every pair meet that move in straight lines, and where. The velocities of a row are those of its bodies A and B.
///
/// Frame: the world.
/// # Accuracy  as [`gjk::query::cast`], whose answers these are.
/// # Errors  as [`rays_many`].
/// # Complexity  that of a single query a pair, over all threads. All of them are counted as single.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::Meeting, shape::Cuboid};
/// use gjk_batch::{Options, Pair, Poses, Shapes, World, casts_many};
/// let mut shapes = Shapes::new();
/// let shape = shapes.push(Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap());
/// let there = Pose::from_translation(Vec3::new(5.0, 0.0, 0.0));
/// let poses: Poses<Vec3<f64>> = [Pose::identity(), there].into_iter().collect();
/// let world = World { shapes: &shapes, poses: &poses };
/// let (rest, left) = (Vec3::new(0.0, 0.0, 0.0), Vec3::new(-2.0, 0.0, 0.0));
/// let rows = [(Pair::new((shape, 0), (shape, 1)), [rest, left])];
/// let found = casts_many(world, &rows, &Default::default(), &Options::default()).unwrap();
/// assert_eq!(found.answers[0].verdict, Meeting::Hits);
/// assert_eq!(found.answers[0].time.unwrap().lower, 1.5);
/// ```
pub fn casts_many<V: Vector>(
    world: World<'_, V>,
    casts: &[(Pair, [V; 2])],
    asked: &MotionOptions<V::Scalar>,
    options: &Options<'_>,
) -> Result<Batch<CastAnswer<V>>, BatchError> {
    let one = |a: each::Placed<'_, V>, b: each::Placed<'_, V>, row: &(Pair, [V; 2])| {
        let [from, to] = row.1;
        query::cast(a.0, a.1, from, b.0, b.1, to, asked)
    };
    each::pair(world, casts, options, |row| row.0, one)
}

/// When the bodies of every pair meet that move and turn, and where. The twists of a row are those of its bodies A and B.
///
/// Frame: the world.
/// # Accuracy  as [`gjk::query::toi`], whose answers these are.
/// # Errors  as [`rays_many`].
/// # Complexity  that of a single query a pair, over all threads. All of them are counted as single.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{Meeting, Twist}, shape::Cuboid};
/// use gjk_batch::{Options, Pair, Poses, Shapes, World, tois_many};
/// let mut shapes = Shapes::new();
/// let shape = shapes.push(Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap());
/// let there = Pose::from_translation(Vec3::new(2.2, 0.0, 0.0));
/// let poses: Poses<Vec3<f64>> = [Pose::identity(), there].into_iter().collect();
/// let world = World { shapes: &shapes, poses: &poses };
/// let zero = Vec3::new(0.0, 0.0, 0.0);
/// let spins = Twist::new(zero, [0.0, 0.0, 3.0], zero).unwrap();
/// let rows = [(Pair::new((shape, 0), (shape, 1)), [Twist::rest(), spins])];
/// let found = tois_many(world, &rows, &Default::default(), &Options::default()).unwrap();
/// assert_eq!(found.answers[0].verdict, Meeting::Hits);
/// ```
pub fn tois_many<V: Vector>(
    world: World<'_, V>,
    tois: &[(Pair, [Twist<V>; 2])],
    asked: &ToiOptions<V::Scalar>,
    options: &Options<'_>,
) -> Result<Batch<CastAnswer<V>>, BatchError> {
    let one = |a: each::Placed<'_, V>, b: each::Placed<'_, V>, row: &(Pair, [Twist<V>; 2])| {
        let [of_a, of_b] = &row.1;
        query::toi(a.0, a.1, of_a, b.0, b.1, of_b, asked)
    };
    each::pair(world, tois, options, |row| row.0, one)
}
