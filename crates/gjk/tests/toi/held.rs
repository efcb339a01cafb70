//! Contacts that end: the whole of the time until then is proved, closed forms, and changed certificates, all of which are refused.

use crate::scene::{Turned, checked, proved, verified};
use gjk::query::{
    Apart, CastCertificate, CastProof, Certificate, HeldPiece, Meeting, MotionOptions, Start,
    ToiOptions, Twist,
};
use gjk::shape::{Ball, Capsule, Cuboid, MovingVertices, Rounded};
use gjk::{Axis, Pose, Vec2, Vec3, Vector};

type V = Vec3<f64>;

fn exit(distance: f64) -> ToiOptions<f64> {
    let motion = MotionOptions::default().with_start(Start::Exit);
    ToiOptions::default().with_motion(motion.with_distance(distance).unwrap())
}

/// The interval of the end of contact, of which everything is proved.
fn end<W: Vector<Scalar = f64>>(a: &Turned<W>, b: &Turned<W>, distance: f64) -> [f64; 2] {
    let proof = verified(a, b, &exit(distance));
    assert_eq!(proof.answer.verdict, Meeting::Exits, "{proof:?}");
    let found = checked(a, b, &exit(distance), &proof).unwrap();
    assert!(
        found.verdict && found.lower && found.upper,
        "{found:?} {proof:?}"
    );
    let time = proof.answer.time.unwrap();
    assert!(time.width() < 1e-9, "{time}");
    [time.lower, time.upper]
}

fn holds([lower, upper]: [f64; 2], time: f64) {
    assert!(lower <= time && time <= upper, "{time} {lower} {upper}");
}

fn floor() -> Turned<Vec2<f64>> {
    let shape = Cuboid::new(Vec2::new(10.0, 1.0)).unwrap();
    Turned::at(shape, Pose::from_translation(Vec2::new(0.0, -1.0)))
}

fn square(height: f64, linear: [f64; 2], rate: f64) -> Turned<Vec2<f64>> {
    let shape = Cuboid::new(Vec2::new(1.0, 1.0)).unwrap();
    Turned::at(shape, Pose::from_translation(Vec2::new(0.0, height))).moved(
        linear.into(),
        [0.0, 0.0, rate],
        Vec2::ZERO,
    )
}

#[test]
fn a_contact_that_ends_is_proved_until_it_does() {
    holds(end(&floor(), &square(0.75, [0.0, 1.0], 0.0), 0.0), 0.25);
    holds(end(&floor(), &square(0.75, [0.0, 1.0], 0.0), 0.125), 0.375);
    // From a touch it is gone at once.
    let [lower, upper] = end(&floor(), &square(1.0, [0.0, 1.0], 0.0), 0.0);
    assert!(lower == 0.0 && upper > 0.0 && upper < 1e-11);
}

/// A square whose centre is `h` above the floor stands on a corner: it is clear when `cos φ + sin φ` is no more than `h + t`.
#[test]
fn a_square_that_turns_out_of_a_floor() {
    let bar = square(0.9, [0.0, 0.0], 0.0);
    let spun = |rate: f64| {
        bar.clone()
            .moved([0.0, 0.6].into(), [0.0, 0.0, rate], Vec2::ZERO)
    };
    let [lower, upper] = end(&floor(), &spun(0.5), 0.0);
    let gap = |t: f64| {
        let (sine, cosine) = (0.5 * t).sin_cos();
        0.9 + 0.6 * t - (sine + cosine)
    };
    assert!(gap(lower) <= 1e-15 && gap(upper) >= 0.0, "{lower} {upper}");
}

fn cubes(half: [f64; 3], at: [f64; 3], linear: [f64; 3], angular: [f64; 3]) -> Turned<V> {
    let body = Turned::at(
        Cuboid::new(half.into()).unwrap(),
        Pose::from_translation(at.into()),
    );
    body.moved(linear.into(), angular, [0.1, 0.0, -0.2].into())
}

fn scene() -> [Turned<V>; 2] {
    [
        cubes([1.0, 2.0, 0.5], [0.0; 3], [0.5, 0.0, 0.1], [0.3, -1.0, 0.4]),
        cubes(
            [0.5, 1.0, 1.5],
            [0.5, 0.25, 0.5],
            [5.0, 1.0, 0.0],
            [1.5, 0.5, -2.0],
        ),
    ]
}

#[test]
fn bodies_of_space_that_turn_part() {
    let [a, b] = scene();
    end(&a, &b, 0.0);
    end(&a, &b, 0.25);
    let round = |body: &Turned<V>, radius: f64| Turned {
        shape: Rounded::new(body.shape.clone(), radius).unwrap().into(),
        ..body.clone()
    };
    end(&round(&a, 0.25), &b, 0.0);
    end(&round(&a, 0.25), &round(&b, 0.5), 0.125);
    let to = Pose::from_translation(V::new(6.0, 1.0, 1.0));
    let turned = Turned {
        twist: Twist::nlerp(&b.pose, &to, V::new(0.1, 0.0, 0.0)).unwrap(),
        ..b.clone()
    };
    end(&a, &turned, 0.0);
}

/// Cores of balls are points: the combination is shorter than the radii, and never around the origin.
#[test]
fn balls_and_capsules_are_held_by_their_radii() {
    let ball = |x: f64, v: f64| {
        Turned::at(
            Ball::new(1.0).unwrap(),
            Pose::from_translation(V::new(x, 0.0, 0.0)),
        )
        .moved(V::new(v, 0.0, 0.0), [0.0, 0.0, 3.0], V::ZERO)
    };
    holds(end(&ball(0.0, 0.0), &ball(0.5, 4.0), 0.0), 0.375);
    holds(end(&ball(0.0, 0.0), &ball(0.5, 4.0), 0.5), 0.5);
    let capsule = Turned::at(
        Capsule::new(1.0, 0.25, Axis::X).unwrap(),
        Pose::from_translation(V::new(0.0, 1.0, 0.0)),
    );
    let turns = capsule.moved(V::new(0.0, 3.0, 0.0), [0.0, 0.0, 1.0], V::ZERO);
    end(&ball(0.0, 0.0), &turns, 0.0);
}

#[test]
fn vertices_that_move_by_themselves_part() {
    let from = [[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]].map(Vec2::from);
    let to = [[-1.0, 3.0], [1.0, 2.0], [0.0, 4.0]].map(Vec2::from);
    let shape = MovingVertices::new(&from, &to).unwrap();
    let body = Turned::at(shape, Pose::identity());
    // The lower right corner is the last: -1 + 3·t.
    holds(end(&floor(), &body, 0.0), 1.0 / 3.0);
}

#[test]
fn lengths_and_times_may_be_of_any_size() {
    for size in [2f64.powi(-200), 2f64.powi(200)] {
        for pace in [1.0, 2f64.powi(60)] {
            let [a, b] = scene();
            let scaled = |body: &Turned<V>, linear: [f64; 3], angular: [f64; 3], half: [f64; 3]| {
                let shape = Cuboid::new((V::from(half)) * size).unwrap();
                let pose = Pose::from_translation(body.pose.translation() * size);
                let velocity = V::from(linear) * (size / pace);
                let rate = angular.map(|x| x / pace);
                Turned::at(shape, pose).moved(velocity, rate, V::new(0.1, 0.0, -0.2) * size)
            };
            let a = scaled(&a, [0.5, 0.0, 0.1], [0.3, -1.0, 0.4], [1.0, 2.0, 0.5]);
            let b = scaled(&b, [5.0, 1.0, 0.0], [1.5, 0.5, -2.0], [0.5, 1.0, 1.5]);
            let options = exit(0.0).with_max_time(pace).unwrap();
            let proof = proved(&a, &b, &options);
            assert_eq!(proof.answer.verdict, Meeting::Exits, "{size} {pace}");
            let found = checked(&a, &b, &options, &proof).unwrap();
            assert!(found.verdict && found.lower && found.upper, "{size} {pace}");
        }
    }
}

/// The parts of a certificate.
fn parts(proof: &mut CastProof<V>) -> (&mut Certificate, &mut Vec<HeldPiece>, &mut Apart) {
    match &mut proof.certificate {
        Some(CastCertificate::Held {
            start,
            pieces,
            apart,
        }) => (start, pieces, apart),
        other => panic!("{other:?}"),
    }
}

fn facets(piece: &mut HeldPiece) -> &mut Vec<[[u32; 2]; 3]> {
    match &mut piece.why {
        Certificate::Overlapping { facets, .. } => facets,
        other => panic!("{other:?}"),
    }
}

fn refuses(what: &str, change: impl Fn(&mut CastProof<V>)) {
    let [a, b] = scene();
    let mut proof = verified(&a, &b, &exit(0.0));
    change(&mut proof);
    let found = checked(&a, &b, &exit(0.0), &proof);
    let proves = found.is_ok_and(|found| found.verdict && found.lower && found.upper);
    assert!(!proves, "{what}");
}

#[test]
fn changed_certificates_of_an_exit_are_refused() {
    refuses("a piece is longer", |p| {
        let pieces = parts(p).1;
        let far = pieces[1].to;
        pieces[0].to = far;
    });
    refuses("the last piece is longer", |p| {
        let later = p.answer.time.unwrap().upper + 1e-6;
        parts(p).1.last_mut().unwrap().to = later;
    });
    refuses("a piece is missing", |p| {
        parts(p).1.remove(0);
    });
    refuses("the last piece is missing", |p| {
        parts(p).1.pop();
    });
    refuses("no piece", |p| parts(p).1.clear());
    refuses("a piece goes back", |p| {
        let first = parts(p).1[0].clone();
        parts(p).1.push(first);
    });
    refuses("a piece without an end", |p| {
        parts(p).1.last_mut().unwrap().to = f64::NAN;
    });
    refuses("no facets", |p| facets(&mut parts(p).1[0]).clear());
    refuses("facets that are open", |p| {
        facets(&mut parts(p).1[0]).pop();
    });
    refuses("facets the other way", |p| {
        for facet in facets(&mut parts(p).1[0]) {
            facet.swap(0, 1);
        }
    });
    refuses("facets of vertices that are none", |p| {
        facets(&mut parts(p).1[0])[0][0] = [99, 0];
    });
    refuses("other facets", |p| {
        let other = parts(p).1[0].why.clone();
        parts(p).1.last_mut().unwrap().why = other;
    });
    refuses("apart at the start", |p| {
        *parts(p).0 = Certificate::Separated {
            direction: gjk::query::Direction::Float([1.0, 0.0, 0.0]),
            nearest: None,
        };
    });
    refuses("an earlier plane", |p| {
        let before = parts(p).1.last().unwrap().to;
        parts(p).2.time = before;
    });
    refuses("a later plane", |p| parts(p).2.time += 1e-3);
    refuses("a plane without a time", |p| parts(p).2.time = f64::NAN);
    refuses("a plane the other way", |p| {
        let apart = parts(p).2;
        apart.direction = apart.direction.map(|x| -x);
    });
    refuses("no plane", |p| parts(p).2.direction = [0.0; 3]);
    refuses("a plane that is no number", |p| {
        parts(p).2.direction[0] = f64::NAN;
    });
    refuses("a later lower end", |p| {
        if let Some(time) = &mut p.answer.time {
            time.lower = time.upper;
        }
    });
    refuses("an earlier upper end", |p| {
        if let Some(time) = &mut p.answer.time {
            (time.lower, time.upper) = (time.lower - 1e-6, time.lower);
        }
    });
    refuses("another verdict", |p| p.answer.verdict = Meeting::Hits);
}

#[test]
fn a_certificate_of_other_questions_is_refused() {
    let [a, b] = scene();
    let proof = proved(&a, &b, &exit(0.0));
    assert!(checked(&b, &a, &exit(0.0), &proof).is_err());
    assert!(checked(&a, &b, &ToiOptions::default(), &proof).is_err());
    assert!(checked(&a, &b, &exit(0.5), &proof).is_err());
    let short = exit(0.0).with_max_time(1e-3).unwrap();
    assert!(checked(&a, &b, &short, &proof).is_err());
    let faster = b.clone().moved(
        [9.0, 1.0, 0.0].into(),
        [1.5, 0.5, -2.0],
        [0.1, 0.0, -0.2].into(),
    );
    assert!(checked(&a, &faster, &exit(0.0), &proof).is_err());
}
