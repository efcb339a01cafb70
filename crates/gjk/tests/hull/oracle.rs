//! Brute force in integers, the generator of random input, and the checks that any hull must pass.

use gjk::hull::{HullMesh, SpatialHull, convex_hull_3};

/// SplitMix64: the tests' only source of randomness.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// Uniform in [-1, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn ball(&mut self) -> [f64; 3] {
        loop {
            let p = [self.unit(), self.unit(), self.unit()];
            if p.iter().map(|x| x * x).sum::<f64>() <= 1.0 {
                return p;
            }
        }
    }

    pub(crate) fn sphere(&mut self) -> [f64; 3] {
        let p = self.ball();
        let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.01 {
            p.map(|x| x / length)
        } else {
            self.sphere()
        }
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for k in (1..items.len()).rev() {
            items.swap(k, self.below(k as u64 + 1) as usize);
        }
    }
}

pub(crate) type Grid = [i64; 3];

pub(crate) fn minus(a: Grid, b: Grid) -> Grid {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn cross(a: Grid, b: Grid) -> Grid {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(crate) fn dot(a: Grid, b: Grid) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn floats(points: &[Grid]) -> Vec<[f64; 3]> {
    points.iter().map(|p| p.map(|x| x as f64)).collect()
}

/// Facets by all triples: those whose plane has every point on or below it. Rings are canonical, as `HullMesh` has
/// them. `None` if the points do not span space.
pub(crate) fn brute_faces(points: &[Grid]) -> Option<Vec<Vec<u32>>> {
    let firsts: Vec<u32> = (0..points.len())
        .filter(|&i| !points[..i].contains(&points[i]))
        .map(|i| i as u32)
        .collect();
    let at = |i: u32| points[i as usize];
    let mut faces = Vec::new();
    let mut solid = false;
    for &a in &firsts {
        for &b in firsts.iter().filter(|&&b| b != a) {
            for &c in firsts.iter().filter(|&&c| c != a && c != b) {
                let normal = cross(minus(at(b), at(a)), minus(at(c), at(a)));
                let height = |&i: &u32| dot(normal, minus(at(i), at(a)));
                if firsts.iter().any(|i| height(i) > 0)
                    || normal == [0; 3]
                    || firsts.iter().all(|i| height(i) == 0)
                {
                    solid |= firsts.iter().any(|i| height(i) > 0);
                    continue;
                }
                solid = true;
                let sheet: Vec<u32> = firsts.iter().copied().filter(|i| height(i) == 0).collect();
                faces.push(brute_ring(points, &sheet, normal));
            }
        }
    }
    faces.sort();
    faces.dedup();
    solid.then_some(faces)
}

/// The corners of coplanar points, counter-clockwise about `normal`: a is followed by b if all others are left of ab
/// or between.
pub(crate) fn brute_ring(points: &[Grid], sheet: &[u32], normal: Grid) -> Vec<u32> {
    let at = |i: u32| points[i as usize];
    let follows = |a: u32, b: u32| {
        a != b
            && sheet.iter().all(|&i| {
                let (u, v) = (minus(at(b), at(a)), minus(at(i), at(a)));
                let turn = dot(normal, cross(u, v));
                turn > 0 || (turn == 0 && dot(u, v) >= 0 && dot(v, v) <= dot(u, u))
            })
    };
    let mut ring: Vec<u32> = Vec::new();
    let mut here = sheet
        .iter()
        .copied()
        .find(|&a| sheet.iter().any(|&b| follows(a, b)))
        .expect("a polygon has a corner");
    while !ring.contains(&here) {
        ring.push(here);
        here = sheet
            .iter()
            .copied()
            .find(|&b| follows(here, b))
            .expect("a corner has a successor");
    }
    let lowest = (0..ring.len()).min_by_key(|&k| ring[k]).unwrap_or(0);
    ring.rotate_left(lowest);
    ring
}

/// Checks a hull against brute force, all its parts.
pub(crate) fn check_against_brute(points: &[Grid]) {
    let hull = convex_hull_3(&floats(points)).expect("finite and not empty");
    let expected = brute_faces(points);
    match (&hull, expected) {
        (SpatialHull::Polyhedron(mesh), Some(faces)) => {
            assert_eq!(mesh.faces, faces, "points {points:?}");
            check_structure(mesh);
        }
        (SpatialHull::Polygon { ring }, None) => check_flat(points, ring),
        (SpatialHull::Segment(i, j), None) => {
            let (a, b) = (points[*i as usize], points[*j as usize]);
            assert!(a < b && points.iter().all(|&p| (a..=b).contains(&p)));
            assert!(
                points
                    .iter()
                    .all(|&p| cross(minus(b, a), minus(p, a)) == [0; 3])
            );
            assert!(!points[..*i as usize].contains(&a) && !points[..*j as usize].contains(&b));
        }
        (SpatialHull::Point(i), None) => assert!(*i == 0 && points.iter().all(|&p| p == points[0])),
        (hull, expected) => panic!("{hull:?} but {expected:?} for {points:?}"),
    }
}

pub(crate) fn check_flat(points: &[Grid], ring: &[u32]) {
    let normal = (2..ring.len())
        .map(|k| {
            cross(
                minus(points[ring[1] as usize], points[ring[0] as usize]),
                minus(points[ring[k] as usize], points[ring[0] as usize]),
            )
        })
        .find(|&n| n != [0; 3])
        .expect("three corners of a polygon are independent");
    assert!(
        points
            .iter()
            .all(|&p| dot(normal, minus(p, points[ring[0] as usize])) == 0),
        "not flat: {points:?}"
    );
    let sheet: Vec<u32> = (0..points.len())
        .filter(|&i| !points[..i].contains(&points[i]))
        .map(|i| i as u32)
        .collect();
    let mut ring = ring.to_vec();
    let lowest = (0..ring.len()).min_by_key(|&k| ring[k]).unwrap_or(0);
    ring.rotate_left(lowest);
    assert_eq!(ring, brute_ring(points, &sheet, normal));
}

/// Euler's formula, and `vertices` and `neighbours` as the rings say they are.
pub(crate) fn check_structure(mesh: &HullMesh) {
    let edge_sides: usize = mesh.faces.iter().map(Vec::len).sum();
    assert_eq!(
        mesh.vertices.len() + mesh.faces.len(),
        mesh.edge_count() + 2
    );
    assert_eq!(edge_sides, 2 * mesh.edge_count());
    let mut ends: Vec<Vec<u32>> = vec![Vec::new(); mesh.vertices.len()];
    for ring in &mesh.faces {
        for k in 0..ring.len() {
            let position = |i: u32| {
                mesh.vertices
                    .binary_search(&i)
                    .expect("a ring uses listed vertices")
            };
            ends[position(ring[k])].push(position(ring[(k + 1) % ring.len()]) as u32);
        }
    }
    for (k, list) in ends.iter_mut().enumerate() {
        list.sort_unstable();
        assert_eq!(mesh.neighbours.of(k), list);
    }
    assert!(mesh.neighbours.of(mesh.vertices.len()).is_empty());
}

/// Whether every point is on or below every facet, by `robust` alone.
pub(crate) fn check_containment(points: &[[f64; 3]], mesh: &HullMesh) {
    let at = |i: u32| {
        let [x, y, z] = points[i as usize];
        robust::Coord3D { x, y, z }
    };
    for ring in &mesh.faces {
        for i in 0..points.len() as u32 {
            let below = robust::orient3d(at(ring[0]), at(ring[1]), at(ring[2]), at(i));
            assert!(below >= 0.0, "point {i} is outside the facet {ring:?}");
            assert!(ring.contains(&i) || below > 0.0 || !mesh.vertices.contains(&i));
        }
    }
}

pub(crate) fn polyhedron(points: &[[f64; 3]]) -> HullMesh {
    match convex_hull_3(points).expect("finite and not empty") {
        SpatialHull::Polyhedron(mesh) => mesh,
        other => panic!("not a polyhedron: {other:?}"),
    }
}

/// A grid set of one of several degenerate kinds.
pub(crate) fn grid_set(random: &mut Random) -> Vec<Grid> {
    let side = 1 + random.below(4);
    let count = 1 + random.below(11);
    let kind = random.below(10);
    let steps: [Grid; 3] =
        std::array::from_fn(|_| std::array::from_fn(|_| random.below(5) as i64 - 2));
    (0..count)
        .map(|_| {
            let p: Grid = std::array::from_fn(|_| random.below(side + 1) as i64);
            match kind {
                0 => [0, 1, 2].map(|k| steps[0][k] * p[0]),
                1 | 2 => [0, 1, 2].map(|k| steps[0][k] * p[0] + steps[1][k] * p[1]),
                3 => {
                    [0, 1, 2].map(|k| steps[0][k] * p[0] + steps[1][k] * p[1] + steps[2][k] * p[2])
                }
                4 => [p[0], p[1], p[2].min(1)],
                _ => p,
            }
        })
        .collect()
}

/// How many random sets the brute-force tests take; `HULL_CASES` overrides it for a long run.
pub(crate) fn cases() -> u64 {
    std::env::var("HULL_CASES")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(20_000)
}
