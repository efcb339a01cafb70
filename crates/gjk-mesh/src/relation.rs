//! The relation of two bodies: separated, touching, overlapping, one inside of the other, equal; for surfaces crossing.
//!
//! Idea: that two surfaces meet does not say that the bodies do. The insides of two solids meet exactly when, at one of the finitely
//! many points where features of both meet, the insides of the two cones there meet, or when a shell that does not meet the other
//! body lies inside of it. So contacts of triangles are found by boxes, most overlaps end at the first edge that passes
//! through a triangle, and where there is none the cones at the points of contact decide (`cells.rs`, `cone/`), and one
//! point in solid for each shell that is left. With one of the bodies' complement the same tells whether it leaves the other.
//! Numbers: exact signs of vertices; nothing is constructed and nothing has a tolerance.
//! Source: docs/meshes.md has the theorem and its proof.

use crate::ask::Touching;
use crate::body::PosedBody;
use crate::boxes::Box3;
use crate::cells::Cells;
use crate::cone::{Facts, compare};
use crate::in_place::InPlace;
use crate::inside::side_of_shells;
use crate::pairs;
use crate::triangles::{Place, common_point, contact, meeting};
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

/// What is known of two bodies.
struct Known<'m> {
    meshes: [InPlace<'m>; 2],
    bodies: [&'m PosedBody<'m>; 2],
    /// Whose triangles run clockwise seen from outside.
    reversed: [bool; 2],
    solid: [bool; 2],
    facts: BTreeMap<[u32; 2], Facts>,
    /// By piece of the first and of the second body: its box, and whether the other body is not within it.
    boxes: [Vec<Box3>; 2],
    left: [Vec<bool>; 2],
    /// Shells of one body that meet a piece of the other.
    touched: [BTreeSet<(u32, u32)>; 2],
    /// Triangles that show the relation: of a contact, and of an overlap.
    touching: Option<(Contact, [u32; 2])>,
    overlapping: Option<[u32; 2]>,
}

impl PosedBody<'_> {
    /// The relation of this body to another.
    ///
    /// # Accuracy  exact for the vertices as the poses round them; bodies of one pose are compared before it.
    /// # Complexity  the pairs of triangles whose boxes meet, plus a ray for each shell that meets nothing.
    pub fn relation(&self, other: &PosedBody<'_>) -> RelationAnswer {
        self.related(other, self.has_pose_of(other))
    }

    /// Whether the surfaces share a point, and a triangle of each that do, by the numbers of the input.
    ///
    /// # Accuracy  exact, as [`PosedBody::relation`]; triangles without an area are not asked: in a solid others cover them.
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
    pub(crate) fn related(&self, other: &PosedBody<'_>, flush: bool) -> RelationAnswer {
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
                let other = &reached[1 - k];
                boxes[k].iter().map(|own| !own.holds(other)).collect()
            }),
            boxes,
            touched: Default::default(),
            touching: None,
            overlapping: None,
        };
        known.by_contacts();
        known.by_untouched_shells();
        known.answer(flush)
    }
}

impl Known<'_> {
    /// What the contacts of triangles say.
    fn by_contacts(&mut self) {
        let mut cells = Cells::default();
        let [a, b] = self.meshes;
        let mut ask = Touching(|i, j| {
            let pieces = [self.bodies[0].piece_of(i), self.bodies[1].piece_of(j)];
            let [Some(p), Some(q)] = pieces else {
                return ControlFlow::Continue(());
            };
            let [x, y] = [a.corners(i), b.corners(j)];
            // Lanes leave what is nearer than their slack, also beside one another in one plane.
            if !Box3::of(&x).meets(&Box3::of(&y)) {
                return ControlFlow::Continue(());
            }
            let Some(found) = meeting(&x, &y) else {
                return ControlFlow::Continue(());
            };
            let triangles = [i, j];
            // A common area says more than a common point.
            if self
                .touching
                .is_none_or(|(contact, _)| contact < found.contact)
            {
                self.touching = Some((found.contact, triangles));
            }
            self.touched[0].insert((a.mesh.shell_of(i), q));
            self.touched[1].insert((b.mesh.shell_of(j), p));
            if found.contact == Contact::Crossing {
                self.overlapping.get_or_insert(triangles);
                self.learn([p, q], Facts::crossing(self.solid));
                if self.is_decided() {
                    return ControlFlow::Break(());
                }
            } else if !self.is_complete([p, q]) {
                cells.add([p, q], [&a, &b], triangles, &found);
            }
            ControlFlow::Continue(())
        });
        pairs::visit([&a, &b], &mut ask);
        for (pieces, triangles, mut stars) in cells.stars([&a, &b]) {
            if self.is_decided() {
                return;
            }
            if self.is_complete(pieces) {
                continue;
            }
            for (star, _) in stars.iter_mut().zip(self.reversed).filter(|x| x.1) {
                star.reverse();
            }
            let here = compare(&stars, self.solid);
            if here.overlap {
                self.overlapping.get_or_insert(triangles);
            }
            self.learn(pieces, here);
        }
    }

    /// Adds what is known of two pieces.
    fn learn(&mut self, pieces: [u32; 2], new: Facts) {
        self.facts.entry(pieces).or_default().add(new);
        self.left[1][pieces[1] as usize] |= new.leaves[0];
        self.left[0][pieces[0] as usize] |= new.leaves[1];
    }

    fn is_complete(&self, pieces: [u32; 2]) -> bool {
        let facts = self.facts.get(&pieces);
        facts.is_some_and(|facts| facts.is_complete(self.solid))
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
                    let corner =
                        self.meshes[k].corners(mine.mesh().shells()[shell as usize].first)[0];
                    let inside = self.is_inside(1 - k, piece, corner);
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
            features: places.map(|place| match place {
                Place::Corner(_) => Feature::Vertex,
                Place::Edge(_) => Feature::Edge,
                Place::Inside => Feature::Face,
            }),
            point: self.bodies[0].in_world(point, flush),
            normal: normal.and_then(|normal| self.bodies[0].normal_in_world(normal, flush)),
        })
    }

    /// Whether one body is within one piece of the other, which is a solid.
    fn is_within(&self, body: usize) -> bool {
        self.solid[1 - body] && self.left[1 - body].contains(&false)
    }
}
