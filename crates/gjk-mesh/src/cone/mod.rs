//! The surface of a body at one of its points: the directions in which it goes from there, as arcs on the sphere.
//!
//! Idea: close to a point a body is a cone. Its surface there is a set of sectors, each between two directions from the point, and
//! each direction is a difference of two vertices: nothing is constructed, also where the point itself is no vertex. A sector is
//! an arc on the sphere of directions, so what two bodies share near the point is decided by where their arcs meet.
//! Numbers: signs of determinants of two and three differences, exact, of degree 2 and 3.

mod around;

use crate::signs::{Point, Span, Triangle, determinant};
use crate::triangles::Place;
pub(crate) use around::{Around, HalfPlane};
use core::cmp::Ordering::{self, Equal, Greater, Less};

/// A sector of a surface, from one direction counter-clockwise to the other about its outward normal, of less than half a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub(crate) from: Span,
    pub(crate) to: Span,
}

/// The sectors of a surface at a point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Star {
    pub(crate) arcs: Vec<Arc>,
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

    fn chain(&mut self, directions: &[Span]) {
        self.arcs.extend(directions.windows(2).map(|pair| Arc {
            from: pair[0],
            to: pair[1],
        }));
    }

    /// Makes inside and outside change places.
    pub(crate) fn reverse(&mut self) {
        for arc in &mut self.arcs {
            core::mem::swap(&mut arc.from, &mut arc.to);
        }
    }

    /// The ends of the arcs, each once where the same vertices name it.
    pub(crate) fn directions(&self) -> Vec<Span> {
        let mut all: Vec<Span> = Vec::with_capacity(self.arcs.len());
        for direction in self.arcs.iter().flat_map(|arc| [arc.from, arc.to]) {
            if !all.contains(&direction) {
                all.push(direction);
            }
        }
        all
    }

    /// The half-planes of the surface that a direction bounds: none where the direction is not on the surface.
    pub(crate) fn around(&self, axis: &Span) -> Vec<HalfPlane> {
        let mut found = Vec::new();
        for arc in &self.arcs {
            let (leaves, enters) = (arc.half_plane(Less), arc.half_plane(Greater));
            if axis.is_along(&arc.from) {
                found.push(leaves);
            } else if axis.is_along(&arc.to) {
                found.push(enters);
            } else if arc.passes(axis) {
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
        let mut ends = self.directions().into_iter();
        ends.find_map(|end| {
            let around = Around::new(&end, [&self.around(&end), &[]]);
            let before = around.ray_before(|towards| moved(direction, &end, towards))?;
            let inside = around.regions(0)?[before];
            let crossed = self
                .arcs
                .iter()
                .filter(|arc| arc.is_crossed(direction, &end));
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

    /// Whether a direction is within the arc, off its ends.
    fn passes(&self, direction: &Span) -> bool {
        if determinant(&self.from, &self.to, direction).is_ne() {
            return false;
        }
        let Some((axis, turn)) = self.from.turn_to(&self.to) else {
            return false;
        };
        self.from.turn(direction, axis) == turn && direction.turn(&self.to, axis) == turn
    }

    /// Whether the insides of two arcs cross.
    pub(crate) fn crosses(&self, other: &Self) -> bool {
        let [a, b, c, d] = [&self.from, &self.to, &other.from, &other.to];
        let first = determinant(a, b, d);
        first.is_ne()
            && determinant(a, b, c) == first.reverse()
            && determinant(c, d, a) == first
            && determinant(c, d, b) == first.reverse()
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
