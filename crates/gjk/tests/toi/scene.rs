//! Two bodies, their poses and motions, and what is answered about them.

use gjk::query::{CastAnswer, CastProof, Meeting, ToiOptions, Twist, prove_toi, toi};
use gjk::shape::Shape;
use gjk::verify::{Verified, VerifyError, verify_toi};
use gjk::{Pose, Vector};

/// A body that moves and turns.
#[derive(Clone)]
pub(crate) struct Turned<V: Vector> {
    pub(crate) shape: Shape<V>,
    pub(crate) pose: Pose<V>,
    pub(crate) twist: Twist<V>,
}

impl<V: Vector> Turned<V> {
    pub(crate) fn at(shape: impl Into<Shape<V>>, pose: Pose<V>) -> Self {
        Self {
            shape: shape.into(),
            pose,
            twist: Twist::rest(),
        }
    }

    pub(crate) fn moved(self, linear: V, angular: [V::Scalar; 3], center: V) -> Self {
        let twist = Twist::new(linear, angular, center).unwrap();
        Self { twist, ..self }
    }
}

/// The answer, which is that of the proof too.
pub(crate) fn asked<V: Vector>(
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

pub(crate) fn proved<V: Vector>(
    a: &Turned<V>,
    b: &Turned<V>,
    options: &ToiOptions<V::Scalar>,
) -> CastProof<V> {
    prove_toi(
        &a.shape, &a.pose, &a.twist, &b.shape, &b.pose, &b.twist, options,
    )
}

/// The proof, which the checker accepts; for polytopes it proves everything.
pub(crate) fn verified<V: Vector>(
    a: &Turned<V>,
    b: &Turned<V>,
    options: &ToiOptions<V::Scalar>,
) -> CastProof<V> {
    let proof = proved(a, b, options);
    let found = checked(a, b, options, &proof).unwrap_or_else(|e| panic!("{e}: {proof:?}"));
    let answer = &proof.answer;
    match answer.verdict {
        Meeting::Free => assert!(found.verdict, "{answer:?}"),
        Meeting::Hits => assert!(
            found.verdict && found.lower && found.upper,
            "{found:?} {answer:?}"
        ),
        // Smooth bodies have no certificate.
        Meeting::Exits => assert_eq!(found.verdict, proof.certificate.is_some()),
        _ => {}
    }
    proof
}

pub(crate) fn checked<V: Vector>(
    a: &Turned<V>,
    b: &Turned<V>,
    options: &ToiOptions<V::Scalar>,
    proof: &CastProof<V>,
) -> Result<Verified, VerifyError> {
    verify_toi(
        &a.shape, &a.pose, &a.twist, &b.shape, &b.pose, &b.twist, options, proof,
    )
}
