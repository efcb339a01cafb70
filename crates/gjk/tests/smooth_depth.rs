//! Smooth bodies that touch at their tips, and bodies whose depth is the same along an arc of directions: narrow intervals about what is known, in few expansions.
//!
//! The oracles are places: what touches was put there, and a cylinder whose axis goes through a corner is as deep as its radius.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod oracle;

use gjk::query::{Contact, Options, ProofOptions, Verdict};
use gjk::shape::{Cone, Cuboid, Cylinder, Ellipsoid, Point, Polytope, Shape};
use gjk::trace::{Observe, Step};
use gjk::{Axis, Pair, Pose, Scalar, Support, Vec3, Vector};
use oracle::Rng;

/// Counts expansions, those of runs that were given up too.
#[derive(Default)]
struct Expansions(u32);

impl<T: Scalar> Observe<Vec3<T>> for Expansions {
    fn observe(&mut self, step: Step<Vec3<T>>) {
        self.0 += u32::from(matches!(step, Step::Epa { .. }));
    }
}

type Body = Shape<Vec3<f64>>;

/// The contact and how many expansions it took.
fn asked(a: &Body, b: &Body, pose: &Pose<Vec3<f64>>) -> (Contact<Vec3<f64>>, u32) {
    placed(a, &Pose::identity(), b, pose)
}

fn placed(
    a: &Body,
    pose_a: &Pose<Vec3<f64>>,
    b: &Body,
    pose: &Pose<Vec3<f64>>,
) -> (Contact<Vec3<f64>>, u32) {
    let mut count = Expansions::default();
    let stated = Pair::new(a, pose_a, b, pose)
        .with(&Options::default())
        .prove_observed(&ProofOptions::default(), &mut count);
    (stated.contact, count.0)
}

/// The interval holds the truth and is no wider than some roundings of the bodies' sizes.
fn held(name: &str, a: &Body, b: &Body, pose: &Pose<Vec3<f64>>, truth: f64, most: u32) {
    let (found, expansions) = asked(a, b, pose);
    let interval = found.signed_distance;
    assert!(
        interval.lower <= truth && truth <= interval.upper,
        "{name}: {truth} {found:?}"
    );
    let size = [a, b].map(|body| body.core().extent.to_f64().iter().sum::<f64>());
    let way = pose
        .translation()
        .to_f64()
        .iter()
        .map(|x| x.abs())
        .sum::<f64>();
    let width = interval.upper - interval.lower;
    assert!(
        width <= 2e-13 * (size[0] + size[1] + way),
        "{name}: {width:e} {found:?}"
    );
    assert!(expansions <= most, "{name}: {expansions} {found:?}");
}

fn at(x: f64, y: f64, z: f64) -> Pose<Vec3<f64>> {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn turned_over(x: f64, y: f64, z: f64) -> Pose<Vec3<f64>> {
    Pose::from_quaternion([1.0, 0.0, 0.0, 0.0], Vec3::new(x, y, z)).unwrap()
}

/// Where a cone ends in its tip every facet of a polytope that touches it is as near as the tip itself, and none of their normals is one of the tip.
#[test]
fn tips_that_touch_take_few_expansions() {
    let point: Body = Point::new(Vec3::new(0.0, 0.0, 0.0)).unwrap().into();
    let block: Body = Cuboid::new(Vec3::new(1.0, 2.0, 0.5)).unwrap().into();
    for (h, r) in [(1.0, 1.0), (0.25, 0.001), (0.03125, 0.5), (40.0, 600.0)] {
        let cone: Body = Cone::new(h, r, Axis::Z).unwrap().into();
        held("a point", &cone, &point, &at(0.0, 0.0, h), 0.0, 64);
        held(
            "two tips",
            &cone,
            &cone,
            &turned_over(0.0, 0.0, 2.0 * h),
            0.0,
            64,
        );
        held(
            "a tip on a block",
            &cone,
            &block,
            &at(0.25, 0.5, h + 0.5),
            0.0,
            64,
        );
        // Beside the tip, within roundings of it.
        let beside = at(1e-16 * r, -1e-17 * r, h);
        held("beside", &cone, &point, &beside, 0.0, 64);
    }
    for radii in [Vec3::new(1.0, 0.5, 0.25), Vec3::new(1.0, 1.0, 0.125)] {
        let egg: Body = Ellipsoid::new(radii).unwrap().into();
        held(
            "an ellipsoid",
            &egg,
            &point,
            &at(0.0, 0.0, radii.z),
            0.0,
            64,
        );
    }
}

/// A corner of a body on a cylinder's axis, or an edge along it: moved along any of a quarter of all directions across the axis the bodies part after the radius.
#[test]
fn a_corner_on_an_axis_is_as_deep_as_the_radius() {
    let block: Body = Cuboid::new(Vec3::new(2.0, 3.0, 0.5)).unwrap().into();
    let roof: Vec<Vec3<f64>> = [[0.0, 0.0], [3.0, 1.0], [-1.0, 3.0]]
        .into_iter()
        .flat_map(|[x, y]| [-0.5, 0.5].map(|z| Vec3::new(x - 2.0, y - 3.0, z)))
        .collect();
    let wedge: Body = Polytope::new(&roof).unwrap().into();
    for r in [0.125, 0.0625, 0.015_625] {
        let rod: Body = Cylinder::new(0.25, r, Axis::Z).unwrap().into();
        for z in [0.0, 0.1, 0.5, 0.5 + 0.25 - 1.5 * r] {
            held("an edge", &block, &rod, &at(2.0, 3.0, z), -r, 160);
            held(
                "an edge, exchanged",
                &rod,
                &block,
                &at(-2.0, -3.0, -z),
                -r,
                160,
            );
            held("a wedge", &wedge, &rod, &at(-2.0, -3.0, z), -r, 160);
        }
    }
}

/// An edge along a cone's axis, all of the way or ending within: across the axis at the base, out of the base, or through the side.
#[test]
fn an_edge_along_a_cone_is_as_deep_as_its_section() {
    let block: Body = Cuboid::new(Vec3::new(2.0, 3.0, 0.5)).unwrap().into();
    for r in [0.125, 0.0625, 0.015_625] {
        let cone: Body = Cone::new(0.25, r, Axis::Z).unwrap().into();
        for z in [0.0, 0.25, -0.125] {
            held("across", &block, &cone, &at(2.0, 3.0, z), -r, 160);
            held("exchanged", &cone, &block, &at(-2.0, -3.0, -z), -r, 160);
        }
        held(
            "base",
            &block,
            &cone,
            &at(2.0, 3.0, 0.75 - r / 2.0),
            -r / 2.0,
            1000,
        );
        // From the end of the edge to the side.
        let side = |z: f64| (0.25 - z) * r / (0.25 + r * r).sqrt();
        for z in [0.0, 0.125, -0.125] {
            let pose = turned_over(2.0, 3.0, 0.5 + z);
            held("side", &block, &cone, &pose, -side(z), 160);
        }
    }
}

/// Bodies that touch on a face, a rim or a side: points of both bound the distance as well as the depth, though no facet encloses the origin.
#[test]
fn bodies_that_touch_have_narrow_intervals() {
    let rod: Body = Cylinder::new(0.75, 0.5, Axis::Z).unwrap().into();
    let cone: Body = Cone::new(0.75, 0.5, Axis::Z).unwrap().into();
    let block: Body = Cuboid::new(Vec3::new(0.3, 0.7, 0.2)).unwrap().into();
    let mut random = Rng(17);
    let mut narrow = 0;
    for case in 0..400 {
        let body = if case % 2 == 0 { &rod } else { &cone };
        let turn: [f64; 4] = std::array::from_fn(|_| random.range(-1.0, 1.0));
        let turned = Pose::from_quaternion(turn, Vec3::new(0.0, 0.0, 0.0)).unwrap();
        let lowest = turned.point(
            body.support(
                turned.direction_to_local(Vec3::new(0.0, 0.0, -1.0)),
                gjk::NO_ID,
            )
            .point,
        );
        let place = Vec3::new(random.range(-0.1, 0.1), random.range(-0.1, 0.1), 0.2) - lowest;
        let pose = Pose::from_quaternion(turn, place).unwrap();
        let (found, _) = asked(&block, body, &pose);
        let interval = found.signed_distance;
        assert!(
            interval.lower <= 1e-14 && interval.upper >= -1e-14,
            "{case} {found:?}"
        );
        narrow += usize::from(interval.upper - interval.lower < 1e-12);
    }
    assert!(narrow > 380, "{narrow}");
}

/// A depth that is no point's is not taken for one: the cylinder's end is nearer.
#[test]
fn the_end_of_a_rod_may_be_nearer_than_its_side() {
    let block: Body = Cuboid::new(Vec3::new(2.0, 3.0, 0.5)).unwrap().into();
    let rod: Body = Cylinder::new(0.25, 0.125, Axis::Z).unwrap().into();
    let (found, _) = asked(&block, &rod, &at(2.0, 3.0, 0.6875));
    assert_eq!(found.verdict, Verdict::Overlapping);
    held("an end", &block, &rod, &at(2.0, 3.0, 0.6875), -0.0625, 1000);
}

/// Where two axes are nearly one line the nearest points are nearly a ring, which EPA on the bodies would have to refine.
#[test]
fn solids_of_nearly_one_axis_take_a_few_expansions() {
    let mut random = Rng(31);
    for case in 0..600 {
        let [h, i, r, s] = [0; 4].map(|_| (random.range(-3.0, 3.0)).exp2());
        let (a, b): (Body, Body) = (
            Cylinder::new(h, r, Axis::Z).unwrap().into(),
            Cylinder::new(i, s, Axis::Z).unwrap().into(),
        );
        let beside = (r + s) * 10f64.powf(random.range(-17.0, -0.1));
        let along = (h + i) * random.range(-0.99, 0.99);
        let angle = random.range(0.0, 7.0);
        let (x, y) = (beside * angle.cos(), beside * angle.sin());
        let truth = (along.abs() - h - i).max(x.hypot(y) - r - s);
        let place = [0; 3].map(|_| random.range(-4.0, 4.0));
        let pose = at(place[0] + x, place[1] + y, place[2] + along);
        let (found, expansions) = placed(&a, &at(place[0], place[1], place[2]), &b, &pose);
        let interval = found.signed_distance;
        let room = 1e-14 * (h + i + r + s + 4.0);
        // The points are on the bodies, and as far apart as the bodies are deep.
        let [p, q] = [found.point_a, found.point_b].map(|p| p.to_f64());
        let (from_a, from_b) = (
            [0, 1, 2].map(|k: usize| p[k] - place[k]),
            [0, 1, 2].map(|k: usize| q[k] - place[k] - [x, y, along][k]),
        );
        for ([u, v, w], half, radius) in [(from_a, h, r), (from_b, i, s)] {
            let inside = w.abs() <= half + 1e-6 && u.hypot(v) <= radius + 1e-6;
            assert!(inside, "{case} {u} {v} {w} {half} {radius} {found:?}");
        }
        let apart = [0, 1, 2].map(|k: usize| p[k] - q[k]);
        let apart = apart[0].hypot(apart[1]).hypot(apart[2]);
        assert!((apart + truth).abs() <= 1e-6, "{case} {apart} {truth}");
        assert!(
            interval.lower <= truth + room && truth - room <= interval.upper,
            "{case} {truth} {found:?}"
        );
        assert!(
            interval.upper - interval.lower <= 1e-12 * (h + i + r + s),
            "{case} {truth} {found:?}"
        );
        assert!(expansions <= 64, "{case} {expansions} {found:?}");
    }
}
