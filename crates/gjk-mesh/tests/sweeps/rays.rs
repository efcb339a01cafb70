//! Rays against brute force, and what they do at edges, vertices and borders.

use super::boxes::cut_box;
use super::made::{agree, brute, direction, pose, soup, terrain, vec3};
use gjk::Pose3;
use gjk::query::{self, Meeting, MotionOptions, Ray, Start, Touch};
use gjk_mesh::{MeshBody, SweepError, TriMesh};

/// The mesh has boxes that exclude most triangles, at poses that turn them, and rays begin on vertices, aim at them, miss, and lie in planes.
#[test]
fn rays_are_those_of_all_triangles() {
    let mut random = fastrand::Rng::with_seed(11);
    let (mut hits, mut several, mut starts) = (0, 0, 0);
    for case in 0..600 {
        let mesh = if case % 2 == 0 {
            soup(&mut random, 12, 3)
        } else {
            terrain(6)
        };
        let body = MeshBody::new(mesh);
        let place = pose(&mut random, 3.0);
        let vertex = |random: &mut fastrand::Rng| {
            let all = body.mesh().vertices();
            place.point(vec3(all[random.usize(0..all.len())]))
        };
        let origin = match case % 5 {
            0 => vertex(&mut random),
            _ => direction(&mut random) * 6.0,
        };
        let target = vertex(&mut random);
        let way = match case % 3 {
            0 => target - origin,
            1 => (vertex(&mut random) + target) * 0.5 - origin,
            _ => direction(&mut random),
        };
        let ray = Ray::new(origin, way).unwrap();
        let options = match case % 4 {
            0 => MotionOptions::default()
                .with_max_time(random.f64())
                .unwrap(),
            1 => MotionOptions::default().with_distance(0.25).unwrap(),
            _ => MotionOptions::default(),
        };
        let here = Pose3::identity();
        let truth = brute(&body, &place, |t| query::ray(t, &here, &ray, &options));
        let found = body.at(&place).ray(&ray, &options).unwrap();
        agree(&found, &truth, &(case, ray, options));
        assert!(found.answer.exact, "{case}");
        hits += usize::from(truth.verdict == Meeting::Hits);
        several += usize::from(found.triangles.len() > 1);
        starts += usize::from(truth.verdict == Meeting::StartsTouching);
    }
    assert!(
        hits > 200 && several > 50 && starts > 50,
        "{hits} {several} {starts}"
    );
}

fn at_rest(mesh: TriMesh) -> MeshBody {
    MeshBody::new(mesh)
}

fn asked(
    body: &MeshBody,
    origin: [f64; 3],
    way: [f64; 3],
    options: &MotionOptions<f64>,
) -> gjk_mesh::MeshCast {
    let ray = Ray::new(vec3(origin), vec3(way)).unwrap();
    body.at(&Pose3::identity()).ray(&ray, options).unwrap()
}

/// A roof of two triangles pairs with the ridge along y, at height 1.
fn roof() -> MeshBody {
    let corners = [
        [-1.0, -1.0, 0.0],
        [0.0, -1.0, 1.0],
        [0.0, 1.0, 1.0],
        [-1.0, 1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
    ];
    let faces = [[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]];
    at_rest(TriMesh::new(&corners, &faces).unwrap())
}

#[test]
fn a_surface_is_passed_through_at_a_ridge_and_grazed_across_it() {
    let options = MotionOptions::default();
    let body = roof();
    let down = asked(&body, [0.0, 0.25, 3.0], [0.0, 0.0, -1.0], &options);
    assert_eq!(down.answer.verdict, Meeting::Hits);
    assert_eq!(down.triangles.len(), 2);
    assert!(!down.answer.grazing && down.answer.time.unwrap().contains(2.0));
    // Level: it touches the ridge and is on the same side after it.
    let level = asked(&body, [-3.0, 0.25, 1.0], [1.0, 0.0, 0.0], &options);
    assert!(level.answer.grazing && level.answer.time.unwrap().contains(3.0));
    let passes = options.with_touch(Touch::Passes);
    let level = asked(&body, [-3.0, 0.25, 1.0], [1.0, 0.0, 0.0], &passes);
    assert_eq!(
        (level.answer.verdict, level.answer.grazing),
        (Meeting::Free, true)
    );
    // At the border, along a slope, and through the diagonal of a slope.
    assert!(
        asked(&body, [1.0, 0.5, 3.0], [0.0, 0.0, -1.0], &options)
            .answer
            .grazing
    );
    assert!(
        asked(&body, [-3.0, 0.0, -2.0], [1.0, 0.0, 1.0], &options)
            .answer
            .grazing
    );
    assert!(
        !asked(&body, [-0.5, 0.0, 3.0], [0.0, 0.0, -1.0], &options)
            .answer
            .grazing
    );
}

#[test]
fn hits_are_in_order_and_have_sides() {
    let body = at_rest(cut_box([-1.0; 3], [1.0; 3], 2));
    let posed = body.at(&Pose3::identity());
    // Through the middle vertices of two faces: eight triangles, or fewer, at each.
    let ray = Ray::new(vec3([-3.0, 0.0, 0.0]), vec3([1.0, 0.0, 0.0])).unwrap();
    let hits = posed.ray_hits(&ray, &MotionOptions::default());
    let (front, back): (Vec<&gjk_mesh::MeshHit>, Vec<&gjk_mesh::MeshHit>) =
        hits.iter().partition(|hit| hit.front == Some(true));
    assert!(front.len() >= 4 && back.len() >= 4);
    assert!(
        front
            .iter()
            .all(|hit| hit.answer.time.unwrap().contains(2.0))
    );
    assert!(
        back.iter()
            .all(|hit| hit.answer.time.unwrap().contains(4.0) && hit.front == Some(false))
    );
    assert!(
        hits.windows(2)
            .all(|w| w[0].front == Some(true) || w[1].front == Some(false))
    );
    let short = MotionOptions::default().with_max_time(2.0).unwrap();
    assert_eq!(posed.ray_hits(&ray, &short).len(), front.len());
}

#[test]
fn what_has_no_meaning_is_refused() {
    let exit = MotionOptions::default().with_start(Start::Exit);
    let ray = Ray::new(vec3([0.0; 3]), vec3([1.0, 0.0, 0.0])).unwrap();
    let (surface, solid) = (roof(), at_rest(cut_box([-1.0; 3], [1.0; 3], 1)));
    let here = Pose3::identity();
    assert_eq!(
        surface.at(&here).ray(&ray, &exit),
        Err(SweepError::ExitOfSurface)
    );
    let far = exit.with_distance(0.5).unwrap();
    assert_eq!(solid.at(&here).ray(&ray, &far), Err(SweepError::ExitOfBody));
    assert!(solid.at(&here).ray(&ray, &exit).is_ok());
    assert!(TriMesh::new(&[[0.0; 3]; 3], &[]).is_err());
    assert!(Ray::new(vec3([f64::NAN, 0.0, 0.0]), vec3([1.0, 0.0, 0.0])).is_err());
}

/// A mesh beyond the range of floats at its pose, a ray of the largest numbers, and a point at rest.
#[test]
fn huge_numbers_and_points_at_rest_are_answered() {
    let body = at_rest(cut_box([-1.0; 3], [1.0; 3], 1));
    let options = MotionOptions::default();
    let still = asked(&body, [0.5, 0.25, 0.25], [0.0; 3], &options);
    assert!(still.inside && still.answer.verdict == Meeting::StartsOverlapping);
    assert_eq!(still.answer.exit, None);
    let on = asked(&body, [1.0, 0.25, 0.25], [0.0; 3], &options);
    assert_eq!(on.answer.verdict, Meeting::StartsTouching);
    assert_eq!(
        asked(&body, [1.5, 0.0, 0.0], [0.0; 3], &options)
            .answer
            .verdict,
        Meeting::Free
    );
    let fast = asked(&body, [-1e300, 0.0, 0.0], [1e300, 0.0, 0.0], &options);
    assert_eq!(fast.answer.verdict, Meeting::Hits);
    assert!(fast.answer.time.unwrap().contains(1.0));
    let ray = Ray::new(vec3([0.0; 3]), vec3([1.0, 0.0, 0.0])).unwrap();
    let far = Pose3::from_translation(vec3([f64::MAX, 0.0, 0.0]));
    let scaled = Pose3::from_columns(
        [
            vec3([1e300, 0.0, 0.0]),
            vec3([0.0, 1e300, 0.0]),
            vec3([0.0, 0.0, 1e300]),
        ],
        vec3([0.0; 3]),
    );
    for pose in [far, scaled] {
        let found = body.at(&pose).ray(&ray, &options).unwrap();
        assert!(found.answer.time.is_none_or(|t| t.lower <= t.upper));
    }
    let huge = at_rest(cut_box([-1e300; 3], [1e300; 3], 1));
    let wide = Pose3::from_columns(
        [
            vec3([1e300, 0.0, 0.0]),
            vec3([0.0, 1.0, 0.0]),
            vec3([0.0, 0.0, 1.0]),
        ],
        vec3([0.0; 3]),
    );
    let found = huge.at(&wide).ray(&ray, &options).unwrap();
    assert_eq!(found.answer.verdict, Meeting::Undecided);
}

/// A hollow box, whose wall is left into its cavity, and two boxes that lie against each other, of which the second goes on where the first ends.
#[test]
fn a_ray_leaves_a_wall_and_goes_on_in_a_second_piece() {
    let joined = |meshes: &[(TriMesh, bool)]| {
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        for (mesh, inward) in meshes {
            let base = vertices.len() as u32;
            vertices.extend_from_slice(mesh.vertices());
            for &[a, b, c] in mesh.triangles() {
                let face = if *inward { [a, c, b] } else { [a, b, c] };
                faces.push(face.map(|v| v + base));
            }
        }
        at_rest(TriMesh::new(&vertices, &faces).unwrap())
    };
    let hollow = joined(&[
        (cut_box([-3.0; 3], [3.0; 3], 2), false),
        (cut_box([-1.0; 3], [1.0; 3], 2), true),
    ]);
    assert!(hollow.kind().is_solid());
    let options = MotionOptions::default();
    let right = [1.0, 0.0, 0.0];
    // In the wall, through vertices of both shells; in the cavity; from it along the diagonal.
    let wall = asked(&hollow, [-2.0, 0.0, 0.0], right, &options);
    assert!(wall.inside && wall.answer.exit.unwrap().contains(1.0));
    let cavity = asked(&hollow, [0.0; 3], right, &options);
    assert_eq!(
        (cavity.answer.verdict, cavity.answer.grazing),
        (Meeting::Hits, false)
    );
    assert!(cavity.answer.time.unwrap().contains(1.0));
    let corner = asked(&hollow, [0.0; 3], [1.0; 3], &options);
    assert!(!corner.answer.grazing && corner.answer.time.unwrap().contains(1.0));
    // Along a wall of the cavity from within: a graze all the way to the next wall.
    let along = asked(
        &hollow,
        [-2.0, 1.0, 0.5],
        right,
        &options.with_touch(Touch::Passes),
    );
    assert_eq!(along.answer.verdict, Meeting::StartsOverlapping);
    let pair = joined(&[
        (cut_box([0.0, -1.0, -1.0], [1.0, 1.0, 1.0], 1), false),
        (cut_box([1.0, -0.5, -1.0], [3.0, 2.0, 2.0], 1), false),
    ]);
    assert!(pair.kind().is_solid());
    let through = asked(&pair, [0.5, 0.25, 0.125], right, &options);
    assert!(
        through.inside && through.answer.exit.unwrap().contains(2.5),
        "{through:?}"
    );
    let exit = asked(
        &pair,
        [0.5, 0.25, 0.125],
        right,
        &options.with_start(Start::Exit),
    );
    assert_eq!(
        (exit.answer.verdict, exit.answer.normal),
        (Meeting::Exits, Some(vec3(right)))
    );
    let beside = asked(&pair, [0.5, -0.75, 0.125], right, &options);
    assert!(beside.answer.exit.unwrap().contains(0.5));
}
