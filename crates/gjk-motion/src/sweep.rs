//! What a piece sweeps while the joints on its side of a cell move: a support function that holds all of it.
//!
//! Where it sits: `cell.rs` makes one a side; the GJK loop asks it for its farthest points.
//! Idea: the joint next to the piece turns its corners along arcs, of which the farthest point along a direction has a closed form. All
//! other joints stand at both ends of their range: the hull of what these corners of the cell give, with a ball for what the arcs
//! between them add (`cell.rs` has its radius).

use crate::map::{LinkMap, V3};
use crate::rooted::RootedPiece;
use gjk::math::Vector;
use gjk::{NO_ID, Support, SupportPoint};

/// A piece swept by the joints on its side.
#[derive(Debug)]
pub(crate) struct SweptPiece<'p> {
    pub(crate) piece: &'p RootedPiece<'p>,
    /// From the piece's rooted frame to the pair's, a corner of the cell each.
    pub(crate) maps: Vec<LinkMap>,
    /// How the joint next to the piece turns it, where that is not in the maps.
    pub(crate) arc: Option<Arc>,
}

/// A range of angles about the third axis of the rooted frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    /// Cosine and sine of the lower end.
    pub(crate) from: [f64; 2],
    /// Cosine and sine of the upper end.
    pub(crate) to: [f64; 2],
    /// Half the range.
    pub(crate) half: f64,
}

/// The highest point of a rooted piece on its arcs.
#[derive(Clone, Copy)]
struct Highest {
    height: f64,
    point: V3,
}

impl Arc {
    /// The plane direction turned back by the angle of this cosine and sine.
    #[inline(always)]
    fn back([cos, sin]: [f64; 2], [x, y]: [f64; 2]) -> [f64; 2] {
        [cos * x + sin * y, cos * y - sin * x]
    }

    #[inline(always)]
    fn forth([cos, sin]: [f64; 2], [x, y]: [f64; 2]) -> [f64; 2] {
        [cos * x - sin * y, sin * x + cos * y]
    }

    /// The highest point along `d` of all that the points pass.
    ///
    /// A point at the distance `ρ` from the axis reaches `ρ·|d|` across it if the arc holds the direction, which is so if the point lies
    /// between the two directions turned back by the ends. On the very edge both are the same height, so it does not matter where
    /// rounding puts a point.
    fn highest(&self, piece: &RootedPiece<'_>, d: V3) -> Highest {
        let across = (d.x * d.x + d.y * d.y).sqrt();
        let [ax, ay] = Self::back(self.from, [d.x, d.y]);
        let [bx, by] = Self::back(self.to, [d.x, d.y]);
        let is_wide = self.half > std::f64::consts::FRAC_PI_2;
        let is_full = self.half >= std::f64::consts::PI;
        let rows = &piece.rows;
        let (mut best, mut at, mut how) = (-f64::INFINITY, 0, 0_u8);
        for (k, (((&x, &y), &z), &rho)) in rows
            .x
            .iter()
            .zip(&rows.y)
            .zip(&rows.z)
            .zip(&rows.rho)
            .enumerate()
        {
            let (one, other) = (ax * x + ay * y, bx * x + by * y);
            // From the upper end's direction counter-clockwise to the lower end's.
            let (past_b, before_a) = (bx * y - by * x, x * ay - y * ax);
            let is_inside = if is_wide {
                is_full || past_b >= 0.0 || before_a >= 0.0
            } else {
                past_b >= 0.0 && before_a >= 0.0
            };
            let ends = if one > other { one } else { other };
            let reached = if is_inside { rho * across } else { ends };
            let height = reached + d.z * z;
            if height > best {
                (best, at) = (height, k);
                how = if is_inside { 2 } else { u8::from(one <= other) };
            }
        }
        let [x, y] = [rows.x[at], rows.y[at]];
        let [x, y] = match how {
            0 => Self::forth(self.from, [x, y]),
            1 => Self::forth(self.to, [x, y]),
            _ if across > 0.0 => [d.x, d.y].map(|e| e / across * rows.rho[at]),
            _ => Self::forth(self.from, [x, y]),
        };
        Highest {
            height: best,
            point: V3::new(x, y, rows.z[at]),
        }
    }
}

/// The highest of points.
fn highest_point(piece: &RootedPiece<'_>, d: V3) -> Highest {
    let rows = &piece.rows;
    let (mut best, mut at) = (-f64::INFINITY, 0);
    for (k, ((&x, &y), &z)) in rows.x.iter().zip(&rows.y).zip(&rows.z).enumerate() {
        let height = d.x * x + d.y * y + d.z * z;
        if height > best {
            (best, at) = (height, k);
        }
    }
    Highest {
        height: best,
        point: V3::new(rows.x[at], rows.y[at], rows.z[at]),
    }
}

impl SweptPiece<'_> {
    /// Its corners, where each map puts them; none of a smooth piece.
    pub(crate) fn points(&self) -> Vec<V3> {
        let rows = &self.piece.rows;
        let corner = |k: usize| V3::new(rows.x[k], rows.y[k], rows.z[k]);
        let of = |map: &LinkMap| {
            (0..rows.x.len())
                .map(|k| map.point(corner(k)))
                .collect::<Vec<V3>>()
        };
        self.maps.iter().flat_map(of).collect()
    }

    fn highest(&self, d: V3) -> Highest {
        if let Some(smooth) = &self.piece.smooth {
            let local = self.piece.map.local_direction(d);
            let point: V3 = smooth.support(local, NO_ID).point;
            let point = self.piece.map.point(point);
            let height = d.dot(point);
            return Highest { height, point };
        }
        match &self.arc {
            Some(arc) => arc.highest(self.piece, d),
            None => highest_point(self.piece, d),
        }
    }

    /// The farthest point along a direction.
    pub(crate) fn farthest(&self, direction: V3) -> V3 {
        let mut best = -f64::INFINITY;
        let mut farthest = V3::ZERO;
        for map in &self.maps {
            let found = self.highest(map.local_direction(direction));
            let height = found.height + direction.dot(map.translation);
            if height > best {
                best = height;
                farthest = map.point(found.point);
            }
        }
        farthest
    }
}

impl Support<V3> for SweptPiece<'_> {
    fn support(&self, direction: V3, _hint: u32) -> SupportPoint<V3> {
        SupportPoint {
            point: self.farthest(direction),
            id: NO_ID,
        }
    }
}
