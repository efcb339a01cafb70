//! The relation of two bodies: separated, touching, overlapping, one inside of the other, equal; for surfaces crossing.
//!
//! Idea: that two surfaces meet does not say that the bodies do. The insides of two solids meet exactly when, at one of the finitely
//! many points where features of both meet, the insides of the two cones there meet, or when a shell that does not meet the other
//! body lies inside of it. So contacts of triangles are found by boxes, most overlaps end at the first edge that passes
//! through a triangle, and where there is none the cones at the points of contact decide (`cells.rs`, `cone/`), and one
//! point in solid for each shell that is left. With one of the bodies' complement the same tells whether it leaves the other.
//! Numbers: exact signs of vertices; nothing is constructed and nothing has a tolerance.
//! Source: docs/meshes.md has the theorem and its proof.

use crate::ask::{Ask, Touching};
use crate::body::PosedBody;
use crate::boxes::Box3;
use crate::cells::{Cells, Found};
use crate::cone::{Facts, Star, compare};
use crate::in_place::InPlace;
use crate::inside::side_of_shells;
use crate::pairs;
use crate::trace::{self, CellFacts, Compared, Observe, Step};
use crate::triangles::{Meeting, Place, common_point, contact, meeting};
use crate::{Contact, Side};
use core::ops::ControlFlow;
use gjk::{Vec3, Vector};
use std::collections::{BTreeMap, BTreeSet};

/// How two bodies are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// They share no point.
    Separated,
    /// They share points of their surfaces and nothing else. Of a surface: it does not pass to the other's other side.
    Touching,
    /// Two solids share volume, and neither is within one piece of the other.
    Overlapping,
    /// A surface passes through the other surface, or into a solid and out of it.
    Crossing,
    /// The first is within the second.
    Inside,
    /// The second is within the first.
    Contains,
    /// Two solids are the same set.
    Equal,
}

/// The answer of [`PosedBody::relation`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelationAnswer {
    /// The relation.
    pub relation: Relation,
    /// False where a shell crosses itself once its vertices are rounded, or no ray avoids all edges: then the relation is what is
    /// known to be true at least.
    pub exact: bool,
    /// Whether the bodies' poses are one, so that they were compared in their own frame.
    pub flush: bool,
    /// Where the surfaces meet so; `None` where they do not meet.
    pub contact: Option<SurfaceContact>,
}

/// A point at which two surfaces meet: they cross there, or near it the insides meet, or the bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceContact {
    /// A triangle of each, by the numbers of the input.
    pub triangles: [u32; 2],
    /// Where on its triangle the point is.
    pub features: [Feature; 2],
    /// The point, in the world, to the rounding of its coordinates.
    pub point: [f64; 3],
    /// Unit, out of the first body and into the second; `None` where the point is on no face of a solid.
    pub normal: Option<[f64; 3]>,
}

/// Where on a triangle a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// At a corner.
    Vertex,
    /// On an edge.
    Edge,
    /// Inside.
    Face,
}

impl Feature {
    pub(crate) fn of(place: Place) -> Self {
        match place {
            Place::Corner(_) => Self::Vertex,
            Place::Edge(_) => Self::Edge,
            Place::Inside => Self::Face,
        }
    }
}

/// What is known of two bodies.
struct Known<'m, 'w, W> {
    meshes: [InPlace<'m>; 2],
    bodies: [&'m PosedBody<'m>; 2],
    /// Whose triangles run clockwise seen from outside.
    reversed: [bool; 2],
    solid: [bool; 2],
    facts: BTreeMap<[u32; 2], Facts>,
    /// By piece of the first and of the second body: its box, and whether the other body is not within it.
    boxes: [Vec<Box3>; 2],
    /// Whether every piece of the one is beside every piece of the other, so that the bodies touch at most.
    are_beside: bool,
    left: [Vec<bool>; 2],
    /// Shells of one body that meet a piece of the other.
    touched: [BTreeSet<(u32, u32)>; 2],
    /// Triangles that show the relation: of a contact, and of an overlap.
    touching: Option<(Contact, [u32; 2])>,
    overlapping: Option<[u32; 2]>,
    watch: &'w mut W,
}

impl PosedBody<'_> {
    /// The relation of this body to another.
    ///
    /// # Accuracy  exact for the vertices as the poses round them; bodies of one pose are compared before it.
    /// # Complexity  the pairs of triangles whose boxes meet, plus a ray for each shell that meets nothing.
    pub fn relation(&self, other: &PosedBody<'_>) -> RelationAnswer {
        self.related(other, self.has_pose_of(other), &mut ())
    }

    /// The same query, watched: its steps go to the observer.
    ///
    /// # Accuracy  the same answer as [`PosedBody::relation`].
    /// # Complexity  the same, and the building of the steps.
    pub fn relation_observed(
        &self,
        other: &PosedBody<'_>,
        observer: &mut impl Observe,
    ) -> RelationAnswer {
        self.related(other, self.has_pose_of(other), observer)
    }

    /// Whether the surfaces share a point, and a triangle of each that do, by the numbers of the input.
    ///
    /// # Accuracy  exact, as [`PosedBody::relation`]; a triangle without an area is a segment.
    /// # Complexity  it ends at the first pair; without one, the pairs that no box tells apart.
    pub fn meets(&self, other: &PosedBody<'_>) -> Option<[u32; 2]> {
        let flush = self.has_pose_of(other);
        let [a, b] = [self.in_place(flush), other.in_place(flush)];
        let mut found = None;
        let mut ask = Touching(|i, j| {
            let [x, y] = [a.corners(i), b.corners(j)];
            if !Box3::of(&x).meets(&Box3::of(&y)) || meeting(&x, &y).is_none() {
                return ControlFlow::Continue(());
            }
            found = Some([a.mesh.source(i), b.mesh.source(j)]);
            ControlFlow::Break(())
        });
        pairs::visit([&a, &b], &mut ask);
        found
    }

    /// The relation before the pose that both bodies have, or at their poses.
    pub(crate) fn related(
        &self,
        other: &PosedBody<'_>,
        flush: bool,
        watch: &mut impl Observe,
    ) -> RelationAnswer {
        let meshes = [self.in_place(flush), other.in_place(flush)];
        let boxes = [self.piece_boxes(flush), other.piece_boxes(flush)];
        let reached = [self.reached(flush), other.reached(flush)];
        let mut known = Known {
            meshes,
            bodies: [self, other],
            reversed: [self, other].map(|body| body.is_reversed(flush)),
            solid: [self, other].map(|body| body.is_solid()),
            facts: BTreeMap::new(),
            left: [0, 1].map(|k: usize| {
                let (other, others) = (&reached[1 - k], &boxes[1 - k]);
                let leaves = |own| others.iter().any(|part| part.is_beside(own));
                let is_left = |own| !Box3::holds(own, other) || leaves(own);
                boxes[k].iter().map(is_left).collect()
            }),
            are_beside: boxes[0]
                .iter()
                .all(|own| boxes[1].iter().all(|other| own.is_beside(other))),
            boxes,
            touched: Default::default(),
            touching: None,
            overlapping: None,
            watch,
        };
        known.by_contacts();
        known.by_untouched_shells();
        known.answer(flush)
    }
}

/// Asks the triangles that no box tells apart how they meet.
struct ContactSearch<'k, 'm, 'w, W> {
    known: &'k mut Known<'m, 'w, W>,
    /// Pieces and triangles that touch: what the points are worth is asked once no edge is found to pass through a triangle.
    touching: Vec<([u32; 2], [u32; 2], Meeting)>,
}

impl<W: Observe> Ask for ContactSearch<'_, '_, '_, W> {
    fn limit(&self) -> f64 {
        0.0
    }

    fn pair(&mut self, i: u32, j: u32) -> ControlFlow<()> {
        let Self { known, touching } = self;
        let (triangles, was_without) = ([i, j], known.overlapping.is_none());
        let pieces = [known.bodies[0].piece_of(i), known.bodies[1].piece_of(j)];
        let met = known.meet(triangles, pieces);
        if W::ENABLED {
            known.watch.observe(Step::Triangles {
                triangles,
                contact: met.as_ref().map(|(_, met)| met.contact),
                decides: was_without && known.overlapping.is_some(),
            });
        }
        match met {
            Some((_, met)) if known.is_enough(met.contact) => {
                return ControlFlow::Break(());
            }
            Some((pieces, met))
                if met.contact != Contact::Crossing && !known.is_complete(pieces) =>
            {
                touching.push((pieces, triangles, met));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn is_watched(&self) -> bool {
        W::ENABLED
    }

    fn compared(&mut self, parts: [Compared; 2], apart: f64, left_out: bool) {
        self.known.watch.observe(Step::Compared {
            parts,
            apart,
            left_out,
        });
    }
}

impl<W: Observe> Known<'_, '_, W> {
    /// What the contacts of triangles say.
    fn by_contacts(&mut self) {
        let [a, b] = self.meshes;
        let mut ask = ContactSearch {
            known: self,
            touching: Vec::new(),
        };
        pairs::visit([&a, &b], &mut ask);
        let touching = ask.touching;
        if self.is_decided() && !W::ENABLED {
            return;
        }
        let mut cells = Cells::default();
        for (pieces, triangles, met) in &touching {
            if W::ENABLED || !self.is_complete(*pieces) {
                cells.add(*pieces, [&a, &b], *triangles, met);
            }
        }
        for k in (0..2).filter(|&k| self.bodies[k].may_meet_itself()) {
            cells.complete(k, [&a, &b], |triangle| self.bodies[k].piece_of(triangle));
        }
        for cell in cells.iter() {
            if self.is_decided() && !W::ENABLED {
                return;
            }
            if self.is_decided() || self.is_complete(cell.pieces()) {
                self.tell_cell(cell, None);
                continue;
            }
            let stars = self.stars(cell);
            let mut learned = Vec::new();
            let here = compare(&stars, self.solid, |told, facts| {
                if W::ENABLED {
                    learned.push((told, facts));
                }
            });
            let decides = here.overlap && self.overlapping.is_none();
            if here.overlap {
                self.overlapping.get_or_insert(cell.first());
            }
            self.learn(cell.pieces(), here);
            let told = CellFacts {
                facts: here,
                learned,
                decides,
            };
            self.tell_cell(cell, Some(told));
        }
    }

    /// How two triangles of these pieces meet, and what follows. `None` too where they touch and nothing more can follow.
    fn meet(
        &mut self,
        triangles: [u32; 2],
        pieces: [Option<u32>; 2],
    ) -> Option<([u32; 2], Meeting)> {
        let [a, b] = self.meshes;
        let [i, j] = triangles;
        let [x, y] = [a.corners(i), b.corners(j)];
        // Lanes leave what is nearer than their slack, also beside one another in one plane.
        if !Box3::of(&x).meets(&Box3::of(&y)) {
            return None;
        }
        let mut found = meeting(&x, &y)?;
        let is_curve = found.dropped.map(|axis| axis.is_none());
        // A solid's triangle without an area, or of a shell without a volume, bounds nothing: at most the bodies touch there.
        let is_bare = (0..2).any(|k| is_curve[k] && self.solid[k] || pieces[k].is_none());
        if is_bare || is_curve.contains(&true) && self.solid == [false; 2] {
            found.contact = Contact::Touching;
        }
        // A common area says more than a common point.
        if self
            .touching
            .is_none_or(|(contact, _)| contact < found.contact)
        {
            self.touching = Some((found.contact, triangles));
        }
        let ([Some(p), Some(q)], false) = (pieces, is_bare) else {
            return None;
        };
        self.touched[0].insert((a.mesh.shell_of(i), q));
        self.touched[1].insert((b.mesh.shell_of(j), p));
        if found.contact == Contact::Crossing {
            self.overlapping.get_or_insert(triangles);
            self.learn([p, q], Facts::crossing(self.solid));
        }
        Some(([p, q], found))
    }

    /// What the bodies are at a point.
    fn stars(&self, cell: Found<'_>) -> [Star; 2] {
        let [a, b] = &self.meshes;
        let mut stars = cell.stars([a, b], self.solid);
        for (star, _) in stars.iter_mut().zip(self.reversed).filter(|x| x.1) {
            star.reverse();
        }
        stars
    }

    /// Tells a point at which features meet to whoever watches, and what was learned there.
    fn tell_cell(&mut self, cell: Found<'_>, told: Option<CellFacts>) {
        if W::ENABLED {
            let [a, b] = &self.meshes;
            let point = cell.point([a, b]);
            let step = trace::ContactCell::new(cell.containing, point, self.stars(cell), told);
            self.watch.observe(Step::Cell(Box::new(step)));
        }
    }

    /// Adds what is known of two pieces. Of pieces that a plane has on its two sides nothing is unclear, though it may be at a point.
    fn learn(&mut self, pieces: [u32; 2], mut new: Facts) {
        let [own, other] = [0, 1].map(|k| &self.boxes[k][pieces[k] as usize]);
        new.unclear &= !own.is_beside(other);
        self.facts.entry(pieces).or_default().add(new);
        self.left[1][pieces[1] as usize] |= new.leaves[0];
        self.left[0][pieces[0] as usize] |= new.leaves[1];
    }

    /// Whether no overlap is known yet.
    fn is_without_overlap(&self) -> bool {
        !self.facts.values().any(|facts| facts.overlap)
    }

    /// Whether nothing more can become known of two pieces: all is, or a plane has them on its two sides. Who watches is shown their points.
    fn is_complete(&self, [p, q]: [u32; 2]) -> bool {
        let [own, other] = [&self.boxes[0][p as usize], &self.boxes[1][q as usize]];
        let facts = || self.facts.get(&[p, q]);
        !W::ENABLED && own.is_beside(other)
            || facts().is_some_and(|facts| facts.is_complete(self.solid))
    }

    /// Whether no other pair of triangles can say more than all until one that meets so. Who watches is shown where bodies touch.
    fn is_enough(&self, contact: Contact) -> bool {
        match contact {
            Contact::Touching => false,
            Contact::Coplanar => self.are_beside && !W::ENABLED,
            Contact::Crossing => self.is_decided(),
        }
    }

    /// Whether the bodies overlap, and neither is within a piece of the other.
    fn is_decided(&self) -> bool {
        self.overlapping.is_some()
            && (0..2).all(|k| !self.solid[k] || self.left[k].iter().all(|&left| left))
    }

    /// What shells say that do not meet a piece of the other body: all of such a shell is inside or outside of it.
    fn by_untouched_shells(&mut self) {
        for k in 0..2 {
            let (mine, other) = (self.bodies[k], self.bodies[1 - k]);
            if !self.solid[1 - k] {
                continue;
            }
            let is_one_shell = mine.shells().nth(1).is_none();
            for piece in 0..other.pieces() as u32 {
                for (shell, own) in mine.shells() {
                    let mut pieces = [own, piece];
                    pieces.rotate_left(k);
                    if self.touched[k].contains(&(shell, piece)) || self.is_complete(pieces) {
                        continue;
                    }
                    if self.is_decided() {
                        return;
                    }
                    let Some(first) = self.meshes[k].first_of(shell, self.solid[k]) else {
                        continue;
                    };
                    let corner = self.meshes[k].corners(first)[0];
                    // What reaches beyond the piece is a corner of the one shell, and no triangle meets the piece on the way back.
                    let inside = if is_one_shell
                        && self.touching.is_none()
                        && self.left[1 - k][piece as usize]
                    {
                        Some(false)
                    } else {
                        self.is_inside(1 - k, piece, corner)
                    };
                    if W::ENABLED {
                        self.watch.observe(Step::Shell {
                            body: k,
                            shell,
                            piece,
                            point: corner,
                            inside,
                            decides: inside == Some(true) && self.is_without_overlap(),
                        });
                    }
                    let mut facts = Facts::default();
                    match inside {
                        None => facts.unclear = true,
                        Some(true) => {
                            facts.overlap = true;
                            facts.leaves[1 - k] = self.solid[k];
                        }
                        Some(false) => facts.leaves[k] = true,
                    }
                    self.learn(pieces, facts);
                }
            }
        }
    }

    /// Whether a point that is not on a piece is inside of it.
    fn is_inside(&self, body: usize, piece: u32, point: [f64; 3]) -> Option<bool> {
        if !self.boxes[body][piece as usize].holds(&Box3::of(&[point])) {
            return Some(false);
        }
        let (mesh, of) = (&self.meshes[body], self.bodies[body]);
        let side = side_of_shells(mesh, point, self.reversed[body], |shell| {
            of.piece_of_shell(shell) == Some(piece)
        })?;
        match side {
            Side::Inside => Some(true),
            Side::Outside => Some(false),
            Side::Boundary => None,
        }
    }

    fn answer(&self, flush: bool) -> RelationAnswer {
        let all = |f: &dyn Fn(&Facts) -> bool| self.facts.values().any(f);
        let overlap = all(&|facts| facts.overlap);
        let relation = if overlap {
            match (self.is_within(0), self.is_within(1)) {
                (true, true) => Relation::Equal,
                (true, false) => Relation::Inside,
                (false, true) => Relation::Contains,
                (false, false) if self.solid == [true; 2] => Relation::Overlapping,
                (false, false) => Relation::Crossing,
            }
        } else if self.touching.is_some() {
            Relation::Touching
        } else {
            Relation::Separated
        };
        let unclear = all(&|facts| facts.unclear);
        let touching = self.touching.map(|(_, triangles)| triangles);
        let triangles = self.overlapping.filter(|_| overlap).or(touching);
        RelationAnswer {
            contact: triangles.and_then(|pair| self.contact(pair, flush)),
            relation,
            exact: !unclear || matches!(relation, Relation::Overlapping | Relation::Crossing),
            flush,
        }
    }

    /// Where two triangles meet.
    fn contact(&self, triangles: [u32; 2], flush: bool) -> Option<SurfaceContact> {
        let corners = [0, 1].map(|k| self.meshes[k].corners(triangles[k]));
        let (point, places) = common_point(&corners[0], &corners[1])?;
        let share_area = contact(&corners[0], &corners[1]) == Some(Contact::Coplanar);
        let outward = |k: usize| {
            let is_face = share_area || places[k] == Place::Inside;
            let [a, b, c] = corners[k].map(|[x, y, z]| Vec3::new(x, y, z));
            let normal = (b - a).cross(c - a);
            let normal = (is_face && self.solid[k]).then(|| normal.normalized())??;
            Some(if self.reversed[k] { -normal } else { normal })
        };
        let normal = outward(0).or_else(|| outward(1).map(|normal| -normal));
        Some(SurfaceContact {
            triangles: [0, 1].map(|k| self.bodies[k].mesh().source(triangles[k])),
            features: places.map(Feature::of),
            point: self.bodies[0].in_world(point, flush),
            normal: normal.and_then(|normal| self.bodies[0].normal_in_world(normal, flush)),
        })
    }

    /// Whether one body is within one piece of the other, which is a solid.
    fn is_within(&self, body: usize) -> bool {
        self.solid[1 - body] && self.left[1 - body].contains(&false)
    }
}
