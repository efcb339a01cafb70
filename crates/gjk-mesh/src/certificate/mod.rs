//! What makes a relation and a distance checkable by a stranger.
//!
//! Where it sits: beside the queries, for who asks. [`crate::verify`] checks what is made here and shares nothing with it.
//!
//! Idea: an overlap can be seen: next to a pair of triangles, or of a shell that is inside of the other body. That two bodies do not overlap, or one is within
//! the other, is a statement about all pairs of triangles. A *cut* tells most of them apart by axes; what it leaves is asked one by one.

mod axis;
mod cover;
mod cut;
mod depth;

use crate::distance::convex;
use crate::in_place::InPlace;
use crate::signs::Triangle;
use crate::trace::{Observe, Step};
use crate::{PosedBody, Relation, RelationAnswer, SurfaceDistance};
pub use cover::{CoverCertificate, CoverNode};
use cut::Cutter;
pub use depth::{BallCertificate, CertifiedDepth, DepthCertificate, ProtrusionCertificate};

use gjk::{
    Pair, Pose3, Vec3,
    query::{Direction, Proof},
};
use std::collections::BTreeMap;

/// A body as a stranger needs it: its triangles where a query had them.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainBody {
    /// Where the vertices are.
    pub vertices: Vec<[f64; 3]>,
    /// Corners, by their numbers among the vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Which piece each triangle belongs to; `None` for those of shells that enclose no volume.
    pub pieces: Vec<Option<u32>>,
    /// Whether the pieces have an inside.
    pub solid: bool,
    /// Whether triangles run clockwise seen from outside.
    pub reversed: bool,
}

impl PlainBody {
    /// Whether a piece that winds so often around a point has it inside.
    pub fn has_inside(&self, winding: i64) -> bool {
        if self.reversed {
            winding <= -1
        } else {
            winding >= 1
        }
    }
}

/// Where something can be seen. Triangles have the numbers of [`PlainBody::triangles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Where two triangles meet.
    Triangles([u32; 2]),
    /// In the middle of a triangle of this body, which is off this piece of the other.
    Middle {
        /// 0 or 1.
        body: usize,
        /// Of that body.
        triangle: u32,
        /// Of the other body.
        piece: u32,
    },
}

/// A step of a [`Cut`].
#[derive(Clone, Debug, PartialEq)]
pub enum CutNode {
    /// The list of one body is cut in two before this place. The first part comes next, then the other.
    Split {
        /// 0 or 1.
        body: usize,
        /// Counted from the list's beginning.
        at: u32,
    },
    /// Along this axis all of the second part is ahead of all of the first.
    Apart(Direction),
    /// No axis is given.
    Near,
}

/// All pairs of triangles, told apart by axes as far as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cut {
    /// The triangles of each body in the order of the lists.
    pub order: [Vec<u32>; 2],
    /// The steps, from both whole lists on.
    pub nodes: Vec<CutNode>,
}

/// What proves a relation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelationCertificate {
    /// What proves an overlap of which neither body is within the other.
    pub sights: Vec<Sight>,
    /// What proves anything else.
    pub cut: Option<Cut>,
}

/// What proves a distance.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceCertificate {
    /// No two triangles are nearer than the interval's lower end; empty where that is zero.
    pub cut: Cut,
    /// These are as near as the upper end.
    pub triangles: [u32; 2],
    /// The proof of their distance, as of two convex bodies.
    pub nearest: Proof<Vec3<f64>>,
}

/// The triangles of two meshes, told apart by a gap.
fn cut_of(meshes: [InPlace<'_>; 2], gap: f64) -> Cut {
    let [a, b] = meshes.map(|mesh| all_corners(&mesh));
    Cutter::new([&a, &b], gap).cut()
}

/// The corners of all triangles.
fn all_corners(mesh: &InPlace<'_>) -> Vec<Triangle> {
    let count = mesh.mesh.triangles().len() as u32;
    (0..count).map(|t| mesh.corners(t)).collect()
}

/// Keeps where facts were learned.
struct Sights<'b> {
    bodies: [&'b PosedBody<'b>; 2],
    kept: Vec<Sight>,
    /// By pieces: an overlap, and who leaves whom.
    known: BTreeMap<[u32; 2], [bool; 3]>,
}

impl Sights<'_> {
    fn keep(&mut self, pieces: [Option<u32>; 2], told: [bool; 3], sight: Sight) {
        let [Some(p), Some(q)] = pieces else {
            return;
        };
        let known = self.known.entry([p, q]).or_default();
        let is_new = (0..3).any(|k| told[k] && !known[k]);
        (0..3).for_each(|k| known[k] |= told[k]);
        if is_new {
            self.kept.push(sight);
        }
    }

    fn pieces(&self, triangles: [u32; 2]) -> [Option<u32>; 2] {
        [0, 1].map(|k: usize| self.bodies[k].piece_of(triangles[k]))
    }
}

impl Observe for Sights<'_> {
    fn observe(&mut self, step: Step) {
        match step {
            Step::Triangles {
                triangles,
                contact: Some(crate::Contact::Crossing),
                ..
            } => self.keep(
                self.pieces(triangles),
                [true; 3],
                Sight::Triangles(triangles),
            ),
            Step::Cell(cell) => {
                let triangles = [0, 1].map(|k: usize| cell.triangles[k][0]);
                if let Some(facts) = cell.facts {
                    let told = [facts.overlap, facts.leaves[0], facts.leaves[1]];
                    self.keep(self.pieces(triangles), told, Sight::Triangles(triangles));
                }
            }
            Step::Shell {
                body,
                shell,
                piece,
                inside: Some(inside),
                ..
            } => {
                let mut pieces = [self.bodies[body].piece_of_shell(shell), Some(piece)];
                let mut leaves = [!inside, inside];
                pieces.rotate_left(body);
                leaves.rotate_left(body);
                let flush = self.bodies[0].has_pose_of(self.bodies[1]);
                let mesh = self.bodies[body].in_place(flush);
                let solid = self.bodies[body].is_solid();
                let Some(triangle) = mesh.first_of(shell, solid) else {
                    return;
                };
                let sight = Sight::Middle {
                    body,
                    triangle,
                    piece,
                };
                self.keep(pieces, [inside, leaves[0], leaves[1]], sight);
            }
            _ => {}
        }
    }
}

impl PosedBody<'_> {
    /// This body's triangles, where a query of it and the other has them: before the pose where both have the same one.
    ///
    /// # Complexity  O(n).
    pub fn plain(&self, other: &PosedBody<'_>) -> PlainBody {
        self.plain_at(self.has_pose_of(other))
    }

    /// This body's triangles in the world, where distances are measured.
    pub fn plain_in_world(&self) -> PlainBody {
        self.plain_at(false)
    }

    fn plain_at(&self, local: bool) -> PlainBody {
        let triangles = self.mesh().triangles();
        PlainBody {
            vertices: self.in_place(local).vertices().to_vec(),
            triangles: triangles.to_vec(),
            pieces: (0..triangles.len() as u32)
                .map(|k| self.piece_of(k))
                .collect(),
            solid: self.is_solid(),
            reversed: self.is_reversed(local),
        }
    }

    /// The relation to another body, with what proves it to [`crate::verify::verify_relation`].
    ///
    /// # Accuracy  that of [`PosedBody::relation`].
    /// # Complexity  twice that, and for a cut O((n + m) log(n + m)) and a distance of two sets of triangles for each of its nodes.
    /// # Examples
    /// ```
    /// use gjk::{Pose3, Vec3};
    /// use gjk_mesh::{MeshBody, Relation, TriMesh, verify::verify_relation};
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let body = MeshBody::new(TriMesh::new(&corners, &faces).unwrap());
    /// let there = Pose3::from_translation(Vec3::new(1.0, 0.0, 0.0));
    /// let (a, b) = (body.at(&Pose3::identity()), body.at(&there));
    /// let (answer, certificate) = a.relation_certified(&b);
    /// assert_eq!(answer.relation, Relation::Touching);
    /// let plain = [&a.plain(&b), &b.plain(&a)];
    /// assert_eq!(verify_relation(plain, answer.relation, &certificate), Ok(true));
    /// assert!(verify_relation(plain, Relation::Separated, &certificate).is_err());
    /// ```
    pub fn relation_certified(
        &self,
        other: &PosedBody<'_>,
    ) -> (RelationAnswer, RelationCertificate) {
        let mut sights = Sights {
            bodies: [self, other],
            kept: Vec::new(),
            known: BTreeMap::new(),
        };
        let answer = self.relation_observed(other, &mut sights);
        let certificate = match answer.relation {
            Relation::Overlapping | Relation::Crossing => RelationCertificate {
                sights: sights.kept,
                cut: None,
            },
            _ => {
                let flush = self.has_pose_of(other);
                let cut = cut_of([self.in_place(flush), other.in_place(flush)], 0.0);
                RelationCertificate {
                    sights: Vec::new(),
                    cut: Some(cut),
                }
            }
        };
        (answer, certificate)
    }

    /// What proves a distance to another body to [`crate::verify::verify_distance`]; `None` where coordinates are not finite.
    ///
    /// # Complexity  as of [`PosedBody::relation_certified`].
    pub fn distance_certificate(
        &self,
        other: &PosedBody<'_>,
        distance: &SurfaceDistance,
    ) -> Option<DistanceCertificate> {
        let meshes = [self.in_place(false), other.in_place(false)];
        let number = |k: usize| {
            let mesh = meshes[k].mesh;
            (0..mesh.triangles().len() as u32).find(|&t| mesh.source(t) == distance.triangles[k])
        };
        let triangles = [number(0)?, number(1)?];
        let [a, b] = [0, 1].map(|k| convex(&meshes[k].corners(triangles[k])));
        let here = Pose3::identity();
        let (a, b) = (a?, b?);
        let nearest = Pair::new(&a, &here, &b, &here)
            .with(&gjk::query::Options::tight())
            .prove();
        let cut = if distance.lower > 0.0 {
            cut_of(meshes, distance.lower)
        } else {
            Cut::default()
        };
        Some(DistanceCertificate {
            cut,
            triangles,
            nearest,
        })
    }
}
