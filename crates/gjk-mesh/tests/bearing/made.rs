//! Surfaces, poses, and what holds of every manifold.

use gjk::query::{self, Options};
use gjk::shape::Ball;
use gjk::{Pose3, Support, Vec3, Vector};
use gjk_mesh::{MeshBody, MeshManifold, MeshManifoldOptions, PosedBody, TriMesh};

pub(crate) fn vec3([x, y, z]: [f64; 3]) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

/// A turn by a vector of its axis and angle, and a place.
pub(crate) fn turned([x, y, z]: [f64; 3], at: [f64; 3]) -> Pose3<f64> {
    let angle = (x * x + y * y + z * z).sqrt();
    let part = if angle > 0.0 {
        (0.5 * angle).sin() / angle
    } else {
        0.5
    };
    Pose3::from_quaternion(
        [x * part, y * part, z * part, (0.5 * angle).cos()],
        vec3(at),
    )
    .unwrap()
}

pub(crate) fn body(vertices: &[[f64; 3]], faces: &[[u32; 3]]) -> MeshBody {
    MeshBody::new(TriMesh::new(vertices, faces).unwrap())
}

/// A grid of `n` by `n` squares on `[-4, 4]²` over a height, each cut along one of its diagonals.
pub(crate) fn grid(n: usize, height: impl Fn(f64, f64) -> f64) -> MeshBody {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for i in 0..=n {
        for j in 0..=n {
            let at = |k: usize| 8.0 * k as f64 / n as f64 - 4.0;
            vertices.push([at(i), at(j), height(at(i), at(j))]);
        }
    }
    let number = |i: usize, j: usize| (i * (n + 1) + j) as u32;
    for i in 0..n {
        for j in 0..n {
            let [a, b, c, d] =
                [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(|[i, j]| number(i, j));
            if (i * 7 + j * 3) % 2 == 0 {
                faces.extend([[a, b, c], [a, c, d]]);
            } else {
                faces.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    body(&vertices, &faces)
}

/// A level fan of needles about the origin.
pub(crate) fn fan() -> MeshBody {
    let mut vertices = vec![[0.0; 3]];
    let count = 13;
    for k in 0..count {
        let angle =
            core::f64::consts::TAU * f64::from(k) / f64::from(count) + 0.1 * f64::from(k % 3);
        vertices.push([6.0 * angle.cos(), 6.0 * angle.sin(), 0.0]);
    }
    let faces: Vec<[u32; 3]> = (0..count as u32)
        .map(|k| [0, k + 1, (k + 1) % count as u32 + 1])
        .collect();
    body(&vertices, &faces)
}

/// Each point is on both surfaces, the separation apart along the normal, and has a name of its own.
pub(crate) fn holds<S: Support<Vec3<f64>> + ?Sized>(
    posed: &PosedBody<'_>,
    shape: &S,
    pose: &Pose3<f64>,
    found: &MeshManifold,
    what: &dyn core::fmt::Debug,
) {
    let tolerance = 1e-6;
    for patch in &found.patches {
        assert!((patch.normal.norm() - 1.0).abs() < 1e-9, "{what:?}");
        assert!(!patch.points.is_empty(), "{what:?}");
        let mut ids: Vec<u64> = patch.points.iter().map(|x| x.point.id).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|w| w[0] != w[1]), "{what:?} {patch:?}");
        for point in patch.points.iter().map(|x| x.point) {
            let step = point.point_b - point.point_a;
            let gap = step.dot(patch.normal);
            assert!(
                point.separation.lower - tolerance <= gap
                    && gap <= point.separation.upper + tolerance,
                "{what:?} {point:?}"
            );
            assert!(
                (step - patch.normal * gap).norm() < tolerance,
                "{what:?} {point:?}"
            );
            let dust = Ball::new(1e-9).unwrap();
            let [on_a, on_b] = [point.point_a, point.point_b].map(Pose3::from_translation);
            let [x, y, z] = point.point_a.to_f64();
            let bounds = [
                [x - 1e-5, y - 1e-5, z - 1e-5],
                [x + 1e-5, y + 1e-5, z + 1e-5],
            ];
            let near = posed.contact_with(&dust, &on_a, bounds, 1e-6);
            assert!(near.nearest.is_some(), "{what:?} {point:?} is off the mesh");
            let to_body = query::contact(shape, pose, &dust, &on_b, &Options::default());
            assert!(
                to_body.signed_distance.lower < tolerance,
                "{what:?} {point:?} is off the body"
            );
        }
    }
}

/// The manifold, of which all that must holds.
pub(crate) fn asked<S: Support<Vec3<f64>> + ?Sized>(
    body: &MeshBody,
    place: &Pose3<f64>,
    shape: &S,
    pose: &Pose3<f64>,
    options: &MeshManifoldOptions,
) -> MeshManifold {
    let posed = body.at(place);
    let found = posed.manifold(shape, pose, options);
    holds(&posed, shape, pose, &found, &(place, pose));
    found
}

pub(crate) fn predicted(prediction: f64) -> MeshManifoldOptions {
    let points = query::ManifoldOptions::default().with_prediction(prediction);
    MeshManifoldOptions {
        points,
        ..MeshManifoldOptions::default()
    }
}
