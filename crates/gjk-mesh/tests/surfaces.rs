//! Queries of two surfaces against all pairs of their triangles, each measured by the library or decided by exact signs.
//!
//! Why: boxes in lanes of `f32` leave out what they prove to be farther away. A pair that is left out wrongly is a wrong answer here.

use gjk::query::Options;
use gjk::shape::Triangle;
use gjk::{Pair, Pose3, Vec3};
use gjk_mesh::triangles::contact;
use gjk_mesh::verify::verify_relation;
use gjk_mesh::{Contact, DistanceOptions, MeshBody, Relation, TriMesh, Warm};
use std::ops::ControlFlow;

type Corners = [[f64; 3]; 3];

/// Triangles about a place, of some size and aspect, in clusters as surfaces have them.
fn soup(rng: &mut fastrand::Rng, count: usize, size: f64, flat: f64, at: f64) -> MeshBody {
    let mut unit = || rng.f64() * 2.0 - 1.0;
    let mut vertices = Vec::new();
    for _ in 0..count {
        let middle = [unit(), unit(), unit()];
        for _ in 0..3 {
            let near = [unit(), unit(), unit()];
            let stretch = [1.0, flat, 1.0];
            vertices.push([0, 1, 2].map(|k| at + size * stretch[k] * (middle[k] + 0.3 * near[k])));
        }
    }
    let triangles: Vec<[u32; 3]> = (0..count as u32)
        .map(|k| [3 * k, 3 * k + 1, 3 * k + 2])
        .collect();
    MeshBody::new(TriMesh::new(&vertices, &triangles).expect("a soup"))
}

fn pose(rng: &mut fastrand::Rng, at: f64, size: f64, mirror: bool) -> Pose3<f64> {
    let q = [0; 4].map(|_| rng.f64() - 0.5);
    let by = [0; 3].map(|_| at + size * (rng.f64() * 6.0 - 3.0));
    let pose = Pose3::from_quaternion(q, Vec3::new(by[0], by[1], by[2])).expect("a rotation");
    if !mirror {
        return pose;
    }
    let [x, y, z] = [0, 1, 2].map(|k| pose.columns()[k]);
    Pose3::from_columns([x, y, -z], pose.translation())
}

fn world(body: &MeshBody, pose: &Pose3<f64>) -> Vec<Corners> {
    let mesh = body.mesh();
    let place = |v: u32| {
        let [x, y, z] = mesh.vertices()[v as usize];
        let at = pose.point(Vec3::new(x, y, z));
        [at.x + 0.0, at.y + 0.0, at.z + 0.0]
    };
    mesh.triangles()
        .iter()
        .map(|corners| corners.map(place))
        .collect()
}

/// The interval of the distance of two triangles.
fn apart(a: &Corners, b: &Corners) -> [f64; 2] {
    let shape = |t: &Corners| {
        let [a, b, c] = t.map(|[x, y, z]| Vec3::new(x, y, z));
        Triangle::new(a, b, c).expect("finite")
    };
    let here = Pose3::identity();
    let (a, b) = (shape(a), shape(b));
    let found = Pair::new(&a, &here, &b, &here)
        .with(&Options::tight())
        .distance();
    [found.distance.lower, found.distance.upper]
}

fn check(bodies: [&MeshBody; 2], poses: [&Pose3<f64>; 2], case: &str) {
    let corners = [0, 1].map(|k| world(bodies[k], poses[k]));
    let all: Vec<([f64; 2], bool)> = corners[0]
        .iter()
        .flat_map(|a| {
            corners[1]
                .iter()
                .map(move |b| (apart(a, b), contact(a, b).is_some()))
        })
        .collect();
    let least = |k: usize| all.iter().map(|x| x.0[k]).fold(f64::INFINITY, f64::min);
    let [low, high] = [least(0), least(1)];
    let [a, b] = [0, 1].map(|k| bodies[k].at(poses[k]));
    for (a, b) in [(&a, &b), (&b, &a)] {
        assert_eq!(
            a.meets(b).is_some(),
            all.iter().any(|x| x.1),
            "{case}: meets"
        );
        let found = a.distance(b, f64::INFINITY).expect("a distance");
        assert!(
            found.lower <= high && low <= found.upper && !found.stopped,
            "{case}: {found:?} {low} {high}"
        );
        let options = DistanceOptions {
            relative: 0.1,
            ..DistanceOptions::default()
        };
        let mut warm = Warm::default();
        for _ in 0..2 {
            let found = a.distance_with(b, &options, &mut warm).expect("a distance");
            assert!(
                found.lower <= high && low <= found.upper,
                "{case}: to a tenth"
            );
            assert!(
                found.upper <= found.lower * 1.1 * (1.0 + 1e-6) + 1e-6 * high,
                "{case}: {found:?}"
            );
        }
        for share in [0.5, 0.999_999, 1.000_001, 2.0] {
            let length = low * share;
            let (closer, [lower, upper]) = a.closer_than(b, length);
            assert!(
                lower <= high && low <= upper,
                "{case}: closer than {length}"
            );
            match closer {
                Some(closer) => assert!(
                    if closer {
                        low <= length
                    } else {
                        high >= length
                    },
                    "{case}"
                ),
                None => assert!(low <= length && length <= high, "{case}: open"),
            }
            let mut visited = 0;
            a.pairs_within(b, length, |_| {
                visited += 1;
                ControlFlow::Continue(())
            });
            assert!(
                visited >= all.iter().filter(|x| x.0[1] <= length).count(),
                "{case}: pairs"
            );
        }
        let nearest = a.nearest_pairs(b, 5);
        let mut uppers: Vec<f64> = all.iter().map(|x| x.0[1]).collect();
        uppers.sort_by(f64::total_cmp);
        for (found, upper) in nearest.iter().zip(&uppers) {
            assert!(found.lower <= *upper, "{case}: the nearest ones");
        }
        assert_eq!(nearest.len(), 5, "{case}");
    }
}

#[test]
fn queries_agree_with_all_pairs_of_triangles() {
    let mut rng = fastrand::Rng::with_seed(11);
    let kinds = [
        (1.0, 1.0, 0.0, 0.0),
        (1.0, 1e-6, 0.0, 0.0),
        (1.0, 1.0, 1e6, 0.0),
        (1.0, 1e-3, 0.0, 1e9),
        (1e-6, 1.0, 0.0, 0.0),
        (1e-6, 1.0, 1.0, 1.0),
        (1e-12, 1.0, 0.0, 0.0),
        (1e20, 1.0, 0.0, 0.0),
    ];
    for (number, &(size, flat, own, at)) in kinds.iter().enumerate() {
        for round in 0..4 {
            let a = soup(&mut rng, 10 + 9 * round, size, flat, own);
            let b = soup(&mut rng, 25, size, 1.0, 0.0);
            let poses = [0, 1].map(|k| pose(&mut rng, at, size, k == 1 && round == 3));
            check(
                [&a, &b],
                [&poses[0], &poses[1]],
                &format!("kind {number}, round {round}"),
            );
        }
    }
}

#[test]
fn poses_that_stretch_are_answered_too() {
    let mut rng = fastrand::Rng::with_seed(5);
    let a = soup(&mut rng, 20, 1.0, 1.0, 0.0);
    let b = soup(&mut rng, 20, 1.0, 1.0, 0.0);
    let turned = pose(&mut rng, 0.0, 1.0, false);
    let [x, y, z] = [0, 1, 2].map(|k| turned.columns()[k]);
    let stretched = Pose3::from_columns([x * 2.0, y * 0.5, z + x * 0.3], turned.translation());
    check([&a, &b], [&stretched, &turned], "stretched");
}

#[test]
fn bodies_that_share_one_vertex_meet_in_any_frame() {
    let mut rng = fastrand::Rng::with_seed(3);
    for round in 0..400 {
        let reach = [1.0, 1e-3, 1e3][round % 3];
        let shared = [0; 3].map(|_| (rng.f64() - 0.5) * reach);
        let mut fan = |side: f64| {
            let mut vertices = vec![shared];
            for _ in 0..30 {
                let mut at = [0; 3].map(|_| rng.f64() - 0.5);
                at[0] = side * (at[0].abs() + 0.1);
                vertices.push([0, 1, 2].map(|k| shared[k] + at[k]));
            }
            let triangles: Vec<[u32; 3]> = (0..10).map(|k| [0, 3 * k + 1, 3 * k + 2]).collect();
            MeshBody::new(TriMesh::new(&vertices, &triangles).expect("a fan"))
        };
        let (a, b) = (fan(1.0), fan(-1.0));
        let pose = pose(&mut rng, 0.0, 1.0, false);
        let [a, b] = [a.at(&pose), b.at(&pose)];
        assert!(a.meets(&b).is_some(), "flush, {round}");
        assert_eq!(
            a.distance(&b, 0.0).map(|x| x.lower),
            Some(0.0),
            "moved, {round}"
        );
    }
}

#[test]
fn many_triangles_in_one_place_make_a_shallow_tree() {
    let vertices: Vec<[f64; 3]> = (0..3 * 20_000)
        .map(|k| [f64::from(k % 3), f64::from(k % 7), f64::from(k) * 1e-9])
        .collect();
    let triangles: Vec<[u32; 3]> = (0..20_000).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let body = MeshBody::new(TriMesh::new(&vertices, &triangles).expect("a stack"));
    let far = Pose3::from_translation(Vec3::new(0.0, 0.0, 5.0));
    let here = Pose3::identity();
    let found = body
        .at(&here)
        .distance(&body.at(&far), f64::INFINITY)
        .expect("a distance");
    assert!(found.lower > 4.0 && found.upper < 5.1, "{found:?}");
}

/// Neighbours are told by floats about a vertex, or beside a plane: fans that are flat, steep, folded, or go around twice have the contacts that
/// all pairs of their triangles have by exact signs.
#[test]
fn self_contacts_of_fans_are_those_of_all_pairs() {
    let mut random = fastrand::Rng::with_seed(9);
    let mut found = [0; 2];
    for case in 0..1500 {
        // Spokes around a middle, in order or not, at few heights, closed by a second middle below.
        let spokes = 3 + case % 6;
        let mut angles: Vec<f64> = (0..spokes)
            .map(|_| f64::from(random.i32(0..12)) * 0.5)
            .collect();
        if case % 3 > 0 {
            angles.sort_by(f64::total_cmp);
        }
        let mut vertices: Vec<[f64; 3]> = angles
            .iter()
            .map(|&angle| {
                let length = f64::from(random.i32(1..4));
                let height = f64::from(random.i32(-1..2)) * 0.5;
                let [x, y] = [angle.cos(), angle.sin()];
                [
                    (8.0 * x).round() * length,
                    (8.0 * y).round() * length,
                    height,
                ]
            })
            .collect();
        let n = vertices.len() as u32;
        vertices.extend([[0.0, 0.0, f64::from(random.i32(0..3))], [0.0, 0.0, -3.0]]);
        let ring = |k: u32| [k, (k + 1) % n];
        let above = (0..n).map(|k| [n, ring(k)[0], ring(k)[1]]);
        let below = (0..n).map(|k| [n + 1, ring(k)[1], ring(k)[0]]);
        let faces: Vec<[u32; 3]> = above.chain(below).collect();
        let Ok(mesh) = TriMesh::new(&vertices, &faces) else {
            continue;
        };
        let mut told = Vec::new();
        mesh.self_contacts(|contact| {
            told.push((contact.triangles, contact.contact));
            ControlFlow::Continue(())
        });
        told.sort_unstable_by_key(|x| x.0);
        let expected = by_all_pairs(&mesh);
        assert_eq!(told, expected, "case {case}: {vertices:?}");
        found[usize::from(told.is_empty())] += 1;
    }
    assert!(found.iter().all(|&count| count > 200), "{found:?}");
}

/// Contacts of a mesh with itself, asked of each pair moved apart by their common corners: two meshes of one triangle each.
fn by_all_pairs(mesh: &TriMesh) -> Vec<([u32; 2], Contact)> {
    let corners = |k: u32| mesh.triangles()[k as usize].map(|v| mesh.vertices()[v as usize]);
    let mut found = Vec::new();
    for i in 0..mesh.triangles().len() as u32 {
        for j in i + 1..mesh.triangles().len() as u32 {
            let alone: Vec<[f64; 3]> = corners(i).into_iter().chain(corners(j)).collect();
            // Open, so that no vertex is told by what is around it.
            let Ok(pair) = TriMesh::new(&alone, &[[0, 1, 2], [3, 4, 5]]) else {
                continue;
            };
            if pair.triangles().len() < 2 {
                continue;
            }
            pair.self_contacts(|contact| {
                found.push(([i, j], contact.contact));
                ControlFlow::Continue(())
            });
        }
    }
    found
}

/// `gjk fuzz --family surfaces --seed 18` found it in a first version of what bodies reach.
#[test]
fn a_body_whose_triangles_took_one_another_out_is_nowhere() {
    let corners = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0]];
    let both = TriMesh::new(&corners, &[[0, 1, 2], [0, 2, 1]]).expect("a triangle and its back");
    let [nothing, some] = [
        both,
        TriMesh::new(&corners, &[[0, 1, 2]]).expect("a triangle"),
    ]
    .map(MeshBody::new);
    assert!(nothing.mesh().triangles().is_empty());
    let moved = Pose3::from_translation(Vec3::new(0.0, 0.0, 1e-3));
    for pose in [Pose3::identity(), moved] {
        for (a, b) in [(&nothing, &some), (&some, &nothing), (&nothing, &nothing)] {
            let answer = a.at(&pose).relation(&b.at(&Pose3::identity()));
            assert_eq!(answer.relation, Relation::Separated);
        }
    }
}

/// A surface that passes through a part of another passes through all of it, also where the rest lies in that. `gjk fuzz --family surfaces --seed
/// 17`, case 915152.
#[test]
fn what_passes_through_a_part_passes_through_the_whole() {
    let [left, right] = [8.0, -8.0].map(|y| [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, y, 0.0]]);
    let [up, down] = [4.0, -4.0].map(|z| [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, z]]);
    let body = |triangles: &[Corners]| {
        let faces: Vec<[u32; 3]> = (0..triangles.len() as u32)
            .map(|k| [3 * k, 3 * k + 1, 3 * k + 2])
            .collect();
        MeshBody::new(TriMesh::new(triangles.as_flattened(), &faces).expect("triangles"))
    };
    let here = Pose3::identity();
    let relation = |a: &[Corners], b: &[Corners]| {
        let [a, b] = [body(a), body(b)];
        let found = a.at(&here).relation(&b.at(&here)).relation;
        assert_eq!(b.at(&here).relation(&a.at(&here)).relation, found);
        found
    };
    for (a, expected) in [
        (vec![up, down], Relation::Crossing),
        (vec![up, down, left], Relation::Crossing),
        (vec![up, down, left, right], Relation::Crossing),
        (vec![up, left, right], Relation::Touching),
        (vec![up, left], Relation::Touching),
        (vec![left, right], Relation::Touching),
    ] {
        assert_eq!(relation(&a, &[left, right]), expected, "{a:?}");
    }
}

/// A box with a cavity whose tip is inside of the box's top, and a box on that top: at the tip the body is what all its triangles there say, not
/// those alone that have a corner there.
#[test]
fn a_cavity_that_reaches_a_face_is_seen_with_the_face() {
    let [a, b] = [[[0.0; 3], [8.0; 3]], [[2.0, 2.0, 8.0], [6.0, 6.0, 10.0]]].map(box_of);
    let tips = [
        [4.0, 3.0, 8.0],
        [3.0, 3.0, 4.0],
        [5.0, 3.0, 4.0],
        [4.0, 5.0, 4.0],
    ];
    let inward = [[2, 1, 0], [3, 2, 0], [1, 3, 0], [2, 3, 1]].map(|f| f.map(|k: u32| k + 8));
    let vertices = [&a.0[..], &tips].concat();
    let faces = [&a.1[..], &inward].concat();
    let here = Pose3::identity();
    let body = |vertices: &[[f64; 3]], faces: &[[u32; 3]]| {
        MeshBody::new(TriMesh::new(vertices, faces).expect("a mesh"))
    };
    let [hollow, on_top] = [body(&vertices, &faces), body(&b.0, &b.1)];
    assert!(hollow.kind().is_solid());
    let [hollow, on_top] = [&hollow, &on_top].map(|body| body.at(&here));
    for (a, b) in [(&hollow, &on_top), (&on_top, &hollow)] {
        let (found, certificate) = a.relation_certified(b);
        assert_eq!(found.relation, Relation::Touching);
        assert!(found.exact);
        let plain = [&a.plain(b), &b.plain(a)];
        assert_eq!(
            verify_relation(plain, Relation::Touching, &certificate),
            Ok(true)
        );
    }
}

/// The vertices and triangles of a box.
fn box_of([low, high]: [[f64; 3]; 2]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let corner = |k: usize| [0, 1, 2].map(|axis| [low, high][k >> axis & 1][axis]);
    let sides = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let halves = sides
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    ((0..8).map(corner).collect(), halves.collect())
}

/// Triangles above and below a floor that share a part of an edge and no vertex. `gjk fuzz --family surfaces --seed 17`, case 746347.
#[test]
fn edges_that_lie_on_one_another_are_compared_together() {
    let above = [[-4.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]];
    let below = [[-3.0, 0.0, 0.0], [5.0, 0.0, 0.0], [0.0, 0.0, -4.0]];
    let floor = [[-1.0, -8.0, 0.0], [1.0, -8.0, 0.0], [0.1, 8.0, 0.0]];
    let body = |triangles: &[Corners]| {
        let faces: Vec<[u32; 3]> = (0..triangles.len() as u32)
            .map(|k| [3 * k, 3 * k + 1, 3 * k + 2])
            .collect();
        MeshBody::new(TriMesh::new(triangles.as_flattened(), &faces).expect("triangles"))
    };
    let here = Pose3::identity();
    let floor = body(&[floor]);
    for (triangles, expected) in [
        (vec![above, below], Relation::Crossing),
        (
            vec![above, above.map(|[x, y, z]| [x + 1.0, y, z])],
            Relation::Touching,
        ),
        (vec![below], Relation::Touching),
    ] {
        let other = body(&triangles);
        let found = floor.at(&here).relation(&other.at(&here)).relation;
        assert_eq!(found, expected, "{triangles:?}");
    }
}

/// A vertex so far away that floats know nothing of its triangles: those that meet are at no distance all the same.
#[test]
fn surfaces_that_meet_are_at_no_distance_whatever_their_sizes() {
    let triangles = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
    let mesh = |corners: [[f64; 3]; 4]| {
        MeshBody::new(TriMesh::new(&corners, &triangles).expect("a tetrahedron"))
    };
    let spike = mesh([
        [0.5, 0.0, -0.5],
        [-0.5, 4.0, -1.0],
        [1.5, 0.5, -1.5],
        [-0.5, -1e300, -0.5],
    ]);
    let small = mesh([
        [3.2, -2.777, 1.68],
        [0.208, -3.01, -3.945],
        [1.32, -2.777, 0.372],
        [0.359, -2.706, -0.573],
    ]);
    let here = Pose3::identity();
    for [a, b] in [[&spike, &small], [&small, &spike]] {
        let (a, b) = (a.at(&here), b.at(&here));
        assert!(a.meets(&b).is_some());
        let found = a.distance(&b, f64::INFINITY).expect("a distance");
        assert_eq!((found.lower, found.upper), (0.0, 0.0), "{found:?}");
    }
}
