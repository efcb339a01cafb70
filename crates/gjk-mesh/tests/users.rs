//! What users of other libraries reported, each case as a test: where it was reported, and what must be answered. Each answer is printed:
//! `cargo test --package gjk-mesh --test users -- --nocapture --test-threads 1`.
#![allow(clippy::print_stdout)]

mod boxes;

use boxes::cut_box;
use gjk::query::Verdict;
use gjk::shape::Polytope;
use gjk::{Pair, Pose3, Vec3};
use gjk_mesh::{DepthOptions, MeshBody, MeshKind, Relation, Side, TriMesh};

fn cuboid(low: [f64; 3], high: [f64; 3]) -> TriMesh {
    cut_box(low, high, 1)
}

fn related(a: TriMesh, b: TriMesh) -> Relation {
    related_at(a, &Pose3::identity(), b, &Pose3::identity())
}

fn related_at(a: TriMesh, pose_a: &Pose3<f64>, b: TriMesh, pose_b: &Pose3<f64>) -> Relation {
    let (a, b) = (MeshBody::new(a), MeshBody::new(b));
    let answer = a.at(pose_a).relation(&b.at(pose_b));
    assert!(answer.exact);
    println!("  {:?}", answer.relation);
    answer.relation
}

/// A prism over a ring of points in the plane of x and y, counter-clockwise, between two heights.
fn prism(ring: &[[f64; 2]], low: f64, high: f64) -> TriMesh {
    let n = ring.len() as u32;
    let level = |z: f64| ring.iter().map(move |&[x, y]| [x, y, z]);
    let vertices: Vec<[f64; 3]> = level(low).chain(level(high)).collect();
    let mut triangles = Vec::new();
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[k, next, n + next], [k, n + next, n + k]]);
        if k > 0 && next != 0 {
            triangles.extend([[0, next, k], [n, n + k, n + next]]);
        }
    }
    TriMesh::new(&vertices, &triangles).expect("a prism")
}

#[test]
fn case_1_ifcopenshell_4594_aligned_walls() {
    let wall = |x: f64, y: f64| cuboid([x, y, 0.0], [x + 5.0, y + 0.2, 3.0]);
    assert_eq!(
        related(wall(0.0, 0.0), wall(4.95, 0.0)),
        Relation::Overlapping
    );
    assert_eq!(
        related(wall(0.0, 0.0), wall(4.95, 0.002)),
        Relation::Overlapping
    );
    assert_eq!(related(wall(0.0, 0.0), wall(5.0, 0.0)), Relation::Touching);
    assert_eq!(
        related(wall(0.0, 0.0), wall(5.05, 0.0)),
        Relation::Separated
    );
}

#[test]
fn case_2_navisworks_coaxial_pipes() {
    let round: Vec<[f64; 2]> = (0..16)
        .map(|k| f64::from(k) * core::f64::consts::TAU / 16.0)
        .map(|angle| [angle.cos(), angle.sin()])
        .collect();
    let pipe = |from: f64| prism(&round, from, from + 4.0);
    assert_eq!(related(pipe(0.0), pipe(3.9)), Relation::Overlapping);
    assert_eq!(related(pipe(0.0), pipe(4.0)), Relation::Touching);
}

#[test]
fn cases_3_and_4_boxes_that_share_a_face() {
    let left = || cuboid([-2.0, 0.0, 0.0], [0.0, 2.0, 2.0]);
    assert_eq!(
        related(left(), cuboid([0.0; 3], [2.0; 3])),
        Relation::Touching
    );
    let unit = || cuboid([0.0; 3], [1.0; 3]);
    let above = cuboid([0.0, 1.0, 0.0], [1.0, 2.0, 1.0]);
    let wide = cuboid([-1.0, 1.0, 0.0], [1.0, 2.0, 1.0]);
    assert_eq!(related(unit(), above), Relation::Touching);
    assert_eq!(related(unit(), wide), Relation::Touching);
}

#[test]
fn cases_5_and_6_one_in_another() {
    let small = || cuboid([-1.0; 3], [1.0; 3]);
    let large = || cuboid([-3.0; 3], [3.0; 3]);
    assert_eq!(related(small(), large()), Relation::Inside);
    assert_eq!(related(large(), small()), Relation::Contains);
    let bodies = [small(), large()].map(MeshBody::new);
    let [a, b] = bodies.each_ref().map(|body| body.at(&Pose3::identity()));
    let within = a.distance(&b, f64::INFINITY).expect("a distance");
    println!("  from {} to {} from within", within.lower, within.upper);
    assert!(within.lower <= 2.0 && 2.0 <= within.upper, "{within:?}");
}

#[test]
fn case_7_ifc_lite_2536_the_same_at_any_fineness() {
    for n in [1, 2, 4] {
        let a = cut_box([0.0; 3], [2.0; 3], n);
        let b = cut_box([0.5, 0.03, 0.0], [2.5, 2.03, 2.0], n);
        assert_eq!(related(a, b), Relation::Overlapping, "{n}");
    }
}

/// A panel on a mullion, designed to be flush: in any frame of both, near and far.
#[test]
fn case_8_ifc_lite_5404_flush_panels() {
    let panel = || cuboid([0.0, 0.0, 0.0], [0.85, 0.05, 2.0]);
    let mullion = || cuboid([0.1, 0.05, 0.0], [0.15, 0.2, 2.0]);
    for far in [0.0, 7.4, 1000.0] {
        let turn = [0.1, 0.2, 0.3, 0.9273618495495703];
        let pose = Pose3::from_quaternion(turn, Vec3::new(far, -far, far)).expect("a pose");
        let relation = related_at(panel(), &pose, mullion(), &pose);
        assert_eq!(relation, Relation::Touching, "{far}");
    }
}

#[test]
fn case_9_ifc_lite_1362_skewed_members() {
    let member = |x: f64| {
        let ring = [[x, 0.0], [x + 1.0, 0.5], [x + 1.0, 1.5], [x, 1.0]];
        prism(&ring, 0.0, 0.25)
    };
    let next = prism(&[[1.0, 0.5], [2.0, 0.0], [2.0, 1.0], [1.0, 1.5]], 0.0, 0.25);
    assert_eq!(related(member(0.0), next), Relation::Touching);
    assert_eq!(related(member(0.0), member(0.5)), Relation::Overlapping);
    let unequal = cuboid([0.25, 0.25, 0.0], [0.5, 3.0, 0.25]);
    assert_eq!(related(member(0.0), unequal), Relation::Overlapping);
}

/// A block with a notch, and an element that rests in it.
#[test]
fn case_10_ifc_lite_5473_resting_in_a_notch() {
    let ring = [
        [0.0, 0.0],
        [3.0, 0.0],
        [3.0, 2.0],
        [2.0, 2.0],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, 2.0],
        [0.0, 2.0],
    ];
    let (mut vertices, mut triangles): (Vec<[f64; 3]>, Vec<[u32; 3]>) = (Vec::new(), Vec::new());
    vertices.extend(ring.iter().map(|&[x, y]| [x, y, 0.0]));
    vertices.extend(ring.iter().map(|&[x, y]| [x, y, 1.0]));
    for k in 0..8u32 {
        let next = (k + 1) % 8;
        triangles.extend([[k, next, 8 + next], [k, 8 + next, 8 + k]]);
    }
    for [a, b, c] in [
        [0, 1, 4],
        [0, 4, 5],
        [1, 2, 3],
        [1, 3, 4],
        [0, 5, 6],
        [0, 6, 7],
    ] {
        triangles.extend([[a, c, b], [8 + a, 8 + b, 8 + c]]);
    }
    let block = || TriMesh::new(&vertices, &triangles).expect("a block");
    assert!(block().kind().is_solid(), "{:?}", block().kind());
    let resting = cuboid([1.0, 1.0, 0.25], [2.0, 2.0, 0.75]);
    assert_eq!(related(resting, block()), Relation::Touching);
    let loose = cuboid([1.25, 1.25, 0.25], [1.75, 2.0, 0.75]);
    assert_eq!(related(loose, block()), Relation::Separated);
    let buried = cuboid([1.0, 0.5, 0.25], [2.0, 2.0, 0.75]);
    assert_eq!(related(buried, block()), Relation::Overlapping);
}

#[test]
fn case_11_coal_755_within_reach() {
    let boxes = [
        cuboid([-0.5; 3], [0.5; 3]),
        cuboid([-0.5, -0.5, 1.2], [0.5, 0.5, 2.2]),
    ];
    let boxes = boxes.map(MeshBody::new);
    let [a, b] = boxes.each_ref().map(|body| body.at(&Pose3::identity()));
    let near = a.distance(&b, 1.0).expect("within reach");
    println!("  within 1: from {} to {}", near.lower, near.upper);
    assert!((near.lower..=near.upper).contains(&(1.2 - 0.5)), "{near:?}");
    assert!(a.distance(&b, 0.5).is_none());
}

/// Cubes of 0.0999 side by side at 1 and 2, 50 and 51: what their floats say.
/// Penetrations that were always zero, or as high as the wall: an interval that has a ball and a translation for its ends.
#[test]
fn case_12_coal_357_a_depth_that_means_something() {
    let here = Pose3::identity();
    let wall = MeshBody::new(cut_box([0.0, 0.0, 0.0], [5.0, 0.2, 3.0], 2));
    let pipe = MeshBody::new(cut_box([1.0, -1.0, 1.0], [1.5, 0.15, 1.5], 1));
    let depth = wall
        .at(&here)
        .depth(&pipe.at(&here), &[], &DepthOptions::default());
    let interval = depth.signed_distance();
    println!("  signed distance {interval}");
    assert!(interval.contains(-0.15), "{interval}");
    assert!(interval.width() < 0.002, "{interval}");
    let reach = depth.protrusion[1].expect("a solid");
    assert!(reach.lower <= 0.1 && 0.1 <= reach.upper, "{reach:?}");
}

#[test]
fn case_16_manifold_676_rows_of_cubes() {
    let side = 0.0999_f64;
    let at = |k: i32| {
        let x = side * f64::from(k);
        cuboid([x, 0.0, 0.0], [x + side, side, side])
    };
    for k in [1, 50] {
        let (end, begin) = (side * f64::from(k) + side, side * f64::from(k + 1));
        let expected = match end.partial_cmp(&begin) {
            Some(core::cmp::Ordering::Less) => Relation::Separated,
            Some(core::cmp::Ordering::Equal) => Relation::Touching,
            _ => Relation::Overlapping,
        };
        assert_eq!(related(at(k), at(k + 1)), expected, "{k}");
    }
}

#[test]
fn case_17_nearest_points_are_on_the_surfaces() {
    let bodies = [
        prism(&[[0.0, 0.0], [1.0, 0.2], [0.3, 0.9]], 0.0, 1.0),
        cuboid([3.0, 0.0, 0.4], [4.0, 1.0, 0.6]),
    ];
    let bodies = bodies.map(MeshBody::new);
    let [a, b] = bodies.each_ref().map(|body| body.at(&Pose3::identity()));
    let near = a.distance(&b, f64::INFINITY).expect("a distance");
    println!(
        "  from {} to {} at {:?}",
        near.lower, near.upper, near.points
    );
    assert!((near.lower..=near.upper).contains(&2.0), "{near:?}");
    let [p, q] = near.points;
    let off = [p[0] - 1.0, p[1] - 0.2, q[0] - 3.0];
    assert!(off.iter().all(|x| x.abs() < 1e-15), "{p:?} {q:?}");
}

#[test]
fn case_18_avian_715_the_origin_of_a_closed_box() {
    let side = cuboid([-1.0; 3], [1.0; 3]).side_of([0.0; 3]);
    println!("  {side:?}");
    assert_eq!(side, Some(Side::Inside));
}

/// What is in the crook of a link is in its hull, and touches nothing of it.
#[test]
fn case_19_franka_panda_a_hull_that_collides_in_free_space() {
    let ring = [
        [0.0, 0.0],
        [3.0, 0.0],
        [3.0, 1.0],
        [1.0, 1.0],
        [1.0, 3.0],
        [0.0, 3.0],
    ];
    // Faces are fans from their first corner, from which all of the link is seen.
    let link = prism(
        &[ring[3], ring[4], ring[5], ring[0], ring[1], ring[2]],
        0.0,
        1.0,
    );
    let part = || cuboid([1.2, 1.2, 0.2], [1.6, 1.6, 0.8]);
    let points = |mesh: &TriMesh| -> Vec<Vec3<f64>> {
        let vertices = mesh.vertices().iter();
        vertices.map(|&[x, y, z]| Vec3::new(x, y, z)).collect()
    };
    let here = Pose3::identity();
    let hulls = [&link, &part()].map(|mesh| Polytope::new(&points(mesh)).expect("a hull"));
    let hulls = Pair::new(&hulls[0], &here, &hulls[1], &here);
    assert_eq!(hulls.contact().verdict, Verdict::Overlapping);
    assert_eq!(related(link, part()), Relation::Separated);
}

/// An open box is a surface, and says so; what is in it is neither inside nor touching.
#[test]
fn case_20_drake_an_open_mesh_is_said_to_be_one() {
    let closed = cuboid([-1.0; 3], [1.0; 3]);
    let open = TriMesh::new(closed.vertices(), &closed.triangles()[1..]).expect("a mesh");
    println!("  {:?}", open.kind());
    assert!(matches!(open.kind(), MeshKind::Surface(_)));
    let within = cuboid([-0.5; 3], [0.5; 3]);
    assert_eq!(related(within, open.clone()), Relation::Separated);
    let through = cuboid([0.5, -0.5, -0.5], [1.5, 0.5, 0.5]);
    assert_eq!(related(through, open.clone()), Relation::Crossing);
    let beside = cuboid([1.0, -0.5, -0.5], [1.5, 0.5, 0.5]);
    assert_eq!(related(beside, open), Relation::Touching);
}

#[test]
fn case_22_ifcopenshell_5357_a_and_b_keep_their_places() {
    let (a, b) = (cuboid([0.0; 3], [2.0; 3]), cut_box([1.0; 3], [3.0; 3], 3));
    let count = b.triangles().len();
    let bodies = [a, b].map(MeshBody::new);
    let [a, b] = bodies.each_ref().map(|body| body.at(&Pose3::identity()));
    let answer = a.relation(&b);
    let contact = answer.contact.expect("a contact");
    println!(
        "  {:?} at triangles {:?}",
        answer.relation, contact.triangles
    );
    let (point, found) = (contact.point, contact.triangles);
    assert!(point.iter().all(|x| (1.0..=2.0).contains(x)), "{point:?}");
    assert!(found[0] < 12 && (found[1] as usize) < count, "{found:?}");
    let swapped = b.relation(&a).contact.expect("a contact").triangles;
    assert!(
        (swapped[0] as usize) < count && swapped[1] < 12,
        "{swapped:?}"
    );
}
