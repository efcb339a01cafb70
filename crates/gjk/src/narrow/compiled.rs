//! The steps that are compiled in this crate, once for each vector, and not again in each crate that asks.
//!
//! Where it sits: between `ladder.rs`, which comes here for its loops, and `steps.rs`, which has them. `motion/compiled.rs` is the same of motions.
//! Idea: a generic function is compiled in each crate that calls it, for the types that it is called with. Here the vector is the only type, and
//! [`Compiled`] is implemented for each of the four by name: so the code is made here. Hulls and [`Shape`]s are known; other bodies are asked through
//! `dyn`. A program of a few shapes is a fifth of the size, and docs/building.md has what it is for the Python module.

use super::at_once::{distance_again, distance_of_hulls};
use super::steps::{Asked, steps};
use crate::answer::Contact;
use crate::loops::trace::{Observe, Step};
use crate::math::{Vec2, Vec3, Vector};
use crate::shape::Shape;
use crate::support::{AnyBody, Support};
use crate::vertices::HullVertices;

/// What a scalar has for its vectors `V`. It is for this crate alone.
pub trait Compiled<V: Vector> {
    /// The loops on two hulls.
    fn hulls(asked: Asked<'_, V, HullVertices<V>>) -> Contact<V>;
    /// The loops on two shapes of this crate.
    fn shapes(asked: Asked<'_, V, Shape<V>>) -> Contact<V>;
    /// The loops on any two bodies.
    fn bodies(asked: Asked<'_, V, AnyBody<'_, V>>) -> Contact<V>;
    /// The loops on two bodies, with each of their steps told.
    fn watched(asked: Asked<'_, V, AnyBody<'_, V>>, tell: &mut dyn FnMut(Step<V>)) -> Contact<V>;
}

/// Who is told of the steps.
struct Teller<'o, V: Vector>(&'o mut dyn FnMut(Step<V>));

impl<V: Vector> Observe<V> for Teller<'_, V> {
    fn observe(&mut self, step: Step<V>) {
        self.0(step);
    }
}

/// By the cache's facet, else by all steps. Apart: the room that all steps take on the stack costs time too.
#[inline(always)]
fn answered<V: Vector, S: Support<V> + ?Sized>(mut question: Asked<'_, V, S>) -> Contact<V> {
    match distance_again(&question) {
        Some(contact) => contact,
        None => steps(&mut question, None, &mut ()),
    }
}

/// The same of hulls, of which the loop is tried by itself.
#[inline(always)]
fn answered_hulls<V: Vector>(mut question: Asked<'_, V, HullVertices<V>>) -> Contact<V> {
    if let Some(contact) = distance_again(&question) {
        return contact;
    }
    let mut left = None;
    match distance_of_hulls(&mut question, &mut left) {
        Some(contact) => contact,
        None => steps(&mut question, left.as_ref(), &mut ()),
    }
}

// Without optimisation it is compiled where it is called, as all generic code is: tests that ask for many answers are crates of level 1.
macro_rules! compiled {
    ($($scalar:ty: $vector:ty;)*) => {$(
        impl Compiled<$vector> for $scalar {
            #[cfg_attr(debug_assertions, inline)]
            fn hulls(question: Asked<'_, $vector, HullVertices<$vector>>) -> Contact<$vector> {
                answered_hulls(question)
            }
            #[cfg_attr(debug_assertions, inline)]
            fn shapes(question: Asked<'_, $vector, Shape<$vector>>) -> Contact<$vector> {
                answered(question)
            }
            #[cfg_attr(debug_assertions, inline)]
            fn bodies(question: Asked<'_, $vector, AnyBody<'_, $vector>>) -> Contact<$vector> {
                answered(question)
            }
            #[cfg_attr(debug_assertions, inline)]
            fn watched(
                mut question: Asked<'_, $vector, AnyBody<'_, $vector>>,
                tell: &mut dyn FnMut(Step<$vector>),
            ) -> Contact<$vector> {
                steps(&mut question, None, &mut Teller(tell))
            }
        }
    )*};
}
compiled! { f32: Vec2<f32>; f32: Vec3<f32>; f64: Vec2<f64>; f64: Vec3<f64>; }
