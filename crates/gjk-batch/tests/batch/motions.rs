//! Rays, casts and times of impact in batches: the answers of single queries, on any number of threads.

use crate::oracle::Rng;
use crate::oracle::pairs::{ALL, Space, random_shape, random_vector};
use gjk::math::Scalar;
use gjk::query::{Meeting, MotionOptions, Ray, Start, ToiOptions, Twist, cast, ray, toi};
use gjk::{Vec2, Vec3};
use gjk_batch::{
    BatchError, Body, Options, Pair, Poses, Shapes, Side, World, casts_many, rays_many, tois_many,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Random bodies of all kinds and rays, and all that is asked of them.
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
    let rays: Vec<(Body, Ray<V>)> = (0..count)
        .map(|_| {
            let [shape, pose] = [rng.below(12), rng.below(12)].map(|k| k as u32);
            let (origin, aim): (V, V) =
                (random_vector(&mut rng, 4.0), random_vector(&mut rng, 1.0));
            let ray = Ray::new(origin, aim - origin).unwrap();
            (Body { shape, pose }, ray)
        })
        .collect();
    for asked in [
        MotionOptions::default(),
        MotionOptions::default().with_start(Start::Exit),
    ] {
        let single: Vec<_> = rays
            .iter()
            .map(|(body, shot)| {
                let (shape, pose) = (
                    shapes.get(body.shape).unwrap(),
                    poses.get(body.pose).unwrap(),
                );
                ray(shape, pose, shot, &asked)
            })
            .collect();
        assert!(single.iter().any(|found| found.verdict == Meeting::Hits));
        for (threads, chunk) in [
            (None, None),
            (Some(1), Some(1)),
            (Some(2), Some(7)),
            (Some(3), None),
        ] {
            let options = Options {
                threads,
                chunk,
                ..Options::default()
            };
            let found = rays_many(world, &rays, &asked, &options).unwrap();
            assert_eq!(found.answers, single, "{}: {threads:?} {chunk:?}", V::NAME);
            assert_eq!(found.statistics.single, count);
        }
    }
}

#[test]
fn answers_are_those_of_single_queries_on_any_number_of_threads() {
    held::<Vec3<f64>>(1, 120);
    held::<Vec3<f32>>(2, 60);
    held::<Vec2<f64>>(3, 120);
    held::<Vec2<f32>>(4, 60);
}

/// Random pairs that fly at one another.
fn casts_held<V: Space>(seed: u64, count: usize) {
    let mut rng = Rng(seed);
    let (mut shapes, mut poses) = (Shapes::new(), Vec::new());
    for k in 0..12 {
        shapes.push(random_shape::<V>(&mut rng, ALL, 1.0));
        let pose = V::random_pose(&mut rng, if k < 6 { 1.0 } else { 6.0 });
        poses.push(pose);
    }
    let poses: Poses<V> = poses.into_iter().collect();
    let world = World {
        shapes: &shapes,
        poses: &poses,
    };
    let rows: Vec<(Pair, [V; 2])> = (0..count)
        .map(|_| {
            let mut index = |from: u64, n: u64| (from + rng.below(n)) as u32;
            let pair = Pair::new((index(0, 12), index(0, 6)), (index(0, 12), index(6, 6)));
            let there = poses.get(pair.b.pose).unwrap().translation();
            (pair, [random_vector(&mut rng, 0.5), -there])
        })
        .collect();
    let asked = MotionOptions::default();
    let single: Vec<_> = rows
        .iter()
        .map(|(pair, [from, to])| {
            let body = |body: Body| {
                let (shape, pose) = (shapes.get(body.shape), poses.get(body.pose));
                (shape.unwrap(), pose.unwrap())
            };
            let ((a, at), (b, there)) = (body(pair.a), body(pair.b));
            cast(a, at, *from, b, there, *to, &asked)
        })
        .collect();
    assert!(single.iter().any(|found| found.verdict == Meeting::Hits));
    for (threads, chunk) in [(None, None), (Some(1), Some(1)), (Some(2), Some(7))] {
        let options = Options {
            threads,
            chunk,
            ..Options::default()
        };
        let found = casts_many(world, &rows, &asked, &options).unwrap();
        assert_eq!(found.answers, single, "{}: {threads:?} {chunk:?}", V::NAME);
        assert_eq!(found.statistics.single, count);
    }
    let turns: Vec<(Pair, [Twist<V>; 2])> = rows
        .iter()
        .take(10)
        .map(|&(pair, ways)| {
            let angular = [0.0, 0.0, 1.5].map(V::Scalar::from_f64);
            (
                pair,
                ways.map(|way| Twist::new(way, angular, V::ZERO).unwrap()),
            )
        })
        .collect();
    let limits = ToiOptions::default();
    let found = tois_many(world, &turns, &limits, &Options::default()).unwrap();
    for ((pair, [of_a, of_b]), answer) in turns.iter().zip(&found.answers) {
        let shape = |body: Body| shapes.get(body.shape).unwrap();
        let pose = |body: Body| poses.get(body.pose).unwrap();
        let (a, b) = (pair.a, pair.b);
        let single = toi(shape(a), pose(a), of_a, shape(b), pose(b), of_b, &limits);
        assert_eq!(*answer, single);
    }
    let none = [(Pair::new((0, 0), (0, 99)), [V::ZERO; 2])];
    let (pair, side) = (0, Side::B);
    assert_eq!(
        casts_many(world, &none, &asked, &Options::default()).unwrap_err(),
        BatchError::NoSuchPose {
            pair,
            side,
            pose: 99,
            count: 12
        }
    );
}

#[test]
fn casts_are_those_of_single_queries_on_any_number_of_threads() {
    casts_held::<Vec3<f64>>(5, 60);
    casts_held::<Vec3<f32>>(6, 40);
    casts_held::<Vec2<f64>>(7, 60);
}

#[test]
fn wrong_indices_and_cancelled_batches_have_no_answers() {
    let mut rng = Rng(9);
    let mut shapes = Shapes::new();
    shapes.push(random_shape::<Vec3<f64>>(&mut rng, ALL, 1.0));
    let poses: Poses<Vec3<f64>> = [gjk::Pose::identity()].into_iter().collect();
    let world = World {
        shapes: &shapes,
        poses: &poses,
    };
    let shot = Ray::new(Vec3::new(3.0, 0.0, 0.0), Vec3::new(-1.0, 0.0, 0.0)).unwrap();
    let asked = MotionOptions::default();
    let rows = |shape, pose| {
        vec![
            (Body { shape: 0, pose: 0 }, shot),
            (Body { shape, pose }, shot),
        ]
    };
    let ask = |rows: &[_], options: &Options<'_>| rays_many(world, rows, &asked, options);
    let error = ask(&rows(1, 0), &Options::default()).unwrap_err();
    let (pair, side) = (1, Side::A);
    assert_eq!(
        error,
        BatchError::NoSuchShape {
            pair,
            side,
            shape: 1,
            count: 1
        }
    );
    let error = ask(&rows(0, 7), &Options::default()).unwrap_err();
    assert_eq!(
        error,
        BatchError::NoSuchPose {
            pair,
            side,
            pose: 7,
            count: 1
        }
    );
    assert!(ask(&[], &Options::default()).unwrap().answers.is_empty());

    let stop = AtomicBool::new(false);
    let options = Options {
        threads: Some(1),
        chunk: Some(1),
        progress: Some(&|_| stop.store(true, Ordering::Relaxed)),
        cancel: Some(&stop),
        ..Options::default()
    };
    let error = ask(&rows(0, 0), &options).unwrap_err();
    assert_eq!(error, BatchError::Cancelled { done: 1, total: 2 });
}
