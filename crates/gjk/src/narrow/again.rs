//! The distance of two hulls on the facet of their last query: mostly it is the nearest again.
//!
//! Where it sits: `compiled.rs` asks it first where the caller keeps a cache. What it does not prove goes through all steps, which have the same answer, to the
//! last bit.
//! Idea: all of it is one function of one set of instructions, so that neither the posed bodies nor a simplex are written to memory.

use super::core_answer::{finish, separated};
use super::frame::{Frame, plain_in_world};
use super::proposal::search;
use super::steps::{Asked, suffices};
use crate::answer::Contact;
use crate::cache::Cache;
use crate::loops::facet::nearest_again;
use crate::loops::gjk::Goal;
use crate::math::Vector;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::simd::level;
use crate::support::Support;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::Simd;

/// The answer, where the cache's facet has it.
#[inline(always)]
pub(super) fn distance_again<V: Vector, S: Support<V> + ?Sized>(
    asked: &Asked<'_, V, S>,
) -> Option<Contact<V>> {
    let ids = asked.cache.as_deref().map_or(&[][..], Cache::ids);
    if ids.len() != V::DIM || asked.first.is_some() {
        return None;
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = level().as_avx2() {
        return avx2.vectorize(
            #[inline(always)]
            || measured(asked, ids),
        );
    }
    measured(asked, ids)
}

#[inline(always)]
fn measured<V: Vector, S: Support<V> + ?Sized>(
    asked: &Asked<'_, V, S>,
    ids: &[[u32; 2]],
) -> Option<Contact<V>> {
    let Asked { pair, request, .. } = asked;
    let cores = pair.cores();
    let difference = plain_in_world(pair, &cores)?;
    let frame = Frame::plain(&difference)?;
    let settings = search(request, &frame, &difference);
    if settings.goal != Goal::Distance || !difference.is_polytope() {
        return None;
    }
    let ending = nearest_again(&difference, ids, &settings)?;
    if !suffices(request, &frame, &difference, &ending) {
        return None;
    }
    let core = separated(&frame, &ending);
    Some(finish(&frame, &difference, core, true, &mut None))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test panics on purpose
mod tests {
    use super::super::steps::steps;
    use super::*;
    use crate::math::{Pose, Scalar, Vec2, Vec3};
    use crate::pair::Pair;
    use crate::query::Options;
    use crate::random::Random;
    use crate::request::Wanted;
    use crate::shape::{Polytope, Rounded, Shape};

    /// A pose whose first column is along a direction, up to a power of two.
    fn pose<V: Vector>(direction: V, place: V, power: i32) -> Pose<V> {
        let first = direction.normalized().unwrap();
        let across = V::axis(1) - first * first.component(1);
        let mut columns = V::identity();
        columns.as_mut()[0] = first;
        columns.as_mut()[1] = across.normalized().unwrap();
        if V::DIM == 3 {
            columns.as_mut()[2] = V::cross_product(first, columns.as_ref()[1]);
        }
        Pose::from_columns(columns, place).scaled_by_power(power)
    }

    fn body<V: Vector>(numbers: &mut Random) -> Shape<V> {
        let mut point = || V::from_f64(numbers.vector(V::DIM, 1.0));
        let points: alloc::vec::Vec<V> = (0..24).map(|_| point()).collect();
        let hull = Polytope::new(&points).unwrap();
        match numbers.below(3) {
            0 => Rounded::new(hull.into(), V::Scalar::from_f64(0.1))
                .unwrap()
                .into(),
            _ => hull.into(),
        }
    }

    /// Two bodies that move little by little: of how many steps the facet has the answer, which then is that of all steps.
    fn agreed<V: Vector>(numbers: &mut Random) -> usize {
        let (a, b): (Shape<V>, Shape<V>) = (body(numbers), body(numbers));
        let power = [0, 0, 40, -40][numbers.below(4)];
        let place = V::from_f64([1.5 + 2.0 * numbers.share(), 0.0, 0.0]);
        let pose_b = pose(V::from_f64([1.0, 0.3, 0.2]), place, power);
        let request = Options::<V::Scalar>::default().request(Wanted::Distance);
        let (mut cache, mut found) = (Cache::new(), 0);
        for step in 0..100 {
            let turn = V::from_f64([1.0, 0.01 * f64::from(step), 0.3]);
            let pose_a = pose(turn, V::ZERO, power);
            let (mut kept, mut certificates) = (cache, [None, None]);
            let [first, second] = &mut certificates;
            let pair = Pair::new(&a, &pose_a, &b, &pose_b);
            let question = |cache, certificate| Asked {
                pair,
                request: &request,
                first: None,
                cache: Some(cache),
                certificate,
            };
            let quick = distance_again(&question(&mut kept, first));
            let all = steps(&mut question(&mut cache, second), &mut ());
            if let Some(quick) = quick {
                found += 1;
                assert_eq!(quick, all, "{step}: {a:?} {b:?}");
                assert_eq!(kept.ids(), cache.ids());
            }
        }
        found
    }

    #[test]
    fn the_facet_and_all_steps_have_the_same_distances() {
        let mut numbers = Random(7);
        let tracks = 40;
        let mut found = [0; 4];
        for _ in 0..tracks {
            found[0] += agreed::<Vec3<f64>>(&mut numbers);
            found[1] += agreed::<Vec3<f32>>(&mut numbers);
            found[2] += agreed::<Vec2<f64>>(&mut numbers);
            found[3] += agreed::<Vec2<f32>>(&mut numbers);
        }
        // Where neither an edge nor a corner is nearest, and the bodies are apart.
        assert!(found.iter().all(|&n| n > 10 * tracks), "{found:?}");
    }
}
