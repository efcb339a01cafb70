//! Threads, chunks, progress, cancellation, errors.

use crate::scenes::{Scene, boxes, hulls, in_a_row, kissing_round, large, round};
use gjk::{Vec2, Vec3};
use gjk_batch::{
    BatchError, Lanes, Options, Pair, Progress, Side, classify_many, contact_into, contact_many,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

fn scene() -> Scene<Vec3<f64>> {
    boxes(5000)
}

#[test]
fn threads_and_chunks_change_no_bit() {
    let scene = scene();
    let polygons = hulls::<Vec2<f64>>(3000);
    let one = Options {
        threads: Some(1),
        ..Options::default()
    };
    let others = [
        in_a_row::<Vec3<f64>>(3000),
        large::<Vec3<f64>>(500),
        round::<Vec3<f64>>(2000),
        kissing_round::<Vec3<f64>>(1000),
    ];
    let expected = others
        .each_ref()
        .map(|scene| contact_many(scene.world(), &scene.pairs, &one).unwrap());
    let first = contact_many(scene.world(), &scene.pairs, &one).unwrap();
    let planar = contact_many(polygons.world(), &polygons.pairs, &one).unwrap();
    let own = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    for threads in [None, Some(1), Some(2), Some(3)] {
        for chunk in [None, Some(1), Some(13), Some(1000), Some(100_000)] {
            let options = Options {
                threads,
                chunk,
                ..Options::default()
            };
            assert_eq!(
                contact_many(scene.world(), &scene.pairs, &options).unwrap(),
                first,
                "{options:?}"
            );
            assert_eq!(
                contact_many(polygons.world(), &polygons.pairs, &options).unwrap(),
                planar,
                "{options:?}"
            );
            for (other, expected) in others.iter().zip(&expected) {
                let found = contact_many(other.world(), &other.pairs, &options).unwrap();
                assert_eq!(found, *expected, "{}, {options:?}", other.name);
            }
        }
    }
    let options = Options {
        pool: Some(&own),
        ..Options::default()
    };
    assert_eq!(
        contact_many(scene.world(), &scene.pairs, &options).unwrap(),
        first
    );
}

#[test]
fn no_pairs_have_no_answers() {
    let batch = contact_many(scene().world(), &[], &Options::default()).unwrap();
    assert!(batch.answers.is_empty());
    assert_eq!(batch.statistics.total(), 0);
}

#[test]
fn progress_grows_to_the_total() {
    let scene = scene();
    for threads in [1, 2, 3] {
        let seen = Mutex::new(Vec::new());
        let progress = |step: Progress| seen.lock().unwrap().push(step);
        let options = Options {
            threads: Some(threads),
            chunk: Some(100),
            progress: Some(&progress),
            ..Options::default()
        };
        classify_many(scene.world(), &scene.pairs, &options).unwrap();
        let seen = seen.into_inner().unwrap();
        assert_eq!(seen.len(), 50);
        assert!(seen.windows(2).all(|w| w[0].done < w[1].done));
        assert_eq!(
            seen[49],
            Progress {
                done: 5000,
                total: 5000
            }
        );
    }
}

#[test]
fn a_cancelled_batch_says_so() {
    let scene = scene();
    for threads in [1, 2] {
        let cancel = AtomicBool::new(false);
        let progress = |step: Progress| {
            if step.done >= 1000 {
                cancel.store(true, Ordering::Relaxed);
            }
        };
        let options = Options {
            threads: Some(threads),
            chunk: Some(100),
            progress: Some(&progress),
            cancel: Some(&cancel),
            ..Options::default()
        };
        let mut answers = Vec::new();
        let Err(BatchError::Cancelled { done, total }) =
            contact_into(scene.world(), &scene.pairs, &options, &mut answers)
        else {
            panic!("not cancelled");
        };
        assert!(
            (1000..2000).contains(&done) && total == 5000,
            "{done} of {total}"
        );
        assert!(answers.is_empty());
    }
    // A flag that comes too late changes nothing.
    let cancel = AtomicBool::new(false);
    let progress = |step: Progress| cancel.store(step.done == step.total, Ordering::Relaxed);
    let options = Options {
        progress: Some(&progress),
        cancel: Some(&cancel),
        ..Options::default()
    };
    assert_eq!(
        classify_many(scene.world(), &scene.pairs, &options)
            .unwrap()
            .answers
            .len(),
        5000
    );
}

#[test]
fn a_wrong_index_is_named() {
    let mut scene = scene();
    let (shapes, poses) = (scene.shapes.len(), scene.poses.len());
    scene.pairs[17] = Pair::new((0, 0), (shapes as u32, 0));
    let error = classify_many(scene.world(), &scene.pairs, &Options::default()).unwrap_err();
    assert_eq!(
        error,
        BatchError::NoSuchShape {
            pair: 17,
            side: Side::B,
            shape: shapes as u32,
            count: shapes
        }
    );
    assert_eq!(
        error.to_string(),
        "pair 17, body B: shape 10000 of 10000 does not exist"
    );
    scene.pairs[16] = Pair::new((0, u32::MAX), (0, 0));
    let error = classify_many(scene.world(), &scene.pairs, &Options::default()).unwrap_err();
    assert_eq!(
        error,
        BatchError::NoSuchPose {
            pair: 16,
            side: Side::A,
            pose: u32::MAX,
            count: poses
        }
    );
}

#[test]
fn without_lanes_all_pairs_are_single() {
    let scene = scene();
    let off = Options {
        lanes: Lanes::Off,
        ..Options::default()
    };
    let batch = classify_many(scene.world(), &scene.pairs, &off).unwrap();
    assert_eq!(
        (batch.statistics.single, batch.statistics.by_lanes),
        (5000, 0)
    );
    assert_eq!(
        batch.answers,
        classify_many(scene.world(), &scene.pairs, &Options::default())
            .unwrap()
            .answers
    );
}

#[test]
fn a_pose_can_be_replaced() {
    let mut scene = scene();
    let pose = *scene.poses.get(3).unwrap();
    let before = contact_many(scene.world(), &scene.pairs, &Options::default()).unwrap();
    assert!(
        scene
            .poses
            .set(3, gjk::Pose::from_translation(Vec3::new(9.0, 9.0, 9.0)))
    );
    let moved = contact_many(scene.world(), &scene.pairs, &Options::default()).unwrap();
    assert_ne!(before.answers[1], moved.answers[1]);
    assert!(scene.poses.set(3, pose));
    assert_eq!(
        contact_many(scene.world(), &scene.pairs, &Options::default()).unwrap(),
        before
    );
    assert!(!scene.poses.set(1 << 30, pose));
}
