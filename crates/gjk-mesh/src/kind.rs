//! Whether a mesh encloses an inside: [`MeshKind`].

use crate::nesting::is_inside;
use crate::{Contact, SelfContact, TriMesh};
use core::cell::Cell;
use core::cmp::Ordering;
use core::fmt;
use core::ops::ControlFlow;

/// What a mesh is as a body.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshKind {
    /// The union of closed shells, less their cavities.
    Solid {
        /// How many shells face outward.
        shells: usize,
        /// How many shells face inward, each within one that faces outward.
        cavities: usize,
        /// Whether two shells meet. The body is their union all the same.
        shells_meet: bool,
        /// Whether the file has all of it facing inward; it is meant as its own outside then.
        inside_out: bool,
    },
    /// The set of its triangles, and no inside.
    Surface(SurfaceReason),
}

/// Why a mesh is no solid. Vertices and triangles have the numbers that they had in the input of [`TriMesh::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SurfaceReason {
    /// Its shells enclose no volume.
    NoVolume,
    /// This edge has a triangle on one side only.
    OpenEdge([u32; 2]),
    /// The triangles at this edge run it more often one way than the other.
    UnbalancedEdge([u32; 2]),
    /// One shell crosses itself at these two triangles.
    CrossesItself([u32; 2]),
    /// One shell touches itself at these two triangles; whether it crosses itself there is not decided yet.
    TouchesItself([u32; 2]),
    /// A cavity passes through another shell, or lies on it, at these two triangles.
    CavityMeets([u32; 2]),
    /// This shell faces inward, and none that faces outward is around it.
    InsideOut(u32),
}

impl fmt::Display for SurfaceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoVolume => write!(f, "it encloses no volume"),
            Self::OpenEdge([a, b]) => write!(f, "edge {a}-{b} is open"),
            Self::UnbalancedEdge([a, b]) => {
                write!(f, "the faces at edge {a}-{b} do not face one way")
            }
            Self::CrossesItself([a, b]) => write!(f, "a shell crosses itself: triangles {a}, {b}"),
            Self::TouchesItself([a, b]) => write!(f, "a shell touches itself: triangles {a}, {b}"),
            Self::CavityMeets([a, b]) => {
                write!(f, "a cavity meets another shell: triangles {a}, {b}")
            }
            Self::InsideOut(shell) => write!(f, "shell {shell} is inside out"),
        }
    }
}

impl TriMesh {
    /// Whether the mesh is a solid, or why it is a surface. Computed at each call: who needs it again keeps it.
    ///
    /// # Complexity  as [`TriMesh::self_contacts`].
    pub fn kind(&self) -> MeshKind {
        MeshKind::of(self)
    }
}

impl MeshKind {
    /// True for a solid.
    pub fn is_solid(&self) -> bool {
        matches!(self, Self::Solid { .. })
    }

    fn of(mesh: &TriMesh) -> Self {
        if let Some(reason) = open(mesh) {
            return Self::Surface(reason);
        }
        let volumes = |sign: Ordering| mesh.shells().iter().filter(move |s| s.facing == Some(sign));
        let [outward, inward] = [Ordering::Greater, Ordering::Less].map(|x| volumes(x).count());
        if outward + inward == 0 {
            return Self::Surface(SurfaceReason::NoVolume);
        }
        let contacts = Contacts::of(mesh);
        if let Some(reason) = contacts.within_shell() {
            return Self::Surface(reason);
        }
        // A mesh whose shells all face inward is meant the other way around.
        let inside_out = outward == 0;
        if !inside_out && let Some(shell) = loose_cavity(mesh) {
            return Self::Surface(SurfaceReason::InsideOut(shell));
        }
        let [shells, cavities] = if inside_out {
            [inward, 0]
        } else {
            [outward, inward]
        };
        Self::Solid {
            shells,
            cavities,
            shells_meet: contacts.between_shells,
            inside_out,
        }
    }
}

/// The first open edge, or else the first that is not balanced.
fn open(mesh: &TriMesh) -> Option<SurfaceReason> {
    let edges = |is_open: bool| {
        let shells = mesh.shells().iter();
        shells
            .filter(move |shell| (shell.open_edges > 0) == is_open)
            .find_map(|shell| shell.worst_edge)
            .map(|edge| edge.map(|vertex| mesh.vertex_source(vertex)))
    };
    let open = edges(true).map(SurfaceReason::OpenEdge);
    open.or_else(|| edges(false).map(SurfaceReason::UnbalancedEdge))
}

/// What is known of a mesh's contacts with itself.
#[derive(Default)]
struct Contacts {
    crossing: Option<[u32; 2]>,
    touching: Option<[u32; 2]>,
    between_shells: bool,
}

impl Contacts {
    /// A crossing ends the search: it decides.
    fn of(mesh: &TriMesh) -> Self {
        let mut found = Self::default();
        // One contact of two shells tells as much as all.
        let are_known = Cell::new(false);
        let matters = |i: u32, j: u32| !are_known.get() || mesh.shell_of(i) == mesh.shell_of(j);
        mesh.self_contacts_among(
            matters,
            |SelfContact {
                 triangles,
                 contact,
                 same_shell,
             }| {
                let triangles = triangles.map(|triangle| mesh.source(triangle));
                match (same_shell, contact) {
                    (false, _) => are_known.set(true),
                    (true, Contact::Crossing) => {
                        found.crossing = Some(triangles);
                        return ControlFlow::Break(());
                    }
                    (true, _) => {
                        found.touching.get_or_insert(triangles);
                    }
                }
                ControlFlow::Continue(())
            },
        );
        found.between_shells = are_known.get();
        found
    }

    fn within_shell(&self) -> Option<SurfaceReason> {
        let crossing = self.crossing.map(SurfaceReason::CrossesItself);
        crossing.or_else(|| self.touching.map(SurfaceReason::TouchesItself))
    }
}

/// A shell that faces inward and has none around it that faces outward, or none of which that can be told.
fn loose_cavity(mesh: &TriMesh) -> Option<u32> {
    let faces_inward = |shell: &crate::Shell| shell.facing == Some(Ordering::Less);
    let inward = (0..)
        .zip(mesh.shells())
        .filter(|(_, shell)| faces_inward(shell));
    inward
        .map(|(number, _)| number)
        .find(|&cavity| is_inside(mesh, cavity, false, |shell| shell != cavity) != Some(true))
}
