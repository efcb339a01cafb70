//! Manifolds and gradients in batches: the answers of single queries, on any number of threads.

use crate::oracle::Rng;
use crate::oracle::pairs::{ALL, Space, random_shape};
use gjk::query::{ManifoldOptions, gradient, manifold};
use gjk::{Scalar, Vec2, Vec3};
use gjk_batch::{
    BatchError, Options, Pair, Poses, Shapes, Side, World, gradients_many, manifolds_many,
};

fn held<V: Space>(seed: u64, count: usize) {
    let mut rng = Rng(seed);
    let (mut shapes, mut poses) = (Shapes::new(), Vec::new());
    for _ in 0..12 {
        shapes.push(random_shape::<V>(&mut rng, ALL, 1.0));
        poses.push(V::random_pose(&mut rng, 1.0));
    }
    let poses: Poses<V> = poses.into_iter().collect();
    let world = World {
        shapes: &shapes,
        poses: &poses,
    };
    let pairs: Vec<Pair> = (0..count)
        .map(|_| {
            let [a, b, c, d] = [(); 4].map(|()| rng.below(12) as u32);
            Pair::new((a, b), (c, d))
        })
        .collect();
    let asked = ManifoldOptions::default().with_prediction(V::Scalar::from_f64(0.25));
    let single: Vec<_> = pairs
        .iter()
        .map(|Pair { a, b }| {
            let (shape_a, pose_a) = (shapes.get(a.shape).unwrap(), poses.get(a.pose).unwrap());
            let (shape_b, pose_b) = (shapes.get(b.shape).unwrap(), poses.get(b.pose).unwrap());
            (
                manifold(shape_a, pose_a, shape_b, pose_b, &asked),
                gradient(shape_a, pose_a, shape_b, pose_b),
            )
        })
        .collect();
    let (single, gradients): (Vec<_>, Vec<_>) = single.into_iter().unzip();
    for (threads, chunk) in [(None, None), (Some(1), Some(1)), (Some(2), Some(7))] {
        let options = Options {
            threads,
            chunk,
            ..Options::default()
        };
        let found = manifolds_many(world, &pairs, &asked, &options).unwrap();
        assert_eq!(found.answers, single, "{}: {threads:?} {chunk:?}", V::NAME);
        assert_eq!(found.statistics.single, count);
        let found = gradients_many(world, &pairs, &options).unwrap();
        assert_eq!(
            found.answers,
            gradients,
            "{}: {threads:?} {chunk:?}",
            V::NAME
        );
    }
    let error = manifolds_many(
        world,
        &[Pair::new((0, 0), (12, 0))],
        &asked,
        &Options::default(),
    );
    let wrong = BatchError::NoSuchShape {
        pair: 0,
        side: Side::B,
        shape: 12,
        count: 12,
    };
    assert_eq!(error.unwrap_err(), wrong);
}

#[test]
fn manifolds_and_gradients_are_those_of_single_queries() {
    held::<Vec3<f64>>(1, 120);
    held::<Vec3<f32>>(2, 60);
    held::<Vec2<f64>>(3, 120);
    held::<Vec2<f32>>(4, 60);
}
