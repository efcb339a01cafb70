//! Rows of contact manifolds from step to step: what stays of each row, and which point was which.
//!
//! Where it sits: beside `manifolds.rs`, whose columns these rows have.

use super::each::{both_placed, each};
use super::manifolds::ManifoldColumns;
use super::{BodyRows, RowError};
use crate::answer::Statistics;
use crate::error::BatchError;
use crate::layout::shapes::Shapes;
use crate::options::Options;
use gjk::Vector;
use gjk::query::{ManifoldCache, ManifoldOptions, manifold_warm};
use std::sync::{Mutex, PoisonError};

/// In the place of a point's number in the step before: it was not there.
pub const NEW_POINT: u32 = u32::MAX;

/// What stays of each row from one call of [`ask_manifolds_warm`] to the next: the row's points, and what its query may use again. Row `k` of a call goes on from row `k`
/// of the one before, whatever its bodies are: a cache changes no answer.
#[derive(Debug, Default)]
pub struct RowCaches(Vec<Mutex<ManifoldCache<u32>>>);

impl RowCaches {
    /// How many rows the last call had.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Of each point of a row in the last call: its number among the row's points in the call before, or [`NEW_POINT`].
    pub fn before(&mut self, row: usize) -> &[u32] {
        let cache = self.0.get_mut(row).map(Mutex::get_mut);
        cache.map_or(&[], |cache| {
            cache.unwrap_or_else(PoisonError::into_inner).values()
        })
    }
}

/// The contact manifold of each row, as [`super::ask_manifolds`] has it to the last bit, with what stayed of the rows of the last call. Of a row that is wrong nothing stays.
///
/// # Errors  those of [`super::ask`].
/// # Complexity  that of a single query a row, over all threads.
pub fn ask_manifolds_warm<V: Vector, B: BodyRows<V> + ?Sized>(
    shapes: &Shapes<V>,
    bodies: [&B; 2],
    asked: &ManifoldOptions<V::Scalar>,
    options: &Options<'_>,
    columns: ManifoldColumns<'_, V>,
    caches: &mut RowCaches,
) -> Result<(Statistics, Vec<RowError>), BatchError> {
    caches.0.resize_with(columns.verdicts.len(), Mutex::default);
    let rows = &caches.0;
    let done = each::<V, _>(columns, options, |row| {
        // No other thread has this row.
        let mut cache = rows[row].lock().unwrap_or_else(PoisonError::into_inner);
        let [a, b] =
            both_placed(shapes, bodies, row).inspect_err(|_| *cache = ManifoldCache::default())?;
        for (value, number) in cache.values_mut().iter_mut().zip(0..) {
            *value = number;
        }
        let found = manifold_warm(a.shape, &a.pose, b.shape, &b.pose, asked, &mut cache);
        cache.matched(&found, || NEW_POINT);
        Ok(found)
    });
    if done.is_err() {
        // Some rows are of this call and some of the one before.
        caches.0.clear();
    }
    done
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test panics on purpose
mod tests {
    use super::*;
    use crate::rows::{NamedPoint, RowFault, WRONG_ROW, ask_manifolds};
    use gjk::shape::Cuboid;
    use gjk::{Pose3, Vec3};

    type V = Vec3<f64>;
    type Found = (Vec<u8>, Vec<f64>, Vec<Vec<NamedPoint<V>>>);

    /// A cube on another at these places: wrong where one is no number.
    fn ask(at: &[[f64; 3]], caches: Option<&mut RowCaches>) -> Found {
        let mut shapes = Shapes::<V>::new();
        let cube = shapes.push(Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap());
        let body = |row: usize, lifted: f64| -> Result<(u32, Pose3<f64>), RowFault> {
            let (shape, count) = (7, 1);
            let place = V::from(at[row].map(|x| x * lifted));
            if place.is_finite() {
                Ok((cube, Pose3::from_translation(place)))
            } else {
                Err(RowFault::NoSuchShape { shape, count })
            }
        };
        let (a, b) = (|row| body(row, 0.0), |row| body(row, 1.0));
        let bodies: [&dyn BodyRows<V>; 2] = [&a, &b];
        let rows = at.len();
        let (mut verdicts, mut kinds) = (vec![0; rows], vec![0; rows]);
        let (mut exact, mut complete) = (vec![false; rows], vec![false; rows]);
        let [mut lower, mut upper, mut areas] = [0; 3].map(|_| vec![0.0; rows]);
        let (mut normals, mut points) = (vec![0.0; 3 * rows], vec![Vec::new(); rows]);
        let columns = ManifoldColumns {
            verdicts: &mut verdicts,
            exact: &mut exact,
            signed_distances: [&mut lower, &mut upper],
            normals: &mut normals,
            kinds: &mut kinds,
            areas: &mut areas,
            complete: &mut complete,
            points: &mut points,
        };
        let (asked, options) = (ManifoldOptions::default(), Options::default());
        match caches {
            Some(caches) => ask_manifolds_warm(&shapes, bodies, &asked, &options, columns, caches),
            None => ask_manifolds(&shapes, bodies, &asked, &options, columns),
        }
        .unwrap();
        (verdicts, areas, points)
    }

    /// The answers are the cold ones; a point that is still there is known by its number, and one of a row that was wrong, or of corners that others meet, is new.
    #[test]
    fn warm_rows_are_cold_rows_and_know_their_points() {
        let mut caches = RowCaches::default();
        let there = [[0.25, 0.5, 1.99], [0.25, 0.5, 1.99], [0.25, 0.5, 1.99]];
        let then = [[0.26, 0.51, 1.98], [f64::NAN; 3], [0.25, -0.5, 1.99]];
        for (at, known) in [(there, [0; 3]), (then, [4, 0, 0]), (there, [4, 0, 0])] {
            let warm = ask(&at, Some(&mut caches));
            assert_eq!((caches.len(), caches.is_empty()), (3, false));
            let cold = ask(&at, None);
            assert_eq!((&warm.0, &warm.2), (&cold.0, &cold.2));
            for (row, known) in known.into_iter().enumerate() {
                let is_wrong = warm.0[row] == WRONG_ROW;
                let before = caches.before(row);
                assert_eq!(before.len(), if is_wrong { 0 } else { 4 });
                let old = before.iter().filter(|&&number| number != NEW_POINT);
                assert_eq!(old.count(), known, "row {row} of {at:?}: {before:?}");
            }
        }
        assert_eq!(caches.before(0), [0, 1, 2, 3]);
        assert_eq!(caches.before(9), []);
        ask(&there[..1], Some(&mut caches));
        assert_eq!(caches.len(), 1);
    }
}
