//! Hulls: right on small grids, whole and quick on large sets.

use crate::oracle::{
    Grid, Random, brute_ring, cases, check_against_brute, check_containment, check_structure,
    cross, floats, grid_set, minus, polyhedron,
};
use gjk::hull::{HullError, PlanarHull, SpatialHull, convex_hull_2, convex_hull_3};
use std::time::Instant;

#[test]
fn small_grid_sets_equal_brute_force() {
    let seed = std::env::var("HULL_SEED")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(1);
    let mut random = Random(seed);
    for _ in 0..cases() {
        check_against_brute(&grid_set(&mut random));
    }
}

#[test]
fn larger_grid_sets_equal_brute_force() {
    let mut random = Random(2);
    for _ in 0..cases() / 100 {
        let side = 2 + random.below(5);
        let points: Vec<Grid> = (0..30)
            .map(|_| std::array::from_fn(|_| random.below(side) as i64))
            .collect();
        check_against_brute(&points);
    }
}

#[test]
fn planar_grid_sets_equal_brute_force() {
    let mut random = Random(3);
    for _ in 0..cases() {
        let (side, flat) = (1 + random.below(5), random.below(5) == 0);
        let points: Vec<Grid> = (0..1 + random.below(14))
            .map(|_| {
                [
                    random.below(side) as i64,
                    random.below(if flat { 1 } else { side }) as i64,
                    0,
                ]
            })
            .collect();
        let plane: Vec<[f64; 2]> = points.iter().map(|p| [p[0] as f64, p[1] as f64]).collect();
        let firsts: Vec<u32> = (0..points.len())
            .filter(|&i| !points[..i].contains(&points[i]))
            .map(|i| i as u32)
            .collect();
        match convex_hull_2(&plane).expect("finite and not empty") {
            PlanarHull::Point(i) => assert!(i == 0 && firsts.len() == 1),
            PlanarHull::Segment(i, j) => {
                let (a, b) = (points[i as usize], points[j as usize]);
                assert!(
                    a < b
                        && points
                            .iter()
                            .all(|&p| (a..=b).contains(&p)
                                && cross(minus(b, a), minus(p, a)) == [0; 3])
                );
            }
            PlanarHull::Polygon(mut ring) => {
                assert!(
                    ring.iter()
                        .all(|&i| points[ring[0] as usize] <= points[i as usize])
                );
                let lowest = (0..ring.len()).min_by_key(|&k| ring[k]).unwrap_or(0);
                ring.rotate_left(lowest);
                assert_eq!(ring, brute_ring(&points, &firsts, [0, 0, 1]));
            }
        }
    }
}

/// The same grid set far from the origin, tiny, huge and sheared keeps its faces: no tolerance has a unit.
#[test]
fn faces_survive_exact_maps() {
    let mut random = Random(4);
    for _ in 0..cases() / 10 {
        let points = floats(&grid_set(&mut random));
        let expected = convex_hull_3(&points);
        for map in [
            // Powers below the normal numbers as products: `powi` may invert one that overflows.
            |p: [f64; 3]| p.map(|x| x * f64::from_bits(1)),
            |p: [f64; 3]| p.map(|x| x * 2_f64.powi(1000)),
            |p: [f64; 3]| p.map(|x| x + 2_f64.powi(40)),
            |[x, y, z]: [f64; 3]| [x, y * 2_f64.powi(-500), z * 2_f64.powi(500)],
            |[x, y, z]: [f64; 3]| {
                [
                    x * 2_f64.powi(1000),
                    y * (f64::MIN_POSITIVE * 2_f64.powi(-38)),
                    z,
                ]
            },
            |[x, y, z]: [f64; 3]| [x + 1e6 * y, y + 1e6 * z, z],
        ] {
            let mapped: Vec<[f64; 3]> = points.iter().map(|&p| map(p)).collect();
            match (&expected, convex_hull_3(&mapped)) {
                (
                    Ok(SpatialHull::Polygon { ring: a }),
                    Ok(SpatialHull::Polygon { ring: mut b }),
                ) => {
                    let (mut a, mut c) = (a.clone(), b.clone());
                    for ring in [&mut a, &mut b, &mut c] {
                        let lowest = (0..ring.len()).min_by_key(|&k| ring[k]).unwrap_or(0);
                        ring.rotate_left(lowest);
                    }
                    c[1..].reverse();
                    assert!(a == b || a == c, "{a:?} {b:?}");
                }
                (Ok(SpatialHull::Segment(i, j)), Ok(SpatialHull::Segment(k, l))) => {
                    assert!((*i, *j) == (k, l) || (*i, *j) == (l, k))
                }
                (a, b) => assert_eq!(*a, b),
            }
        }
    }
}

/// A point of magnitude 2^-1000 beside the centroid sends every sign to the integers, and must change no answer.
#[test]
fn a_tiny_inner_point_changes_nothing() {
    let mut random = Random(10);
    let mut solid = 0;
    for _ in 0..cases() / 10 {
        let points = grid_set(&mut random);
        let n = points.len() as i64;
        let sum = |k: usize| points.iter().map(|p| p[k]).sum::<i64>();
        let centred =
            |k: usize| -> Vec<f64> { points.iter().map(|p| (n * p[k] - sum(k)) as f64).collect() };
        let [x, y, z] = [0, 1, 2].map(centred);
        let tiny = 2_f64.powi(-1000);
        let mut space: Vec<[f64; 3]> = (0..points.len()).map(|i| [x[i], y[i], z[i]]).collect();
        let expected = convex_hull_3(&space);
        if matches!(expected, Ok(SpatialHull::Polyhedron(_))) {
            space.push([tiny, -tiny, tiny / 1024.0]);
            assert_eq!(convex_hull_3(&space), expected);
            solid += 1;
        }
        let mut plane: Vec<[f64; 2]> = (0..points.len()).map(|i| [x[i], y[i]]).collect();
        let expected = convex_hull_2(&plane);
        if let Ok(PlanarHull::Polygon(ring)) = &expected {
            plane.push([tiny, -tiny]);
            assert_eq!(convex_hull_2(&plane), expected);
            let flat: Vec<[f64; 3]> = plane.iter().map(|&[x, y]| [x, y, 0.0]).collect();
            assert_eq!(
                convex_hull_3(&flat),
                Ok(SpatialHull::Polygon { ring: ring.clone() })
            );
        }
    }
    assert!(solid > cases() / 100, "{solid} solid sets are not enough");
}

#[test]
fn vertex_set_does_not_depend_on_the_order_of_points() {
    let mut random = Random(5);
    for round in 0..200 {
        let points: Vec<[f64; 3]> = match round % 3 {
            0 => (0..300).map(|_| random.ball()).collect(),
            1 => (0..300).map(|_| random.sphere()).collect(),
            _ => (0..300)
                .map(|_| std::array::from_fn(|_| random.below(9) as f64 / 3.0))
                .collect(),
        };
        let corners = |points: &[[f64; 3]]| {
            let mesh = polyhedron(points);
            check_structure(&mesh);
            check_containment(points, &mesh);
            let mut corners: Vec<[u64; 3]> = mesh
                .vertices
                .iter()
                .map(|&i| points[i as usize].map(f64::to_bits))
                .collect();
            corners.sort_unstable();
            (corners, mesh.faces.len())
        };
        let mut shuffled = points.clone();
        random.shuffle(&mut shuffled);
        assert_eq!(corners(&points), corners(&shuffled));
    }
}

#[test]
fn bad_input_is_named() {
    assert_eq!(convex_hull_2(&[]), Err(HullError::Empty));
    assert_eq!(convex_hull_3(&[]), Err(HullError::Empty));
    assert_eq!(
        convex_hull_2(&[[0.0, f64::NAN]]),
        Err(HullError::NotFinite { index: 0, axis: 1 })
    );
    assert_eq!(
        convex_hull_3(&[[0.0; 3], [0.0, 0.0, f64::INFINITY]]),
        Err(HullError::NotFinite { index: 1, axis: 2 })
    );
    assert_eq!(
        HullError::NotFinite { index: 1, axis: 2 }.to_string(),
        "point 1: its z is not a finite number"
    );
}

/// parry drops the top face of this box (parry 166, avian 159).
#[test]
fn slab_20000_by_1_keeps_its_six_quads() {
    let points: Vec<[f64; 3]> = (0..8)
        .map(|i| {
            [
                if i & 1 == 0 { -1e4 } else { 1e4 },
                f64::from(i >> 1 & 1),
                if i & 4 == 0 { -1e4 } else { 1e4 },
            ]
        })
        .collect();
    let mesh = polyhedron(&points);
    assert_eq!(mesh.vertices, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(mesh.faces.len() == 6 && mesh.faces.iter().all(|ring| ring.len() == 4));
    assert_eq!(mesh.neighbours.of(0), [1, 2, 4]);
}

#[test]
fn needle_and_plate_keep_their_quads() {
    for scale in [
        [1.0, 1e-6, 1e-6],
        [1.0, 1.0, 1e-6],
        [1e150, 1e-150, 1.0],
        [1e300, 1e-300, 1e-308],
    ] {
        let points: Vec<[f64; 3]> = (0..27)
            .map(|i| [i % 3, i / 3 % 3, i / 9].map(f64::from))
            .map(|p| [0, 1, 2].map(|k| p[k] * scale[k]))
            .collect();
        let mesh = polyhedron(&points);
        assert_eq!(mesh.vertices, [0, 2, 6, 8, 18, 20, 24, 26]);
        assert!(mesh.faces.len() == 6 && mesh.faces.iter().all(|ring| ring.len() == 4));
    }
}

/// A regular polygon's float corners are in convex position at this size, but neighbouring turns are near zero.
#[test]
fn polygon_240_keeps_every_corner() {
    let points: Vec<[f64; 2]> = (0..240)
        .map(|k| (f64::from(k) * std::f64::consts::TAU / 240.0).sin_cos())
        .map(|(y, x)| [x, y])
        .collect();
    let Ok(PlanarHull::Polygon(ring)) = convex_hull_2(&points) else {
        panic!("not a polygon")
    };
    assert_eq!(ring.len(), 240);
    let start = ring[0];
    assert!(
        ring.iter()
            .enumerate()
            .all(|(k, &i)| i == (start + k as u32) % 240)
    );
}

#[test]
fn prism_of_1000_sides_has_two_caps() {
    let cap = |z: f64| {
        (0..1000)
            .map(move |k| (f64::from(k) * std::f64::consts::TAU / 1000.0).sin_cos())
            .map(move |(y, x)| [x, y, z])
    };
    let points: Vec<[f64; 3]> = cap(-1.0).chain(cap(1.0)).collect();
    let mesh = polyhedron(&points);
    assert_eq!(mesh.vertices.len(), 2000);
    assert_eq!(mesh.faces.len(), 1002);
    assert_eq!(
        mesh.faces.iter().filter(|ring| ring.len() == 1000).count(),
        2
    );
    check_structure(&mesh);
    check_containment(&points, &mesh);
}

/// One ulp is enough to be a corner, and to be none.
#[test]
fn one_ulp_over_a_face_is_a_corner() {
    let mut points: Vec<[f64; 3]> = (0..8)
        .map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from))
        .collect();
    points.push([0.5, 0.5, 1.0]);
    assert_eq!(polyhedron(&points).vertices.len(), 8);
    points[8][2] = 1.0_f64.next_up();
    assert_eq!(polyhedron(&points).vertices.len(), 9);
    assert_eq!(polyhedron(&points).faces.len(), 9);
    points[8][2] = 1.0_f64.next_down();
    assert_eq!(polyhedron(&points).vertices.len(), 8);
}

/// Prints the time of a hull, and returns its corner and face counts.
fn timed(name: &str, points: &[[f64; 3]]) -> (usize, usize) {
    let start = Instant::now();
    let hull = convex_hull_3(points).expect("finite and not empty");
    let elapsed = start.elapsed();
    let counts = match &hull {
        SpatialHull::Polyhedron(mesh) => {
            check_structure(mesh);
            (mesh.vertices.len(), mesh.faces.len())
        }
        SpatialHull::Polygon { ring } => (ring.len(), 1),
        SpatialHull::Segment(..) => (2, 0),
        SpatialHull::Point(_) => (1, 0),
    };
    println!(
        "{name:>28}: n {:>6}, corners and faces {counts:?}, {elapsed:.1?}",
        points.len()
    );
    counts
}

/// Times are printed (`--nocapture`), never asserted; the counts are.
#[test]
fn large_sets_are_whole_and_quick() {
    let mut random = Random(6);
    const N: usize = 100_000;
    timed("ball", &(0..N).map(|_| random.ball()).collect::<Vec<_>>());
    timed(
        "cube",
        &(0..N)
            .map(|_| [random.unit(), random.unit(), random.unit()])
            .collect::<Vec<_>>(),
    );
    let sphere: Vec<_> = (0..N).map(|_| random.sphere()).collect();
    timed("sphere", &sphere);
    timed(
        "sphere, f32",
        &sphere
            .iter()
            .map(|p| p.map(|x| f64::from(x as f32)))
            .collect::<Vec<_>>(),
    );
    timed(
        "sphere far from the origin",
        &sphere
            .iter()
            .map(|p| p.map(|x| x + 1e6))
            .collect::<Vec<_>>(),
    );
    timed(
        "sphere, needle",
        &sphere
            .iter()
            .map(|&[x, y, z]| [x, y * 1e-6, z * 1e-6])
            .collect::<Vec<_>>(),
    );
    let grid: Vec<[f64; 3]> = (0..27_000)
        .map(|i| [i % 30, i / 30 % 30, i / 900].map(f64::from))
        .collect();
    assert_eq!(timed("grid 30³", &grid), (8, 6));
    let tilted: Vec<_> = grid
        .iter()
        .map(|&[x, y, z]| [x + 2.0 * y - z, 3.0 * y + x, 2.0 * z - y])
        .collect();
    assert_eq!(timed("grid 30³, sheared", &tilted), (8, 6));
    let lattice: Vec<_> = (0..68_921)
        .map(|i| [i % 41, i / 41 % 41, i / 1681].map(|x| f64::from(x - 20)))
        .filter(|p| p.iter().map(|x| x * x).sum::<f64>() <= 400.0)
        .collect();
    timed("lattice points in a ball", &lattice);
    assert_eq!(timed("identical", &vec![[0.1, 0.2, 0.3]; N]), (1, 0));
    assert_eq!(
        timed(
            "on a line",
            &(0..N).map(|k| [k as f64; 3]).collect::<Vec<_>>()
        ),
        (2, 0)
    );
    timed(
        "in a plane",
        &(0..N)
            .map(|_| [0, 1].map(|_| random.below(1 << 20) as f64))
            .map(|[x, y]| [x, y, x + 2.0 * y])
            .collect::<Vec<_>>(),
    );
    let turn = |k: usize, of: usize| (k as f64 * std::f64::consts::TAU / of as f64).sin_cos();
    let prism: Vec<_> = (0..N)
        .map(|k| (turn(k, N / 2), k * 2 / N))
        .map(|((y, x), z)| [x, y, z as f64])
        .collect();
    timed("prism of 50000 sides", &prism);
    let spire = (0..N / 2)
        .map(|_| random.sphere())
        .map(|[x, y, z]| [x * 1e-3, y * 1e-3, 1.0 + z * 1e-3]);
    let spire: Vec<_> = prism[..N / 2].iter().copied().chain(spire).collect();
    timed("circle and a far cluster", &spire);
    timed(
        "moment curve",
        &(0..N)
            .map(|k| k as f64 / N as f64)
            .map(|t| [t, t * t, t * t * t])
            .collect::<Vec<_>>(),
    );
}

/// The wide range has no filter to speak of near its planes, and must still be right and finite.
#[test]
fn wide_range_terminates() {
    let mut random = Random(7);
    for _ in 0..100 {
        let points: Vec<[f64; 3]> = (0..40)
            .map(|_| {
                std::array::from_fn(|_| {
                    random.unit() * 2_f64.powi(random.below(2000) as i32 - 1000)
                })
            })
            .collect();
        if let Ok(SpatialHull::Polyhedron(mesh)) = convex_hull_3(&points) {
            check_structure(&mesh);
        }
    }
}
