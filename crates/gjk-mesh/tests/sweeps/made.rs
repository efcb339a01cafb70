//! Meshes, poses and what brute force says of them.

use gjk::query::{self, CastAnswer, Interval, Meeting};
use gjk::shape::Triangle;
use gjk::{Pose3, Vec3};
use gjk_mesh::{MeshBody, MeshCast, TriMesh};

pub(crate) fn vec3([x, y, z]: [f64; 3]) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

/// A wavy surface of `n` by `n` squares on `[-4, 4]²`.
pub(crate) fn terrain(n: usize) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..=n {
        for j in 0..=n {
            let at = |k: usize| 8.0 * k as f64 / n as f64 - 4.0;
            let (x, y) = (at(i), at(j));
            vertices.push([x, y, 0.5 * (1.3 * x).sin() * (0.9 * y).cos()]);
        }
    }
    let number = |i: usize, j: usize| (i * (n + 1) + j) as u32;
    for i in 0..n {
        for j in 0..n {
            let ring = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(|[i, j]| number(i, j));
            triangles.push([ring[0], ring[1], ring[2]]);
            triangles.push([ring[0], ring[2], ring[3]]);
        }
    }
    TriMesh::new(&vertices, &triangles).unwrap()
}

/// Triangles with corners of small integers, welded where they are one.
pub(crate) fn soup(random: &mut fastrand::Rng, count: usize, size: i32) -> TriMesh {
    let mut vertices = Vec::new();
    for _ in 0..3 * count {
        vertices.push([(); 3].map(|()| f64::from(random.i32(-size..=size))));
    }
    let triangles: Vec<[u32; 3]> = (0..count as u32)
        .map(|k| [3 * k, 3 * k + 1, 3 * k + 2])
        .collect();
    // Never empty: a triangle that nothing cancels.
    vertices.extend([[90.0, 0.0, 0.0], [91.0, 0.0, 0.0], [90.0, 1.0, 0.0]]);
    let last = 3 * count as u32;
    let triangles: Vec<[u32; 3]> = triangles
        .into_iter()
        .chain([[last, last + 1, last + 2]])
        .collect();
    TriMesh::new(&vertices, &triangles).unwrap()
}

pub(crate) fn direction(random: &mut fastrand::Rng) -> Vec3<f64> {
    vec3([(); 3].map(|()| 2.0 * random.f64() - 1.0))
}

/// A turn by a vector of its axis and angle, and a place.
pub(crate) fn turned([x, y, z]: [f64; 3], at: Vec3<f64>) -> Pose3<f64> {
    let angle = (x * x + y * y + z * z).sqrt();
    let part = if angle > 0.0 {
        (0.5 * angle).sin() / angle
    } else {
        0.5
    };
    Pose3::from_quaternion([x * part, y * part, z * part, (0.5 * angle).cos()], at).unwrap()
}

/// A turn and a place, or none.
pub(crate) fn pose(random: &mut fastrand::Rng, reach: f64) -> Pose3<f64> {
    if random.u8(0..4) == 0 {
        return Pose3::identity();
    }
    let axis = direction(random) * 3.0;
    turned([axis.x, axis.y, axis.z], direction(random) * reach)
}

/// The corners of all triangles in the world, in the order of the mesh.
pub(crate) fn triangles(body: &MeshBody, pose: &Pose3<f64>) -> Vec<Triangle<Vec3<f64>>> {
    let mesh = body.mesh();
    let at = |v: u32| pose.point(vec3(mesh.vertices()[v as usize]));
    let each = mesh.triangles().iter();
    each.map(|&[a, b, c]| Triangle::new(at(a), at(b), at(c)).unwrap())
        .collect()
}

/// What brute force says: the most severe verdict, the interval of the first contact, and the triangles that may be first.
pub(crate) struct Brute {
    pub(crate) verdict: Meeting,
    pub(crate) time: Option<Interval<f64>>,
    pub(crate) first: Vec<u32>,
}

/// Asks every triangle.
pub(crate) fn brute(
    body: &MeshBody,
    pose: &Pose3<f64>,
    ask: impl Fn(&Triangle<Vec3<f64>>) -> CastAnswer<Vec3<f64>>,
) -> Brute {
    let all = triangles(body, pose);
    let answers = (0..).zip(&all).map(|(k, triangle)| (k, ask(triangle)));
    let hits = query::all_hits(answers);
    let end = |upper: bool| {
        let times = hits.iter().filter_map(|hit| hit.answer.time);
        let ends = times.map(|t| if upper { t.upper } else { t.lower });
        ends.fold(f64::INFINITY, f64::min)
    };
    let upper = end(true);
    let first = hits
        .iter()
        .filter(|hit| hit.answer.time.unwrap().lower <= upper);
    let first: Vec<u32> = first.map(|hit| body.mesh().source(hit.key)).collect();
    let has = |verdict| hits.iter().any(|hit| hit.answer.verdict == verdict);
    let verdict = [
        Meeting::StartsOverlapping,
        Meeting::StartsTouching,
        Meeting::Hits,
        Meeting::Undecided,
    ]
    .into_iter()
    .find(|&verdict| has(verdict))
    .unwrap_or(Meeting::Free);
    let time = (verdict != Meeting::Free).then(|| Interval {
        lower: end(false),
        upper,
    });
    Brute {
        verdict,
        time,
        first,
    }
}

/// That an answer is the one of brute force. Both have the times of the same triangles.
pub(crate) fn agree(found: &MeshCast, brute: &Brute, what: &dyn core::fmt::Debug) {
    assert_eq!(found.answer.verdict, brute.verdict, "{what:?}");
    match (found.answer.time, brute.time) {
        (None, None) => {}
        (Some(mine), Some(theirs)) => assert!(mine.overlaps(&theirs), "{what:?} {mine} {theirs}"),
        _ => panic!("{what:?}"),
    }
    assert_eq!(
        found.triangles.is_empty(),
        brute.first.is_empty(),
        "{what:?}"
    );
    for triangle in &found.triangles {
        assert!(brute.first.contains(triangle), "{what:?} {triangle}");
    }
}
