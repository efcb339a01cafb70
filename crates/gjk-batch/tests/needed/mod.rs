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
use crate::{Answer, Body, Lanes, Options, Pair, classify_many, contact_many, distance_many};
use gjk::query::{self, Contact, Verdict};
use gjk::{Vec2, Vec3};
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

/// A scene, with what no bound of the lanes changes.
struct Judged<V: Space> {
    scene: Scene<V>,
    /// The single queries.
    truth: Vec<Contact<V>>,
    /// The batch without lanes.
    off: Vec<Answer<V>>,
}

/// On one thread, by lanes or without.
fn options(lanes: Lanes) -> Options<'static> {
    Options {
        threads: Some(1),
        lanes,
        ..Options::default()
    }
}

impl<V: Space> Judged<V> {
    fn new(scene: Scene<V>) -> Self {
        let tight = query::Options::tight();
        let single = |pair: &Pair| {
            let body = |body: Body| (scene.shapes.get(body.shape), scene.poses.get(body.pose));
            let ((Some(a), Some(at)), (Some(b), Some(to))) = (body(pair.a), body(pair.b)) else {
                panic!("the scene has the bodies of its pairs");
            };
            query::contact(a, at, b, to, &tight)
        };
        let truth = scene.pairs.iter().map(single).collect();
        let off = contact_many(scene.world(), &scene.pairs, &options(Lanes::Off));
        let off = off.unwrap().answers;
        Self { scene, truth, off }
    }

    /// Pairs whose verdict or interval contradicts the single query, or whose interval misses what is true of round bodies.
    fn wrong(&self) -> usize {
        let (scene, options) = (&self.scene, options(Lanes::Widest));
        let (world, pairs) = (scene.world(), &scene.pairs);
        let verdicts = classify_many(world, pairs, &options).unwrap().answers;
        let distances = distance_many(world, pairs, &options).unwrap().answers;
        let contacts = contact_many(world, pairs, &options).unwrap().answers;
        let is_wrong = |k: usize| {
            let truth = &self.truth[k];
            let disjoint = |x: query::Interval<V::Scalar>| !x.overlaps(&truth.signed_distance);
            [verdicts[k], distances[k].verdict, contacts[k].verdict] != [truth.verdict; 3]
                || disjoint(contacts[k].interval)
                || double::misses(scene, pairs[k], &contacts[k], &self.off[k])
                || (truth.verdict == Verdict::Separated && disjoint(distances[k].interval))
        };
        let wrong: Vec<usize> = (0..pairs.len()).filter(|&k| is_wrong(k)).collect();
        if ZERO.load(Ordering::Relaxed) == 0 && !wrong.is_empty() {
            let (k, name, count) = (wrong[0], &scene.name, wrong.len());
            panic!(
                "{name} pair {k} of {count}: {:?} {:?}",
                contacts[k], distances[k]
            );
        }
        wrong.len()
    }
}

/// Unoptimised lanes are some fifty times slower: a third of the pairs still needs every bound.
const SHARE: usize = if cfg!(debug_assertions) { 3 } else { 1 };

#[test]
fn bounds_are_needed() {
    fn all<V: Space>() -> Vec<Judged<V>> {
        let hulls = [
            scenes::kissing(3000 / SHARE),
            scenes::far(1500 / SHARE),
            scenes::kissing_far(1500 / SHARE),
            scenes::kissing_large(500 / SHARE),
        ];
        let round = [
            scenes::kissing_round(3000 / SHARE),
            scenes::round_grid(1500 / SHARE),
        ];
        hulls.into_iter().chain(round).map(Judged::new).collect()
    }
    let (space, plane) = (all::<Vec3<f64>>(), all::<Vec2<f64>>());
    let rods = Judged::<Vec3<f64>>::new(scenes::rods(500 / SHARE));
    let count = || {
        space.iter().map(Judged::wrong).sum::<usize>()
            + plane.iter().map(Judged::wrong).sum::<usize>()
            + rods.wrong()
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
