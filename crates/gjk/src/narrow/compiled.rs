//! The steps that are compiled in this crate, once for each vector, and not again in each crate that asks.
//!
//! Where it sits: `ladder.rs` comes here for its loops, [`crate::query`] with bodies in motion.
//! Idea: a generic function is compiled in each crate that calls it, for the types that it is called with. Here the vector is the only type, and
//! [`Compiled`] is implemented for each of the four by name: so the code is made here. Hulls and [`Shape`]s are known; other bodies are asked through
//! `dyn`. A program of a few shapes is a fifth of the size, and docs/building.md has what it is for the Python module.

use super::ladder::steps;
use crate::answer::{Certificate, Contact};
use crate::cache::Cache;
use crate::loops::trace::{Observe, Step};
use crate::math::{Pose, Vec2, Vec3, Vector};
use crate::motion::{self, CastProof, MotionOptions, Moving, Ray};
use crate::pair::Pair;
use crate::request::Request;
use crate::shape::Shape;
use crate::support::Support;
use crate::vertices::HullVertices;

/// A body of any shape.
pub(crate) type AnyBody<'p, V> = dyn Support<V> + 'p;

/// A question about two bodies, as `ladder.rs` puts it.
#[derive(Debug)]
pub struct Asked<'q, V: Vector, S: ?Sized> {
    pub(super) pair: Pair<'q, V, S, S>,
    pub(super) request: &'q Request,
    pub(super) first: Option<V::Wide>,
    pub(super) cache: Option<&'q mut Cache>,
    pub(super) certificate: &'q mut Option<Certificate>,
}

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
    /// The answer on a ray.
    fn ray(
        body: &AnyBody<'_, V>,
        pose: &Pose<V>,
        ray: &Ray<V>,
        options: &MotionOptions<V::Scalar>,
        proof: bool,
    ) -> CastProof<V>;
    /// The answer on two bodies in motion.
    fn cast(
        a: &Moving<'_, V>,
        b: &Moving<'_, V>,
        options: &MotionOptions<V::Scalar>,
        proof: bool,
    ) -> CastProof<V>;
}

/// Who is told of the steps.
struct Teller<'o, V: Vector>(&'o mut dyn FnMut(Step<V>));

impl<V: Vector> Observe<V> for Teller<'_, V> {
    fn observe(&mut self, step: Step<V>) {
        self.0(step);
    }
}

fn asked<V: Vector, S: Support<V> + ?Sized, O: Observe<V>>(
    asked: Asked<'_, V, S>,
    observe: &mut O,
) -> Contact<V> {
    let Asked {
        pair,
        request,
        first,
        cache,
        certificate,
    } = asked;
    steps(&pair, request, first, cache, observe, certificate)
}

macro_rules! compiled {
    ($($scalar:ty: $vector:ty;)*) => {$(
        impl Compiled<$vector> for $scalar {
            fn hulls(question: Asked<'_, $vector, HullVertices<$vector>>) -> Contact<$vector> {
                asked(question, &mut ())
            }
            fn shapes(question: Asked<'_, $vector, Shape<$vector>>) -> Contact<$vector> {
                asked(question, &mut ())
            }
            fn bodies(question: Asked<'_, $vector, AnyBody<'_, $vector>>) -> Contact<$vector> {
                asked(question, &mut ())
            }
            fn watched(
                question: Asked<'_, $vector, AnyBody<'_, $vector>>,
                tell: &mut dyn FnMut(Step<$vector>),
            ) -> Contact<$vector> {
                asked(question, &mut Teller(tell))
            }
            fn ray(
                body: &AnyBody<'_, $vector>,
                pose: &Pose<$vector>,
                ray: &Ray<$vector>,
                options: &MotionOptions<$scalar>,
                proof: bool,
            ) -> CastProof<$vector> {
                motion::ray(body, pose, ray, options, proof)
            }
            fn cast(
                a: &Moving<'_, $vector>,
                b: &Moving<'_, $vector>,
                options: &MotionOptions<$scalar>,
                proof: bool,
            ) -> CastProof<$vector> {
                motion::cast(a, b, options, proof)
            }
        }
    )*};
}
compiled! { f32: Vec2<f32>; f32: Vec3<f32>; f64: Vec2<f64>; f64: Vec3<f64>; }
