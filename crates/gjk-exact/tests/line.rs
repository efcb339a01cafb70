//! Lines against hulls of lattice points, by an oracle in integers that knows neither portals nor signs of ours.
//!
//! The oracle: a line meets a hull between points of triangles, edges and vertices of the hull's points. It intersects the line with
//! each of them, by Cramer's rule in `i128`, and keeps the least and the greatest place.

use core::cmp::Ordering;
use gjk_exact::integer::{Int, dot, on_grid, sub};
use gjk_exact::line::{Crossing, Line, cross};

type Point = [i128; 3];

struct Lattice(u64);

impl Lattice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
    fn point(&mut self, dim: usize, reach: i128) -> Point {
        core::array::from_fn(|k| {
            let x = self.below(2 * reach as u64 + 1) as i128 - reach;
            if k < dim { x } else { 0 }
        })
    }
}

fn minus(a: Point, b: Point) -> Point {
    core::array::from_fn(|k| a[k] - b[k])
}
fn product(a: Point, b: Point) -> Point {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
fn inner(a: Point, b: Point) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A place on the line, as a fraction of positive denominator.
#[derive(Clone, Copy, Debug)]
struct Place(i128, i128);

impl Place {
    fn of(above: i128, below: i128) -> Self {
        if below < 0 {
            Self(-above, -below)
        } else {
            Self(above, below)
        }
    }
    fn compare(self, other: Self) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }
}

/// All places where the line meets a triangle, an edge or a vertex of the points.
fn places(points: &[Point], v: Point) -> Vec<Place> {
    let mut found = Vec::new();
    let zero = [0; 3];
    for (i, &a) in points.iter().enumerate() {
        if product(a, v) == zero {
            found.push(Place::of(inner(a, v), inner(v, v)));
        }
        for (j, &b) in points.iter().enumerate().skip(i + 1) {
            // a + s(b − a) = t v.
            let (e, across) = (minus(b, a), product(minus(b, a), v));
            let below = inner(across, across);
            if below != 0 && inner(a, across) == 0 {
                // t = [a, e] / [v, e], s = [a, v] / [v, e], along the common normal.
                let (t, s) = (inner(product(e, a), across), inner(product(v, a), across));
                if (0..=below).contains(&s) {
                    found.push(Place::of(t, below));
                }
            }
            for &c in points.iter().skip(j + 1) {
                let n = product(minus(b, a), minus(c, a));
                let below = inner(n, v);
                let weights = [
                    inner(v, product(b, c)),
                    inner(v, product(c, a)),
                    inner(v, product(a, b)),
                ];
                if below != 0
                    && (weights.iter().all(|&w| w >= 0) || weights.iter().all(|&w| w <= 0))
                {
                    found.push(Place::of(inner(n, a), below));
                }
            }
        }
    }
    found
}

/// Whether the hull has inner points on the line: then a small move of the line in any direction across it still meets the hull.
fn meets_inside(dim: usize, points: &[Point], v: Point) -> bool {
    // Every plane through two shadows and the line has points on both sides.
    let sides = |n: Point| {
        let mut seen = [false; 2];
        for &p in points {
            seen[0] |= inner(n, p) < 0;
            seen[1] |= inner(n, p) > 0;
        }
        seen == [true; 2]
    };
    let edges: Vec<Point> = points.iter().map(|&p| minus(p, points[0])).collect();
    let up: &[Point] = if dim == 2 { &[[0, 0, 1]] } else { &edges };
    let solid = edges.iter().any(|&e| {
        let mut pairs = edges.iter().flat_map(|&f| up.iter().map(move |&g| (f, g)));
        pairs.any(|(f, g)| inner(product(e, f), g) != 0)
    });
    let flat = !solid;
    if flat {
        return false;
    }
    if dim == 2 {
        return sides(product([0, 0, 1], v));
    }
    points.iter().all(|&p| {
        let n = product(v, p);
        n == [0; 3] || sides(n)
    }) && points.iter().any(|&p| product(v, p) != [0; 3])
}

fn floats(p: Point) -> [f64; 3] {
    p.map(|x| x as f64)
}

/// A ray: its second body is one point.
fn check(dim: usize, points: &[Point], origin: Point, v: Point) -> [usize; 3] {
    check_cast(dim, points, &[origin], [[0; 3], v])
}

fn check_cast(dim: usize, a: &[Point], b: &[Point], velocities: [Point; 2]) -> [usize; 3] {
    let clouds = [a, b].map(|set| set.iter().map(|&p| floats(p)).collect::<Vec<_>>());
    let [cloud_a, cloud_b] = clouds.each_ref().map(Vec::as_slice);
    let line = Line::new(cloud_a, cloud_b, dim, velocities.map(floats));
    let v = minus(velocities[1], velocities[0]);
    let pairs = a.iter().flat_map(|&p| b.iter().map(move |&q| minus(p, q)));
    let from_origin: Vec<Point> = pairs.collect();
    let index = |[i, j]: [u32; 2]| i as usize * b.len() + j as usize;
    let truth = places(&from_origin, v);
    let what = format!("dim {dim} a {a:?} b {b:?} velocities {velocities:?}");
    match cross(&line).expect("a direction and points") {
        Crossing::Misses { direction } => {
            assert!(truth.is_empty(), "{what}: {truth:?}");
            assert_eq!(
                dot(&direction, &floats(v).map(|x| on_grid(x, 0))),
                Int::ZERO,
                "{what}"
            );
            for &p in &from_origin {
                let height = dot(&direction, &p.map(Int::from));
                assert!(height > Int::ZERO, "{what}: {direction:?}");
            }
            [1, 0, 0]
        }
        Crossing::Crosses {
            enter,
            exit,
            grazes,
        } => {
            assert!(!truth.is_empty(), "{what}");
            let least = truth
                .iter()
                .copied()
                .min_by(|x, y| x.compare(*y))
                .expect("some");
            let greatest = truth
                .iter()
                .copied()
                .max_by(|x, y| x.compare(*y))
                .expect("some");
            for (portal, truth) in [(enter, least), (exit, greatest)] {
                let [above, below] = portal.ratio(&line).integers();
                assert_eq!(
                    &above * Int::from(truth.1),
                    &below * Int::from(truth.0),
                    "{what}: {portal:?}"
                );
                let (lower, upper) = portal.ratio(&line).neighbours();
                let exact = truth.0 as f64 / truth.1 as f64;
                assert!(
                    lower <= exact && exact <= upper && upper <= lower.next_up(),
                    "{what}"
                );
                let whole = truth.0 % truth.1 == 0;
                assert!(!whole || lower == upper, "{what}");
                assert_eq!(portal.sign(&line), truth.0.cmp(&0), "{what}");
                // The weights make the point of the crossing.
                let weights = portal.weights(&line);
                assert!(weights.iter().all(|w| *w >= Int::ZERO), "{what}");
                let total: Int = weights.iter().sum();
                for k in 0..3 {
                    let sum: Int = weights
                        .iter()
                        .zip(portal.pairs())
                        .map(|(w, pair)| w * Int::from(from_origin[index(pair)][k]))
                        .sum();
                    assert_eq!(&sum * &below, &above * &total * Int::from(v[k]), "{what}");
                }
                // The plane supports the hull.
                let normal = portal.normal(&line);
                let at = from_origin[index(portal.pairs()[0])].map(Int::from);
                let outward = if portal == enter && least.compare(greatest).is_lt() {
                    -1
                } else {
                    1
                };
                for &p in &from_origin {
                    let height = dot(&normal, &sub(&p.map(Int::from), &at)) * Int::from(outward);
                    assert!(
                        height <= Int::ZERO || least.compare(greatest).is_eq(),
                        "{what}"
                    );
                }
                let floats = portal.normal_in_floats(&line);
                assert!(floats.iter().any(|x| x.abs() == 1.0), "{what}: {floats:?}");
            }
            assert_eq!(grazes, !meets_inside(dim, &from_origin, v), "{what}");
            [0, usize::from(!grazes), usize::from(grazes)]
        }
    }
}

/// Small lattices make every degenerate position: lines through vertices and edges, in faces, flat and repeated points.
#[test]
fn lattice_hulls_are_crossed_where_integers_say() {
    let mut lattice = Lattice(7);
    for dim in [2, 3] {
        let mut counts = [0; 3];
        for case in 0..12_000 {
            let reach = 1 + (case % 3) as i128;
            let count = 1 + lattice.below(9);
            let flat = lattice.below(4) == 0;
            let mut points: Vec<Point> = (0..count).map(|_| lattice.point(dim, reach)).collect();
            if flat {
                let axis = lattice.below(dim as u64) as usize;
                points.iter_mut().for_each(|p| p[axis] = 1);
            }
            let (origin, mut v) = (lattice.point(dim, 2 * reach), lattice.point(dim, reach));
            if case % 4 != 0 {
                v = minus(lattice.point(dim, reach), origin);
            }
            if v == [0; 3] {
                v[0] = -1;
            }
            let found = check(dim, &points, origin, v);
            counts.iter_mut().zip(found).for_each(|(sum, n)| *sum += n);
        }
        assert!(counts.iter().all(|&n| n > 1000), "{dim}: {counts:?}");
    }
}

/// Two hulls, both in motion. Their differences repeat and lie in common planes.
#[test]
fn pairs_of_lattice_hulls_meet_when_integers_say() {
    let mut lattice = Lattice(11);
    for dim in [2, 3] {
        let mut counts = [0; 3];
        for case in 0..4000 {
            let reach = 1 + (case % 2) as i128;
            let mut set = |far: Point| {
                let count = 1 + lattice.below(4);
                let flat = lattice.below(3) == 0;
                let points = (0..count).map(|_| {
                    let mut p = lattice.point(dim, reach);
                    if flat {
                        p[case % dim] = 1;
                    }
                    core::array::from_fn(|k| p[k] + far[k])
                });
                points.collect::<Vec<Point>>()
            };
            let a = set([0; 3]);
            let b = set([2 * reach, 0, 0]);
            let mut velocities = [lattice.point(dim, 2), lattice.point(dim, 2)];
            if velocities[0] == velocities[1] {
                velocities[0][0] -= 3;
            }
            let found = check_cast(dim, &a, &b, velocities);
            counts.iter_mut().zip(found).for_each(|(sum, n)| *sum += n);
        }
        assert!(counts.iter().all(|&n| n > 200), "{dim}: {counts:?}");
    }
}

/// What meets of two boxes: faces, edges that cross, a corner on a face.
#[test]
fn what_meets_of_two_boxes_has_a_name() {
    let corners = |center: [f64; 3], half: f64| -> Vec<[f64; 3]> {
        let sign = |id: usize, k: usize| if id >> k & 1 == 1 { half } else { -half };
        (0..8)
            .map(|id| core::array::from_fn(|k| center[k] + sign(id, k)))
            .collect()
    };
    let a = corners([0.0; 3], 1.0);
    type Case = ([f64; 3], [f64; 3], &'static [u32], &'static [u32]);
    let cases: [Case; 4] = [
        // Faces over faces.
        (
            [4.0, 0.5, 0.0],
            [-1.0, 0.0, 0.0],
            &[1, 3, 7, 5],
            &[0, 4, 6, 2],
        ),
        // Side by side: an edge each.
        ([4.0, 1.5, 0.0], [-1.0, 0.0, 0.0], &[3, 7], &[0, 4]),
        // Corner to corner.
        ([4.0, 4.0, 4.0], [-1.0, -1.0, -1.0], &[7], &[0]),
        ([4.0, 1.5, -1.5], [-1.0, 0.0, 0.0], &[3], &[4]),
    ];
    for (center, velocity, of_a, of_b) in cases {
        let b = corners(center, 0.5);
        let velocities = [[0.25, 0.0, 0.0], velocity.map(|x| x)];
        let velocities = if velocity[1] == 0.0 {
            velocities
        } else {
            [[0.0; 3], velocity]
        };
        let line = Line::new(a.as_slice(), b.as_slice(), 3, velocities);
        let Some(Crossing::Crosses { enter, .. }) = cross(&line) else {
            panic!("{center:?}")
        };
        let found = enter.features(&line, Ordering::Less);
        assert_eq!(found, [of_a.to_vec(), of_b.to_vec()], "{center:?}");
    }
}

/// Boxes, whose faces are quadrilaterals: each line through a corner of one or along an edge is a tie.
#[test]
fn lines_through_corners_of_boxes_end() {
    let corners: Vec<Point> = (0..8)
        .map(|id| core::array::from_fn(|k| if id >> k & 1 == 1 { 2 } else { -2 }))
        .collect();
    let mut lattice = Lattice(3);
    let mut counts = [0; 3];
    for _ in 0..4000 {
        let (origin, mut v) = (lattice.point(3, 6), lattice.point(3, 2));
        if v == [0; 3] {
            v[1] = 1;
        }
        let found = check(3, &corners, origin, v);
        counts.iter_mut().zip(found).for_each(|(sum, n)| *sum += n);
    }
    assert!(counts.iter().all(|&n| n > 300), "{counts:?}");
}

/// Where coordinates leave the range of the first stages, integers decide; the place is as exact.
#[test]
fn lines_of_any_size_are_crossed() {
    for scale in [5e-324, 1e-300, 1e-160, 1.0, 1e150, 1e306] {
        let cloud: Vec<[f64; 3]> = (0..8)
            .map(|id| {
                core::array::from_fn(|k| {
                    if id >> k & 1 == 1 {
                        2.0 * scale
                    } else {
                        -2.0 * scale
                    }
                })
            })
            .collect();
        for (direction, place) in [
            (1.0, [-2.0 * scale, 2.0 * scale]),
            (scale, [-2.0, 2.0]),
            (-scale, [-2.0, 2.0]),
        ] {
            let origin = [[0.0, scale, scale]];
            let velocities = [[0.0; 3], [direction, 0.0, 0.0]];
            let line = Line::new(cloud.as_slice(), &origin[..], 3, velocities);
            let Some(Crossing::Crosses {
                enter,
                exit,
                grazes,
            }) = cross(&line)
            else {
                panic!("{scale:e}")
            };
            let found = [enter, exit].map(|portal| portal.ratio(&line).neighbours());
            assert_eq!(found, place.map(|x| (x, x)), "{scale:e} {direction:e}");
            assert!(!grazes);
        }
    }
    let cloud = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let origin = [[f64::MAX, 0.5, 0.0]];
    let velocities = [[0.0; 3], [-5e-324, 0.0, 0.0]];
    let line = Line::new(&cloud[..], &origin[..], 2, velocities);
    let Some(Crossing::Crosses { enter, .. }) = cross(&line) else {
        panic!()
    };
    assert_eq!(enter.ratio(&line).neighbours(), (f64::MAX, f64::INFINITY));
}

/// A ring is a ring: of a box, seen from outside, and an edge or a vertex where the line is on one.
#[test]
fn what_is_crossed_has_a_name() {
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|id| core::array::from_fn(|k| if id >> k & 1 == 1 { 1.0 } else { -1.0 }))
        .collect();
    type Case = ([f64; 3], [f64; 3], &'static [u32], &'static [u32]);
    let cases: [Case; 4] = [
        (
            [-5.0, 0.2, 0.3],
            [1.0, 0.0, 0.0],
            &[0, 4, 6, 2],
            &[1, 3, 7, 5],
        ),
        (
            [-5.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            &[0, 4, 6, 2],
            &[1, 3, 7, 5],
        ),
        ([-5.0, 1.0, 0.3], [1.0, 0.0, 0.0], &[2, 6], &[3, 7]),
        ([-5.0, -5.0, -5.0], [1.0; 3], &[0], &[7]),
    ];
    for (origin, direction, entered, left) in cases {
        let (place, velocities) = ([origin], [[0.0; 3], direction]);
        let line = Line::new(corners.as_slice(), &place[..], 3, velocities);
        let Some(Crossing::Crosses { enter, exit, .. }) = cross(&line) else {
            panic!()
        };
        let found = [
            enter.features(&line, Ordering::Less),
            exit.features(&line, Ordering::Greater),
        ];
        let truth = [entered, left].map(|a| [a.to_vec(), vec![0]]);
        assert_eq!(found, truth, "{origin:?}");
    }
    let square = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [2.0, 2.0, 0.0],
        [0.0, 2.0, 0.0],
        [1.0, 0.0, 0.0],
    ];
    let place = [[0.5, -3.0, 0.0]];
    let velocities = [[0.0; 3], [0.0, 1.0, 0.0]];
    let line = Line::new(&square[..], &place[..], 2, velocities);
    let Some(Crossing::Crosses { enter, exit, .. }) = cross(&line) else {
        panic!()
    };
    assert_eq!(enter.features(&line, Ordering::Less)[0], [0, 1]);
    assert_eq!(exit.features(&line, Ordering::Greater)[0], [2, 3]);
}

/// How near a line passes, against brute force over the places of a lattice: vertices, edges and faces are all nearest somewhere.
#[test]
fn distances_are_compared_exactly() {
    let box_corners: Vec<[f64; 3]> = (0..8)
        .map(|id| core::array::from_fn(|k| if id >> k & 1 == 1 { 1.0 } else { -1.0 }))
        .collect();
    let passing = |origin, direction, radius: f64| {
        let (place, velocities) = ([origin], [[0.0; 3], direction]);
        let line = Line::new(box_corners.as_slice(), &place[..], 3, velocities);
        let found = line.passing(&[radius]).expect("points");
        (
            found.nearest.order,
            found.place.neighbours(),
            found.first.neighbours(),
        )
    };
    // Along a face at distance 1: it touches from one edge of the face to the other.
    let (order, place, first) = passing([-5.0, 0.25, 2.0], [1.0, 0.0, 0.0], 1.0);
    assert_eq!((order, first), (Ordering::Equal, (4.0, 4.0)));
    assert!((4.0..=6.0).contains(&place.0), "{place:?}");
    assert_eq!(
        passing([-5.0, 0.25, 2.0], [1.0, 0.0, 0.0], 1.0f64.next_up()).0,
        Ordering::Less
    );
    assert_eq!(
        passing([-5.0, 0.25, 2.0], [1.0, 0.0, 0.0], 1.0f64.next_down()).0,
        Ordering::Greater
    );
    // Above the border of a face: all of it is on one side of the line. The family `rays` of `gjk fuzz` found the first.
    for (x, y, ends) in [
        (-1.0, 9.0, -2.0),
        (1.0, 9.0, -2.0),
        (-1.0, -9.0, 2.0),
        (1.0, -9.0, 2.0),
    ] {
        let (order, _, first) = passing([x, y, 2.0], [0.0, ends, 0.0], 1.0);
        assert_eq!((order, first), (Ordering::Equal, (4.0, 4.0)), "{x} {y}");
    }
    // Over an edge, at a right angle: 3² + 4² = 5².
    let (order, _, first) = passing([4.0, 5.0, -8.0], [0.0, 0.0, 2.0], 5.0);
    assert_eq!((order, first), (Ordering::Equal, (3.5, 3.5)));
    // Past a vertex: from (1, 1, 1) the nearest place is 5 away along (3, 4, 0).
    let (order, place, first) = passing([4.0 - 4.0, 5.0 + 3.0, 1.0 + 1.0], [4.0, -3.0, -1.0], 5.0);
    assert_eq!(
        (order, place, first),
        (Ordering::Equal, (1.0, 1.0), (1.0, 1.0))
    );
    // Through the box.
    assert_eq!(
        passing([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.5).0,
        Ordering::Less
    );
    let place = [[-5.0, 0.0, 0.0]];
    let velocities = [[0.0; 3], [2.0, 0.0, 0.0]];
    let line = Line::new(box_corners.as_slice(), &place[..], 3, velocities);
    for (t, radius, order) in [
        (1.0, 2.0, Ordering::Equal),
        (1.0f64.next_down(), 2.0, Ordering::Greater),
        (1.5, 2.0, Ordering::Less),
        (3.0, 2.0, Ordering::Less),
    ] {
        assert_eq!(
            line.nearest_at(t, &[radius / 2.0, radius / 2.0])
                .expect("points")
                .order,
            order,
            "{t}"
        );
    }
}
