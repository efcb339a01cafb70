//! Two bodies, their poses and motions, and what is answered about them.

use gjk::query::{CastAnswer, CastProof, ToiOptions, Twist, prove_toi, toi};
use gjk::shape::Shape;
use gjk::{Pose, Vector};

/// A body that moves and turns.
#[derive(Clone)]
pub struct Turned<V: Vector> {
    pub shape: Shape<V>,
    pub pose: Pose<V>,
    pub twist: Twist<V>,
}

impl<V: Vector> Turned<V> {
    pub fn at(shape: impl Into<Shape<V>>, pose: Pose<V>) -> Self {
        Self {
            shape: shape.into(),
            pose,
            twist: Twist::rest(),
        }
    }

    pub fn moved(self, linear: V, angular: [V::Scalar; 3], center: V) -> Self {
        let twist = Twist::new(linear, angular, center).unwrap();
        Self { twist, ..self }
    }
}

/// The answer, which is that of the proof too.
pub fn asked<V: Vector>(
    a: &Turned<V>,
    b: &Turned<V>,
    options: &ToiOptions<V::Scalar>,
) -> CastAnswer<V> {
    let found = toi(
        &a.shape, &a.pose, &a.twist, &b.shape, &b.pose, &b.twist, options,
    );
    assert_eq!(found.verdict, proved(a, b, options).answer.verdict);
    found
}

pub fn proved<V: Vector>(
    a: &Turned<V>,
    b: &Turned<V>,
    options: &ToiOptions<V::Scalar>,
) -> CastProof<V> {
    prove_toi(
        &a.shape, &a.pose, &a.twist, &b.shape, &b.pose, &b.twist, options,
    )
}
