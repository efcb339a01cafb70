//! What is around a direction: the half-planes of two surfaces that it bounds, in order, and the regions between them.
//!
//! Idea: about an axis bodies are sectors of a circle. Where a surface's half-plane enters its body the next region is inside, so
//! one half-plane that does not lie on another tells of all regions.

use crate::signs::{Span, determinant};
use core::cmp::Ordering::{self, Equal, Greater, Less};

/// A half-plane of a surface, bounded by the axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfPlane {
    /// A direction within it.
    pub(crate) towards: Span,
    /// 1 where the body is counter-clockwise of it, −1 where it is clockwise.
    pub(crate) jump: i32,
}

/// Where a half-plane is, seen counter-clockwise from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    None,
    BelowHalf,
    Half,
    AboveHalf,
}

/// Half-planes of one direction.
#[derive(Clone, Debug)]
struct Ray {
    towards: Span,
    turn: Turn,
    /// For each surface: whether it has a half-plane here, and the sum of the jumps.
    has: [bool; 2],
    jumps: [i32; 2],
}

/// The half-planes of two surfaces about an axis, counter-clockwise.
pub(crate) struct Around {
    rays: Vec<Ray>,
}

impl Around {
    pub(crate) fn new(axis: &Span, surfaces: [&[HalfPlane]; 2]) -> Self {
        let mut rays = Vec::with_capacity(surfaces[0].len() + surfaces[1].len());
        for (surface, half_planes) in surfaces.into_iter().enumerate() {
            for half_plane in half_planes {
                let at = ray_at(axis, &mut rays, &half_plane.towards);
                rays[at].has[surface] = true;
                rays[at].jumps[surface] += half_plane.jump;
            }
        }
        Self { rays }
    }

    /// For each ray which surfaces have a half-plane there.
    pub(crate) fn on(&self) -> impl Iterator<Item = [bool; 2]> {
        self.rays.iter().map(|ray| ray.has)
    }

    /// Whether a body is in the region after each ray; `None` where its jumps cancel, or are no body's.
    pub(crate) fn regions(&self, body: usize) -> Option<Vec<bool>> {
        let first = self.rays.iter().position(|ray| ray.jumps[body] != 0)?;
        let mut inside = self.rays[first].jumps[body] < 0;
        let mut regions = vec![false; self.rays.len()];
        for step in 0..self.rays.len() {
            let k = (first + step) % self.rays.len();
            inside = match (self.rays[k].jumps[body], inside) {
                (0, same) => same,
                (1, false) => true,
                (-1, true) => false,
                _ => return None,
            };
            regions[k] = inside;
        }
        // Around the circle it must close.
        (inside == (self.rays[first].jumps[body] < 0)).then_some(regions)
    }

    /// Whether the jumps of a body all cancel.
    pub(crate) fn is_even(&self, body: usize) -> bool {
        self.rays.iter().all(|ray| ray.jumps[body] == 0)
    }

    /// The number of the ray before a direction that is on none: `sign(t)` is the sign of the determinant of the direction, the axis
    /// and `t`. `None` without rays.
    pub(crate) fn ray_before(&self, sign: impl Fn(&Span) -> Ordering) -> Option<usize> {
        // That is the determinant of the axis, `t` and the direction: greater where the direction is within half a turn of `t`.
        let below_half = sign(&self.rays.first()?.towards).is_gt();
        let is_before = |ray: &&Ray| match ray.turn {
            Turn::None => true,
            Turn::BelowHalf => !below_half || sign(&ray.towards).is_gt(),
            Turn::Half => !below_half,
            Turn::AboveHalf => !below_half && sign(&ray.towards).is_gt(),
        };
        Some(self.rays.iter().filter(is_before).count() - 1)
    }

    /// Whether the surfaces pass through each other: two half-planes of the one alternate with two of the other. What both have counts for
    /// either, so that a surface that passes through a part of another passes through the whole of it.
    ///
    /// Of the first surface's first three half-planes one is between the other surface's two, wherever these are, and can be the first of
    /// the four: so no more are tried.
    pub(crate) fn alternate(&self) -> bool {
        let count = self.rays.len();
        let firsts = (0..count).filter(|&k| self.rays[k].has[0]).take(3);
        firsts.into_iter().any(|first| {
            let mut wanted = [1, 0, 1].into_iter().peekable();
            for step in 1..count {
                let ray = &self.rays[(first + step) % count];
                wanted.next_if(|&surface| ray.has[surface]);
            }
            wanted.peek().is_none()
        })
    }
}

/// The number of the ray in a direction, which is added where it is new.
fn ray_at(axis: &Span, rays: &mut Vec<Ray>, towards: &Span) -> usize {
    let turn = match rays.first() {
        None => Turn::None,
        Some(first) => match determinant(axis, &first.towards, towards) {
            Greater => Turn::BelowHalf,
            Less => Turn::AboveHalf,
            Equal if is_same_half_plane(axis, &first.towards, towards) => Turn::None,
            Equal => Turn::Half,
        },
    };
    let order = |ray: &Ray| {
        let by_angle = || match turn {
            Turn::None | Turn::Half => Equal,
            _ => determinant(axis, &ray.towards, towards).reverse(),
        };
        ray.turn.cmp(&turn).then_with(by_angle)
    };
    let at = rays.iter().position(|ray| order(ray).is_ge());
    if let Some(at) = at
        && order(&rays[at]).is_eq()
    {
        return at;
    }
    let at = at.unwrap_or(rays.len());
    let ray = Ray {
        towards: *towards,
        turn,
        has: [false; 2],
        jumps: [0; 2],
    };
    rays.insert(at, ray);
    at
}

/// Whether two directions of one plane with the axis are on one side of it.
fn is_same_half_plane(axis: &Span, t: &Span, u: &Span) -> bool {
    let turn_of = axis.turn_to(t);
    turn_of.is_some_and(|(dropped, turn)| axis.turn(u, dropped) == turn)
}
