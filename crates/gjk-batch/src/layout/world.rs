//! What a batch is over: shapes and poses by index, and pairs of both.
//!
//! Where it sits: the caller fills it; kernels see it as a [`WorldView`].

use super::poses::{LanePoses, Poses};
use super::shapes::{LaneShapes, Shapes};
use gjk::{Support, Vector};

/// One body of a pair: a shape at a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Body {
    /// Index into [`Shapes`].
    pub shape: u32,
    /// Index into [`Poses`].
    pub pose: u32,
}

/// Two bodies to compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Body A.
    pub a: Body,
    /// Body B.
    pub b: Body,
}

impl Pair {
    /// The pair of `(shape, pose)` and `(shape, pose)`.
    pub fn new((shape_a, pose_a): (u32, u32), (shape_b, pose_b): (u32, u32)) -> Self {
        Self {
            a: Body {
                shape: shape_a,
                pose: pose_a,
            },
            b: Body {
                shape: shape_b,
                pose: pose_b,
            },
        }
    }
}

/// Shapes and poses together: what pairs index.
#[derive(Debug)]
pub struct World<'w, V: Vector> {
    /// The shapes.
    pub shapes: &'w Shapes<V>,
    /// The poses.
    pub poses: &'w Poses<V>,
}

impl<V: Vector> Clone for World<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Vector> Copy for World<'_, V> {}

/// What the kernels see of a world: the same for every kind of vector, so that each is compiled once.
#[derive(Clone, Copy)]
pub(crate) struct WorldView<'w> {
    pub(crate) shapes: &'w LaneShapes,
    pub(crate) poses: &'w LanePoses,
    pub(crate) pairs: &'w [Pair],
    pub(crate) hulls: &'w dyn HullSearch,
}

impl LanePoses {
    /// The translations of a pair in space.
    #[inline]
    pub(crate) fn centers(&self, pair: &Pair) -> [[f64; 3]; 2] {
        [self.center(pair.a.pose), self.center(pair.b.pose)]
    }
}

/// Hulls too large to be scanned.
pub(crate) trait HullSearch: Sync {
    /// The vertex of a shape that computes highest along a direction of its own frame, as an id and a point. `hint` is a vertex
    /// not far from it, or any other number.
    fn highest(&self, shape: u32, direction: [f64; 3], hint: u32) -> (u32, [f64; 3]);
}

impl<V: Vector> HullSearch for Shapes<V> {
    fn highest(&self, shape: u32, direction: [f64; 3], hint: u32) -> (u32, [f64; 3]) {
        self.get(shape).map_or((hint, [0.0; 3]), |shape| {
            let found = shape.support(V::Wide::from_f64(direction), hint);
            (found.id, found.point.to_f64())
        })
    }
}
