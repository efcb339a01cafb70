//! A contact that is shown by a point of both bodies: a vertex of one inside of the other, or the point where an edge of each is nearest to the other.
//!
//! Where it sits: under `impact.rs`, which asks where the planes of a direction have met: there the bodies are in contact by a part of the resolution, and a depth costs more than the planes of
//! a box or a hull. Idea: what is inside of a body by more than the rounding of both places is inside of the true one.
//! Numbers: [`DEEP_ERRORS`].

use super::course::Turn;
use super::mobile::Mobile;
use super::normal::{EdgePair, MovingNormal};
use super::turning::{Heights, Turning};
use crate::answer::Contact;
use crate::math::{Triple, Vector, cross, dot, plus, subtract};

/// A point is deep by more than so many errors of the places: one is its own and that of the body, one is taken for the way back into the body's frame.
const DEEP_ERRORS: f64 = 2.0;

/// Where two bodies are in contact.
#[derive(Clone, Copy)]
pub(super) struct ContactPoints<W> {
    pub(super) a: W,
    pub(super) b: W,
    pub(super) normal: W,
}

impl<W: Vector> ContactPoints<W> {
    pub(super) fn of(found: &Contact<W>) -> Self {
        Self {
            a: found.point_a,
            b: found.point_b,
            normal: found.normal,
        }
    }
}

impl<V: Vector> Turning<'_, V> {
    /// The contact at a time of sharp bodies whose planes along a direction have just met, if a point of both is found.
    pub(super) fn met_at(
        &self,
        normal: &MovingNormal,
        view: &Heights,
        time: f64,
    ) -> Option<ContactPoints<V::Wide>> {
        if self.radii > 0.0 || self.is_reshaped() {
            return None;
        }
        let turns = self.turns(time);
        let top = |body: &Mobile<'_, V>, which: usize| {
            let center = body.course.center_at(time).to_f64();
            plus(center, turns[which].apply(view.tops[which].point), 1.0)
        };
        let in_a = || self.deep(&[(self.a, &turns[0])], top(self.b, 1), time);
        let in_b = || self.deep(&[(self.b, &turns[1])], top(self.a, 0), time);
        let point = match normal {
            MovingNormal::A(_) => in_a(),
            MovingNormal::B(_) => in_b(),
            MovingNormal::World(_) => in_a().or_else(in_b),
            MovingNormal::Edges(edges) => {
                let bodies = [(self.a, &turns[0]), (self.b, &turns[1])];
                self.deep(&bodies, self.crossing_of(edges, &turns, time)?, time)
            }
        }?;
        let point = V::Wide::from_f64(point);
        Some(ContactPoints {
            a: point,
            b: point,
            normal: V::Wide::from_f64(view.world),
        })
    }

    /// The point, if it is deeper inside of all these bodies than rounding.
    fn deep(&self, bodies: &[(&Mobile<'_, V>, &Turn)], point: Triple, time: f64) -> Option<Triple> {
        let least = DEEP_ERRORS * self.place_error(time);
        let is_deep = |(body, turn): &(&Mobile<'_, V>, &Turn)| {
            let course = &body.course;
            let arm = turn.back(subtract(point, course.center_at(time).to_f64()));
            let at_start = plus(course.center.to_f64(), arm, 1.0);
            let depth = body.posed.depth_of(V::Wide::from_f64(at_start));
            depth.is_some_and(|depth| depth > least)
        };
        bodies.iter().all(is_deep).then_some(point)
    }

    /// The middle of the two points in which the lines of an edge of each are nearest to each other.
    fn crossing_of(&self, pair: &EdgePair, turns: &[Turn; 2], time: f64) -> Option<Triple> {
        let from = self.a.vertex(pair.ids[0][0], &turns[0], time)?;
        let to = self.b.vertex(pair.ids[1][0], &turns[1], time)?;
        let (u, v) = (turns[0].apply(pair.edges[0]), turns[1].apply(pair.edges[1]));
        let (way, across) = (subtract(to, from), cross(u, v));
        let square = dot(across, across);
        let [s, t] = [v, u].map(|other| dot(cross(way, other), across) / square);
        let sum = plus(plus(from, u, s), plus(to, v, t), 1.0);
        Some([0.5 * sum[0], 0.5 * sum[1], 0.5 * sum[2]])
    }
}
