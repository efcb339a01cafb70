//! Two boxes in space whose faces bear on each other, in corners that are clear of each other's sides: nearly every manifold of boxes at rest.
//!
//! Where it sits: `solve.rs` asks it before it places bodies of any kind. What is not clear is left to the search there, which has the same answer.
//! Idea: the faces are those whose normals are nearest to the direction (`cuboid.rs`). Four corners are a row of numbers, and their signs against a side of
//! the other face are bits (`box_face.rs`, `box_corners.rs`). Which corners there are, and their order, stay for a while: `box_plan.rs` has the proof.

use super::answer::{Manifold, ManifoldKind};
use super::box_corners::{BoxMeeting, BoxRecipes, ClearBits};
use super::box_face::{BearingBox, BoxFace, own_ring};
use super::box_plan::BoxPlan;
use super::chosen::{CornerFrame, FewFound, Normal};
use super::few::{ChoiceHint, FEW};
use super::measures::Measures;
use super::options::ManifoldOptions;
use super::polygon::few_in_order;
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
    let mut met = BoxMeeting::empty();
    with_simd(&mut met, [&a, &b], &view, &measures, plan.as_deref_mut())?;
    let rings = [own_ring(met.ids[0], false), own_ring(met.ids[1], true)];
    let frame = CornerFrame {
        along,
        exchanged: rings[1] < rings[0],
        off: met.off + measures.rounding,
        exponent: 0,
        normal: Normal::OfContact,
    };
    let deepest = measures.distance[1] + frame.off;
    let separations = &met.numbers.separation[..met.recipes.count().min(FEW)];
    if !separations.iter().any(|&separation| separation <= deepest) {
        return None;
    }
    manifold.kind = ManifoldKind::FaceFace;
    manifold.face_a.be_ring(rings[0]);
    manifold.face_b.be_ring(rings[1]);
    state(manifold, &met, &frame, options, plan);
    Some(())
}

/// [`meet`] with instructions that this machine has: the same operations, hence the same bits.
#[inline(never)]
fn with_simd(
    met: &mut BoxMeeting,
    bodies: [&BearingBox; 2],
    view: &View,
    measures: &Measures,
    plan: Option<&mut BoxPlan>,
) -> Option<()> {
    dispatch!(level(), simd => meet(simd, met, bodies, view, measures, plan))
}

/// Finds the corners that two faces have in common, by the plan if there is one.
// Nothing that is compiled for the baseline is called here: going there and back costs more than it does.
#[inline(always)]
fn meet<S: Simd>(
    simd: S,
    met: &mut BoxMeeting,
    [a, b]: [&BearingBox; 2],
    view: &View,
    measures: &Measures,
    plan: Option<&mut BoxPlan>,
) -> Option<()> {
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
    Some(())
}

/// States the corners that are kept, by the plan if there is one.
#[inline(always)]
fn state<V: Vector>(
    manifold: &mut Manifold<V>,
    met: &BoxMeeting,
    frame: &CornerFrame,
    options: &ManifoldOptions<V::Scalar>,
    plan: Option<&mut BoxPlan>,
) {
    let (numbers, count) = (&met.numbers, met.recipes.count());
    let found = FewFound {
        numbers,
        features: |n| frame.in_order(met.recipes.features(n, &met.ids)),
        point_a: |n| met.point_a(n),
    };
    let Some(plan) = plan else {
        let order = few_in_order(count, &numbers.x, &numbers.y);
        let order = (&order[..count], &mut ChoiceHint::default());
        frame.choose_few(manifold, &found, order, options, |_, id| id());
        return;
    };
    let order = plan.order(numbers);
    let mut hint = plan.hint();
    let order = (&order[..count], &mut hint);
    frame.choose_few(manifold, &found, order, options, |n, id| plan.id(n, id));
    plan.keep(hint);
}
