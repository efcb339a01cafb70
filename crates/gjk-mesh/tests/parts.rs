//! Convex parts against their meshes: closed forms, boxes on a grid by counting, cut planes that are shared or off by a bit.

mod boxes;

use boxes::cut_box;
use gjk::query::Interval;
use gjk_mesh::{Containment, ConvexParts, MeshBody, PartsAnswer, PartsOptions, TriMesh};

type Point = [f64; 3];

fn box_corners(low: Point, high: Point) -> Vec<Point> {
    let corner =
        |k: usize| core::array::from_fn(|j| if k >> j & 1 == 0 { low[j] } else { high[j] });
    (0..8).map(corner).collect()
}

fn parts(sets: &[Vec<Point>]) -> ConvexParts {
    ConvexParts::new(sets.iter().map(Vec::as_slice)).expect("finite points")
}

fn answer(mesh: TriMesh, sets: &[Vec<Point>]) -> PartsAnswer {
    parts(sets).against(&MeshBody::new(mesh), &PartsOptions::default())
}

/// Whether an interval holds a number, to a rounding, and is no wider than this.
fn holds(found: Interval<f64>, expected: f64, width: f64) -> bool {
    let rounding = 1e-12 * expected.abs();
    found.lower <= expected + rounding
        && expected - rounding <= found.upper
        && found.upper - found.lower <= width
}

/// An outline in the plane z = 0, counter-clockwise, with holes clockwise, as walls; caps are given as triangles of its points.
fn prism(rings: &[Vec<[f64; 2]>], caps: &[[u32; 3]], height: f64) -> TriMesh {
    let count: u32 = rings.iter().map(|ring| ring.len() as u32).sum();
    let flat = rings.iter().flatten();
    let below = flat.clone().map(|&[x, y]| [x, y, 0.0]);
    let vertices: Vec<Point> = below.chain(flat.map(|&[x, y]| [x, y, height])).collect();
    let mut triangles = Vec::new();
    let mut first = 0;
    for ring in rings {
        let n = ring.len() as u32;
        for k in 0..n {
            let (a, b) = (first + k, first + (k + 1) % n);
            triangles.extend([[a, b, b + count], [a, b + count, a + count]]);
        }
        first += n;
    }
    for &[a, b, c] in caps {
        triangles.extend([[a, c, b], [a + count, b + count, c + count]]);
    }
    TriMesh::new(&vertices, &triangles).expect("a prism")
}

/// [0, 2] × [0, 1] and [0, 1] × [1, 2], one high.
fn l_mesh() -> TriMesh {
    let outline = [
        [0.0, 0.0],
        [2.0, 0.0],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, 2.0],
        [0.0, 2.0],
    ];
    prism(
        &[outline.to_vec()],
        &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]],
        1.0,
    )
}

#[test]
fn a_box_in_two_halves_is_itself() {
    for n in [1, 3] {
        let mesh = cut_box([-1.0; 3], [1.0; 3], n);
        let found = answer(
            mesh,
            &[
                box_corners([-1.0; 3], [0.1, 1.0, 1.0]),
                box_corners([0.1, -1.0, -1.0], [1.0; 3]),
            ],
        );
        assert_eq!(found.containment, Containment::Contained);
        assert_eq!((found.triangles_outside, found.area_outside), (0, 0.0));
        assert_eq!(found.undershoot.distance.upper, 0.0);
        assert!(found.overshoot.distance.upper < 1e-13, "{found:?}");
        assert!(found.overshoot.ended && found.undershoot.ended);
        assert_eq!(found.overlapping_pairs, 0);
        assert!(holds(found.volume, 8.0, 1e-11), "{found:?}");
        assert!(
            holds(found.mesh_volume.expect("one piece"), 8.0, 1e-10),
            "{found:?}"
        );
    }
}

#[test]
fn a_missing_part_shows_where_and_how_far() {
    let both = [
        box_corners([0.0; 3], [2.0, 1.0, 1.0]),
        box_corners([0.0, 1.0, 0.0], [1.0, 2.0, 1.0]),
    ];
    let whole = answer(l_mesh(), &both);
    assert_eq!(whole.containment, Containment::Contained);
    assert!(whole.overshoot.distance.upper < 1e-13 && holds(whole.volume, 3.0, 1e-12));

    let found = answer(l_mesh(), &both[..1]);
    let Containment::Outside {
        point, distance, ..
    } = found.containment
    else {
        panic!("{found:?}");
    };
    // The nearest point of the box is below it.
    assert!(
        point[1] > 1.0 && holds(distance, point[1] - 1.0, 1e-12),
        "{found:?}"
    );
    assert!(holds(found.undershoot.distance, 1.0, 0.011), "{found:?}");
    // Of 8 × 1 + 2 × 3 units of area the upper half of the L has 2 × 1 + 3.
    assert!((found.area_outside - 5.0 / 14.0).abs() < 1e-12, "{found:?}");
    // Its top is within the solid now.
    assert!(found.overshoot.distance.upper < 1e-13, "{found:?}");
    assert!(holds(found.volume, 2.0, 1e-12) && found.overshoot.ended);
}

/// A ring of 48 sides between the radii 1 and 2, and the points of each of its 6 sectors.
fn ring() -> (TriMesh, Vec<Vec<Point>>) {
    const SIDES: u32 = 48;
    let at = |radius: f64, k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(SIDES);
        [radius * angle.cos(), radius * angle.sin()]
    };
    let outer: Vec<[f64; 2]> = (0..SIDES).map(|k| at(2.0, k)).collect();
    let inner: Vec<[f64; 2]> = (0..SIDES).rev().map(|k| at(1.0, k)).collect();
    let inner_at = |k: u32| SIDES + (SIDES - 1 - k % SIDES);
    let caps: Vec<[u32; 3]> = (0..SIDES)
        .flat_map(|k| {
            let (a, b) = (k, (k + 1) % SIDES);
            [[a, b, inner_at(b)], [a, inner_at(b), inner_at(k)]]
        })
        .collect();
    let sectors = (0..6).map(|sector| {
        let corner = |k: u32| {
            let k = (8 * sector + k) % SIDES;
            [outer[k as usize], inner[(SIDES - 1 - k) as usize]]
        };
        let flat = (0..=8).flat_map(corner);
        flat.flat_map(|[x, y]| [[x, y, 0.0], [x, y, 0.5]]).collect()
    });
    let sectors = sectors.collect();
    (prism(&[outer, inner], &caps, 0.5), sectors)
}

/// A sector's hull fills the room between the inner arc and its chord.
#[test]
fn sectors_of_a_ring_overshoot_by_the_inner_chord() {
    let (mesh, sectors) = ring();
    let found = answer(mesh, &sectors);
    assert_eq!(found.containment, Containment::Contained, "{found:?}");
    // From the chord's middle to a side of the inner outline.
    let sagitta = 1.0 - 30.0_f64.to_radians().cos();
    let expected = sagitta * 3.75_f64.to_radians().cos();
    assert!(
        holds(found.overshoot.distance, expected, 0.0102 * expected),
        "{found:?}"
    );
    assert!(
        found.overshoot.ended && found.overlapping_pairs == 0,
        "{found:?}"
    );
    // 48 sides less 6 inner sides.
    let area = |n: f64, radius: f64| 0.5 * n * radius * radius * (std::f64::consts::TAU / n).sin();
    let volume = 0.5 * (area(48.0, 2.0) - area(6.0, 1.0));
    assert!(holds(found.volume, volume, 1e-10), "{found:?}");
    let mesh_volume = 0.5 * (area(48.0, 2.0) - area(48.0, 1.0));
    assert!(
        holds(found.mesh_volume.expect("a solid"), mesh_volume, 1e-10),
        "{found:?}"
    );
}

/// Sectors of their four outermost edges only leave the outer arc outside.
#[test]
fn inscribed_sectors_leave_the_outer_arc_outside() {
    let (mesh, sectors) = ring();
    // Two heights, two radii, nine angles.
    let few: Vec<Vec<Point>> = sectors
        .iter()
        .map(|all| [&all[..4], &all[all.len() - 4..]].concat())
        .collect();
    let found = answer(mesh, &few);
    assert!(matches!(found.containment, Containment::Outside { .. }));
    let expected = 2.0 * (1.0 - 30.0_f64.to_radians().cos());
    assert!(
        holds(found.undershoot.distance, expected, 0.0101 * expected),
        "{found:?}"
    );
    let [point, _] = found.undershoot.points.expect("something is outside");
    assert!((point[0].hypot(point[1]) - 2.0).abs() < 0.01, "{point:?}");
}

/// The same box, with parts that overlap, so that only the boundary tells the volume.
#[test]
fn parts_that_overlap_have_the_volume_of_their_union() {
    let sets = [
        box_corners([0.0; 3], [2.0, 1.0, 1.0]),
        box_corners([1.0, 0.0, 0.0], [3.0, 1.0, 1.0]),
        box_corners([1.0, 0.0, 0.0], [3.0, 1.0, 1.0]),
    ];
    let found = answer(cut_box([0.0; 3], [3.0, 1.0, 1.0], 2), &sets);
    assert_eq!(found.containment, Containment::Contained);
    assert_eq!(found.overlapping_pairs, 3);
    assert!(holds(found.volume, 3.0, 1e-10), "{found:?}");
    assert!(found.overshoot.distance.upper < 1e-13, "{found:?}");
    // And where only a part of each is in the other.
    let sets = [
        box_corners([0.0; 3], [2.0; 3]),
        box_corners([1.0; 3], [3.0; 3]),
    ];
    let found = answer(cut_box([0.0; 3], [3.0; 3], 1), &sets);
    assert!(holds(found.volume, 15.0, 1e-10), "{found:?}");
    // Of the corners (3, 0, 0) and (3, 3, 0) the nearest box is one away.
    assert!(holds(found.undershoot.distance, 1.0, 0.0101), "{found:?}");
}

#[test]
fn one_bit_between_parts_is_outside_and_one_bit_of_overlap_is_not() {
    let cut: f64 = 0.1;
    let halves = |from: f64| {
        [
            box_corners([-1.0; 3], [cut, 1.0, 1.0]),
            box_corners([from, -1.0, -1.0], [1.0; 3]),
        ]
    };
    let apart = answer(cut_box([-1.0; 3], [1.0; 3], 1), &halves(cut.next_up()));
    let Containment::Outside { distance, .. } = apart.containment else {
        panic!("{apart:?}");
    };
    assert!(distance.upper < 1e-15, "{distance}");
    // Four faces are passed by the gap; each has two triangles.
    assert_eq!(apart.triangles_outside, 8, "{apart:?}");
    assert!(apart.undershoot.distance.upper < 1e-13, "{apart:?}");
    let over = answer(cut_box([-1.0; 3], [1.0; 3], 1), &halves(cut.next_down()));
    assert_eq!(over.containment, Containment::Contained);
    assert_eq!(over.overlapping_pairs, 1);
    assert!(holds(over.volume, 8.0, 1e-10), "{over:?}");
}

/// Six tetrahedra around a diagonal, turned: their faces share planes of rounded corners only.
#[test]
fn tetrahedra_of_a_turned_box_are_the_box() {
    let (sin, cos) = 0.7_f64.sin_cos();
    let turned = |[x, y, z]: Point| [0.1 + cos * x - sin * z, 0.3 + y, cos * z + sin * x];
    let corners: Vec<Point> = box_corners([0.0; 3], [1.0, 0.7, 0.3])
        .into_iter()
        .map(turned)
        .collect();
    let paths = [[1, 3], [3, 2], [2, 6], [6, 4], [4, 5], [5, 1]];
    let sets: Vec<Vec<Point>> = paths
        .iter()
        .map(|&[a, b]: &[usize; 2]| vec![corners[0], corners[a], corners[b], corners[7]])
        .collect();
    let triangles: Vec<[u32; 3]> = paths
        .iter()
        .flat_map(|&[a, b]| {
            let (a, b) = (a as u32, b as u32);
            [[0, b, a], [a, b, 7]]
        })
        .collect();
    let mesh = TriMesh::new(&corners, &triangles).expect("a box");
    let found = answer(mesh, &sets);
    assert_eq!(found.containment, Containment::Contained, "{found:?}");
    assert_eq!(found.overlapping_pairs, 0);
    assert!(found.overshoot.distance.upper < 1e-13, "{found:?}");
    assert!(holds(found.volume, 0.21, 1e-12), "{found:?}");
}

#[test]
fn a_surface_is_as_far_as_its_triangles() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let sheet = TriMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]).expect("a sheet");
    let found = answer(sheet, &[box_corners([0.0; 3], [1.0, 1.0, 0.5])]);
    assert_eq!(found.containment, Containment::Contained);
    assert_eq!(found.mesh_volume, None);
    assert!(holds(found.overshoot.distance, 0.5, 0.0051), "{found:?}");
}

#[test]
fn flat_parts_are_named_and_left_out() {
    let flat = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let sets = [flat, box_corners([0.0; 3], [1.0; 3])];
    assert_eq!(parts(&sets).flat(), [0]);
    let found = answer(cut_box([0.0; 3], [1.0; 3], 1), &sets);
    assert_eq!(found.containment, Containment::Contained);
    assert!(ConvexParts::new([&[[f64::NAN; 3]][..]]).is_err());
    assert!(ConvexParts::new([&[][..]]).is_err());
}

/// Where the work ends early nothing is said that is not known.
#[test]
fn a_limit_leaves_the_containment_undecided_and_the_intervals_true() {
    let halves = [
        box_corners([0.0; 3], [1.0, 2.0, 2.0]),
        box_corners([1.0, 0.0, 0.0], [2.0; 3]),
    ];
    let options = PartsOptions {
        cuts_max: 0,
        cells_max: 10,
        ..PartsOptions::default()
    };
    let mesh = MeshBody::new(cut_box([0.0; 3], [2.0; 3], 1));
    let found = parts(&halves).against(&mesh, &options);
    assert_eq!(found.containment, Containment::Undecided);
    assert!(!found.undershoot.ended && found.undershoot.distance.lower == 0.0);
    assert!(found.undershoot.distance.upper.is_finite());
    assert!(found.volume.contains(8.0), "{found:?}");
}

/// Triangles and boxes on a grid: a triangle that is within the boxes has all its sampled points there, and one that is not has a witness in none.
#[test]
fn triangles_are_within_boxes_as_counting_says() {
    const STEP: i32 = 12;
    let mut random = fastrand::Rng::with_seed(11);
    let (mut within, mut beyond) = (0, 0);
    for _ in 0..1500 {
        let mut point =
            |size: i32| -> Point { [0, 1, 2].map(|_| f64::from(STEP * random.i32(0..=size))) };
        let triangle = [point(2), point(2), point(2)];
        let sets: Vec<[Point; 2]> = (0..4)
            .map(|_| {
                let (p, q) = (point(3), point(3));
                let ends = |k: usize| (p[k].min(q[k]), p[k].max(q[k]) + f64::from(STEP));
                [[0, 1, 2].map(|k| ends(k).0), [0, 1, 2].map(|k| ends(k).1)]
            })
            .collect();
        let Ok(mesh) = TriMesh::new(&triangle, &[[0, 1, 2]]) else {
            continue;
        };
        if mesh.triangles().is_empty() {
            continue;
        }
        let corners: Vec<Vec<Point>> = sets
            .iter()
            .map(|&[low, high]| box_corners(low, high))
            .collect();
        let is_held = |p: Point| {
            let holds =
                |[low, high]: &[Point; 2]| (0..3).all(|k| low[k] <= p[k] && p[k] <= high[k]);
            sets.iter().any(holds)
        };
        let samples = (0..=STEP).flat_map(|i| (0..=STEP - i).map(move |j| (i, j)));
        let mut samples = samples.map(|(i, j)| -> Point {
            let [a, b, c] = [i, j, STEP - i - j].map(f64::from);
            let [p, q, r] = triangle;
            core::array::from_fn(|k| (a * p[k] + b * q[k] + c * r[k]) / f64::from(STEP))
        });
        let options = PartsOptions {
            cells_max: 0,
            ..PartsOptions::default()
        };
        match parts(&corners)
            .against(&MeshBody::new(mesh), &options)
            .containment
        {
            Containment::Contained => {
                within += 1;
                assert!(samples.all(is_held), "{triangle:?} {sets:?}");
            }
            Containment::Outside {
                point, distance, ..
            } => {
                beyond += 1;
                assert!(
                    !is_held(point) && distance.lower > 0.0,
                    "{triangle:?} {sets:?}"
                );
            }
            Containment::Undecided => panic!("{triangle:?} {sets:?}"),
        }
    }
    assert!(within > 100 && beyond > 100, "{within} {beyond}");
}
