//! Meshes against convex shapes, by closed forms.

#![allow(clippy::unwrap_used)] // a test panics on purpose

use gjk::query::{Interval, Options, Verdict};
use gjk::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Shape, Triangle};
use gjk::{Axis, Pair, Pose3, Posed, Support, Vec3};
use gjk_mesh::{MeshBody, ShapeContact, TriMesh};

/// A cube of half a side `h`.
fn cube(h: f64) -> MeshBody {
    let corner = |k: u32| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { h } else { -h });
    let corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
    let faces = [
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
    ];
    MeshBody::new(TriMesh::new(&corners, &faces).unwrap())
}

/// A body at rest against a shape of this half width at a place.
fn contact<S: Support<Vec3<f64>>>(
    body: &MeshBody,
    shape: &S,
    half: f64,
    at: [f64; 3],
    reach: f64,
) -> ShapeContact {
    let place = Pose3::from_translation(Vec3::new(at[0], at[1], at[2]));
    let bounds = [at.map(|x| x - half), at.map(|x| x + half)];
    let here = Pose3::identity();
    body.at(&here).contact_with(shape, &place, bounds, reach)
}

#[test]
fn a_ball_is_as_far_from_a_cube_as_its_closed_form_says() {
    let (body, ball) = (cube(1.0), Ball::new(0.5).unwrap());
    let cases = [
        ([3.0, 0.0, 0.0], 1.5),
        ([4.0, 5.0, 0.25], 4.5),
        ([2.0, 3.0, 3.0], 2.5),
        ([1.75, 0.5, 0.0], 0.25),
    ];
    for (at, truth) in cases {
        let found = contact(&body, &ball, 0.5, at, 10.0);
        let interval = found.signed_distance;
        assert_eq!(found.verdict, Verdict::Separated, "{at:?}");
        assert!(found.exact && !found.inside, "{at:?}");
        assert!(
            interval.lower <= truth && truth <= interval.upper,
            "{at:?} {interval}"
        );
        assert!(interval.upper - interval.lower < 1e-14, "{at:?} {interval}");
    }
    let touching = contact(&body, &ball, 0.5, [1.5, 0.25, 0.0], 0.0);
    assert_eq!(touching.verdict, Verdict::Touching);
    assert!(
        [10, 11].contains(&touching.triangle.unwrap()),
        "{touching:?}"
    );
    let across = contact(&body, &ball, 0.5, [1.25, 0.0, 0.0], 0.0);
    assert_eq!(
        (across.verdict, across.inside),
        (Verdict::Overlapping, false)
    );
    assert_eq!(across.signed_distance.upper, 0.0);
    let inside = contact(&body, &ball, 0.5, [0.0, 0.25, 0.0], 0.0);
    assert_eq!(
        (inside.verdict, inside.inside),
        (Verdict::Overlapping, true)
    );
}

/// A triangle whose box is near may be farther than one whose box is not: none of them is within reach, and none is told of.
#[test]
fn what_is_beyond_reach_is_not_said_to_be_farther() {
    let corners = [
        [1.9, 1.9, 1.9],
        [3.0, 1.9, 1.9],
        [1.9, 3.0, 1.9],
        [2.125, -1.0, -1.0],
        [2.125, 1.0, -1.0],
        [2.125, 0.0, 1.0],
    ];
    let surface = TriMesh::new(&corners, &[[0, 1, 2], [3, 4, 5]]).unwrap();
    let (body, ball) = (MeshBody::new(surface), Ball::new(1.0).unwrap());
    let found = contact(&body, &ball, 1.0, [0.0; 3], 1.0);
    assert_eq!((found.verdict, found.triangle), (Verdict::Separated, None));
    // The truth is 1.125.
    assert_eq!(found.signed_distance.lower, 1.0);
    assert!(found.signed_distance.upper > 1.125);
    let found = contact(&body, &ball, 1.0, [0.0; 3], 2.0);
    assert_eq!(
        (found.verdict, found.triangle),
        (Verdict::Separated, Some(1))
    );
    assert!((found.signed_distance.lower - 1.125).abs() < 1e-14);
    let nothing = contact(&body, &ball, 1.0, [-8.0, 0.0, 0.0], 1.0);
    assert_eq!((nothing.nearest, nothing.triangle), (None, None));
    assert_eq!(nothing.signed_distance.lower, 1.0);
}

/// A ball of triangles with bumps.
fn bumpy(draw: &mut impl FnMut() -> f64) -> MeshBody {
    const RINGS: usize = 12;
    let turn = core::f64::consts::TAU / RINGS as f64;
    let mut corners = Vec::new();
    for ring in 0..=RINGS {
        for step in 0..RINGS {
            let (up, around) = (0.5 * turn * ring as f64, turn * step as f64);
            let radius = 1.0 + 0.3 * draw();
            corners.push([
                radius * up.sin() * around.cos(),
                radius * up.sin() * around.sin(),
                radius * up.cos(),
            ]);
        }
    }
    let at = |ring: usize, step: usize| (ring * RINGS + step % RINGS) as u32;
    let mut faces = Vec::new();
    for ring in 0..RINGS {
        for step in 0..RINGS {
            let [a, b] = [at(ring, step), at(ring, step + 1)];
            let [c, d] = [at(ring + 1, step), at(ring + 1, step + 1)];
            faces.extend([[a, c, b], [b, c, d]]);
        }
    }
    MeshBody::new(TriMesh::new(&corners, &faces).unwrap())
}

/// A pose somewhere, turned; now and then it is stretched along the axes before it is turned.
fn somewhere(draw: &mut impl FnMut() -> f64, stretches: bool) -> Pose3<f64> {
    let turn = [draw(), draw(), draw(), draw()];
    let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
    let place = Vec3::new(1.5 * draw(), 1.5 * draw(), 1.5 * draw());
    let pose = Pose3::from_quaternion(turn.map(|x| x / length), place).unwrap();
    let by = if stretches { 0.75 } else { 0.0 };
    let columns = [0, 1, 2].map(|k| pose.columns()[k] * (1.0 + by * draw()));
    Pose3::from_columns(columns, place)
}

/// What no tree is asked for: the least over all triangles, whatever the shape and the poses are.
#[test]
fn a_search_finds_what_all_triangles_tell() {
    let mut state = 7_u64;
    let mut draw = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let shapes: Vec<Shape<Vec3<f64>>> = vec![
        Ball::new(0.5).unwrap().into(),
        Capsule::new(0.75, 0.25, Axis::X).unwrap().into(),
        Cylinder::new(0.5, 0.25, Axis::Y).unwrap().into(),
        Cone::new(0.75, 0.5, Axis::Z).unwrap().into(),
        Ellipsoid::new(Vec3::new(0.25, 0.5, 1.0)).unwrap().into(),
        Cuboid::new(Vec3::new(0.125, 0.5, 0.75)).unwrap().into(),
    ];
    let mut counts = [0; 4];
    for round in 0..240 {
        let body = bumpy(&mut draw);
        let (of_mesh, of_shape) = (
            somewhere(&mut draw, round % 4 == 0),
            somewhere(&mut draw, false),
        );
        let shape = &shapes[round % shapes.len()];
        let posed = body.at(&of_mesh);
        let [low, high] = Posed::new(shape, of_shape).bounds();
        let bounds = [low, high].map(|v| [v.x, v.y, v.z]);
        let corners = body.mesh().vertices().iter();
        let corners: Vec<_> = corners
            .map(|&[x, y, z]| of_mesh.point(Vec3::new(x, y, z)))
            .collect();
        let here = Pose3::identity();
        let told = body.mesh().triangles().iter().filter_map(|triangle| {
            let [a, b, c] = triangle.map(|k| corners[k as usize]);
            let triangle = Triangle::new(a, b, c).ok()?;
            Some(
                Pair::new(&triangle, &here, shape, &of_shape)
                    .with(&Options::tight())
                    .contact(),
            )
        });
        let told: Vec<_> = told.collect();
        let meets = told
            .iter()
            .any(|found| found.verdict == Verdict::Overlapping);
        let least = |end: fn(&Interval<f64>) -> f64| {
            told.iter()
                .map(|found| end(&found.signed_distance))
                .fold(f64::INFINITY, f64::min)
        };
        let (lower, upper) = (least(|i| i.lower), least(|i| i.upper));
        for reach in [f64::INFINITY, 1.0, 0.0] {
            let found = posed.contact_with(shape, &of_shape, bounds, reach);
            if meets {
                assert_eq!(found.verdict, Verdict::Overlapping, "{round} {reach}");
                assert_eq!(
                    found.nearest.unwrap().signed_distance.upper,
                    upper,
                    "{round} {reach}"
                );
                counts[0] += 1;
            } else if found.inside {
                counts[1] += 1;
            } else if lower > reach {
                assert_eq!(
                    (found.verdict, found.triangle),
                    (Verdict::Separated, None),
                    "{round}"
                );
                counts[2] += 1;
            } else {
                let interval = found.nearest.unwrap().signed_distance;
                assert_eq!(found.verdict, Verdict::Separated, "{round} {reach}");
                assert_eq!(
                    (interval.lower, interval.upper),
                    (lower, upper),
                    "{round} {reach}"
                );
                counts[3] += 1;
            }
        }
    }
    assert!(
        counts[0] > 100 && counts[2] > 100 && counts[3] > 200,
        "{counts:?}"
    );
}
