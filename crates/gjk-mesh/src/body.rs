//! A mesh as a body: whether it has an inside, of which pieces it is made, and where it is.

use crate::boxes::Box3;
use crate::in_place::{InPlace, Moved};
use crate::nesting::is_inside;
use crate::signs::Point;
use crate::{Contact, MeshKind, SelfContact, SurfaceReason, TriMesh};
use core::cmp::Ordering;
use core::ops::ControlFlow;
use gjk::{Pose3, Vec3, Vector};
use std::sync::OnceLock;

/// A mesh with its kind and its pieces: a shell that faces outward, with the cavities in it.
///
/// A solid is the union of its pieces. A surface is one piece, the set of its triangles.
#[derive(Clone, Debug)]
pub struct MeshBody {
    mesh: TriMesh,
    kind: MeshKind,
    /// The piece of each shell; `None` for shells of a solid that enclose no volume.
    pieces: Vec<Option<u32>>,
    count: usize,
    /// See `exposed`.
    exposed: OnceLock<Box<[OnceLock<bool>]>>,
    bounds: OnceLock<Bounds>,
}

/// How far a mesh's pieces reach.
#[derive(Clone, Debug)]
struct Bounds {
    pieces: Vec<Box3>,
    /// A triangle and a corner with the largest and the least coordinate along each axis; none where all triangles took one another out.
    outermost: [Option<[u32; 2]>; 6],
}

/// A body at a pose.
#[derive(Clone, Debug)]
pub struct PosedBody<'m> {
    body: &'m MeshBody,
    moved: Moved,
    /// Whether bodies of one pose are compared in the world too.
    only_in_world: bool,
}

impl MeshBody {
    /// The body of a mesh.
    ///
    /// # Complexity  as [`TriMesh::kind`], and a point in solid for each cavity and shell.
    pub fn new(mesh: TriMesh) -> Self {
        let kind = mesh.kind();
        let surface = |mesh, kind| {
            let pieces = vec![Some(0); TriMesh::shells(&mesh).len()];
            Self {
                mesh,
                kind,
                pieces,
                count: 1,
                exposed: OnceLock::new(),
                bounds: OnceLock::new(),
            }
        };
        let MeshKind::Solid {
            inside_out,
            cavities,
            ..
        } = kind
        else {
            return surface(mesh, kind);
        };
        let (pieces, count) = pieces(&mesh, inside_out);
        if cavities > 0
            && let Some(triangles) = within_piece(&mesh, &pieces)
        {
            let reason = SurfaceReason::CavityMeets(triangles);
            return surface(mesh, MeshKind::Surface(reason));
        }
        Self {
            mesh,
            kind,
            pieces,
            count,
            exposed: OnceLock::new(),
            bounds: OnceLock::new(),
        }
    }

    /// Whether the solid ends at a triangle; found when first asked.
    pub(crate) fn exposed(&self, triangle: u32, find: impl FnOnce() -> bool) -> bool {
        let all = self.exposed.get_or_init(|| {
            let unknown = self.mesh.triangles().iter().map(|_| OnceLock::new());
            unknown.collect()
        });
        *all[triangle as usize].get_or_init(find)
    }

    fn bounds(&self) -> &Bounds {
        self.bounds.get_or_init(|| {
            let mut bounds = Bounds {
                pieces: vec![Box3::NOTHING; self.count],
                outermost: [None; 6],
            };
            let mut reach = [f64::NEG_INFINITY; 6];
            for k in 0..self.mesh.triangles().len() as u32 {
                let Some(piece) = self.pieces[self.mesh.shell_of(k) as usize] else {
                    continue;
                };
                let points = self.mesh.corners(k);
                let known = &mut bounds.pieces[piece as usize];
                *known = known.with(&Box3::of(&points));
                for (corner, point) in (0..).zip(&points) {
                    for side in 0..6 {
                        let height = if side < 3 {
                            point[side]
                        } else {
                            -point[side - 3]
                        };
                        if height > reach[side] {
                            (reach[side], bounds.outermost[side]) = (height, Some([k, corner]));
                        }
                    }
                }
            }
            bounds
        })
    }

    /// The mesh.
    pub fn mesh(&self) -> &TriMesh {
        &self.mesh
    }

    /// Whether it is a solid, or why not.
    pub fn kind(&self) -> &MeshKind {
        &self.kind
    }

    /// The body at a pose: each vertex is moved and rounded once, when a query reaches it.
    ///
    /// # Complexity  O(1).
    pub fn at(&self, pose: &Pose3<f64>) -> PosedBody<'_> {
        PosedBody {
            body: self,
            moved: Moved::by(pose),
            only_in_world: false,
        }
    }
}

/// The pieces of a solid's shells, and how many: cavities belong to the smallest shell around them.
fn pieces(mesh: &TriMesh, inside_out: bool) -> (Vec<Option<u32>>, usize) {
    let outward = if inside_out {
        Ordering::Less
    } else {
        Ordering::Greater
    };
    let mut count = 0;
    let mut pieces: Vec<Option<u32>> = mesh
        .shells()
        .iter()
        .map(|shell| {
            (shell.facing == Some(outward)).then(|| {
                count += 1;
                count - 1
            })
        })
        .collect();
    let facing = |shell: u32| mesh.shells()[shell as usize].facing;
    let shells = || 0..mesh.shells().len() as u32;
    let inside = |shell, of| is_inside(mesh, shell, inside_out, |k| k == of) == Some(true);
    for cavity in shells().filter(|&k| facing(k) == Some(outward.reverse())) {
        let around = shells().filter(|&k| facing(k) == Some(outward) && inside(cavity, k));
        let around: Vec<u32> = around.collect();
        // The smallest is within all others.
        let smallest = around.iter().max_by_key(|&&shell| {
            around
                .iter()
                .filter(|&&k| k != shell && inside(shell, k))
                .count()
        });
        pieces[cavity as usize] = smallest.and_then(|&shell| pieces[shell as usize]);
    }
    (pieces, count as usize)
}

/// Two triangles of different shells of a piece that cross or share an area: the piece is not a shell less its cavities then.
fn within_piece(mesh: &TriMesh, pieces: &[Option<u32>]) -> Option<[u32; 2]> {
    let mut found = None;
    mesh.self_contacts(
        |SelfContact {
             triangles,
             contact,
             same_shell,
         }| {
            let [p, q] = triangles.map(|triangle| pieces[mesh.shell_of(triangle) as usize]);
            if same_shell || p != q || p.is_none() || contact == Contact::Touching {
                return ControlFlow::Continue(());
            }
            found = Some(triangles.map(|triangle| mesh.source(triangle)));
            ControlFlow::Break(())
        },
    );
    found
}

/// A sum, and whether it is exact.
fn moved(point: Point, by: Vec3<f64>) -> (Point, bool) {
    let mut exact = true;
    let by = by.to_f64();
    let sum = core::array::from_fn(|k| {
        let sum = point[k] + by[k];
        // Knuth's sum: what rounding took is exact.
        let step = sum - point[k];
        let lost = (point[k] - (sum - step)) + (by[k] - step);
        exact &= lost == 0.0;
        sum + 0.0
    });
    (sum, exact)
}

impl<'m> PosedBody<'m> {
    /// The body.
    pub fn body(&self) -> &'m MeshBody {
        self.body
    }

    /// Its pose.
    pub fn pose(&self) -> &Pose3<f64> {
        self.moved.pose()
    }

    /// The body after a translation, which rounds each vertex once, and whether no vertex was rounded.
    pub(crate) fn translated(&self, by: Vec3<f64>) -> (Self, bool) {
        let mut is_exact = true;
        let vertices: Vec<Point> = self
            .in_place(false)
            .vertices()
            .iter()
            .map(|&point| {
                let (to, exact) = moved(point, by);
                is_exact &= exact;
                to
            })
            .collect();
        let columns = self.pose().columns();
        let columns = [columns[0], columns[1], columns[2]];
        let pose = Pose3::from_columns(columns, self.pose().translation() + by);
        let moved = Self {
            moved: Moved::to(vertices, &pose),
            ..*self
        };
        (moved, is_exact)
    }

    pub(crate) fn mesh(&self) -> &'m TriMesh {
        &self.body.mesh
    }

    /// The same, compared in the world with any other, as the pose rounds its vertices: also with bodies of the same pose.
    #[must_use]
    pub fn only_in_world(self) -> Self {
        Self {
            only_in_world: true,
            ..self
        }
    }

    /// Whether two bodies are compared before the pose that both have.
    pub(crate) fn has_pose_of(&self, other: &PosedBody<'_>) -> bool {
        !self.only_in_world && !other.only_in_world && self.pose() == other.pose()
    }

    /// Whether the pose mirrors: less where it does, equal where it leaves no volume.
    fn handedness(&self) -> Ordering {
        let [x, y, z] = [0, 1, 2].map(|k| self.pose().columns()[k].to_f64());
        crate::signs::side(&[[0.0; 3], x, y], z)
    }

    /// A point in the world, of where vertices are before the pose or after it.
    pub(crate) fn in_world(&self, point: Point, local: bool) -> Point {
        if !local {
            return point;
        }
        let [x, y, z] = point;
        let at = self.pose().point(Vec3::new(x, y, z));
        [at.x + 0.0, at.y + 0.0, at.z + 0.0]
    }

    /// A unit normal of a face in the world, where it is of vertices before the pose or after it.
    pub(crate) fn normal_in_world(&self, normal: Vec3<f64>, local: bool) -> Option<Point> {
        let [x, y, z] = self.pose().columns() else {
            return None;
        };
        // Normals turn with the cofactors, whatever the pose does to lengths.
        let turned = |n: Vec3<f64>| {
            let turned = y.cross(*z) * n.x + z.cross(*x) * n.y + x.cross(*y) * n.z;
            if self.handedness().is_lt() {
                -turned
            } else {
                turned
            }
        };
        let normal = if local { turned(normal) } else { normal };
        normal
            .normalized()
            .map(|n| [n.x + 0.0, n.y + 0.0, n.z + 0.0])
    }

    /// The mesh at its pose, or where its vertices are.
    pub(crate) fn in_place(&self, local: bool) -> InPlace<'_> {
        if local {
            return self.body.mesh.in_place();
        }
        InPlace::moved(&self.body.mesh, &self.moved)
    }

    /// A pose that leaves no volume leaves a surface.
    pub(crate) fn is_solid(&self) -> bool {
        self.body.kind.is_solid() && self.handedness().is_ne()
    }

    /// Whether triangles run clockwise seen from outside.
    pub(crate) fn is_reversed(&self, local: bool) -> bool {
        let inside_out = matches!(
            self.body.kind,
            MeshKind::Solid {
                inside_out: true,
                ..
            }
        );
        inside_out ^ (!local && self.handedness().is_lt())
    }

    pub(crate) fn pieces(&self) -> usize {
        self.body.count
    }

    /// Whether triangles may meet that no vertex or edge connects: of a surface that is not asked, of a solid its shells may.
    pub(crate) fn may_meet_itself(&self) -> bool {
        !matches!(
            self.body.kind,
            MeshKind::Solid {
                shells_meet: false,
                ..
            }
        )
    }

    /// Boxes that hold the pieces, before the pose or after it.
    pub(crate) fn piece_boxes(&self, local: bool) -> Vec<Box3> {
        let own = &self.body.bounds().pieces;
        match self.in_place(local).pose() {
            None => own.clone(),
            Some(pose) => own.iter().map(|own| own.moved(pose)).collect(),
        }
    }

    /// The box of a few corners of the pieces, those that are outermost before the pose.
    pub(crate) fn reached(&self, local: bool) -> Box3 {
        let mesh = self.in_place(local);
        let outermost = self.body.bounds().outermost.iter();
        outermost
            .flatten()
            .fold(Box3::NOTHING, |all, &[triangle, corner]| {
                let own = mesh.corners(triangle)[corner as usize];
                all.with(&Box3::of(&[own]))
            })
    }

    pub(crate) fn piece_of_shell(&self, shell: u32) -> Option<u32> {
        self.body.pieces[shell as usize]
    }

    pub(crate) fn piece_of(&self, triangle: u32) -> Option<u32> {
        self.piece_of_shell(self.body.mesh.shell_of(triangle))
    }

    /// The shells, each with its piece.
    pub(crate) fn shells(&self) -> impl Iterator<Item = (u32, u32)> + 'm {
        let pieces = &self.body.pieces;
        (0..)
            .zip(pieces)
            .filter_map(|(shell, piece)| Some((shell, (*piece)?)))
    }
}
