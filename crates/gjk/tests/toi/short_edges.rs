//! Contacts at which corners of the difference of two bodies are within rounding of each other: the edge between them has no known direction, and yet a hit has its proof.
//!
//! The cases are reduced finds of `gjk fuzz`: families `vertices` and `brink-tois`.

use crate::scene::{Turned, verified};
use gjk::query::{Meeting, Start, ToiOptions, Touch};
use gjk::shape::{Cuboid, MovingVertices, Polytope};
use gjk::{Pose, Vec2, Vec3, Vector};

/// They hit at the time, and the checker accepts all of it, however the bodies are exchanged.
fn are_proved_to_hit<V: Vector<Scalar = f64>>(
    bodies: [&Turned<V>; 2],
    options: &ToiOptions<f64>,
    time: f64,
) {
    let [a, b] = bodies;
    for (a, b) in [(a, b), (b, a)] {
        let proof = verified(a, b, options);
        assert_eq!(proof.answer.verdict, Meeting::Hits);
        let found = proof.answer.time.unwrap();
        assert!(
            found.lower <= time && time <= found.upper + 1e-12,
            "{found:?}"
        );
        assert!(found.width() < 4e-12, "{found:?}");
    }
}

fn moving<const N: usize>(from: [[f64; 2]; N], to: [[f64; 2]; N]) -> Turned<Vec2<f64>> {
    let shape = MovingVertices::new(&from.map(Vec2::from), &to.map(Vec2::from)).unwrap();
    Turned::at(shape, Pose::identity())
}

/// Both ends of B are in one place when a corner of A is there too.
#[test]
fn a_segment_that_collapses_where_it_is_met() {
    let a = moving(
        [[-1.0, 1.0], [-1.0, -1.0], [0.0, 0.0]],
        [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]],
    );
    let b = moving([[3.0, 1.0], [2.0, 0.0]], [[-2.0, -1.0], [-1.0, 0.0]]);
    are_proved_to_hit([&a, &b], &ToiOptions::default(), 0.5);
}

/// All corners of B are on one line at the time of the contact, three of them in one place.
#[test]
fn a_hull_whose_corners_meet_on_a_line() {
    let a = moving(
        [[0.0, 1.0], [0.0, 2.0], [0.0, 2.0], [0.0, -2.0]],
        [[-1.0, 0.0], [-2.0, -2.0], [-1.0, -1.0], [-2.0, 2.0]],
    );
    let b = moving(
        [
            [5.0, 2.0],
            [3.0, -1.0],
            [3.0, -2.0],
            [5.0, 2.0],
            [3.0, -2.0],
            [3.0, -2.0],
            [5.0, 2.0],
            [5.0, 2.0],
        ],
        [
            [-6.0, 2.0],
            [-2.0, 0.0],
            [-3.0, 0.0],
            [-3.0, 2.0],
            [-4.0, 0.0],
            [-2.0, -1.0],
            [-3.0, -2.0],
            [-5.0, 2.0],
        ],
    );
    are_proved_to_hit([&a, &b], &ToiOptions::default(), 0.5);
}

/// A plate as thin as a trillionth, and a triangle that flies at its edge.
#[test]
fn a_plate_that_is_thinner_than_the_rounding_of_places() {
    let plate = Cuboid::new(Vec3::new(3.0, 9.094947017729282e-13, 1.0)).unwrap();
    let a = Turned::at(plate, Pose::from_translation(Vec3::new(1.0, -2.0, 0.0)));
    let corners = [[-0.5, 1.0, -1.0], [0.5, -1.0, -0.5], [-1.0, 0.5, 0.5]].map(Vec3::from);
    let at = Vec3::new(-1.5, -259.00000000000097, -768.0);
    let b = Turned::at(Polytope::new(&corners).unwrap(), Pose::from_translation(at));
    let b = b.moved(Vec3::new(0.0, 512.0, 1536.0), [0.0; 3], Vec3::ZERO);
    let motion = ToiOptions::default()
        .motion()
        .with_start(Start::Exit)
        .with_touch(Touch::Passes);
    are_proved_to_hit([&a, &b], &ToiOptions::default().with_motion(motion), 0.5);
}

/// A triangle of a sixty-fourth over a box twelve thousand times as large: facets between them are long and thin, and none of their edges is as short as rounding.
#[test]
fn a_small_triangle_on_a_large_box() {
    let shape = Cuboid::new(Vec3::new(192.0, 128.0, 128.0)).unwrap();
    let a = Turned::at(
        shape,
        Pose::from_translation(Vec3::new(-0.03125, 0.0625, 0.0625)),
    );
    let corners =
        [[2.0, 1.0, -1.0], [0.0, -1.0, 1.0], [0.0, -1.0, -1.0]].map(|x| x.map(|c| c / 64.0));
    let shape = Polytope::new(&corners.map(Vec3::from)).unwrap();
    let at = Vec3::new(191.953125, 0.09375, 128.09374999999997);
    let b = Turned::at(shape, Pose::from_translation(at));
    let b = b.moved(Vec3::new(0.0, -0.0625, -0.03125), [0.0; 3], Vec3::ZERO);
    let motion = ToiOptions::default().motion().with_start(Start::Exit);
    let options = ToiOptions::default().with_motion(motion);
    for (a, b) in [(&a, &b), (&b, &a)] {
        let proof = verified(a, b, &options);
        assert_eq!(proof.answer.verdict, Meeting::Hits);
        assert!(proof.answer.time.unwrap().contains(0.5));
    }
}

/// Corners of the difference are nearly on one line when two hulls meet that change their shapes.
#[test]
fn hulls_of_which_three_corners_are_nearly_on_a_line() {
    let points = |rows: &[[f64; 3]]| {
        rows.iter()
            .map(|&x| Vec3::from(x))
            .collect::<Vec<Vec3<f64>>>()
    };
    let moving = |from: &[[f64; 3]], to: &[[f64; 3]]| {
        let shape = MovingVertices::new(&points(from), &points(to)).unwrap();
        Turned::at(shape, Pose::from_translation(Vec3::new(0.0, -2.0, 2.0)))
    };
    let a = moving(
        &[
            [-1.0, 1.0, 1.0],
            [0.0, 0.0, 1.0],
            [1.0, -1.0, 1.0],
            [1.0, -1.0, 1.0],
        ],
        &[
            [-1.0, 1.0, 1.0],
            [-1.0, 0.0, 0.0],
            [-1.0, -1.0, 0.0],
            [-1.0, -1.0, -1.0],
        ],
    );
    let b = moving(
        &[
            [2.0, 1.0, -1.0],
            [1.0, 1.0, 0.0],
            [3.0, -1.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, -1.0],
        ],
        &[
            [-1.0, -1.0, 0.0],
            [-1.0, -1.0, -1.0],
            [-3.0, 1.0, 0.0],
            [-3.0, 0.0, 0.0],
            [-2.0, 0.0, 0.0],
        ],
    );
    are_proved_to_hit([&a, &b], &ToiOptions::default(), 0.7915781868498433);
}
