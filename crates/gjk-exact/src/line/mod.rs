//! A straight line against the Minkowski difference of two sets of points: where it enters, where it leaves, or a plane that proves a miss.
//!
//! Where it sits: beside [`crate::classify`](mod@crate::classify). Crate `gjk` asks it about bodies that move, and about rays, whose second body is one
//! point. Read [`cross`].
//! Pairs: no difference is ever built. A vertex is a pair, found by the farthest point of each set along a symbolic direction.
//! Idea: let `v` be the direction, and look along it. The hull becomes a polygon, and the line becomes one point of the plane. First,
//! `start.rs` finds a triangle of vertices whose shadow holds that point, or a direction that proves that there is none. Then
//! `portal.rs` swaps one vertex of the triangle after another until its plane supports the hull: that is the facet through which
//! the line enters. The same with the opposite sense finds the facet through which it leaves. Each decision is the sign of a
//! determinant of three differences, so each is exact.
//! Flat hulls: where the shadow has no area but holds the line, the hull lies in a plane that contains `v`. Then one coordinate is dropped,
//! which loses no bit, and the same code runs in the plane; a second drop leaves a problem of numbers. Problems of the plane start there.
//! Numbers: the place `t·v` of a crossing is one quotient of two determinants, see `ratio.rs`.
//! Rounded hulls: `rounded.rs` compares distances of the line with a radius, in integers. `face.rs` names what is crossed.
//! Source: Snethen, XenoCollide, Game Programming Gems 7 (2008), for the portals; Edelsbrunner and Mücke, ACM Trans. Graphics 9
//! (1990), for the line that is moved symbolically.

mod face;
mod portal;
mod ratio;
mod rounded;
mod start;
mod view;

pub use portal::Portal;
pub use ratio::Ratio;
pub use rounded::{Combination, LineNearest, Passing};
pub use view::Line;

use crate::integer::Int3;
use crate::problem::Points;
use core::cmp::Ordering;
use start::Start;

/// What a line and a hull have in common.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // there is one of it a query
pub enum Crossing {
    /// No point. The direction has `direction · w > 0` for all points `w` of the hull, and is at a right angle to the line.
    Misses {
        /// As integers, times some positive factor.
        direction: Int3,
    },
    /// The points between two facets.
    Crosses {
        /// The facet with the least `t`.
        enter: Portal,
        /// The facet with the greatest `t`.
        exit: Portal,
        /// No inner point of the hull is on the line.
        grazes: bool,
    },
}

/// Where the line `t·v` and the hull of the differences `a − b` meet; `v` is the velocity of `b` less that of `a`.
///
/// Frame: that of the points.  In the plane (`dim` 2) the third components must be zero.
/// `None` where nothing moves, for no points, and after more steps than any hull can need.
/// # Accuracy  exact for finite coordinates.
/// # Complexity  O(m + n) for each of some ten steps, with the few signs that floats do not tell; less where points know their farthest.
pub fn cross<A: Points + ?Sized, B: Points + ?Sized>(line: &Line<'_, A, B>) -> Option<Crossing> {
    if line.a.count() == 0 || line.b.count() == 0 || line.rests() {
        return None;
    }
    let mut line = *line;
    let mut grazes = false;
    let vertices = loop {
        match start::find(&line)? {
            Start::Misses(direction) => return Some(Crossing::Misses { direction }),
            Start::Inside(vertices) => break vertices,
            Start::OnBorder(vertices) => {
                grazes = true;
                break vertices;
            }
            // The hull lies in a plane through the line: it has no inner point.
            Start::Flat { dropped } => {
                grazes = true;
                line = line.without(dropped);
            }
        }
    };
    let start = Portal::new(&line, vertices);
    let enter = portal::refine(&line, start, Ordering::Less)?;
    let exit = portal::refine(&line, start, Ordering::Greater)?;
    Some(Crossing::Crosses {
        enter,
        exit,
        grazes: grazes || line.is_flat(&enter, &exit),
    })
}
