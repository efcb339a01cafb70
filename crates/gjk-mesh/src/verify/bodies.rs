//! Two bodies as integers on one grid, and points of theirs as fractions.
//!
//! Idea: each float is an integer times a power of two. Where triangles meet, a coordinate is a fraction of such integers.

use super::PlainBody;
use core::cmp::Ordering;
use gjk_exact::integer::{self, Int, Int3, common_factor, cross, dot, grid_of, on_grid, sign, sub};

/// How far a step upward takes the two other coordinates: few faces and edges of a part stand along such a line, so few rays upward run
/// along one. Any numbers do.
const SLANT: [i64; 2] = [1021, 2039];

/// A body on the grid.
pub(super) struct GridBody<'p> {
    /// As the certificate has it: where its vertices are is told by the integers.
    pub(super) plain: &'p PlainBody,
    /// The vertices, in steps of the grid.
    pub(super) vertices: Vec<Int3>,
    /// The same after a shear, which keeps planes, orders and volumes; all but distances and directions is asked of these.
    slanted: Vec<Int3>,
    /// Boxes of the slanted triangles, a rounding wider.
    boxes: Vec<FloatBox>,
    /// The numbers of the pieces, and the triangles of each.
    pub(super) pieces: Vec<Vec<u32>>,
}

/// The least and the largest coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloatBox {
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
}

impl FloatBox {
    fn meets(&self, other: &Self, axis: usize) -> bool {
        self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis]
    }

    /// Whether they share a point.
    pub(super) fn touches(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.meets(other, axis))
    }

    /// Whether a line upward from a point of this box may meet the other.
    pub(super) fn is_below(&self, other: &Self) -> bool {
        self.meets(other, 0) && self.meets(other, 1) && self.low[2] <= other.high[2]
    }
}

/// A triangle of a body, slanted.
pub(super) type GridTriangle<'b> = [&'b Int3; 3];

/// A point: each coordinate over the divisor, in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fraction {
    pub(super) at: Int3,
    /// Positive.
    pub(super) divisor: Int,
}

impl Fraction {
    /// A point of the grid.
    pub(super) fn of(at: &Int3) -> Self {
        Self {
            at: at.clone(),
            divisor: Int::ONE,
        }
    }

    /// Coordinates over a divisor that is not zero.
    pub(super) fn new(at: &Int3, divisor: &Int) -> Self {
        let [x, y, z] = at.clone();
        let mut factor = common_factor(&[x, y, z, divisor.clone()]);
        if sign(divisor).is_lt() {
            factor = -factor;
        }
        Self {
            at: [0, 1, 2].map(|k| &at[k] / &factor),
            divisor: divisor / &factor,
        }
    }

    /// From a point of the grid to this one, times the divisor.
    pub(super) fn minus(&self, origin: &Int3) -> Int3 {
        [0, 1, 2].map(|k| &self.at[k] - &origin[k] * &self.divisor)
    }

    /// A box around it.
    pub(super) fn around(&self) -> FloatBox {
        // A quotient of two rounded numbers is off by three roundings at most.
        const ROUNDINGS: f64 = 4.0;
        let divisor = self.divisor.to_f64().value();
        let ends = [0, 1, 2].map(|k| {
            let x = self.at[k].to_f64().value() / divisor;
            let slack = ROUNDINGS * f64::EPSILON * x.abs();
            if (x + slack).is_finite() {
                [x - slack, x + slack]
            } else {
                [f64::NEG_INFINITY, f64::INFINITY]
            }
        });
        FloatBox {
            low: ends.map(|end| end[0]),
            high: ends.map(|end| end[1]),
        }
    }
}

/// Two bodies on their common grid: the same power of two for both.
pub(super) fn on_common_grid(bodies: [&PlainBody; 2]) -> ([GridBody<'_>; 2], i32) {
    after_translation(bodies, [0.0; 3])
}

/// The same after a translation of the first body, which rounds nothing.
pub(super) fn after_translation(bodies: [&PlainBody; 2], by: [f64; 3]) -> ([GridBody<'_>; 2], i32) {
    let all = bodies
        .iter()
        .flat_map(|body| body.vertices.iter().flatten());
    // Zeros alone have no grid of their own.
    let grid = grid_of(all.copied().chain(by)).min(0);
    let [first, second] = bodies;
    let both = [
        GridBody::new(first, grid, by),
        GridBody::new(second, grid, [0.0; 3]),
    ];
    (both, grid)
}

impl<'p> GridBody<'p> {
    fn new(plain: &'p PlainBody, grid: i32, by: [f64; 3]) -> Self {
        let by = by.map(|x| on_grid(x, grid));
        let at = |point: &[f64; 3]| [0, 1, 2].map(|k: usize| on_grid(point[k], grid) + &by[k]);
        Self::with_vertices(plain, plain.vertices.iter().map(at).collect())
    }

    /// A body with its vertices where integers say.
    pub(super) fn with_vertices(plain: &'p PlainBody, vertices: Vec<Int3>) -> Self {
        let [along_x, along_y] = SLANT.map(Int::from);
        let slanted: Vec<Int3> = vertices
            .iter()
            .map(|[x, y, z]| [x + &along_x * z, y + &along_y * z, z.clone()])
            .collect();
        let float = |point: &Int3| [0, 1, 2].map(|k: usize| point[k].to_f64().value());
        let floats: Vec<[f64; 3]> = slanted.iter().map(float).collect();
        let boxes = plain
            .triangles
            .iter()
            .map(|corners| {
                let of = |f: fn(f64, f64) -> f64, axis: usize| {
                    let [a, b, c] = corners.map(|v| floats[v as usize][axis]);
                    f(a, f(b, c))
                };
                FloatBox {
                    low: [0, 1, 2].map(|axis| of(f64::min, axis).next_down()),
                    high: [0, 1, 2].map(|axis| of(f64::max, axis).next_up()),
                }
            })
            .collect();
        let count = plain.pieces.iter().flatten().max().map_or(0, |&k| k + 1);
        let mut pieces = vec![Vec::new(); count as usize];
        for (triangle, piece) in (0..).zip(&plain.pieces) {
            if let Some(piece) = piece {
                pieces[*piece as usize].push(triangle);
            }
        }
        Self {
            plain,
            vertices,
            slanted,
            boxes,
            pieces,
        }
    }

    /// The box of a triangle.
    pub(super) fn box_of(&self, triangle: u32) -> &FloatBox {
        &self.boxes[triangle as usize]
    }

    /// The corners of a triangle.
    pub(super) fn corners(&self, triangle: u32) -> GridTriangle<'_> {
        self.plain.triangles[triangle as usize].map(|v| &self.slanted[v as usize])
    }

    /// The piece of a triangle that is part of it: one without an area is none of a solid.
    pub(super) fn piece_of(&self, triangle: u32) -> Option<u32> {
        let piece = self.plain.pieces[triangle as usize]?;
        (!self.plain.solid || !self.is_flat(triangle)).then_some(piece)
    }

    /// Whether a triangle has no area.
    pub(super) fn is_flat(&self, triangle: u32) -> bool {
        integer::is_zero(&normal(self.corners(triangle)))
    }
}

/// The edges of a triangle, each from its corner to the next.
pub(super) fn edges(corners: GridTriangle<'_>) -> [Int3; 3] {
    [0, 1, 2].map(|k| sub(corners[(k + 1) % 3], corners[k]))
}

/// The normal of a triangle, as long as twice its area.
pub(super) fn normal([a, b, c]: GridTriangle<'_>) -> Int3 {
    cross(&sub(b, a), &sub(c, a))
}

/// Which edges of a triangle a point of its plane is on; `None` where the point is outside.
pub(super) fn edges_at(
    corners: GridTriangle<'_>,
    normal: &Int3,
    point: &Fraction,
) -> Option<[bool; 3]> {
    let edges = edges(corners);
    let mut on = [false; 3];
    for k in 0..3 {
        match sign(&dot(normal, &cross(&edges[k], &point.minus(corners[k])))) {
            Ordering::Less => return None,
            side => on[k] = side.is_eq(),
        }
    }
    Some(on)
}
