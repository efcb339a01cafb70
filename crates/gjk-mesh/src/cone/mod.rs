//! The surface of a body at one of its points: the directions in which it goes from there, as arcs on the sphere.
//!
//! Idea: close to a point a body is a cone. Its surface there is a set of sectors, each between two directions from the point, and
//! each direction is a difference of two vertices: nothing is constructed, also where the point itself is no vertex. A sector is
//! an arc on the sphere of directions, so what two bodies share near the point is decided by where their arcs meet.
//! Numbers: signs of determinants of two and three differences, exact, of degree 2 and 3.

mod around;
mod compare;

use crate::signs::{Point, Span, Triangle, determinant};
use crate::triangles::Place;
pub(crate) use around::{Around, HalfPlane};
pub use compare::Facts;
pub(crate) use compare::{Told, compare};
use core::cmp::Ordering::{self, Equal, Greater, Less};

/// A sector of a surface, from one direction counter-clockwise to the other about its outward normal, of less than half a turn.
#[derive(Clone, Copy, Debug)]
struct Arc {
    from: Span,
    to: Span,
    /// The numbers of both among the directions.
    ends: [usize; 2],
}

/// The sectors of a surface at a point, and its segments there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Star {
    arcs: Vec<Arc>,
    /// The ends of the arcs, each once where the same vertices name it, and where segments go.
    directions: Vec<Span>,
}

/// On which side of each arc's plane each of some directions is, by arc and direction.
pub(crate) struct Sides {
    signs: Vec<Ordering>,
    directions: usize,
}

impl Sides {
    fn of(&self, arc: usize) -> &[Ordering] {
        &self.signs[arc * self.directions..][..self.directions]
    }
}

/// The axes, in the order in which a direction is moved by ever smaller amounts so that it lies in general position.
const MOVES: [Span; 3] = [
    Span::of_coordinates([1.0, 0.0, 0.0]),
    Span::of_coordinates([0.0, 1.0, 0.0]),
    Span::of_coordinates([0.0, 0.0, 1.0]),
];

impl Star {
    /// Adds a triangle that contains the point at this place.
    pub(crate) fn add(&mut self, corners: &Triangle, place: Place) {
        let rotated = |k: usize| -> [Point; 3] { core::array::from_fn(|i| corners[(i + k) % 3]) };
        match place {
            Place::Corner(k) => {
                let [at, p, q] = rotated(k);
                self.chain(&[Span::new(at, p), Span::new(at, q)]);
            }
            Place::Edge(k) => {
                let [u, v, w] = rotated(k);
                self.chain(&[Span::new(u, v), Span::new(u, w), Span::new(v, u)]);
            }
            Place::Inside => {
                let [u, v, w] = *corners;
                let [e, t] = [Span::new(u, v), Span::new(u, w)];
                self.chain(&[e, t, e.reversed(), t.reversed(), e]);
            }
        }
    }

    /// Adds a triangle without an area that contains the point at this place: it goes where its other corners are.
    pub(crate) fn add_segment(&mut self, corners: &Triangle, place: Place) {
        let rotated = |k: usize| -> [Point; 3] { core::array::from_fn(|i| corners[(i + k) % 3]) };
        let steps = match place {
            Place::Corner(k) => {
                let [at, p, q] = rotated(k);
                [[at, p], [at, q]]
            }
            Place::Edge(k) => {
                let [u, v, _] = rotated(k);
                [[u, v], [v, u]]
            }
            // It has no inside.
            Place::Inside => return,
        };
        for [from, to] in steps.into_iter().filter(|[from, to]| from != to) {
            self.number(&Span::new(from, to));
        }
    }

    fn chain(&mut self, directions: &[Span]) {
        let mut from = self.number(&directions[0]);
        for pair in directions.windows(2) {
            let to = self.number(&pair[1]);
            self.arcs.push(Arc {
                from: pair[0],
                to: pair[1],
                ends: [from, to],
            });
            from = to;
        }
    }

    /// The number of a direction, which is added where it is new.
    fn number(&mut self, direction: &Span) -> usize {
        let known = self.directions.iter().position(|known| known == direction);
        known.unwrap_or_else(|| {
            self.directions.push(*direction);
            self.directions.len() - 1
        })
    }

    /// Both ends of each sector.
    pub(crate) fn sectors(&self) -> impl Iterator<Item = [Span; 2]> + '_ {
        self.arcs.iter().map(|arc| [arc.from, arc.to])
    }

    /// Makes inside and outside change places.
    pub(crate) fn reverse(&mut self) {
        for arc in &mut self.arcs {
            core::mem::swap(&mut arc.from, &mut arc.to);
            arc.ends.reverse();
        }
    }

    /// Whether each direction ends as many sectors as begin at it: there is no border at the point.
    pub(crate) fn is_closed(&self) -> bool {
        let mut balance = vec![0_i64; self.directions.len()];
        for arc in &self.arcs {
            balance[arc.ends[0]] += 1;
            balance[arc.ends[1]] -= 1;
        }
        balance.iter().all(|&x| x == 0)
    }

    /// The ends of the sectors, and the directions of segments.
    pub(crate) fn directions(&self) -> &[Span] {
        &self.directions
    }

    /// On which side of each sector's plane directions are.
    pub(crate) fn sides(&self, directions: &[Span]) -> Sides {
        let over = |arc: &Arc| {
            let (from, to) = (arc.from, arc.to);
            directions.iter().map(move |x| determinant(&from, &to, x))
        };
        Sides {
            signs: self.arcs.iter().flat_map(over).collect(),
            directions: directions.len(),
        }
    }

    /// A sector of this star and one of another that cross, inside both. `sides` are those of the ends of the other's sectors, and
    /// `other_sides` those of the ends of this star's.
    pub(crate) fn crossing(
        &self,
        other: &Self,
        sides: &Sides,
        other_sides: &Sides,
    ) -> Option<[[Span; 2]; 2]> {
        self.arcs.iter().enumerate().find_map(|(i, mine)| {
            let over = sides.of(i);
            let crosses = |&(j, arc): &(usize, &Arc)| {
                let [c, d] = arc.ends.map(|end| over[end]);
                d.is_ne() && c == d.reverse() && {
                    let [a, b] = mine.ends.map(|end| other_sides.of(j)[end]);
                    a == d && b == c
                }
            };
            let (_, arc) = other.arcs.iter().enumerate().find(crosses)?;
            Some([[mine.from, mine.to], [arc.from, arc.to]])
        })
    }

    /// The half-planes of the surface that a direction bounds: none where the direction is not on the surface.
    pub(crate) fn around(&self, axis: &Span) -> Vec<HalfPlane> {
        self.around_by(axis, |arc| determinant(&arc.from, &arc.to, axis))
    }

    /// The same for a direction of which the sides are known.
    pub(crate) fn around_known(&self, axis: &Span, sides: &Sides, number: usize) -> Vec<HalfPlane> {
        let mut k = 0;
        self.around_by(axis, |_| {
            k += 1;
            sides.of(k - 1)[number]
        })
    }

    /// `side` is asked for each arc in order.
    fn around_by(&self, axis: &Span, mut side: impl FnMut(&Arc) -> Ordering) -> Vec<HalfPlane> {
        let mut found = Vec::new();
        for arc in &self.arcs {
            if side(arc).is_ne() {
                continue;
            }
            let (leaves, enters) = (arc.half_plane(Less), arc.half_plane(Greater));
            if axis.is_along(&arc.from) {
                found.push(leaves);
            } else if axis.is_along(&arc.to) {
                found.push(enters);
            } else if arc.holds(axis) {
                found.extend([leaves, enters]);
            }
        }
        found
    }

    /// Whether a direction that is not on the surface goes inside; also for one on it that all its sectors leave alone, in pairs.
    /// `None` where the sectors do not bound an inside.
    ///
    /// The direction is moved by next to nothing, so that it is in general position. An arc to the end of a sector crosses the other
    /// sectors so often, and the sectors at that end tell on which side the arc arrives.
    pub(crate) fn contains(&self, direction: &Span) -> Option<bool> {
        self.directions.iter().find_map(|end| {
            let around = Around::new(end, [&self.around(end), &[]]);
            let before = around.ray_before(|towards| moved(direction, end, towards))?;
            let inside = around.regions(0)?[before];
            let crossed = self
                .arcs
                .iter()
                .filter(|arc| arc.is_crossed(direction, end));
            Some(inside ^ (crossed.count() % 2 == 1))
        })
    }
}

/// The sign of the determinant of the moved direction with two others, which are not parallel.
fn moved(direction: &Span, u: &Span, v: &Span) -> Ordering {
    // det(direction, u, v), and where that is zero of its moves.
    let of_moves = MOVES.iter().map(|step| determinant(step, u, v));
    core::iter::once(determinant(direction, u, v))
        .chain(of_moves)
        .find(|sign| sign.is_ne())
        .unwrap_or(Equal)
}

impl Arc {
    /// The half-plane of the arc about its first end (`Less`: counter-clockwise of it is outside) or its second (`Greater`).
    fn half_plane(&self, jump: Ordering) -> HalfPlane {
        let towards = if jump.is_lt() { self.to } else { self.from };
        HalfPlane {
            towards,
            jump: jump as i32,
        }
    }

    /// Whether a direction in the arc's plane is within the arc, off its ends.
    fn holds(&self, direction: &Span) -> bool {
        let Some((axis, turn)) = self.from.turn_to(&self.to) else {
            return false;
        };
        self.from.turn(direction, axis) == turn && direction.turn(&self.to, axis) == turn
    }

    /// Whether the arc from an end to a moved direction crosses this arc, which does not contain the end.
    fn is_crossed(&self, direction: &Span, end: &Span) -> bool {
        let [a, c, d] = [end, &self.from, &self.to];
        let side = determinant(c, d, a);
        side.is_ne()
            && moved(direction, c, d) == side.reverse()
            && moved(direction, d, a) == side
            && moved(direction, c, a) == side.reverse()
    }
}
