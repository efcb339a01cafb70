//! Many rays at once: single queries on all threads.
//!
//! Where it sits: beside `run.rs`, which deals the chunks. No lanes yet: every answer is that of [`gjk::query::ray`], bit by bit.

use crate::answer::{Batch, Statistics};
use crate::error::{BatchError, Side};
use crate::layout::world::{Body, World};
use crate::options::Options;
use crate::run::in_chunks;
use gjk::Vector;
use gjk::query::{self, Ray, RayAnswer, RayOptions};

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
    asked: &RayOptions,
    options: &Options<'_>,
) -> Result<Batch<RayAnswer<V>>, BatchError> {
    check(world, rays)?;
    let mut answers: Vec<Option<RayAnswer<V>>> = vec![None; rays.len()];
    let one = |&(body, ref ray): &(Body, Ray<V>)| {
        let (shape, pose) = (world.shapes.get(body.shape)?, world.poses.get(body.pose)?);
        Some(query::ray(shape, pose, ray, asked))
    };
    let statistics = in_chunks(rays, &mut answers, options, |rays, answers| {
        for (ray, answer) in rays.iter().zip(answers) {
            *answer = one(ray);
        }
        Statistics {
            single: rays.len(),
            ..Statistics::default()
        }
    })?;
    Ok(Batch {
        // The indices were checked, so that every row has an answer.
        answers: answers.into_iter().flatten().collect(),
        statistics,
    })
}

/// The first index that does not exist.
fn check<V: Vector>(world: World<'_, V>, rays: &[(Body, Ray<V>)]) -> Result<(), BatchError> {
    let (shapes, poses) = (world.shapes.len(), world.poses.len());
    for (row, (body, _)) in rays.iter().enumerate() {
        if body.shape as usize >= shapes {
            return Err(BatchError::NoSuchShape {
                pair: row,
                side: Side::A,
                shape: body.shape,
                count: shapes,
            });
        }
        if body.pose as usize >= poses {
            return Err(BatchError::NoSuchPose {
                pair: row,
                side: Side::A,
                pose: body.pose,
                count: poses,
            });
        }
    }
    Ok(())
}
