//! What stays with a caller from one manifold of a pair to the next: values of points, and the plan of two boxes.

use super::answer::Manifold;
use super::box_plan::BoxPlan;
use crate::math::Vector;
use alloc::vec::Vec;

/// What the caller keeps for each point of a pair's manifold: impulses, for instance.
///
/// It knows points by their ids alone. [`crate::query::manifold_warm`] keeps in it what it may use again, too. It changes no answer of a query.
/// # Examples
/// ```
/// use gjk::{Pose, Vec3, query::{self, ManifoldCache}, shape::Cuboid};
/// let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
/// let at = |x, z| Pose::from_translation(Vec3::new(x, 0.5, z));
/// let ask = |pose| query::manifold(&cube, &Pose::identity(), &cube, &pose, &Default::default());
/// let mut impulses = ManifoldCache::default();
/// assert_eq!(impulses.matched(&ask(at(0.25, 1.99)), || 0.0).to_vec(), [0.0; 4]);
/// impulses.values_mut().copy_from_slice(&[1.0, 2.0, 3.0, 4.0]);
/// assert_eq!(impulses.matched(&ask(at(0.26, 1.98)), || 0.0).to_vec(), [1.0, 2.0, 3.0, 4.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ManifoldCache<T> {
    ids: Vec<u64>,
    values: Vec<T>,
    pub(super) plan: BoxPlan,
}

impl<T> Default for ManifoldCache<T> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            values: Vec::new(),
            plan: BoxPlan::default(),
        }
    }
}

impl<T> ManifoldCache<T> {
    /// The values of the points of a manifold, in their order: those of points that were there before, and new ones. All others are dropped.
    pub fn matched<V: Vector>(
        &mut self,
        manifold: &Manifold<V>,
        mut new: impl FnMut() -> T,
    ) -> &mut [T] {
        if self
            .ids
            .iter()
            .eq(manifold.points.iter().map(|point| &point.id))
        {
            return &mut self.values;
        }
        let mut old: Vec<Option<T>> = core::mem::take(&mut self.values)
            .into_iter()
            .map(Some)
            .collect();
        for point in &manifold.points {
            let at = self.ids.iter().position(|&id| id == point.id);
            let value = at.and_then(|at| old[at].take());
            self.values.push(value.unwrap_or_else(&mut new));
        }
        self.ids.clear();
        self.ids
            .extend(manifold.points.iter().map(|point| point.id));
        &mut self.values
    }

    /// The values in the order of the last manifold's points.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The same, to be changed.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The ids of the points that the values belong to.
    pub fn ids(&self) -> &[u64] {
        &self.ids
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test panics on purpose
mod tests {
    use super::*;
    use crate::query::{ManifoldOptions, manifold, manifold_warm};
    use crate::shape::Cuboid;
    use crate::{Pose, Pose3, Vec3};

    /// A plan is used as long as it holds: ids that were changed in it come out. Where other corners bear they are not.
    #[test]
    fn a_plan_is_used_while_it_holds() {
        let cube = Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap();
        let (here, options) = (Pose::identity(), ManifoldOptions::default());
        let at = |x: f64| Pose3::from_translation(Vec3::new(x, 0.5, 1.99));
        let mut cache = ManifoldCache::<u8>::default();
        manifold_warm(&cube, &here, &cube, &at(0.25), &options, &mut cache);
        cache.plan.mark_ids();
        let found = manifold_warm(&cube, &here, &cube, &at(0.26), &options, &mut cache);
        assert!(found.points.iter().all(|point| point.id < 8), "{found:?}");
        let found = manifold_warm(&cube, &here, &cube, &at(-0.25), &options, &mut cache);
        assert_eq!(found, manifold(&cube, &here, &cube, &at(-0.25), &options));
    }
}
