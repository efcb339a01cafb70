//! The contact of a segment and a triangle.

use super::Contact;
use super::coplanar;
use crate::signs::{Plane, Point, Triangle, side};
use core::cmp::Ordering;

/// A segment, and the sides of a triangle's plane that its ends are on.
pub(crate) struct Edge {
    pub(crate) ends: [Point; 2],
    pub(crate) signs: [Ordering; 2],
}

impl Edge {
    /// A segment over a triangle's plane.
    pub(crate) fn over(triangle: &Triangle, ends: [Point; 2]) -> Self {
        let plane = Plane::of(triangle);
        let signs = ends.map(|end| plane.side(triangle, end));
        Self { ends, signs }
    }

    /// How the segment meets the triangle, of which coordinate `dropped` may be left out: [`Contact::Crossing`] where its inside
    /// passes through the triangle's inside, else [`Contact::Touching`].
    pub(crate) fn contact(&self, triangle: &Triangle, dropped: usize) -> Option<Contact> {
        let [p, q] = self.ends;
        let touching = |meets: bool| meets.then_some(Contact::Touching);
        match self.signs.map(Ordering::is_eq) {
            [true, true] => touching(coplanar::meets(dropped, &self.ends, triangle)),
            [true, false] => touching(coplanar::meets(dropped, &[p], triangle)),
            [false, true] => touching(coplanar::meets(dropped, &[q], triangle)),
            [false, false] if self.signs[0] == self.signs[1] => None,
            [false, false] => {
                let [a, b, c] = *triangle;
                let around = [[a, b], [b, c], [c, a]].map(|[x, y]| side(&[p, q, x], y));
                let some = |sign| around.contains(&sign);
                if some(Ordering::Less) && some(Ordering::Greater) {
                    None
                } else if some(Ordering::Equal) {
                    Some(Contact::Touching)
                } else {
                    Some(Contact::Crossing)
                }
            }
        }
    }
}
