//! Meshes against convex shapes, by closed forms.

#![allow(clippy::unwrap_used)] // a test panics on purpose

use gjk::query::Verdict;
use gjk::shape::Ball;
use gjk::{Pose3, Support, Vec3};
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

/// A triangle whose box is near may be farther than one whose box is not: what was within reach told a distance that was too large.
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
    assert_eq!(
        (found.verdict, found.triangle),
        (Verdict::Separated, Some(0))
    );
    // The truth is 1.125.
    assert_eq!(found.signed_distance.lower, 1.0);
    assert!(found.signed_distance.upper > 2.2);
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
