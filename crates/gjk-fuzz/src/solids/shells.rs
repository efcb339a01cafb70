//! Closed shells with whole corners, counter-clockwise seen from outside.

use super::brute::Face;
use super::whole::Whole;

/// A ring of corners around the origin, counter-clockwise, which sees all of it.
type Ring = &'static [[i64; 2]];

/// A square.
pub(super) const SQUARE: Ring = &[[8, -8], [8, 8], [-8, 8], [-8, -8]];

/// Points of a circle.
pub(super) const CIRCLE: Ring = &[
    [8, -1],
    [8, 1],
    [7, 4],
    [4, 7],
    [1, 8],
    [-1, 8],
    [-4, 7],
    [-7, 4],
    [-8, 1],
    [-8, -1],
    [-7, -4],
    [-4, -7],
    [-1, -8],
    [1, -8],
    [4, -7],
    [7, -4],
];

/// A star, with reflex corners.
pub(super) const STAR: Ring = &[
    [8, 0],
    [3, 2],
    [0, 8],
    [-2, 2],
    [-8, 0],
    [-2, -2],
    [0, -8],
    [2, -3],
];

/// The faces of a ring of quadrilaterals between two rings of as many corners.
fn between(inner: &[Whole], outer: &[Whole]) -> Vec<Face> {
    let next = |k: usize| (k + 1) % inner.len();
    let quad = |k: usize| {
        let [a, b, c, d] = [outer[k], outer[next(k)], inner[next(k)], inner[k]];
        [[a, b, c], [a, c, d]]
    };
    (0..inner.len()).flat_map(quad).collect()
}

fn fan(center: Whole, ring: &[Whole]) -> Vec<Face> {
    let next = |k: usize| ring[(k + 1) % ring.len()];
    (0..ring.len())
        .map(|k| [center, ring[k], next(k)])
        .collect()
}

/// Turns faces around.
pub(super) fn reversed(mut faces: Vec<Face>) -> Vec<Face> {
    faces.iter_mut().for_each(|face| face.swap(1, 2));
    faces
}

/// A prism over a ring that is `radii[1]` times as large, and between two heights; with a hole right through where `radii[0]` is not 0.
pub(super) fn prism(ring: Ring, radii: [i64; 2], heights: [i64; 2]) -> Vec<Face> {
    let at =
        |r: i64, z: i64| -> Vec<Whole> { ring.iter().map(|[x, y]| [r * x, r * y, z]).collect() };
    let [low, high] = heights;
    let [inner, outer] = radii;
    let mut faces = between(&at(outer, high), &at(outer, low));
    if inner == 0 {
        faces.extend(fan([0, 0, high], &at(outer, high)));
        faces.extend(reversed(fan([0, 0, low], &at(outer, low))));
    } else {
        faces.extend(between(&at(inner, low), &at(inner, high)));
        faces.extend(between(&at(inner, high), &at(outer, high)));
        faces.extend(between(&at(outer, low), &at(inner, low)));
    }
    faces
}

/// An octahedron.
pub(super) fn octahedron(size: i64) -> Vec<Face> {
    let ring = [[size, 0, 0], [0, size, 0], [-size, 0, 0], [0, -size, 0]];
    let mut faces = fan([0, 0, size], &ring);
    faces.extend(reversed(fan([0, 0, -size], &ring)));
    faces
}

/// A box of this half width from `bottom` to `top`, with a pit of another half width in the middle of its top that ends at the origin.
pub(super) fn with_pit(half: i64, bottom: i64, pit: i64, top: i64) -> Vec<Face> {
    let at = |r: i64, z: i64| [[r, -r, z], [r, r, z], [-r, r, z], [-r, -r, z]];
    let mut faces = between(&at(half, top), &at(half, bottom));
    faces.extend(between(&at(pit, top), &at(half, top)));
    faces.extend(fan([0; 3], &at(pit, top)));
    faces.extend(reversed(fan([0, 0, bottom], &at(half, bottom))));
    faces
}

/// A pyramid that stands on its apex at a height.
pub(super) fn spike(half: i64, apex: i64, height: i64) -> Vec<Face> {
    let top = apex + height;
    let ring = [
        [half, -half, top],
        [half, half, top],
        [-half, half, top],
        [-half, -half, top],
    ];
    let mut faces = reversed(fan([0, 0, apex], &ring));
    faces.extend([[ring[0], ring[1], ring[2]], [ring[0], ring[2], ring[3]]]);
    faces
}

/// Each triangle cut in four at the middles of its edges; coordinates are even.
pub(super) fn quartered(faces: &[Face]) -> Vec<Face> {
    let middle = |p: Whole, q: Whole| core::array::from_fn(|k| (p[k] + q[k]) / 2);
    let four = |&[a, b, c]: &Face| {
        let [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
        [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
    };
    faces.iter().flat_map(four).collect()
}
