//! What a certificate proves of two bodies' relation.

use super::bodies::{Fraction, GridBody, normal};
use super::common_points::{common_points, passes_through};
use super::near_point::{is_on, learn_at};
use super::winding::Column;
use super::{PieceFacts, Pieces, VerifyError, cut};
use crate::Relation;
use crate::certificate::{Cut, RelationCertificate, Sight};
use gjk_exact::integer::{Int, Int3, neg};
use std::collections::{BTreeMap, BTreeSet};

/// Two bodies, and what is proved of their pieces.
struct Proved<'b> {
    bodies: &'b [GridBody<'b>; 2],
    of: BTreeMap<[u32; 2], PieceFacts>,
    /// By body and triangle: the pieces of the other body that it meets.
    met: [BTreeSet<(u32, u32)>; 2],
    /// Whether triangles meet.
    meets: bool,
    /// Points that were looked at.
    seen: BTreeSet<([u32; 2], Fraction)>,
}

/// Whether a certificate proves the relation.
pub(super) fn check(
    bodies: &[GridBody<'_>; 2],
    grid: i32,
    claimed: Relation,
    certificate: &RelationCertificate,
) -> Result<bool, VerifyError> {
    let mut proved = Proved::new(bodies)?;
    let Some(cut) = &certificate.cut else {
        let mut crosses = false;
        for sight in &certificate.sights {
            crosses |= proved.see(sight)?;
        }
        return Ok(proved.is_mixed(claimed, crosses));
    };
    proved.by_cut(grid, cut)?;
    match proved.conclude() {
        None => Ok(false),
        Some(proved) if proved == claimed => Ok(true),
        Some(proved) => Err(VerifyError::Relation { claimed, proved }),
    }
}

/// The relation that a cut proves; `None` of two surfaces that meet.
pub(super) fn by_cut(
    bodies: &[GridBody<'_>; 2],
    grid: i32,
    cut: &Cut,
) -> Result<Option<Relation>, VerifyError> {
    let mut proved = Proved::new(bodies)?;
    proved.by_cut(grid, cut)?;
    Ok(proved.conclude())
}

/// Whether each piece of a solid runs each edge as often one way as the other.
pub(super) fn is_closed(number: usize, body: &GridBody<'_>) -> Result<(), VerifyError> {
    if !body.plain.solid {
        return Ok(());
    }
    for (piece, triangles) in (0..).zip(&body.pieces) {
        let mut balance: BTreeMap<[u32; 2], i64> = BTreeMap::new();
        for &triangle in triangles {
            let corners = body.plain.triangles[triangle as usize];
            for k in 0..3 {
                let (u, v) = (corners[k], corners[(k + 1) % 3]);
                *balance.entry([u.min(v), u.max(v)]).or_default() += if u < v { 1 } else { -1 };
            }
        }
        if balance.values().any(|&sum| sum != 0) {
            let body = number;
            return Err(VerifyError::NotClosed { body, piece });
        }
    }
    Ok(())
}

impl<'b> Proved<'b> {
    /// Nothing yet, of bodies whose solids are closed.
    fn new(bodies: &'b [GridBody<'b>; 2]) -> Result<Self, VerifyError> {
        for (number, body) in bodies.iter().enumerate() {
            is_closed(number, body)?;
        }
        Ok(Self {
            bodies,
            of: BTreeMap::new(),
            met: Default::default(),
            meets: false,
            seen: BTreeSet::new(),
        })
    }

    /// Looks at all that a cut leaves.
    fn by_cut(&mut self, grid: i32, cut: &Cut) -> Result<(), VerifyError> {
        for triangles in cut::check(self.bodies, grid, cut, 0.0)? {
            self.at_triangles(triangles);
        }
        self.by_sets_apart();
        Ok(())
    }

    /// Looks where a certificate says; whether an edge of two surfaces passes through the other there.
    fn see(&mut self, sight: &Sight) -> Result<bool, VerifyError> {
        let missing = VerifyError::Sight("there is no such triangle or piece");
        match *sight {
            Sight::Triangles(triangles) => {
                let is_known =
                    (0..2).all(|k| (triangles[k] as usize) < self.bodies[k].plain.triangles.len());
                if !is_known {
                    return Err(missing);
                }
                if !self.at_triangles(triangles) {
                    return Err(VerifyError::Sight("two triangles do not meet"));
                }
                Ok(self.pass_through(triangles))
            }
            Sight::Middle {
                body,
                triangle,
                piece,
            } => {
                if body > 1
                    || triangle as usize >= self.bodies[body].plain.triangles.len()
                    || piece as usize >= self.bodies[1 - body].pieces.len()
                {
                    return Err(missing);
                }
                if self.at_middle(body, triangle, piece) {
                    Ok(false)
                } else {
                    Err(VerifyError::Sight(
                        "a triangle's middle is on the other surface",
                    ))
                }
            }
        }
    }

    /// Learns from the corners of what two triangles share; whether they meet.
    fn at_triangles(&mut self, triangles: [u32; 2]) -> bool {
        if !self.boxes_touch(triangles) {
            return false;
        }
        let [a, b] = [0, 1].map(|k: usize| self.bodies[k].corners(triangles[k]));
        let points = common_points(a, b);
        let meets = !points.is_empty();
        self.meets |= meets;
        let numbers = [0, 1].map(|k: usize| self.bodies[k].piece_of(triangles[k]));
        let [Some(p), Some(q)] = numbers else {
            return meets;
        };
        let numbers = [p, q];
        if meets {
            self.met[0].insert((triangles[0], q));
            self.met[1].insert((triangles[1], p));
        }
        for point in points {
            let known = self.of.entry(numbers).or_default();
            if known.is_complete() || !self.seen.insert((numbers, point.clone())) {
                continue;
            }
            let bodies = [&self.bodies[0], &self.bodies[1]];
            learn_at(&Pieces { bodies, numbers }, &point, known);
        }
        meets
    }

    fn boxes_touch(&self, [i, j]: [u32; 2]) -> bool {
        let [a, b] = self.bodies;
        a.box_of(i).touches(b.box_of(j))
    }

    /// Learns from the middle of a triangle that is off a piece of the other body; false where it is on it.
    fn at_middle(&mut self, body: usize, triangle: u32, piece: u32) -> bool {
        let (mine, other) = (&self.bodies[body], &self.bodies[1 - body]);
        let Some(own) = mine.piece_of(triangle) else {
            return true;
        };
        let corners = mine.corners(triangle);
        let point = middle(corners);
        if is_on(other, piece, &point) {
            return false;
        }
        let mut numbers = [own, piece];
        numbers.rotate_left(body);
        let known = self.of.entry(numbers).or_default();
        if !other.plain.solid {
            return true;
        }
        let is_inside = other
            .plain
            .has_inside(Column::new(other, piece, &point).winding(&[]));
        if !mine.plain.solid {
            known.add_surface(body, is_inside);
            return true;
        }
        // Both sides of the triangle.
        let column = Column::new(mine, own, &point);
        let normal = normal(corners);
        let sides = [neg(&normal), normal];
        let sides = sides.map(|off| mine.plain.has_inside(column.winding(&[off])));
        for own_inside in sides {
            let mut inside = [own_inside, is_inside];
            inside.rotate_left(body);
            known.add(inside);
        }
        if sides == [false; 2] {
            // The pose left the solid no thickness here: it is a surface.
            known.overlap |= is_inside;
        }
        true
    }

    /// Looks at one triangle of each set of connected triangles that meets nothing of a piece.
    fn by_sets_apart(&mut self) {
        for body in 0..2 {
            let sets = connected(&self.bodies[body]);
            for piece in 0..self.bodies[1 - body].pieces.len() as u32 {
                for set in &sets {
                    let meets = |&triangle: &u32| self.met[body].contains(&(triangle, piece));
                    if !set.iter().any(meets) {
                        self.at_middle(body, set[0], piece);
                    }
                }
            }
        }
    }

    /// Whether an edge of one triangle passes through the inside of the other.
    fn pass_through(&self, triangles: [u32; 2]) -> bool {
        let [a, b] = [0, 1].map(|k: usize| self.bodies[k].corners(triangles[k]));
        [(a, b), (b, a)]
            .into_iter()
            .any(|(own, other)| passes_through(own, other))
    }

    /// Whether pieces of one body leave a piece of the other, or all of them do so for sure by its box.
    fn is_left(&self, body: usize, piece: u32) -> bool {
        let (mine, other) = (&self.bodies[body], &self.bodies[1 - body]);
        let by_points = (0..mine.pieces.len() as u32).any(|own| {
            let mut numbers = [own, piece];
            numbers.rotate_left(body);
            self.of
                .get(&numbers)
                .is_some_and(|known| known.leaves[body])
        });
        by_points || reaches_beyond(mine, other, piece)
    }

    /// Whether sights prove that two bodies overlap, and that neither is within a piece of the other.
    fn is_mixed(&self, claimed: Relation, crosses: bool) -> bool {
        let solid = [0, 1].map(|k: usize| self.bodies[k].plain.solid);
        if solid == [false; 2] {
            return claimed == Relation::Crossing && crosses;
        }
        let overlap = self.of.values().any(|known| known.overlap);
        let all_left = |body: usize| {
            let pieces = 0..self.bodies[1 - body].pieces.len() as u32;
            !solid[1 - body] || pieces.clone().all(|piece| self.is_left(body, piece))
        };
        let expected = if solid == [true; 2] {
            Relation::Overlapping
        } else {
            Relation::Crossing
        };
        claimed == expected && overlap && all_left(0) && all_left(1)
    }

    /// What all pairs of triangles prove; nothing of two surfaces that meet.
    fn conclude(&self) -> Option<Relation> {
        let solid = [0, 1].map(|k: usize| self.bodies[k].plain.solid);
        let meets = self.meets;
        let within = |body: usize| {
            let mut pieces = 0..self.bodies[1 - body].pieces.len() as u32;
            solid[1 - body] && pieces.any(|piece| !self.is_left(body, piece))
        };
        let overlap = self.of.values().any(|known| known.overlap);
        let proved = match (overlap, within(0), within(1)) {
            (true, true, true) => Relation::Equal,
            (true, true, false) => Relation::Inside,
            (true, false, true) => Relation::Contains,
            (true, false, false) if solid == [true; 2] => Relation::Overlapping,
            (true, false, false) => Relation::Crossing,
            (false, ..) if meets => Relation::Touching,
            (false, ..) => Relation::Separated,
        };
        (!meets || solid != [false; 2]).then_some(proved)
    }
}

/// A third of the sum of the corners.
fn middle([a, b, c]: [&Int3; 3]) -> Fraction {
    let sum = [0, 1, 2].map(|k: usize| &a[k] + &b[k] + &c[k]);
    Fraction::new(&sum, &3.into())
}

/// Whether a body has a vertex beyond the box of a piece of the other, or a piece beside it; not by a solid's triangles without an area.
fn reaches_beyond(mine: &GridBody<'_>, other: &GridBody<'_>, piece: u32) -> bool {
    (0..3).any(|axis| {
        let along = |body: &GridBody<'_>, triangles: &[u32]| -> Option<[Int; 2]> {
            let parts = triangles.iter().filter(|&&t| body.piece_of(t).is_some());
            let corners = parts.map(|&t| body.plain.triangles[t as usize]);
            let all = corners.flatten().map(|v| &body.vertices[v as usize][axis]);
            Some([all.clone().min()?.clone(), all.max()?.clone()])
        };
        let Some([low, high]) = along(other, &other.pieces[piece as usize]) else {
            return true;
        };
        let mut own = mine.pieces.iter().filter_map(|piece| along(mine, piece));
        own.any(|[least, most]| least < low || most > high || most <= low || least >= high)
    })
}

/// The sets of a body's triangles that corners connect, of one piece each; of a solid, triangles without an area are in none.
pub(super) fn connected(body: &GridBody<'_>) -> Vec<Vec<u32>> {
    let mut sets = Vec::new();
    for triangles in &body.pieces {
        let mut at: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &triangle in triangles {
            for v in body.plain.triangles[triangle as usize] {
                at.entry(v).or_default().push(triangle);
            }
        }
        let mut known: BTreeSet<u32> = BTreeSet::new();
        for &first in triangles {
            if !known.insert(first) {
                continue;
            }
            let (mut set, mut next) = (vec![first], 0);
            while let Some(&triangle) = set.get(next) {
                next += 1;
                for v in body.plain.triangles[triangle as usize] {
                    set.extend(at[&v].iter().filter(|&&other| known.insert(other)));
                }
            }
            set.retain(|&triangle| body.piece_of(triangle).is_some());
            if !set.is_empty() {
                sets.push(set);
            }
        }
    }
    sets
}
