//! Depths of overlaps against closed forms, and against samples of solids made of cubes: protrusion, thickness, escape.

mod boxes;

use gjk::shape::Cuboid;
use gjk::{Pair, Pose3, Vec3};
use gjk_mesh::{Depth, DepthOptions, MeshBody, Protrusion, Relation, TriMesh};

fn cut_box(low: [f64; 3], high: [f64; 3], n: usize) -> MeshBody {
    MeshBody::new(boxes::cut_box(low, high, n))
}

fn depth(a: &MeshBody, b: &MeshBody) -> Depth {
    let here = Pose3::identity();
    a.at(&here)
        .depth(&b.at(&here), &[], &DepthOptions::default())
}

fn protrusions(depth: &Depth) -> [Protrusion; 2] {
    assert!(depth.ended, "{depth:?}");
    depth
        .protrusion
        .map(|one| one.expect("the other is a solid"))
}

/// Whether an interval holds a number, to a rounding, and is as narrow as asked.
fn holds(found: &Protrusion, expected: f64, narrow: f64) -> bool {
    let rounding = 1e-12 * expected.abs().max(1.0);
    found.lower <= expected + rounding
        && expected - rounding <= found.upper
        && found.upper - found.lower <= narrow
}

#[test]
fn boxes_have_their_closed_forms_at_any_fineness() {
    let moved = ([-0.5, -0.97, -1.0], [1.5, 1.03, 1.0]);
    for n in [1, 2, 5, 12] {
        let a = cut_box([-1.0; 3], [1.0; 3], n);
        let b = cut_box(moved.0, moved.1, n + 1);
        let found = depth(&a, &b);
        for one in protrusions(&found) {
            assert!(holds(&one, 0.5, 0.0051), "{n}: {one:?}");
        }
        let interval = found.signed_distance();
        assert!((-1.5 - 1e-9..=-1.5).contains(&interval.lower), "{interval}");
        assert!((-1.5..=-1.49).contains(&interval.upper), "{interval}");
    }
}

/// A duct through a wall: the wall is as thick as the overlap, and the way out is longer.
#[test]
fn a_duct_through_a_wall_is_thick_and_escapes_far() {
    let wall = cut_box([0.0, -0.1, 0.0], [5.0, 0.1, 3.0], 3);
    let duct = cut_box([1.0, -1.0, 1.0], [1.5, 1.0, 1.4], 2);
    let found = depth(&wall, &duct);
    let [into_duct, into_wall] = protrusions(&found);
    assert!(holds(&into_duct, 0.2, 0.0021), "{into_duct:?}");
    assert!(holds(&into_wall, 0.1, 0.0021), "{into_wall:?}");
    let interval = found.signed_distance();
    assert!((-1.1 - 1e-9..=-1.1).contains(&interval.lower), "{interval}");
    assert!((-0.2..-0.199).contains(&interval.upper), "{interval}");
}

#[test]
fn one_in_another_is_as_deep_as_its_deepest_face() {
    let small = cut_box([-1.0, -1.0, 0.0], [1.0, 1.0, 2.0], 2);
    let large = cut_box([-3.0; 3], [3.0; 3], 3);
    let [inner, outer] = protrusions(&depth(&small, &large));
    assert!(holds(&inner, 3.0, 0.031), "{inner:?}");
    assert!(holds(&outer, 0.0, 1e-9), "{outer:?}");
    for one in protrusions(&depth(&small, &small)) {
        assert!(holds(&one, 0.0, 1e-9), "{one:?}");
    }
}

/// Faces that rounding lets overlap are no deeper than rounding, however large they are, and the ball inside proves an overlap.
#[test]
fn flush_faces_overlap_by_what_they_were_moved() {
    let [a, b] = [
        cut_box([-1.0; 3], [1.0; 3], 3),
        cut_box([1.0, -1.0, -1.0], [3.0, 1.0, 1.0], 5),
    ];
    let mut overlaps = 0;
    for (far, turn) in [(0.0, 0.3), (7.4, 1.1), (1000.0, 2.0), (1000.0, 2.7)] {
        let (sin, cos) = f64::sin_cos(turn);
        let axis = [0.36 * sin, 0.48 * sin, 0.8 * sin, cos];
        let pose = Pose3::from_quaternion(axis, Vec3::new(far, -far, far)).expect("a pose");
        let back = pose.vector(Vec3::new(-1e-9, 0.0, 0.0));
        let nearer = Pose3::from_translation(back).compose(&pose);
        let (a, b) = (a.at(&pose), b.at(&nearer));
        assert_eq!(a.relation(&b).relation, Relation::Overlapping);
        let found = a.depth(&b, &[], &DepthOptions::default());
        let rounding = 1e-15 * (far + 3.0) * 4.0;
        for one in found.protrusion.into_iter().flatten() {
            assert!(one.upper <= 1.02e-9 + rounding, "{far}: {one:?}");
            overlaps += usize::from(one.lower > 0.9e-9 - rounding);
        }
        let interval = found.signed_distance();
        assert!(interval.lower >= -1.05e-9 - 8.0 * rounding, "{interval}");
        assert!(interval.upper <= -0.9e-9 + rounding, "{interval}");
    }
    assert_eq!(overlaps, 8);
}

/// Numbers that look random and are the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [-1, 1).
    fn number(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn pose(&mut self, reach: f64) -> Pose3<f64> {
        let turn = [(); 4].map(|()| self.number() + 0.01);
        let at = [(); 3].map(|()| self.number() * reach);
        Pose3::from_quaternion(turn, Vec3::new(at[0], at[1], at[2])).expect("a pose")
    }
}

/// Boxes at random poses: points of one against the planes of the other, and the shortest translation by the library's query.
#[test]
fn turned_boxes_agree_with_planes_and_with_the_query() {
    let mut random = Random(7);
    let half = [[1.0, 0.6, 0.3], [0.8, 0.5, 0.7]];
    let bodies = half.map(|h| cut_box(h.map(|x| -x), h, 2));
    let shapes = half.map(|[x, y, z]| Cuboid::new(Vec3::new(x, y, z)).expect("a box"));
    let mut overlaps = 0;
    for case in 0..24 {
        let poses = [random.pose(0.7), random.pose(0.7)];
        let [a, b] = [0, 1].map(|k| bodies[k].at(&poses[k]));
        if a.relation(&b).relation != Relation::Overlapping {
            continue;
        }
        overlaps += 1;
        let found = a.depth(&b, &[], &DepthOptions::default());
        let both = protrusions(&found);
        for of in 0..2 {
            let sampled = deepest_sample(half[of], &poses[of], half[1 - of], &poses[1 - of]);
            let one = both[of];
            assert!(sampled <= one.upper + 1e-12, "{case}: {sampled} {one:?}");
            // Samples are this near to one another.
            assert!(one.lower <= sampled + 0.036, "{case}: {sampled} {one:?}");
        }
        let query = Pair::new(&shapes[0], &poses[0], &shapes[1], &poses[1]).contact();
        let exact = query.signed_distance.middle();
        let interval = found.signed_distance();
        assert!(
            interval.lower <= exact + 1e-12,
            "{case}: {exact} {interval}"
        );
        assert!(
            exact <= interval.upper + 1e-12,
            "{case}: {exact} {interval}"
        );
    }
    assert!(overlaps > 12, "{overlaps}");
}

/// The deepest of many points of a box's surface in another box; zero where none is inside.
fn deepest_sample(
    half: [f64; 3],
    pose: &Pose3<f64>,
    other: [f64; 3],
    other_pose: &Pose3<f64>,
) -> f64 {
    const STEPS: i32 = 40;
    let axes = other_pose.columns();
    let mut deepest = 0.0_f64;
    let share = |i: i32| f64::from(i) / f64::from(STEPS) * 2.0 - 1.0;
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            for (i, j) in (0..=STEPS).flat_map(|i| (0..=STEPS).map(move |j| (i, j))) {
                let mut at = half.map(|x| side * x);
                at[(axis + 1) % 3] = share(i) * half[(axis + 1) % 3];
                at[(axis + 2) % 3] = share(j) * half[(axis + 2) % 3];
                let point = pose.point(Vec3::new(at[0], at[1], at[2]));
                let from = point - other_pose.translation();
                let along = |k: usize| {
                    let axis: Vec3<f64> = axes[k];
                    other[k] - (axis.x * from.x + axis.y * from.y + axis.z * from.z).abs()
                };
                deepest = deepest.max(along(0).min(along(1)).min(along(2)));
            }
        }
    }
    deepest
}

const GRID: i32 = 3;

/// Cells of a grid, full or empty.
#[derive(Clone, Copy)]
struct Cells([bool; 27]);

impl Cells {
    fn random(random: &mut Random) -> Self {
        Self(core::array::from_fn(|_| random.next() % 5 < 3))
    }

    fn is_full(&self, at: [i32; 3]) -> bool {
        let is_in = at.iter().all(|x| (0..GRID).contains(x));
        is_in && self.0[((at[0] * GRID + at[1]) * GRID + at[2]) as usize]
    }

    fn all() -> impl Iterator<Item = [i32; 3]> {
        let around = -1..=GRID;
        around.clone().flat_map(move |x| {
            let around = around.clone();
            around
                .clone()
                .flat_map(move |y| around.clone().map(move |z| [x, y, z]))
        })
    }

    /// The faces between full and empty cells, as four corners each.
    fn faces(&self) -> Vec<[[f64; 3]; 4]> {
        let mut faces = Vec::new();
        for at in Self::all().filter(|&at| self.is_full(at)) {
            for axis in 0..3 {
                for far in [0, 1] {
                    let mut next = at;
                    next[axis] += 2 * far - 1;
                    if self.is_full(next) {
                        continue;
                    }
                    let corner = |u: i32, v: i32| {
                        let mut corner = at;
                        corner[axis] += far;
                        corner[(axis + 1) % 3] += u;
                        corner[(axis + 2) % 3] += v;
                        corner.map(f64::from)
                    };
                    let mut ring = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    if far == 0 {
                        ring.reverse();
                    }
                    faces.push(ring);
                }
            }
        }
        faces
    }

    fn body(&self, shift: [f64; 3]) -> Option<MeshBody> {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for ring in self.faces() {
            let base = vertices.len() as u32;
            vertices.extend(ring.map(|p| [0, 1, 2].map(|k| p[k] + shift[k])));
            triangles.extend([[base, base + 1, base + 2], [base, base + 2, base + 3]]);
        }
        let body = MeshBody::new(TriMesh::new(&vertices, &triangles).ok()?);
        body.kind().is_solid().then_some(body)
    }

    /// How far a point is from the nearest empty cell; cells beyond the grid are empty.
    fn depth_of(&self, point: [f64; 3]) -> f64 {
        let empty = Self::all().filter(|&at| !self.is_full(at));
        let distance = |at: [i32; 3]| {
            let along = |k: usize| {
                let low = f64::from(at[k]);
                (low - point[k]).max(point[k] - low - 1.0).max(0.0)
            };
            (along(0).powi(2) + along(1).powi(2) + along(2).powi(2)).sqrt()
        };
        empty.map(distance).fold(f64::INFINITY, f64::min)
    }

    /// The deepest of points of this surface in another solid, which is moved by `shift`.
    fn deepest_sample(&self, other: &Self, shift: [f64; 3], steps: i32) -> f64 {
        let mut deepest = 0.0_f64;
        for [a, b, _, d] in self.faces() {
            for (i, j) in (0..=steps).flat_map(|i| (0..=steps).map(move |j| (i, j))) {
                let [u, v] = [i, j].map(|n| f64::from(n) / f64::from(steps));
                let at = [0, 1, 2].map(|k| a[k] + u * (b[k] - a[k]) + v * (d[k] - a[k]) - shift[k]);
                deepest = deepest.max(other.depth_of(at));
            }
        }
        deepest
    }
}

/// Solids of cubes, with cavities, and pieces that meet in edges: samples of one's surface among the empty cells of the other.
#[test]
fn solids_of_cubes_agree_with_samples() {
    let mut random = Random(11);
    let mut checked = 0;
    for case in 0..48 {
        let [one, other] = [(); 2].map(|()| Cells::random(&mut random));
        let shift = [(); 3].map(|()| 0.25 * (random.next() % 7) as f64 - 0.75);
        let (Some(a), Some(b)) = (one.body([0.0; 3]), other.body(shift)) else {
            continue;
        };
        let found = depth(&a, &b);
        let back = shift.map(|x| -x);
        let sampled = [
            one.deepest_sample(&other, shift, 8),
            other.deepest_sample(&one, back, 8),
        ];
        for (of, sampled) in (0..).zip(sampled) {
            let Some(found) = found.protrusion[of] else {
                continue;
            };
            checked += 1;
            assert!(
                sampled <= found.upper + 1e-12,
                "{case}: {sampled} {found:?}"
            );
            // Samples are an eighth apart.
            assert!(found.lower <= sampled + 0.09, "{case}: {sampled} {found:?}");
        }
    }
    assert!(checked > 40, "{checked}");
}

/// The answers do not depend on the order of the bodies, nor, as parts of the size, on a power of two.
#[test]
fn swapped_and_scaled_bodies_have_the_same_depths() {
    let a = || cut_box([0.0; 3], [2.0, 1.0, 1.0], 2);
    let b = cut_box([1.7, 0.2, 0.3], [4.0, 0.8, 3.0], 1);
    let (found, swapped) = (depth(&a(), &b), depth(&b, &a()));
    let [p, q] = protrusions(&found);
    let [r, s] = protrusions(&swapped);
    for (one, other) in [(p, s), (q, r)] {
        assert!(one.lower <= other.upper && other.lower <= one.upper);
    }
    let large = Pose3::identity().scaled(Vec3::new(1024.0, 1024.0, 1024.0));
    let scaled = a()
        .at(&large)
        .depth(&b.at(&large), &[], &DepthOptions::default());
    let [t, u] = protrusions(&scaled);
    for (one, other) in [(p, t), (q, u)] {
        for (x, y) in [(one.lower, other.lower), (one.upper, other.upper)] {
            assert!((x * 1024.0 - y).abs() <= 1e-14 * y, "{x} {y}");
        }
    }
}

/// A wall has room for a ball as large as it is thick, and for no larger one.
#[test]
fn a_thin_wall_has_no_room() {
    let wall = cut_box([0.0; 3], [4.0, 4.0, 0.1], 2);
    let wall = wall.at(&Pose3::identity());
    for point in [[2.0, 2.0, 0.01], [2.0, 2.0, 0.05], [1.0, 3.0, 0.1]] {
        assert!(wall.has_room_at(point, 0.049), "{point:?}");
        assert!(!wall.has_room_at(point, 0.051), "{point:?}");
    }
    assert!(!wall.has_room_at([2.0, 2.0, 5.0], 0.01));
}

/// So few parts leave wide intervals, which hold all the same.
#[test]
fn a_search_that_stops_early_says_so() {
    let a = cut_box([-1.0; 3], [1.0; 3], 12);
    let b = cut_box([-0.5, -0.97, -1.0], [1.5, 1.03, 1.0], 7);
    let options = DepthOptions {
        parts_max: 20,
        ..DepthOptions::default()
    };
    let here = Pose3::identity();
    let found = a.at(&here).depth(&b.at(&here), &[], &options);
    assert!(!found.ended);
    for one in found.protrusion.into_iter().flatten() {
        assert!(one.lower <= 0.5 && 0.5 <= one.upper, "{one:?}");
    }
}
