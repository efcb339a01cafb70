//! Small sets of triangles, of every kind that meshes have.

use super::brute::Face;
use super::whole::{STEP, UNIT, Whole, part};
use crate::Rng;

/// Needles and plates are so much longer than thick.
const LONG: i64 = STEP << 20;

/// The most triangles that are still given copies, backs and flat neighbours.
const FACES_MAX: usize = 24;

/// A random set of triangles of some size in steps; corners are at features of `near`, or a unit beside them, here and there.
pub(super) fn random(random: &mut Rng, range: i64, near: &[Face]) -> Vec<Face> {
    let mut faces = match random.below(11) {
        0 => soup(random, range, 6),
        1 => sheet(random, range),
        2 => strip(random, range),
        3 => fan(random, range),
        4 => shell(random, range, true),
        5 => shell(random, range, false),
        6 => t_junction(random, range),
        7 => in_one_plane(random, range),
        8 => long(random, range),
        9 => again(random, range, near),
        _ => soup(random, range, 1),
    };
    if !near.is_empty() && !random.one_in(3) {
        snapped(random, &mut faces, near);
    }
    if random.one_in(3) && faces.len() < FACES_MAX {
        spoiled(random, &mut faces);
    }
    faces
}

fn point(random: &mut Rng, range: i64) -> Whole {
    [0; 3].map(|_| STEP * random.int(-range, range))
}

fn soup(random: &mut Rng, range: i64, most: u64) -> Vec<Face> {
    let count = 1 + random.below(most);
    (0..count)
        .map(|_| [0; 3].map(|_| point(random, range)))
        .collect()
}

/// A grid of some squares, each at random heights and cut along a diagonal, and some left out.
fn sheet(random: &mut Rng, range: i64) -> Vec<Face> {
    let (wide, long) = (1 + random.below(3) as i64, 1 + random.below(2) as i64);
    let corner = point(random, range);
    let height = if random.one_in(2) { 0 } else { range };
    let heights: Vec<i64> = (0..12)
        .map(|_| STEP * random.int(-height, height))
        .collect();
    let axis = random.below(3) as usize;
    let node = |x: i64, y: i64| {
        let mut at = corner;
        at[axis] += STEP * x;
        at[(axis + 1) % 3] += STEP * y;
        at[(axis + 2) % 3] += heights[(4 * y + x) as usize];
        at
    };
    let mut faces = Vec::new();
    for (x, y) in (0..long).flat_map(|y| (0..wide).map(move |x| (x, y))) {
        if wide * long > 2 && random.one_in(6) {
            continue;
        }
        let mut ring = [
            node(x, y),
            node(x + 1, y),
            node(x + 1, y + 1),
            node(x, y + 1),
        ];
        ring.rotate_left(random.below(2) as usize);
        let [a, b, c, d] = ring;
        faces.extend([[a, b, c], [a, c, d]]);
    }
    faces
}

/// A strip whose next triangle has the last two corners of the one before, which may fold it back.
fn strip(random: &mut Rng, range: i64) -> Vec<Face> {
    let flat = random.one_in(2);
    let mut corners: Vec<Whole> = Vec::new();
    for _ in 0..4 + random.below(5) {
        let mut at = point(random, range);
        if flat {
            at[2] = 0;
        }
        corners.push(at);
    }
    let turned = |k: usize| {
        let [a, b, c] = [corners[k], corners[k + 1], corners[k + 2]];
        if k.is_multiple_of(2) {
            [a, b, c]
        } else {
            [b, a, c]
        }
    };
    (0..corners.len() - 2).map(turned).collect()
}

/// Triangles around a corner, all the way or not.
fn fan(random: &mut Rng, range: i64) -> Vec<Face> {
    let center = point(random, range);
    let ring: Vec<Whole> = (0..3 + random.below(4))
        .map(|_| point(random, range))
        .collect();
    let open = usize::from(random.one_in(2));
    (0..ring.len() - open)
        .map(|k| [center, ring[k], ring[(k + 1) % ring.len()]])
        .collect()
}

/// A tetrahedron, an octahedron or a cube; without one of its triangles if it is to be open.
fn shell(random: &mut Rng, range: i64, open: bool) -> Vec<Face> {
    let center = point(random, range);
    let size = STEP * (1 + random.below(range as u64) as i64);
    let at = |p: [i64; 3]| core::array::from_fn(|k| center[k] + size * p[k]);
    let face = |f: [[i64; 3]; 3]| f.map(at);
    let mut faces: Vec<Face> = Vec::new();
    match random.below(3) {
        0 => {
            let t = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
            let all = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
            faces.extend(all.map(|f: [usize; 3]| face(f.map(|k| t[k]))));
        }
        1 => {
            for signs in 0..8 {
                let sign = |k: i32| if signs >> k & 1 == 0 { 1 } else { -1 };
                let mut ends = [[sign(0), 0, 0], [0, sign(1), 0], [0, 0, sign(2)]];
                if sign(0) * sign(1) * sign(2) < 0 {
                    ends.swap(1, 2);
                }
                faces.push(face(ends));
            }
        }
        _ => {
            for (axis, up) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
                let corner = |u: i64, v: i64| {
                    let mut p = [0; 3];
                    (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (up, u, v);
                    p
                };
                let mut ring = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                if up == 0 {
                    ring.reverse();
                }
                ring.rotate_left(random.below(2) as usize);
                let [a, b, c, d] = ring;
                faces.extend([face([a, b, c]), face([a, c, d])]);
            }
        }
    }
    if open {
        faces.swap_remove(random.below(faces.len() as u64) as usize);
    }
    faces
}

/// A triangle with two beside one of its edges, that meet in the middle of it.
fn t_junction(random: &mut Rng, range: i64) -> Vec<Face> {
    let [a, b, c, d] = [0; 4].map(|_| point(random, range));
    let middle = part([a, a, b, b]).unwrap_or(a);
    vec![[a, b, c], [b, middle, d], [middle, a, d]]
}

/// Triangles that overlap one another in a plane, and a neighbour of it.
fn in_one_plane(random: &mut Rng, range: i64) -> Vec<Face> {
    let (axis, height) = (random.below(3) as usize, STEP * random.int(-1, 1));
    let slope = random.int(-1, 1);
    let mut faces = soup(random, range.max(2), 12);
    for p in faces.as_flattened_mut() {
        p[axis] = height + slope * p[(axis + 1) % 3];
    }
    faces
}

/// Needles and plates.
fn long(random: &mut Rng, range: i64) -> Vec<Face> {
    let axis = random.below(3) as usize;
    let is_plate = random.one_in(2);
    let mut faces = soup(random, range, 2);
    for p in faces.as_flattened_mut() {
        p[axis] = random.pick(&[-LONG, LONG, LONG + p[axis]]);
        if is_plate {
            p[(axis + 1) % 3] = random.pick(&[-LONG, LONG, p[(axis + 1) % 3]]);
        }
    }
    faces
}

/// The other set again, or moved by a step or a unit along some axes.
fn again(random: &mut Rng, range: i64, near: &[Face]) -> Vec<Face> {
    if near.is_empty() {
        return soup(random, range, 3);
    }
    let by = random.pick(&[0, 1, UNIT, STEP]);
    let by: Whole = [0; 3].map(|_| by * random.int(-1, 1));
    let mut faces = near.to_vec();
    for p in faces.as_flattened_mut() {
        *p = core::array::from_fn(|k| p[k] + by[k]);
    }
    faces
}

/// Moves corners to points of the other set: its corners, and points of its edges and triangles, or a little beside them.
fn snapped(random: &mut Rng, faces: &mut [Face], near: &[Face]) {
    let mut corners: Vec<Whole> = faces.as_flattened().to_vec();
    corners.sort_unstable();
    corners.dedup();
    let share = 1 + random.below(4);
    for old in corners {
        if !random.one_in(share) {
            continue;
        }
        let [a, b, c] = random.pick(near);
        let of = random.pick(&[
            [a; 4],
            [a, a, b, b],
            [a, a, b, c],
            [b, b, b, c],
            [c, c, c, a],
        ]);
        let Some(mut at) = part(of) else {
            continue;
        };
        if random.one_in(4) {
            let by = random.pick(&[1, UNIT, STEP]);
            at = at.map(|x| x + by * random.int(-1, 1));
        }
        for p in faces.as_flattened_mut().iter_mut().filter(|p| **p == old) {
            *p = at;
        }
    }
}

/// Adds a copy, the back of a triangle, or one without an area; takes one away; turns one.
fn spoiled(random: &mut Rng, faces: &mut Vec<Face>) {
    for _ in 0..1 + random.below(3) {
        if faces.is_empty() {
            return;
        }
        let number = random.below(faces.len() as u64) as usize;
        let [a, b, c] = faces[number];
        match random.below(6) {
            0 => faces.push([b, c, a]),
            1 => faces.push([b, a, c]),
            2 => faces.extend(part([a, a, b, b]).map(|middle| [a, middle, b])),
            3 => faces.push(random.pick(&[[a; 3], [a, b, b]])),
            4 if faces.len() > 1 => drop(faces.swap_remove(number)),
            _ => faces[number] = [a, c, b],
        }
    }
}
