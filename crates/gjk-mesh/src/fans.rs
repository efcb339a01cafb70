//! Vertices about which a mesh does not meet itself: the triangles around them lie in front of one another from nowhere.
//!
//! Idea: seen along a direction from which all triangles about a vertex face the viewer, each turns to the left about it. Where the edges
//! across from the vertex close, these turns add up to whole rounds; where it is one round, the triangles lie side by side, and no two of them
//! share more than the corners that they have in common. Rounds are counted by the edges that pass a line through the vertex.
//! Numbers: nothing is decided by a float within its rounding: then a vertex is not such a one, and pairs of triangles are asked.
//! Source: Volino, Magnenat-Thalmann 1994 (surfaces that face one way do not meet themselves).

use crate::TriMesh;
use crate::signs::Point;
use crate::vector::{cross, dot, minus, plus, unit};

/// Roundings of a height of a vertex or a normal along a direction, in parts of the factors' sums: six of a normal's coordinate and four of a product of
/// three, which is the most.
const FAN_ROUNDINGS: f64 = 16.0;

/// Two directions of no pattern, of which one is not along a given one.
const ASIDE: [Point; 2] = [
    [1.0, 0.309_016_994_374_947_5, 0.177_245_385_090_551_6],
    [0.177_245_385_090_551_6, 1.0, 0.309_016_994_374_947_5],
];

/// What is known of the triangles about a vertex.
#[derive(Clone, Copy)]
struct Fan {
    /// From where they are seen: the sum of their normals.
    toward: Point,
    /// How often they go around; too much where it cannot be told.
    rounds: u8,
}

/// It cannot be told.
const UNCLEAR: u8 = 2;

/// By vertex, whether no two triangles about it share more than the corners that they have in common.
///
/// # Complexity  O(n).
pub(crate) fn plain_vertices(mesh: &TriMesh) -> Vec<bool> {
    let start = Fan {
        toward: [0.0; 3],
        rounds: 0,
    };
    let mut fans = vec![start; mesh.vertices().len()];
    for (number, corners) in (0..).zip(mesh.triangles()) {
        let [a, b, c] = mesh.corners(number);
        let normal = unit(cross(minus(b, a), minus(c, a)));
        for &v in corners {
            let fan = &mut fans[v as usize];
            match normal {
                Some(normal) => fan.toward = plus(fan.toward, normal),
                None => fan.rounds = UNCLEAR,
            }
        }
    }
    for (number, corners) in (0..).zip(mesh.triangles()) {
        let is_closed = mesh.shells()[mesh.shell_of(number) as usize].is_closed();
        let points = mesh.corners(number);
        for k in 0..3 {
            let fan = &mut fans[corners[k] as usize];
            if fan.rounds == UNCLEAR {
                continue;
            }
            let [at, from, to] = [points[k], points[(k + 1) % 3], points[(k + 2) % 3]];
            let passes = passes(fan.toward, [minus(from, at), minus(to, at)]);
            fan.rounds = match passes {
                Some(passes) if is_closed => UNCLEAR.min(fan.rounds + u8::from(passes)),
                _ => UNCLEAR,
            };
        }
    }
    fans.iter().map(|fan| fan.rounds == 1).collect()
}

/// Whether an edge, seen from a vertex, passes from below a line through it to above; `None` where the triangle does not face the
/// viewer, or floats do not tell.
fn passes(toward: Point, ends: [Point; 2]) -> Option<bool> {
    let part = FAN_ROUNDINGS * 0.5 * f64::EPSILON;
    let sum = |v: Point| v[0].abs() + v[1].abs() + v[2].abs();
    let [x, y] = [sum(ends[0]), sum(ends[1])];
    let seen = sum(toward) * part;
    let faces = dot(toward, cross(ends[0], ends[1])) > seen * x * y + f64::MIN_POSITIVE;
    // The first is along directions whose first coordinate is the largest.
    let along_first = toward[0].abs() >= toward[1].abs();
    let up = cross(toward, ASIDE[usize::from(along_first)]);
    let heights = ends.map(|end| dot(up, end));
    // The coordinates of the directions aside sum up to less than 2.
    let room = [x, y].map(|size| 2.0 * seen * size + f64::MIN_POSITIVE);
    let tells = heights[0].abs() > room[0] && heights[1].abs() > room[1];
    (faces && tells).then_some(heights[0] < 0.0 && heights[1] > 0.0)
}
