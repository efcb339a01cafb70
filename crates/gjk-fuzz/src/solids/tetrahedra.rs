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
use super::whole::{Map, STEP, UNIT, Whole, cross, cut, dot, less, placed, widest_gap};
use super::{RELATIONS, Tally, in_world};
use crate::Rng;
use core::cmp::Ordering;
use gjk::query::Pair;
use gjk::shape::Polytope;
use gjk::{Pose3, Vec3};
use gjk_mesh::{Depth, Relation};
use std::collections::BTreeSet;

/// The family's name.
pub(super) const NAME: &str = "tetrahedra";

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

type Tetrahedron = [Whole; 4];

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
    let axes = normals(a).into_iter().chain(normals(b)).chain(across);
    match widest_gap(axes, a, b) {
        Ordering::Greater => Relation::Separated,
        Ordering::Equal => Relation::Touching,
        Ordering::Less => Relation::Overlapping,
    }
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

/// The surface of tetrahedra, cut and reordered, in the frame of a pose; `None` where two share three points, as they may be one shell
/// then.
fn surface(random: &mut Rng, of: &[Tetrahedron], map: &Map, scale: f64) -> Option<Surface> {
    let mut all = Vec::new();
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
        all.extend(faces);
    }
    // Also inside out, which a file of that kind is not meant.
    let inside_out = random.one_in(8);
    Some(placed(random, &all, map, scale, inside_out))
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
        maps[1] = maps[0];
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
    if let Err(message) = judged([&a, &b], &surfaces, &poses, scale, more, tally) {
        tally.found(number, message, in_world(&surfaces, &poses));
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
        tally.verify(&at_a, &at_b, &found, true)?;
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
