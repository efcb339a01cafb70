//! One pair as a single query: what the lanes leave over.

use crate::answer::Answer;
use crate::layout::world::{Pair, World};
use gjk::query::{self, Options, Verdict};
use gjk::shape::Shape;
use gjk::{Pose, Vector};

type Bodies<'w, V> = (&'w Shape<V>, &'w Pose<V>, &'w Shape<V>, &'w Pose<V>);

/// The pair's bodies. The batch has checked the indices, so there always are such.
fn bodies<'w, V: Vector>(world: World<'w, V>, pair: Pair) -> Option<Bodies<'w, V>> {
    let (shapes, poses) = (world.shapes, world.poses);
    Some((
        shapes.get(pair.a.shape)?,
        poses.get(pair.a.pose)?,
        shapes.get(pair.b.shape)?,
        poses.get(pair.b.pose)?,
    ))
}

pub(crate) fn verdict<V: Vector>(world: World<'_, V>, pair: Pair) -> Verdict {
    bodies(world, pair).map_or(Verdict::Undecided, |(a, at, b, to)| {
        query::intersects(a, at, b, to, &Options::default()).verdict
    })
}

pub(crate) fn distance<V: Vector>(world: World<'_, V>, pair: Pair) -> Answer<V> {
    bodies(world, pair).map_or(Answer::default(), |(a, at, b, to)| {
        let found = query::distance(a, at, b, to, &Options::default());
        Answer {
            verdict: found.verdict,
            interval: found.distance,
            normal: found.normal,
            point_a: found.point_a,
            point_b: found.point_b,
        }
    })
}

pub(crate) fn contact<V: Vector>(world: World<'_, V>, pair: Pair) -> Answer<V> {
    bodies(world, pair).map_or(Answer::default(), |(a, at, b, to)| {
        let found = query::contact(a, at, b, to, &Options::default());
        Answer {
            verdict: found.verdict,
            interval: found.signed_distance,
            normal: found.normal,
            point_a: found.point_a,
            point_b: found.point_b,
        }
    })
}
