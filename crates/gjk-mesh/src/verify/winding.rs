//! How often a piece winds around a point, and around points next to it.
//!
//! Idea: a line upward from the point passes through triangles from below or from above; the difference is the winding number. A point
//! beside `p` is `p + ε d₁ + ε² d₂ + …` for some directions and a positive `ε` smaller than any number: every sign is that of the first term that is
//! not zero. Three more terms, along the axes, move the point off every edge that is above it, so nothing is degenerate.

use super::bodies::{Fraction, GridBody, edges, normal};
use core::cmp::Ordering;
use gjk_exact::integer::{Int, Int3, dot, sign};

/// What of a piece is above a point, or may be above a point next to it.
pub(super) struct Column {
    entries: Vec<Above>,
}

/// A triangle above the point.
struct Above {
    /// 1 where its normal points up, −1 where it points down.
    up: i64,
    /// The edges that are straight above the point: each of them as a direction in the plane below.
    edges: Vec<[Int; 2]>,
    /// Its normal where the point is in its plane.
    normal: Option<Int3>,
}

impl Column {
    /// The triangles of a piece above a point.
    pub(super) fn new(body: &GridBody<'_>, piece: u32, point: &Fraction) -> Self {
        let here = point.around();
        let triangles = body.pieces[piece as usize].iter();
        let entries = triangles
            .filter(|&&triangle| here.is_below(body.box_of(triangle)))
            .filter_map(|&triangle| Above::new(body, triangle, point))
            .collect();
        Self { entries }
    }

    /// The winding number around the point moved along `by`, the first direction first.
    pub(super) fn winding(&self, by: &[Int3]) -> i64 {
        self.entries
            .iter()
            .filter(|above| above.is_hit(by))
            .map(|above| above.up)
            .sum()
    }
}

impl Above {
    /// A triangle that is above the point, or is so once the point moves a little.
    fn new(body: &GridBody<'_>, triangle: u32, point: &Fraction) -> Option<Self> {
        let corners = body.corners(triangle);
        let normal = normal(corners);
        let up = match sign(&normal[2]) {
            Ordering::Greater => 1,
            Ordering::Less => -1,
            // It stands on an edge, and no line upward passes through.
            Ordering::Equal => return None,
        };
        let mut straight = Vec::new();
        for (edge, corner) in edges(corners).into_iter().zip(corners) {
            let to = point.minus(corner);
            let turn = sign(&(&edge[0] * &to[1] - &edge[1] * &to[0]));
            match facing(turn, up) {
                Ordering::Less => return None,
                Ordering::Equal => {
                    let [x, y, _] = edge;
                    straight.push([x, y]);
                }
                Ordering::Greater => {}
            }
        }
        let height = facing(sign(&dot(&normal, &point.minus(corners[0]))), up);
        (height.is_le()).then(|| Self {
            up,
            edges: straight,
            normal: height.is_eq().then_some(normal),
        })
    }

    /// Whether the line upward from the moved point passes through the triangle.
    fn is_hit(&self, by: &[Int3]) -> bool {
        let within = |[x, y]: &[Int; 2]| {
            let mut turn = by.iter().map(|d| sign(&(x * &d[1] - y * &d[0])));
            let turn = turn.find(|turn| turn.is_ne());
            // Moved along the first axis, then along the second.
            let turn = turn.unwrap_or_else(|| sign(y).reverse().then(sign(x)));
            facing(turn, self.up).is_gt()
        };
        let below = |normal: &Int3| {
            let mut height = by.iter().map(|d| sign(&dot(normal, d)));
            let height = height.find(|height| height.is_ne());
            let height = height.unwrap_or_else(|| {
                let [x, y, z] = normal;
                sign(x).then(sign(y)).then(sign(z))
            });
            facing(height, self.up).is_lt()
        };
        self.edges.iter().all(within) && self.normal.as_ref().is_none_or(below)
    }
}

/// A sign seen from a triangle's upper side.
fn facing(sign: Ordering, up: i64) -> Ordering {
    if up > 0 { sign } else { sign.reverse() }
}
