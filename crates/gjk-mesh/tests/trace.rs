//! The trace of named pairs: what their construction says that each step finds.

use gjk::{Pose3, Vec3};
use gjk_mesh::trace::{Compared, ContactCell, Facts, How, Recorder, Step};
use gjk_mesh::{Contact, Feature, MeshBody, Relation};

mod boxes;
use boxes::cut_box;

fn at(x: f64, y: f64, z: f64) -> Pose3<f64> {
    Pose3::from_translation(Vec3::new(x, y, z))
}

/// The relation, watched, which is the same as unwatched.
fn watched(bodies: [&MeshBody; 2], poses: [Pose3<f64>; 2]) -> (Relation, Vec<Step>) {
    let [a, b] = [0, 1].map(|k| bodies[k].at(&poses[k]));
    let mut recorder = Recorder::default();
    let answer = a.relation_observed(&b, &mut recorder);
    assert_eq!(answer, a.relation(&b));
    (answer.relation, recorder.steps)
}

fn cells(steps: &[Step]) -> Vec<&ContactCell> {
    let cells = steps.iter().filter_map(|step| match step {
        Step::Cell(cell) => Some(&**cell),
        _ => None,
    });
    cells.collect()
}

fn unit_box() -> MeshBody {
    MeshBody::new(cut_box([0.0; 3], [1.0; 3], 1))
}

/// B's corner stands on A's upper face at (0.5, 0.5, 1): one point, one face, and nothing goes into both.
#[test]
fn a_corner_on_a_face_is_one_cell() {
    let corner = [0.5, 0.5, 1.0];
    let vertices = [
        corner,
        [0.25, 0.25, 2.0],
        [0.75, 0.375, 2.0],
        [0.5, 0.75, 2.0],
    ];
    let faces = [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]];
    let mesh = gjk_mesh::TriMesh::new(&vertices, &faces).expect("a tetrahedron");
    let (relation, steps) = watched(
        [&unit_box(), &MeshBody::new(mesh)],
        [at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.0)],
    );
    assert_eq!(relation, Relation::Touching);
    let cells = cells(&steps);
    let [cell] = cells[..] else {
        panic!("{} cells", cells.len())
    };
    // The corner is on the diagonal of the face or inside of one half of it: so are one or two of its triangles.
    assert_eq!(cell.point, corner);
    assert_eq!(cell.features[1], Feature::Vertex);
    assert_eq!(cell.triangles[1].len(), 3);
    let facts = Facts {
        leaves: [true, true],
        ..Facts::default()
    };
    assert_eq!((cell.facts, cell.decides), (Some(facts), false));
    // A is below the face, B above it.
    let [a, b] = &cell.cones;
    assert_eq!(
        [0.1, -0.1].map(|z| a.contains([0.3, 0.2, z])),
        [Some(false), Some(true)]
    );
    assert_eq!(b.contains([0.0, -0.01, 1.0]), Some(true));
    assert_eq!(b.contains([0.0, 0.0, -1.0]), Some(false));
    assert_eq!(a.contains([1.0, 0.5, 0.0]), None, "on the face");
}

/// Walls in line that share 5 of 100: each face of one lies in the plane of one of the other or off it, so no edge passes through a
/// face, and a direction along the walls goes into both.
#[test]
fn aligned_walls_are_decided_by_cones() {
    let wall = MeshBody::new(cut_box([0.0; 3], [100.0, 10.0, 30.0], 1));
    let (relation, steps) = watched([&wall, &wall], [at(0.0, 0.0, 0.0), at(95.0, 0.0, 0.0)]);
    assert_eq!(relation, Relation::Overlapping);
    let crossing = |step: &Step| {
        matches!(
            step,
            Step::Triangles {
                contact: Some(Contact::Crossing),
                ..
            }
        )
    };
    assert!(!steps.iter().any(crossing));
    let deciding: Vec<&ContactCell> = cells(&steps).into_iter().filter(|x| x.decides).collect();
    let [cell] = deciding[..] else {
        panic!("{} cells decide", deciding.len())
    };
    // Between both ends of what they share.
    assert!((95.0..=100.0).contains(&cell.point[0]), "{:?}", cell.point);
    let told = cell.learned.iter().find(|x| x.facts.overlap).expect("one");
    assert_eq!(told.how, How::OnBoth);
}

/// An edge passes through a face: that decides, and no cone has to.
#[test]
fn a_crossing_decides_by_itself() {
    let rod = MeshBody::new(cut_box([0.25, 0.375, -1.0], [0.5, 0.625, 2.0], 1));
    let (relation, steps) = watched(
        [&unit_box(), &rod],
        [at(0.0, 0.0, 0.0), at(0.125, 0.0, 0.0)],
    );
    assert_eq!(relation, Relation::Overlapping);
    let decides = |step: &&Step| match step {
        Step::Triangles { decides, .. } | Step::Shell { decides, .. } => *decides,
        Step::Cell(cell) => cell.decides,
        Step::Compared { .. } => false,
    };
    let deciding: Vec<&Step> = steps.iter().filter(decides).collect();
    assert!(
        matches!(
            deciding[..],
            [Step::Triangles {
                contact: Some(Contact::Crossing),
                ..
            }]
        ),
        "{deciding:?}"
    );
}

/// A shell within a solid meets nothing: a ray tells, of one point of it.
#[test]
fn an_enclosed_shell_is_asked_by_a_ray() {
    let (large, small) = (
        MeshBody::new(cut_box([-2.0; 3], [2.0; 3], 2)),
        MeshBody::new(cut_box([-1.0; 3], [1.0; 3], 2)),
    );
    let (relation, steps) = watched([&large, &small], [at(0.0, 0.0, 0.0), at(0.25, 0.0, 0.0)]);
    assert_eq!(relation, Relation::Contains);
    let found = steps.iter().find_map(|step| match step {
        Step::Shell {
            body: 1,
            shell: 0,
            inside: Some(true),
            decides: true,
            point,
            ..
        } => Some(*point),
        _ => None,
    });
    let point = found.expect("the small one's shell");
    assert!(point.iter().all(|x| x.abs() <= 1.25), "{point:?}");
}

/// Boxes hold what the tree says: each box is within the one around it by level, and all corners of the mesh are in the first.
#[test]
fn boxes_are_where_the_bodies_are() {
    let body = MeshBody::new(cut_box([0.0; 3], [1.0, 2.0, 3.0], 5));
    let turned =
        Pose3::from_quaternion([0.5, 0.5, 0.5, 0.5], Vec3::new(7.0, 0.0, 0.0)).expect("a turn");
    // Once by boxes in any direction, once, of one pose, by boxes along the axes.
    for poses in [[turned, at(7.0, 0.0, 0.0)], [turned, turned]] {
        let [a, b] = poses.map(|pose| body.at(&pose));
        let own = poses[0] == poses[1];
        let [boxes, _] = a.boxes(&b);
        let first = &boxes[0];
        assert_eq!(first.level, 0);
        assert!(boxes.iter().filter(|x| x.level == 0).count() == 1 && boxes.len() > 10);
        for vertex in body.mesh().vertices() {
            let [x, y, z] = *vertex;
            let at = if own {
                *vertex
            } else {
                let moved = poses[0].point(Vec3::new(x, y, z));
                [moved.x, moved.y, moved.z]
            };
            for axis in &first.axes {
                let dot = |u: [f64; 3], v: [f64; 3]| (0..3).map(|k| u[k] * v[k]).sum::<f64>();
                let from: [f64; 3] = [0, 1, 2].map(|k| at[k] - first.center[k]);
                assert!(
                    dot(from, *axis).abs() <= dot(*axis, *axis) * (1.0 + 1e-5),
                    "{at:?}"
                );
            }
        }
        // Every number that the descent names is one of them.
        let mut recorder = Recorder::default();
        a.relation_observed(&b, &mut recorder);
        for step in &recorder.steps {
            if let Step::Compared {
                parts: [Compared::Box(number), _],
                ..
            } = step
            {
                assert!(boxes.iter().any(|x| x.number == *number), "{number}");
            }
        }
    }
}
