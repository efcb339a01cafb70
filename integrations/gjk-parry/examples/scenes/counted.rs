//! A dispatcher that counts what another does.
//!
//! Idea: before and after each manifold the points are compared. A point that has no impulse to start from, where one nearby had
//! one before, has lost its warm start.

use rapier3d::geometry::{ContactData, ContactManifold, ContactManifoldData};
use rapier3d::math::{Pose, Real, Vector};
use rapier3d::parry::query::details::NormalConstraints;
use rapier3d::parry::query::{
    ClosestPoints, Contact, ContactManifoldsWorkspace, NonlinearRigidMotion,
    PersistentQueryDispatcher, QueryDispatcher, ShapeCastHit, ShapeCastOptions, ShapeDistance,
    ShapeIntersection, TrackedContact, Unsupported,
};
use rapier3d::parry::shape::Shape;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// A point is where another was if both of its ends are within this, in metres.
const NEAR: Real = 0.01;

/// What is counted over a run.
#[derive(Debug, Default)]
pub(super) struct Counts([AtomicU64; 4]);

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    /// Pairs of colliders that were asked for.
    pub(crate) pairs: u64,
    /// Points that had an impulse, and are still there.
    pub(crate) carried: u64,
    /// Of these, those that begin without one.
    pub(crate) lost: u64,
    /// Nanoseconds within the dispatcher.
    pub(crate) nanoseconds: u64,
}

impl Counts {
    fn add(&self, more: Totals) {
        let more = [more.pairs, more.carried, more.lost, more.nanoseconds];
        for (count, more) in self.0.iter().zip(more) {
            count.fetch_add(more, Relaxed);
        }
    }

    pub(super) fn totals(&self) -> Totals {
        let [pairs, carried, lost, nanoseconds] = self.0.each_ref().map(|x| x.load(Relaxed));
        Totals {
            pairs,
            carried,
            lost,
            nanoseconds,
        }
    }
}

/// The dispatcher that counts.
pub(super) struct Counted<D> {
    inner: D,
    counts: Arc<Counts>,
}

impl<D> Counted<D> {
    pub(super) fn new(inner: D, counts: &Arc<Counts>) -> Self {
        let counts = Arc::clone(counts);
        Self { inner, counts }
    }
}

type Manifold = ContactManifold;

/// Points with an impulse: the parts of their manifold, and both ends.
fn loaded(manifolds: &[Manifold]) -> Vec<([u32; 2], [Vector; 2])> {
    let of_one = |m: &Manifold| {
        let parts = [m.subshape1, m.subshape2];
        let has_impulse = |p: &&TrackedContact<ContactData>| p.data.warmstart_impulse > 0.0;
        let ends = move |p: &TrackedContact<ContactData>| (parts, [p.local_p1, p.local_p2]);
        m.points
            .iter()
            .filter(has_impulse)
            .map(ends)
            .collect::<Vec<_>>()
    };
    manifolds.iter().flat_map(of_one).collect()
}

/// How many of the points were there before with an impulse, and how many of these have none.
fn carried(before: &[([u32; 2], [Vector; 2])], manifolds: &[Manifold]) -> [u64; 2] {
    let mut found = [0, 0];
    for manifold in manifolds {
        let parts = [manifold.subshape1, manifold.subshape2];
        for point in &manifold.points {
            let is_there = |(old, [p1, p2]): &([u32; 2], [Vector; 2])| {
                *old == parts
                    && p1.distance(point.local_p1) < NEAR
                    && p2.distance(point.local_p2) < NEAR
            };
            if before.iter().any(is_there) {
                found[0] += 1;
                found[1] += u64::from(point.data.warmstart_impulse == 0.0);
            }
        }
    }
    found
}

impl<D> PersistentQueryDispatcher<ContactManifoldData, ContactData> for Counted<D>
where
    D: PersistentQueryDispatcher<ContactManifoldData, ContactData>,
{
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: Real,
        manifolds: &mut Vec<Manifold>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        let before = loaded(manifolds);
        let begin = Instant::now();
        let answer = self
            .inner
            .contact_manifolds(pos12, g1, g2, prediction, manifolds, workspace);
        let nanoseconds = begin.elapsed().as_nanos() as u64;
        let [carried, lost] = carried(&before, manifolds);
        self.counts.add(Totals {
            pairs: 1,
            carried,
            lost,
            nanoseconds,
        });
        answer
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        normal_constraints1: Option<&dyn NormalConstraints>,
        normal_constraints2: Option<&dyn NormalConstraints>,
        prediction: Real,
        manifold: &mut Manifold,
    ) -> Result<(), Unsupported> {
        let (rule1, rule2) = (normal_constraints1, normal_constraints2);
        self.inner
            .contact_manifold_convex_convex(pos12, g1, g2, rule1, rule2, prediction, manifold)
    }
}

/// What is not counted is passed on.
macro_rules! passed_on {
    ($($name:ident($($arg:ident: $type:ty),*) -> $answer:ty;)*) => {
        impl<D: QueryDispatcher> QueryDispatcher for Counted<D> {
            $(fn $name(&self, $($arg: $type),*) -> Result<$answer, Unsupported> {
                self.inner.$name($($arg),*)
            })*
        }
    };
}
passed_on! {
    intersection_test(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape) -> ShapeIntersection;
    distance(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape) -> ShapeDistance;
    contact(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape, prediction: Real) -> Option<Contact>;
    closest_points(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape, max_dist: Real) -> ClosestPoints;
    cast_shapes(
        pos12: &Pose, velocity: Vector, g1: &dyn Shape, g2: &dyn Shape, options: ShapeCastOptions
    ) -> Option<ShapeCastHit>;
    cast_shapes_nonlinear(
        motion1: &NonlinearRigidMotion, g1: &dyn Shape, motion2: &NonlinearRigidMotion, g2: &dyn Shape,
        start_time: Real, end_time: Real, stop_at_penetration: bool
    ) -> Option<ShapeCastHit>;
}
