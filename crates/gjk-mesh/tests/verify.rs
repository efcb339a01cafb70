//! The checker of relations and distances: what it proves, and that it proves nothing else.

mod boxes;

use boxes::cut_box;
use gjk::{Pose3, Vec3, query::Direction};
use gjk_mesh::certificate::{CutNode, RelationCertificate, Sight};
use gjk_mesh::verify::{VerifyError, verify_distance, verify_relation};
use gjk_mesh::{MeshBody, Relation, TriMesh};

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
