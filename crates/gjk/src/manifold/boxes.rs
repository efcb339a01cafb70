//! Two boxes in space whose faces bear on each other, in corners that are clear of each other's sides: nearly every manifold of boxes at rest.
//!
//! Where it sits: `solve.rs` asks it before it places bodies of any kind. What is not clear is left to the search there, which has the same answer.
//! Idea: the faces are those whose normals are nearest to the direction (`cuboid.rs`). Four corners are a row of numbers, and their signs against a side of
//! the other face are bits (`box_face.rs`, `box_corners.rs`). Which corners there are stays for a while: `box_plan.rs` has the proof.

use super::answer::{Manifold, ManifoldKind};
use super::box_corners::{BoxMeeting, BoxRecipes, ClearBits};
use super::box_face::{BearingBox, BoxFace};
use super::box_plan::BoxPlan;
use super::chosen::{CornerFrame, Normal, near_limit};
use super::few::{ChoiceTerms, CornerLanes, FewKept, chosen};
use super::measures::Measures;
use super::options::ManifoldOptions;
use super::view::{View, larger};
use crate::math::triple::Triple;
use crate::math::{Pose, Vector};
use crate::simd::level;
use crate::support::Core;
use fearless_simd::{Simd, dispatch, prelude::*};

/// [`fill_on`] with instructions that this machine has: the same operations, hence the same bits.
#[inline(never)]
pub(super) fn fill<V: Vector>(
    manifold: &mut Manifold<V>,
    cores: [&Core<'_, V>; 2],
    poses: [&Pose<V>; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
    plan: Option<&mut BoxPlan>,
) -> Option<()> {
    dispatch!(level(), simd => fill_on(simd, manifold, (cores, poses), along, options, plan))
}

/// Writes the points of two faces; `None`, and nothing written, where it is not clear that there are such.
// Nothing that is compiled for the baseline is called here: going there and back costs more than it does.
#[inline(always)]
fn fill_on<S: Simd, V: Vector>(
    simd: S,
    manifold: &mut Manifold<V>,
    (cores, poses): ([&Core<'_, V>; 2], [&Pose<V>; 2]),
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
    mut plan: Option<&mut BoxPlan>,
) -> Option<()> {
    let a = BearingBox::new(cores[0], poses[0])?;
    let b = BearingBox::new(cores[1], poses[1])?;
    let contact = &manifold.contact;
    let witness = [contact.point_a.to_f64(), contact.point_b.to_f64()];
    let mut largest = larger(a.largest, b.largest);
    for x in witness.as_flattened() {
        largest = larger(largest, x.abs());
    }
    let measures = Measures::new(largest, contact, options);
    if measures.exponent != 0 {
        return None;
    }
    let view = View::new(3, along, witness[0]);
    let a = BoxFace::new(simd, &a, &view, false, &measures)?;
    let b = BoxFace::new(simd, &b, &view, true, &measures)?;
    let recipes = recipes(simd, [&a, &b], measures.band, plan.as_deref_mut())?;
    let met = BoxMeeting::new(simd, [&a, &b], &view, &recipes);
    let off = a.off + b.off + measures.rounding;
    let limits = [measures.distance[1] + off, near_limit(options), off];
    let corners = met.lanes(simd);
    let mut kept = FewKept::default();
    choose(
        simd,
        &met,
        &corners,
        limits,
        options.points_most(),
        &mut kept,
    )?;
    let frame = CornerFrame {
        along,
        exchanged: met.is_exchanged(),
        off,
        exponent: 0,
        normal: Normal::OfContact,
    };
    manifold.kind = ManifoldKind::FaceFace;
    manifold.face_a.be_ring(met.rings[0]);
    manifold.face_b.be_ring(met.rings[1]);
    let corner = |n: usize| {
        let features = met.recipes.features(n, &met.ids);
        (met.point_a(n), met.separation(n), features)
    };
    frame.take_few(manifold, &kept, corner, plan);
    Some(())
}

/// Which corners two faces have in common, by the plan if there is one; `None` where it is not clear.
#[inline(always)]
fn recipes<S: Simd>(
    simd: S,
    [a, b]: [&BoxFace<S>; 2],
    band: f64,
    plan: Option<&mut BoxPlan>,
) -> Option<BoxRecipes> {
    let ids = [a.ids, b.ids];
    let signs = [a.signs(simd, b, band), b.signs(simd, a, band)];
    match plan {
        Some(plan) if plan.holds(&ids, &signs) => Some(plan.recipes),
        plan => {
            let recipes = BoxRecipes::new(&ClearBits::new(&signs)?)?;
            if let Some(plan) = plan {
                plan.remember(ids, signs, recipes);
            }
            Some(recipes)
        }
    }
}

/// Keeps at most so many of the corners that are no farther apart than the second limit; `None` where none is within the first.
#[inline(always)]
fn choose<S: Simd>(
    simd: S,
    met: &BoxMeeting,
    corners: &CornerLanes<S>,
    [deepest, near, off]: [f64; 3],
    most: usize,
    kept: &mut FewKept,
) -> Option<()> {
    let count = met.recipes.count();
    let there = (1 << count) - 1;
    let within = corners.separation.simd_le(deepest).to_bitmask() as u32;
    if within & there == 0 {
        return None;
    }
    let near = (corners.separation - off).simd_le(near);
    let choice = ChoiceTerms {
        count,
        near: near.to_bitmask() as u32 & there,
        must_be: true,
        most,
        off,
    };
    let exchanged = met.is_exchanged();
    let features = |n: usize| {
        let [a, b] = met.recipes.features(n, &met.ids);
        if exchanged { [b, a] } else { [a, b] }
    };
    chosen(simd, corners, &choice, &features, kept)
}
