//! Pairs of bodies of one or two tetrahedra with whole corners, judged by whole numbers.
//!
//! Idea: the insides of two tetrahedra are apart exactly when one of the normals of their faces, or of two of their edges, has them on its two
//! sides, since these are the normals of the faces of all differences of their points. One is within the other when its corners are. All
//! that in whole numbers. The second body is made from points of the first, so that corners lie on corners, edges, faces and a unit
//! beside them. Triangles are then cut at points of edges and faces, reordered, and taken back by a pose whose numbers are
//! whole.
//! Laws: the swapped answer is the other way around; surfaces meet where the distance is 0 and where the answer has a contact; a translation
//! out of two tetrahedra is as long as their depth at least.

use super::cells::Surface;
use super::{Find, RELATIONS, Tally};
use crate::Rng;
use gjk::query::Pair;
use gjk::shape::Polytope;
use gjk::{Pose3, Vec3};
use gjk_mesh::{Depth, Relation};
use std::collections::BTreeSet;

/// The family's name.
pub(super) const NAME: &str = "tetrahedra";

/// Corners are multiples of this, so that points that cut a triangle three times are whole.
const UNIT: i64 = 64;

/// Corners of the first body are multiples of this, so that middles of up to four of them are multiples of the unit.
const STEP: i64 = 4 * UNIT;

/// Depths are asked of one case in so many.
const DEPTH_EVERY: u64 = 64;

/// Certificates are made and checked of one case in so many.
const VERIFY_EVERY: u64 = 8;

/// What is asked of some cases only.
#[derive(Clone, Copy)]
struct More {
    depth: bool,
    verify: bool,
}

type Whole = [i64; 3];
type Tetrahedron = [Whole; 4];

fn less(a: Whole, b: Whole) -> [i128; 3] {
    core::array::from_fn(|k| i128::from(a[k] - b[k]))
}

fn cross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    core::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i] * b[j] - a[j] * b[i]
    })
}

fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn volume([a, b, c, d]: &Tetrahedron) -> i128 {
    dot(cross(less(*b, *a), less(*c, *a)), less(*d, *a))
}

/// Faces, counter-clockwise from outside where the volume is positive.
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// Separated, touching or overlapping.
fn convex_relation(a: &Tetrahedron, b: &Tetrahedron) -> Relation {
    let normals =
        |t: &Tetrahedron| FACES.map(|[i, j, k]| cross(less(t[j], t[i]), less(t[k], t[i])));
    let edges = |t: &Tetrahedron| EDGES.map(|[i, j]| less(t[j], t[i]));
    let across = edges(a)
        .into_iter()
        .flat_map(|e| edges(b).map(|f| cross(e, f)));
    let mut relation = Relation::Overlapping;
    for axis in normals(a).into_iter().chain(normals(b)).chain(across) {
        if axis == [0; 3] {
            continue;
        }
        let range = |t: &Tetrahedron| {
            let heights = t.map(|p| dot(axis, p.map(i128::from)));
            let low = heights.iter().min().copied().unwrap_or(0);
            (low, heights.iter().max().copied().unwrap_or(0))
        };
        let ((low_a, high_a), (low_b, high_b)) = (range(a), range(b));
        let gap = (low_b - high_a).max(low_a - high_b);
        if gap > 0 {
            return Relation::Separated;
        }
        if gap == 0 {
            relation = Relation::Touching;
        }
    }
    relation
}

/// Whether one tetrahedron is within another, of positive volume.
fn is_within(a: &Tetrahedron, b: &Tetrahedron) -> bool {
    FACES.iter().all(|&[i, j, k]| {
        let normal = cross(less(b[j], b[i]), less(b[k], b[i]));
        a.iter().all(|&p| dot(normal, less(p, b[i])) <= 0)
    })
}

/// The relation of two unions; one body within several tetrahedra together, and no one of them, is not told.
fn truth(a: &[Tetrahedron], b: &[Tetrahedron]) -> Relation {
    let within = |x: &[Tetrahedron], y: &[Tetrahedron]| {
        y.iter()
            .any(|outer| x.iter().all(|inner| is_within(inner, outer)))
    };
    match (within(a, b), within(b, a)) {
        (true, true) => return Relation::Equal,
        (true, false) => return Relation::Inside,
        (false, true) => return Relation::Contains,
        (false, false) => {}
    }
    let each = a
        .iter()
        .flat_map(|x| b.iter().map(|y| convex_relation(x, y)));
    let gravity = |relation: &Relation| RELATIONS.iter().position(|x| x == relation);
    each.max_by_key(gravity).unwrap_or(Relation::Separated)
}

/// A random corner: anywhere, or at a point of a tetrahedron or a unit beside it.
fn corner(random: &mut Rng, range: i64, near: &[Tetrahedron]) -> Whole {
    if near.is_empty() || random.one_in(3) {
        return [0; 3].map(|_| STEP * random.int(-range, range));
    }
    let t = near[random.below(near.len() as u64) as usize];
    let mut pick = || t[random.below(4) as usize];
    // A corner, or the middle of two or four, which may be one.
    let of = [pick(), pick(), pick(), pick()];
    let count = 1 << random.below(3);
    let beside = if random.one_in(4) {
        [0; 3].map(|_| UNIT * random.int(-1, 1))
    } else {
        [0; 3]
    };
    core::array::from_fn(|k| {
        of[..count].iter().map(|p| p[k]).sum::<i64>() / count as i64 + beside[k]
    })
}

/// One or two tetrahedra of positive volume that share fewer than three corners.
fn tetrahedra(random: &mut Rng, range: i64, near: &[Tetrahedron]) -> Vec<Tetrahedron> {
    let count = 1 + usize::from(random.one_in(3));
    let mut found: Vec<Tetrahedron> = Vec::new();
    for _ in 0..16 {
        let mut new = [0; 4].map(|_| corner(random, range, near));
        if volume(&new) < 0 {
            new.swap(0, 1);
        }
        let shares = |old: &Tetrahedron| new.iter().filter(|p| old.contains(p)).count() >= 3;
        if volume(&new) > 0 && !found.iter().any(shares) {
            found.push(new);
        }
        if found.len() == count {
            break;
        }
    }
    found
}

/// A second body: the first one again, one beside it along an axis, or one with corners at its features.
fn other(random: &mut Rng, range: i64, a: &[Tetrahedron]) -> Vec<Tetrahedron> {
    if random.one_in(8) {
        return a.to_vec();
    }
    let mut b = tetrahedra(random, range, a);
    if random.one_in(4) {
        let axis = random.below(3) as usize;
        let heights =
            |of: &[Tetrahedron]| -> Vec<i64> { of.iter().flatten().map(|p| p[axis]).collect() };
        let (mine, theirs) = (heights(&b), heights(a));
        if let (Some(low), Some(high)) = (mine.iter().min(), theirs.iter().max()) {
            let by = high - low + UNIT * random.int(-1, 1);
            b.iter_mut().flatten().for_each(|p| p[axis] += by);
        }
    }
    b
}

/// A map of points with whole numbers, of determinant 1 or −1: `linear·x + origin`.
struct Map {
    linear: [Whole; 3],
    inverse: [Whole; 3],
    origin: Whole,
}

impl Map {
    fn random(random: &mut Rng) -> Self {
        let unit = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let mut map = Self {
            linear: unit,
            inverse: unit,
            origin: [0; 3],
        };
        if random.one_in(2) {
            let far = [4, 1 << 20, 1 << 36][random.below(3) as usize];
            map.origin = [0; 3].map(|_| UNIT * random.int(-far, far));
        }
        if random.one_in(2) {
            // Axes change places and signs: a rotation, or a mirror.
            let turned = random.below(3) as usize;
            let signs = [0; 3].map(|_| if random.one_in(2) { 1 } else { -1 });
            let row = |k: usize| -> Whole {
                core::array::from_fn(|j| i64::from(j == (k + turned) % 3) * signs[k])
            };
            map.linear = [row(0), row(1), row(2)];
            map.inverse = transposed(&map.linear);
        } else if random.one_in(3) {
            let [p, q, r] = [0; 3].map(|_| random.int(-2, 2));
            map.linear = [[1, p, q], [0, 1, r], [0, 0, 1]];
            map.inverse = [[1, -p, p * r - q], [0, 1, -r], [0, 0, 1]];
        }
        map
    }

    fn back(&self, p: Whole) -> Whole {
        let from: Whole = core::array::from_fn(|k| p[k] - self.origin[k]);
        self.inverse
            .map(|row| (0..3).map(|k| row[k] * from[k]).sum())
    }

    fn pose(&self, scale: f64) -> Pose3<f64> {
        let columns =
            transposed(&self.linear).map(|[x, y, z]| Vec3::new(x as f64, y as f64, z as f64));
        let [x, y, z] = self.origin.map(|x| x as f64 * scale);
        Pose3::from_columns(columns, Vec3::new(x, y, z))
    }
}

fn transposed(m: &[Whole; 3]) -> [Whole; 3] {
    core::array::from_fn(|i| core::array::from_fn(|j| m[j][i]))
}

/// The surface of tetrahedra, cut and reordered, in the frame of a pose; `None` where two share three points, as they may be one shell
/// then.
fn surface(random: &mut Rng, of: &[Tetrahedron], map: &Map, scale: f64) -> Option<Surface> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let mut points: Vec<BTreeSet<Whole>> = Vec::new();
    for t in of {
        let mut faces: Vec<[Whole; 3]> = FACES.iter().map(|f| f.map(|k| t[k])).collect();
        for _ in 0..random.below(4) {
            cut(random, &mut faces);
        }
        let own: BTreeSet<Whole> = faces.iter().flatten().copied().collect();
        if points
            .iter()
            .any(|other| own.intersection(other).count() > 2)
        {
            return None;
        }
        points.push(own);
        for face in faces {
            let first = vertices.len() as u32;
            vertices.extend(face.map(|p| map.back(p).map(|x| x as f64 * scale)));
            triangles.push([first, first + 1, first + 2]);
        }
    }
    let turns_over = dot(
        cross(map.linear[0].map(i128::from), map.linear[1].map(i128::from)),
        map.linear[2].map(i128::from),
    ) < 0;
    // Also inside out, which a file of that kind is not meant.
    let turns_over = turns_over ^ random.one_in(8);
    for triangle in &mut triangles {
        if turns_over {
            triangle.swap(1, 2);
        }
        triangle.rotate_left(random.below(3) as usize);
    }
    for k in (0..triangles.len()).rev() {
        triangles.swap(k, random.below(k as u64 + 1) as usize);
    }
    Some((vertices, triangles))
}

/// Cuts all faces at the middle of an edge, or one at a point inside.
fn cut(random: &mut Rng, faces: &mut Vec<[Whole; 3]>) {
    let number = random.below(faces.len() as u64) as usize;
    let [a, b, c] = faces[number];
    if random.one_in(2) {
        let at: Whole = core::array::from_fn(|k| (2 * a[k] + b[k] + c[k]) / 4);
        faces[number] = [a, b, at];
        faces.extend([[b, c, at], [c, a, at]]);
        return;
    }
    let at: Whole = core::array::from_fn(|k| (a[k] + b[k]) / 2);
    let cut = |face: [Whole; 3]| {
        let from = (0..3).find(|&k| {
            let (x, y) = (face[k], face[(k + 1) % 3]);
            [x, y] == [a, b] || [x, y] == [b, a]
        });
        match from {
            None => vec![face],
            Some(k) => {
                let (x, y, z) = (face[k], face[(k + 1) % 3], face[(k + 2) % 3]);
                vec![[x, at, z], [at, y, z]]
            }
        }
    };
    *faces = faces.iter().flat_map(|&face| cut(face)).collect();
}

/// Asks and judges one case.
pub(super) fn judge(seed: u64, number: u64, tally: &mut Tally) {
    let mut random = Rng::of_case(seed, NAME, 3, number);
    tally.cases += 1;
    let range = random.pick(&[1, 2, 3, 8, 1000]);
    let a = tetrahedra(&mut random, range, &[]);
    let b = other(&mut random, range, &a);
    let (a, b) = if random.one_in(2) { (a, b) } else { (b, a) };
    if a.is_empty() || b.is_empty() {
        return;
    }
    let scale = random.pick(&[1.0, 1.0, 1.0 / 64.0, 1.0 / 4096.0, 1_048_576.0]);
    let mut maps = [Map::random(&mut random), Map::random(&mut random)];
    if random.one_in(3) {
        // Of one frame.
        let [first, second] = &mut maps;
        (second.linear, second.inverse, second.origin) =
            (first.linear, first.inverse, first.origin);
    }
    let surfaces = [
        surface(&mut random, &a, &maps[0], scale),
        surface(&mut random, &b, &maps[1], scale),
    ];
    let [Some(of_a), Some(of_b)] = surfaces else {
        return;
    };
    let surfaces = [of_a, of_b];
    let more = More {
        depth: random.one_in(DEPTH_EVERY),
        verify: random.one_in(VERIFY_EVERY),
    };
    let poses = [0, 1].map(|k: usize| maps[k].pose(scale));
    let Err(message) = judged([&a, &b], &surfaces, &poses, scale, more, tally) else {
        return;
    };
    tally.wrong += 1;
    if tally.finds.len() < super::FINDS_KEPT {
        let in_world = |k: usize| {
            let (vertices, triangles) = surfaces[k].clone();
            let moved = vertices.into_iter().map(|[x, y, z]| {
                let at = poses[k].point(Vec3::new(x, y, z));
                [at.x, at.y, at.z]
            });
            (moved.collect(), triangles)
        };
        tally.finds.push(Find {
            number,
            message,
            surfaces: [in_world(0), in_world(1)],
        });
    }
}

fn judged(
    of: [&[Tetrahedron]; 2],
    surfaces: &[Surface; 2],
    poses: &[Pose3<f64>; 2],
    scale: f64,
    more: More,
    tally: &mut Tally,
) -> Result<(), String> {
    let [a, b] = super::bodies(surfaces)?;
    let (at_a, at_b) = (a.at(&poses[0]), b.at(&poses[1]));
    let truth = truth(of[0], of[1]);
    let found = tally.ask(&at_a, &at_b);
    if found.relation != truth || !found.exact {
        return Err(format!("{found:?}, but it is {truth:?}"));
    }
    let swapped = at_b.relation(&at_a).relation;
    if swapped != super::swapped(truth) {
        return Err(format!("{truth:?}, but swapped {swapped:?}"));
    }
    let meets = at_a.meets(&at_b).is_some();
    let distance = at_a
        .distance(&at_b, f64::INFINITY)
        .ok_or("there is no distance")?;
    let near = at_a.closer_than(&at_b, distance.upper).0;
    let is_zero = distance.upper == 0.0;
    // Floats do not tell a distance of less than their roundings from 0.
    let agrees = is_zero == meets && (distance.lower > 0.0) != meets;
    if found.contact.is_some() != meets || !agrees || near == Some(false) {
        let told = (meets, found.contact, distance, near);
        return Err(format!("{truth:?}, but {told:?}"));
    }
    if more.verify {
        tally.verify(&at_a, &at_b, &found)?;
        tally.verify_distance(&at_a, &at_b, &distance)?;
    }
    let is_deep = truth != Relation::Separated && truth != Relation::Touching;
    if more.depth && is_deep && of.iter().all(|body| body.len() == 1) {
        let depth = tally.verify_depth(&at_a, &at_b)?;
        return of_depth(of.map(|body| &body[0]), scale, &depth);
    }
    Ok(())
}

/// How deep two tetrahedra overlap, against the query of their hulls and the corners of each in the other.
fn of_depth(of: [&Tetrahedron; 2], scale: f64, depth: &Depth) -> Result<(), String> {
    let points = of.map(|t| t.map(|p| p.map(|x| x as f64 * scale)));
    let hull = |points: &[[f64; 3]; 4]| {
        let points = points.map(|[x, y, z]| Vec3::new(x, y, z));
        Polytope::new(&points).map_err(|error| error.to_string())
    };
    let (first, second) = (hull(&points[0])?, hull(&points[1])?);
    let here = Pose3::identity();
    let query = Pair::new(&first, &here, &second, &here).contact();
    let (told, of_hulls) = (depth.signed_distance(), query.signed_distance);
    if told.lower > of_hulls.upper || told.upper < of_hulls.lower {
        return Err(format!("a depth of {told}, but of the hulls {of_hulls}"));
    }
    for k in 0..2 {
        let other = &of[1 - k];
        let heights = |p: Whole| {
            FACES.map(|[x, y, z]| {
                let normal = cross(less(other[y], other[x]), less(other[z], other[x]));
                let length = normal
                    .map(|x| (x as f64).powi(2))
                    .iter()
                    .sum::<f64>()
                    .sqrt();
                -(dot(normal, less(p, other[x])) as f64) / length * scale
            })
        };
        for &corner in of[k] {
            let deep = heights(corner).into_iter().fold(f64::INFINITY, f64::min);
            let upper = depth.protrusion[k].map_or(f64::INFINITY, |found| found.upper);
            // The corner's depth is rounded a few times.
            if deep > upper * (1.0 + 1e-12) {
                return Err(format!("a corner is {deep} deep, but {upper} is the most"));
            }
        }
    }
    Ok(())
}
