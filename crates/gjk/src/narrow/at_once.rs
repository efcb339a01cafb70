//! The distance of two hulls in one function, where the loop's own bounds are all that is wanted.
//!
//! Where it sits: `compiled.rs` asks it before `steps.rs`, which goes on with what the loop proposes where that is not enough, and has the same answers to the
//! last bit. It tries the facet of the last query where the caller keeps a cache: of bodies that move little it mostly is the nearest again. Then, of hulls, it
//! runs the loop.
//! Idea: all of it is one function of one set of instructions, in which no other is handed a posed body, so that these need not be in memory.

use super::core_answer::{finish, separated};
use super::frame::{Frame, plain_in_world};
use super::proposal::{search, searched};
use super::steps::{Asked, suffices};
use crate::answer::Contact;
use crate::cache::Cache;
use crate::loops::facet::nearest_again;
use crate::loops::gjk::{Goal, Outcome};
use crate::math::Vector;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::simd::level;
use crate::support::Support;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::Simd;

/// Vertices of a body with closed forms of its own.
const FEW: u32 = 2;

/// The answer on the facet of a cache, where that is the nearest again.
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
            || on_facet(asked, ids),
        );
    }
    on_facet(asked, ids)
}

/// The same, for the instruction set that its caller is compiled for.
#[inline(always)]
fn on_facet<V: Vector, S: Support<V> + ?Sized>(
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

/// The answer on two hulls by the loop; else what the loop proposes is left, if it ran.
// Not one function with the facet: of both together the compiler keeps less in registers.
#[inline(always)]
pub(super) fn distance_of_hulls<V: Vector, S: Support<V> + ?Sized>(
    asked: &mut Asked<'_, V, S>,
    left: &mut Option<Outcome<V::Wide>>,
) -> Option<Contact<V>> {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = level().as_avx2() {
        return avx2.vectorize(
            #[inline(always)]
            || by_loop(asked, left),
        );
    }
    by_loop(asked, left)
}

/// The same, for the instruction set that its caller is compiled for.
#[inline(always)]
fn by_loop<V: Vector, S: Support<V> + ?Sized>(
    asked: &mut Asked<'_, V, S>,
    left: &mut Option<Outcome<V::Wide>>,
) -> Option<Contact<V>> {
    let Asked {
        pair,
        request,
        first,
        cache,
        ..
    } = asked;
    let cores = pair.cores();
    let difference = plain_in_world(pair, &cores)?;
    let frame = Frame::plain(&difference)?;
    let few = difference
        .a
        .vertex_count()?
        .min(difference.b.vertex_count()?)
        <= FEW;
    // The facets of a depth are tried before the loop.
    let has_depth = match cache {
        Some(cache) => !cache.facets.ids().is_empty(),
        None => false,
    };
    if few || has_depth {
        return None;
    }
    let ids = cache.as_deref().map_or(&[][..], Cache::ids);
    let outcome = searched(request, &frame, &difference, *first, ids, &mut ());
    let ending = outcome.ending();
    if !suffices(request, &frame, &difference, &ending) {
        *left = Some(outcome);
        return None;
    }
    if let Some(cache) = cache {
        cache.keep(outcome.simplex.pairs().iter().map(|pair| pair.ids));
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

    /// Two bodies that move little by little: of how many steps the answer is had at once, which then is that of all steps.
    fn agreed<V: Vector>(numbers: &mut Random, by_loop: bool) -> usize {
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
            let mut question_at_once = question(&mut kept, first);
            let quick = if by_loop {
                distance_of_hulls(&mut question_at_once, &mut None)
            } else {
                distance_again(&question_at_once)
            };
            let all = steps(&mut question(&mut cache, second), None, &mut ());
            if let Some(quick) = quick {
                found += 1;
                assert_eq!(quick, all, "{step}: {a:?} {b:?}");
                assert_eq!(kept.ids(), cache.ids());
            }
        }
        found
    }

    /// Of pairs in either dimension and scalar, in so many tracks of a hundred steps.
    fn found(tracks: usize, by_loop: bool) -> [usize; 4] {
        let mut numbers = Random(7);
        let mut found = [0; 4];
        for _ in 0..tracks {
            found[0] += agreed::<Vec3<f64>>(&mut numbers, by_loop);
            found[1] += agreed::<Vec3<f32>>(&mut numbers, by_loop);
            found[2] += agreed::<Vec2<f64>>(&mut numbers, by_loop);
            found[3] += agreed::<Vec2<f32>>(&mut numbers, by_loop);
        }
        found
    }

    #[test]
    fn what_is_answered_at_once_is_what_all_steps_answer() {
        let tracks = 40;
        // Where neither an edge nor a corner is nearest, and the bodies are apart.
        let facets = found(tracks, false);
        assert!(facets.iter().all(|&n| n > 10 * tracks), "{facets:?}");
        // Where they are apart.
        let all = found(tracks, true);
        assert!(all.iter().all(|&n| n > 50 * tracks), "{all:?}");
    }
}
