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
use super::few::{ChoiceTerms, chosen};
use super::measures::Measures;
use super::options::ManifoldOptions;
use super::view::{View, larger};
use crate::math::triple::Triple;
use crate::math::{Pose, Vector};
use crate::simd::level;
use crate::support::Core;
use fearless_simd::{Simd, dispatch, prelude::*};

/// What the boxes meet by.
struct BoxTerms<'t> {
    view: &'t View,
    measures: &'t Measures,
    /// See [`near_limit`].
    near: f64,
    /// So many points at most.
    most: usize,
}

/// Writes the points of two faces; `None`, and nothing written, where it is not clear that there are such.
#[inline(always)]
pub(super) fn fill<V: Vector>(
    manifold: &mut Manifold<V>,
    cores: [&Core<'_, V>; 2],
    poses: [&Pose<V>; 2],
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
    let terms = BoxTerms {
        view: &View::new(3, along, witness[0]),
        measures: &measures,
        near: near_limit(options),
        most: options.points_most(),
    };
    let mut met = BoxMeeting::empty();
    with_simd(&mut met, [&a, &b], &terms, plan.as_deref_mut())?;
    let frame = CornerFrame {
        along,
        exchanged: met.is_exchanged(),
        off: met.off,
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
    frame.take_few(manifold, &met.kept, corner, plan);
    Some(())
}

/// [`meet`] with instructions that this machine has: the same operations, hence the same bits.
#[inline(never)]
fn with_simd(
    met: &mut BoxMeeting,
    bodies: [&BearingBox; 2],
    terms: &BoxTerms<'_>,
    plan: Option<&mut BoxPlan>,
) -> Option<()> {
    dispatch!(level(), simd => meet(simd, met, bodies, terms, plan))
}

/// Finds the corners that two faces have in common, by the plan if there is one, and those that are kept.
// Nothing that is compiled for the baseline is called here: going there and back costs more than it does.
#[inline(always)]
fn meet<S: Simd>(
    simd: S,
    met: &mut BoxMeeting,
    [a, b]: [&BearingBox; 2],
    terms: &BoxTerms<'_>,
    plan: Option<&mut BoxPlan>,
) -> Option<()> {
    let (view, measures) = (terms.view, terms.measures);
    let a = BoxFace::new(simd, &a.corners(simd), view, false, measures)?;
    let b = BoxFace::new(simd, &b.corners(simd), view, true, measures)?;
    let band = measures.band;
    let (ids, signs) = (
        [a.ids, b.ids],
        [a.signs(simd, &b, band), b.signs(simd, &a, band)],
    );
    let recipes = match plan {
        Some(plan) if plan.holds(&ids, &signs) => plan.recipes,
        plan => {
            let recipes = BoxRecipes::new(&ClearBits::new(&signs)?)?;
            if let Some(plan) = plan {
                plan.remember(ids, signs, recipes);
            }
            recipes
        }
    };
    met.fill(simd, [&a, &b], view, &recipes);
    met.off = a.off + b.off + measures.rounding;
    let corners = met.lanes(simd);
    let count = recipes.count();
    let there = (1 << count) - 1;
    let within = corners
        .separation
        .simd_le(measures.distance[1] + met.off)
        .to_bitmask() as u32;
    if within & there == 0 {
        return None;
    }
    let near = (corners.separation - met.off).simd_le(terms.near);
    let choice = ChoiceTerms {
        count,
        near: near.to_bitmask() as u32 & there,
        must_be: true,
        most: terms.most,
        off: met.off,
    };
    let exchanged = met.is_exchanged();
    let features = |n: usize| {
        let [a, b] = recipes.features(n, &ids);
        if exchanged { [b, a] } else { [a, b] }
    };
    chosen(simd, &corners, &choice, &features, &mut met.kept)
}
