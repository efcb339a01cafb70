//! Small polygons, which sides answer at once, against the search that makes the proof.

use crate::laws::Numbers;
use crate::scene::{Turned, proved};
use gjk::query::{CastAnswer, Meeting, MotionStop, ToiOptions, Twist, contact, toi};
use gjk::shape::{Cuboid, Point, Polytope, Shape};
use gjk::{Pose2, Scalar, Vec2, Vector};

type Flat<T> = Vec2<T>;

fn vector<T: Scalar>(numbers: &mut Numbers, size: f64) -> Flat<T> {
    Vector::from_f64([numbers.next() * size, numbers.next() * size, 0.0])
}

/// A polygon of at most eight corners, or a rectangle, that moves and turns about a center: at a constant rate, or by an nlerp.
fn body<T: Scalar>(numbers: &mut Numbers, at: Flat<T>, to: Flat<T>, turn: f64) -> Turned<Flat<T>> {
    let count = 3 + (6.0 * numbers.next().abs()) as usize;
    let points: Vec<Flat<T>> = (0..count).map(|_| vector(numbers, 1.0)).collect();
    let shape: Shape<Flat<T>> = if count < 5 {
        let half = |k: usize| T::from_f64(0.2 + points[0].to_f64()[k].abs());
        Cuboid::new(Vec2::new(half(0), half(1))).unwrap().into()
    } else {
        Polytope::new(&points).unwrap().into()
    };
    let (angle, turn) = (3.0 * numbers.next(), turn * numbers.next());
    let here = Pose2::from_angle(T::from_f64(angle), at);
    let center = if numbers.next() > 0.0 {
        vector(numbers, 0.5)
    } else {
        Vector::from_f64([0.0; 3])
    };
    let body = Turned::at(shape, here);
    if numbers.next() > 0.5 {
        let there = Pose2::from_angle(T::from_f64(angle + turn), to);
        let twist = Twist::nlerp(&here, &there, center).unwrap();
        return Turned { twist, ..body };
    }
    body.moved(to - at, [T::ZERO, T::ZERO, T::from_f64(turn)], center)
}

/// The answer without a proof, and the one with it.
fn both<T: Scalar>(
    a: &Turned<Flat<T>>,
    b: &Turned<Flat<T>>,
    options: &ToiOptions<T>,
) -> [CastAnswer<Flat<T>>; 2] {
    let plain = toi(
        &a.shape, &a.pose, &a.twist, &b.shape, &b.pose, &b.twist, options,
    );
    [plain, proved(a, b, options).answer]
}

/// Asserts that the points of a contact are on both bodies, and that its normal is a unit vector.
fn check_meeting<T: Scalar>(
    a: &Turned<Flat<T>>,
    b: &Turned<Flat<T>>,
    found: &CastAnswer<Flat<T>>,
    width: f64,
) {
    let origin = Vector::from_f64([0.0; 3]);
    for (body, point) in [(a, found.point_a), (b, found.point_b)] {
        let (tip, spot) = (
            Point::new(origin).unwrap(),
            Pose2::from_translation(point.unwrap()),
        );
        let pose = body
            .twist
            .pose_at(&body.pose, found.time.unwrap().upper.to_f64());
        let apart = contact(&body.shape, &pose, &tip, &spot, &Default::default());
        let off = apart.signed_distance.lower.to_f64();
        assert!(off < 100.0 * width, "{off} {found:?}");
    }
    let normal = found.normal.unwrap().to_f64();
    let size = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((size - 1.0).abs() < 4.0 * T::ROUNDING.to_f64());
}

/// Random motions: verdicts are equal, and the first contact is in both intervals.
fn check_random<T: Scalar>(seed: u64, cases: usize, width: f64) {
    let mut numbers = Numbers(seed);
    let (mut hits, mut free, mut others, mut same) = (0, 0, 0, 0);
    for _ in 0..cases {
        let scale = [0.0, 4.0, 100.0][(numbers.next().abs() * 3.0) as usize];
        let at = vector::<T>(&mut numbers, scale);
        let goals = [1.0, 4.0, 3.0].map(|size| at + vector(&mut numbers, size));
        let [goal, from, to] = goals;
        let turn = [0.0, 1.0, 3.0, 20.0][(numbers.next().abs() * 4.0) as usize];
        let a = body(&mut numbers, at, goal, turn);
        let b = body(&mut numbers, from, to, turn);
        let [plain, known] = both(&a, &b, &ToiOptions::default());
        if known.verdict == Meeting::Undecided || plain.verdict == Meeting::Undecided {
            others += 1;
            continue;
        }
        assert_eq!(plain.verdict, known.verdict, "{plain:?} {known:?}");
        // The search answers both.
        same += usize::from(plain == known && plain.signed_distance.is_none());
        match plain.verdict {
            Meeting::Free => free += 1,
            Meeting::Hits => {
                let times = [plain.time.unwrap(), known.time.unwrap()];
                assert!(times[0].overlaps(&times[1]), "{plain:?} {known:?}");
                if plain.stop == MotionStop::GapClosed {
                    assert!(times[0].width().to_f64() <= width, "{plain:?}");
                }
                check_meeting(&a, &b, &plain, width);
                hits += 1;
            }
            _ => others += 1,
        }
    }
    assert!(
        hits * 8 > cases && free * 8 > cases && same * 8 < cases,
        "{hits} {free} {others} {same}"
    );
}

#[test]
fn small_polygons_meet_when_the_search_says() {
    check_random::<f64>(3, 4000, 1e-11);
}

#[test]
fn small_polygons_of_narrow_floats_meet_when_the_search_says() {
    check_random::<f32>(5, 4000, 1e-5);
}
