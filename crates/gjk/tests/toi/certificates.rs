//! The checker accepts what is proved and nothing that is changed.

use crate::scene::{Turned, checked, proved, verified};
use gjk::query::{
    Carrier, CastCertificate, CastProof, Certificate, ChainContact, Meeting, ToiOptions,
};
use gjk::shape::Cuboid;
use gjk::{Pose, Vec3};

type V = Vec3<f64>;

fn cube(half: [f64; 3], at: [f64; 3], linear: [f64; 3], angular: [f64; 3]) -> Turned<V> {
    let body = Turned::at(
        Cuboid::new(half.into()).unwrap(),
        Pose::from_translation(at.into()),
    );
    body.moved(linear.into(), angular, [0.1, 0.0, -0.2].into())
}

fn scene() -> [Turned<V>; 2] {
    [
        cube([1.0, 2.0, 0.5], [0.0; 3], [0.5, 0.0, 0.1], [0.3, -1.0, 0.4]),
        cube(
            [0.5, 1.0, 1.5],
            [4.0, 1.0, 0.5],
            [-3.0, 0.2, 0.0],
            [1.5, 0.5, -2.0],
        ),
    ]
}

/// The parts of a chain.
fn chain(
    proof: &mut CastProof<V>,
) -> (&mut Vec<gjk::query::ChainPiece>, &mut Option<ChainContact>) {
    match &mut proof.certificate {
        Some(CastCertificate::Chain {
            pieces, contact, ..
        }) => (pieces, contact),
        other => panic!("{other:?}"),
    }
}

fn facets(proof: &mut CastProof<V>) -> Option<&mut Vec<[[u32; 2]; 3]>> {
    match chain(proof).1 {
        Some(ChainContact::Overlap {
            why: Certificate::Overlapping { facets, .. },
            ..
        }) => Some(facets),
        _ => None,
    }
}

fn refuses(what: &str, change: impl Fn(&mut CastProof<V>)) {
    let [a, b] = scene();
    let options = ToiOptions::default();
    let mut proof = verified(&a, &b, &options);
    assert_eq!(proof.answer.verdict, Meeting::Hits);
    change(&mut proof);
    let found = checked(&a, &b, &options, &proof);
    let proves = found.is_ok_and(|found| found.verdict && found.lower && found.upper);
    assert!(!proves, "{what}");
}

#[test]
fn changed_certificates_are_refused() {
    refuses("a piece is longer", |p| {
        let (pieces, _) = chain(p);
        let last = pieces.len() - 1;
        pieces[last].to += 1e-3;
    });
    refuses("a piece is missing", |p| {
        chain(p).0.remove(0);
    });
    refuses("no piece", |p| chain(p).0.clear());
    refuses("a piece goes back", |p| {
        let (pieces, _) = chain(p);
        let first = pieces[0];
        pieces.push(first);
    });
    refuses("another direction", |p| {
        chain(p).0[0].direction = [0.0, 1.0, 0.0]
    });
    refuses("no direction", |p| chain(p).0[0].direction = [0.0; 3]);
    refuses("a direction that is not a number", |p| {
        chain(p).0[0].direction[0] = f64::NAN
    });
    refuses("the other way", |p| {
        let direction = &mut chain(p).0[0].direction;
        *direction = direction.map(|x| -x);
    });
    refuses("another carrier", |p| {
        for piece in chain(p).0 {
            piece.carrier = match piece.carrier {
                Carrier::World => Carrier::B,
                _ => Carrier::World,
            };
        }
    });
    refuses("no contact", |p| *chain(p).1 = None);
    refuses("a contact before", |p| {
        if let Some(ChainContact::Overlap { time, .. }) = chain(p).1 {
            *time -= 1e-3;
        }
    });
    refuses("a contact later than told", |p| {
        if let Some(ChainContact::Overlap { time, .. }) = chain(p).1 {
            *time += 1e-3;
        }
    });
    refuses("facets that are open", |p| {
        if let Some(facets) = facets(p) {
            facets.pop();
        }
    });
    refuses("facets of others", |p| {
        if let Some(facets) = facets(p) {
            for facet in facets {
                facet.swap(0, 1);
            }
        }
    });
    refuses("a later lower end", |p| {
        if let Some(time) = &mut p.answer.time {
            time.lower = time.upper;
        }
    });
    refuses("an earlier upper end", |p| {
        if let Some(time) = &mut p.answer.time {
            (time.lower, time.upper) = (time.lower - 1e-6, time.upper - 1e-6);
        }
    });
    refuses("another verdict", |p| {
        p.answer.verdict = Meeting::Free;
        p.answer.time = None;
    });
}

#[test]
fn a_certificate_of_other_motions_is_refused() {
    let [a, b] = scene();
    let options = ToiOptions::default();
    let proof = proved(&a, &b, &options);
    let faster = b.clone().moved(
        [-3.0, 0.2, 0.0].into(),
        [1.5, 0.5, -2.5],
        [0.1, 0.0, -0.2].into(),
    );
    assert!(checked(&a, &faster, &options, &proof).is_err());
    let elsewhere = b.clone().moved(
        [-3.0, 0.2, 0.0].into(),
        [1.5, 0.5, -2.0],
        [0.5, 0.0, -0.2].into(),
    );
    assert!(checked(&a, &elsewhere, &options, &proof).is_err());
    assert!(checked(&b, &a, &options, &proof).is_err());
    let short = options.with_max_time(1e-3).unwrap();
    assert!(checked(&a, &b, &short, &proof).is_err());
}

#[test]
fn a_free_motion_is_proved_to_its_end() {
    let [a, b] = scene();
    let away = b.moved([3.0, 0.0, 0.0].into(), [4.0, 9.0, -2.0], [0.0; 3].into());
    let options = ToiOptions::default();
    let mut proof = verified(&a, &away, &options);
    assert_eq!(proof.answer.verdict, Meeting::Free);
    let longer = options.with_max_time(2.0).unwrap();
    assert!(checked(&a, &away, &longer, &proof).is_err());
    chain(&mut proof).0.pop();
    assert!(checked(&a, &away, &options, &proof).is_err());
}
