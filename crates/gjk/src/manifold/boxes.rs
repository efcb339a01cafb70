//! Two boxes in space whose faces bear on each other, in corners that are clear of each other's sides: nearly every manifold of boxes at rest.
//!
//! Where it sits: `solve.rs` asks it before it places bodies of any kind. What is not clear is left to the search there, which has the same answer.
//! Idea: the faces are those whose normals are nearest to the direction (`cuboid.rs`). Four corners are a row of numbers, and their signs against a side of
//! the other face are bits (`box_face.rs`, `box_corners.rs`). Which corners there are, and their order, stay for a while: `box_plan.rs` has the proof.

use super::answer::{Manifold, ManifoldKind};
use super::box_corners::{BoxMeeting, BoxRecipes, ClearBits};
use super::box_face::{BearingBox, BoxFace};
use super::box_plan::BoxPlan;
use super::chosen::{CornerFrame, FewFound, Normal};
use super::few::{ChoiceHint, FEW};
use super::measures::Measures;
use super::options::ManifoldOptions;
use super::polygon::counter_clockwise;
use super::view::{View, larger};
use crate::math::triple::Triple;
use crate::math::{Pose, Vector};
use crate::simd::level;
use crate::support::Core;
use fearless_simd::{Simd, dispatch};

/// Writes the points of two faces; `None`, and nothing written, where it is not clear that there are such.
#[inline(always)]
pub(super) fn fill<V: Vector>(
    manifold: &mut Manifold<V>,
    cores: [&Core<'_, V>; 2],
    poses: [&Pose<V>; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
    plan: Option<&mut BoxPlan>,
) -> Option<()> {
    let a = BearingBox::new(cores[0], poses[0])?;
    let b = BearingBox::new(cores[1], poses[1])?;
    with_simd(manifold, [&a, &b], along, options, plan)
}

/// [`faces`] with instructions that this machine has: the same operations, hence the same bits.
#[inline(never)]
fn with_simd<V: Vector>(
    manifold: &mut Manifold<V>,
    bodies: [&BearingBox; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
    plan: Option<&mut BoxPlan>,
) -> Option<()> {
    dispatch!(level(), simd => faces(simd, manifold, bodies, along, options, plan))
}

#[inline(always)]
fn faces<S: Simd, V: Vector>(
    simd: S,
    manifold: &mut Manifold<V>,
    [a, b]: [&BearingBox; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
    mut plan: Option<&mut BoxPlan>,
) -> Option<()> {
    let witness = [
        manifold.contact.point_a.to_f64(),
        manifold.contact.point_b.to_f64(),
    ];
    let mut largest = larger(a.largest, b.largest);
    for x in witness.as_flattened() {
        largest = larger(largest, x.abs());
    }
    let measures = Measures::new(largest, &manifold.contact, options);
    if measures.exponent != 0 {
        return None;
    }
    let view = View::new(3, along, witness[0]);
    let a = BoxFace::new(simd, &a.corners(simd), &view, false, &measures)?;
    let b = BoxFace::new(simd, &b.corners(simd), &view, true, &measures)?;
    let faces = [&a, &b];
    let band = measures.band;
    let (ids, signs) = (
        [a.ids, b.ids],
        [a.signs(simd, &b, band), b.signs(simd, &a, band)],
    );
    let recipes = match plan.as_deref_mut() {
        Some(plan) if plan.holds(&ids, &signs) => plan.recipes,
        plan => {
            let recipes = BoxRecipes::new(&ClearBits::new(&signs)?)?;
            if let Some(plan) = plan {
                plan.remember(ids, signs, recipes);
            }
            recipes
        }
    };
    let rings = [a.ring(false), b.ring(true)];
    let frame = CornerFrame {
        along,
        exchanged: rings[1] < rings[0],
        off: a.off + b.off + measures.rounding,
        exponent: 0,
        normal: Normal::OfContact,
    };
    let corners = BoxMeeting::new(simd, faces, &view, &recipes);
    let deepest = measures.distance[1] + frame.off;
    let separations = &corners.numbers.separation[..recipes.count().min(FEW)];
    if !separations.iter().any(|&separation| separation <= deepest) {
        return None;
    }
    manifold.kind = ManifoldKind::FaceFace;
    manifold.face_a.be_ring(rings[0]);
    manifold.face_b.be_ring(rings[1]);
    state(manifold, (faces, &recipes, &corners), &frame, options, plan);
    Some(())
}

/// States the corners that are kept, by the plan if there is one.
#[inline(always)]
fn state<S: Simd, V: Vector>(
    manifold: &mut Manifold<V>,
    (faces, recipes, corners): ([&BoxFace<S>; 2], &BoxRecipes, &BoxMeeting),
    frame: &CornerFrame,
    options: &ManifoldOptions<V::Scalar>,
    plan: Option<&mut BoxPlan>,
) {
    let (numbers, count) = (&corners.numbers, recipes.count());
    let found = FewFound {
        numbers,
        features: |n| frame.in_order(recipes.features(n, faces)),
        point_a: |n| corners.point_a(n),
    };
    let Some(plan) = plan else {
        let order = counter_clockwise(count, |n| [numbers.x[n], numbers.y[n]]);
        let order = (&order[..], &mut ChoiceHint::default());
        frame.choose_few(manifold, &found, order, options, |_, id| id());
        return;
    };
    let order = plan.order(numbers);
    let mut hint = plan.hint();
    let order = (&order[..count], &mut hint);
    frame.choose_few(manifold, &found, order, options, |n, id| plan.id(n, id));
    plan.keep(hint);
}
