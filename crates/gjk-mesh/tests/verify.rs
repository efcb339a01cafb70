//! The checker of relations, distances and depths: what it proves, and that it proves nothing else.

mod boxes;

use boxes::cut_box;
use gjk::{Pose3, Vec3, query::Direction};
use gjk_mesh::certificate::{
    CertifiedDepth, CoverCertificate, CoverNode, CutNode, RelationCertificate, Sight,
};
use gjk_mesh::verify::{DepthProved, VerifyError, verify_depth, verify_distance, verify_relation};
use gjk_mesh::{DepthOptions, MeshBody, Relation, TriMesh};

const RELATIONS: [Relation; 7] = [
    Relation::Separated,
    Relation::Touching,
    Relation::Overlapping,
    Relation::Crossing,
    Relation::Inside,
    Relation::Contains,
    Relation::Equal,
];

fn solid(low: [f64; 3], high: [f64; 3]) -> MeshBody {
    MeshBody::new(cut_box(low, high, 2))
}

fn sheet(corners: [[f64; 3]; 3]) -> MeshBody {
    MeshBody::new(TriMesh::new(&corners, &[[0, 1, 2]]).expect("a triangle"))
}

/// Proves the relation of two bodies, and that the same certificate proves no other.
fn proved(a: &MeshBody, b: &MeshBody, pose: &Pose3<f64>) -> (Relation, bool) {
    let (a, b) = (a.at(&Pose3::identity()), b.at(pose));
    let (answer, certificate) = a.relation_certified(&b);
    let plain = [&a.plain(&b), &b.plain(&a)];
    for claimed in RELATIONS {
        let is_proved = verify_relation(plain, claimed, &certificate) == Ok(true);
        assert!(claimed == answer.relation || !is_proved, "{claimed:?}");
    }
    let own = verify_relation(plain, answer.relation, &certificate);
    (
        answer.relation,
        own.unwrap_or_else(|error| panic!("{error}")),
    )
}

/// Rounding leaves the box no thickness where its pose puts it. It is within the other all the same, as a surface is.
/// `fuzz_calls.py --seed 38 --only 314520`: the checker said that they are apart.
#[test]
fn a_solid_that_its_pose_flattens_is_within_another() {
    let outer = solid([-4.0; 3], [4.0; 3]);
    let thin = solid([-0.5, -1e-20, -0.5], [0.5, 1e-20, 0.5]);
    let pose = Pose3::from_translation(Vec3::new(0.5, -0.5, 0.25));
    assert_eq!(proved(&outer, &thin, &pose), (Relation::Contains, true));
    let back = Pose3::from_translation(Vec3::new(0.5, -0.5, 6.0));
    assert_eq!(proved(&outer, &thin, &back), (Relation::Separated, true));
}

#[test]
fn each_relation_of_two_boxes_is_proved_and_no_other() {
    let unit = solid([0.0; 3], [1.0; 3]);
    let cases = [
        ([2.0, 0.0, 0.0], [3.0, 1.0, 1.0], Relation::Separated),
        ([1.0, 0.0, 0.0], [2.0, 1.0, 1.0], Relation::Touching),
        ([1.0, 1.0, 1.0], [2.0, 2.0, 2.0], Relation::Touching),
        ([1.0, 0.25, 0.25], [2.0, 0.75, 0.75], Relation::Touching),
        ([0.5, 0.5, 0.5], [2.0, 2.0, 2.0], Relation::Overlapping),
        ([0.5, 0.0, 0.0], [2.0, 1.0, 1.0], Relation::Overlapping),
        ([0.25; 3], [0.75; 3], Relation::Contains),
        ([0.0, 0.25, 0.25], [0.5, 0.75, 0.75], Relation::Contains),
        ([-1.0; 3], [2.0; 3], Relation::Inside),
        ([0.0; 3], [1.0; 3], Relation::Equal),
    ];
    for (low, high, expected) in cases {
        let other = solid(low, high);
        for pose in [
            Pose3::identity(),
            Pose3::from_translation(Vec3::new(0.0, 0.0, 0.0)),
        ] {
            assert_eq!(proved(&unit, &other, &pose), (expected, true), "{low:?}");
        }
        // The same by world vertices.
        let (a, b) = (solid([0.5; 3], [1.5; 3]), solid(low, high));
        let by = Pose3::from_translation(Vec3::new(0.5, 0.5, 0.5));
        assert_eq!(proved(&a, &b, &by), (expected, true), "{low:?}");
    }
}

#[test]
fn a_sheet_and_a_solid_are_proved_too() {
    let unit = solid([0.0; 3], [1.0; 3]);
    let here = Pose3::identity();
    let cases = [
        // Flat on a face, half beyond it.
        (
            [[0.5, 0.5, 1.0], [2.0, 0.5, 1.0], [0.5, 0.75, 1.0]],
            Relation::Touching,
        ),
        // Standing on a face.
        (
            [[0.25, 0.5, 1.0], [0.75, 0.5, 1.0], [0.5, 0.5, 2.0]],
            Relation::Touching,
        ),
        // Hanging from a face into the solid.
        (
            [[0.25, 0.5, 1.0], [0.75, 0.5, 1.0], [0.5, 0.5, 0.5]],
            Relation::Inside,
        ),
        (
            [[0.25, 0.5, 2.0], [0.75, 0.5, 2.0], [0.5, 0.5, 0.5]],
            Relation::Crossing,
        ),
        (
            [[0.25, 0.5, 2.0], [0.75, 0.5, 2.0], [0.5, 0.5, 3.0]],
            Relation::Separated,
        ),
    ];
    for (corners, expected) in cases {
        let sheet = sheet(corners);
        assert_eq!(
            proved(&sheet, &unit, &here),
            (expected, true),
            "{corners:?}"
        );
        let swapped = if expected == Relation::Inside {
            Relation::Contains
        } else {
            expected
        };
        assert_eq!(proved(&unit, &sheet, &here), (swapped, true), "{corners:?}");
    }
}

#[test]
fn of_two_sheets_crossing_and_apart_are_proved_and_touching_is_not() {
    let here = Pose3::identity();
    let flat = sheet([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let through = sheet([[0.25, 0.25, -1.0], [0.25, 0.25, 1.0], [2.0, 2.0, 0.0]]);
    assert_eq!(proved(&flat, &through, &here), (Relation::Crossing, true));
    let beyond = sheet([[0.25, 0.25, 0.5], [0.25, 0.25, 1.0], [2.0, 2.0, 0.5]]);
    assert_eq!(proved(&flat, &beyond, &here), (Relation::Separated, true));
    let standing = sheet([[0.25, 0.25, 0.0], [0.25, 0.25, 1.0], [2.0, 2.0, 0.5]]);
    assert_eq!(proved(&flat, &standing, &here), (Relation::Touching, false));
}

#[test]
fn what_is_wrong_with_a_certificate_is_said() {
    let (a, b) = (
        solid([0.0; 3], [1.0; 3]),
        solid([2.0, 0.0, 0.0], [3.0, 1.0, 1.0]),
    );
    let here = Pose3::identity();
    let (a, b) = (a.at(&here), b.at(&here));
    let (_, certificate) = a.relation_certified(&b);
    let plain = [&a.plain(&b), &b.plain(&a)];
    let verdict = |change: &dyn Fn(&mut RelationCertificate)| {
        let mut changed = certificate.clone();
        change(&mut changed);
        verify_relation(plain, Relation::Separated, &changed)
    };
    assert_eq!(verdict(&|_| ()), Ok(true));
    fn cut(c: &mut RelationCertificate) -> &mut gjk_mesh::certificate::Cut {
        c.cut.as_mut().expect("a cut")
    }
    let malformed =
        |verdict: Result<bool, VerifyError>| matches!(verdict, Err(VerifyError::Cut(_)));
    assert!(malformed(verdict(&|c| cut(c).nodes.clear())));
    assert!(malformed(verdict(&|c| cut(c).nodes.push(CutNode::Near))));
    assert!(malformed(verdict(
        &|c| cut(c).order[0][0] = cut(c).order[0][1]
    )));
    assert!(malformed(verdict(
        &|c| cut(c).nodes[0] = CutNode::Apart(Direction::Float([0.0; 3]))
    )));
    assert!(malformed(verdict(
        &|c| cut(c).nodes[0] = CutNode::Split { body: 2, at: 1 }
    )));
    let turned = verdict(&|c| cut(c).nodes[0] = CutNode::Apart(Direction::Float([-1.0, 0.0, 0.0])));
    assert!(matches!(turned, Err(VerifyError::NotApart { .. })));
    // Without a cut nothing but an overlap is proved.
    assert_eq!(verdict(&|c| c.cut = None), Ok(false));
    let unseen = verdict(&|c| {
        c.cut = None;
        c.sights.push(Sight::Triangles([0, 0]));
    });
    assert!(matches!(unseen, Err(VerifyError::Sight(_))));
    let mut open = a.plain(&b);
    open.triangles.pop();
    open.pieces.pop();
    let open = verify_relation([&open, plain[1]], Relation::Separated, &certificate);
    assert!(matches!(open, Err(VerifyError::NotClosed { body: 0, .. })));
}

#[test]
fn distances_are_proved_from_both_sides() {
    let a = solid([0.0; 3], [1.0; 3]);
    let b = MeshBody::new(cut_box([0.0; 3], [1.0, 2.0, 0.5], 3));
    let here = Pose3::identity();
    for (k, axis) in [[1.0, 0.0, 0.0], [1.0, 2.0, -0.5], [0.3, -0.7, 0.2]]
        .iter()
        .enumerate()
    {
        let [x, y, z] = *axis;
        let pose = Pose3::from_quaternion([x, y, z, 0.7], Vec3::new(2.5, -0.3, 0.4));
        let pose = pose.expect("a rotation");
        let (a, b) = (a.at(&here), b.at(&pose));
        let found = a.distance(&b, f64::INFINITY).expect("apart");
        let certificate = a.distance_certificate(&b, &found).expect("finite");
        let plain = [&a.plain_in_world(), &b.plain_in_world()];
        assert_eq!(
            verify_distance(plain, &found, &certificate),
            Ok([true; 2]),
            "{k}"
        );
        assert_eq!(found.upper == 0.0, k == 2, "the last one meets");
        let mut wrong = found;
        wrong.lower = found.upper * (1.0 + 1e-9) + 1e-300;
        assert!(verify_distance(plain, &wrong, &certificate).is_err(), "{k}");
        if found.upper == 0.0 {
            continue;
        }
        let mut narrow = found;
        narrow.upper = found.lower * (1.0 - 1e-9);
        narrow.lower = 0.0;
        assert_ne!(
            verify_distance(plain, &narrow, &certificate),
            Ok([true; 2]),
            "{k}"
        );
    }
}

/// A depth with its certificate, found along the axes of the world.
fn deep(a: &MeshBody, b: &MeshBody, poses: [&Pose3<f64>; 2]) -> CertifiedDepth {
    let (a, b) = (a.at(poses[0]), b.at(poses[1]));
    let found = a.depth_certified(&b, &[], &DepthOptions::default());
    let plain = a.depth(&b, &[], &DepthOptions::default());
    assert_eq!(found.depth, plain, "the certificate changes no answer");
    found
}

fn said(found: &CertifiedDepth) -> Result<DepthProved, VerifyError> {
    verify_depth(
        [&found.bodies[0], &found.bodies[1]],
        &found.measured,
        &found.certificate,
    )
}

/// A bar with a slot, all in the plane, one high.
fn slotted() -> MeshBody {
    let ring = [
        [0, 0],
        [6, 0],
        [6, 4],
        [4, 4],
        [4, 1],
        [2, 1],
        [2, 4],
        [0, 4],
    ];
    let at = |z: i32| ring.map(|[x, y]| [x, y, z].map(f64::from));
    let vertices: Vec<[f64; 3]> = [at(0), at(1)].concat();
    let mut triangles = Vec::new();
    for k in 0..8 {
        let next = (k + 1) % 8;
        triangles.extend([[k, next, next + 8], [k, next + 8, k + 8]]);
    }
    let faces = [
        [0, 5, 6],
        [0, 6, 7],
        [0, 4, 5],
        [0, 1, 4],
        [1, 3, 4],
        [1, 2, 3],
    ];
    for [p, q, r] in faces {
        triangles.extend([[r, q, p], [p + 8, q + 8, r + 8]]);
    }
    let body = MeshBody::new(TriMesh::new(&vertices, &triangles).expect("a mesh"));
    assert!(body.kind().is_solid(), "{:?}", body.kind());
    body
}

#[test]
fn depths_of_solids_are_proved_at_any_pose() {
    let here = Pose3::identity();
    let turned = Pose3::from_quaternion([0.1, -0.2, 0.3, 0.9], Vec3::new(0.3, 0.7, -0.1));
    let turned = turned.expect("a rotation");
    let unit = solid([0.0; 3], [1.0; 3]);
    let bodies = [
        solid([0.25, 0.5, 0.75], [2.0, 2.0, 2.0]),
        solid([0.25; 3], [0.75; 3]),
        slotted(),
    ];
    for (k, other) in bodies.iter().enumerate() {
        for poses in [[&here, &here], [&turned, &turned], [&here, &turned]] {
            let found = deep(&unit, other, poses);
            let proved = said(&found).unwrap_or_else(|error| panic!("{k}: {error}"));
            assert!(proved.thickness && proved.escape, "{k}: {proved:?}");
            assert_eq!(proved.protrusion, [[true; 2]; 2], "{k}");
            assert_eq!(found.flush, poses[0] != &here, "{k}");
        }
    }
}

#[test]
fn depths_are_proved_of_bodies_of_several_pieces_and_of_a_surface() {
    let here = Pose3::identity();
    let [first, second] = [([0.0; 3], [2.0; 3]), ([1.0; 3], [4.0; 3])].map(|(low, high)| {
        let mesh = cut_box(low, high, 1);
        (mesh.vertices().to_vec(), mesh.triangles().to_vec())
    });
    let offset = first.0.len() as u32;
    let vertices = [first.0, second.0].concat();
    let moved = second.1.into_iter().map(|t| t.map(|v| v + offset));
    let triangles: Vec<[u32; 3]> = first.1.into_iter().chain(moved).collect();
    let both = MeshBody::new(TriMesh::new(&vertices, &triangles).expect("boxes"));
    let other = solid([1.5, 1.25, 1.75], [6.0; 3]);
    let found = deep(&both, &other, [&here; 2]);
    let proved = said(&found).expect("no objection");
    assert!(proved.thickness && proved.escape, "{proved:?}");
    assert_eq!(
        found.certificate.ball.as_ref().map(|ball| ball[0].piece),
        Some(1)
    );
    let flag = sheet([[0.5, 0.5, 0.5], [0.75, 3.0, 0.5], [0.5, 3.0, 0.75]]);
    let found = deep(&flag, &solid([0.0; 3], [1.0; 3]), [&here; 2]);
    let proved = said(&found).expect("no objection");
    assert_eq!(proved.protrusion, [[true; 2], [false; 2]]);
    assert!(found.measured.ball.is_none() && !proved.escape);
}

/// What the checker says of a depth that was changed.
fn changed(
    found: &CertifiedDepth,
    change: impl Fn(&mut CertifiedDepth),
) -> Result<DepthProved, VerifyError> {
    let mut found = found.clone();
    change(&mut found);
    said(&found)
}

#[test]
fn a_depth_that_is_not_true_is_objected_to() {
    let here = Pose3::identity();
    let there = Pose3::from_quaternion([0.1, -0.2, 0.3, 0.9], Vec3::new(0.3, 0.7, -0.1));
    let found = deep(
        &slotted(),
        &solid([0.0; 3], [1.0; 3]),
        [&here, &there.expect("a rotation")],
    );
    assert!(said(&found).is_ok());
    let is_ball = |said| matches!(said, Err(VerifyError::Ball { .. }));
    let is_escape = |said| matches!(said, Err(VerifyError::Escape(_)));
    let is_reach = |said| matches!(said, Err(VerifyError::Protrusion { .. }));
    // A radius, a center.
    assert!(is_ball(changed(&found, |f| {
        f.measured.ball.as_mut().expect("a ball").radius *= 1.0 + 1e-9;
    })));
    assert!(is_ball(changed(&found, |f| {
        f.measured.ball.as_mut().expect("a ball").center[0] += 0.01;
    })));
    assert!(is_ball(changed(&found, |f| {
        f.measured.ball.as_mut().expect("a ball").radius = f64::NAN;
    })));
    // A ball in the slot: no triangle is near, and the point is outside.
    assert!(is_ball(changed(&found, |f| {
        let apart = |axis| CutNode::Apart(Direction::Float(axis));
        let of = &mut f.certificate.ball.as_mut().expect("a ball")[0];
        of.cut.nodes = vec![apart([0.0, 0.0, -1.0])];
        let ball = f.measured.ball.as_mut().expect("a ball");
        (ball.center, ball.radius) = ([3.0, 3.0, 9.0], 1.0);
    })));
    // A translation: shorter, or not as long as it is; of another body.
    assert!(is_escape(changed(&found, |f| {
        let escape = f.measured.escape.as_mut().expect("a translation");
        escape.length = escape.length.next_down() * (1.0 - 1e-12);
    })));
    let shorter = changed(&found, |f| {
        let escape = f.measured.escape.as_mut().expect("a translation");
        escape.by = escape.by.map(|x| 0.5 * x);
    });
    let is_not_apart = |said: &_| matches!(said, Err(VerifyError::NotApart { .. }));
    assert!(is_not_apart(&shorter), "{shorter:?}");
    let overlap = changed(&found, |f| {
        f.measured.escape.as_mut().expect("a translation").by = [0.0; 3];
        let cut = f.certificate.escape.as_mut().expect("a cut");
        cut.nodes = vec![CutNode::Near];
    });
    assert!(is_escape(overlap));
    // A protrusion: deeper, at another point, empty.
    assert!(is_reach(changed(&found, |f| {
        let reach = f.measured.protrusion[1].as_mut().expect("a protrusion");
        reach.lower *= 1.0 + 1e-9;
    })));
    assert!(is_reach(changed(&found, |f| {
        let reach = f.certificate.protrusion[1].as_mut().expect("a point");
        reach.weights.rotate_left(1);
    })));
    assert!(is_reach(changed(&found, |f| {
        let reach = f.certificate.protrusion[1].as_mut().expect("a point");
        reach.weights = [2.0, -1.0, 0.0];
    })));
    assert!(is_reach(changed(&found, |f| {
        let reach = f.measured.protrusion[1].as_mut().expect("a protrusion");
        reach.upper = 0.5 * reach.lower;
    })));
    // A cover: of less, too short, too long, of another triangle, of parts that are said to be outside.
    let of = (0..2).find(|&k| found.certificate.cover[k].is_some());
    let of = of.expect("a cover");
    assert!(is_reach(changed(&found, |f| {
        let reach = f.measured.protrusion[of].as_mut().expect("a protrusion");
        reach.upper = reach.lower;
    })));
    let with_cover = |change: &dyn Fn(&mut CoverCertificate)| {
        changed(&found, |f| {
            change(f.certificate.cover[of].as_mut().expect("a cover"));
        })
    };
    assert!(is_reach(with_cover(&|cover| {
        cover.nodes.pop();
    })));
    assert!(is_reach(with_cover(&|cover| cover
        .nodes
        .push(CoverNode::Outside))));
    assert!(is_reach(with_cover(&|cover| {
        let near = |node: &&mut CoverNode| matches!(node, CoverNode::Near(_));
        let node = cover
            .nodes
            .iter_mut()
            .find(near)
            .expect("a part that is near");
        *node = CoverNode::Near(u32::MAX);
    })));
    assert!(is_reach(with_cover(&|cover| {
        cover
            .nodes
            .insert(0, CoverNode::Split { edge: 0, part: 1.0 });
    })));
    assert!(is_reach(with_cover(&|cover| {
        let count = found.bodies[of].triangles.len();
        cover.nodes = vec![CoverNode::Outside; count];
        cover.cut.order[0] = (0..count as u32).collect();
        cover.cut.nodes = vec![CutNode::Near];
    })));
    // A triangle is missing, or there is one more.
    for body in 0..2 {
        let missing = changed(&found, |f| {
            f.bodies[body].triangles.pop();
            f.bodies[body].pieces.pop();
        });
        assert!(missing.is_err());
        let order = changed(&found, |f| {
            let of = &mut f.certificate.ball.as_mut().expect("a ball")[body];
            of.cut.order[1].pop();
        });
        assert!(matches!(order, Err(VerifyError::Cut(_))));
        assert!(is_ball(changed(&found, |f| {
            f.bodies[body].reversed ^= true;
        })));
    }
    // Without a certificate nothing is proved but what is nothing.
    let nothing = changed(&found, |f| f.certificate = Default::default());
    assert_eq!(nothing, Ok(DepthProved::default()));
}

#[test]
fn a_part_within_the_other_body_is_not_outside_of_it() {
    let here = Pose3::identity();
    let found = deep(
        &solid([0.25; 3], [0.75; 3]),
        &solid([0.0; 3], [1.0; 3]),
        [&here, &here],
    );
    let said = changed(&found, |f| {
        // No triangle of the first meets the second.
        let count = f.bodies[0].triangles.len();
        let mut cover = CoverCertificate {
            nodes: vec![CoverNode::Outside; count],
            ..Default::default()
        };
        cover.cut.order = [0, 1].map(|k: usize| (0..f.bodies[k].triangles.len() as u32).collect());
        cover.cut.nodes = vec![CutNode::Near];
        f.certificate.cover[0] = Some(cover);
    });
    let why = "a part that is said to be outside is inside";
    assert_eq!(said, Err(VerifyError::Protrusion { body: 0, why }));
}
