//! Points, segments and boxes, plain and rounded, answered by closed forms, against the same pairs answered by the loops with
//! their proofs, and against brute force over all vertices.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod oracle;

use gjk::query::{self, Contact, Options, Verdict};
use gjk::shape::{Ball, Capsule, Cuboid, Point, Rounded, Segment, Shape};
use gjk::{Axis, Pose, Posed, Scalar, Stop, Support, Vec2, Vec3, Vector};
use oracle::Rng;
use oracle::pairs::{Space, random_vector, world_core};

fn quick<S: Scalar>() -> Options<S> {
    Options::default()
}

/// Every kind of simple core; thin boxes and short segments now and then.
fn shape<V: Space>(rng: &mut Rng, kind: usize) -> Shape<V> {
    let thin = [1.0, 1.0, 1e-3][kind / 6 % 3];
    let size = |rng: &mut Rng, scale: f64| V::Scalar::from_f64(rng.range(0.2, 1.0) * scale);
    match kind % 6 {
        0 => Ball::new(size(rng, 1.0)).unwrap().into(),
        1 => Capsule::new(size(rng, thin), size(rng, 0.5), Axis::ALL[kind % V::DIM])
            .unwrap()
            .into(),
        2 => {
            let (x, y, z) = (size(rng, 1.0), size(rng, thin), size(rng, 1.0));
            Cuboid::new(V::from_fn(|k| [x, y, z][k])).unwrap().into()
        }
        3 => Segment::new(random_vector(rng, 1.0), random_vector(rng, 1.0))
            .unwrap()
            .into(),
        4 => Point::new(random_vector(rng, 0.5)).unwrap().into(),
        _ => {
            let core: Shape<V> = shape(rng, 2 + kind / 6 % 3);
            Rounded::new(core, size(rng, 0.3)).unwrap().into()
        }
    }
}

struct Pair<V: Vector> {
    shapes: [Shape<V>; 2],
    poses: [Pose<V>; 2],
}

impl<V: Space> Pair<V> {
    /// Turned by anything, or parallel, or nearly; far away; scaled, mirrored or sheared now and then.
    fn random(rng: &mut Rng, case: usize) -> Self {
        let shapes = [
            shape(rng, case % 6 + case / 36 % 3 * 6),
            shape(rng, case / 6),
        ];
        let far = [0.0, 0.0, 1e3][case / 5 % 3];
        let first = V::random_pose(rng, 0.0);
        let to: V = random_vector(rng, 1.7);
        let second = match case % 4 {
            0 => first,
            1 => V::random_pose(rng, 0.0),
            2 => V::random_pose(rng, 0.0).scaled(V::from_fn(|_| V::Scalar::from_f64(0.5))),
            _ => V::random_pose(rng, 1.0),
        };
        let bent = case % 13 == 12;
        let second = if bent {
            second.scaled(V::from_fn(|k| V::Scalar::from_f64([1.5, 0.5, -1.0][k])))
        } else {
            second
        };
        let place = Pose::from_translation(V::from_fn(|_| V::Scalar::from_f64(far)));
        let grid = case.is_multiple_of(8);
        let snapped =
            V::from_fn(|k| V::Scalar::from_f64((to.component(k).to_f64() * 4.0).round() * 0.25));
        let along = Pose::from_translation(if grid { snapped } else { to });
        Self {
            shapes,
            poses: [
                place.compose(&first),
                place.compose(&along).compose(&second),
            ],
        }
    }

    fn ask(&self, options: &Options<V::Scalar>, swapped: bool) -> Contact<V> {
        let ([a, b], [p, q]) = (&self.shapes, &self.poses);
        if swapped {
            query::contact(b, q, a, p, options)
        } else {
            query::contact(a, p, b, q, options)
        }
    }

    fn size(&self) -> f64 {
        4.0 + self.poses[0].translation().norm().to_f64()
    }
}

fn agree<V: Space>(seed: u64) {
    let mut rng = Rng(seed);
    let mut found = [0; 2];
    for case in 0..30_000 {
        let pair = Pair::<V>::random(&mut rng, case);
        let proved = pair.ask(&Options::tight(), false);
        for swapped in [false, true] {
            let answer = pair.ask(&quick(), swapped);
            let say = || {
                format!(
                    "{} case {case}, swapped {swapped}: {answer:?} {proved:?}\n{:?} {:?}",
                    V::NAME,
                    pair.shapes,
                    pair.poses
                )
            };
            if answer.stop != Stop::ClosedForm {
                continue;
            }
            found[usize::from(answer.verdict == Verdict::Overlapping)] += 1;
            assert_eq!(answer.verdict, proved.verdict, "{}", say());
            let (x, y) = (answer.signed_distance, proved.signed_distance);
            assert!(x.overlaps(&y), "{}", say());
            let [p, q] = &pair.poses;
            let [a, b] = &pair.shapes;
            assert_eq!(
                query::intersects(a, p, b, q, &quick()).verdict,
                proved.verdict
            );
            let apart = query::distance(a, p, b, q, &quick());
            assert_eq!(apart.verdict, proved.verdict, "{}", say());
            if case % 7 == 0
                && let (Some(a), Some(b)) = (world_core(a, p), world_core(b, q))
            {
                let truth = oracle::signed_distance(V::DIM, &a.0, &b.0) - a.1 - b.1;
                let room = 1e-13 * pair.size();
                assert!(
                    x.lower.to_f64() <= truth + room && truth - room <= x.upper.to_f64(),
                    "{truth} {}",
                    say()
                );
            }
            let bodies = if swapped { [1, 0] } else { [0, 1] };
            witnesses(&pair, bodies, &answer, &say);
        }
    }
    // Of flat bodies, and of the plane's boxes, only the radii overlap.
    assert!(
        found[0] > 10_000 && found[1] > 2_000,
        "{}: {found:?}",
        V::NAME
    );
}

/// Each witness is at its body's support height along the normal, and they are the signed distance apart.
fn witnesses<V: Space>(
    pair: &Pair<V>,
    bodies: [usize; 2],
    answer: &Contact<V>,
    say: &dyn Fn() -> String,
) {
    let room = 1e4 * V::Scalar::ROUNDING.to_f64() * pair.size();
    let signed = answer.signed_distance.middle().to_f64();
    let normal: V::Wide = answer.normal.lift();
    let (a, b): (V::Wide, V::Wide) = (answer.point_a.lift(), answer.point_b.lift());
    let off = (b - a) - normal * signed;
    assert!(off.norm() < room, "{}", say());
    for (k, point, outward) in [(bodies[0], a, normal), (bodies[1], b, -normal)] {
        let posed = Posed::new(&pair.shapes[k], pair.poses[k]);
        let height =
            (posed.support(outward, gjk::NO_ID).point - point).dot(outward) + posed.radius();
        assert!(height.abs() < room, "{height} {}", say());
    }
}

#[test]
fn closed_forms_and_loops_give_the_same_answer() {
    agree::<Vec2<f32>>(91);
    agree::<Vec2<f64>>(92);
    agree::<Vec3<f32>>(93);
    agree::<Vec3<f64>>(94);
}
