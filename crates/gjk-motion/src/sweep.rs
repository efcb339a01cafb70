//! What a piece sweeps while the joints on its side of a cell move: a support function that holds all of it.
//!
//! Where it sits: `cell.rs` makes one a side; the GJK loop asks it for its farthest points.
//! Idea: the joint next to the piece turns its corners along arcs, of which the farthest point along a direction has a closed form. All
//! other joints stand at both ends of their range: the hull of what these corners of the cell give, with a ball for what the arcs
//! between them add (`cell.rs` has its radius).

use crate::cell::CORNERS_MAX;
use crate::map::{LinkMap, V3};
use crate::rooted::RootedPiece;
use crate::scan::{ArcDirection, HighestCorner};
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
        let arc = ArcDirection {
            lower: Self::back(self.from, [d.x, d.y]),
            upper: Self::back(self.to, [d.x, d.y]),
            across,
            along: d.z,
            is_wide: self.half > std::f64::consts::FRAC_PI_2,
            is_full: self.half >= std::f64::consts::PI,
        };
        let HighestCorner { height, at } = piece.rows.highest_on_arc(&arc);
        let V3 { x, y, z } = piece.rows.corner(at);
        let [one, other] = arc.at_ends([x, y]);
        let [x, y] = if arc.holds([x, y]) && across > 0.0 {
            [d.x, d.y].map(|e| e / across * piece.rows.rho(at))
        } else if one > other || across == 0.0 {
            Self::forth(self.from, [x, y])
        } else {
            Self::forth(self.to, [x, y])
        };
        Highest {
            height,
            point: V3::new(x, y, z),
        }
    }
}

/// The highest of points.
fn highest_point(piece: &RootedPiece<'_>, d: V3) -> Highest {
    let HighestCorner { height, at } = piece.rows.highest(d);
    Highest {
        height,
        point: piece.rows.corner(at),
    }
}

impl SweptPiece<'_> {
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

    /// No point that a map places is higher: by the ball around the piece, whose middle goes along the arc too.
    #[inline(always)]
    fn height_bound(&self, map: &LinkMap, local: V3, direction: V3) -> f64 {
        let center = self.piece.center;
        let across = local.x * local.x + local.y * local.y;
        let middle = if self.arc.is_some() {
            across.sqrt() * self.piece.center_rho
        } else {
            local.x * center.x + local.y * center.y
        };
        let length = (across + local.z * local.z).sqrt();
        middle
            + local.z * center.z
            + self.piece.piece.reach * length
            + direction.dot(map.translation)
    }

    /// The farthest point along a direction.
    pub(crate) fn farthest(&self, direction: V3) -> V3 {
        if let [map] = &self.maps[..] {
            return map.point(self.highest(map.local_direction(direction)).point);
        }
        let mut locals = [V3::ZERO; CORNERS_MAX];
        let mut bounds = [-f64::INFINITY; CORNERS_MAX];
        let mut first = 0;
        for (at, map) in self.maps.iter().enumerate() {
            locals[at] = map.local_direction(direction);
            bounds[at] = self.height_bound(map, locals[at], direction);
            if bounds[at] > bounds[first] {
                first = at;
            }
        }
        let height_of = |at: usize| {
            let found = self.highest(locals[at]);
            let height = found.height + direction.dot(self.maps[at].translation);
            (height, at, found.point)
        };
        let mut best = height_of(first);
        for (at, &bound) in bounds[..self.maps.len()].iter().enumerate() {
            // A map that cannot come higher needs no scan. What rounding does to its bound is within the slack of heights.
            if at != first && bound > best.0 {
                let found = height_of(at);
                if found.0 > best.0 {
                    best = found;
                }
            }
        }
        self.maps[best.1].point(best.2)
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
