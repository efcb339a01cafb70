//! What must not change an answer: the order of the triangles, a power of two, and a motion that rounds nothing.

use super::made::{direction, soup, vec3};
use gjk::query::{MotionOptions, Ray};
use gjk::shape::Cuboid;
use gjk::{Pose3, Vec3};
use gjk_mesh::{MeshBody, MeshCast, TriMesh};

/// The vertices of each triangle, by themselves.
fn corners(mesh: &TriMesh) -> Vec<[[f64; 3]; 3]> {
    let each = mesh.triangles().iter();
    each.map(|t| t.map(|v| mesh.vertices()[v as usize]))
        .collect()
}

fn body(corners: &[[[f64; 3]; 3]]) -> MeshBody {
    let vertices: Vec<[f64; 3]> = corners.iter().flatten().copied().collect();
    let faces: Vec<[u32; 3]> = (0..corners.len() as u32)
        .map(|k| [3 * k, 3 * k + 1, 3 * k + 2])
        .collect();
    MeshBody::new(TriMesh::new(&vertices, &faces).unwrap())
}

fn both(
    body: &MeshBody,
    scale: f64,
    by: Vec3<f64>,
    origin: Vec3<f64>,
    way: Vec3<f64>,
) -> [MeshCast; 2] {
    let here = Pose3::from_translation(by);
    let ray = Ray::new(origin * scale + by, way * scale).unwrap();
    let cube = Cuboid::new(vec3([0.25 * scale, 0.5 * scale, 0.125 * scale])).unwrap();
    let at = Pose3::from_translation(origin * scale + by);
    let posed = body.at(&here);
    let options = MotionOptions::default();
    [
        posed.ray(&ray, &options).unwrap(),
        posed
            .cast(vec3([0.0; 3]), &cube, &at, way * scale, &options)
            .unwrap(),
    ]
}

#[test]
fn order_scale_and_place_change_nothing() {
    let mut random = fastrand::Rng::with_seed(31);
    for _ in 0..100 {
        let all = corners(&soup(&mut random, 10, 3));
        // Steps of a 64th, so that places add exactly.
        let grid = |v: Vec3<f64>| vec3([v.x, v.y, v.z].map(|x| (x * 64.0).round() / 64.0));
        let (origin, way) = (
            grid(direction(&mut random) * 5.0),
            grid(direction(&mut random)),
        );
        let plain = both(&body(&all), 1.0, vec3([0.0; 3]), origin, way);
        let reversed: Vec<_> = all.iter().rev().copied().collect();
        let scaled: Vec<_> = all
            .iter()
            .map(|t| t.map(|p| p.map(|x| x * 1024.0)))
            .collect();
        let others = [
            both(&body(&reversed), 1.0, vec3([0.0; 3]), origin, way),
            both(&body(&scaled), 1024.0, vec3([0.0; 3]), origin, way),
            both(&body(&all), 1.0, vec3([8.0, -16.0, 4.0]), origin, way),
        ];
        for other in &others {
            for (x, y) in plain.iter().zip(other) {
                assert_eq!(x.answer.verdict, y.answer.verdict);
                assert_eq!(
                    (x.answer.exact, x.answer.grazing, x.inside),
                    (y.answer.exact, y.answer.grazing, y.inside)
                );
                assert_eq!(x.triangles.len(), y.triangles.len());
                match (x.answer.time, y.answer.time) {
                    (Some(a), Some(b)) => assert!(a.overlaps(&b)),
                    (a, b) => assert_eq!(a, b),
                }
            }
        }
        assert_eq!(plain[0].answer.time, others[1][0].answer.time);
    }
}
