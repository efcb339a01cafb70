//! The fuzzer's own tests: the judge must be able to fail, and the oracles must agree.
#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

use super::case::{Body, Case, Form, Placement};
use super::examine::examine;
use super::families::FAMILIES;
use super::judge::answers;
use super::known::{Answers, Kind, Known};
use super::oracle::{Oracle, program};
use super::witnesses::{self, WitnessClaim};
use super::{Space, Task, generate};
use gjk::query::{Certificate, Direction, Interval, Pair, Verdict};
use gjk::{Pose, Vec3};

type V = Vec3<f64>;

/// Two tetrahedra, the second moved along the first axis, their answers, and what an oracle knows of them.
fn judged(apart: f64) -> (Answers<V>, Known) {
    let tetrahedron = |x: f64| Body {
        points: vec![
            [x, 0.0, 0.0],
            [x + 4.0, 0.0, 0.0],
            [x, 4.0, 0.0],
            [x, 0.0, 4.0],
        ],
        form: Form::Cloud,
        ..Body::default()
    };
    let case = Case {
        dim: 3,
        a: tetrahedron(0.0),
        b: tetrahedron(apart),
        ..Case::default()
    };
    let (a, b) = (case.a.shape::<V>().unwrap(), case.b.shape::<V>().unwrap());
    let here = Pose::identity();
    let pair = Pair::new(&a, &here, &b, &here);
    let answers = answers(&pair, pair.prove());
    let vertices = [case.a.points.clone(), case.b.points.clone()];
    let truth = Oracle::default().truth(3, &vertices[0], &vertices[1]);
    (
        answers,
        Known {
            truth,
            polytopes: true,
            vertices,
            ..Known::default()
        },
    )
}

fn kinds(answers: &Answers<V>, known: &Known) -> Vec<Kind> {
    let mut faults = Vec::new();
    examine(3, answers, known, &mut faults);
    faults.iter().map(|fault| fault.kind).collect()
}

const SITUATIONS: [(f64, Verdict); 3] = [
    (5.0, Verdict::Separated),
    (4.0, Verdict::Touching),
    (3.0, Verdict::Overlapping),
];

#[test]
fn right_answers_have_no_fault() {
    for (apart, verdict) in SITUATIONS {
        let (answers, known) = judged(apart);
        assert_eq!(known.verdict(), Some(verdict));
        assert_eq!(answers.proof.contact.verdict, verdict);
        assert_eq!(kinds(&answers, &known), []);
    }
}

#[test]
fn a_flipped_verdict_is_found() {
    for (apart, verdict) in SITUATIONS {
        for wrong in [
            Verdict::Separated,
            Verdict::Touching,
            Verdict::Overlapping,
            Verdict::Undecided,
        ] {
            let (mut answers, known) = judged(apart);
            answers.proof.contact.verdict = wrong;
            assert_eq!(
                kinds(&answers, &known).contains(&Kind::Verdict),
                wrong != verdict,
                "{verdict:?} {wrong:?}"
            );
        }
    }
}

#[test]
fn all_queries_flipped_alike_are_found() {
    let (mut answers, known) = judged(4.0);
    answers.proof.contact.verdict = Verdict::Overlapping;
    answers.swapped.contact.verdict = Verdict::Overlapping;
    answers.intersects.verdict = Verdict::Overlapping;
    answers.distance.verdict = Verdict::Overlapping;
    assert!(kinds(&answers, &known).contains(&Kind::Verdict));
}

#[test]
fn a_moved_interval_is_found() {
    for (apart, _) in SITUATIONS {
        for by in [1e-9, -1e-9] {
            let (mut answers, known) = judged(apart);
            answers.proof.contact.signed_distance.lower += by;
            answers.proof.contact.signed_distance.upper += by;
            assert!(
                kinds(&answers, &known).contains(&Kind::Interval),
                "{apart} {by}"
            );
        }
    }
    let (mut answers, known) = judged(5.0);
    answers.distance.distance.upper = answers.distance.distance.lower * 0.5;
    assert!(kinds(&answers, &known).contains(&Kind::Interval));
}

#[test]
fn a_turned_direction_is_found() {
    for (apart, _) in &SITUATIONS[..2] {
        let (mut answers, known) = judged(*apart);
        let (Some(Certificate::Separated { direction, .. })
        | Some(Certificate::Touching { direction, .. })) = &mut answers.proof.certificate
        else {
            panic!("no certificate with a direction");
        };
        *direction = Direction::Float([0.0, 1.0, 0.0]);
        assert!(
            kinds(&answers, &known).contains(&Kind::Certificate),
            "{apart}"
        );
    }
}

/// A box, and a cylinder that stands over it, at so much or in it.
fn cylinder_on_a_box(apart: f64) -> Case {
    let at = |z: f64, form: Form, points: Vec<[f64; 3]>| Body {
        form,
        points,
        pose: Some(Placement {
            columns: Placement::STRAIGHT,
            translation: [0.0, 0.0, z],
        }),
        ..Body::default()
    };
    let corner = |k: u32| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { -1.0 } else { 1.0 });
    Case {
        dim: 3,
        a: at(0.0, Form::Box([1.0; 3]), (0..8).map(corner).collect()),
        b: at(1.5 + apart, Form::Cylinder(0.5, 0.5, 2), Vec::new()),
        ..Case::default()
    }
}

/// The normal is turned, and either point moved off or along its body.
#[test]
fn a_wrong_normal_or_point_is_found() {
    let (normal, aside) = (V::new(0.0, 0.0, 1.0), V::new(1.0, 0.0, 0.0));
    let (up, down) = (normal * 1e-9, normal * -1e-3);
    for (apart, verdict) in [
        (0.25, Verdict::Separated),
        (0.0, Verdict::Undecided),
        (-0.25, Verdict::Overlapping),
    ] {
        let case = cylinder_on_a_box(apart);
        let [a, b] = [V::new(0.25, 0.0, 1.0), V::new(0.25, 0.0, 1.0 + apart)];
        let interval = Interval {
            lower: apart - 1e-15,
            upper: apart + 1e-15,
        };
        let is_wrong = |normal: V, points: [V; 2]| {
            let claim = WitnessClaim {
                name: "contact",
                verdict,
                normal,
                points,
                interval: &interval,
            };
            let mut faults = Vec::new();
            witnesses::examine(&case, &claim, 4.0, &mut faults);
            !faults.is_empty()
        };
        assert!(!is_wrong(normal, [a, b]), "{apart}");
        assert!(is_wrong(V::new(0.6, 0.0, 0.8), [a, b]), "{apart}");
        assert!(is_wrong(-normal, [a, b]), "{apart}");
        assert!(is_wrong(normal, [a + up, b]), "{apart}");
        assert!(is_wrong(normal, [a, b - up]), "{apart}");
        assert!(is_wrong(normal, [a + aside, b]), "{apart}");
        assert!(is_wrong(normal, [a, b + aside]), "{apart}");
        let decided = verdict != Verdict::Undecided;
        assert_eq!(is_wrong(normal, [a + down, b]), decided, "{apart}");
    }
}

#[test]
fn a_changed_pair_is_found() {
    let (mut answers, known) = judged(4.0);
    let Some(Certificate::Touching { nearest, .. }) = &mut answers.proof.certificate else {
        panic!("no touching certificate");
    };
    nearest.pairs[0][0] ^= 1;
    assert!(kinds(&answers, &known).contains(&Kind::Certificate));
    let (mut answers, known) = judged(3.0);
    let Some(Certificate::Overlapping { pairs, .. }) = &mut answers.proof.certificate else {
        panic!("no overlap certificate");
    };
    let first = pairs[0];
    pairs.iter_mut().for_each(|pair| *pair = first);
    assert!(kinds(&answers, &known).contains(&Kind::Certificate));
}

#[test]
fn a_missing_vertex_is_found() {
    let (mut answers, known) = judged(3.0);
    let Some(Certificate::Overlapping { pairs, .. }) = &mut answers.proof.certificate else {
        panic!("no overlap certificate");
    };
    pairs[1] = [99, 0];
    assert!(kinds(&answers, &known).contains(&Kind::Certificate));
}

#[test]
fn queries_that_disagree_are_found() {
    let (mut answers, known) = judged(5.0);
    answers.swapped.contact.verdict = Verdict::Touching;
    assert!(kinds(&answers, &known).contains(&Kind::Disagreement));
    let (mut answers, known) = judged(5.0);
    answers.swapped.contact.signed_distance.lower += 1.0;
    answers.swapped.contact.signed_distance.upper += 1.0;
    assert!(kinds(&answers, &known).contains(&Kind::Disagreement));
}

/// Both oracles are ours and share the splitting of floats only.
#[test]
fn facets_and_linear_program_agree() {
    let small = [
        "small-lattice",
        "aligned-boxes",
        "face-face",
        "flat",
        "linear",
        "point",
        "shared-points",
        "mixed-magnitudes",
    ];
    let (mut oracle, mut case) = (Oracle::default(), Case::default());
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for family in FAMILIES
        .iter()
        .filter(|family| small.contains(&family.name))
    {
        let mut seen = [0; 3];
        for dim in [2, 3] {
            let task = Task {
                family,
                space: Space { dim, single: false },
                seed: 3,
                from: 0,
                cases: 1000,
                program_every: 1,
                sample: 1,
            };
            for number in 0..task.cases {
                generate(&task, number, &mut case);
                case.a.world_points(&mut a);
                case.b.world_points(&mut b);
                let truth = oracle.truth(dim, &a, &b).unwrap();
                assert_eq!(
                    truth.verdict,
                    program::relation(dim, &a, &b),
                    "{} {dim}D {number}",
                    family.name
                );
                seen[truth.verdict as usize] += 1;
            }
        }
        assert!(
            family.name == "face-face" || seen.iter().filter(|&&n| n > 50).count() >= 2,
            "{} {seen:?}",
            family.name
        );
    }
}

/// The truth's distance against a hand-made one: a vertex over a face, edges that cross, a vertex beside a vertex.
#[test]
fn distances_of_known_pairs() {
    let mut oracle = Oracle::default();
    let floor = [
        [-4.0, -4.0, 0.0],
        [4.0, -4.0, 0.0],
        [4.0, 4.0, 0.0],
        [-4.0, 4.0, 0.0],
        [0.0, 0.0, -4.0],
    ];
    let cases: [(&[[f64; 3]], f64); 4] = [
        (&[[1.0, 1.0, 3.0], [1.0, 2.0, 7.0]], 3.0),
        (&[[7.0, 0.0, 4.0], [7.0, 1.0, 4.0]], 5.0),
        (&[[5.0, 6.0, 2.0]], 3.0),
        (&[[0.0, 0.0, -1.0]], -3.0 / 3f64.sqrt()),
    ];
    for (points, expected) in cases {
        let truth = oracle.truth(3, &floor, points).unwrap();
        // The last is inside: its depth is to a slanted face, to be found by facets.
        let slanted = expected < 0.0;
        let near = (truth.approximate() - expected).abs() < 1e-12;
        assert!(
            near || slanted && truth.verdict == Verdict::Overlapping,
            "{points:?}: {}",
            truth.approximate()
        );
    }
}

type Points = &'static [[f64; 3]];

/// Bodies whose points are nearer to one another than the rounding of the oracle's floats. The campaign found them when it
/// took the oracle's word against the library's. The truth is by brute force in fractions.
const MIXED_MAGNITUDES: [(Points, Points, Verdict); 3] = [
    (
        &[
            [0.0, -1065151889408.0, -515396075520.0],
            [0.0, 260046848.0, 125829120.0],
            [-61.0, 123.0, 74.0],
            [-0.00732421875, 0.0103759765625, 0.0118408203125],
        ],
        &[
            [0.0, -0.060546875, -0.029296875],
            [0.0, 2130303778816.0, 1030792151040.0],
            [2981888.0, -6324224.0, -3407872.0],
            [130023424.0, 876609536.0, 465567744.0],
            [0.0625, 0.830078125, 0.53125],
        ],
        Verdict::Touching,
    ),
    (
        &[
            [0.0, 0.0, 0.0],
            [1924145348608.0, -1649267441664.0, 3298534883328.0],
            [0.21875, -0.21875, 0.1875],
        ],
        &[
            [
                2.9802322387695312e-8,
                -2.9802322387695312e-8,
                5.960464477539063e-8,
            ],
            [
                -2.9103830456733704e-11,
                2.9103830456733704e-11,
                -5.820766091346741e-11,
            ],
            [0.140625, 0.296875, 0.0],
            [-0.0009765625, -0.0008544921875, 0.000244140625],
            [52.0, 92.0, 0.0],
            [-0.03125, -0.15625, 0.2109375],
        ],
        Verdict::Touching,
    ),
    (
        &[
            [-8796093022208.0, 4398046511104.0, -9895604649984.0],
            [65536.0, -32768.0, 49152.0],
            [0.0, 5.960464477539063e-8, -8.940696716308594e-8],
        ],
        &[
            [0.0, 0.0, 0.0],
            [-0.0001068115234375, 0.0000457763671875, -0.0001068115234375],
        ],
        Verdict::Separated,
    ),
];

#[test]
fn the_facet_oracle_is_right_on_mixed_magnitudes() {
    for (a, b, verdict) in MIXED_MAGNITUDES {
        let truth = Oracle::default().truth(3, a, b).unwrap();
        assert_eq!(truth.verdict, verdict, "{a:?} {b:?}");
        assert_eq!(program::relation(3, a, b), verdict);
    }
}
