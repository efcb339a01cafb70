//! Polygons answered by their edges against the same polygons answered by the loops, and against all pairs of edges and
//! vertices.

#![allow(clippy::unwrap_used)] // a test panics on purpose

mod oracle;

use gjk::query::{self, Contact, Options, Verdict};
use gjk::shape::{Cuboid, Polytope, Shape};
use gjk::{Pose, Pose2, Stop, Support, Vec2, Vector};
use oracle::Rng;

type V = Vec2<f64>;

struct Pair {
    shapes: [Shape<V>; 2],
    poses: [Pose2<f64>; 2],
}

fn quick() -> Options {
    Options::default()
}

impl Pair {
    fn contact(&self, options: &Options) -> Contact<V> {
        query::contact(
            &self.shapes[0],
            &self.poses[0],
            &self.shapes[1],
            &self.poses[1],
            options,
        )
    }

    fn world(&self, k: usize) -> Vec<V> {
        let shape = &self.shapes[k];
        (0..shape.core().vertex_count.unwrap())
            .map(|id| self.poses[k].point(shape.vertex(id).unwrap()))
            .collect()
    }

    /// The coordinates' size, with the place in the world.
    fn size(&self) -> f64 {
        [0, 1]
            .into_iter()
            .flat_map(|k| self.world(k))
            .fold(0.0, |size: f64, x| size.max(x.norm()))
    }

    fn scaled(&self, exponent: i32) -> Self {
        Self {
            shapes: self.shapes.clone(),
            poses: self.poses.map(|pose| pose.scaled_by_power(exponent)),
        }
    }
}

/// A hull of points about an ellipse; a rectangle now and then; a grid's corners, whose edges are parallel to others'.
fn shape(rng: &mut Rng, kind: usize) -> Shape<V> {
    let count = 3 + rng.below([2, 6, 14, 20][kind % 4]) as usize;
    match kind % 6 {
        0 => Cuboid::new(Vec2::new(rng.range(0.2, 1.0), rng.range(0.2, 1.0)))
            .unwrap()
            .into(),
        1 => {
            let corner = |rng: &mut Rng| {
                Vec2::new(rng.below(9) as f64 - 4.0, rng.below(9) as f64 - 4.0) * 0.25
            };
            let points: Vec<V> = (0..2 * count).map(|_| corner(rng)).collect();
            Polytope::new(&points).unwrap().into()
        }
        _ => {
            let thin = [1.0, 0.6, 1e-2, 1e-4][kind / 6 % 4];
            let turns: Vec<f64> = (0..count)
                .map(|_| rng.range(0.0, std::f64::consts::TAU))
                .collect();
            let points: Vec<V> = turns
                .iter()
                .map(|a| Vec2::new(a.cos(), thin * a.sin()))
                .collect();
            Polytope::new(&points).unwrap().into()
        }
    }
}

/// Pairs of every kind: turned by anything or by quarters, mirrored, scaled, sheared, far away; apart, near or deep.
fn pair(rng: &mut Rng, kind: usize) -> Pair {
    let shapes = [shape(rng, kind), shape(rng, kind / 2 + 5)];
    placed(rng, kind, shapes)
}

fn placed(rng: &mut Rng, kind: usize, shapes: [Shape<V>; 2]) -> Pair {
    let far = [0.0, 0.0, 1.0, 1e3, 1e7][kind / 3 % 5];
    let from = Vec2::new(far * rng.range(-1.0, 1.0), far);
    let turned = |rng: &mut Rng, at: V| match kind / 5 % 3 {
        0 => Pose::from_angle(rng.range(-3.0, 3.0), at),
        1 => {
            let (cos, sin) =
                [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][rng.below(4) as usize];
            Pose::from_cos_sin(cos, sin, at)
        }
        _ => Pose::from_angle(1e-9 * rng.range(-1.0, 1.0), at),
    };
    let first = turned(rng, from);
    let [x, y, _] = rng.direction(2);
    let reach = rng.range(0.0, 2.4);
    let at = if kind % 6 == 1 {
        Vec2::new(rng.below(9) as f64, rng.below(9) as f64) * 0.25
    } else {
        Vec2::new(x, y) * reach
    };
    let mut second = turned(rng, from + at);
    match kind / 7 % 5 {
        0 => second = second.scaled(Vec2::new(-1.0, 1.0)),
        1 => {
            let columns = [
                Vec2::new(rng.range(-1.5, 1.5), 0.3),
                Vec2::new(0.1, rng.range(-1.5, 1.5)),
            ];
            second = Pose::from_columns(columns, from + at);
        }
        _ => {}
    }
    Pair {
        shapes,
        poses: [first, second],
    }
}

/// Fails without the noise.
#[test]
fn edges_and_loops_give_the_same_answer() {
    let mut rng = Rng(177);
    let sharp = Options::tight();
    let mut by_edges = [0; 2];
    for case in 0..60_000 {
        let pair = pair(&mut rng, case);
        let (plain, slow) = (pair.contact(&quick()), pair.contact(&sharp));
        assert_ne!(slow.stop, Stop::SeparatingAxes);
        assert_eq!(plain.verdict, slow.verdict, "case {case}");
        assert!(plain.exact);
        let (x, y) = (plain.signed_distance, slow.signed_distance);
        assert!(x.overlaps(&y), "case {case}: {x:?} {y:?}");
        let [a, b] = &pair.shapes;
        let boolean = query::intersects(a, &pair.poses[0], b, &pair.poses[1], &quick());
        assert_eq!(boolean.verdict, slow.verdict, "case {case}");
        let distance = query::distance(a, &pair.poses[0], b, &pair.poses[1], &quick());
        assert_eq!(distance.verdict, slow.verdict, "case {case}");
        assert!(
            distance.distance.lower <= y.upper.max(0.0)
                && y.lower.max(0.0) <= distance.distance.upper
        );
        if plain.stop == Stop::SeparatingAxes {
            by_edges[usize::from(plain.verdict == Verdict::Overlapping)] += 1;
            witnesses(&pair, &plain, case);
        }
    }
    assert!(
        by_edges.iter().all(|&count| count > 10_000),
        "{by_edges:?} answered by edges"
    );
}

/// Rectangles turned by anything, by quarters or next to nothing, mirrored, sheared and far away: by their axes, with corners over edges and edges along
/// edges, as by all pairs of features. Fails without the noise, and without what the world rounds.
#[test]
fn rectangles_agree_with_the_loops_and_with_all_pairs_of_features() {
    let mut rng = Rng(183);
    let mut by_axes = [0; 2];
    for case in 0..40_000 {
        let shapes = [shape(&mut rng, 0), shape(&mut rng, 0)];
        let pair = placed(&mut rng, case, shapes);
        let (plain, slow) = (pair.contact(&quick()), pair.contact(&Options::tight()));
        assert_eq!(plain.verdict, slow.verdict, "case {case}");
        let (found, tight) = (plain.signed_distance, slow.signed_distance);
        assert!(found.overlaps(&tight), "case {case}: {found:?} {tight:?}");
        let [a, b] = &pair.shapes;
        let boolean = query::intersects(a, &pair.poses[0], b, &pair.poses[1], &quick());
        assert_eq!(boolean.verdict, slow.verdict, "case {case}");
        let corners =
            |k: usize| -> Vec<[f64; 3]> { pair.world(k).iter().map(|x| [x.x, x.y, 0.0]).collect() };
        let truth = oracle::signed_distance(2, &corners(0), &corners(1));
        let room = 1e-15 * (4.0 + pair.size());
        assert!(
            found.lower - room <= truth && truth <= found.upper + room,
            "case {case}: {found:?} {truth}"
        );
        if plain.stop == Stop::SeparatingAxes {
            by_axes[usize::from(plain.verdict == Verdict::Overlapping)] += 1;
            witnesses(&pair, &plain, case);
        }
    }
    assert!(by_axes.iter().all(|&count| count > 10_000), "{by_axes:?}");
}

/// Rectangles as thin as the smallest floats, whose edges have no direction: near their ends they overlap a square, or not. Fails where such edges have axes.
#[test]
fn rectangles_of_no_width_are_left_to_the_loops() {
    let mut rng = Rng(184);
    for case in 0..20_000 {
        let thin = f64::from_bits(1 + rng.below(40)) * [1.0, 1e13, 1e100][case % 3];
        let size = |rng: &mut Rng| rng.range(0.1, 0.5);
        let half = [
            Vec2::new(1.0, thin),
            Vec2::new(size(&mut rng), size(&mut rng)),
        ];
        let turn = rng.range(-3.0, 3.0);
        let along = Vec2::new(turn.cos(), turn.sin());
        let across = Vec2::new(-turn.sin(), turn.cos());
        let at = along * rng.range(0.9, 1.6) + across * rng.range(-0.2, 0.2);
        let pair = Pair {
            shapes: half.map(|half| Cuboid::new(half).unwrap().into()),
            poses: [
                Pose::from_angle(turn, V::ZERO),
                Pose::from_angle(rng.range(-3.0, 3.0), at),
            ],
        };
        let (plain, slow) = (pair.contact(&quick()), pair.contact(&Options::tight()));
        assert_eq!(plain.verdict, slow.verdict, "case {case}");
        let [a, b] = &pair.shapes;
        let boolean = query::intersects(a, &pair.poses[0], b, &pair.poses[1], &quick());
        assert_eq!(boolean.verdict, slow.verdict, "case {case}");
        let (found, tight) = (plain.signed_distance, slow.signed_distance);
        assert!(found.overlaps(&tight), "case {case}: {found:?} {tight:?}");
    }
}

/// Each witness is on its polygon, and the two are the distance or the depth apart along the normal.
fn witnesses(pair: &Pair, answer: &Contact<V>, case: usize) {
    let room = 1e-14 * (4.0 + pair.size());
    assert!((answer.normal.norm() - 1.0).abs() < 1e-14);
    let between = answer.point_b - answer.point_a;
    let signed = answer.signed_distance.middle();
    assert!(
        (between - answer.normal * signed).norm() < 4.0 * room,
        "case {case}: {between:?} {answer:?}"
    );
    let ends = [
        (answer.point_a, answer.normal),
        (answer.point_b, -answer.normal),
    ];
    for (k, (point, outward)) in ends.into_iter().enumerate() {
        let vertices = pair.world(k);
        let top = vertices
            .iter()
            .map(|&x| (x - point).dot(outward))
            .fold(f64::NEG_INFINITY, f64::max);
        assert!(top.abs() < 4.0 * room, "case {case}: {top} off the surface");
        let flat = vertices
            .iter()
            .map(|x| [x.x - point.x, x.y - point.y, 0.0])
            .collect::<Vec<_>>();
        let outside = oracle::signed_distance(2, &flat, &[[0.0; 3]]);
        assert!(outside < 4.0 * room, "case {case}: {outside} outside");
    }
}

/// The least distance of all edges and vertices, or the least overlap along all edges: no support function, no walk.
#[test]
fn edges_agree_with_all_pairs_of_features() {
    let mut rng = Rng(178);
    for case in 0..20_000 {
        let pair = pair(&mut rng, case);
        let answer = pair.contact(&quick());
        let [a, b] = [0, 1].map(|k| {
            pair.world(k)
                .iter()
                .map(|x| [x.x, x.y, 0.0])
                .collect::<Vec<_>>()
        });
        let truth = oracle::signed_distance(2, &a, &b);
        let room = 1e-14 * (4.0 + pair.size());
        let found = answer.signed_distance;
        assert!(
            found.lower - room <= truth && truth <= found.upper + room,
            "case {case}: {found:?} {truth}"
        );
    }
}

/// Touching squares, gaps and overlaps of one float: no edge decides these, and none is wrong.
#[test]
fn touching_and_one_ulp() {
    let square: Vec<V> = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
        .map(Vec2::from)
        .to_vec();
    let diamond: Vec<V> = [[0.0, 0.5], [0.5, 0.0], [1.0, 0.5], [0.5, 1.0]]
        .map(Vec2::from)
        .to_vec();
    for (a, b) in [(&square, &square), (&square, &diamond), (&diamond, &square)] {
        let shapes = [
            Polytope::new(a).unwrap().into(),
            Polytope::new(b).unwrap().into(),
        ];
        for far in [0.0, 3.0, 1e6] {
            for (x, expected) in [
                (1.0, Verdict::Touching),
                (1.0 + f64::EPSILON * (1.0 + 4.0 * far), Verdict::Separated),
                (1.0 - f64::EPSILON * (1.0 + 4.0 * far), Verdict::Overlapping),
            ] {
                for flip in [1.0, -1.0] {
                    let at = |x: f64| {
                        Pose::from_columns(
                            [Vec2::new(flip, 0.0), Vec2::new(0.0, 1.0)],
                            Vec2::new(x, far),
                        )
                    };
                    let pair = Pair {
                        shapes: Clone::clone(&shapes),
                        poses: [at(far), at(far + flip * x)],
                    };
                    assert_eq!(
                        pair.contact(&quick()).verdict,
                        expected,
                        "{far} {x:?} {flip}"
                    );
                    let answer = query::intersects(
                        &pair.shapes[0],
                        &pair.poses[0],
                        &pair.shapes[1],
                        &pair.poses[1],
                        &quick(),
                    );
                    assert_eq!(answer.verdict, expected, "{far} {x:?} {flip}");
                }
            }
        }
    }
}

/// Powers of two scale the numbers and change nothing else, within the range and, by the loops, beyond it.
#[test]
fn powers_of_two_change_nothing() {
    let mut rng = Rng(179);
    for case in 0..4_000 {
        let pair = pair(&mut rng, case);
        let answer = pair.contact(&quick());
        for exponent in [-300, -70, -7, 5, 60, 300] {
            let scaled = pair.scaled(exponent).contact(&quick());
            assert_eq!(scaled.verdict, answer.verdict, "case {case} {exponent}");
            // Beyond the range the loops start elsewhere.
            if exponent.abs() < 100 {
                assert_eq!(scaled.stop, answer.stop, "case {case} {exponent}");
                let factor = 2f64.powi(exponent);
                assert_eq!(
                    scaled.signed_distance.lower,
                    answer.signed_distance.lower * factor,
                    "case {case} {exponent}"
                );
                assert_eq!(scaled.normal, answer.normal, "case {case} {exponent}");
            }
        }
    }
}

/// Rings that are nearly or exactly flat once posed, needles, and vertices closer than a rounding.
#[test]
fn degenerate_polygons_go_to_the_loops() {
    let mut rng = Rng(180);
    for case in 0..20_000 {
        let tiny = [1e-3, 1e-9, 1e-15, 1e-17, 1e-200][case % 5];
        let mut points: Vec<V> = Vec::new();
        for _ in 0..3 {
            let x = Vec2::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
            points.extend([
                x,
                x + Vec2::new(tiny, 0.0),
                x + Vec2::new(tiny * rng.unit(), tiny * rng.unit()),
            ]);
        }
        let shapes = [
            Polytope::new(&points).unwrap().into(),
            shape(&mut rng, case),
        ];
        let at = Vec2::new(rng.range(-1.5, 1.5), rng.range(-1.5, 1.5));
        let flat = [1.0, 1.0, 1e-12, 0.0][case / 5 % 4];
        let first = Pose::from_angle(rng.range(-3.0, 3.0), V::ZERO).scaled(Vec2::new(1.0, flat));
        let pair = Pair {
            shapes,
            poses: [first, Pose::from_angle(rng.range(-3.0, 3.0), at)],
        };
        let (plain, slow) = (pair.contact(&quick()), pair.contact(&Options::tight()));
        assert_eq!(plain.verdict, slow.verdict, "case {case}");
        let (x, y) = (plain.signed_distance, slow.signed_distance);
        assert!(x.overlaps(&y), "case {case}: {x:?} {y:?}");
    }
}

/// A proof takes the loops, and says the same.
#[test]
fn a_proof_is_of_the_same_verdict_and_number() {
    let mut rng = Rng(181);
    for case in 0..4_000 {
        let pair = pair(&mut rng, case);
        let fast = pair.contact(&quick());
        let [a, b] = &pair.shapes;
        let proof = query::prove(a, &pair.poses[0], b, &pair.poses[1]);
        assert_eq!(proof.contact.verdict, fast.verdict);
        assert!(proof.certificate.is_some());
        let (x, y) = (proof.contact.signed_distance, fast.signed_distance);
        assert!(x.lower <= y.upper && y.lower <= x.upper, "case {case}");
    }
}

/// In `f32` the interval is the `f64` one rounded outward.
#[test]
fn narrow_scalars_are_rounded_outward() {
    let mut rng = Rng(182);
    let mut by_edges = 0;
    for case in 0..10_000 {
        let wide = pair(&mut rng, case);
        let narrow = [0, 1].map(|k| {
            let shape = &wide.shapes[k];
            let points: Vec<Vec2<f32>> = (0..shape.core().vertex_count.unwrap())
                .map(|id| shape.vertex(id).unwrap().lift())
                .collect();
            Polytope::new(&points).unwrap()
        });
        let poses = wide.poses.map(|pose| pose.lift::<Vec2<f32>>());
        let found = query::contact(
            &narrow[0],
            &poses[0],
            &narrow[1],
            &poses[1],
            &Options::tight(),
        );
        let lifted = narrow.map(|shape| {
            Polytope::new(
                &shape
                    .vertices()
                    .iter()
                    .map(|x| x.lift())
                    .collect::<Vec<V>>(),
            )
            .unwrap()
        });
        let same = query::contact(
            &lifted[0],
            &poses[0].lift(),
            &lifted[1],
            &poses[1].lift(),
            &Options::tight(),
        );
        assert_eq!(found.verdict, same.verdict, "case {case}");
        let (x, y) = (found.signed_distance, same.signed_distance);
        assert!(
            f64::from(x.lower) <= y.upper && f64::from(x.upper) >= y.lower,
            "case {case}: {x:?} {y:?}"
        );
        by_edges += usize::from(found.stop == Stop::SeparatingAxes);
    }
    assert!(by_edges > 2_000, "{by_edges} answered by edges");
}
