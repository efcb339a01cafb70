//! Bodies whose vertices move each in a straight line, and bodies without volume that pass through each other.
//!
//! The oracle evaluates the cubic of a point and a triangle, or of two segments, at many times and halves where it changes its sign.

use crate::scene::{Turned, asked, checked, proved, verified};
use gjk::query::{
    CastCertificate, CastProof, ChainContact, Crossing, Meeting, MotionStop, Start, ToiOptions,
    Touch,
};
use gjk::shape::{Cuboid, MovingVertices, Point, Rounded, Segment, ShapeError, Triangle};
use gjk::{Pose, Vec2, Vec3, Vector};

type V = Vec3<f64>;

fn moving<V: Vector>(from: &[V], to: &[V]) -> Turned<V> {
    Turned::at(MovingVertices::new(from, to).unwrap(), Pose::identity())
}

fn points<const N: usize>(rows: [[f64; 3]; N]) -> [V; N] {
    rows.map(V::from)
}

/// A number in [−1, 1) from a state of xorshift.
fn next(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn hits_at<V: Vector<Scalar = f64>>(a: &Turned<V>, b: &Turned<V>, time: f64) -> CastProof<V> {
    let options = ToiOptions::default();
    for (a, b) in [(a, b), (b, a)] {
        let answer = asked(a, b, &options);
        assert_eq!(answer.verdict, Meeting::Hits, "{answer:?}");
        assert_eq!(answer.stop, MotionStop::GapClosed);
        let found = answer.time.unwrap();
        assert!(found.contains(time) && found.width() < 1e-10, "{found:?}");
        verified(a, b, &options);
    }
    verified(a, b, &options)
}

#[test]
fn a_point_falls_through_a_triangle_that_opens() {
    let from = points([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let to = points([[-1.0, -1.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]]);
    let pin = moving(&points([[0.3, 0.3, 2.0]]), &points([[0.3, 0.3, -2.0]]));
    // 2 − 4t = t.
    let proof = hits_at(&moving(&from, &to), &pin, 0.4);
    let contact = match proof.certificate {
        Some(CastCertificate::Chain { contact, .. }) => contact,
        other => panic!("{other:?}"),
    };
    assert!(matches!(contact, Some(ChainContact::Crossing(_))));
    assert_eq!(proof.features, [vec![0, 1, 2], vec![0]]);
}

#[test]
fn segments_cross_at_their_middles_and_elsewhere() {
    let floor = moving(
        &points([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
        &points([[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0]]),
    );
    for slide in [0.0, 0.25, -0.6] {
        let bar = moving(
            &points([[slide, -1.0, 3.0], [slide, 1.0, 3.0]]),
            &points([[slide, -1.0, -1.0], [slide, 1.0, -1.0]]),
        );
        hits_at(&floor, &bar, 0.6);
    }
}

#[test]
fn a_segment_that_turns_passes_through_a_segment_and_a_triangle_over_a_point() {
    let bar = Segment::new(V::new(0.0, 0.0, 0.0), V::new(2.0, 0.0, 0.0)).unwrap();
    let turned = |angular| {
        let body = Turned::at(bar, Pose::identity());
        body.moved(V::new(0.0, 0.0, 0.0), angular, V::new(0.0, 0.0, 0.0))
    };
    let post = Segment::new(V::new(1.0, 1.0, -1.0), V::new(1.0, 1.0, 1.0)).unwrap();
    let post = Turned::at(post, Pose::identity());
    let eighth = core::f64::consts::FRAC_PI_4;
    hits_at(&turned([0.0, 0.0, 1.0]), &post, eighth);
    let flap = Triangle::new(
        V::new(0.0, -1.0, 0.0),
        V::new(0.0, 1.0, 0.0),
        V::new(3.0, 0.0, 0.0),
    )
    .unwrap();
    let zero = V::new(0.0, 0.0, 0.0);
    let flap = Turned::at(flap, Pose::identity()).moved(zero, [0.0, -1.0, 0.0], zero);
    let pin = Turned::at(
        Point::new(V::new(1.0, 0.125, 1.0)).unwrap(),
        Pose::identity(),
    );
    hits_at(&flap, &pin, eighth);
}

#[test]
fn in_the_plane_a_point_passes_through_a_segment() {
    let pin = |x: f64| {
        let place = Vec2::new(x, 0.5);
        Turned::at(Point::new(place).unwrap(), Pose::identity())
    };
    let (from, to) = (
        [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)],
        [Vec2::new(-1.0, 1.0), Vec2::new(1.0, 1.0)],
    );
    hits_at(&moving(&from, &to), &pin(0.125), 0.5);
    let missed = verified(&moving(&from, &to), &pin(1.5), &ToiOptions::default());
    assert_eq!(missed.answer.verdict, Meeting::Free);
    // Over the end itself nothing is known, and nothing is claimed.
    let edge = verified(&moving(&from, &to), &pin(1.0), &ToiOptions::default());
    assert_eq!(edge.answer.verdict, Meeting::Undecided);
    assert!(edge.answer.time.unwrap().lower > 0.49);
}

#[test]
fn a_hull_that_opens_meets_a_box_and_an_inner_vertex_comes_out() {
    // The last vertex is inside of the others at the start.
    let from = points([
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.1, 0.1, 0.1],
    ]);
    let mut to = from;
    to[4] = V::new(4.1, 0.1, 0.1);
    let wall = Cuboid::new(V::new(0.5, 2.0, 2.0)).unwrap();
    let wall = Turned::at(wall, Pose::from_translation(V::new(2.6, 0.0, 0.0)));
    hits_at(&moving(&from, &to), &wall, 0.5);
    let ball = Rounded::new(MovingVertices::new(&from, &to).unwrap().into(), 0.5).unwrap();
    hits_at(&Turned::at(ball, Pose::identity()), &wall, 0.375);
}

#[test]
fn vertices_that_move_alike_are_a_velocity_and_poses_take_them_along() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let options = ToiOptions::default();
    for _ in 0..60 {
        let mut vector = |scale: f64| {
            let part = |state: &mut u64| next(state) * scale;
            V::new(part(&mut state), part(&mut state), part(&mut state))
        };
        let from: Vec<V> = (0..6).map(|_| vector(0.5)).collect();
        let way = vector(2.0) + V::new(-4.0, 0.0, 0.0);
        let to: Vec<V> = from.iter().map(|&x| x + way).collect();
        let place = V::new(3.0, 0.0, 0.0) + vector(0.5);
        let pose = Pose::from_translation(place);
        let cube = Turned::at(
            Cuboid::new(V::new(0.4, 0.4, 0.4)).unwrap(),
            Pose::identity(),
        );
        let zero = V::new(0.0, 0.0, 0.0);
        let slid = Turned::at(MovingVertices::new(&from, &from).unwrap(), pose);
        let slid = slid.moved(way, [0.0; 3], zero);
        let own = Turned::at(MovingVertices::new(&from, &to).unwrap(), pose);
        let (one, two) = (
            verified(&cube, &slid, &options).answer,
            verified(&cube, &own, &options).answer,
        );
        assert_eq!(one.verdict, two.verdict);
        if let (Some(one), Some(two)) = (one.time, two.time) {
            assert!((one.lower - two.lower).abs() < 1e-10, "{one:?} {two:?}");
        }
    }
}

#[test]
fn vertices_may_move_while_the_body_turns() {
    // A spoke that grows while it turns: its tip is at 1 + 2t along the angle 3t, and meets a wall where (1 + 2t)·sin(3t) is 1.5.
    let (from, to) = (
        [Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0)],
        [Vec2::new(0.0, 0.0), Vec2::new(3.0, 0.0)],
    );
    let zero = Vec2::new(0.0, 0.0);
    let spoke = moving(&from, &to).moved(zero, [0.0, 0.0, 3.0], zero);
    let wall = Cuboid::new(Vec2::new(9.0, 1.0)).unwrap();
    let wall = Turned::at(wall, Pose::from_translation(Vec2::new(0.0, 2.5)));
    let height = |t: f64| (1.0 + 2.0 * t) * (3.0 * t).sin() - 1.5;
    let (mut low, mut high) = (0.0, 0.5);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if height(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let answer = verified(&wall, &spoke, &ToiOptions::default()).answer;
    let time = answer.time.unwrap();
    assert_eq!(answer.verdict, Meeting::Hits);
    assert!(time.lower <= high && time.upper >= low && time.width() < 1e-11);
}

/// The volume of a point and a triangle, or of two segments, and how far inside they meet: the least weight of a corner.
fn volume(vf: bool, x: &[V; 4]) -> (f64, f64) {
    let cross = |a: V, b: V| {
        V::new(
            a.y * b.z - a.z * b.y,
            a.z * b.x - a.x * b.z,
            a.x * b.y - a.y * b.x,
        )
    };
    if vf {
        let [p, a, b, c] = *x;
        let n = cross(b - a, c - a);
        let weight = |u: V, v: V| n.dot(cross(v - u, p - u)) / n.dot(n);
        let least = weight(a, b).min(weight(b, c)).min(weight(c, a));
        return (n.dot(p - a), least);
    }
    let [a, b, c, d] = *x;
    let (u, v, w) = (b - a, d - c, c - a);
    let n = cross(u, v);
    let (s, t) = (n.dot(cross(w, v)) / n.dot(n), n.dot(cross(w, u)) / n.dot(n));
    (n.dot(w), s.min(1.0 - s).min(t).min(1.0 - t))
}

/// The first time of contact, or that there is none; `None` where the case is too near to call.
fn truth(vf: bool, from: &[V; 4], to: &[V; 4]) -> Option<Option<f64>> {
    const STEPS: usize = 4000;
    let at = |t: f64| {
        let place = |k: usize| from[k] * (1.0 - t) + to[k] * t;
        volume(vf, &[place(0), place(1), place(2), place(3)])
    };
    for k in 0..STEPS {
        let (mut low, mut high) = (k as f64 / STEPS as f64, (k + 1) as f64 / STEPS as f64);
        let (before, after) = (at(low).0, at(high).0);
        if before.abs() < 1e-7 || after.abs() < 1e-7 {
            return None;
        }
        if before * after > 0.0 {
            continue;
        }
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            if at(middle).0 * before > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let inside = at(high).1;
        if inside.abs() < 1e-4 {
            return None;
        }
        if inside > 0.0 {
            return Some(Some(high));
        }
    }
    Some(None)
}

#[test]
fn random_points_triangles_and_segments_agree_with_their_cubics() {
    let mut state = 0x2545_f491_4f6c_dd1d;
    let (mut hits, mut free) = (0, 0);
    for case in 0..400 {
        let vf = case % 2 == 0;
        let mut four = || -> [V; 4] {
            [(); 4].map(|()| V::new(next(&mut state), next(&mut state), next(&mut state)))
        };
        let (from, to) = (four(), four());
        let Some(right) = truth(vf, &from, &to) else {
            continue;
        };
        let split = if vf { 1 } else { 2 };
        let a = moving(&from[..split], &to[..split]);
        let b = moving(&from[split..], &to[split..]);
        let answer = verified(&a, &b, &ToiOptions::default()).answer;
        match right {
            Some(time) => {
                assert_eq!(answer.verdict, Meeting::Hits, "{case} {answer:?} {time}");
                let found = answer.time.unwrap();
                assert!(
                    found.lower <= time + 1e-9 && time - 1e-9 <= found.upper,
                    "{found:?} {time}"
                );
                hits += 1;
            }
            None => {
                assert_eq!(answer.verdict, Meeting::Free, "{case} {answer:?}");
                free += 1;
            }
        }
    }
    assert!(hits > 40 && free > 100, "{hits} {free}");
}

#[test]
fn changed_crossings_are_refused() {
    let a = moving(
        &points([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        &points([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]),
    );
    let b = moving(&points([[0.25, 0.25, 0.5]]), &points([[0.25, 0.25, 0.5]]));
    let options = ToiOptions::default();
    let refuses = |what: &str, change: &dyn Fn(&mut Crossing)| {
        let mut proof = verified(&a, &b, &options);
        match &mut proof.certificate {
            Some(CastCertificate::Chain {
                contact: Some(ChainContact::Crossing(crossing)),
                ..
            }) => change(crossing),
            other => panic!("{other:?}"),
        }
        let found = checked(&a, &b, &options, &proof);
        let proves = found.is_ok_and(|found| found.verdict && found.lower && found.upper);
        assert!(!proves, "{what}");
    };
    refuses("too early", &|x| x.to = x.from);
    refuses("too late", &|x| x.from = x.to);
    refuses("another ring", &|x| x.ring.reverse_pairs());
    refuses("a short ring", &|x| {
        x.ring.pop();
    });
    refuses("no such vertex", &|x| x.ring[0] = [7, 0]);
    refuses("a flat direction", &|x| x.direction = [1.0, 0.0, 0.0]);
    refuses("no direction", &|x| x.direction = [0.0; 3]);
    refuses("no number", &|x| x.from = f64::NAN);
    refuses("a long piece", &|x| x.to = 1.0);
}

/// A ring of other pairs.
trait ReversePairs {
    fn reverse_pairs(&mut self);
}

impl ReversePairs for Vec<[u32; 2]> {
    fn reverse_pairs(&mut self) {
        for pair in self {
            pair[0] = 0;
        }
    }
}

#[test]
fn policies_hold_for_moving_vertices() {
    let from = points([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let to = points([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]);
    let pin = |z: f64| {
        let place = Point::new(V::new(0.25, 0.25, z)).unwrap();
        Turned::at(place, Pose::identity())
    };
    let flap = moving(&from, &to);
    let options = ToiOptions::default();
    assert_eq!(
        asked(&flap, &pin(0.0), &options).verdict,
        Meeting::StartsTouching
    );
    let approach = options.with_motion(options.motion().with_start(Start::Approach));
    let passed = verified(&flap, &pin(0.0), &approach);
    assert_eq!(passed.answer.verdict, Meeting::Free);
    let far = options.with_motion(options.motion().with_distance(0.125).unwrap());
    let found = verified(&flap, &pin(0.5), &far).answer.time.unwrap();
    assert!(found.contains(0.375) && found.width() < 1e-11);
    // Bodies without inner points share none.
    let inner = options.with_motion(options.motion().with_touch(Touch::Passes));
    let graze = proved(&flap, &pin(0.5), &inner).answer;
    assert_ne!(graze.verdict, Meeting::Free);
}

#[test]
fn bad_lists_are_refused() {
    let one = [Vec2::new(0.0, 0.0)];
    assert!(matches!(
        MovingVertices::<Vec2<f64>>::new(&[], &[]),
        Err(ShapeError::Empty { .. })
    ));
    assert!(matches!(
        MovingVertices::new(&one, &[]),
        Err(ShapeError::OutOfRange { .. })
    ));
    let bad = MovingVertices::new(&one, &[Vec2::new(f64::NAN, 0.0)]);
    assert_eq!(bad.unwrap_err().field(), "to[0]");
}

#[test]
fn narrow_scalars_and_powers_of_two_keep_the_answers() {
    let from = points([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let to = points([[0.0, 0.5, 1.0], [2.0, 0.0, 1.0], [0.0, 1.5, 1.0]]);
    let options = ToiOptions::default();
    let ask = |scale: f64| {
        let large = |list: &[V]| list.iter().map(|&x| x * scale).collect::<Vec<V>>();
        let a = moving(&large(&from), &large(&to));
        let b = moving(
            &large(&points([[0.25, 0.5, 0.5]])),
            &large(&points([[0.25, 0.5, 0.25]])),
        );
        verified(&a, &b, &options).answer.time.unwrap()
    };
    assert_eq!(ask(1.0), ask(2f64.powi(40)));
    assert_eq!(ask(1.0), ask(2f64.powi(-80)));
    let low = |list: &[V]| list.iter().map(|x| x.lift()).collect::<Vec<Vec3<f32>>>();
    let a = moving(&low(&from), &low(&to));
    let b = moving(
        &low(&points([[0.25, 0.5, 0.5]])),
        &low(&points([[0.25, 0.5, 0.25]])),
    );
    let found = verified(&a, &b, &ToiOptions::default()).answer;
    assert_eq!(found.verdict, Meeting::Hits);
    assert!(found.time.unwrap().contains(0.4));
}
