//! What must not change a manifold: the order of triangles, a rigid motion of both, a power of two.

use super::made::{asked, body, grid, predicted, turned, vec3};
use gjk::Pose3;
use gjk::query::ManifoldOptions;
use gjk::shape::Cuboid;
use gjk_mesh::{MeshBody, MeshManifold, MeshManifoldOptions};

/// Normals with places and separations, in an order of their own.
fn told(
    found: &MeshManifold,
    scale: f64,
    back: impl Fn([f64; 3], bool) -> [f64; 3],
) -> Vec<[i64; 7]> {
    let round = |x: f64| (x * 1e7).round() as i64;
    let mut all: Vec<[i64; 7]> = Vec::new();
    for patch in &found.patches {
        for point in &patch.points {
            let n = back([patch.normal.x, patch.normal.y, patch.normal.z], true).map(round);
            let at = point.point.point_a;
            let p = back([at.x, at.y, at.z].map(|x| x / scale), false).map(round);
            all.push([
                n[0],
                n[1],
                n[2],
                p[0],
                p[1],
                p[2],
                round(point.point.separation.middle() / scale),
            ]);
        }
    }
    all.sort_unstable();
    all
}

fn is_near(x: &[[i64; 7]], y: &[[i64; 7]]) -> bool {
    let close = |a: &[i64; 7], b: &[i64; 7]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 100);
    x.len() == y.len() && x.iter().all(|a| y.iter().any(|b| close(a, b)))
}

fn reordered(mesh: &MeshBody, scale: f64) -> MeshBody {
    let of = mesh.mesh();
    let count = of.vertices().len() as u32;
    // Vertices and triangles backward, and each triangle from another corner.
    let vertices: Vec<[f64; 3]> = of
        .vertices()
        .iter()
        .rev()
        .map(|p| p.map(|x| x * scale))
        .collect();
    let faces: Vec<[u32; 3]> = of
        .triangles()
        .iter()
        .rev()
        .map(|&[a, b, c]| [b, c, a].map(|v| count - 1 - v))
        .collect();
    body(&vertices, &faces)
}

#[test]
fn order_motion_and_scale_change_nothing() {
    let mut random = fastrand::Rng::with_seed(5);
    let surfaces = [
        grid(8, |_, _| 0.0),
        grid(8, |x, y| 0.3 * (1.3 * x).sin() * (0.9 * y).cos()),
        grid(8, |x, _| -0.3 * x.abs()),
        grid(8, |x, y| 0.4 * x.abs().max(y.abs())),
    ];
    let mut points = 0;
    for case in 0..120 {
        let mesh = &surfaces[case % 4];
        let half = [0.5, 0.375, 0.25];
        let tilt = [[0.0; 3], [0.3, 0.1, 0.2], [0.0, 0.0, 0.7]][case % 3];
        let at = [
            2.0 * random.f64() - 1.0,
            2.0 * random.f64() - 1.0,
            [0.2, 0.2, 0.2, 0.5][case % 4] + 0.4 * random.f64(),
        ];
        let all = |scale: f64| MeshManifoldOptions {
            points: ManifoldOptions::default()
                .with_prediction(0.01 * scale)
                .with_all_points(),
            ..predicted(0.0)
        };
        let cube = |scale: f64| Cuboid::new(vec3(half.map(|x| x * scale))).unwrap();
        let here = Pose3::identity();
        let plain = asked(mesh, &here, &cube(1.0), &turned(tilt, at), &all(1.0));
        let same = |p: [f64; 3], _: bool| p;
        let truth = told(&plain, 1.0, same);
        points += truth.len();
        let other = asked(
            &reordered(mesh, 1.0),
            &here,
            &cube(1.0),
            &turned(tilt, at),
            &all(1.0),
        );
        assert!(
            is_near(&truth, &told(&other, 1.0, same)),
            "{case} {plain:#?} {other:#?}"
        );
        let scaled = reordered(mesh, 1024.0);
        let posed = turned(tilt, at.map(|x| x * 1024.0));
        let found = scaled
            .at(&here)
            .manifold(&cube(1024.0), &posed, &all(1024.0));
        assert!(
            is_near(&truth, &told(&found, 1024.0, same)),
            "{case} {plain:#?} {found:#?}"
        );
        // Both turned by a quarter about z and moved.
        let quarter = turned([0.0, 0.0, core::f64::consts::FRAC_PI_2], [0.5, -0.25, 2.0]);
        let own = turned(tilt, at);
        let columns = [0, 1, 2].map(|k| quarter.point(own.columns()[k]) - quarter.translation());
        let moved = Pose3::from_columns(columns, quarter.point(own.translation()));
        let found = asked(mesh, &quarter, &cube(1.0), &moved, &all(1.0));
        let back = |p: [f64; 3], is_direction: bool| {
            let p = if is_direction {
                p
            } else {
                [p[0] - 0.5, p[1] + 0.25, p[2] - 2.0]
            };
            [p[1], -p[0], p[2]]
        };
        assert!(
            is_near(&truth, &told(&found, 1.0, back)),
            "{case} {plain:#?} {found:#?}"
        );
    }
    assert!(points > 100, "{points}");
}
