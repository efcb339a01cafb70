//! Smooth and rounded bodies against their own inequalities, in integers: the ray is outside at the lower end, and inside at the upper.

use crate::oracle::Rng;
use crate::oracle::pairs::random_vector;
use gjk::math::Interval;
use gjk::query::{CastAnswer, Meeting, Ray, ray};
use gjk::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Polytope, Rounded, Shape};
use gjk::{Axis, Pose, Support, SupportPoint, Vec3, Vector};
use gjk_exact::Int;
use gjk_exact::integer::{grid_of, on_grid};

type V = Vec3<f64>;

/// A float as an integer of units `2⁻¹⁰⁰`: all numbers here are multiples of that.
fn units(x: f64) -> Int {
    assert!(x == 0.0 || grid_of([x].into_iter()) >= -100, "{x:e}");
    on_grid(x, -100)
}

/// The place at a time in units of `2⁻²⁰⁰`.
fn place(shot: &Ray<V>, time: f64) -> [Int; 3] {
    let (o, d) = (shot.origin(), shot.direction());
    [(o.x, d.x), (o.y, d.y), (o.z, d.z)].map(|(o, d)| (units(o) << 100) + units(d) * units(time))
}

fn square(x: &Int) -> Int {
    x * x
}

/// Coarse numbers, so that places are exact on the grid.
fn coarse(v: V) -> V {
    let round = |x: f64| (x * 1024.0).round() / 1024.0;
    Vec3::new(round(v.x), round(v.y), round(v.z))
}

/// Rays at a body: its inequality is exact, `true` inside or on the border.
fn held(name: &str, shape: Shape<V>, inside: impl Fn(&[Int; 3]) -> bool) {
    let mut rng = Rng(61);
    let (mut hits, mut free, mut starts) = (0, 0, 0);
    for case in 0..250 {
        let reach = if case % 6 == 0 { 0.3 } else { 3.0 };
        let origin: V = coarse(random_vector(&mut rng, reach));
        let target: V = coarse(random_vector(&mut rng, 1.2));
        let direction = target - origin;
        if direction == Vec3::new(0.0, 0.0, 0.0) {
            continue;
        }
        let shot = Ray::new(origin, direction).unwrap();
        let answer: CastAnswer<V> = ray(&shape, &Pose::identity(), &shot, &Default::default());
        let at = |time: f64| {
            inside(&place(
                &shot,
                (time * 2f64.powi(60)).round() / 2f64.powi(60),
            ))
        };
        match answer.verdict {
            Meeting::Hits => {
                hits += 1;
                let time = answer.time.unwrap();
                assert!(
                    time.upper - time.lower < 1e-12,
                    "{name}: {shot:?} {answer:?}"
                );
                // The grid of times is finer than the interval's own rounding.
                assert!(
                    !at(time.lower - 2f64.powi(-60)) && at(time.upper + 2f64.powi(-60)),
                    "{name}: {shot:?} {answer:?}"
                );
                let before = (1..50).any(|k| at(time.lower * f64::from(k) / 50.0));
                assert!(!before, "{name}: {shot:?} {answer:?}");
            }
            Meeting::Free => {
                free += 1;
                assert!(
                    (0..400).all(|k| !at(f64::from(k) / 100.0)),
                    "{name}: {shot:?}"
                );
            }
            Meeting::StartsOverlapping => {
                starts += 1;
                assert!(at(0.0), "{name}: {shot:?}");
            }
            other => panic!("{name}: {other:?} {shot:?}"),
        }
    }
    assert!(
        hits > 40 && free > 5 && starts > 0,
        "{name}: {hits} {free} {starts}"
    );
}

#[test]
fn smooth_bodies_are_hit_where_their_inequality_says() {
    let (radius, half) = (0.75, 0.5);
    let scale = |x: f64| units(x) << 100;
    held(
        "cylinder",
        Cylinder::new(half, radius, Axis::Z).unwrap().into(),
        |[x, y, z]| {
            square(x) + square(y) <= square(&scale(radius)) && square(z) <= square(&scale(half))
        },
    );
    held(
        "cone",
        Cone::new(half, radius, Axis::Z).unwrap().into(),
        |[x, y, z]| {
            // The radius at height z is r(h − z)/2h.
            let left = scale(half) - z;
            let above = left >= Int::ZERO && *z >= -scale(half);
            above
                && (square(x) + square(y)) * square(&units(2.0 * half))
                    <= square(&(left * units(radius)))
        },
    );
    held(
        "ellipsoid",
        Ellipsoid::new(Vec3::new(1.0, 0.5, 0.25)).unwrap().into(),
        |[x, y, z]| {
            square(x) + square(&(y * Int::from(2))) + square(&(z * Int::from(4)))
                <= square(&scale(1.0))
        },
    );
    held(
        "capsule",
        Capsule::new(half, radius, Axis::Z).unwrap().into(),
        |[x, y, z]| {
            let over = |z: &Int| {
                if *z > scale(half) {
                    z - scale(half)
                } else {
                    Int::ZERO
                }
            };
            let beyond = over(z) + over(&-z);
            square(x) + square(y) + square(&beyond) <= square(&scale(radius))
        },
    );
    let core: Shape<V> = Cuboid::new(Vec3::new(0.5, 0.25, 0.5)).unwrap().into();
    held(
        "rounded box",
        Rounded::new(core, 0.25).unwrap().into(),
        |p| {
            let over = |x: &Int, h: f64| {
                let size = if *x < Int::ZERO { -x } else { x.clone() };
                let h = scale(h);
                if size > h { size - h } else { Int::ZERO }
            };
            let [x, y, z] = [over(&p[0], 0.5), over(&p[1], 0.25), over(&p[2], 0.5)];
            square(&x) + square(&y) + square(&z) <= square(&scale(0.25))
        },
    );
}

/// A body of the caller's, of which only the farthest points are known.
struct Own;

impl Support<V> for Own {
    fn support(&self, d: V, _hint: u32) -> SupportPoint<V> {
        let length = (d.x * d.x + d.y * d.y + d.z * d.z).sqrt();
        let point = if length > 0.0 {
            d * (1.0 / length)
        } else {
            Vec3::new(1.0, 0.0, 0.0)
        };
        SupportPoint {
            point,
            id: gjk::NO_ID,
        }
    }
}

#[test]
fn a_body_of_the_callers_is_hit() {
    let go = |y: f64| {
        let shot = Ray::new(Vec3::new(-3.0, y, 0.0), Vec3::new(2.0, 0.0, 0.0)).unwrap();
        ray(&Own, &Pose::identity(), &shot, &Default::default())
    };
    let hit = go(0.6);
    let time = hit.time.unwrap();
    assert!(hit.verdict == Meeting::Hits && !hit.exact, "{hit:?}");
    assert!(time.contains(1.1) && time.width() < 1e-12, "{hit:?}");
    assert_eq!(go(1.001).verdict, Meeting::Free);
    // Within rounding of a graze nothing is claimed.
    let graze = go(1.0);
    assert!(graze.verdict != Meeting::Free || graze.exact, "{graze:?}");
}

/// A ray at a solid: verdict, entry, exit and normal as told by hand; closed forms take no step of a search.
fn told(shape: &Shape<V>, origin: [f64; 3], direction: [f64; 3], truth: Option<([f64; 2], V)>) {
    let [origin, direction] = [origin, direction].map(|[x, y, z]| Vec3::new(x, y, z));
    let shot = Ray::new(origin, direction).unwrap();
    let answer = ray(shape, &Pose::identity(), &shot, &Default::default());
    let Some((times, normal)) = truth else {
        assert_eq!(answer.verdict, Meeting::Free, "{shot:?} {answer:?}");
        return;
    };
    assert_eq!(answer.verdict, Meeting::Hits, "{shot:?} {answer:?}");
    assert_eq!(answer.iterations, 0, "{shot:?} {answer:?}");
    for (interval, time) in [answer.time, answer.exit].into_iter().zip(times) {
        let interval = interval.unwrap();
        assert!(
            interval.contains(time) && interval.width() < 1e-12,
            "{answer:?}"
        );
    }
    let beside = answer.normal.unwrap() - normal;
    assert!(beside.norm() < 1e-12, "{answer:?}");
}

#[test]
fn closed_forms_tell_caps_sides_and_mirror_images_apart() {
    let (side, up) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0));
    let cylinder: Shape<V> = Cylinder::new(2.0, 1.0, Axis::Z).unwrap().into();
    // Along the axis, through both caps, and beside.
    told(
        &cylinder,
        [0.5, 0.25, 5.0],
        [0.0, 0.0, -1.0],
        Some(([3.0, 7.0], up)),
    );
    told(&cylinder, [1.5, 0.25, 5.0], [0.0, 0.0, -1.0], None);
    // Through the side, level with the caps and beyond them; in by a cap and out by the side.
    told(
        &cylinder,
        [3.0, 0.0, 1.5],
        [-1.0, 0.0, 0.0],
        Some(([2.0, 4.0], side)),
    );
    told(&cylinder, [3.0, 0.0, 2.5], [-1.0, 0.0, 0.0], None);
    told(
        &cylinder,
        [0.0, 0.0, 3.0],
        [0.5, 0.0, -1.0],
        Some(([1.0, 2.0], up)),
    );
    // Past the rim: within the side and between the caps, one after the other.
    told(
        &cylinder,
        [3.0, 0.0, 3.5],
        [-1.0, 0.0, -1.0],
        Some(([2.0, 4.0], side)),
    );
    told(&cylinder, [3.0, 0.0, 6.5], [-1.0, 0.0, -1.0], None);
    // Of the radius 1 at the base, the apex 2 above it.
    let cone: Shape<V> = Cone::new(1.0, 1.0, Axis::Z).unwrap().into();
    let slope = Vec3::new(2.0, 0.0, 1.0) * (1.0 / 5f64.sqrt());
    told(
        &cone,
        [3.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        Some(([2.5, 3.5], slope)),
    );
    told(
        &cone,
        [0.25, 0.0, 4.0],
        [0.0, 0.0, -1.0],
        Some(([3.5, 5.0], slope)),
    );
    told(
        &cone,
        [0.25, 0.0, -3.0],
        [0.0, 0.0, 1.0],
        Some(([2.0, 3.5], -up)),
    );
    // Through the mirror image beyond the apex only.
    told(&cone, [3.0, 0.0, 2.5], [-1.0, 0.0, 0.0], None);
    told(&cone, [3.0, 0.0, -1.5], [-1.0, 0.0, 0.0], None);
    let ellipsoid: Shape<V> = Ellipsoid::new(Vec3::new(2.0, 1.0, 0.5)).unwrap().into();
    told(
        &ellipsoid,
        [5.0, 0.0, 0.0],
        [-2.0, 0.0, 0.0],
        Some(([1.5, 3.5], side)),
    );
    told(&ellipsoid, [5.0, 1.5, 0.0], [-2.0, 0.0, 0.0], None);
}

/// Searches take twenty times as long: they are for grazes and starts in contact.
#[test]
fn usual_rays_take_no_search() {
    let shapes: [(&str, Shape<V>); 4] = [
        (
            "cylinder",
            Cylinder::new(0.5, 0.75, Axis::X).unwrap().into(),
        ),
        ("cone", Cone::new(0.5, 0.75, Axis::Y).unwrap().into()),
        (
            "ellipsoid",
            Ellipsoid::new(Vec3::new(1.0, 0.5, 0.25)).unwrap().into(),
        ),
        ("capsule", Capsule::new(0.5, 0.25, Axis::Z).unwrap().into()),
    ];
    let mut rng = Rng(62);
    for (name, shape) in shapes {
        let (mut hits, mut searched) = (0, 0);
        for _ in 0..400 {
            let way: V = random_vector(&mut rng, 1.0);
            let target: V = random_vector(&mut rng, 0.5);
            let shot = Ray::new(target - way * (4.0 / way.norm()), way).unwrap();
            let answer = ray(&shape, &Pose::identity(), &shot, &Default::default());
            hits += usize::from(answer.verdict == Meeting::Hits);
            searched += usize::from(answer.iterations > 0);
        }
        assert!(hits > 100 && searched < 8, "{name}: {hits} {searched}");
    }
}

/// A closed form of the core alone would be early by the radius.
#[test]
fn rounded_cores_are_hit_at_their_radius() {
    // The core, the height at which the ray passes, and how far the rounded body reaches there.
    let cores: [(Shape<V>, f64, f64); 3] = [
        (
            Ellipsoid::new(Vec3::new(1.0, 0.5, 0.25)).unwrap().into(),
            0.0,
            1.25,
        ),
        (Cylinder::new(0.5, 1.0, Axis::Z).unwrap().into(), 0.0, 1.25),
        (Cone::new(0.5, 2.0, Axis::Z).unwrap().into(), -0.5, 2.25),
    ];
    for (core, height, reach) in cores {
        let body: Shape<V> = Rounded::new(core, 0.25).unwrap().into();
        let shot = Ray::new(Vec3::new(-4.0, 0.0, height), Vec3::new(1.0, 0.0, 0.0)).unwrap();
        let answer = ray(&body, &Pose::identity(), &shot, &Default::default());
        assert_eq!(answer.verdict, Meeting::Hits, "{answer:?}");
        assert!(answer.time.unwrap().contains(4.0 - reach), "{answer:?}");
    }
}

/// Their squares are no floats: lengths and times are told in other powers of two, which changes no digit.
#[test]
fn sizes_beyond_two_to_the_hundred_have_closed_forms() {
    let power = |e: i32| 2f64.powi(e);
    let shapes = |e: i32| -> [Shape<V>; 3] {
        let size = |x: f64| x * power(e);
        [
            Cylinder::new(size(0.5), size(0.75), Axis::X)
                .unwrap()
                .into(),
            Cone::new(size(0.5), size(0.75), Axis::Y).unwrap().into(),
            Ellipsoid::new(Vec3::new(1.0, 0.5, 0.25) * power(e))
                .unwrap()
                .into(),
        ]
    };
    let (turn, place) = ([0.1, 0.3, -0.2, 0.9], Vec3::new(0.5, -0.25, 1.0));
    let pose = Pose::from_quaternion(turn, place).unwrap();
    let (origin, direction) = (Vec3::new(4.0, 2.0, -3.0), Vec3::new(-3.4, -2.25, 4.1));
    // Of the body, of the ray's speed, of the pose.
    for [size, speed, scale] in [
        [300, 300, 0],
        [-300, -300, 0],
        [0, 250, 0],
        [200, -200, 0],
        [0, 0, 300],
        [-400, 0, 400],
    ] {
        let world = size + scale;
        let posed = Pose::from_quaternion(turn, place * power(size)).unwrap();
        let posed = posed.scaled_by_power(scale);
        let far = Ray::new(origin * power(world), direction * power(speed + scale)).unwrap();
        let near = Ray::new(origin, direction).unwrap();
        for (large, plain) in shapes(size).iter().zip(&shapes(0)) {
            let truth = ray(plain, &pose, &near, &Default::default());
            let found = ray(large, &posed, &far, &Default::default());
            assert_eq!(truth.verdict, Meeting::Hits);
            assert_eq!(
                (found.verdict, found.iterations),
                (Meeting::Hits, 0),
                "{large:?} {far:?} {found:?}"
            );
            let times = |x: Interval<f64>, e: i32| [x.lower, x.upper].map(|x| x * power(e));
            for (told, is) in [(found.time, truth.time), (found.exit, truth.exit)] {
                assert_eq!(times(told.unwrap(), speed - size), times(is.unwrap(), 0));
            }
            assert_eq!(found.normal, truth.normal);
        }
    }
}

/// The planes of a hull are told in its own lengths, whatever the ray's speed is.
#[test]
fn hulls_are_hit_by_rays_of_any_speed() {
    let corners = [
        [8.0, 0.0, 0.0],
        [-8.0, 9.0, 0.0],
        [-8.0, -9.0, 2.0],
        [0.0, 0.0, 12.0],
    ];
    let hull: Shape<V> = Polytope::new(&corners.map(|[x, y, z]| Vec3::new(x, y, z)))
        .unwrap()
        .into();
    let (origin, direction) = (Vec3::new(40.0, 1.0, 3.0), Vec3::new(-1.0, 0.0, 0.0));
    let hit = |speed: f64| {
        let shot = Ray::new(origin, direction * speed).unwrap();
        ray(&hull, &Pose::identity(), &shot, &Default::default())
    };
    let truth = hit(1.0);
    assert_eq!(truth.verdict, Meeting::Hits);
    for exponent in [-250, -120, 120, 250] {
        let (speed, found) = (2f64.powi(exponent), hit(2f64.powi(exponent)));
        assert_eq!(found.verdict, Meeting::Hits, "{exponent} {found:?}");
        let (found, truth) = (found.time.unwrap(), truth.time.unwrap());
        assert!(found.lower * speed <= truth.upper && truth.lower <= found.upper * speed);
    }
}

/// A ray past a cone's tip by less than a rounding: what floats cannot tell they are not asked twice.
#[test]
fn a_search_looks_at_no_time_twice() {
    use core::cell::RefCell;
    use gjk::query::{MotionStep, observe_ray};
    let (height, radius) = (0.213_237_47_f32, 0.000_656_463_03_f32);
    let cone: Shape<Vec3<f32>> = Cone::new(height, radius, Axis::Z).unwrap().into();
    let origin = Vec3::new(-3.0, -2.851_134_6e-16, height);
    let shot = Ray::new(origin, Vec3::new(0.000_976_562_5, 0.0, 0.0)).unwrap();
    let times = RefCell::new(Vec::new());
    let observe = |step: MotionStep| {
        if let MotionStep::Looked { time, .. } = step {
            times.borrow_mut().push(time);
        }
    };
    let pose = Pose::identity();
    let answer = observe_ray(&cone, &pose, &shot, &Default::default(), &observe);
    let times = times.into_inner();
    assert!(
        times.len() > 2 && times.windows(2).all(|pair| pair[0] != pair[1]),
        "{times:?}"
    );
    assert_eq!(answer, ray(&cone, &pose, &shot, &Default::default()));
    assert_eq!(answer.verdict, Meeting::Undecided);
    assert!(
        answer.iterations > 0 && answer.iterations < 20,
        "{answer:?}"
    );
}
