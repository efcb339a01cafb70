//! Vectors, maps and cuts in whole numbers, for bodies whose truth is found by comparing such numbers.

use super::cells::Surface;
use crate::Rng;
use core::cmp::Ordering;
use gjk::{Pose3, Vec3};

/// A point with whole coordinates.
pub(super) type Whole = [i64; 3];

/// Corners are multiples of this, so that points that cut a triangle three times are whole.
pub(super) const UNIT: i64 = 64;

/// Corners of the first body are multiples of this, so that middles of up to four of them are multiples of the unit.
pub(super) const STEP: i64 = 4 * UNIT;

pub(super) fn less(a: Whole, b: Whole) -> [i128; 3] {
    core::array::from_fn(|k| i128::from(a[k] - b[k]))
}

pub(super) fn cross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    core::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i] * b[j] - a[j] * b[i]
    })
}

pub(super) fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Along some axes, the widest gap between the hulls of points, or their least overlap: greater for a gap, equal where one axis has them
/// beside one another, less where they overlap along each. Axes of length zero are left out.
pub(super) fn widest_gap(
    axes: impl Iterator<Item = [i128; 3]>,
    a: &[Whole],
    b: &[Whole],
) -> Ordering {
    let mut widest = Ordering::Less;
    for axis in axes.filter(|&axis| axis != [0; 3]) {
        let heights = |of: &[Whole]| {
            let mut range = [i128::MAX, i128::MIN];
            for p in of {
                let height = dot(axis, p.map(i128::from));
                range = [range[0].min(height), range[1].max(height)];
            }
            range
        };
        let ([low_a, high_a], [low_b, high_b]) = (heights(a), heights(b));
        widest = widest.max((low_b - high_a).max(low_a - high_b).cmp(&0));
        if widest.is_gt() {
            break;
        }
    }
    widest
}

/// A map of points with whole numbers, of determinant 1 or −1: `linear·x + origin`.
#[derive(Clone, Copy)]
pub(super) struct Map {
    linear: [Whole; 3],
    inverse: [Whole; 3],
    origin: Whole,
}

impl Map {
    /// The map that moves nothing.
    pub(super) fn unit() -> Self {
        let unit = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        Self {
            linear: unit,
            inverse: unit,
            origin: [0; 3],
        }
    }

    pub(super) fn random(random: &mut Rng) -> Self {
        let mut map = Self::unit();
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

    /// The same to another place.
    pub(super) fn moved(self, by: Whole) -> Self {
        let origin = core::array::from_fn(|k| self.origin[k] + by[k]);
        Self { origin, ..self }
    }

    /// Whether left and right change places.
    pub(super) fn mirrors(&self) -> bool {
        let [x, y, z] = self.linear.map(|row| row.map(i128::from));
        dot(cross(x, y), z) < 0
    }

    pub(super) fn back(&self, p: Whole) -> Whole {
        let from: Whole = core::array::from_fn(|k| p[k] - self.origin[k]);
        self.inverse
            .map(|row| (0..3).map(|k| row[k] * from[k]).sum())
    }

    pub(super) fn pose(&self, scale: f64) -> Pose3<f64> {
        let columns =
            transposed(&self.linear).map(|[x, y, z]| Vec3::new(x as f64, y as f64, z as f64));
        let [x, y, z] = self.origin.map(|x| x as f64 * scale);
        Pose3::from_columns(columns, Vec3::new(x, y, z))
    }
}

fn transposed(m: &[Whole; 3]) -> [Whole; 3] {
    core::array::from_fn(|i| core::array::from_fn(|j| m[j][i]))
}

/// The surface of faces in the frame of a pose, reordered, clockwise from outside if it is to be inside out.
pub(super) fn placed(
    random: &mut Rng,
    faces: &[[Whole; 3]],
    map: &Map,
    scale: f64,
    inside_out: bool,
) -> Surface {
    let corners = faces.as_flattened().iter();
    let vertices = corners.map(|&p| map.back(p).map(|x| x as f64 * scale));
    let turns_over = map.mirrors() ^ inside_out;
    let mut triangles: Vec<[u32; 3]> = (0..faces.len() as u32)
        .map(|k| {
            let mut triangle = [3 * k, 3 * k + 1, 3 * k + 2];
            if turns_over {
                triangle.swap(1, 2);
            }
            triangle.rotate_left(random.below(3) as usize);
            triangle
        })
        .collect();
    for k in (0..triangles.len()).rev() {
        triangles.swap(k, random.below(k as u64 + 1) as usize);
    }
    (vertices.collect(), triangles)
}

/// The mean of four points, if it is whole.
pub(super) fn part(of: [Whole; 4]) -> Option<Whole> {
    let sum: Whole = core::array::from_fn(|k| of.iter().map(|p| p[k]).sum());
    sum.iter().all(|x| x % 4 == 0).then(|| sum.map(|x| x / 4))
}

/// Cuts all faces at the middle of an edge, or one at a point inside, if that point is whole.
pub(super) fn cut(random: &mut Rng, faces: &mut Vec<[Whole; 3]>) {
    let number = random.below(faces.len() as u64) as usize;
    let [a, b, c] = faces[number];
    if random.one_in(2) {
        let Some(at) = part([a, a, b, c]) else {
            return;
        };
        faces[number] = [a, b, at];
        faces.extend([[b, c, at], [c, a, at]]);
        return;
    }
    let Some(at) = part([a, a, b, b]) else {
        return;
    };
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
