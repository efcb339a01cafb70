//! The reference against closed forms, against the explicit Minkowski difference, and its two ways to a depth.

use super::depth::{Posed, every_axis, facets};
use super::real::{add, cross, dot, norm, scale, sub};
use super::*;
use crate::definition::{Definition, Family, Kind, Regime};
use crate::generate::generate;
use bench_protocol::{Place, Shape};
use gjk::hull::{SpatialHull, convex_hull_3};

fn at(x: f64, y: f64, z: f64) -> Place {
    Place {
        rotation: [0.0, 0.0, 0.0, 1.0],
        translation: [x, y, z],
    }
}

fn value(shapes: [Shape; 2], places: [Place; 2]) -> Truth {
    let cores = shapes.map(|s| Core::new(&s, 3).expect("a core")).to_vec();
    let found = truth(
        &cores,
        &Pair {
            shapes: [0, 1],
            places,
        },
    )
    .expect("a truth");
    assert!(found.gap < 1e-20, "{found:?}");
    found
}

fn ball() -> Shape {
    Shape::Ball(0.5)
}

fn capsule() -> Shape {
    Shape::Capsule(1.0, 0.25)
}

fn cube() -> Shape {
    Shape::Box([1.0; 3])
}

fn assert_near(found: Truth, expected: f64) {
    assert!(
        (found.value - expected).abs() < 1e-15,
        "{} is not {expected}",
        found.value
    );
}

#[test]
fn closed_forms_of_balls_and_capsules() {
    assert_near(
        value([ball(), ball()], [at(0.0, 0.0, 0.0), at(3.0, 4.0, 0.0)]),
        4.0,
    );
    assert_near(
        value([ball(), ball()], [at(0.0, 0.0, 0.0), at(0.6, 0.0, 0.0)]),
        -0.4,
    );
    // Beside the capsule's middle, and beyond its end.
    assert_near(
        value([capsule(), ball()], [at(0.0, 0.0, 0.0), at(2.0, 0.0, 0.5)]),
        1.25,
    );
    assert_near(
        value([capsule(), ball()], [at(0.0, 0.0, 0.0), at(0.0, 0.0, 2.0)]),
        0.25,
    );
    // Centres coincide: the segments cross, and the radii are the depth.
    assert_near(
        value(
            [capsule(), capsule()],
            [at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.0)],
        ),
        -0.5,
    );
}

#[test]
fn closed_forms_of_boxes() {
    // Faces, edges, corners.
    assert_near(
        value([cube(), cube()], [at(0.0, 0.0, 0.0), at(2.5, 0.25, 0.0)]),
        0.5,
    );
    assert_near(
        value([cube(), cube()], [at(0.0, 0.0, 0.0), at(5.0, 6.0, 0.5)]),
        5.0,
    );
    assert_near(
        value([cube(), cube()], [at(0.0, 0.0, 0.0), at(4.0, 4.0, 3.0)]),
        3.0,
    );
    let deep = value([cube(), cube()], [at(0.0, 0.0, 0.0), at(0.5, 1.5, 0.25)]);
    assert_near(deep, -0.5);
    assert_eq!(deep.normal, [0.0, 1.0, 0.0]);
    // A ball's centre inside the box: to the nearest face, and its radius.
    assert_near(
        value([cube(), ball()], [at(0.0, 0.0, 0.0), at(0.25, 0.0, 0.75)]),
        -0.75,
    );
}

/// Half a diagonal each, one box turned by 45° about x, the other about y.
#[test]
fn closed_forms_of_edge_over_edge() {
    let (half, turn) = (2f64.sqrt(), (std::f64::consts::PI / 8.0).sin_cos());
    let turned = |x: f64, y: f64, z: f64| Place {
        rotation: [x * turn.0, y * turn.0, 0.0, turn.1],
        ..at(0.0, 0.0, z)
    };
    assert_near(
        value(
            [cube(), cube()],
            [turned(1.0, 0.0, 0.0), turned(0.0, 1.0, 3.0)],
        ),
        3.0 - 2.0 * half,
    );
    assert_near(
        value(
            [cube(), cube()],
            [turned(1.0, 0.0, 0.0), turned(0.0, 1.0, 2.5)],
        ),
        2.5 - 2.0 * half,
    );
}

fn family(kind: Kind, vertices: usize, regime: Regime) -> Definition {
    let (name, seed, regimes) = ("test".to_owned(), 7, vec![regime]);
    Definition {
        family: Family {
            name,
            kind,
            vertices,
            shapes: 6,
            pairs: 24,
            seed,
            regimes,
            track: false,
        },
        regime,
    }
}

/// Heights and distances of the hull of all vertex differences, over the origin.
fn explicit(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let differences: Vec<[f64; 3]> = a
        .iter()
        .flat_map(|&p| b.iter().map(move |&q| sub(p, q)))
        .collect();
    let Ok(SpatialHull::Polyhedron(mesh)) = convex_hull_3(&differences) else {
        panic!("solid")
    };
    let triangles = mesh
        .faces
        .iter()
        .flat_map(|f| (1..f.len() - 1).map(|k| [f[0], f[k], f[k + 1]]));
    let triangles: Vec<_> = triangles
        .map(|t| t.map(|i| differences[i as usize]))
        .collect();
    let height = |[p, q, r]: &[[f64; 3]; 3]| {
        let n = cross(sub(*q, *p), sub(*r, *p));
        dot(n, *p) / norm(n)
    };
    let inner = triangles.iter().map(height).fold(f64::INFINITY, f64::min);
    if inner > 0.0 {
        -inner
    } else {
        triangles
            .iter()
            .map(|t| to_triangle(*t))
            .fold(f64::INFINITY, f64::min)
    }
}

fn to_segment(p: [f64; 3], q: [f64; 3]) -> f64 {
    let e = sub(q, p);
    norm(add(p, scale(e, (-dot(p, e) / dot(e, e)).clamp(0.0, 1.0))))
}

fn to_triangle([p, q, r]: [[f64; 3]; 3]) -> f64 {
    let n = cross(sub(q, p), sub(r, p));
    let inside = |a: [f64; 3], b: [f64; 3]| dot(cross(sub(b, a), scale(a, -1.0)), n) >= 0.0;
    if inside(p, q) && inside(q, r) && inside(r, p) {
        return (dot(n, p) / norm(n)).abs();
    }
    to_segment(p, q).min(to_segment(q, r)).min(to_segment(r, p))
}

#[test]
fn the_explicit_minkowski_difference_agrees() {
    let kinds = [(Kind::Box, 0), (Kind::Hull, 8), (Kind::Hull, 20)];
    for (kind, vertices) in kinds {
        for regime in [Regime::Far, Regime::Near, Regime::Shallow, Regime::Deep] {
            let workload = generate(&family(kind, vertices, regime)).expect("generated");
            let cores = cores(&workload).expect("cores");
            for pair in &workload.pairs {
                let [a, b] = [0, 1].map(|k| {
                    cores[pair.shapes[k]].posed::<f64>(&pair.places[k], pair.places[0].translation)
                });
                let (found, expected) = (truth(&cores, pair).expect("a truth"), explicit(&a, &b));
                assert!(
                    (found.value - expected).abs() < 1e-12,
                    "{} {} {expected}",
                    workload.name,
                    found.value
                );
                assert!(found.gap < 1e-20, "{} {found:?}", workload.name);
            }
        }
    }
}

#[test]
fn crossing_arcs_find_what_every_axis_finds() {
    for (kind, vertices) in [
        (Kind::Box, 0),
        (Kind::Hull, 8),
        (Kind::Hull, 64),
        (Kind::ThinHull, 32),
    ] {
        let workload = generate(&family(kind, vertices, Regime::Deep)).expect("generated");
        let cores = cores(&workload).expect("cores");
        for pair in &workload.pairs[..8] {
            let chosen = pair.shapes.map(|id| &cores[id]);
            let points =
                [0, 1].map(|k| chosen[k].posed::<f64>(&pair.places[k], pair.places[0].translation));
            let posed = Posed {
                cores: chosen,
                points: [&points[0], &points[1]],
            };
            let least = |all: Vec<(f64, super::depth::Axis)>| {
                all.iter().map(|c| c.0).fold(f64::INFINITY, f64::min)
            };
            let (one, other) = (least(facets(&posed)), least(every_axis(&posed)));
            assert!(
                (one - other).abs() < 1e-12,
                "{kind:?} {vertices}: {one} and {other}"
            );
            let value = truth(&cores, pair).expect("a truth").value;
            assert!(
                (value + other).abs() < 1e-12,
                "{kind:?} {vertices}: {value} and {other}"
            );
        }
    }
}

#[test]
fn workloads_are_the_same_again_and_hit_their_regimes() {
    for kind in [
        Kind::Box,
        Kind::Mixed,
        Kind::Hull,
        Kind::ThinBox,
        Kind::ThinHull,
        Kind::Polygon,
    ] {
        for regime in [Regime::Far, Regime::Near, Regime::Shallow, Regime::Deep] {
            let definition = family(kind, 16, regime);
            let workload = generate(&definition).expect("generated");
            assert_eq!(workload, generate(&definition).expect("generated again"));
            let cores = cores(&workload).expect("cores");
            for pair in &workload.pairs {
                let found = truth(&cores, pair).expect("a truth");
                assert_eq!(
                    found.value > 0.0,
                    regime.is_apart(),
                    "{kind:?} {regime:?} {found:?}"
                );
                let size: f64 = 0.5
                    * pair
                        .shapes
                        .map(|id| cores[id].diameter())
                        .iter()
                        .sum::<f64>();
                let mut centred = pair.clone();
                centred.places[1].translation = centred.places[0].translation;
                let thin = matches!(kind, Kind::ThinBox | Kind::ThinHull) && regime != Regime::Far;
                let scale = if thin || regime == Regime::Deep {
                    -truth(&cores, &centred).expect("a depth").value
                } else {
                    size
                };
                let ([low, high], part) = (regime.range(), found.value.abs() / scale);
                assert!(
                    (0.999 * low..=1.001 * high).contains(&part),
                    "{kind:?} {regime:?}: {part}"
                );
            }
            let singles = workload
                .pairs
                .iter()
                .flat_map(|p| p.places.iter().flat_map(|q| q.translation));
            assert!(singles.into_iter().all(|x| x == f64::from(x as f32)));
        }
    }
}

#[test]
fn a_track_moves_by_half_a_degree_and_half_a_percent() {
    let mut definition = family(Kind::Box, 0, Regime::Near);
    (definition.family.track, definition.family.shapes) = (true, 2);
    let workload = generate(&definition).expect("generated");
    let size = 0.5
        * cores(&workload)
            .expect("cores")
            .iter()
            .map(Core::diameter)
            .sum::<f64>();
    for steps in workload.pairs.windows(2) {
        let [old, new] = [0, 1].map(|k| steps[k].places[1]);
        let cos: f64 = old
            .rotation
            .iter()
            .zip(new.rotation)
            .map(|(x, y)| x * y)
            .sum();
        assert!((2.0 * cos.abs().min(1.0).acos().to_degrees() - 0.5).abs() < 1e-6);
        let moved = norm(sub(new.translation, old.translation)) / size;
        assert!(moved > 0.002 && moved < 0.02, "{moved}");
    }
}

#[test]
fn the_separation_along_the_true_normal_is_the_distance() {
    for regime in [Regime::Near, Regime::Shallow] {
        let workload = generate(&family(Kind::Mixed, 0, regime)).expect("generated");
        let cores = cores(&workload).expect("cores");
        for pair in &workload.pairs {
            let found = truth(&cores, pair).expect("a truth");
            assert!((separation(&cores, pair, found.normal) - found.value).abs() < 1e-12);
            assert!(separation(&cores, pair, scale(found.normal, -1.0)) < found.value);
        }
    }
}
