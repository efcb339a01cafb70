//! Pairs as they rest on each other: faces level or a little tilted, shifted, turned, and all of it turned in space.

use crate::oracle::Rng;
use gjk::shape::{Capsule, Cuboid, Polytope, Rounded, Shape};
use gjk::{Axis, Pose, Pose2, Pose3, Scalar, Vec2, Vec3, Vector};

/// Two bodies at their poses.
#[derive(Clone, Debug)]
pub(crate) struct Resting<V: Vector> {
    pub(crate) shapes: [Shape<V>; 2],
    pub(crate) poses: [Pose<V>; 2],
}

pub(crate) fn cuboid<V: Vector>(half: [f64; 3]) -> Shape<V> {
    Cuboid::new(V::from_f64(half)).unwrap().into()
}

/// An upright prism with a regular base.
pub(crate) fn prism<T: Scalar>(corners: u32, radius: f64, half: f64) -> Shape<Vec3<T>> {
    let points: Vec<Vec3<T>> = (0..2 * corners)
        .map(|k| {
            let (s, c) = (f64::from(k / 2) / f64::from(corners) * std::f64::consts::TAU).sin_cos();
            Vec3::from_f64([
                radius * c,
                radius * s,
                if k % 2 == 0 { half } else { -half },
            ])
        })
        .collect();
    Polytope::new(&points).unwrap().into()
}

const TILTS: [f64; 6] = [0.0, 0.0, 1e-12, 1e-6, 1e-2, 0.15];

/// A pair in space; the upper body is `gap` above the lower one, before it is tilted.
pub(crate) fn resting<T: Scalar>(rng: &mut Rng, gap: f64) -> Resting<Vec3<T>> {
    let mut tops = [0.0; 2];
    let shapes = [0, 1].map(|k| {
        let half = [(); 3].map(|()| rng.range(0.2, 1.0));
        tops[k] = half[2];
        match rng.below(4) {
            0 => prism(rng.below(14) as u32 + 3, half[0], half[2]),
            1 => {
                tops[k] += 0.1;
                Rounded::new(cuboid(half), T::from_f64(0.1)).unwrap().into()
            }
            2 if k == 1 => {
                tops[k] = 0.25;
                Capsule::new(T::from_f64(half[0]), T::from_f64(0.25), Axis::X)
                    .unwrap()
                    .into()
            }
            _ => cuboid(half),
        }
    });
    let tilt = TILTS[rng.below(6) as usize];
    let turn = if rng.below(3) == 0 {
        0.0
    } else {
        rng.range(0.0, 6.0)
    };
    let axis = rng.direction(3);
    let shift = Vec3::from_f64([
        rng.range(-0.8, 0.8),
        rng.range(-0.8, 0.8),
        tops[0] + tops[1] + gap,
    ]);
    let spin = [0.0, 0.0, (turn / 2.0).sin(), (turn / 2.0).cos()];
    let lean = [axis[0] * tilt / 2.0, axis[1] * tilt / 2.0, 0.0, 1.0];
    let upper = Pose3::from_quaternion(lean, shift)
        .unwrap()
        .compose(&Pose3::from_quaternion(spin, Vec3::ZERO).unwrap());
    let world: Pose3<f64> = if rng.below(2) == 0 {
        Pose3::identity()
    } else {
        Pose3::from_quaternion(rng.quaternion(), Vec3::new(0.3, -0.2, 0.1)).unwrap()
    };
    Resting {
        shapes,
        poses: [world.lift(), world.compose(&upper).lift()],
    }
}

/// A pair in the plane.
pub(crate) fn resting_2<T: Scalar>(rng: &mut Rng, gap: f64) -> Resting<Vec2<T>> {
    let halves = [0, 1].map(|_| [rng.range(0.2, 1.0), rng.range(0.2, 1.0), 0.0]);
    let tilt = TILTS[rng.below(6) as usize];
    let shift = Vec2::new(rng.range(-0.8, 0.8), halves[0][1] + halves[1][1] + gap);
    let world: Pose2<f64> = Pose2::from_angle(rng.range(0.0, 6.0), Vec2::new(0.3, 0.1));
    Resting {
        shapes: halves.map(cuboid),
        poses: [
            world.lift(),
            world.compose(&Pose2::from_angle(tilt, shift)).lift(),
        ],
    }
}
