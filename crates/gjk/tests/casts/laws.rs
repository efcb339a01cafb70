//! Laws: what exchanges, moves, scales or splits a motion changes the answer as it must.

use crate::lattice::{Moved, asked, judged, lattice, lattice_body, proved};
use crate::oracle::Rng;
use crate::oracle::pairs::{ALL, EXACT, Space, random_shape, random_vector};
use gjk::query::{Interval, Meeting, MotionOptions, Start};
use gjk::shape::{Rounded, Shape};
use gjk::{Pose, Scalar, Support, Vec2, Vec3, Vector};

fn random_body<V: Space>(rng: &mut Rng, kinds: u64, far: f64) -> Moved<V> {
    let pose = V::random_pose(rng, 1.0);
    Moved {
        shape: random_shape(rng, kinds, 1.0),
        pose: Pose::from_columns(
            columns(&pose),
            pose.translation() * V::Scalar::from_f64(far),
        ),
        velocity: random_vector(rng, 1.0),
    }
}

fn columns<V: Vector>(pose: &Pose<V>) -> V::Columns {
    let mut columns = V::identity();
    columns.as_mut().copy_from_slice(pose.columns());
    columns
}

/// Bodies on lattices, so that every sum below is exact.
fn pairs(count: usize, mut check: impl FnMut(Moved<Vec3<f64>>, Moved<Vec3<f64>>)) {
    let mut rng = Rng(77);
    for _ in 0..count {
        let (a, mut b) = (lattice_body(&mut rng, 6, 1), lattice_body(&mut rng, 6, 4));
        b.velocity = b.velocity - b.pose.translation();
        check(a, b);
    }
}

#[test]
fn bodies_exchanged_meet_at_the_same_time() {
    pairs(300, |a, b| {
        let options = MotionOptions::default().with_exit(true);
        let (here, there) = (proved(&a, &b, &options), proved(&b, &a, &options));
        let (x, y) = (&here.answer, &there.answer);
        assert_eq!((x.verdict, x.time, x.exit), (y.verdict, y.time, y.exit));
        assert_eq!(x.grazing, y.grazing);
        let [of_a, of_b] = there.features;
        // A graze may be of several facets; else there is one.
        if x.verdict == Meeting::Hits && x.normal == y.normal.map(|n| -n) {
            assert_eq!(here.features, [of_b, of_a]);
        }
    });
}

#[test]
fn a_common_velocity_changes_nothing() {
    let mut rng = Rng(78);
    pairs(300, |a, b| {
        let common: Vec3<f64> = lattice(&mut rng, 9);
        let also = |body: &Moved<Vec3<f64>>| Moved {
            velocity: body.velocity + common,
            ..body.clone()
        };
        let options = MotionOptions::default().with_exit(true);
        let (x, y) = (
            asked(&a, &b, &options),
            asked(&also(&a), &also(&b), &options),
        );
        assert_eq!((x.verdict, x.time, x.exit), (y.verdict, y.time, y.exit));
        assert_eq!(x.normal, y.normal);
    });
}

/// Back from the time 8, contact begins where it ended.
#[test]
fn time_runs_backward() {
    let mut hits = 0;
    pairs(300, |a, b| {
        let options = MotionOptions::default().with_exit(true);
        let back = |body: &Moved<Vec3<f64>>| Moved {
            pose: Pose::from_translation(body.pose.translation() + body.velocity * 8.0),
            velocity: -body.velocity,
            shape: body.shape.clone(),
        };
        let forth = asked(&a, &b, &options);
        let again = asked(&back(&a), &back(&b), &options);
        if let (Meeting::Hits, Some(time), Some(exit)) = (forth.verdict, forth.time, forth.exit)
            && exit.upper < 8.0
        {
            hits += 1;
            assert_eq!(again.verdict, Meeting::Hits);
            let near = |x: Interval<f64>, y: Interval<f64>| (x.lower + y.lower - 8.0).abs() < 1e-12;
            assert!(near(again.time.unwrap(), exit) && near(again.exit.unwrap(), time));
        }
    });
    assert!(hits > 50, "{hits}");
}

/// A motion that is stopped and goes on meets at the same time.
#[test]
fn a_motion_may_be_split() {
    pairs(300, |a, b| {
        let whole = asked(&a, &b, &MotionOptions::default());
        let first = asked(
            &a,
            &b,
            &MotionOptions::default().with_max_time(0.5).unwrap(),
        );
        let later = |body: &Moved<Vec3<f64>>| Moved {
            pose: Pose::from_translation(body.pose.translation() + body.velocity * 0.5),
            ..body.clone()
        };
        let rest = asked(&later(&a), &later(&b), &MotionOptions::default());
        match first.verdict {
            Meeting::Free if rest.verdict == Meeting::Hits => {
                assert_eq!(whole.verdict, Meeting::Hits);
                let (x, y) = (whole.time.unwrap(), rest.time.unwrap());
                assert!(
                    (x.lower - y.lower - 0.5).abs() < 1e-12,
                    "{whole:?} {rest:?}"
                );
            }
            Meeting::Free => assert_eq!(whole.verdict, rest.verdict),
            _ => assert_eq!((first.verdict, first.time), (whole.verdict, whole.time)),
        }
    });
}

fn scaled<V: Space>() {
    let mut rng = Rng(22);
    for case in 0..150 {
        let (a, mut b): (Moved<V>, Moved<V>) =
            (random_body(&mut rng, 6, 1.0), random_body(&mut rng, 6, 4.0));
        b.velocity = b.velocity - b.pose.translation();
        let factor = V::Scalar::from_f64(2f64.powi([7, -9, 3][case % 3]));
        let larger = |body: &Moved<V>| {
            let mut columns = columns(&body.pose);
            columns.as_mut().iter_mut().for_each(|c| *c = *c * factor);
            Moved {
                pose: Pose::from_columns(columns, body.pose.translation() * factor),
                velocity: body.velocity * factor,
                shape: body.shape.clone(),
            }
        };
        let options = MotionOptions::default().with_exit(true);
        let (x, y) = (
            asked(&a, &b, &options),
            asked(&larger(&a), &larger(&b), &options),
        );
        assert_eq!((x.verdict, x.time, x.exit), (y.verdict, y.time, y.exit));
    }
}

#[test]
fn powers_of_two_change_nothing() {
    scaled::<Vec2<f64>>();
    scaled::<Vec3<f64>>();
    scaled::<Vec3<f32>>();
}

/// A distance is a ball swept over one of the bodies.
#[test]
fn a_distance_is_a_radius() {
    let mut hits = 0;
    pairs(200, |a, b| {
        let options = MotionOptions::default().with_distance(0.5).unwrap();
        let round = Moved {
            shape: Rounded::new(b.shape.clone(), 0.5).unwrap().into(),
            ..b.clone()
        };
        let (near, solid) = (
            proved(&a, &b, &options),
            proved(&a, &round, &MotionOptions::default()),
        );
        let (x, y) = (&near.answer, &solid.answer);
        assert_eq!((x.verdict, x.grazing), (y.verdict, y.grazing));
        if x.verdict == Meeting::Hits {
            hits += 1;
            let (of_x, of_y) = (x.time.unwrap(), y.time.unwrap());
            assert!(of_x.lower <= of_y.upper && of_y.lower <= of_x.upper);
            assert!(x.exact && of_x.width() < 1e-12);
            let (p, q) = (x.point_a.unwrap(), x.point_b.unwrap());
            let apart = q - p;
            let normal = x.normal.unwrap();
            assert!(
                (apart.dot(normal) - 0.5).abs() < 1e-9,
                "{a:?}\n{b:?}\n{x:?}"
            );
        }
    });
    assert!(hits > 50, "{hits}");
}

/// Three radii whose sum is no float: signs decide all the same.
#[test]
fn radii_are_added_exactly() {
    let core: Shape<Vec2<f64>> = gjk::shape::Cuboid::new(Vec2::new(1.0, 1.0)).unwrap().into();
    let (ra, rb, distance) = (0.1, 0.3, 0.7);
    let body = |radius: f64, at: Vec2<f64>, velocity: Vec2<f64>| Moved {
        shape: Rounded::new(core.clone(), radius).unwrap().into(),
        pose: Pose::from_translation(at),
        velocity,
    };
    let options = MotionOptions::default().with_distance(distance).unwrap();
    // The real sum is 1.1 less some parts of a rounding: floats beside it are on both sides.
    let height: f64 = 2.0 + (ra + rb + distance);
    let mut seen = Vec::new();
    for steps in -4..=4_i64 {
        let y = f64::from_bits((height.to_bits() as i64 + steps) as u64);
        let a = body(ra, Vec2::new(0.0, 0.0), Vec2::new(0.0, 0.0));
        let b = body(rb, Vec2::new(9.0, y), Vec2::new(-1.0, 0.0));
        let proof = proved(&a, &b, &options);
        assert!(proof.answer.exact);
        seen.push(proof.answer.verdict);
    }
    let first_free = seen.iter().position(|&v| v == Meeting::Free).unwrap();
    assert!(first_free > 0, "{seen:?}");
    assert!(
        seen[..first_free].iter().all(|&v| v == Meeting::Hits),
        "{seen:?}"
    );
    assert!(
        seen[first_free..].iter().all(|&v| v == Meeting::Free),
        "{seen:?}"
    );
}

fn all_shapes<V: Space>(cases: usize, kinds: u64) {
    let mut rng = Rng(52);
    let (mut hits, mut undecided) = (0, 0);
    for _ in 0..cases {
        let (a, mut b): (Moved<V>, Moved<V>) = (
            random_body(&mut rng, kinds, 1.0),
            random_body(&mut rng, kinds, 5.0),
        );
        b.velocity = b.velocity - b.pose.translation();
        let answer = proved(&a, &b, &Default::default()).answer;
        let exact = [&a, &b]
            .iter()
            .all(|body| body.shape.core().vertex_count.is_some());
        // A rounded body under a pose that keeps no balls is smooth.
        assert!(!answer.exact || exact, "{a:?}\n{b:?}");
        if let (Meeting::Hits, Some(time)) = (answer.verdict, answer.time) {
            hits += 1;
            let width = time.upper.to_f64() - time.lower.to_f64();
            let allowed = 1e-12f64.max(4.0 * V::Scalar::ROUNDING.to_f64());
            assert!(
                width <= allowed * time.upper.to_f64().max(1.0),
                "{a:?}\n{b:?}\n{answer:?}"
            );
        }
        undecided += usize::from(answer.verdict == Meeting::Undecided);
        let exits = MotionOptions::default().with_start(Start::Exit);
        if answer.verdict == Meeting::StartsOverlapping {
            assert_eq!(
                proved(&a, &b, &exits).answer.verdict,
                Meeting::Exits,
                "{a:?}\n{b:?}"
            );
        }
    }
    assert!(
        hits > cases / 4 && undecided == 0,
        "{} {hits} {undecided}",
        V::NAME
    );
}

/// Each pair of shapes answers, narrowly.
#[test]
fn all_pairs_of_shapes_answer() {
    all_shapes::<Vec2<f64>>(150, ALL);
    all_shapes::<Vec3<f64>>(150, ALL);
    all_shapes::<Vec3<f32>>(150, ALL);
    all_shapes::<Vec3<f64>>(100, EXACT);
}

/// Hulls of hundreds of vertices: their difference has more than a hundred thousand, and is never built.
#[test]
fn large_hulls_meet() {
    let mut rng = Rng(91);
    let mut ball = |far: f64, velocity: [f64; 3]| {
        let points: Vec<Vec3<f64>> = (0..400).map(|_| Vec3::from_f64(rng.direction(3))).collect();
        let shape: Shape<Vec3<f64>> = gjk::shape::Polytope::new(&points).unwrap().into();
        Moved {
            shape,
            pose: Pose::from_translation(Vec3::new(far, 0.25, 0.0)),
            velocity: velocity.into(),
        }
    };
    let (a, b) = (ball(0.0, [1.0, 0.0, 0.0]), ball(6.0, [-1.0, 0.0, 0.0]));
    let proof = proved(&a, &b, &Default::default());
    let time = proof.answer.time.unwrap();
    assert!(proof.answer.verdict == Meeting::Hits && time.lower > 1.9 && time.upper < 2.2);
    assert!(proof.certificate.is_some() && time.upper <= time.lower.next_up());
}

/// A body of one vertex is a ray.
#[test]
fn a_point_is_a_ray() {
    pairs(100, |a, b| {
        let at = b.pose.translation();
        let a = Moved {
            velocity: Vec3::new(0.0, 0.0, 0.0),
            ..a
        };
        let point: Shape<Vec3<f64>> = gjk::shape::Point::new(at).unwrap().into();
        let shot = gjk::query::Ray::new(at, b.velocity).unwrap();
        let options = MotionOptions::default();
        let ray = gjk::query::prove_ray(&a.shape, &a.pose, &shot, &options);
        let body = Moved {
            shape: point,
            pose: Pose::identity(),
            velocity: b.velocity,
        };
        let cast = if a.velocity == b.velocity {
            proved(&a, &body, &options)
        } else {
            judged(&a, &body, &options)
        };
        assert_eq!(ray.answer.verdict, cast.answer.verdict);
        assert_eq!(
            (ray.answer.time, ray.answer.exit),
            (cast.answer.time, cast.answer.exit)
        );
        assert_eq!(ray.features, cast.features);
    });
}

/// Who does not ask when contact ends is told the same of how it begins.
#[test]
fn the_first_contact_does_not_depend_on_the_last() {
    let (mut hits, mut without) = (0, 0);
    pairs(300, |a, b| {
        let options = MotionOptions::default();
        let [first, both] = [false, true].map(|exit| asked(&a, &b, &options.with_exit(exit)));
        let told = |x: &gjk::query::CastAnswer<Vec3<f64>>| (x.verdict, x.grazing, x.exact);
        assert_eq!(told(&first), told(&both));
        if let (Some(x), Some(y)) = (first.time, both.time) {
            assert!(
                x.lower <= y.upper && y.lower <= x.upper,
                "{first:?} {both:?}"
            );
        }
        hits += u32::from(both.verdict == Meeting::Hits);
        without += u32::from(both.verdict == Meeting::Hits && first.exit.is_none());
    });
    assert!(hits > 50 && without > 20, "{hits} {without}");
}
