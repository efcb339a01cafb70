//! Every rounding bound of the lanes is needed: without it some answer is wrong.
//!
//! Compiled into the library's own tests, where a bound can be set to zero while it runs.
#![allow(clippy::unwrap_used)] // tests

#[allow(dead_code)] // every test binary uses its own part
#[path = "../batch/double.rs"]
mod double;
#[path = "../../../gjk/tests/oracle/mod.rs"]
mod oracle;
#[allow(dead_code)] // as above
#[path = "../batch/scenes.rs"]
mod scenes;

use super::RoundingBound;
use crate::{Lanes, Options, classify_many, contact_many, distance_many};
use gjk::query::{self, Verdict};
use gjk::{Vec2, Vec3, Vector};
use scenes::{Scene, Space};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bound that is zero, plus one.
static ZERO: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn bound(which: RoundingBound, value: f64) -> f64 {
    if ZERO.load(Ordering::Relaxed) == which as usize + 1 {
        0.0
    } else {
        value
    }
}

/// Pairs whose verdict or interval contradicts the single query, or whose interval misses what is true of round bodies.
fn wrong<V: Space>(scene: &Scene<V>) -> usize {
    let options = Options {
        threads: Some(1),
        ..Options::default()
    };
    let off = contact_many(
        scene.world(),
        &scene.pairs,
        &Options {
            lanes: Lanes::Off,
            ..options
        },
    )
    .unwrap()
    .answers;
    let verdicts = classify_many(scene.world(), &scene.pairs, &options)
        .unwrap()
        .answers;
    let distances = distance_many(scene.world(), &scene.pairs, &options)
        .unwrap()
        .answers;
    let contacts = contact_many(scene.world(), &scene.pairs, &options)
        .unwrap()
        .answers;
    let is_wrong = |k: usize| {
        let pair = scene.pairs[k];
        let (a, b) = (
            scene.shapes.get(pair.a.shape).unwrap(),
            scene.shapes.get(pair.b.shape).unwrap(),
        );
        let (at, to) = (
            scene.poses.get(pair.a.pose).unwrap(),
            scene.poses.get(pair.b.pose).unwrap(),
        );
        let truth = query::contact(a, at, b, to, &Default::default());
        let apart = |x: query::Interval<V::Scalar>| {
            x.lower > truth.signed_distance.upper || x.upper < truth.signed_distance.lower
        };
        [verdicts[k], distances[k].verdict, contacts[k].verdict] != [truth.verdict; 3]
            || apart(contacts[k].interval)
            || double::misses(scene, pair, &contacts[k], &off[k])
            || (truth.verdict == Verdict::Separated && apart(distances[k].interval))
    };
    let wrong: Vec<usize> = (0..scene.pairs.len()).filter(|&k| is_wrong(k)).collect();
    if ZERO.load(Ordering::Relaxed) == 0 && !wrong.is_empty() {
        let k = wrong[0];
        panic!(
            "{} pair {k} of {}: {:?} {:?}",
            scene.name,
            wrong.len(),
            contacts[k],
            distances[k]
        );
    }
    wrong.len()
}

#[test]
fn bounds_are_needed() {
    fn all<V: Vector + Space>() -> Vec<Scene<V>> {
        let hulls = [
            scenes::kissing(3000),
            scenes::far(1500),
            scenes::kissing_far(1500),
            scenes::kissing_large(500),
        ];
        let round = [scenes::kissing_round(3000), scenes::round_grid(1500)];
        hulls.into_iter().chain(round).collect()
    }
    let (space, plane, rods) = (all::<Vec3<f64>>(), all::<Vec2<f64>>(), scenes::rods(500));
    let count = || {
        space.iter().map(wrong).sum::<usize>()
            + plane.iter().map(wrong).sum::<usize>()
            + wrong::<Vec3<f64>>(&rods)
    };
    assert_eq!(count(), 0, "with all bounds");
    let boxes = [
        RoundingBound::Axes,
        RoundingBound::Parallel,
        RoundingBound::Deep,
    ];
    let walks = [
        RoundingBound::Lower,
        RoundingBound::Upper,
        RoundingBound::Encloses,
    ];
    let closed = [
        RoundingBound::Planar,
        RoundingBound::Cores,
        RoundingBound::Facets,
    ];
    let every = boxes.into_iter().chain(walks).chain(closed);
    let mut idle = Vec::new();
    for which in every {
        ZERO.store(which as usize + 1, Ordering::Relaxed);
        let wrong = count();
        if wrong == 0 {
            idle.push(which);
        }
    }
    ZERO.store(0, Ordering::Relaxed);
    assert!(idle.is_empty(), "no test fails without {idle:?}");
}
